"""Choices that compare one value with one constant after the other: found in a table instead.

What cards of many rows can do is such a choice, with as many branches as there are rows.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from rulesdsl.ir.nodes import Const, If, Op, Prim, Term, Value

from ..state.cells import Closure, State

if TYPE_CHECKING:
    from .terms import Evaluator

FEWEST = 3
"""So many comparisons are worth a table."""


def switched(compiler: Evaluator, term: If) -> Closure | None:
    """The choice by a table; None if it compares different things, or few."""
    first = _comparison(term.condition)
    if first is None:
        return None
    subject = first[0]
    branches: list[tuple[tuple[Value, ...], Term]] = []
    rest: Term = term
    while isinstance(rest, If):
        found = _comparison(rest.condition)
        if found is None or found[0] != subject:
            break
        branches.append((found[1], rest.then))
        rest = rest.otherwise
    if len(branches) < FEWEST:
        return None
    worth, otherwise = compiler.compile(subject), compiler.compile(rest)
    table: dict[Value, Closure] = {}
    for values, then in branches:
        branch = compiler.compile(then)
        for value in values:
            table.setdefault(value, branch)
    find: Callable[[Any, Closure], Closure] = table.get

    def switch(S: State) -> Any:
        return find(worth(S), otherwise)(S)

    return switch


def _comparison(condition: Term) -> tuple[Term, tuple[Value, ...]] | None:
    """What is compared, and with which constants."""
    match condition:
        case Prim(op=Op.SAME, arguments=(subject, Const(value=value))):
            return subject, (value,)
        case Prim(op=Op.IN_ROW, arguments=(subject, Const(value=tuple(values)))):
            return subject, values
        case _:
            return None
