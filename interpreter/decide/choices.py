"""Decisions: which answers a seat has, from a state alone.

A `Question` answers for one decision of the program. The *whole view* takes, checks, counts and draws whole answers:
`(number of the alternative, values of its parts)`, or `DECLINE`. The *stepwise view* offers one atom after the other;
what it offers can always be completed, and of cards that look alike it offers one. Nothing here changes a state.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import TYPE_CHECKING, Any

from rulesdsl.ir.nodes import Ask

from ..state.cells import State
from ..state.errors import MatchError, NoAnswer
from .clauses import Reason, ReasonKind
from .making import plan_of
from .parts import STOP, Atom, Atoms, Step, unbounded
from .plan import Plan
from .plans import MOST_ANSWERS, Listed
from .writing import Blanks, Writing

if TYPE_CHECKING:
    from ..evaluate.terms import Evaluator

__all__ = ["DECLINE", "STOP", "Answer", "Atom", "Atoms", "Question", "Reason", "ReasonKind"]

Answer = tuple[Any, ...]
"""The number of an alternative and the tuple of the values of its parts; or `DECLINE`."""

DECLINE: Answer = ()
"""The answer, and the atom, of who takes none."""


class Question:
    """One decision, for the seat whose cells lie in the frame.

    `seat` is taken by every view, so that callers say for whom they ask; the frame says so to the terms.
    """

    def __init__(self, ask: Ask, frame: Mapping[int, int], evaluator: Evaluator) -> None:
        self.ask = ask
        self.optional = ask.optional
        with evaluator.framed(frame):
            self.plans: list[Plan] = [plan_of(evaluator, alternative) for alternative in ask.alternatives]
        self._sole = self.plans[0] if len(self.plans) == 1 else None

    # ── the whole view ───────────────────────────────────────────────────────────────────────────────────────────

    def check(self, S: State, seat: int, answer: Answer) -> bool:
        """Whether an answer is legal."""
        if answer == DECLINE:
            return self.optional
        plan = self._plan_of(answer)
        return plan is not None and plan.allows(S, answer[1])

    def why_not(self, S: State, seat: int, answer: Answer) -> list[Reason]:
        """What keeps an answer from being legal; nothing, if it is."""
        if answer == DECLINE:
            return [] if self.optional else [Reason("decline", None, ReasonKind.PICK)]
        plan = self._plan_of(answer)
        return [Reason("answer", None, ReasonKind.PICK)] if plan is None else plan.why_not(S, answer[1])

    def why_not_begun(self, S: State, seat: int, number: int, first: Any) -> list[Reason]:
        """What keeps all answers with this first part from being legal; nothing, if one of them is."""
        return self.plans[number].why_not_begun(S, first)

    def refused(self, S: State, seat: int) -> Iterator[tuple[Answer, list[Reason]]]:
        """The answers that the picks allow and some condition does not, each with what keeps it out."""
        for number, plan in enumerate(self.plans):
            for values in plan.candidates(S):
                reasons = plan.why_not(S, values)
                if reasons:
                    yield (number, values), reasons

    def unwritable(self, S: State, seat: int) -> Iterator[tuple[int, int, Blanks]]:
        """The parts that ask for writing of which there is no way, by alternative and part, and what they ask for."""
        for number, plan in enumerate(self.plans):
            for at, part in enumerate(plan.parts):
                if isinstance(part, Writing) and part.count(S) == 0:
                    yield number, at, part.demand(S)

    def count(self, S: State, seat: int) -> int:
        """How many answers are legal, declining among them where that is allowed."""
        return sum(plan.count(S) for plan in self.plans) + self.optional

    def answers(self, S: State, seat: int) -> Iterator[Answer]:
        """Every legal answer in canonical order, declining last.

        Raises:
            MatchError: behind the 20,000th.
        """
        number = 0
        for answer in self._acts(S):
            number += 1
            if number > MOST_ANSWERS:
                raise MatchError(f"{self.ask.name} has more than {MOST_ANSWERS} answers", self.ask.span)
            yield answer
        if self.optional:
            yield DECLINE

    def sample(self, S: State, seat: int, draw: Callable[[int], int]) -> Answer:
        """A legal answer (there is one), each as likely as any other; `draw` gives a number below a bound."""
        below = unbounded(draw)
        if self._sole is not None and not self.optional:
            return (0, self._sole.sample(S, below))
        counts = [plan.count(S) for plan in self.plans]
        rank = below(sum(counts) + self.optional)
        for number, (plan, count) in enumerate(zip(self.plans, counts, strict=True)):
            if rank < count:
                return (number, plan.sample(S, below))
            rank -= count
        return DECLINE

    def random_answer(self, S: State, seat: int, draw: Callable[[int], int]) -> Answer:
        """The answer of a player who decides by chance: `null` where that is all, else as `sample` gives it.

        The quick way for simulations: what is legal is worked out once.
        """
        if self._sole is not None and not self.optional:
            # Who can only do nothing has one answer, which is the one that is drawn.
            values = self._sole.drawn(S, draw)
            if values is not None:
                return (0, values)
        null = self.null(S, seat)
        return self.sample(S, seat, draw) if null is None else null

    # ── nothing to decide ────────────────────────────────────────────────────────────────────────────────────────

    def null(self, S: State, seat: int) -> Answer | None:
        """The answer that is given for who can only do nothing; None if there is something to decide.

        Raises:
            NoAnswer: if no answer is legal and the decision does not say what happens then.
        """
        acts: list[Answer] = []
        for number, plan in enumerate(self.plans):
            if plan.may_be_empty:
                acts += [(number, values) for values in plan.first_two(S)]
                if acts and (len(acts) > 1 or not plan.does_nothing(acts[0][1])):
                    return None
            elif plan.exists(S):
                return None
        if self.optional or (not acts and self.ask.has_else):
            return DECLINE
        if not acts:
            raise NoAnswer(f"{self.ask.name}: no answer is legal", self.ask.span)
        return acts[0]

    def is_forced(self, S: State, seat: int) -> bool:
        """Whether there is one answer and no choice, counting cards that look alike as one."""
        return self.complete(S, seat, ()) is not None

    # ── the stepwise view ────────────────────────────────────────────────────────────────────────────────────────

    def options(self, S: State, seat: int, prefix: Atoms) -> list[Atom]:
        """What the next atom may be, in canonical order; nothing, if the prefix is complete or leads nowhere.

        The first atom names the alternative, if several are possible, or declines.
        """
        return self._step(S, prefix)[0]

    def complete(self, S: State, seat: int, prefix: Atoms) -> Answer | None:
        """The answer that a prefix says, parts with one possible value filled in; None if an atom is missing."""
        return self._step(S, prefix)[1]

    def asked_part(self, S: State, seat: int, prefix: Atoms) -> tuple[int, int] | None:
        """Alternative and part that the next atom is about; None where it names the alternative."""
        asked = self._asked(S, prefix)
        return None if asked is None else (asked[0], asked[1].part)

    def blanks(self, S: State, seat: int, prefix: Atoms) -> tuple[Blanks, Atoms] | None:
        """What is to be written on, and what has been written, if that is what the next atom is about."""
        asked = self._asked(S, prefix)
        part = None if asked is None else self.plans[asked[0]].parts[asked[1].part]
        if asked is None or not isinstance(part, Writing) or isinstance(self.plans[asked[0]], Listed):
            return None
        return part.blanks(S), prefix[asked[1].at :]

    def _asked(self, S: State, prefix: Atoms) -> tuple[int, Step] | None:
        """The alternative that the next atom is about, and what it may be."""
        possible = [number for number, plan in enumerate(self.plans) if plan.exists(S)]
        if not possible:
            return None
        if len(possible) == 1 and (len(self.plans) == 1 or not self.optional):
            number, at = possible[0], 0
        elif prefix:
            number, at = prefix[0], 1
        else:
            return None
        step = self.plans[number].step(S, prefix, at, fill=at > 0 or not self.optional)
        return None if step.options is None else (number, step)

    def _step(self, S: State, prefix: Atoms) -> tuple[list[Atom], Answer | None]:
        """The options for the next atom, or the whole answer."""
        if prefix and prefix[0] == DECLINE:
            return [], DECLINE if self.optional and len(prefix) == 1 else None
        possible = [number for number, plan in enumerate(self.plans) if plan.exists(S)]
        decline: list[Atom] = [DECLINE] if self.optional else []
        if not possible:
            return (decline, None) if not prefix else ([], None)
        at = 0
        if len(possible) == 1 and (len(self.plans) == 1 or not self.optional):
            number = possible[0]
        elif not prefix:
            return [*possible, *decline], None
        elif prefix[0] in possible:
            number, at = prefix[0], 1
        else:
            return [], None
        may_decline = self.optional and at == 0
        step = self.plans[number].step(S, prefix, at, fill=not may_decline)
        if step.options is not None:
            return ([*step.options, *decline] if not prefix and may_decline else step.options), None
        if may_decline and step.at == 0:
            # Nothing was picked, and yet doing it and declining are two things.
            if not prefix:
                return [number, *decline], None
            return ([], (number, step.value)) if prefix == (number,) else ([], None)
        return ([], (number, step.value)) if step.at == len(prefix) else ([], None)

    # ── inside ───────────────────────────────────────────────────────────────────────────────────────────────────

    def _plan_of(self, answer: Answer) -> Plan | None:
        match answer:
            case (int(number), tuple()) if 0 <= number < len(self.plans):
                return self.plans[number]
            case _:
                return None

    def _acts(self, S: State) -> Iterator[Answer]:
        for number, plan in enumerate(self.plans):
            for values in plan.answers(S):
                yield (number, values)
