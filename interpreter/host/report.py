"""What many matches came to: who won, scores, length, each with its spread and a 95 % interval.

Everything is summed in whole numbers (scores in their smallest steps), so that a report does not depend on how the
matches were shared out among processes.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import sqrt

SURE = 1.959963984540054
"""How many standard deviations to either side hold 95 % of a normal distribution."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """How one match ended: `end` is finished, limit or error; `winners` are seats, on so many different `sides`.

    `scores` and `progress` are by seat, in smallest steps, None where the game keeps none; `message` says where a match
    broke off.
    """

    end: str
    winners: tuple[int, ...]
    sides: int
    scores: tuple[int, ...] | None
    decisions: int
    message: str | None = None
    progress: tuple[int, ...] | None = None


@dataclass(frozen=True, slots=True)
class Spread:
    """A sample of numbers, summed up."""

    count: int = 0
    total: int = 0
    squares: int = 0
    least: int | None = None
    most: int | None = None

    def with_number(self, number: int) -> Spread:
        """The sample with one number more."""
        return Spread(
            self.count + 1,
            self.total + number,
            self.squares + number * number,
            number if self.least is None else min(self.least, number),
            number if self.most is None else max(self.most, number),
        )

    @classmethod
    def of(cls, numbers: Iterable[int]) -> Spread:
        """The sample of some numbers."""
        spread = cls()
        for number in numbers:
            spread = spread.with_number(number)
        return spread

    @property
    def mean(self) -> float:
        """The average; 0 of nothing."""
        return self.total / self.count if self.count else 0.0

    @property
    def deviation(self) -> float:
        """The standard deviation of what the sample was drawn from; 0 for fewer than two numbers."""
        if self.count < 2:
            return 0.0
        # In exact numbers: the difference of two nearly equal squares would lose everything in floats.
        return sqrt(Fraction(self.count * self.squares - self.total * self.total, self.count * (self.count - 1)))

    @property
    def interval(self) -> tuple[float, float]:
        """Where the true mean lies with 95 % certainty, as far as the sample is large enough to be normal."""
        margin = SURE * self.deviation / sqrt(self.count) if self.count else 0.0
        return self.mean - margin, self.mean + margin


def share_interval(hits: float, count: int) -> tuple[float, float]:
    """Where a true share lies with 95 % certainty, given `hits` of `count`; stays within 0 and 1 for small counts.

    Source: E. B. Wilson, "Probable inference, the law of succession, and statistical inference" (1927).
    """
    if count == 0:
        return 0.0, 1.0
    share, square = hits / count, SURE * SURE
    middle = (share + square / (2 * count)) / (1 + square / count)
    margin = SURE * sqrt(share * (1 - share) / count + square / (4 * count * count)) / (1 + square / count)
    return max(0.0, middle - margin), min(1.0, middle + margin)


@dataclass(frozen=True, slots=True)
class SeatReport:
    """What one seat came to.

    `wins` counts matches won, shared ones too, `alone` those in which nobody but partners won as well; `shares` adds
    up 1 for each of the latter, 1/2 for each shared by two sides.
    """

    seat: int
    wins: int
    alone: int
    shares: Fraction
    scores: Spread | None
    matches: int
    progress: Spread | None = None

    @property
    def interval(self) -> tuple[float, float]:
        """Where the true share of wins lies with 95 % certainty."""
        return share_interval(float(self.shares), self.matches)


@dataclass(frozen=True, slots=True)
class Report:
    """What many matches came to; `scale` tells how many steps of the scores make one point, `progress_scale` likewise.

    `ends` counts matches by how they ended; only finished ones count for wins and scores. `broken` holds the number
    and the message of the first matches that did not finish.
    """

    matches: int
    ends: tuple[tuple[str, int], ...]
    seats: tuple[SeatReport, ...]
    length: Spread
    scale: int
    broken: tuple[tuple[int, str], ...]
    progress_scale: int = 1


SHOWN_BREAKS = 5


def report(outcomes: Sequence[Outcome], seats: int, scale: int, progress_scale: int = 1) -> Report:
    """Sums up matches, given in the order of their numbers."""
    finished = [outcome for outcome in outcomes if outcome.end == "finished"]
    by_seat = []
    for seat in range(seats):
        won = [outcome.sides for outcome in finished if seat in outcome.winners]
        scored = [outcome.scores[seat] for outcome in finished if outcome.scores is not None]
        came = [outcome.progress[seat] for outcome in finished if outcome.progress is not None]
        by_seat.append(
            SeatReport(
                seat,
                wins=len(won),
                alone=won.count(1),
                shares=sum((Fraction(1, sharers) for sharers in won), Fraction(0)),
                scores=Spread.of(scored) if scored else None,
                matches=len(finished),
                progress=Spread.of(came) if came else None,
            )
        )
    ends = tuple((end, sum(o.end == end for o in outcomes)) for end in ("finished", "limit", "error"))
    broken = [(number, o.message or o.end) for number, o in enumerate(outcomes) if o.end != "finished"]
    return Report(
        matches=len(outcomes),
        ends=ends,
        seats=tuple(by_seat),
        length=Spread.of(outcome.decisions for outcome in finished),
        scale=scale,
        broken=tuple(broken[:SHOWN_BREAKS]),
        progress_scale=progress_scale,
    )
