"""Decisions: who decides, what may be picked, under which legality.

In the picks, the legality and the `where` of a decision the acting player is the one who decides.
"""

from __future__ import annotations

from abc import abstractmethod
from dataclasses import replace

from ..ir import nodes as ir
from ..ir.nodes import Cell, Term
from ..source import Span
from ..syntax.document import ChangeDoc, DecisionBody, DecisionDoc, PartDoc
from ..syntax.expr import (
    Amount,
    Binary,
    Call,
    ErrorExpr,
    Expr,
    Name,
    Operator,
    PickAnswer,
    PickFrom,
    PickNumber,
    PickOne,
    PickOrder,
    PickParts,
    PickWriting,
)
from ..types import Card, ListOf, Number, Optional, Range, RowOf, Seat, SetOf, Type, Unknown, YesNo, required
from .fit import fit, members_of
from .names import is_finite, nearest
from .scope import Scope
from .sentences import SentenceChecker
from .substitute import with_proceed
from .wording import a, several


class DecisionChecker(SentenceChecker):
    """Turns what a decision says into the parts of an `Ask`."""

    @abstractmethod
    def new_cell(self, scope: Scope, name: str, of: Type) -> Cell:
        """A cell for a name."""

    def decider(self, step: DecisionDoc, scope: Scope) -> tuple[Term, Scope]:
        """Who decides, and the scope in which that is the acting player."""
        if step.by is not None:
            by = self.wanted(step.by, scope, Seat(), "`by`", none_is_error=True)
            return by, scope.bind(player=by)
        player = scope.player()
        if player is None:
            by = self.fail("E0305", step.span, "nobody decides here: no player is bound", "say who with `by:`")
            return by, scope.bind(player=by)
        return player, scope.bind(player=player)

    def alternative(
        self, step: DecisionDoc, deciding: Scope, scope: Scope, changes: list[ChangeDoc]
    ) -> tuple[ir.Alternative, Scope]:
        """The parts, the legality and the condition of one way to answer; and the scope after the answer."""
        bodies = [change.body for change in changes if isinstance(change.body, DecisionBody)]
        chosen = next((body.choose for body in reversed(bodies) if body.choose), step.choose)
        # What is added is asked whatever else is chosen, and whoever comes first.
        parts = [*chosen, *(part for body in bodies for part in body.add)]
        made: list[ir.Part] = []
        inner, answered = deciding, scope
        for part in parts:
            acting = (
                None if part.acting is None else self.wanted(part.acting, inner, Seat(), "`for`", none_is_error=True)
            )
            built = self._part(part, inner if acting is None else inner.bind(player=acting))
            if built is None:
                unknown = self.error(part.span)
                inner, answered = inner.bind_name(part.name, unknown), answered.bind_name(part.name, unknown)
                continue
            made.append(built)
            inner = inner.bind_name(part.name, built.cell)
            answered = answered.bind_name(part.name, built.cell)
        under = self._under(step.under, tuple(made), inner) if step.under is not None else None
        where: Term | None = None
        if step.where is not None and not self._total(step.where, made, inner):
            where = self.condition(step.where, inner, "`where`")
        for change in changes:
            if isinstance(change.body, DecisionBody) and change.body.where is not None:
                beneath = where if where is not None else ir.Const(1, type=YesNo())
                given = self.condition(change.body.where, replace(inner, proceed=YesNo()), "`where`")
                given = with_proceed(given, beneath)
                if change.when is not None:
                    guard = self.condition(change.when, scope, "`when`")  # it knows nothing of the parts
                    free = ir.Prim(ir.Op.NOT, (guard,), type=YesNo(), span=guard.span)
                    given = ir.Prim(ir.Op.OR, (free, given), type=YesNo(), span=change.span)
                where = given if where is None else ir.Prim(ir.Op.AND, (where, given), type=YesNo(), span=change.span)
        return ir.Alternative(None, tuple(made), under, where), answered

    def _total(self, where: Expr, parts: list[ir.Part], scope: Scope) -> bool:
        """`sum(part) in RANGE` over a written part goes into the pick, where it is counted and sampled exactly."""
        match where:
            case Binary(operator=Operator.IN, left=Call(name="sum", arguments=(Name(name=name),)), right=right):
                for index, part in enumerate(parts):
                    if part.cell.name == name and isinstance(part.pick, ir.PickWriting):
                        of = part.cell.type
                        assert isinstance(of, ListOf)
                        number = of.of if isinstance(of.of, Number) else Number()
                        total = self.wanted(right, scope, Range(Number(number.scale)), "the sum")
                        parts[index] = replace(part, pick=replace(part.pick, total=total))
                        return True
                return False
            case _:
                return False

    def _under(self, expr: Expr, parts: tuple[ir.Part, ...], scope: Scope) -> ir.Under | None:
        if not isinstance(expr, Name):
            if not isinstance(expr, ErrorExpr):
                self.names.report(
                    "E0320", expr.span, "`under:` takes the name of a legality", "a condition stands after `where:`"
                )
            return None
        entry = self.legality(expr.name, expr.span)
        if entry is None or entry.legality is None:
            return None
        cells = {part.cell.name: part.cell for part in parts}
        player = scope.player()
        assert player is not None
        arguments: list[Term] = [player]
        for bound in entry.legality.parameters[1:]:
            cell = cells.get(bound.name)
            if cell is None and bound.name in scope.names and isinstance(scope.names[bound.name].type, Unknown):
                return None
            if cell is None:
                self.names.report(
                    "E0531",
                    expr.span,
                    f"'{expr.name}' is about '{bound.name}', and this decision has no part of that name",
                    nearest(bound.name, list(cells)),
                )
                return None
            fitted = fit(cell, bound.type)
            if fitted is None:
                self.names.report(
                    "E0401",
                    expr.span,
                    f"'{bound.name}' of '{expr.name}' is {a(bound.type)}, but the part is {a(cell.type)}",
                    None,
                )
                return None
            arguments.append(fitted)
        return ir.Under(entry.legality.id, tuple(arguments))

    # ── picks ────────────────────────────────────────────────────────────────────────────────────────────────────

    def _part(self, part: PartDoc, scope: Scope) -> ir.Part | None:
        built = self._pick(part, scope)
        if built is None:
            return None
        pick, of = built
        return ir.Part(self.new_cell(scope, part.name, of), pick)

    def _pick(self, part: PartDoc, scope: Scope) -> tuple[ir.Pick, Type] | None:
        pick = part.pick
        match pick:
            case PickFrom():
                return self._pick_from(pick, scope)
            case PickOne():
                term = self.expression(pick.source, scope)
                if isinstance(term.type, Range):
                    term = ir.Prim(ir.Op.RANGE_ROW, (term,), type=RowOf(Number(term.type.of.scale)), span=term.span)
                source = self._members(term, pick.source.span)
                return (
                    (ir.PickMembers(source, single=True, span=pick.span), _element(source))
                    if source is not None
                    else None
                )
            case PickNumber():
                low = self.wanted(pick.low, scope, Number(), "a number", none_is_error=True)
                high = self.wanted(pick.high, scope, Number(), "a number", none_is_error=True)
                return ir.PickNumber(low, high, span=pick.span), Number()
            case PickAnswer():
                return ir.PickYesNo(span=pick.span), YesNo()
            case PickOrder():
                source = self._members(self.expression(pick.source, scope), pick.source.span)
                return (ir.PickOrder(source, span=pick.span), RowOf(_element(source))) if source is not None else None
            case PickWriting():
                return self._pick_writing(pick, scope)
            case PickParts():  # decisions were brought into their ways before; what a change adds was not
                self.names.report(
                    "E0540",
                    pick.span,
                    "a part of a card's own that a change adds to a decision is not there yet",
                    "ask for it in a decision of its own, after this one",
                )
                return None
            case ErrorExpr():
                return None

    def _members(self, term: Term, span: Span) -> Term | None:
        if isinstance(term.type, Unknown):
            return None
        source = members_of(term)
        if source is None:
            self.names.report(
                "E0403",
                span,
                f"there is nothing to choose from: this is {a(term.type)}",
                "name a set, a list or a zone",
            )
        return source

    def _pick_from(self, pick: PickFrom, scope: Scope) -> tuple[ir.Pick, Type] | None:
        source = self._members(self.expression(pick.source, scope), pick.source.span)
        if source is None:
            return None
        of = _element(source)
        if isinstance(of, Optional):
            of = of.of
        noun = self.names.named_type(pick.noun)
        if isinstance(noun, SetOf | ListOf | RowOf):
            noun = noun.of
        if noun is None:
            self.names.report(
                "E0310", pick.span, f"'{pick.noun}' is no type", nearest(pick.noun, self.names.type_names())
            )
        elif noun != of and not (isinstance(noun, Number) and isinstance(of, Number)):
            self.names.report(
                "E0401", pick.source.span, f"these are {several(of)}, not {several(noun)}", f"write `... {of} from ...`"
            )
            return None
        if pick.amount.single:
            return ir.PickMembers(source, single=True, span=pick.span), of
        low, high = self._bounds(pick.amount, scope)
        whole: Type = SetOf(of) if is_finite(of) else ListOf(of)
        return ir.PickMembers(source, low, high, span=pick.span), whole

    def _bounds(self, amount: Amount, scope: Scope) -> tuple[Term | None, Term | None]:
        if amount.low is not None and amount.high is amount.low:
            term = self.expression(amount.low, scope, Number())
            if isinstance(term.type, Range):
                least = ir.Prim(ir.Op.LEAST, (term,), type=Number(), span=term.span)
                most = ir.Prim(ir.Op.MOST, (term,), type=Number(), span=term.span)
                return least, most
        low = (
            self.wanted(amount.low, scope, Number(), "a number of members", none_is_error=True) if amount.low else None
        )
        high = (
            self.wanted(amount.high, scope, Number(), "a number of members", none_is_error=True)
            if amount.high
            else None
        )
        return low, high

    def _pick_writing(self, pick: PickWriting, scope: Scope) -> tuple[ir.Pick, Type] | None:
        cards = self._members(self.expression(pick.cards, scope), pick.cards.span)
        if cards is None:
            return None
        kind = _element(cards)
        if not isinstance(kind, Card):
            self.names.report("E0401", pick.cards.span, f"one writes on cards, and these are {several(kind)}", None)
            return None
        fields = self.field_types(kind.kind)
        if pick.field_name not in fields:
            self.names.report(
                "E0303",
                pick.span,
                f"{a(kind)} has no field '{pick.field_name}'",
                nearest(pick.field_name, list(fields)),
            )
            return None
        of = required(fields[pick.field_name])
        bound = scope.frame.bound(kind.kind, kind)
        inner = scope.bind_name(kind.kind, bound)
        if pick.domain is None:
            domain: Term = ir.AllOf(type=SetOf(of), span=pick.span)
        else:
            domain = self.expression(pick.domain, inner, of)
            if isinstance(domain.type, Range) and isinstance(of, Number):
                domain = self.rescale(domain, of.scale)
        count = None
        if not pick.amount.every:
            count, _ = self._bounds(pick.amount, scope)
        step = self._step_now(of, pick.span)
        row = fit(cards, RowOf(kind))
        assert row is not None
        return (
            ir.PickWriting(kind.kind, pick.field_name, row, bound.id, domain, count, step=step, span=pick.span),
            ListOf(of),
        )

    def _step_now(self, of: Type, span: Span) -> Term | None:
        """The step of numbers at the moment; None if it is always the same."""
        entries = self.names.rules.get(of.step or "", []) if isinstance(of, Number) else []
        rule = self.rule(entries[0], span) if len(entries) == 1 else None
        if rule is None or not isinstance(rule.type, Number) or isinstance(rule.body, ir.Const):
            return None
        assert isinstance(of, Number)
        return self.rescale(ir.Call(rule.id, type=rule.type, span=span), of.scale)


def _element(sequence: Term) -> Type:
    assert isinstance(sequence.type, SetOf | RowOf | ListOf)
    return sequence.type.of
