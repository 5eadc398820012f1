"""What is raised when an edit meets a program that it does not fit."""

from __future__ import annotations

from .edits import Edit, slot


class EditMismatch(ValueError):
    """An edit of something that is not there, or is not what the edit says."""

    def __init__(self, edit: Edit, why: str) -> None:
        super().__init__(f"{slot(edit)}: {why}")
        self.edit = edit
