"""The merge law of legalities: forbids are and-ed, new tiers need an order, narrows intersect."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from ..ir.guards import exclude
from ..ir.nodes import Bound, Condition, Op, Prim, Term
from ..ir.walk import every_term
from .edits import ConditionChanged, Edit, Group
from .findings import Finding, Kind
from .guards import sides_of
from .meaning import Reader
from .normal import normal
from .reads import Modifier


def meet_in_legality(
    name: str,
    ours: Sequence[Edit],
    theirs: Sequence[Edit],
    readers: tuple[Reader, Reader],
    modifiers: tuple[Modifier, Modifier],
) -> Iterator[Finding]:
    """What two modifiers do to one legality, condition by condition."""
    names = modifiers[0].name, modifiers[1].name
    for one in ours:
        for other in theirs:
            if isinstance(one, ConditionChanged) and isinstance(other, ConditionChanged):
                if one.name == other.name or not _never_meet(one, other, modifiers):
                    yield from _conditions(name, one, other, readers, names)


def _never_meet(one: ConditionChanged, other: ConditionChanged, modifiers: tuple[Modifier, Modifier]) -> bool:
    """Whether tiers or narrows stand under guards that exclude each other, whatever is answered."""
    guards = [_guard_of(edit, modifier) for edit, modifier in zip((one, other), modifiers, strict=True)]
    if guards[0] is None or guards[1] is None:
        return False
    first, second = sides_of(modifiers)
    parameters = [_parameters(edit, modifier) for edit, modifier in zip((one, other), modifiers, strict=True)]
    sides = replace(first, parameters=parameters[0]), replace(second, parameters=parameters[1])
    return exclude([(guards[0], True)], [(guards[1], True)], sides)


def _guard_of(edit: ConditionChanged, modifier: Modifier) -> Term | None:
    """The guard of a tier or narrow: with it, everything is allowed where the guard does not hold."""
    match edit.new:
        case Condition(term=Prim(op=Op.OR, arguments=(Prim(op=Op.NOT, arguments=(guard,)), _))):
            answers = {bound.id for bound in _parameters(edit, modifier)[1:]}
            names_one = any(isinstance(term, Bound) and term.id in answers for term in every_term(guard))
            return None if names_one or edit.group is Group.FORBID else guard
        case _:
            return None


def _parameters(edit: ConditionChanged, modifier: Modifier) -> tuple[Bound, ...]:
    """The decider and the parts of an answer."""
    found = (one.parameters for one in normal(modifier.program).legalities if one.id == edit.legality)
    return next(found, ())


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
