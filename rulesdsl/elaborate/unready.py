"""What the language has and no machine can do yet: refused, since nothing is read and then ignored (E0540)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from ..source import Span
from ..syntax.document import (
    ChangeDoc,
    DecisionBody,
    Declarations,
    GameDoc,
    LibraryDoc,
    ModifierDoc,
)
from ..syntax.expr import TargetKind
from .names import Names

_GUARDED = (
    TargetKind.SLOT,
    TargetKind.BEFORE,
    TargetKind.AFTER,
    TargetKind.INSTEAD,
    TargetKind.PHASE,
    TargetKind.DECISION,
)

Found = Iterator[tuple[Span, str, str]]


def refuse_unready(
    game: GameDoc, libraries: Iterable[LibraryDoc], modifiers: Iterable[ModifierDoc], names: Names
) -> None:
    """Reports what a file asks for in vain."""
    for document in (*libraries, game):
        _report(_in_declarations(document.declares), names)
    for modifier in modifiers:
        _report(_in_declarations(modifier.adds), names)
        for change in modifier.changes:
            _report(_in_change(change), names)
        if modifier.when is not None and not all(change.target.kind in _GUARDED for change in modifier.changes):
            _report([(modifier.when.span, *_NO_GUARD)], names)


_NO_GUARD = (
    "a guard works for rules, phases, decisions and what stands before, after or instead of something; here not yet",
    "leave it out, and switch the modifier on or off as a whole",
)


def _report(found: Iterable[tuple[Span, str, str]], names: Names) -> None:
    for span, message, help in found:
        names.report("E0540", span, message, help)


def _in_declarations(declares: Declarations) -> Found:
    for zone in declares.zones:
        for own in zone.fields:
            if own.resets is not None:
                yield own.resets.span, "fields of plays that are reset are not there yet", "leave `resets` out"
    for procedure in declares.procedures:
        for state in procedure.state:
            if state.each or state.resets is not None or state.at_most is not None:
                yield (
                    state.span,
                    "states of one run with `each`, `resets` or `at_most` are not there yet",
                    "declare the state under `state:` of the game",
                )


def _in_change(change: ChangeDoc) -> Found:
    if change.when is not None and change.target.kind not in _GUARDED:
        yield change.when.span, *_NO_GUARD
    match change.body:
        case DecisionBody(either=either) if either:
            yield either[0].span, "adding alternatives to a decision is not there yet", "use `instead of`"
        case _:
            pass
