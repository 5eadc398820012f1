"""Written outcomes of chance: what a scenario or a host says that a draw, a roll or a shuffle gives."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from rulesdsl.ir.nodes import DrawRandom, PlaceOf, Program, Roll, RollOne, Shape, Shuffle, Value
from rulesdsl.types import Card, Place, Type

from ..evaluate.program_nodes import nodes_of
from ..host.plain import Plain, as_list, shown
from ..host.table import Table
from ..host.wording import WordingError
from ..state.domains import member_of

Draw = Shuffle | Roll | RollOne | DrawRandom


def draws_of(program: Program) -> dict[str, Draw]:
    """Everything that is left to chance, by the name under which its outcomes are written."""
    found: dict[str, Draw] = {}
    for block in (program.main, *program.procedures):
        for node in nodes_of(block):
            if isinstance(node, Shuffle | Roll | RollOne | DrawRandom):
                found.setdefault(node.name, node)
    return found


def scripted_outcomes(table: Table, written: Mapping[str, Plain]) -> dict[str, Sequence[Value]]:
    """Outcomes by name, in the order in which they come about.

    Of a stack the first card written is the first to be drawn. A list of cards is one outcome where a whole
    arrangement or a set is decided, and a list of such lists several.

    Raises:
        WordingError: for a name that nothing has, or an outcome that can't be read.
    """
    draws = draws_of(table.program)
    outcomes: dict[str, Sequence[Value]] = {}
    for name, plain in written.items():
        draw = draws.get(name)
        if draw is None:
            raise WordingError(f"chance decides no '{name}'; it decides {', '.join(sorted(draws)) or 'nothing'}")
        given = as_list(plain)
        if _is_several(draw) and not any(isinstance(item, list) for item in given):
            given = [given]
        outcomes[name] = tuple(_outcome(table, draw, item) for item in given)
    return outcomes


def alike_cards(table: Table) -> dict[str, Sequence[int]]:
    """By name of what chance decides about cards, and card, the cards that look the same."""
    packs = table.layout.packs
    kinds = {name: of.kind for name, draw in draws_of(table.program).items() if isinstance(of := _type_of(draw), Card)}
    return {name: packs[kind].faces() for name, kind in kinds.items()}


def _is_several(draw: Draw) -> bool:
    return isinstance(draw, Shuffle) or (isinstance(draw, DrawRandom) and draw.count is not None)


def _outcome(table: Table, draw: Draw, plain: Plain) -> Value:
    of = _type_of(draw)
    if not _is_several(draw):
        return next(table.wording.read(of, plain, table.blank))
    chosen: list[Value] = []
    for item in as_list(plain):
        fitting = [value for value in table.wording.read(of, item, table.blank) if value not in chosen]
        if not fitting:
            raise WordingError(f"there are not that many: {shown(item)}")
        chosen.append(fitting[0])
    if isinstance(draw, Shuffle) and _is_stack(table, draw):
        chosen.reverse()
    return tuple(chosen)


def _type_of(draw: Draw) -> Type:
    match draw:
        case Shuffle(place=place):
            assert isinstance(place.type, Place)
            return Card(place.type.kind)
        case Roll(target=target):
            return target.type
        case RollOne(source=source) | DrawRandom(source=source):
            return member_of(source.type)


def _is_stack(table: Table, draw: Shuffle) -> bool:
    place = draw.place
    return isinstance(place, PlaceOf) and table.layout.zone_of(place.zone).shape is Shape.STACK
