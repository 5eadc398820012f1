"""Powers: what the rows of a card file hold besides values, made into rules, procedures and changes of the usual kind.

This module knows the rows and what each can do; `performing` makes procedures and rules of that, `lasting` changes, and
`keptparts` decisions.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, fields, replace
from typing import Any, TypeVar

from ..reading.yamltree import YamlMap, YamlNode, YamlScalar
from ..source import Span
from ..syntax.document import (
    ChangeDoc,
    DeclarationBody,
    Declarations,
    Doc,
    FieldDoc,
    KindDoc,
    PartDoc,
)
from ..syntax.expr import (
    Binder,
    Call,
    Draw,
    EachOf,
    Expr,
    Let,
    Name,
    Node,
    NumberLiteral,
    PickAnswer,
    PickFrom,
    PickNumber,
    RollNumber,
    RollOne,
    TypeExpr,
    TypeForm,
)
from ..syntax.powers import CHANGES, PARTS, STEPS, CardList, PartsBody, PowerBody

ROW = "row of card"
"""The number of a card's row, as a name that nobody can write."""

Written = TypeVar("Written", bound="Doc | Node")


@dataclass(frozen=True, slots=True)
class Row:
    """One row of the files of a kind, with its powers; `number` counts from 0 through all files of the kind."""

    number: int
    label: str
    copies: int
    span: Span
    powers: Mapping[str, PowerBody]
    name: str | None = None

    @property
    def parts(self) -> tuple[PartDoc, ...]:
        """What is chosen when the card is declared."""
        return tuple(part for body in self.powers.values() if isinstance(body, PartsBody) for part in body.parts)


@dataclass(frozen=True, slots=True)
class KindPowers:
    """The powers that cards of a kind can have, and those that each row has."""

    kind: str
    types: Mapping[str, TypeExpr] = field(default_factory=dict)
    rows: tuple[Row, ...] = ()
    files: tuple[tuple[str, str], ...] = ()
    """The files that list the cards, by the rule file that names each and the name it gives."""
    in_play: tuple[str, ...] = ()
    """The zones that the kind names; none if it leaves that open."""
    copies: int = 1
    """How often every listed card is there, beyond what its row says."""

    def of(self, power: str) -> list[tuple[Row, PowerBody]]:
        """The rows that have a power, with what it is."""
        return [(row, row.powers[power]) for row in self.rows if power in row.powers]

    def is_form(self, power: str, form: str) -> bool:
        """Whether a power is of a form: steps, parts or changes."""
        type_ = self.types.get(power)
        return type_ is not None and type_.form is TypeForm.PLAIN and type_.name == form

    def is_value(self, power: str) -> bool:
        """Whether one asks for a power as for an attribute."""
        return power in self.types and not any(self.is_form(power, form) for form in (STEPS, PARTS, CHANGES))


# ── collecting ───────────────────────────────────────────────────────────────────────────────────────────────────


def powers_of(
    files: Iterable[tuple[Declarations, tuple[ChangeDoc, ...]]], lists: Mapping[tuple[str, str], CardList]
) -> dict[str, KindPowers]:
    """What all files together, each with what it declares and changes, say about the powers of each kind of card."""
    docs: dict[str, list[KindDoc]] = {}
    for declares, changes in files:
        for kind in (*declares.cards, *_changed_kinds(changes)):
            docs.setdefault(kind.name, []).append(kind)
    # Rules and procedures of powers go by these names: no two rows have one, and no row that of a kind.
    labels = set(docs)
    return {name: _kind(name, kinds, lists, labels) for name, kinds in sorted(docs.items())}


def _files(kinds: list[KindDoc]) -> tuple[tuple[str, str], ...]:
    """The files that list the cards of a kind, in the order in which their cards are numbered."""
    first = [kind.file for kind in kinds if kind.file is not None][-1:]
    more = sorted((name for kind in kinds for name in kind.more), key=lambda name: (name.span.source.name, name.name))
    return tuple(dict.fromkeys((name.span.source.name, name.name) for name in (*first, *more)))


def _changed_kinds(changes: Iterable[ChangeDoc]) -> Iterator[KindDoc]:
    for change in changes:
        if isinstance(change.body, DeclarationBody) and isinstance(change.body.declaration, KindDoc):
            yield change.body.declaration


