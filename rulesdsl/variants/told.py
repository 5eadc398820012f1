"""Edits in words: what each of them does, in the vocabulary of rule files."""

from __future__ import annotations

from fractions import Fraction
from typing import assert_never

from ..ir.nodes import Const, MakeTuple, Point, Term
from ..types import NONE, Enum, Number, Optional, Range, Type, YesNo
from .edits import (
    ConditionChanged,
    Declared,
    Edit,
    GameChanged,
    HandlerChanged,
    KeyChanged,
    PartChanged,
    PermitChanged,
    PlaceChanged,
    PlaceKeyChanged,
    Recoded,
    ResetMoved,
    RuleSet,
    RuleStaged,
    RuleWrapped,
    StepsChanged,
    TiersMoved,
)

_UNBOUNDED = "without end"

_STAGES = {
    "add": "something added",
    "remove": "something removed",
    "multiply": "something multiplied",
    "at_least": "a lower limit",
    "at_most": "an upper limit",
}


def told(edit: Edit) -> str:
    """One line about an edit."""
    match edit:
        case GameChanged():
            return f"{edit.key}: {_plain(edit.old)} becomes {_plain(edit.new)}"
        case Declared() if edit.of_printed is not None:
            return told(edit.of_printed)
        case Declared():
            return f"{_sort(edit.what)} {edit.name}: {_came(edit.old, edit.new)}"
        case KeyChanged():
            return f"{_sort(edit.what)} {edit.name}: {edit.key} {_changed(edit.old, edit.new)}"
        case RuleSet():
            return f"rule {edit.rule}: set{_values(edit.old, edit.new)}"
        case RuleWrapped():
            what = "set under a guard" if edit.guarded else "wrapped"
            return f"rule {edit.rule}: {what if edit.old_around is None else f'no longer {what}'}"
        case RuleStaged():
            return f"rule {edit.rule}: {_STAGES[edit.stage]}{'' if edit.old_around is None else ' no longer'}"
        case ConditionChanged():
            return f"legality {edit.legality}: {edit.group} {edit.name} {_came(edit.old, edit.new)}"
        case PermitChanged():
            return f"legality {edit.legality}: permit of {edit.condition} {_came(edit.old, edit.new)}"
        case TiersMoved():
            return f"legality {edit.legality}: its tiers now stand {', '.join(edit.new)}"
        case PlaceChanged() if edit.moved:
            return f"{_place(edit.place)}: moved, from {_beside(edit.old_beside)} to {_beside(edit.new_beside)}"
        case PlaceChanged():
            beside = edit.new_beside if edit.new is not None else edit.old_beside
            return f"{_place(edit.place)}: {_came(edit.old, edit.new)} {_beside(beside)}"
        case PlaceKeyChanged():
            return f"{_place(edit.place)}: {edit.key.rstrip('_')} {_changed(edit.old, edit.new)}"
        case StepsChanged():
            return f"{_place(edit.place)}: other steps" + ("" if edit.part == "do" else f" under {edit.part}")
        case HandlerChanged():
            return f"{point_of(edit.point)} {_place(edit.place)}: steps {_came(edit.old, edit.new)}"
        case PartChanged():
            return f"{_place(edit.place)}: part {edit.name} {_came(edit.old, edit.new)}"
        case ResetMoved():
            at = f"at {_place(edit.new)}" if edit.new is not None else "no longer"
            return f"{edit.name}: goes back to its start {at}"
        case Recoded():
            return f"{edit.what} {edit.name}".rstrip() + ": follows from the others"
        case _:
            assert_never(edit)


def point_of(point: Point) -> str:
    """Before, instead of or after, as one writes it."""
    return "instead of" if point is Point.INSTEAD else point.value


def _sort(what: str) -> str:
    return "kind of cards" if what == "kind" else what


def _came(old: object, new: object) -> str:
    if old is None:
        return "added"
    return "removed" if new is None else "changed"


def _changed(old: object, new: object) -> str:
    if old is None or new is None:
        return _came(old, new)
    if isinstance(old, str | bool | int) and isinstance(new, str | bool | int):
        return f"{_plain(old)} becomes {_plain(new)}"
    return "changed"


def _plain(value: object) -> str:
    match value:
        case None:
            return "nothing"
        case bool():
            return "true" if value else "false"
        case (int() as low, int() as high):
            return str(low) if low == high else f"{low} to {high}"
        case _:
            return str(getattr(value, "name", value))


def _place(key: str) -> str:
    """A place as people write it."""
    return key.replace("()", "")


def _beside(text: str | None) -> str:
    return _place(text) if text else "its place"


def _values(old: Term, new: Term) -> str:
    before, after = constant(old), constant(new)
    return f" from {before} to {after}" if before is not None and after is not None else ""


def constant(term: Term) -> str | None:
    """What a constant is worth, as people write it; None for any other term."""
    match term:
        case Const(value=int() as value):
            return worth(value, term.type)
        case MakeTuple(parts=(low, high)) if isinstance(term.type, Range):
            least, most = constant(low), constant(high)
            if least is None or most is None:
                return None
            return _range(least, most)
        case Const(value=(int() as low_value, int() as high_value)) if isinstance(term.type, Range):
            return _range(worth(low_value, term.type.of), worth(high_value, term.type.of))
        case _:
            return None


def _range(least: str, most: str) -> str:
    if least == most:
        return f"exactly {least}"
    if most == _UNBOUNDED:
        return f"at least {least}"
    return f"at most {most}" if least == _UNBOUNDED else f"{least} to {most}"


def worth(value: int, of: Type) -> str:
    """A value of a type, as people write it."""
    if value == NONE:
        return "none"
    match of:
        case Optional():
            return worth(value, of.of)
        case Enum() if 0 <= value < len(of.members):
            return of.members[value]
        case YesNo():
            return "true" if value else "false"
        case Number():
            exact = Fraction(value, of.scale)
            if abs(exact) >= 10**12:
                return _UNBOUNDED
            return str(exact.numerator) if exact.denominator == 1 else f"{float(exact):g}"
        case _:
            return str(value)
