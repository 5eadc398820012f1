"""What `f(x)`, which is the same as `x.f`, means for an x of a type.

A name is asked of the first argument: a rule, a zone or state that it owns, a field, an attribute, a part of a
record; then a built-in function. A set that has no such thing itself is asked member by member, and `none` answers
`none`.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from ..ir import nodes as ir
from ..ir.nodes import (
    Attribute,
    Bound,
    Const,
    Field,
    Fold,
    Map,
    Op,
    Owned,
    PlayField,
    Prim,
    Quantifier,
    RowNumber,
    Spread,
    Term,
    Var,
)
from ..source import Span
from ..syntax.expr import Call, Name
from ..types import (
    Card,
    Face,
    Ladder,
    ListOf,
    NoValue,
    Number,
    Optional,
    Play,
    Record,
    RowOf,
    Seat,
    SetOf,
    Team,
    Text,
    Type,
    Unknown,
    optional,
    required,
)
from .barenames import NameChecker
from .fit import as_sequence, fit, fits
from .functions import FUNCTIONS, SEQUENCE_FUNCTIONS
from .names import RuleEntry, is_finite, nearest
from .powers import ROW
from .scope import Scope
from .wording import a, counted, with_article

Ask = Callable[[Term], Term]


class CallChecker(NameChecker):
    """Resolves calls."""

    def call(self, expr: Call, scope: Scope, want: Type | None = None) -> Term:
        """`f(x, y)` or `x.f(y)`."""
        if not expr.arguments:
            return self.expression(Name(expr.name, span=expr.span), scope, want)
        if expr.name in self.names.types and isinstance(self.names.types[expr.name], Record):
            return self._make_record(expr, scope)
        printed = self._printed(expr, scope)
        if printed is not None:
            return printed
        running = self._of_running(expr, scope)
        if running is not None:
            return running
        subject = self.expression(expr.arguments[0], scope, self._hint_for_first(expr))
        return self._ask(expr, subject, scope)

    def _of_running(self, expr: Call, scope: Scope) -> Term | None:
        """`attempt.extra`: a parameter or state of the innermost running procedure of that name."""
        match expr.arguments:
            case (Name(name=procedure),) if procedure in self.names.procedures and procedure not in scope.names:
                pass
            case _:
                return None
        if procedure in self.names.everything():
            return None
        cells = self.cells_of(self.names.procedures[procedure])
        cell = cells.get(expr.name)
        if cell is None:
            return self.fail(
                "E0303",
                expr.name_span,
                f"the procedure '{procedure}' has no parameter or state '{expr.name}'",
                nearest(expr.name, list(cells)),
            )
        return ir.Running(procedure, cell.id, cell.name, type=cell.type, span=expr.span)

    def _hint_for_first(self, expr: Call) -> Type | None:
        """What a short name as the first argument most likely is."""
        types = [
            types[0]
            for entry in self.names.rules.get(expr.name, ())
            if len(types := self.parameter_types(entry)) == len(expr.arguments)
        ]
        if len(types) == 1:
            return types[0]
        if not types and expr.name in self.names.states and (each := self.variable(expr.name).each):
            return each[0]
        return None

    def _make_record(self, expr: Call, scope: Scope) -> Term:
        record = self.names.types[expr.name]
        assert isinstance(record, Record)
        if len(expr.arguments) != len(record.fields):
            fields = ", ".join(name for name, _ in record.fields)
            return self.fail(
                "E0407",
                expr.span,
                f"{with_article(record.name)} has {counted(len(record.fields), 'field')}: {fields}",
                f"write `{record.name}({fields})`",
            )
        parts = tuple(
            self.wanted(argument, scope, of, f"the field '{name}'")
            for argument, (name, of) in zip(expr.arguments, record.fields, strict=True)
        )
        return ir.MakeTuple(parts, type=record, span=expr.span)

    def _printed(self, expr: Call, scope: Scope) -> Term | None:
        """`card.printed.f`: what is printed, whatever the rules make of it."""
        match expr.arguments[0]:
            case Call(name="printed", arguments=(inner,)):
                subject = self.expression(inner, scope)
                return self._over(subject, expr, scope, lambda card: self._attribute(expr, card, scope))
            case _:
                return None

    def _attribute(self, expr: Call, card: Term, scope: Scope) -> Term:
        if isinstance(card.type, Card):
            of = self.printed(card.type.kind).get(expr.name)
            if of is not None:
                return Attribute(card.type.kind, expr.name, card, type=of, span=expr.span)
            known = list(self.printed(card.type.kind))
            return self.fail(
                "E0303", expr.name_span, f"'{expr.name}' is not printed on {a(card.type)}", nearest(expr.name, known)
            )
        return self.fail("E0401", expr.span, f"`printed` is of cards, but this is {a(card.type)}", None)

    def _over(self, subject: Term, expr: Call, scope: Scope, ask: Ask) -> Term:
        """`ask` of a value, of a value that may be none, or of every member."""
        of = subject.type
        if isinstance(of, Unknown):
            return self.error(expr.span)
        if isinstance(of, Optional):
            bound = scope.frame.bound(expr.name, of.of)
            body = ask(replace(bound, span=expr.arguments[0].span))
            return Spread(bound.id, subject, body, type=optional(body.type), span=expr.span)
        sequence = as_sequence(subject)
        if sequence is None or not isinstance(sequence.type, SetOf | RowOf | ListOf):
            return ask(subject)
        bound = scope.frame.bound(expr.name, sequence.type.of)
        body = ask(replace(bound, span=expr.arguments[0].span))
        return self.mapped(sequence, bound, body, expr.span)

    def mapped(self, sequence: Term, bound: Bound, body: Term, span: Span) -> Term:
        """`body` of every member: a list, or the union where each is a set."""
        inner = as_sequence(body)
        if inner is not None and isinstance(inner.type, SetOf | RowOf):
            of: Type = SetOf(inner.type.of) if is_finite(inner.type.of) else RowOf(inner.type.of)
            return Fold(Quantifier.UNITE, sequence, bound.id, self.forced(inner, of), type=of, span=span)
        if isinstance(body.type, Unknown):
            return self.error(span)
        return Map(sequence, bound.id, body, type=ListOf(required(body.type)), span=span)

    def _ask(self, expr: Call, subject: Term, scope: Scope) -> Term:
        """The name, asked of the subject: itself, then its members."""
        if isinstance(subject.type, Unknown):
            return self.error(expr.span)
        direct = self._direct(expr, subject, scope)
        if direct is not None:
            return direct
        if expr.name in SEQUENCE_FUNCTIONS:
            rest = tuple(self.expression(argument, scope, Number()) for argument in expr.arguments[1:])
            if isinstance(subject.type, NoValue):
                return self.fail(
                    "E0403", expr.span, f"`{expr.name}` needs a set or a list, but this is none", FUNCTIONS[expr.name]
                )
            return self.of_sequence(expr.name, (subject, *rest), expr.span)
        if isinstance(subject.type, Face):
            subject = self.forced(subject, Card(subject.type.kind))
        if isinstance(subject.type, Optional) or as_sequence(subject) is not None:
            return self._over(subject, expr, scope, lambda one: self._ask(expr, one, scope))
        return self._nothing_of_that_name(expr, subject)

    def _direct(self, expr: Call, subject: Term, scope: Scope) -> Term | None:
        """A rule, zone, state, field, attribute or function of just this type; None if there is none."""
        name, of, rest = expr.name, subject.type, expr.arguments[1:]
        entry = self._rule_for(expr, subject)
        if entry is not None:
            return self._call_with(entry, subject, expr, scope)
        if name in self.names.zones and isinstance(of, Seat | Team) and not rest:
            owned = self.names.owned(name)
            if (owned is Owned.PLAYER and isinstance(of, Seat)) or (owned is Owned.TEAM and isinstance(of, Team)):
                return self.zone(name, subject, expr.span)
            if owned is Owned.TEAM and isinstance(of, Seat):
                return self.zone(name, Prim(Op.TEAM_OF, (subject,), type=Team(), span=expr.span), expr.span)
            if owned is Owned.ONCE:
                return self.fail(
                    "E0303",
                    expr.name_span,
                    f"there is one '{name}' for all, not one for each {of}",
                    f"write `{name}` alone",
                )
        if name in self.names.states and self.variable(name).each:
            state = self._state_of(expr, subject, scope)
            if state is not None:
                return state
        match of:
            case Card():
                card = self._of_card(expr, subject, scope)
                if card is not None:
                    return card
            case Play():
                fields = self.play_field_types(of.zone)
                if name in fields and not rest:
                    return PlayField(of.zone, name, subject, type=fields[name], span=expr.span)
                if name == "card" and not rest:
                    cards = PlayField(of.zone, "cards", subject, type=fields["cards"], span=expr.span)
                    kind = self.names.zone_kind(of.zone)
                    return Prim(Op.ONLY, (cards,), type=Optional(Card(kind)), span=expr.span)
            case Record() | Ladder():
                for index, (field_name, field_type) in enumerate(of.fields):
                    if field_name == name and not rest:
                        place = Const(index, type=Number())
                        return Prim(Op.FIELD_OF, (subject, place), type=field_type, span=expr.span)
            case _:
                pass
        if not rest and name in FUNCTIONS and name not in SEQUENCE_FUNCTIONS:
            return self.of_one(name, subject, expr.span)
        return None

    def _of_card(self, expr: Call, subject: Term, scope: Scope) -> Term | None:
        assert isinstance(subject.type, Card)
        kind, name, rest = subject.type.kind, expr.name, expr.arguments[1:]
        fields = self.field_types(kind)
        if name in fields and not rest:
            return Field(kind, name, subject, type=fields[name], span=expr.span)
        if name == ROW:
            return RowNumber(kind, subject, type=Number(), span=expr.span)
        of = self.printed(kind).get(name)
        if of is None:
            return self._of_row(expr, subject, scope) if not rest else None
        each = self.printed_each(kind, name)
        if each is not None:
            if len(rest) != 1:
                return self.fail(
                    "E0407",
                    expr.span,
                    f"there is one '{name}' for each {each}; say for which",
                    f"write `CARD.{name}(...)`",
                )
            (index,), spreads = self._arguments(expr, (each,), scope)
            return self._spread(spreads, Attribute(kind, name, subject, index, type=of, span=expr.span))
        return Attribute(kind, name, subject, type=of, span=expr.span) if not rest else None

    def _of_row(self, expr: Call, card: Term, scope: Scope) -> Term | None:
        """The name that a file gives to a card, or a power of it."""
        assert isinstance(card.type, Card)
        powers = self.names.powers.get(card.type.kind)
        if expr.name == "name" and powers is not None and any(row.name is not None for row in powers.rows):
            texts = [self.names.text(row.name) for row in powers.rows if row.name is not None]
            of: Type = Text() if len(texts) == len(powers.rows) else Optional(Text())
            return Attribute(card.type.kind, "name", card, type=of, span=expr.span)
        return self.power_value(expr, card, scope)

    def _state_of(self, expr: Call, subject: Term, scope: Scope) -> Term | None:
        variable = self.variable(expr.name)
        first = subject
        if isinstance(variable.each[0], Team) and isinstance(subject.type, Seat):
            first = Prim(Op.TEAM_OF, (subject,), type=Team(), span=expr.span)
        if first.type != variable.each[0] or len(expr.arguments) != len(variable.each):
            return None
        self.names.states[expr.name].read = True
        rest = tuple(
            self.wanted(argument, scope, of, f"'{expr.name}'")
            for argument, of in zip(expr.arguments[1:], variable.each[1:], strict=True)
        )
        return Var(expr.name, (first, *rest), type=variable.keeping.type, span=expr.span)

    # ── rules ────────────────────────────────────────────────────────────────────────────────────────────────────

    def _rule_for(self, expr: Call, subject: Term) -> RuleEntry | None:
        """The rule of this name whose first parameter takes the subject: exactly if possible, else after fitting."""
        entries = [
            (entry, types)
            for entry in self.names.rules.get(expr.name, ())
            if len(types := self.parameter_types(entry)) == len(expr.arguments)
        ]
        for entry, types in entries:
            if types[0] == subject.type:
                return entry
        if isinstance(subject.type, Optional):
            return None
        for entry, types in entries:
            if fit(subject, types[0]) is not None:
                return entry
        return None

    def _call_with(self, entry: RuleEntry, subject: Term, expr: Call, scope: Scope) -> Term:
        types = self.parameter_types(entry)
        rest, spreads = self._arguments(expr, types[1:], scope)
        return self._spread(spreads, self.call_rule(entry, (self.forced(subject, types[0]), *rest), expr.span))

    def _arguments(
        self, expr: Call, types: tuple[Type, ...], scope: Scope
    ) -> tuple[tuple[Term, ...], list[tuple[Bound, Term]]]:
        """The arguments behind the subject; for those that may be none a bound, and the value that it stands for."""
        arguments: list[Term] = []
        spreads: list[tuple[Bound, Term]] = []
        for argument, of in zip(expr.arguments[1:], types, strict=True):
            term = self.expression(argument, scope, of)
            fitted = fit(term, of)
            if fitted is None and isinstance(term.type, Optional) and fits(term.type.of, of):
                bound = scope.frame.bound("value", term.type.of)
                spreads.append((bound, term))
                fitted = fit(bound, of)
            if fitted is None:
                fitted = self.fitted(term, argument, of, f"'{expr.name}'")
            arguments.append(fitted)
        return tuple(arguments), spreads

    def _spread(self, spreads: list[tuple[Bound, Term]], result: Term) -> Term:
        """A value that is none where one of those is that it is worked out from."""
        for bound, value in reversed(spreads):
            result = Spread(bound.id, value, result, type=optional(result.type), span=result.span)
        return result

    # ── help ─────────────────────────────────────────────────────────────────────────────────────────────────────

    def _nothing_of_that_name(self, expr: Call, subject: Term) -> Term:
        name, of = expr.name, subject.type
        rules = self.names.rules.get(name, [])
        if rules:
            counts = {len(self.parameter_types(entry)) for entry in rules}
            if len(expr.arguments) not in counts:
                heads = ", ".join(entry.doc.signature.span.text for entry in rules)
                return self.fail(
                    "E0407",
                    expr.span,
                    f"'{name}' is given {counted(len(expr.arguments), 'argument')}",
                    f"it is declared as {heads}",
                )
            wanted = " or ".join(dict.fromkeys(a(self.parameter_types(entry)[0]) for entry in rules))
            return self.fail("E0401", expr.span, f"'{name}' needs {wanted}, but this is {a(of)}", None)
        if name in FUNCTIONS:
            return self.fail("E0401", expr.span, f"`{name}` is not for {a(of)}", FUNCTIONS[name])
        known = self._known_of(of)
        everything = [*known, *self.names.rules, *FUNCTIONS]
        if not expr.dotted and name not in everything:
            return self.fail("E0301", expr.name_span, f"nothing is called '{name}'", nearest(name, everything))
        return self.fail("E0303", expr.name_span, f"{a(of)} has no '{name}'", nearest(name, known or everything))

    def _known_of(self, of: Type) -> list[str]:
        match of:
            case Card(kind=kind):
                return [*self.field_types(kind), *self.printed(kind), *self._rules_of(of)]
            case Seat():
                zones = [zone for zone in self.names.zones if self.names.owned(zone) is Owned.PLAYER]
                states = [state for state in self.names.states if self.variable(state).each == (Seat(),)]
                return [*zones, *states, *self._rules_of(of)]
            case Play(zone=zone):
                return [*self.play_field_types(zone), "card", *self._rules_of(of)]
            case Record() | Ladder():
                return [name for name, _ in of.fields]
            case _:
                return self._rules_of(of)

    def _rules_of(self, of: Type) -> list[str]:
        return [
            name
            for name, entries in self.names.rules.items()
            if any(self.parameter_types(entry)[:1] == (of,) for entry in entries)
        ]
