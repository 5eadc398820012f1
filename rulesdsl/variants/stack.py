"""The stack checker: a game's modifiers, judged pair by pair, and one stack of them judged as a whole.

Takes: a game by its name or path.
Makes: the matrix of verdicts; for a stack the verdicts on its pairs, and on all of it where numbers have to fit.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import combinations
from pathlib import Path

from .. import catalog
from ..loading import load
from ..syntax.document import SettlementDoc
from .findings import Matrix, Verdict
from .reads import Modifier, files_of
from .settle import settle, settle_all
from .verdicts import group_verdict, matrix, verdict


def modifiers_of(game: str | Path) -> list[str]:
    """The names of all modifiers that lie beside a game."""
    path = catalog.named(str(game))
    return catalog.modifiers_near((path,)) if path is not None else []


def analysed(game: str | Path, names: Iterable[str]) -> list[Modifier]:
    """Modifiers of a game, each beside the game alone.

    Raises:
        RuleFileError: if the game or one of the modifiers has problems by itself.
    """
    base = load(game)
    if base.switchable:
        from ..pipeline import build_apart

        base, apart = build_apart(str(game), names)
        programs = list(apart.values())
    else:
        programs = [load(game, [name]) for name in names]
    known = files_of(base)
    return [Modifier(changed.modifiers[0], base, changed, files_of(changed) - known) for changed in programs]


def settlement_of(game: str | Path) -> SettlementDoc | None:
    """What is settled about the modifiers of a game; its problems are reported when the game is loaded."""
    path = catalog.named(str(game))
    if path is None or catalog.settlement_near(path) is None:
        return None
    from ..pipeline import read_settlement

    return read_settlement(path)


def verdicts(game: str | Path, names: Iterable[str] | None = None) -> Matrix:
    """The verdicts on all pairs of a game's modifiers, or of some of them, as its settlement has them.

    Raises:
        RuleFileError: if the game or one of the modifiers has problems by itself.
    """
    found = matrix(load(game).name, analysed(game, modifiers_of(game) if names is None else names))
    return settle_all(found, settlement_of(game))


def judged(game: str | Path, names: Sequence[str]) -> tuple[Verdict, ...]:
    """The verdicts on a stack: all its pairs, and the whole of it if that says more.

    Raises:
        RuleFileError: if the game or one of the modifiers has problems by itself.
    """
    modifiers = analysed(game, names)
    settlement = settlement_of(game)
    pairs = tuple(settle(verdict(one, other), settlement) for one, other in combinations(modifiers, 2))
    if len(modifiers) < 3 or any(pair.kind.is_clash for pair in pairs):
        return pairs
    whole = group_verdict(modifiers)
    return (*pairs, whole) if whole.findings else pairs
