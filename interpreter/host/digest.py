"""A state by names, free of any layout, and a short digest of it: how two machines are held against each other.

Cards appear by face, never by number, so that two matches that differ only in which of two alike cards lies where have
one digest. What only a machine needs (position, frames, counters) is left out.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable
from hashlib import sha256

from rulesdsl.ir.nodes import Shape, Value
from rulesdsl.types import NONE, Card, Face, ListOf, Optional, Record, RowOf, SetOf, Type

from ..state.bits import members
from ..state.cells import GENERATOR, STATUS, State
from ..state.layout import Layout, ZoneInfo

Plainest = int | str | list["Plainest"]
"""What JSON and a comparison need: numbers, names, lists."""

LENGTH = 16
"""How many hexadecimal digits a digest has."""


class Describer:
    """Describes states of one layout by names."""

    def __init__(self, layout: Layout) -> None:
        self._layout = layout
        self._faces = {
            kind: tuple((cards & -cards).bit_length() - 1 for cards in pack.faces())
            for kind, pack in layout.packs.items()
        }
        """By kind and card, the first card that shows the same."""

    def digest(self, state: State, asked: Iterable[tuple[str, int]] = ()) -> str:
        """Short, and different for different matches; `asked` are decisions and seats that are waited for."""
        named = [self.named(state), sorted([name, seat] for name, seat in asked)]
        text = json.dumps(named, separators=(",", ":"), sort_keys=True)
        return sha256(text.encode()).hexdigest()[:LENGTH]

    def named(self, state: State) -> dict[str, Plainest]:
        """Everything that can matter to the match, by name."""
        layout = self._layout
        above = self._beneath(state)
        described: dict[str, Plainest] = {
            "generator": _plainest(state[GENERATOR]),
            "status": _plainest(state[STATUS]),
        }
        for zone in layout.zones:
            described[f"zone {zone.name} {zone.owner}"] = self._zone(state, zone, above)
        for name, info in layout.variables.items():
            of = info.declaration.keeping.type
            cells = state[info.base : info.base + info.size]
            described[f"state {name}"] = [self._value(of, cell) for cell in cells]
        return described

    def _beneath(self, state: State) -> dict[int, list[tuple[str, int]]]:
        """By number of a card that lies over others: those, as kind and card."""
        layout = self._layout
        found: dict[int, list[tuple[str, int]]] = {}
        for kind, base in layout.at.items():
            for card in range(layout.packs[kind].size):
                place = state[base + card]
                if isinstance(place, int) and place >= layout.zone_count:
                    found.setdefault(place - layout.zone_count, []).append((kind, card))
        return found

    def _zone(self, state: State, zone: ZoneInfo, above: dict[int, list[tuple[str, int]]]) -> Plainest:
        held = state[zone.cell]

        def cards(several: Iterable[int]) -> list[Plainest]:
            return [self._card(state, zone.kind, card, above) for card in several]

        if isinstance(held, int):
            return _sorted(cards(members(held)))
        if zone.shape is not Shape.PLAYS:
            return cards(card for card in held if isinstance(card, int))
        fields = [keeping.type for keeping in zone.declaration.fields]
        plays: list[Plainest] = []
        for play in held:
            assert isinstance(play, tuple)
            _, seat, laid, *written = play
            assert isinstance(seat, int) and isinstance(laid, int)
            values = [self._value(of, value) for of, value in zip(fields, written, strict=True)]
            plays.append([seat, _sorted(cards(members(laid))), values])
        return plays

    def _card(self, state: State, kind: str, card: int, above: dict[int, list[tuple[str, int]]]) -> Plainest:
        """Face, what is written on the card, who knows where it lies, and what lies beneath."""
        layout = self._layout
        known = 0
        for seat in range(layout.seats):
            knows = state[layout.seen[kind] + seat]
            assert isinstance(knows, int)
            known |= (knows >> card & 1) << seat
        described: list[Plainest] = [self._faces[kind][card], known]
        for declared in layout.packs[kind].kind.fields:
            described.append(self._value(declared.type, state[layout.fields[kind, declared.name] + card]))
        beneath = above.get(layout.card_number(kind, card))
        if beneath:
            described.append(_sorted([[other, self._card(state, other, under, above)] for other, under in beneath]))
        return described

    def _value(self, of: Type, value: Value) -> Plainest:
        """A value with cards by face; sets in an order of their own."""
        match of:
            case _ if value == NONE:
                return "none"
            case Optional():
                return self._value(of.of, value)
            case Card():
                assert isinstance(value, int)
                return self._faces[of.kind][value]
            case SetOf(Card(kind)) | Face(kind):
                assert isinstance(value, int)
                return _sorted([self._faces[kind][card] for card in members(value)])
            case ListOf() | RowOf():
                assert isinstance(value, tuple)
                return [self._value(of.of, item) for item in value]
            case Record():
                assert isinstance(value, tuple)
                return [self._value(part, item) for (_, part), item in zip(of.fields, value, strict=True)]
            case _:
                return _plainest(value)


def _sorted(items: list[Plainest]) -> list[Plainest]:
    """The items in an order that depends on nothing but themselves."""
    key: Callable[[Plainest], str] = json.dumps
    return sorted(items, key=key)


def _plainest(value: Value) -> Plainest:
    if isinstance(value, int):
        # Bit sets can be longer than what JSON readers take for a number.
        return value if abs(value) < 1 << 53 else f"{value:x}"
    return [_plainest(item) for item in value]
