"""Playing matches at random and looking at the whole table, for tests that know more than a player may."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

import rulesdsl
from rulesdsl.interpreter.host.standing import Score, Standing
from rulesdsl.interpreter.run.machine import Machine


class Table:
    """A machine, and its states by the names of zones and states."""

    def __init__(self, game: str, players: int, modifiers: tuple[str, ...] = (), **options: object) -> None:
        self.program = rulesdsl.load(game, modifiers=modifiers, options=options)
        self.machine = Machine(self.program, players, observe=False)
        self.players = players
        self._zones = {(zone.name, zone.owner): zone for zone in self.machine.layout.zones}

    def moments(self, seed: int) -> Iterator[list[object]]:
        """The state at every decision of a random match, and at its end. The match goes on in the same state."""
        machine = self.machine
        random = Random(seed)
        state = machine.start(seed)
        machine.advance(state)
        while waiting := machine.pending(state):
            yield state
            for seat in waiting:
                question, own = machine.question(state, seat)
                machine.apply(state, seat, question.sample(own, seat, lambda bound: int(random.random() * bound)))
            machine.advance(state)
        yield state

    def cards(self, state: list[object], zone: str, owner: int = -1) -> set[int]:
        """The cards in a zone, by number; those of all plays, if it holds plays."""
        held = state[self._zones[zone, owner].cell]
        if isinstance(held, int):
            return _members(held)
        assert isinstance(held, tuple)
        return set().union(*(_members(play[2]) for play in held)) if held and isinstance(held[0], tuple) else set(held)

    def of_each(self, state: list[object], zone: str) -> list[set[int]]:
        """The cards in the zone of each player."""
        return [self.cards(state, zone, player) for player in range(self.players)]

    def state(self, state: list[object], name: str, player: int = 0) -> int:
        """What is kept under a name, for a player if it is kept for each."""
        kept = state[self.machine.layout.variables[name].base + player]
        assert isinstance(kept, int)
        return kept

    def printed(self, kind: str, attribute: str) -> tuple[int, ...]:
        """An attribute of every card."""
        values = self.machine.layout.packs[kind].attribute(attribute)
        return tuple(value for value in values if isinstance(value, int))

    def scores(self, state: list[object]) -> tuple[Score, ...]:
        """The scores as they stand."""
        return Standing(self.machine.layout, self.machine.evaluator).scores(state)

    def winners(self, state: list[object]) -> set[int]:
        """The seats that win as things stand."""
        return _members(Standing(self.machine.layout, self.machine.evaluator).winners(state))

    def decision(self, state: list[object]) -> str | None:
        """The name of the open decision."""
        asked = self.machine.asked(state)
        return None if asked is None else asked.name


def _members(bits: int) -> set[int]:
    return {index for index in range(bits.bit_length()) if bits >> index & 1}
