"""Where the files of a game are: shipped ones, and those of a user's folder. Of a file no more than its first
lines is read here.

A folder of a game holds `game.yaml`, `modifiers/`, `variants/` and `tests/`. A variant, modifier or scenario file may
lie in a folder of its own, without the game: the shipped game of that name is meant then.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from importlib.resources import files
from pathlib import Path

_NAME = re.compile(r"[A-Za-z][A-Za-z0-9_-]*")


def games_folder() -> Path:
    """The shipped games."""
    return Path(str(files("rulesdsl.games")))


def library_folder() -> Path:
    """The shipped libraries."""
    return Path(str(files("rulesdsl"))) / "std"


def shipped_games() -> list[str]:
    """The names of the shipped games."""
    return sorted(folder.parent.name for folder in games_folder().glob("*/game.yaml"))


def shipped_libraries() -> list[str]:
    """The names of the shipped libraries."""
    return sorted(file.stem for file in library_folder().glob("*.yaml"))


def named(text: str) -> Path | None:
    """The file that a user's word for a game means: a path, a folder with a game in it, or a shipped game."""
    path = Path(text)
    if os.path.isdir(path):
        return path / "game.yaml"
    if _is_there(path) or path.suffix in (".yaml", ".yml"):
        return path
    return shipped_game(text) if _NAME.fullmatch(text) else None


def shipped_game(name: str) -> Path | None:
    """The file of a shipped game."""
    path = games_folder() / name / "game.yaml"
    return path if _NAME.fullmatch(name) and _is_there(path) else None


def game_near(file: Path, name: str) -> Path | None:
    """The game that a file belongs to: in its own folder or the one above, else the shipped one of that name."""
    for folder in _folders_of(file):
        path = folder / "game.yaml"
        if _is_there(path) and _names_game(path, name):
            return path
    return shipped_game(name)


def game_of_variant(file: Path) -> Path | None:
    """The game that a variant is of; None for all other files."""
    head = _head(file)
    of = re.search(r"^of:\s*([\w-]+)", head, re.MULTILINE)
    return game_near(file, of[1]) if of is not None and re.search(r"^variant:", head, re.MULTILINE) else None


def modifier_near(name: str, places: tuple[Path, ...]) -> Path | None:
    """The file of a modifier, looked for beside each of the given files and in `modifiers/` below their folders."""
    for folder in (folder for file in places for folder in _folders_of(file)):
        for path in (folder / "modifiers" / f"{name}.yaml", folder / f"{name}.yaml"):
            if _is_there(path):
                return path
    return None


def modifiers_near(places: tuple[Path, ...]) -> list[str]:
    """The names of all modifiers that could be meant, for near misses."""
    return sorted(
        {path.stem for file in places for folder in _folders_of(file) for path in (folder / "modifiers").glob("*.yaml")}
    )


def modifier_files(places: tuple[Path, ...]) -> list[Path]:
    """The files of all modifiers beside the given files: those in `modifiers/` below their folders, each name once."""
    found: dict[str, Path] = {}
    for folder in (folder for file in places for folder in _folders_of(file)):
        for path in sorted((folder / "modifiers").glob("*.yaml")):
            found.setdefault(path.stem, path)
    return [found[name] for name in sorted(found)]


def settlement_near(game: Path) -> Path | None:
    """The file that says how the modifiers of a game fit together."""
    path = game.parent / "settlement.yaml"
    return path if _is_there(path) else None


def library_near(name: str, game: Path) -> Path | None:
    """The file of a library: in `libraries/` of the game's folder, else a shipped one."""
    for path in (game.parent / "libraries" / f"{name}.yaml", library_folder() / f"{name}.yaml"):
        if _is_there(path):
            return path
    return None


def cards_near(name: str, file: Path) -> Path | None:
    """The file of cards that a rule file names: in its folder, below it, or in that of its game; nowhere else."""
    for folder in _folders_of(file):
        path = folder / name
        if _is_there(path) and path.resolve().is_relative_to(folder.resolve()):
            return path
    return None


def shown_name(path: Path) -> str:
    """How a file is called in messages: shipped ones by their place in the project, others as people gave them."""
    resolved = path.resolve()
    here = Path.cwd()
    if resolved.is_relative_to(here):
        return str(resolved.relative_to(here))
    for folder, name in ((games_folder(), "games"), (library_folder(), "rulesdsl/std")):
        if resolved.is_relative_to(folder.resolve()):
            return f"{name}/{resolved.relative_to(folder.resolve()).as_posix()}"
    return str(path)


def stamped_name(path: Path) -> str:
    """How a file is called in records, wherever it lies: its folder and its name."""
    return f"{path.resolve().parent.name}/{path.name}"


def _is_there(path: Path) -> bool:
    """Whether there is such a file; a name that no system would take has none."""
    return os.path.exists(path)


def _folders_of(file: Path) -> Iterator[Path]:
    yield file.parent
    if file.parent.name in ("modifiers", "variants", "tests"):
        yield file.parent.parent


def _names_game(path: Path, name: str) -> bool:
    """Whether a game file is of that game, by its first lines; what is wrong in it is said when it is read."""
    return re.search(rf"^game:\s*{re.escape(name)}\s*$", _head(path), re.MULTILINE) is not None


def _head(path: Path) -> str:
    """The first lines of a file; nothing if it can't be read."""
    try:
        with path.open(encoding="utf-8", errors="replace") as file:
            return file.read(400)
    except OSError:
        return ""
