"""Makes the table of instructions from a program: phases, loops and procedures become places and jumps.

A frame of the stack is a running procedure. Phases and loops live in cells of the frame in which they run. Steps that
run through (`fused.py`) become one instruction; where a match can be started inside of them, they stand in the table a
second time, step by step, out of the way of those who just come by.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from enum import Enum
from typing import assert_never

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
from rulesdsl.source import Span

from .asking import AskPoint, Asking
from .cells import FINISHED, FP, FRAME_HEAD, STARTED, STATUS, Closure
from .chance import Chance
from .choices import Question
from .code import STOP, Cells, Code, Effect, Instruction, Label
from .effects import Effects
from .errors import MatchError
from .frames import Frame, pop, push
from .fused import Fused, first_argument, in_turn
from .layout import Layout
from .limits import LimitReached, count_operations
from .lockstep import Lockstep
from .notes import Notes
from .plainness import Plainness, has_anchor
from .terms import Evaluator
from .turns import members_of

Trace = Callable[[str, Point | None, int, bool], None]
"""Told what begins and ends: the event, the point (None for the event itself), the number of the handler, whether it
begins."""


class AnchorSort(Enum):
    """What can be started at."""

    PHASE = "phase"
    PROCEDURE = "procedure"
    DECISION = "decision"


@dataclass(frozen=True, slots=True)
class Anchor:
    """A place where a match can be started: `opens` bring the enclosing loops of its procedure into their first turn."""

    sort: AnchorSort
    name: str
    path: str
    procedure: int
    label: Label
    opens: tuple[Effect, ...]


@dataclass(frozen=True, slots=True)
class CallSite:
    """Where a procedure is called: `caller` runs, and goes on at `back`."""

    caller: int
    callee: int
    back: Label
    arguments: tuple[Closure, ...]
    opens: tuple[Effect, ...]


@dataclass(frozen=True, slots=True)
class Assembly:
    """A program as instructions, and what one must know to begin, to ask and to explain."""

    code: list[Instruction]
    spans: list[Span | None]
    frames: tuple[Frame, ...]
    begin: int
    end: int
    points: dict[int, AskPoint]
    """By the instruction that takes the answers, what is asked there."""
    anchors: tuple[Anchor, ...]
    sites: tuple[CallSite, ...]


@dataclass(slots=True)
class _Flag:
    """A phase that some step names: the cell that says it runs, and where its end is."""

    name: str
    offset: int
    end: Label


@dataclass(slots=True)
class _Proceeding:
    """What `proceed` means at the moment: the cell for the way back, and the place to go to."""

    back: int
    target: Label
    is_procedure: bool


@dataclass(frozen=True, slots=True)
class Inserted:
    """An effect of the machine itself among the operations of a block."""

    effect: Effect


@dataclass(frozen=True, slots=True)
class Guarded:
    """Items that come about only where a condition holds."""

    condition: Term
    items: tuple[Operation | Inserted, ...]


Item = Operation | Inserted | Guarded


class Assembler:
    """Assembles one program for one number of seats."""

    def __init__(
        self,
        layout: Layout,
        evaluator: Evaluator,
        chance: Callable[[], Chance],
        notes: Notes | None,
        draw: Callable[[int], int] | None = None,
        trace: Trace | None = None,
    ) -> None:
        self.layout = layout
        self.evaluator = evaluator
        self.effects = Effects(layout, evaluator, chance, notes)
        self.notes = notes
        self.code = Code()
        self.frames = tuple(Frame(index, procedure) for index, procedure in enumerate(layout.procedures))
        self.fused = Fused(layout, evaluator, self.effects, notes, self.frames)
        self.plainness = Plainness(layout.program, layout, stepwise=trace is not None)
        self.nest: list[Effect] = []
        """Brings what encloses the place that is being assembled into its first turn."""
        self._trace = trace
        self._asking = Asking(self, draw)
        self._lockstep = Lockstep(self, self._asking)
        self._entries = tuple(Label() for _ in self.frames)
        self._anchors: list[Anchor] = []
        self._sites: list[CallSite] = []
        self._flags: list[list[_Flag]] = [[] for _ in self.frames]
        self._proceeding: _Proceeding | None = None

    def assemble(self) -> Assembly:
        """The whole program."""
        for frame, entry in zip(self.frames, self._entries, strict=True):
            self.code.place(entry)
            self._procedure(frame)
        end = self.code.here
        self.code.add(lambda: _finish, None)
        code = self.code.finish()
        return Assembly(
            code=code,
            spans=self.code.spans,
            frames=self.frames,
            begin=self._entries[0].pc,
            end=end,
            points={label.pc: point for label, point in self._asking.points},
            anchors=tuple(self._anchors),
            sites=tuple(self._sites),
        )

    # ── blocks ─────────────────────────────────────────────────────────────────────────────────────────────────────

    def block(self, block: Sequence[Item], frame: Frame, *, apart: bool = False) -> None:
        """Steps one after the other; those that run through become one instruction.

        `apart`: this is a second copy for those who start inside, so what can be started at is not fused again.
        """
        run: list[Operation | Inserted] = []
        for item in block:
            if isinstance(item, Inserted) or (
                not isinstance(item, Guarded)
                and self.plainness.operation(item)
                and not (apart and has_anchor(item))
            ):
                run.append(item)
                continue
            self._fuse(run, frame)
            run = []
            if isinstance(item, Guarded):
                otherwise = Label()
                self.skip_unless(self.term(item.condition, frame), otherwise, item.condition.span)
                self.block(item.items, frame, apart=apart)
                self.code.place(otherwise)
            else:
                self._operation(item, frame, apart=apart)
        self._fuse(run, frame)

    def _fuse(self, run: list[Operation | Inserted], frame: Frame) -> None:
        if not run:
            return
        effects = [
            item.effect if isinstance(item, Inserted) else self.fused.operation(item, frame) for item in run
        ]
        operations = [item for item in run if not isinstance(item, Inserted)]
        span = operations[0].span if operations else None
        effect = in_turn(effects, len(operations))
        if not any(has_anchor(operation) for operation in operations):
            self.code.effect(effect, span)
            return
        after = Label()

        def make() -> Instruction:
            pc = after.pc

            def instruction(S: Cells) -> int:
                effect(S)
                return pc

            return instruction

        self.code.add(make, span)
        self.block(run, frame, apart=True)
        self.code.place(after)

    def _operation(self, operation: Operation, frame: Frame, *, apart: bool) -> None:
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
                raise InternalError("a sentence always runs through")
            case Branch():
                self._branch(operation, frame, apart=apart)
            case Each():
                self._each(operation, frame, apart=apart)
            case Repeat():
                self._repeat(operation, frame, apart=apart)
            case Together():
                self._lockstep.together(operation, frame)
            case Phase():
                self._phase(operation, frame, apart=apart)
            case RunProcedure():
                self._run(operation, frame)
            case ProceedStep():
                self._proceed(operation, frame)
            case Ask():
                self._asking.ask(operation, frame)
            case Window():
                self._asking.window(operation, frame)
            case EndPhase():
                self._end_phase(operation)
            case Activate():
                self._activate(operation, frame)
            case Deactivate():
                self._deactivate(operation, frame)
            case Perform():
                raise InternalError(f"the program holds no power `{operation.power}` of a {operation.kind}")
            case _:
                assert_never(operation)

    def term(self, term: Term, frame: Frame) -> Closure:
        """A term in a frame."""
        return self.evaluator.term(term, frame.offsets)

    # ── control ────────────────────────────────────────────────────────────────────────────────────────────────────

    def skip_unless(self, condition: Closure, target: Label, span: Span | None) -> None:
        """Goes elsewhere unless a condition holds."""
        after = Label()

        def make() -> Instruction:
            held, failed = after.pc, target.pc
            return lambda S: held if condition(S) else failed

        self.code.add(make, span)
        self.code.place(after)

    def _branch(self, branch: Branch, frame: Frame, *, apart: bool) -> None:
        otherwise, end = Label(), Label()
        self.skip_unless(self.term(branch.condition, frame), otherwise, branch.span)
        self.block(branch.then, frame, apart=apart)
        if branch.otherwise:
            self.code.jump(end)
        self.code.place(otherwise)
        self.block(branch.otherwise, frame, apart=apart)
        self.code.place(end)

    def _each(self, loop: Each, frame: Frame, *, apart: bool) -> None:
        members = members_of(loop, self.layout, self.evaluator, frame.offsets)
        cell = frame.offsets[loop.cell.id]
        row, cursor, left, had_turn = frame.keep(()), frame.keep(0), frame.keep(0), frame.keep(0)
        where = None if loop.where is None else self.term(loop.where, frame)
        going = None if loop.while_ is None else self.term(loop.while_, frame)
        rounds = None if loop.rounds is None else self.term(loop.rounds, frame)
        span = loop.span
        turn, body, end = Label(), Label(), Label()

        def begin(S: Cells) -> None:
            base = S[FP]
            S[base + row] = tuple(members(S))
            S[base + cursor] = 0
            S[base + left] = 1 if rounds is None else rounds(S)
            S[base + had_turn] = 0

        def make() -> Instruction:
            inside, outside = body.pc, end.pc

            def take_turn(S: Cells) -> int:
                count_operations(S, 1, span)
                base = S[FP]
                among = S[base + row]
                here = S[base + cursor]
                while S[base + left] > 0:
                    while here < len(among):
                        S[base + cell] = among[here]
                        here += 1
                        if where is not None and not where(S):
                            continue
                        if going is not None and not going(S):
                            return outside
                        S[base + cursor] = here
                        S[base + had_turn] = 1
                        return inside
                    if not S[base + had_turn]:
                        return outside
                    S[base + left] -= 1
                    S[base + had_turn] = 0
                    here = 0
                return outside

            return take_turn

        def first_turn(S: Cells) -> None:
            begin(S)
            base = S[FP]
            among = S[base + row]
            if not among:
                raise MatchError("a match can't be started in a loop over nothing", span)
            chosen = 0
            for number, member in enumerate(among):
                S[base + cell] = member
                if where is None or where(S):
                    chosen = number
                    break
            S[base + cell] = among[chosen]
            S[base + cursor] = chosen + 1
            S[base + had_turn] = 1
            S[base + left] = max(S[base + left], 1)

        self.code.effect(begin, span)
        self.code.place(turn)
        self.code.add(make, span)
        self.code.place(body)
        self.inside(first_turn, lambda: self.block(loop.body, frame, apart=apart))
        self.code.jump(turn)
        self.code.place(end)

    def _repeat(self, loop: Repeat, frame: Frame, *, apart: bool) -> None:
        turns, wanted, net = frame.keep(0), frame.keep(0), frame.keep(0)
        until = None if loop.until is None else self.term(loop.until, frame)
        going = None if loop.while_ is None else self.term(loop.while_, frame)
        times = None if loop.times is None else self.term(loop.times, frame)
        at_most = None if loop.at_most is None else self.term(loop.at_most, frame)
        span = loop.span
        turn, body, end = Label(), Label(), Label()

        def begin(S: Cells) -> None:
            base = S[FP]
            S[base + turns] = 0
            S[base + wanted] = -1 if times is None else max(times(S), 0)
            S[base + net] = -1 if at_most is None else at_most(S)

        def make() -> Instruction:
            inside, outside = body.pc, end.pc

            def take_turn(S: Cells) -> int:
                count_operations(S, 1, span)
                base = S[FP]
                done = S[base + turns]
                if done == S[base + wanted] or (going is not None and not going(S)):
                    return outside
                if done == S[base + net]:
                    raise LimitReached(f"a loop that takes at most {done} turns would take one more", span)
                S[base + turns] = done + 1
                return inside

            return take_turn

        def first_turn(S: Cells) -> None:
            begin(S)
            S[S[FP] + turns] = 1

        self.code.effect(begin, span)
        self.code.place(turn)
        self.code.add(make, span)
        self.code.place(body)
        self.inside(first_turn, lambda: self.block(loop.body, frame, apart=apart))
        if until is None:
            self.code.jump(turn)
        else:
            self.skip_unless(until, turn, span)
        self.code.place(end)

    def inside(self, first_turn: Effect, assemble: Callable[[], None]) -> None:
        """Assembles what lies inside of something that must be brought into its first turn to start there."""
        self.nest.append(first_turn)
        assemble()
        self.nest.pop()

    def anchor(self, sort: AnchorSort, name: str, path: str, frame: Frame) -> None:
        """A match can be started at what is added next."""
        label = self.code.place(Label())
        self._anchors.append(Anchor(sort, name, path, frame.index, label, tuple(self.nest)))

    # ── events ─────────────────────────────────────────────────────────────────────────────────────────────────────

    def event(
        self,
        name: str,
        handlers: Sequence[Handler],
        frame: Frame,
        core: Callable[[list[Item], list[Item]], None],
        *,
        resets: Sequence[str] = (),
        is_procedure: bool = False,
    ) -> None:
        """An event with its handlers. `core` assembles it, with what goes before it and what comes after it."""
        insteads = [handler for handler in handlers if handler.point is Point.INSTEAD]
        before: list[Item] = [Inserted(self.fused.resets(resets))] if resets else []
        before += self._handlers(name, handlers, Point.BEFORE)
        before += self._traced(name, None, 0, begins=True)
        after = self._traced(name, None, 0, begins=False)
        after += self._handlers(name, handlers, Point.AFTER)
        self._level(insteads, frame, Label(), lambda: core(before, after), is_procedure=is_procedure)

    def _level(
        self,
        insteads: list[Handler],
        frame: Frame,
        leave: Label,
        core: Callable[[], None],
        *,
        is_procedure: bool,
        outermost: bool = True,
    ) -> None:
        """One handler that stands in for the event, and inside of it what it may proceed to.

        The way back is kept in a cell, because one can come in through `proceed` or because the handler does not work.
        """
        if not insteads:
            core()
            if outermost:
                self.code.place(leave)
            else:
                self.code.jump(leave)
            return
        handler = insteads[0]
        back = frame.keep(0)
        inner, inner_leave = Label(), Label()

        def pass_by(S: Cells) -> None:
            S[S[FP] + back] = leave.pc

        if handler.guard is not None:
            guard = self.term(handler.guard, frame)
            work = Label()

            def make() -> Instruction:
                works, next_one, way_back = work.pc, inner.pc, leave.pc

                def choose(S: Cells) -> int:
                    if guard(S):
                        return works
                    S[S[FP] + back] = way_back
                    return next_one

                return choose

            self.code.add(make, handler.guard.span)
            self.code.place(work)
        outer, self._proceeding = self._proceeding, _Proceeding(back, inner, is_procedure)
        self.block(handler.body, frame)
        self._proceeding = outer
        self.code.jump(leave)
        self.code.place(inner)
        self.inside(
            pass_by,
            lambda: self._level(
                insteads[1:], frame, inner_leave, core, is_procedure=is_procedure, outermost=False
            ),
        )
        self.code.place(inner_leave)
        self.code.add(lambda: lambda S: S[S[FP] + back], None)
        if outermost:
            self.code.place(leave)

    def _proceed(self, step: ProceedStep, frame: Frame) -> None:
        proceeding = self._proceeding
        if proceeding is None:
            raise InternalError("only what stands in for an event can proceed with it")
        arguments = tuple(self.term(argument, frame) for argument in step.arguments)
        first = first_argument(frame, len(arguments)) if proceeding.is_procedure else FRAME_HEAD
        after = Label()

        def make() -> Instruction:
            back, target, way_back = proceeding.back, proceeding.target.pc, after.pc

            def proceed(S: Cells) -> int:
                base = S[FP]
                if arguments:
                    S[base + first : base + first + len(arguments)] = [argument(S) for argument in arguments]
                S[base + back] = way_back
                return target

            return proceed

        self.code.add(make, step.span)
        self.code.place(after)

    def _handlers(self, name: str, handlers: Sequence[Handler], point: Point) -> list[Item]:
        items: list[Item] = []
        for number, handler in enumerate([handler for handler in handlers if handler.point is point]):
            begins, ends = (self._traced(name, point, number, begins=begins) for begins in (True, False))
            if handler.guard is None:
                items += [*begins, *handler.body, *ends]
            elif begins:
                items.append(Guarded(handler.guard, (*begins, *handler.body, *ends)))
            else:
                items.append(Branch(condition=handler.guard, then=handler.body, span=handler.guard.span))
        return items

    def _traced(self, name: str, point: Point | None, number: int, *, begins: bool) -> list[Operation | Inserted]:
        trace = self._trace
        if trace is None:
            return []
        return [Inserted(lambda S: trace(name, point, number, begins))]

    def _phase(self, phase: Phase, frame: Frame, *, apart: bool) -> None:
        self.anchor(AnchorSort.PHASE, phase.name, phase.path, frame)
        end = Label()
        if phase.when is not None:
            self.skip_unless(self.term(phase.when, frame), end, phase.span)
        entered = self.fused.entered(phase)
        begin: list[Item] = [] if entered is None else [Inserted(entered)]
        if phase.name not in self.plainness.flagged:

            def core(before: list[Item], after: list[Item]) -> None:
                self.block([*begin, *before, *phase.body, *after], frame, apart=apart)

        else:
            flag = _Flag(phase.name, frame.keep(0), Label())
            self._flags[frame.index].append(flag)

            def run(S: Cells) -> None:
                S[S[FP] + flag.offset] = 1

            def core(before: list[Item], after: list[Item]) -> None:
                self.code.effect(run, phase.span)
                self.inside(run, lambda: self.block([*begin, *before, *phase.body], frame, apart=apart))
                self.code.place(flag.end)
                self.code.effect(self._leave(frame.index, flag), phase.span)
                self.block(after, frame, apart=apart)

        self.event(phase.name, phase.handlers, frame, core, resets=phase.resets)
        self.code.place(end)

    def _procedure(self, frame: Frame) -> None:
        procedure = frame.procedure
        start = self.fused.state(frame)
        if start is not None:
            self.code.effect(start, None)

        def core(before: list[Item], after: list[Item]) -> None:
            self.block([*before, *procedure.body, *after], frame)

        self.event(
            procedure.name, procedure.handlers, frame, core, resets=procedure.resets, is_procedure=True
        )
        self.code.add(lambda: pop, None)

    def _run(self, call: RunProcedure, frame: Frame) -> None:
        self.anchor(AnchorSort.PROCEDURE, call.procedure, call.procedure, frame)
        index = self.layout.procedure_index[call.procedure]
        callee: Procedure = self.layout.procedures[index]
        blank = self.frames[index].blank
        arguments = tuple(self.term(argument, frame) for argument in call.arguments)
        entry, back = self._entries[index], Label()
        span = call.span
        self._sites.append(CallSite(frame.index, index, back, arguments, tuple(self.nest)))
        depth = callee.depth

        def make() -> Instruction:
            target, way_back = entry.pc, back.pc

            def run(S: Cells) -> int:
                count_operations(S, 1, span)
                push(S, blank, way_back, tuple([argument(S) for argument in arguments]))
                return target

            def run_again(S: Cells) -> int:
                if self._running(S, index) >= depth:
                    raise LimitReached(f"`{callee.name}` runs inside itself more than {depth} times", span)
                return run(S)

            return run if depth == 1 else run_again

        self.code.add(make, span)
        self.code.place(back)

    def _running(self, S: Cells, index: int) -> int:
        """How many times a procedure is on the stack."""
        count = 0
        base = S[FP]
        while base >= self.layout.stack:
            count += S[base] == index
            base = S[base + 2]
        return count

    # ── ways out, and what lasts as long as a phase ────────────────────────────────────────────────────────────────

    def _end_phase(self, step: EndPhase) -> None:
        if step.phase is None:
            self.code.add(lambda: _finish, step.span)
            return

        def make() -> Instruction:
            def leave(S: Cells) -> int:
                base, flag = self._innermost(S, step.phase, step.span)
                S[FP] = base
                del S[base + len(self.frames[S[base]].blank) :]
                for inner in self._flags[S[base]]:
                    if inner.offset > flag.offset:
                        S[base + inner.offset] = 0
                self._started(S)
                return flag.end.pc

            return leave

        self.code.add(make, step.span)

    def _innermost(self, S: Cells, name: str | None, span: Span | None) -> tuple[int, _Flag]:
        """The frame and the flag of the innermost running phase of a name."""
        base = S[FP]
        while base >= self.layout.stack:
            for flag in reversed(self._flags[S[base]]):
                if flag.name == name and S[base + flag.offset]:
                    return base, flag
            base = S[base + 2]
        raise MatchError(f"no phase `{name}` is running here", span)

    def _leave(self, index: int, flag: _Flag) -> Effect:
        """A phase has come to its end: what it started stops."""

        def leave(S: Cells) -> None:
            here = S[FP] + flag.offset
            started = S[here] >> 1
            S[here] = 0
            if started:
                self._started(S)

        return leave

    def _activate(self, step: Activate, frame: Frame) -> None:
        modifier = self.term(step.modifier, frame)

        def activate(S: Cells) -> None:
            base, flag = self._innermost(S, step.phase, step.span)
            S[base + flag.offset] |= 2 << modifier(S)
            self._started(S)

        self.code.effect(activate, step.span)

    def _deactivate(self, step: Deactivate, frame: Frame) -> None:
        modifier = self.term(step.modifier, frame)

        def deactivate(S: Cells) -> None:
            bit = 2 << modifier(S)
            for address in self._running_flags(S):
                S[address] &= ~bit
            self._started(S)

        self.code.effect(deactivate, step.span)

    def _started(self, S: Cells) -> None:
        """Works out anew which modifiers were started by phases that run."""
        bits = 0
        for address in self._running_flags(S):
            bits |= S[address] >> 1
        S[STARTED] = bits

    def _running_flags(self, S: Cells) -> list[int]:
        addresses = []
        base = S[FP]
        while base >= self.layout.stack:
            addresses += [base + flag.offset for flag in self._flags[S[base]]]
            base = S[base + 2]
        return addresses


def _finish(S: Cells) -> int:
    S[STATUS] = FINISHED
    return STOP
