"""Everything that belongs to one game and number of seats, made once and shared by all its matches."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from random import Random
from typing import Any

from rulesdsl.ir.nodes import Point, Program, Value

from ..run.assembly import Trace
from ..run.chance import Chance, Scripted
from ..run.machine import Machine
from ..run.rng import Generator
from ..sight.event import Event
from ..sight.faces import Faces
from ..sight.render import Renderer
from ..sight.view import STATUS_NAMES, Views
from ..state.cells import STATUS, State
from .digest import Describer
from .naming import Namer
from .record import program_hash
from .standing import Result, Standing
from .wording import Wording

Chooser = Generator | Random
"""Where a host's own chance comes from: one of ours, or Python's. A match's own is never used for choices."""


def below(rng: Chooser) -> Callable[[int], int]:
    """Numbers from 0 on below a bound of up to 2**30: that is what decisions draw."""
    if isinstance(rng, Generator):
        return rng.bounded
    # Of 53 random bits so few are used that no number is noticeably likelier than another. `randrange` takes longer.
    random = rng.random
    return lambda bound: int(random() * bound)


class Table:
    """A machine, and what reads and writes its states."""

    def __init__(self, machine: Machine) -> None:
        self.machine = machine
        self.program = machine.program
        self.layout = machine.layout
        self.seats = machine.layout.seats
        self.namer = Namer(self.layout)
        self.wording = Wording(self.layout, self.namer)
        self.standing = Standing(self.layout, machine.evaluator)
        self.describer = Describer(self.layout)
        self.blank = self.layout.initial()
        """A state in which nothing has happened."""
        faces = Faces(self.layout, self.namer)
        self._views = Views(self.layout, machine.knowledge, faces)
        self._renderer = Renderer(self._views)
        self._hash: str | None = None
        self._stand_ins: dict[bool, tuple[Table, list[Trace]]] = {}

    def result(self, state: State) -> Result:
        """How a match ended; of one that still runs, that it does."""
        status = state[STATUS]
        assert isinstance(status, int)
        why = self.machine.why(state)
        place = "" if why is None or why.span is None else f" ({why.span})"
        return self.standing.result(state, STATUS_NAMES[status], None if why is None else why.message + place)

    def view(self, state: State, seat: int, asked: str | None) -> dict[str, Any]:
        """What a seat knows; `asked` is the name of the decision that is open."""
        return self._views.view(state, seat, asked)

    def told(self, event: Event, seat: int) -> dict[str, Any] | None:
        """What a seat is told of an event, if anything."""
        return self._renderer.render(event, seat)

    def told_all(self, event: Event) -> dict[str, Any]:
        """What the seats together are told of an event: of each thing the most that one of them knows."""
        told = [found for seat in range(self.seats) if (found := self.told(event, seat)) is not None]
        return max(told, key=lambda one: len(str(one)), default={})

    @property
    def hash(self) -> str:
        """The number of the program, as records hold it."""
        if self._hash is None:
            self._hash = program_hash(self.program)
        return self._hash

    def scripted(
        self, outcomes: Mapping[str, Sequence[Value]], alike: Mapping[str, Sequence[int]] | None = None
    ) -> Table:
        """The same with chance that follows a script; `alike` has the cards that look the same, by name and card."""
        return Table(Machine(self.program, self.seats, chance=Scripted(outcomes, alike), like=self.machine))

    def stand_in(self, chance: Chance, trace: Trace | None) -> Table:
        """The same with other chance, and perhaps watched: made once, and good for one match at a time."""
        watched = trace is not None
        if watched not in self._stand_ins:
            watchers: list[Trace] = []

            def told(name: str, point: Point | None, number: int, begins: bool) -> None:
                watchers[0](name, point, number, begins)

            machine = Machine(
                self.program, self.seats, chance=chance, trace=told if watched else None, like=self.machine
            )
            self._stand_ins[watched] = Table(machine), watchers
        table, watchers = self._stand_ins[watched]
        table.machine.chance = chance
        watchers[:] = [trace] if trace is not None else []
        return table


_MOST_KEPT = 16
_TABLES: dict[tuple[int, int], Table] = {}


def table_for(program: Program, seats: int) -> Table:
    """The table of a program; made once as long as it is among the last ones that were asked for."""
    # By identity: programs are large, and comparing them would cost more than making a table. A table holds its
    # program, so no other one can get its number.
    key = (id(program), seats)
    table = _TABLES.pop(key, None)
    if table is None:
        table = Table(Machine(program, seats))
    _TABLES[key] = table
    while len(_TABLES) > _MOST_KEPT:
        del _TABLES[next(iter(_TABLES))]
    return table


def known_program(number: str) -> Program | None:
    """The program of a hash, if a match of it was made lately."""
    return next((table.program for table in _TABLES.values() if table.hash == number), None)
