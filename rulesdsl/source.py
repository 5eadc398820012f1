"""Where every piece of text came from.

A `Source` is one file as text. A `Span` is a stretch of it, in code points. Lines and columns are worked out only
when somebody asks for them, that is, when a diagnostic is shown.
"""

from __future__ import annotations

from bisect import bisect_right
from dataclasses import dataclass, field
from functools import cached_property
from typing import NamedTuple, Protocol


class Position(NamedTuple):
    """A place as an editor counts it: line and column from 1, columns in code points."""

    line: int
    column: int


@dataclass(frozen=True, eq=False)
class Source:
    """One rule file: the name people know it by, and its text."""

    name: str
    text: str = field(repr=False)

    @cached_property
    def _line_starts(self) -> list[int]:
        starts = [0]
        starts.extend(index + 1 for index, character in enumerate(self.text) if character == "\n")
        return starts

    def position(self, offset: int) -> Position:
        """Line and column of an offset in the text."""
        line = bisect_right(self._line_starts, offset)
        return Position(line, offset - self._line_starts[line - 1] + 1)

    def line(self, number: int) -> str:
        """The text of a line, counted from 1, without its line break."""
        starts = self._line_starts
        end = starts[number] if number < len(starts) else len(self.text)
        return self.text[starts[number - 1] : end].rstrip("\r\n")


@dataclass(frozen=True, slots=True)
class Span:
    """A stretch of a source: `start` up to, not including, `end`."""

    source: Source
    start: int
    end: int

    @property
    def position(self) -> Position:
        """Where the span begins."""
        return self.source.position(self.start)

    @property
    def end_position(self) -> Position:
        """Where the span ends; the column is the first one after it."""
        return self.source.position(self.end)

    @property
    def text(self) -> str:
        """What the span covers."""
        return self.source.text[self.start : self.end]

    def to(self, other: Span) -> Span:
        """From the start of this span to the end of another one of the same source."""
        return Span(self.source, self.start, max(self.end, other.end))

    def __str__(self) -> str:
        line, column = self.position
        return f"{self.source.name}:{line}:{column}"


class Embedded(Protocol):
    """A text that stands inside a file, such as an expression in a YAML scalar.

    `span` answers in the file, through quotes, escapes and indentation.
    """

    @property
    def text(self) -> str:
        """The text as its author means it."""
        ...

    def span(self, start: int, end: int) -> Span:
        """Where the stretch from `start` to `end` of `text` stands in the file."""
        ...
