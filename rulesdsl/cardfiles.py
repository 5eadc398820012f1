"""The files of cards that a game asks for: found, read, and the powers of their rows understood.

A file of cards is read in the light of the kind that takes it, which says what its rows may hold.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

from . import catalog
from .reader import Reader
from .reading.structure import check_entry
from .syntax.document import (
    CardsDoc,
    ChangeDoc,
    DeclarationBody,
    Declarations,
    GameDoc,
    KindDoc,
    LibraryDoc,
    ModifierDoc,
    Named,
)
from .syntax.expr import Target, TargetKind, TypeExpr
from .syntax.powers import CardList
from .syntax.read_powers import read_powers, values_of_powers

CardLists = dict[tuple[str, str], CardList]
"""Files of cards, by the rule file that names each and the name it gives."""


@dataclass(slots=True)
class _Kind:
    """What all files together say about the cards of a kind."""

    files: list[Named] = field(default_factory=list)
    powers: dict[str, TypeExpr] = field(default_factory=dict)


def card_files_of(documents: Iterable[LibraryDoc], modifiers: Iterable[ModifierDoc], reader: Reader) -> CardLists:
    """The files of cards that kinds name."""
    kinds: dict[str, _Kind] = {}
    for kind in _kinds(documents, modifiers):
        entry = kinds.setdefault(kind.name, _Kind())
        entry.files += [*([kind.file] if kind.file is not None else []), *kind.more]
        entry.powers |= {name.name: type_ for name, type_ in kind.powers}
    found: CardLists = {}
    for kind_ in kinds.values():
        for name in kind_.files:
            key = (name.span.source.name, name.name)
            document = _cards(name, reader) if key not in found else None
            if document is not None:
                found[key] = _with_powers(document, kind_.powers, reader)
    return found


def as_modifier(cards: CardsDoc, file: str, game: GameDoc) -> ModifierDoc:
    """A file of cards that somebody switches on: the modifier that brings its cards besides those of the game."""
    span = cards.name.span
    kind = KindDoc(cards.of.name, more=(Named(file, span),), span=cards.of.span)
    target = Target(TargetKind.CARDS, (cards.of.name,), None, span=cards.of.span)
    change = ChangeDoc(target, DeclarationBody(kind, span=span), span=span)
    nothing = Declarations(span=span)
    return ModifierDoc(name=cards.name, title=cards.title, of=game.name, adds=nothing, changes=(change,), span=span)


def _kinds(documents: Iterable[LibraryDoc], modifiers: Iterable[ModifierDoc]) -> list[KindDoc]:
    kinds = [kind for document in documents for kind in document.declares.cards]
    for modifier in modifiers:
        kinds += modifier.adds.cards
        for change in modifier.changes:
            if isinstance(change.body, DeclarationBody) and isinstance(change.body.declaration, KindDoc):
                kinds.append(change.body.declaration)
    return kinds


def _with_powers(document: CardsDoc, powers: dict[str, TypeExpr], reader: Reader) -> CardList:
    """The powers of a file's rows, read once for a reader whatever asks for them."""
    known = reader.card_lists.get(document.name.span.source.name)
    if known is not None and known[0] == powers:
        return known[1]
    before = len(reader.diagnostics.errors)
    for key, node, shape in values_of_powers(document, powers):
        check_entry(key, node, shape, reader.diagnostics)
    if len(reader.diagnostics.errors) > before:
        reader.failed = True
        return CardList(document, tuple(() for _ in document.rows))
    cards = read_powers(document, powers, reader.diagnostics)
    reader.failed = reader.failed or len(reader.diagnostics.errors) > before
    reader.card_lists[document.name.span.source.name] = (powers, cards)
    return cards


def _cards(name: Named, reader: Reader) -> CardsDoc | None:
    path = catalog.cards_near(name.name, reader.places[name.span.source.name])
    if path is None:
        reader.diagnostics.add(
            "E0327",
            name.span,
            f"there is no file '{name.name}' in the folder of this file, or below it",
            help="put it there, and write its place from there on",
        )
        reader.failed = True
        return None
    document = reader.read(path)
    if isinstance(document, CardsDoc):
        return document
    if document is not None:
        reader.diagnostics.add(
            "E0212", document.name.span, "this file lists no cards", help="a file of cards begins with `cards: NAME`"
        )
        reader.failed = True
    return None
