"""Playouts, in which decisions are made at once: the same steps as one by one, and the same ends."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from programs import NUMBER, SUIT, YES_NO, Op, all_of, cell, const, prim, variable
from small_games import GAMES
from small_pieces import game, number

import rulesdsl
from rulesdsl.interpreter import Match, playout
from rulesdsl.interpreter.host.bots import random_step
from rulesdsl.interpreter.run.machine import Machine
from rulesdsl.interpreter.run.rng import Generator
from rulesdsl.interpreter.state.cells import FINISHED, FP, LIMIT, PC, STATUS, STEPS
from rulesdsl.ir.nodes import (
    Alternative,
    Ask,
    Block,
    Each,
    Handler,
    Increase,
    Origin,
    Part,
    PickMembers,
    PickYesNo,
    Point,
    Repeat,
)
from rulesdsl.source import Source, Span
from rulesdsl.types import Seat, SetOf

SHIPPED = {f"{name} for {seats}": (name, seats) for name, seats in (("trappola", 2), ("tricky-traps", 3))}

ORIGIN = Origin("test", Span(Source("test", ""), 0, 0))


def machine(name: str) -> Machine:
    """A machine of a game for which nobody watches."""
    if name in SHIPPED:
        shipped, seats = SHIPPED[name]
        return Machine(rulesdsl.load(shipped), seats, observe=False)
    make, seats = GAMES[name]
    return Machine(make(), seats, observe=False)


def what_matters(of: Machine, state: list[Any]) -> list[Any]:
    """A state at the end without what the seats know and without where the machine stood and counted."""
    cells = state[: min(of.layout.seen.values())]
    cells[PC] = cells[FP] = cells[STEPS] = 0
    return cells


@pytest.mark.parametrize("name", [*GAMES, *SHIPPED])
def test_a_playout_draws_what_answering_one_by_one_draws(name: str) -> None:
    of = machine(name)
    for seed in range(4):
        state, chooser = of.start(seed), Generator.seeded(seed + 50)
        of.advance(state)
        middles = []
        decisions = 0
        while waiting := of.pending(state):
            if len(waiting) == 1 and decisions % 7 == 3:
                middles.append(state.copy())
            random_step(of, state, waiting[0], chooser)
            decisions += 1
        played, same_chooser = of.start(seed), Generator.seeded(seed + 50)
        of.playout(played, same_chooser.bounded)
        assert what_matters(of, played) == what_matters(of, state)
        assert same_chooser == chooser
        for middle in middles:
            of.playout(middle, chooser.bounded)
            assert middle[STATUS] in (FINISHED, LIMIT)


def played(steps: Block, **more: Any) -> tuple[Machine, list[Any]]:
    """A little game, played out."""
    of = Machine(game(steps, **more), 2)
    state = of.silent().start()
    of.silent().playout(state, Generator.seeded(1).bounded)
    return of, state


TURNS = (variable("turns", NUMBER),)
COUNT = Increase(number("turns"), const(1))


def nothing_to_pick() -> Ask:
    """A decision in which there is nothing to choose."""
    suits = cell(SetOf(SUIT), "suits")
    pick = PickMembers(const(0, SetOf(SUIT)))
    return Ask("nothing", "nothing", const(0, Seat()), (Alternative(None, (Part(suits, pick),)),))


@pytest.mark.parametrize("body", [(COUNT,), (nothing_to_pick(),), (nothing_to_pick(), COUNT)])
def test_what_never_ends_is_ended(body: Block) -> None:
    of, state = played((Repeat((Repeat(body, times=const(100_000)),), times=const(100_000)),), variables=TURNS)
    assert state[STATUS] == LIMIT
    assert of.why(state) is not None


def test_decisions_end_a_count() -> None:
    yes = cell(YES_NO, "yes")
    ask = Ask("yes", "yes", const(0, Seat()), (Alternative(None, (Part(yes, PickYesNo()),)),))
    seat = cell(Seat(), "seat")
    often = Repeat((ask, *[Each(seat, all_of(Seat()), (COUNT,) * 10)] * 25), times=const(2500))
    _, state = played((often,), variables=TURNS)
    assert state[STATUS] == FINISHED


def test_what_happens_instead_of_a_decision_counts_as_declining() -> None:
    yes = cell(YES_NO, "yes")
    instead = Handler(Point.INSTEAD, (COUNT,), ORIGIN, guard=prim(Op.LESS, number("turns"), const(2)))
    before = Handler(Point.BEFORE, (Increase(number("asked"), const(1)),), ORIGIN)
    after = Handler(Point.AFTER, (Increase(number("answered"), const(1)),), ORIGIN)
    ask = Ask(
        "yes",
        "yes",
        const(0, Seat()),
        (Alternative(None, (Part(yes, PickYesNo()),)),),
        otherwise=(Increase(number("declined"), const(1)),),
        handlers=(instead, before, after),
    )
    names = ("turns", "asked", "answered", "declined")
    kept = tuple(variable(name, NUMBER) for name in names)
    of, state = played((Repeat((ask,), times=const(5)),), variables=kept)
    assert [state[of.layout.variables[name].base] for name in names] == [2, 3, 3, 2]


BROKEN = """\
rulesdsl: 1
game: broken
title: Broken
players: 2
uses: [french-cards, deal]

state:
  left: { start: 3 }

phases:
  - phase: end
    each: player
    do:
      - decision: more
        choose: { again: yes or no }
      - set left to 6 div left
      - set left to 0

winners: players
"""


def test_a_playout_that_breaks_off_names_the_same_line(tmp_path: Path) -> None:
    (tmp_path / "game.yaml").write_text(BROKEN)
    program = rulesdsl.load(tmp_path)
    match = Match(program)
    chooser = Generator.seeded(2)
    while not match.finished:
        match.choose_random(chooser)
    result = playout(program, rng=Generator.seeded(1))
    assert (result.end, result.why) == ("error", match.result.why)
    assert result.why is not None
    assert "game.yaml:16" in result.why
