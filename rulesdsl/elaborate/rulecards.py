"""Cards made from modifiers: what is printed on them, and the rules that every game with such cards has.

A kind with `every: modifier` prints the modifier itself. `kind(card)` is the tag of its file; `clashes(cards, others)`
and `idle(cards, others)` say what was found out about pairs before the match.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from ..ir.nodes import (
    Attribute,
    Bound,
    Call,
    Const,
    Fold,
    If,
    Op,
    Origin,
    Prim,
    Program,
    Quantifier,
    Rule,
    Term,
    Verdicts,
)
from ..source import Span
from ..syntax.document import ExprBody, ModifierDoc, RuleDoc
from ..syntax.expr import NoneLiteral, Parameter, Signature
from ..types import NONE, Card, Enum, Optional, SetOf, Type, YesNo
from .activation import TYPE, Beside, tags_asked_for
from .names import Names, RuleEntry

_CLASHING = "clashing modifiers"
_IDLE = "idle modifiers"


def declare_modifiers(names: Names, modifiers: Iterable[ModifierDoc]) -> None:
    """The type of all modifiers that the program can speak of."""
    names.switchable = tuple(modifier.name.name for modifier in modifiers)
    names.types[TYPE] = Enum(TYPE, names.switchable)


def declare_rules(names: Names, beside: Beside) -> None:
    """The rules about cards that are made from modifiers."""
    of = names.types[TYPE]
    cards = [entry for entry in names.kinds.values() if entry.doc.every_modifier]
    # Where there is no modifier yet, what the game asks for are the tags.
    asked = (tags_asked_for(where) for entry in cards for where, _ in entry.wheres)
    tags = Enum("kind of modifier", beside.tags or tuple(sorted(set[str]().union(*asked))))
    if cards and tags.members:
        names.types[tags.name] = tags
        names.add_enum(tags)
    for entry in cards:
        name, span, origin = entry.doc.name, entry.doc.span, entry.origin
        card = Bound(0, name, type=Card(name))
        if tags.members:
            _declare(names, "kind", (name,), (card,), _tag(beside.modifiers, tags, printed(card, of)), origin, span)
        for rule, table in (("clashes", _CLASHING), ("idle", _IDLE)):
            _declare(names, rule, (f"{name}s", f"{name}s"), *_between(name, of, table), origin, span)
    for table in (_CLASHING, _IDLE) if cards else ():
        entry = cards[0]
        key = Bound(0, TYPE, type=of)
        _declare(names, table, (TYPE,), (key,), Const(0, type=SetOf(of)), entry.origin, entry.doc.span)


def printed(card: Term, of: Type) -> Term:
    """The modifier that a card stands for."""
    assert isinstance(card.type, Card)
    return Attribute(card.type.kind, TYPE, card, type=of)


def with_verdicts(program: Program, verdicts: Verdicts) -> Program:
    """The program with what is known about pairs of its modifiers."""
    tables = {
        _CLASHING: (*verdicts.exclusive, *((second, first) for first, second in verdicts.exclusive)),
        _IDLE: verdicts.idle,
    }
    rules = []
    for rule in program.rules:
        if rule.id in tables:
            body = _table(tables[rule.id], program.switchable, rule.parameters[0], rule.type)
            rule = replace(rule, body=body, base=body)
        rules.append(rule)
    return replace(program, rules=tuple(rules), verdicts=verdicts)


def _declare(
    names: Names,
    name: str,
    types: tuple[str, ...],
    bounds: tuple[Bound, ...],
    body: Term,
    origin: Origin,
    span: Span,
) -> None:
    parameters = tuple(Parameter(bound.name, of, span=span) for bound, of in zip(bounds, types, strict=True))
    doc = RuleDoc(Signature(name, parameters, span=span), ExprBody(NoneLiteral(span=span), span=span), span=span)
    known = [[p.type_name for p in entry.doc.signature.parameters] for entry in names.rules.get(name, ())]
    if list(types) in known:
        return  # the game has a rule of its own for it
    identity = f"{name}({types[0]})" if name != types[0] and " " not in name else name
    rule = Rule(identity, name, bounds, body.type, body, body, origin)
    names.rules.setdefault(name, []).append(RuleEntry(identity, doc, origin, rule=rule))


def _tag(modifiers: Iterable[ModifierDoc], tags: Enum, modifier: Term) -> Term:
    """The tag of a modifier's file, none for those without."""
    of = Optional(tags)
    body: Term = Const(NONE, type=of)
    for index, document in enumerate(modifiers):
        if document.kind is not None:
            is_it = Prim(Op.SAME, (modifier, Const(index, type=modifier.type)), type=YesNo())
            body = If(is_it, Const(tags.members.index(document.kind.name), type=of), body, type=of)
    return body


def _between(kind: str, of: Type, table: str) -> tuple[tuple[Bound, ...], Term]:
    """Whether any of some cards stands in a table beside any of others."""
    cards = SetOf(Card(kind))
    these, others = Bound(0, f"{kind}s", type=cards), Bound(1, "others", type=cards)
    one, other = Bound(2, kind, type=Card(kind)), Bound(3, "other", type=Card(kind))
    row = Call(table, (printed(one, of),), type=SetOf(of))
    meets = Prim(Op.IN_SET, (printed(other, of), row), type=YesNo())
    inner = Fold(Quantifier.ANY, others, other.id, meets, type=YesNo())
    return (these, others), Fold(Quantifier.ANY, these, one.id, inner, type=YesNo())


def _table(pairs: Iterable[tuple[str, str]], members: tuple[str, ...], key: Bound, of: Type) -> Term:
    rows: dict[int, int] = {}
    for first, second in pairs:
        if first in members and second in members:
            row = members.index(first)
            rows[row] = rows.get(row, 0) | 1 << members.index(second)
    body: Term = Const(0, type=of)
    for row, value in sorted(rows.items(), reverse=True):
        is_it = Prim(Op.SAME, (key, Const(row, type=key.type)), type=YesNo())
        body = If(is_it, Const(value, type=of), body, type=of)
    return body
