"""Who is asked, as the cell `PENDING` keeps it: one entry for each seat that takes part in the decision."""

from __future__ import annotations

from typing import Any, NamedTuple

from ..state.cells import PENDING
from .code import Cells

OPEN, ANSWERED, UNASKED = range(3)
"""Asked and not yet answered; answered; has nothing to choose and was not asked."""

SEAT, MEMBER, STATE, DATA = range(4)
"""Where in an entry stands what: the seat, its number among those who act together, one of the three states, and the
answer, or what was chosen of it so far."""


class Entry(NamedTuple):
    """One seat's part in a decision."""

    seat: int
    member: int
    state: int
    data: tuple[Any, ...]


def open_entry(S: Cells, seat: int) -> Entry | None:
    """What a seat is asked, if it is asked."""
    for entry in S[PENDING]:
        if entry[SEAT] == seat and entry[STATE] == OPEN:
            return Entry(*entry)
    return None


def is_open(S: Cells) -> bool:
    """Whether somebody has to answer before the match can go on."""
    return any(entry[STATE] == OPEN for entry in S[PENDING])


def replace_entry(S: Cells, seat: int, state: int, data: tuple[Any, ...]) -> None:
    """The first open entry of a seat gets another state."""
    entries = list(S[PENDING])
    for number, entry in enumerate(entries):
        if entry[SEAT] == seat and entry[STATE] == OPEN:
            entries[number] = (seat, entry[MEMBER], state, data)
            break
    S[PENDING] = tuple(entries)
