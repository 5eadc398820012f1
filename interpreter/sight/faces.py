"""How cards, places and values look in views and events: faces, names and plain numbers, never an index of a card.

A card is shown as the text of its face; as a mapping with `card`, `fields` and `under` where something is written on it
or lies under it. A card that the seat doesn't know is shown as None.
"""

from __future__ import annotations

import json
from collections.abc import Sequence

from rulesdsl.ir.nodes import Keeping, Owned, Value
from rulesdsl.types import (
    NONE,
    Card,
    ListOf,
    Number,
    Optional,
    Range,
    Record,
    RowOf,
    Seat,
    SetOf,
    Team,
    Type,
    YesNo,
    required,
)

from ..host.naming import Namer
from ..state.bits import members
from ..state.domains import first_of
from ..state.layout import Layout
from .event import Looks, Spot

Json = None | bool | int | str | list["Json"] | dict[str, "Json"]
"""What views and events are made of."""


class Faces:
    """Shows things of one layout."""

    def __init__(self, layout: Layout, namer: Namer) -> None:
        self.layout = layout
        self._namer = namer
        self._fields: dict[str, tuple[Keeping, ...]] = {kind.name: kind.fields for kind in layout.program.kinds}

    # ── cards ──────────────────────────────────────────────────────────────────────────────────────────────────────

    def card(self, kind: str, looks: Looks, known: int) -> Json:
        """One card for a seat that knows the given cards."""
        return self.as_it_lies(kind, looks, known, is_known=bool(known >> looks.card & 1))

    def as_it_lies(self, kind: str, looks: Looks, known: int, *, is_known: bool) -> Json:
        """One card, whose own face is known or not, with what lies under it."""
        beneath = self.in_order_of_faces(kind, looks.beneath, known)
        text = self._namer.text(Card(kind), looks.card) if is_known else None
        written: dict[str, Json] = {}
        if is_known:
            for keeping, value in zip(self._fields[kind], looks.fields, strict=True):
                if value != keeping.start:
                    written[keeping.name] = self.value(keeping.type, value)
        if not written and not beneath:
            return text
        shown: dict[str, Json] = {"card": text}
        if written:
            shown["fields"] = written
        if beneath:
            shown["under"] = beneath
        return shown

    def in_order_of_faces(self, kind: str, cards: Sequence[Looks], known: int) -> list[Json]:
        """Cards that lie without order: those that are known by their faces, then one None for each that isn't."""
        shown = []
        for looks in cards:
            card = self.card(kind, looks, known)
            # What lies under an unknown card must not tell where that one would come.
            rank = self._rank(kind, looks.card) if known >> looks.card & 1 else self.layout.card_count
            shown.append((card is None, rank, dumped(card), card))
        shown.sort(key=lambda item: item[:3])
        return [card for *_, card in shown]

    def _rank(self, kind: str, card: int) -> int:
        """Where a face comes among the faces, the same for all cards that show it."""
        alike = self.layout.packs[kind].faces()[card]
        return (alike & -alike).bit_length() - 1

    # ── places ─────────────────────────────────────────────────────────────────────────────────────────────────────

    def zone(self, index: int) -> str:
        """A zone by name and owner: `hand 2`."""
        zone = self.layout.zones[index]
        return zone.name if zone.each is Owned.ONCE else f"{zone.name} {zone.owner}"

    def spot(self, spot: Spot, seat: int, kind: str, known: int) -> Json:
        """A place; under a card, with the card above if the seat knows it."""
        if spot.above is None:
            return self.zone(spot.zone)
        return {
            "zone": self.zone(spot.zone),
            "under": self.as_it_lies(kind, spot.above, known, is_known=bool(spot.knowers >> seat & 1)),
        }

    # ── values ─────────────────────────────────────────────────────────────────────────────────────────────────────

    def value(self, of: Type, value: Value) -> Json:
        """A value: numbers and seats as numbers, everything with a name by its name."""
        if value == NONE:
            return None
        of = required(of)
        match of:
            case YesNo():
                return bool(value)
            case Seat() | Team():
                return value if isinstance(value, int) else None
            case Number() if of.scale == 1 and isinstance(value, int):
                return value
            case SetOf(of=Card(kind=kind) as card) if isinstance(value, int):
                ranked = sorted(members(value), key=lambda member: self._rank(kind, member))
                return [self._namer.text(card, member) for member in ranked]
            case SetOf() if isinstance(value, int):
                first = first_of(of.of)
                return [self.value(of.of, member + first) for member in members(value)]
            case RowOf() | ListOf() if isinstance(value, tuple):
                return [self.value(of.of, member) for member in value]
            case Range() if isinstance(value, tuple):
                return [self.value(of.of, end) for end in value]
            case Record() if isinstance(value, tuple):
                parts = zip(of.fields, value, strict=True)
                return {name: self.value(part, each) for (name, part), each in parts}
            case Optional():
                return self.value(of.of, value)
            case _:
                return self._namer.text(of, value)


def dumped(shown: Json) -> str:
    """The same text for the same thing."""
    return json.dumps(shown, sort_keys=True)
