"""Random matches of Bloody Legacy beside a program written by hand: both agree, and what the rulings promise holds."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path
from random import Random

import pytest
from plain_bloody_legacy import SLIPPERY, Answer, Asked, Game
from table import Table

from rulesdsl.interpreter.run.chance import Request, Seeded
from rulesdsl.interpreter.run.machine import Machine
from rulesdsl.ir.nodes import Value

MATCHES = int(os.environ.get("BLOODY_LEGACY_MATCHES", "16"))
"""For each number of players; the whole five thousand take some minutes."""
VARIANTS = Path(__file__).parent.parent / "games" / "bloody-legacy" / "modifiers"
PACK = 52
TRAPS_THAT_LIE = 22
"""So many can lie before players who are in; a slippery one lies there in place of a card in hand."""


class Recorded(Seeded):
    """Chance as usual, with what it decided."""

    def __init__(self) -> None:
        super().__init__()
        self.decided: list[tuple[str, tuple[Value, ...]]] = []

    def outcome(self, S: list[object], request: Request) -> Value:
        """What chance decides, remembered."""
        drawn = super().outcome(S, request)
        self.decided.append((request.name, drawn if isinstance(drawn, tuple) else (drawn,)))
        return drawn


class Beside:
    """One match of the rule file and the same one played by hand."""

    def __init__(self, players: int) -> None:
        self.chance = Recorded()
        self.table = table = Table("bloody-legacy", players)
        table.machine = Machine(table.program, players, chance=self.chance, observe=False, like=table.machine)
        pack = self.table.machine.layout.packs["card"]
        self.kinds = [pack.printed(card).name or "" for card in range(pack.size)]
        self.players = players

    def decided(self, name: str, among: Sequence[int]) -> tuple[int, ...]:
        """What chance decided on the other side."""
        known, outcome = self.chance.decided.pop(0)
        assert known == name
        drawn = tuple(value for value in outcome if isinstance(value, int))
        assert set(drawn) <= set(among)
        assert len(drawn) == (len(among) if name == "deck" else 1)
        return drawn

    def play(self, seed: int) -> Game:
        """Plays a match to the end on both sides, with the same choices."""
        machine, random = self.table.machine, Random(seed)
        self.chance.decided.clear()
        game = Game(self.players, self.kinds, self.decided)
        state = machine.start(seed)
        machine.advance(state)
        hand = game.play()
        asked = next(hand, None)
        while waiting := machine.pending(state):
            (seat,) = waiting
            assert asked is not None
            assert (self.table.decision(state), seat) == (asked.name, asked.seat)
            self.compare(state, game, asked)
            question, own = machine.question(state, seat)
            answers = {self.plain(raw) for raw in question.answers(own, seat)} | ({()} if question.optional else set())
            assert {self.in_kinds(answer) for answer in answers} == asked.options
            raw = question.sample(own, seat, lambda bound: int(random.random() * bound))
            machine.apply(state, seat, raw)
            machine.advance(state)
            try:
                asked = hand.send(self.plain(raw))
            except StopIteration:
                asked = None
        assert asked is None
        assert self.chance.decided == []
        assert [self.table.state(state, "lives", seat) for seat in range(self.players)] == game.lives
        return game

    def plain(self, raw: Sequence[object]) -> Answer:
        """An answer of the machine as a card, and a seat if there is one."""
        parts = raw[1] if raw else ()
        assert isinstance(parts, tuple)
        return parts

    def in_kinds(self, answer: Answer) -> tuple[str | int, ...]:
        """An answer with the kind of its card."""
        return (self.kinds[answer[0]], *answer[1:]) if answer else ()

    def compare(self, state: list[object], game: Game, asked: Asked) -> None:
        """Whether everything lies where it lies on the other side, and what always holds."""
        table, seats = self.table, range(self.players)
        assert table.of_each(state, "hand") == game.hands
        assert table.of_each(state, "front") == [set(front) for front in game.fronts]
        assert [table.cards(state, zone) for zone in ("deck", "discard", "pending")] == [
            set(game.deck),
            game.discard,
            game.pending,
        ]
        assert [table.state(state, "lives", seat) for seat in seats] == game.lives
        assert [bool(table.state(state, "out", seat)) for seat in seats if game.lives[seat]] == [
            not game.inside[seat] for seat in seats if game.lives[seat]
        ]
        assert table.state(state, "box") == game.box
        places = [*game.hands, *map(set, game.fronts), set(game.deck), game.discard, game.pending]
        assert sum(map(len, places)) == len(set().union(*places)) == PACK
        assert PACK - len(game.deck) - len(game.discard) <= 3 * self.players + TRAPS_THAT_LIE + 1
        for seat in seats:
            assert 0 <= sum(game.fronts[seat].values()) <= 4
            if asked.name == "attack" and game.inside[seat]:
                assert len(game.hands[seat]) + sum(self.kinds[card] == SLIPPERY for card in game.fronts[seat]) == 3


@pytest.mark.parametrize("players", range(2, 10))
def test_both_play_the_same_match(players: int) -> None:
    beside = Beside(players)
    assert len(beside.kinds) == PACK
    for seed in range(MATCHES):
        game = beside.play(seed)
        assert sum(life > 0 for life in game.lives) == 1
        if players <= 7:
            assert 3 <= game.rounds <= 5


@pytest.mark.parametrize("variant", sorted(path.stem for path in VARIANTS.glob("*.yaml")))
def test_every_variant_comes_to_its_end(variant: str) -> None:
    players = 5 if variant == "packing-more-punch" else 3
    table = Table("bloody-legacy", players, (variant,))
    packs = 2 if variant == "packing-more-punch" else 1
    for seed in range(6):
        for state in table.moments(seed):
            places = [table.cards(state, zone) for zone in ("deck", "discard", "pending")]
            places += table.of_each(state, "hand") + table.of_each(state, "front")
            assert sum(map(len, places)) == len(set().union(*places)) == packs * PACK
        assert table.machine.why(state) is None
        assert sum(table.state(state, "lives", seat) > 0 for seat in range(players)) == 1
