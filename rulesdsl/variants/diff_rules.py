"""What differs between two rules, or two legalities, of one name."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace

from ..ir.nodes import Coalesce, Condition, If, Legality, LetIn, MakeTuple, Op, Prim, Proceed, Rule, Term
from ..ir.walk import every_term, rewrite
from .alignment import aligned
from .edits import ConditionChanged, Declared, Edit, Group, PermitChanged, RuleSet, RuleStaged, RuleWrapped, TiersMoved
from .meaning import Meaning, Reader

Readers = tuple[Reader, Reader]

_STAGES = {
    Op.ADD: "add",
    Op.UNION: "add",
    Op.APPEND: "add",
    Op.MULTIPLY: "multiply",
    Op.MINUS: "remove",
    Op.ROW_MINUS: "remove",
    Op.MAX: "at_least",
    Op.MIN: "at_most",
}


# ── rules ────────────────────────────────────────────────────────────────────────────────────────────────────────


def diff_rule(old: Rule, new: Rule, readers: Readers, *, plainly: bool) -> Iterator[Edit]:
    """The edit that turns a rule into another one, if they differ; `plainly` if one is known to be set anew."""
    if _head(old, readers[0]) != _head(new, readers[1]):
        yield Declared("rule", old.id, old, None)
        yield Declared("rule", new.id, None, new)
        return
    one, other = readers[0].term(old.body, old.parameters), readers[1].term(new.body, new.parameters)
    if one == other:
        return
    if plainly:
        yield RuleSet(old.id, old.body, new.body)
    elif (around := _around(new, readers[1], one)) is not None:
        yield _wrapped(old.id, None, around)
    elif (around := _around(old, readers[0], other)) is not None:
        yield _wrapped(old.id, around, None)
    else:
        yield RuleSet(old.id, old.body, new.body)


def _head(rule: Rule | Legality, reader: Reader) -> Meaning:
    return tuple(reader.declared(bound.type) for bound in rule.parameters)


def _around(rule: Rule, reader: Reader, inner: Meaning) -> Term | None:
    """The body of a rule with `Proceed` where it contains what means `inner`; None if it does not."""

    def replaced(term: Term) -> Term:
        same = reader.term(term, rule.parameters) == inner
        return Proceed(type=term.type) if same else term

    # A constant stands in many places by chance; it is what is beneath only where it is given as it is, or in a stage.
    around = _in_tails(rule.body, replaced) if _is_constant(inner) else rewrite(rule.body, replaced)
    return around if has_proceed(around) else None


def _is_constant(inner: Meaning) -> bool:
    return isinstance(inner, tuple) and bool(inner) and inner[0] == "const"


def _in_tails(term: Term, change: Callable[[Term], Term]) -> Term:
    match term:
        case If():
            return replace(term, then=_in_tails(term.then, change), otherwise=_in_tails(term.otherwise, change))
        case Coalesce():
            return replace(term, first=_in_tails(term.first, change), second=_in_tails(term.second, change))
        case LetIn():
            return replace(term, body=_in_tails(term.body, change))
        case Prim(op=op, arguments=(beneath, *others)) if op in _STAGES and others:
            staged = change(beneath)
            return change(term) if staged is beneath else replace(term, arguments=(staged, *others))
        case _:
            return change(term)


def _wrapped(rule: str, old: Term | None, new: Term | None) -> Edit:
    around = new if new is not None else old
    assert around is not None
    stages = {stage_of(tail) for tail in tails(around) if not isinstance(tail, Proceed)}
    stage = stages.pop() if len(stages) == 1 else None
    if stage is not None:
        return RuleStaged(rule, stage, old, new)
    return RuleWrapped(rule, answers_alone(around), old, new)


def stage_of(term: Term) -> str | None:
    """The stage that a term puts over `Proceed`, if it does no more than that."""
    match term:
        case Prim(op=op, arguments=(Proceed(), value)) if op in _STAGES and not has_proceed(value):
            return _STAGES[op]
        case Prim(op=Op.MIN | Op.MAX as op, arguments=(MakeTuple(parts=(Proceed(), value)),)) if not has_proceed(value):
            return _STAGES[op]
        case _:
            return None


def has_proceed(term: Term) -> bool:
    """Whether a term asks for what is beneath."""
    return any(isinstance(inner, Proceed) for inner in every_term(term))


def tails(term: Term) -> Iterator[Term]:
    """The terms one of which is what a term gives."""
    match term:
        case If():
            yield from tails(term.then)
            yield from tails(term.otherwise)
        case Coalesce():
            yield from tails(term.first)
            yield from tails(term.second)
        case LetIn():
            yield from tails(term.body)
        case _:
            yield term


def answers_alone(term: Term) -> bool:
    """Whether a change can answer without what is beneath: it is then a value under a guard, no wrap."""
    return any(not has_proceed(tail) for tail in tails(term))


# ── legalities ───────────────────────────────────────────────────────────────────────────────────────────────────


def diff_legality(old: Legality, new: Legality, readers: Readers) -> Iterator[Edit]:
    """The edits that turn a legality into another one."""
    if _head(old, readers[0]) != _head(new, readers[1]):
        yield Declared("legality", old.id, old, None)
        yield Declared("legality", new.id, None, new)
        return
    for group, before, after in (
        (Group.FORBID, old.forbids, new.forbids),
        (Group.REQUIRE, old.tiers, new.tiers),
        (Group.NARROW, old.narrows, new.narrows),
    ):
        names = [condition.name for condition in before], [condition.name for condition in after]
        found = aligned(*names)
        if found is None:
            kept = [[name for name in side if name in names[1 - index]] for index, side in enumerate(names)]
            yield TiersMoved(old.id, tuple(kept[0]), tuple(kept[1]))
        for index, condition in enumerate(before):
            if condition.name not in names[1]:
                yield ConditionChanged(old.id, group, condition.name, condition, None, index, None)
        for index, condition in enumerate(after):
            if condition.name not in names[0]:
                yield ConditionChanged(old.id, group, condition.name, None, condition, None, index)
        others = {condition.name: condition for condition in after}
        for condition in before:
            if condition.name in others:
                yield from _condition(old, group, condition, new, others[condition.name], readers)


def _condition(
    old: Legality, group: Group, before: Condition, new: Legality, after: Condition, readers: Readers
) -> Iterator[Edit]:
    if readers[0].term(before.term, old.parameters) != readers[1].term(after.term, new.parameters):
        yield ConditionChanged(old.id, group, before.name, before, after, None, None)
        return
    permits = (
        [readers[0].term(permit, old.parameters) for permit in before.permits],
        [readers[1].term(permit, new.parameters) for permit in after.permits],
    )
    for index, permit in enumerate(before.permits):
        if permits[0][index] not in permits[1]:
            yield PermitChanged(old.id, before.name, permit, None, index, None)
    for index, permit in enumerate(after.permits):
        if permits[1][index] not in permits[0]:
            yield PermitChanged(old.id, before.name, None, permit, None, index)
