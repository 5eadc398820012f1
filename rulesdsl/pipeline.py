"""The stages in order: from a path to a checked program.

    path ──read_source──▶ Source ──read_yaml──▶ YamlMap ──check──▶ its kind ──read_document──▶ a document
    game, libraries, modifiers ──elaborate──▶ Program ──verify──▶ Program

Every stage adds to one `Diagnostics` and keeps going.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING

from . import catalog
from .cardfiles import as_modifier, card_files_of
from .diagnostic import Diagnostic, Diagnostics, RuleFileError, did_you_mean
from .elaborate import Beside, Setting, asks_for_modifiers, elaborate, switchable, with_verdicts
from .ir.nodes import Program, Verdicts
from .ir.verify import verify
from .reader import Reader
from .source import Source, Span
from .syntax.document import (
    CardsDoc,
    Declarations,
    ExprBody,
    GameDoc,
    LibraryDoc,
    ModifierDoc,
    Named,
    OrderDoc,
    PlayersDoc,
    SettlementDoc,
    TeamsDoc,
    TestDoc,
    VariantDoc,
)
from .syntax.expr import Name

if TYPE_CHECKING:
    from .apart import Apart


@dataclass(frozen=True, slots=True)
class Setup:
    """What makes up a program besides the game itself."""

    modifiers: tuple[str, ...] = ()
    options: Mapping[str, Setting] = field(default_factory=dict)
    as_named: bool = False
    """Whether modifiers are laid over one another in the sequence of `modifiers`, instead of that of the alphabet."""


def build(
    name: str, modifiers: tuple[str, ...], options: Mapping[str, str], *, as_named: bool = False
) -> tuple[Program, tuple[Path, ...]]:
    """A program from its files, and which files those are; see `loading.load`.

    `as_named` composes the modifiers in the sequence in which they are named, where nothing orders them. One fixed
    sequence is for records; that of independent modifiers must make no difference, which can only be shown with both.

    Raises:
        RuleFileError: with everything that is wrong with them.
    """
    reader = Reader(Diagnostics())
    settings = {key: Setting(value) for key, value in options.items()}
    program = _load(name, Setup(modifiers, settings, as_named), reader)
    if reader.diagnostics.errors or program is None:
        raise RuleFileError(reader.diagnostics)
    return program, tuple(reader.places.values())


def check(path: str | Path) -> list[Diagnostic]:
    """Everything that is wrong with a rule file, in the order of its text, files that it needs included."""
    diagnostics = Diagnostics()
    path = Path(path)
    reader = Reader(diagnostics)
    document = reader.read(path)
    if not diagnostics.errors or document is not None:
        match document:
            case GameDoc():
                _program(document, path, Setup(), reader)
            case LibraryDoc():
                _check_on_table(document, path, reader)
            case ModifierDoc() | VariantDoc():
                _check_on_game(document, path, reader)
            case CardsDoc() if document.adds_to is not None:
                _check_besides(document, document.adds_to, path, reader)
            case CardsDoc():
                _check_in_game(path, reader)
            case SettlementDoc():
                _check_in_game(path, reader)
                _check_settlement(document, path, reader)
            case _:
                pass
    return list(diagnostics)


def read_test(path: str | Path) -> tuple[TestDoc | None, list[Diagnostic]]:
    """A scenario file, and what is wrong with it."""
    diagnostics = Diagnostics()
    document = Reader(diagnostics).read(Path(path))
    if document is not None and not isinstance(document, TestDoc):
        diagnostics.add(
            "E0212", document.name.span, "this is no scenario file", help="a scenario file begins with `test: NAME`"
        )
        document = None
    return document, list(diagnostics)


def build_apart(name: str, modifiers: Iterable[str]) -> tuple[Program, dict[str, Program]]:
    """A game without anything that could come into force, and with each of some modifiers in its own program.

    Raises:
        RuleFileError: with everything that is wrong with them.
    """
    reader = Reader(Diagnostics())
    path = catalog.named(name)
    game = reader.read(path) if path is not None else None
    if path is not None and isinstance(game, GameDoc):
        read = [_modifier(modifier, game.name.span, (path,), game, reader) for modifier in modifiers]
        documents = [document for document in read if document is not None]
        beside = _beside(game, path, _libraries(game.uses, path, reader), (), (path,), Setup(), reader)
        apart = _apart(game, path, beside, {}, reader)
        base, found = apart.program(), {document.name.name: apart.program(document) for document in documents}
        reader.diagnostics.extend(apart.problems)
        whole = {name: program for name, program in found.items() if program is not None}
        if base is not None and not reader.diagnostics.errors:
            return base, whole
    raise RuleFileError(reader.diagnostics)


def read_settlement(game: Path) -> SettlementDoc | None:
    """What is settled about the modifiers of a game."""
    path = catalog.settlement_near(game)
    document = Reader(Diagnostics()).read(path) if path is not None else None
    return document if isinstance(document, SettlementDoc) else None


def read_variant(path: Path) -> VariantDoc | None:
    """A variant as it is written; None for any other file."""
    document = Reader(Diagnostics()).read(path)
    return document if isinstance(document, VariantDoc) else None


def build_variant_alone(path: Path) -> Program | None:
    """A game with what a variant itself says, none of its modifiers; None if that leans on them."""
    reader = Reader(Diagnostics())
    document = reader.read(path)
    if not isinstance(document, VariantDoc):
        return None
    program = _variant(replace(document, with_=()), path, Setup(), reader)
    return None if reader.diagnostics.errors else program


# ── putting a program together ───────────────────────────────────────────────────────────────────────────────────


def _load(name: str, setup: Setup, reader: Reader) -> Program | None:
    path = catalog.named(name)
    if path is None:
        nowhere = Span(Source(name, ""), 0, 0)
        help = (
            did_you_mean(name, catalog.shipped_games()) or f"the shipped games are {', '.join(catalog.shipped_games())}"
        )
        reader.diagnostics.add(
            "E0315", nowhere, f"there is no game '{name}', and no file or folder of that name", help=help
        )
        return None
    document = reader.read(path)
    match document:
        case GameDoc():
            return _program(document, path, setup, reader)
        case VariantDoc():
            return _variant(document, path, setup, reader)
        case None:
            return None
        case _:
            reader.diagnostics.add(
                "E0212",
                document.name.span,
                "this file is neither a game nor a variant, so it can't be played by itself",
                help="name the game, and give a modifier with `--with`",
            )
            return None


def _check_on_game(document: ModifierDoc | VariantDoc, path: Path, reader: Reader) -> None:
    if isinstance(document, VariantDoc):
        _variant(document, path, Setup(), reader)
        return
    game = _game_of(document.of, path, reader)
    if game is not None:
        _program(game[0], game[1], Setup(), reader, (document,))


def _check_in_game(path: Path, reader: Reader) -> None:
    """Checks a file of cards or a settlement in the game of its folder, if that is where the game takes it from."""
    game = path.parent / "game.yaml"
    if reader.failed or not game.exists():
        return
    inner = Reader(Diagnostics())
    document = inner.read(game)
    if isinstance(document, GameDoc):
        _program(document, game, Setup(), inner)
        name = catalog.shown_name(path)
        reader.diagnostics.extend(found for found in inner.diagnostics if found.span.source.name == name)


def _check_besides(cards: CardsDoc, adds_to: Named, path: Path, reader: Reader) -> None:
    """Checks a file of cards in a game that does not name it, as if somebody had switched it on."""
    found = _game_of(adds_to, path, reader)
    if found is not None:
        game, game_path = found
        _program(game, game_path, Setup(), reader, (as_modifier(cards, path.name, game),))


def _check_settlement(settlement: SettlementDoc, path: Path, reader: Reader) -> None:
    """Reports the lines of a settlement that settle nothing, once its game and its modifiers are right."""
    from .variants.settle import groups_in, idle_lines

    inner = Reader(Diagnostics())
    found = _game_of(settlement.of, path, inner)
    if found is not None and not reader.diagnostics.errors:
        game, game_path = found
        named = {name.name: name.span for pair in settlement.pairs for name in pair.of}
        read = (_modifier(name, span, (path, game_path), game, inner) for name, span in sorted(named.items()))
        modifiers = tuple(document for document in read if document is not None)
        if not inner.diagnostics.errors:
            judged = _apart(game, game_path, Beside(), {}, inner).judged(modifiers, groups_in(settlement))
            for span, message in idle_lines(settlement, judged):
                reader.diagnostics.add("W0901", span, message, help="leave it out, or keep it as a `note`")
    reader.diagnostics.extend(inner.diagnostics.errors)


_OFTEN_BROUGHT = "french-cards"
_BROUGHT_BY_GAMES = frozenset(
    [
        "E0301",
        "E0303",
        "E0310",
        "E0312",
        "E0316",
        "E0317",
        "E0320",
        "E0325",
        "E0341",
        "E0404",
        "E0428",
        "E0503",
        "E0602",
        "E0901",
    ]
)
"""What may be wrong with a library alone and right in its game, which brings names that the library asks for."""


def _check_on_table(library: LibraryDoc, path: Path, reader: Reader) -> None:
    """Checks a library in a stand-in game of four with partners, and cards if the library brings none."""
    span = library.name.span
    libraries = _libraries(library.uses, path, reader)
    if not any(known.declares.cards for known in (*libraries, library)):
        often = Reader(Diagnostics()).read(catalog.library_folder() / f"{_OFTEN_BROUGHT}.yaml")
        libraries = (often, *libraries) if isinstance(often, LibraryDoc) else libraries
    if reader.failed:
        return
    game = GameDoc(
        name=replace(library.name, name="table"),
        title="",
        span=span,
        declares=_nothing(span),
        players=PlayersDoc(4, 4, span=span),
        teams=TeamsDoc("partners", opposite=True, span=span),
        phases=(),
        winners=ExprBody(Name("players", span=span), span=span),
    )
    found = Diagnostics()
    elaborate(game, (*libraries, library), (), {}, found)
    own = (d for d in found if d.span.source is span.source and d.code not in _BROUGHT_BY_GAMES)
    reader.diagnostics.extend(own)


def _game_of(of: Named, path: Path, reader: Reader) -> tuple[GameDoc, Path] | None:
    game_path = catalog.game_near(path, of.name)
    if game_path is None:
        help = (
            did_you_mean(of.name, catalog.shipped_games())
            or f"the shipped games are {', '.join(catalog.shipped_games())}"
        )
        reader.diagnostics.add("E0315", of.span, f"there is no game '{of.name}'", help=help)
        return None
    game = reader.read(game_path)
    return (game, game_path) if isinstance(game, GameDoc) else None


def _variant(variant: VariantDoc, path: Path, setup: Setup, reader: Reader) -> Program | None:
    found = _game_of(variant.of, path, reader)
    if found is None:
        return None
    game, game_path = found
    modifiers = tuple(_modifier(name.name, name.span, (path, game_path), game, reader) for name in variant.with_)
    own = ModifierDoc(
        name=variant.name,
        title=variant.title,
        of=variant.of,
        adds=_nothing(variant.span),
        changes=variant.changes,
        span=variant.span,
    )
    options = {name.name: Setting(value.name, name.span.to(value.span)) for name, value in variant.options}
    whole = replace(setup, options={**options, **setup.options})
    documents = tuple(modifier for modifier in modifiers if modifier is not None)
    orders = (variant.order, variant.over)
    own_changes = own if variant.changes else None
    return _program(game, game_path, whole, reader, documents, own=own_changes, near=path, orders=orders)


def _modifier(name: str, span: Span, near: tuple[Path, ...], game: GameDoc, reader: Reader) -> ModifierDoc | None:
    path = Path(name) if name.endswith((".yaml", ".yml")) else catalog.modifier_near(name, near)
    if path is None:
        known = catalog.modifiers_near(near)
        help = did_you_mean(name, known) or (
            f"there are {', '.join(known)}" if known else "put it into the folder `modifiers`"
        )
        reader.diagnostics.add("E0322", span, f"there is no modifier '{name}'", help=help)
        reader.failed = True
        return None
    return _modifier_in(path, game, reader)


def _modifier_in(path: Path, game: GameDoc, reader: Reader) -> ModifierDoc | None:
    document = reader.read(path)
    if isinstance(document, CardsDoc):
        if document.adds_to is not None and document.adds_to.name != game.name.name:
            message = f"these cards are added to '{document.adds_to.name}', not to '{game.name.name}'"
            reader.diagnostics.add("E0323", document.adds_to.span, message, help="cards work in their own game only")
            reader.failed = True
        return as_modifier(document, path.name, game)
    if isinstance(document, ModifierDoc):
        if document.of.name != game.name.name:
            reader.diagnostics.add(
                "E0323",
                document.of.span,
                f"this modifier is of '{document.of.name}', not of '{game.name.name}'",
                help="a modifier works in its own game only",
            )
            reader.failed = True
        return document
    if document is not None:
        reader.diagnostics.add(
            "E0212", document.name.span, "this file is no modifier", help="a modifier begins with `modifier: NAME`"
        )
        reader.failed = True
    return None


def _program(
    game: GameDoc,
    path: Path,
    setup: Setup,
    reader: Reader,
    modifiers: tuple[ModifierDoc, ...] = (),
    *,
    own: ModifierDoc | None = None,
    near: Path | None = None,
    orders: tuple[tuple[OrderDoc, ...], tuple[OrderDoc, ...]] = ((), ()),
) -> Program | None:
    places = (path,) if near is None else (near, path)
    given = tuple(_modifier(name, game.name.span, places, game, reader) for name in setup.modifiers)
    chosen = {document.name.name: document for document in (*modifiers, *given) if document is not None}
    documents = tuple(chosen[name] for name in (chosen if setup.as_named else sorted(chosen)))
    libraries = _libraries([*game.uses, *(name for document in documents for name in document.uses)], path, reader)
    beside = _beside(game, path, libraries, documents, places, setup, reader)
    known = {document.name.name: document for document in (*beside.modifiers, *documents)}
    loaded = tuple(known[name] for name in (known if setup.as_named else sorted(known)))
    libraries = _libraries([*game.uses, *(name for document in loaded for name in document.uses)], path, reader)
    _check_options(game, libraries, loaded, setup, reader.diagnostics)
    _check_named(loaded, beside, orders, places, reader)
    lists = card_files_of((game, *libraries), (*loaded, *((own,) if own is not None else ())), reader)
    if reader.failed:
        return None
    program = elaborate(
        game,
        libraries,
        documents,
        setup.options,
        reader.diagnostics,
        own=own,
        card_files=lists,
        beside=beside,
        orders=orders[0],
        overs=orders[1],
    )
    if reader.diagnostics.errors:
        return None
    if beside.modifiers:
        program = with_verdicts(program, _known_of_pairs(beside, game, path, setup.options, reader))
    program = replace(program, files=tuple(sorted(reader.stamps, key=lambda stamp: stamp.name)))
    verify(program)
    return program


def _known_of_pairs(
    beside: Beside, game: GameDoc, path: Path, options: Mapping[str, Setting], reader: Reader
) -> Verdicts:
    """What is known before the match about the modifiers that can come into force during it."""
    from .variants.settle import known_of_pairs, settle_all

    matrix = _apart(game, path, beside, options, reader).matrix(beside.modifiers)
    return known_of_pairs(settle_all(matrix, beside.settlement))


def _apart(game: GameDoc, path: Path, beside: Beside, options: Mapping[str, Setting], reader: Reader) -> Apart:
    from .apart import Apart

    return Apart(
        game,
        beside,
        options,
        libraries=lambda uses: _libraries(uses, path, reader),
        card_files=lambda documents, modifiers: card_files_of(documents, modifiers, reader),
    )


def _beside(
    game: GameDoc,
    path: Path,
    libraries: tuple[LibraryDoc, ...],
    documents: tuple[ModifierDoc, ...],
    places: tuple[Path, ...],
    setup: Setup,
    reader: Reader,
) -> Beside:
    """The modifiers that can come into force during a match, and how all that are beside the game fit together."""
    found = catalog.settlement_near(path)
    settlement = reader.read(found) if found is not None else None
    if settlement is not None and not isinstance(settlement, SettlementDoc):
        reader.diagnostics.add(
            "E0212",
            settlement.name.span,
            "this file settles nothing",
            help="`settlement.yaml` begins with `settlement: NAME`",
        )
        reader.failed = True
        settlement = None
    asking: tuple[LibraryDoc | ModifierDoc, ...] = (game, *libraries, *documents)
    if not asks_for_modifiers(asking):
        return Beside(settlement=settlement)
    known = {document.name.name: document for document in documents}
    for file in catalog.modifier_files(places):
        if file.stem not in known:
            document = _modifier_in(file, game, reader)
            known.update({document.name.name: document} if document is not None else {})
    settings = {option.name: option.default for document in (game, *libraries) for option in document.declares.options}
    settings.update({name: setting.text for name, setting in setup.options.items()})
    tags = sorted({document.kind.name for document in known.values() if document.kind is not None})
    able = switchable(asking, (known[name] for name in sorted(known)), settings)
    return Beside(able, tuple(tags), settlement)


def _check_named(
    modifiers: tuple[ModifierDoc, ...],
    beside: Beside,
    orders: tuple[tuple[OrderDoc, ...], tuple[OrderDoc, ...]],
    places: tuple[Path, ...],
    reader: Reader,
) -> None:
    """Reports names of modifiers in orders and settlements that no file has."""
    known = {*catalog.modifiers_near(places), *(modifier.name.name for modifier in modifiers)}
    named: list[Named] = [name for order in (*orders[0], *orders[1]) for name in order.modifiers]
    for change in (change for modifier in modifiers for change in modifier.changes):
        named += [*change.over, *change.before, *change.after]
    for pair in beside.settlement.pairs if beside.settlement is not None else ():
        named += [*pair.of, *(name for order in pair.order for name in order.modifiers)]
    for name in named:
        if name.name not in known:
            help = did_you_mean(name.name, known) or "put it into the folder `modifiers`"
            reader.diagnostics.add("E0322", name.span, f"there is no modifier '{name.name}'", help=help)


def _libraries(uses: Iterable[Named], game: Path, reader: Reader) -> tuple[LibraryDoc, ...]:
    """The libraries that are used, those they use in front of them, each once."""
    found: dict[str, LibraryDoc | None] = {}
    ordered: list[LibraryDoc] = []

    def add(name: Named) -> None:
        if name.name in found:
            return
        found[name.name] = None
        path = catalog.library_near(name.name, game)
        if path is None:
            known = catalog.shipped_libraries()
            help = did_you_mean(name.name, known) or f"the libraries are {', '.join(known)}"
            reader.diagnostics.add("E0324", name.span, f"there is no library '{name.name}'", help=help)
            reader.failed = True
            return
        document = reader.read(path)
        if not isinstance(document, LibraryDoc) or isinstance(document, GameDoc):
            if document is not None:
                reader.diagnostics.add(
                    "E0212", document.name.span, "this file is no library", help="a library begins with `library: NAME`"
                )
                reader.failed = True
            return
        for inner in document.uses:
            add(inner)
        ordered.append(document)

    for name in uses:
        add(name)
    return tuple(ordered)


def _check_options(
    game: GameDoc,
    libraries: Iterable[LibraryDoc],
    modifiers: Iterable[ModifierDoc],
    setup: Setup,
    diagnostics: Diagnostics,
) -> None:
    declared = [*game.declares.options, *(o for library in libraries for o in library.declares.options)]
    known = [option.name for option in (*declared, *(o for modifier in modifiers for o in modifier.adds.options))]
    for name, setting in setup.options.items():
        if name not in known:
            help = did_you_mean(name, known) or (
                f"its options are {', '.join(known)}" if known else "it has no options"
            )
            diagnostics.add(
                "E0314", setting.span or game.name.span, f"'{game.name.name}' has no option '{name}'", help=help
            )


def _nothing(span: Span) -> Declarations:
    return Declarations(span=span)
