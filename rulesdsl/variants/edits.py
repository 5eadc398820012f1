"""The closed set of edits: all the ways in which one program can differ from another.

Every edit says what was there (`old...`) and what is there instead (`new...`); None where there was nothing. The
mirror of an edit has the two sides exchanged, so a difference read backwards is the difference the other way round.
"""

from __future__ import annotations

from dataclasses import dataclass, field, fields, replace
from enum import StrEnum
from typing import TypeVar

from ..ir.nodes import (
    Condition,
    Handler,
    Kind,
    Legality,
    Operation,
    Option,
    Part,
    Point,
    Procedure,
    Rule,
    Term,
    Variable,
    Zone,
)
from ..source import Span
from ..types import Type

Declaration = Option | Type | Kind | Zone | Variable | Rule | Legality | Procedure


class Area(StrEnum):
    """Where players notice a difference."""

    SET_UP = "set-up"
    DEAL = "deal"
    PLAY = "play"
    LEGALITY = "legality"
    SCORING = "scoring"
    END = "end"
    TEXT = "text"


@dataclass(frozen=True, slots=True, kw_only=True)
class Difference:
    """What all edits have: where either side was written, and where players notice it."""

    old_place: Span | None = field(default=None, compare=False)
    new_place: Span | None = field(default=None, compare=False)
    area: Area = field(default=Area.PLAY, compare=False)


@dataclass(frozen=True, slots=True)
class GameChanged(Difference):
    """Something that the game as a whole has: its title, how many play, teams, what says who wins."""

    key: str
    old: object
    new: object


@dataclass(frozen=True, slots=True)
class Declared(Difference):
    """A declaration that only one side has; `what` is zone, rule, state ...

    A rule about what is printed on cards is there only where something changes it; `of_printed` is what changed then.
    """

    what: str
    name: str
    old: Declaration | None
    new: Declaration | None
    of_printed: RuleSet | RuleWrapped | RuleStaged | None = field(default=None, compare=False, kw_only=True)


@dataclass(frozen=True, slots=True)
class KeyChanged(Difference):
    """One key of a declaration that both sides have, `field NAME` for one of its fields."""

    what: str
    name: str
    key: str
    old: object
    new: object


@dataclass(frozen=True, slots=True)
class RuleSet(Difference):
    """A rule gives something else; neither side contains the other."""

    rule: str
    old: Term
    new: Term


@dataclass(frozen=True, slots=True)
class RuleWrapped(Difference):
    """Something lies around what a rule gives; `Proceed` stands for what it lies around.

    `guarded`: in some cases it answers alone, without what is beneath.
    """

    rule: str
    guarded: bool
    old_around: Term | None
    new_around: Term | None


@dataclass(frozen=True, slots=True)
class RuleStaged(Difference):
    """A stage above a rule: add, remove, multiply, at_least or at_most; `Proceed` stands for what is beneath."""

    rule: str
    stage: str
    old_around: Term | None
    new_around: Term | None


class Group(StrEnum):
    """The sorts of conditions of a legality."""

    FORBID = "forbid"
    REQUIRE = "require"
    NARROW = "narrow"


@dataclass(frozen=True, slots=True)
class ConditionChanged(Difference):
    """A named condition of a legality came, went or says something else."""

    legality: str
    group: Group
    name: str
    old: Condition | None
    new: Condition | None
    old_index: int | None
    new_index: int | None


@dataclass(frozen=True, slots=True)
class PermitChanged(Difference):
    """A permit of a named condition came or went."""

    legality: str
    condition: str
    old: Term | None
    new: Term | None
    old_index: int | None
    new_index: int | None


@dataclass(frozen=True, slots=True)
class TiersMoved(Difference):
    """The tiers of a legality stand in another order."""

    legality: str
    old: tuple[str, ...]
    new: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class PlaceChanged(Difference):
    """A phase or decision came, went, or (both without steps) stands elsewhere among the steps of `parent`."""

    place: str
    parent: str
    part: str
    old: Operation | None
    new: Operation | None
    old_index: int | None
    new_index: int | None
    old_beside: str | None = field(default=None, compare=False)
    new_beside: str | None = field(default=None, compare=False)

    @property
    def moved(self) -> bool:
        """Whether it is there on both sides."""
        return self.old_index is not None and self.new_index is not None


