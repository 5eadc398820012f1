"""What the command line lets one choose from."""

from __future__ import annotations

from enum import StrEnum


class Problems(StrEnum):
    """How `validate` writes problems."""

    TEXT = "text"
    JSON = "json"
    GITHUB = "github"


class Shown(StrEnum):
    """How the other commands write results."""

    TEXT = "text"
    JSON = "json"


class Listed(StrEnum):
    """How `stack` writes what it finds."""

    TABLE = "table"
    JSON = "json"
    MARKDOWN = "markdown"


class Pages(StrEnum):
    """How `explain` writes a game and its cards."""

    TEXT = "text"
    JSON = "json"
    MARKDOWN = "markdown"
