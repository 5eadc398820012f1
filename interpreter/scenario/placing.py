"""Sets a match up as a scenario says: which cards lie where, what the states hold."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from rulesdsl.ir.nodes import Keeping, Owned, Shape, Value
from rulesdsl.types import Seat, Team, Type

from ..host.plain import Plain, as_list, shown, words_of
from ..host.table import Table
from ..host.wording import WordingError
from ..state.bits import members, set_of
from ..state.cells import State
from ..state.domains import first_of
from ..state.layout import VariableInfo, ZoneInfo
from .failure import CARDS_SHORT, MISREAD, UNKNOWN, Failure

Path = tuple[str | int, ...]
CARD, UNDER = "card", "under"
"""How a card is written of which more is said: `{ card: 7, under: [3, 4], FIELD: value }`."""


@dataclass(frozen=True, slots=True)
class _Item:
    """Something that is to lie in a zone: a text, and the seat whose play it is in a zone of plays."""

    path: Path
    text: str
    player: int
    play: int
    """Items with one number, not below 0, are one play."""
    fields: Mapping[str, Plain] = field(default_factory=dict)
    """What is written on the card, by name."""
    above: Path | None = None
    """The item under whose card this one lies."""


class Setup:
    """Puts cards and values into a state and collects what can't be done."""

    def __init__(self, table: Table, state: State) -> None:
        self._table = table
        self._layout = table.layout
        self._state = state
        self._placed = {kind: 0 for kind in table.layout.packs}
        self.failures: list[Failure] = []

    def _fail(self, path: Path, message: str, code: str, help: str | None = None) -> None:
        self.failures.append(Failure(path, message, code, help))

    # ── cards ────────────────────────────────────────────────────────────────────────────────────────────────────

    def place(self, zones: Mapping[str, Plain]) -> None:
        """Puts the written cards into their zones. Cards that are named one by one go first; then whole groups."""
        items = [(zone, item) for name, plain in zones.items() for zone, item in self._items(name, plain)]
        chosen: dict[int, Sequence[int]] = {}
        meant = [self._cards(zone.kind, item) for zone, item in items]
        for grouped in (False, True):
            for number, ((zone, item), face) in enumerate(zip(items, meant, strict=True)):
                if face is not None and (face[1] is None) is grouped:
                    chosen[number] = self._taken(zone, item, *face)
        self._lay([(zone, item, chosen.get(number, ())) for number, (zone, item) in enumerate(items)])

    def _items(self, name: str, plain: Plain) -> list[tuple[ZoneInfo, _Item]]:
        if name not in self._layout.first_zone:
            self._fail(("zones", name), f"there is no zone '{name}'", UNKNOWN, _listed(self._layout.first_zone))
            return []
        first = self._layout.zone_of(name)
        if first.each is Owned.ONCE:
            return [(first, item) for item in self._of_one(first, ("zones", name), plain)]
        owners = [zone for zone in self._layout.zones if zone.name == name]
        found: list[tuple[ZoneInfo, _Item]] = []
        for owner, path, inner in self._by_owner(("zones", name), plain, len(owners)):
            found += [(owners[owner], item) for item in self._of_one(owners[owner], path, inner)]
        return found

    def _by_owner(self, path: Path, plain: Plain, owners: int) -> list[tuple[int, Path, Plain]]:
        """What is written for each owner: a list with an entry for each, or a mapping for some of them."""
        if isinstance(plain, dict):
            found = []
            for key, inner in plain.items():
                if key.isdecimal() and int(key) < owners:
                    found.append((int(key), (*path, key), inner))
                else:
                    self._fail((*path, key), f"'{key}' is not one of 0 to {owners - 1}", UNKNOWN)
            return found
        if not isinstance(plain, list) or len(plain) != owners:
            self._fail(path, f"this should be a list with one entry for each of the {owners}", MISREAD)
            return []
        return [(owner, (*path, owner), inner) for owner, inner in enumerate(plain)]

    def _of_one(self, zone: ZoneInfo, path: Path, plain: Plain) -> list[_Item]:
        found: list[_Item] = []
        for number, entry in enumerate(as_list(plain) if plain != "none" else []):
            here = (*path, number) if isinstance(plain, list) else path
            if zone.shape is not Shape.PLAYS and (isinstance(entry, str) or CARD in entry):
                found += self._with_beneath(entry, here)
            elif zone.shape is Shape.PLAYS and isinstance(entry, dict) and all(key.isdecimal() for key in entry):
                for key, cards in entry.items():
                    texts = cards.split("+") if isinstance(cards, str) else as_list(cards)
                    found += [_Item(here, shown(text).strip(), int(key), number) for text in texts]
            else:
                form = "a play is written as its player and its cards, `0: 9 of hearts`"
                self._fail(here, form if zone.shape is Shape.PLAYS else f"{shown(entry)} is not a card", MISREAD)
        return found

    def _with_beneath(self, entry: Plain, path: Path, above: Path | None = None) -> list[_Item]:
        """One card, with what is written on it and what lies under it, if that is said."""
        text = entry.get(CARD) if isinstance(entry, dict) else entry
        if not isinstance(text, str):
            self._fail(path, f"{shown(entry)} is not a card", MISREAD)
            return []
        more = {key: value for key, value in entry.items() if key != CARD} if isinstance(entry, dict) else {}
        beneath = more.pop(UNDER, [])
        found = [_Item(path, text, -1, -1, more, above)]
        for number, inner in enumerate(as_list(beneath)):
            found += self._with_beneath(inner, (*path, UNDER, number), path)
        return found

    def _cards(self, kind: str, item: _Item) -> tuple[int, tuple[str, ...] | None] | None:
        """The cards a text means, with the words for what is written on it; None instead of them for a whole group."""
        words = words_of(item.text)
        for length in range(len(words), 0, -1):
            cards = self._table.namer.cards(kind, words[:length])
            if cards:
                is_face = cards & ~self._layout.packs[kind].faces()[members(cards)[0]] == 0
                if is_face:
                    return cards, words[length:]
                if length == len(words):
                    return cards, None
        self._fail(item.path, f"there is no {kind} '{item.text}'", MISREAD)
        return None

    def _taken(self, zone: ZoneInfo, item: _Item, cards: int, written: tuple[str, ...] | None) -> Sequence[int]:
        left = members(cards & ~self._placed[zone.kind])
        if not left:
            many = cards.bit_count()
            said = "lies somewhere already" if many == 1 else f"is placed more than the {many} times it is there"
            self._fail(item.path, f"'{item.text}' {said}", CARDS_SHORT)
            return ()
        taken = left if written is None else left[:1]
        self._placed[zone.kind] |= set_of(taken)
        for card in taken if written else ():
            self._inscribe(zone.kind, card, written or (), item)
        for card in taken:
            self._write_fields(zone.kind, card, item)
        return taken

    def _write_fields(self, kind: str, card: int, item: _Item) -> None:
        """Writes fields of a card that are named."""
        known = {keeping.name: keeping for keeping in self._layout.packs[kind].kind.fields}
        for name, plain in item.fields.items():
            if name in known:
                self._set(known[name], self._layout.fields[kind, name] + card, (*item.path, name), plain)
            else:
                self._fail(
                    (*item.path, name), f"nothing can be written on a {kind} as '{name}'", UNKNOWN, _listed(known)
                )

    def _inscribe(self, kind: str, card: int, words: tuple[str, ...], item: _Item) -> None:
        """Writes the rest of a card's text into its fields, in their order."""
        rest = list(words)
        for keeping in self._layout.packs[kind].kind.fields:
            for length in range(len(rest), 0, -1):
                value = self._table.namer.value(keeping.type, tuple(rest[:length]))
                if value is not None:
                    self._state[self._layout.fields[kind, keeping.name] + card] = value
                    del rest[:length]
                    break
        if rest:
            self._fail(item.path, f"'{' '.join(rest)}' can't be written on a {kind}", MISREAD)

    def _lay(self, items: Sequence[tuple[ZoneInfo, _Item, Sequence[int]]]) -> None:
        machine = self._table.machine
        plays: dict[tuple[int, int], list[int]] = {}
        beneath = [entry for entry in items if entry[1].above is not None]
        above = {item.path: cards[0] for _, item, cards in items if cards}
        items = [entry for entry in items if entry[1].above is None]
        # A stack is written from the top, and built from the bottom.
        stacked = [entry for entry in items if entry[0].shape is Shape.STACK]
        for zone, item, cards in [entry for entry in items if entry[0].shape is not Shape.STACK] + stacked[::-1]:
            if zone.shape is Shape.PLAYS:
                if (zone.index, item.play) in plays:
                    plays[zone.index, item.play] += cards
                else:
                    plays[zone.index, item.play] = list(cards)
            elif cards:
                self._put(zone, tuple(cards))
        done: set[tuple[int, int]] = set()
        for zone, item, _ in items:
            key = (zone.index, item.play)
            if zone.shape is Shape.PLAYS and key not in done:
                done.add(key)
                fields = tuple(keeping.start for keeping in zone.declaration.fields)
                machine.put_play(self._state, zone.index, item.player, tuple(plays[key]), fields)
        for zone, item, cards in beneath:
            if cards and item.above in above:
                place = self._layout.zone_count + self._layout.card_base[zone.kind] + above[item.above]
                machine.put(self._state, zone.kind, tuple(cards), place)

    def _put(self, zone: ZoneInfo, cards: tuple[int, ...]) -> None:
        """Cards come to the end of a zone, those that lay in it already too."""
        self._table.machine.put(self._state, zone.kind, cards, zone.index)
        held = self._state[zone.cell]
        if isinstance(held, tuple):
            self._state[zone.cell] = (*(card for card in held if card not in cards), *cards)

    def hide_the_rest(self) -> None:
        """Cards that the scenario does not place are out of everybody's sight."""
        for kind, placed in self._placed.items():
            for seat in range(self._layout.seats):
                cell = self._layout.seen[kind] + seat
                known = self._state[cell]
                assert isinstance(known, int)
                self._state[cell] = known & placed

    # ── states ───────────────────────────────────────────────────────────────────────────────────────────────────

    def write(self, states: Mapping[str, Plain]) -> None:
        """Gives states the written values."""
        for name, plain in states.items():
            info = self._layout.variables.get(name)
            if info is None:
                self._fail(("state", name), f"there is no state '{name}'", UNKNOWN, _listed(self._layout.variables))
            else:
                self._dimension(info, 0, info.base, ("state", name), plain)

    def _dimension(self, info: VariableInfo, depth: int, base: int, path: Path, plain: Plain) -> None:
        each = info.declaration.each
        if depth == len(each):
            self._set(info.declaration.keeping, base, path, plain)
            return
        for member, here, inner in self._by_member(each[depth], info.sizes[depth], path, plain):
            self._dimension(info, depth + 1, base + member * info.strides[depth], here, inner)

    def _by_member(self, of: Type, size: int, path: Path, plain: Plain) -> list[tuple[int, Path, Plain]]:
        if isinstance(of, Seat | Team):
            return self._by_owner(path, plain, size)
        if not isinstance(plain, dict):
            self._fail(path, f"this should be a mapping by {of}", MISREAD)
            return []
        found = []
        for key, inner in plain.items():
            value = self._table.namer.value(of, words_of(key))
            if isinstance(value, int):
                found.append((value - first_of(of), (*path, key), inner))
            else:
                self._fail((*path, key), f"'{key}' is not a {of}", UNKNOWN)
        return found

    def _set(self, keeping: Keeping, cell: int, path: Path, plain: Plain) -> None:
        try:
            values: list[Value] = list(self._table.wording.read(keeping.type, plain, self._state))
        except WordingError as problem:
            self._fail(path, str(problem), MISREAD)
            return
        if not values:
            self._fail(path, f"there are not that many: {shown(plain)}", CARDS_SHORT)
            return
        self._state[cell] = values[0]


def _listed(names: Mapping[str, object]) -> str:
    return f"there are {', '.join(sorted(names))}"
