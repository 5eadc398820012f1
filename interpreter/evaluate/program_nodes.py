"""Everything in a program, node by node: for what is looked for rarely and can lie anywhere."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import fields, is_dataclass
from typing import Any

from rulesdsl.ir.nodes import Program
from rulesdsl.source import Source, Span


def nodes_of(root: Any) -> Iterator[Any]:
    """A node and all below it, in the order of the text; types and places are no nodes."""
    waiting = [root]
    while waiting:
        node = waiting.pop()
        if isinstance(node, tuple):
            waiting.extend(reversed(node))
        elif is_dataclass(node) and not isinstance(node, Span):
            yield node
            waiting.extend(getattr(node, field.name) for field in reversed(fields(node)) if field.name != "type")


def sources_of(program: Program) -> dict[str, Source]:
    """The rule files that something in a program comes from, by name."""
    found: dict[str, Source] = {}
    for node in nodes_of(program):
        span = getattr(node, "span", None)
        if isinstance(span, Span):
            found.setdefault(span.source.name, span.source)
    return found
