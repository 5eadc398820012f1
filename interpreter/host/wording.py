"""Answers and values in words, both ways: what records hold, scenarios and people write, and screens show.

Cards are written by face and by what is written on them. Where that leaves several cards that do not lie in one place,
the exact form adds the place: `7 @ hand 2`, `7 @ under Q of spades`.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import combinations, islice, product

from rulesdsl.ir.nodes import Alternative, Ask, Value
from rulesdsl.types import NONE, Card, ListOf, Range, Record, RowOf, SetOf, Type, required

from ..state.bits import members, set_of
from ..state.cells import State
from ..state.domains import first_of
from ..state.layout import Layout
from .naming import Namer
from .plain import DECLINE, Plain, shown, words_of

Answer = tuple[()] | tuple[int, tuple[Value, ...]]
"""An answer as the machine takes it: the number of the alternative and the parts' values; nothing to decline."""

MOST_READINGS = 500
"""So many ways of taking a text are tried: alike cards in several places leave several."""


class WordingError(Exception):
    """A text that can't be read; the message says what was found and what is possible."""


class Wording:
    """Reads and writes for one layout."""

    def __init__(self, layout: Layout, namer: Namer) -> None:
        self._layout = layout
        self._namer = namer

    # ── writing ──────────────────────────────────────────────────────────────────────────────────────────────────

    def value(self, of: Type, value: Value, state: State, *, exact: bool = False, bare: bool = False) -> Plain:
        """A value as texts: sequences as lists, records as mappings. `bare`: cards without what is written on them."""
        of = required(of)
        if value == NONE:
            return "none"
        match of:
            case SetOf():
                assert isinstance(value, int)
                first = first_of(of.of)
                return [self.value(of.of, item + first, state, exact=exact, bare=bare) for item in members(value)]
            case RowOf() | ListOf():
                assert isinstance(value, tuple)
                return [self.value(of.of, item, state, exact=exact, bare=bare) for item in value]
            case Record():
                assert isinstance(value, tuple)
                return {
                    name: self.value(part, item, state, exact=exact, bare=bare)
                    for (name, part), item in zip(of.fields, value, strict=True)
                }
            case Range():
                assert isinstance(value, tuple)
                low, high = (self._namer.text(of.of, end) for end in value)
                return f"{low} to {high}"
            case Card():
                assert isinstance(value, int)
                return self._namer.text(of, value) if bare else self.card(of.kind, value, state, exact=exact)
            case _:
                return self._namer.text(of, value)

    def card(self, kind: str, card: int, state: State, *, exact: bool = False) -> str:
        """A card by face and by what is written on it; `exact` adds what tells it from others that look the same: where
        it lies, and the parts of its declaration.
        """
        text = self._looks(kind, card, state)
        if not exact:
            return text
        at = self._layout.at[kind]
        others = (other for other in members(self._layout.packs[kind].faces()[card]) if other != card)
        twins = [other for other in others if self._looks(kind, other, state) == text]
        whole = self._looks(kind, card, state, parts=True)
        if any(self._looks(kind, twin, state, parts=True) != whole for twin in twins):
            text = whole
            twins = [twin for twin in twins if self._looks(kind, twin, state, parts=True) == whole]
        if all(state[twin + at] == state[card + at] for twin in twins):
            return text
        return f"{text} @ {self._place(state[at + card], state)}"

    def _looks(self, kind: str, card: int, state: State, *, parts: bool = False) -> str:
        """A card by face and by what is written on it; the `parts` of its declaration only if they are asked for."""
        text = self._namer.text(Card(kind), card)
        written = []
        for keeping in self._layout.packs[kind].kind.fields:
            value = state[self._layout.fields[kind, keeping.name] + card]
            if value != keeping.start and (parts or not keeping.is_part):
                written.append(shown(self.value(keeping.type, value, state, bare=True)))
        return " ".join([text, *written])

    def _place(self, place: Value, state: State) -> str:
        assert isinstance(place, int)
        if place < self._layout.zone_count:
            zone = self._layout.zones[place]
            return zone.name if zone.owner < 0 else f"{zone.name} {zone.owner}"
        kind, above = self._layout.card_of_number(place - self._layout.zone_count)
        return f"under {self._looks(kind, above, state)}"

    def answer(self, ask: Ask, answer: Answer, state: State, *, exact: bool = False) -> Plain:
        """An answer: the value of its only part, or a mapping of parts; under its name if it is one of several acts."""
        if not answer:
            return DECLINE
        number, values = answer
        alternative = ask.alternatives[number]
        parts: dict[str, Plain] = {
            part.cell.name: self.value(part.cell.type, value, state, exact=exact)
            for part, value in zip(alternative.parts, values, strict=True)
        }
        content: Plain = next(iter(parts.values())) if len(parts) == 1 else parts
        if alternative.name is None:
            return content
        return {alternative.name: content} if parts else alternative.name

    # ── reading values ───────────────────────────────────────────────────────────────────────────────────────────

    def read(self, of: Type, plain: Plain, state: State, seat: int = -1) -> Iterator[Value]:
        """The values that a text can mean, the likeliest first: more than one only where cards look alike.

        Raises:
            WordingError: if it means nothing of the type.
        """
        if plain == "none" and not isinstance(of, SetOf | RowOf | ListOf):
            yield NONE
            return
        of = required(of)
        match of:
            case SetOf():
                first = first_of(of.of)
                for several in self._read_several(of.of, plain, state, seat, ordered=False):
                    yield set_of(item - first for item in several if isinstance(item, int))
            case RowOf() | ListOf():
                yield from self._read_several(of.of, plain, state, seat, ordered=True)
            case Record():
                yield from self._read_record(of, plain, state, seat)
            case Range():
                yield self._read_range(of, plain, state)
            case Card():
                yield from self.read_cards(of.kind, plain, state, seat)
            case _:
                yield self._read_single(of, plain)

    def _read_single(self, of: Type, plain: Plain) -> Value:
        if not isinstance(plain, str):
            raise WordingError(f"{shown(plain)} is not a {of}")
        value = self._namer.value(of, words_of(plain))
        if value is None:
            raise WordingError(f"'{plain}' is not a {of}")
        return value

    def _read_range(self, of: Range, plain: Plain, state: State) -> Value:
        low, _, high = shown(plain).partition(" to ")
        first = self._read_single(of.of, low)
        last = self._read_single(of.of, high) if high else first
        return (first, last)

    def _read_record(self, of: Record, plain: Plain, state: State, seat: int) -> Iterator[Value]:
        given: Sequence[Plain]
        if isinstance(plain, dict):
            names = [name for name, _ in of.fields]
            for key in plain:
                if key not in names:
                    raise WordingError(f"'{key}' is not one of {', '.join(names)}")
            missing = [name for name in names if name not in plain]
            if missing:
                raise WordingError(f"{', '.join(missing)} is missing")
            given = [plain[name] for name in names]
        else:
            given = plain if isinstance(plain, list) else [plain]
        if len(given) != len(of.fields):
            raise WordingError(f"{shown(plain)} should give {', '.join(name for name, _ in of.fields)}")
        choices = [list(self.read(part, item, state, seat)) for (_, part), item in zip(of.fields, given, strict=True)]
        yield from islice(product(*choices), MOST_READINGS)

    def _read_several(
        self, of: Type, plain: Plain, state: State, seat: int, *, ordered: bool
    ) -> Iterator[tuple[Value, ...]]:
        """Several members: a list, or texts joined by `+`; each card is taken once."""
        if plain in ("none", "nothing", ""):
            plain = []
        if isinstance(plain, str):
            plain = [piece.strip() for piece in plain.split("+")]
        if isinstance(plain, dict):
            raise WordingError(f"{shown(plain)} should be a list")
        choices = [list(self.read(of, item, state, seat)) for item in plain]
        if all(len(choice) == 1 for choice in choices):
            yield tuple(choice[0] for choice in choices)
            return
        if ordered:
            yield from islice((p for p in product(*choices) if len(set(p)) == len(p)), MOST_READINGS)
            return
        # Equal texts leave the same cards to take: which of them takes which makes no difference.
        groups: dict[tuple[Value, ...], int] = {}
        for choice in choices:
            groups[tuple(choice)] = groups.get(tuple(choice), 0) + 1
        taken = [combinations(choice, number) for choice, number in groups.items()]
        for picks in islice(product(*taken), MOST_READINGS):
            several = tuple(item for pick in picks for item in pick)
            if len(set(several)) == len(several):
                yield several

    # ── reading cards ────────────────────────────────────────────────────────────────────────────────────────────

    def read_cards(self, kind: str, plain: Plain, state: State, seat: int) -> list[int]:
        """The cards a text can mean: those shown just so, then those the seat holds, those it sees, all others."""
        if not isinstance(plain, str):
            raise WordingError(f"{shown(plain)} is not a card")
        text, _, place = (piece.strip() for piece in plain.partition("@"))
        found = [card for card, written in self._by_words(kind, text) if self._has_written(kind, card, written, state)]
        if place:
            found = [card for card in found if self._place(state[self._layout.at[kind] + card], state) == place]
        if not found:
            raise WordingError(f"there is no {kind} '{plain}'")
        faces = self._layout.packs[kind].faces()
        just_so = {card for card in found if self._looks(kind, card, state) == text}
        likely = just_so or set(found)
        face = faces[min(likely)]
        if any(faces[card] != face for card in likely):
            several = list(dict.fromkeys(self._namer.text(Card(kind), card) for card in found))
            raise WordingError(f"'{plain}' can be {', '.join(several[:5])}{' ...' if len(several) > 5 else ''}")
        of_face = [card for card in found if faces[card] == face]
        return sorted(of_face, key=lambda card: (card not in just_so, *self._nearness(kind, card, state, seat), card))

    def _by_words(self, kind: str, text: str) -> Iterator[tuple[int, tuple[str, ...]]]:
        """Cards whose face a text begins with, and the words that are left for what is written on them."""
        words = words_of(text)
        for length in range(len(words), 0, -1):
            cards = self._namer.cards(kind, words[:length])
            if cards:
                rest = words[length:]
                return iter([(card, rest) for card in members(cards)])
        return iter(())

    def _has_written(self, kind: str, card: int, words: tuple[str, ...], state: State) -> bool:
        if not words:
            return True
        everything, filled = [], []
        for keeping in self._layout.packs[kind].kind.fields:
            value = state[self._layout.fields[kind, keeping.name] + card]
            everything.append(shown(self.value(keeping.type, value, state, bare=True)))
            if value != keeping.start:
                filled.append(everything[-1])
        said = " ".join(words)
        # Blank fields are left out where a card is shown; whoever names them all may do so.
        return any(
            said == " ".join(fields[:count]) for fields in (filled, everything) for count in range(len(fields) + 1)
        )

    def _nearness(self, kind: str, card: int, state: State, seat: int) -> tuple[int, int]:
        layout = self._layout
        place = state[layout.at[kind] + card]
        if seat < 0 or not isinstance(place, int):
            return (0, 0)
        holds = place < layout.zone_count and bool(layout.owner_seats(layout.zones[place]) >> seat & 1)
        known = state[layout.seen[kind] + seat]
        knows = isinstance(known, int) and bool(known >> card & 1)
        return (0 if holds else 1, 0 if knows else 1)

    # ── reading answers ──────────────────────────────────────────────────────────────────────────────────────────

    def read_answer(self, ask: Ask, plain: Plain, state: State, seat: int) -> Iterator[Answer]:
        """The answers that something written can mean, the likeliest first.

        Raises:
            WordingError: if it means none.
        """
        if plain == DECLINE or (plain == "none" and ask.optional):
            yield ()
            return
        problems: list[str] = []
        readable = False
        for number, content in self._alternatives(ask, plain):
            alternative = ask.alternatives[number]
            try:
                choices = [list(values) for values in self._parts(alternative, content, state, seat)]
            except WordingError as problem:
                problems.append(str(problem))
                continue
            readable = True
            for values in islice(product(*choices), MOST_READINGS):
                yield (number, tuple(values))
        if not readable:
            raise WordingError(problems[0] if problems else f"{shown(plain)} is no answer to {ask.name}")

    def read_first_part(self, ask: Ask, plain: Plain, state: State, seat: int) -> Iterator[tuple[int, Value]]:
        """The acts of several parts, and their first part, that something written can mean that says no more."""
        for number, content in self._alternatives(ask, plain):
            parts = ask.alternatives[number].parts
            if len(parts) < 2:
                continue
            first = parts[0].cell
            if isinstance(content, dict) and list(content) == [first.name]:
                content = content[first.name]
            try:
                yield number, next(self.read(first.type, content, state, seat))
            except (WordingError, StopIteration):
                continue  # something else is meant, which is told by who read the whole

    def _alternatives(self, ask: Ask, plain: Plain) -> Iterator[tuple[int, Plain]]:
        """Which acts something written can be, and what it says of their parts."""
        for number, alternative in enumerate(ask.alternatives):
            name = alternative.name
            parts = [part.cell.name for part in alternative.parts]
            if name is not None:
                if plain == name:
                    if not parts:
                        yield number, {}
                    continue
                if isinstance(plain, dict) and list(plain) == [name] and parts != [name]:
                    yield number, plain[name]
                    continue
                if isinstance(plain, str) and plain.startswith(f"{name} "):
                    yield number, plain.removeprefix(f"{name} ")
                    continue
            if isinstance(plain, dict):
                if plain and set(plain) <= set(parts):
                    yield number, plain
            elif parts:
                yield number, plain

    def _parts(self, alternative: Alternative, content: Plain, state: State, seat: int) -> list[Iterator[Value]]:
        parts = alternative.parts
        names = [part.cell.name for part in parts]
        given: Sequence[Plain]
        if isinstance(content, dict) and (set(content) <= set(names)):
            missing = [name for name in names if name not in content]
            if missing:
                raise WordingError(f"the answer should say {', '.join(missing)}")
            given = [content[name] for name in names]
        elif len(parts) == 1:
            given = [content]
        elif isinstance(content, str) and len(pieces := content.split(" as ")) == len(parts):
            given = [piece.strip() for piece in pieces]
        elif isinstance(content, list) and len(content) == len(parts):
            given = content
        else:
            raise WordingError(f"{shown(content)} should give {', '.join(names)}")
        return [self.read(part.cell.type, item, state, seat) for part, item in zip(parts, given, strict=True)]
