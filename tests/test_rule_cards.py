"""Tricky Kids with its rules as cards: a rule that is turned up does what it does when chosen before the match."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from functools import cache
from itertools import combinations
from random import Random

import pytest
from kids_rules import CONFLICTS, fit_together
from together import steps, with_cards_in_force

import rulesdsl
from project import ROOT
from rulesdsl import ScenarioDoc
from rulesdsl.cli.test import as_scenario
from rulesdsl.interpreter import Match, Plain, replay, run_scenario
from rulesdsl.ir.nodes import Program

KIDS = ROOT / "games" / "tricky-kids"

NAMES = sorted(path.stem for path in (KIDS / "modifiers").glob("*.yaml"))
PAIRS = [pair for pair in combinations(NAMES, 2) if fit_together(pair)]


@cache
def kids(*modifiers: str, **options: str) -> Program:
    return rulesdsl.load(KIDS, modifiers=modifiers, options={"mode": "mega", **options})


def scenarios() -> Iterator[ScenarioDoc]:
    for path in sorted((KIDS / "tests").glob("*.test.yaml")):
        doc, problems = rulesdsl.read_test(path)
        assert doc is not None and problems == []
        if doc.of.name == "tricky-kids":  # a variant may have modifiers that are no rule cards
            yield from (scenario for scenario in doc.scenarios if scenario.with_)


def test_the_rules_that_exclude_one_another() -> None:
    assert list(kids().switchable) == NAMES
    assert {frozenset(pair) for pair in kids().verdicts.exclusive} == CONFLICTS


@pytest.mark.parametrize("doc", list(scenarios()), ids=lambda doc: doc.name.name)
def test_a_rule_on_a_card_does_what_it_does_when_chosen(doc: ScenarioDoc) -> None:
    scenario = as_scenario(doc)
    cards: list[Plain] = [name.name for name in doc.with_]
    options = {name.name: value.name for name, value in doc.options}
    turned_up = replace(scenario, zones={**scenario.zones, "in_force": cards})
    assert run_scenario(kids(**options), turned_up) == []


def told(program: Program, seed: int) -> list[object]:
    """A match, without the states that the rules add."""
    own = {"round", "leader", "stake", "gained", "kept", "bonus", "out"}
    found: list[object] = []
    for step in steps(program, seed, 3):
        if isinstance(step, list):
            step = [{**view, "state": {name: view["state"].get(name) for name in own}} for view in step]
        found.append(step)
    return found


@pytest.mark.parametrize("names", Random(3).sample([*((name,) for name in NAMES), *PAIRS], 4), ids="+".join)
def test_x13_the_same_matches_as_a_game_made_for_the_rules(names: tuple[str, ...]) -> None:
    alone = with_cards_in_force(kids(*names), names)
    assert told(with_cards_in_force(kids(), names), 1) == told(alone, 1)


@pytest.mark.parametrize("mode", ["tricky", "mega"])
def test_matches_with_rule_cards_replay(mode: str) -> None:
    program = rulesdsl.load("tricky-kids", options={"mode": mode})
    for seed in range(3):
        match = Match(program, players=2 + seed, seed=seed)
        random = Random(seed)
        while not match.finished:
            match.choose_random(random)
        again = replay(match.record(), program)
        assert again.digest() == match.digest()
        assert again.result == match.result
