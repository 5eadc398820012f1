"""Edits of phases, decisions and procedures put to work, place by place."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Any

from ..ir.nodes import Alternative, Ask, Handler, Phase, Point, Procedure
from .alignment import rebuilt
from .edits import Edit, HandlerChanged, PartChanged, PlaceChanged, PlaceKeyChanged, ResetMoved, StepsChanged
from .mismatch import EditMismatch
from .normal import sorted_resets
from .skeleton import THEN, Place, Places, key_of

PlaceEdit = PlaceChanged | PlaceKeyChanged | StepsChanged | HandlerChanged | PartChanged
AnyPlaceEdit = PlaceEdit | ResetMoved


def patched_places(edits: Iterable[Edit], places: Places) -> Places:
    """The places of a program with the edits done."""
    by_place: dict[str, list[PlaceEdit]] = defaultdict(list)
    resets: list[ResetMoved] = []
    for edit in edits:
        assert isinstance(edit, AnyPlaceEdit)
        if isinstance(edit, ResetMoved):
            resets.append(edit)
        else:
            by_place[edit.parent if isinstance(edit, PlaceChanged) else edit.place].append(edit)
    removed = (edit for own in by_place.values() for edit in own if isinstance(edit, PlaceChanged))
    gone = {edit.place for edit in removed if edit.new is None and not edit.moved}
    for key, own in by_place.items():
        if key not in places.by_key:
            raise EditMismatch(own[0], f"there is no {key}")
        place = places.by_key[key]
        place = _with_keys(place, [edit for edit in own if isinstance(edit, PlaceKeyChanged)])
        place = _with_parts(place, [edit for edit in own if isinstance(edit, PartChanged)])
        place = _with_handlers(place, [edit for edit in own if isinstance(edit, HandlerChanged)])
        places.by_key[key] = place
    for key in gone:
        places.by_key.pop(key, None)
    for key, own in by_place.items():
        if key in places.by_key:
            _put_steps(places, key, own)
    for edit in resets:
        _move_reset(places, edit)
    return places


def _move_reset(places: Places, edit: ResetMoved) -> None:
    for key, is_new in ((edit.old, False), (edit.new, True)):
        if key is None:
            continue
        place = places.by_key.get(key)
        if place is None or isinstance(place.node, Ask):
            raise EditMismatch(edit, f"there is no {key}")
        kept = tuple(name for name in place.node.resets if name != edit.name)
        node = replace(place.node, resets=sorted_resets((*kept, edit.name) if is_new else kept))
        places.by_key[key] = replace(place, node=node)


def _with_keys(place: Place, edits: Sequence[PlaceKeyChanged]) -> Place:
    for edit in edits:
        new: Any = edit.new
        if edit.key == "loop":
            place = replace(place, loop=new)
        elif edit.key in list(Point):
            kept = [handler for handler in place.handlers if handler.point != edit.key]
            place = replace(place, handlers=_in_order([*kept, *new]))
        elif place.loop is not None and not hasattr(place.node, edit.key) and hasattr(place.loop, edit.key):
            place = replace(place, loop=replace(place.loop, **{edit.key: new}))
        elif isinstance(place.node, Ask) and not hasattr(place.node, edit.key):
            name, _, key = edit.key.rpartition(" ")
            place = _with_alternative(place, name or THEN, edit, key, new)
        elif isinstance(place.node, Phase | Ask | Procedure) and hasattr(place.node, edit.key):
            place = replace(place, node=replace(place.node, **{edit.key: new}))
        else:
            raise EditMismatch(edit, f"it has no {edit.key}")
    return place


def _with_alternative(place: Place, name: str, edit: Edit, key: str, new: Any) -> Place:
    assert isinstance(place.node, Ask)
    found = [one for one in place.node.alternatives if (one.key or THEN) == name]
    if not found:
        raise EditMismatch(edit, f"it has no alternative {name}")
    changed = replace(found[0], **{key: new})
    alternatives = tuple(changed if one is found[0] else one for one in place.node.alternatives)
    return replace(place, node=replace(place.node, alternatives=alternatives))


def _with_parts(place: Place, edits: Sequence[PartChanged]) -> Place:
    for name in sorted({edit.alternative for edit in edits}):
        assert isinstance(place.node, Ask)
        own = [edit for edit in edits if edit.alternative == name]
        found = [one for one in place.node.alternatives if (one.key or THEN) == name]
        if not found:
            raise EditMismatch(own[0], f"it has no alternative {name}")
        place = _with_alternative(place, name, own[0], "parts", _parts(found[0], own))
    return place


def _parts(alternative: Alternative, edits: Sequence[PartChanged]) -> Any:
    replaced = {edit.name: edit.new for edit in edits if edit.old is not None and edit.new is not None}
    parts = tuple(replaced.get(part.cell.name) or part for part in alternative.parts)
    gone = [edit.old_index for edit in edits if edit.old_index is not None]
    come = [(edit.new_index, edit.new) for edit in edits if edit.new_index is not None and edit.new is not None]
    return rebuilt(parts, gone, come)


def _with_handlers(place: Place, edits: Sequence[HandlerChanged]) -> Place:
    if not edits:
        return place
    handlers: list[Handler] = []
    for point in Point:
        own = [edit for edit in edits if edit.point is point]
        there = [handler for handler in place.handlers if handler.point is point]
        gone = [edit.old_index for edit in own if edit.old_index is not None]
        come = [(edit.new_index, edit.new) for edit in own if edit.new_index is not None and edit.new is not None]
        handlers.extend(rebuilt(there, gone, come))
    return replace(place, handlers=tuple(handlers))


def _in_order(handlers: Sequence[Handler]) -> tuple[Handler, ...]:
    return tuple(sorted(handlers, key=lambda handler: list(Point).index(handler.point)))


def _put_steps(places: Places, key: str, edits: Sequence[PlaceEdit]) -> None:
    place = places.by_key[key]
    contents = []
    for part, block in place.contents:
        for whole in (edit for edit in edits if isinstance(edit, StepsChanged) and edit.part == part):
            block = places.holed(whole.new)
        own = [edit for edit in edits if isinstance(edit, PlaceChanged) and edit.part == part]
        if own:
            holes = {name: step for step in block if (name := key_of(step)) is not None}
            gone = [edit.old_index for edit in own if edit.old_index is not None]
            come = []
            for edit in own:
                if edit.new is not None:
                    step = places.holed((edit.new,))[0]
                elif edit.place in holes:
                    step = holes[edit.place]
                else:
                    raise EditMismatch(edit, f"it does not stand in {edit.parent}")
                if edit.new_index is not None:
                    come.append((edit.new_index, step))
            block = rebuilt(block, gone, come)
        contents.append((part, block))
    places.by_key[key] = replace(places.by_key[key], contents=tuple(contents))
