"""In which order things are worked out, so that what one of them uses is there already.

Without it a long chain of rules, each asking the next, would be as many calls deep as it is long.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import fields

from ..syntax.document import Doc
from ..syntax.expr import Call, Name, Node, Run


def names_in(*documents: object) -> set[str]:
    """Every name that documents use, of whatever it may be."""
    found: set[str] = set()
    waiting: list[object] = list(documents)
    while waiting:
        value = waiting.pop()
        match value:
            case Name(name=name) | Call(name=name) | Run(name=name):
                found.add(name)
            case _:
                pass
        if isinstance(value, tuple):
            waiting.extend(value)
        elif isinstance(value, Node | Doc):
            waiting.extend(getattr(value, part.name) for part in fields(value) if part.name != "span")
    return found


def used_first(uses: Mapping[str, Iterable[str]]) -> list[str]:
    """The keys, each after those that it uses; where they use one another in a circle, in the order of the mapping."""
    ordered: dict[str, None] = {}
    entered: set[str] = set()
    for first in uses:
        path: list[tuple[str, Iterator[str]]] = []
        waiting: str | None = first
        while True:
            if waiting is not None and waiting in uses and waiting not in entered:
                entered.add(waiting)
                path.append((waiting, iter(sorted(uses[waiting]))))
            if not path:
                break
            name, rest = path[-1]
            waiting = next(rest, None)
            if waiting is None:
                ordered[name] = None
                path.pop()
    return list(ordered)


def circles(uses: Mapping[str, Iterable[str]]) -> set[str]:
    """The keys that use themselves, directly or through others."""
    left = {name: set(used) & uses.keys() for name, used in uses.items()}
    # What uses nothing that is left is in no circle, nor is what nothing that is left uses.
    while True:
        used = set().union(*left.values())
        kept = {name for name, inner in left.items() if inner and name in used}
        if len(kept) == len(left):
            return kept
        left = {name: left[name] & kept for name in kept}


def reached(uses: Mapping[str, Iterable[str]], first: str) -> frozenset[str]:
    """What a key uses, directly or through others."""
    found: set[str] = set()
    waiting = [first]
    while waiting:
        new = set(uses.get(waiting.pop(), ())) - found
        found |= new
        waiting.extend(new)
    return frozenset(found)
