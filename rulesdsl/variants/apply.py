"""Edits put to work: a program and what differs from it give the other program.

Takes: a program, and edits that were made against it or against one that has the same in those places.
Makes: the program in normal form with all of them done.
Refuses: an edit of something that is not there, or is not what the edit says (`EditMismatch`).
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any, TypeVar

from ..ir.nodes import Condition, Kind, Legality, Procedure, Proceed, Program, Rule, Term, Variable, Zone
from ..ir.walk import children, rewrite
from .alignment import rebuilt
from .apply_places import patched_places
from .contents import SORTS, declarations, with_declarations
from .edits import (
    ConditionChanged,
    Declaration,
    Declared,
    Edit,
    GameChanged,
    Group,
    KeyChanged,
    PermitChanged,
    Recoded,
    RuleSet,
    RuleStaged,
    RuleWrapped,
    TiersMoved,
)
from .mismatch import EditMismatch
from .normal import normal, numbered, tidy
from .skeleton import Places

T = TypeVar("T")


def apply(edits: Iterable[Edit], program: Program) -> Program:
    """The program with the edits done.

    Raises:
        EditMismatch: if an edit does not fit the program.
    """
    return patched(tuple(edits), normal(program))


def patched(edits: Sequence[Edit], program: Program) -> Program:
    """A program in normal form with the edits done."""
    found = {sort: dict(declarations(program, sort)) for sort in SORTS}
    of_legalities: dict[str, list[ConditionChanged | PermitChanged | TiersMoved]] = defaultdict(list)
    of_places: list[Edit] = []
    recoded: list[Recoded] = []
    for edit in sorted(edits, key=_comes_late):
        match edit:
            case GameChanged():
                program = replace(program, **{edit.key: edit.new})  # type: ignore[arg-type]
            case Declared():
                _declare(found[edit.what], edit)
            case KeyChanged():
                there = _there(found[edit.what], edit.name, edit)
                found[edit.what][edit.name] = _with_key(there, edit)
            case RuleSet() | RuleWrapped() | RuleStaged():
                rule = _there(found["rule"], edit.rule, edit)
                assert isinstance(rule, Rule)
                body = _rule_body(rule.body, edit)
                found["rule"][edit.rule] = numbered(replace(rule, type=body.type, body=body, base=body))
            case ConditionChanged() | PermitChanged() | TiersMoved():
                of_legalities[edit.legality].append(edit)
            case Recoded():
                recoded.append(edit)
            case _:
                of_places.append(edit)
    for name, changes in of_legalities.items():
        legality = _there(found["legality"], name, changes[0])
        assert isinstance(legality, Legality)
        found["legality"][name] = numbered(_legality(legality, changes))
    procedures = [one for one in found["procedure"].values() if isinstance(one, Procedure)]
    places = patched_places(of_places, Places.of([*procedures, program.main]))
    found["procedure"] = {one.name: tidy(places.procedure(one.name)) for one in procedures}
    program = replace(program, main=tidy(places.procedure(program.main.name)))
    return _recoded(program, found, recoded)


def _comes_late(edit: Edit) -> bool:
    """What a declaration becomes is done after old ones have gone and new ones have come."""
    return isinstance(edit, Declared) and edit.old is None


def _recoded(program: Program, found: dict[str, dict[str, Declaration]], edits: Iterable[Recoded]) -> Program:
    for edit in edits:
        new: Any = edit.new
        if edit.what == "texts":
            program = replace(program, texts=new)
        elif edit.what == "procedure" and edit.name == program.main.name:
            program = replace(program, main=new)
        else:
            found[edit.what][edit.name] = new
    return with_declarations(program, found)


# ── declarations ─────────────────────────────────────────────────────────────────────────────────────────────────


def _there(found: Mapping[str, T], name: str, edit: Edit) -> T:
    if name not in found:
        raise EditMismatch(edit, f"there is no '{name}'")
    return found[name]


def _declare(found: dict[str, Declaration], edit: Declared) -> None:
    if edit.new is None:
        _there(found, edit.name, edit)
        del found[edit.name]
    elif edit.name in found:
        raise EditMismatch(edit, f"there is a '{edit.name}' already")
    else:
        found[edit.name] = edit.new


def _with_key(there: Declaration, edit: KeyChanged) -> Declaration:
    new: Any = edit.new
    if edit.key in ("members", "value"):
        return new  # type: ignore[no-any-return]
    if edit.key.startswith("field "):
        assert isinstance(there, Kind | Zone)
        name = edit.key.removeprefix("field ")
        fields = {field.name: field for field in there.fields if field.name != name}
        if new is not None:
            fields[name] = new
        return replace(there, fields=tuple(fields[name] for name in sorted(fields)))
    match there:
        case Kind():
            return replace(there, **{"generator" if edit.key == "every" else edit.key: new})
        case Variable() if edit.key != "each":
            return replace(there, keeping=replace(there.keeping, **{edit.key: new}))
        case _:
            return replace(there, **{edit.key: new})


# ── rules ────────────────────────────────────────────────────────────────────────────────────────────────────────


def _rule_body(body: Term, edit: RuleSet | RuleWrapped | RuleStaged) -> Term:
    match edit:
        case RuleSet():
            return edit.new
        case RuleWrapped() | RuleStaged():
            if edit.new_around is not None:
                return rewrite(edit.new_around, lambda term: body if isinstance(term, Proceed) else term)
            assert edit.old_around is not None
            inner = next(_beneath(edit.old_around, body), None)
            if inner is None:
                raise EditMismatch(edit, "the rule has nothing around it")
            return inner


def _beneath(around: Term, body: Term) -> Iterator[Term]:
    """What stands in a body where `Proceed` stands in what lies around it."""
    if isinstance(around, Proceed):
        yield body
    elif type(around) is type(body):
        for one, other in zip(children(around), children(body), strict=False):
            yield from _beneath(one, other)


# ── legalities ───────────────────────────────────────────────────────────────────────────────────────────────────


def _legality(legality: Legality, edits: Sequence[ConditionChanged | PermitChanged | TiersMoved]) -> Legality:
    groups = {Group.FORBID: legality.forbids, Group.REQUIRE: legality.tiers, Group.NARROW: legality.narrows}
    for group, conditions in groups.items():
        own = [edit for edit in edits if isinstance(edit, ConditionChanged) and edit.group is group]
        names = {condition.name for condition in conditions}
        for edit in own:
            if edit.old is not None and edit.name not in names:
                raise EditMismatch(edit, f"there is no '{edit.name}'")
        replaced = {edit.name: edit.new for edit in own if edit.old is not None and edit.new is not None}
        conditions = tuple(replaced.get(condition.name) or condition for condition in conditions)
        gone = [edit.old_index for edit in own if edit.new is None and edit.old_index is not None]
        come = [(edit.new_index, edit.new) for edit in own if edit.new_index is not None and edit.new is not None]
        kept = rebuilt(conditions, gone, ())
        for moved in (edit for edit in edits if isinstance(edit, TiersMoved) and group is Group.REQUIRE):
            by_name = {condition.name: condition for condition in kept}
            kept = tuple(by_name[name] for name in moved.new)
        groups[group] = tuple(_permitted(condition, edits) for condition in rebuilt(kept, (), come))
    return replace(legality, forbids=groups[Group.FORBID], tiers=groups[Group.REQUIRE], narrows=groups[Group.NARROW])


def _permitted(condition: Condition, edits: Iterable[Edit]) -> Condition:
    own = [edit for edit in edits if isinstance(edit, PermitChanged) and edit.condition == condition.name]
    gone = [edit.old_index for edit in own if edit.old_index is not None]
    come = [(edit.new_index, edit.new) for edit in own if edit.new_index is not None and edit.new is not None]
    return replace(condition, permits=rebuilt(condition.permits, gone, come)) if own else condition
