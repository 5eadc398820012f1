"""How one alternative of a decision is worked out, in three ways.

- `FromSet`: one member of one set. Every condition, tiers and narrows too, is a filter of that set; no answer is built.
- `Independent`: part by part, where no condition looks at several values at once: counted and drawn by parts.
- `Listed`: all whole answers are written down and compared; at most 20,000.

All give the same answers; which is used follows from the program alone.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from itertools import islice
from typing import TYPE_CHECKING, Any

from rulesdsl.diagnostic import InternalError
from rulesdsl.ir.nodes import Term

from ..evaluate.filters import Keep, sieve
from ..state.bits import members, nth
from ..state.cells import Closure, State
from ..state.errors import MatchError
from .clauses import Clauses
from .members import OneMember
from .parts import STOP, Atom, Atoms, Below, Luck, PartPlan, Step, limited
from .plan import Plan, Values

if TYPE_CHECKING:
    from ..evaluate.terms import Evaluator

MOST_ANSWERS = 20_000
"""So many whole answers are compared, at most."""


# ── one member of a set ──────────────────────────────────────────────────────────────────────────────────────────


class FromSet(Plan):
    """One member of a set of a finite type."""

    def __init__(self, compiler: Evaluator, part: OneMember, clauses: Clauses) -> None:
        self._part = part
        self._source = part.source
        super().__init__(compiler, [part], clauses)
        of = part.bound.type
        bound = part.bound.id

        def keep(term: Term) -> Keep:
            return sieve(compiler, term, bound, of).keep

        self._tier_keeps = [
            (keep(clause.term), None if clause.exempt is None else keep(clause.exempt)) for clause in clauses.tiers
        ]
        self._narrow_keeps = [keep(compiler.prepared(clause.kept)) for clause in clauses.narrows]
        self._where_keeps = [keep(clause.term) for clause in clauses.wheres] if clauses.is_late else []

    def legal(self, S: State) -> int:
        """The members that may be taken, as a set."""
        for holds in self._always:
            if holds(S):
                return 0
        D = self._source.bits(S)
        for keep, exempt in self._tier_keeps:
            good = keep(S, D) if D else 0
            if good:
                D = good if exempt is None else good | exempt(S, D & ~good)
        if self._narrow_keeps:
            if self._tells_legal:
                self._tell(S, self._as_answers(D))
            left = D
            for keep in self._narrow_keeps:
                left = keep(S, left)
            D = left
        for keep in self._where_keeps:
            D = keep(S, D)
        return D

    def _as_answers(self, D: int) -> list[Values]:
        first = self._source.first
        return [(first + index,) for index in members(D)]

    def answers(self, S: State) -> Iterator[Values]:
        """The members that are left, each as an answer."""
        return iter(self._as_answers(self.legal(S)))

    def exists(self, S: State) -> bool:
        """Whether a member is left."""
        return self.legal(S) != 0

    def count(self, S: State) -> int:
        """How many members are left."""
        return self.legal(S).bit_count()

    def sample(self, S: State, below: Below) -> Values:
        """One of the members that are left."""
        D = self.legal(S)
        return (self._source.first + nth(D, below(D.bit_count())),)

    def drawn(self, S: State, draw: Callable[[int], int]) -> Values | None:
        """The same, the filters run once."""
        D = self.legal(S)
        return (self._source.first + nth(D, draw(D.bit_count())),) if D else None

    def quick(self, luck: Luck) -> Closure | None:
        """The same."""
        legal, first = self._legal_quickly(), self._source.first

        def member(S: State) -> int | None:
            D: int = legal(S)
            if not D:
                return None
            if D & (D - 1):
                for _ in range(luck.below(D.bit_count())):
                    D &= D - 1
            return first + (D & -D).bit_length() - 1

        return member

    def _legal_quickly(self) -> Closure:
        """`legal`, without asking for what there is none of."""
        if self._always or self._narrow_keeps or self._where_keeps or len(self._tier_keeps) > 1:
            return self.legal
        bits = self._source.bits
        if not self._tier_keeps:
            return bits
        ((keep, exempt),) = self._tier_keeps
        if exempt is not None:
            return self.legal

        def legal(S: State) -> int:
            D: int = bits(S)
            return keep(S, D) or D

        return legal

    def allows(self, S: State, values: Values) -> bool:
        """Whether the member is left."""
        if len(values) != 1 or not isinstance(values[0], int) or values[0] < self._source.first:
            return False
        return bool(self.legal(S) >> values[0] - self._source.first & 1)

    def _left_by_forbids(self, S: State) -> list[Values]:
        return self._as_answers(self._source.bits(S))

    def step(self, S: State, atoms: Atoms, at: int, *, fill: bool) -> Step:
        """The next atom is the member."""
        first = self._source.first
        options: list[Any] = [first + index for index in members(self.legal(S))]
        if self._source.alike is not None:
            found: dict[Any, Any] = {}
            for option, alike in zip(options, self._source.alike.classes(S, options), strict=True):
                found.setdefault(alike, option)
            options = list(found.values())
        if len(options) == 1 and (fill or at > 0):
            return Step(None, (options[0],), at)
        if at == len(atoms):
            return Step(limited(options, self._part))
        return Step(None, (atoms[at],), at + 1) if atoms[at] in options else Step([])


# ── part by part ─────────────────────────────────────────────────────────────────────────────────────────────────


class Independent(Plan):
    """Parts none of whose conditions look at several values at once."""

    def __init__(self, compiler: Evaluator, parts: list[PartPlan], clauses: Clauses, matters: list[bool]) -> None:
        super().__init__(compiler, parts, clauses)
        self._matters = matters
        """By part, whether a later one depends on it."""

    def _is_open(self, S: State) -> bool:
        return not self._always or not any(holds(S) for holds in self._always)

    def answers(self, S: State) -> Iterator[Values]:
        """Part by part, an earlier one turning slower."""
        return self._from(S, ()) if self._is_open(S) else iter(())

    def first_two(self, S: State) -> list[Values]:
        """The same, without building answers where there is only one part."""
        if len(self.parts) != 1:
            return super().first_two(S)
        return [(value,) for value in self.parts[0].first_two(S)] if self._is_open(S) else []

    def _from(self, S: State, chosen: Values) -> Iterator[Values]:
        if len(chosen) == len(self.parts):
            yield chosen
            return
        for value in self.parts[len(chosen)].values(S):
            answer = (*chosen, value)
            # All of them, because whoever takes the answers may ask something else in between.
            for part, each in zip(self.parts, answer, strict=False):
                part.bind(S, each)
            yield from self._from(S, answer)

    def _exists_from(self, S: State, number: int) -> bool:
        if number == len(self.parts):
            return True
        part = self.parts[number]
        for value in part.values(S):
            part.bind(S, value)
            if self._exists_from(S, number + 1):
                return True
            if not self._matters[number]:
                return False
        return False

    def exists(self, S: State) -> bool:
        """Whether every part has a value that leads on."""
        return self._is_open(S) and self._exists_from(S, 0)

    def _count_from(self, S: State, number: int) -> int:
        if number == len(self.parts):
            return 1
        part = self.parts[number]
        if not self._matters[number]:
            return (n := part.count(S)) and n * self._count_from(S, number + 1)
        total = 0
        for value in part.values(S):
            part.bind(S, value)
            total += self._count_from(S, number + 1)
        return total

    def count(self, S: State) -> int:
        """A product where parts don't depend on one another, else a sum over the values of the earlier one."""
        return self._count_from(S, 0) if self._is_open(S) else 0

    def sample(self, S: State, below: Below) -> Values:
        """Part by part, a value as often as there are answers behind it."""
        chosen: list[Any] = []
        for number, part in enumerate(self.parts):
            if self._matters[number]:
                weighted = []
                for value in part.values(S):
                    part.bind(S, value)
                    weighted.append((value, self._count_from(S, number + 1)))
                value = _drawn(weighted, below)
            else:
                value = part.sample(S, below)
            part.bind(S, value)
            chosen.append(value)
        return tuple(chosen)

    def drawn(self, S: State, draw: Callable[[int], int]) -> Values | None:
        """One of the answers, without counting them first if there is only one part."""
        if len(self.parts) > 1:
            return super().drawn(S, draw)
        if not self._is_open(S):
            return None
        value = self.parts[0].drawn(S, draw) if self.parts else None
        return () if not self.parts else None if value is None else (value,)

    def quick(self, luck: Luck) -> Closure | None:
        """The value of the only part, if nothing forbids all."""
        if len(self.parts) != 1:
            return None
        value, is_open = self.parts[0].quick(luck), self._is_open
        if value is None or not self._always:
            return value
        return lambda S: value(S) if is_open(S) else None

    def allows(self, S: State, values: Values) -> bool:
        """Whether every part allows its value, given those before it."""
        if len(values) != len(self.parts) or not self._is_open(S):
            return False
        for part, value in zip(self.parts, values, strict=True):
            if not part.allows(S, value):
                return False
            part.bind(S, value)
        return True

    def _left_by_forbids(self, S: State) -> list[Values]:
        return list(self.answers(S))

    def step(self, S: State, atoms: Atoms, at: int, *, fill: bool) -> Step:
        """Part after part takes its atoms."""
        if not self._is_open(S):
            return Step([])
        chosen: list[Any] = []
        for number, part in enumerate(self.parts):
            viable = self._viable(S, number) if self._matters[number] else None
            step = part.advance(S, atoms, at, fill=fill or at > 0, viable=viable)
            if step.options is not None:
                return replace(step, part=number, at=at, before=tuple(chosen))
            part.bind(S, step.value)
            chosen.append(step.value)
            at = step.at
        return Step(None, tuple(chosen), at)

    def _viable(self, S: State, number: int) -> Callable[[Any], bool]:
        def viable(value: Any) -> bool:
            self.parts[number].bind(S, value)
            return self._exists_from(S, number + 1)

        return viable


