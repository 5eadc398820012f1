"""The front door: a game by name or path, as a checked program.

A program that was checked once is kept in the user's cache folder, under what was asked for; it is taken from there as
long as every file it was made from is the same to the byte and no file was put beside them. Playing a game for the
second time then needs neither the parser nor the schemas.

`RULESDSL_CACHE` names another folder; empty, nothing is kept.
"""

from __future__ import annotations

import hashlib
import os
import pickle
import sys
from collections.abc import Iterable, Mapping
from contextlib import suppress
from pathlib import Path

from . import catalog
from .ir.nodes import Program

_FORMAT = 1
_UNREADABLE = (
    OSError,
    EOFError,
    pickle.UnpicklingError,
    AttributeError,
    ImportError,
    LookupError,
    TypeError,
    ValueError,
)
"""What reading a file of another version, or half a file, may raise; it is made anew then."""


def load(name: str | Path, modifiers: Iterable[str] = (), options: Mapping[str, object] | None = None) -> Program:
    """A game, ready to run: a shipped game's name, a folder, or a file of a game or a variant.

    `modifiers` are names of modifiers of the game, or paths; `options` its settings, by name.

    Raises:
        RuleFileError: with everything that is wrong with its files.
    """
    asked = (str(name), tuple(modifiers), tuple(sorted((key, _text(value)) for key, value in (options or {}).items())))
    kept = _place_of(asked)
    program = _kept(kept) if kept is not None else None
    if program is not None:
        return program
    from .pipeline import build

    program, files = build(asked[0], asked[1], dict(asked[2]))
    if kept is not None:
        _keep(kept, program, files)
    return program


def _text(value: object) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)


# ── the cache ────────────────────────────────────────────────────────────────────────────────────────────────────


def _folder() -> Path | None:
    named = os.environ.get("RULESDSL_CACHE")
    if named is not None:
        return Path(named) if named else None
    base = os.environ.get("XDG_CACHE_HOME")
    try:
        return (Path(base) if base else Path.home() / ".cache") / "rulesdsl"
    except RuntimeError:  # nobody's home
        return None


def _place_of(asked: tuple[object, ...]) -> Path | None:
    """Where a program for what was asked is kept; None if nothing is, or if there is no such game."""
    folder = _folder()
    path = catalog.named(str(asked[0]))
    if folder is None or path is None:
        return None
    beside = sorted(str(file) for inner in ("*", "*/*", "../*") for file in path.parent.glob(f"{inner}.yaml"))
    key = repr((_FORMAT, _version(), sys.version_info[:2], os.getcwd(), str(path.resolve()), asked, beside))
    return folder / f"{hashlib.sha256(key.encode()).hexdigest()[:32]}.program"


def _version() -> tuple[object, ...]:
    """What a kept program depends on besides its files: the package's own code, by size and time."""
    code = sorted(Path(__file__).parent.rglob("*.py"))
    return tuple((file.name, (stat := file.stat()).st_size, stat.st_mtime_ns) for file in code)


def _kept(place: Path) -> Program | None:
    try:
        files, program = pickle.loads(place.read_bytes())
        same = all(hashlib.sha256(Path(file).read_bytes()).hexdigest() == digest for file, digest in files)
    except _UNREADABLE:
        return None
    return program if same and isinstance(program, Program) else None


def _keep(place: Path, program: Program, files: Iterable[Path]) -> None:
    """Keeps a program, whole or not at all; a cache that can't be written is none."""
    with suppress(OSError):
        stamps = [(str(file.resolve()), hashlib.sha256(file.read_bytes()).hexdigest()) for file in files]
        place.parent.mkdir(parents=True, exist_ok=True)
        half = place.with_suffix(f".{os.getpid()}")
        half.write_bytes(pickle.dumps((stamps, program)))
        half.replace(place)
