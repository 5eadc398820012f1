"""Decisions: which answers a seat has, from a state alone.

A `Question` answers for one decision of the program. The *whole view* takes, checks, counts and draws whole answers:
`(number of the alternative, values of its parts)`, or `DECLINE`. The *stepwise view* offers one atom after the other;
what it offers can always be completed, and of cards that look alike it offers one. Nothing here changes a state.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from rulesdsl.ir.nodes import Ask, PickMembers

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


@dataclass(frozen=True, slots=True)
class _Act:
    """One thing that can be done: its number, the alternatives that are ways of doing it, and which an atom begins."""

    number: int
    ways: list[int]
    first: dict[Atom, int]


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
        self.acts: list[list[int]] = _acts_of(ask)
        """The numbers of the alternatives that are ways of doing one thing, told apart by what comes first in them."""

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

        The first atom names the act by its first alternative, if several are possible, or declines.
        """
        return self._step(S, prefix)[0]

    def complete(self, S: State, seat: int, prefix: Atoms) -> Answer | None:
        """The answer that a prefix says, parts with one possible value filled in; None if an atom is missing."""
        return self._step(S, prefix)[1]

    def asked_part(self, S: State, seat: int, prefix: Atoms) -> tuple[int, int] | None:
        """Alternative and part that the next atom is about; None where it names the act."""
        asked = self._asked(S, prefix)
        return None if asked is None else (asked[0], asked[1].part)

    def settled(self, S: State, seat: int, prefix: Atoms) -> tuple[int, tuple[Any, ...]] | None:
        """The alternative, and the values of the parts that come before what the next atom is about."""
        asked = self._asked(S, prefix)
        return None if asked is None else (asked[0], asked[1].before)

    def blanks(self, S: State, seat: int, prefix: Atoms) -> tuple[Blanks, Atoms] | None:
        """What is to be written on, and what has been written, if that is what the next atom is about."""
        asked = self._asked(S, prefix)
        part = None if asked is None else self.plans[asked[0]].parts[asked[1].part]
        if asked is None or not isinstance(part, Writing) or isinstance(self.plans[asked[0]], Listed):
            return None
        return part.blanks(S), prefix[asked[1].at :]

    def _asked(self, S: State, prefix: Atoms) -> tuple[int, Step] | None:
        """The alternative that the next atom is about, and what it may be."""
        begun = self._begun(S, prefix)
        if begun is None:
            return None
        act, at = begun
        number, step = self._step_of(S, act, prefix, at, fill=not self.optional)
        return None if step.options is None else (number, step)

    def _step(self, S: State, prefix: Atoms) -> tuple[list[Atom], Answer | None]:
        """The options for the next atom, or the whole answer."""
        if prefix and prefix[0] == DECLINE:
            return [], DECLINE if self.optional and len(prefix) == 1 else None
        decline: list[Atom] = [DECLINE] if self.optional else []
        begun = self._begun(S, prefix)
        if begun is None:
            acts = [act.number for act in self._possible(S)]
            return ([*acts, *decline] if not prefix else []), None
        act, at = begun
        may_decline = self.optional and at == 0
        number, step = self._step_of(S, act, prefix, at, fill=not may_decline)
        if step.options is not None:
            return ([*step.options, *decline] if not prefix and may_decline else step.options), None
        if may_decline and step.at == 0:
            # Nothing was picked, and yet doing it and declining are two things.
            if not prefix:
                return [number, *decline], None
            return ([], (number, step.value)) if prefix == (number,) else ([], None)
        return ([], (number, step.value)) if step.at == len(prefix) else ([], None)

    def _possible(self, S: State) -> list[_Act]:
        """The acts that can be done, each with those of its ways that lead somewhere."""
        found: list[_Act] = []
        for act in self.acts:
            ways = [number for number in act if self.plans[number].exists(S)]
            first = self._first_atoms(S, ways) if len(ways) > 1 else {}
            if first is None:
                found += [_Act(number, [number], {}) for number in ways]
            elif ways:
                found.append(_Act(act[0], ways, first))
        return found

    def _first_atoms(self, S: State, ways: list[int]) -> dict[Atom, int] | None:
        """Which way begins with an atom; None if one begins several, so that it does not tell them apart."""
        first: dict[Atom, int] = {}
        for number in ways:
            for atom in self.plans[number].step(S, (), 0, fill=False).options or ():
                if first.setdefault(atom, number) != number:
                    return None
        return first

    def _begun(self, S: State, prefix: Atoms) -> tuple[_Act, int] | None:
        """The act that a prefix is about, and where what it says of that act begins; None if it is not said yet."""
        possible = self._possible(S)
        if len(possible) == 1 and (len(self.acts) == 1 or not self.optional):
            return possible[0], 0
        named = next((act for act in possible if prefix and prefix[0] == act.number), None)
        return None if named is None else (named, 1)

    def _step_of(self, S: State, act: _Act, prefix: Atoms, at: int, *, fill: bool) -> tuple[int, Step]:
        """What may come next in one of the ways of an act: its first atom says in which."""
        fill = fill or at > 0
        if len(act.ways) == 1 or (fill and len(act.first) == 1):
            number = act.ways[0] if len(act.ways) == 1 else next(iter(act.first.values()))
            return number, self.plans[number].step(S, prefix, at, fill=fill)
        if len(prefix) == at:
            return act.ways[0], Step(sorted(act.first), at=at)
        number = act.first.get(prefix[at], -1)
        if number < 0:
            return act.ways[0], Step([])
        # The first part takes its atom even where this way alone would have had to fill it in.
        step = self.plans[number].step(S, prefix[at:], 0, fill=False)
        return number, replace(step, at=step.at + at)

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


def _acts_of(ask: Ask) -> list[list[int]]:
    """The alternatives of a decision by what is done: those of one name that begin with the same single pick."""
    acts: dict[object, list[int]] = {}
    for number, alternative in enumerate(ask.alternatives):
        first = alternative.parts[0] if alternative.parts else None
        if first is None or not isinstance(first.pick, PickMembers) or not first.pick.single:
            acts[number] = [number]
        else:
            acts.setdefault((alternative.name, first.cell.name, first.cell.type), []).append(number)
    return list(acts.values())
