"""The parts of an answer: which values each may take, one after the other, counted, drawn, and atom by atom.

A part works on a state and on the registers of the parts before it. Its values come in canonical order. Conditions
that look at one member at a time are already in it (`drops`): a member for which one holds is no candidate.

An *atom* is one step of a stepwise answer: a member, a number, yes or no; a set of three is three atoms.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import permutations
from math import comb, factorial
from typing import TYPE_CHECKING, Any

from rulesdsl.ir.nodes import Bound, Part, PickMembers, PickNumber, PickOrder, PickYesNo, Term
from rulesdsl.types import NONE, Card, SetOf, required

from . import plays
from .bits import members, nth, set_of
from .cells import Closure, State
from .domains import first_of, is_finite, is_sequence, member_of
from .errors import MatchError
from .filters import Keep, sieve
from .primitives import values_of

if TYPE_CHECKING:
    from .terms import Evaluator

Atom = Any
"""A number, or a tuple where the members are records."""

Atoms = tuple[Atom, ...]

STOP: Atom = (NONE,)
"""The atom that says: no more members."""

Below = Callable[[int], int]
"""Chance: a number from 0 on, below the given one, however large."""

MOST_OPTIONS = 10_000
"""A stepwise question offers no more than this."""


@dataclass(frozen=True, slots=True)
class Step:
    """What the next atom may be (`options`), or, where the atoms settle the part, its value and where they go on."""

    options: list[Atom] | None
    value: Any = None
    at: int = 0


class PartPlan(ABC):
    """One part, ready to be asked."""

    one_by_one = False
    """Whether a value is one atom, so that going through all of them costs little."""

    def __init__(self, compiler: Evaluator, part: Part, bound: Bound) -> None:
        self.name = part.cell.name
        self.bound = bound
        self.bind = plays.setter(compiler, bound)
        """Sets the register of the part, for what is worked out after it."""
        self.span = part.pick.span

    @abstractmethod
    def values(self, S: State) -> Iterator[Any]:
        """Every value, in canonical order, cards that look alike each for itself."""

    @abstractmethod
    def count(self, S: State) -> int:
        """How many values there are."""

    @abstractmethod
    def sample(self, S: State, below: Below) -> Any:
        """One of the values (there is one), each as likely as any other."""

    @abstractmethod
    def picks(self, S: State, value: Any) -> bool:
        """Whether the value is among the picks, whatever conditions say of its members."""

    @abstractmethod
    def allows(self, S: State, value: Any) -> bool:
        """Whether the value is one of `values`."""

    @abstractmethod
    def sequence(self, S: State, value: Any) -> Atoms:
        """The atoms that a value consists of."""

    @abstractmethod
    def advance(self, S: State, atoms: Atoms, at: int, *, fill: bool, viable: Callable[[Any], bool] | None) -> Step:
        """What the atoms from `at` on say of this part. With `fill` a single possible value takes no atom.

        `viable` says of a value whether the parts behind can be completed; only asked where `one_by_one`.
        """

    def does_nothing(self, value: Any) -> bool:
        """Whether taking the value is no act at all."""
        return value in (0, ()) and not self.one_by_one

    def is_first_alike(self, S: State, value: Any) -> bool:
        """Whether no card of the value could be exchanged for an earlier one that looks the same."""
        return True


def limited(options: list[Atom], part: PartPlan) -> list[Atom]:
    """The options, if there are not too many."""
    if len(options) > MOST_OPTIONS:
        raise MatchError(f"there are more than {MOST_OPTIONS} options for {part.name}", part.span)
    return options


# ── members of a sequence ────────────────────────────────────────────────────────────────────────────────────────


class Source:
    """The sequence that members are picked from, without those that conditions drop."""

    def __init__(self, compiler: Evaluator, source: Term, member: Bound, drops: Sequence[Term]) -> None:
        of = member_of(source.type)
        self.is_set = isinstance(source.type, SetOf)
        self.first = first_of(of)
        self.raw: Closure = compiler.compile(source)
        """The sequence as it is, dropped members included."""
        self._walk = values_of(compiler, source)
        self._keep: Keep | None = None
        self._tests: list[Closure] = []
        self._bind = plays.setter(compiler, member)
        if drops and is_finite(of):
            keeps = [sieve(compiler, drop, member.id, of).keep for drop in drops]

            def keep(S: State, D: int) -> int:
                for holds in keeps:
                    D &= ~holds(S, D)
                return D

            self._keep = keep
        else:
            self._tests = [compiler.compile(drop) for drop in drops]
        self.alike = _Alike.of(compiler, of)

    def bits(self, S: State) -> int:
        """The members as a bit set; for a sequence that is one, or whose type is finite."""
        bits: int = self.raw(S) if self.is_set else set_of(value - self.first for value in self._walk(S))
        return bits if self._keep is None else self._keep(S, bits)

    def values(self, S: State) -> list[Any]:
        """The members in their order, none twice."""
        if self.is_set:
            first = self.first
            found = members(self.bits(S))
            return [first + index for index in found] if first else found
        values: list[Any] = list(dict.fromkeys(self._walk(S)))
        if self._keep is not None:
            kept = self.bits(S)
            values = [value for value in values if kept >> value - self.first & 1]
        for test in self._tests:
            values = [value for value in values if not self._holds(S, test, value)]
        return values

    def _holds(self, S: State, test: Closure, value: Any) -> Any:
        self._bind(S, value)
        return test(S)

    def raw_values(self, S: State) -> Sequence[Any]:
        """The members, dropped ones included."""
        return self._walk(S)


class _Alike:
    """Which cards look the same and lie in the same place, so that one stands for all of them."""

    def __init__(self, compiler: Evaluator, kind: str) -> None:
        layout = compiler.layout
        self._faces = layout.packs[kind].faces()
        self._at = layout.at[kind]
        self._fields = [layout.fields[kind, keeping.name] for keeping in layout.packs[kind].kind.fields]
        self._number = layout.zone_count + layout.card_base[kind]
        self._places = [(layout.at[k.name], layout.at[k.name] + layout.packs[k.name].size) for k in layout.program.kinds]

    @staticmethod
    def of(compiler: Evaluator, of: object) -> _Alike | None:
        """What tells alike members of a type, None if no two ever are."""
        if isinstance(of, Card) and compiler.layout.packs[of.kind].has_alike:
            return _Alike(compiler, of.kind)
        return None

    def classes(self, S: State, cards: Sequence[int]) -> list[Any]:
        """For each card something that it has in common with those like it, and with no other."""
        covered: set[int] = set()
        for first, last in self._places:
            covered.update(S[first:last])
        return [
            (-1, card)
            if self._number + card in covered
            else (self._faces[card], S[self._at + card], *[S[base + card] for base in self._fields])
            for card in cards
        ]


class OneMember(PartPlan):
    """One member of a sequence."""

    one_by_one = True

    def __init__(
        self, compiler: Evaluator, part: Part, pick: PickMembers, bound: Bound, source: Term, drops: Sequence[Term]
    ) -> None:
        super().__init__(compiler, part, bound)
        self.source = Source(compiler, source, bound, drops)

    def values(self, S: State) -> Iterator[Any]:
        return iter(self.source.values(S))

    def count(self, S: State) -> int:
        return self.source.bits(S).bit_count() if self.source.is_set else len(self.source.values(S))

    def sample(self, S: State, below: Below) -> Any:
        if self.source.is_set:
            bits = self.source.bits(S)
            return self.source.first + nth(bits, below(bits.bit_count()))
        values = self.source.values(S)
        return values[below(len(values))]

    def picks(self, S: State, value: Any) -> bool:
        return value in self.source.raw_values(S)

    def allows(self, S: State, value: Any) -> bool:
        return value in self.source.values(S)

    def sequence(self, S: State, value: Any) -> Atoms:
        return (value,)

    def advance(self, S: State, atoms: Atoms, at: int, *, fill: bool, viable: Callable[[Any], bool] | None) -> Step:
        values = self.source.values(S)
        if viable is not None:
            values = [value for value in values if viable(value)]
        if self.source.alike is not None:
            found: dict[Any, Any] = {}
            for value, alike in zip(values, self.source.alike.classes(S, values), strict=True):
                found.setdefault(alike, value)
            values = list(found.values())
        return one_of(self, values, atoms, at, fill=fill)

    def is_first_alike(self, S: State, value: Any) -> bool:
        if self.source.alike is None:
            return True
        values = self.source.values(S)
        classes = self.source.alike.classes(S, values)
        at = values.index(value)
        return classes.index(classes[at]) == at


def one_of(part: PartPlan, values: list[Any], atoms: Atoms, at: int, *, fill: bool) -> Step:
    """The step of a part whose value is one atom."""
    if len(values) == 1 and fill:
        return Step(None, values[0], at)
    if at == len(atoms):
        return Step(limited(values, part))
    return Step(None, atoms[at], at + 1) if atoms[at] in values else Step([])


class SomeMembers(PartPlan):
    """A set of members of a sequence, of a size between bounds."""

    def __init__(
        self,
        compiler: Evaluator,
        part: Part,
        pick: PickMembers,
        bound: Bound,
        source: Term,
        limits: tuple[Closure | None, Closure | None],
        member: Bound,
        drops: Sequence[Term],
    ) -> None:
        super().__init__(compiler, part, bound)
        self.source = Source(compiler, source, member, drops)
        self._low, self._high = limits
        of = required(part.cell.type)
        self._as_set = isinstance(of, SetOf)
        self._first = first_of(member_of(of)) if is_sequence(of) else 0

    def _bounds(self, S: State, size: int) -> tuple[int, int]:
        low = 0 if self._low is None else self._low(S)
        high = size if self._high is None else self._high(S)
        if NONE in (low, high):
            raise MatchError(f"it is not said how many {self.name} may be picked", self.span)
        return max(0, low), min(size, high)

    def _made(self, chosen: Sequence[Any]) -> Any:
        return set_of(value - self._first for value in chosen) if self._as_set else tuple(chosen)

    def _members(self, value: Any) -> list[Any]:
        return [self._first + index for index in members(value)] if self._as_set else list(value)

    def values(self, S: State) -> Iterator[Any]:
        pool = self.source.values(S)
        low, high = self._bounds(S, len(pool))
        # From the first member on, and those that go on before those that stop: the order of the atoms.
        chosen: list[int] = []
        at = 0
        if low > high:
            return
        while True:
            if len(chosen) < high and at < len(pool) and len(chosen) + len(pool) - at >= low:
                chosen.append(at)
                at += 1
                continue
            if len(chosen) >= low:
                yield self._made([pool[index] for index in chosen])
            if not chosen:
                return
            at = chosen.pop() + 1

    def count(self, S: State) -> int:
        size = self.source.bits(S).bit_count() if self.source.is_set else len(self.source.values(S))
        low, high = self._bounds(S, size)
        return sum(comb(size, number) for number in range(low, high + 1))

    def sample(self, S: State, below: Below) -> Any:
        pool = self.source.values(S)
        low, high = self._bounds(S, len(pool))
        rank = below(sum(comb(len(pool), number) for number in range(low, high + 1)))
        number = low
        while rank >= comb(len(pool), number):
            rank -= comb(len(pool), number)
            number += 1
        chosen = []
        left = len(pool)
        for value in pool:
            left -= 1
            with_it = comb(left, number - 1) if number else 0
            if rank < with_it:
                chosen.append(value)
                number -= 1
            else:
                rank -= with_it
        return self._made(chosen)

    def _is_size(self, S: State, pool: Sequence[Any], value: Any) -> bool:
        low, high = self._bounds(S, len(pool))
        return low <= (value.bit_count() if self._as_set else len(value)) <= high

    def _fits(self, pool: Sequence[Any], value: Any) -> bool:
        if self._as_set:
            return isinstance(value, int) and value >= 0 and all(member in pool for member in self._members(value))
        if not isinstance(value, tuple) or len(set(value)) < len(value):
            return False
        order = [pool.index(member) if member in pool else -1 for member in value]
        return -1 not in order and order == sorted(order)

    def picks(self, S: State, value: Any) -> bool:
        pool = list(dict.fromkeys(self.source.raw_values(S)))
        return self._fits(pool, value) and self._is_size(S, pool, value)

    def allows(self, S: State, value: Any) -> bool:
        pool = self.source.values(S)
        return self._fits(pool, value) and self._is_size(S, pool, value)

    def sequence(self, S: State, value: Any) -> Atoms:
        chosen = self._members(value)
        return tuple(chosen) if self.source.is_set else tuple(v for v in self.source.values(S) if v in chosen)

    def is_first_alike(self, S: State, value: Any) -> bool:
        if self.source.alike is None:
            return True
        pool = self.source.values(S)
        chosen = set(self._members(value))
        left_out = set()
        for member, alike in zip(pool, self.source.alike.classes(S, pool), strict=True):
            if member not in chosen:
                left_out.add(alike)
            elif alike in left_out:
                return False
        return True

    def advance(self, S: State, atoms: Atoms, at: int, *, fill: bool, viable: Callable[[Any], bool] | None) -> Step:
        pool = self.source.values(S)
        low, high = self._bounds(S, len(pool))
        if low > high:
            return Step([])
        alike = None if self.source.alike is None else self.source.alike.classes(S, pool)
        if high == 0:
            return Step(None, self._made([]), at)
        if fill and (low == len(pool) or (low == high and alike is not None and len(set(alike)) == 1)):
            return Step(None, self._made(pool[:low]), at)
        chosen: list[int] = []
        while True:
            options = [
                index
                for index in _ahead(chosen, len(pool), alike)
                if len(chosen) < high
                and (alike is None or _is_next_alike(index, chosen, alike))
                and len(chosen) + 1 + len(_ahead([*chosen, index], len(pool), alike)) >= low
            ]
            if not options:
                return Step(None, self._made([pool[index] for index in chosen]), at)
            may_stop = len(chosen) >= low
            if at == len(atoms):
                return Step(limited([*(pool[index] for index in options), *([STOP] if may_stop else [])], self))
            atom = atoms[at]
            if atom == STOP and may_stop:
                return Step(None, self._made([pool[index] for index in chosen]), at + 1)
            found = next((index for index in options if pool[index] == atom), None)
            if found is None:
                return Step([])
            chosen.append(found)
            at += 1


def _ahead(chosen: list[int], size: int, alike: list[Any] | None) -> list[int]:
    """The positions that may still be chosen sooner or later: of cards that look alike none after one passed over."""
    start = chosen[-1] + 1 if chosen else 0
    if alike is None:
        return list(range(start, size))
    passed_over = {alike[index] for index in range(start) if index not in chosen}
    return [index for index in range(start, size) if alike[index] not in passed_over]


def _is_next_alike(index: int, chosen: list[int], alike: list[Any]) -> bool:
    """Whether all cards that look the same and come before it are chosen."""
    return all(alike[before] != alike[index] or before in chosen for before in range(index))


# ── numbers, yes and no, orders ──────────────────────────────────────────────────────────────────────────────────


class Simple(PartPlan):
    """A number from a range, or yes or no: one atom, and conditions are asked of each value."""

    one_by_one = True

    def __init__(
        self,
        compiler: Evaluator,
        part: Part,
        pick: PickNumber | PickYesNo,
        bound: Bound,
        limits: tuple[Closure, Closure] | None,
        drops: Sequence[Term],
    ) -> None:
        super().__init__(compiler, part, bound)
        self._limits = limits
        self._tests = [compiler.compile(drop) for drop in drops]

    def _range(self, S: State) -> range:
        if self._limits is None:
            return range(2)
        low, high = self._limits[0](S), self._limits[1](S)
        if NONE in (low, high):
            raise MatchError(f"the range of {self.name} has an open end", self.span)
        return range(low, high + 1)

    def _keeps(self, S: State, value: Any) -> bool:
        self.bind(S, value)
        return not any(test(S) for test in self._tests)

    def _values(self, S: State) -> list[int]:
        numbers = self._range(S)
        if len(numbers) > MOST_OPTIONS:
            raise MatchError(f"there are more than {MOST_OPTIONS} options for {self.name}", self.span)
        return [value for value in numbers if self._keeps(S, value)] if self._tests else list(numbers)

    def values(self, S: State) -> Iterator[Any]:
        return iter(self._values(S))

    def count(self, S: State) -> int:
        return len(self._values(S)) if self._tests else len(self._range(S))

    def sample(self, S: State, below: Below) -> Any:
        values = self._values(S) if self._tests else self._range(S)
        return values[below(len(values))]

    def picks(self, S: State, value: Any) -> bool:
        return isinstance(value, int) and value in self._range(S)

    def allows(self, S: State, value: Any) -> bool:
        return self.picks(S, value) and self._keeps(S, value)

    def sequence(self, S: State, value: Any) -> Atoms:
        return (value,)

    def advance(self, S: State, atoms: Atoms, at: int, *, fill: bool, viable: Callable[[Any], bool] | None) -> Step:
        values = self._values(S)
        if viable is not None:
            values = [value for value in values if viable(value)]
        return one_of(self, values, atoms, at, fill=fill)


class Ordering(PartPlan):
    """All members of a sequence, in an order."""

    def __init__(self, compiler: Evaluator, part: Part, pick: PickOrder, bound: Bound, source: Term) -> None:
        super().__init__(compiler, part, bound)
        self._walk = values_of(compiler, source)

    def values(self, S: State) -> Iterator[Any]:
        return permutations(self._walk(S))

    def count(self, S: State) -> int:
        return factorial(len(self._walk(S)))

    def sample(self, S: State, below: Below) -> Any:
        pool = list(self._walk(S))
        return tuple([pool.pop(below(len(pool))) for _ in range(len(pool))])

    def picks(self, S: State, value: Any) -> bool:
        return isinstance(value, tuple) and sorted(value) == sorted(self._walk(S))

    def allows(self, S: State, value: Any) -> bool:
        return self.picks(S, value)

    def sequence(self, S: State, value: Any) -> Atoms:
        return tuple(value)

    def advance(self, S: State, atoms: Atoms, at: int, *, fill: bool, viable: Callable[[Any], bool] | None) -> Step:
        pool = list(self._walk(S))
        if len(pool) <= 1 and (fill or not pool):
            return Step(None, tuple(pool), at)
        chosen = []
        while pool:
            if at == len(atoms):
                return Step(limited(pool, self))
            if atoms[at] not in pool:
                return Step([])
            chosen.append(atoms[at])
            pool.remove(atoms[at])
            at += 1
        return Step(None, tuple(chosen), at)
