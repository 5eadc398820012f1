"""Scenarios: what holds passes, what does not is reported with its path, and nothing that is given goes unlooked at."""

from __future__ import annotations

from functools import cache
from typing import Any

import pytest

import rulesdsl
from project import ROOT
from rulesdsl.interpreter import Failure, Scenario, run_scenario
from rulesdsl.interpreter.scenario.scenario import EXPECTATIONS
from rulesdsl.ir.nodes import Program


@cache
def game(name: str) -> Program:
    return rulesdsl.load(name)


def failures(name: str = "trappola", **given: Any) -> list[Failure]:
    return run_scenario(game(name), Scenario(name="test", **given))


HANDS = [["9 of hearts"], ["A of hearts", "2 of hearts", "K of clubs"]]
FOLLOW: dict[str, Any] = {
    "start": "play_tricks",
    "state": {"dealer": "1", "leader": "0"},
    "zones": {"hand": HANDS},
    "play": [(0, "9 of hearts")],
}


def following(**expect: Any) -> list[Failure]:
    """What does not hold when player 1, with two hearts and a club, has to follow to a heart."""
    return failures(**FOLLOW, expect=expect)


HOLDS: dict[str, Any] = {
    "decision": "follow",
    "player": "1",
    "options": ["A of hearts", "2 of hearts"],
    "lacks": ["K of clubs", "9 of hearts"],
    "legal": ["2 of hearts"],
    "illegal": {"K of clubs": "follow_suit"},
    "state": {"leader": "0", "tricks_won": ["0", "0"]},
    "zones": {"hand": [[], ["K of clubs", "2 of hearts", "A of hearts"]], "trick": [{"0": "9 of hearts"}]},
    "values": {"points(A of hearts)": "6", "held": "x"},
    "scores": ["0", "0"],
    "winners": ["0", "1"],
    "finished": "false",
    "sees": {
        "0": {"hand 1": ["?", "?", "?"], "leader": "0"},
        "1": {"hand 1": ["2 of hearts", "A of hearts", "K of clubs"]},
    },
    "events": [{"event": "play", "player": "0"}],
}
del HOLDS["values"]["held"]

FAILS: dict[str, tuple[Any, str, str]] = {
    "decision": ("lead", "E1001", "`follow` is to be decided"),
    "player": ("0", "E1001", "player 1 is asked"),
    "options": (["A of hearts"], "E1001", "there are further options: 2 of hearts"),
    "lacks": (["A of hearts"], "E1001", "A of hearts is an option"),
    "legal": (["K of clubs"], "E1001", "K of clubs is refused: follow_suit"),
    "illegal": ({"A of hearts": "follow_suit"}, "E1001", "A of hearts is allowed"),
    "state": ({"leader": "1"}, "E1001", "it is player 0"),
    "zones": ({"hand": [["9 of hearts"], "none"]}, "E1001", "9 of hearts is not there"),
    "values": ({"points(A of hearts)": "7"}, "E1001", "it is 6"),
    "scores": (["0", "1"], "E1001", "it is 0"),
    "winners": (["0"], "E1001", "0, 1 would win"),
    "finished": ("true", "E1001", "the match is not over"),
    "sees": ({"0": {"hand 1": ["A of hearts", "?", "?"]}}, "E1001", "it is [?, ?, ?]"),
    "events": ([{"event": "play", "player": "1"}], "E1001", "did not happen"),
}


@pytest.mark.parametrize("name", HOLDS)
def test_what_holds_passes(name: str) -> None:
    assert following(**{name: HOLDS[name]}) == []


@pytest.mark.parametrize("name", FAILS)
def test_what_does_not_hold_is_reported(name: str) -> None:
    plain, code, message = FAILS[name]
    found = following(**{name: plain})
    assert found
    assert found[0].code == code
    assert message in found[0].message
    assert found[0].path[:2] == ("expect", name)


