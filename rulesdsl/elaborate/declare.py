"""Laying the declarations of libraries, game and modifiers over one another.

Libraries come first, then the game, then modifiers. A name that was there before is *changed*: rules by the law of
their slot, zones, kinds, states and options key by key. Nothing depends on the order of keys or of modifiers.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from fractions import Fraction

from ..diagnostic import Label
from ..ir.nodes import Option, Origin
from ..source import Span
from ..syntax.document import (
    ChangeDoc,
    DeclarationBody,
    Declarations,
    ExprBody,
    KindDoc,
    OptionDoc,
    OptionForm,
    ProcedureDoc,
    RuleBody,
    RuleDoc,
    StateDoc,
    ZoneDoc,
)
from ..syntax.expr import Expr, Name, Signature, Target, TargetKind
from ..types import Enum, Number, Type, YesNo
from .names import KindEntry, Names, ProcedureEntry, RuleEntry, StateEntry, ZoneEntry, nearest
from .powers import with_kept_parts
from .typedecls import TypeOverlay
from .wording import counted

_WHOLE_NUMBER = re.compile(r"-?[0-9]{1,15}")


@dataclass(frozen=True, slots=True)
class Setting:
    """What an option is set to, and where; None for the place if it is no rule file."""

    text: str
    span: Span | None = None


@dataclass(frozen=True, slots=True)
class Layer:
    """One file's share in a program: its name, what it declares, what it changes."""

    name: str
    declares: Declarations
    changes: tuple[ChangeDoc, ...] = ()
    is_library: bool = False
    is_modifier: bool = False
    on: frozenset[str] = frozenset()
    """Of a library: those that it uses, directly or through others; it may change what they declare."""
    guard: Expr | None = None
    """Under what all that it changes stands, for a modifier that comes and goes."""


