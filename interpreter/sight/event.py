"""What happens in a match, as it is noted down while it happens.

An event holds everything, and by seat what of it may be seen; `render.py` makes from it what one seat is told. Nothing
in here is needed to play: a machine that only simulates makes none.
"""

from __future__ import annotations

from typing import Any, NamedTuple

from rulesdsl.ir.nodes import Ask, Value
from rulesdsl.types import Type


class Looks(NamedTuple):
    """A card as it looked at that moment: the card, what was written on it, and the cards under it."""

    card: int
    fields: tuple[Value, ...]
    beneath: tuple[Looks, ...]


class Spot(NamedTuple):
    """A place at that moment: a zone, or under the card `above` that lay there.

    `knowers` are the seats that know the card above, `counters` those that know how many cards lie at the place.
    """

    zone: int
    above: Looks | None
    knowers: int
    counters: int


class Batch(NamedTuple):
    """Cards that went from one place to another.

    `positions` say where each lay, counted from 0 (of plays: in which), where the place has an order; `targets` where
    each lies now, in an ordered place if it isn't simply an end of it. What the seats knew before, which of the cards
    they recognise, and what they lost sight of is by seat; `lost_looks` are those cards of the place, moved or not, of
    which, or of what lies under them, somebody lost sight.
    """

    kind: str
    source: Spot
    target: Spot
    cards: tuple[Looks, ...]
    positions: tuple[int, ...]
    targets: tuple[int, ...]
    at_bottom: bool
    before: tuple[int, ...]
    shown: tuple[int, ...]
    lost: tuple[int, ...]
    lost_looks: tuple[Looks, ...]


class Began(NamedTuple):
    """The match began, or was set up in the middle: all cells but those of the stack."""

    state: tuple[Value, ...]


class Moved(NamedTuple):
    """Cards moved."""

    batch: Batch


class Played(NamedTuple):
    """Cards became a play; they may have come from several places. `seers` see the zone."""

    zone: int
    player: int
    fields: tuple[Value, ...]
    batches: tuple[Batch, ...]
    seers: int


class Swapped(NamedTuple):
    """Cards changed places. Each took a position that the other side left; `state` is what it looks like now."""

    left: Batch
    right: Batch
    state: tuple[Value, ...]


class Shuffled(NamedTuple):
    """A place got a new order; `lost` is by seat what it remembered there, `state` what it looks like now."""

    kind: str
    place: Spot
    lost: tuple[int, ...]
    state: tuple[Value, ...]


class Shown(NamedTuple):
    """Seats were shown cards where they lie.

    `known` is by seat: those of the cards that it knows now. `state` is what it looks like now.
    """

    kind: str
    place: Spot
    cards: tuple[Looks, ...]
    positions: tuple[int, ...]
    seats: int
    known: tuple[int, ...]
    state: tuple[Value, ...]


class Became(NamedTuple):
    """A state has another value."""

    name: str
    of: tuple[Value, ...]
    value: Value


class Written(NamedTuple):
    """Something was written on a card, which looked as `looks` says before."""

    kind: str
    place: Spot
    looks: Looks
    position: int
    field: str
    value: Value
    knowers: int


class Acted(NamedTuple):
    """What a card does begins: the steps of a power, or of something that lasts. `knowers` know which card it is."""

    kind: str
    looks: Looks
    power: str
    knowers: int


class Marked(NamedTuple):
    """A field of a play has another value. `number` counts the plays of the zone; `seers` may see it."""

    zone: int
    number: int
    field: str
    value: Value
    seers: int


class Drawn(NamedTuple):
    """Chance decided something. If it chose cards, `known` is by seat which of them it may know; else it is empty."""

    name: str
    type: Type
    value: Value
    known: tuple[int, ...]


class Announced(NamedTuple):
    """Everybody was told a value."""

    label: str
    type: Type
    value: Value


class Answered(NamedTuple):
    """A seat decided. `known` is by seat: of each part, the set of chosen cards that it may know.

    `does_nothing` stands for declining, for choosing nothing, and for not even being asked: nobody may tell them apart.
    """

    ask: Ask
    seat: int
    answer: tuple[Any, ...]
    does_nothing: bool
    sealed: bool
    known: tuple[tuple[int, ...], ...]


class Entered(NamedTuple):
    """A phase began."""

    path: str


class Ended(NamedTuple):
    """The match is over: finished, at a limit, or by an error; the text says why, where a rule didn't say it."""

    status: int
    why: str


Event = (
    Began
    | Moved
    | Played
    | Swapped
    | Shuffled
    | Shown
    | Became
    | Written
    | Acted
    | Marked
    | Drawn
    | Announced
    | Answered
    | Entered
    | Ended
)
