"""Moves a piece of a program to other cells, so that it can run in the frame of another procedure."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields, is_dataclass, replace
from typing import Any, TypeVar

from rulesdsl.ir.nodes import (
    Ask,
    Assign,
    Block,
    Cell,
    DrawRandom,
    Each,
    Increase,
    Roll,
    RollOne,
    Running,
    Together,
)
from rulesdsl.source import Span

from .plainness import operations_in

Node = TypeVar("Node")


def bound_in(block: Block) -> list[Cell]:
    """The cells that the steps of a block bind, at any depth; those of procedures are another matter."""
    found: list[Cell] = []
    for operation in operations_in(block):
        match operation:
            case Each() | Together():
                found.append(operation.cell)
            case Assign() | Increase() | Roll() | RollOne() | DrawRandom() if isinstance(operation.target, Cell):
                found.append(operation.target)
            case Ask():
                found += [part.cell for alternative in operation.alternatives for part in alternative.parts]
            case _:
                pass
    return found


def relocated(node: Node, cells: Mapping[int, Cell], procedure: str) -> Node:
    """A piece of a procedure that keeps its values in other cells, wherever it or what it runs names them."""
    moved: Any = _relocated(node, cells, procedure)
    return moved  # type: ignore[no-any-return]


def _relocated(node: Any, cells: Mapping[int, Cell], procedure: str) -> Any:
    if isinstance(node, Cell):
        return cells.get(node.id, node)
    if isinstance(node, Running) and node.procedure == procedure:
        return cells[node.id]
    if isinstance(node, tuple) and not hasattr(node, "_fields"):
        return tuple(_relocated(part, cells, procedure) for part in node)
    if is_dataclass(node) and not isinstance(node, type) and not isinstance(node, Span):
        changed = {
            each.name: _relocated(getattr(node, each.name), cells, procedure)
            for each in fields(node)
            if each.name not in ("span", "type", "origin", "id")
        }
        return replace(node, **changed)
    return node
