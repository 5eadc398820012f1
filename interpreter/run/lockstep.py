"""Seats that act together: every step is worked out for all of them before it takes effect for any.

They share one place in the table and have copies of the cells that the steps bind. A mask says who takes part: an `if`,
a declined decision or the guard of a handler splits it. Procedures are laid out in the place where they are called, on
cells of their own; a loop is one step, which runs whole for one seat after the other.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Any, assert_never

from rulesdsl.diagnostic import InternalError
from rulesdsl.ir.nodes import (
    Activate,
    Announce,
    Ask,
    Assign,
    Block,
    Branch,
    Cell,
    Deactivate,
    DrawRandom,
    Each,
    EndPhase,
    Handler,
    Increase,
    MakePlay,
    Move,
    Operation,
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
    Term,
    Together,
    Window,
)
from rulesdsl.source import Span
from rulesdsl.types import NONE

from ..decide.choices import Question
from ..state.cells import FP, PC, PENDING, STEPS
from ..state.errors import MatchError
from ..state.limits import count_operations
from .asking import Answer, Asking
from .assembly import AnchorSort, AskPoint, Copies
from .code import DECLINED, STOP, Cells, Effect, Instruction, Label, Reader
from .frames import Frame, refuse_none, unbound
from .pending import ANSWERED, OPEN, UNASKED
from .plainness import Plainness
from .relocate import bound_in, relocated
from .turns import members_of

if TYPE_CHECKING:
    from .assemble import Assembler

Carry = Callable[[Cells, Any], None]


class Lockstep:
    """Assembles what seats do together."""

    def __init__(self, assembler: Assembler, asking: Asking) -> None:
        self._assembler = assembler
        self._asking = asking
        self.plainness = Plainness(assembler.layout.program, assembler.layout, stepwise=False)
        self._next_cell = -1

    def together(self, loop: Together, frame: Frame) -> None:
        """A block that all members of a sequence run at once."""
        assembler = self._assembler
        members = members_of(loop, assembler.layout, assembler.evaluator, frame.offsets)
        where = None if loop.where is None else assembler.term(loop.where, frame)
        group = _Group(self, assembler, self._asking, frame)
        own = group.own(loop.cell)
        group.bind(loop.body)
        copies, everybody = group.copies, group.everybody

        def begin(S: Cells) -> None:
            base = S[FP]
            taking_part = []
            for member in members(S):
                S[base + own] = member
                if where is None or where(S):
                    taking_part.append(member)
            blank = [S[base + offset] for offset in copies.offsets]
            mine = list(copies.offsets).index(own)
            S[base + copies.cell] = tuple((*blank[:mine], member, *blank[mine + 1 :]) for member in taking_part)
            S[base + everybody] = tuple(range(len(taking_part)))

        assembler.code.effect(begin, loop.span)
        assembler.inside(begin, lambda: group.block(loop.body, everybody))

    def fresh(self, cell: Cell) -> Cell:
        """A cell that no procedure has, like a given one."""
        self._next_cell -= 1
        return replace(cell, id=self._next_cell)


class _Group:
    """One `together` while it is being assembled."""

    def __init__(self, lockstep: Lockstep, assembler: Assembler, asking: Asking, frame: Frame) -> None:
        self._lockstep = lockstep
        self._assembler = assembler
        self._asking = asking
        self._frame = frame
        self._offsets: list[int] = []
        self.copies = Copies(frame.keep(()), self._offsets)
        self.everybody = frame.keep(())
        """The cell with the mask of all who take part."""
        self._inside: dict[str, dict[int, Cell]] = {}
        """By name, the cells of the procedures that are being laid out."""
        self._proceed: Callable[[ProceedStep, int], None] | None = None

    # ── cells ──────────────────────────────────────────────────────────────────────────────────────────────────────

    def own(self, cell: Cell) -> int:
        """Everybody gets a copy of a cell."""
        offset = self._frame.offsets[cell.id]
        if offset not in self._offsets:
            self._offsets.append(offset)
        return offset

    def bind(self, block: Block) -> None:
        """Everybody gets a copy of all that a block binds."""
        for cell in bound_in(block):
            self.own(cell)

    # ── steps ──────────────────────────────────────────────────────────────────────────────────────────────────────

    def block(self, block: Block, mask: int) -> None:
        """Steps for those in a mask; the mask lies in a cell of the frame."""
        for operation in block:
            self._operation(operation, mask)

    def _operation(self, operation: Operation, mask: int) -> None:
        offsets = self._frame.offsets
        effects = self._assembler.effects
        mark = self._assembler.evaluator.marked(operation, offsets)
        if mark is not None:
            self._one_by_one(mark, mask, operation.span)
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
                step = effects.step(operation, offsets)
                self._all(step.operands, step.carry, mask, operation.span)
            case Branch():
                then, otherwise = self._split(operation.condition, mask)
                with self._assembler.form(operation.condition, self._frame):
                    self._where(then, lambda present: self.block(operation.then, present))
                with self._assembler.form(operation.condition, self._frame, holds=False):
                    self._where(otherwise, lambda present: self.block(operation.otherwise, present))
            case Each() | Repeat():
                if not self._lockstep.plainness.operation(operation):
                    raise InternalError("a loop of seats that act together holds no decision and no way out")
                effect = self._assembler.fused.operation(operation, self._frame)
                self._one_by_one(effect, mask, operation.span)
            case Phase():
                self._phase(operation, mask)
            case RunProcedure():
                self._run(operation, mask)
            case ProceedStep():
                if self._proceed is None:
                    raise InternalError("only what stands in for an event can proceed with it")
                self._proceed(operation, mask)
            case Ask():
                self._ask(operation, mask)
            case Together() | Window() | EndPhase() | Activate() | Deactivate():
                raise InternalError(f"seats that act together do nothing of the sort {type(operation).__name__}")
            case _:
                assert_never(operation)

    def _all(self, operands: Reader, carry: Carry, mask: int, span: Span | None) -> None:
        """A sentence: worked out for all, then carried out for all."""
        copies = self.copies

        def step(S: Cells) -> None:
            base = S[FP]
            taking_part = S[base + mask]
            count_operations(S, len(taking_part), span)
            worked_out = []
            for member in taking_part:
                copies.load(S, member)
                worked_out.append(operands(S))
            for member, operand in zip(taking_part, worked_out, strict=True):
                copies.load(S, member)
                carry(S, operand)
                copies.save(S, member)

        self._assembler.code.effect(step, span)

    def _one_by_one(self, effect: Effect, mask: int, span: Span | None) -> None:
        copies = self.copies

        def step(S: Cells) -> None:
            for member in S[S[FP] + mask]:
                copies.load(S, member)
                effect(S)
                copies.save(S, member)

        self._assembler.code.effect(step, span)

    def _once(self, effect: Effect, mask: int, span: Span | None) -> None:
        """Something that is nobody's own, if anybody takes part."""

        def step(S: Cells) -> None:
            if S[S[FP] + mask]:
                effect(S)

        self._assembler.code.effect(step, span)

    # ── masks ──────────────────────────────────────────────────────────────────────────────────────────────────────

    def _split(self, condition: Term, mask: int) -> tuple[int, int]:
        """Those for whom a condition holds, and the others."""
        holds = self._assembler.term(condition, self._frame)
        yes, no = self._frame.keep(()), self._frame.keep(())
        copies = self.copies

        def split(S: Cells) -> None:
            base = S[FP]
            held: list[int] = []
            failed: list[int] = []
            for member in S[base + mask]:
                copies.load(S, member)
                (held if holds(S) else failed).append(member)
            S[base + yes] = tuple(held)
            S[base + no] = tuple(failed)

        self._assembler.code.effect(split, condition.span)
        return yes, no

    def _where(self, mask: int, assemble: Callable[[int], None]) -> None:
        """What is left out if nobody is in a mask."""
        after = Label()
        self._assembler.skip_unless(lambda S: S[S[FP] + mask], after, None)

        def all_of_them(S: Cells) -> None:
            S[S[FP] + mask] = S[S[FP] + self.everybody]

        self._assembler.inside(all_of_them, lambda: assemble(mask))
        self._assembler.code.place(after)

    # ── events ─────────────────────────────────────────────────────────────────────────────────────────────────────

    def _phase(self, phase: Phase, mask: int) -> None:
        self._assembler.anchor(AnchorSort.PHASE, phase.name, phase.path, self._frame)

        def event(present: int) -> None:
            entered = self._assembler.fused.entered(phase)

            def core(among: int) -> None:
                self._once(entered, among, phase.span)
                if phase.resets:
                    self._once(self._assembler.fused.resets(phase.resets), among, phase.span)
                self._handlers(phase.handlers, Point.BEFORE, among)
                self.block(phase.body, among)
                self._handlers(phase.handlers, Point.AFTER, among)

            self._event(phase.handlers, present, core, ())

        if phase.when is None:
            event(mask)
        else:
            yes, _ = self._split(phase.when, mask)
            self._where(yes, event)

    def _run(self, call: RunProcedure, mask: int) -> None:
        if call.procedure in self._inside:
            raise InternalError(f"`{call.procedure}` runs inside itself for seats that act together")
        assembler, frame = self._assembler, self._frame
        assembler.anchor(AnchorSort.PROCEDURE, call.procedure, call.procedure, frame)
        arguments = [assembler.term(argument, frame) for argument in call.arguments]
        declared = assembler.layout.procedures[assembler.layout.procedure_index[call.procedure]]
        cells = {cell.id: self._lockstep.fresh(cell) for cell in declared.cells}
        for cell in cells.values():
            frame.add(cell)
            self.own(cell)
        self._inside[call.procedure] = cells
        procedure = relocated(declared, cells, self._inside)
        offsets = [frame.offsets[cell.id] for cell in cells.values()]
        blank = [unbound(cell.type) for cell in cells.values()]

        def bind(S: Cells, values: Sequence[Any]) -> None:
            base = S[FP]
            for offset, value in zip(offsets, [*values, *blank[len(values) :]], strict=True):
                S[base + offset] = value

        def operands(S: Cells) -> list[Any]:
            values = [argument(S) for argument in arguments]
            if NONE in values:
                refuse_none(values, call, declared)
            return values

        self._all(operands, bind, mask, call.span)
        for cell_id, value in procedure.state:
            start = assembler.term(value, frame)
            self._all(start, _setter(frame.offsets[cells[cell_id].id]), mask, call.span)

        opening = assembler.fused.opening(procedure, frame)

        def core(among: int) -> None:
            if opening is not None:
                self._one_by_one(opening, among, call.span)
            if procedure.resets:
                self._once(assembler.fused.resets(procedure.resets), among, call.span)
            self._handlers(procedure.handlers, Point.BEFORE, among)
            self.block(procedure.body, among)
            self._handlers(procedure.handlers, Point.AFTER, among)

        given = declared.parameters + (1 if declared.acting else 0)
        self._event(procedure.handlers, mask, core, offsets[:given])
        del self._inside[call.procedure]

    def _event(
        self, handlers: Sequence[Handler], mask: int, core: Callable[[int], None], parameters: Sequence[int]
    ) -> None:
        """An event with those handlers that stand in for it; each is laid out for those for whom it works."""
        insteads = [handler for handler in handlers if handler.point is Point.INSTEAD]

        def level(number: int, among: int) -> None:
            if number == len(insteads):
                core(among)
                return
            handler = insteads[number]
            works = among
            if handler.guard is not None:
                works, others = self._split(handler.guard, among)
                self._where(others, lambda present: level(number + 1, present))

            def proceed(step: ProceedStep, present: int) -> None:
                arguments = [self._assembler.term(argument, self._frame) for argument in step.arguments]
                if arguments:
                    changed = parameters[len(parameters) - len(arguments) :]
                    self._all(lambda S: [argument(S) for argument in arguments], _setters(changed), present, step.span)
                level(number + 1, present)

            outer, self._proceed = self._proceed, proceed
            self._where(works, lambda present: self._worked(handler, present))
            self._proceed = outer

        level(0, mask)

    def _handlers(self, handlers: Sequence[Handler], point: Point, mask: int) -> None:
        for handler in handlers:
            if handler.point is point:
                if handler.guard is None:
                    self.block(handler.body, mask)
                else:
                    yes, _ = self._split(handler.guard, mask)
                    self._where(yes, partial(self._worked, handler))

    def _worked(self, handler: Handler, mask: int) -> None:
        working = self._assembler.fused.working(handler, self._frame)
        if working is not None:
            self._once(working, mask, None)
        self.block(handler.body, mask)

    # ── decisions ──────────────────────────────────────────────────────────────────────────────────────────────────

    def _ask(self, ask: Ask, mask: int) -> None:
        frame = self._frame
        self._assembler.anchor(AnchorSort.DECISION, ask.name, ask.path, frame)
        # Who is in none of these masks did not decide, because something else happened instead.
        masks = [frame.keep(()) for _ in range(len(ask.alternatives) + 1)]

        def nobody(S: Cells) -> None:
            for cell in masks:
                S[S[FP] + cell] = ()

        self._assembler.code.effect(nobody, ask.span)

        def core(among: int) -> None:
            self._handlers(ask.handlers, Point.BEFORE, among)
            self._asks(ask, among, masks)
            for decided in masks[:DECLINED]:
                if any(handler.point is Point.AFTER for handler in ask.handlers):
                    self._where(decided, partial(self._handlers, ask.handlers, Point.AFTER))

        self._event(ask.handlers, mask, core, ())
        for alternative, decided in zip(ask.alternatives, masks, strict=False):
            if alternative.body:
                self._where(decided, partial(self.block, alternative.body))
        if ask.otherwise:
            self._where(masks[DECLINED], partial(self.block, ask.otherwise))

    def _asks(self, ask: Ask, mask: int, masks: Sequence[int]) -> None:
        """Asks all at once; when all have answered, the answers are written down in the order of the members."""
        assembler, asking, copies = self._assembler, self._asking, self.copies
        by = assembler.term(ask.by, self._frame)
        question = Question(ask, self._frame.offsets, assembler.evaluator)
        record = asking.recorder(ask, self._frame, sealed=True)
        taking = Label()
        span = ask.span
        asking.points.append((taking, AskPoint(ask, question, by, copies)))

        def seats(S: Cells, given: Callable[[Cells, int], Answer | None]) -> list[tuple[int, int, Answer | None]]:
            """Seat, member, and what needs no asking, of all who take part."""
            found: list[tuple[int, int, Answer | None]] = []
            for member in S[S[FP] + mask]:
                copies.load(S, member)
                seat = by(S)
                if seat == NONE:
                    raise MatchError(f"nobody is there to decide `{ask.name}`", span)
                found.append((seat, member, given(S, seat)))
            return found

        def make_asking() -> Instruction:
            takes = taking.pc

            def asks(S: Cells) -> int:
                asked = seats(S, question.null)
                S[PENDING] = tuple(
                    (seat, member, OPEN, ()) if given is None else (seat, member, UNASKED, given)
                    for seat, member, given in asked
                )
                if all(given is not None for _, _, given in asked):
                    return takes
                S[PC] = takes
                return STOP

            return asks

        def make_drawing() -> Instruction:
            takes = taking.pc
            decide = asking.decider(ask, question)

            def draws(S: Cells) -> int:
                S[PENDING] = tuple((seat, member, UNASKED, given) for seat, member, given in seats(S, decide))
                return takes

            return draws

        def make_taking() -> Instruction:
            after = done.pc

            def takes(S: Cells) -> int:
                entries = S[PENDING]
                S[PENDING] = ()
                if any(state == ANSWERED for _, _, state, _ in entries):
                    S[STEPS] = 0
                else:
                    count_operations(S, len(entries), span)
                chosen: list[list[int]] = [[] for _ in masks]
                for seat, member, _, answer in entries:
                    copies.load(S, member)
                    chosen[record(S, seat, answer)].append(member)
                    copies.save(S, member)
                base = S[FP]
                for cell, members in zip(masks, chosen, strict=True):
                    S[base + cell] = tuple(members)
                return after

            return takes

        done = Label()
        assembler.code.add(make_drawing if asking.is_drawing else make_asking, span)
        assembler.code.place(taking)
        assembler.code.add(make_taking, span)
        assembler.code.place(done)


def _setter(offset: int) -> Carry:
    def put(S: Cells, value: Any) -> None:
        S[S[FP] + offset] = value

    return put


def _setters(offsets: Sequence[int]) -> Carry:
    def put(S: Cells, values: Sequence[Any]) -> None:
        for offset, value in zip(offsets, values, strict=True):
            S[S[FP] + offset] = value

    return put
