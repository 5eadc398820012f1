"""The kinds of rule files."""

from __future__ import annotations

from enum import StrEnum


class FileKind(StrEnum):
    """What a rule file is: the key in its second line."""

    GAME = "game"
    LIBRARY = "library"
    MODIFIER = "modifier"
    VARIANT = "variant"
    SETTLEMENT = "settlement"
    CARDS = "cards"
    TEST = "test"
