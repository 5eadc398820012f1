"""Two modifiers at one place: nothing is settled by the order in which they were named or loaded.

Equal values agree; different ones exclude each other unless they are given under guards that do, and what asks for
`proceed` twice needs an order. A variant lies over its modifiers, so a value that it gives itself settles all of it.
"""

from __future__ import annotations

from itertools import product

from ..diagnostic import Label
from ..ir.guards import exclude, ways
from ..ir.nodes import Op, Origin, Prim, Proceed, Term
from ..syntax.document import ChangeDoc
from .known import Known
from .names import Names
from .sequence import Entry, Level, sets
from .substitute import has_proceed

_HELP = "leave out one of the two, or settle it under `changes:` of a variant"


class Rivals:
    """The changes of modifiers to one rule, or the handlers that stand instead of one thing."""

    def __init__(self, names: Names) -> None:
        self._names = names
        self._sets: list[tuple[Entry, Term]] = []
        self._wraps: list[Entry] = []
        self._only_adds: list[ChangeDoc] = []
        self._known = Known({name: option.value for name, option in names.options.items()})

    def meet(self, change: ChangeDoc, origin: Origin, given: Term) -> None:
        """Takes in what a change gives."""
        if has_proceed(given) and not sets(change.body):
            self._only_adds += [change] if _only_adds(given) else []
            self.wrap(change, origin)
        elif origin.name in self._names.modifiers:
            self._sets.append(((change, origin), given))
        elif self._names.sequences.level(origin) > Level.MODIFIER and not has_proceed(given):
            self._sets.clear()
            self._wraps.clear()

    def wrap(self, change: ChangeDoc, origin: Origin) -> None:
        """Takes in a change that lies around what everybody else gives."""
        if origin.name in self._names.modifiers:
            self._wraps.append((change, origin))

    def report(self) -> None:
        """Reports what can't stand beside one another."""
        for at, (entry, given) in enumerate(self._sets):
            rival = next((first for first, value in self._sets[:at] if self._collide(first, value, entry, given)), None)
            if rival is not None:
                message = f"two modifiers give '{entry[0].target.text}' different values"
                self._add("E0910", entry[0], message, rival[0])
        for entry in self._wraps[1:]:
            if not self._are_in_order(self._wraps[0], entry):
                message = f"two modifiers lie around '{entry[0].target.text}', and nothing says which is the outer one"
                self._add("E0911", entry[0], message, self._wraps[0][0])

    def _collide(self, first: Entry, value: Term, second: Entry, given: Term) -> bool:
        """Whether two give something else in one case, and nothing says who wins."""
        if value == given or self._names.sequences.decided(first, second):
            return False
        sides = self._known, self._known
        return any(
            one.value != other.value and not exclude(one.literals, other.literals, sides)
            for one, other in product(ways(value), ways(given))
        )

    def _are_in_order(self, first: Entry, second: Entry) -> bool:
        if first[0] in self._only_adds and second[0] in self._only_adds:
            return True
        return self._names.sequences.decided(first, second)

    def _add(self, code: str, change: ChangeDoc, message: str, other: ChangeDoc) -> None:
        label = Label(other.target.span, "the other one")
        self._names.diagnostics.add(code, change.target.span, message, help=_HELP, labels=[label])


def _only_adds(term: Term) -> bool:
    """Whether a change adds to what is beneath, and does no more: two of these need no order."""
    match term:
        case Prim(op=Op.ADD, arguments=(Proceed(), added)):
            return not has_proceed(added)
        case _:
            return False
