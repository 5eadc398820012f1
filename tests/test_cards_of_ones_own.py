"""Somebody's own cards, in a folder far from the project: they join the pack of a game without touching it."""

from __future__ import annotations

from pathlib import Path

import pytest
from typer.testing import CliRunner

import rulesdsl
from rulesdsl.cli.app import app
from rulesdsl.interpreter.host.table import table_for

RUNNER = CliRunner()

FILES = {
    "harbour.yaml": """\
rulesdsl: 1
cards: harbour
title: Five cards from the harbour
of: card
adds_to: treasures-and-traps

rows:
  - id: H1
    name: Pilot's Lantern
    class: item
    subtype: magic
    enter: 3
    exit: 4
    goes: own
    helps_when: attempt.kind is exit and attempt.player is player
    helps: change_roll(1)
  - id: H2
    name: Undertow
    class: trap
    enter: 3
    exit: 0
    goes: opponent
    victims: others where any(it.hand)
    targets: { victim: a player from self.victims }
    when_entered:
      - lose_actions(victim, 1)
      - lose_hand(victim, 1)
  - id: H3
    name: Lighthouse
    class: place
    enter: 4
    exit: 4
    goes: own
    while_in_play:
      hand_limit(player): { add: 1 if player is holder(self) else 0 }
      roll_bonus(kind, player, card):
        add: 1 if kind is exit and player is holder(self) and card.class is trap else 0
  - id: H4
    name: Kelpie
    class: creature
    enter: 4
    exit: 5
    goes: wild
    choices: loot(players.realm) where gear(it)
    targets: { prey: 1 to 2 cards from self.choices }
    when_entered: take(prey, self)
    when_defeated: draw_up(by, 2)
  - id: H5
    name: Sudden Calm
    class: surprise
    enter: 3
    exit: 0
    goes: wild
    reacts_when: attempt.kind is exit
    reacts: cancel_attempt
""",
    "tests/harbour.test.yaml": """\
rulesdsl: 1
test: harbour
of: treasures-and-traps

scenarios:
  - name: the lantern helps an exit of its holder, and is used up
    with: [harbour]
    start: turn
    state: { on_turn: 0, place_in_order: 0, played_before: [true, true] }
    zones: { hand: [[T003], []], realm: [[H1], [T001]] }
    chance: { natural: [3] }
    play:
      - 0: { exit: T001 }
      - 0: H1
    expect:
      decision: action
      zones: { realm: [none, none], discard: [T001, H1] }

  - name: the undertow costs an action and a card
    with: [harbour]
    start: turn
    state: { on_turn: 0, place_in_order: 0, played_before: [true, true] }
    zones: { hand: [[H2, T001], [T002]] }
    chance: { natural: [3] }
    play:
      - 0: { enter: { card: H2, victim: 1 } }
    expect:
      state: { actions_lost: [0, 1] }
      zones: { hand: [[T001], none], realm: [none, [H2]], discard: T002 }

  - name: nobody without a card is caught in it
    with: [harbour]
    start: turn
    state: { on_turn: 0, place_in_order: 0, played_before: [true, true] }
    zones: { hand: [[H2, T001], []] }
    expect:
      options: [{ enter: { card: T001 } }, { replace: T001 }, { replace: H2 }]

  - name: the lighthouse works beside the cards of the game
    with: [harbour]
    zones: { realm: [[H3, T067, T060], [T077]] }
    expect:
      values:
        hand_limit: [7, 5]
        roll_bonus(exit, 0, T077): 2
        roll_bonus(exit, 0, T067): 1

  - name: the kelpie takes, and pays whoever defeats it
    with: [harbour]
    start: turn
    state: { on_turn: 0, place_in_order: 0, played_before: [true, true] }
    zones: { hand: [[H4], [T005]], realm: [[], [T043, T060, T001]], deck: [T009, T010] }
    chance: { natural: [4, 5] }
    play:
      - 0: { enter: { card: H4, prey: [T043, T060] } }
      - 0: { exit: H4 }
    expect:
      after: actions
      zones: { hand: [[T009, T010], [T005]], realm: [[T043, T060], [T001]], discard: H4 }

  - name: the calm stops an exit, and is countered like any surprise
    with: [harbour]
    start: turn
    state: { on_turn: 0, place_in_order: 0, played_before: [true, true, true] }
    zones: { hand: [[T003], [H5], [T096]], realm: [[T001], [], []] }
    chance: { natural: [3, 6] }
    play:
      - 0: { exit: T001 }
      - 1: H5
      - 2: T096
    expect:
      decision: action
      zones: { realm: [none, none, none], discard: [T001, H5], wild: T096 }

  - name: the signposts turn the undertow to another
    with: [harbour]
    start: turn
    state: { on_turn: 0, place_in_order: 0, played_before: [true, true, true] }
    zones: { hand: [[H2, T001], [T002, T094], [T004]] }
    chance: { natural: [4, 3] }
    play:
      - 0: { enter: { card: H2, victim: 1 } }
      - 1: T094
      - 1: { victim: 2 }
    expect:
      state: { actions_lost: [0, 0, 1] }
      zones: { hand: [[T001], [T002], none], discard: T004 }
""",
}


def run(*arguments: str) -> tuple[int, str, str]:
    """A command: its exit status, standard output and standard error."""
    result = RUNNER.invoke(app, list(arguments), env={"NO_COLOR": "1", "COLUMNS": "120"})
    if result.exception is not None and not isinstance(result.exception, SystemExit):
        raise result.exception
    return result.exit_code, result.stdout, result.stderr


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    home = tmp_path_factory.mktemp("harbour")
    for name, text in FILES.items():
        path = home / name
        path.parent.mkdir(exist_ok=True)
        path.write_text(text, encoding="utf-8")
    return home


def test_the_file_is_checked_in_its_game(folder: Path) -> None:
    status, out, _ = run("validate", str(folder))
    assert (status, out) == (0, "")


def test_each_of_the_five_works(folder: Path) -> None:
    status, out, err = run("test", str(folder))
    assert status == 0, out
    assert "7 passed" in err


def test_they_are_in_the_pack(folder: Path) -> None:
    program = rulesdsl.load("treasures-and-traps", modifiers=[str(folder / "harbour.yaml")])
    assert table_for(program, 2).layout.packs["card"].size == 105
    assert table_for(rulesdsl.load("treasures-and-traps"), 2).layout.packs["card"].size == 100


def test_they_are_played_with_and_can_be_read(folder: Path) -> None:
    cards = str(folder / "harbour.yaml")
    status, out, err = run(
        "simulate", "treasures-and-traps", "-n", "1", "--players", "2", "--with", cards, "--seed", "5"
    )
    assert status == 0, out + err
    assert "error" not in out + err
    status, out, err = run("explain", "treasures-and-traps", "--cards", "--with", cards)
    assert status == 0, out + err
    for name in ("Pilot's Lantern", "Undertow", "Lighthouse", "Kelpie", "Sudden Calm"):
        assert name in out
