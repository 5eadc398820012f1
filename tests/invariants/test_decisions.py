"""Invariants of decisions: stepping, listing and checking mean one set of answers (X8); no dead ends (X9)."""

from __future__ import annotations

from typing import Any

from driving import Cells, states

from rulesdsl.interpreter.decide.choices import Question
from rulesdsl.interpreter.run.machine import Machine

FEW = 200


def leaves(question: Question, state: Cells, seat: int, prefix: tuple[Any, ...] = ()) -> list[Any]:
    """Every answer that steps can lead to; each step that is offered leads to one."""
    answer = question.complete(state, seat, prefix)
    if answer is not None:
        return [answer]
    offered = question.options(state, seat, prefix)
    assert offered, "a dead end"
    return [leaf for atom in offered for leaf in leaves(question, state, seat, (*prefix, atom))]


def test_x8_x9_one_set_of_answers_whichever_way(machine: Machine) -> None:
    has_alike = any(len(set(pack.faces())) < pack.size for pack in machine.layout.packs.values())
    earlier: dict[str, set[Any]] = {}
    looked_at = 0
    for driver in states(machine, range(2)):
        for seat in machine.pending(driver.state):
            question, own = machine.question(driver.state, seat)
            asked = machine.asked(driver.state)
            if asked is None or question.count(own, seat) > FEW:
                continue
            looked_at += 1
            listed = set(question.answers(own, seat))
            stepped = leaves(question, own, seat)
            assert len(stepped) == len(set(stepped))
            assert set(stepped) <= listed
            assert has_alike or set(stepped) == listed
            for answer in listed | earlier.get(asked.path, set()):
                assert question.check(own, seat, answer) == (answer in listed)
                assert bool(question.why_not(own, seat, answer)) == (answer not in listed)
            earlier.setdefault(asked.path, set()).update(list(listed)[:20])
    assert looked_at
