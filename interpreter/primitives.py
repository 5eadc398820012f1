"""The primitive operations of terms, one small function each.

Sequences come as bit sets, tuples or ranges; which it is, the type of the operand says, so that nothing is tested while
a match runs. Truth is 0 or 1, never Python's own, because values are saved.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

from rulesdsl.diagnostic import InternalError
from rulesdsl.ir.nodes import Bound, Const, Op, Prim, Term
from rulesdsl.types import LARGEST, NONE, Ladder, Play, Range, SetOf, required

from . import plays
from .bits import members
from .cells import Closure, State
from .domains import first_of, member_of
from .errors import MatchError
from .readers import cards_beneath, kind_of, zone_holder

if TYPE_CHECKING:
    from .terms import Evaluator

Build = Callable[["Evaluator", Prim], Closure]


def primitive(compiler: Evaluator, term: Prim) -> Closure:
    """A primitive operation as a function of the state."""
    return _BUILDERS[term.op](compiler, term)


def _operands(compiler: Evaluator, term: Prim) -> list[Closure]:
    return [compiler.compile(argument) for argument in term.arguments]


# ── numbers and comparisons ──────────────────────────────────────────────────────────────────────────────────────


def _binary(make: Callable[[Closure, Closure], Closure], fixed: Callable[[Closure, Any], Closure]) -> Build:
    """An operation of two operands, with a shorter form for a constant second one."""

    def build(compiler: Evaluator, term: Prim) -> Closure:
        left, right = term.arguments
        if isinstance(right, Const):
            return fixed(compiler.compile(left), right.value)
        return make(compiler.compile(left), compiler.compile(right))

    return build


def _same(compiler: Evaluator, term: Prim) -> Closure:
    left, right = _aligned(compiler, term)
    if isinstance(right, Const):
        value = right.value
        if isinstance(left, Bound) and not isinstance(required(left.type), Play):
            register = compiler.register(left)
            R = compiler.registers
            return lambda S: 1 if R[register] == value else 0
        single = compiler.compile(left)
        return lambda S: 1 if single(S) == value else 0
    a, b = compiler.compile(left), compiler.compile(right)
    return lambda S: 1 if a(S) == b(S) else 0


def _differs(compiler: Evaluator, term: Prim) -> Closure:
    left, right = _aligned(compiler, term)
    a, b = compiler.compile(left), compiler.compile(right)
    return lambda S: 1 if a(S) != b(S) else 0


def _aligned(compiler: Evaluator, term: Prim) -> tuple[Term, Term]:
    """Two operands of one representation: sets of numbers count from one first value."""
    left, right = term.arguments
    if isinstance(left.type, SetOf) and isinstance(right.type, SetOf):
        if first_of(left.type.of) != first_of(right.type.of):
            wide = left.type if first_of(left.type.of) < first_of(right.type.of) else right.type
            return _as(left, wide), _as(right, wide)
    return left, right


def _as(term: Term, wide: SetOf) -> Term:
    return Prim(Op.TO_SET, (term,), type=wide, span=term.span)


def _multiply(compiler: Evaluator, term: Prim) -> Closure:
    a, b = _operands(compiler, term)
    span = term.span

    def product(S: State) -> int:
        value: int = a(S) * b(S)
        if not -LARGEST <= value <= LARGEST:
            raise MatchError("a number becomes too large", span)
        return value

    return product


def _divide(compiler: Evaluator, term: Prim) -> Closure:
    a, b = _operands(compiler, term)
    span = term.span

    def quotient(S: State) -> int:
        divisor = b(S)
        if divisor == 0:
            raise MatchError("a number is divided by 0", span)
        return a(S) // divisor  # type: ignore[no-any-return]

    return quotient


def _modulo(compiler: Evaluator, term: Prim) -> Closure:
    a, b = _operands(compiler, term)
    span = term.span

    def rest(S: State) -> int:
        divisor = b(S)
        if divisor == 0:
            raise MatchError("a number is divided by 0", span)
        return a(S) % divisor  # type: ignore[no-any-return]

    return rest


def _unary(make: Callable[[Closure], Closure]) -> Build:
    def build(compiler: Evaluator, term: Prim) -> Closure:
        return make(compiler.compile(term.arguments[0]))

    return build


def _two(make: Callable[[Closure, Closure], Closure]) -> Build:
    def build(compiler: Evaluator, term: Prim) -> Closure:
        a, b = _operands(compiler, term)
        return make(a, b)

    return build


def _next(compiler: Evaluator, term: Prim) -> Closure:
    member = compiler.compile(term.arguments[0])
    count = _constant(term.arguments[1])
    after_top = 0 if _constant(term.arguments[2]) else NONE

    def following(S: State) -> int:
        value: int = member(S) + 1
        return value if value < count else after_top

    return following


def _constant(term: Term) -> int:
    if isinstance(term, Const) and isinstance(term.value, int):
        return term.value
    raise InternalError("an operand that has to be a constant is none")


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

    return rest


def _to_set(compiler: Evaluator, term: Prim) -> Closure:
    (argument,) = term.arguments
    if isinstance(argument.type, SetOf):
        return _rebased(compiler, argument, term)
    values = values_of(compiler, argument)
    first = first_of(member_of(term.type))

    def as_set(S: State) -> int:
        bits = 0
        for value in values(S):
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


# ── cards, seats, records ────────────────────────────────────────────────────────────────────────────────────────


def _seat_table(name: str) -> Build:
    def build(compiler: Evaluator, term: Prim) -> Closure:
        table = getattr(compiler.layout.seating, name)
        (member,) = _operands(compiler, term)
        return lambda S: table[member(S)]

    return build


def _holder(compiler: Evaluator, term: Prim) -> Closure:
    base = compiler.layout.at[kind_of(term.arguments[0].type)]
    (card,) = _operands(compiler, term)
    holder = zone_holder(compiler)
    return lambda S: holder(S, S[base + card(S)])


def _owner(compiler: Evaluator, term: Prim) -> Closure:
    (place,) = _operands(compiler, term)
    holder = zone_holder(compiler)
    return lambda S: holder(S, place(S))


def _place_of_card(compiler: Evaluator, term: Prim) -> Closure:
    base = compiler.layout.at[kind_of(term.arguments[0].type)]
    (card,) = _operands(compiler, term)
    return lambda S: S[base + card(S)]


def _under(compiler: Evaluator, term: Prim) -> Closure:
    layout = compiler.layout
    number = layout.zone_count + layout.card_base[kind_of(term.arguments[0].type)]
    (card,) = _operands(compiler, term)
    beneath = cards_beneath(compiler, kind_of(term.type))
    return lambda S: beneath(S, number + card(S))


def _over(compiler: Evaluator, term: Prim) -> Closure:
    layout = compiler.layout
    base = layout.over[kind_of(term.arguments[0].type)]
    first = layout.card_base[kind_of(required(term.type))]
    (card,) = _operands(compiler, term)

    def over(S: State) -> int:
        number: int = S[base + card(S)]
        return NONE if number == NONE else number - first

    return over


def _face(compiler: Evaluator, term: Prim) -> Closure:
    table = compiler.layout.packs[kind_of(term.arguments[0].type)].faces()
    (card,) = _operands(compiler, term)
    return lambda S: table[card(S)]


def _field_of(compiler: Evaluator, term: Prim) -> Closure:
    record, at = compiler.compile(term.arguments[0]), _constant(term.arguments[1])
    of = required(term.arguments[0].type)
    if isinstance(of, Ladder):
        stride, size, first = compiler.layout.rung_parts(of)[at]
        return lambda S: first + record(S) // stride % size
    return lambda S: record(S)[at]


_BUILDERS: dict[Op, Build] = {
    Op.ADD: _binary(lambda a, b: lambda S: a(S) + b(S), lambda a, v: lambda S: a(S) + v),
    Op.SUBTRACT: _binary(lambda a, b: lambda S: a(S) - b(S), lambda a, v: lambda S: a(S) - v),
    Op.MULTIPLY: _multiply,
    Op.DIVIDE: _divide,
    Op.MODULO: _modulo,
    Op.NEGATE: _unary(lambda a: lambda S: -a(S)),
    Op.SCALE: _two(lambda a, b: lambda S: a(S) * b(S)),
    Op.LESS: _binary(lambda a, b: lambda S: 1 if a(S) < b(S) else 0, lambda a, v: lambda S: 1 if a(S) < v else 0),
    Op.LESS_EQUAL: _binary(
        lambda a, b: lambda S: 1 if a(S) <= b(S) else 0, lambda a, v: lambda S: 1 if a(S) <= v else 0
    ),
    Op.GREATER: _binary(lambda a, b: lambda S: 1 if a(S) > b(S) else 0, lambda a, v: lambda S: 1 if a(S) > v else 0),
    Op.GREATER_EQUAL: _binary(
        lambda a, b: lambda S: 1 if a(S) >= b(S) else 0, lambda a, v: lambda S: 1 if a(S) >= v else 0
    ),
    Op.SAME: _same,
    Op.DIFFERS: _differs,
    Op.NOT: _unary(lambda a: lambda S: 0 if a(S) else 1),
    Op.AND: _two(lambda a, b: lambda S: b(S) if a(S) else 0),
    Op.OR: _two(lambda a, b: lambda S: 1 if a(S) else b(S)),
    Op.IN_SET: _in_set,
    Op.IN_ROW: _in_row,
    Op.IN_RANGE: _in_range,
    Op.UNION: _union,
    Op.MINUS: _minus,
    Op.APPEND: _two(lambda a, b: lambda S: a(S) + b(S)),
    Op.ROW_UNION: _row_union,
    Op.ROW_MINUS: _row_minus,
    Op.COUNT: _count,
    Op.IS_EMPTY: _is_empty,
    Op.TO_SET: _to_set,
    Op.TO_ROW: _to_row,
    Op.SINGLETON: _singleton,
    Op.SINGLE_ROW: _single_row,
    Op.DISTINCT: lambda compiler, term: (lambda values: lambda S: tuple(dict.fromkeys(values(S))))(
        values_of(compiler, term.arguments[0])
    ),
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
    Op.PLACE_IN_ORDER: _unary(lambda a: a),
    Op.NEXT: _next,
    Op.LEFT: _seat_table("left"),
    Op.RIGHT: _seat_table("right"),
    Op.ACROSS: _seat_table("across"),
    Op.PARTNER: _seat_table("partner"),
    Op.CLOCKWISE: _seat_table("clockwise"),
    Op.ANTICLOCKWISE: _seat_table("anticlockwise"),
    Op.TEAM_OF: _seat_table("team_of"),
    Op.SEATS_OF: _seat_table("members"),
    Op.HOLDER: _holder,
    Op.OWNER: _owner,
    Op.PLACE_OF_CARD: _place_of_card,
    Op.UNDER: _under,
    Op.OVER: _over,
    Op.SHOWING: _unary(lambda a: a),
    Op.FACE: _face,
    Op.LEAST: _unary(lambda a: lambda S: a(S)[0]),
    Op.MOST: _unary(lambda a: lambda S: a(S)[1]),
    Op.FIELD_OF: _field_of,
}
