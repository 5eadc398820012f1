"""Modifiers that have nothing to do with one another may be laid over one another in either order.

`load` takes modifiers by name, so that a record means one thing; here the sequence is turned round.
"""

from __future__ import annotations

from functools import cache
from pathlib import Path
from random import Random

import pytest
from turned import fields_by_name, play_alike

from rulesdsl import load, verdicts
from rulesdsl.interpreter import Match, Plain
from rulesdsl.interpreter.run.machine import Machine
from rulesdsl.ir.nodes import Program
from rulesdsl.pipeline import build
from rulesdsl.variants.findings import Kind

Pair = tuple[str, str]

SIDE_BY_SIDE: tuple[Pair, ...] = (
    ("double-dutch", "pass-it-on"),
    ("heads-up-7-up", "pass-it-on"),
    ("heads-up-7-up", "your-other-right"),
    ("i-could-have-won", "yoink"),
)
"""Pairs whose steps or fields come to lie side by side, so that the two programs are not the same to the letter."""


@cache
def independent() -> tuple[Pair, ...]:
    """The pairs of the rules of Tricky Kids between which the checker finds nothing."""
    pairs = verdicts("tricky-kids").pairs
    found = (sorted(pair) for pair, verdict in pairs.items() if verdict.kind is Kind.INDEPENDENT)
    return tuple(sorted((first, second) for first, second in found))


def composed(*modifiers: str) -> Program:
    return fields_by_name(build("tricky-kids", modifiers, {}, as_named=True)[0])


def plays_alike_either_way(pair: Pair, players: int, seed: int) -> None:
    orders = composed(*pair), composed(*reversed(pair))
    assert [order.modifiers for order in orders] == [pair, (pair[1], pair[0])]
    assert play_alike([Machine(order, players) for order in orders], seed) > 21 * players


def test_most_pairs_are_independent() -> None:
    # Of the 153 pairs 9 exclude each other, 3 leave one without effect, and 18 of the 20 that need an order or a scope
    # share a slot; the other two are questions about words.
    assert len(independent()) == 153 - 9 - 3 - 18


@pytest.mark.parametrize("pair", SIDE_BY_SIDE, ids="+".join)
def test_either_order_plays_the_same_match(pair: Pair) -> None:
    assert pair in independent()
    plays_alike_either_way(pair, 3, 5)


def test_some_pairs_by_chance_play_the_same_match_in_either_order() -> None:
    for number, pair in enumerate(Random(9).sample(independent(), 4)):
        plays_alike_either_way(pair, 2 + number, number)


@pytest.mark.nightly
@pytest.mark.parametrize("seed", [0, 1])
def test_all_independent_pairs_play_the_same_match_in_either_order(seed: int) -> None:
    for number, pair in enumerate(independent()):
        plays_alike_either_way(pair, 2 + (number + 2 * seed) % 5, seed)


# ── the order is really another one ──────────────────────────────────────────────────────────────────────────────

GAME = """\
rulesdsl: 1
game: example
title: Example
players: 2
state:
  worth: { start: 1 }
phases:
  - decision: choose
    by: first(players)
    choose: { number: a number from 0 to worth }
winners: players
"""

MODIFIER = """\
rulesdsl: 1
modifier: {name}
of: example
title: {name}
changes:
  before choose: set worth to {value}
"""

CHOOSES = """\
rulesdsl: 1
modifier: {name}
of: example
title: Another number is asked for
changes:
  decision choose: {{ choose: {{ number: a number from 5 to 6 }}{guard} }}
"""

ADDS = """\
rulesdsl: 1
modifier: adds
of: example
title: Something more is asked for
changes:
  decision choose: { add: { sure: yes or no } }
"""


@pytest.mark.parametrize("guard", ["", ", when: count(players) is 2"])
@pytest.mark.parametrize("name", ["a-choice", "z-choice"])
def test_what_is_added_stays_when_another_one_chooses(tmp_path: Path, name: str, guard: str) -> None:
    (tmp_path / "modifiers").mkdir()
    (tmp_path / "game.yaml").write_text(GAME, encoding="utf-8")
    (tmp_path / "modifiers" / f"{name}.yaml").write_text(CHOOSES.format(name=name, guard=guard), encoding="utf-8")
    (tmp_path / "modifiers" / "adds.yaml").write_text(ADDS, encoding="utf-8")
    decision = Match(load(tmp_path, modifiers=[name, "adds"])).decision
    answers: list[Plain] = [{"number": str(n), "sure": sure} for n in (5, 6) for sure in ("true", "false")]
    assert [decision.check(answer) for answer in answers] == [True] * 4
    assert not decision.check({"number": "1", "sure": "true"})
    assert not decision.check({"number": "5"})


def test_of_two_that_need_an_order_each_order_plays_its_own_match(tmp_path: Path) -> None:
    (tmp_path / "modifiers").mkdir()
    (tmp_path / "game.yaml").write_text(GAME, encoding="utf-8")
    for name, value in (("doubled", "2 * worth"), ("turned", "10 - worth")):
        text = MODIFIER.format(name=name, value=value)
        (tmp_path / "modifiers" / f"{name}.yaml").write_text(text, encoding="utf-8")

    def options(*modifiers: str) -> int:
        return len(Match(build(str(tmp_path), modifiers, {}, as_named=True)[0]).decision.options)

    # What is named first works first: 10 - 2, and 2 times (10 - 1); with 0 there is one option more.
    assert options("doubled", "turned") == 1 + 8
    assert options("turned", "doubled") == 1 + 18
