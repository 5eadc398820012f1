"""Two modifiers at one place: nothing is settled by the order in which they were named or loaded.

Equal values agree; different ones exclude each other, and what asks for `proceed` twice needs an order.
"""

from __future__ import annotations

from ..diagnostic import Label
from ..ir.nodes import Origin, Term
from ..syntax.document import ChangeDoc
from .names import Names
from .substitute import has_proceed


class Rivals:
    """The changes of modifiers to one rule, or the handlers that stand instead of one thing."""

    def __init__(self, names: Names) -> None:
        self._names = names
        self._sets: list[tuple[ChangeDoc, Term]] = []
        self._wraps: list[ChangeDoc] = []

    def meet(self, change: ChangeDoc, origin: Origin, given: Term) -> None:
        """Takes in what a change gives, and reports what can't stand beside an earlier one."""
        if origin.name not in self._names.modifiers:
            return
        if has_proceed(given):
            self.wrap(change, origin)
            return
        for other, value in self._sets:
            if value != given:
                self._names.diagnostics.add(
                    "E0910",
                    change.target.span,
                    f"two modifiers give '{change.target.text}' different values",
                    help="leave out one of the two, or settle it under `changes:` of a variant",
                    labels=[Label(other.target.span, "the other one")],
                )
        self._sets.append((change, given))

    def wrap(self, change: ChangeDoc, origin: Origin) -> None:
        """Takes in a change that lies around what everybody else gives."""
        if origin.name not in self._names.modifiers:
            return
        for other in self._wraps:
            self._names.diagnostics.add(
                "E0911",
                change.target.span,
                f"two modifiers lie around '{change.target.text}', and nothing says which is the outer one",
                help="leave out one of the two, or settle it under `changes:` of a variant",
                labels=[Label(other.target.span, "the other one")],
            )
        self._wraps.append(change)
