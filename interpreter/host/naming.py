"""Values in the words of the rule file, both ways: `Q of spades`, `ball 7`, `13`, `player 0`, `left`.

A card is written as what is printed on it. One made from two types, of which one has an order, is written rank first,
`Q of spades`; one made from a single number as that number; a listed card by its name, or by its id if others have that
name or it has none. Read is any
choice of what is printed, in any order, so that `spades Q` and, for all four of them, `Q` are understood.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from rulesdsl.diagnostic import InternalError
from rulesdsl.ir.nodes import PrintedAttribute, Value
from rulesdsl.types import (
    NONE,
    Card,
    Enum,
    Face,
    Ladder,
    ListOf,
    NoValue,
    Number,
    Optional,
    Place,
    Play,
    Range,
    Record,
    RowOf,
    Seat,
    SetOf,
    Team,
    Text,
    Type,
    Unknown,
    YesNo,
)

from ..state.bits import members, set_of
from ..state.domains import first_of
from ..state.layout import Layout
from ..state.pack import Pack

Words = tuple[str, ...]

_BETWEEN = "of"
_PUNCTUATION = ",+@"
"""What stands between things or before a place, where people write several or say which one they mean."""
_YES, _NO = ("yes", "true"), ("no", "false")
_NOTHING = "none"


class Namer:
    """Reads and writes values for one layout."""

    def __init__(self, layout: Layout) -> None:
        self._layout = layout
        self._texts = layout.program.texts
        self._shown: dict[str, tuple[str, ...]] = {kind: self._card_texts(pack) for kind, pack in layout.packs.items()}
        self._units: dict[str, list[dict[str, int]]] = {
            kind: self._read_units(pack) for kind, pack in layout.packs.items()
        }

    # ── writing ──────────────────────────────────────────────────────────────────────────────────────────────────

    def text(self, of: Type, value: Value) -> str:
        """A value of a type in words; sets in their order, separated by commas."""
        if value == NONE:
            return _NOTHING
        match of, value:
            case Optional(), _:
                return self.text(of.of, value)
            case YesNo(), int():
                return _YES[0] if value else _NO[0]
            case Number(scale=scale), int():
                return number_text(Fraction(value, scale))
            case Seat(), int():
                return f"player {value}"
            case Team(), int():
                return f"team {value}"
            case Enum(members=names), int():
                return names[value]
            case Ladder(fields=fields), int():
                parts = zip(fields, self._layout.rung_parts(of), strict=True)
                return " ".join(
                    self.text(field, first + value // stride % size) for (_, field), (stride, size, first) in parts
                )
            case Card(kind=kind), int():
                return self._shown[kind][value]
            case Face(kind=kind), int():
                return self._shown[kind][members(value)[0]] if value else _NOTHING
            case Text(), int():
                return self._texts[value]
            case Play(), int():
                return f"play {value}"
            case Place(), int():
                return self._place(value)
            case Range(of=number), (low, high):
                return f"{self.text(number, low)} to {self.text(number, high)}"
            case Record(fields=fields), tuple():
                parts_of = zip(fields, value, strict=True)
                return ", ".join(f"{name} {self.text(part, inner)}" for (name, part), inner in parts_of)
            case SetOf(of=inner_type), int():
                first = first_of(inner_type)
                return self._listed([self.text(inner_type, first + index) for index in members(value)])
            case ((RowOf(of=inner_type) | ListOf(of=inner_type)), tuple()):
                return self._listed([self.text(inner_type, inner) for inner in value])
            case ((NoValue() | Unknown()), _):
                return _NOTHING
            case _:
                raise InternalError(f"{value} is not a value of the type {of}")

    def _listed(self, texts: Sequence[str]) -> str:
        return ", ".join(texts) if texts else "nothing"

    def _place(self, place: int) -> str:
        if place >= self._layout.zone_count:
            kind, card = self._layout.card_of_number(place - self._layout.zone_count)
            return f"under {self._shown[kind][card]}"
        zone = self._layout.zones[place]
        return zone.name if zone.owner < 0 else f"{zone.name} of {zone.each} {zone.owner}"

    # ── reading ──────────────────────────────────────────────────────────────────────────────────────────────────

    def value(self, of: Type, words: Words) -> Value | None:
        """The value of a type that the words say; None if they say none. Of alike cards it is the first.

        Sets, lists and records are read member by member, by who knows how they are written.
        """
        match of:
            case Optional(of=inner):
                return NONE if words == (_NOTHING,) else self.value(inner, words)
            case Card(kind=kind):
                cards = self.cards(kind, words)
                faces = self._layout.packs[kind].faces()
                is_face = bool(cards) and cards & ~faces[members(cards)[0]] == 0
                return members(cards)[0] if is_face else None
            case Face(kind=kind):
                return self.cards(kind, words) or None
            case Ladder(fields=fields):
                return self._rung(of, fields, words)
            case Text():
                text = " ".join(words)
                return self._texts.index(text) if text in self._texts else None
            case Seat():
                return _counted("player", words, self._layout.seats)
            case Team():
                return _counted("team", words, self._layout.seating.teams)
            case _:
                return self._single(of, words[0]) if len(words) == 1 else None

    def _single(self, of: Type, word: str) -> Value | None:
        match of:
            case YesNo():
                return 1 if word in _YES else 0 if word in _NO else None
            case Enum(members=names):
                return names.index(word) if word in names else None
            case Number():
                return _number(of, word)
            case _:
                return None

    def _rung(self, of: Ladder, fields: tuple[tuple[str, Type], ...], words: Words) -> int | None:
        if len(words) != len(fields):
            return None
        rung = 0
        for word, (_, field), (stride, size, first) in zip(words, fields, self._layout.rung_parts(of), strict=True):
            value = self.value(field, (word,))
            if not isinstance(value, int) or not first <= value < first + size:
                return None
            rung += (value - first) * stride
        return rung

    def cards(self, kind: str, words: Words) -> int:
        """The cards of a kind that show all that the words say, as a set; empty if there is none."""
        pack = self._layout.packs[kind]
        text = " ".join(words)
        named = set_of(card for card in range(pack.size) if text in self._names(kind, card))
        if named or not words:
            return named
        units = self._units[kind]
        found = _fitting(units, words, pack.all)
        if not found and _BETWEEN in words:
            found = _fitting(units, tuple(word for word in words if word != _BETWEEN), pack.all)
        return found

    def _names(self, kind: str, card: int) -> tuple[str | None, ...]:
        printed = self._layout.packs[kind].printed(card)
        return printed.id, printed.name, self._shown[kind][card]

    # ── what is printed ──────────────────────────────────────────────────────────────────────────────────────────

    def _card_texts(self, pack: Pack) -> tuple[str, ...]:
        """A listed card goes by its name, unless others have that name too, or it could be taken for several things."""
        ids: dict[str, set[str | None]] = {}
        for printed in map(pack.printed, range(pack.size)):
            ids.setdefault(printed.name or "", set()).add(printed.id)
        clear = {
            name for name, all_ids in ids.items() if len(all_ids) == 1 and not any(c in name for c in _PUNCTUATION)
        }
        return tuple(self._card_text(pack, card, clear) for card in range(pack.size))

    def _card_text(self, pack: Pack, card: int, clear: set[str]) -> str:
        printed = pack.printed(card)
        if printed.name in clear or printed.id is not None or printed.name is not None:
            return (printed.name if printed.name in clear else printed.id or printed.name) or ""
        shown = [
            (attribute, self._printed_text(attribute, value))
            for attribute, value in zip(pack.kind.printed, printed.values, strict=True)
            if value != NONE
        ]
        if pack.kind.generator is not None:
            made_from = [name for name, _ in pack.kind.generator.domains]
            shown = sorted(
                (pair for pair in shown if pair[0].name in made_from), key=lambda pair: made_from.index(pair[0].name)
            )
        return _joined(shown)

    def _printed_text(self, attribute: PrintedAttribute, value: Value) -> str:
        if isinstance(attribute.each, Enum) and isinstance(value, tuple):
            parts = zip(attribute.each.members, value, strict=True)
            return " ".join(f"{member} {self.text(attribute.type, part)}" for member, part in parts)
        return self.text(attribute.type, value)

    def _read_units(self, pack: Pack) -> list[dict[str, int]]:
        """By attribute, the cards that show a text."""
        units: list[dict[str, int]] = []
        for index, attribute in enumerate(pack.kind.printed):
            by_text: dict[str, int] = {}
            for card in range(pack.size):
                value = pack.printed(card).values[index]
                if value != NONE:
                    text = self._printed_text(attribute, value)
                    by_text[text] = by_text.get(text, 0) | 1 << card
            units.append(by_text)
        return units


def _joined(shown: list[tuple[PrintedAttribute, str]]) -> str:
    match shown:
        case [(PrintedAttribute(type=Enum() as left), first), (PrintedAttribute(type=Enum() as right), second)]:
            if left.ordered != right.ordered:
                ranked, other = (first, second) if left.ordered else (second, first)
                return f"{ranked} {_BETWEEN} {other}"
        case _:
            pass
    return " ".join(text for _, text in shown)


def _fitting(units: list[dict[str, int]], words: Words, cards: int) -> int:
    """The cards on which different attributes show the words, each attribute one word or several in a row."""
    if not words:
        return cards
    found = 0
    for index, unit in enumerate(units):
        for length in range(1, len(words) + 1):
            showing = cards & unit.get(" ".join(words[:length]), 0)
            if showing:
                found |= _fitting([*units[:index], *units[index + 1 :]], words[length:], showing)
    return found


def _counted(word: str, words: Words, size: int) -> int | None:
    """A seat or a team: its number, with the word in front or without."""
    digits = words[-1] if words in ((word, words[-1]), (words[-1],)) else ""
    return int(digits) if digits.isdecimal() and int(digits) < size else None


def number_text(number: Fraction) -> str:
    """A number as people write it: whole, with a decimal point if that ends, else as a fraction."""
    if number.denominator == 1:
        return str(number.numerator)
    twos = fives = 0
    rest = number.denominator
    while rest % 2 == 0:
        rest, twos = rest // 2, twos + 1
    while rest % 5 == 0:
        rest, fives = rest // 5, fives + 1
    if rest != 1:
        return f"{number.numerator}/{number.denominator}"
    digits = max(twos, fives)
    whole, part = divmod(abs(number.numerator) * 10**digits // number.denominator, 10**digits)
    return f"{'-' if number < 0 else ''}{whole}.{part:0{digits}}"


def _number(of: Number, word: str) -> int | None:
    try:
        steps = Fraction(word) * of.scale
    except (ValueError, ZeroDivisionError):
        return None
    return steps.numerator if steps.denominator == 1 else None
