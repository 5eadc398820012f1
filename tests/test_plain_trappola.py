"""The hand-written Trappola of the benchmark: its scoring against worked examples, its play against the rules."""

from __future__ import annotations

from random import Random

import pytest

from benchmarks.trappola_plain import (
    DECK,
    POINTS,
    RANK,
    RANKS,
    SUIT,
    TWO,
    Declaration,
    Trick,
    play_out,
    score,
)


def card(text: str) -> int:
    """The number of a card written as rank and suit letter, such as `10d`."""
    return "abcd".index(text[-1]) * len(RANKS) + RANKS.index(text[:-1])


def deal(text: str, *declared: str) -> list[int]:
    """The totals of tricks written as led/reply, led by the non-dealer and then by whoever won; declared `N:A3`."""
    leader = 0
    tricks = []
    for pair in text.split():
        led, reply = map(card, pair.split("/"))
        tricks.append(Trick(leader, led, reply))
        if SUIT[led] == SUIT[reply] and RANK[reply] > RANK[led]:
            leader = 1 - leader
    declarations = [
        Declaration("ND".index(player), RANKS.index(what[:-1]), int(what[-1]))
        for player, what in (item.split(":") for item in declared)
    ]
    return score(tricks, declarations)


def test_the_deck() -> None:
    assert len(DECK) == 36
    assert sum(POINTS) == 72
    assert {sum(POINTS[one] for one in DECK if SUIT[one] == suit) for suit in range(4)} == {18}


@pytest.mark.parametrize(
    ("tricks", "declared", "totals"),
    [
        (
            "Ad/10d Aa/Qa Ka/Ja Ab/Qb Kb/Jb Ac/Kc 2a/Kd 2b/Qd 2c/Jd",
            ("N:A4", "N:23", "D:Q3", "D:J3"),
            [177, 12],
        ),
        ("Aa/2c Ka/7c Qa/8c Ja/9c Ab/10c Kb/Jc Qb/Qc Jb/Kc 2a/Ac", (), [80, 0]),
        ("2a/2c Aa/7c Ka/8c Qa/9c Ja/10c Ab/Jc Kb/Qc Qb/Kc Jb/Ac", (), [70, 0]),
        ("Aa/10a Ka/9a Qa/8a Ja/7a Ab/10b Kb/9b Qb/8b Jb/7b 2a/2b", (), [62, 0]),
        ("2a/Jd Ad/10d Ab/10b Kb/9b Ac/10c Kc/9c Qc/8c 2b/Qd 2c/Kd", (), [106, 0]),
        ("Ab/10b Kb/9b Ac/8c Kc/9c Ad/9d Kd/8d 2a/10c Qd/10d 2b/Jc", (), [76, 0]),
        ("Ab/10b Kb/9b Ac/8c Ad/9d Kd/8d Qd/10d Jd/9c 2a/10c Kc/Jc", (), [59, 0]),
        (
            "2d/9d Kd/Ad Aa/Qa Ka/Ja Ab/Kb Ac/Kc 2a/Qd 2b/Jd 2c/10d",
            ("N:A4", "N:24", "D:K3"),
            [180, 6],
        ),
        ("Ab/10b Kb/9b Ad/9d Kd/8d Qd/10d Jd/9c Ac/8c Kc/10c 2c/Jc", (), [40, 9]),
        (
            "10a/Aa Ka/9a Qa/8a Ab/10b Kb/9b Qb/8b Ac/10c Kc/9c Ad/2d",
            ("D:A4", "D:K3"),
            [0, 83],
        ),
    ],
)
def test_worked_examples(tricks: str, declared: tuple[str, ...], totals: list[int]) -> None:
    assert deal(tricks, *declared) == totals


@pytest.mark.parametrize(("run", "points"), [(0, 6), (1, 26), (2, 52), (3, 78), (4, 104)])
def test_the_last_tricks(run: int, points: int) -> None:
    """Twos that win at the very end replace the six for the last trick; four of them can't happen but are defined."""
    tricks = [Trick(0, card("8a"), card("7a")) for _ in range(9 - run)]
    tricks += [Trick(0, card("2" + suit), card("7" + ("b" if suit == "a" else "a"))) for suit in "abcd"[:run]]
    assert score(tricks, []) == [points, 0]


def test_random_deals_keep_the_rules() -> None:
    """Nine tricks of different cards, suits followed, points conserved, declarations true and early enough."""
    rng = Random(11)
    for _ in range(1500):
        tricks, declarations = play_out(rng)
        played = [trick[1:] for trick in tricks]
        assert len({one for pair in played for one in pair}) == 18
        hands: tuple[list[int], list[int]] = ([], [])
        for leader, led, reply in tricks:
            hands[leader].append(led)
            hands[1 - leader].append(reply)
        leader = 0
        twos_won = [0, 0]
        remaining = [list(hand) for hand in hands]
        for trick in tricks:
            assert trick.leader == leader
            follower = remaining[1 - leader]
            if SUIT[trick.reply] != SUIT[trick.led]:
                assert all(SUIT[one] != SUIT[trick.led] for one in follower)
            remaining[leader].remove(trick.led)
            follower.remove(trick.reply)
            if SUIT[trick.reply] == SUIT[trick.led] and RANK[trick.reply] > RANK[trick.led]:
                leader = 1 - leader
            elif RANK[trick.led] == TWO:
                twos_won[leader] += 1
        assert max(twos_won) <= 3
        assert len({(d.player, d.rank) for d in declarations}) == len(declarations)
        for declaration in declarations:
            held = sum(RANK[one] == declaration.rank for one in hands[declaration.player])
            assert held == declaration.number >= 3
        bonus = sum(score(tricks, [])) - sum(POINTS[one] for hand in hands for one in hand)
        assert bonus in {base + 10 * more for base in (6, 26, 52, 78) for more in range(7)}
