"""What the rules of Tricky Kids promise of every match, with each of its rules, for two to six players.

The tricks, the ends of rounds and the winners are worked out once more, from the rule note and not from the rule files.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import permutations
from random import Random
from typing import Any

import pytest
from table import Table

from rulesdsl import load
from rulesdsl.interpreter import Match
from rulesdsl.types import NONE

MATCHES = 3
ALONE = (
    "at-my-old-school",
    "double-dutch",
    "fractions-are-hard",
    "heads-up-7-up",
    "i-could-have-won",
    "pass-it-on",
    "peek-a-boo",
    "rich-kids",
    "ring-around-the-rosie",
    "rotten-egg",
    "sharing-is-caring",
    "simple-addition",
    "smalls",
    "stop-showing-off",
    "take-backsies",
    "yoink",
    "your-other-right",
    "youre-it",
)
TOGETHER = (
    ("double-dutch", "take-backsies", "youre-it"),
    ("peek-a-boo", "rotten-egg", "yoink"),
    ("fractions-are-hard", "pass-it-on", "ring-around-the-rosie"),
    ("i-could-have-won", "rich-kids", "heads-up-7-up"),
    ("simple-addition", "rotten-egg", "your-other-right"),
)
STACKS = ((), *((name,) for name in ALONE), *TOGETHER)


@dataclass(frozen=True, slots=True)
class Played:
    """What somebody has in a trick."""

    seat: int
    suit: int
    rank: int


def best_of(plays: list[Played], lead: int) -> Played | None:
    """Suit by suit, beginning with the one that was led: the highest number that nobody else has."""
    for suit in (lead, (lead + 1) % 3, (lead + 2) % 3):
        ranks = [play.rank for play in plays if play.suit == suit]
        alone = [play for play in plays if play.suit == suit and ranks.count(play.rank) == 1]
        if alone:
            return max(alone, key=lambda play: play.rank)
    return None


def takers(plays: list[Played], lead: int, rules: tuple[str, ...]) -> tuple[list[Played], bool]:
    """Who takes a trick, and whether that is worth a token."""
    if "sharing-is-caring" in rules:
        most = max(play.rank for play in plays if play.suit == lead)
        return [play for play in plays if play.suit == lead and play.rank == most], most > 0
    if "rotten-egg" in rules:
        trump = best_of([play for play in plays if play.rank == 0 and play.suit != lead], lead)
        if trump is not None:
            return [trump], True
    best = best_of(plays, lead)
    return ([], False) if best is None else ([best], best.rank > 0)


def next_leader(won: list[Played], leader: int, players: int, rules: tuple[str, ...]) -> int:
    """Who leads to the next trick."""
    if "youre-it" in rules:
        return (leader + 1) % players
    if "at-my-old-school" in rules:
        return (leader - 1) % players
    if len(won) > 1:
        return leader
    return won[0].seat if won else (leader + 1) % players


def sum_of(rules: tuple[str, ...]) -> tuple[int, int]:
    """The least and the greatest sum of a hand."""
    if "stop-showing-off" in rules:
        return 0, 50
    exact = 42 if "rich-kids" in rules else 30 if "simple-addition" in rules else 21
    return exact, exact


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
        self.trick: dict[int, tuple[list[int], int]] = {}
        self.points = [[0] * self.players for _ in range(4)]  # by round, what the tricks of the note are worth
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

    def can_be(self, card: int) -> set[int]:
        """The suits that a card can count as."""
        second = self.state[self.second_at + card] if self.second_at is not None else NONE
        first = self.suit[card]
        assert isinstance(first, int) and isinstance(second, int)
        return {first, second} - {NONE}

    def in_front(self, seat: int) -> set[int]:
        """All cards of a seat, wherever they lie."""
        lying = (self.cards(zone, seat) for zone in ("hand", "laid", "aside"))
        return set().union(*lying, self.trick.get(seat, ((), 0))[0])

    # ── the match ────────────────────────────────────────────────────────────────────────────────────────────────

    def run(self) -> None:
        """Plays by chance to the end."""
        machine = self.table.machine
        machine.advance(self.state)
        while waiting := machine.pending(self.state):
            self.look()
            name = self.table.decision(self.state)
            row, leader = self.cards("row"), self.table.state(self.state, "leader")
            for seat in waiting:
                question, own = machine.question(self.state, seat)
                answer = question.sample(own, seat, lambda bound: int(self.random.random() * bound))
                getattr(self, f"on_{name}")(seat, answer, leader)
                machine.apply(self.state, seat, answer)
            if name == "write":
                self.ranks = {}
            sums = [sum(max(self.rank(card), 0) for card in self.in_front(seat)) for seat in range(self.players)]
            machine.advance(self.state)
            if len(self.trick) == self.players and self.cards("row") != row:
                self.on_taken(row, leader, sums)
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

    def on_discard(self, seat: int, answer: Any, leader: int) -> None:
        """Two cards are set aside."""
        assert answer[1][0].bit_count() == 2

    def on_write(self, seat: int, answer: Any, leader: int) -> None:
        """The hand keeps to what is in force."""
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

    def on_play(self, seat: int, answer: Any, leader: int) -> None:
        """Who can follow does, and cards are played as what they are."""
        bits, suit = answer[1]
        cards = [card for card in range(54) if bits >> card & 1]
        hand = self.cards("hand", seat)
        if len(self.trick) == self.players:
            self.trick = {}
        assert set(cards) <= hand
        assert len(cards) == 1 or (len(cards) == 2 and "simple-addition" in self.rules)
        assert any(suit in self.can_be(card) for card in cards)
        blind = "peek-a-boo" in self.rules
        able = [] if blind or seat == leader else [c for c in hand if self.trick[leader][1] in self.can_be(c)]
        assert not able or suit == self.trick[leader][1]
        if "smalls" in self.rules:
            assert self.rank(cards[0]) == min(self.rank(card) for card in able or hand)
        self.trick[seat] = cards, suit

    def on_swap(self, seat: int, answer: Any, leader: int) -> None:
        """One card for another; what comes in follows if it can."""
        if answer:
            out, card, suit = answer[1]
            cards = self.trick[seat][0]
            assert out in cards and card in self.cards("hand", seat)
            lead = self.trick[leader][1]
            able = [c for c in (*self.cards("hand", seat), out) if lead in self.can_be(c)]
            assert seat == leader or not able or suit == lead
            self.trick[seat] = [card], suit

    def on_taken(self, row: set[int], leader: int, sums: list[int]) -> None:
        """A trick is over: who took it is worked out once more, whatever the order in which its cards are listed."""
        self.tricks += 1
        now = self.round
        plays = [Played(s, suit, sum(map(self.ranks.__getitem__, cards))) for s, (cards, suit) in self.trick.items()]
        lead = self.trick[leader][1]
        won, pays = takers(plays, lead, self.rules)
        for listed in list(permutations(plays))[:24]:
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
            self.on_round(now, sums)

    def on_round(self, now: int, sums: list[int]) -> None:
        """A round is over: forfeits, transfers and bonus points, and what everybody holds from then on."""
        if "stop-showing-off" in self.rules:
            for seat in range(self.players):
                if sums[seat] == max(sums):
                    self.points[now][seat] = self.tokens[now][seat] = 0
        if "yoink" in self.rules:
            for kept in (self.points[now], self.tokens[now]):
                kept.insert(0, kept.pop())
        points, tokens = (list(map(sum, zip(*kept, strict=True))) for kept in (self.points, self.tokens))
        self.compare("kept", points, tokens)

    def compare(self, name: str, points: list[int], tokens: list[int]) -> None:
        """What is credited, against what the note says."""
        variable = self.table.machine.layout.variables[name]
        held: list[Any] = [self.state[variable.base + seat] for seat in range(self.players)]
        assert [sum(credit[0] for credit in credits) for credits in held] == points
        assert [len(credits) for credits in held] == tokens

    def at_the_end(self) -> None:
        """All tokens are used, all cards played, and the scores are what was credited."""
        assert self.tricks == 21
        assert len(self.cards("used")) == 21
        for seat in range(self.players):
            laid, hand = len(self.cards("laid", seat)), len(self.cards("hand", seat))
            assert laid + hand == (9 if "simple-addition" in self.rules else 7)
            assert hand <= (2 if "simple-addition" in self.rules else 0)
        bonus = [self.table.state(self.state, "bonus", seat) for seat in range(self.players)]
        points = [score.points - extra for score, extra in zip(self.table.scores(self.state), bonus, strict=True)]
        assert points == list(map(sum, zip(*self.points, strict=True)))
        assert sum(bonus) in ((0, 5, 10, 15) if "i-could-have-won" in self.rules else (0,))


@pytest.mark.parametrize("players", [2, 3, 4, 5, 6])
@pytest.mark.parametrize("rules", STACKS, ids=lambda rules: "+".join(rules) or "base")
def test_every_match_keeps_the_promises(rules: tuple[str, ...], players: int) -> None:
    table = Table("tricky-kids", players, rules)
    for seed in range(MATCHES):
        Watch(table, rules, seed).run()


@pytest.mark.parametrize("rules", TOGETHER, ids="+".join)
def test_the_order_in_which_rules_are_named_means_nothing(rules: tuple[str, ...]) -> None:
    first = load("tricky-kids", modifiers=rules)
    assert all(load("tricky-kids", modifiers=order) == first for order in permutations(rules))


@pytest.mark.parametrize("rules", STACKS, ids=lambda rules: "+".join(rules) or "base")
def test_nobody_sees_what_is_hidden(rules: tuple[str, ...]) -> None:
    """What is known of the hands of others is what one has held, or has seen on the table, in this round."""
    match = Match(load("tricky-kids", modifiers=rules), players=3, seed=11)
    random = Random(5)
    seen: list[set[str]] = [set(), set(), set()]
    while not match.finished:
        for seat in range(3):
            zones = {zone["zone"]: zone for zone in match.view(seat)["zones"]}
            if match.decision.name in ("discard", "write"):
                seen[seat] = set()
            for other in {0, 1, 2} - {seat}:
                others = [card for card in zones[f"hand {other}"]["cards"] if card is not None]
                assert {str(card) for card in others if not _is_written_by(seat, card)} <= seen[seat]
                shown = "i-could-have-won" in rules and match.decision.name in ("discard", "write")
                assert shown or not any(zones[f"aside {other}"]["cards"])
                seen[seat] |= {str(card) for card in zones[f"laid {other}"]["cards"]}
            seen[seat] |= {str(card) for card in zones[f"hand {seat}"]["cards"]}
            seen[seat] |= {str(card) for play in zones["trick"]["plays"] for card in play["cards"]}
        match.choose_random(random)


def _is_written_by(seat: int, card: Any) -> bool:
    """Whether a card was passed on by the seat, which goes on knowing what it wrote."""
    return isinstance(card, dict) and card["fields"].get("writer") == seat
