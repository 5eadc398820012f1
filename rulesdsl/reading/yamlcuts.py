"""Texts in `{ }` and `[ ]` that YAML has cut at a comma: found, reported, and put together again.

`{ limit: most(a, b) }` is for YAML a key `limit` with the text `most(a`, and a key `b)` with no value. Here it becomes
what its author meant, so that one slip makes one diagnostic.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TypeGuard

from ..diagnostic import Diagnostics
from ..source import Span
from .scalarmap import fold_plain
from .yamlerrors import report_cut
from .yamltraps import unclosed
from .yamltree import Style, YamlMap, YamlNode, YamlScalar

_MOST_PIECES = 50

Entry = tuple[YamlScalar, YamlNode]


def is_missing(node: YamlNode) -> bool:
    """Whether nothing at all is written where a value belongs."""
    return _is_plain(node) and node.whole.start == node.whole.end


def is_cut(node: YamlNode) -> TypeGuard[YamlScalar]:
    """Whether this is a text in which a round bracket is still open."""
    return _is_plain(node) and unclosed(node.text) > 0


def mend_entries(entries: Iterable[Entry], diagnostics: Diagnostics) -> list[Entry]:
    """The entries of a flow mapping; those without a colon are joined to the text before them."""
    mended: list[tuple[YamlScalar, list[YamlNode]]] = []
    for key, value in entries:
        if mended and _has_no_colon(key, value) and all(_is_plain(piece) for piece in mended[-1][1]):
            mended[-1][1].append(key)
        else:
            mended.append((key, [value]))
    return [(key, _join(values, key.text, diagnostics)) for key, values in mended]


def mend_items(items: Sequence[YamlNode], diagnostics: Diagnostics) -> list[YamlNode]:
    """The items of a flow list; an item with an open bracket is joined to those up to the one that closes it."""
    mended: list[YamlNode] = []
    at = 0
    while at < len(items):
        item = items[at]
        if isinstance(item, YamlMap) and item.entries and is_cut(item.entries[-1][1]):
            (key, value), before = item.entries[-1], item.entries[:-1]
            pieces = _closing(value, items, at + 1)
            joined = _join(pieces, key.text, diagnostics)
            mended.append(YamlMap((*before, (key, joined)), item.whole.to(joined.whole)))
        else:
            pieces = _closing(item, items, at + 1)
            mended.append(_join(pieces, None, diagnostics))
        at += len(pieces)
    return mended


def _is_plain(node: YamlNode) -> TypeGuard[YamlScalar]:
    return isinstance(node, YamlScalar) and node.style is Style.PLAIN


def _has_no_colon(key: YamlScalar, value: YamlNode) -> bool:
    """Whether this entry of a mapping is a bare text."""
    after = key.whole.source.text[key.whole.end : key.whole.end + 200].lstrip()
    return _is_plain(key) and is_missing(value) and not after.startswith(":")


def _closing(first: YamlNode, items: Sequence[YamlNode], at: int) -> list[YamlNode]:
    """The pieces of a cut text, the others from `at`; `first` alone if nothing near closes its bracket."""
    if not is_cut(first):
        return [first]
    depth = unclosed(first.text)
    pieces: list[YamlNode] = [first]
    for piece in items[at : at + _MOST_PIECES]:
        if not _is_plain(piece):
            break
        pieces.append(piece)
        depth += unclosed(piece.text)
        if depth <= 0:
            return pieces
    return [first]


def _join(pieces: Sequence[YamlNode], key: str | None, diagnostics: Diagnostics) -> YamlNode:
    texts = [piece for piece in pieces if isinstance(piece, YamlScalar)]
    if len(pieces) == 1 or len(texts) < len(pieces):
        return pieces[0]
    first, last = texts[0].whole, texts[-1].whole
    whole = Span(first.source, first.start, last.end)
    joined = fold_plain(whole.source, whole.start, whole.end)
    report_cut(whole, [text.text for text in texts], diagnostics, key, joined)
    return YamlScalar(joined, whole)
