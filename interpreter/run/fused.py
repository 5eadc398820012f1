"""Steps that run through, as one function of the state: the fast way to do what needs no stop.

Loops are Python loops here and procedures are called where they stand, because nobody thinks in between and nothing has
to be found again. The same holds of decisions where those are drawn at once. Operations are counted as everywhere else.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, cast

from rulesdsl.diagnostic import InternalError
from rulesdsl.ir.nodes import (
    Activate,
    Alternative,
    Announce,
    Ask,
    Assign,
    Block,
    Branch,
    Cell,
    Const,
    Deactivate,
    DrawRandom,
    Each,
    EndPhase,
    Handler,
    Increase,
    MakePlay,
    Move,
    Operation,
    Part,
    Phase,
    Point,
    PowerForm,
    Procedure,
    ProceedStep,
    Repeat,
    Roll,
    RollOne,
    RunProcedure,
    Show,
    Shuffle,
    Swap,
    Term,
    Together,
    Window,
)
from rulesdsl.types import NONE, Card, SetOf

from ..evaluate.locals import Locals, can_be_local, looked_for
from ..evaluate.operands import Operand
from ..evaluate.terms import Evaluator
from ..sight.event import Entered
from ..sight.notes import Notes
from ..state.cells import FP, FRAME_HEAD, STEPS
from ..state.layout import Layout
from ..state.limits import MOST_OPERATIONS, LimitReached, count_operations
from .code import DECLINED, Cells, Decide, Effect, do_nothing
from .effects import Effects
from .forms import card_in_play
from .frames import Frame, pop, push, refuse_none, unbound
from .straight import in_turn, placing
from .turns import members_of
from .weights import Weights


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
        self._bodies: dict[int, tuple[Frame, Effect]] = {}
        self.weights = Weights(layout)
        self._not_local = looked_for(layout.program)
        self.decide: Callable[[Ask, Frame], Decide] | None = None
        """Makes decisions, if they are made at once."""
        self._proceed: Callable[[ProceedStep, Frame], Effect] | None = None

    def block(self, block: Block, frame: Frame) -> Effect:
        """All operations of a block, one after the other."""
        return in_turn([self.operation(operation, frame) for operation in block])

    def operation(self, operation: Operation, frame: Frame) -> Effect:
        """One operation. What lies inside of loops is counted by them, turn by turn; the rest is not counted."""
        mark = self._evaluator.marked(operation, frame.offsets)
        effect = self._effect(operation, frame)
        return effect if mark is None else in_turn([mark, effect])

    def _effect(self, operation: Operation, frame: Frame) -> Effect:
        match operation:
            case Move() | MakePlay() | Swap() | Show() | Assign() | Increase() | Announce():
                return self._effects.step(operation, frame.offsets).step
            case Shuffle() | Roll() | RollOne() | DrawRandom():
                return placing(self._effects.step(operation, frame.offsets).step, operation.span)
            case Ask() if self.decide is not None:
                return self._ask(operation, frame, self.decide(operation, frame))
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
            case ProceedStep() | Together() | Ask() | Window() | EndPhase() | Activate() | Deactivate():
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
        bind = self._binder(loop.cell.id, frame)
        body = self.block(loop.body, frame)
        term = self._evaluator.term
        where = None if loop.where is None or self._always(loop.where) else term(loop.where, frame.offsets)
        going = None if loop.while_ is None else term(loop.while_, frame.offsets)
        rounds = None if loop.rounds is None else term(loop.rounds, frame.offsets)
        span = loop.span
        weight = 1 + self.weights.of(loop.body)
        if rounds is None and going is None and isinstance(frame.offsets, Locals):
            register, R = frame.offsets.registers[loop.cell.id], self._evaluator.registers

            def for_all(S: Cells) -> None:
                for R[register] in members(S):
                    if where is None or where(S):
                        S[STEPS] += weight
                        body(S)
                if S[STEPS] > MOST_OPERATIONS:
                    count_operations(S, 0, span)

            return for_all
        if rounds is None and going is None:

            def once(S: Cells) -> None:
                for member in members(S):
                    bind(S, member)
                    if where is None or where(S):
                        S[STEPS] += weight
                        body(S)
                if S[STEPS] > MOST_OPERATIONS:
                    count_operations(S, 0, span)

            return once

        def round_after_round(S: Cells) -> None:
            among = members(S)
            left = 1 if rounds is None else rounds(S)
            while left > 0:
                left -= 1
                had_turn = False
                for member in among:
                    bind(S, member)
                    if where is not None and not where(S):
                        continue
                    if going is not None and not going(S):
                        return
                    had_turn = True
                    S[STEPS] += weight
                    body(S)
                count_operations(S, 1, span)
                if not had_turn:
                    return

        return round_after_round

    def _always(self, condition: Term) -> bool:
        prepared = self._evaluator.prepared(condition)
        return isinstance(prepared, Const) and prepared.value == 1

    def _binder(self, cell: int, frame: Frame) -> Callable[[Cells, Any], None]:
        """What gives a cell of a procedure its value."""
        R = self._evaluator.registers
        if isinstance(frame.offsets, Locals):
            register = frame.offsets.registers[cell]

            def bind_local(S: Cells, value: Any) -> None:
                R[register] = value

            return bind_local
        offset = frame.offsets[cell]

        def bind(S: Cells, value: Any) -> None:
            S[S[FP] + offset] = value

        return bind

    def _repeat(self, loop: Repeat, frame: Frame) -> Effect:
        term = self._evaluator.term
        body = self.block(loop.body, frame)
        until = None if loop.until is None else term(loop.until, frame.offsets)
        going = None if loop.while_ is None else term(loop.while_, frame.offsets)
        times = None if loop.times is None else term(loop.times, frame.offsets)
        at_most = None if loop.at_most is None else term(loop.at_most, frame.offsets)
        span = loop.span
        weight = 1 + self.weights.of(loop.body)

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
                S[STEPS] += weight
                body(S)
                if until is not None and until(S):
                    return
                if S[STEPS] > MOST_OPERATIONS:
                    count_operations(S, 0, span)

        return repeat

    def _ask(self, ask: Ask, frame: Frame, decide: Decide) -> Effect:
        """A decision that is made at once, and what follows it."""
        follows = [self.block(each.body, frame) for each in ask.alternatives] + [self.block(ask.otherwise, frame)]
        chosen = self._decision_with_handlers(ask, frame, decide) if ask.handlers else decide
        first, otherwise = follows[0], follows[-1]
        if all(effect is do_nothing for effect in follows):
            return cast(Effect, chosen)
        if len(follows) > 2 or otherwise is not do_nothing:
            return lambda S: follows[chosen(S)](S)
        register = self._walked_afterwards(ask, frame)
        if register is not None:
            R = self._evaluator.registers

            def each_of_them(S: Cells) -> None:
                if chosen(S) == 0 and R[register]:
                    first(S)

            return each_of_them

        def if_answered(S: Cells) -> None:
            if chosen(S) == 0:
                first(S)

        return if_answered

    def _walked_afterwards(self, ask: Ask, frame: Frame) -> int | None:
        """The register of what was chosen, if all that follows is a loop over that: nothing follows if it is empty."""
        match ask.alternatives:
            case (Alternative(parts=(Part(cell=cell),), body=(Each(source=Cell(id=walked), start=None),)),):
                if walked == cell.id and isinstance(cell.type, SetOf) and isinstance(frame.offsets, Locals):
                    return frame.offsets.registers[walked]
        return None

    def _decision_with_handlers(self, ask: Ask, frame: Frame, decide: Decide) -> Decide:
        """What comes after a decision is left out if it was declined; if something else happens instead, it is so."""
        before = [self._handler(handler, frame) for handler in ask.handlers if handler.point is Point.BEFORE]
        after = [self._handler(handler, frame) for handler in ask.handlers if handler.point is Point.AFTER]
        chosen = DECLINED

        def core(S: Cells) -> None:
            nonlocal chosen
            for effect in before:
                effect(S)
            outcome = decide(S)
            if outcome != DECLINED:
                for effect in after:
                    effect(S)
            chosen = outcome

        event = self._with_insteads(ask.handlers, frame, core, None)

        def with_handlers(S: Cells) -> int:
            nonlocal chosen
            chosen = DECLINED
            event(S)
            return chosen

        return with_handlers

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
        operands = [self._evaluator.operand(argument, frame.offsets) for argument in call.arguments]
        arguments = [argument.worth for argument in operands]
        called, body = self._body(index)
        if isinstance(called.offsets, Locals):
            return self._run_with_locals(call, called, called.offsets, operands, body)
        blank, procedure = called.blank, called.procedure

        def run(S: Cells) -> None:
            given = tuple([argument(S) for argument in arguments])
            if NONE in given:
                refuse_none(given, call, procedure)
            push(S, blank, 0, given)
            body(S)
            pop(S)

        return run

    def _run_with_locals(
        self, call: RunProcedure, called: Frame, local: Locals, operands: Sequence[Operand], body: Effect
    ) -> Effect:
        """A run of a procedure whose cells are locals: they begin as those of a frame do."""
        R = self._evaluator.registers
        registers = list(local.registers.values())
        arguments = [argument.worth for argument in operands]
        if not registers:
            return body
        first, last, procedure = registers[0], registers[-1] + 1, called.procedure
        unset = [unbound(cell.type) for cell in called.procedure.cells[len(arguments) :]]
        if len(arguments) == 1:
            (argument,) = arguments
            second = first + 1
            given = operands[0].register
            if given is not None:

                def run_with_local(S: Cells) -> None:
                    R[first] = R[given]
                    if R[first] == NONE:
                        refuse_none((NONE,), call, procedure)
                    R[second:last] = unset
                    body(S)

                return run_with_local

            def run_with_one(S: Cells) -> None:
                R[first] = argument(S)
                if R[first] == NONE:
                    refuse_none((NONE,), call, procedure)
                R[second:last] = unset
                body(S)

            return run_with_one
        if not arguments:

            def run_without(S: Cells) -> None:
                R[first:last] = unset
                body(S)

            return run_without

        def run(S: Cells) -> None:
            given = [argument(S) for argument in arguments]
            if NONE in given:
                refuse_none(given, call, procedure)
            R[first:last] = given + unset
            body(S)

        return run

    def _body(self, index: int) -> tuple[Frame, Effect]:
        """What a procedure does in its frame, or with locals; made once."""
        if index not in self._bodies:
            frame = self._frames[index]
            procedure = frame.procedure
            if procedure.name not in self._not_local and all(can_be_local(cell) for cell in procedure.cells):
                frame = Frame(index, procedure, Locals(self._evaluator, procedure.cells))
            start = self.state(frame)
            opening = self.opening(procedure, frame)
            event = self._event(procedure.handlers, procedure.resets, procedure.body, frame, procedure, opening)
            self._bodies[index] = frame, event if start is None else in_turn([start, event])
        return self._bodies[index]

    def _event(
        self,
        handlers: Sequence[Handler],
        resets: Sequence[str],
        body: Block,
        frame: Frame,
        procedure: Procedure | None,
        entered: Effect | None,
    ) -> Effect:
        core: list[Effect] = [] if entered is None or self._notes is None else [entered]
        if resets:
            core.append(self.resets(resets))
        core += [self._handler(handler, frame) for handler in handlers if handler.point is Point.BEFORE]
        core += [self.operation(operation, frame) for operation in body]
        core += [self._handler(handler, frame) for handler in handlers if handler.point is Point.AFTER]
        event = in_turn(core)
        return self._with_insteads(handlers, frame, event, procedure)

    def _with_insteads(
        self, handlers: Sequence[Handler], frame: Frame, event: Effect, procedure: Procedure | None
    ) -> Effect:
        for handler in reversed([handler for handler in handlers if handler.point is Point.INSTEAD]):
            event = self._instead(handler, frame, event, procedure)
        return event

    def _instead(self, handler: Handler, frame: Frame, event: Effect, procedure: Procedure | None) -> Effect:
        outer = self._proceed

        def proceed(step: ProceedStep, within: Frame) -> Effect:
            arguments = [self._evaluator.term(argument, within.offsets) for argument in step.arguments]
            if not arguments or procedure is None:
                return event
            first = first_argument(frame, len(arguments)) - FRAME_HEAD
            given = [self._binder(cell.id, frame) for cell in procedure.cells[first : first + len(arguments)]]

            def with_arguments(S: Cells) -> None:
                values = [argument(S) for argument in arguments]
                for bind, value in zip(given, values, strict=True):
                    bind(S, value)
                event(S)

            return with_arguments

        self._proceed = proceed
        body = self._worked(handler, frame)
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

    def _worked(self, handler: Handler, frame: Frame) -> Effect:
        working, body = self.working(handler, frame), self.block(handler.body, frame)
        return body if working is None else in_turn([working, body])

    def _handler(self, handler: Handler, frame: Frame) -> Effect:
        outer, self._proceed = self._proceed, None
        body = self._worked(handler, frame)
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
            return do_nothing
        emit, event = self._notes.emit, Entered(phase.path)
        return lambda S: emit(event)

    def opening(self, procedure: Procedure, frame: Frame) -> Effect | None:
        """Notes down that the steps of a card's power begin; None where they are nothing of the sort."""
        if procedure.power is None:
            return None
        return self._acting(procedure.cells[1 if procedure.acting else 0], procedure.power, frame)

    def working(self, handler: Handler, frame: Frame) -> Effect | None:
        """Notes down that something works which a card does while it lies in play; None if it comes from no card."""
        card = None if handler.guard is None else card_in_play(handler.guard)
        if card is None:
            return None
        kind = next(kind for kind in self._layout.program.kinds if kind.name == card.kind)
        lasting = (power.name for power in kind.rows[card.row].powers if power.form is PowerForm.CHANGES)
        return self._acting(card, next(lasting, ""), frame)

    def _acting(self, card: Term, power: str, frame: Frame) -> Effect:
        if self._notes is None or not isinstance(card.type, Card):
            return do_nothing
        acted, kind, worth = self._notes.acted, card.type.kind, self._evaluator.term(card, frame.offsets)
        return lambda S: acted(S, kind, worth(S), power)

    def resets(self, names: Sequence[str]) -> Effect:
        """States go back to what they hold at the start."""
        resets = [self._effects.reset(name) for name in names]
        return in_turn(resets)

    def state(self, frame: Frame) -> Effect | None:
        """The values with which a run of a procedure begins; None if it keeps nothing."""
        given = [
            (self._binder(cell, frame), self._evaluator.term(value, frame.offsets))
            for cell, value in frame.procedure.state
        ]
        if not given:
            return None

        def start(S: Cells) -> None:
            for bind, value in given:
                bind(S, value(S))

        return start


def first_argument(frame: Frame, count: int) -> int:
    """Where the last `count` arguments of a procedure begin: what is left out in front stays as it is."""
    procedure = frame.procedure
    given = procedure.parameters + (1 if procedure.acting else 0)
    if count > given:
        raise InternalError(f"{procedure.name} takes {given} arguments, not {count}")
    return FRAME_HEAD + given - count
