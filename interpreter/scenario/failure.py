"""What does not hold in a scenario, and where in it that is said."""

from __future__ import annotations

from dataclasses import dataclass

NOT_MET = "E1001"
"""An expectation that does not hold."""
UNKNOWN = "E1002"
"""A name that the program, or scenarios as such, do not have."""
MISREAD = "E1003"
"""Something that can't be read as what it should be."""
CARDS_SHORT = "E1004"
"""A card that lies in two places, or more of a face than there are."""
NO_START = "E1005"
"""A start that does not exist, or needs more than was given."""
NO_CHOICE = "E1006"
"""A choice that nobody is asked for, or that is not allowed."""


@dataclass(frozen=True, slots=True)
class Failure:
    """One thing that does not hold: keys and positions that lead to it in the scenario, what is wrong, a code."""

    path: tuple[str | int, ...]
    message: str
    code: str = NOT_MET
    help: str | None = None


class Misread(Exception):
    """Something in a scenario that can't be read, so that it can't be gone on with."""

    def __init__(self, failure: Failure) -> None:
        super().__init__(failure.message)
        self.failure = failure