def _kind(name: str, kinds: list[KindDoc], lists: Mapping[tuple[str, str], CardList], labels: set[str]) -> KindPowers:
    types = {power.name: type_ for kind in kinds for power, type_ in kind.powers}
    zones = tuple(dict.fromkeys(zone.name for kind in kinds for zone in kind.in_play))
    packs = [kind.copies for kind in kinds if kind.copies is not None][-1:]
    times = next((int(n.text) for n in packs if isinstance(n, NumberLiteral) and n.text.isdigit()), 1)
    rows: list[Row] = []
    files = _files(kinds)
    for key in files:
        if key in lists:
            for node, powers in zip(lists[key].document.rows, lists[key].powers, strict=True):
                own = _text(node, "name")
                label = own or _text(node, "id") or _first_text(node) or f"{name} {len(rows) + 1}"
                while label in labels:
                    label += f" {len(rows) + 1}"
                labels.add(label)
                copies = _text(node, "copies")
                count = int(copies) if copies is not None and copies.isdigit() else 1
                found = {power.name: body for power, body in powers}
                rows.append(Row(len(rows), label, count * times, node.whole, found, own))
    return KindPowers(name, types, tuple(rows), files, zones, times)


def _text(node: YamlNode, key: str) -> str | None:
    value = node.get(key) if isinstance(node, YamlMap) else None
    return value.text if isinstance(value, YamlScalar) else None


def _first_text(node: YamlNode) -> str | None:
    """What a row says first, if that is a word."""
    first = node.entries[0][1] if isinstance(node, YamlMap) and node.entries else None
    return first.text if isinstance(first, YamlScalar) and first.text.isidentifier() else None


def with_kept_parts(doc: KindDoc, powers: KindPowers) -> KindDoc:
    """A kind with a field for every part that its cards ask for; what the kind declares itself stays."""
    known = {own.name for own in doc.fields}
    made = list(doc.fields)
    for row in powers.rows:
        for part in row.parts:
            if part.name not in known:
                known.add(part.name)
                type_ = _type_of(part)
                made += [FieldDoc(part.name, type_, is_part=True, span=part.span)] if type_ is not None else []
    return replace(doc, fields=tuple(made))


def _type_of(part: PartDoc) -> TypeExpr | None:
    """What is kept of a part, as far as its pick tells; of `one of S` the kind has to say it."""
    span = part.span
    match part.pick:
        case PickFrom(amount=amount, noun=noun):
            if amount.single:
                return TypeExpr(TypeForm.PLAIN, noun, span=span)
            return TypeExpr(TypeForm.SET, noun.removesuffix("s"), span=span)
        case PickNumber():
            return TypeExpr(TypeForm.PLAIN, "number", span=span)
        case PickAnswer():
            return TypeExpr(TypeForm.PLAIN, "yes_no", span=span)
        case _:
            return None


# ── names in powers ──────────────────────────────────────────────────────────────────────────────────────────────


def with_self(value: Written, own: Expr, parts: Iterable[str]) -> Written:
    """A document in which `self` is a card, and the parts chosen for that card are what is kept on it."""
    given: dict[str, Expr] = {"self": own}
    given |= {name: Call(name, (own,), name_span=own.span, span=own.span) for name in parts}
    changed = _replaced(value, given)
    assert isinstance(changed, type(value))
    return changed


def _replaced(value: object, given: Mapping[str, Expr]) -> object:
    match value:
        case Name(name=name) if name in given:
            return replace(given[name], span=value.span)
        case tuple():
            items = tuple(_replaced(item, given) for item in value)
            return items if any(new is not old for new, old in zip(items, value, strict=True)) else value
        case Doc() | Node():
            changed: dict[str, Any] = {
                part.name: new
                for part in fields(value)
                if part.name != "span" and (new := _replaced(old := getattr(value, part.name), given)) is not old
            }
            return replace(value, **changed) if changed else value
        case _:
            return value


def bound_in(value: object) -> Iterator[tuple[str, Span]]:
    """The names that steps or expressions bind themselves: lets, draws, rolls, parts, binders."""
    match value:
        case Let() | Draw() | RollNumber() | RollOne() | PartDoc() | Binder():
            yield value.name, value.span
        case EachOf():
            yield value.binder, value.span
        case _:
            pass
    if isinstance(value, tuple):
        for item in value:
            yield from bound_in(item)
    elif isinstance(value, Doc | Node):
        for part in fields(value):
            if part.name != "span":
                yield from bound_in(getattr(value, part.name))


def bare_names_in(value: object) -> Iterator[str]:
    """The names that stand alone in steps or expressions, each as often as it does."""
    match value:
        case Name(name=name):
            yield name
        case tuple():
            for item in value:
                yield from bare_names_in(item)
        case Doc() | Node():
            for part in fields(value):
                if part.name != "span":
                    yield from bare_names_in(getattr(value, part.name))
        case _:
            pass
