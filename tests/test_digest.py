"""Digests: equal where only alike cards are exchanged, different for everything else that matters."""

from __future__ import annotations

from dataclasses import replace
from functools import cache

from programs import TABLE, kind_of_rows, program

from rulesdsl.interpreter.host.table import Table, table_for
from rulesdsl.interpreter.state.cells import GENERATOR, PC, STEPS, State
from rulesdsl.ir.nodes import Keeping
from rulesdsl.types import Number


@cache
def table() -> Table:
    """Cards 0 and 1 show a 7, cards 2 and 3 an 8; something can be written on each."""
    kind = replace(kind_of_rows("card", 7, 8, copies=2), fields=(Keeping("mark", Number(), 0),))
    return table_for(program(kinds=(kind,), zones=TABLE), 2)


def state(*hand: int, marks: tuple[int, ...] = ()) -> State:
    """Player 0 holds these cards, all others are in the stock."""
    machine = table().machine
    made = machine.blank(1)
    machine.put(made, "card", hand, machine.layout.zone_of("hand", 0).index)
    machine.knowledge.settle(made)
    for card, mark in enumerate(marks):
        made[machine.layout.fields["card", "mark"] + card] = mark
    return made


def digest(of: State) -> str:
    return table().describer.digest(of)


def test_alike_cards_can_be_exchanged() -> None:
    assert digest(state(0, 2)) == digest(state(1, 2)) == digest(state(1, 3))


def test_other_cards_can_not() -> None:
    assert len({digest(state(*hand)) for hand in [(), (0,), (2,), (0, 1), (0, 2), (2, 3)]}) == 6


def test_what_is_written_counts() -> None:
    assert digest(state(0, marks=(5, 0))) != digest(state(0))
    assert digest(state(0, marks=(5, 0))) == digest(state(1, marks=(0, 5)))
    assert digest(state(0, marks=(5, 0))) != digest(state(0, marks=(0, 5)))


def test_what_seats_know_counts() -> None:
    known = state(0)
    known[table().layout.seen["card"] + 1] = 1
    assert digest(known) != digest(state(0))


def test_chance_counts_and_the_machine_does_not() -> None:
    other = state(0)
    other[GENERATOR] = table().machine.blank(2)[GENERATOR]
    assert digest(other) != digest(state(0))
    moved = state(0)
    moved[PC], moved[STEPS] = 17, 4
    assert digest(moved) == digest(state(0))


def test_who_is_asked_counts() -> None:
    describer = table().describer
    assert describer.digest(state(), [("a", 0)]) != describer.digest(state(), [("a", 1)])
    assert describer.digest(state(), [("a", 0), ("b", 1)]) == describer.digest(state(), [("b", 1), ("a", 0)])
