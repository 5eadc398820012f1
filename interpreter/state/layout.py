"""Where everything is kept in a state: a function of the program and the number of seats.

The fixed cells (`cells.py`) come first, then one cell for each zone, for the place of each card and for the card above
it, for each state, for each field of each card, and for what each seat knows of each kind of cards. The stack of the
machine is the tail.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from rulesdsl.diagnostic import InternalError
from rulesdsl.ir.nodes import Bound, Owned, Procedure, Program, Shape, Sight, Term, Value, Variable, Zone
from rulesdsl.types import NONE, Ladder, Type

from ..evaluate.terms import Evaluator
from .cells import (
    ERROR,
    FINISHED,
    FIRST_FREE,
    FP,
    FRAME_HEAD,
    GENERATOR,
    LIMIT,
    PC,
    PENDING,
    RUNNING,
    STAMP,
    STARTED,
    STATUS,
    STEPS,
    WHY,
    State,
)
from .domains import first_of, rung_parts, size_of
from .pack import Pack, packs_for
from .seating import Seating

__all__ = [
    "ERROR",
    "FINISHED",
    "FP",
    "FRAME_HEAD",
    "GENERATOR",
    "LIMIT",
    "NONE",
    "PC",
    "PENDING",
    "RUNNING",
    "STAMP",
    "STARTED",
    "STATUS",
    "STEPS",
    "WHY",
    "Layout",
    "State",
    "VariableInfo",
    "ZoneInfo",
]


@dataclass(frozen=True, slots=True)
class ZoneInfo:
    """One zone of the table: `owner` is a seat or a team (`each` says which), or -1."""

    index: int
    name: str
    owner: int
    each: Owned
    kind: str
    shape: Shape
    seen: Sight
    count_seen: Sight
    active: bool
    cell: int
    declaration: Zone


@dataclass(frozen=True, slots=True)
class VariableInfo:
    """Where a state is kept: from `base` on, one cell for each combination of members of its dimensions.

    A member counts from `firsts` of its dimension, and the last dimension turns fastest.
    """

    declaration: Variable
    base: int
    size: int
    sizes: tuple[int, ...]
    strides: tuple[int, ...]
    firsts: tuple[int, ...]


class Layout:
    """The places of all things in a state, and the cards, seats and teams of the match."""

    def __init__(self, program: Program, seats: int, packs: Mapping[str, Pack] | None = None) -> None:
        low, high = program.players
        if not low <= seats <= high:
            raise InternalError(f"{program.name} is played by {low} to {high}, not by {seats}")
        self.program = program
        self.seats = seats
        self.seating = Seating(program.teams, seats)
        self.packs: dict[str, Pack] = dict(
            packs_for(program, lambda candidates, term, card: _judge(program, seats, candidates, term, card))
            if packs is None
            else packs
        )
        self.options: dict[str, int] = {option.name: option.value for option in program.options}
        self.procedures: tuple[Procedure, ...] = (program.main, *program.procedures)
        """All procedures; a frame names its own by the index in here. The first is the match."""
        self.procedure_index = {procedure.name: index for index, procedure in enumerate(self.procedures)}

        self.card_base: dict[str, int] = {}
        """By kind, the number of its first card when the cards of all kinds are counted through."""
        self.card_count = 0
        for kind in program.kinds:
            self.card_base[kind.name] = self.card_count
            self.card_count += self.packs[kind.name].size

        self._next = FIRST_FREE
        self.zones: tuple[ZoneInfo, ...] = tuple(self._place_zones())
        self.zone_count = len(self.zones)
        self.first_zone = {zone.name: zone.index for zone in reversed(self.zones)}
        """By name of a zone, the index of the first of that name; those of other owners follow."""
        self.at: dict[str, int] = {}
        """By kind, the cell of its first card's place: a zone's index, or `zone_count` + number of the card above."""
        self.over: dict[str, int] = {}
        """By kind, the cell that holds the number of the card above its first card, `NONE` if there is none."""
        for kind in program.kinds:
            self.at[kind.name] = self._take(self.packs[kind.name].size)
            self.over[kind.name] = self._take(self.packs[kind.name].size)
        self.variables: dict[str, VariableInfo] = {
            variable.name: self._place_variable(variable) for variable in program.variables
        }
        self.fields: dict[tuple[str, str], int] = {}
        """By kind and field, the cell of the first card's."""
        for kind in program.kinds:
            for keeping in kind.fields:
                self.fields[kind.name, keeping.name] = self._take(self.packs[kind.name].size)
        self.seen: dict[str, int] = {kind.name: self._take(seats) for kind in program.kinds}
        """By kind, the cell of what seat 0 knows: a set of cards whose place it is sure of; other seats follow."""
        self.stack = self._next
        """The first cell of the stack."""
        self._initial: State = self._made()

    def size_of(self, of: Type) -> int:
        """How many members a finite type has."""
        return size_of(of, self.seats, self.seating.teams, self.packs)

    def rung_parts(self, ladder: Ladder) -> list[tuple[int, int, int]]:
        """By field of a ladder: how far apart its values stand, how many it has, and the first of them."""
        return rung_parts(ladder, self.seats, self.seating.teams, self.packs)

    def zone_of(self, name: str, owner: int = 0) -> ZoneInfo:
        """The zone of a name and owner."""
        return self.zones[self.first_zone[name] + max(owner, 0)]

    def owner_seats(self, zone: ZoneInfo) -> int:
        """The seats a zone belongs to, as a set."""
        if zone.owner < 0:
            return 0
        return self.seating.members[zone.owner] if zone.each is Owned.TEAM else 1 << zone.owner

    def seers(self, zone: ZoneInfo, sight: Sight) -> int:
        """The seats that a sight of a zone means, as a set."""
        everyone = (1 << self.seats) - 1
        match sight:
            case Sight.NOBODY:
                return 0
            case Sight.OWNER:
                return self.owner_seats(zone)
            case Sight.OTHERS:
                return everyone & ~self.owner_seats(zone)
            case Sight.EVERYONE:
                return everyone

    def frame_of(self, procedure: Procedure) -> dict[int, int]:
        """By the id of a procedure's cell, its distance from the start of the frame."""
        return {cell.id: FRAME_HEAD + index for index, cell in enumerate(procedure.cells)}

    def card_number(self, kind: str, card: int) -> int:
        """The number of a card when the cards of all kinds are counted through."""
        return self.card_base[kind] + card

    def card_of_number(self, number: int) -> tuple[str, int]:
        """Kind and card of a number that counts the cards of all kinds through."""
        for kind in reversed(self.program.kinds):
            if number >= self.card_base[kind.name]:
                return kind.name, number - self.card_base[kind.name]
        raise InternalError(f"there is no card number {number}")

    def start_zone(self, kind: str) -> ZoneInfo | None:
        """Where the cards of a kind lie at first: in the zone that says so, else in the first that can hold them."""
        of_kind = [zone for zone in self.zones if zone.kind == kind and zone.shape is not Shape.PLAYS]
        return next((zone for zone in of_kind if zone.declaration.start_all), of_kind[0] if of_kind else None)

    def initial(self) -> State:
        """A state before anything has happened: cards where they begin, everything kept at its start, no frame."""
        return self._initial.copy()

    def _made(self) -> State:
        state: State = [0] * self.stack
        state[GENERATOR] = state[PENDING] = state[WHY] = ()
        for zone in self.zones:
            state[zone.cell] = 0 if zone.shape is Shape.SET else ()
        for kind in self.program.kinds:
            pack = self.packs[kind.name]
            start = self.start_zone(kind.name)
            if start is None:
                if pack.size:
                    raise InternalError(f"no zone can hold the cards of the kind {kind.name}")
                continue
            state[start.cell] = pack.all if start.shape is Shape.SET else tuple(range(pack.size))
            _fill(state, self.at[kind.name], pack.size, start.index)
            _fill(state, self.over[kind.name], pack.size, NONE)
            for keeping in kind.fields:
                _fill(state, self.fields[kind.name, keeping.name], pack.size, keeping.start)
            seers = self.seers(start, start.seen)
            for seat in range(self.seats):
                state[self.seen[kind.name] + seat] = pack.all if seers >> seat & 1 else 0
        for info in self.variables.values():
            _fill(state, info.base, info.size, info.declaration.keeping.start)
        return state

    def _take(self, cells: int) -> int:
        base = self._next
        self._next += cells
        return base

    def _place_zones(self) -> list[ZoneInfo]:
        owners = {Owned.ONCE: [-1], Owned.PLAYER: range(self.seats), Owned.TEAM: range(self.seating.teams)}
        zones: list[ZoneInfo] = []
        for zone in self.program.zones:
            for owner in owners[zone.each]:
                zones.append(
                    ZoneInfo(
                        index=len(zones),
                        name=zone.name,
                        owner=owner,
                        each=zone.each,
                        kind=zone.kind,
                        shape=zone.shape,
                        seen=zone.seen,
                        count_seen=zone.count_seen,
                        active=zone.active,
                        cell=self._take(1),
                        declaration=zone,
                    )
                )
        return zones

    def _place_variable(self, variable: Variable) -> VariableInfo:
        sizes = tuple(self.size_of(dimension) for dimension in variable.each)
        strides: list[int] = []
        size = 1
        for extent in reversed(sizes):
            strides.insert(0, size)
            size *= extent
        firsts = tuple(first_of(dimension) for dimension in variable.each)
        return VariableInfo(variable, self._take(size), size, sizes, tuple(strides), firsts)


def _fill(state: State, base: int, count: int, value: Value) -> None:
    for cell in range(base, base + count):
        state[cell] = value


def _judge(
    program: Program, seats: int, candidates: Mapping[str, Pack], term: Term, card: Bound
) -> Callable[[int], Value]:
    """A term over a candidate card as a function of it: nothing but the number of seats is known yet."""
    layout = Layout(program, seats, candidates)
    function = Evaluator(program, layout).function(term, (card,))
    state = layout.initial()
    return lambda index: function(state, index)
