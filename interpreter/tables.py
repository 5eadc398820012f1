"""Terms that depend on one or two members of small types and on nothing else, as tables that fill when they are used."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from rulesdsl.ir.nodes import Term
from rulesdsl.types import Card, Enum, Ladder, Number, Seat, Team, Type, YesNo

from .cells import Closure, State
from .domains import first_of, is_finite

if TYPE_CHECKING:
    from .terms import Evaluator

LARGEST_TABLE = 2048
"""A table has no more entries than this."""

_WORTH_ONE, _WORTH_TWO = 3, 8
"""A term of fewer nodes is as quickly worked out as looked up by one member, or by two."""


def tabulated(compiler: Evaluator, term: Term) -> Closure | None:
    """The term as a table, None if it is not of that kind."""
    facts = compiler.analyst.facts(term)
    if not facts.static:
        return None
    bounds = sorted(facts.free)
    if not (len(bounds) == 1 and facts.size >= _WORTH_ONE) and not (len(bounds) == 2 and facts.size >= _WORTH_TWO):
        return None
    sizes = [_size(compiler, compiler.type_of(bound)) for bound in bounds]
    if 0 in sizes or (len(sizes) == 2 and sizes[0] * sizes[1] > LARGEST_TABLE):
        return None
    with compiler.apart():
        body = compiler.plain(term)
    R = compiler.registers
    first = compiler.register(bounds[0])
    if len(bounds) == 1:
        table: list[Any] = [None] * sizes[0]

        def looked_up(S: State) -> Any:
            value = table[R[first]]
            if value is None:
                value = table[R[first]] = body(S)
            return value

        return looked_up
    second, width = compiler.register(bounds[1]), sizes[1]
    matrix: list[Any] = [None] * (sizes[0] * width)

    def looked_up_by_two(S: State) -> Any:
        index = R[first] * width + R[second]
        value = matrix[index]
        if value is None:
            value = matrix[index] = body(S)
        return value

    return looked_up_by_two


def _size(compiler: Evaluator, of: Type | None) -> int:
    """How many entries a table by values of a type has; 0 if there is none."""
    if isinstance(of, YesNo | Seat | Team | Enum | Card | Ladder | Number) and is_finite(of) and first_of(of) == 0:
        size = compiler.layout.size_of(of)
        return size if size <= LARGEST_TABLE else 0
    return 0
