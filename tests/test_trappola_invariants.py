"""What the rules of Trappola promise of every deal, over ten thousand random ones."""

from __future__ import annotations

import pytest
from table import Table

from rulesdsl.types import Enum

DEALS = 10_000
ZONES = ("stock", "thrown", "trick")
POINTS = {"A": 6, "K": 5, "Q": 4, "J": 3}


@pytest.fixture(scope="module")
def table() -> Table:
    return Table("trappola", 2)


@pytest.mark.parametrize("part", range(10))
def test_every_deal_keeps_the_promises(table: Table, part: int) -> None:
    ranks = next(of.members for of in table.program.types if isinstance(of, Enum) and of.name == "rank")
    rank = [ranks[index] for index in table.printed("card", "rank")]
    suit = table.printed("card", "suit")
    pack = set(range(len(rank)))
    assert len(pack) == 36
    assert sum(POINTS.get(r, 0) for r in rank) == 72
    for seed in range(part * DEALS // 10, (part + 1) * DEALS // 10):
        final_hands: set[int] | None = None
        for state in table.moments(seed):
            places = [table.cards(state, zone) for zone in ZONES]
            places += table.of_each(state, "hand") + table.of_each(state, "won")
            assert sum(map(len, places)) == 36
            assert set().union(*places) == pack
            if final_hands is None and table.decision(state) in ("declare", "lead"):
                final_hands = set().union(*table.of_each(state, "hand"))
        assert final_hands is not None
        assert len(final_hands) == 18
        check_result(table, state, final_hands, rank, suit)


def check_result(
    table: Table, state: list[object], final_hands: set[int], rank: list[str], suit: tuple[int, ...]
) -> None:
    won = table.of_each(state, "won")
    assert won[0] | won[1] == final_hands
    scores = [dict(score.parts) for score in table.scores(state)]
    worth = [sum(POINTS.get(rank[card], 0) for card in cards) for cards in won]
    assert [score["cards"] for score in scores] == worth
    last = sorted(score["last"] for score in scores)
    assert last[0] == 0
    assert last[1] in (6, 26, 52, 78)
    for player in (0, 1):
        twos = table.state(state, "twos", player)
        assert twos <= 3
        assert scores[player]["declarations"] <= 44
        assert sum(scores[player].values()) <= 194
