"""Playing one match on several machines at once, which must see no difference between them.

The machines run programs that ought to mean the same. At every decision each seat is offered the same steps on all of
them, the same number of whole answers can be given, and after every answer all states have one digest.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from random import Random

from rulesdsl.interpreter.host.digest import Describer
from rulesdsl.interpreter.host.standing import Standing
from rulesdsl.interpreter.run.machine import Machine
from rulesdsl.ir.nodes import Program, Value


def fields_by_name(program: Program) -> Program:
    """The program with what is written on cards in the order of its names; digests list it in the order of files."""
    kinds = (replace(k, fields=tuple(sorted(k.fields, key=lambda field: field.name))) for k in program.kinds)
    return replace(program, kinds=tuple(kinds))


def play_alike(machines: Sequence[Machine], seed: int) -> int:
    """Plays a match by chance on all machines, step by step alike; how many decisions there were."""
    describers = [Describer(machine.layout) for machine in machines]
    states = [machine.start(seed) for machine in machines]
    random = Random(seed)
    decisions = 0
    while True:
        for machine, state in zip(machines, states, strict=True):
            machine.advance(state)
        waiting = machines[0].pending(states[0])
        names = [ask.name for machine, state in zip(machines, states, strict=True) if (ask := machine.asked(state))]
        asked = [(name, seat) for name in names[:1] for seat in waiting]
        assert len(names) in (0, len(machines))
        assert len({d.digest(state, asked) for d, state in zip(describers, states, strict=True)}) == 1
        assert len(set(names)) == bool(waiting)
        assert all(machine.pending(state) == waiting for machine, state in zip(machines, states, strict=True))
        if not waiting:
            break
        for seat in waiting:
            decisions += 1
            answer = _answered_alike(machines, states, seat, random)
            for machine, state in zip(machines, states, strict=True):
                machine.apply(state, seat, answer)
    assert all(machine.why(state) is None for machine, state in zip(machines, states, strict=True))
    scores = [Standing(m.layout, m.evaluator).scores(state) for m, state in zip(machines, states, strict=True)]
    assert all(score == scores[0] for score in scores)
    return decisions


def _answered_alike(
    machines: Sequence[Machine], states: Sequence[list[Value]], seat: int, random: Random
) -> tuple[Value, ...]:
    """An answer that is put together step by step, of which all machines offer the same ones."""
    asked = [machine.question(state, seat) for machine, state in zip(machines, states, strict=True)]
    assert len({question.count(own, seat) for question, own in asked}) == 1
    prefix: tuple[Value, ...] = ()
    while True:
        answers = {question.complete(own, seat, prefix) for question, own in asked}
        assert len(answers) == 1
        answer = answers.pop()
        if answer is not None:
            return answer
        offered = [question.options(own, seat, prefix) for question, own in asked]
        assert all(options == offered[0] for options in offered)
        prefix = (*prefix, random.choice(offered[0]))
