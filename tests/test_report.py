"""Sums over matches: means, spreads and intervals against textbook values, and independence of the batches."""

from __future__ import annotations

import statistics
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rulesdsl.interpreter.host.report import Outcome, Spread, report, share_interval


@given(st.lists(st.integers(-(10**15), 10**15), min_size=2, max_size=40))
def test_a_spread_agrees_with_the_statistics_module(numbers: list[int]) -> None:
    spread = Spread.of(numbers)
    assert spread.mean == pytest.approx(statistics.fmean(numbers), rel=1e-9, abs=1e-3)
    assert spread.deviation == pytest.approx(statistics.stdev(numbers), rel=1e-9)
    assert (spread.least, spread.most) == (min(numbers), max(numbers))


def test_an_interval_of_the_mean() -> None:
    spread = Spread.of([1, 2, 3, 4, 5])
    # deviation sqrt(2.5), divided by sqrt(5), times 1.95996
    assert spread.interval == pytest.approx((3 - 1.3859, 3 + 1.3859), abs=1e-4)


def test_nothing_and_one_number_have_no_spread() -> None:
    assert Spread().interval == (0.0, 0.0)
    assert Spread.of([7]).interval == (7.0, 7.0)


@pytest.mark.parametrize(
    ("hits", "count", "expected"),
    [
        (0, 10, (0.0, 0.2775)),  # the textbook figures of Wilson's interval
        (5, 10, (0.2366, 0.7634)),
        (10, 10, (0.7225, 1.0)),
        (0, 0, (0.0, 1.0)),
    ],
)
def test_an_interval_of_a_share(hits: int, count: int, expected: tuple[float, float]) -> None:
    assert share_interval(hits, count) == pytest.approx(expected, abs=1e-4)


def test_wins_are_shared_among_sides_and_unfinished_matches_count_for_nothing() -> None:
    outcomes = [
        Outcome("finished", (0,), 1, (10, 4), 20),
        Outcome("finished", (0, 1), 2, (6, 6), 22),
        Outcome("limit", (), 0, None, 900, "too long"),
    ]
    result = report(outcomes, 2, 2)
    assert result.ends == (("finished", 2), ("limit", 1), ("error", 0))
    assert result.broken == ((2, "too long"),)
    first, second = result.seats
    assert (first.wins, first.alone, first.shares) == (2, 1, Fraction(3, 2))
    assert (second.wins, second.alone, second.shares) == (1, 0, Fraction(1, 2))
    assert second.scores is not None
    assert (second.scores.mean, result.length.mean) == (5.0, 21.0)


def test_partners_who_win_alone_count_a_whole_win_each() -> None:
    result = report([Outcome("finished", (0, 2), 1, None, 5)], 4, 1)
    assert [seat.shares for seat in result.seats] == [1, 0, 1, 0]
    assert [seat.scores for seat in result.seats] == [None] * 4
