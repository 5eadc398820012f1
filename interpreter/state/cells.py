"""The fixed cells of a state, by name.

A state is a list of cells; a cell holds a whole number or an immutable tuple of them, nested, and nothing else. So a
copy of the list is a copy of the match.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

State = list[Any]
"""A match at one moment. What lies in a cell has the type that its declaration says; the checker has seen to it."""

Closure = Callable[[State], Any]
"""A term made ready to be worked out on a state."""

PC = 0
"""Where the machine stands: an index into its instructions."""
FP = 1
"""Where the running frame begins; the frame holds its procedure, the way back, the previous frame, then its cells."""
GENERATOR = 2
"""The words of the source of chance."""
STEPS = 3
"""Operations since the last decision."""
PENDING = 4
"""Who is asked, with what was already chosen."""
STAMP = 5
"""The stamp of the next play."""
STATUS = 6
"""How it stands: one of the four below."""
WHY = 7
"""What ended the match, for a limit or an error: a code and operands."""
STARTED = 8
"""Modifiers that were started, as a bit set."""

FIRST_FREE = 9

RUNNING, FINISHED, LIMIT, ERROR = range(4)

FRAME_HEAD = 3
"""Cells of a frame before those of its procedure."""
