"""What the commands that play have in common: a game, what goes with it, how many play, and where chance begins."""

from __future__ import annotations

import secrets
from collections.abc import Iterable
from dataclasses import dataclass
from typing import NoReturn

import typer

from rulesdsl import Program, load
from rulesdsl.interpreter import UnknownBot, bot_named

from .console import tell


@dataclass(frozen=True, slots=True)
class Setting:
    """A game as the command line names it; what is None is settled when the game is loaded."""

    game: str
    modifiers: list[str]
    options: list[str]
    players: int | None
    seed: int | None

    def program(self) -> Program:
        """The game, ready to run.

        Raises:
            RuleFileError: if its files have problems.
        """
        return load(self.game, modifiers=self.modifiers, options=self._settings())

    def _settings(self) -> dict[str, str]:
        settings = {}
        for option in self.options:
            name, equals, value = option.partition("=")
            if not (name and equals and value):
                misuse(f"'--set {option}' should name an option and its value, as in '--set rounds=5'")
            settings[name.strip()] = value.strip()
        return settings

    def table(self, program: Program) -> tuple[int, int]:
        """How many play, and the seed; a seed nobody gave is drawn and told, so that the match can be had again."""
        low, high = program.players
        players = low if self.players is None else self.players
        if not low <= players <= high:
            many = f"{low}" if low == high else f"{low} to {high}"
            misuse(f"{program.title} is for {many} players, not for {players}")
        if self.seed is not None:
            return players, self.seed
        seed = secrets.randbelow(1_000_000)
        tell(f"seed {seed}")
        return players, seed


def check_bots(names: Iterable[str]) -> None:
    """Whether there are bots of these names; if not, the command ends."""
    for name in names:
        try:
            bot_named(name, 0)
        except UnknownBot as problem:
            misuse(str(problem))


def misuse(message: str) -> NoReturn:
    """Ends the command with status 2 and says why."""
    tell(message)
    raise typer.Exit(2)
