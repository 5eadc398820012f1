"""The primitive operations of terms, one small function each.

Truth is 0 or 1, never Python's own, because values are saved.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from rulesdsl.diagnostic import InternalError
from rulesdsl.ir.nodes import Bound, Const, Op, Prim, Term, Var
from rulesdsl.types import LARGEST, NONE, Ladder, Play, SetOf, required

from ..state.cells import Closure, State
from ..state.domains import first_of
from ..state.errors import MatchError
from . import sequences
from .gathered import gathered
from .readers import cards_beneath, kind_of, zone_holder

if TYPE_CHECKING:
    from .terms import Evaluator

Build = Callable[["Evaluator", Prim], Closure]


def primitive(compiler: Evaluator, term: Prim) -> Closure:
    """A primitive operation as a function of the state."""
    if term.op in (Op.ADD, Op.UNION) and (in_one_loop := gathered(compiler, term)) is not None:
        return in_one_loop
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
    if isinstance(left, Bound) and isinstance(right, Var) and not right.index:
        R, register, cell = compiler.registers, compiler.register(left), compiler.layout.variables[right.name].base
        if not isinstance(required(left.type), Play):
            return lambda S: 1 if R[register] == S[cell] else 0
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


MOST_WALKED = 10_000
"""A longer range can't be gone through number by number."""


def _range_row(compiler: Evaluator, term: Prim) -> Closure:
    (limits,) = _operands(compiler, term)
    span = term.span

    def row(S: State) -> tuple[int, ...]:
        low, high = limits(S)
        if high - low >= MOST_WALKED:
            raise MatchError(f"a range of more than {MOST_WALKED} numbers can't be gone through", span)
        return tuple(range(low, high + 1))

    return row


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


def _not(compiler: Evaluator, term: Prim) -> Closure:
    match term.arguments:
        case (Prim(op=Op.IS_EMPTY, arguments=(source,)),) if isinstance(source.type, SetOf):
            bits = compiler.compile(source)
            return lambda S: 1 if bits(S) else 0
        case _:
            holds = compiler.compile(term.arguments[0])
            return lambda S: 0 if holds(S) else 1


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
    Op.NOT: _not,
    Op.AND: _two(lambda a, b: lambda S: b(S) if a(S) else 0),
    Op.OR: _two(lambda a, b: lambda S: 1 if a(S) else b(S)),
    **sequences.BUILDERS,
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
    Op.RANGE_ROW: _range_row,
    Op.LEAST: _unary(lambda a: lambda S: a(S)[0]),
    Op.MOST: _unary(lambda a: lambda S: a(S)[1]),
    Op.FIELD_OF: _field_of,
}
