"""Steps that run through, as one function of the state: the fast way to do what needs no stop.

Loops are Python loops here and procedures are called where they stand, because nobody thinks in between and nothing has
to be found again. Operations are counted as everywhere else.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from rulesdsl.diagnostic import InternalError
from rulesdsl.ir.nodes import (
    Activate,
    Announce,
    Ask,
    Assign,
    Block,
    Branch,
    Deactivate,
    DrawRandom,
    Each,
    EndPhase,
    Handler,
    Increase,
    MakePlay,
    Move,
    Operation,
    Perform,
    Phase,
    Point,
    ProceedStep,
    Repeat,
    Roll,
    RollOne,
    RunProcedure,
    Show,
    Shuffle,
    Swap,
    Together,
    Window,
)

from ..evaluate.terms import Evaluator
from ..sight.event import Entered
from ..sight.notes import Notes
from ..state.cells import FP, FRAME_HEAD, STEPS
from ..state.layout import Layout
from ..state.limits import MOST_OPERATIONS, LimitReached, count_operations
from .code import Cells, Effect
from .effects import Effects
from .frames import Frame, pop, push
from .turns import members_of


class Fused:
    """Makes functions from blocks that run through. `frames` are those of all procedures, by index."""

    def __init__(
        self, layout: Layout, evaluator: Evaluator, effects: Effects, notes: Notes | None, frames: Sequence[Frame]
    ) -> None:
        self._layout = layout
        self._evaluator = evaluator
        self._effects = effects
        self._notes = notes
        self._frames = frames
        self._bodies: dict[int, Effect] = {}
        self._proceed: Callable[[ProceedStep, Frame], Effect] | None = None

    def block(self, block: Block, frame: Frame) -> Effect:
        """All operations of a block, one after the other."""
        return in_turn([self.operation(operation, frame) for operation in block], len(block))

    def operation(self, operation: Operation, frame: Frame) -> Effect:
        """One operation, without being counted."""
        match operation:
            case (
                Move()
                | MakePlay()
                | Swap()
                | Shuffle()
                | Show()
                | Assign()
                | Increase()
                | Roll()
                | RollOne()
                | DrawRandom()
                | Announce()
            ):
                return self._effects.step(operation, frame.offsets).step
            case Branch():
                return self._branch(operation, frame)
            case Each():
                return self._each(operation, frame)
            case Repeat():
                return self._repeat(operation, frame)
            case Phase():
                return self._phase(operation, frame)
            case RunProcedure():
                return self._run(operation, frame)
            case ProceedStep() if self._proceed is not None:
                return self._proceed(operation, frame)
            case ProceedStep() | Together() | Ask() | Window() | EndPhase() | Activate() | Deactivate() | Perform():
                raise InternalError(f"{type(operation).__name__} does not run through")

    # ── control ────────────────────────────────────────────────────────────────────────────────────────────────────

    def _branch(self, branch: Branch, frame: Frame) -> Effect:
        condition = self._evaluator.term(branch.condition, frame.offsets)
        then = self.block(branch.then, frame)
        if not branch.otherwise:

            def when(S: Cells) -> None:
                if condition(S):
                    then(S)

            return when
        otherwise = self.block(branch.otherwise, frame)

        def either(S: Cells) -> None:
            if condition(S):
                then(S)
            else:
                otherwise(S)

        return either

    def _each(self, loop: Each, frame: Frame) -> Effect:
        members = members_of(loop, self._layout, self._evaluator, frame.offsets)
        cell = frame.offsets[loop.cell.id]
        body = self.block(loop.body, frame)
        term = self._evaluator.term
        where = None if loop.where is None else term(loop.where, frame.offsets)
        going = None if loop.while_ is None else term(loop.while_, frame.offsets)
        rounds = None if loop.rounds is None else term(loop.rounds, frame.offsets)
        span = loop.span
        if rounds is None and going is None:

            def once(S: Cells) -> None:
                here = S[FP] + cell
                for member in members(S):
                    S[here] = member
                    if where is None or where(S):
                        body(S)
                if S[STEPS] > MOST_OPERATIONS:
                    count_operations(S, 1, span)

            return once

        def round_after_round(S: Cells) -> None:
            here = S[FP] + cell
            among = members(S)
            left = 1 if rounds is None else rounds(S)
            while left > 0:
                left -= 1
                had_turn = False
                for member in among:
                    S[here] = member
                    if where is not None and not where(S):
                        continue
                    if going is not None and not going(S):
                        return
                    had_turn = True
                    body(S)
                count_operations(S, 1, span)
                if not had_turn:
                    return

        return round_after_round

    def _repeat(self, loop: Repeat, frame: Frame) -> Effect:
        term = self._evaluator.term
        body = self.block(loop.body, frame)
        until = None if loop.until is None else term(loop.until, frame.offsets)
        going = None if loop.while_ is None else term(loop.while_, frame.offsets)
        times = None if loop.times is None else term(loop.times, frame.offsets)
        at_most = None if loop.at_most is None else term(loop.at_most, frame.offsets)
        span = loop.span

        def repeat(S: Cells) -> None:
            turns = 0
            wanted = -1 if times is None else max(times(S), 0)
            net = -1 if at_most is None else at_most(S)
            while turns != wanted:
                if going is not None and not going(S):
                    return
                if turns == net:
                    raise LimitReached(f"a loop that takes at most {net} turns would take one more", span)
                turns += 1
                body(S)
                if until is not None and until(S):
                    return
                count_operations(S, 1, span)

        return repeat

    # ── events ─────────────────────────────────────────────────────────────────────────────────────────────────────

    def _phase(self, phase: Phase, frame: Frame) -> Effect:
        event = self._event(phase.handlers, phase.resets, phase.body, frame, None, self.entered(phase))
        if phase.when is None:
            return event
        when = self._evaluator.term(phase.when, frame.offsets)

        def guarded(S: Cells) -> None:
            if when(S):
                event(S)

        return guarded

    def _run(self, call: RunProcedure, frame: Frame) -> Effect:
        index = self._layout.procedure_index[call.procedure]
        called = self._frames[index]
        blank = called.blank
        arguments = [self._evaluator.term(argument, frame.offsets) for argument in call.arguments]
        body = self._body(index)

        def run(S: Cells) -> None:
            push(S, blank, 0, tuple([argument(S) for argument in arguments]))
            body(S)
            pop(S)

        return run

    def _body(self, index: int) -> Effect:
        """What a procedure does in its frame; made once."""
        if index not in self._bodies:
            frame = self._frames[index]
            procedure = frame.procedure
            start = self.state(frame)
            event = self._event(procedure.handlers, procedure.resets, procedure.body, frame, procedure.name, None)
            self._bodies[index] = event if start is None else in_turn([start, event], 0)
        return self._bodies[index]

    def _event(
        self,
        handlers: Sequence[Handler],
        resets: Sequence[str],
        body: Block,
        frame: Frame,
        procedure: str | None,
        entered: Effect | None,
    ) -> Effect:
        core: list[Effect] = [] if entered is None or self._notes is None else [entered]
        if resets:
            core.append(self.resets(resets))
        core += [self._handler(handler, frame) for handler in handlers if handler.point is Point.BEFORE]
        core += [self.operation(operation, frame) for operation in body]
        core += [self._handler(handler, frame) for handler in handlers if handler.point is Point.AFTER]
        event = in_turn(core, len(body))
        for handler in reversed([handler for handler in handlers if handler.point is Point.INSTEAD]):
            event = self._instead(handler, frame, event, procedure)
        return event

    def _instead(self, handler: Handler, frame: Frame, event: Effect, procedure: str | None) -> Effect:
        outer = self._proceed

        def proceed(step: ProceedStep, within: Frame) -> Effect:
            arguments = [self._evaluator.term(argument, within.offsets) for argument in step.arguments]
            if not arguments or procedure is None:
                return event
            first = first_argument(frame, len(arguments))

            def with_arguments(S: Cells) -> None:
                base = S[FP] + first
                S[base : base + len(arguments)] = [argument(S) for argument in arguments]
                event(S)

            return with_arguments

        self._proceed = proceed
        body = self.block(handler.body, frame)
        self._proceed = outer
        if handler.guard is None:
            return body
        guard = self._evaluator.term(handler.guard, frame.offsets)

        def guarded(S: Cells) -> None:
            if guard(S):
                body(S)
            else:
                event(S)

        return guarded

    def _handler(self, handler: Handler, frame: Frame) -> Effect:
        outer, self._proceed = self._proceed, None
        body = self.block(handler.body, frame)
        self._proceed = outer
        if handler.guard is None:
            return body
        guard = self._evaluator.term(handler.guard, frame.offsets)

        def guarded(S: Cells) -> None:
            if guard(S):
                body(S)

        return guarded

    # ── what the table of instructions needs as well ───────────────────────────────────────────────────────────────

    def entered(self, phase: Phase) -> Effect:
        """Notes down that a phase begins. Without anybody to do so it does nothing, so that all tables agree."""
        if self._notes is None:
            return _do_nothing
        emit, event = self._notes.emit, Entered(phase.path)
        return lambda S: emit(event)

    def resets(self, names: Sequence[str]) -> Effect:
        """States go back to what they hold at the start."""
        resets = [self._effects.reset(name) for name in names]
        return in_turn(resets, 0)

    def state(self, frame: Frame) -> Effect | None:
        """The values with which a run of a procedure begins; None if it keeps nothing."""
        given = [
            (frame.offsets[cell], self._evaluator.term(value, frame.offsets)) for cell, value in frame.procedure.state
        ]
        if not given:
            return None

        def start(S: Cells) -> None:
            for offset, value in given:
                S[S[FP] + offset] = value(S)

        return start


def first_argument(frame: Frame, count: int) -> int:
    """Where the last `count` arguments of a procedure begin: what is left out in front stays as it is."""
    procedure = frame.procedure
    given = procedure.parameters + (1 if procedure.acting else 0)
    if count > given:
        raise InternalError(f"{procedure.name} takes {given} arguments, not {count}")
    return FRAME_HEAD + given - count


def in_turn(effects: Sequence[Effect], count: int) -> Effect:
    """Several effects as one, which counts as `count` operations."""
    if len(effects) == 1:
        only = effects[0]

        def one(S: Cells) -> None:
            S[STEPS] += count
            only(S)

        return one if count else only
    if len(effects) == 2:
        first, second = effects

        def two(S: Cells) -> None:
            S[STEPS] += count
            first(S)
            second(S)

        return two
    together = tuple(effects)

    def all_of_them(S: Cells) -> None:
        S[STEPS] += count
        for effect in together:
            effect(S)

    return all_of_them


def _do_nothing(S: Cells) -> None:
    """Nothing."""
