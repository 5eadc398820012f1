"""From expressions to terms: names are resolved, types found, `none` is followed, all in one walk.

A `want` says what the place would like; it settles what a short name such as `10` or `left` means and is no promise:
who needs a type calls `wanted`, which reports what does not fit. What was reported becomes an `ErrorTerm` of unknown
type, so that one mistake is reported once.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction
from typing import assert_never

from ..ir.nodes import (
    Bound,
    Coalesce,
    Const,
    ErrorTerm,
    FaceOf,
    If,
    MakeSet,
    MakeTuple,
    Op,
    Prim,
    Proceed,
    Spread,
    Term,
)
from ..source import Span
from ..syntax.expr import (
    Binary,
    Call,
    Choice,
    EachOf,
    ErrorExpr,
    Expr,
    FaceLiteral,
    Fallback,
    Items,
    Name,
    Negative,
    NoneLiteral,
    Not,
    NumberLiteral,
    Operator,
    RangeLiteral,
    Ranked,
    TextLiteral,
    Where,
    YesNoLiteral,
)
from ..types import (
    LARGEST,
    NONE,
    Card,
    Enum,
    Face,
    ListOf,
    NoValue,
    Number,
    Optional,
    Place,
    Range,
    Record,
    RowOf,
    Seat,
    SetOf,
    Team,
    Text,
    Type,
    Unknown,
    YesNo,
    required,
)
from .calls import CallChecker
from .fit import as_sequence, fit, is_ordered, joined, rescaled, same_kind
from .names import is_finite, nearest
from .scope import Scope

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


class ExpressionChecker(CallChecker):
    """Turns expressions into terms; calls, functions and declared names are its base classes'."""

    # ── the two ways in ──────────────────────────────────────────────────────────────────────────────────────────

    def wanted(self, expr: Expr, scope: Scope, want: Type, what: str, *, none_is_error: bool = False) -> Term:
        """A term of the wanted type; `what` names the place for the message.

        With `none_is_error` an optional value is taken, since the machine ends the match with an error there.
        """
        term = self.expression(expr, scope, want)
        fitted = fit(term, want)
        if fitted is not None:
            return fitted
        if isinstance(term.type, Optional):
            inner = fit(replace(term, type=term.type.of), want)
            if inner is not None and none_is_error:
                return inner
            if inner is not None:
                self.names.report(
                    "E0406",
                    expr.span,
                    f"this may be none, but {what} needs a {want}",
                    "say what holds then: `... else VALUE`, or test `... is not none and ...` first",
                )
                return self.error(expr.span)
        self.names.report("E0401", expr.span, f"{what} needs a {want}, but this is a {term.type}", self._hint(term, want))
        return self.error(expr.span)

    def condition(self, expr: Expr, scope: Scope, what: str = "a condition") -> Term:
        """A term that is true or false."""
        return self.wanted(expr, scope, YesNo(), what)

    def expression(self, expr: Expr, scope: Scope, want: Type | None = None) -> Term:
        """The term an expression stands for."""
        term = self._expression(expr, scope, want)
        if isinstance(term.type, Optional) and expr in scope.certain:
            term = replace(term, type=term.type.of)
        return term if term.span is not None else replace(term, span=expr.span)

    def _expression(self, expr: Expr, scope: Scope, want: Type | None) -> Term:
        match expr:
            case Name():
                return self._name(expr, scope, want)
            case NumberLiteral():
                return self._number(expr, want)
            case TextLiteral():
                return Const(self.names.text(expr.text), type=Text(), span=expr.span)
            case YesNoLiteral():
                return Const(int(expr.value), type=YesNo(), span=expr.span)
            case NoneLiteral():
                return Const(NONE, type=NoValue(), span=expr.span)
            case FaceLiteral():
                return self._face(expr)
            case Call():
                return self.call(expr, scope, want)
            case EachOf():
                return self.each_of(expr, scope, want)
            case Ranked():
                return self.ranked(expr, scope)
            case Choice():
                return self._choice(expr, scope, want)
            case Fallback():
                return self._fallback(expr, scope, want)
            case Where():
                return self.where(expr, scope)
            case Binary():
                return self._binary(expr, scope, want)
            case Not():
                return Prim(Op.NOT, (self.condition(expr.operand, scope, "`not`"),), type=YesNo(), span=expr.span)
            case Negative():
                operand = self._operand(expr.operand, scope, want)
                return Prim(Op.NEGATE, (operand,), type=_unbounded(operand.type), span=expr.span)
            case RangeLiteral():
                return self._range(expr, scope)
            case Items():
                return self._items(expr, scope, want)
            case ErrorExpr():
                return self.error(expr.span)
            case _:
                assert_never(expr)

    def error(self, span: Span) -> Term:
        """What stands for something that was reported."""
        return ErrorTerm(type=Unknown(), span=span)

    # ── names and literals ───────────────────────────────────────────────────────────────────────────────────────

    def _name(self, expr: Name, scope: Scope, want: Type | None) -> Term:
        name = expr.name
        if name == "proceed" and scope.proceed is not None:
            return Proceed(type=scope.proceed, span=expr.span)
        if name == "legal" and scope.legal is not None:
            self.names.report("E0425", expr.span, "`legal` stands only after `for ... in`", "write `f(o.cards for o in legal)`")
            return self.error(expr.span)
        if name in scope.names:
            return replace(scope.names[name], span=expr.span)
        if name == "player" and (acting := scope.player()) is not None:
            return replace(acting, span=expr.span)
        member = self._member_named(name, want)
        if member is not None and not self.is_declared(name):
            return replace(member, span=expr.span)
        declared = self.declared(expr, scope)
        if declared is not None:
            return declared
        if member is not None:
            return replace(member, span=expr.span)
        return self._unknown_name(expr, want)

    def _unknown_name(self, expr: Name, want: Type | None) -> Term:
        name = expr.name
        found = self.names.members.get(name, [])
        if len(found) == 1:
            enum, index = found[0]
            return Const(index, type=enum, span=expr.span)
        if found:
            types = " and ".join(sorted(enum.name for enum, _ in found))
            self.names.report(
                "E0311", expr.span, f"'{name}' is a member of {types}, and nothing here says which", "compare it with something of one type"
            )
        elif name == "player":
            self.names.report(
                "E0305", expr.span, "no player is bound here", "use `each: player`, a parameter `player`, or name a seat"
            )
        elif name == "it":
            self.names.report("E0303", expr.span, "`it` is the candidate of a `where` or `by`, and there is none here", None)
        elif name == "proceed":
            self.names.report("E0538", expr.span, "`proceed` stands only in changes of something that is already there", None)
        else:
            known = [*self.names.everything(), *self.function_names()]
            self.names.report("E0301", expr.span, f"nothing is called '{name}'", nearest(name, known))
        return self.error(expr.span)

    def _member_named(self, name: str, want: Type | None) -> Term | None:
        """The member of the wanted type that has this name."""
        enum = _enum_of(want)
        if enum is not None and name in enum.members:
            return Const(enum.members.index(name), type=enum)
        return None

    def _number(self, expr: NumberLiteral, want: Type | None) -> Term:
        member = self._member_named(expr.text, want)
        if member is not None:
            return replace(member, span=expr.span)
        value = expr.value
        scale = value.denominator
        if value * scale > LARGEST:
            self.names.report("E0511", expr.span, "this number is too large", f"numbers go up to {LARGEST}")
            return self.error(expr.span)
        return Const(int(value * scale), type=Number(scale, value, value), span=expr.span)

    def _face(self, expr: FaceLiteral) -> Term:
        """`Q of spades`: the kind that prints two such attributes."""
        found: list[tuple[str, tuple[tuple[str, int], ...]]] = []
        for kind in self.names.kinds:
            attributes = [(n, t) for n, t in self.printed(kind).items() if isinstance(t, Enum)]
            for first, first_type in attributes:
                for second, second_type in attributes:
                    if first != second and expr.first in first_type.members and expr.second in second_type.members:
                        high, low = first_type.members.index(expr.first), second_type.members.index(expr.second)
                        found.append((kind, ((first, high), (second, low))))
        if len(found) != 1:
            text = f"{expr.first} of {expr.second}"
            message = f"no card shows '{text}'" if not found else f"several kinds of cards could show '{text}'"
            members = [m for m in self.names.members]
            wrong = next((word for word in (expr.first, expr.second) if word not in members), None)
            self.names.report("E0316", expr.span, message, nearest(wrong, members) if wrong else None)
            return self.error(expr.span)
        kind, pair = found[0]
        return FaceOf(kind, pair, type=Face(kind), span=expr.span)

    # ── choices ──────────────────────────────────────────────────────────────────────────────────────────────────

    def _choice(self, expr: Choice, scope: Scope, want: Type | None) -> Term:
        condition = self.condition(expr.condition, scope)
        then = self.expression(expr.then, scope.knowing(*certain_if(expr.condition)), want)
        otherwise = self.expression(expr.otherwise, scope.knowing(*certain_unless(expr.condition)), want or required(then.type))
        if want is None and isinstance(then.type, Unknown | NoValue):
            then = self.expression(expr.then, scope, required(otherwise.type))
        return self.branches(condition, then, otherwise, expr.span)

    def branches(self, condition: Term, then: Term, otherwise: Term, span: Span) -> Term:
        """`If`, with both branches brought to one type."""
        of = joined(then.type, otherwise.type)
        if of is None:
            self.names.report(
                "E0405", span, f"one branch is a {then.type}, the other a {otherwise.type}", "give both branches one type"
            )
            return self.error(span)
        return If(condition, self.forced(then, of), self.forced(otherwise, of), type=of, span=span)

    def forced(self, term: Term, of: Type) -> Term:
        """The term as one of a type that it is known to fit."""
        fitted = fit(term, of)
        return fitted if fitted is not None else self.error(term.span) if term.span else ErrorTerm(type=Unknown())

    def _fallback(self, expr: Fallback, scope: Scope, want: Type | None) -> Term:
        first = self.expression(expr.first, scope, want)
        second = self.expression(expr.second, scope, want or required(first.type))
        of = joined(required(first.type), second.type)
        if of is None:
            self.names.report(
                "E0405", expr.span, f"the first is a {first.type}, what stands in for it a {second.type}", "give both one type"
            )
            return self.error(expr.span)
        if not isinstance(first.type, Optional | SetOf | RowOf | ListOf | Place | NoValue | Unknown):
            self.names.report("W0402", expr.span, "the first value is always there, so `else` never counts", None)
        wide = Optional(of) if isinstance(first.type, Optional) and not isinstance(of, SetOf | RowOf | ListOf) else of
        return Coalesce(self.forced(first, wide), self.forced(second, of), type=of, span=expr.span)

    # ── operators ────────────────────────────────────────────────────────────────────────────────────────────────

    def _binary(self, expr: Binary, scope: Scope, want: Type | None) -> Term:
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
        if _is_short(expr.left) and not _is_short(expr.right):
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
            return Prim(Op.IN_SET, (left, replace(right, type=SetOf(required(left.type)))), type=YesNo(), span=span)
        if isinstance(required(left.type), Number) and isinstance(required(right.type), Number):
            left, right = self._one_scale(left, right)
            return Prim(Op.SAME, (left, right), type=YesNo(), span=span)
        if same_kind(left.type, right.type):
            first, second = as_sequence(left) or left, as_sequence(right) or right
            if isinstance(first.type, SetOf | RowOf | ListOf) and isinstance(right.type, NoValue):
                return Prim(Op.IS_EMPTY, (first,), type=YesNo(), span=span)
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
        self.names.report("E0402", span, f"a {left.type} and a {right.type} can't be compared", self._hint(left, right.type))
        return self.error(span)

    def _member_of(self, expr: Binary, scope: Scope) -> Term:
        if _is_short(expr.left):
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
            scale = max(number.scale, right.type.of.scale)
            left = self.rescale(left, scale)
            return Prim(Op.IN_RANGE, (left, self.rescale(right, scale)), type=YesNo(), span=span)
        sequence = as_sequence(right) or fit(right, SetOf(required(right.type)))
        if sequence is None or not isinstance(sequence.type, SetOf | RowOf | ListOf):
            self.names.report(
                "E0403", span, f"`in` needs a set, a list, a range or a zone on its right, but this is a {right.type}",
                "write `is` to compare two values",
            )
            return self.error(span)
        of = sequence.type.of
        if isinstance(left.type, Face) and of == Card(left.type.kind):
            whole = self.forced(sequence, SetOf(of))
            rest = Prim(Op.MINUS, (whole, replace(left, type=SetOf(of))), type=SetOf(of), span=span)
            return Prim(Op.DIFFERS, (rest, whole), type=YesNo(), span=span)
        if isinstance(of, Face) and isinstance(required(left.type), Card):
            return Prim(Op.IN_SET, (left, replace(sequence, type=SetOf(Card(of.kind)))), type=YesNo(), span=span)
        if not same_kind(left.type, of):
            return self._mismatch(left, replace(right, type=of), span)
        if isinstance(of, Number) and isinstance(required(left.type), Number):
            left = self.rescale(left, of.scale)
        op = Op.IN_SET if isinstance(sequence.type, SetOf) else Op.IN_ROW
        return Prim(op, (left, sequence), type=YesNo(), span=span)

    def _compare(self, expr: Binary, scope: Scope) -> Term:
        left, right = self._pair(expr, scope)
        for side, term in ((expr.left, left), (expr.right, right)):
            if isinstance(term.type, Optional):
                self.names.report(
                    "E0406", side.span, f"this may be none, and `{expr.operator}` needs a value",
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
                "E0404", expr.span, f"a {left.type} has no order", "declare the type with `low_to_high:`, or compare a number of it"
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
        left = self._operand(expr.left, scope, want)
        right = self._operand(expr.right, scope, want)
        if isinstance(left.type, Unknown) or isinstance(right.type, Unknown):
            return self.error(expr.span)
        assert isinstance(left.type, Number) and isinstance(right.type, Number)
        if expr.operator in (Operator.DIV, Operator.MOD):
            if isinstance(right, Const) and right.value == 0:
                self.names.report("E0412", expr.right.span, "nothing can be divided by 0", None)
                return self.error(expr.span)
            left, right = self._one_scale(left, right)
            whole = Number() if expr.operator is Operator.DIV else _unbounded(left.type)
            return Prim(_ARITHMETIC[expr.operator], (left, right), type=whole, span=expr.span)
        if expr.operator is Operator.TIMES:
            scale = left.type.scale * right.type.scale
            return Prim(Op.MULTIPLY, (left, right), type=Number(scale), span=expr.span)
        left, right = self._one_scale(left, right)
        return Prim(_ARITHMETIC[expr.operator], (left, right), type=_unbounded(left.type), span=expr.span)

    def _operand(self, expr: Expr, scope: Scope, want: Type | None) -> Term:
        number = want if isinstance(want, Number) else Number()
        term = self.expression(expr, scope, number)
        if isinstance(term.type, Number | Unknown):
            return term
        return self.wanted(expr, scope, number, "arithmetic")

    def _set_arithmetic(self, expr: Binary, left: Term, right: Term) -> Term | None:
        """Union and difference where a side is a set; None where both are numbers."""
        first, second = as_sequence(left), as_sequence(right)
        if first is None and second is None:
            if not isinstance(required(left.type), Card | Seat | Enum | Team):
                return None
            first = fit(left, SetOf(required(left.type)))
        base = first if first is not None else second
        assert base is not None and isinstance(base.type, SetOf | RowOf | ListOf)
        of = base.type.of
        minus = expr.operator is Operator.MINUS
        if isinstance(base.type, ListOf):
            wide: Type = ListOf(of)
        elif isinstance(first and first.type, RowOf) and (minus or not is_finite(of)):
            wide = RowOf(of)
        else:
            wide = SetOf(of)
        a, b = fit(first if first is not None else left, wide), fit(second if second is not None else right, wide)
        if a is None or b is None:
            return self._mismatch(left, right, expr.span)
        if isinstance(wide, SetOf):
            op = Op.MINUS if minus else Op.UNION
        else:
            op = Op.ROW_MINUS if minus else Op.APPEND if isinstance(wide, ListOf) else Op.ROW_UNION
        return Prim(op, (a, b), type=wide, span=expr.span)

    def _one_scale(self, left: Term, right: Term) -> tuple[Term, Term]:
        a, b = required(left.type), required(right.type)
        assert isinstance(a, Number) and isinstance(b, Number)
        scale = max(a.scale, b.scale)
        return self.rescale(left, scale), self.rescale(right, scale)

    def rescale(self, term: Term, scale: int) -> Term:
        """A number, or a range, in finer steps; `none` stays none."""
        match term.type:
            case Number():
                return rescaled(term, scale) or term
            case Range(of=of) if of.scale != scale and isinstance(term, MakeTuple):
                parts = tuple(self.rescale(part, scale) for part in term.parts)
                return replace(term, parts=parts, type=Range(Number(scale)))
            case Optional(of=Number() as of) if of.scale != scale:
                bound = Bound(-2, "number", type=of)
                body = rescaled(bound, scale) or bound
                return Spread(-2, term, body, type=Optional(body.type), span=term.span)
            case _:
                return term

    # ── ranges and lists ─────────────────────────────────────────────────────────────────────────────────────────

    def _range(self, expr: RangeLiteral, scope: Scope) -> Term:
        low = self._operand(expr.low, scope, None) if expr.low else Const(-LARGEST, type=Number(), span=expr.span)
        high = self._operand(expr.high, scope, None) if expr.high else Const(LARGEST, type=Number(), span=expr.span)
        if isinstance(low.type, Unknown) or isinstance(high.type, Unknown):
            return self.error(expr.span)
        low, high = self._one_scale(low, high)
        assert isinstance(low.type, Number)
        if isinstance(low, Const) and isinstance(high, Const) and _number(low) > _number(high):
            self.names.report("E0512", expr.span, "this range is empty: its end lies below its beginning", "write the lower number first")
        return MakeTuple((low, high), type=Range(Number(low.type.scale)), span=expr.span)

    def _items(self, expr: Items, scope: Scope, want: Type | None) -> Term:
        element = want.of if isinstance(want, SetOf | RowOf | ListOf) else required(want) if want else None
        terms = [self.expression(item, scope, element) for item in expr.items]
        if not terms:
            return Const((), type=ListOf(element or Unknown()), span=expr.span)
        of: Type | None = terms[0].type
        for term in terms[1:]:
            of = joined(of, term.type) if of is not None else None
        if of is None:
            self.names.report("E0405", expr.span, "the members of a list are of one type", f"these are {_listing(terms)}")
            return self.error(expr.span)
        if isinstance(of, Face):
            united = terms[0]
            for term in terms[1:]:
                united = Prim(Op.UNION, (united, term), type=SetOf(Card(of.kind)), span=expr.span)
            return replace(united, type=SetOf(Card(of.kind)), span=expr.span)
        if isinstance(of, Place | SetOf | RowOf | ListOf):
            self.names.report("E0405", expr.span, "a list holds single values, not sets", "write `+` to unite sets")
            return self.error(expr.span)
        parts = tuple(self.forced(term, of) for term in terms)
        if isinstance(required(of), Enum | Seat | Card | Team) and isinstance(want, SetOf):
            return MakeSet(parts, type=SetOf(required(of)), span=expr.span)
        return MakeTuple(parts, type=ListOf(of), span=expr.span)

    # ── help ─────────────────────────────────────────────────────────────────────────────────────────────────────

    def _hint(self, term: Term, want: Type) -> str | None:
        sequence = as_sequence(term)
        if sequence is not None and isinstance(want, YesNo):
            return "write `any(...)` to ask whether there is one; a `where` after `in` needs round brackets"
        if sequence is not None and isinstance(sequence.type, SetOf | RowOf | ListOf) and sequence.type.of == want:
            return "write `only(...)`, `first(...)` or another rule that picks one of them"
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


def _is_short(expr: Expr) -> bool:
    """Whether the text could be the name of a member: the other side then says of which type."""
    match expr:
        case Name() | NumberLiteral() | FaceLiteral():
            return True
        case Items():
            return all(_is_short(item) for item in expr.items)
        case _:
            return False


def _enum_of(want: Type | None) -> Enum | None:
    match want:
        case Enum():
            return want
        case Optional() | SetOf() | RowOf() | ListOf():
            return _enum_of(want.of)
        case _:
            return None


def _element_or_self(of: Type, operator: Operator) -> Type:
    if operator in (Operator.IN, Operator.NOT_IN) and isinstance(of, SetOf | RowOf | ListOf):
        return of.of
    return required(of)


def _set_hint(of: Type) -> Type | None:
    inner = required(of)
    return SetOf(inner) if isinstance(inner, Enum | Seat | Card | Team) else None


def _unbounded(of: Type) -> Type:
    return Number(of.scale) if isinstance(of, Number) else of


def _number(term: Const) -> Fraction:
    assert isinstance(term.value, int) and isinstance(term.type, Number)
    return Fraction(term.value, term.type.scale)


def _listing(terms: Sequence[Term]) -> str:
    return ", ".join(dict.fromkeys(f"a {term.type}" for term in terms))


