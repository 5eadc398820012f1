"""Where an edit was written on either side, and where players notice it."""

from __future__ import annotations

from ..ir.nodes import Program
from .edits import Edit


def located(edit: Edit, old: Program, new: Program) -> Edit:
    """The edit with its places and its area."""
    return edit
