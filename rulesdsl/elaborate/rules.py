"""Rules and legalities with everything that games and modifiers change about them.

Types are found when a rule is first used; rules that use one another in a circle are reported once. A change that
never asks for `proceed` sets the rule, one that does wraps what lies beneath; `add`, `multiply` and limits come in
stages above; conditions of a legality are collected.
"""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

from ..diagnostic import InternalError
from ..ir import nodes as ir
from ..ir.nodes import Attribute, Bound, Change, Condition, Legality, Rule, Term, Touch
from ..ir.walk import every_term
from ..source import Span
from ..syntax.document import CasesBody, ChangeDoc, ComponentsBody, ExprBody, LegalityBody, Named, StagesBody, TableBody
from ..syntax.expr import Expr, Parameter, TypeExpr, TypeForm
from ..types import (
    Card,
    ListOf,
    NoValue,
    Number,
    Optional,
    RowOf,
    Seat,
    SetOf,
    Type,
    Unknown,
    YesNo,
    optional,
    required,
)
from .bodies import BodyChecker
from .fit import fit, joined
from .names import RuleEntry, nearest
from .rivals import Rivals
from .scope import Frame, Scope
from .sequence import Level
from .substitute import has_proceed, with_proceed
from .typedecls import STEPPED, number_in_steps, written_type
from .wording import a, counted

MOST_NESTED = 40
_STAGES = ("add", "remove", "multiply", "at_least", "at_most")


