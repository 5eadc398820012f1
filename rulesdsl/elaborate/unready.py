"""What the language has and no machine can do yet: refused, since nothing is read and then ignored (E0540)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from ..diagnostic import Diagnostics
from ..source import Span
from ..syntax.document import (
    ChangeDoc,
    DecisionBody,
    DeclarationBody,
    Declarations,
    GameDoc,
    KindDoc,
    LibraryDoc,
    ModifierDoc,
    OrderDoc,
    ZoneDoc,
)
from ..syntax.expr import TargetKind
from .names import Names

_GUARDED = (TargetKind.SLOT, TargetKind.BEFORE, TargetKind.AFTER, TargetKind.INSTEAD)

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
    "a guard works for rules and for what stands before, after or instead of something; for other changes not yet",
    "leave it out, and switch the modifier on or off as a whole",
)

_NO_ORDER = (
    "putting modifiers in an order is not there yet",
    "combine only those that need none",
)


def refuse_order(orders: Iterable[OrderDoc], names: Diagnostics) -> None:
    """Reports the orders of a variant."""
    for order in orders:
        names.add("E0540", order.span, _NO_ORDER[0], help=_NO_ORDER[1])


def _report(found: Iterable[tuple[Span, str, str]], names: Names) -> None:
    for span, message, help in found:
        names.report("E0540", span, message, help)


def _in_declarations(declares: Declarations) -> Found:
    for kind in declares.cards:
        yield from _in_kind(kind)
    for zone in declares.zones:
        yield from _in_zone(zone)
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


def _in_kind(kind: KindDoc) -> Found:
    if kind.every_modifier:
        yield kind.span, "cards made from modifiers are not there yet", "list the modifiers with `--with`"
    for name, _ in kind.powers:
        yield name.span, "cards with powers are not there yet", "write a rule or a procedure that looks at the card"


def _in_zone(zone: ZoneDoc) -> Found:
    if zone.active:
        yield zone.span, "rule cards that work where they lie are not there yet", "leave `active` out"


def _in_change(change: ChangeDoc) -> Found:
    for name in (*change.over, *change.before, *change.after, change.band):
        if name is not None:
            yield name.span, *_NO_ORDER
    if change.when is not None and change.target.kind not in _GUARDED:
        yield change.when.span, *_NO_GUARD
    match change.body:
        case DecisionBody(either=either) if either:
            yield either[0].span, "adding alternatives to a decision is not there yet", "use `instead of`"
        case DeclarationBody(declaration=KindDoc() as kind):
            yield from _in_kind(kind)
        case DeclarationBody(declaration=ZoneDoc() as zone):
            yield from _in_zone(zone)
        case _:
            pass
