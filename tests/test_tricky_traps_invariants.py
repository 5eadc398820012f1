"""What the rules of Tricky Traps promise of every match, over two thousand random ones for each number of players."""

from __future__ import annotations

from itertools import pairwise

import pytest
from table import Table

MATCHES = 2_000
PARTS = 4
BEST = {2: 16, 3: 24, 4: 36, 5: 45}
PACK = {2: 20, 3: 28, 4: 40, 5: 50}


def zones_of(won: set[int]) -> tuple[set[int], set[int], set[int]]:
    """Scoring, danger and trapped numbers among the won ones, written from the rule note and not from the rule file."""
    trapped = {
        n for n in won if (n - 1 in won and (n - 1) // 10 == n // 10) or (n + 1 in won and (n + 1) // 10 == n // 10)
    }
    free = won - trapped
    scoring = {min(n for n in free if n // 10 == colour) for colour in {n // 10 for n in free}}
    return scoring, free - scoring, trapped


@pytest.mark.parametrize("part", range(PARTS))
@pytest.mark.parametrize("players", [2, 3, 4, 5])
def test_every_match_keeps_the_promises(players: int, part: int) -> None:
    table = Table("tricky-traps", players)
    number = table.printed("card", "number")
    assert len(number) == PACK[players]
    for seed in range(part * MATCHES // PARTS, (part + 1) * MATCHES // PARTS):
        check_match(table, seed, players, number)


def check_match(table: Table, seed: int, players: int, number: tuple[int, ...]) -> None:
    before: list[set[int]] = [set() for _ in range(players)]
    scores = [0] * players
    for state in table.moments(seed):
        won = [{number[card] for card in cards} for cards in table.of_each(state, "won")]
        hands = table.of_each(state, "hand") + table.of_each(state, "packet") + table.of_each(state, "aside")
        places = [*hands, *table.of_each(state, "won"), table.cards(state, "stock"), table.cards(state, "trick")]
        assert sum(map(len, places)) == PACK[players]
        assert len(set().union(*places)) == PACK[players]
        tricks = table.state(state, "tricks_played")
        assert all(len(area) % players == 0 for area in won)
        if table.decision(state) in ("lead", "follow"):
            assert sum(map(len, won)) == players * tricks
        for player, area in enumerate(won):
            scoring, danger, trapped = zones_of(area)
            assert scoring | danger | trapped == area
            assert len(scoring) == len({n // 10 for n in scoring})
            assert all(b - a > 1 for a, b in pairwise(sorted(scoring | danger)) if a // 10 == b // 10)
            if before[player] <= area:
                assert zones_of(before[player])[2] <= trapped
            assert sum(n % 10 for n in scoring) <= BEST[players]
        round_over = sum(map(len, won)) == 0 and sum(map(len, before)) > 0
        if round_over:
            check_scores(table, state, before, scores)
        before = won
    check_final(table, state, players)


def check_scores(table: Table, state: list[object], before: list[set[int]], scores: list[int]) -> None:
    """A new round has begun: the areas as they last stood in trick eight are not final, so only bounds can be told."""
    for player in range(table.players):
        score = table.state(state, "score", player)
        assert scores[player] <= score <= scores[player] + BEST[table.players]
        scores[player] = score


def check_final(table: Table, state: list[object], players: int) -> None:
    """At the end the areas of the last round still lie there, and the ninth cards beside them."""
    for area, aside in zip(table.of_each(state, "won"), table.of_each(state, "aside"), strict=True):
        assert len(aside) == 1
        assert not area & aside
    assert sum(map(len, table.of_each(state, "won"))) == 8 * players
    assert table.state(state, "round") in (3, 4)
