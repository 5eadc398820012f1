"""How many times slower the interpreter plays Trappola than the hand-written program: `python -m benchmarks.run`.

All play random matches in one process and take turns, so that whatever else the machine does hits all alike. A match
of the interpreter is timed from its start: shuffling and dealing belong to it, as they belong to the plain program.
Loading the rule file is not timed. Only this process's own time counts.

The plain program is timed twice: as anybody would write it, with Python's own shuffle, and with the generator that the
language specifies, which is written in Python and so costs more than Python's built-in one. The interpreter is timed as
simulations use it (`playout`, nobody watches) and as hosts do (`Match`, with events, knowledge and undo).
"""

from __future__ import annotations

import argparse
import json
import platform
from collections.abc import Callable
from dataclasses import asdict, dataclass
from itertools import count
from random import Random
from statistics import median
from time import process_time

import rulesdsl
from benchmarks import trappola_plain
from rulesdsl.interpreter import Match, playout
from rulesdsl.interpreter.run.rng import Generator


@dataclass(frozen=True, slots=True)
class Spread:
    """The smallest, middle and largest of the figures of several rounds."""

    low: float
    middle: float
    high: float

    @classmethod
    def of(cls, figures: list[float]) -> Spread:
        """The spread of at least one figure."""
        return cls(min(figures), median(figures), max(figures))


@dataclass(frozen=True, slots=True, kw_only=True)
class Comparison:
    """Matches a second of both, and how many times slower the interpreter is, round by round."""

    python: str
    matches: int
    rounds: int
    plain: Spread
    plain_same_generator: Spread
    interpreted: Spread
    watched: Spread
    ratio: Spread
    ratio_same_generator: Spread
    ratio_watched: Spread


def compare(*, matches: int, rounds: int, seed: int) -> Comparison:
    """Times so many matches of each, in every round."""
    game = rulesdsl.load("trappola")
    plain_rng, choices = Random(seed), Random(seed)
    next_seed = count(seed)

    def play_plain() -> None:
        trappola_plain.play(plain_rng)

    def play_plain_same_generator() -> None:
        trappola_plain.play(plain_rng, Generator.seeded(next(next_seed)).shuffle)

    def play_interpreted() -> None:
        playout(game, seed=next(next_seed), rng=choices)

    def play_watched() -> None:
        match = Match(game, seed=next(next_seed))
        while not match.finished:
            match.choose_random(choices)

    players = (play_plain, play_plain_same_generator, play_interpreted, play_watched)
    for play in players:
        rate(play, matches)  # the first matches fill caches; they are not counted
    rates: list[list[float]] = [[] for _ in players]
    for number in range(rounds):
        order = range(len(players)) if number % 2 == 0 else reversed(range(len(players)))
        for index in order:
            rates[index].append(rate(players[index], matches))
    plain, same, interpreted, watched = rates
    return Comparison(
        python=f"{platform.python_implementation()} {platform.python_version()}",
        matches=matches,
        rounds=rounds,
        plain=Spread.of(plain),
        plain_same_generator=Spread.of(same),
        interpreted=Spread.of(interpreted),
        watched=Spread.of(watched),
        ratio=_ratio(plain, interpreted),
        ratio_same_generator=_ratio(same, interpreted),
        ratio_watched=_ratio(plain, watched),
    )


def _ratio(fast: list[float], slow: list[float]) -> Spread:
    return Spread.of([a / b for a, b in zip(fast, slow, strict=True)])


def rate(play: Callable[[], None], matches: int) -> float:
    """Matches a second."""
    start = process_time()
    for _ in range(matches):
        play()
    return matches / (process_time() - start)


def report(comparison: Comparison) -> str:
    """The comparison as a small table."""
    rows = [
        ("plain Python, matches/s", comparison.plain),
        ("  with our generator", comparison.plain_same_generator),
        ("interpreter, matches/s", comparison.interpreted),
        ("  watched", comparison.watched),
        ("times slower", comparison.ratio),
        ("  with our generator", comparison.ratio_same_generator),
        ("  watched", comparison.ratio_watched),
    ]
    lines = [
        f"Trappola at random, {comparison.rounds} rounds of {comparison.matches} matches, {comparison.python}",
        f"{'':24} {'min':>10} {'median':>10} {'max':>10}",
    ]
    lines += [f"{name:24} {s.low:10,.1f} {s.middle:10,.1f} {s.high:10,.1f}" for name, s in rows]
    return "\n".join(lines)


def main() -> None:
    """Reads the arguments, compares, prints."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.run", description="Interpreter against plain Python.")
    parser.add_argument("--matches", type=int, default=300, help="matches of each in a round")
    parser.add_argument("--rounds", type=int, default=7, help="rounds; the ratio is taken in each")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--json", action="store_true", help="print the figures as JSON")
    arguments = parser.parse_args()
    comparison = compare(matches=arguments.matches, rounds=arguments.rounds, seed=arguments.seed)
    print(json.dumps(asdict(comparison), indent=2) if arguments.json else report(comparison))


if __name__ == "__main__":
    main()
