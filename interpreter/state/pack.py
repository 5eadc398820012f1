"""The cards of a match: which there are for this number of seats, and what is printed on them.

Cards are numbered in the order in which they are made: of a generator the first attribute turns slowest, then follow
those that a file lists. Copies of one card follow one another.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import product

from rulesdsl.diagnostic import InternalError
from rulesdsl.ir.nodes import Bound, Generator, Kind, Program, Term, Value
from rulesdsl.types import NONE, Card, ListOf, Number, RowOf, SetOf, Type, YesNo

from .bits import members, set_of

MOST_CANDIDATES = 1_000_000
"""So many combinations of a generator are looked at, at most."""


@dataclass(frozen=True, slots=True)
class Printed:
    """One card as it comes from the printer: its values in the order of the kind's attributes, and its names."""

    values: tuple[Value, ...]
    id: str | None = None
    name: str | None = None
    row: int = -1
    """The row of a file that it comes from, if the rows of its kind hold more than what is printed."""


class Pack:
    """All cards of a kind. Tables are indexed by the card."""

    __slots__ = ("_cards", "_columns", "_same_face", "has_alike", "kind", "rows", "size")

    def __init__(self, kind: Kind, cards: Sequence[Printed], texts: Sequence[str] = ()) -> None:
        self.kind = kind
        self.size = len(cards)
        self._cards = tuple(cards)
        self._columns: dict[str, tuple[Value, ...]] = {
            attribute.name: tuple(card.values[index] for card in cards) for index, attribute in enumerate(kind.printed)
        }
        # The name that a file gives a card is asked for like what is printed, unless the kind prints one itself.
        names = {text: number for number, text in enumerate(texts)}
        self._columns.setdefault("name", tuple(names.get(card.name or "", NONE) for card in cards))
        self.rows = tuple(card.row for card in cards)
        by_face: dict[Printed, list[int]] = {}
        for index, card in enumerate(cards):
            by_face.setdefault(card, []).append(index)
        faces = {card: set_of(indices) for card, indices in by_face.items()}
        self._same_face = tuple(faces[card] for card in cards)
        self.has_alike = len(faces) < len(cards)

    @property
    def all(self) -> int:
        """Every card, as a set."""
        return (1 << self.size) - 1

    def attribute(self, name: str) -> tuple[Value, ...]:
        """What is printed under a name, by card."""
        try:
            return self._columns[name]
        except KeyError:
            raise InternalError(f"cards of the kind {self.kind.name} have no attribute {name}") from None

    def card_of_row(self, row: int, copy: int) -> int:
        """The copy of a row, counted from 0."""
        return self.rows.index(row) + copy

    def face_set(self, attributes: Iterable[tuple[str, int]]) -> int:
        """The cards that show all the given values."""
        wanted = [(self.attribute(name), value) for name, value in attributes]
        return set_of(card for card in range(self.size) if all(column[card] == value for column, value in wanted))

    def faces(self) -> tuple[int, ...]:
        """By card, the cards that show the same as it."""
        return self._same_face

    def printed(self, card: int) -> Printed:
        """A card as it was printed."""
        return self._cards[card]


Judge = Callable[[Mapping[str, Pack], Term, Bound], Callable[[int], Value]]
"""Makes a function of the candidate card from a term in which a bound stands for it, given candidate packs."""


def packs_for(program: Program, judge: Judge) -> dict[str, Pack]:
    """The packs of a match, by kind. What counts seats or options is for `judge` to know."""
    candidates = {kind.name: Pack(kind, _candidates(kind)) for kind in program.kinds}
    packs = {}
    for kind in program.kinds:
        cards: list[Printed] = []
        if kind.generator is not None:
            cards += _made(kind.generator, candidates[kind.name], candidates, judge)
        for number, row in enumerate(kind.rows):
            given = dict(row.values)
            values = tuple(given.get(attribute.name, blank(attribute.type)) for attribute in kind.printed)
            cards += [Printed(values, row.id, row.name, number if kind.has_powers else -1)] * row.copies
        packs[kind.name] = Pack(kind, cards, program.texts)
    return packs


def blank(kept: Type) -> Value:
    """What a value of a type is as long as nobody has said anything."""
    match kept:
        case Number() | YesNo() | SetOf():
            return 0
        case ListOf() | RowOf():
            return ()
        case _:
            return NONE


def _candidates(kind: Kind) -> list[Printed]:
    """Every combination of a generator's values, before any is left out."""
    if kind.generator is None:
        return []
    domains = dict(kind.generator.domains)
    size = 1
    for values in domains.values():
        size *= len(values)
    if size > MOST_CANDIDATES:
        raise InternalError(f"the cards of the kind {kind.name} are made from {size} combinations")
    cards = []
    for combination in product(*domains.values()):
        given = dict(zip(domains, combination, strict=True))
        cards.append(Printed(tuple(given.get(attribute.name, blank(attribute.type)) for attribute in kind.printed)))
    return cards


def _made(generator: Generator, pack: Pack, candidates: Mapping[str, Pack], judge: Judge) -> list[Printed]:
    card = Bound(generator.id, "it", type=Card(pack.kind.name))
    kept = pack.all
    if generator.where is not None:
        holds = judge(candidates, generator.where, card)
        kept = set_of(index for index in range(pack.size) if holds(index))
    copies = None if generator.copies is None else judge(candidates, generator.copies, card)
    cards: list[Printed] = []
    for index in members(kept):
        number = 1 if copies is None else copies(index)
        assert isinstance(number, int)
        cards += [pack.printed(index)] * max(0, number)
    return cards
