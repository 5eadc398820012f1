"""Values put together from parts: records, lists, rungs, sets."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rulesdsl.ir.nodes import MakeSet, MakeTuple
from rulesdsl.types import NONE, Ladder

from ..state.cells import Closure, State
from ..state.domains import first_of, member_of

if TYPE_CHECKING:
    from .terms import Evaluator


def made_tuple(compiler: Evaluator, term: MakeTuple) -> Closure:
    """A record, a range or a list; a rung of a ladder is one number."""
    parts = [compiler.compile(part) for part in term.parts]
    if isinstance(term.type, Ladder):
        rungs = [
            (part, stride, first)
            for part, (stride, _, first) in zip(parts, compiler.layout.rung_parts(term.type), strict=True)
        ]
        return lambda S: sum([(part(S) - first) * stride for part, stride, first in rungs])
    if len(parts) == 2:
        left, right = parts
        return lambda S: (left(S), right(S))
    return lambda S: tuple([part(S) for part in parts])


def made_set(compiler: Evaluator, term: MakeSet) -> Closure:
    """A bit set; none is left out."""
    parts = [compiler.compile(part) for part in term.parts]
    first = first_of(member_of(term.type))

    def made(S: State) -> int:
        bits = 0
        for part in parts:
            value = part(S)
            if value != NONE:
                bits |= 1 << value - first
        return bits

    return made
