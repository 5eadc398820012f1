"""A game with each of its modifiers alone: programs for judging the modifiers pair by pair.

Of the modifiers that could come into force during a match only the names are left, since the game may speak of them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field

from .diagnostic import Diagnostics
from .elaborate import Beside, Setting, elaborate
from .ir.nodes import Program
from .syntax.document import Declarations, GameDoc, LibraryDoc, ModifierDoc, Named
from .syntax.powers import CardList
from .variants.findings import Matrix, Verdict
from .variants.reads import Modifier, files_of
from .variants.verdicts import group_verdict, matrix

CardLists = dict[tuple[str, str], CardList]


@dataclass(frozen=True, slots=True)
class Apart:
    """Makes the programs. `libraries` and `card_files` read what documents ask for."""

    game: GameDoc
    beside: Beside
    options: Mapping[str, Setting]
    libraries: Callable[[Iterable[Named]], tuple[LibraryDoc, ...]]
    card_files: Callable[[Iterable[LibraryDoc], Iterable[ModifierDoc]], CardLists]
    problems: Diagnostics = field(default_factory=Diagnostics)
    """What is wrong with a program that could not be made."""

    def program(self, *chosen: ModifierDoc) -> Program | None:
        """The game with what is chosen; None if something is wrong with that."""
        game, found = self.game, Diagnostics()
        libraries = self.libraries([*game.uses, *(name for document in chosen for name in document.uses)])
        declared = [*game.declares.options, *(o for library in libraries for o in library.declares.options)]
        known = {option.name for option in (*declared, *(o for document in chosen for o in document.adds.options))}
        settings = {name: value for name, value in self.options.items() if name in known}
        lists = self.card_files((game, *libraries), chosen)
        beside = Beside(tuple(_name_alone(modifier) for modifier in self.beside.modifiers), self.beside.tags)
        program = elaborate(game, libraries, chosen, settings, found, card_files=lists, beside=beside)
        self.problems.extend(found.errors)
        return None if found.errors else program

    def matrix(self, modifiers: Iterable[ModifierDoc]) -> Matrix:
        """The verdicts on pairs of modifiers. One that is wrong by itself, which its own check tells, meets nobody."""
        return matrix(self.game.name.name, self._compared(modifiers))

    def judged(
        self, modifiers: Iterable[ModifierDoc], groups: Iterable[tuple[str, ...]]
    ) -> dict[frozenset[str], Verdict]:
        """The verdicts on pairs of modifiers, and on larger groups as a whole."""
        compared = {modifier.name: modifier for modifier in self._compared(modifiers)}
        found = dict(matrix(self.game.name.name, tuple(compared.values())).pairs)
        for names in groups:
            if compared.keys() >= set(names):
                found[frozenset(names)] = group_verdict([compared[name] for name in names])
        return found

    def _compared(self, modifiers: Iterable[ModifierDoc]) -> list[Modifier]:
        base = self.program()
        compared: list[Modifier] = []
        for document in sorted(modifiers, key=lambda document: document.name.name) if base is not None else ():
            program = self.program(document)
            if base is not None and program is not None:
                compared.append(Modifier(document.name.name, base, program, files_of(program) - files_of(base)))
        return compared


def _name_alone(modifier: ModifierDoc) -> ModifierDoc:
    nothing = Declarations(span=modifier.span)
    return ModifierDoc(
        name=modifier.name, title=modifier.title, of=modifier.of, kind=modifier.kind, adds=nothing, span=modifier.span
    )
