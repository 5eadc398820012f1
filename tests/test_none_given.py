"""A procedure that is given nothing where it needs a value ends the match with an error, however it is run."""

from __future__ import annotations

from pathlib import Path

import pytest

import rulesdsl
from rulesdsl.interpreter.run.machine import Machine
from rulesdsl.interpreter.run.rng import Generator
from rulesdsl.interpreter.state.cells import ERROR, STATUS

GAME = """\
rulesdsl: 1
game: nobody
title: Nobody
players: 2
uses: [french-cards, deal]

state:
  somebody: { type: player }
  score: { each: player, start: 0 }

procedures:
  greet(player):
    - add 1 to player.score
  meet(player):
    - greet_with(player, 2)
  greet_with(player, number):
    - decision: hand_out
      choose: { card: a card from player.hand }
      else: []
    - add number to player.score

phases:
  - collect_and_shuffle
  - STEP

winners: highest(players by it.score)
"""
STEPS = {
    "alone": "greet(somebody)",
    "among others": "greet_with(somebody, 2)",
    "where all act together": "together: player\n    do: [ let friend be somebody, meet(friend) ]",
}


@pytest.mark.parametrize("step", STEPS.values(), ids=STEPS)
@pytest.mark.parametrize("at_once", [False, True], ids=["step by step", "at once"])
def test_nothing_given_is_an_error(step: str, at_once: bool, tmp_path: Path) -> None:
    path = tmp_path / "nobody.yaml"
    path.write_text(GAME.replace("STEP", step), encoding="utf-8")
    machine = Machine(rulesdsl.load(str(path)), 2)
    state = machine.start(1)
    if at_once:
        machine.playout(state, Generator.seeded(1).bounded)
    else:
        machine.advance(state)
    why = machine.why(state)
    assert state[STATUS] == ERROR
    assert why is not None
    assert "needs a value for 'player', and there is none" in why.message
