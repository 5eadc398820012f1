"""Runs a scenario: sets a match up, makes the choices, and holds what comes of it against what is expected.

A scenario is plain: texts, lists and mappings, as they stand in a file. The program says how they are read. Everything
that does not hold is reported, each with the path to it in the scenario.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from rulesdsl.ir.nodes import Program

from ..host.decision import Decision
from ..host.plain import Plain, shown
from ..host.table import Table, table_for
from ..host.wording import WordingError
from ..run.chance import Scripted
from ..run.entering import UnknownAnchor
from ..sight.event import Event
from ..state.cells import RUNNING, STATUS, State
from ..state.errors import MatchError
from .checks import Checker, Situation
from .coverage import Coverage
from .failure import MISREAD, NO_CHOICE, NO_START, UNKNOWN, Failure, Misread
from .placing import Setup
from .scripting import alike_cards, scripted_outcomes

EXPECTATIONS = (
    "decision",
    "player",
    "options",
    "lacks",
    "legal",
    "illegal",
    "state",
    "zones",
    "values",
    "scores",
    "result",
    "winners",
    "events",
    "sees",
    "finished",
    "after",
)
"""What a scenario may expect."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Scenario:
    """A scenario as it is written. `start` names a phase, procedure or decision; `expect` what is looked at."""

    name: str
    players: int | None = None
    seed: int | None = None
    start: str | None = None
    state: Mapping[str, Plain] = field(default_factory=dict)
    zones: Mapping[str, Plain] = field(default_factory=dict)
    chance: Mapping[str, Plain] = field(default_factory=dict)
    play: Sequence[tuple[int, Plain]] = ()
    expect: Mapping[str, Plain] = field(default_factory=dict)


def run_scenario(program: Program, scenario: Scenario, coverage: Coverage | None = None) -> list[Failure]:
    """Everything that does not hold; nothing if the scenario passes. `coverage` takes note of what it makes use of."""
    low, high = program.players
    players = _players(program, scenario)
    if not low <= players <= high:
        return [Failure(("players",), f"{program.name} is for {low} to {high} players, not for {players}", MISREAD)]
    if coverage is None:
        return _Run(table_for(program, players), scenario).failures()
    found = _Run(coverage.table(program, players), scenario, coverage).failures()
    coverage.finish()
    return found


def _players(program: Program, scenario: Scenario) -> int:
    """How many play: as is said, else as many as lists by seat have entries, else the fewest possible."""
    if scenario.players is not None:
        return scenario.players
    low, high = program.players
    by_seat = {zone.name for zone in program.zones if zone.each == "player"}
    lengths = [len(plain) for name, plain in scenario.zones.items() if name in by_seat and isinstance(plain, list)]
    return next((length for length in lengths if low <= length <= high), low)


@dataclass(frozen=True, slots=True)
class _Moment:
    """After which happening one looks: the end of an event of a name, for the so many-th time."""

    name: str
    times: int


