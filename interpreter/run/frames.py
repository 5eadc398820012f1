"""What the frame of a running procedure holds: the head, the procedure's own cells, then what loops and decisions keep.

The head is the number of the procedure, the instruction to go on with, and where the previous frame begins.
"""

from __future__ import annotations

from collections.abc import Sequence

from rulesdsl.ir.nodes import Cell, Procedure, RunProcedure, Value
from rulesdsl.types import NONE, ListOf, Optional, RowOf, SetOf, Type

from ..evaluate.locals import Locals
from ..state.cells import FP, FRAME_HEAD
from ..state.errors import MatchError
from .code import Cells


class Frame:
    """The cells of one procedure, by their distance from the beginning of the frame; or none, if they are locals."""

    def __init__(self, index: int, procedure: Procedure, locals_: Locals | None = None) -> None:
        self.index = index
        self.procedure = procedure
        self.offsets: dict[int, int] = {} if locals_ is None else locals_
        self.blank: list[Value] = [index, 0, 0]
        if locals_ is None:
            for cell in procedure.cells:
                self.add(cell)

    def add(self, cell: Cell) -> int:
        """Makes room for a cell of the program."""
        self.offsets[cell.id] = len(self.blank)
        self.blank.append(unbound(cell.type))
        return self.offsets[cell.id]

    def keep(self, start: Value) -> int:
        """Makes room for something the machine itself keeps."""
        self.blank.append(start)
        return len(self.blank) - 1


def unbound(kind: Type) -> Value:
    """What a cell holds before anything was bound to it."""
    match kind:
        case SetOf():
            return 0
        case RowOf() | ListOf():
            return ()
        case _:
            return NONE


def push(S: Cells, blank: list[Value], back: int, arguments: tuple[Value, ...]) -> None:
    """A procedure begins: its frame goes on top, with its arguments in the first cells."""
    base = len(S)
    S.extend(blank)
    S[base + 1] = back
    S[base + 2] = S[FP]
    S[FP] = base
    if arguments:
        first = base + FRAME_HEAD
        S[first : first + len(arguments)] = arguments


def pop(S: Cells) -> int:
    """The running procedure ends: its frame goes, and the answer says with which instruction to go on."""
    base: int = S[FP]
    back: int = S[base + 1]
    S[FP] = S[base + 2]
    del S[base:]
    return back


def refuse_none(values: Sequence[Value], call: RunProcedure, called: Procedure) -> None:
    """Something a procedure is given is none; that is an error unless it may be.

    Raises:
        MatchError: which names what is not there.
    """
    for value, cell in zip(values, called.cells, strict=False):
        if value == NONE and not isinstance(cell.type, Optional):
            raise MatchError(f"`{call.procedure}` needs a value for '{cell.name}', and there is none", call.span)
