"""The programs over which every invariant of a machine is held: each test here runs once for every one of them."""

from __future__ import annotations

import sys
from collections.abc import Callable
from functools import partial
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parent.parent))

from small_games import GAMES

from rulesdsl import load
from rulesdsl.interpreter.run.machine import Machine
from rulesdsl.ir.nodes import Program

SHIPPED = (
    ("bloody-legacy", 2),
    ("bloody-legacy", 4),
    ("trappola", 2),
    ("tricky-traps", 2),
    ("tricky-traps", 3),
    ("tricky-traps", 5),
    ("tricky-kids", 3),
)
CASES = Path(__file__).parent.parent / "cases" / "ok"
WIZARDS = ((str(CASES / "powers"), 2), (str(CASES / "powers"), 4))
"""Cards with powers of every form."""
STACKS = (
    ("tricky-kids", ("double-dutch", "pass-it-on", "peek-a-boo", "take-backsies"), 2),
    ("tricky-kids", ("fractions-are-hard", "i-could-have-won", "ring-around-the-rosie", "yoink"), 4),
    ("tricky-kids", ("heads-up-7-up", "rotten-egg", "simple-addition", "smalls"), 3),
)

PROGRAMS: dict[str, tuple[Callable[[], Program], int]] = (
    GAMES
    | {f"{Path(game).name} for {seats}": (partial(load, game), seats) for game, seats in (*SHIPPED, *WIZARDS)}
    | {
        f"{game} with {' '.join(modifiers)} for {seats}": (partial(load, game, modifiers), seats)
        for game, modifiers, seats in STACKS
    }
)
"""By name, what makes a program, and for how many seats it is played here."""

LONG = {name for name in PROGRAMS if name.startswith("tricky-kids with") and not name.endswith("for 2")}
"""Those that take too long for every run."""

SHORT = sorted(PROGRAMS.keys() - LONG)

_machines: dict[str, Machine] = {}


@pytest.fixture(params=[pytest.param(n, marks=[pytest.mark.nightly] * (n in LONG)) for n in sorted(PROGRAMS)])
def name(request: pytest.FixtureRequest) -> str:
    """The name of a game."""
    chosen: str = request.param
    return chosen


@pytest.fixture
def machine(name: str) -> Machine:
    """A machine that observes; the same one for all tests of a game."""
    if name not in _machines:
        make, seats = PROGRAMS[name]
        _machines[name] = Machine(make(), seats)
    found = _machines[name]
    found.take_events()
    return found
