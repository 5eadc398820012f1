"""Tabs where only spaces may stand: the programs that read YAML do not agree on them."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterable

from ..diagnostic import Diagnostics
from ..source import Source, Span
from .yamlerrors import report_tab

_MOST = 20  # a file indented with tabs has one on every line; nobody reads more than a few
_TABS = re.compile(r"\t+")
_COMMENT = re.compile(r"(?:^|\s)#")

Stretch = tuple[int, int]


def report_tabs(source: Source, quoted: Iterable[Stretch], diagnostics: Diagnostics) -> None:
    """Reports the first tab of each line, unless it stands in a comment or in one of the `quoted` stretches."""
    text = source.text
    if "\t" not in text:
        return
    allowed = sorted(quoted)
    last_line, count = -1, 0
    for found in _TABS.finditer(text):
        at = found.start()
        before = bisect_right(allowed, (at, len(text))) - 1
        if before >= 0 and at < allowed[before][1]:
            continue
        line = text.rfind("\n", 0, at) + 1
        if line == last_line:
            continue
        last_line = line
        if _COMMENT.search(_bare(text, line, at, allowed)):
            continue
        report_tab(Span(source, at, found.end()), diagnostics)
        count += 1
        if count == _MOST:
            return


def _bare(text: str, begin: int, end: int, quoted: list[Stretch]) -> str:
    """A part of a line without what stands in quotes."""
    pieces: list[str] = []
    at = begin
    for start, stop in quoted[max(0, bisect_right(quoted, (begin, 0)) - 1) : bisect_right(quoted, (end, 0))]:
        if stop > at:
            pieces.append(text[at:start])
            at = stop
    pieces.append(text[at:end])
    return "_".join(pieces)