def test_every_expectation_has_a_test() -> None:
    assert {*HOLDS, "result", "after"} == set(EXPECTATIONS)
    assert {*FAILS, "result", "after"} == set(EXPECTATIONS)


@pytest.mark.parametrize(
    ("expect", "path"),
    [
        ({"option": []}, ("expect", "option")),
        ({"state": {"leaders": "0"}}, ("expect", "state", "leaders")),
        ({"zones": {"hands": []}}, ("expect", "zones", "hands")),
        ({"values": {"point": "0"}}, ("expect", "values", "point")),
        ({"result": {"0": {"card": "0"}}}, ("expect", "result", "0", "card")),
        ({"sees": {"0": {"hands": "0"}}}, ("expect", "sees", "0", "hands")),
    ],
)
def test_a_misspelt_name_is_an_error(expect: dict[str, Any], path: tuple[str, ...]) -> None:
    found = following(**expect)
    assert [(failure.code, failure.path) for failure in found] == [("E1002", path)]


def test_all_expectations_are_looked_at() -> None:
    found = following(decision="lead", player="0", winners=["0"])
    assert [failure.path[1] for failure in found] == ["decision", "player", "winners"]


# ── setting up ───────────────────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize(
    ("given", "code", "path"),
    [
        ({"zones": {"hand": [["K of acorns"], []]}}, "E1003", ("zones", "hand", 0, 0)),
        ({"zones": {"hand": [["K of clubs"], ["K of clubs"]]}}, "E1004", ("zones", "hand", 1, 0)),
        ({"zones": {"hand": [["K of clubs"]]}}, "E1003", ("zones", "hand")),
        ({"zones": {"hands": [[], []]}}, "E1002", ("zones", "hands")),
        ({"zones": {"trick": ["K of clubs"]}}, "E1003", ("zones", "trick", 0)),
        ({"state": {"leader": "9"}}, "E1003", ("state", "leader")),
        ({"state": {"led": "0"}}, "E1002", ("state", "led")),
        ({"state": {"tricks_won": ["0"]}}, "E1003", ("state", "tricks_won")),
        ({"start": "dance"}, "E1005", ("start",)),
        ({"players": 3}, "E1003", ("players",)),
        ({"chance": {"weather": ["1"]}}, "E1003", ("chance",)),
        ({"start": "deal", "chance": {"dealer": ["5"]}}, "E1003", ("chance",)),
        ({**FOLLOW, "play": [(1, "9 of hearts")]}, "E1006", ("play", 0)),
        ({**FOLLOW, "play": [(0, "9 of hearts"), (1, "K of clubs")]}, "E1006", ("play", 1)),
        ({**FOLLOW, "play": [(0, "9 of acorns")]}, "E1006", ("play", 0)),
        ({**FOLLOW, "expect": {"after": {"phase": "deal", "times": "3"}}}, "E1006", ("expect", "after")),
    ],
)
def test_what_can_not_be_set_up_is_reported(given: dict[str, Any], code: str, path: tuple[Any, ...]) -> None:
    found = failures(**given)
    assert [(failure.code, failure.path) for failure in found] == [(code, path)]


def test_cards_that_are_not_placed_are_out_of_sight() -> None:
    found = failures(
        **{**FOLLOW, "play": []},
        expect={"zones": {"hand": HANDS}, "sees": {"0": {"hand 0": ["9 of hearts"], "hand 1": ["?", "?", "?"]}}},
    )
    assert not found


def test_a_group_of_cards_is_what_nobody_else_names() -> None:
    found = failures(
        zones={"won": [["hearts"], ["Q of hearts", "spades"]]},
        expect={"values": {"result": {"0": {"cards": "14"}, "1": {"cards": "22"}}}},
    )
    # 6 + 5 + 3 of the hearts without the Queen; the Queen's 4 and the 18 of the spades
    assert not found


