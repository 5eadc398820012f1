"""Walking terms: the one place that knows which parts of a term are terms.

The fields of the node classes say it; nobody lists them a second time.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import fields, replace
from typing import Any

from .nodes import Alternative, Ask, Block, Handler, Node, Operation, Term, TermNode

_PARTS: dict[type[TermNode], tuple[str, ...]] = {}


def _parts(term: TermNode) -> tuple[str, ...]:
    """The fields of a term in which terms can stand."""
    cls = type(term)
    if cls not in _PARTS:
        _PARTS[cls] = tuple(f.name for f in fields(cls) if f.name not in ("span", "type"))
    return _PARTS[cls]


def children(term: Term) -> Iterator[Term]:
    """The terms directly inside a term, in the order in which they are written."""
    for name in _parts(term):
        value = getattr(term, name)
        if isinstance(value, TermNode):
            yield value  # type: ignore[misc]
        elif isinstance(value, tuple):
            for item in value:
                if isinstance(item, TermNode):
                    yield item  # type: ignore[misc]


def rewrite(term: Term, change: Callable[[Term], Term]) -> Term:
    """The term with every part changed, innermost first. Parts that stay the same are kept as they are."""
    changed: dict[str, Any] = {}
    for name in _parts(term):
        value = getattr(term, name)
        if isinstance(value, TermNode):
            new = rewrite(value, change)  # type: ignore[arg-type]
            if new is not value:
                changed[name] = new
        elif isinstance(value, tuple) and any(isinstance(item, TermNode) for item in value):
            items = tuple(rewrite(item, change) if isinstance(item, TermNode) else item for item in value)  # type: ignore[arg-type]
            if any(a is not b for a, b in zip(items, value, strict=True)):
                changed[name] = items
    return change(replace(term, **changed) if changed else term)


def every_term(term: Term) -> Iterator[Term]:
    """The term and all terms inside it."""
    yield term
    for child in children(term):
        yield from every_term(child)


def terms_of(value: object) -> Iterator[Term]:
    """All terms in an operation, a block, a declaration: whatever holds terms, at any depth."""
    if isinstance(value, TermNode):
        yield from every_term(value)  # type: ignore[arg-type]
    elif isinstance(value, tuple):
        for item in value:
            yield from terms_of(item)
    elif hasattr(value, "__dataclass_fields__"):
        for f in fields(value):  # type: ignore[arg-type]
            if f.name not in ("span", "type", "origin"):
                yield from terms_of(getattr(value, f.name))


def operations_of(block: Block) -> Iterator[Operation]:
    """All operations of a block, at any depth, handlers included."""
    for operation in block:
        yield operation
        for f in fields(operation):
            if f.name != "span":
                yield from _operations_in(getattr(operation, f.name))


def _operations_in(value: object) -> Iterator[Operation]:
    if isinstance(value, tuple):
        for item in value:
            if isinstance(item, Handler | Alternative):
                yield from operations_of(item.body)
            elif isinstance(item, Node) and not isinstance(item, TermNode):
                yield from operations_of((item,))  # type: ignore[arg-type]
    elif isinstance(value, Ask):
        yield from operations_of((value,))
