"""Parts of an answer that are members of a sequence: one of them, or a set of some."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from math import comb
from typing import TYPE_CHECKING, Any

from rulesdsl.ir.nodes import AllOf, Bound, Const, Part, PickMembers, Term
from rulesdsl.types import NONE, Card, SetOf, Type, required

from ..evaluate import plays
from ..evaluate.filters import Keep, sieve
from ..evaluate.sequences import values_of
from ..state.bits import members, nth, set_of
from ..state.cells import Closure, State
from ..state.domains import first_of, is_finite, is_sequence, member_of
from ..state.errors import MatchError
from .parts import LARGEST_DRAW, STOP, Atoms, Below, Luck, PartPlan, Step, limited, one_of, unbounded

if TYPE_CHECKING:
    from ..evaluate.terms import Evaluator


class Source:
    """The sequence that members are picked from, without those that conditions drop."""

    def __init__(self, compiler: Evaluator, source: Term, member: Bound, drops: Sequence[Term]) -> None:
        of = member_of(source.type)
        self.is_set = isinstance(source.type, SetOf)
        self.first = first_of(of)
        self.raw: Closure = compiler.compile(source)
        """The sequence as it is, dropped members included."""
        self._walk = values_of(compiler, source)
        self._drops: _Drops | None = None
        self._tests: list[Closure] = []
        self._bind = plays.setter(compiler, member)
        if drops and is_finite(of):
            self._drops = _dropped(compiler, drops, member.id, of)
        else:
            self._tests = [compiler.compile(drop) for drop in drops]
        self.alike = Alike.of(compiler, of)
        self.bits: Callable[[State], int] = self._as_bits(fixed=isinstance(source, AllOf | Const))
        """The members as a bit set; for a sequence that is one, or whose type is finite."""

    def _as_bits(self, *, fixed: bool) -> Closure:
        raw = self.raw
        if not self.is_set:
            first, walk = self.first, self._walk
            raw = lambda S: set_of(value - first for value in walk(S))  # noqa: E731
        return raw if self._drops is None else self._drops.kept(raw, fixed=fixed)

    def values(self, S: State) -> list[Any]:
        """The members in their order, none twice."""
        if self.is_set:
            first = self.first
            found = members(self.bits(S))
            return [first + index for index in found] if first else found
        values: list[Any] = list(dict.fromkeys(self._walk(S)))
        if self._drops is not None:
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


@dataclass(frozen=True, slots=True)
class _Drops:
    """What is dropped: always (`never`), what a set says (`mask`), and what the rest of the conditions holds for."""

    never: int
    mask: Closure | None
    rest: Keep | None

    def kept(self, raw: Closure, *, fixed: bool) -> Closure:
        """What is left of a set; `fixed`: it is always the same one."""
        never, mask, rest = self.never, self.mask, self.rest
        if not fixed:
            if mask is None and rest is None:
                return (lambda S: raw(S) & ~never) if never else raw
            return lambda S: self.keep(S, raw(S))
        all_of_them = raw([]) & ~never
        if mask is None:
            return (lambda S: all_of_them) if rest is None else lambda S: all_of_them & ~rest(S, all_of_them)
        if rest is None:
            return lambda S: all_of_them & ~mask(S)

        def keep_fixed(S: State) -> int:
            D = all_of_them & ~mask(S)
            return D & ~rest(S, D) if D else 0

        return keep_fixed

    def keep(self, S: State, D: int) -> int:
        """What is left of a set."""
        D &= ~self.never
        if D and self.mask is not None:
            D &= ~self.mask(S)
        return D & ~self.rest(S, D) if D and self.rest is not None else D


def _dropped(compiler: Evaluator, drops: Sequence[Term], member: int, of: Type) -> _Drops:
    sieves = [sieve(compiler, drop, member, of) for drop in drops]
    never, mask = 0, None
    if not any(compiler.analyst.facts(drop).fallible for drop in drops):
        # Those that go from member to member find fewer when they come last.
        sieves.sort(key=lambda each: not each.at_once)
        for each in sieves:
            if each.mask is not None and each.mask.now is None:
                never |= each.mask.fixed
        sieves = [each for each in sieves if each.mask is None or each.mask.now is not None]
        if sieves and sieves[0].mask is not None:
            mask = sieves.pop(0).mask
    keeps = [each.keep for each in sieves]
    return _Drops(never, None if mask is None else mask.now, _any_of(keeps) if keeps else None)


def _any_of(keeps: Sequence[Keep]) -> Keep:
    """The members for which one of several conditions holds; of those for which one does, no other is asked."""
    if len(keeps) == 1:
        return keeps[0]

    def keep(S: State, D: int) -> int:
        rest = D
        for holds in keeps:
            if not rest:
                break
            rest &= ~holds(S, rest)
        return D & ~rest

    return keep


class Alike:
    """Which cards look the same and lie in the same place, so that one stands for all of them."""

    def __init__(self, compiler: Evaluator, kind: str) -> None:
        layout = compiler.layout
        self._faces = layout.packs[kind].faces()
        self._at = layout.at[kind]
        self._fields = [layout.fields[kind, keeping.name] for keeping in layout.packs[kind].kind.fields]
        self._number = layout.zone_count + layout.card_base[kind]
        self._places = [
            (layout.at[k.name], layout.at[k.name] + layout.packs[k.name].size) for k in layout.program.kinds
        ]

    @staticmethod
    def of(compiler: Evaluator, of: object) -> Alike | None:
        """What tells alike members of a type, None if no two ever are."""
        if isinstance(of, Card) and compiler.layout.packs[of.kind].has_alike:
            return Alike(compiler, of.kind)
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
        """The members, in the order of the sequence."""
        return iter(self.source.values(S))

    def candidates(self, S: State) -> Iterator[Any]:
        """The members, dropped ones included."""
        return iter(dict.fromkeys(self.source.raw_values(S)))

    def count(self, S: State) -> int:
        """How many members there are."""
        return self.source.bits(S).bit_count() if self.source.is_set else len(self.source.values(S))

    def sample(self, S: State, below: Below) -> Any:
        """One of the members."""
        if self.source.is_set:
            bits = self.source.bits(S)
            return self.source.first + nth(bits, below(bits.bit_count()))
        values = self.source.values(S)
        return values[below(len(values))]

    def picks(self, S: State, value: Any) -> bool:
        """Whether it is in the sequence."""
        return value in self.source.raw_values(S)

    def allows(self, S: State, value: Any) -> bool:
        """Whether it is in the sequence and nothing drops it."""
        return value in self.source.values(S)

    def sequence(self, S: State, value: Any) -> Atoms:
        """The member itself."""
        return (value,)

    def advance(self, S: State, atoms: Atoms, at: int, *, fill: bool, viable: Callable[[Any], bool] | None) -> Step:
        """The next atom is the member."""
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
        """Whether no member before it looks the same."""
        if self.source.alike is None:
            return True
        values = self.source.values(S)
        classes = self.source.alike.classes(S, values)
        at = values.index(value)
        return classes.index(classes[at]) == at


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
        self._takes_any = limits == (None, None) and self._as_set and self._first == self.source.first

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
        """Every set, those with the first members first, a larger one before what it begins with."""
        return self._sets(S, self.source.values(S))

    def candidates(self, S: State) -> Iterator[Any]:
        """The sets of all members, dropped ones included."""
        return self._sets(S, list(dict.fromkeys(self.source.raw_values(S))))

    def _sets(self, S: State, pool: Sequence[Any]) -> Iterator[Any]:
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

    def first_two(self, S: State) -> list[Any]:
        """The same; most often there is nothing to pick from."""
        if self._takes_any and self.source.is_set and not self.source.bits(S):
            return [0]
        return super().first_two(S)

    def count(self, S: State) -> int:
        """A sum of binomials."""
        size = self.source.bits(S).bit_count() if self.source.is_set else len(self.source.values(S))
        low, high = self._bounds(S, size)
        return sum(comb(size, number) for number in range(low, high + 1))

    def sample(self, S: State, below: Below) -> Any:
        """One number is drawn, and the set of that number is built member by member."""
        return self.drawn(S, below)

    def drawn(self, S: State, draw: Below) -> Any:
        """The same, the sequence walked once."""
        if self._takes_any and self.source.is_set:
            return self._any_of(self.source.bits(S), draw)
        pool = self.source.values(S)
        size = len(pool)
        low, high = self._bounds(S, size)
        if low > high:
            return None
        if high == 0:
            return self._made([])
        # The number of a set: first by its size, then whether it holds the first member, the second, and so on.
        sets = 1 << size if low == 0 and high == size else sum([comb(size, number) for number in range(low, high + 1)])
        rank = draw(sets) if sets < LARGEST_DRAW else unbounded(draw)(sets)
        number = low
        while rank >= (of_size := comb(size, number)):
            rank -= of_size
            number += 1
        chosen = []
        for value in pool:
            size -= 1
            with_it = comb(size, number - 1) if number else 0
            if rank < with_it:
                chosen.append(value)
                number -= 1
            else:
                rank -= with_it
        return self._made(chosen)

    def quick(self, luck: Luck) -> Closure | None:
        """Any of the subsets of a set; of the empty one nothing is drawn."""
        if not (self._takes_any and self.source.is_set):
            return None
        bits, any_of = self.source.bits, self._any_of

        def some(S: State) -> int:
            among = bits(S)
            return any_of(among, luck.below) if among else 0

        return some

    def _any_of(self, bits: int, draw: Below) -> int:
        """Any of the subsets of a set: each bit of a number says of a member whether it is in."""
        sets = 1 << bits.bit_count()
        rank = draw(sets) if sets < LARGEST_DRAW else unbounded(draw)(sets)
        chosen = 0
        while rank:
            lowest = bits & -bits
            if rank & 1:
                chosen |= lowest
            bits ^= lowest
            rank >>= 1
        return chosen

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
        """Whether all are in the sequence, in its order, and it is the right number."""
        pool = list(dict.fromkeys(self.source.raw_values(S)))
        return self._fits(pool, value) and self._is_size(S, pool, value)

    def allows(self, S: State, value: Any) -> bool:
        """The same of the members that nothing drops."""
        pool = self.source.values(S)
        return self._fits(pool, value) and self._is_size(S, pool, value)

    def sequence(self, S: State, value: Any) -> Atoms:
        """The members in the order of the sequence."""
        chosen = self._members(value)
        return tuple(chosen) if self.source.is_set else tuple(v for v in self.source.values(S) if v in chosen)

    def is_first_alike(self, S: State, value: Any) -> bool:
        """Whether of cards that look alike the first ones are chosen."""
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
        """Member by member in ascending order, `STOP` where there may be more."""
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
