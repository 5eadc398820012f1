"""Modifiers that can come into force during a match: which of a game's these are, and the guards on what they change.

A guard is a name that nobody can write, `in force NAME`; `expressions` knows what it stands for. So a change of such a
modifier is a change with a `when`, like any other.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, fields, replace
from functools import reduce

from ..diagnostic import Diagnostics
from ..source import Span
from ..syntax.document import (
    ChangeDoc,
    Declarations,
    Doc,
    KindDoc,
    LibraryDoc,
    ModifierDoc,
    PairDoc,
    SettlementDoc,
)
from ..syntax.expr import Binary, Call, Expr, Name, Node, Not, Operator, Start, TargetKind, YesNoLiteral
from .dependence import names_in

TYPE = "modifier"
"""The type whose members are the modifiers that a program can speak of; also what is printed on a rule card."""

_PREFIX = "in force "
_OF_THE_SHAPE = {
    TargetKind.TYPE: "types",
    TargetKind.CARDS: "cards",
    TargetKind.OPTION: "options",
    TargetKind.STATE: "states",
    TargetKind.ZONE: "the shape of zones",
}


@dataclass(frozen=True, slots=True)
class Beside:
    """What lies beside a game: the modifiers that could come into force, and how they fit together."""

    modifiers: tuple[ModifierDoc, ...] = ()
    tags: tuple[str, ...] = ()
    """The kinds of all modifiers in the folder, whether they can come into force or not."""
    settlement: SettlementDoc | None = None


# ── which ────────────────────────────────────────────────────────────────────────────────────────────────────────


def asks_for_modifiers(documents: Iterable[LibraryDoc | ModifierDoc]) -> bool:
    """Whether a game has rule cards, or starts a modifier: only then its other modifiers are read."""
    return any(_rule_kinds(document) or any(_starts(document)) for document in documents)


def switchable(
    documents: Iterable[LibraryDoc | ModifierDoc], beside: Iterable[ModifierDoc], settings: Mapping[str, str]
) -> tuple[ModifierDoc, ...]:
    """Those of the modifiers beside a game that can come into force: by a rule card, or because a step starts them."""
    known = {modifier.name.name: modifier for modifier in beside}
    chosen: set[str] = set()
    waiting: list[LibraryDoc | ModifierDoc] = list(documents)
    while waiting:
        document = waiting.pop()
        named = set[str]()
        for kind in _rule_kinds(document):
            where = kind.where if kind.where is not None else YesNoLiteral(True, span=kind.span)
            named |= {name for name, modifier in known.items() if _may_hold(where, modifier, settings)}
        for start in _starts(document):
            named |= (names_in(start.modifier) & known.keys()) or set(known)
        waiting += [known[name] for name in named - chosen]
        chosen |= named
    return tuple(known[name] for name in sorted(chosen))


def _rule_kinds(document: LibraryDoc | ModifierDoc) -> list[KindDoc]:
    declares = document.adds if isinstance(document, ModifierDoc) else document.declares
    return [kind for kind in declares.cards if kind.every_modifier]


def _starts(value: object) -> Iterator[Start]:
    """Every `start M for PHASE` in a document."""
    if isinstance(value, Start):
        yield value
    elif isinstance(value, tuple):
        for item in value:
            yield from _starts(item)
    elif isinstance(value, Node | Doc):
        for part in fields(value):
            if part.name != "span":
                yield from _starts(getattr(value, part.name))


def _may_hold(where: Expr, modifier: ModifierDoc, settings: Mapping[str, str]) -> bool:
    return _worth(where, modifier, settings) is not False


def _worth(expr: Expr, modifier: ModifierDoc, settings: Mapping[str, str]) -> bool | None:
    """What a condition on a rule card comes to, as far as tags and options tell; None where they don't."""
    match expr:
        case YesNoLiteral(value=value):
            return value
        case Not(operand=operand):
            inner = _worth(operand, modifier, settings)
            return None if inner is None else not inner
        case Binary(operator=Operator.AND | Operator.OR as operator):
            decides = operator is Operator.OR
            sides = [_worth(side, modifier, settings) for side in (expr.left, expr.right)]
            return decides if decides in sides else None if None in sides else not decides
        case Binary(operator=Operator.IS | Operator.IS_NOT as operator, left=left, right=Name(name=right)):
            known = _word(left, modifier, settings)
            return None if known is None else (known == right) == (operator is Operator.IS)
        case Name(name=name) if settings.get(name) in ("true", "false"):
            return settings[name] == "true"
        case _:
            return None


