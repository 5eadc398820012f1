"""The rules of Tricky Kids once more, for tests: what may be played, who takes a trick, who leads.

They are written down here from the rulings and know nothing of the rule files. Rules in force are given by their names.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from itertools import combinations, permutations

Rules = tuple[str, ...]

CONFLICTS = {
    frozenset(pair)
    for pair in (
        ("sharing-is-caring", "youre-it"),
        ("sharing-is-caring", "at-my-old-school"),
        ("sharing-is-caring", "rotten-egg"),
        ("youre-it", "at-my-old-school"),
        ("i-could-have-won", "simple-addition"),
        ("stop-showing-off", "rich-kids"),
        ("stop-showing-off", "simple-addition"),
        ("rich-kids", "simple-addition"),
        ("your-other-right", "pass-it-on"),
    )
}
"""The pairs that can't be obeyed both."""


def fit_together(rules: Iterable[str]) -> bool:
    """Whether all of these can be obeyed."""
    return not any(frozenset(pair) in CONFLICTS for pair in combinations(rules, 2))


# ── what may be played ───────────────────────────────────────────────────────────────────────────────────────────


@dataclass(frozen=True, slots=True)
class Card:
    """A card on which a number is written, with the suits that it can count as."""

    number: int
    rank: int
    suits: frozenset[int]


Unit = frozenset[Card]
"""What is played at once: a card or, where that is allowed, two."""


def suits_of(cards: Iterable[Card]) -> frozenset[int]:
    """As which suits a play of these cards may be declared."""
    return frozenset[int]().union(*(card.suits for card in cards))


def plays(hand: Iterable[Card], lead: int | None, pairs_left: int, rules: Rules) -> set[tuple[Unit, int]]:
    """All legal plays of a hand, with the suit that each is played as; `lead` is None for who need not follow."""
    hand = frozenset(hand)
    units = [frozenset([card]) for card in hand]
    if pairs_left:
        units += map(frozenset, combinations(hand, 2))
    possible = {(unit, suit) for unit in units for suit in suits_of(unit)}
    legal = {play for play in possible if play[1] == lead} or possible
    if "smalls" in rules:
        return {play for play in legal if any(_is_forced(order, hand, lead) for order in permutations(play[0]))}
    return legal


def _is_forced(cards: tuple[Card, ...], hand: Unit, lead: int | None) -> bool:
    """Whether each card in turn is one of the lowest that could then be played."""
    for card in cards:
        able = frozenset(other for other in hand if lead in other.suits) or hand
        if card not in able or card.rank != min(other.rank for other in able):
            return False
        hand -= {card}
    return True


def swaps(held: Iterable[Card], played: Unit, lead: int | None, rules: Rules) -> set[tuple[Card, Card, int]]:
    """All legal exchanges: which card of the play goes back, which one of the hand comes, what the play counts as then.

    Those that put a card back where it was stand for keeping: they count when it is judged what one could do.
    """
    held = frozenset(held)
    possible = {
        (out, new, suit) for out in played for new in (*held, out) for suit in suits_of((played - {out}) | {new})
    }
    legal = {swap for swap in possible if swap[2] == lead} or possible
    if "smalls" in rules:
        lowest = min(new.rank for _, new, _ in legal)
        legal = {swap for swap in legal if swap[1].rank == lowest}
    return {(out, new, suit) for out, new, suit in legal if out is not new}


# ── who takes a trick ────────────────────────────────────────────────────────────────────────────────────────────


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


def takers(plays: list[Played], lead: int, rules: Rules) -> tuple[list[Played], bool]:
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


def next_leader(won: list[Played], leader: int, players: int, rules: Rules) -> int:
    """Who leads to the next trick."""
    if "youre-it" in rules:
        return (leader + 1) % players
    if "at-my-old-school" in rules:
        return (leader - 1) % players
    if len(won) > 1:
        return leader
    return won[0].seat if won else (leader + 1) % players


# ── what is written, and what a round brings ─────────────────────────────────────────────────────────────────────


def sum_of(rules: Rules) -> tuple[int, int]:
    """The least and the greatest sum of a hand."""
    if "stop-showing-off" in rules:
        return 0, 50
    exact = 42 if "rich-kids" in rules else 30 if "simple-addition" in rules else 21
    return exact, exact


def bonus(aside: list[int]) -> list[int]:
    """What the sums of the cards set aside are worth: five points for one that is higher than all others."""
    alone = aside.count(max(aside)) == 1
    return [5 if alone and total == max(aside) else 0 for total in aside]


def winners(points: list[int], tokens: list[int]) -> set[int]:
    """Who wins: the most points, among equals the most tokens, all who are equal then."""
    standing = list(zip(points, tokens, strict=True))
    return {seat for seat, stands in enumerate(standing) if stands == max(standing)}
