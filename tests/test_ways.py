"""Decisions with several ways of answering, told apart by the card: one question, step by step, for all of them."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

import rulesdsl
from rulesdsl.interpreter import Decision, Kind, Match
from rulesdsl.interpreter.host.plain import Plain

TRAP, OTHER = "One Skull", "Two Skulls"


def asked(*hand: str) -> Match:
    """A match of three in which the second player, with this hand, is asked for an answer to a trap."""
    assert len(hand) == 3
    dealt: list[Plain] = [
        card for round_ in zip((TRAP, OTHER, OTHER), hand, (OTHER, OTHER, OTHER), strict=True) for card in round_
    ]
    match = Match(rulesdsl.load("bloody-legacy"), players=3, chance={"box": ["0"], "deck": [dealt]})
    match.choose({"trap": TRAP, "victim": "1"}, 0)
    return match


def pick(match: Match, text: str) -> None:
    """The second player's next step."""
    option = match.decision.option(text)
    assert option is not None
    match.choose(option, 1)


def texts(decision: Decision) -> Sequence[str]:
    return [option.text for option in decision.options]


def test_the_card_comes_first_whatever_else_it_asks_for() -> None:
    match = asked("Negate", "Pass Either Way", "Pass Left")
    assert match.decision.kind is Kind.PARTS
    assert texts(match.decision) == ["Pass Left", "Pass Either Way", "Negate", "decline"]
    assert {option.part for option in match.decision.options[:-1]} == {"trick"}
    assert match.decision.settled == ()


def test_then_comes_what_this_card_asks_for() -> None:
    match = asked("Negate", "Pass Either Way", "Pass Left")
    pick(match, "Pass Either Way")
    assert match.decision.settled == (("trick", "Pass Either Way"),)
    assert texts(match.decision) == ["player 0", "player 2"]
    pick(match, "player 2")
    assert match.view(0)["state"]["target"] == 2


@pytest.mark.parametrize("card", ["Negate", "Pass Left"])
def test_or_nothing_more(card: str) -> None:
    match = asked("Negate", "Pass Either Way", "Pass Left")
    pick(match, card)
    assert match.decision.name == "attack"


@pytest.mark.parametrize(
    ("hand", "options"),
    [
        (("Pass Either Way", OTHER, OTHER), ["Pass Either Way", "decline"]),
        (("Negate", OTHER, OTHER), ["Negate", "decline"]),
    ],
)
def test_one_way_alone_is_asked_for_like_several(hand: tuple[str, str, str], options: list[str]) -> None:
    assert texts(asked(*hand).decision) == options


def test_declining_is_no_card() -> None:
    match = asked("Negate", "Pass Either Way", "Pass Left")
    pick(match, "decline")
    assert match.decision.name == "attack"
    assert [zone["cards"] for zone in match.view(0)["zones"] if zone["zone"] == "front 1"] == [[TRAP]]
