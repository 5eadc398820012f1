"""A match of Tricky Kids that is worked out once more while it is played, by `kids_rules`."""

from __future__ import annotations

from itertools import permutations
from random import Random
from typing import Any

from kids_rules import Card, Played, bonus, next_leader, plays, sum_of, swaps, takers, winners
from table import Table

from rulesdsl.types import NONE

MANY = 2_000
"""Of more answers than these not all are listed, which happens only with numbers to write."""


class Watch:
    """One match, watched from answer to answer."""

    def __init__(self, table: Table, rules: tuple[str, ...], seed: int) -> None:
        self.table, self.rules, self.players = table, rules, table.players
        layout = table.machine.layout
        self.suit = layout.packs["card"].attribute("suit")
        self.worth: Any = layout.packs["token"].attribute("worth")
        self.rank_at = layout.fields["card", "rank"]
        self.second_at = layout.fields.get(("card", "second_suit"))
        self.scale = 2 if "fractions-are-hard" in rules else 1
        self.random = Random(seed)
        self.state = table.machine.start(seed)
        self.ranks: dict[int, int] = {}
        self.trick: dict[int, tuple[frozenset[int], int]] = {}
        self.pairs = [0] * self.players
        self.points = [[0] * self.players for _ in range(4)]  # by round, what the tricks are worth
        self.tokens = [[0] * self.players for _ in range(4)]
        self.bonus = [0] * self.players
        self.tricks = 0

    # ── what lies on the table ───────────────────────────────────────────────────────────────────────────────────

    def cards(self, zone: str, owner: int = -1) -> set[int]:
        """The cards in a zone."""
        return self.table.cards(self.state, zone, owner)

    def rank(self, card: int) -> int:
        """The number on a card."""
        rank = self.state[self.rank_at + card]
        assert isinstance(rank, int)
        return rank

    def can_be(self, card: int) -> frozenset[int]:
        """The suits that a card can count as."""
        second = self.state[self.second_at + card] if self.second_at is not None else NONE
        first = self.suit[card]
        assert isinstance(first, int) and isinstance(second, int)
        return frozenset({first, second} - {NONE})

    def written(self, numbers: set[int] | frozenset[int]) -> dict[int, Card]:
        """Cards with what is written on them, by number."""
        return {number: Card(number, self.rank(number), self.can_be(number)) for number in numbers}

    def in_front(self, seat: int) -> set[int]:
        """All cards of a seat, wherever they lie."""
        lying = (self.cards(zone, seat) for zone in ("hand", "laid", "aside"))
        return set().union(*lying, self.trick.get(seat, ((), 0))[0])

    def sums(self, zone: str | None = None) -> list[int]:
        """What is written on all cards of each seat, or on those in one zone."""
        held = [self.in_front(s) if zone is None else self.cards(zone, s) for s in range(self.players)]
        return [sum(max(self.rank(card), 0) for card in cards) for cards in held]

    # ── the match ────────────────────────────────────────────────────────────────────────────────────────────────

    def run(self) -> None:
        """Plays by chance to the end."""
        machine = self.table.machine
        machine.advance(self.state)
        while waiting := machine.pending(self.state):
            self.look()
            name = self.table.decision(self.state)
            row, leader = self.cards("row"), self.table.state(self.state, "leader")
            if name == "play" and len(self.trick) in (0, self.players):
                self.trick = {}
            for seat in waiting:
                question, own = machine.question(self.state, seat)
                answer = question.sample(own, seat, lambda bound: int(self.random.random() * bound))
                offered: set[Any] = set()
                if name in ("play", "swap"):
                    assert question.count(own, seat) <= MANY
                    offered = {given[1] for given in question.answers(own, seat) if given}
                getattr(self, f"on_{name}")(seat, answer, leader, offered)
                machine.apply(self.state, seat, answer)
            if name == "write":
                self.ranks = {}
            sums, aside = self.sums(), self.sums("aside")
            machine.advance(self.state)
            if len(self.trick) == self.players and self.cards("row") != row:
                self.on_taken(row, leader, sums, aside)
        assert machine.why(self.state) is None
        self.at_the_end()

    def look(self) -> None:
        """What holds at every decision."""
        row, used, bag = self.cards("row"), self.cards("used"), self.cards("bag")
        self.round = self.table.state(self.state, "round")
        assert len(row) + len(used) == 7 * self.round
        assert len(row) + len(used) + len(bag) == 21
        places = [self.cards(zone, seat) for zone in ("hand", "aside", "laid") for seat in range(self.players)]
        places += [self.cards("trick"), self.cards("stock")]
        assert sum(map(len, places)) == 54
        if self.table.decision(self.state) in ("play", "swap"):
            assert len(row) == 7 - self.tricks % 7
            written = {card: self.rank(card) for card in range(54) if self.rank(card) != NONE}
            assert self.ranks in ({}, written)
            self.ranks = written

    # ── answers ──────────────────────────────────────────────────────────────────────────────────────────────────

    def on_discard(self, seat: int, answer: Any, leader: int, offered: set[Any]) -> None:
        """Two cards are set aside."""
        assert answer[1][0].bit_count() == 2

    def on_write(self, seat: int, answer: Any, leader: int, offered: set[Any]) -> None:
        """The hand keeps to what is in force."""
        self.pairs[seat] = 0
        ranks = answer[1][0]
        low, high = sum_of(self.rules)
        assert low * self.scale <= sum(ranks) <= high * self.scale
        nine = "simple-addition" in self.rules or "i-could-have-won" in self.rules
        assert len(ranks) == (9 if nine else 7)
        if "pass-it-on" in self.rules or "your-other-right" in self.rules:
            assert self.scale <= min(ranks) + (self.scale - 1) and max(ranks) <= 10 * self.scale
        if "double-dutch" in self.rules:
            marks = answer[1][1]
            hand = sorted(self.cards("hand", seat))
            assert sum(mark != NONE for mark in marks) == 2
            assert all(mark != self.suit[card] for card, mark in zip(hand, marks, strict=True))

    def on_play(self, seat: int, answer: Any, leader: int, offered: set[Any]) -> None:
        """All that may be played can be, and nothing else."""
        blind = "peek-a-boo" in self.rules or seat == leader
        left = 2 - self.pairs[seat] if "simple-addition" in self.rules else 0
        hand = self.written(self.cards("hand", seat)).values()
        legal = plays(hand, None if blind else self.trick[leader][1], left, self.rules)
        assert offered == {(sum(1 << card.number for card in unit), suit) for unit, suit in legal}
        bits, suit = answer[1]
        cards = frozenset(card for card in range(54) if bits >> card & 1)
        self.pairs[seat] += len(cards) == 2
        self.trick[seat] = cards, suit

    def on_swap(self, seat: int, answer: Any, leader: int, offered: set[Any]) -> None:
        """All that may be exchanged can be, and nothing else."""
        held, played = self.written(self.cards("hand", seat)), self.written(self.trick[seat][0])
        lead = None if seat == leader else self.trick[leader][1]
        legal = swaps(held.values(), frozenset(played.values()), lead, self.rules)
        assert offered == {(out.number, new.number, suit) for out, new, suit in legal}
        if answer:
            out, card, suit = answer[1]
            self.trick[seat] = self.trick[seat][0] - {out} | {card}, suit

    # ── what comes of them ───────────────────────────────────────────────────────────────────────────────────────

    def on_taken(self, row: set[int], leader: int, sums: list[int], aside: list[int]) -> None:
        """A trick is over: who took it is worked out once more, whatever the order in which its cards are listed."""
        self.tricks += 1
        now = self.round
        made = [Played(s, suit, sum(map(self.ranks.__getitem__, cards))) for s, (cards, suit) in self.trick.items()]
        lead = self.trick[leader][1]
        won, pays = takers(made, lead, self.rules)
        for listed in list(permutations(made))[:24]:
            other, _ = takers(list(listed), lead, self.rules)
            assert {play.seat for play in other} == {play.seat for play in won}
        (stake,) = row - self.cards("row") if self.tricks % 7 else row
        for play in won if pays else ():
            self.points[now][play.seat] += self.worth[stake][play.suit]
            self.tokens[now][play.seat] += 1
        if self.tricks % 7:
            assert self.table.state(self.state, "leader") == next_leader(won, leader, self.players, self.rules)
            self.compare("gained", self.points[now], self.tokens[now])
        else:
            self.on_round(now, sums, aside)

    def on_round(self, now: int, sums: list[int], aside: list[int]) -> None:
        """A round is over: forfeits, transfers and bonus points, and what everybody holds from then on."""
        if "stop-showing-off" in self.rules:
            for seat in range(self.players):
                if sums[seat] == max(sums):
                    self.points[now][seat] = self.tokens[now][seat] = 0
        if "yoink" in self.rules:
            for kept in (self.points[now], self.tokens[now]):
                kept.insert(0, kept.pop())
        if "i-could-have-won" in self.rules:
            self.bonus = list(map(sum, zip(self.bonus, bonus(aside), strict=True)))
        assert [self.table.state(self.state, "bonus", seat) for seat in range(self.players)] == self.bonus
        self.compare("kept", self.total(self.points), self.total(self.tokens))

    def total(self, by_round: list[list[int]]) -> list[int]:
        """What each seat has of something in all rounds."""
        return list(map(sum, zip(*by_round, strict=True)))

    def compare(self, name: str, points: list[int], tokens: list[int]) -> None:
        """What is credited, against what it should be."""
        variable = self.table.machine.layout.variables[name]
        held: list[Any] = [self.state[variable.base + seat] for seat in range(self.players)]
        assert [sum(credit[0] for credit in credits) for credits in held] == points
        assert [len(credits) for credits in held] == tokens

    def at_the_end(self) -> None:
        """All tokens are used, all cards played, and scores and winners are what was credited."""
        assert self.tricks == 21
        assert len(self.cards("used")) == 21
        for seat in range(self.players):
            laid, hand = len(self.cards("laid", seat)), len(self.cards("hand", seat))
            nine = "simple-addition" in self.rules
            assert (laid, hand) == ((7 + self.pairs[seat], 2 - self.pairs[seat]) if nine else (7, 0))
        points = [own + extra for own, extra in zip(self.total(self.points), self.bonus, strict=True)]
        assert [score.points for score in self.table.scores(self.state)] == points
        assert self.table.winners(self.state) == winners(points, self.total(self.tokens))
