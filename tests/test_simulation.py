"""Series of matches: the same report with any number of workers, and seeds that do not meet."""

from __future__ import annotations

from functools import cache

import rulesdsl
from rulesdsl.interpreter import Generator, playout, simulate
from rulesdsl.interpreter.host.simulation import seeds
from rulesdsl.ir.nodes import Program


@cache
def trappola() -> Program:
    return rulesdsl.load("trappola")


def test_a_series_does_not_depend_on_the_workers() -> None:
    alone = simulate(trappola(), players=2, games=60, seed=3)
    assert alone == simulate(trappola(), players=2, games=60, seed=3)
    assert alone == simulate(trappola(), players=2, games=60, seed=3, workers=2)
    assert alone != simulate(trappola(), players=2, games=60, seed=4)


def test_all_matches_are_counted_and_told_of() -> None:
    told: list[int] = []
    report = simulate(trappola(), players=2, games=20, seed=1, progress=told.append)
    assert told[-1] == 20
    assert told == sorted(told)
    assert dict(report.ends) == {"finished": 20, "limit": 0, "error": 0}
    assert sum(seat.shares for seat in report.seats) == 20
    assert report.length.count == 20
    # Two hands of nine are played card by card, and the exchange and declarations come on top.
    assert report.length.least is not None
    assert report.length.least >= 18


def test_bots_are_seated_as_named() -> None:
    report = simulate(trappola(), players=2, games=12, seed=2, bots=("greedy", "random"))
    greedy, chance = report.seats
    assert greedy.scores is not None
    assert chance.scores is not None
    assert greedy.scores.mean > chance.scores.mean


def test_a_playout_comes_to_an_end_by_its_seeds() -> None:
    results = [playout(trappola(), seed=7, rng=Generator.seeded(seed)) for seed in (1, 1, 2)]
    assert results[0] == results[1] != results[2]
    assert all(result.end == "finished" for result in results)


def test_the_seeds_of_matches_differ() -> None:
    drawn = [seed for series in range(20) for seed in seeds(series, range(200))]
    assert len(set(drawn)) == len(drawn)
