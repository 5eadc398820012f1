"""The merge law of legalities: forbids are and-ed, new tiers need an order, narrows intersect."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from ..ir.nodes import Condition
from .edits import ConditionChanged, Edit, Group
from .findings import Finding, Kind
from .meaning import Reader


def meet_in_legality(
    name: str,
    ours: Sequence[Edit],
    theirs: Sequence[Edit],
    readers: tuple[Reader, Reader],
    modifiers: tuple[str, str],
) -> Iterator[Finding]:
    """What two modifiers do to one legality, condition by condition."""
    for one in ours:
        for other in theirs:
            if isinstance(one, ConditionChanged) and isinstance(other, ConditionChanged):
                yield from _conditions(name, one, other, readers, modifiers)


def _conditions(
    name: str,
    one: ConditionChanged,
    other: ConditionChanged,
    readers: tuple[Reader, Reader],
    modifiers: tuple[str, str],
) -> Iterator[Finding]:
    places = one.new_place, other.new_place
    same = _means(one.new, readers[0]) == _means(other.new, readers[1]) and one.group is other.group
    if one.name == other.name:
        kind = Kind.AGREES if same else Kind.EXCLUSIVE
        message = f"both bring '{one.name}'" + ("" if same else ", and each means something else by it")
        yield Finding(kind, name, message, "", *places)
    elif one.group is other.group is Group.REQUIRE and not same:
        yield Finding(
            Kind.ORDER,
            name,
            f"the tiers '{one.name}' and '{other.name}' are both new, and nothing says which comes first",
            "",
            *places,
            (f"order: {{ {name.partition(' ')[2].partition('(')[0]}: [{', '.join(modifiers)}] }}",),
        )
    elif one.group is other.group is Group.NARROW and not same:
        yield Finding(
            Kind.EMPTY,
            name,
            f"'{one.name}' and '{other.name}' look at the same answers, and no answer need satisfy both",
            "",
            *places,
        )


def _means(condition: Condition | None, reader: Reader) -> object:
    return None if condition is None else reader.term(condition.term)
