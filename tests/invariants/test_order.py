"""Invariants of what comes after what: handlers nest (X12), chance has its fixed places (X15), no hash decides (X4)."""

from __future__ import annotations

import hashlib
import os
import subprocess
import sys
from pathlib import Path

from conftest import PROGRAMS, SHORT
from driving import Driver, told

from rulesdsl.interpreter.run.machine import Machine
from rulesdsl.interpreter.sight.event import Drawn, Shuffled
from rulesdsl.interpreter.state.cells import PENDING
from rulesdsl.ir.nodes import Point

GOLDEN = Path(__file__).parent / "chance"


def test_x12_handlers_are_well_nested(name: str, machine: Machine) -> None:
    make, seats = PROGRAMS[name]
    trace: list[tuple[str, Point | None, int, bool]] = []
    program = make()
    leaves = "leaving" in name
    traced = Machine(program, seats, trace=lambda *line: trace.append(line))
    for seed in range(2):
        trace.clear()
        driver, plain = Driver(traced, seed), Driver(machine, seed)
        while not driver.is_over:
            # It goes step by step where the other one does many steps at once; that may make no difference.
            assert driver.state[PENDING : machine.layout.stack] == plain.state[PENDING : machine.layout.stack]
            driver.step()
            plain.answer(*driver.answers[-1])
        assert driver.state[PENDING : machine.layout.stack] == plain.state[PENDING : machine.layout.stack]
        is_nested(trace, leaves=leaves)


def is_nested(trace: list[tuple[str, Point | None, int, bool]], *, leaves: bool) -> None:
    """What begins last ends first; an `after` comes behind the end of its event, a `before` ahead of its beginning."""
    running: list[tuple[str, Point | None, int]] = []
    begun: dict[str, int] = {}
    ended: dict[str, int] = {}
    for event, point, number, begins in trace:
        if begins:
            if point is None:
                begun[event] = begun.get(event, 0) + 1
            if point is Point.AFTER:
                assert ended.get(event, 0) or leaves, f"after {event} without an end"
            running.append((event, point, number))
            continue
        while leaves and running and running[-1] != (event, point, number):
            running.pop()
        assert running.pop() == (event, point, number)
        if point is None:
            ended[event] = ended.get(event, 0) + 1
    assert leaves or not running
    assert leaves or begun == ended


def chance_events(machine: Machine, seed: int) -> str:
    """What chance decided in a match, line by line, in its order."""
    driver = Driver(machine, seed)
    while not driver.is_over:
        driver.step()
    lines = []
    for event in driver.events:
        match event:
            case Drawn():
                lines.append(f"{event.name}: {event.value}")
            case Shuffled():
                zone = machine.layout.zones[event.place.zone]
                lines.append(f"shuffle {zone.name}: {event.state[zone.cell]}")
            case _:
                pass
    return "".join(f"{line}\n" for line in lines)


def test_x15_chance_comes_where_it_came_before(name: str, machine: Machine) -> None:
    """A refactoring that moves a draw is seen. `RULESDSL_BLESS=1` writes the files anew."""
    path = GOLDEN / f"{name.replace(' ', '-')}.txt"
    found = chance_events(machine, 7)
    if os.environ.get("RULESDSL_BLESS"):
        path.parent.mkdir(exist_ok=True)
        path.write_text(found, encoding="utf-8")
    assert found == path.read_text(encoding="utf-8")


def fingerprint(name: str) -> str:
    """A digest of all that a seat is told in a match."""
    make, seats = PROGRAMS[name]
    machine = Machine(make(), seats)
    driver = Driver(machine, 3)
    while not driver.is_over:
        driver.step()
    return hashlib.sha256(repr([told(machine, driver.events, seat) for seat in range(seats)]).encode()).hexdigest()


def test_x4_hash_seeds_change_nothing() -> None:
    code = "import conftest, test_order\nfor name in conftest.SHORT: print(test_order.fingerprint(name))"
    here = Path(__file__).parent
    path = os.pathsep.join([str(here), str(here.parent)])
    outputs = {
        subprocess.run(
            [sys.executable, "-c", code],
            env={**os.environ, "PYTHONHASHSEED": seed, "PYTHONPATH": path},
            cwd=here.parent.parent,
            capture_output=True,
            check=True,
            text=True,
        ).stdout
        for seed in ("1", "2")
    }
    assert len(outputs) == 1
    assert outputs.pop().count("\n") == len(SHORT)