class RuleChecker(BodyChecker):
    """Works out rules on demand."""

    def __init__(self) -> None:
        self._types: dict[int, tuple[Type, ...]] = {}
        self._working: list[RuleEntry] = []

    def type_of(self, expr: TypeExpr, scope: Scope | None = None) -> Type:
        """The type that a text stands for."""
        if expr.form in STEPPED and not expr.name[0].isdigit():
            stepped = self._stepped(expr)
            return optional(stepped) if expr.form is TypeForm.OPTIONAL_STEP else stepped
        return written_type(expr, self.names)

    def _stepped(self, expr: TypeExpr) -> Type:
        """`number step S`, where S is a rule that is one number."""
        entries = self.names.rules.get(expr.name, [])
        rule = self.rule(entries[0], expr.span) if len(entries) == 1 else None
        steps = _constants(rule.body) if rule is not None else None
        kinds = [number_in_steps(step) for step in steps or ()]
        of = max((of for of in kinds if of is not None), key=lambda of: of.scale, default=None)
        if of is None or None in kinds or any(of.scale % known.scale for known in kinds if known is not None):
            self.names.report(
                "E0422",
                expr.span,
                f"'{expr.name}' is no step: it is no rule that gives one number of which a whole number make 1",
                "write 1, 0.5, 0.25, 0.1 ..., or name a rule that gives one of these",
            )
            return Number()
        return replace(of, step=expr.name)

    def is_settled(self, of: Type, span: Span) -> bool:
        """Whether a type says what a value is; a report if it comes from `none` or `[]` alone."""
        inner = of
        while isinstance(inner, Optional | SetOf | RowOf | ListOf):
            inner = inner.of
        if inner is of and isinstance(of, Unknown):
            return False
        if not isinstance(inner, Unknown | NoValue):
            return True
        what = "`none`" if isinstance(of, NoValue) else "`[]`"
        self.names.report(
            "E0424", span, f"{what} alone does not say what it could be otherwise", "add the type: `{ type: T, ... }`"
        )
        return False

    # ── parameters ───────────────────────────────────────────────────────────────────────────────────────────────

    def parameter_type(self, parameter: Parameter) -> Type:
        """The type of a parameter: its own name is one, or the word after it."""
        of = self.names.named_type(parameter.type_name)
        if of is None:
            self.names.report(
                "E0312",
                parameter.span,
                f"'{parameter.type_name}' is no type, so this parameter has none",
                nearest(parameter.type_name, self.names.type_names())
                or f"write a type after the name: `{parameter.name} number`",
            )
            return Unknown()
        return of

    def parameter_types(self, entry: RuleEntry) -> tuple[Type, ...]:
        """The types of a rule's parameters."""
        cached = self._types.get(id(entry))
        if cached is None:
            parameters = entry.doc.signature.parameters
            self.different_parameters(parameters)
            cached = tuple(self.parameter_type(p) for p in parameters)
            self._types[id(entry)] = cached
        return cached

    def different_parameters(self, parameters: tuple[Parameter, ...]) -> None:
        """Reports parameters of one name."""
        for index, parameter in enumerate(parameters):
            if any(parameter.name == other.name for other in parameters[:index]):
                self.names.report(
                    "E0309",
                    parameter.span,
                    f"there is a parameter '{parameter.name}' already",
                    f"name them apart: `first {parameter.type_name}, second {parameter.type_name}`",
                )

    # ── rules ────────────────────────────────────────────────────────────────────────────────────────────────────

    def rule(self, entry: RuleEntry, span: Span) -> Rule | None:
        """The rule, worked out if it was not yet."""
        if isinstance(entry.doc.body, LegalityBody):
            self.names.report(
                "E0319",
                span,
                f"'{entry.doc.signature.name}' says which answers are legal; it has no value",
                "name it after `under:` in a decision",
            )
            return None
        if entry.rule is None:
            # Rules are worked out after those that they use; to come here in the depth of another is to go in a circle.
            if entry in self._working or self.nested > MOST_NESTED:
                self._circle(self._working[self._working.index(entry) :] if entry in self._working else self._working)
                return None
            self._working.append(entry)
            entry.rule = self._rule(entry)
            self._working.pop()
        return entry.rule

    def _circle(self, circle: list[RuleEntry]) -> None:
        """Reports rules that use one another, at the first of them in the file."""
        first = min(circle, key=lambda entry: entry.doc.span.start)
        at = circle.index(first)
        names = [f"'{entry.doc.signature.name}'" for entry in (*circle[at:], *circle[:at])]
        shown = ", ".join(names[:5]) + (" ..." if len(names) > 5 else "")
        self.names.report(
            "E0420",
            first.doc.span,
            f"the rule {names[0]} uses itself" if len(names) == 1 else f"these rules go in a circle: {shown}",
            "break the circle: keep in a state what a rule needs of itself",
        )

    def _rule(self, entry: RuleEntry) -> Rule:
        signature = entry.doc.signature
        frame = Frame(signature.name)
        types = self.parameter_types(entry)
        bounds = tuple(frame.bound(p.name, of) for p, of in zip(signature.parameters, types, strict=True))
        scope = Scope(frame, {bound.name: bound for bound in bounds})
        printed = self._printed_base(entry, bounds)
        body = entry.doc.body
        assert not isinstance(body, LegalityBody)
        if isinstance(body, StagesBody):
            help = "write the value; `add` and the like only change one"
            base = printed if printed is not None else self.fail("E0902", body.span, "a rule begins with a value", help)
        else:
            base = self.body(body, scope if printed is None else replace(scope, proceed=printed.type), None)
            if printed is not None:
                base = with_proceed(base, printed)
        term, changes = self._changed(entry, base, bounds, frame)
        if not self.is_settled(term.type, entry.doc.body.span):
            term = self.error(entry.doc.body.span)
        return Rule(entry.id, signature.name, bounds, term.type, term, base, entry.origin, tuple(changes))

    def _printed_base(self, entry: RuleEntry, bounds: tuple[Bound, ...]) -> Term | None:
        """For a rule with the name of a printed attribute: what is printed, which it changes."""
        if not bounds or not isinstance(bounds[0].type, Card):
            return None
        kind, name = bounds[0].type.kind, entry.doc.signature.name
        of = self.printed(kind).get(name)
        if of is None:
            return None
        each = self.printed_each(kind, name)
        index = bounds[1] if each is not None and len(bounds) > 1 else None
        return Attribute(kind, name, bounds[0], index, type=of, span=entry.doc.span)

    def _changed(
        self, entry: RuleEntry, base: Term, bounds: tuple[Bound, ...], frame: Frame
    ) -> tuple[Term, list[Change]]:
        term, told, changes = base, base, []
        staged: dict[str, list[tuple[Term, ChangeDoc, Term | None]]] = {stage: [] for stage in _STAGES}
        rivals = Rivals(self.names)
        for change, origin in self.names.sequences.of_rule(entry.changes):
            scope = self._change_scope(change, bounds, frame, term.type)
            if scope is None:
                continue
            guard = self._guard(change, scope)
            match change.body:
                case StagesBody(stages=stages):
                    for key, expr in stages:
                        value = self.expression(expr, scope, term.type)
                        staged.setdefault(key.name, []).append((value, change, guard))
                        changes.append(Change(key.name, value, origin, guard is not None))
                case LegalityBody():
                    self.names.report(
                        "E0902",
                        change.body.span,
                        f"'{entry.doc.signature.name}' gives a value, so it forbids and requires nothing",
                        "write the value, or change the rule that stands after `under:`",
                    )
                case (ExprBody() | CasesBody() | TableBody() | ComponentsBody()) as body:
                    given = self.body(body, scope, Optional(term.type) if self._is_plain(term.type) else term.type)
                    if guard is not None:
                        given = self._guarded(guard, given, term.type, change.span)
                    is_modifier = origin.name in self.names.modifiers
                    if is_modifier and fit(given, told.type) == told:
                        changes.append(
                            Change("again", given, origin, guard is not None)
                        )  # what the game says: it stands against nobody
                        continue
                    rivals.meet(change, origin, given)
                    term = self._set_or_wrap(entry, given, term, change)
                    told = told if is_modifier else term
                    operation = "wrap" if has_proceed(given) else "set"
                    changes.append(Change(operation, given, origin, guard is not None))
                case _:
                    raise InternalError(f"a rule is changed by {type(change.body).__name__}")
        rivals.report()
        for stage in _STAGES:
            scope = Scope(frame, {bound.name: bound for bound in bounds})
            for value, change, guard in staged[stage]:
                span = value.span or change.span
                nothing = None if guard is None else _that_changes_nothing(stage, required(term.type), span)
                if guard is None or nothing is not None:
                    there = value if guard is None or nothing is None else self.branches(guard, value, nothing, span)
                    term = self.stage(stage, there, term, scope, span)
                else:
                    term = self.branches(guard, self.stage(stage, value, term, scope, span), term, change.span)
        return term, changes

    def _guarded(self, guard: Term, given: Term, of: Type, span: Span) -> Term:
        """A body that counts under a guard only; what is beneath is named once, or all would double with each guard."""
        match given:
            case ir.If(condition=condition, then=then, otherwise=ir.Proceed()):
                guard, given = ir.Prim(ir.Op.AND, (guard, condition), type=YesNo(), span=span), then
            case _:
                pass
        return self.branches(guard, given, ir.Proceed(type=of, span=span), span)

    def _guard(self, change: ChangeDoc, scope: Scope) -> Term | None:
        if change.when is None:
            return None
        return self.condition(change.when, replace(scope, proceed=None), "`when`")

    def _is_plain(self, of: Type) -> bool:
        return optional(of) != of

    def _change_scope(self, change: ChangeDoc, bounds: tuple[Bound, ...], frame: Frame, beneath: Type) -> Scope | None:
        signature = change.target.signature
        assert signature is not None
        given = len(signature.parameters)
        if given != len(bounds):
            self.names.report(
                "E0407",
                change.target.span,
                f"'{signature.name}' has {counted(len(bounds), 'parameter')}, this change has {given}",
                f"write `{signature.name}({', '.join(bound.name for bound in bounds)})`"
                if bounds
                else f"write `{signature.name}` alone",
            )
            return None
        names: dict[str, Term] = {p.name: bound for p, bound in zip(signature.parameters, bounds, strict=True)}
        return Scope(frame, names, proceed=beneath)

    def _set_or_wrap(self, entry: RuleEntry, given: Term, beneath: Term, change: ChangeDoc) -> Term:
        if isinstance(given.type, Unknown) or isinstance(beneath.type, Unknown):
            return given
        if entry.doc.signature.name == "winners" and not has_proceed(given):
            return given  # players or teams: who wins is nobody's operand
        of = joined(beneath.type, given.type)
        if of is None:
            return self.fail(
                "E0401",
                change.body.span,
                f"'{entry.doc.signature.name}' is {a(beneath.type)}, but this is {a(given.type)}",
                self.hint(given, beneath.type),
            )
        return with_proceed(self.forced(given, of), beneath)

    # ── legalities ───────────────────────────────────────────────────────────────────────────────────────────────

    def legality(self, name: str, span: Span) -> RuleEntry | None:
        """The legality of a name; None after a report."""
        entries = [entry for entry in self.names.rules.get(name, []) if isinstance(entry.doc.body, LegalityBody)]
        if not entries:
            known = [n for n, es in self.names.rules.items() if any(isinstance(e.doc.body, LegalityBody) for e in es)]
            self.names.report("E0320", span, f"there is no legality '{name}'", nearest(name, known))
            return None
        entry = entries[0]
        if entry.legality is None:
            entry.legality = self._legality(entry)
        return entry

    def _legality(self, entry: RuleEntry) -> Legality:
        signature = entry.doc.signature
        frame = Frame(signature.name)
        decider = frame.bound("player", Seat())
        types = self.parameter_types(entry)
        bounds = tuple(frame.bound(p.name, of) for p, of in zip(signature.parameters, types, strict=True))
        conditions: dict[str, list[Condition]] = {"forbid": [], "require": [], "narrow": []}
        bodies: list[tuple[LegalityBody, Scope, ir.Origin, Term | None]] = []
        assert isinstance(entry.doc.body, LegalityBody)
        own = Scope(frame, {"player": decider, **{bound.name: bound for bound in bounds}})
        bodies.append((entry.doc.body, own, entry.origin, None))
        for change, origin in self.names.sequences.of_rule(entry.changes):
            inner = self._change_scope(change, bounds, frame, YesNo())
            if inner is None:
                continue
            if not isinstance(change.body, LegalityBody):
                self.names.report(
                    "E0902",
                    change.body.span,
                    f"'{signature.name}' is a legality: it takes forbid, require, narrow and permit",
                    "write `require: [NAME: CONDITION]` or one of the others",
                )
                continue
            inner = replace(inner.bind(player=decider), proceed=None)
            bodies.append((change.body, inner, origin, self._guard(change, inner)))
        parts = {bound.name: (index, bound.type) for index, bound in enumerate(bounds)}
        for body, scope, origin, guard in bodies:
            for key, expr in sorted(body.forbid, key=_by_name):
                given = self.condition(expr, scope, f"'{key.name}'")
                if self._settles(conditions["forbid"], key.name, guard, given, _origin(origin, key, expr)):
                    continue
                term = _only_while(guard, given)
                conditions["forbid"].append(_condition("forbid", key.name, term, _origin(origin, key, expr), guard))
            for tier in body.require:
                given = self.condition(tier.condition, scope, f"'{tier.name}'")
                own_origin = ir.Origin(origin.name, tier.span)
                if self._settles(conditions["require"], tier.name, guard, given, own_origin):
                    continue
                term = _unless(guard, given)
                condition = _condition("require", tier.name, term, own_origin, guard)
                self._insert_tier(conditions["require"], condition, tier.before, tier.after)
            for key, expr in sorted(body.narrow, key=_by_name):
                given = self.condition(expr, replace(scope, legal=parts), f"'{key.name}'")
                if self._settles(conditions["narrow"], key.name, guard, given, _origin(origin, key, expr)):
                    continue
                term = _unless(guard, given)
                conditions["narrow"].append(_condition("narrow", key.name, term, _origin(origin, key, expr), guard))
        for body, scope, origin, guard in bodies:
            for key, expr in sorted(body.permit, key=_by_name):
                permit = self.condition(expr, scope, f"the permit of '{key.name}'")
                touch = Touch("permit", _origin(origin, key, expr), guard is not None)
                self._permit(conditions, key, touch, _only_while(guard, permit))
        return Legality(
            entry.id,
            signature.name,
            (decider, *bounds),
            tuple(conditions["forbid"]),
            tuple(conditions["require"]),
            tuple(conditions["narrow"]),
            entry.origin,
        )

    def _settles(self, group: list[Condition], name: str, guard: Term | None, given: Term, origin: ir.Origin) -> bool:
        """Whether a condition of a settlement or variant stands in for one of the same name that lies beneath."""
        if self.names.sequences.level(origin) <= Level.MODIFIER:
            return False
        for index, beneath in enumerate(group):
            if beneath.name == name:
                term = given if guard is None else self.branches(guard, given, beneath.term, origin.span)
                touch = Touch("set", origin, guard is not None)
                group[index] = replace(beneath, term=term, touches=(*beneath.touches, touch))
                return True
        return False

    def _insert_tier(
        self, tiers: list[Condition], condition: Condition, before: Named | None, after: Named | None
    ) -> None:
        names = [tier.name for tier in tiers]
        for word, place, shift in (("before", before, 0), ("after", after, 1)):
            if place is None:
                continue
            name, span = place.name, place.span
            if name not in names:
                self.names.report("E0904", span, f"there is no tier '{name}' to stand {word}", nearest(name, names))
                continue
            tiers.insert(names.index(name) + shift, condition)
            return
        tiers.append(condition)

    def _permit(self, conditions: dict[str, list[Condition]], key: Named, touch: Touch, permit: Term) -> None:
        name = key.name
        found = False
        for group in conditions.values():
            for index, condition in enumerate(group):
                if condition.name == name:
                    found = True
                    permits, touches = (*condition.permits, permit), (*condition.touches, touch)
                    group[index] = replace(condition, permits=permits, touches=touches)
        if not found:
            known = [condition.name for group in conditions.values() for condition in group]
            self.names.report(
                "E0903", key.span, f"nothing called '{name}' is forbidden or required here", nearest(name, known)
            )


