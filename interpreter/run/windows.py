"""Windows as instructions: a decision that is offered to one seat after the other."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rulesdsl.ir.nodes import Closing, Window
from rulesdsl.types import NONE

from ..decide.choices import DECLINE
from ..state.cells import FP
from ..state.errors import MatchError
from ..state.limits import LimitReached, count_operations
from .asking import Asking
from .code import DECLINED, Cells, Instruction, Label
from .frames import Frame

if TYPE_CHECKING:
    from .assemble import Assembler


class Windows:
    """Assembles windows."""

    def __init__(self, assembler: Assembler, asking: Asking) -> None:
        self._assembler = assembler
        self._asking = asking

    def window(self, window: Window, frame: Frame) -> None:
        """Offers a decision to one seat after the other."""
        assembler = self._assembler
        code = assembler.code
        seats = assembler.layout.seats
        first, turn, passes, answers = frame.keep(0), frame.keep(0), frame.keep(0), frame.keep(0)
        cell = frame.offsets[window.cell.id]
        start = assembler.term(window.start, frame)
        closes = None if window.closes_if is None else assembler.term(window.closes_if, frame)
        where = None if window.where is None else assembler.term(window.where, frame)
        again = None if window.again is None else assembler.term(window.again, frame)
        at_most = None if window.at_most is None else assembler.term(window.at_most, frame)
        refuse = self._asking.recorder(window.ask, frame, sealed=False)
        span = window.span
        ask, closing = window.ask, window.closing
        asking, deciding, end = Label(), Label(), Label()

        def begin(S: Cells) -> None:
            seat = start(S)
            if seat == NONE:
                raise MatchError("it is not said who is asked first", span)
            base = S[FP]
            S[base + first] = S[base + turn] = seat
            S[base + passes] = S[base + answers] = 0

        def make() -> Instruction:
            decides, closed = deciding.pc, end.pc

            def ask_next(S: Cells) -> int:
                count_operations(S, 1, span)
                base = S[FP]
                while S[base + passes] < seats:
                    if closes is not None and closes(S):
                        return closed
                    seat = S[base + turn]
                    S[base + cell] = seat
                    S[base + turn] = (seat + 1) % seats
                    if where is None or where(S):
                        return decides
                    # Who isn't asked passes, and it looks the same.
                    refuse(S, seat, DECLINE)
                    S[base + passes] += 1
                return closed

            return ask_next

        def first_turn(S: Cells) -> None:
            begin(S)
            base = S[FP]
            S[base + cell] = S[base + turn]
            S[base + turn] = (S[base + turn] + 1) % seats

        def passed(S: Cells) -> None:
            S[S[FP] + passes] += 1

        def answered(S: Cells) -> None:
            base = S[FP]
            S[base + answers] += 1
            if at_most is not None and S[base + answers] > at_most(S):
                raise LimitReached(f"`{window.name}` was answered more than {S[base + answers] - 1} times", span)
            if closing is Closing.ONCE_EACH:
                S[base + passes] += 1
            elif closing is Closing.FIRST:
                S[base + passes] = seats
            else:
                S[base + passes] = 0
                S[base + turn] = S[base + first]

        def asked_again(S: Cells) -> None:
            if again is not None and closing is Closing.ALL_PASS:
                seat = again(S)
                if seat == NONE:
                    raise MatchError("it is not said who is asked again", span)
                S[S[FP] + turn] = seat

        def body() -> None:
            targets = self._asking.decide(ask, frame)
            for alternative, label in zip(ask.alternatives, targets, strict=False):
                code.place(label)
                code.effect(answered, span)
                assembler.block(alternative.body, frame)
                if again is not None:
                    code.effect(asked_again, span)
                code.jump(asking)
            code.place(targets[DECLINED])
            code.effect(passed, span)
            assembler.block(ask.otherwise, frame)
            code.jump(asking)

        code.effect(begin, span)
        code.place(asking)
        code.add(make, span)
        code.place(deciding)
        assembler.inside(first_turn, body)
        code.place(end)
