"""One alternative of a decision: the stages that an answer passes, whatever way they are worked out in.

From all answers that the picks allow, prohibitions drop some; each tier then keeps those that satisfy it, if any does;
the narrows look at what is left; last comes what the decision itself says.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Sequence
from itertools import islice
from typing import TYPE_CHECKING, Any

from ..state.cells import Closure, State
from .clauses import Clause, Clauses, Reason, ReasonKind, legal_fields, uses_legal
from .parts import Atoms, Below, Luck, PartPlan, Step, unbounded

if TYPE_CHECKING:
    from ..evaluate.terms import Evaluator

Values = tuple[Any, ...]
"""The parts of an answer."""

MOST_BEGUN = 100
"""So many ways to go on are tried for an answer that is only begun."""

Test = tuple[Reason, Closure, Closure]
"""A condition: its name, whether it holds, and whether an answer is exempt from it."""


class Plan(ABC):
    """One alternative, ready to be asked."""

    def __init__(self, compiler: Evaluator, parts: list[PartPlan], clauses: Clauses) -> None:
        self.parts = parts
        self.may_be_empty = all(not part.one_by_one for part in parts) and bool(parts)
        self._registers = compiler.registers
        self._legal_register = compiler.legal_register
        self._always = [compiler.compile(term) for term in clauses.always]
        with compiler.loop(part.bound.id for part in parts) as scope:
            self._forbids = _tests(compiler, clauses.forbids)
            self._tiers = _tests(compiler, clauses.tiers)
            self._narrows = _tests(compiler, clauses.narrows)
            self._wheres = _tests(compiler, clauses.wheres)
            told = dict(clauses.legal)
            fields = next((f for c in clauses.narrows if (f := legal_fields(compiler, c.term)) is not None), None)
            self._told = [compiler.compile(told[name]) for name in (fields or tuple(told))]
            self._after = [[compiler.compile(term) for term in terms] for terms in clauses.after]
        self._is_late = clauses.is_late
        self._tells_legal = any(uses_legal(compiler, clause.kept) for clause in clauses.narrows)
        self._start = scope.start(compiler.registers)

    # ── the whole view ───────────────────────────────────────────────────────────────────────────────────────────

    @abstractmethod
    def answers(self, S: State) -> Iterator[Values]:
        """Every legal answer, in canonical order."""

    @abstractmethod
    def count(self, S: State) -> int:
        """How many legal answers there are."""

    @abstractmethod
    def sample(self, S: State, below: Below) -> Values:
        """One of the legal answers (there is one), each as likely as any other."""

    @abstractmethod
    def allows(self, S: State, values: Values) -> bool:
        """Whether an answer is legal."""

    @abstractmethod
    def _left_by_forbids(self, S: State) -> list[Values]:
        """The answers that no prohibition keeps out: what tiers choose from."""

    def exists(self, S: State) -> bool:
        """Whether there is a legal answer."""
        return next(self.answers(S), None) is not None

    def drawn(self, S: State, draw: Callable[[int], int]) -> Values | None:
        """One of the legal answers as `sample` gives it, None if there is none."""
        return self.sample(S, unbounded(draw)) if self.exists(S) else None

    def quick(self, luck: Luck) -> Closure | None:
        """The value of the only part as `drawn` gives it, made ready beforehand; None if there is no quicker way."""
        return None

    def first_two(self, S: State) -> list[Values]:
        """The first legal answers, two at most."""
        return list(islice(self.answers(S), 2))

    def does_nothing(self, values: Values) -> bool:
        """Whether an answer is no act at all."""
        return self.may_be_empty and all(
            part.does_nothing(value) for part, value in zip(self.parts, values, strict=True)
        )

    # ── the stepwise view ────────────────────────────────────────────────────────────────────────────────────────

    @abstractmethod
    def step(self, S: State, atoms: Atoms, at: int, *, fill: bool) -> Step:
        """What may come after the atoms, or the answer that they are; `value` is the tuple of the parts then."""

    # ── reasons ──────────────────────────────────────────────────────────────────────────────────────────────────

    def why_not(self, S: State, values: Values) -> list[Reason]:
        """Every condition that keeps an answer from being legal; of those that compare, the first stage that does."""
        if len(values) != len(self.parts):
            return [Reason("answer", None, ReasonKind.PICK)]
        for part, value in zip(self.parts, values, strict=True):
            if not part.picks(S, value):
                return [Reason(part.name, None, ReasonKind.PICK)]
            part.bind(S, value)
        self._start()
        reasons = [reason for reason, holds, exempt in self._forbids if holds(S) and not exempt(S)]
        if not reasons and self._tiers + self._narrows:
            reasons = self._compared(S, values)
        if not reasons:
            self.bind(S, values)
            self._start()
            reasons = [reason for reason, holds, _ in self._wheres if not holds(S)]
        return reasons

    def why_not_begun(self, S: State, first: Any) -> list[Reason]:
        """What keeps every answer that begins with this first part from being legal; nothing, if one of them is."""
        part = self.parts[0]
        if not part.picks(S, first):
            return [Reason(part.name, None, ReasonKind.PICK)]
        found: list[Reason] = []
        for values in list(islice(self._begun(S, (first,)), MOST_BEGUN)):
            reasons = self.why_not(S, values)
            if not reasons:
                return []
            found += [reason for reason in reasons if reason not in found]
        return found

    def _begun(self, S: State, chosen: Values) -> Iterator[Values]:
        if len(chosen) == len(self.parts):
            yield chosen
            return
        for part, value in zip(self.parts, chosen, strict=False):
            part.bind(S, value)
        for value in list(islice(self.parts[len(chosen)].values(S), MOST_BEGUN)):
            yield from self._begun(S, (*chosen, value))

    def _compared(self, S: State, values: Values) -> list[Reason]:
        left = self._left_by_forbids(S)
        for reason, holds, exempt in self._tiers:
            left, kept = self._tier(S, left, holds, exempt)
            if kept and values not in left:
                return [reason]
        self._tell(S, left)
        self.bind(S, values)
        self._start()
        return [reason for reason, holds, exempt in self._narrows if not holds(S) and not exempt(S)]

    def candidates(self, S: State) -> Iterator[Values]:
        """The answers that the picks alone allow, the first ones of each part: what conditions choose from."""
        yield from self._candidates(S, ())

    def _candidates(self, S: State, chosen: Values) -> Iterator[Values]:
        if len(chosen) == len(self.parts):
            yield chosen
            return
        for part, value in zip(self.parts, chosen, strict=False):
            part.bind(S, value)
        for value in list(islice(self.parts[len(chosen)].candidates(S), MOST_BEGUN)):
            yield from self._candidates(S, (*chosen, value))

    # ── stages ───────────────────────────────────────────────────────────────────────────────────────────────────

    def bind(self, S: State, values: Values) -> None:
        """Puts the parts of an answer where conditions look for them."""
        for part, value in zip(self.parts, values, strict=True):
            part.bind(S, value)

    def _tier(self, S: State, left: list[Values], holds: Closure, exempt: Closure) -> tuple[list[Values], bool]:
        """The answers that a tier leaves, and whether it kept any out."""
        self._start()
        good, free = [], []
        for values in left:
            self.bind(S, values)
            if holds(S):
                good.append(values)
                free.append(values)
            elif exempt(S):
                free.append(values)
        return (free, True) if good else (left, False)

    def _tell(self, S: State, left: list[Values]) -> None:
        """Makes `legal` known to the narrows."""
        if not self._tells_legal:
            return
        self._start()
        told = []
        for values in left:
            self.bind(S, values)
            told.append(tuple([part(S) for part in self._told]))
        self._registers[self._legal_register] = tuple(told)

    def _late(self, S: State, left: list[Values]) -> list[Values]:
        """What tiers, narrows and `where` leave."""
        for _, holds, exempt in self._tiers:
            left, _kept = self._tier(S, left, holds, exempt)
        if self._narrows:
            self._tell(S, left)
            self._start()
            for _, holds, exempt in self._narrows:
                left = [values for values in left if self._holds(S, values, holds, exempt)]
        self._start()
        for _, holds, _exempt in self._wheres:
            left = [values for values in left if self._holds(S, values, holds, _never)]
        return left

    def _holds(self, S: State, values: Values, holds: Closure, exempt: Closure) -> bool:
        self.bind(S, values)
        return bool(holds(S) or exempt(S))


def _never(S: State) -> int:
    return 0


def _tests(compiler: Evaluator, clauses: Sequence[Clause]) -> list[Test]:
    return [
        (
            clause.reason,
            compiler.compile(clause.term),
            _never if clause.exempt is None else compiler.compile(clause.exempt),
        )
        for clause in clauses
    ]
