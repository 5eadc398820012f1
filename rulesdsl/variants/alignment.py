"""Laying two lists beside one another: what went, what came, and whether the rest kept its order."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import TypeVar

T = TypeVar("T")

MOST_MOVED = 2


@dataclass(frozen=True, slots=True)
class Alignment:
    """Indices into the old list of what went, into the new one of what came; pairs of indices of what moved."""

    gone: tuple[int, ...]
    come: tuple[int, ...]
    moved: tuple[tuple[int, int], ...]
    stayed: tuple[tuple[int, int], ...]


def aligned(
    old: Sequence[Hashable], new: Sequence[Hashable], movable: frozenset[Hashable] = frozenset()
) -> Alignment | None:
    """How one list becomes the other; None if what both have stands in another order.

    At most two of the `movable` items may have moved. The answer is the same, mirrored, for the lists exchanged.
    """
    olds, news = _numbered(old), _numbered(new)
    both = [item for item in olds if item in news]
    target = [item for item in news if item in olds]
    at_old, at_new = {item: i for i, item in enumerate(olds)}, {item: i for i, item in enumerate(news)}
    candidates = sorted((item for item in both if item[0] in movable), key=repr)
    for count in range(MOST_MOVED + 1):
        for chosen in combinations(candidates, count):
            if [item for item in both if item not in chosen] == [item for item in target if item not in chosen]:
                return Alignment(
                    tuple(i for item, i in at_old.items() if item not in at_new),
                    tuple(i for item, i in at_new.items() if item not in at_old),
                    tuple((at_old[item], at_new[item]) for item in chosen),
                    tuple((at_old[item], at_new[item]) for item in both if item not in chosen),
                )
    return None


def _numbered(items: Sequence[Hashable]) -> list[tuple[Hashable, int]]:
    """The items told apart: the second one of two equal ones gets another number."""
    seen: dict[Hashable, int] = {}
    numbered = []
    for item in items:
        seen[item] = seen.get(item, -1) + 1
        numbered.append((item, seen[item]))
    return numbered


def rebuilt(old: Sequence[T], gone: Sequence[int], come: Sequence[tuple[int, T]]) -> tuple[T, ...]:
    """A list without what stood at the first indices, and with the others put in so that they stand at theirs."""
    left = [item for index, item in enumerate(old) if index not in set(gone)]
    for index, item in sorted(come, key=lambda one: one[0]):
        left.insert(index, item)
    return tuple(left)
