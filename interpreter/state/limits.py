"""Nets under games that don't end: so many operations may follow one another, and no more."""

from __future__ import annotations

from rulesdsl.source import Span

from ..run.code import Cells
from .cells import STEPS
from .errors import MatchError

MOST_OPERATIONS = 1_000_000
"""Operations without a decision, after which a match ends as `limit`."""


class LimitReached(MatchError):
    """A match that would go on for too long; it ends with the result `limit`."""


def count_operations(S: Cells, number: int, span: Span | None) -> None:
    """Counts operations since the last decision; loops and procedures do so at every turn.

    Raises:
        LimitReached: if they are too many.
    """
    S[STEPS] += number
    if S[STEPS] > MOST_OPERATIONS:
        raise LimitReached(f"more than {MOST_OPERATIONS:,} steps without a decision", span)
