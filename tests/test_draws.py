"""Rule cards that lie in force together mean the same, in whichever order they were turned up."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations, permutations
from random import Random

import pytest
from kids_rules import fit_together
from test_rule_cards import NAMES
from turned import play_alike

from rulesdsl import load
from rulesdsl.interpreter.run.chance import Scripted
from rulesdsl.interpreter.run.machine import Machine
from rulesdsl.ir.nodes import Program

THREE_AT_ONCE = """\
rulesdsl: 1
modifier: three-at-once
of: tricky-kids
title: Three rules are turned up at the very beginning, and no more
changes:
  phase rule_card:
    when: proceed and round is 1
    do: [reveal_rule, reveal_rule, reveal_rule]
"""
"""So that one match sees all three from its first deal on, whatever their order."""

TRIPLES = [triple for triple in combinations(NAMES, 3) if fit_together(triple)]
SETTLED = [
    ("heads-up-7-up", "i-could-have-won", "pass-it-on"),
    ("i-could-have-won", "stop-showing-off", "yoink"),
    ("simple-addition", "smalls", "take-backsies"),
]
"""Triples in which every pair, or two of them, are put in order by the settlement of the game."""


@pytest.fixture(scope="module")
def mega(tmp_path_factory: pytest.TempPathFactory) -> Program:
    path = tmp_path_factory.mktemp("draws") / "three-at-once.yaml"
    path.write_text(THREE_AT_ONCE, encoding="utf-8")
    return load("tricky-kids", modifiers=[str(path)], options={"mode": "mega"})


def drawing(mega: Program, players: int, orders: Sequence[Sequence[str]]) -> list[Machine]:
    """A machine for each order, on which the rules lie on the deck in that order."""
    first = Machine(mega, players, observe=False)
    numbers = [tuple(mega.switchable.index(name) for name in reversed(order)) for order in orders]
    return [
        Machine(mega, players, chance=Scripted({"rule_deck": [order]}), observe=False, like=first) for order in numbers
    ]


def in_force(machine: Machine) -> set[str]:
    """The rules in force when the first cards have been dealt."""
    state = machine.start(0)
    machine.advance(state)
    held = state[machine.layout.zone_of("in_force").cell]
    return {name for number, name in enumerate(machine.program.switchable) if held >> number & 1}


def draws_in_every_order(mega: Program, triple: Sequence[str], players: int, seed: int) -> None:
    machines = drawing(mega, players, list(permutations(triple)))
    assert all(in_force(machine) == set(triple) for machine in machines)
    assert play_alike(machines, seed) > 3 * players


def test_all_triples_that_go_together() -> None:
    assert len(TRIPLES) == 680


@pytest.mark.parametrize("triple", [*SETTLED, *Random(4).sample(TRIPLES, 1)], ids="+".join)
def test_three_rules_mean_the_same_in_every_order(mega: Program, triple: tuple[str, ...]) -> None:
    draws_in_every_order(mega, triple, 2, 8)


def test_of_two_that_exclude_each_other_the_first_one_stays(mega: Program) -> None:
    orders = [("rich-kids", "stop-showing-off"), ("stop-showing-off", "rich-kids")]
    found = [in_force(machine) for machine in drawing(mega, 2, orders)]
    assert [set(orders[0]) & rules for rules in found] == [{"rich-kids"}, {"stop-showing-off"}]


@pytest.mark.nightly
@pytest.mark.parametrize("players", [2, 3, 4, 5, 6])
def test_all_triples_mean_the_same_in_every_order(mega: Program, players: int) -> None:
    for seed, triple in enumerate(TRIPLES[players - 2 :: 5]):
        draws_in_every_order(mega, triple, players, seed)
