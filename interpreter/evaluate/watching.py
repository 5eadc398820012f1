"""Looks on while terms are worked out and steps are done: for those who ask what a match made use of.

A machine that is watched does without shortcuts, so that nothing is done in another way than it is written. One that
is not watched is built as if there was no such thing.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Protocol

from rulesdsl.ir.nodes import Operation, Rule, Term

from ..state.cells import Closure, State

Compile = Callable[[Term], Closure]
"""Makes a term ready where something is watched."""


class Watch(Protocol):
    """Whoever looks on. It is told of everything when that is made ready, and says what is to be done on the way."""

    def term(self, term: Term, make: Callable[[], Closure]) -> Closure:
        """A term, with whatever happens when it is worked out; `make` makes it ready, and after it what is inside."""
        ...

    def rule(self, rule: Rule, worth: Closure, compile: Compile) -> Closure:
        """The body of a rule that is called; `compile` knows the rule's parameters."""
        ...

    def step(self, operation: Operation, compile: Compile) -> Callable[[State], None] | None:
        """What happens when a step is come to, if anything; `compile` knows the names of the procedure."""
        ...


def seen(mark: Callable[[State], None], worth: Closure) -> Closure:
    """A term that leaves a mark when it is worked out."""

    def watched(S: State) -> Any:
        mark(S)
        return worth(S)

    return watched
