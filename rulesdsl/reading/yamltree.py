"""A YAML file as a tree in which every key and every scalar knows its place.

Nothing is guessed: a scalar stays text until the place where it stands says how it is read.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from enum import Enum

from ..source import Source, Span


class Style(Enum):
    """How a scalar is written."""

    PLAIN = ""
    SINGLE_QUOTED = "'"
    DOUBLE_QUOTED = '"'
    LITERAL = "|"


@dataclass(frozen=True, slots=True)
class YamlScalar:
    """A key or a value; `text` is what its author means, `whole` where it stands with its quotes."""

    text: str
    whole: Span = field(compare=False, repr=False)
    style: Style = field(default=Style.PLAIN, compare=False)

    def span(self, start: int, end: int) -> Span:
        """Where a stretch of `text` stands in the file (see `Embedded`)."""
        from .scalarmap import file_span  # only scalars that are looked at closely pay for the map

        return file_span(self, start, end)


@dataclass(frozen=True, slots=True)
class YamlList:
    """A list, in order."""

    items: tuple[YamlNode, ...]
    whole: Span = field(compare=False, repr=False)

    def __iter__(self) -> Iterator[YamlNode]:
        return iter(self.items)


@dataclass(frozen=True, slots=True)
class YamlMap:
    """A mapping; the order of its keys never means anything."""

    entries: tuple[tuple[YamlScalar, YamlNode], ...]
    whole: Span = field(compare=False, repr=False)

    def get(self, key: str) -> YamlNode | None:
        """The value of a key, or None."""
        return next((value for name, value in self.entries if name.text == key), None)

    def key(self, key: str) -> YamlScalar | None:
        """The key itself, with its place."""
        return next((name for name, _ in self.entries if name.text == key), None)

    def __contains__(self, key: str) -> bool:
        return any(name.text == key for name, _ in self.entries)


YamlNode = YamlScalar | YamlList | YamlMap

__all__ = ["Source", "Style", "YamlList", "YamlMap", "YamlNode", "YamlScalar"]