class _Run:
    """One scenario while it is run."""

    def __init__(self, table: Table, scenario: Scenario, coverage: Coverage | None = None) -> None:
        self._table = table
        self._coverage = coverage
        self._scenario = scenario
        self._found: list[Failure] = []
        self._state: State = []
        self._seen: State | None = None
        self._count = 0
        self._moment: _Moment | None = None
        self._events: list[Event] = []

    def failures(self) -> list[Failure]:
        """Runs it."""
        scenario = self._scenario
        known = f"there are {', '.join(EXPECTATIONS)}"
        self._found += [
            Failure(("expect", name), f"there is no expectation '{name}'", UNKNOWN, known)
            for name in scenario.expect
            if name not in EXPECTATIONS
        ]
        try:
            self._prepare()
            if self._set_up() and self._begin() and self._play():
                self._look()
        except Misread as problem:
            self._found.append(problem.failure)
        return self._found

    def _fail(self, path: tuple[str | int, ...], message: str, code: str) -> bool:
        self._found.append(Failure(path, message, code))
        return False

    def _prepare(self) -> None:
        """A table with scripted chance, and one that can be looked at in the middle, where that is needed."""
        scenario, table = self._scenario, self._table
        self._moment = _moment(scenario.expect.get("after"))
        try:
            outcomes = scripted_outcomes(table, scenario.chance) if scenario.chance else {}
        except WordingError as problem:
            raise Misread(Failure(("chance",), str(problem), MISREAD)) from problem
        if outcomes or self._moment is not None:
            chance = Scripted(outcomes, alike_cards(table)) if outcomes else table.machine.chance
            self._table = table.stand_in(chance, self._trace if self._moment is not None else None)

    def _trace(self, name: str, point: object, number: int, begins: bool) -> None:
        """Keeps the state at the moment that is asked for."""
        moment = self._moment
        if moment is not None and point is None and not begins and name == moment.name:
            self._count += 1
            if self._count == moment.times:
                self._seen = self._state.copy()

    # ── the beginning ────────────────────────────────────────────────────────────────────────────────────────────

    def _set_up(self) -> bool:
        scenario, table = self._scenario, self._table
        from_start = scenario.start is None and self._runs
        seed = scenario.seed or 0
        self._state = table.machine.start(seed) if from_start else table.machine.blank(seed)
        setup = Setup(table, self._state)
        setup.place(scenario.zones)
        setup.write(scenario.state)
        self._found += setup.failures
        if setup.failures:
            return False
        table.machine.knowledge.settle(self._state)
        if scenario.start is not None:
            try:
                table.machine.enter(self._state, scenario.start)
            except UnknownAnchor as problem:
                return self._fail(("start",), str(problem), NO_START)
            except MatchError as problem:
                return self._fail(("start",), f"the match can't start here yet: {problem.message}", NO_START)
        if not from_start:
            setup.hide_the_rest()
        return True

    @property
    def _runs(self) -> bool:
        """Whether the match is run at all; a scenario without start, seed or choices only works values out."""
        scenario = self._scenario
        return bool(
            scenario.start is not None
            or scenario.seed is not None
            or scenario.play
            or scenario.chance
            or {"decision", "player", "options", "lacks", "legal", "illegal", "after", "events", "finished"}
            & scenario.expect.keys()
        )

    def _begin(self) -> bool:
        if self._runs:
            self._advance()
        return True

    def _advance(self) -> None:
        machine = self._table.machine
        machine.advance(self._state)
        self._events += machine.take_events()

    # ── the choices ──────────────────────────────────────────────────────────────────────────────────────────────

    def _play(self) -> bool:
        machine = self._table.machine
        for number, (seat, plain) in enumerate(self._scenario.play):
            path = ("play", number)
            if seat not in machine.pending(self._state):
                return self._fail(path, f"player {seat} is not asked anything here; {self._waiting()}", NO_CHOICE)
            decision = self._decision(seat)
            found = decision.read(plain)
            if isinstance(found, tuple):
                reasons = "; ".join(str(reason) for reason in found)
                return self._fail(path, f"{shown(plain)} is not allowed for `{decision.name}`: {reasons}", NO_CHOICE)
            machine.apply(self._state, seat, found.answer)
            self._advance()
        return True

    def _decision(self, seat: int) -> Decision:
        machine = self._table.machine
        question, own = machine.question(self._state, seat)
        return Decision(self._table, question, own.copy(), seat, machine.prefix(self._state, seat))

    def _waiting(self) -> str:
        machine = self._table.machine
        asked = machine.asked(self._state)
        if asked is not None:
            seats = " and ".join(str(seat) for seat in machine.pending(self._state))
            return f"`{asked.name}` is for player {seats}"
        why = machine.why(self._state)
        return "the match is over" if why is None else f"the match ended: {why.message}"

    # ── the end ──────────────────────────────────────────────────────────────────────────────────────────────────

    def _look(self) -> None:
        state = self._state
        if self._moment is not None:
            if self._seen is None:
                moment = self._moment
                self._fail(("expect", "after"), f"`{moment.name}` ended {self._count} times only", NO_CHOICE)
                return
            state = self._seen
        machine = self._table.machine
        decisions = [] if self._seen is not None else [self._decision(seat) for seat in machine.pending(state)]
        why = machine.why(state)
        broken = None if why is None else why.message + ("" if why.span is None else f" ({why.span})")
        situation = Situation(state, tuple(decisions), tuple(self._events), state[STATUS] != RUNNING, broken)
        checker = Checker(self._table, situation, self._coverage)
        for name, plain in self._scenario.expect.items():
            if name in EXPECTATIONS and name != "after":
                self._found += checker.check(name, plain)
        if broken is not None and not self._found and "finished" not in self._scenario.expect:
            self._fail((), f"the match broke off: {broken}", NO_CHOICE)


def _moment(plain: Plain | None) -> _Moment | None:
    if plain is None:
        return None
    if isinstance(plain, str):
        return _Moment(plain, 1)
    if isinstance(plain, dict) and isinstance(plain.get("phase"), str):
        times = plain.get("times", "1")
        if isinstance(times, str) and times.isdecimal():
            return _Moment(str(plain["phase"]), int(times))
    raise Misread(Failure(("expect", "after"), "'after' takes a phase and how many times", MISREAD))