def _that_changes_nothing(stage: str, of: Type, span: Span) -> Term | None:
    """The value with which a stage leaves all as it is; None if there is none for all values beneath."""
    match stage, of:
        case ("add", Number()):
            return ir.Const(0, type=of, span=span)
        case ("multiply", Number(scale=scale)):
            return ir.Const(scale, type=of, span=span)
        case (("add" | "remove"), SetOf()):
            return ir.MakeSet((), type=of, span=span)
        case (("add" | "remove"), (RowOf() | ListOf())):
            return ir.MakeTuple((), type=of, span=span)
        case _:
            return None


def _constants(term: Term) -> list[Fraction] | None:
    """The numbers that a term can come to, whatever is in force; None if there are others."""
    match term:
        case ir.Const(value=int() as value, type=Number() as of):
            return [Fraction(value, of.scale)]
        case ir.If(condition=condition) if all(
            isinstance(part, ir.InForce | ir.Prim) and part.type == YesNo() for part in every_term(condition)
        ):
            first, second = _constants(term.then), _constants(term.otherwise)
            return [*first, *second] if first is not None and second is not None else None
        case ir.Prim(op=ir.Op.SCALE, arguments=(ir.Const() as inner, _)):
            return _constants(inner)
        case _:
            return None


def _origin(file: ir.Origin, key: Named, expr: Expr) -> ir.Origin:
    """Where a condition with a name stands in a file."""
    return ir.Origin(file.name, key.span.to(expr.span))


def _condition(operation: str, name: str, term: Term, origin: ir.Origin, guard: Term | None) -> Condition:
    return Condition(name, term, origin, touches=(Touch(operation, origin, guard is not None),))


def _by_name(entry: tuple[Named, Expr]) -> str:
    return entry[0].name


def _only_while(guard: Term | None, condition: Term) -> Term:
    if guard is None:
        return condition
    return ir.Prim(ir.Op.AND, (guard, condition), type=YesNo(), span=condition.span)


def _unless(guard: Term | None, condition: Term) -> Term:
    if guard is None:
        return condition
    free = ir.Prim(ir.Op.NOT, (guard,), type=YesNo(), span=guard.span)
    return ir.Prim(ir.Op.OR, (free, condition), type=YesNo(), span=condition.span)
