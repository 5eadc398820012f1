"""Makes the table of instructions from a program: phases, loops and procedures become places and jumps.

A frame of the stack is a running procedure. Phases and loops live in cells of the frame in which they run. Steps that
run through (`fused.py`) become one instruction; where a match can be started inside of them, they stand in the table a
second time, step by step, out of the way of those who just come by. Where decisions are made at once, more runs
through: the table is the same then, with short cuts for those who come to the beginning of such steps.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from itertools import groupby
from typing import assert_never

from rulesdsl.diagnostic import InternalError
from rulesdsl.ir.nodes import (
    Activate,
    Announce,
    Ask,
    Assign,
    Branch,
    Deactivate,
    DrawRandom,
    Each,
    EndPhase,
    Increase,
    MakePlay,
    Move,
    Operation,
    Phase,
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
from rulesdsl.types import NONE

from ..decide.parts import Luck
from ..evaluate.terms import Evaluator
from ..sight.notes import Notes
from ..state.cells import FP, STEPS, Closure
from ..state.errors import MatchError
from ..state.layout import Layout
from ..state.limits import MOST_OPERATIONS, LimitReached, count_operations
from .asking import Asking
from .assembly import Anchor, AnchorSort, Assembly, CallSite, Guarded, Inserted, Item, Trace
from .chance import Chance
from .code import Cells, Code, Effect, Instruction, Label
from .effects import Effects
from .events import Events
from .forms import asked_of_modifiers
from .frames import Frame, pop, push, refuse_none
from .fused import Fused
from .lockstep import Lockstep
from .phases import Phases, finish
from .plainness import Plainness, has_anchor
from .straight import in_turn
from .turns import members_of
from .windows import Windows


class Assembler:
    """Assembles one program for one number of seats."""

    def __init__(
        self,
        layout: Layout,
        evaluator: Evaluator,
        chance: Callable[[], Chance],
        notes: Notes | None,
        luck: Luck | None = None,
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
        self.forms: list[Closure] = []
        """What the place that is being assembled asks of the modifiers in force."""
        self.nest: list[Effect] = []
        """Brings what encloses the place that is being assembled into its first turn."""
        self._asking = Asking(self, luck)
        self._at_once: Plainness | None = None
        """Where decisions are made at once, what runs through then."""
        if self._asking.drawing is not None:
            self._at_once = Plainness(layout.program, layout, stepwise=trace is not None, drawing=True)
            self.fused.decide = self._asking.drawing.decide
        self.events = Events(self, trace)
        self.phases = Phases(self)
        self._windows = Windows(self, self._asking)
        self._lockstep = Lockstep(self, self._asking)
        self._entries = tuple(Label() for _ in self.frames)
        self._anchors: list[Anchor] = []
        self._sites: list[CallSite] = []

    def assemble(self) -> Assembly:
        """The whole program."""
        for frame, entry in zip(self.frames, self._entries, strict=True):
            self.code.place(entry)
            self._procedure(frame)
        end = self.code.here
        self.code.add(lambda: finish, None)
        code = self.code.finish()
        return Assembly(
            code=code,
            spans=self.code.spans,
            frames=self.frames,
            starts=tuple(self.fused.state(frame) for frame in self.frames),
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
        if self._at_once is None or apart:
            self._steps(block, frame, apart=apart)
            return
        for runs_through, items in groupby(block, self._runs_through_at_once):
            start, part = self.code.here, list(items)
            self._steps(part, frame, apart=False)
            if runs_through and not all(self._runs_through(item) for item in part):
                self.code.shortcut(start, partial(self._together, part, frame))

    def _runs_through(self, item: Item) -> bool:
        return isinstance(item, Inserted) or (not isinstance(item, Guarded) and self.plainness.operation(item))

    def _runs_through_at_once(self, item: Item) -> bool:
        assert self._at_once is not None
        return isinstance(item, Inserted) or (not isinstance(item, Guarded) and self._at_once.operation(item))

    def _together(self, run: Sequence[Item], frame: Frame) -> Effect:
        """Items that run through, as one effect."""
        return in_turn(
            [
                item.effect if isinstance(item, Inserted) else self.fused.operation(item, frame)
                for item in run
                if not isinstance(item, Guarded)
            ]
        )

    def _steps(self, block: Sequence[Item], frame: Frame, *, apart: bool) -> None:
        run: list[Operation | Inserted] = []
        for item in block:
            if isinstance(item, Inserted) or (
                not isinstance(item, Guarded) and self.plainness.operation(item) and not (apart and has_anchor(item))
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
        operations = [item for item in run if not isinstance(item, Inserted)]
        span = operations[0].span if operations else None
        together, weight = self._together(run, frame), self.fused.weights.of(tuple(operations))

        def effect(S: Cells) -> None:
            S[STEPS] += weight
            together(S)

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
        mark = self.evaluator.marked(operation, frame.offsets)
        if mark is not None:
            self.code.effect(mark, operation.span)
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
                self.phases.phase(operation, frame, apart=apart)
            case RunProcedure():
                self._run(operation, frame)
            case ProceedStep():
                self.events.proceed(operation, frame)
            case Ask():
                self._asking.ask(operation, frame)
            case Window():
                self._windows.window(operation, frame)
            case EndPhase():
                self.phases.end_phase(operation)
            case Activate():
                self.phases.activate(operation, frame)
            case Deactivate():
                self.phases.deactivate(operation, frame)
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
        with self.form(branch.condition, frame):
            self.block(branch.then, frame, apart=apart)
        if branch.otherwise:
            self.code.jump(end)
        self.code.place(otherwise)
        with self.form(branch.condition, frame, holds=False):
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
                S[STEPS] += 1
                if S[STEPS] > MOST_OPERATIONS:
                    count_operations(S, 0, span)
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
                S[STEPS] += 1
                if S[STEPS] > MOST_OPERATIONS:
                    count_operations(S, 0, span)
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
        self._anchors.append(Anchor(sort, name, path, frame.index, label, tuple(self.nest), tuple(self.forms)))

    @contextmanager
    def form(self, condition: Term | None, frame: Frame, *, holds: bool = True) -> Iterator[None]:
        """What is added now stands where a condition holds, or where it fails."""
        asked = None if condition is None else asked_of_modifiers(condition, holds=holds)
        if asked is None:
            yield
            return
        self.forms.append(self.term(asked, frame))
        yield
        self.forms.pop()

    # ── procedures ──

    def _procedure(self, frame: Frame) -> None:
        procedure = frame.procedure
        start = self.fused.state(frame)
        if start is not None:
            self.code.effect(start, None)

        def core(before: list[Item], after: list[Item]) -> None:
            opening = self.fused.opening(procedure, frame)
            begins: list[Item] = [] if opening is None else [Inserted(opening)]
            self.block([*begins, *before, *procedure.body, *after], frame)

        self.events.event(procedure.name, procedure.handlers, frame, core, resets=procedure.resets, is_procedure=True)
        self.code.add(lambda: pop, None)

    def _run(self, call: RunProcedure, frame: Frame) -> None:
        self.anchor(AnchorSort.PROCEDURE, call.procedure, call.procedure, frame)
        index = self.layout.procedure_index[call.procedure]
        callee: Procedure = self.layout.procedures[index]
        blank = self.frames[index].blank
        arguments = tuple(self.term(argument, frame) for argument in call.arguments)
        entry, back = self._entries[index], Label()
        span = call.span
        self._sites.append(CallSite(frame.index, index, back, arguments, tuple(self.nest), tuple(self.forms)))
        depth = callee.depth

        def make() -> Instruction:
            target, way_back = entry.pc, back.pc

            def run(S: Cells) -> int:
                S[STEPS] += 1
                if S[STEPS] > MOST_OPERATIONS:
                    count_operations(S, 0, span)
                given = tuple([argument(S) for argument in arguments])
                if NONE in given:
                    refuse_none(given, call, callee)
                push(S, blank, way_back, given)
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
