"""Names of a procedure that lie in registers instead of its frame: those of a run that nobody can interrupt.

Where nothing stops between the first step of a procedure and its last one, no state is ever seen in which it runs. Its
cells need no place in the state then; as bounds they are quicker to read, and more is known of them beforehand.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from rulesdsl.ir.nodes import Bound, Cell, Program, Running
from rulesdsl.types import Play, required

from .program_nodes import nodes_of

if TYPE_CHECKING:
    from .terms import Evaluator


class Locals(dict[int, int]):
    """Stands for a frame in which no cell lies; `bounds` are the bounds that stand for the cells, by their ids."""

    def __init__(self, compiler: Evaluator, cells: Iterable[Cell]) -> None:
        super().__init__()
        self.bounds: dict[int, Bound] = {cell.id: compiler.fresh(cell) for cell in cells}
        self.registers: dict[int, int] = {cell: compiler.register(bound) for cell, bound in self.bounds.items()}


def can_be_local(cell: Cell) -> bool:
    """Whether a register can hold the cell. That of a play holds the play itself and would not notice its end."""
    return not isinstance(required(cell.type), Play)


def looked_for(program: Program) -> set[str]:
    """The procedures whose cells something looks for from further up the stack."""
    return {node.procedure for node in nodes_of(program) if isinstance(node, Running)}
