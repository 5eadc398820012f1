"""A random match of two-handed Trappola in plain Python: what the interpreter's speed is measured against.

Written for this one game and nothing else, as a programmer would who needs many random matches: cards are numbers,
hands are lists, the rules are in the control flow. Every decision is taken uniformly at random over its options. It
shares no code and no rule file with the language, so its `score` also serves as an independent check.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from random import Random
from typing import NamedTuple

Shuffle = Callable[[list[int]], object]

RANKS = ("2", "7", "8", "9", "10", "J", "Q", "K", "A")  # from low to high
TWO = 0
SUIT_SIZE = len(RANKS)
DECK = tuple(range(4 * SUIT_SIZE))  # suit * 9 + rank

SUIT = tuple(card // SUIT_SIZE for card in DECK)
RANK = tuple(card % SUIT_SIZE for card in DECK)
POINTS = tuple({"A": 6, "K": 5, "Q": 4, "J": 3}.get(RANKS[rank], 0) for rank in RANK)

DECLARABLE = (8, 7, 6, 5, TWO)
VALUE_OF_THREE = {8: 12, 7: 6, 6: 6, 5: 6, TWO: 10}

HAND_SIZE = 9
NON_DEALER, DEALER = 0, 1


class Trick(NamedTuple):
    """Two cards, and who led: 0 is the non-dealer, 1 the dealer."""

    leader: int
    led: int
    reply: int


class Declaration(NamedTuple):
    """Three or four cards of a rank, declared by a player."""

    player: int
    rank: int
    number: int


def score(tricks: Sequence[Trick], declarations: Sequence[Declaration]) -> list[int]:
    """The totals of the non-dealer and the dealer for the nine tricks of a deal and what was declared."""
    totals = [0, 0]
    twos = [0, 0]
    run = 0
    winner = NON_DEALER
    for leader, led, reply in tricks:
        beaten = SUIT[led] == SUIT[reply] and RANK[reply] > RANK[led]
        winner = 1 - leader if beaten else leader
        totals[winner] += POINTS[led] + POINTS[reply]
        if not beaten and RANK[led] == TWO:
            twos[winner] += 1
            run += 1
        else:
            run = 0
    twos[winner] -= run
    totals[winner] += 26 * run if run else 6
    for player, rank, number in declarations:
        totals[player] += VALUE_OF_THREE[rank] * (2 if number == 4 else 1)
    return [totals[0] + 10 * twos[0], totals[1] + 10 * twos[1]]


def play(rng: Random, shuffle: Shuffle | None = None) -> list[int]:
    """The totals of one random deal: of the non-dealer, then of the dealer."""
    tricks, declarations = play_out(rng, shuffle)
    return score(tricks, declarations)


def play_out(rng: Random, shuffle: Shuffle | None = None) -> tuple[list[Trick], list[Declaration]]:
    """One random deal: its tricks and declarations. Another shuffle than Python's may be given."""
    random = rng.random
    # Who deals is drawn, too, as in the rule file; the totals are told from the dealer's side.
    random()
    cards = list(DECK)
    (shuffle or rng.shuffle)(cards)
    hands = [cards[0:4] + cards[8:13], cards[4:8] + cards[13:18]]
    stock = cards[18:]
    for player in (NON_DEALER, DEALER):
        while stock and random() < 0.5:
            hands[player] = stock[:HAND_SIZE]
            del stock[:HAND_SIZE]

    # Counts are those of the hand after the exchange: once a card of a rank is played, it can't be declared any more.
    open_ranks = [declarable(hand) for hand in hands]
    tricks: list[Trick] = []
    declarations: list[Declaration] = []
    leader = NON_DEALER
    for _ in range(HAND_SIZE):
        if open_ranks[leader]:
            declare(leader, open_ranks[leader], declarations, random)
        hand = hands[leader]
        led = hand.pop(int(random() * len(hand)))
        open_ranks[leader].pop(RANK[led], None)

        other = 1 - leader
        if open_ranks[other]:
            declare(other, open_ranks[other], declarations, random)
        hand = hands[other]
        suit = SUIT[led]
        following = [card for card in hand if SUIT[card] == suit]
        choices = following or hand
        reply = choices[int(random() * len(choices))]
        hand.remove(reply)
        open_ranks[other].pop(RANK[reply], None)

        tricks.append(Trick(leader, led, reply))
        if SUIT[reply] == suit and RANK[reply] > RANK[led]:
            leader = other
    return tricks, declarations


def declarable(hand: Sequence[int]) -> dict[int, int]:
    """The ranks of which the hand holds enough to declare them, with how many it holds."""
    counts = [0] * SUIT_SIZE
    for card in hand:
        counts[RANK[card]] += 1
    return {rank: counts[rank] for rank in DECLARABLE if counts[rank] >= 3}


def declare(player: int, ranks: dict[int, int], declarations: list[Declaration], random: Callable[[], float]) -> None:
    """Declares some of the ranks, each set of them as likely as any other, and takes those away from `ranks`."""
    for rank in list(ranks):
        if random() < 0.5:
            declarations.append(Declaration(player, rank, ranks.pop(rank)))
