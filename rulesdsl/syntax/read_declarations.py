"""What a file declares: options, types, kinds of cards, zones and state.

Takes: the values of the sections of those names.
Makes: their documents; what a file doesn't say stays None, so that a second mention can add to the first.
Refuses: what `read_scalars` refuses, and numbers that exclude each other (E0250).
"""

from __future__ import annotations

from ..reading.yamltree import YamlList, YamlMap, YamlNode, YamlScalar
from ..source import Span
from .document import (
    FieldDoc,
    KindDoc,
    Named,
    OptionDoc,
    OptionForm,
    PrintDoc,
    StateDoc,
    TypeDoc,
    TypeKind,
    ZoneDoc,
)
from .expr import Expr, TypeExpr
from .read_scalars import Reading

MOST_KEPT = 65_536


def read_options(read: Reading, node: YamlNode | None) -> tuple[OptionDoc, ...]:
    """The section `options`."""
    found = (read_option(read, key.text, value, key.whole) for key, value in read.entries(node))
    return tuple(option for option in found if option is not None)


def read_option(read: Reading, name: str, node: YamlNode, place: Span) -> OptionDoc | None:
    """`true`, a list of members, or a number with its bounds."""
    span = place.to(node.whole)
    match node:
        case YamlScalar(text="true" | "false" as default):
            return OptionDoc(name, OptionForm.YES_NO, default, span=span)
        case YamlScalar():
            read.odd(node)
            return None
        case YamlList():
            members = read.names(node)
            if not members:
                read.odd(node)
                return None
            return OptionDoc(name, OptionForm.CHOICE, members[0].name, members, span=span)
        case YamlMap():
            return _number_option(read, name, node, span)


def _number_option(read: Reading, name: str, node: YamlMap, span: Span) -> OptionDoc | None:
    low, high = read.number(node.get("at_least")), read.number(node.get("at_most"))
    default = read.number(node.get("number"))
    if default is None:
        read.odd(node)
        return None
    if low is not None and high is not None and low > high:
        read.diagnostics.add("E0250", span, f"no number is at least {low} and at most {high}")
    elif (low is not None and default < low) or (high is not None and default > high):
        bounds = " and ".join(
            text for text, bound in ((f"at least {low}", low), (f"at most {high}", high)) if bound is not None
        )
        read.diagnostics.add("E0250", span, f"the default {default} is out of its own bounds: {bounds}")
    return OptionDoc(name, OptionForm.NUMBER, str(default), low=low, high=high, span=span)


# ── types ────────────────────────────────────────────────────────────────────────────────────────────────────────


def read_types(read: Reading, node: YamlNode | None) -> tuple[TypeDoc, ...]:
    """The section `types`."""
    found: list[TypeDoc] = []
    for key, value in read.entries(node):
        span = key.whole.to(value.whole)
        if isinstance(value, YamlMap):
            found.extend(_type_form(read, key.text, form.text, inner, span) for form, inner in value.entries[:1])
        else:
            found.append(TypeDoc(key.text, TypeKind.MEMBERS, read.names(value), span=span))
    return tuple(found)


def _type_form(read: Reading, name: str, form: str, node: YamlNode, span: Span) -> TypeDoc:
    match form:
        case "low_to_high":
            return TypeDoc(name, TypeKind.LOW_TO_HIGH, read.names(node), span=span)
        case "cycle":
            return TypeDoc(name, TypeKind.CYCLE, read.names(node), span=span)
        case "fields" | "ladder":
            fields = tuple((Named(key.text, key.whole), read.type_or_range(value)) for key, value in read.entries(node))
            return TypeDoc(name, TypeKind(form), fields=fields, span=span)
        case _:
            read.odd(node)
            return TypeDoc(name, TypeKind.MEMBERS, span=span)


# ── cards ────────────────────────────────────────────────────────────────────────────────────────────────────────


def read_kinds(read: Reading, node: YamlNode | None) -> tuple[KindDoc, ...]:
    """The section `cards`."""
    found = (read_kind(read, key.text, value, key.whole) for key, value in read.entries(node))
    return tuple(kind for kind in found if kind is not None)