def test_a_stack_is_written_from_the_top() -> None:
    given: dict[str, Any] = {
        "start": "exchange",
        "state": {"dealer": "1"},
        "zones": {"hand": [["9 of hearts"], ["K of clubs"]], "stock": ["A of clubs", "Q of clubs", "J of clubs"]},
    }
    assert not failures(**given, expect={"decision": "exchange"})
    found = failures(**given, expect={"zones": {"stock": ["A of clubs", "Q of clubs", "J of clubs"]}})
    assert len(found) == 1
    assert "is there as well" in found[0].message


def test_one_looks_after_a_phase() -> None:
    expect = {"after": {"phase": "deal"}, "zones": {"won": [[], []]}, "state": {"tricks_played": "0"}}
    assert not failures(seed=3, expect=expect)
    assert failures(seed=3, expect={**expect, "state": {"tricks_played": "1"}})


def test_without_a_start_values_alone_are_worked_out() -> None:
    found = failures(
        "tricky-traps",
        players=4,
        zones={"won": [["13", "14", "16"], ["19", "20"], [], []]},
        expect={
            "values": {
                "scoring": [["16"], ["19", "20"], [], []],
                "danger": [[], [], [], []],
                "round_score": ["6", "9", "0", "0"],
            },
        },
    )
    assert not found


def test_the_end_of_a_match() -> None:
    play = [(0, "2 of clubs"), (1, "K of spades")]
    given: dict[str, Any] = {
        "start": "play_tricks",
        "state": {"dealer": "1"},
        "zones": {"hand": [["2 of clubs"], ["K of spades"]]},
        "play": play,
    }
    result = {"0": {"cards": "5", "twos": "0", "last": "26", "declarations": "0"}, "1": "0"}
    assert not failures(**given, expect={"finished": "true", "decision": "none", "result": result, "winners": ["0"]})
    (found,) = failures(**given, expect={"result": {"0": {"last": "6"}}})
    assert (found.code, found.path, found.message) == ("E1001", ("expect", "result", "0", "last"), "it is 26")


# ── cards under cards, and what is written on them ───────────────────────────────────────────────────────────────

BOATS: dict[str, Any] = {
    "name": str(ROOT / "tests/cases/ok/beneath/game.yaml"),
    "zones": {"river": [{"card": "boat a", "under": [{"card": "passenger b", "home": "1"}]}]},
}


@pytest.mark.parametrize(
    ("lying", "message"),
    [
        ("boat b", "boat b is not there and boat a is there as well"),
        (
            {"card": "boat a", "under": "passenger c"},
            "passenger c is not there and passenger b player 1 is there as well",
        ),
        ({"card": "boat a", "under": "none"}, "passenger b player 1 is there as well"),
        ({"card": "boat a", "under": {"card": "passenger b", "home": "0"}}, "it is player 1"),
        ({"card": "boat a", "rides": "2"}, "it is 0"),
        ({"card": "boat a", "ride": "0"}, "nothing can be written on a card as 'ride'"),
    ],
)
def test_what_lies_under_a_card_is_looked_at(lying: Any, message: str) -> None:
    found = failures(**BOATS, expect={"zones": {"river": [lying]}})
    assert [failure.message for failure in found] == [message]


@pytest.mark.parametrize(
    ("lying", "code", "path"),
    [
        ({"card": "boat a", "under": "boat a"}, "E1004", (0, "under", 0)),
        ({"card": "boat a", "homes": "1"}, "E1002", (0, "homes")),
        ({"card": ["boat a"]}, "E1003", (0,)),
        ({"under": "boat a"}, "E1003", (0,)),
    ],
)
def test_cards_that_cannot_be_set_up_like_that(lying: Any, code: str, path: tuple[Any, ...]) -> None:
    found = failures(BOATS["name"], zones={"river": [lying]})
    assert [(failure.code, failure.path) for failure in found] == [(code, ("zones", "river", *path))]
