"""Invariants of states: where cards lie (X3), that only cells matter (X5 X7 X18), refusals (X19), turns (X10)."""

from __future__ import annotations

import json
from typing import Any

from conftest import PROGRAMS
from driving import Cells, Driver, finished, states

from rulesdsl.interpreter.run.machine import Machine
from rulesdsl.interpreter.run.rng import Generator
from rulesdsl.interpreter.state.cells import ERROR, RUNNING, STATUS
from rulesdsl.ir.nodes import Shape
from rulesdsl.types import NONE


def where_cards_lie(machine: Machine, state: Cells) -> None:
    """Every card lies in one place, its own cell and its zone agree, and nothing lies under itself."""
    layout = machine.layout
    for kind, pack in layout.packs.items():
        at = state[layout.at[kind] : layout.at[kind] + pack.size]
        over = state[layout.over[kind] : layout.over[kind] + pack.size]
        found = dict.fromkeys(range(pack.size), 0)
        for zone in layout.zones:
            if zone.kind != kind:
                continue
            if zone.shape is Shape.SET:
                lying = [card for card in range(pack.size) if state[zone.cell] >> card & 1]
            elif zone.shape is Shape.PLAYS:
                stamps = [play[0] for play in state[zone.cell]]
                assert stamps == sorted(set(stamps)), "plays lie in the order of time"
                assert all(play[2] for play in state[zone.cell]), "a play has a card"
                lying = [card for play in state[zone.cell] for card in range(pack.size) if play[2] >> card & 1]
            else:
                lying = list(state[zone.cell])
            for card in lying:
                assert at[card] == zone.index
                found[card] += 1
        base = layout.zone_count + layout.card_base[kind]
        for card in range(pack.size):
            if at[card] >= layout.zone_count:
                assert over[card] == at[card] - base
                found[card] += 1
            else:
                assert over[card] == NONE
            above, steps = card, 0
            while over[above] != NONE:
                above, steps = over[above], steps + 1
                assert steps <= pack.size, "a circle of cards under cards"
        assert set(found.values()) <= {1}


def cells_are_plain(value: object) -> bool:
    return (isinstance(value, int) and not isinstance(value, bool)) or (
        isinstance(value, tuple) and all(cells_are_plain(part) for part in value)
    )


def restored(value: object) -> Any:
    return tuple(restored(part) for part in value) if isinstance(value, list) else value


def test_x3_every_card_lies_in_one_place(machine: Machine) -> None:
    for driver in states(machine, range(3)):
        where_cards_lie(machine, driver.state)


def test_cells_hold_numbers_and_tuples_only(machine: Machine) -> None:
    for driver in states(machine, range(2)):
        assert all(cells_are_plain(cell) for cell in driver.state)


def test_x7_save_copy_and_undo_lead_to_the_same_match(machine: Machine) -> None:
    for seed in (3, 4):
        whole = Driver(machine, seed)
        before: list[Cells] = []
        while not whole.is_over:
            before.append(whole.state.copy())
            whole.step()
        every = 1 + len(before) // 12
        for number, state in list(enumerate(before))[::every]:
            rest = whole.answers[number:]
            saved = [restored(cell) for cell in json.loads(json.dumps(state))]
            assert saved == state
            undone = finished(machine, state.copy(), rest)
            assert finished(machine, saved, rest) == undone == whole.state
            assert state == before[number], "the state that was copied has not changed"


def test_x5_a_machine_without_memory_plays_the_same_match(name: str, machine: Machine) -> None:
    make, seats = PROGRAMS[name]
    program = make()
    driver = Driver(machine, 5)
    state = Machine(program, seats).start(5)
    fresh = Machine(program, seats)
    while True:
        fresh.advance(state)
        assert state == driver.state
        if driver.is_over:
            break
        if driver.chooser.bounded(6) == 0:
            # What it had worked out is gone; a question that was put before must not be missed.
            fresh = Machine(program, seats)
        driver.step()
        fresh.apply(state, *driver.answers[-1])


def test_a_machine_without_shortcuts_plays_the_same_match(name: str, machine: Machine) -> None:
    make, seats = PROGRAMS[name]
    plain = Machine(make(), seats, optimise=False)
    driver = Driver(machine, 6)
    state = plain.start(6)
    plain.advance(state)
    while True:
        assert state == driver.state
        for seat in plain.pending(state):
            question, own = plain.question(state, seat)
            quick, there = machine.question(driver.state, seat)
            assert question.options(own, seat, ()) == quick.options(there, seat, ())
        if driver.is_over:
            break
        driver.step()
        plain.apply(state, *driver.answers[-1])
        plain.advance(state)


def test_x18_the_same_answers_give_the_same_match(machine: Machine) -> None:
    for seed in range(3):
        driver = Driver(machine, seed)
        while not driver.is_over:
            driver.step()
        state = machine.start(seed)
        machine.advance(state)
        assert finished(machine, state, driver.answers) == driver.state


def test_x19_looking_at_a_question_changes_nothing(machine: Machine) -> None:
    for driver in states(machine, range(2)):
        before = driver.state.copy()
        for seat in machine.pending(driver.state):
            question, own = machine.question(driver.state, seat)
            mine = own.copy()
            prefix: tuple[Any, ...] = ()
            while question.complete(own, seat, prefix) is None:
                prefix = (*prefix, question.options(own, seat, prefix)[-1])
            answer = question.complete(own, seat, prefix)
            assert answer is not None
            assert question.check(own, seat, answer)
            for wrong in ((99, ()), (0, (NONE,) * 9), (0, ())):
                if not question.check(own, seat, wrong):
                    assert question.why_not(own, seat, wrong)
            question.sample(own, seat, Generator.seeded(1).bounded)
            question.is_forced(own, seat)
            assert own == mine
        assert driver.state == before


def test_a_silent_machine_takes_the_same_steps(machine: Machine) -> None:
    silent, layout = machine.silent(), machine.layout
    knowledge = min(layout.seen.values())
    for seed in range(2):
        driver = Driver(machine, seed)
        state = silent.start(seed)
        silent.advance(state)
        while True:
            assert state[:knowledge] == driver.state[:knowledge]
            assert state[layout.stack :] == driver.state[layout.stack :]
            if driver.is_over:
                break
            driver.step()
            silent.apply(state, *driver.answers[-1])
            silent.advance(state)
    assert silent.take_events() == []


def test_a_playout_ends_from_any_state(machine: Machine) -> None:
    for driver in states(machine, range(1)):
        state = driver.state.copy()
        machine.silent().playout(state, Generator.seeded(3).bounded)
        assert state[STATUS] not in (RUNNING, ERROR), machine.why(state)
        where_cards_lie(machine, state)


def test_x10_in_which_order_seats_answer_does_not_matter(machine: Machine) -> None:
    for driver in states(machine, range(2)):
        waiting = machine.pending(driver.state)
        if len(waiting) < 2:
            continue
        answers = []
        for seat in waiting:
            question, own = machine.question(driver.state, seat)
            answers.append((seat, question.sample(own, seat, driver.chooser.bounded)))
        there, back = driver.state.copy(), driver.state.copy()
        for seat, answer in answers:
            machine.apply(there, seat, answer)
        for seat, answer in reversed(answers):
            machine.apply(back, seat, answer)
        machine.advance(there)
        machine.advance(back)
        machine.take_events()
        assert there == back