@dataclass(frozen=True, slots=True)
class PlaceKeyChanged(Difference):
    """A condition, the loop or another key of a phase, decision or procedure."""

    place: str
    key: str
    old: object
    new: object


@dataclass(frozen=True, slots=True)
class StepsChanged(Difference):
    """The unnamed steps of a place are others."""

    place: str
    part: str
    old: tuple[Operation, ...]
    new: tuple[Operation, ...]


@dataclass(frozen=True, slots=True)
class HandlerChanged(Difference):
    """Steps before, instead of or after a place came, went or are others."""

    place: str
    point: Point
    old: Handler | None
    new: Handler | None
    old_index: int | None
    new_index: int | None


@dataclass(frozen=True, slots=True)
class PartChanged(Difference):
    """A part of a decision's answer came, went or offers something else."""

    place: str
    alternative: str
    name: str
    old: Part | None
    new: Part | None
    old_index: int | None
    new_index: int | None


@dataclass(frozen=True, slots=True)
class ResetMoved(Difference):
    """A state, or `KIND.FIELD`, goes back to its start at another place, or at none."""

    name: str
    old: str | None
    new: str | None


@dataclass(frozen=True, slots=True)
class Recoded(Difference):
    """A declaration that says the same and is kept in another way, since types that it uses changed."""

    what: str
    name: str
    old: object
    new: object


Edit = (
    GameChanged
    | Declared
    | KeyChanged
    | RuleSet
    | RuleWrapped
    | RuleStaged
    | ConditionChanged
    | PermitChanged
    | TiersMoved
    | PlaceChanged
    | PlaceKeyChanged
    | StepsChanged
    | HandlerChanged
    | PartChanged
    | ResetMoved
    | Recoded
)

E = TypeVar("E", bound=Difference)


def mirrored(edit: E) -> E:
    """The edit seen from the other side."""
    names = [f.name for f in fields(edit)]
    exchanged = {
        name: getattr(edit, other)
        for name in names
        if (other := name.replace("old", "new", 1) if name.startswith("old") else name.replace("new", "old", 1))
        in names
        and name.startswith(("old", "new"))
    }
    if isinstance(edit, Declared) and edit.of_printed is not None:
        exchanged["of_printed"] = mirrored(edit.of_printed)
    return replace(edit, **exchanged)


def as_noticed(edit: Edit) -> Edit:
    """The edit as people see it: what is printed on cards is there all the time."""
    return edit.of_printed if isinstance(edit, Declared) and edit.of_printed is not None else edit


def slot(edit: Edit) -> str:
    """The slot that an edit writes: what two modifiers would have to share to meet."""
    match edit:
        case GameChanged():
            return f"game {edit.key}"
        case Declared() | Recoded():
            return f"{edit.what} {edit.name}"
        case KeyChanged():
            return f"{edit.what} {edit.name} {edit.key}"
        case RuleSet() | RuleWrapped() | RuleStaged():
            return f"rule {edit.rule}"
        case ConditionChanged() | PermitChanged() | TiersMoved():
            return f"legality {edit.legality}"
        case PlaceChanged():
            return f"{edit.place} place"
        case PlaceKeyChanged():
            return f"{edit.place} {edit.key}"
        case StepsChanged():
            return f"{edit.place} {edit.part}"
        case HandlerChanged():
            return f"{edit.point} {edit.place}"
        case ResetMoved():
            kind, dot, field_name = edit.name.partition(".")
            return f"kind {kind} field {field_name}" if dot else f"state {edit.name}"
        case PartChanged():
            return f"{edit.place} part {edit.name}"


def order(edit: Edit) -> tuple[str, ...]:
    """Where an edit stands in a list of them: by what it is about, whichever side has it."""
    kind = type(edit).__name__
    numbers = (getattr(edit, "old_index", None), getattr(edit, "new_index", None))
    shown = sorted("" if number is None else f"{number:06}" for number in numbers)
    keys = ("group", "name", "condition", "stage", "alternative")
    more = [str(getattr(edit, key)) for key in keys if hasattr(edit, key)]
    said = sorted(repr(getattr(edit, key)) for key in ("old", "new") if getattr(edit, key, None) is not None)
    return ("1" if isinstance(edit, Recoded) else "0", slot(edit), kind, *more, *shown, *said)