def read_kind(read: Reading, name: str, node: YamlNode, place: Span) -> KindDoc | None:
    """One kind of card."""
    mapping = read.mapping(node)
    if mapping is None:
        return None
    every = mapping.get("every")
    every_modifier = isinstance(every, YamlScalar) and every.text == "modifier"
    return KindDoc(
        name,
        every=() if every_modifier else _every(read, every),
        every_modifier=every_modifier,
        copies=read.maybe_expr(mapping.get("copies")),
        where=read.maybe_expr(mapping.get("where")),
        file=read.named(mapping.get("file")),
        more=read.names(mapping.get("more")),
        in_play=read.names(mapping.get("in_play")),
        printed=_printed(read, mapping.get("print")),
        fields=tuple(sorted(read_fields(read, mapping.get("fields")), key=lambda own: own.name)),
        powers=_powers(read, mapping.get("powers")),
        span=place.to(node.whole),
    )


def _every(read: Reading, node: YamlNode | None) -> tuple[tuple[Named, Expr | None], ...]:
    if isinstance(node, YamlMap):
        return tuple((Named(key.text, key.whole), read.value(value)) for key, value in node.entries)
    return tuple((name, None) for name in read.names(node))


def _printed(read: Reading, node: YamlNode | None) -> tuple[PrintDoc, ...]:
    found = []
    for key, value in read.entries(node):
        span = key.whole.to(value.whole)
        if isinstance(value, YamlMap):
            found.append(PrintDoc(key.text, read.type(value.get("type")), read.named(value.get("each")), span=span))
        else:
            found.append(PrintDoc(key.text, read.type(value), span=span))
    # The order of keys means nothing; a card is best read with words first, and numbers behind them.
    return tuple(sorted(found, key=lambda own: (own.type is not None and own.type.name == "number", own.name)))


def _powers(read: Reading, node: YamlNode | None) -> tuple[tuple[Named, TypeExpr], ...]:
    found = []
    for key, value in read.entries(node):
        type_ = read.type(value)
        if type_ is not None:
            found.append((Named(key.text, key.whole), type_))
    return tuple(found)


def read_fields(read: Reading, node: YamlNode | None) -> tuple[FieldDoc, ...]:
    """Fields of cards or plays: a type, or a type and what resets it."""
    found = []
    for key, value in read.entries(node):
        mapping = value if isinstance(value, YamlMap) else None
        type_ = read.type(value if mapping is None else mapping.get("type"))
        resets = None if mapping is None else read.named(mapping.get("resets"))
        at_most = None if mapping is None else read.number(mapping.get("at_most"), 1, MOST_KEPT)
        if type_ is not None:
            found.append(FieldDoc(key.text, type_, resets, at_most, span=key.whole.to(value.whole)))
    return tuple(found)


# ── zones and state ──────────────────────────────────────────────────────────────────────────────────────────────


def read_zones(read: Reading, node: YamlNode | None) -> tuple[ZoneDoc, ...]:
    """The section `zones`."""
    found = (read_zone(read, key.text, value, key.whole) for key, value in read.entries(node))
    return tuple(zone for zone in found if zone is not None)


def read_zone(read: Reading, name: str, node: YamlNode, place: Span) -> ZoneDoc | None:
    """One zone."""
    mapping = read.mapping(node)
    if mapping is None:
        return None
    start, active = mapping.get("start"), mapping.get("active")
    return ZoneDoc(
        name,
        each=read.named(mapping.get("each")),
        of=read.named(mapping.get("of")),
        shape=read.named(mapping.get("shape")),
        seen=read.named(mapping.get("seen")),
        count_seen=read.named(mapping.get("count_seen")),
        start_all=None if start is None else read.text(start) == "all",
        active=None if active is None else read.is_true(active),
        fields=tuple(sorted(read_fields(read, mapping.get("fields")), key=lambda own: own.name)),
        span=place.to(node.whole),
    )


def read_states(read: Reading, node: YamlNode | None) -> tuple[StateDoc, ...]:
    """The section `state`, of a file or a procedure."""
    found = (read_state(read, key.text, value, key.whole) for key, value in read.entries(node))
    return tuple(state for state in found if state is not None)


def read_state(read: Reading, name: str, node: YamlNode, place: Span) -> StateDoc | None:
    """One state."""
    mapping = read.mapping(node)
    if mapping is None:
        return None
    return StateDoc(
        name,
        each=read.names(mapping.get("each")),
        type=read.type(mapping.get("type")),
        start=read.maybe_expr(mapping.get("start")),
        resets=read.named(mapping.get("resets")),
        at_most=read.number(mapping.get("at_most"), 1, MOST_KEPT),
        span=place.to(node.whole),
    )
