"""What a row of a card file holds besides values: steps, parts of a declaration, lasting changes, things to ask for."""

from __future__ import annotations

from dataclasses import dataclass

from .document import (
    CardsDoc,
    CasesBody,
    ChangeDoc,
    ComponentsBody,
    Doc,
    ExprBody,
    Named,
    PartDoc,
    StepsBody,
    TableBody,
)
from .expr import Expr

STEPS, PARTS, CHANGES = "steps", "parts", "changes"
"""The words for powers that are no values."""


@dataclass(frozen=True, slots=True)
class PartsBody(Doc):
    """What is chosen when a card is declared, and what must hold for all of it."""

    parts: tuple[PartDoc, ...]
    where: Expr | None = None


@dataclass(frozen=True, slots=True)
class ChangesBody(Doc):
    """What is changed as long as the card is in play."""

    changes: tuple[ChangeDoc, ...]


PowerBody = StepsBody | PartsBody | ChangesBody | ExprBody | CasesBody | TableBody | ComponentsBody
Powers = tuple[tuple[Named, PowerBody], ...]
"""The powers of one row, in the order of the file."""


@dataclass(frozen=True, slots=True)
class CardList:
    """A file of cards, with the powers of each of its rows."""

    document: CardsDoc
    powers: tuple[Powers, ...]
