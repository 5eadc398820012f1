"""Events as instructions: what stands in for them, what runs before and after them, and how one proceeds."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from rulesdsl.diagnostic import InternalError
from rulesdsl.ir.nodes import Branch, Handler, Operation, Point, ProceedStep

from ..state.cells import FP, FRAME_HEAD
from .assembly import Guarded, Inserted, Item, Trace
from .code import Cells, Instruction, Label
from .frames import Frame
from .fused import first_argument

if TYPE_CHECKING:
    from .assemble import Assembler


@dataclass(slots=True)
class _Proceeding:
    """What `proceed` means at the moment: the cell for the way back, and the place to go to."""

    back: int
    target: Label
    is_procedure: bool


class Events:
    """Assembles events with their handlers."""

    def __init__(self, assembler: Assembler, trace: Trace | None) -> None:
        self._assembler = assembler
        self._trace = trace
        self._proceeding: _Proceeding | None = None

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
        before: list[Item] = [Inserted(self._assembler.fused.resets(resets))] if resets else []
        before += self._handlers(name, handlers, Point.BEFORE, frame)
        before += self._traced(name, None, 0, begins=True)
        after: list[Item] = [*self._traced(name, None, 0, begins=False)]
        after += self._handlers(name, handlers, Point.AFTER, frame)
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
                self._assembler.code.place(leave)
            else:
                self._assembler.code.jump(leave)
            return
        handler = insteads[0]
        back = frame.keep(0)
        inner, inner_leave = Label(), Label()

        def pass_by(S: Cells) -> None:
            S[S[FP] + back] = leave.pc

        if handler.guard is not None:
            guard = self._assembler.term(handler.guard, frame)
            work = Label()

            def make() -> Instruction:
                works, next_one, way_back = work.pc, inner.pc, leave.pc

                def choose(S: Cells) -> int:
                    if guard(S):
                        return works
                    S[S[FP] + back] = way_back
                    return next_one

                return choose

            self._assembler.code.add(make, handler.guard.span)
            self._assembler.code.place(work)
        outer, self._proceeding = self._proceeding, _Proceeding(back, inner, is_procedure)
        self._assembler.block([*self._working(handler, frame), *handler.body], frame)
        self._proceeding = outer
        self._assembler.code.jump(leave)
        self._assembler.code.place(inner)
        self._assembler.inside(
            pass_by,
            lambda: self._level(insteads[1:], frame, inner_leave, core, is_procedure=is_procedure, outermost=False),
        )
        self._assembler.code.place(inner_leave)
        self._assembler.code.add(lambda: lambda S: S[S[FP] + back], None)
        if outermost:
            self._assembler.code.place(leave)

    def proceed(self, step: ProceedStep, frame: Frame) -> None:
        """Goes on from a handler to what it stands in for."""
        proceeding = self._proceeding
        if proceeding is None:
            raise InternalError("only what stands in for an event can proceed with it")
        arguments = tuple(self._assembler.term(argument, frame) for argument in step.arguments)
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

        self._assembler.code.add(make, step.span)
        self._assembler.code.place(after)

    def _working(self, handler: Handler, frame: Frame) -> list[Operation | Inserted]:
        working = self._assembler.fused.working(handler, frame)
        return [] if working is None else [Inserted(working)]

    def _handlers(self, name: str, handlers: Sequence[Handler], point: Point, frame: Frame) -> list[Item]:
        items: list[Item] = []
        for number, handler in enumerate([handler for handler in handlers if handler.point is point]):
            begins, ends = (self._traced(name, point, number, begins=begins) for begins in (True, False))
            begins += self._working(handler, frame)
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
