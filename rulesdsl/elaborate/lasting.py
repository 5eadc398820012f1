"""Lasting powers: what a card changes as long as it is in play.

Each is a change like any other, under the guard that its card lies in one of some zones. `self` in it is a name that
nobody can write, `self of KIND ROW COPY`, and so is the guard; `expressions` knows what they stand for.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from ..ir.nodes import LiesIn, RowCard, Term
from ..source import Span
from ..syntax.document import ChangeDoc, Declarations
from ..syntax.expr import Name
from ..syntax.powers import ChangesBody
from ..types import Card, YesNo
from .activation import under
from .declare import Layer
from .names import Names
from .powers import KindPowers, Row, with_self

_SELF, _IN_PLAY = "self of", "in play"


def lasting(powers: Iterable[KindPowers]) -> Iterator[Layer]:
    """What every card changes while it is in play: one layer for each copy of each row."""
    for kind in powers:
        for row in kind.rows:
            changes = [c for body in row.powers.values() if isinstance(body, ChangesBody) for c in body.changes]
            for copy in range(row.copies if changes else 0):
                guard = Name(f"{_IN_PLAY} {kind.kind} {row.number} {copy}", span=row.span)
                own = Name(f"{_SELF} {kind.kind} {row.number} {copy}", span=row.span)
                made = tuple(under(_of_card(change, own, row), guard) for change in changes)
                yield Layer(row.label, Declarations(span=row.span), made, is_modifier=True, guard=guard)


def _of_card(change: ChangeDoc, own: Name, row: Row) -> ChangeDoc:
    bound = {p.name for p in change.target.signature.parameters} if change.target.signature is not None else set()
    return with_self(change, own, [part.name for part in row.parts if part.name not in bound])


def meant(name: str, names: Names, span: Span) -> Term | None:
    """What one of the names that nobody can write stands for: a card, or whether it is in play; None for others."""
    card = _card(name, _SELF, span)
    if card is not None:
        return card
    card = _card(name, _IN_PLAY, span)
    return None if card is None else LiesIn(card, zones_in_play(names, card.kind), type=YesNo(), span=span)


def _card(name: str, prefix: str, span: Span) -> RowCard | None:
    if not name.startswith(f"{prefix} "):
        return None
    kind, row, copy = name.removeprefix(f"{prefix} ").split()
    return RowCard(kind, int(row), int(copy), type=Card(kind), span=span)


def zones_in_play(names: Names, kind: str) -> tuple[str, ...]:
    """The zones in which the lasting powers of a kind work."""
    powers = names.powers.get(kind)
    if powers is not None and powers.in_play:
        return powers.in_play
    return tuple(
        name
        for name, entry in sorted(names.zones.items())
        if names.zone_kind(name) == kind
        and name != "discard"
        and (entry.doc.seen is None or entry.doc.seen.name == "everyone")
    )
