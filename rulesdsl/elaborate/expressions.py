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
    Coalesce,
    Const,
    ErrorTerm,
    FaceOf,
    If,
    InForce,
    MakeSet,
    MakeTuple,
    Op,
    Prim,
    Proceed,
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
    RowOf,
    Seat,
    SetOf,
    Team,
    Text,
    Type,
    Unknown,
    YesNo,
    optional,
    required,
)
from .activation import guarded_modifier
from .fit import fit, joined, showing
from .lasting import meant
from .names import nearest
from .operators import OperatorChecker, certain_if, certain_unless, is_short, unbounded
from .scope import Scope
from .wording import a


class ExpressionChecker(OperatorChecker):
    """Turns expressions into terms; calls, functions and declared names are its base classes'."""

    # ── the two ways in ──────────────────────────────────────────────────────────────────────────────────────────

    def wanted(self, expr: Expr, scope: Scope, want: Type, what: str, *, none_is_error: bool = False) -> Term:
        """A term of the wanted type; `what` names the place for the message.

        With `none_is_error` an optional value is taken, since the machine ends the match with an error there.
        """
        return self.fitted(self.expression(expr, scope, want), expr, want, what, none_is_error=none_is_error)

    def fitted(self, term: Term, expr: Expr, want: Type, what: str, *, none_is_error: bool = False) -> Term:
        """The term of an expression as one of the wanted type; a report where it can't be one."""
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
                    f"this may be none, but {what} needs {a(want)}",
                    "say what holds then: `... else VALUE`, or test `... is not none and ...` first",
                )
                return self.error(expr.span)
        self.names.report(
            "E0401", expr.span, f"{what} needs {a(want)}, but this is {a(term.type)}", self.hint(term, want)
        )
        return self.error(expr.span)

    def condition(self, expr: Expr, scope: Scope, what: str = "a condition") -> Term:
        """A term that is true or false."""
        return self.wanted(expr, scope, YesNo(), what)

    def expression(self, expr: Expr, scope: Scope, want: Type | None = None) -> Term:
        """The term an expression stands for."""
        self.nested += 1
        term = self._expression(expr, scope, want)
        self.nested -= 1
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
                return self.binary(expr, scope, want)
            case Not():
                return Prim(Op.NOT, (self.condition(expr.operand, scope, "`not`"),), type=YesNo(), span=expr.span)
            case Negative():
                operand = self.operand(expr.operand, scope, want)
                return Prim(Op.NEGATE, (operand,), type=unbounded(operand.type), span=expr.span)
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
            self.names.report(
                "E0425", expr.span, "`legal` stands only after `for ... in`", "write `f(o.cards for o in legal)`"
            )
            return self.error(expr.span)
        if name in scope.names:
            return replace(scope.names[name], span=expr.span)
        modifier = guarded_modifier(name)
        if modifier is not None:
            return InForce(modifier, type=YesNo(), span=expr.span)
        card = meant(name, self.names, expr.span)
        if card is not None:
            return card
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
                "E0311",
                expr.span,
                f"'{name}' is a member of {types}, and nothing here says which",
                "compare it with something of one type",
            )
        elif name == "player":
            self.names.report(
                "E0305",
                expr.span,
                "no player is bound here",
                "use `each: player`, a parameter `player`, or name a seat",
            )
        elif name == "it":
            self.names.report(
                "E0313",
                expr.span,
                "`it` is the member that `where` or `by` looks at, and there is none here",
                "write a name that is bound here, or put it into `S where ...`",
            )
        elif name == "proceed":
            self.names.report(
                "E0538",
                expr.span,
                "`proceed` stands for what is changed, and nothing is changed here",
                "it belongs into the `changes:` of a modifier, or into a rule that a library has already",
            )
        else:
            known = [*self.names.everything(), *self.function_names()]
            step = name in self.names.procedures
            help = f"'{name}' is a procedure: it stands as a step and gives no value" if step else nearest(name, known)
            self.names.report(
                "E0301", expr.span, f"no value is called '{name}'" if step else f"nothing is called '{name}'", help
            )
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
        if value * scale > LARGEST or scale > LARGEST:
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
            self._no_one_face(expr, [kind for kind, _ in found])
            return self.error(expr.span)
        kind, pair = found[0]
        return FaceOf(kind, pair, type=Face(kind), span=expr.span)

    def _no_one_face(self, expr: FaceLiteral, kinds: list[str]) -> None:
        text = f"{expr.first} of {expr.second}"
        if kinds:
            several_kinds = " and ".join(dict.fromkeys(kinds))
            self.names.report(
                "E0311",
                expr.span,
                f"'{text}' could be printed on {several_kinds}, and nothing here says on which",
                "ask for its attributes one by one",
            )
            return
        members = list(self.names.members)
        wrong = next((word for word in (expr.first, expr.second) if word not in members), None)
        self.names.report("E0325", expr.span, f"no card shows '{text}'", nearest(wrong, members) if wrong else None)

    # ── choices ──────────────────────────────────────────────────────────────────────────────────────────────────

    def _choice(self, expr: Choice, scope: Scope, want: Type | None) -> Term:
        condition = self.condition(expr.condition, scope)
        holds, fails = scope.knowing(*certain_if(expr.condition)), scope.knowing(*certain_unless(expr.condition))
        if want is None and is_short(expr.then) and not is_short(expr.otherwise):
            otherwise = self.expression(expr.otherwise, fails)
            then = self.expression(expr.then, holds, required(otherwise.type))
        else:
            then = self.expression(expr.then, holds, want)
            otherwise = self.expression(expr.otherwise, fails, want or required(then.type))
        return self.branches(condition, then, otherwise, expr.span)

    def branches(self, condition: Term, then: Term, otherwise: Term, span: Span) -> Term:
        """`If`, with both branches brought to one type."""
        of = joined(then.type, otherwise.type)
        if of is None:
            self.names.report(
                "E0405",
                span,
                f"one branch is {a(then.type)}, the other {a(otherwise.type)}",
                "give both branches one type",
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
                "E0405",
                expr.span,
                f"the first is {a(first.type)}, what stands in for it {a(second.type)}",
                "give both one type",
            )
            return self.error(expr.span)
        if not isinstance(first.type, Optional | SetOf | RowOf | ListOf | Place | NoValue | Unknown):
            message = "the first value is always there, so `else` never counts"
            self.names.report("W0402", expr.span, message, "leave `else` and what follows it out")
        wide = optional(of) if isinstance(first.type, Optional) else of
        return Coalesce(self.forced(first, wide), self.forced(second, of), type=of, span=expr.span)

    # ── ranges and lists ─────────────────────────────────────────────────────────────────────────────────────────

    def _range(self, expr: RangeLiteral, scope: Scope) -> Term:
        low = self.operand(expr.low, scope, None) if expr.low else Const(-LARGEST, type=Number(), span=expr.span)
        high = self.operand(expr.high, scope, None) if expr.high else Const(LARGEST, type=Number(), span=expr.span)
        if isinstance(low.type, Unknown) or isinstance(high.type, Unknown):
            return self.error(expr.span)
        low, high = self._one_scale(low, high)
        assert isinstance(low.type, Number)
        if isinstance(low, Const) and isinstance(high, Const) and _number(low) > _number(high):
            self.names.report(
                "E0512",
                expr.span,
                "this range is empty: its end lies below its beginning",
                "write the lower number first",
            )
        return MakeTuple((low, high), type=Range(Number(low.type.scale)), span=expr.span)

    def _items(self, expr: Items, scope: Scope, want: Type | None) -> Term:
        element = want.of if isinstance(want, SetOf | RowOf | ListOf) else required(want) if want else None
        terms = [self.expression(item, scope, element) for item in expr.items]
        if not terms:
            return Const((), type=ListOf(element or Unknown()), span=expr.span)
        if any(isinstance(term.type, Unknown) for term in terms):
            return self.error(expr.span)
        of: Type | None = terms[0].type
        for term in terms[1:]:
            of = joined(of, term.type) if of is not None else None
        if of is None:
            self.names.report(
                "E0405", expr.span, f"these are {_listing(terms)}", "the members of a list are of one type"
            )
            return self.error(expr.span)
        if isinstance(of, Face):
            united = showing(terms[0])
            for term in terms[1:]:
                united = Prim(Op.UNION, (united, showing(term)), type=SetOf(Card(of.kind)), span=expr.span)
            return replace(united, span=expr.span)
        if isinstance(of, Place | SetOf | RowOf | ListOf):
            self.names.report("E0416", expr.span, "a list holds single values, not sets", "write `+` to unite sets")
            return self.error(expr.span)
        parts = tuple(self.forced(term, of) for term in terms)
        if isinstance(required(of), Enum | Seat | Card | Team) and isinstance(want, SetOf):
            return MakeSet(parts, type=SetOf(required(of)), span=expr.span)
        return MakeTuple(parts, type=ListOf(of), span=expr.span)


def _enum_of(want: Type | None) -> Enum | None:
    match want:
        case Enum():
            return want
        case Optional() | SetOf() | RowOf() | ListOf():
            return _enum_of(want.of)
        case _:
            return None


def _number(term: Const) -> Fraction:
    assert isinstance(term.value, int) and isinstance(term.type, Number)
    return Fraction(term.value, term.type.scale)


def _listing(terms: Sequence[Term]) -> str:
    return " and ".join(dict.fromkeys(a(term.type) for term in terms))
