"""Phases as instructions, and what they are named for: ways out of them, and modifiers that last as long as they do.

Only a phase that some step names keeps a cell of its own: 0 while it does not run, else 1 and, from the second bit on,
the modifiers that were started for it.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from rulesdsl.ir.nodes import Activate, Deactivate, EndPhase, Phase
from rulesdsl.source import Span

from ..state.cells import FINISHED, FP, STARTED, STATUS
from ..state.errors import MatchError
from .assembly import AnchorSort, Inserted, Item
from .code import STOP, Cells, Effect, Instruction, Label
from .frames import Frame

if TYPE_CHECKING:
    from .assemble import Assembler


@dataclass(slots=True)
class _Flag:
    """A phase that some step names: the cell that says it runs, and where its end is."""

    name: str
    offset: int
    end: Label


class Phases:
    """Assembles phases."""

    def __init__(self, assembler: Assembler) -> None:
        self._assembler = assembler
        self._flags: list[list[_Flag]] = [[] for _ in assembler.frames]

    def phase(self, phase: Phase, frame: Frame, *, apart: bool) -> None:
        """A phase with its handlers."""
        with self._assembler.form(phase.when, frame):
            self._phase(phase, frame, apart=apart)

    def _phase(self, phase: Phase, frame: Frame, *, apart: bool) -> None:
        self._assembler.anchor(AnchorSort.PHASE, phase.name, phase.path, frame)
        end = Label()
        if phase.when is not None:
            self._assembler.skip_unless(self._assembler.term(phase.when, frame), end, phase.span)
        begin: list[Item] = [Inserted(self._assembler.fused.entered(phase))]
        if phase.name not in self._assembler.plainness.flagged:

            def core(before: list[Item], after: list[Item]) -> None:
                self._assembler.block([*begin, *before, *phase.body, *after], frame, apart=apart)

        else:
            flag = _Flag(phase.name, frame.keep(0), Label())
            self._flags[frame.index].append(flag)

            def run(S: Cells) -> None:
                S[S[FP] + flag.offset] = 1

            def core(before: list[Item], after: list[Item]) -> None:
                self._assembler.code.effect(run, phase.span)
                self._assembler.inside(
                    run, lambda: self._assembler.block([*begin, *before, *phase.body], frame, apart=apart)
                )
                self._assembler.code.place(flag.end)
                self._assembler.code.effect(self._leave(frame.index, flag), phase.span)
                self._assembler.block(after, frame, apart=apart)

        self._assembler.events.event(phase.name, phase.handlers, frame, core, resets=phase.resets)
        self._assembler.code.place(end)

    # ── ways out, and what lasts as long as a phase ────────────────────────────────────────────────────────────────

    def end_phase(self, step: EndPhase) -> None:
        """The way out of a phase, or of the match."""
        if step.phase is None:
            self._assembler.code.add(lambda: finish, step.span)
            return

        def make() -> Instruction:
            def leave(S: Cells) -> int:
                base, flag = self._innermost(S, step.phase, step.span)
                S[FP] = base
                del S[base + len(self._assembler.frames[S[base]].blank) :]
                for inner in self._flags[S[base]]:
                    if inner.offset > flag.offset:
                        S[base + inner.offset] = 0
                self._started(S)
                return flag.end.pc

            return leave

        self._assembler.code.add(make, step.span)

    def _innermost(self, S: Cells, name: str | None, span: Span | None) -> tuple[int, _Flag]:
        """The frame and the flag of the innermost running phase of a name."""
        base = S[FP]
        while base >= self._assembler.layout.stack:
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

    def activate(self, step: Activate, frame: Frame) -> None:
        """A modifier comes into force for as long as a phase runs."""
        modifier = self._assembler.term(step.modifier, frame)

        def activate(S: Cells) -> None:
            base, flag = self._innermost(S, step.phase, step.span)
            S[base + flag.offset] |= 2 << modifier(S)
            self._started(S)

        self._assembler.code.effect(activate, step.span)

    def deactivate(self, step: Deactivate, frame: Frame) -> None:
        """A modifier stops, whichever phase it was started for."""
        modifier = self._assembler.term(step.modifier, frame)

        def deactivate(S: Cells) -> None:
            bit = 2 << modifier(S)
            for address in self._running_flags(S):
                S[address] &= ~bit
            self._started(S)

        self._assembler.code.effect(deactivate, step.span)

    def _started(self, S: Cells) -> None:
        """Works out anew which modifiers were started by phases that run."""
        bits = 0
        for address in self._running_flags(S):
            bits |= S[address] >> 1
        S[STARTED] = bits

    def _running_flags(self, S: Cells) -> list[int]:
        addresses = []
        base = S[FP]
        while base >= self._assembler.layout.stack:
            addresses += [base + flag.offset for flag in self._flags[S[base]]]
            base = S[base + 2]
        return addresses


def finish(S: Cells) -> int:
    """The match is over."""
    S[STATUS] = FINISHED
    return STOP
