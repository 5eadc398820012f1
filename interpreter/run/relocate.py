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


def relocated(node: Node, cells: Mapping[int, Cell], running: Mapping[str, Mapping[int, Cell]]) -> Node:
    """A piece of a procedure that keeps its values in other cells.

    `running` has, by name, the cells of those procedures that are laid out around it, and of itself: it may name those.
    """
    moved: Any = _relocated(node, cells, running)
    return moved  # type: ignore[no-any-return]


def _relocated(node: Any, cells: Mapping[int, Cell], running: Mapping[str, Mapping[int, Cell]]) -> Any:
    if isinstance(node, Cell):
        return cells.get(node.id, node)
    if isinstance(node, Running):
        return running[node.procedure][node.id] if node.procedure in running else node
    if isinstance(node, tuple) and not hasattr(node, "_fields"):
        return tuple(_relocated(part, cells, running) for part in node)
    if is_dataclass(node) and not isinstance(node, type) and not isinstance(node, Span):
        changed = {
            each.name: _relocated(getattr(node, each.name), cells, running)
            for each in fields(node)
            if each.name not in ("span", "type", "origin", "id")
        }
        return replace(node, **changed)
    return node
