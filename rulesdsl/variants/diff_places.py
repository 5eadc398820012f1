"""What differs between the steps of two programs, place by place."""

from __future__ import annotations

from collections.abc import Hashable, Iterator
from dataclasses import fields

from ..ir.nodes import Alternative, Ask, Block, Each, Operation, Phase, Point, Procedure, Repeat, Together
from .alignment import Alignment, aligned
from .edits import Edit, HandlerChanged, PartChanged, PlaceChanged, PlaceKeyChanged, ResetMoved, StepsChanged
from .meaning import Meaning, Reader
from .skeleton import THEN, Place, Places, key_of

Readers = tuple[Reader, Reader]

_LOOP_KEYS = ("where", "while_", "until", "times", "rounds", "at_most")


def diff_places(old: Places, new: Places, readers: Readers) -> Iterator[Edit]:
    """The edits that turn the steps of one program into those of another; both have the same procedures."""
    comparison = _Comparison(old, new, readers)
    for key in sorted(comparison.shared):
        yield from comparison.place(key)
    resets = [places.resets(comparison.shared) for places in (old, new)]
    for name in sorted({*resets[0], *resets[1]}):
        before, after = resets[0].get(name), resets[1].get(name)
        if before != after:
            yield ResetMoved(name, before, after)


class _Comparison:
    def __init__(self, old: Places, new: Places, readers: Readers) -> None:
        self.old, self.new, self.readers = old, new, readers
        self.shared = frozenset(self._shared())

    def _shared(self) -> Iterator[str]:
        for key, place in self.old.by_key.items():
            other = self.new.by_key.get(key)
            if other is not None and _lists(place) == _lists(other):
                yield key

    def place(self, key: str) -> Iterator[Edit]:
        old, new = self.old.by_key[key], self.new.by_key[key]
        match old.node, new.node:
            case Phase(), Phase():
                yield from self._keys(key, {"when": old.node.when}, {"when": new.node.when})
                yield from self._loop(old, new)
            case Ask(), Ask():
                yield from self._decision(key, old.node, new.node)
            case Procedure(), Procedure():
                pass
            case _:
                raise AssertionError(f"{key} is two kinds of place")
        yield from self._handlers(old, new)
        others = dict(new.contents)
        for part, block in old.contents:
            yield from self._content(key, part, block, others[part])

    # ── keys ─────────────────────────────────────────────────────────────────────────────────────────────────────

    def _keys(self, key: str, old: dict[str, object], new: dict[str, object]) -> Iterator[Edit]:
        for name, before in old.items():
            if self.readers[0].term(before) != self.readers[1].term(new[name]):
                yield PlaceKeyChanged(key, name, before, new[name])

    def _loop(self, old: Place, new: Place) -> Iterator[Edit]:
        one, other = old.loop, new.loop
        if one is None or other is None or type(one) is not type(other) or self._head(0, one) != self._head(1, other):
            if one is not None or other is not None:
                yield PlaceKeyChanged(old.key, "loop", one, other)
            return
        names = [f.name for f in fields(one) if f.name in _LOOP_KEYS]
        yield from self._keys(old.key, {n: getattr(one, n) for n in names}, {n: getattr(other, n) for n in names})

    def _head(self, side: int, loop: Each | Together | Repeat) -> Meaning:
        """What a loop runs over, and where it begins."""
        head = () if isinstance(loop, Repeat) else (loop.cell, loop.source, loop.start)
        return self.readers[side].term(head)

    # ── decisions ────────────────────────────────────────────────────────────────────────────────────────────────

    def _decision(self, key: str, old: Ask, new: Ask) -> Iterator[Edit]:
        for name in ("by", "optional", "has_else"):
            yield from self._keys(key, {name: getattr(old, name)}, {name: getattr(new, name)})
        others = {alternative.key: alternative for alternative in new.alternatives}
        for one in old.alternatives:
            other = others[one.key]
            prefix = f"{one.key} " if one.key else ""
            yield from self._keys(
                key,
                {f"{prefix}under": one.under, f"{prefix}where": one.where},
                {f"{prefix}under": other.under, f"{prefix}where": other.where},
            )
            yield from self._parts(key, one, other)

    def _parts(self, key: str, old: Alternative, new: Alternative) -> Iterator[Edit]:
        name = old.key or THEN
        olds, news = {p.cell.name: p for p in old.parts}, {p.cell.name: p for p in new.parts}
        if aligned([*olds], [*news]) is None:
            yield PlaceKeyChanged(key, f"{name} parts", old.parts, new.parts)
            return
        for index, (part, before) in enumerate(olds.items()):
            if part not in news:
                yield PartChanged(key, name, part, before, None, index, None)
            elif self.readers[0].term(before) != self.readers[1].term(news[part]):
                yield PartChanged(key, name, part, before, news[part], None, None)
        for index, (part, after) in enumerate(news.items()):
            if part not in olds:
                yield PartChanged(key, name, part, None, after, None, index)

    # ── handlers ─────────────────────────────────────────────────────────────────────────────────────────────────

    def _handlers(self, old: Place, new: Place) -> Iterator[Edit]:
        for point in Point:
            before = [handler for handler in old.handlers if handler.point is point]
            after = [handler for handler in new.handlers if handler.point is point]
            meanings = [self.readers[0].term(h) for h in before], [self.readers[1].term(h) for h in after]
            found = aligned(*meanings)
            if found is None:
                yield PlaceKeyChanged(old.key, str(point), tuple(before), tuple(after))
            elif len(found.gone) == len(found.come) == 1 and found.gone == found.come:
                index = found.gone[0]
                yield HandlerChanged(old.key, point, before[index], after[index], index, index)
            else:
                for index in found.gone:
                    yield HandlerChanged(old.key, point, before[index], None, index, None)
                for index in found.come:
                    yield HandlerChanged(old.key, point, None, after[index], None, index)

    # ── steps ────────────────────────────────────────────────────────────────────────────────────────────────────

    def _content(self, key: str, part: str, old: Block, new: Block) -> Iterator[Edit]:
        items = self._items(0, old), self._items(1, new)
        holes = frozenset(item for item in items[0] if item[0] == "place")
        found = aligned(*items, movable=holes)
        if found is None or self._changes_steps(found, old, new):
            if items[0] != items[1]:
                before, after = self.old.filled(old, self.shared), self.new.filled(new, self.shared)
                yield StepsChanged(key, part, before, after)
            return
        for index in found.gone:
            place, beside = key_of(old[index]), _beside(old, index, key)
            assert place is not None
            whole = self.old.whole(place, self.shared)
            yield PlaceChanged(place, key, part, whole, None, index, None, beside, None)
        for index in found.come:
            place, beside = key_of(new[index]), _beside(new, index, key)
            assert place is not None
            whole = self.new.whole(place, self.shared)
            yield PlaceChanged(place, key, part, None, whole, None, index, None, beside)
        for before_at, after_at in found.moved:
            place = key_of(old[before_at])
            assert place is not None
            sides = _beside(old, before_at, key), _beside(new, after_at, key)
            yield PlaceChanged(place, key, part, None, None, before_at, after_at, *sides)

    def _items(self, side: int, block: Block) -> list[tuple[Hashable, ...]]:
        return [self._item(side, operation) for operation in block]

    def _item(self, side: int, operation: Operation) -> tuple[Hashable, ...]:
        key = key_of(operation)
        if key in self.shared:
            return "place", key
        if key is not None:
            return "other place", key, side
        places = (self.old, self.new)[side]
        return "step", self.readers[side].term(places.filled((operation,), self.shared))

    def _changes_steps(self, found: Alignment, old: Block, new: Block) -> bool:
        """Whether anything but phases and decisions came or went."""
        went = [old[index] for index in found.gone] + [new[index] for index in found.come]
        return any(key_of(operation) is None for operation in went)


def _lists(place: Place) -> tuple[str, tuple[str, ...]]:
    return place.kind, tuple(part for part, _ in place.contents)


def _beside(block: Block, index: int, parent: str) -> str:
    """Where a step stands, for people: after the nearest named place ahead of it."""
    for operation in reversed(block[:index]):
        key = key_of(operation)
        if key is not None:
            return f"after {key}"
    return f"first in {parent}"
