"""The parts of an answer: which values each may take, one after the other, counted, drawn, and atom by atom.

A part works on a state and on the registers of the parts before it. Its values come in canonical order. Conditions
that look at one member at a time are already in it (`drops`): a member for which one holds is no candidate.

An *atom* is one step of a stepwise answer: a member, a number, yes or no; a set of three is three atoms.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice, permutations
from math import factorial
from typing import TYPE_CHECKING, Any

from rulesdsl.diagnostic import InternalError
from rulesdsl.ir.nodes import Bound, Part, PickNumber, PickOrder, PickYesNo, Term
from rulesdsl.types import NONE

from ..evaluate import plays
from ..evaluate.sequences import values_of
from ..state.cells import Closure, State
from ..state.errors import MatchError

if TYPE_CHECKING:
    from ..evaluate.terms import Evaluator

Atom = Any
"""A number, or a tuple where the members are records."""

Atoms = tuple[Atom, ...]

STOP: Atom = (NONE,)
"""The atom that says: no more members."""

Below = Callable[[int], int]
"""Chance: a number from 0 on, below the given one, however large."""


class Luck:
    """Where the numbers come from while decisions are made at once: from `below`, which is another in every playout."""

    __slots__ = ("below",)

    def __init__(self) -> None:
        self.below: Below = _nobody_draws


def _nobody_draws(bound: int) -> int:
    raise InternalError("nobody draws")


LARGEST_DRAW = 1 << 30
"""A number below a larger bound is put together from several draws."""

MOST_OPTIONS = 10_000
"""A stepwise question offers no more than this."""


@dataclass(frozen=True, slots=True)
class Step:
    """What the next atom may be (`options`), or, where the atoms settle the part, its value and where they go on.

    Of a step of a whole alternative, `part` is the part that the options belong to, `before` the values of those before
    it; `at` is where its atoms begin, if its plan goes part by part.
    """

    options: list[Atom] | None
    value: Any = None
    at: int = 0
    part: int = 0
    before: tuple[Any, ...] = ()


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

    def candidates(self, S: State) -> Iterator[Any]:
        """Every value that the pick alone allows, whatever conditions say of its members."""
        return self.values(S)

    def first_two(self, S: State) -> list[Any]:
        """The first of the values, two at most."""
        return list(islice(self.values(S), 2))

    @abstractmethod
    def count(self, S: State) -> int:
        """How many values there are."""

    @abstractmethod
    def sample(self, S: State, below: Below) -> Any:
        """One of the values (there is one), each as likely as any other."""

    def drawn(self, S: State, draw: Below) -> Any:
        """One of the values as `sample` gives it, None if there is none; `draw` takes small bounds only."""
        return self.sample(S, unbounded(draw)) if self.count(S) else None

    def quick(self, luck: Luck) -> Closure | None:
        """Draws as `drawn` does, made ready beforehand; None if there is no quicker way than that."""
        return None

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


def unbounded(draw: Callable[[int], int]) -> Below:
    """Numbers below any bound from a source that gives small ones."""

    def below(bound: int) -> int:
        if bound < LARGEST_DRAW:
            return draw(bound)
        digits = (bound.bit_length() + 29) // 30
        while True:
            number = 0
            for _ in range(digits):
                number = number << 30 | draw(LARGEST_DRAW)
            number >>= digits * 30 - bound.bit_length()
            if number < bound:
                return number

    return below


def limited(options: list[Atom], part: PartPlan) -> list[Atom]:
    """The options, if there are not too many."""
    if len(options) > MOST_OPTIONS:
        raise MatchError(f"there are more than {MOST_OPTIONS} options for {part.name}", part.span)
    return options


def one_of(part: PartPlan, values: list[Any], atoms: Atoms, at: int, *, fill: bool) -> Step:
    """The step of a part whose value is one atom."""
    if len(values) == 1 and fill:
        return Step(None, values[0], at)
    if at == len(atoms):
        return Step(limited(values, part))
    return Step(None, atoms[at], at + 1) if atoms[at] in values else Step([])


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
        """The numbers from the lowest on; no before yes."""
        return iter(self._values(S))

    def candidates(self, S: State) -> Iterator[Any]:
        """All numbers of the range."""
        return iter(self._range(S))

    def count(self, S: State) -> int:
        """How many there are; without conditions, as many as the range is long."""
        return len(self._values(S)) if self._tests else len(self._range(S))

    def sample(self, S: State, below: Below) -> Any:
        """One of them."""
        values = self._values(S) if self._tests else self._range(S)
        return values[below(len(values))]

    def quick(self, luck: Luck) -> Closure | None:
        """Yes or no."""
        if self._limits is not None or self._tests:
            return None
        return lambda S: luck.below(2)

    def picks(self, S: State, value: Any) -> bool:
        """Whether it lies in the range."""
        return isinstance(value, int) and value in self._range(S)

    def allows(self, S: State, value: Any) -> bool:
        """Whether it lies in the range and nothing drops it."""
        return self.picks(S, value) and self._keeps(S, value)

    def sequence(self, S: State, value: Any) -> Atoms:
        """The number itself."""
        return (value,)

    def advance(self, S: State, atoms: Atoms, at: int, *, fill: bool, viable: Callable[[Any], bool] | None) -> Step:
        """The next atom is the number."""
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
        """Every order, the one of the sequence first."""
        return permutations(self._walk(S))

    def count(self, S: State) -> int:
        """A factorial."""
        return factorial(len(self._walk(S)))

    def sample(self, S: State, below: Below) -> Any:
        """Members are drawn until none is left."""
        pool = list(self._walk(S))
        return tuple([pool.pop(below(len(pool))) for _ in range(len(pool))])

    def picks(self, S: State, value: Any) -> bool:
        """Whether it holds the same members."""
        return isinstance(value, tuple) and sorted(value) == sorted(self._walk(S))

    def allows(self, S: State, value: Any) -> bool:
        """Whether it holds the same members."""
        return self.picks(S, value)

    def sequence(self, S: State, value: Any) -> Atoms:
        """The members in their order."""
        return tuple(value)

    def advance(self, S: State, atoms: Atoms, at: int, *, fill: bool, viable: Callable[[Any], bool] | None) -> Step:
        """Member by member, any that is left."""
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
