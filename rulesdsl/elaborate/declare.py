"""Laying the declarations of libraries, game and modifiers over one another.

Libraries come first, then the game, then modifiers. A name that was there before is *changed*: rules by the law of
their slot, zones, kinds, states and options key by key. Nothing depends on the order of keys or of modifiers.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from fractions import Fraction

from ..diagnostic import Label
from ..ir.nodes import Option, Origin
from ..syntax.document import (
    ChangeDoc,
    DeclarationBody,
    Declarations,
    KindDoc,
    OptionDoc,
    OptionForm,
    ProcedureDoc,
    RuleDoc,
    StateDoc,
    TypeDoc,
    TypeKind,
    ZoneDoc,
)
from ..syntax.expr import Expr, NumberLiteral, RangeLiteral, Target, TargetKind, TypeExpr
from ..types import Enum, Ladder, Number, Record, Type, Unknown, YesNo
from .names import KindEntry, Names, ProcedureEntry, RuleEntry, StateEntry, ZoneEntry, nearest


@dataclass(frozen=True, slots=True)
class Layer:
    """One file's share in a program: its name, what it declares, what it changes."""

    name: str
    declares: Declarations
    changes: tuple[ChangeDoc, ...] = ()
    is_library: bool = False
    is_modifier: bool = False


