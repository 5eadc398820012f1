"""Phases that stand in two places: whether what puts them in the one or the other can change between the two (E0606).

If it could, the phase would come twice or not at all.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import fields

from ..diagnostic import Diagnostics
from ..ir.nodes import (
    Activate,
    Block,
    Deactivate,
    InForce,
    LiesIn,
    Move,
    Operation,
    Phase,
    Procedure,
    Program,
    RunProcedure,
    Swap,
)
from ..ir.walk import operations_of, terms_of
from ..source import Span
from ..types import Place

Found = tuple[Phase, tuple[tuple[Block, int], ...]]


def check_betweens(program: Program, diagnostics: Diagnostics) -> None:
    """Reports every phase that may move while the match is between its two places."""
    if not program.switchable and not any(kind.has_powers for kind in program.kinds):
        return
    procedures = {procedure.name: procedure for procedure in program.procedures}
    kinds = {kind.name for kind in program.kinds if kind.modifiers or kind.has_powers}
    for procedure in (*program.procedures, program.main):
        found = [item for item in _phases(procedure.body, ()) if _guard(item[0]) is not None]
        for index, (phase, place) in enumerate(found):
            for other, there in found[index + 1 :]:
                if other.span == phase.span and _changes(_between(place, there), procedures, kinds):
                    span = _guard(other) or _guard(phase)
                    assert span is not None
                    diagnostics.add(
                        "E0606",
                        span,
                        f"'{phase.name}' stands in two places, and what is in force can change between them",
                        help="move the phase to where no such step lies in between",
                    )


def _phases(block: Block, path: tuple[tuple[Block, int], ...]) -> Iterator[Found]:
    for index, operation in enumerate(block):
        here = (*path, (block, index))
        if isinstance(operation, Phase):
            yield operation, here
        for inner in _blocks(operation):
            yield from _phases(inner, here)


def _blocks(operation: Operation) -> Iterator[Block]:
    for part in fields(operation):
        value = getattr(operation, part.name)
        if part.name in ("body", "then", "otherwise"):
            yield value
        elif part.name == "alternatives":
            yield from (alternative.body for alternative in value)


def _guard(phase: Phase) -> Span | None:
    """Where it is said that a modifier moves the phase."""
    if phase.when is None:
        return None
    return next((term.span for term in terms_of(phase.when) if isinstance(term, InForce | LiesIn)), None)


def _between(first: tuple[tuple[Block, int], ...], second: tuple[tuple[Block, int], ...]) -> Block:
    """The operations from one place to another, both places in one list of steps, however deep."""
    for (block, start), (other, end) in zip(first, second, strict=False):
        if block is not other:
            return ()
        if start != end:
            return block[start : end + 1]
    return ()


def _changes(block: Block, procedures: Mapping[str, Procedure], kinds: set[str]) -> bool:
    """Whether anything comes into force, or stops, in some steps."""
    waiting, entered = [block], set[str]()
    while waiting:
        for operation in operations_of(waiting.pop()):
            match operation:
                case Activate() | Deactivate():
                    return True
                case Move(place=place) if isinstance(place.type, Place) and place.type.kind in kinds:
                    return True
                case Swap() if any(isinstance(t.type, Place) and t.type.kind in kinds for t in terms_of(operation)):
                    return True
                case RunProcedure(procedure=name) if name in procedures and name not in entered:
                    entered.add(name)
                    waiting += [procedures[name].body, *(handler.body for handler in procedures[name].handlers)]
                case _:
                    pass
    return False
