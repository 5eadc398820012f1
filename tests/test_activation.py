"""Modifiers that come into force during a match: one program holds them all, each change under its guard.

The games are `tests/cases/ok/edicts`, which has a modifier for every kind of change, and small ones written here.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from itertools import combinations, permutations
from pathlib import Path
from random import Random

import pytest
from together import steps, with_cards_in_force

import rulesdsl
from project import ROOT
from rulesdsl.interpreter import Match
from rulesdsl.ir.dump import dump
from rulesdsl.ir.nodes import Program

EDICTS = ROOT / "tests" / "cases" / "ok" / "edicts"
NAMES = sorted(path.stem for path in (EDICTS / "modifiers").glob("*.yaml") if path.stem != "quiet")
EXCLUSIVE = [("by-marks", "middle-wins"), ("low-wins", "middle-wins")]
"""Each gives another value to who takes a trick; what `by-marks` and `low-wins` make together is settled."""
PAIRS = [pair for pair in combinations(NAMES, 2) if pair not in EXCLUSIVE]
SOME_PAIRS = [("by-marks", "low-wins"), ("show-one", "swap"), *Random(7).sample(PAIRS, 8)]


@cache
def edicts() -> Program:
    return rulesdsl.load(EDICTS)


def told(program: Program, seed: int) -> list[object]:
    """A match, with the states of the game alone: those that modifiers add are there or not, and tell nothing."""
    own = {"round", "leader", "points"}
    found: list[object] = []
    for step in steps(program, seed, 3):
        if isinstance(step, list):
            step = [{**view, "state": {name: view["state"][name] for name in own}} for view in step]
        found.append(step)
    return found


# ── which there are ──────────────────────────────────────────────────────────────────────────────────────────────


def test_there_is_a_card_for_each_modifier_with_the_tag() -> None:
    assert list(edicts().switchable) == NAMES
    assert edicts().modifiers == ()


def test_pairs_that_exclude_one_another_are_known_before_the_match() -> None:
    assert list(edicts().verdicts.exclusive) == EXCLUSIVE


# ── X13: a program for a set alone, and the one program for all ──────────────────────────────────────────────────


@pytest.mark.parametrize("names", [(), *((name,) for name in NAMES), *SOME_PAIRS], ids="+".join)
def test_x13_the_same_matches_as_a_program_made_for_the_set(names: tuple[str, ...]) -> None:
    alone = rulesdsl.load(EDICTS, modifiers=names)
    for seed in range(2):
        assert told(with_cards_in_force(edicts(), names), seed) == told(with_cards_in_force(alone, names), seed)


def test_every_modifier_makes_a_difference() -> None:
    without = told(with_cards_in_force(edicts(), ()), 1)
    assert [name for name in NAMES if told(with_cards_in_force(edicts(), [name]), 1) == without] == []


# ── X1: no order of files or names matters ───────────────────────────────────────────────────────────────────────


def test_x1_the_order_of_names_does_not_matter() -> None:
    names = ("double", "one-more", "swap", "show-one")
    dumps = {dump(rulesdsl.load(EDICTS, modifiers=order)) for order in permutations(names)}
    assert len(dumps) == 1


# ── X6: what is in force follows from where the cards lie ────────────────────────────────────────────────────────


def active_cards(match: Match) -> list[str]:
    return next(zone["cards"] for zone in match.view(0)["zones"] if zone["zone"] == "in_force")


@pytest.mark.parametrize(("mode", "most"), [("one_a_round", 1), ("more_and_more", 2)])
def test_cards_in_force_pile_up_or_leave(mode: str, most: int) -> None:
    program = rulesdsl.load(EDICTS, options={"mode": mode})
    for seed in range(12):
        match = Match(program, players=3, seed=seed)
        choices = Random(seed)
        seen = 0
        while not match.finished:
            cards = active_cards(match)
            seen = max(seen, len(cards))
            assert not any(pair in EXCLUSIVE for pair in combinations(sorted(cards), 2))
            match.choose(choices.choice(match.decision.options))
        assert seen == most
        assert match.result.end == "finished"


# ── started by a step ────────────────────────────────────────────────────────────────────────────────────────────

STARTED = """\
rulesdsl: 1
game: example
title: Example
players: 2

cards:
  card: { every: { number: 1 to 4 } }

zones:
  pack: { shape: stack, start: all }

state:
  turn: { start: 0 }
  found: { type: list of number }

rules:
  worth: 1

phases:
  - phase: outer
    repeat:
      - add 1 to turn
      - phase: inner
        do:
          - if: turn is 2
            then: start double for inner
          - if: turn is 3
            then: start double for outer
          - if: turn is 5
            then: stop double
          - add worth to found
      - add worth to found
      - decision: go_on
        by: first(players)
        choose: { more: yes or no }
    times: 6
  - add worth to found
winners: players
"""

DOUBLE = """\
rulesdsl: 1
modifier: double
of: example
title: Double

changes:
  worth: { multiply: 2 }
"""


@pytest.fixture
def started(tmp_path: Path) -> Iterator[Program]:
    (tmp_path / "modifiers").mkdir()
    (tmp_path / "game.yaml").write_text(STARTED, encoding="utf-8")
    (tmp_path / "modifiers" / "double.yaml").write_text(DOUBLE, encoding="utf-8")
    yield rulesdsl.load(tmp_path)


def test_a_started_modifier_lasts_as_long_as_its_phase(started: Program) -> None:
    match = Match(started)
    while not match.finished:
        match.choose(match.decision.options[0])
    # In `inner` and after it, turn by turn, and once at the end: in turn 2 for the inner phase alone, in turn 3 for the
    # outer one, until it is stopped in turn 5.
    assert match.view(0)["state"]["found"] == [1, 1, 2, 1, 2, 2, 2, 2, 1, 1, 1, 1, 1]


def test_what_was_started_is_taken_back_with_a_choice(started: Program) -> None:
    match = Match(started)
    for _ in range(3):
        match.choose(match.decision.options[0])
    before = match.digest()
    match.choose(match.decision.options[0])
    match.undo()
    assert match.digest() == before


@pytest.mark.parametrize(
    ("step", "where", "problems"),
    [
        ("start double for inner", "          - if: turn is 5\n", []),
        ("start double for outer", "          - if: turn is 5\n", []),
        ("start double for match", "  - add worth to found\nwinners", []),
        ("start double for inner", "      - add worth to found\n      - decision", ["E0308"]),
        ("start double for outer", "  - add worth to found\nwinners", ["E0308"]),
    ],
)
def test_a_modifier_is_started_for_a_phase_that_can_run_there(
    tmp_path: Path, step: str, where: str, problems: list[str]
) -> None:
    indent = len(where) - len(where.lstrip())
    game = STARTED.replace(where, f"{' ' * indent}- {step}\n{where}")
    assert game != STARTED
    (tmp_path / "modifiers").mkdir()
    (tmp_path / "game.yaml").write_text(game, encoding="utf-8")
    (tmp_path / "modifiers" / "double.yaml").write_text(DOUBLE, encoding="utf-8")
    assert [found.code for found in rulesdsl.check(tmp_path / "game.yaml")] == problems
