"""Terms that are none where a value is none: most often a property of what may not be there."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from rulesdsl.ir.nodes import Spread
from rulesdsl.types import NONE, Play, required

from ..state.cells import Closure, State
from . import plays, tables
from .fold import nothing_of
from .operands import operand

if TYPE_CHECKING:
    from .terms import Evaluator


def spread(compiler: Evaluator, term: Spread) -> Closure:
    """The body where there is a value, nothing where there is none."""
    if compiler.optimise:
        table = tables.of_only_member(compiler, term) or tables.by_member(compiler, term)
        if table is not None:
            return table
    nothing = nothing_of(term.type)
    R = compiler.registers
    if isinstance(required(term.value.type), Play):
        return _of_play(compiler, term, nothing)
    value, register = operand(compiler, term.value), compiler.bind(term.id, term.value.type)
    worth, body = value.worth, compiler.compile(term.body)
    if (cell := value.cell) is not None:

        def spread_cell(S: State) -> Any:
            found = R[register] = S[cell]
            return nothing if found == NONE else body(S)

        return spread_cell

    def of_value(S: State) -> Any:
        found = R[register] = worth(S)
        return nothing if found == NONE else body(S)

    return of_value


def _of_play(compiler: Evaluator, term: Spread, nothing: Any) -> Closure:
    play, register = plays.play_of(compiler, term.value), compiler.bind(term.id, term.value.type)
    at = plays.part_of(compiler, term.body, term.id)
    if at is not None and compiler.optimise:

        def part(S: State) -> Any:
            found = play(S)
            return nothing if found is None else found[at]

        return part
    R, body = compiler.registers, compiler.compile(term.body)

    def of_value(S: State) -> Any:
        found = R[register] = play(S)
        return nothing if found is None else body(S)

    return of_value
