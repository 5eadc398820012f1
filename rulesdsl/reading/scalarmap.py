"""Where each character of a scalar stands in the file: through quotes, escapes, folded lines and indentation.

A scalar's text is rebuilt from the file, character by character, and each character remembers the stretch that it
came from. If the rebuilt text is not the scalar's text, the answer is the scalar as a whole: late, but never wrong.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import assert_never

from ..source import Source, Span
from .yamltree import Style, YamlScalar

_SPACE = re.compile(r"[ \t\r\n]+")
_BREAK = re.compile(r"\r?\n")
_CONTINUED = re.compile(r"\\\r?\n[ \t]*((?:\r?\n[ \t]*)*)")
_ESCAPE = re.compile(r"\\(?:x([0-9A-Fa-f]{2})|u([0-9A-Fa-f]{4})|U([0-9A-Fa-f]{8})|(.))")
_ESCAPED = {
    "0": "\0",
    "a": "\a",
    "b": "\b",
    "t": "\t",
    "\t": "\t",
    "n": "\n",
    "v": "\v",
    "f": "\f",
    "r": "\r",
    "e": "\x1b",
    " ": " ",
    '"': '"',
    "\\": "\\",
    "/": "/",
    "N": "\x85",
    "_": "\xa0",
    "L": "\u2028",
    "P": "\u2029",
}


class _Rebuilt:
    """A text under reconstruction; character `i` came from `starts[i]` up to `ends[i]`."""

    def __init__(self) -> None:
        self.characters: list[str] = []
        self.starts: list[int] = []
        self.ends: list[int] = []

    def put(self, character: str, start: int, end: int) -> None:
        self.characters.append(character)
        self.starts.append(start)
        self.ends.append(end)

    def space(self, raw: str, at: int, end: int) -> None:
        """Space in a flowing scalar: one line break in it makes it one blank, each further one is a line break."""
        breaks = [found.span() for found in _BREAK.finditer(raw, at, end)]
        if not breaks:
            for place in range(at, end):
                self.put(raw[place], place, place + 1)
        if len(breaks) == 1:
            self.put(" ", *breaks[0])
        for start, end in breaks[1:]:
            self.put("\n", start, end)

    @property
    def text(self) -> str:
        return "".join(self.characters)


def file_span(scalar: YamlScalar, start: int, end: int) -> Span:
    """Where the stretch from `start` to `end` of the scalar's text stands in the file.

    An empty stretch stands before its character, at the end of the text after the last one.
    """
    whole = scalar.whole
    offset = _straight(scalar)
    if offset is not None:
        return Span(whole.source, offset + start, offset + end)
    rebuilt = _rebuild(whole.source, whole.start, whole.end, scalar.style, scalar.text)
    if rebuilt is None:
        return whole
    starts, ends = rebuilt
    if not starts:
        inside = whole.start + (0 if scalar.style is Style.PLAIN else 1)
        return Span(whole.source, inside, inside)
    if start >= len(starts):
        return Span(whole.source, ends[-1], ends[-1])
    if end <= start:
        return Span(whole.source, starts[start], starts[start])
    return Span(whole.source, starts[start], ends[min(end, len(ends)) - 1])


def fold_plain(source: Source, start: int, end: int) -> str:
    """The text of a plain scalar that stands from `start` to `end`."""
    rebuilt = _Rebuilt()
    _plain(rebuilt, source.text, start, end)
    return rebuilt.text


def _straight(scalar: YamlScalar) -> int | None:
    """Where the text begins in the file, if it stands there letter by letter."""
    whole = scalar.whole
    match scalar.style:
        case Style.PLAIN:
            begin = whole.start
        case Style.SINGLE_QUOTED | Style.DOUBLE_QUOTED:
            begin = whole.start + 1
        case Style.LITERAL:
            return None
        case _:
            assert_never(scalar.style)
    closing = begin - whole.start
    exact = begin + len(scalar.text) == whole.end - closing and whole.source.text.startswith(scalar.text, begin)
    return begin if exact and "\n" not in scalar.text else None


@lru_cache(maxsize=64)  # an expression asks for many stretches of one scalar
def _rebuild(source: Source, start: int, end: int, style: Style, text: str) -> tuple[list[int], list[int]] | None:
    rebuilt = _Rebuilt()
    match style:
        case Style.PLAIN:
            _plain(rebuilt, source.text, start, end)
        case Style.SINGLE_QUOTED:
            _single_quoted(rebuilt, source.text, start + 1, end - 1)
        case Style.DOUBLE_QUOTED:
            _double_quoted(rebuilt, source.text, start + 1, end - 1)
        case Style.LITERAL:
            _literal(rebuilt, source.text, start, end, text)
        case _:
            assert_never(style)
    return (rebuilt.starts, rebuilt.ends) if rebuilt.text == text else None


def _plain(rebuilt: _Rebuilt, raw: str, at: int, end: int) -> None:
    while at < end:
        if space := _SPACE.match(raw, at, end):
            rebuilt.space(raw, at, space.end())
            at = space.end()
        else:
            rebuilt.put(raw[at], at, at + 1)
            at += 1


def _single_quoted(rebuilt: _Rebuilt, raw: str, at: int, end: int) -> None:
    while at < end:
        if space := _SPACE.match(raw, at, end):
            rebuilt.space(raw, at, space.end())
            at = space.end()
        else:
            width = 2 if raw.startswith("''", at) else 1
            rebuilt.put(raw[at], at, at + width)
            at += width


def _double_quoted(rebuilt: _Rebuilt, raw: str, at: int, end: int) -> None:
    while at < end:
        if space := _SPACE.match(raw, at, end):
            rebuilt.space(raw, at, space.end())
            at = space.end()
        elif continued := _CONTINUED.match(raw, at, end):
            for blank in _BREAK.finditer(raw, continued.start(1), continued.end(1)):
                rebuilt.put("\n", blank.start(), blank.end())
            at = continued.end()
        elif escape := _ESCAPE.match(raw, at, end):
            number = escape.group(1) or escape.group(2) or escape.group(3)
            character = _code_point(number) if number else _ESCAPED.get(escape.group(4), escape.group(4))
            rebuilt.put(character, at, escape.end())
            at = escape.end()
        else:
            rebuilt.put(raw[at], at, at + 1)
            at += 1


def _code_point(digits: str) -> str:
    number = int(digits, 16)
    return chr(number) if number <= 0x10FFFF else "\ufffd"


def _literal(rebuilt: _Rebuilt, raw: str, start: int, end: int, text: str) -> None:
    """A block: its lines without their indentation, which the first line with anything on it gives away."""
    header = _BREAK.search(raw, start, end)
    if header is None:
        return
    lines = [found.end() for found in _BREAK.finditer(raw, header.start(), end)]
    ends = [found.start() for found in _BREAK.finditer(raw, header.end(), end)] + [end]
    values = text.split("\n")
    written = (place for place in zip(lines, ends, values, strict=False) if place[2].strip(" "))
    indent = next((stop - begin - len(value) for begin, stop, value in written), 0)
    for (begin, stop), following in zip(zip(lines, ends, strict=True), [*lines[1:], None], strict=True):
        for at in range(min(begin + indent, stop), stop):
            rebuilt.put(raw[at], at, at + 1)
        if following is not None:
            rebuilt.put("\n", stop, following)
    at = end
    for _ in range(len(text) - len(text.rstrip("\n")) - _trailing(rebuilt.characters)):
        after = _BREAK.match(raw, at)
        next_at = after.end() if after else at
        rebuilt.put("\n", at, next_at)
        at = next_at


def _trailing(characters: list[str]) -> int:
    count = 0
    for character in reversed(characters):
        if character != "\n":
            break
        count += 1
    return count
