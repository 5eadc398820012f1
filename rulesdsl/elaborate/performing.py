"""What cards can do when they are told to, and what one can ask of them.

`do card.P` runs a procedure for all cards, `P of KIND`, which looks for the row of the card and runs that row's own
steps. What is asked of a card is a rule in the same way. Both are made where they are first used, and take along the
names that are bound there; every other place has to bind the same.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import TypeVar

from ..diagnostic import Label
from ..ir.nodes import Origin, Owned, Term
from ..source import Span
from ..syntax.document import Doc, ExprBody, IfDoc, ProcedureDoc, RuleBody, RuleDoc, SentenceDoc, StepDoc, StepsBody
from ..syntax.expr import (
    Binary,
    Call,
    Choice,
    Expr,
    Items,
    Name,
    NoneLiteral,
    NumberLiteral,
    Operator,
    Parameter,
    Run,
    Signature,
    TypeExpr,
    TypeForm,
    YesNoLiteral,
)
from ..syntax.powers import STEPS, ChangesBody, PartsBody, PowerBody
from ..types import Card, ListOf, Number, Optional, RowOf, SetOf, Type, Unknown, YesNo, optional, required
from .dependence import names_in
from .names import ProcedureEntry, RuleEntry, nearest
from .powers import ROW, KindPowers, Row, bare_names_in, bound_in, with_self
from .rules import RuleChecker
from .scope import Scope
from .wording import a

Body = TypeVar("Body", bound=Doc)


@dataclass(frozen=True, slots=True)
class Surroundings:
    """The names that a power takes along, with their types, and the place that said so."""

    names: tuple[tuple[str, Type], ...]
    span: Span


class PowerChecker(RuleChecker):
    """Makes rules and procedures of powers."""

    def __init__(self) -> None:
        super().__init__()
        self._around: dict[tuple[str, str], Surroundings] = {}

    # ── what one can ask ─────────────────────────────────────────────────────────────────────────────────────────

    def power_value(self, expr: Call, card: Term, scope: Scope) -> Term | None:
        """What a power of a card is worth; None if its kind has no such power."""
        assert isinstance(card.type, Card)
        powers = self.names.powers.get(card.type.kind)
        if powers is None or expr.name not in powers.types:
            return None
        if not powers.is_value(expr.name):
            form = powers.types[expr.name].name
            ways = {"steps": f"write `do CARD.{expr.name}` as a step", "parts": f"write `parts of CARD.{expr.name}`"}
            help = ways.get(form, "it works by itself while the card is in play")
            return self.fail("E0436", expr.name_span, f"the power '{expr.name}' holds {form}, and is no value", help)
        around = self._surroundings(powers, expr.name, scope, expr.span)
        if around is None:
            return self.error(expr.span)
        entries = self.names.rules.get(_whole(powers, expr.name))
        entry = entries[0] if entries else self._rule_of(powers, expr.name, around)
        arguments = (card, *(scope.names[name] for name, _ in around.names))
        return self.call_rule(entry, arguments, expr.span)

    def _rule_of(self, powers: KindPowers, power: str, around: Surroundings) -> RuleEntry:
        """The rule that looks for the row of a card, and gives what that row says."""
        type_ = powers.types[power]
        of = self.type_of(type_)
        of = of if isinstance(of, Number | YesNo | SetOf | ListOf | RowOf) else optional(of)
        groups: dict[PowerBody, list[Row]] = {}
        for row, body in powers.of(power):
            groups.setdefault(self._own(row, body), []).append(row)
        value: Expr = blank(of, around.span)
        for body, rows in groups.items():
            name = f"{power} of {rows[0].label}"
            assert not isinstance(body, StepsBody | PartsBody | ChangesBody)
            if isinstance(body, ExprBody) and body.type is None:
                body = replace(body, type=type_)
            self._new_rule(name, powers.kind, around, body, rows[0].span)
            given = Call(name, _arguments(around), name_span=around.span, span=around.span)
            value = Choice(_is_row(rows, around.span), given, value, span=around.span)
        body = ExprBody(value, type=_asked_as(type_, of), span=around.span)
        return self._new_rule(_whole(powers, power), powers.kind, around, body, around.span)

    def _new_rule(self, name: str, kind: str, around: Surroundings, body: RuleBody, span: Span) -> RuleEntry:
        doc = RuleDoc(_signature(name, kind, around, span), body, span=span)
        entry = RuleEntry(name, doc, Origin(span.source.name, span))
        self._types[id(entry)] = (Card(kind), *(of for _, of in around.names))
        self.names.rules[name] = [entry]
        return entry

    # ── what is done ─────────────────────────────────────────────────────────────────────────────────────────────

    def performed(self, expr: Expr, scope: Scope) -> tuple[str, tuple[Expr, ...]] | None:
        """The procedure that runs the steps of a card, and its arguments; None after a report."""
        match expr:
            case Call(name=power, arguments=(subject,)):
                card = self.expression(subject, scope)
            case _:
                self.names.report(
                    "E0436", expr.span, "`do` runs steps that cards have as a power", "write `do CARD.POWER`"
                )
                return None
        if isinstance(card.type, Unknown):
            return None
        of = required(card.type)
        powers = self.names.powers.get(of.kind) if isinstance(of, Card) else None
        if powers is None or not powers.is_form(power, STEPS):
            known = [name for each in self.names.powers.values() for name in each.types if each.is_form(name, STEPS)]
            self.names.report(
                "E0436",
                expr.span,
                f"{a(of)} has no power '{power}' that holds steps",
                nearest(power, known) or "declare it: `powers: { NAME: steps }`",
            )
            return None
        around = self._surroundings(powers, power, scope, expr.span)
        if around is None:
            return None
        whole = _whole(powers, power)
        if whole not in self.names.procedures:
            self._procedures_of(powers, power, around)
        return whole, (subject, *(Name(name, span=expr.span) for name, _ in around.names))

    def _procedures_of(self, powers: KindPowers, power: str, around: Surroundings) -> None:
        ways: list[tuple[Row, StepDoc]] = []
        for row, body in powers.of(power):
            assert isinstance(body, StepsBody)
            steps = self._own(row, body).steps
            self._new_procedure(f"{power} of {row.label}", powers.kind, around, steps, row.span, power)
            run = Run(f"{power} of {row.label}", _arguments(around), span=row.span)
            ways.append((row, SentenceDoc(run, span=row.span)))
        self._new_procedure(_whole(powers, power), powers.kind, around, _sought(ways, around.span), around.span)

    def _new_procedure(
        self,
        name: str,
        kind: str,
        around: Surroundings,
        steps: tuple[StepDoc, ...],
        span: Span,
        power: str | None = None,
    ) -> None:
        doc = ProcedureDoc(_signature(name, kind, around, span), steps, span=span)
        types = (Card(kind), *(of for _, of in around.names))
        self.names.procedures[name] = ProcedureEntry(doc, Origin(span.source.name, span), given=types, power=power)

    # ── names ────────────────────────────────────────────────────────────────────────────────────────────────────

    def _own(self, row: Row, body: Body) -> Body:
        """A power in which the parts of its row's declaration are what is kept on the card."""
        parts = {part.name for part in row.parts}
        for name, span in bound_in(body):
            if name in parts:
                self.names.report(
                    "E0309", span, f"this card asks for a part '{name}' already", "give one of them another name"
                )
        return with_self(body, Name("self", span=row.span), sorted(parts))

    def _surroundings(self, powers: KindPowers, power: str, scope: Scope, span: Span) -> Surroundings | None:
        """What a power takes along from the places that use it: all have to bind the same."""
        self.names.used_powers.add((powers.kind, power))
        known = self._around.get((powers.kind, power))
        here = {name: scope.names[name].type for name in self._free(powers, power) if name in scope.names}
        if powers.is_form(power, STEPS):
            here.pop("player", None)  # handed on as the acting player
        if known is None:
            known = self._around[powers.kind, power] = Surroundings(tuple(sorted(here.items())), span)
            return known
        there = dict(known.names)
        for name in sorted(here.keys() | there.keys()):
            if here.get(name) != there.get(name):
                self._lacking(power, name, here.get(name), there.get(name), span, known.span)
                return None
        return known

    def _free(self, powers: KindPowers, power: str) -> set[str]:
        found: set[str] = set()
        for row, body in powers.of(power):
            found |= names_in(body) - {part.name for part in row.parts} - {"self"}
            if any(self._is_of_player(name) for name in bare_names_in(body)):
                found.add("player")
        return found

    def _is_of_player(self, name: str) -> bool:
        """Whether a bare name means that of the acting player."""
        if name in self.names.zones:
            return self.names.owned(name) is not Owned.ONCE
        state = self.names.states.get(name)
        return name == "others" or (state is not None and bool(state.doc.each))

    def _lacking(self, power: str, name: str, here: Type | None, there: Type | None, span: Span, other: Span) -> None:
        if here is not None and there is not None:
            message = f"cards use '{name}' in '{power}', and it is {a(here)} here, but {a(there)} at another place"
        elif here is None:
            message = f"cards use '{name}' in '{power}', and nothing of that name is bound here"
        else:
            message = f"cards use '{name}' in '{power}', which is bound here, but not at another place"
        label = Label(other, "the other place")
        help = "give it one name and one type wherever the power is used, or ask for it in another way"
        self.names.diagnostics.add("E0307", span, message, help=help, labels=[label])


