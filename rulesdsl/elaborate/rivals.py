"""Two modifiers at one place: nothing is settled by the order in which they were named or loaded.

Equal values agree; different ones exclude each other, and what asks for `proceed` twice needs an order. A variant lies
over its modifiers, so a value that it gives itself settles all of it.
"""

from __future__ import annotations

from ..diagnostic import Label
from ..ir.nodes import Origin, Term
from ..syntax.document import ChangeDoc
from .names import Names
from .sequence import Entry, Level
from .substitute import has_proceed

_HELP = "leave out one of the two, or settle it under `changes:` of a variant"


class Rivals:
    """The changes of modifiers to one rule, or the handlers that stand instead of one thing."""

    def __init__(self, names: Names) -> None:
        self._names = names
        self._sets: list[tuple[Entry, Term]] = []
        self._wraps: list[Entry] = []

    def meet(self, change: ChangeDoc, origin: Origin, given: Term) -> None:
        """Takes in what a change gives."""
        if has_proceed(given):
            self.wrap(change, origin)
        elif origin.name in self._names.modifiers:
            self._sets.append(((change, origin), given))
        elif self._names.sequences.level(origin) > Level.MODIFIER and change.when is None:
            self._sets.clear()
            self._wraps.clear()

    def wrap(self, change: ChangeDoc, origin: Origin) -> None:
        """Takes in a change that lies around what everybody else gives."""
        if origin.name in self._names.modifiers:
            self._wraps.append((change, origin))

    def report(self) -> None:
        """Reports what can't stand beside one another."""
        for entry, given in self._sets[1:]:
            first, value = self._sets[0]
            if value != given and not self._names.sequences.decided(first, entry):
                message = f"two modifiers give '{entry[0].target.text}' different values"
                self._add("E0910", entry[0], message, first[0])
        for entry in self._wraps[1:]:
            if not self._names.sequences.decided(self._wraps[0], entry):
                message = f"two modifiers lie around '{entry[0].target.text}', and nothing says which is the outer one"
                self._add("E0911", entry[0], message, self._wraps[0][0])

    def _add(self, code: str, change: ChangeDoc, message: str, other: ChangeDoc) -> None:
        label = Label(other.target.span, "the other one")
        self._names.diagnostics.add(code, change.target.span, message, help=_HELP, labels=[label])
