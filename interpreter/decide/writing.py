"""Values written on cards, counted and drawn exactly: the one kind of decision with masses of answers.

Where the sum of what is written is bound, a table tells for every card and every sum in how many ways the cards from
that one on can add it. From it follow the number of answers, an even draw, and which value may still be written.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import accumulate
from typing import TYPE_CHECKING, Any, NamedTuple

from rulesdsl.ir.nodes import Bound, Part, PickWriting, Term
from rulesdsl.types import NONE, Card, Range, SetOf

from ..evaluate.sequences import values_of
from ..state.bits import members
from ..state.cells import Closure, State
from ..state.domains import first_of
from ..state.errors import MatchError
from .parts import STOP, Atoms, Below, PartPlan, Step, limited

if TYPE_CHECKING:
    from ..evaluate.terms import Evaluator

LARGEST_TABLE = 20_000
"""Cards by sum: so many cells, at most."""

Domain = Sequence[int]


class Sums:
    """In how many ways each sum from `first` on comes about, kept so that a stretch of sums is told at once."""

    __slots__ = ("_up_to", "first")

    def __init__(self, first: int, ways: Sequence[int]) -> None:
        self.first = first
        self._up_to = [0, *accumulate(ways)]

    def __len__(self) -> int:
        return len(self._up_to) - 1

    def between(self, low: int, high: int) -> int:
        """The ways of all sums from `low` to `high`, both included."""
        size = len(self._up_to) - 1
        start, end = min(max(low - self.first, 0), size), min(max(high + 1 - self.first, 0), size)
        return self._up_to[end] - self._up_to[start] if start < end else 0


class Ways:
    """In how many ways a row of cards can be written on, from each card to the end.

    `picks` is how many cards are written on, None for all. `total` are the least and the largest sum, None for any.
    """

    def __init__(self, domains: Sequence[Domain], picks: int | None, total: tuple[int, int] | None) -> None:
        self.picks = picks
        self.total = total
        self.domains = domains if total is None else _within(domains, picks, total)
        self._depth = 0 if picks is None else picks
        self._table = self._filled()

    def _filled(self) -> list[list[Sums]]:
        """By card and by how many are still to be written on, the ways of the cards from that one on."""
        least, most = self._reach()
        rows = [[Sums(0, [1]), *(Sums(0, []) for _ in range(self._depth))]]
        cells = 1
        for card in range(len(self.domains) - 1, -1, -1):
            row = [self._sums(card, left, rows[-1], least[card], most[card]) for left in range(self._depth + 1)]
            cells += sum(len(sums) for sums in row)
            if cells > LARGEST_TABLE:
                raise MatchError(f"the sums of what can be written are more than {LARGEST_TABLE}")
            rows.append(row)
        rows.reverse()
        return rows

    def _reach(self) -> tuple[list[int], list[int]]:
        """By card, the least and the largest sum of the cards from it on that can be of use."""
        if self.total is None or any(len(domain) == 0 for domain in self.domains):
            return [0] * len(self.domains), [0] * len(self.domains)
        ends = [_ends(domain, self.picks) for domain in self.domains]
        lows = [0, *accumulate(low for low, _ in ends)]
        highs = [0, *accumulate(high for _, high in ends)]
        cards = range(len(ends))
        # What the cards before add leaves this much, and no more than this can be added from here on.
        return (
            [max(self.total[0] - highs[card], lows[-1] - lows[card]) for card in cards],
            [min(self.total[1] - lows[card], highs[-1] - highs[card]) for card in cards],
        )

    def _sums(self, card: int, left: int, behind: list[Sums], least: int, most: int) -> Sums:
        """The ways from a card on with so many still to be written on, from those behind it."""
        domain = self.domains[card]
        skipped = behind[left] if self.picks is not None else None
        written = behind[left] if self.picks is None else behind[left - 1] if left else None
        if self.total is None:
            ways = written.between(0, 0) * len(domain) if written is not None else 0
            return Sums(0, [ways + (skipped.between(0, 0) if skipped is not None else 0)])
        found = []
        for total in range(least, most + 1):
            ways = 0 if skipped is None else skipped.between(total, total)
            if written is not None and len(domain):
                if isinstance(domain, range):
                    ways += written.between(total - domain[-1], total - domain[0])
                else:
                    ways += sum(written.between(total - value, total - value) for value in domain)
            found.append(ways)
        return Sums(least, found)

    def count(self, card: int, left: int, written: int) -> int:
        """The ways for the cards from one on, with so many still to be written on and a sum already written."""
        sums = self._table[card][left]
        if self.total is None:
            return sums.between(0, 0)
        return sums.between(self.total[0] - written, self.total[1] - written)

    def choices(self, card: int, left: int, written: int) -> Iterator[tuple[int | None, int, int, int]]:
        """What can be done with a card, None for leaving it out: the value, the ways after it, and what it leaves."""
        if self.picks is None or left:
            after = left if self.picks is None else left - 1
            for value in self.domains[card]:
                ways = self.count(card + 1, after, written + value)
                if ways:
                    yield value, ways, after, written + value
        if self.picks is not None:
            ways = self.count(card + 1, left, written)
            if ways:
                yield None, ways, left, written


def _ends(domain: Domain, picks: int | None) -> tuple[int, int]:
    """The least and the most that a card can add; one that may be left out can add 0 as well."""
    low, high = (domain[0], domain[-1]) if isinstance(domain, range) else (min(domain), max(domain))
    return (low, high) if picks is None else (min(0, low), max(0, high))


def _within(domains: Sequence[Domain], picks: int | None, total: tuple[int, int]) -> list[Domain]:
    """The domains without values that no sum within the total can hold."""
    if any(len(domain) == 0 for domain in domains):
        return list(domains)
    ends = [_ends(domain, picks) for domain in domains]
    lows, highs = [low for low, _ in ends], [high for _, high in ends]
    least, most = sum(lows), sum(highs)
    kept: list[Domain] = []
    for domain, low, high in zip(domains, lows, highs, strict=True):
        floor, roof = total[0] - (most - high), total[1] - (least - low)
        if isinstance(domain, range):
            kept.append(range(max(domain.start, floor), min(domain.stop, roof + 1)))
        else:
            kept.append([value for value in domain if floor <= value <= roof])
    return kept


class Blanks(NamedTuple):
    """What is to be written on: the cards, what each may get, on how many of them (None for all), and the sum."""

    kind: str
    cards: tuple[int, ...]
    domains: Sequence[Domain]
    picks: int | None
    total: tuple[int, int] | None


class Writing(PartPlan):
    """A value written on each card of a sequence, or on some of them.

    The part's value is a tuple in the order of the cards, with none for those that are left out.
    """

    def __init__(
        self, compiler: Evaluator, part: Part, pick: PickWriting, bound: Bound, names: dict[int, Term]
    ) -> None:
        super().__init__(compiler, part, bound)
        card = compiler.fresh(Bound(pick.card, "card", type=Card(pick.kind)))
        inside = {pick.card: card.id}

        def compiled(term: Term | None) -> Closure | None:
            return None if term is None else compiler.compile(compiler.prepared(term, inside, names))

        self._kind = pick.kind
        self._cards = values_of(compiler, compiler.prepared(pick.cards, None, names))
        self._register = compiler.register(card)
        self._registers = compiler.registers
        domain = compiler.prepared(pick.domain, inside, names)
        self._domain = compiler.compile(domain)
        self._is_alike = card.id not in compiler.analyst.facts(domain).free
        self._read = _reader(domain)
        self._picks, self._total, self._step = compiled(pick.count), compiled(pick.total), compiled(pick.step)
        self._known: dict[Any, Ways] = {}

    def _unit(self, S: State) -> int:
        """What all that can be written is a multiple of; the tables count in it."""
        return 1 if self._step is None else max(1, self._step(S))

    def demand(self, S: State) -> Blanks:
        """What a state asks to be written, whether or not there is a way to do it."""
        cards = self._cards(S)
        picks = None if self._picks is None else max(0, self._picks(S))
        total = None if self._total is None else self._total(S)
        domains, unit = self._domains(S, cards), self._unit(S)
        if unit > 1:
            domains = [_multiples(domain, unit) for domain in domains]
        return Blanks(self._kind, tuple(cards), domains, picks, total)

    def _domains(self, S: State, cards: Sequence[int]) -> list[Domain]:
        """What may be written on each of the cards."""
        if self._is_alike:
            return [self._read(self._domain(S))] * len(cards) if cards else []
        domains = []
        for card in cards:
            self._registers[self._register] = card
            domains.append(self._read(self._domain(S)))
        return domains

    def _ways(self, S: State) -> tuple[Ways, int]:
        """The table for a state, and how many cards are to be written on."""
        unit = self._unit(S)
        domains = self._domains(S, self._cards(S))
        picks = None if self._picks is None else max(0, self._picks(S))
        total = None if self._total is None else self._total(S)
        if unit > 1:
            domains = [_in_units(domain, unit) for domain in domains]
            total = None if total is None else (-(-total[0] // unit), total[1] // unit)
        key = (tuple(domain if isinstance(domain, range) else tuple(domain) for domain in domains), picks, total)
        ways = self._known.get(key)
        if ways is None:
            if len(self._known) > 64:
                self._known.clear()
            try:
                ways = self._known[key] = Ways(domains, picks, total)
            except MatchError as error:
                raise MatchError(error.message, self.span) from None
        return ways, 0 if picks is None else picks

    def blanks(self, S: State) -> Blanks:
        """What a state asks to be written."""
        ways, _ = self._ways(S)
        unit = self._unit(S)
        domains = ways.domains if unit == 1 else [[value * unit for value in domain] for domain in ways.domains]
        total = None if ways.total is None else (ways.total[0] * unit, ways.total[1] * unit)
        return Blanks(self._kind, tuple(self._cards(S)), domains, ways.picks, total)

    def values(self, S: State) -> Iterator[Any]:
        """Every way of writing, small numbers on the first cards first."""
        ways, left = self._ways(S)
        unit = self._unit(S)
        return (_written(values, unit) for values in _all(ways, 0, left, 0))

    def count(self, S: State) -> int:
        """As the table says."""
        ways, left = self._ways(S)
        return ways.count(0, left, 0)

    def sample(self, S: State, below: Below) -> Any:
        """Card by card, a value as often as there are ways behind it."""
        ways, left = self._ways(S)
        unit = self._unit(S)
        if ways.total is None and ways.picks is None:
            return tuple([domain[below(len(domain))] * unit for domain in ways.domains])
        rank = below(ways.count(0, left, 0))
        written: list[int] = []
        total = 0
        for card in range(len(ways.domains)):
            for value, number, after, added in ways.choices(card, left, total):
                if rank < number:
                    written.append(NONE if value is None else value)
                    left, total = after, added
                    break
                rank -= number
        return _written(written, unit)

    def picks(self, S: State, value: Any) -> bool:
        """Whether every value is in its domain, and number and sum are right."""
        ways, left = self._ways(S)
        if not isinstance(value, tuple) or len(value) != len(ways.domains):
            return False
        unit = self._unit(S)
        if any(number != NONE and number % unit for number in value):
            return False
        value = tuple(number if number == NONE else number // unit for number in value)
        written = [number for number in value if number != NONE]
        if len(written) != (len(value) if ways.picks is None else left):
            return False
        if ways.total is not None and not ways.total[0] <= sum(written) <= ways.total[1]:
            return False
        return all(number == NONE or number in domain for number, domain in zip(value, ways.domains, strict=True))

    def allows(self, S: State, value: Any) -> bool:
        """The same: no condition looks at single values."""
        return self.picks(S, value)

    def sequence(self, S: State, value: Any) -> Atoms:
        """The values card by card, `STOP` for a card that is left out."""
        return tuple(STOP if number == NONE else number for number in value)

    def does_nothing(self, value: Any) -> bool:
        """Whether nothing is written on any card."""
        return all(number == NONE for number in value)

    def advance(self, S: State, atoms: Atoms, at: int, *, fill: bool, viable: Callable[[Any], bool] | None) -> Step:
        """Card by card, only what the cards behind it can make up for."""
        ways, left = self._ways(S)
        number = ways.count(0, left, 0)
        if number == 0:
            return Step([])
        unit = self._unit(S)
        if (fill or not ways.domains) and number == 1:
            return Step(None, _written(next(_all(ways, 0, left, 0)), unit), at)
        written: list[int] = []
        total = 0
        for card in range(len(ways.domains)):
            choices = {
                STOP if value is None else value * unit: (after, added)
                for value, _, after, added in ways.choices(card, left, total)
            }
            if at == len(atoms):
                return Step(limited(list(choices), self))
            if atoms[at] not in choices:
                return Step([])
            written.append(NONE if atoms[at] == STOP else atoms[at])
            left, total = choices[atoms[at]]
            at += 1
        return Step(None, tuple(written), at)


def _in_units(domain: Domain, unit: int) -> Domain:
    """The multiples of a unit in a domain, counted in it."""
    if isinstance(domain, range):
        return range(-(-domain.start // unit), (domain.stop - 1) // unit + 1)
    return [value // unit for value in domain if value % unit == 0]


def _multiples(domain: Domain, unit: int) -> Domain:
    """The multiples of a unit in a domain, as they are."""
    if isinstance(domain, range):
        return range(-(-domain.start // unit) * unit, domain.stop, unit)
    return [value for value in domain if value % unit == 0]


def _written(values: Sequence[int], unit: int) -> tuple[int, ...]:
    """What is written, from what was counted in units."""
    return tuple(number if number == NONE else number * unit for number in values)


def _all(ways: Ways, card: int, left: int, written: int) -> Iterator[tuple[int, ...]]:
    if card == len(ways.domains):
        yield ()
        return
    for value, _, after, total in ways.choices(card, left, written):
        for rest in _all(ways, card + 1, after, total):
            yield (NONE if value is None else value, *rest)


def _reader(domain: Term) -> Callable[[Any], Domain]:
    """Makes the values of a domain from what its term is worth."""
    of = domain.type
    if isinstance(of, Range):
        return lambda worth: range(worth[0], worth[1] + 1)
    if isinstance(of, SetOf):
        first = first_of(of.of)
        return lambda worth: [first + index for index in members(worth)]
    return lambda worth: list(dict.fromkeys(worth))
