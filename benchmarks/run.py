"""How many times slower the interpreter plays Trappola than the hand-written program: `python -m benchmarks.run`.

Both play random matches in one process and take turns, so that whatever else the machine does hits both alike. A match
of the interpreter is timed from its start: shuffling and dealing belong to it, as they belong to the plain program.
Loading the rule file is not timed. Only this process's own time counts.
"""

from __future__ import annotations

import argparse
import json
import platform
from collections.abc import Callable
from dataclasses import asdict, dataclass
from random import Random
from statistics import median
from time import process_time

import rulesdsl
from benchmarks import trappola_plain
from rulesdsl.interpreter import Match


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
    interpreted: Spread
    ratio: Spread


def compare(*, matches: int, rounds: int, seed: int) -> Comparison:
    """Times so many matches of each, in every round."""
    game = rulesdsl.load("trappola")
    plain_rng, choices = Random(seed), Random(seed)
    next_seed = iter(range(seed, seed + matches * (rounds + 1)))

    def play_plain() -> None:
        trappola_plain.play(plain_rng)

    def play_interpreted() -> None:
        match = Match(game, seed=next(next_seed))
        while not match.finished:
            match.choose_random(choices)

    # The first matches fill caches; they are not counted.
    rate(play_plain, matches)
    rate(play_interpreted, matches)
    plain: list[float] = []
    interpreted: list[float] = []
    for number in range(rounds):
        if number % 2:
            interpreted.append(rate(play_interpreted, matches))
            plain.append(rate(play_plain, matches))
        else:
            plain.append(rate(play_plain, matches))
            interpreted.append(rate(play_interpreted, matches))
    return Comparison(
        python=f"{platform.python_implementation()} {platform.python_version()}",
        matches=matches,
        rounds=rounds,
        plain=Spread.of(plain),
        interpreted=Spread.of(interpreted),
        ratio=Spread.of([fast / slow for fast, slow in zip(plain, interpreted, strict=True)]),
    )


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
        ("interpreter, matches/s", comparison.interpreted),
        ("times slower", comparison.ratio),
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