def _word(expr: Expr, modifier: ModifierDoc, settings: Mapping[str, str]) -> str | None:
    match expr:
        case Call(name="kind", arguments=(Name(name="it"),)):
            return modifier.kind.name if modifier.kind is not None else ""
        case Call(name="modifier", arguments=(Name(name="it"),)):
            return modifier.name.name
        case Name(name=name):
            return settings.get(name)
        case _:
            return None


def tags_asked_for(where: Expr) -> set[str]:
    """The tags that a condition on rule cards compares with."""
    match where:
        case Binary(operator=Operator.IS | Operator.IS_NOT, left=Call(name="kind"), right=Name(name=tag)):
            return {tag}
        case Binary(operator=Operator.AND | Operator.OR):
            return tags_asked_for(where.left) | tags_asked_for(where.right)
        case Not():
            return tags_asked_for(where.operand)
        case _:
            return set()


# ── guards ───────────────────────────────────────────────────────────────────────────────────────────────────────


def guard_on(modifiers: Iterable[str], span: Span) -> Expr | None:
    """The condition that all of some modifiers are in force; None for none of them."""
    names: list[Expr] = [Name(_PREFIX + name, span=span) for name in modifiers]
    return reduce(lambda one, other: Binary(Operator.AND, one, other, span=span), names) if names else None


def guarded_modifier(name: str) -> str | None:
    """The modifier that a name is the guard of."""
    return name.removeprefix(_PREFIX) if name.startswith(_PREFIX) else None


def both(guard: Expr | None, condition: Expr | None) -> Expr | None:
    """Both conditions, the guard first: what the other asks for makes sense only where it holds."""
    if guard is None or condition is None:
        return guard if condition is None else condition
    return Binary(Operator.AND, guard, condition, span=condition.span)


def under(change: ChangeDoc, guard: Expr | None) -> ChangeDoc:
    """A change under one more guard."""
    return change if guard is None else replace(change, when=both(guard, change.when))


# ── settlements ──────────────────────────────────────────────────────────────────────────────────────────────────


@dataclass(frozen=True, slots=True)
class Settled:
    """An entry of a settlement: its name among the origins, what it says, and the guard it stands under."""

    name: str
    pair: PairDoc
    guard: Expr | None


def settled(settlement: SettlementDoc | None, static: Collection[str], dynamic: Collection[str]) -> tuple[Settled, ...]:
    """The entries of a settlement that are about modifiers of the program only."""
    found: list[Settled] = []
    for pair in settlement.pairs if settlement is not None else ():
        names = [name.name for name in pair.of]
        if settlement is not None and all(name in static or name in dynamic for name in names):
            guard = guard_on((name for name in names if name not in static), pair.span)
            found.append(Settled(f"{settlement.name.name} ({' with '.join(names)})", pair, guard))
    return tuple(found)


# ── what can't come and go ───────────────────────────────────────────────────────────────────────────────────────


def refuse_shapes(modifiers: Iterable[ModifierDoc], diagnostics: Diagnostics) -> tuple[ModifierDoc, ...]:
    """Reports what can't come into force during a match (E0921); the modifiers without it."""
    left: list[ModifierDoc] = []
    for modifier in modifiers:
        wrong: list[tuple[Span, str]] = []
        if modifier.players is not None:
            wrong.append((modifier.players.span, "the number of players"))
        if modifier.teams is not None:
            wrong.append((modifier.teams.span, "teams"))
        kept: list[ChangeDoc] = []
        for change in modifier.changes:
            what = _OF_THE_SHAPE.get(change.target.kind)
            if what is None:
                kept.append(change)
            else:
                wrong.append((change.target.span, what))
        for span, what in wrong:
            diagnostics.add(
                "E0921",
                span,
                f"'{modifier.name.name}' can come into force during a match, when {what} can't change any more",
                help="leave this out, or keep the modifier from being a rule card and choose it before the match",
            )
        left.append(replace(modifier, players=None, teams=None, changes=tuple(kept)))
    return tuple(left)


def with_guarded_events(declares: Declarations, guard: Expr | None) -> Declarations:
    """Declarations whose handlers stand under a guard; all else that is declared exists always."""
    return replace(declares, events=tuple(under(event, guard) for event in declares.events))
