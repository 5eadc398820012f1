"""How many members a finite type has, and where they begin.

A set of a finite type is a bit set in which a member stands at its value minus the first value of the type; only
numbers have a first value other than 0.
"""

from __future__ import annotations

from collections.abc import Mapping
from math import ceil, floor

from rulesdsl.diagnostic import InternalError
from rulesdsl.types import (
    Card,
    Enum,
    Face,
    Ladder,
    ListOf,
    NoValue,
    Number,
    Optional,
    Place,
    Play,
    Range,
    Record,
    RowOf,
    Seat,
    SetOf,
    Team,
    Text,
    Type,
    Unknown,
    YesNo,
)

from .pack import Pack


def first_of(of: Type) -> int:
    """The value that stands first in a bit set of a type."""
    if isinstance(of, Optional):
        of = of.of
    return ceil(of.low * of.scale) if isinstance(of, Number) and of.low is not None else 0


def is_finite(of: Type) -> bool:
    """Whether the members of a type can be counted before a match."""
    match of:
        case YesNo() | Seat() | Team() | Enum() | Card():
            return True
        case Number():
            return of.is_finite
        case Ladder():
            return all(is_finite(part) for _, part in of.fields)
        case _:
            return False


def size_of(of: Type, seats: int, teams: int, packs: Mapping[str, Pack]) -> int:
    """How many members a finite type has in a match.

    Raises:
        InternalError: for a type that is not finite.
    """
    match of:
        case YesNo():
            return 2
        case Seat():
            return seats
        case Team():
            return teams
        case Enum():
            return len(of.members)
        case Card():
            return packs[of.kind].size
        case Ladder():
            size = 1
            for _, part in of.fields:
                size *= size_of(part, seats, teams, packs)
            return size
        case Number() if of.is_finite and of.high is not None:
            return max(0, floor(of.high * of.scale) - first_of(of) + 1)
        case _:
            raise InternalError(f"a {of} has no fixed number of members")


def is_sequence(of: Type) -> bool:
    """Whether a value of the type has members that can be walked."""
    return isinstance(of, SetOf | RowOf | ListOf | Range)


def member_of(of: Type) -> Type:
    """The type of the members of a sequence."""
    match of:
        case SetOf() | RowOf() | ListOf():
            return of.of
        case Range():
            return of.of
        case (
            YesNo()
            | Number()
            | Text()
            | Seat()
            | Team()
            | Enum()
            | Ladder()
            | Record()
            | Card()
            | Face()
            | Play()
            | Place()
            | Optional()
            | NoValue()
            | Unknown()
        ):
            raise InternalError(f"a {of} has no members")


def rung_parts(ladder: Ladder, seats: int, teams: int, packs: Mapping[str, Pack]) -> list[tuple[int, int, int]]:
    """By field of a ladder: how many rungs lie between neighbours, how many values it has, and the first of them."""
    parts: list[tuple[int, int, int]] = []
    stride = 1
    for _, of in reversed(ladder.fields):
        size = size_of(of, seats, teams, packs)
        parts.insert(0, (stride, size, first_of(of)))
        stride *= size
    return parts
