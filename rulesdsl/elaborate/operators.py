"""Operators: comparing, calculating, uniting sets. Each side settles what a short name on the other one means."""

from __future__ import annotations

from dataclasses import replace
from math import lcm
from typing import assert_never

from ..ir.nodes import Bound, Const, Op, Prim, Spread, Term
from ..source import Span
from ..syntax.expr import Binary, Expr, FaceLiteral, Items, Name, NoneLiteral, Not, NumberLiteral, Operator
from ..types import (
    Card,
    Enum,
    Face,
    ListOf,
    NoValue,
    Number,
    Optional,
    Range,
    Record,
    RowOf,
    Seat,
    SetOf,
    Team,
    Type,
    Unknown,
    YesNo,
    required,
)
from .fit import as_sequence, fit, is_ordered, members_of, rescaled, rescaled_range, same_kind, showing
from .names import is_finite
from .scope import Scope
from .walks import WalkChecker
from .wording import a, several

_COMPARE = {
    Operator.LESS: Op.LESS,
    Operator.LESS_EQUAL: Op.LESS_EQUAL,
    Operator.GREATER: Op.GREATER,
    Operator.GREATER_EQUAL: Op.GREATER_EQUAL,
}
_ARITHMETIC = {
    Operator.PLUS: Op.ADD,
    Operator.MINUS: Op.SUBTRACT,
    Operator.TIMES: Op.MULTIPLY,
    Operator.DIV: Op.DIVIDE,
    Operator.MOD: Op.MODULO,
}