class Declarer:
    """Fills a `Names` with the layers, lowest first."""

    def __init__(self, names: Names, settings: dict[str, str]) -> None:
        self.names = names
        self.settings = settings
        self._types: dict[str, TypeDoc] = {}
        self._of: dict[str, str] = {}

    def declare(self, layers: tuple[Layer, ...]) -> None:
        """Takes in all layers."""
        for layer in layers:
            for type_doc in layer.declares.types:
                self._types[type_doc.name] = type_doc
            for kind in layer.declares.cards:
                self._kind(kind, layer)
        for type_doc in self._types.values():
            if type_doc.kind not in (TypeKind.FIELDS, TypeKind.LADDER):
                self._enum(type_doc)
        for layer in layers:
            for change in layer.changes:
                if isinstance(change.body, DeclarationBody) and change.target.kind is TargetKind.TYPE:
                    self._insert(change)
        for enum in self.names.types.values():
            if isinstance(enum, Enum):
                self.names.add_enum(enum)
        for type_doc in self._types.values():
            if type_doc.kind in (TypeKind.FIELDS, TypeKind.LADDER):
                self._fields(type_doc)
        for layer in layers:
            self._layer(layer)

    def _layer(self, layer: Layer) -> None:
        declares = layer.declares
        for option in declares.options:
            self._option(option)
        for zone in declares.zones:
            self._zone(zone, layer)
        for state in declares.state:
            self._state(state, layer)
        for rule in declares.rules:
            self._rule(rule, layer)
        for procedure in declares.procedures:
            self._procedure(procedure, layer)
        for change in layer.changes:
            self._change(change, layer)
        for event in declares.events:
            self.names.handlers.append((event, Origin(layer.name, event.target.span)))

    # ── types ────────────────────────────────────────────────────────────────────────────────────────────────────

    def _enum(self, doc: TypeDoc) -> None:
        members = tuple(member.name for member in doc.members)
        for index, member in enumerate(doc.members):
            if member.name in members[:index]:
                self.names.report(
                    "E0309", member.span, f"'{member.name}' is a member of '{doc.name}' already", "leave it out"
                )
        ordered = doc.kind is TypeKind.LOW_TO_HIGH
        self.names.types[doc.name] = Enum(doc.name, members, ordered, doc.kind is TypeKind.CYCLE)

    def _insert(self, change: ChangeDoc) -> None:
        name = change.target.path[-1]
        enum = self.names.types.get(name)
        body = change.body
        assert isinstance(body, DeclarationBody)
        if not isinstance(enum, Enum) or body.insert is None or body.above is None:
            known = [n for n, t in self.names.types.items() if isinstance(t, Enum)]
            self.names.report(
                "E0901",
                change.target.span,
                f"there is no type '{name}' with members to insert into",
                nearest(name, known),
            )
            return
        if body.above.name not in enum.members:
            self.names.report(
                "E0310",
                body.above.span,
                f"'{body.above.name}' is no member of {name}",
                nearest(body.above.name, list(enum.members)),
            )
            return
        at = enum.members.index(body.above.name) + 1
        self.names.types[name] = replace(enum, members=(*enum.members[:at], body.insert.name, *enum.members[at:]))

    def _fields(self, doc: TypeDoc) -> None:
        fields: list[tuple[str, Type]] = []
        for name, text in doc.fields:
            fields.append((name.name, self._field_type(text)))
        made = tuple(fields)
        self.names.types[doc.name] = Record(doc.name, made) if doc.kind is TypeKind.FIELDS else Ladder(doc.name, made)

    def _field_type(self, text: TypeExpr | Expr) -> Type:
        if isinstance(text, TypeExpr):
            of = self.names.named_type(text.name)
            if of is None:
                self.names.report(
                    "E0310", text.span, f"there is no type '{text.name}'", nearest(text.name, self.names.type_names())
                )
                return Unknown()
            return of
        bounds = constant_range(text)
        return Number(1, Fraction(bounds[0]), Fraction(bounds[1])) if bounds else Number()

    # ── options ──────────────────────────────────────────────────────────────────────────────────────────────────

    def _option(self, doc: OptionDoc) -> None:
        match doc.form:
            case OptionForm.YES_NO:
                of: Type = YesNo()
                default = int(doc.default == "true")
            case OptionForm.CHOICE:
                members = tuple(member.name for member in doc.members)
                enum = Enum(doc.name, members)
                if doc.name not in self.names.types:
                    self.names.add_enum(enum)
                of, default = enum, members.index(doc.default) if doc.default in members else 0
            case OptionForm.NUMBER:
                low = Fraction(doc.low) if doc.low is not None else None
                high = Fraction(doc.high) if doc.high is not None else None
                of, default = Number(1, low, high), int(doc.default)
        value = self._setting(doc, of, default)
        self.names.options[doc.name] = Option(doc.name, of, value, default)

    def _setting(self, doc: OptionDoc, of: Type, default: int) -> int:
        text = self.settings.get(doc.name)
        if text is None:
            return default
        match of:
            case YesNo() if text in ("true", "false"):
                return int(text == "true")
            case Enum() if text in of.members:
                return of.members.index(text)
            case Number() if text.lstrip("-").isdigit():
                value = int(text)
                if (of.low is None or value >= of.low) and (of.high is None or value <= of.high):
                    return value
            case _:
                pass
        allowed = {
            OptionForm.YES_NO: "true or false",
            OptionForm.CHOICE: "one of " + ", ".join(member.name for member in doc.members),
            OptionForm.NUMBER: _number_between(doc.low, doc.high),
        }[doc.form]
        self.names.report("E0321", doc.span, f"the option '{doc.name}' can't be '{text}'", f"it is {allowed}")
        return default

    # ── cards, zones, states ─────────────────────────────────────────────────────────────────────────────────────

    def _kind(self, doc: KindDoc, layer: Layer) -> None:
        origin = Origin(layer.name, doc.span)
        entry = self.names.kinds.get(doc.name)
        if entry is None:
            entry = self.names.kinds[doc.name] = KindEntry(doc, origin)
        else:
            old = entry.doc
            known = {f.name for f in old.fields}
            entry.doc = replace(
                old,
                every=doc.every or old.every,
                every_modifier=doc.every_modifier or old.every_modifier,
                copies=doc.copies if doc.copies is not None else old.copies,
                file=doc.file or old.file,
                printed=doc.printed or old.printed,
                fields=(*old.fields, *(f for f in doc.fields if f.name not in known)),
                powers=doc.powers or old.powers,
            )
        if doc.where is not None:
            entry.wheres.append((doc.where, origin))

    def _zone(self, doc: ZoneDoc, layer: Layer) -> None:
        entry = self.names.zones.get(doc.name)
        if entry is None:
            self.names.zones[doc.name] = ZoneEntry(doc, Origin(layer.name, doc.span))
            return
        old = entry.doc
        known = {f.name for f in doc.fields}
        entry.doc = replace(
            old,
            each=doc.each or old.each,
            of=doc.of or old.of,
            shape=doc.shape or old.shape,
            seen=doc.seen or old.seen,
            count_seen=doc.count_seen or old.count_seen,
            start_all=doc.start_all if doc.start_all is not None else old.start_all,
            active=doc.active if doc.active is not None else old.active,
            fields=(*(f for f in old.fields if f.name not in known), *doc.fields),
        )

    def _state(self, doc: StateDoc, layer: Layer) -> None:
        entry = self.names.states.get(doc.name)
        if entry is None:
            self.names.states[doc.name] = StateEntry(doc, Origin(layer.name, doc.span))
            return
        old = entry.doc
        entry.doc = replace(
            old,
            each=doc.each or old.each,
            type=doc.type if doc.type is not None else old.type,
            start=doc.start if doc.start is not None else old.start,
            resets=doc.resets or old.resets,
            at_most=doc.at_most if doc.at_most is not None else old.at_most,
        )

    # ── rules and procedures ─────────────────────────────────────────────────────────────────────────────────────

    def _rule(self, doc: RuleDoc, layer: Layer) -> None:
        origin = Origin(layer.name, doc.span)
        name = doc.signature.name
        entry = self._entry(doc)
        if entry is not None:
            if entry.origin.name == layer.name:
                self.names.diagnostics.add(
                    "E0309",
                    doc.span,
                    f"'{name}' is declared twice in this file",
                    help="give one of them another name",
                    labels=[Label(entry.doc.span, "first here")],
                )
                return
            target = Target(TargetKind.SLOT, (), doc.signature, span=doc.signature.span)
            entry.changes.append((ChangeDoc(target, doc.body, span=doc.span), origin))
            return
        if name in self.names.zones or name in self.names.states:
            self.names.report(
                "E0309", doc.signature.span, f"'{name}' is a zone or a state already", "give the rule another name"
            )
        first = doc.signature.parameters[0].type_name if doc.signature.parameters else ""
        identity = f"{name}({first})" if first else name
        self.names.rules.setdefault(name, []).append(RuleEntry(identity, doc, origin))

    def _entry(self, doc: RuleDoc) -> RuleEntry | None:
        """The rule that a head names: of this name, with as many parameters, the first of the same type."""
        entries = self.names.rules.get(doc.signature.name, [])
        given = doc.signature.parameters
        same = [entry for entry in entries if len(entry.doc.signature.parameters) == len(given)]
        for entry in same:
            own = entry.doc.signature.parameters
            if not own or own[0].type_name == given[0].type_name or self._is_no_type(given[0].type_name):
                return entry
        return None

    def _is_no_type(self, name: str) -> bool:
        return self.names.named_type(name) is None

    def _procedure(self, doc: ProcedureDoc, layer: Layer) -> None:
        name = doc.signature.name
        entry = self.names.procedures.get(name)
        if entry is not None and entry.origin.name == layer.name:
            self.names.report(
                "E0309", doc.span, f"the procedure '{name}' is declared twice", "give one of them another name"
            )
            return
        if entry is not None and layer.is_modifier:
            self.names.report(
                "E0905",
                doc.span,
                f"the game has a procedure '{name}'; a modifier can't declare it anew",
                f"write `instead of {name}:` under `changes:`",
            )
            return
        self.names.procedures[name] = ProcedureEntry(doc, Origin(layer.name, doc.span))

    # ── changes ──────────────────────────────────────────────────────────────────────────────────────────────────

    def _change(self, change: ChangeDoc, layer: Layer) -> None:
        origin = Origin(layer.name, change.target.span)
        match change.target.kind:
            case TargetKind.SLOT:
                self._change_slot(change, origin)
            case TargetKind.BEFORE | TargetKind.AFTER | TargetKind.INSTEAD | TargetKind.PHASE | TargetKind.DECISION:
                self.names.handlers.append((change, origin))
            case TargetKind.TYPE:
                pass
            case TargetKind.ZONE | TargetKind.STATE | TargetKind.OPTION | TargetKind.CARDS:
                self._change_declaration(change, layer)

    def _change_slot(self, change: ChangeDoc, origin: Origin) -> None:
        signature = change.target.signature
        assert signature is not None
        entry = self._entry(RuleDoc(signature, change.body, span=change.span))  # type: ignore[arg-type]
        if entry is None and signature.parameters and self._is_printed(signature.name):
            entry = RuleEntry(
                f"{signature.name}({signature.parameters[0].type_name})",
                RuleDoc(signature, change.body, span=change.span),
                origin,
            )  # type: ignore[arg-type]
            self.names.rules.setdefault(signature.name, []).append(entry)
            return
        if entry is None:
            same = self.names.rules.get(signature.name)
            if same:
                heads = ", ".join(e.doc.signature.span.text for e in same)
                self.names.report(
                    "E0901",
                    change.target.span,
                    f"'{signature.name}' has other parameters",
                    f"it is declared as {heads}",
                )
            else:
                known = [*self.names.rules]
                self.names.report(
                    "E0901",
                    change.target.span,
                    f"there is no rule '{signature.name}' to change",
                    nearest(signature.name, known),
                )
            return
        entry.changes.append((change, origin))

    def _is_printed(self, name: str) -> bool:
        return any(
            name in (*(n.name for n, _ in kind.doc.every), *(p.name for p in kind.doc.printed))
            for kind in self.names.kinds.values()
        )

    def _change_declaration(self, change: ChangeDoc, layer: Layer) -> None:
        name = change.target.path[-1]
        body = change.body
        if not isinstance(body, DeclarationBody) or body.declaration is None:
            return
        known: dict[str, object]
        match body.declaration:
            case ZoneDoc() as zone:
                known = dict(self.names.zones)
                if name in known:
                    self._zone(zone, layer)
            case StateDoc() as state:
                known = dict(self.names.states)
                if name in known:
                    self._state(state, layer)
            case OptionDoc() as option:
                known = dict(self.names.options)
                if name in known:
                    self._option(option)
            case KindDoc() as kind:
                known = dict(self.names.kinds)
                if name in known and kind.where is not None:
                    self.names.kinds[name].wheres.append((kind.where, Origin(layer.name, change.span)))
        if name not in known:
            self.names.report(
                "E0901",
                change.target.span,
                f"there is no {change.target.kind} '{name}' to change",
                nearest(name, list(known)),
            )


def _number_between(low: int | None, high: int | None) -> str:
    match low, high:
        case None, None:
            return "a number"
        case None, _:
            return f"a number of at most {high}"
        case _, None:
            return f"a number of at least {low}"
        case _:
            return f"a number from {low} to {high}"


def constant_range(expr: object) -> tuple[int, int] | None:
    """The bounds of a range of plain numbers."""
    match expr:
        case RangeLiteral(low=NumberLiteral() as low, high=NumberLiteral() as high):
            return int(low.value), int(high.value)
        case NumberLiteral():
            return int(expr.value), int(expr.value)
        case _:
            return None
