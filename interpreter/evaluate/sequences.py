"""Primitive operations on sequences: membership, sets and rows, counting, picking.

Sequences come as bit sets, tuples or ranges; which it is, the type of the operand says, so that nothing is tested while
a match runs.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

from rulesdsl.ir.nodes import AllOf, Const, Op, Prim, Term, ZoneCards
from rulesdsl.types import NONE, ListOf, Range, SetOf

from ..state.bits import members
from ..state.cells import Closure, State
from ..state.domains import first_of, member_of
from . import plays

if TYPE_CHECKING:
    from .terms import Evaluator

Build = Callable[["Evaluator", Prim], Closure]


def _operands(compiler: Evaluator, term: Prim) -> list[Closure]:
    return [compiler.compile(argument) for argument in term.arguments]


# ── membership ───────────────────────────────────────────────────────────────────────────────────────────────────


def _in_set(compiler: Evaluator, term: Prim) -> Closure:
    value, bits = _operands(compiler, term)
    first = first_of(member_of(term.arguments[1].type))
    if first == 0:

        def is_in(S: State) -> int:
            found = value(S)
            return bits(S) >> found & 1 if found >= 0 else 0

        return is_in

    def is_in_from(S: State) -> int:
        found = value(S) - first
        return bits(S) >> found & 1 if found >= 0 else 0

    return is_in_from


def _in_row(compiler: Evaluator, term: Prim) -> Closure:
    value, row = _operands(compiler, term)
    return lambda S: 1 if value(S) in row(S) else 0


def _in_range(compiler: Evaluator, term: Prim) -> Closure:
    value, limits = _operands(compiler, term)

    def is_in(S: State) -> int:
        low, high = limits(S)
        return 1 if low <= value(S) <= high else 0

    return is_in


# ── sets and rows ────────────────────────────────────────────────────────────────────────────────────────────────


def _union(compiler: Evaluator, term: Prim) -> Closure:
    a, b = (_rebased(compiler, argument, term) for argument in term.arguments)
    return lambda S: a(S) | b(S)


def _minus(compiler: Evaluator, term: Prim) -> Closure:
    a, b = (_rebased(compiler, argument, term) for argument in term.arguments)
    return lambda S: a(S) & ~b(S)


def _rebased(compiler: Evaluator, argument: Term, wanted: Prim) -> Closure:
    """A set of numbers that counts from where the type of `wanted` begins."""
    bits = compiler.compile(argument)
    return shifted(bits, first_of(member_of(argument.type)) - first_of(member_of(wanted.type)))


def shifted(bits: Closure, by: int) -> Closure:
    """A set whose members stand `by` places further up; those that fall off the lower end are no members any more."""
    if by == 0:
        return bits
    return (lambda S: bits(S) << by) if by > 0 else (lambda S: bits(S) >> -by)


def _row_union(compiler: Evaluator, term: Prim) -> Closure:
    a, b = _operands(compiler, term)
    return lambda S: tuple(dict.fromkeys(a(S) + b(S)))


def _row_minus(compiler: Evaluator, term: Prim) -> Closure:
    a, b = _operands(compiler, term)

    def rest(S: State) -> tuple[Any, ...]:
        without = b(S)
        return tuple([value for value in a(S) if value not in without])

    def rest_of_list(S: State) -> tuple[Any, ...]:
        left = list(a(S))
        for value in b(S):
            if value in left:
                left.remove(value)
        return tuple(left)

    return rest_of_list if isinstance(term.type, ListOf) else rest


def _to_set(compiler: Evaluator, term: Prim) -> Closure:
    (argument,) = term.arguments
    if isinstance(argument.type, SetOf):
        return _rebased(compiler, argument, term)
    values = values_of(compiler, argument)
    first = first_of(member_of(term.type))

    def as_set(S: State) -> int:
        bits = 0
        for value in values(S):
            if value != NONE:
                bits |= 1 << value - first
        return bits

    return as_set


def _to_row(compiler: Evaluator, term: Prim) -> Closure:
    values = values_of(compiler, term.arguments[0])
    return lambda S: tuple(values(S))


def _singleton(compiler: Evaluator, term: Prim) -> Closure:
    (worth,) = _operands(compiler, term)
    first = first_of(member_of(term.type))

    def single(S: State) -> int:
        value = worth(S)
        return 0 if value == NONE else 1 << value - first

    return single


def _single_row(compiler: Evaluator, term: Prim) -> Closure:
    (worth,) = _operands(compiler, term)

    def single(S: State) -> tuple[Any, ...]:
        value = worth(S)
        return () if value == NONE else (value,)

    return single


def values_of(compiler: Evaluator, source: Term) -> Callable[[State], Sequence[Any]]:
    """The members of a sequence, one after the other, as values."""
    worth = compiler.compile(source)
    of = source.type
    if isinstance(of, SetOf):
        first = first_of(of.of)
        if isinstance(source, AllOf | Const):
            everything = tuple([first + index for index in members(worth([]))])
            return lambda S: everything
        if first == 0:
            return lambda S: members(worth(S))
        return lambda S: [first + index for index in members(worth(S))]
    if isinstance(of, Range):

        def numbers(S: State) -> range:
            low, high = worth(S)
            return range(low, high + 1)

        return numbers
    return worth


def _length(compiler: Evaluator, source: Term) -> Closure:
    if isinstance(source.type, SetOf):
        bits = compiler.compile(source)
        return lambda S: bits(S).bit_count()
    if compiler.optimise and plays.is_row_of_plays(source):
        found = compiler.plays(source)
        return lambda S: len(found(S))
    values = values_of(compiler, source)
    return lambda S: len(values(S))


def _count(compiler: Evaluator, term: Prim) -> Closure:
    return _length(compiler, term.arguments[0])


def _is_empty(compiler: Evaluator, term: Prim) -> Closure:
    (source,) = term.arguments
    if isinstance(source.type, SetOf):
        bits = compiler.compile(source)
        return lambda S: 0 if bits(S) else 1
    if isinstance(source, ZoneCards):
        held = plays.contents(compiler, source)
        cell = compiler.layout.zone_of(source.zone).cell
        return (lambda S: 0 if S[cell] else 1) if source.owner is None else lambda S: 0 if held(S) else 1
    length = _length(compiler, source)
    return lambda S: 0 if length(S) else 1


def _only(compiler: Evaluator, term: Prim) -> Closure:
    (source,) = term.arguments
    if isinstance(source.type, SetOf):
        worth = compiler.compile(source)
        first = first_of(source.type.of)

        def only_bit(S: State) -> int:
            bits = worth(S)
            return first + bits.bit_length() - 1 if bits and bits & (bits - 1) == 0 else NONE

        return only_bit
    return _picked(compiler, term, lambda values: values[0] if len(values) == 1 else NONE)


def _first(compiler: Evaluator, term: Prim) -> Closure:
    (source,) = term.arguments
    if isinstance(source.type, SetOf):
        worth = compiler.compile(source)
        first = first_of(source.type.of)

        def lowest(S: State) -> int:
            bits = worth(S)
            return first + (bits & -bits).bit_length() - 1 if bits else NONE

        return lowest
    return _picked(compiler, term, lambda values: values[0] if values else NONE)


def _last(compiler: Evaluator, term: Prim) -> Closure:
    (source,) = term.arguments
    if isinstance(source.type, SetOf):
        worth = compiler.compile(source)
        first = first_of(source.type.of)

        def highest(S: State) -> int:
            bits = worth(S)
            return first + bits.bit_length() - 1 if bits else NONE

        return highest
    return _picked(compiler, term, lambda values: values[-1] if values else NONE)


def _picked(compiler: Evaluator, term: Prim, pick: Callable[[Sequence[Any]], Any]) -> Closure:
    (source,) = term.arguments
    if compiler.optimise and plays.is_row_of_plays(source):
        play = plays.play_of(compiler, term)

        def stamp(S: State) -> int:
            found = play(S)
            return NONE if found is None else found[0]

        return stamp
    values = values_of(compiler, source)
    return lambda S: pick(values(S))


def _top(compiler: Evaluator, term: Prim) -> Closure:
    values, number = values_of(compiler, term.arguments[0]), compiler.compile(term.arguments[1])

    def top(S: State) -> tuple[Any, ...]:
        wanted = number(S)
        return tuple(values(S)[-wanted:]) if wanted > 0 else ()

    return top


def _bottom(compiler: Evaluator, term: Prim) -> Closure:
    values, number = values_of(compiler, term.arguments[0]), compiler.compile(term.arguments[1])
    return lambda S: tuple(values(S)[: max(0, number(S))])


def _over_values(pick: Callable[[list[Any]], Any]) -> Build:
    """An operation over the members of a sequence that are not none."""

    def build(compiler: Evaluator, term: Prim) -> Closure:
        values = values_of(compiler, term.arguments[0])
        return lambda S: pick([value for value in values(S) if value != NONE])

    return build


def _append(compiler: Evaluator, term: Prim) -> Closure:
    a, b = _operands(compiler, term)
    return lambda S: a(S) + b(S)


def _distinct(compiler: Evaluator, term: Prim) -> Closure:
    values = values_of(compiler, term.arguments[0])
    return lambda S: tuple(dict.fromkeys(values(S)))


BUILDERS: dict[Op, Build] = {
    Op.IN_SET: _in_set,
    Op.IN_ROW: _in_row,
    Op.IN_RANGE: _in_range,
    Op.UNION: _union,
    Op.MINUS: _minus,
    Op.APPEND: _append,
    Op.ROW_UNION: _row_union,
    Op.ROW_MINUS: _row_minus,
    Op.COUNT: _count,
    Op.IS_EMPTY: _is_empty,
    Op.TO_SET: _to_set,
    Op.TO_ROW: _to_row,
    Op.SINGLETON: _singleton,
    Op.SINGLE_ROW: _single_row,
    Op.DISTINCT: _distinct,
    Op.ONLY: _only,
    Op.FIRST: _first,
    Op.LAST: _last,
    Op.TOP: _top,
    Op.BOTTOM: _bottom,
    Op.MIN: _over_values(lambda values: min(values, default=NONE)),
    Op.MAX: _over_values(lambda values: max(values, default=NONE)),
    Op.SUM: _over_values(sum),
    Op.ANY_OF: _over_values(lambda values: 1 if any(values) else 0),
    Op.ALL_OF: _over_values(lambda values: 1 if all(values) else 0),
}