class OperatorChecker(WalkChecker):
    """Turns expressions with two sides into terms."""

    def binary(self, expr: Binary, scope: Scope, want: Type | None) -> Term:
        """`A and B`, `A < B`, `A + B` ..."""
        match expr.operator:
            case Operator.AND | Operator.OR:
                return self._logic(expr, scope)
            case Operator.IS | Operator.IS_NOT:
                return self._same(expr, scope)
            case Operator.IN | Operator.NOT_IN:
                return self._member_of(expr, scope)
            case Operator.LESS | Operator.LESS_EQUAL | Operator.GREATER | Operator.GREATER_EQUAL:
                return self._compare(expr, scope)
            case Operator.PLUS | Operator.MINUS | Operator.TIMES | Operator.DIV | Operator.MOD:
                return self._arithmetic(expr, scope, want)
            case _:
                assert_never(expr.operator)

    def _logic(self, expr: Binary, scope: Scope) -> Term:
        left = self.condition(expr.left, scope, f"`{expr.operator}`")
        certain = certain_if(expr.left) if expr.operator is Operator.AND else certain_unless(expr.left)
        right = self.condition(expr.right, scope.knowing(*certain), f"`{expr.operator}`")
        op = Op.AND if expr.operator is Operator.AND else Op.OR
        return Prim(op, (left, right), type=YesNo(), span=expr.span)

    def _pair(self, expr: Binary, scope: Scope) -> tuple[Term, Term]:
        """Both sides; each settles what a short name on the other one means."""
        if is_short(expr.left) and not is_short(expr.right):
            right = self.expression(expr.right, scope)
            left = self.expression(expr.left, scope, _element_or_self(right.type, expr.operator))
        else:
            left = self.expression(expr.left, scope)
            right = self.expression(expr.right, scope, required(left.type))
        return left, right

    def _same(self, expr: Binary, scope: Scope) -> Term:
        left, right = self._pair(expr, scope)
        negated = expr.operator is Operator.IS_NOT
        term = self.equal(left, right, expr.span)
        return Prim(Op.NOT, (term,), type=YesNo(), span=expr.span) if negated else term

    def equal(self, left: Term, right: Term, span: Span) -> Term:
        """Whether two values of one type are the same; a card is the same as a face that it shows."""
        if isinstance(left.type, Face) and isinstance(required(right.type), Card):
            left, right = right, left
        if isinstance(required(left.type), Card) and isinstance(right.type, Face):
            if not same_kind(left.type, right.type):
                return self._mismatch(left, right, span)
            return Prim(Op.IN_SET, (left, showing(right)), type=YesNo(), span=span)
        if isinstance(required(left.type), Number) and isinstance(required(right.type), Number):
            left, right = self._one_scale(left, right)
            return Prim(Op.SAME, (left, right), type=YesNo(), span=span)
        if same_kind(left.type, right.type):
            one, other = as_sequence(left), as_sequence(right)
            if one is not None and isinstance(right.type, NoValue):
                return Prim(Op.IS_EMPTY, (one,), type=YesNo(), span=span)
            # A team is compared as the set of its players only with what is one as well, not with a team or none.
            first, second = (left, right) if one is None or other is None else (one, other)
            if isinstance(first.type, RowOf) and is_finite(first.type.of):
                whole = SetOf(first.type.of)
                first, second = self.forced(first, whole), self.forced(second, whole)
            return Prim(Op.SAME, (first, second), type=YesNo(), span=span)
        one, other = as_sequence(left), as_sequence(right)
        if one is not None or other is not None:
            base = one if one is not None else other
            assert base is not None and isinstance(base.type, SetOf | RowOf | ListOf)
            wide = SetOf(base.type.of) if is_finite(base.type.of) else RowOf(base.type.of)
            first, second = fit(left, wide) or left, fit(right, wide) or right
            if first.type == wide and second.type == wide:
                return Prim(Op.SAME, (first, second), type=YesNo(), span=span)
        return self._mismatch(left, right, span)

    def _mismatch(self, left: Term, right: Term, span: Span) -> Term:
        self.names.report(
            "E0402", span, f"{a(left.type)} and {a(right.type)} can't be compared", self.hint(left, right.type)
        )
        return self.error(span)

    def _member_of(self, expr: Binary, scope: Scope) -> Term:
        if is_short(expr.left):
            right = self.expression(expr.right, scope)
            left = self.expression(expr.left, scope, _element_or_self(right.type, expr.operator))
        else:
            left = self.expression(expr.left, scope)
            right = self.expression(expr.right, scope, _set_hint(left.type))
        term = self._in(left, right, expr.span)
        return Prim(Op.NOT, (term,), type=YesNo(), span=expr.span) if expr.operator is Operator.NOT_IN else term

    def _in(self, left: Term, right: Term, span: Span) -> Term:
        if isinstance(right.type, Range):
            number = required(left.type)
            if not isinstance(number, Number):
                return self._mismatch(left, right, span)
            scale = lcm(number.scale, right.type.of.scale)
            left = self.rescale(left, scale)
            return Prim(Op.IN_RANGE, (left, self.rescale(right, scale)), type=YesNo(), span=span)
        sequence = members_of(right)
        if sequence is None or not isinstance(sequence.type, SetOf | RowOf | ListOf):
            self.names.report(
                "E0403",
                span,
                f"`in` needs a set, a list, a range or a zone on its right, but this is {a(right.type)}",
                "write `is` to compare two values",
            )
            return self.error(span)
        of = sequence.type.of
        if isinstance(left.type, Face) and of == Card(left.type.kind):
            whole = self.forced(sequence, SetOf(of))
            rest = Prim(Op.MINUS, (whole, showing(left)), type=SetOf(of), span=span)
            return Prim(Op.DIFFERS, (rest, whole), type=YesNo(), span=span)
        if not same_kind(left.type, of):
            return self._mismatch(left, replace(right, type=of), span)
        if isinstance(of, Number) and isinstance(required(left.type), Number):
            left = self.rescale(left, of.scale)
        op = Op.IN_SET if isinstance(sequence.type, SetOf) else Op.IN_ROW
        return Prim(op, (left, sequence), type=YesNo(), span=span)

    def _compare(self, expr: Binary, scope: Scope) -> Term:
        left, right = self._pair(expr, scope)
        sides = ((expr.left, left), (expr.right, right))
        for side, term in sides:
            if isinstance(term.type, Optional):
                self.names.report(
                    "E0406",
                    side.span,
                    f"this may be none, and `{expr.operator}` needs a value",
                    f"say `{side.span.text} is not none and ...` first, or `... else VALUE`",
                )
                return self.error(expr.span)
        if isinstance(left.type, Record) and left.type.summed:
            left = self.forced(left, Number())
        if isinstance(right.type, Record) and right.type.summed:
            right = self.forced(right, Number())
        if isinstance(left.type, Number) and isinstance(right.type, Number):
            left, right = self._one_scale(left, right)
        elif not same_kind(left.type, right.type):
            return self._mismatch(left, right, expr.span)
        elif not is_ordered(left.type):
            self.names.report(
                "E0404",
                expr.span,
                f"{several(left.type)} have no order",
                "declare the type with `low_to_high:`, or compare a number that belongs to it",
            )
            return self.error(expr.span)
        return Prim(_COMPARE[expr.operator], (left, right), type=YesNo(), span=expr.span)

    def _arithmetic(self, expr: Binary, scope: Scope, want: Type | None) -> Term:
        if expr.operator in (Operator.PLUS, Operator.MINUS):
            left = self.expression(expr.left, scope, want)
            hint = required(left.type) if not isinstance(left.type, Number) else want
            right = self.expression(expr.right, scope, hint)
            sets = self._set_arithmetic(expr, left, right)
            if sets is not None:
                return sets
            left, right = self._as_number(left, expr.left, want), self._as_number(right, expr.right, want)
        else:
            left, right = self.operand(expr.left, scope, want), self.operand(expr.right, scope, want)
        if isinstance(left.type, Unknown) or isinstance(right.type, Unknown):
            return self.error(expr.span)
        assert isinstance(left.type, Number) and isinstance(right.type, Number)
        if expr.operator is Operator.TIMES:
            scale = left.type.scale * right.type.scale
            return Prim(Op.MULTIPLY, (left, right), type=Number(scale), span=expr.span)
        if expr.operator in (Operator.DIV, Operator.MOD):
            if isinstance(right, Const) and right.value == 0:
                self.names.report("E0412", expr.right.span, "nothing can be divided by 0", "write another divisor")
                return self.error(expr.span)
            left, right = self._one_scale(left, right)
            whole = Number() if expr.operator is Operator.DIV else unbounded(left.type)
            return Prim(_ARITHMETIC[expr.operator], (left, right), type=whole, span=expr.span)
        left, right = self._one_scale(left, right)
        return Prim(_ARITHMETIC[expr.operator], (left, right), type=unbounded(left.type), span=expr.span)

    def operand(self, expr: Expr, scope: Scope, want: Type | None) -> Term:
        """A number, for arithmetic and ranges."""
        number = want if isinstance(want, Number) else Number()
        return self._as_number(self.expression(expr, scope, number), expr, number)

    def _as_number(self, term: Term, expr: Expr, want: Type | None) -> Term:
        if isinstance(term.type, Number | Unknown):
            return term
        return self.fitted(term, expr, want if isinstance(want, Number) else Number(), "arithmetic")

    def _set_arithmetic(self, expr: Binary, left: Term, right: Term) -> Term | None:
        """Union and difference where a side is a set; None where both are numbers."""
        first, second = as_sequence(left), as_sequence(right)
        if first is None and second is None:
            if isinstance(left.type, Unknown) or isinstance(right.type, Unknown):
                return self.error(expr.span)
            if not isinstance(required(left.type), Card | Seat | Enum | Team):
                return None
            first = fit(left, SetOf(required(left.type)))
        base = first if first is not None else second
        assert base is not None and isinstance(base.type, SetOf | RowOf | ListOf)
        of = base.type.of
        minus = expr.operator is Operator.MINUS
        if isinstance(base.type, ListOf):
            wide: Type = ListOf(of)
        elif isinstance(of, Number) and left.type != right.type:
            wide = RowOf(unbounded(of))  # a set of numbers has bounds, and who knows whether the other side keeps them
        elif isinstance(first and first.type, RowOf) and (minus or not is_finite(of)):
            wide = RowOf(of)
        else:
            wide = SetOf(of)
        one, other = fit(first if first is not None else left, wide), fit(second if second is not None else right, wide)
        if one is None or other is None:
            return self._mismatch(left, right, expr.span)
        if isinstance(wide, SetOf):
            op = Op.MINUS if minus else Op.UNION
        else:
            op = Op.ROW_MINUS if minus else Op.APPEND if isinstance(wide, ListOf) else Op.ROW_UNION
        return Prim(op, (one, other), type=wide, span=expr.span)

    def _one_scale(self, left: Term, right: Term) -> tuple[Term, Term]:
        first, second = required(left.type), required(right.type)
        assert isinstance(first, Number) and isinstance(second, Number)
        scale = lcm(first.scale, second.scale)
        return self.rescale(left, scale), self.rescale(right, scale)

    def rescale(self, term: Term, scale: int) -> Term:
        """A number, or a range, in finer steps; `none` stays none."""
        match term.type:
            case Number():
                return rescaled(term, scale) or term
            case Range():
                return rescaled_range(term, scale) or term
            case Optional(of=Number() as of) if of.scale != scale:
                bound = Bound(-2, "number", type=of)
                body = rescaled(bound, scale) or bound
                return Spread(-2, term, body, type=Optional(body.type), span=term.span)
            case _:
                return term

    # ── help ─────────────────────────────────────────────────────────────────────────────────────────────────────

    def hint(self, term: Term, want: Type) -> str | None:
        """What people usually mean who give this where that is wanted."""
        sequence = as_sequence(term)
        if sequence is not None and isinstance(want, YesNo):
            return "write `any(...)` to ask whether there is one; a `where` after `in` needs round brackets"
        if sequence is not None and isinstance(sequence.type, SetOf | RowOf | ListOf) and sequence.type.of == want:
            return "write `only(...)`, `first(...)` or another rule that picks one of them"
        if isinstance(want, YesNo) and isinstance(term.type, Number):
            return "compare it with something: `... > 0`"
        if isinstance(want, Number) and isinstance(term.type, YesNo):
            return "write `1 if CONDITION else 0` to count it"
        if isinstance(want, Number) and isinstance(term.type, Enum) and term.type.ordered:
            return "write `place(...)`: a member is no number; it counts from 0"
        return None