# ── all answers written down ─────────────────────────────────────────────────────────────────────────────────────


class Listed(Plan):
    """Answers that have to be compared with one another."""

    def _from(self, S: State, number: int) -> Iterator[Values]:
        if number == len(self.parts):
            yield ()
            return
        part, tests = self.parts[number], self._after[number]
        for value in part.values(S):
            part.bind(S, value)
            if not any(test(S) for test in tests):
                for rest in self._from(S, number + 1):
                    yield (value, *rest)

    def _left_by_forbids(self, S: State) -> list[Values]:
        self._start()
        if any(holds(S) for holds in self._always):
            return []
        left = list(islice(self._from(S, 0), MOST_ANSWERS + 1))
        if len(left) > MOST_ANSWERS:
            part = self.parts[0]
            raise MatchError(f"more than {MOST_ANSWERS} answers have to be compared", part.span)
        return left

    def _legal(self, S: State) -> list[Values]:
        left = self._left_by_forbids(S)
        return self._late(S, left) if self._is_late else left

    def answers(self, S: State) -> Iterator[Values]:
        """The answers on the list."""
        return iter(self._legal(S))

    def count(self, S: State) -> int:
        """How long the list is."""
        return len(self._legal(S))

    def sample(self, S: State, below: Below) -> Values:
        """One from the list."""
        legal = self._legal(S)
        return legal[below(len(legal))]

    def drawn(self, S: State, draw: Callable[[int], int]) -> Values | None:
        """The same, the list made once."""
        legal = self._legal(S)
        return legal[draw(len(legal))] if legal else None

    def allows(self, S: State, values: Values) -> bool:
        """Whether it is on the list."""
        return values in self._legal(S)

    def step(self, S: State, atoms: Atoms, at: int, *, fill: bool) -> Step:
        """What the answers go on with that begin with these atoms."""
        left = self._legal(S)
        canonical = [values for values in left if self._is_canonical(S, values)]
        left = canonical or left
        for number in range(len(self.parts)):
            sequences = [self._sequence(S, values, number) for values in left]
            here = 0
            while True:
                if here == 0 and (fill or at > 0) and all(sequence == sequences[0] for sequence in sequences):
                    break  # one value is possible: it needs no atom
                if all(len(sequence) == here for sequence in sequences):
                    break
                if at == len(atoms):
                    offered = self._offered(sequences, here, self.parts[number])
                    return Step(offered, part=number, before=left[0][:number])
                atom = atoms[at]
                if atom == STOP:
                    kept = [index for index, sequence in enumerate(sequences) if len(sequence) == here]
                else:
                    kept = [
                        i for i, sequence in enumerate(sequences) if len(sequence) > here and sequence[here] == atom
                    ]
                if not kept:
                    return Step([])
                left = [left[index] for index in kept]
                sequences = [sequences[index] for index in kept]
                at += 1
                here += 1
                if atom == STOP:
                    break
        return Step(None, left[0], at) if left else Step([])

    def _sequence(self, S: State, values: Values, number: int) -> Atoms:
        for part, value in zip(self.parts[:number], values, strict=False):
            part.bind(S, value)
        return self.parts[number].sequence(S, values[number])

    def _offered(self, sequences: list[Atoms], here: int, part: PartPlan) -> list[Atom]:
        following = dict.fromkeys(sequence[here] for sequence in sequences if len(sequence) > here)
        ends = any(len(sequence) == here for sequence in sequences)
        return limited([*following, *([STOP] if ends else [])], part)

    def _is_canonical(self, S: State, values: Values) -> bool:
        for part, value in zip(self.parts, values, strict=True):
            if not part.is_first_alike(S, value):
                return False
            part.bind(S, value)
        return True


def _drawn(weighted: list[tuple[Any, int]], below: Below) -> Any:
    rank = below(sum(weight for _, weight in weighted))
    for value, weight in weighted:
        if rank < weight:
            return value
        rank -= weight
    raise InternalError("a number is not below its bound")
