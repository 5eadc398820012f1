"""Plays matches at random, one decision at a time, so that tests can look at every state in between."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

from rulesdsl.interpreter.run.machine import Machine
from rulesdsl.interpreter.run.rng import Generator
from rulesdsl.interpreter.sight.event import Event
from rulesdsl.interpreter.sight.render import render
from rulesdsl.interpreter.sight.view import view
from rulesdsl.interpreter.state.cells import ERROR, STATUS

Cells = list[Any]

MOST_ANSWERS = 150
"""So far a match is followed: the first hundred decisions of a long one tell as much as the rest."""


class Driver:
    """One match that is played at random. Choices come from a generator of their own."""

    def __init__(self, machine: Machine, seed: int) -> None:
        self.machine = machine
        self.chooser = Generator.seeded(seed + 1000)
        machine.take_events()
        self.state: Cells = machine.start(seed)
        machine.advance(self.state)
        self.answers: list[tuple[int, tuple[Any, ...]]] = []
        self.events: list[Event] = machine.take_events()

    @property
    def is_over(self) -> bool:
        """Whether nobody is asked any more, or it has become long."""
        return len(self.answers) >= MOST_ANSWERS or not self.machine.pending(self.state)

    def choice(self) -> tuple[int, tuple[Any, ...]]:
        """Who answers next, and what."""
        waiting = self.machine.pending(self.state)
        seat = waiting[self.chooser.bounded(len(waiting))]
        question, own = self.machine.question(self.state, seat)
        return seat, question.sample(own, seat, self.chooser.bounded)

    def step(self) -> None:
        """One answer."""
        self.answer(*self.choice())

    def answer(self, seat: int, answer: tuple[Any, ...]) -> None:
        """This answer."""
        self.machine.apply(self.state, seat, answer)
        self.machine.advance(self.state)
        self.answers.append((seat, answer))
        self.events += self.machine.take_events()


def states(machine: Machine, seeds: range) -> Iterator[Driver]:
    """Some matches, at every decision and at the end; none may break off by an error."""
    for seed in seeds:
        driver = Driver(machine, seed)
        yield driver
        while not driver.is_over:
            driver.step()
            yield driver
        assert driver.state[STATUS] != ERROR, machine.why(driver.state)


def finished(machine: Machine, state: Cells, answers: list[tuple[int, tuple[Any, ...]]]) -> Cells:
    """A state after these answers."""
    for seat, answer in answers:
        machine.apply(state, seat, answer)
        machine.advance(state)
    machine.take_events()
    return state


def told(machine: Machine, events: list[Event], seat: int) -> list[dict[str, Any]]:
    """What a seat is told of some events."""
    return [line for event in events if (line := render(event, seat, machine.layout)) is not None]


def seen(machine: Machine, state: Cells, seat: int) -> dict[str, Any]:
    """The view of a seat; that it is fit for JSON is a part of every test that looks at one."""
    shown: dict[str, Any] = json.loads(json.dumps(view(state, machine, seat)))
    return shown