# ── what a test shows ────────────────────────────────────────────────────────────────────────────────────────────


def certain_if(condition: Expr) -> tuple[Expr, ...]:
    """What is not none where the condition holds."""
    match condition:
        case Binary(operator=Operator.IS_NOT, left=left, right=NoneLiteral()):
            return (left,)
        case Binary(operator=Operator.AND, left=left, right=right):
            return (*certain_if(left), *certain_if(right))
        case Not(operand=operand):
            return certain_unless(operand)
        case _:
            return ()


def certain_unless(condition: Expr) -> tuple[Expr, ...]:
    """What is not none where the condition does not hold."""
    match condition:
        case Binary(operator=Operator.IS, left=left, right=NoneLiteral()):
            return (left,)
        case Binary(operator=Operator.OR, left=left, right=right):
            return (*certain_unless(left), *certain_unless(right))
        case Not(operand=operand):
            return certain_if(operand)
        case _:
            return ()


def is_short(expr: Expr) -> bool:
    """Whether the text could be the name of a member: the other side then says of which type."""
    match expr:
        case Name() | NumberLiteral() | FaceLiteral():
            return True
        case Items():
            return all(is_short(item) for item in expr.items)
        case _:
            return False


def _element_or_self(of: Type, operator: Operator) -> Type:
    if operator in (Operator.IN, Operator.NOT_IN) and isinstance(of, SetOf | RowOf | ListOf):
        return of.of
    return required(of)


def _set_hint(of: Type) -> Type | None:
    inner = required(of)
    return SetOf(inner) if isinstance(inner, Enum | Seat | Card | Team) else None


def unbounded(of: Type) -> Type:
    """A number type without the bounds that a text gave it."""
    return Number(of.scale) if isinstance(of, Number) else of
