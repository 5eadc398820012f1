"""A first judgement of pairs of modifiers, from their texts alone: which of them can't be in force at once.

It knows values that differ, steps of one procedure that differ at one place, and phases that one removes and the other
needs. Whoever judges pairs more closely gives its own `Verdicts` to `rulecards.with_verdicts`.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations

from ..ir.nodes import Verdicts
from ..syntax.document import (
    ChangeDoc,
    ExprBody,
    GameDoc,
    LegalityBody,
    LibraryDoc,
    ModifierDoc,
    PhaseBody,
    RuleBody,
    SentenceDoc,
    SettlementDoc,
    StepsBody,
)
from ..syntax.expr import Run, Signature, TargetKind
from .sequence import sets

Slot = tuple[str, ...]


def meetings(
    modifiers: tuple[ModifierDoc, ...],
    game: GameDoc,
    libraries: tuple[LibraryDoc, ...],
    settlement: SettlementDoc | None,
) -> Verdicts:
    """The pairs of modifiers that exclude one another, as far as their texts tell."""
    said = {_slot(rule.signature): rule.body for document in (*libraries, game) for rule in document.declares.rules}
    exclusive = []
    for first, second in combinations(sorted(modifiers, key=lambda modifier: modifier.name.name), 2):
        names = (first.name.name, second.name.name)
        free = _settled_slots(settlement, names)
        changes = [change for change in first.changes if change.target not in free]
        if any(_exclude(one, other, said) for one in changes for other in second.changes):
            exclusive.append(names)
    return Verdicts(tuple(exclusive))


def _settled_slots(settlement: SettlementDoc | None, names: tuple[str, str]) -> list[object]:
    """What a settlement gives anew for both of two modifiers."""
    pairs = settlement.pairs if settlement is not None else ()
    return [change.target for pair in pairs if {n.name for n in pair.of} == set(names) for change in pair.changes]


def _exclude(one: ChangeDoc, other: ChangeDoc, said: dict[Slot, RuleBody]) -> bool:
    match one.body, other.body:
        case (PhaseBody() as first, PhaseBody() as second) if _same_path(one, other):
            return _phases_exclude(first, second)
        case StepsBody(), StepsBody():
            return one.target == other.target and _steps_exclude(one.body, other.body)
        case (LegalityBody(), _) | (_, LegalityBody()):
            return False
        case _ if one.target.kind is other.target.kind is TargetKind.SLOT:
            return _values_exclude(one, other, said)
        case _:
            return False


def _values_exclude(one: ChangeDoc, other: ChangeDoc, said: dict[Slot, RuleBody]) -> bool:
    """Whether both set one rule to values that differ; what only repeats the game sets nothing."""
    slots = [_slot(change.target.signature) for change in (one, other) if change.target.signature is not None]
    if len(slots) < 2 or slots[0] != slots[1] or one.body == other.body:
        return False
    base = _value(said.get(slots[0]))
    return all(sets(change.body) and _value(change.body) != base for change in (one, other))


def _value(body: object) -> object:
    """What a body says, whether it gives the type as well or not."""
    return body.value if isinstance(body, ExprBody) else body


def _phases_exclude(first: PhaseBody, second: PhaseBody) -> bool:
    if first.remove != second.remove:
        return True
    differs = [
        one is not None and other is not None and one != other
        for one, other in ((first.move, second.move), (first.loop, second.loop), (first.do, second.do))
    ]
    return any(differs)


def _steps_exclude(first: StepsBody, second: StepsBody) -> bool:
    """Whether both run one procedure at the same place, each in its own way."""
    runs = [dict(_runs(body)) for body in (first, second)]
    return any(name in runs[1] and runs[1][name] != run for name, run in runs[0].items())


def _runs(body: StepsBody) -> Iterator[tuple[str, Run]]:
    for step in body.steps:
        if isinstance(step, SentenceDoc) and isinstance(step.sentence, Run):
            yield step.sentence.name, step.sentence


def _same_path(one: ChangeDoc, other: ChangeDoc) -> bool:
    shorter = min(len(one.target.path), len(other.target.path))
    return one.target.path[-shorter:] == other.target.path[-shorter:]


def _slot(signature: Signature | None) -> Slot:
    if signature is None:
        return ()
    return (signature.name, *(parameter.type_name for parameter in signature.parameters))
