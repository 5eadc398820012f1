"""The cards of a game, listed by `explain` and told of in `play`; and how programs ask for their texts."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from test_cli import run

from project import ROOT
from rulesdsl import cards, load
from rulesdsl.interpreter import Match

WIZARDS = str(ROOT / "tests" / "cases" / "ok" / "powers")
FOLK = """\
rulesdsl: 1
game: folk
title: Folk
players: 2
types:
  mood: [glad, sad]
  place: [field, forest]
cards:
  card:
    file: cards.yaml
    print:
      mood: mood
      from: optional place
      worth: number step 0.5
      rare: yes_no
      moods: set of mood
      yields: { each: place }
zones:
  pack: { start: all }
phases: [end match]
winners: players
"""
FOLK_CARDS = """\
rulesdsl: 1
cards: folk
of: card
rows:
  - { name: Ada, mood: sad, from: forest, worth: 1.5, rare: true, moods: [glad, sad], yields: { field: 1, forest: 0 } }
  - { id: F2, mood: glad, worth: 2, rare: false, moods: glad, copies: 3, yields: { field: 0, forest: 2 } }
"""


def test_all_cards_are_listed_in_blocks() -> None:
    status, out, err = run("explain", WIZARDS, "--cards")
    assert (status, err) == (0, "")
    assert out.startswith(
        "Wizards: 8 cards, 5 different\n"
        "\n"
        "Spark  S1  ×2\n"
        "  fire · cost 1\n"
        "  When you cast it, choose another player as the target.\n"
        "  Then take 2 from the target's mana.\n"
        "\n"
        "Steal  S2\n"
    )
    assert max(len(line) for line in out.splitlines()) <= 100


def test_one_card_is_told_of_by_name_or_id() -> None:
    for name in ("Hush", "hush", "S5"):
        status, out, _ = run("explain", WIZARDS, "--card", name)
        assert status == 0
        assert out == (
            "Hush  S5  ×2\n"
            "  stone · cost 1\n"
            "  You may answer a spell with it if the number of all players is more than 1.\n"
        )


def test_an_unknown_card_gets_a_near_miss() -> None:
    assert run("explain", WIZARDS, "--card", "Sparks") == (
        2,
        "",
        "Wizards has no card 'Sparks'; did you mean 'Spark'?\n",
    )
    status, _, err = run("explain", "trappola", "--card", "Ace")
    assert status == 2 and "not listed in a file" in err


def test_cards_as_json_and_markdown() -> None:
    status, out, _ = run("explain", WIZARDS, "--card", "Hush", "--format", "json")
    assert status == 0
    text = "You may answer a spell with it if the number of all players is more than 1."
    assert json.loads(out) == [
        {
            "kind": "spell",
            "id": "S5",
            "name": "Hush",
            "copies": 2,
            "printed": {"element": "stone", "cost": 1},
            "text": [text],
        }
    ]
    status, out, _ = run("explain", WIZARDS, "--cards", "--format", "markdown")
    assert status == 0
    assert out.endswith(f"## Hush (×2)\n\n*S5 · stone · cost 1*\n\n- {text}\n")


def test_a_file_of_cards_of_ones_own_is_listed_as_well(tmp_path: Path) -> None:
    more = tmp_path / "more.yaml"
    more.write_text(
        "rulesdsl: 1\ncards: more\nof: spell\n"
        "rows:\n  - { name: Drain, element: water, cost: 1, works: add -1 to mana }\n",
        encoding="utf-8",
    )
    _, out, _ = run("explain", WIZARDS, "--cards", "--with", str(more))
    assert out.startswith("Wizards + more: 9 cards, 6 different\n")
    assert out.endswith("Drain\n  water · cost 1\n  Then take 1 from your mana.\n")


@pytest.mark.parametrize(
    "arguments",
    [
        ("trappola", "--format", "markdown"),
        (WIZARDS, "--cards", "--rule", "income"),
        (WIZARDS, "--card", "Hush", "--all"),
        ("E0301", "--cards"),
    ],
)
def test_what_does_not_go_together_is_wrong_usage(arguments: tuple[str, ...]) -> None:
    status, out, err = run("explain", *arguments)
    assert (status, out) == (2, "") and err


def test_what_is_printed_is_listed_by_its_type(tmp_path: Path) -> None:
    (tmp_path / "game.yaml").write_text(FOLK, encoding="utf-8")
    (tmp_path / "cards.yaml").write_text(FOLK_CARDS, encoding="utf-8")
    ada, other = cards(load(tmp_path / "game.yaml"))
    assert ada.line == "sad · from forest · moods glad, sad · rare · worth 1.5 · yields field 1, forest 0"
    assert ada.printed == {
        "mood": "sad",
        "from": "forest",
        "worth": 1.5,
        "rare": True,
        "moods": ["glad", "sad"],
        "yields": {"field": 1, "forest": 0},
    }
    assert (other.id, other.name, other.copies) == ("F2", "F2", 3)
    assert other.line == "glad · moods glad · rare no · worth 2 · yields field 0, forest 2"
    assert other.printed["from"] is None


def test_a_match_tells_what_a_card_does() -> None:
    match = Match(load(WIZARDS), players=2, seed=1)
    assert match.text_of("spark") == match.text_of("S1")
    assert match.text_of("Spark")[1] == "Then take 2 from the target's mana."
    with pytest.raises(KeyError):
        match.text_of("Nobody")


def test_a_player_can_read_cards() -> None:
    entries = "card Hush\n? s2\ncard Hushh\nquit\n"
    status, out, err = run("play", WIZARDS, "--players", "2", "--seed", "1", stdin=entries)
    assert status == 0, err
    assert out.count("card NAME tells what a card does") == 1
    assert "Hush  S5  ×2\n  stone · cost 1\n" in out
    assert "Steal  S2\n  water · cost 2\n" in out
    assert "Wizards has no card 'Hushh'; did you mean 'Hush'?" in out


def test_nobody_is_told_of_texts_that_are_not_there() -> None:
    _, out, _ = run("play", "trappola", "--seed", "4", stdin="quit\n")
    assert "card NAME" not in out
