"""Decisions that are made at once, at random: for playouts, in which nobody is asked.

An answer is drawn among all whole answers, each as likely as any other. Who can only do nothing draws nothing.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from rulesdsl.ir.nodes import Ask, Bound, PickWriting
from rulesdsl.types import NONE, Seat

from ..decide.choices import Question
from ..evaluate.locals import Locals
from ..state.cells import FP, STEPS
from ..state.errors import MatchError
from ..state.limits import count_operations
from .code import DECLINED, Cells, Decide, Effect
from .frames import Frame, unbound
from .straight import placed

if TYPE_CHECKING:
    from ..decide.parts import Luck
    from .asking import Asking
    from .assemble import Assembler

SOON = 1000
"""So few steps are not worth finding out whether a seat that chose nothing had a choice, which would end the count."""


class Drawing:
    """Makes functions from decisions; each draws an answer, writes it down and says which alternative it was."""

    def __init__(self, assembler: Assembler, asking: Asking, luck: Luck) -> None:
        self._assembler = assembler
        self._asking = asking
        self._luck = luck

    def decide(self, ask: Ask, frame: Frame) -> Decide:
        """A decision of one seat."""
        by = self._assembler.term(ask.by, frame)
        question = Question(ask, frame.offsets, self._assembler.evaluator)
        quick = self._quick(ask, question, frame)
        span = ask.span
        if quick is not None and isinstance(ask.by.type, Seat) and self._is_given(ask, frame):
            return quick
        if quick is None:
            return self._by_question(ask, question, frame)
        decide = quick

        def checked(S: Cells) -> int:
            if by(S) == NONE:
                raise MatchError(f"nobody is there to decide `{ask.name}`", span)
            return decide(S)

        return checked

    def _is_given(self, ask: Ask, frame: Frame) -> bool:
        """Whether who decides is a parameter of the procedure or the one whose turn it is, who is always there."""
        with self._assembler.evaluator.framed(frame.offsets):
            return isinstance(self._assembler.evaluator.prepared(ask.by), Bound)

    def _by_question(self, ask: Ask, question: Question, frame: Frame) -> Decide:
        by = self._assembler.term(ask.by, frame)
        record = self._asking.recorder(ask, frame, sealed=False)
        draw = self._asking.decider(ask, question)
        span = ask.span

        def decide(S: Cells) -> int:
            seat = by(S)
            if seat == NONE:
                raise MatchError(f"nobody is there to decide `{ask.name}`", span)
            try:
                return record(S, seat, draw(S, seat))
            except MatchError as error:
                raise placed(error, span) from None

        return decide

    def _quick(self, ask: Ask, question: Question, frame: Frame) -> Decide | None:
        """A decision about one value where nobody looks."""
        if self._assembler.notes is not None or len(ask.alternatives) != 1 or ask.optional:
            return None
        parts = ask.alternatives[0].parts
        if len(parts) != 1 or isinstance(parts[0].pick, PickWriting):
            return None
        drawn = question.plans[0].quick(self._luck)
        if drawn is None:
            return None
        cell = parts[0].cell.id
        without = self._without_answer(ask, question, frame)
        can_be_empty = question.plans[0].may_be_empty
        look_for_choice = self._looking_for_choice(ask, question, frame)
        if not isinstance(frame.offsets, Locals):
            offset = frame.offsets[cell]

            def decide(S: Cells) -> int:
                value = drawn(S)
                if value is None:
                    return without(S)
                if value or not can_be_empty:
                    S[STEPS] = 0
                else:
                    S[STEPS] += 1
                    if S[STEPS] > SOON:
                        look_for_choice(S)
                S[S[FP] + offset] = value
                return 0

            return decide
        register, R = frame.offsets.registers[cell], self._assembler.evaluator.registers
        if not can_be_empty:

            def pick(S: Cells) -> int:
                value = R[register] = drawn(S)
                if value is None:
                    return without(S)
                S[STEPS] = 0
                return 0

            return pick

        def pick_some(S: Cells) -> int:
            value = R[register] = drawn(S)
            if value:
                S[STEPS] = 0
                return 0
            if value is None:
                return without(S)
            S[STEPS] += 1
            if S[STEPS] > SOON:
                look_for_choice(S)
            return 0

        return pick_some

    def _without_answer(self, ask: Ask, question: Question, frame: Frame) -> Decide:
        """What happens where no answer is legal: the decision is declined, or the match breaks off."""
        by = self._assembler.term(ask.by, frame)
        null, offset = question.null, frame.offsets
        R = self._assembler.evaluator.registers
        cell = ask.alternatives[0].parts[0].cell

        def without(S: Cells) -> int:
            if isinstance(offset, Locals):
                R[offset.registers[cell.id]] = unbound(cell.type)
            try:
                null(S, by(S))
            except MatchError as error:
                raise placed(error, ask.span) from None
            S[STEPS] += 1
            return DECLINED

        return without

    def _looking_for_choice(self, ask: Ask, question: Question, frame: Frame) -> Effect:
        """Who chose nothing may have had a choice, which ends a count; finding out waits until the count is high."""
        by = self._assembler.term(ask.by, frame)
        null, span = question.null, ask.span

        def look(S: Cells) -> None:
            if null(S, by(S)) is None:
                S[STEPS] = 0
            else:
                count_operations(S, 0, span)

        return look
