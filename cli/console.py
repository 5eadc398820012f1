"""What the terminal can do: colour, and where messages for people go."""

from __future__ import annotations

import os
import sys
from dataclasses import dataclass
from enum import StrEnum
from typing import TextIO


class Ink(StrEnum):
    """The few looks that the commands use, as the terminal's own codes."""

    BOLD = "1"
    FAINT = "2"
    RED = "31"
    GREEN = "32"
    YELLOW = "33"
    BLUE = "34"
    CYAN = "36"


@dataclass(frozen=True, slots=True)
class Paint:
    """Colours text, or leaves it alone: what is piped never holds a control code."""

    on: bool

    def __call__(self, text: str, *inks: Ink) -> str:
        """The text in the given looks."""
        return f"\033[{';'.join(inks)}m{text}\033[0m" if self.on and inks else text


def paint_for(stream: TextIO, *, no_color: bool = False) -> Paint:
    """Colour only on a terminal, and not if the user said no (`--no-color`, `NO_COLOR`)."""
    plain = no_color or bool(os.environ.get("NO_COLOR")) or os.environ.get("TERM") == "dumb"
    return Paint(not plain and stream.isatty())


def tell(message: str) -> None:
    """A message for people: to standard error, so that it never mixes with results."""
    print(message, file=sys.stderr)


def visible(text: str) -> str:
    """The text without anything that could steer a terminal: rule files may come from strangers."""
    return "".join(character if character.isprintable() else "\N{REPLACEMENT CHARACTER}" for character in text)
