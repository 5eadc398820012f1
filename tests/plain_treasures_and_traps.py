"""Treasures & Traps in plain Python, from its rulings: what one may do with a position, and who has won.

Nothing here looks at the rule file. Of the cards it knows class, metal and the two numbers, which another test holds
against the list of cards, and by their ids what they do.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import dataclass, field
from itertools import combinations

Part = tuple[str, "str | int | frozenset[str]"]
Act = tuple[str, str, frozenset[Part]]
"""What one does, with which card, and what is chosen for it."""


@dataclass(frozen=True, slots=True)
class Card:
    """What is printed on a card."""

    id: str
    sort: str
    subtype: str | None
    enter: int
    exit: int


METALS = ("bronze", "silver", "gold")
ANY_REALM = {"T022": (1, 2), "T023": (1, 2)}
ONE_REALM: dict[str, tuple[int, Collection[str | None] | None]] = {
    "T024": (1, None),
    "T025": (1, None),
    "T026": (1, None),
    "T027": (1, METALS),
    "T028": (1, ["bronze"]),
    "T029": (1, ["silver"]),
    "T030": (1, ["gold"]),
    "T031": (1, ["potion", "scroll", "magic"]),
    "T032": (2, ["potion", "scroll", "magic"]),
    "T033": (1, ["magic"]),
    "T034": (1, ["potion"]),
    "T035": (1, None),
    "T036": (1, None),
    "T037": (1, None),
    "T038": (1, None),
    "T040": (3, None),
}
"""Creatures that take up to so many items of one other realm, of some sorts if any are named."""
VICTIM = {"T062", "T071", "T072", "T075", "T076", "T077", "T079", "T080", "T081", "T082", "T083"}
VICTIM_WITH_ITEMS = {"T041", "T042"}
DOORS = {"T075", "T076", "T077"}
BLOCKERS = DOORS | {"T062", "T078"}
COVERS = {"T057", "T078"}
ATTACHED = COVERS | {"T058"}


@dataclass(slots=True)
class Position:
    """Where the cards lie."""

    cards: dict[str, Card]
    hand: list[set[str]]
    realm: list[set[str]]
    wild: set[str]
    discard: set[str]
    hosts: dict[str, str]
    """Attachments in realms, with what they are attached to."""
    gilded: dict[str, str] = field(default_factory=dict)
    """The metal that the Brush gives."""

    @property
    def in_play(self) -> set[str]:
        """All cards in realms and in the wild."""
        return self.wild.union(*self.realm)

    def subtype(self, card: str) -> str | None:
        """What a card counts as."""
        for brush, metal in self.gilded.items():
            if self.hosts.get(brush) == card:
                return metal
        return self.cards[card].subtype

    def holder(self, card: str) -> int:
        """Whose realm a card lies in."""
        return next((player for player, realm in enumerate(self.realm) if card in realm), -1)

    def is_open(self, card: str, to: str = "") -> bool:
        """Whether a card can be chosen at all, or to be taken or stolen."""
        if self.cards[card].exit == 0 or any(self.hosts.get(cover) == card for cover in COVERS):
            return False
        keeper = {"take": "T061", "steal": "T069"}.get(to)
        player = self.holder(card)
        return keeper is None or player < 0 or keeper not in self.realm[player] or self.cards[card].sort != "item"

    def is_host(self, card: str) -> bool:
        """Whether something can be attached to a card."""
        return card not in ATTACHED and self.is_open(card) and card not in self.hosts.values()

    def items(self, player: int, to: str) -> set[str]:
        """The items of a realm that can be taken, or stolen."""
        return {card for card in self.realm[player] if self.cards[card].sort == "item" and self.is_open(card, to)}

    # ── what one may do ──────────────────────────────────────────────────────────────────────────────────────────

    def blockers(self, player: int) -> set[str]:
        """What has to be defeated before anything else."""
        return {card for card in self.realm[player] & BLOCKERS if self.is_open(card)}

    def exits(self, player: int) -> set[str]:
        """The cards against which one may roll."""
        return self.blockers(player) or {card for card in self.in_play if self.is_open(card)}

    def actions(self, player: int) -> set[Act]:
        """Everything that a player may do with an action."""
        found: set[Act] = {("exit", card, frozenset()) for card in self.exits(player)}
        if not self.blockers(player):
            found |= {("replace", card, frozenset()) for card in self.hand[player]}
            found |= self.entries(player)
        return found

    def entries(self, player: int) -> set[Act]:
        """Every way to declare a card of the hand."""
        return {
            ("enter", card, frozenset(parts))
            for card in self.hand[player]
            if self.cards[card].sort != "surprise"
            and not ("T079" in self.realm[player] and self.cards[card].subtype in METALS)
            for parts in self.choices(player, card)
        }

    def choices(self, player: int, card: str) -> Iterator[tuple[Part, ...]]:
        """What can be chosen for a card that a player declares."""
        others = [other for other in range(len(self.realm)) if other != player]
        if card in ANY_REALM:
            everything = set().union(*(self.items(one, "take") for one in range(len(self.realm))))
            yield from (_prey(some) for some in _some(everything, 2))
        elif card == "T039":
            for some in _some(set().union(*(self.items(one, "take") for one in others)), 2):
                if len({self.holder(one) for one in some}) == len(some):
                    yield _prey(some)
        elif card in ONE_REALM:
            most, sorts = ONE_REALM[card]
            for other in others:
                fitting = {i for i in self.items(other, "take") if sorts is None or self.subtype(i) in sorts}
                yield from ((*_prey(some), ("victim", other)) for some in _some(fitting, most))
        elif card in VICTIM or card in VICTIM_WITH_ITEMS:
            for other in others:
                if card in VICTIM or self.items(other, "take"):
                    yield (("victim", other),)
        elif card in ("T048", "T050"):
            wanted = {one for one in self.discard if card == "T050" or self.cards[one].sort == "item"}
            yield from (_prey([one]) for one in wanted)
        elif card == "T049":
            yield from (_prey([one]) for realm in self.realm for one in realm if self.is_open(one))
        elif card == "T053":
            wanted = {one for one in self.in_play if self.cards[one].sort in ("trap", "place") and self.is_open(one)}
            yield from (_prey([one]) for one in wanted)
        elif card == "T051":
            for mine in self.items(player, "steal"):
                for other in others:
                    yield from ((("mine", mine), ("theirs", one)) for one in self.items(other, "steal"))
        elif card == "T059":
            for other in others:
                for one in self.items(other, "steal"):
                    if self.subtype(one) in METALS:
                        yield (*_prey([one]), ("victim", other))
        elif card in ATTACHED:
            for host in self.hosts_for(player, card):
                yield (("onto", host),)
        else:
            yield ()

    def hosts_for(self, player: int, card: str) -> set[str]:
        """What a player may attach a card to."""
        if card == "T078":
            return {host for realm in self.realm for host in realm & (DOORS | {"T062"}) if self.is_host(host)}
        items = {host for host in self.realm[player] if self.cards[host].sort == "item" and self.is_host(host)}
        return items if card == "T057" else {host for host in items if self.subtype(host) in METALS}

    # ── what follows from it ─────────────────────────────────────────────────────────────────────────────────────

    def hand_limit(self, player: int) -> int:
        """How many cards one holds at the end of a turn."""
        return 5 + len(self.realm[player] & {"T054", "T067"})

    def winners(self) -> set[int]:
        """Who fulfils the condition that is in force."""
        return {player for player in range(len(self.realm)) if self.has_won(player)}

    def has_won(self, player: int) -> bool:
        """One treasure of each metal, or three of one under the Edict."""
        held = [sum(self.subtype(card) == metal for card in self.realm[player]) for metal in METALS]
        return max(held) >= 3 if "T084" in self.wild else min(held) >= 1


def _some(cards: Collection[str], most: int) -> Iterator[tuple[str, ...]]:
    for number in range(1, most + 1):
        yield from combinations(sorted(cards), number)


def _prey(cards: Collection[str]) -> tuple[Part, ...]:
    return (("prey", frozenset(cards)),)
