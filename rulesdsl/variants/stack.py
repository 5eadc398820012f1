"""The stack checker: a game's modifiers, judged pair by pair, and one stack of them judged as a whole.

Takes: a game by its name or path.
Makes: the matrix of verdicts; for a stack the verdicts on its pairs, and on all of it where numbers have to fit.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import combinations
from pathlib import Path

from .. import catalog
from ..ir.nodes import Option, Program
from ..loading import load
from ..syntax.document import SettlementDoc, VariantDoc
from ..types import Enum, YesNo
from .findings import Kind, Matrix, Verdict
from .positions import Judgement, Proving, Search
from .reads import Modifier, files_of
from .settle import settle, settle_all
from .verdicts import group_verdict, matrix, verdict

_UNDER_A_VARIANT = (Kind.DANGLING, Kind.EMPTY, Kind.DEAD)
"""What can be the matter with a modifier beneath a variant's own changes: these win, so they don't clash."""


def modifiers_of(game: str | Path) -> list[str]:
    """The names of all modifiers that lie beside a game, or beside a variant and its game."""
    return catalog.modifiers_near(_places_of(game))


def analysed(game: str | Path, names: Iterable[str]) -> list[Modifier]:
    """Modifiers of a game, each beside the game alone; of a variant, beside its game with the variant's options.

    Raises:
        RuleFileError: if the game or one of the modifiers has problems by itself.
    """
    places = _places_of(game)
    alone = str(places[-1]) if len(places) > 1 else str(game)
    options = _settings(load(game), load(alone)) if len(places) > 1 else {}
    files = [str(near) if (near := _near(name, places)) is not None else name for name in names]
    base = load(alone, options=options)
    if base.switchable:
        from ..pipeline import build_apart

        base, apart = build_apart(alone, files)
        programs = list(apart.values())
    else:
        programs = [load(alone, [file], options) for file in files]
    known = files_of(base)
    return [Modifier(changed.modifiers[0], base, changed, files_of(changed) - known) for changed in programs]


def _near(name: str, places: tuple[Path, ...]) -> Path | None:
    """Where a modifier of a variant lies; of a game alone, the loader knows."""
    return catalog.modifier_near(name, places) if len(places) > 1 else None


def settlement_of(game: str | Path) -> SettlementDoc | None:
    """What is settled about the modifiers of a game; its problems are reported when the game is loaded."""
    places = _places_of(game)
    if not places or catalog.settlement_near(places[-1]) is None:
        return None
    from ..pipeline import read_settlement

    return read_settlement(places[-1])


def variant_of(game: str | Path) -> VariantDoc | None:
    """What a variant says itself, if that is what is judged; its problems are reported when it is loaded."""
    places = _places_of(game)
    if len(places) < 2:
        return None
    from ..pipeline import read_variant

    return read_variant(places[0])


def _places_of(game: str | Path) -> tuple[Path, ...]:
    """The files beside which modifiers are looked for: that of a variant, and that of its game."""
    path = catalog.named(str(game))
    if path is None:
        return ()
    home = catalog.game_of_variant(path)
    return (path,) if home is None else (path, home)


def _settings(variant: Program, game: Program) -> dict[str, str]:
    """The options that a variant sets, of those that its game has."""
    known = {option.name for option in game.options}
    return {option.name: _text(option) for option in variant.options if option.name in known}


def _text(option: Option) -> str:
    match option.type:
        case Enum(members=members):
            return members[option.value]
        case YesNo():
            return "true" if option.value else "false"
        case _:
            return str(option.value)


def verdicts(game: str | Path, names: Iterable[str] | None = None, search: Search | None = None) -> Matrix:
    """The verdicts on all pairs of a game's modifiers, or of some of them, as its settlement has them.

    With a search, pairs that may leave somebody without a legal answer show a position in which that happens.

    Raises:
        RuleFileError: if the game or one of the modifiers has problems by itself.
    """
    asked = modifiers_of(game) if names is None else list(names)
    modifiers = analysed(game, asked)
    found = settle_all(matrix(load(game).name, modifiers), settlement_of(game), variant_of(game))
    return found if search is None else _proving(game, asked, modifiers, search).matrix(found)


def judged(game: str | Path, names: Sequence[str]) -> tuple[Verdict, ...]:
    """The verdicts on a stack: all its pairs, and the whole of it if that says more.

    Raises:
        RuleFileError: if the game or one of the modifiers has problems by itself.
    """
    return _judged(game, analysed(game, names))


def judged_by_play(game: str | Path, names: Sequence[str], search: Search) -> Judgement:
    """The verdicts on a stack, and what a search finds in matches of it: a position without a legal answer, or none.

    Raises:
        RuleFileError: if the game or one of the modifiers has problems by itself.
    """
    modifiers = analysed(game, names)
    return _proving(game, names, modifiers, search).stack(_judged(game, modifiers))


def _proving(game: str | Path, names: Sequence[str], modifiers: Sequence[Modifier], search: Search) -> Proving:
    return Proving(game, {modifier.name: name for modifier, name in zip(modifiers, names, strict=True)}, search)


def _judged(game: str | Path, modifiers: Sequence[Modifier]) -> tuple[Verdict, ...]:
    settlement, variant = settlement_of(game), variant_of(game)
    names = [modifier.name for modifier in modifiers]
    pairs = tuple(settle(verdict(one, other), settlement, names, variant) for one, other in combinations(modifiers, 2))
    pairs += tuple(_beside_variant(game, modifiers))
    if len(modifiers) < 3 or any(pair.kind.is_clash for pair in pairs):
        return pairs
    whole = settle(group_verdict(modifiers), settlement, variant=variant)
    return (*pairs, whole) if whole.findings else pairs


def _beside_variant(game: str | Path, modifiers: Sequence[Modifier]) -> Iterator[Verdict]:
    """What a variant's own changes leave of each modifier, where that is not all: they lie over all of them."""
    variant = variant_of(game)
    if variant is None or not variant.changes or not modifiers:
        return
    from ..pipeline import build_variant_alone

    base = modifiers[0].base
    program = build_variant_alone(_places_of(game)[0]) if not base.switchable else None
    if program is None or program.switchable:
        return
    own = Modifier(variant.name.name, base, program, files_of(program) - files_of(base))
    for modifier in modifiers:
        found = verdict(own, modifier)
        told = tuple(finding for finding in found.findings if finding.kind in _UNDER_A_VARIANT)
        if told:
            yield replace(found, findings=told)