class Overlay:
    """Fills a `Names` with the layers, lowest first."""

    def __init__(self, names: Names, settings: Mapping[str, Setting]) -> None:
        self.names = names
        self.settings = settings
        self._options: dict[str, Span] = {}
        self._libraries: frozenset[str] = frozenset()

    def declare(self, layers: tuple[Layer, ...]) -> None:
        """Takes in all layers."""
        self._libraries = frozenset(layer.name for layer in layers if layer.is_library)
        for layer in layers:
            for kind in layer.declares.cards:
                self._kind(kind, layer)
        types = (doc for layer in layers for doc in layer.declares.types)
        changes = (change for layer in layers for change in layer.changes)
        inserts = (change for change in changes if change.target.kind is TargetKind.TYPE)
        TypeOverlay(self.names).declare(types, inserts)
        for name, entry in self.names.kinds.items():
            entry.doc = with_kept_parts(entry.doc, self.names.powers[name])
        for layer in layers:
            self._layer(layer)
        # At one point those of the game come before those of its libraries.
        for layer in sorted(layers, key=lambda layer: (layer.is_modifier, layer.is_library)):
            changes = (change for change in layer.changes if _is_attached(change))
            for event in sorted((*layer.declares.events, *changes), key=lambda event: event.target.text):
                self.names.handlers.append((event, Origin(layer.name, event.target.span)))
        self._one_thing_for_a_name()

    def _not_of_another(self, name: str, span: Span, layer: Layer, before: Origin | None) -> None:
        """Reports what two libraries declare that do not know one another: neither is to change the other's."""
        if layer.is_library and before is not None and before.name in self._libraries - layer.on - {layer.name}:
            self.names.report(
                "E0304",
                span,
                f"the library '{before.name}' has a '{name}' as well, and '{layer.name}' does not use it",
                f"give it another name, or add `uses: [{before.name}]`",
            )

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

    def _one_thing_for_a_name(self) -> None:
        """Rules, zones, states and options are all named in expressions, so their names differ."""
        taken: dict[str, str] = {}
        spans: list[tuple[str, str, Span]] = []
        for what, entries in (("a zone", self.names.zones), ("a state", self.names.states)):
            spans += [(name, what, entry.doc.span) for name, entry in entries.items()]
        spans += [(name, "an option", span) for name, span in self._options.items()]
        spans += [(name, "a rule", rules[0].doc.signature.span) for name, rules in self.names.rules.items()]
        for name, what, span in spans:
            first = taken.setdefault(name, what)
            if first != what:
                self.names.report(
                    "E0309", span, f"'{name}' is {first} already, so it can't be {what}", "give one another name"
                )

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
        self._options.setdefault(doc.name, doc.span)
        value = self._setting(doc, of, default)
        self.names.options[doc.name] = Option(doc.name, of, value, default, doc.span)

    def _setting(self, doc: OptionDoc, of: Type, default: int) -> int:
        setting = self.settings.get(doc.name)
        if setting is None:
            return default
        text = setting.text
        match of:
            case YesNo() if text in ("true", "false"):
                return int(text == "true")
            case Enum() if text in of.members:
                return of.members.index(text)
            case Number() if _WHOLE_NUMBER.fullmatch(text):
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
        self.names.report(
            "E0321", setting.span or doc.span, f"the option '{doc.name}' can't be '{text}'", f"it is {allowed}"
        )
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
                more=(*old.more, *doc.more),
                in_play=(*old.in_play, *doc.in_play),
                printed=doc.printed or old.printed,
                fields=(*old.fields, *(f for f in doc.fields if f.name not in known)),
                powers=(*old.powers, *doc.powers),
            )
        if doc.where is not None:
            entry.wheres.append((doc.where, origin))

    def _zone(self, doc: ZoneDoc, layer: Layer) -> None:
        entry = self.names.zones.get(doc.name)
        self._not_of_another(doc.name, doc.span, layer, entry.origin if entry is not None else None)
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
        self._not_of_another(doc.name, doc.span, layer, entry.origin if entry is not None else None)
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
        entry = self._entry(doc.signature)
        self._not_of_another(name, doc.span, layer, entry.origin if entry is not None else None)
        if entry is not None:
            if entry.origin.span.source is doc.span.source:
                self.names.diagnostics.add(
                    "E0309",
                    doc.span,
                    f"'{name}' is declared twice in this file",
                    help="give one of them another name",
                    labels=[Label(entry.doc.span, "first here")],
                )
                return
            target = Target(TargetKind.SLOT, (), doc.signature, span=doc.signature.span)
            entry.changes.append((ChangeDoc(target, doc.body, when=layer.guard, span=doc.span), origin))
            return
        first = doc.signature.parameters[0].type_name if doc.signature.parameters else ""
        identity = f"{name}({first})" if first else name
        self.names.rules.setdefault(name, []).append(RuleEntry(identity, doc, origin))

    def _entry(self, signature: Signature) -> RuleEntry | None:
        """The rule that a head names: of this name, with as many parameters, the first of the same type."""
        entries = self.names.rules.get(signature.name, [])
        given = signature.parameters
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
        self._not_of_another(name, doc.span, layer, entry.origin if entry is not None else None)
        if entry is not None and entry.origin.span.source is doc.span.source:
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
                pass  # attached to its place once all names are known
            case TargetKind.TYPE:
                pass  # inserted before anything else
            case TargetKind.ZONE | TargetKind.STATE | TargetKind.OPTION | TargetKind.CARDS:
                self._change_declaration(change, layer)

    def _change_slot(self, change: ChangeDoc, origin: Origin) -> None:
        signature = change.target.signature
        assert signature is not None
        assert isinstance(change.body, RuleBody)
        entry = self._entry(signature)
        if entry is None:
            entry = self._of_printed(signature)
        if entry is None and signature.parameters and self._is_printed(signature.name):
            identity = f"{signature.name}({signature.parameters[0].type_name})"
            entry = RuleEntry(identity, RuleDoc(signature, change.body, span=change.span), origin)
            self.names.rules.setdefault(signature.name, []).append(entry)
            return
        if entry is None:
            same = self.names.rules.get(signature.name)
            if same:
                heads = " and ".join(f"`{e.doc.signature.span.text}`" for e in same)
                counts = {len(e.doc.signature.parameters) for e in same}
                given = len(signature.parameters)
                self.names.report(
                    "E0901" if given in counts else "E0407",
                    change.target.span,
                    f"there is no rule '{change.target.span.text}' to change"
                    if given in counts
                    else f"'{signature.name}' is given {counted(given, 'parameter')}",
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

    def _of_printed(self, signature: Signature) -> RuleEntry | None:
        """A rule that gives what is printed on a kind of cards, for all files that change it alike."""
        kind = self.names.kinds.get(signature.parameters[0].type_name) if signature.parameters else None
        if kind is None:
            return None
        places = {**{name.name: name.span for name, _ in kind.doc.every}, **{p.name: p.span for p in kind.doc.printed}}
        span = places.get(signature.name)
        if span is None:
            return None
        body = ExprBody(Name("proceed", span=span), span=span)
        identity = f"{signature.name}({signature.parameters[0].type_name})"
        entry = RuleEntry(identity, RuleDoc(signature, body, span=span), Origin(kind.origin.name, span))
        self.names.rules.setdefault(signature.name, []).append(entry)
        return entry

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
                if name in known:
                    self._kind(kind, layer)
        if name not in known:
            self.names.report(
                "E0901",
                change.target.span,
                f"there is no {change.target.kind} '{name}' to change",
                nearest(name, list(known)),
            )


def _is_attached(change: ChangeDoc) -> bool:
    """Whether a change belongs to a place in the phases rather than to a name."""
    return change.target.kind in (
        TargetKind.BEFORE,
        TargetKind.AFTER,
        TargetKind.INSTEAD,
        TargetKind.PHASE,
        TargetKind.DECISION,
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
