"""Going through the members of a set: `S where P`, `f(E for x in S)`, `f(S by K then L)`."""

from __future__ import annotations

from ..ir.nodes import (
    Filter,
    Fold,
    Legal,
    Quantifier,
    Rank,
    Ranking,
    Term,
)
from ..syntax.expr import EachOf, Expr, Name, Ranked, Where
from ..types import (
    ListOf,
    Number,
    Record,
    RowOf,
    SetOf,
    Type,
    Unknown,
    YesNo,
    optional,
    required,
)
from .calls import CallChecker
from .fit import is_ordered, members_of, total
from .functions import SEQUENCE_FUNCTIONS
from .names import nearest
from .scope import Scope
from .wording import a, several

_RANKINGS = {ranking.value.replace(" ", "_"): ranking for ranking in Ranking}


class WalkChecker(CallChecker):
    """Builds filters, folds and rankings."""

    def source(self, expr: Expr, scope: Scope, what: str, binder: str | None = None) -> Term | None:
        """The sequence that is walked; with a binder, a `where` in it may use that name besides `it`."""
        if isinstance(expr, Where) and binder is not None:
            return self._filtered(expr, scope, binder)
        term = self.expression(expr, scope)
        if isinstance(term.type, Unknown):
            return None
        sequence = members_of(term)
        if sequence is None:
            help = "`S where P` after another word needs round brackets" if isinstance(term.type, YesNo) else None
            self.fail("E0403", expr.span, f"{what} needs a set, a list or a zone, but this is {a(term.type)}", help)
        return sequence

    def where(self, expr: Where, scope: Scope) -> Term:
        """`S where P`."""
        return self._filtered(expr, scope, None) or self.error(expr.span)

    def _filtered(self, expr: Where, scope: Scope, binder: str | None) -> Term | None:
        sequence = self.source(expr.source, scope, "`where`", binder)
        if sequence is None:
            return None
        assert isinstance(sequence.type, SetOf | RowOf | ListOf)
        of = sequence.type.of
        if isinstance(of, YesNo) and not isinstance(expr.source, Name):
            self.names.report(
                "E0403",
                expr.source.span,
                "`where` needs a set, and this is yes or no",
                "put `S where P` in round brackets",
            )
            return None
        bound = scope.frame.bound("it", of)
        inner = scope.bind(it=bound)
        if binder is not None:
            inner = inner.bind_name(binder, bound)
        condition = self.condition(expr.condition, inner, "`where`")
        return Filter(sequence, bound.id, condition, type=sequence.type, span=expr.span)

    def each_of(self, expr: EachOf, scope: Scope, want: Type | None) -> Term:
        """`f(E for x in S)`."""
        sequence = self._answers_left(expr, scope) or self.source(expr.source, scope, "`for`", expr.binder)
        if sequence is None:
            return self.error(expr.span)
        assert isinstance(sequence.type, SetOf | RowOf | ListOf)
        bound = scope.frame.bound(expr.binder, sequence.type.of)
        inner = scope.bind_name(expr.binder, bound)
        if expr.function in ("any", "all", "count"):
            body = self.condition(expr.body, inner, f"`{expr.function}`")
            of: Type = Number() if expr.function == "count" else YesNo()
            return Fold(Quantifier(expr.function), sequence, bound.id, body, type=of, span=expr.span)
        body = self.expression(expr.body, inner, want)
        if expr.function == "first":
            return Fold(Quantifier.FIRST, sequence, bound.id, body, type=optional(body.type), span=expr.span)
        if expr.function not in SEQUENCE_FUNCTIONS or expr.function in ("top", "bottom", "only", "last"):
            known = ["sum", "count", "any", "all", "min", "max", "first", "list", "set", "distinct"]
            return self.fail(
                "E0301",
                expr.name_span,
                f"there is no function `{expr.function}(E for x in S)`",
                nearest(expr.function, known),
            )
        if isinstance(body.type, Unknown):
            return body
        if isinstance(body.type, Record) and body.type.summed:
            body = total(body)
        return self.of_sequence(expr.function, (self.mapped(sequence, bound, body, expr.span),), expr.span)

    def _answers_left(self, expr: EachOf, scope: Scope) -> Term | None:
        """`legal`, in a narrow: every whole answer that is left, as a record of its parts."""
        source: Expr = expr.source
        where: Expr | None = None
        if isinstance(source, Where):
            where = source.condition
            source = source.source
        if scope.legal is None or not isinstance(source, Name) or source.name != "legal":
            return None
        parts = tuple((name, of) for name, (_, of) in sorted(scope.legal.items(), key=lambda item: item[1][0]))
        answers: Term = Legal(type=ListOf(Record("answer", parts)), span=source.span)
        if where is None:
            return answers
        bound = scope.frame.bound("it", Record("answer", parts))
        condition = self.condition(where, scope.bind(it=bound).bind_name(expr.binder, bound), "`where`")
        return Filter(answers, bound.id, condition, type=answers.type, span=expr.span)

    def ranked(self, expr: Ranked, scope: Scope) -> Term:
        """`highest(S by K then L)`."""
        ranking = _RANKINGS.get(expr.function)
        if ranking is None:
            return self.fail(
                "E0301",
                expr.name_span,
                f"there is no function `{expr.function}(S by K)`",
                nearest(expr.function, list(_RANKINGS)),
            )
        sequence = self.source(expr.source, scope, "`by`")
        if sequence is None:
            return self.error(expr.span)
        assert isinstance(sequence.type, SetOf | RowOf | ListOf)
        bound = scope.frame.bound("it", sequence.type.of)
        keys: list[Term] = []
        for key in expr.keys:
            term = self.expression(key, scope.bind(it=bound))
            if isinstance(term.type, Record) and term.type.summed:
                term = total(term)
            if not is_ordered(required(term.type)):
                return self.fail(
                    "E0404",
                    key.span,
                    f"{several(required(term.type))} have no order, so nothing is the {ranking.value} by it",
                    "declare the type with `low_to_high:`, or name a number",
                )
            keys.append(term)
        return Rank(ranking, sequence, bound.id, tuple(keys), type=sequence.type, span=expr.span)
