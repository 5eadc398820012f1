"""What a rule says, from the shape of its body.

Takes: the value of a rule, of a change, of `scores` or `winners`.
Makes: a `RuleBody`.
Refuses: what `read_scalars` refuses.
"""

from __future__ import annotations

from ..reading.yamltree import YamlMap, YamlNode, YamlScalar
from .document import (
    CasesBody,
    ComponentsBody,
    ExprBody,
    LegalityBody,
    Named,
    RuleBody,
    RuleDoc,
    StagesBody,
    TableBody,
    TierDoc,
)
from .expr import Case, Expr, Signature
from .parse_expr import Start, parse
from .read_scalars import Reading

LEGALITY_KEYS = frozenset(("forbid", "require", "narrow", "permit"))
STAGE_KEYS = frozenset(("add", "multiply", "at_least", "at_most", "remove"))
GUARD_KEYS = frozenset(("when", "over", "before", "after", "band"))


def read_rules(read: Reading, node: YamlNode | None) -> tuple[RuleDoc, ...]:
    """The section `rules`."""
    found = []
    for key, value in read.entries(node):
        signature = parse(Start.SIGNATURE, key, read.diagnostics)
        body = read_rule_body(read, value)
        if isinstance(signature, Signature):
            found.append(RuleDoc(signature, body, span=key.whole.to(value.whole)))
    return tuple(found)


def has_free_keys(node: YamlMap) -> bool:
    """Whether the keys of a body are the author's own: those of a table, or the names of components."""
    keys = {key.text for key, _ in node.entries}
    fixed = {"first", "value", "type"} | LEGALITY_KEYS | STAGE_KEYS
    return bool(keys) and ("by" in keys or not keys & fixed)


def read_rule_body(read: Reading, node: YamlNode) -> RuleBody:
    """A body of any form."""
    if not isinstance(node, YamlMap):
        return ExprBody(read.value(node), span=node.whole)
    keys = {key.text for key, _ in node.entries}
    if "first" in keys:
        return CasesBody(tuple(read_cases(read, node.get("first"))), span=node.whole)
    if "by" in keys:
        return _table(read, node)
    if not keys or keys & LEGALITY_KEYS:
        return read_legality(read, node)
    if "value" in keys or "type" in keys:
        return ExprBody(
            read.required_expr(node.get("value"), node, Start.VALUE), read.type(node.get("type")), span=node.whole
        )
    if keys & STAGE_KEYS:
        return StagesBody(_stages(read, node), span=node.whole)
    return ComponentsBody(read.conditions(node), span=node.whole)


def read_cases(read: Reading, node: YamlNode | None) -> list[Case]:
    """The lines under `first`."""
    cases = []
    for item in read.items(node):
        scalar = read.scalar(item)
        if scalar is not None:
            parsed = parse(Start.CASE, scalar, read.diagnostics)
            cases.append(parsed if isinstance(parsed, Case) else Case(parsed, None, span=parsed.span))
    return cases


def _table(read: Reading, node: YamlMap) -> TableBody:
    entries = tuple(
        (Named(key.text, key.whole), read.expr(value)) for key, value in node.entries if key.text not in ("by", "else")
    )
    by = read.required_expr(node.get("by"), node)
    return TableBody(by, entries, read.maybe_expr(node.get("else")), span=node.whole)


def _stages(read: Reading, node: YamlMap) -> tuple[tuple[Named, Expr], ...]:
    entries = (entry for entry in node.entries if entry[0].text in STAGE_KEYS)
    return tuple((Named(key.text, key.whole), read.expr(value)) for key, value in entries)


def read_legality(read: Reading, node: YamlMap) -> LegalityBody:
    """`forbid`, `require`, `narrow` and `permit`."""
    tiers = (_tier(read, tier) for tier in read.maps(node.get("require")))
    return LegalityBody(
        forbid=read.conditions(node.get("forbid")),
        require=tuple(tier for tier in tiers if tier is not None),
        narrow=read.conditions(node.get("narrow")),
        permit=read.conditions(node.get("permit")),
        span=node.whole,
    )


def _tier(read: Reading, node: YamlMap) -> TierDoc | None:
    named: list[tuple[YamlScalar, YamlNode]] = [e for e in node.entries if e[0].text not in ("before", "after")]
    if len(named) != 1:
        read.odd(node)
        return None
    [(key, condition)] = named
    return TierDoc(
        key.text,
        read.expr(condition),
        read.named(node.get("before")),
        read.named(node.get("after")),
        span=key.whole.to(condition.whole),
    )
