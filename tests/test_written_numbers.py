"""How many hands may be written under the rules of Tricky Kids, alone and together, and that they are drawn evenly."""

from __future__ import annotations

from collections import Counter
from math import comb, sqrt
from random import Random
from typing import Any

import pytest
from table import Table

from project import ROOT
from rulesdsl import load
from rulesdsl.interpreter import Match, Plain

COUNTS = {
    (): 296_010,
    ("rich-kids",): 12_271_512,
    ("fractions-are-hard",): 12_271_512,
    ("i-could-have-won",): 4_292_145,
    ("simple-addition",): 48_903_492,
    ("stop-showing-off",): 264_385_836,
    ("your-other-right",): 37_290,
    ("pass-it-on",): 37_290,
    ("pass-it-on", "rich-kids"): 465_795,
    ("i-could-have-won", "rich-kids"): 536_878_650,
    ("i-could-have-won", "stop-showing-off"): 12_565_671_261,
    ("double-dutch",): 296_010 * 84,
    ("fractions-are-hard", "simple-addition"): comb(60 + 8, 8),
    ("fractions-are-hard", "rich-kids"): comb(84 + 6, 6),
    ("fractions-are-hard", "pass-it-on"): comb(41, 6) - 7 * comb(21, 6),  # half units: 1 to 20 on each, 42 in all
}
"""From the rules: the ways to share a sum among cards, and for two suits on two of seven cards 84 times as many."""


BARE_HALVES = str(ROOT / "games" / "tricky-kids" / "variants" / "bare-halves.yaml")


def writing(*modifiers: str, game: str = "tricky-kids", **options: object) -> tuple[Any, list[Any]]:
    """The question what to write, as the first seat is asked it."""
    table = Table(game, 2, modifiers, **options)
    for state in table.moments(1):
        if table.decision(state) == "write":
            question, own = table.machine.question(state, 0)
            return question, own.copy()
    raise AssertionError("nobody writes anything")


@pytest.mark.parametrize("modifiers", COUNTS, ids="+".join)
def test_as_many_hands_as_the_rules_allow(modifiers: tuple[str, ...]) -> None:
    question, own = writing(*modifiers)
    assert question.count(own, 0) == COUNTS[modifiers]


def test_one_half_alone_beside_whole_numbers() -> None:
    # Of seven numbers an even one is a half; the others share what is left in whole numbers, of which none is a half.
    halves = {number: comb(7, number) * comb(21 - number // 2 + 6 - number, 6 - number) for number in (0, 2, 4, 6)}
    question, own = writing(game=BARE_HALVES)
    assert question.count(own, 0) == sum(halves.values()) == 526_513
    question, own = writing("double-dutch", game=BARE_HALVES)
    assert question.count(own, 0) == 526_513 * 84


def test_less_than_the_sum_is_allowed_where_only_too_much_is_punished() -> None:
    question, own = writing(number_audit="at_most")
    assert question.count(own, 0) == comb(21 + 7, 7)


def test_anything_up_to_99_is_accepted_where_players_are_trusted() -> None:
    question, own = writing(number_audit="honor")
    assert question.count(own, 0) == 100**7


def test_all_37290_hands_are_drawn_evenly() -> None:
    """Numbers from 1 to 10 on seven cards that make 21: the squared deviations stay where chance leaves them."""
    question, own = writing("your-other-right")
    number, each = 37_290, 5
    random = Random(2110)
    drawn = Counter(question.sample(own, 0, lambda bound: int(random.random() * bound)) for _ in range(number * each))
    assert len(drawn) <= number
    deviation = sum((times - each) ** 2 for times in drawn.values()) + (number - len(drawn)) * each**2
    assert abs(deviation / each - (number - 1)) < 4 * sqrt(2 * (number - 1))


def test_card_by_card_no_number_leads_astray() -> None:
    """One may write what is left and no more, on the last card just that, and the hand adds up."""
    for seed in range(20):
        match = _at_the_writing(seed)
        random = Random(seed)
        written: list[int] = []
        while match.decision.player == 0:
            options = [option.text for option in match.decision.options]
            left = 21 - sum(written)
            assert options == [str(number) for number in (range(left + 1) if len(written) < 6 else [left])]
            text = random.choice(options)
            match.choose(text)
            written.append(int(text))
        match.choose_random(random)
        hand = next(zone["cards"] for zone in match.view(0)["zones"] if zone["zone"] == "hand 0")
        ranks = [card["fields"]["rank"] for card in hand]
        assert len(written) == 7
        assert sorted(ranks) == sorted(written)


def test_a_half_can_be_written_only_where_fractions_are_allowed() -> None:
    halves: list[Plain] = ["10.5", "10.5", "0", "0", "0", "0", "0"]
    assert not _at_the_writing(1).decision.check({"ranks": halves})
    assert _at_the_writing(1, "fractions-are-hard").decision.check({"ranks": halves})
    quarters: list[Plain] = ["0.25", "20.75", "0", "0", "0", "0", "0"]
    assert not _at_the_writing(1, "fractions-are-hard").decision.check({"ranks": quarters})


def _at_the_writing(seed: int, *modifiers: str) -> Match:
    match = Match(load("tricky-kids", modifiers=modifiers), players=2, seed=seed)
    random = Random(seed)
    while match.decision.name != "write":
        match.choose_random(random)
    return match
