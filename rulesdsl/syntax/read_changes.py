"""What a modifier changes and what an event sets off.

Takes: the values of `changes` and `events`, whose keys are targets.
Makes: `ChangeDoc`s; the kind of the target decides how the body is read.
Refuses: what `read_scalars` refuses.
"""

from __future__ import annotations

from ..reading.yamltree import YamlMap, YamlNode, YamlScalar
from .document import (
    ChangeBody,
    ChangeDoc,
    DecisionBody,
    DeclarationBody,
    KindDoc,
    OptionDoc,
    OrderDoc,
    PhaseBody,
    StateDoc,
    StepsBody,
    ZoneDoc,
)
from .expr import Target, TargetKind
from .read_declarations import read_kind, read_option, read_state, read_zone
from .read_rules import GUARD_KEYS, has_free_keys, read_rule_body
from .read_scalars import Reading
from .read_steps import STEP_KEYS, loop_kind, maybe_steps, read_alternatives, read_parts, read_steps


def read_changes(read: Reading, node: YamlNode | None) -> tuple[ChangeDoc, ...]:
    """The section `changes` or `events`."""
    found = (_change(read, key, value) for key, value in read.entries(node))
    return tuple(change for change in found if change is not None)


def read_orders(read: Reading, node: YamlNode | None) -> tuple[OrderDoc, ...]:
    """`order` or `over` of a variant or settlement: modifiers by target."""
    found = []
    for key, value in read.entries(node):
        target = read.target(key)
        if target is not None:
            found.append(OrderDoc(target=target, modifiers=read.names(value), span=key.whole.to(value.whole)))
    return tuple(found)


def _change(read: Reading, key: YamlScalar, node: YamlNode) -> ChangeDoc | None:
    target = read.target(key)
    if target is None:
        return None
    body, around = _unwrapped(target, node)
    parsed = _body(read, target, body)
    if parsed is None:
        return None
    span = key.whole.to(node.whole)
    if around is None:
        return ChangeDoc(target, parsed, span=span)
    return ChangeDoc(
        target,
        parsed,
        when=read.maybe_expr(around.get("when")),
        over=read.names(around.get("over")),
        before=read.names(around.get("before")),
        after=read.names(around.get("after")),
        band=read.named(around.get("band")),
        span=span,
    )


def _unwrapped(target: Target, node: YamlNode) -> tuple[YamlNode, YamlMap | None]:
    """The body itself, and the mapping that holds guard and order of the long form, if it is written so."""
    if not isinstance(node, YamlMap):
        return node, None
    keys = {key.text for key, _ in node.entries}
    match target.kind:
        case TargetKind.PHASE:  # its `when` is the condition of the phase
            around = GUARD_KEYS - {"when"}
        case TargetKind.SLOT if has_free_keys(node):
            around = frozenset[str]()
        case TargetKind.BEFORE | TargetKind.AFTER | TargetKind.INSTEAD if keys & STEP_KEYS:
            around = frozenset[str]()
        case _:
            around = GUARD_KEYS
    if not keys & around:
        return node, None
    return _only(node, keys - around), _only(node, around)


def _only(node: YamlMap, keys: frozenset[str] | set[str]) -> YamlMap:
    return YamlMap(tuple(entry for entry in node.entries if entry[0].text in keys), node.whole)


def _body(read: Reading, target: Target, node: YamlNode) -> ChangeBody | None:
    match target.kind:
        case TargetKind.SLOT:
            return read_rule_body(read, node)
        case TargetKind.PHASE:
            return _phase(read, node)
        case TargetKind.BEFORE | TargetKind.AFTER | TargetKind.INSTEAD:
            return _inserted(read, node)
        case TargetKind.DECISION:
            return _decision(read, node)
        case TargetKind.ZONE | TargetKind.STATE | TargetKind.OPTION | TargetKind.CARDS:
            declaration = _declared(read, target, node)
            return None if declaration is None else DeclarationBody(declaration, span=node.whole)
        case TargetKind.TYPE:
            mapping = read.mapping(node)
            if mapping is None:
                return None
            return DeclarationBody(
                insert=read.named(mapping.get("insert")), above=read.named(mapping.get("above")), span=node.whole
            )


def _phase(read: Reading, node: YamlNode) -> PhaseBody | None:
    if isinstance(node, YamlScalar) and node.text == "remove":
        return PhaseBody(remove=True, span=node.whole)
    mapping = read.mapping(node)
    if mapping is None:
        return None
    loop = loop_kind(mapping)
    return PhaseBody(
        move=read.target(mapping.get("move")),
        when=read.maybe_expr(mapping.get("when")),
        where=read.maybe_expr(mapping.get("where")),
        while_=read.maybe_expr(mapping.get("while")),
        until=read.maybe_expr(mapping.get("until")),
        at_most=read.maybe_value(mapping.get("at_most")),
        loop=loop,
        binder=None if loop is None else read.binder(mapping.get(loop)),
        do=maybe_steps(read, mapping.get("do")),
        span=node.whole,
    )


def _inserted(read: Reading, node: YamlNode) -> StepsBody:
    steps: YamlNode | None = node
    if isinstance(node, YamlMap) and not any(key.text in STEP_KEYS for key, _ in node.entries):
        steps = node.get("do")
        if steps is None:
            read.odd(node)
    return StepsBody(read_steps(read, steps), span=node.whole)


def _decision(read: Reading, node: YamlNode) -> DecisionBody | None:
    mapping = read.mapping(node)
    if mapping is None:
        return None
    return DecisionBody(
        add=read_parts(read, mapping.get("add")),
        choose=read_parts(read, mapping.get("choose")),
        either=read_alternatives(read, mapping.get("either")),
        where=read.maybe_expr(mapping.get("where")),
        span=node.whole,
    )


def _declared(read: Reading, target: Target, node: YamlNode) -> ZoneDoc | KindDoc | StateDoc | OptionDoc | None:
    [name] = target.path
    match target.kind:
        case TargetKind.ZONE:
            return read_zone(read, name, node, node.whole)
        case TargetKind.CARDS:
            return read_kind(read, name, node, node.whole)
        case TargetKind.STATE:
            return read_state(read, name, node, node.whole)
        case _:
            return read_option(read, name, node, node.whole)
