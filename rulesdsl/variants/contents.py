"""What a program is made of, by sort and name."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from ..ir.nodes import Program
from ..types import Enum, Ladder, Record
from .edits import Declaration

SORTS = ("option", "type", "kind", "zone", "state", "rule", "legality", "procedure")
"""The sorts of declarations, in the order in which they are told."""

_SETTINGS = ("name", "title", "players", "teams", "scores", "winners")


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

    def of(sort: str) -> tuple[object, ...]:
        return tuple(found[sort][name] for name in sorted(found[sort]))

    return replace(
        program,
        options=of("option"),
        types=of("type"),
        kinds=of("kind"),
        zones=of("zone"),
        variables=of("state"),
        rules=of("rule"),
        legalities=of("legality"),
        procedures=of("procedure"),
    )


def settings(old: Program, new: Program) -> dict[str, tuple[object, object]]:
    """What each of two games says about itself as a whole."""
    return {key: (getattr(old, key), getattr(new, key)) for key in _SETTINGS}
