"""Which steps run through without a stop: no decision, no way out of a phase, no procedure inside itself.

Such steps need no places of their own in the table of instructions; many of them become one.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import assert_never

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
    Phase,
    Procedure,
    ProceedStep,
    Program,
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

from ..state.layout import Layout


def blocks_in(operation: Operation) -> Iterator[Block]:
    """The blocks directly inside an operation, handlers first."""
    match operation:
        case Branch():
            yield from (operation.then, operation.otherwise)
        case Each() | Together() | Repeat():
            yield operation.body
        case Phase():
            yield from (handler.body for handler in operation.handlers)
            yield operation.body
        case Ask():
            yield from (handler.body for handler in operation.handlers)
            yield from (alternative.body for alternative in operation.alternatives)
            yield operation.otherwise
        case Window():
            yield from blocks_in(operation.ask)
        case _:
            return


def operations_in(block: Block) -> Iterator[Operation]:
    """All operations of a block, at any depth."""
    for operation in block:
        yield operation
        for inner in blocks_in(operation):
            yield from operations_in(inner)


def has_anchor(operation: Operation) -> bool:
    """Whether a match can be started at something inside, or at the operation itself."""
    return any(isinstance(inner, Phase | RunProcedure | Ask) for inner in operations_in((operation,)))


class Plainness:
    """Knows of every operation of a program whether it runs through."""

    def __init__(self, program: Program, layout: Layout, *, stepwise: bool, drawing: bool = False) -> None:
        self._procedures = {procedure.name: procedure for procedure in layout.procedures}
        self._known: dict[str, bool] = {}
        self._stepwise = stepwise
        self._drawing = drawing
        """Whether decisions are made at once, so that they are no reason to stop."""
        self.flagged: frozenset[str] = frozenset(_named_phases(program, layout))
        """The phases that some step names while they run; they keep a cell that says so."""

    def block(self, block: Iterable[Operation], *, proceeding: bool = False) -> bool:
        """Whether a whole block runs through. `proceeding`: what it may proceed to is known to do so."""
        return all(self.operation(operation, proceeding=proceeding) for operation in block)

    def operation(self, operation: Operation, *, proceeding: bool = False) -> bool:
        """Whether an operation runs through."""
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
                return True
            case ProceedStep():
                return proceeding
            case Branch() | Each() | Repeat():
                return all(self.block(block, proceeding=proceeding) for block in blocks_in(operation))
            case Phase():
                return (
                    not self._stepwise
                    and operation.name not in self.flagged
                    and self.block(operation.body, proceeding=proceeding)
                    and self._handlers(operation.handlers)
                )
            case RunProcedure():
                return not self._stepwise and self._procedure(operation.procedure)
            case Ask() if self._drawing:
                return (
                    not self._stepwise
                    and all(self.block(chosen.body, proceeding=proceeding) for chosen in operation.alternatives)
                    and self.block(operation.otherwise, proceeding=proceeding)
                    and self._handlers(operation.handlers)
                )
            case Together() | Ask() | Window() | EndPhase() | Activate() | Deactivate():
                return False
            case _:
                assert_never(operation)

    def _handlers(self, handlers: Iterable[Handler]) -> bool:
        return all(self.block(handler.body, proceeding=True) for handler in handlers)

    def _procedure(self, name: str) -> bool:
        if name not in self._known:
            self._known[name] = False  # while it is looked at: inside itself it does not run through
            procedure: Procedure = self._procedures[name]
            self._known[name] = (
                procedure.depth == 1 and self.block(procedure.body) and self._handlers(procedure.handlers)
            )
        return self._known[name]


def _named_phases(program: Program, layout: Layout) -> Iterator[str]:
    for procedure in layout.procedures:
        blocks = [procedure.body, *(handler.body for handler in procedure.handlers)]
        for block in blocks:
            for operation in operations_in(block):
                if isinstance(operation, EndPhase) and operation.phase is not None:
                    yield operation.phase
                elif isinstance(operation, Activate):
                    yield operation.phase
