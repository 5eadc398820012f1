"""Terms that depend on one or two members of small types and on nothing else, as tables that fill in use."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from rulesdsl.ir.nodes import Bound, Op, PlayField, Prim, Spread, Term
from rulesdsl.types import Card, Enum, Seat, SetOf, Team, Type, YesNo, required

from ..state.cells import Closure, State
from .fold import nothing_of
from .operands import operand

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


def of_only_member(compiler: Evaluator, term: Spread) -> Closure | None:
    """A fixed property of the only member of a set, such as the suit of the only card of a play: found by the set."""
    match term.value:
        case Prim(op=Op.ONLY, arguments=(source,)) if isinstance(source.type, SetOf):
            of = source.type.of
        case _:
            return None
    facts = compiler.analyst.facts(term.body)
    size = _size(compiler, of)
    if not facts.static or facts.fallible or facts.free - {term.id} or size == 0:
        return None
    register, R = compiler.bind(term.id, of), compiler.registers
    with compiler.apart():
        body = compiler.compile(term.body)
    by_set = {}
    for member in range(size):
        R[register] = member
        by_set[1 << member] = body([])
    nothing = nothing_of(term.type)
    find = by_set.get
    if isinstance(source, PlayField) and isinstance(source.play, Bound) and source.name == "cards":
        play = compiler.register(source.play)

        def of_play(S: State) -> Any:
            found = R[play]
            return nothing if found is None else find(found[2], nothing)

        return of_play
    bits = compiler.compile(source)
    return lambda S: find(bits(S), nothing)


def by_member(compiler: Evaluator, term: Spread) -> Closure | None:
    """A fixed property of a member of a small type that may be none, such as the rank of a card that a state holds."""
    of = required(term.value.type)
    facts = compiler.analyst.facts(term.body)
    size = _size(compiler, of)
    if not facts.static or facts.fallible or facts.free - {term.id} or size == 0:
        return None
    register, R = compiler.bind(term.id, of), compiler.registers
    with compiler.apart():
        body = compiler.compile(term.body)
    properties = {}
    for member in range(size):
        R[register] = member
        properties[member] = body([])
    nothing = nothing_of(term.type)
    find, value = properties.get, operand(compiler, term.value)
    if (cell := value.cell) is not None:
        return lambda S: find(S[cell], nothing)
    worth = value.worth
    return lambda S: find(worth(S), nothing)


def _size(compiler: Evaluator, of: Type | None) -> int:
    """How many entries a table by values of a type has; 0 if there is none."""
    if isinstance(of, YesNo | Seat | Team | Enum | Card):
        size = compiler.layout.size_of(of)
        return size if size <= LARGEST_TABLE else 0
    return 0
