"""The steps of a program as a list of named places, each without what is named inside of it.

A phase, a decision and a procedure are places; where one stands inside another there is a hole with its name. So two
programs compare place by place, and what moves or comes in between does not hide what stayed.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace

from ..ir.nodes import (
    Ask,
    Block,
    Branch,
    Const,
    Each,
    Handler,
    Operation,
    Phase,
    Procedure,
    Repeat,
    Together,
    Window,
)
from ..types import Seat

Loop = Each | Together | Repeat

DO, THEN, ELSE = "do", "then", "else"
"""The lists of steps that a place can hold; those of alternatives go by the names of these."""

_NOBODY = Const(0, type=Seat())


@dataclass(frozen=True, slots=True)
class Place:
    """A phase, a decision or a procedure: its own keys in `node`, and its lists of steps with holes."""

    key: str
    node: Phase | Ask | Procedure
    loop: Loop | None
    contents: tuple[tuple[str, Block], ...]
    handlers: tuple[Handler, ...]

    @property
    def kind(self) -> str:
        """What it is called."""
        match self.node:
            case Phase():
                return "phase"
            case Ask():
                return "decision"
            case Procedure():
                return "procedure"


@dataclass(slots=True)
class Places:
    """All places of a program, by their keys, outer ones first."""

    by_key: dict[str, Place] = field(default_factory=dict)

    @staticmethod
    def of(procedures: Iterable[Procedure]) -> Places:
        """The places of some procedures."""
        places = Places()
        for procedure in procedures:
            places.add_procedure(procedure)
        return places

    def add_procedure(self, procedure: Procedure) -> None:
        """Takes in a procedure with all that stands in it."""
        node = replace(procedure, body=(), handlers=())
        self._add(Place(root(procedure.name), node, None, ((DO, procedure.body),), procedure.handlers))

    def _add(self, place: Place) -> None:
        self.by_key[place.key] = place  # ahead of what is inside
        contents = tuple((part, self.holed(block)) for part, block in place.contents)
        self.by_key[place.key] = replace(place, contents=contents)

    def holed(self, block: Block) -> Block:
        """A list of steps with a hole for every place in it; places that are not known yet are taken in."""
        return tuple(self._holed(operation) for operation in block)

    def _holed(self, operation: Operation) -> Operation:
        match operation:
            case Phase():
                if _is_hole(operation) and f"phase {operation.path}" in self.by_key:
                    return operation
                key = f"phase {operation.path}"
                loop, body = _loop_of(operation.body)
                node = replace(operation, body=(), handlers=())
                self._add(Place(key, node, loop, ((DO, body),), operation.handlers))
                return Phase(operation.name, operation.path, ())
            case Ask():
                if _is_hole(operation):
                    return operation
                key = self._free(f"decision {operation.path}")
                bodies = [(a.key or THEN, a.body) for a in operation.alternatives]
                alternatives = tuple(replace(a, body=()) for a in operation.alternatives)
                asked = replace(operation, alternatives=alternatives, otherwise=(), handlers=())
                self._add(Place(key, asked, None, (*bodies, (ELSE, operation.otherwise)), operation.handlers))
                return Ask(operation.name, key.partition(" ")[2], _NOBODY, ())
            case Window():
                ask = self._holed(operation.ask)
                assert isinstance(ask, Ask)
                return replace(operation, ask=ask)
            case _:
                return _inside(operation, self.holed)

    def _free(self, key: str) -> str:
        """The key, with a number if there is a decision of that path already."""
        number = 1
        while (found := key if number == 1 else f"{key}#{number}") in self.by_key:
            number += 1
        return found

    def resets(self, among: Iterable[str]) -> dict[str, str]:
        """What goes back to its start, and at which of some places."""
        nodes = {key: self.by_key[key].node for key in among}
        return {name: key for key, node in nodes.items() if not isinstance(node, Ask) for name in node.resets}

    # ── putting together again ───────────────────────────────────────────────────────────────────────────────────

    def procedure(self, name: str) -> Procedure:
        """A procedure with everything in its place."""
        place = self.by_key[root(name)]
        assert isinstance(place.node, Procedure)
        return replace(place.node, body=self.filled(place.contents[0][1]), handlers=place.handlers)

    def filled(self, block: Block, keep: frozenset[str] = frozenset()) -> Block:
        """A list of steps with the holes filled, but for those in `keep`."""
        return tuple(self._filled(operation, keep) for operation in block)

    def _filled(self, operation: Operation, keep: frozenset[str]) -> Operation:
        key = key_of(operation)
        if key is not None:
            return operation if key in keep else self._whole(self.by_key[key], keep)
        if isinstance(operation, Window):
            ask = self._filled(operation.ask, keep)
            assert isinstance(ask, Ask)
            return replace(operation, ask=ask)
        return _inside(operation, lambda block: self.filled(block, keep))

    def whole(self, key: str, keep: frozenset[str] = frozenset()) -> Operation:
        """A phase or a decision with everything in its place, but for the places in `keep`."""
        return self._whole(self.by_key[key], keep)

    def _whole(self, place: Place, keep: frozenset[str]) -> Operation:
        contents = {part: self.filled(block, keep) for part, block in place.contents}
        match place.node:
            case Phase():
                body = contents[DO] if place.loop is None else (replace(place.loop, body=contents[DO]),)
                return replace(place.node, body=body, handlers=place.handlers)
            case Ask():
                alternatives = tuple(replace(a, body=contents[a.key or THEN]) for a in place.node.alternatives)
                return replace(place.node, alternatives=alternatives, otherwise=contents[ELSE], handlers=place.handlers)
            case Procedure():
                raise AssertionError("a procedure stands in no list of steps")


def root(procedure: str) -> str:
    """The key of a procedure."""
    return f"procedure {procedure}"


def key_of(operation: Operation) -> str | None:
    """The key of a place that stands as a step; None for any other step."""
    match operation:
        case Phase():
            return f"phase {operation.path}"
        case Ask():
            return f"decision {operation.path}"
        case _:
            return None


def keys_in(block: Block, places: Mapping[str, Place]) -> Iterable[str]:
    """The keys of all places in a list of steps, at any depth, through the holes."""
    for operation in block:
        key = key_of(operation)
        if key is not None:
            yield key
            if key in places:
                for _, inner in places[key].contents:
                    yield from keys_in(inner, places)
        elif isinstance(operation, Window):
            yield from keys_in((operation.ask,), places)
        else:
            for inner in blocks_of(operation):
                yield from keys_in(inner, places)


def blocks_of(operation: Operation) -> tuple[Block, ...]:
    """The lists of steps directly inside an unnamed step."""
    match operation:
        case Branch():
            return operation.then, operation.otherwise
        case Each() | Together() | Repeat():
            return (operation.body,)
        case _:
            return ()


def _inside(operation: Operation, change: Callable[[Block], Block]) -> Operation:
    match operation:
        case Branch():
            return replace(operation, then=change(operation.then), otherwise=change(operation.otherwise))
        case Each() | Together() | Repeat():
            return replace(operation, body=change(operation.body))
        case _:
            return operation


def _loop_of(body: Block) -> tuple[Loop | None, Block]:
    if len(body) == 1 and isinstance(body[0], Each | Together | Repeat):
        return replace(body[0], body=()), body[0].body
    return None, body


def _is_hole(operation: Phase | Ask) -> bool:
    if isinstance(operation, Ask):
        return not operation.alternatives
    return not operation.body and operation.when is None and not operation.handlers and not operation.resets
