"""One program for all modifiers, held against programs made for a few of them alone."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import replace
from random import Random

from rulesdsl.interpreter import Match
from rulesdsl.ir.nodes import Const, Generator, Kind, Program
from rulesdsl.types import YesNo


def with_cards_in_force(program: Program, names: Collection[str]) -> Program:
    """The program with the cards of these modifiers as the only ones of their kind, active from the start."""
    zones = []
    kinds = {kind.name for kind in program.kinds if kind.modifiers}
    for zone in program.zones:
        zones.append(replace(zone, start_all=zone.active) if zone.kind in kinds else zone)
    return replace(
        program,
        kinds=tuple(_only(kind, program, names) if kind.modifiers else kind for kind in program.kinds),
        zones=tuple(zones),
    )


def _only(kind: Kind, program: Program, names: Collection[str]) -> Kind:
    numbers = tuple(program.switchable.index(name) for name in sorted(names))
    everything = Const(1, type=YesNo())
    return replace(kind, generator=Generator((("modifier", numbers),), None, -1, everything if numbers else None))


def steps(program: Program, seed: int, players: int) -> Iterator[object]:
    """A match by seeded choices: what is asked of whom, what can be answered, and what each seat sees of the table."""
    match = Match(program, players=players, seed=seed)
    choices = Random(seed)
    while not match.finished:
        decision = match.decision
        yield decision.name, decision.player, tuple(option.text for option in decision.options)
        match.choose(decision.options[choices.randrange(len(decision.options))])
        yield [match.view(seat) for seat in range(players)]
    yield match.result