def _asked_as(type_: TypeExpr, of: Type) -> TypeExpr:
    """The type of what is asked of any card, some of which have nothing to say."""
    if not isinstance(of, Optional) or type_.form is not TypeForm.PLAIN:
        return type_
    return replace(type_, form=TypeForm.OPTIONAL)


def _whole(powers: KindPowers, power: str) -> str:
    return f"{power} of {powers.kind}"


def _signature(name: str, kind: str, around: Surroundings, span: Span) -> Signature:
    names = [("self", kind), *((name, str(of)) for name, of in around.names)]
    return Signature(name, tuple(Parameter(own, of, span=span) for own, of in names), span=span)


def _arguments(around: Surroundings) -> tuple[Expr, ...]:
    return tuple(Name(name, span=around.span) for name in ("self", *(name for name, _ in around.names)))


def row_of(card: Expr, span: Span) -> Expr:
    """The number of a card's row."""
    return Call(ROW, (card,), name_span=span, span=span)


def _is_row(rows: Iterable[Row], span: Span) -> Expr:
    return is_row(Name("self", span=span), [row.number for row in rows], span)


def is_row(card: Expr, rows: Iterable[int], span: Span) -> Expr:
    """Whether a card is of one of some rows."""
    numbers = [NumberLiteral(str(row), span=span) for row in rows]
    if len(numbers) == 1:
        return Binary(Operator.IS, row_of(card, span), numbers[0], span=span)
    return Binary(Operator.IN, row_of(card, span), Items(tuple(numbers), span=span), span=span)


def _sought(ways: list[tuple[Row, StepDoc]], span: Span) -> tuple[StepDoc, ...]:
    """The step of the right row, found by halves."""
    if len(ways) < 2:
        own = [IfDoc(_is_row([row], span), (step,), span=span) for row, step in ways]
        return tuple(own)
    middle = len(ways) // 2
    number = NumberLiteral(str(ways[middle][0].number), span=span)
    lower = Binary(Operator.LESS, row_of(Name("self", span=span), span), number, span=span)
    return (IfDoc(lower, _sought(ways[:middle], span), _sought(ways[middle:], span), span=span),)


def blank(of: Type, span: Span) -> Expr:
    """How what a card does not say is written."""
    match of:
        case YesNo():
            return YesNoLiteral(False, span=span)
        case Number():
            return NumberLiteral("0", span=span)
        case SetOf() | ListOf() | RowOf():
            return Items((), span=span)
        case _:
            return NoneLiteral(span=span)
