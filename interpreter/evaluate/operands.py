"""Operands that are no more than a constant, a register or a cell: whoever uses one need not call anything for it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from rulesdsl.ir.nodes import Bound, Const, Term, Var
from rulesdsl.types import Play, required

from ..state.cells import Closure

if TYPE_CHECKING:
    from .terms import Evaluator


@dataclass(frozen=True, slots=True)
class Operand:
    """A term ready to be worked out by `worth`; one of the others says where its value simply lies, if it does."""

    worth: Closure
    constant: Any = None
    register: int | None = None
    cell: int | None = None


def operand(compiler: Evaluator, term: Term) -> Operand:
    """A prepared term as an operand, inside of what is being compiled."""
    worth = compiler.compile(term)
    match term:
        case Const(value=value):
            return Operand(worth, constant=value)
        case Bound() if not isinstance(required(term.type), Play):
            return Operand(worth, register=compiler.register(term))
        case Var(name=name, index=()):
            return Operand(worth, cell=compiler.layout.variables[name].base)
        case _:
            return Operand(worth)
