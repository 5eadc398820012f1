"""What a program is made of, by sort and name."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import TypeVar

from ..ir.nodes import Kind, Legality, Option, Procedure, Program, Rule, Variable, Zone
from ..types import Enum, Ladder, Record
from .edits import Declaration

T = TypeVar("T")

SORTS = ("option", "type", "kind", "zone", "state", "rule", "legality", "procedure")
"""The sorts of declarations, in the order in which they are told."""

_SETTINGS = ("name", "title", "players", "teams", "scores", "winners", "progress")


def declarations(program: Program, sort: str) -> dict[str, Declaration]:
    """All declarations of a sort, by the name that no other of that sort has."""
    match sort:
        case "option":
            return {option.name: option for option in program.options}
        case "type":
            return {of.name: of for of in program.types if isinstance(of, Enum | Ladder | Record)}
        case "kind":
            return {kind.name: kind for kind in program.kinds}
        case "zone":
            return {zone.name: zone for zone in program.zones}
        case "state":
            return {variable.name: variable for variable in program.variables}
        case "rule":
            return {rule.id: rule for rule in program.rules}
        case "legality":
            return {legality.id: legality for legality in program.legalities}
        case "procedure":
            return {procedure.name: procedure for procedure in program.procedures}
        case _:
            raise AssertionError(f"{sort} is no sort of declaration")


def with_declarations(program: Program, found: Mapping[str, Mapping[str, Declaration]]) -> Program:
    """The program with other declarations, each sort by name."""

    def of(sort: str, cls: type[T]) -> tuple[T, ...]:
        return tuple(one for _, one in sorted(found[sort].items()) if isinstance(one, cls))

    types = tuple(one for _, one in sorted(found["type"].items()) if isinstance(one, Enum | Ladder | Record))
    return replace(
        program,
        options=of("option", Option),
        types=types,
        kinds=of("kind", Kind),
        zones=of("zone", Zone),
        variables=of("state", Variable),
        rules=of("rule", Rule),
        legalities=of("legality", Legality),
        procedures=of("procedure", Procedure),
    )


def settings(old: Program, new: Program) -> dict[str, tuple[object, object]]:
    """What each of two games says about itself as a whole."""
    return {key: (getattr(old, key), getattr(new, key)) for key in _SETTINGS}
