"""What each seat is sure of: for every card, whether the seat knows where it lies.

A seat knows a card from the moment it sees it for as long as it can tell where it is. What this means when cards move
is worked out here, and nowhere else: who can tell which cards moved, whose knowledge goes along, what is forgotten.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import reduce
from operator import or_
from typing import NamedTuple

from rulesdsl.ir.nodes import Shape

from ..run.code import Cells
from ..state.bits import members, set_of
from ..state.layout import Layout


class Sighting(NamedTuple):
    """What one batch of cards that moves lets the seats know, by seat: sets of cards of the kind that moves."""

    before: tuple[int, ...]
    """What the seat knew before, of the whole kind."""
    shown: tuple[int, ...]
    """The moved cards that the seat recognises: it knows where they lie now."""
    lost: tuple[int, ...]
    """What it knew before and knows no longer; all of it lay where the batch came from. A remembered card that looks
    like one that was seen to leave is not counted here: for the seat, it is the one that left."""


class _Side(NamedTuple):
    """A batch with all under it, what lies where it comes from, whether that is all, has an order, and who sees it."""

    moved: int
    lying: int
    whole: bool
    ordered: bool
    seers: int


class Knowledge:
    """Keeps the cells of a state that say what the seats know."""

    def __init__(self, layout: Layout) -> None:
        self._layout = layout
        self._zones = layout.zone_count
        self._seers = tuple(layout.seers(zone, zone.seen) for zone in layout.zones)
        self._counters = tuple(
            layout.seers(zone, zone.count_seen) | layout.seers(zone, zone.seen) for zone in layout.zones
        )
        self._cells = tuple(zone.cell for zone in layout.zones)
        self._shapes = tuple(zone.shape for zone in layout.zones)
        self._seats = range(layout.seats)

    # ── places ─────────────────────────────────────────────────────────────────────────────────────────────────────

    def root(self, S: Cells, place: int) -> int:
        """The zone a place belongs to: itself, or where the card it is under lies in the end."""
        while place >= self._zones:
            kind, card = self._layout.card_of_number(place - self._zones)
            place = S[self._layout.at[kind] + card]
        return place

    def seers(self, S: Cells, place: int) -> int:
        """The seats that see the cards of a place."""
        return self._seers[self.root(S, place)]

    def counters(self, S: Cells, place: int) -> int:
        """The seats that know how many cards lie there."""
        return self._counters[self.root(S, place)]

    def is_ordered(self, place: int) -> bool:
        """Whether cards there have an order, so that one can be told from another without being seen."""
        return place < self._zones and self._shapes[place] is not Shape.SET

    def lying(self, S: Cells, kind: str, place: int) -> int:
        """The cards of a kind that lie at a place, as a set."""
        if place < self._zones:
            held = S[self._cells[place]]
            match self._shapes[place]:
                case Shape.SET:
                    return held  # type: ignore[no-any-return]
                case Shape.STACK | Shape.ROW:
                    return set_of(held)
                case Shape.PLAYS:
                    return reduce(or_, (play[2] for play in held), 0)
        at = self._layout.at[kind]
        return sum(1 << card for card in range(self._layout.packs[kind].size) if S[at + card] == place)

    def with_beneath(self, S: Cells, kind: str, cards: int) -> int:
        """The cards and all that lies under them, under those, and so on."""
        at = self._layout.at[kind]
        first = self._zones + self._layout.card_base[kind]
        size = self._layout.packs[kind].size
        if max(S[at : at + size], default=0) < self._zones:
            return cards
        hanging = [(card, S[at + card] - first) for card in range(size) if S[at + card] >= self._zones]
        grows = bool(hanging)
        while grows:
            grows = False
            for card, above in hanging:
                if cards >> above & 1 and not cards >> card & 1:
                    cards |= 1 << card
                    grows = True
        return cards

    # ── what is known ──────────────────────────────────────────────────────────────────────────────────────────────

    def knows(self, S: Cells, kind: str, seat: int) -> int:
        """The cards whose place a seat is sure of."""
        known: int = S[self._layout.seen[kind] + seat]
        return known

    def knowers(self, S: Cells, kind: str, card: int) -> int:
        """The seats that know where a card lies."""
        first = self._layout.seen[kind]
        return sum(1 << seat for seat in self._seats if S[first + seat] >> card & 1)

    def settle(self, S: Cells) -> None:
        """Everybody knows what they see, and nothing else."""
        for kind, first in self._layout.seen.items():
            at = self._layout.at[kind]
            for seat in self._seats:
                S[first + seat] = 0
            for card in range(self._layout.packs[kind].size):
                seers = self.seers(S, S[at + card])
                for seat in members(seers):
                    S[first + seat] |= 1 << card

    def sure(self, S: Cells, kind: str, batches: Iterable[tuple[int, int]], target: int) -> int:
        """The seats that can tell every card of a move from several places, each a set of cards and where it lies."""
        sees_target = self.seers(S, target)
        seats = 0
        first = self._layout.seen[kind]
        sides = [self._side(S, kind, batch, source) for batch, source in batches]
        for seat in self._seats:
            if all(self._told(side, S[first + seat], seat, sees_target) == side.moved for side in sides):
                seats |= 1 << seat
        return seats

    def moves(self, S: Cells, kind: str, batch: int, source: int, target: int, sure: int = -1) -> Sighting:
        """Cards of one place go to another. To be told before they do.

        Who sees either end can tell every card of the batch. Who sees neither can tell those it knew, if the whole
        place was moved or its cards have an order. Among cards that come from several places into an order, only those
        that are `sure` of all of them can tell where each lies.
        """
        side = self._side(S, kind, batch, source)
        moved = side.moved
        # All that comes to a zone of plays is one play: there is nothing to tell apart in it.
        to_order = self.is_ordered(target) and self._shapes[target] is not Shape.PLAYS
        sees_target = self.seers(S, target)
        loose = not side.ordered and not side.whole
        left_behind = self.with_beneath(S, kind, side.lying) & ~moved if loose else 0
        shown: list[int] = []
        lost: list[int] = []
        first = self._layout.seen[kind]
        before = tuple(S[first : first + self._layout.seats])
        for seat, known in enumerate(before):
            told = self._told(side, known, seat, sees_target)
            kept = told
            if to_order and (told != moved or not sure >> seat & 1):
                # It lies among others that look the same from behind: which one it is can't be told.
                kept = 0
            after = known & ~moved | kept
            mistaken = 0
            if loose:
                if told != moved:
                    after &= ~left_behind
                elif self._layout.packs[kind].has_alike and not side.seers >> seat & 1:
                    mistaken = self._mistaken(S, kind, kept & ~known & batch, side.lying & ~batch & known)
                    after &= ~mistaken
            S[first + seat] = after
            shown.append(kept)
            lost.append(known & ~after & ~mistaken)
        return Sighting(before, tuple(shown), tuple(lost))

    def _side(self, S: Cells, kind: str, batch: int, source: int) -> _Side:
        lying = self.lying(S, kind, source)
        moved = self.with_beneath(S, kind, batch)
        return _Side(moved, lying, batch == lying, self.is_ordered(source), self.seers(S, source))

    def _told(self, side: _Side, known: int, seat: int, sees_target: int) -> int:
        """The moved cards that a seat can tell to be among those that move."""
        if (side.seers | sees_target) >> seat & 1:
            return side.moved
        return known & side.moved if side.whole or side.ordered else 0

    def _mistaken(self, S: Cells, kind: str, seen: int, remembered: int) -> int:
        """Of the remembered cards, those that can't be told from cards that were seen to leave their place."""
        faces = self._layout.packs[kind].faces()
        found = 0
        for card in members(seen):
            for other in members(faces[card] & remembered & ~found):
                if self._looks_like(S, kind, card, other):
                    found |= 1 << other
                    break
        return found

    def _looks_like(self, S: Cells, kind: str, card: int, other: int) -> bool:
        """Whether two cards of one face have the same written on them, and nothing under them."""
        fields = (cell for (of, _), cell in self._layout.fields.items() if of == kind)
        both = 1 << card | 1 << other
        return all(S[cell + card] == S[cell + other] for cell in fields) and self.with_beneath(S, kind, both) == both

    def swaps(self, S: Cells, kind: str, left: tuple[int, int], right: tuple[int, int]) -> tuple[Sighting, Sighting]:
        """Two batches change places at once; each is a set of cards and where it lies. To be told before they do."""
        first = self._layout.seen[kind]
        before = S[first : first + self._layout.seats]
        going = self.moves(S, kind, left[0], left[1], right[1])
        after_left = S[first : first + self._layout.seats]
        S[first : first + self._layout.seats] = before
        coming = self.moves(S, kind, right[0], right[1], left[1])
        touched = self.with_beneath(S, kind, left[0])
        for seat in self._seats:
            lost = going.lost[seat] | coming.lost[seat]
            mine = S[first + seat] & ~touched | after_left[seat] & touched
            S[first + seat] = mine & ~(lost & ~(going.shown[seat] | coming.shown[seat]))
        return going, coming

    def shuffled(self, S: Cells, kind: str, place: int) -> tuple[int, ...]:
        """The order of a place is new. Who doesn't see it forgets what it remembered there; by seat, what that is."""
        first = self._layout.seen[kind]
        lying = self.with_beneath(S, kind, self.lying(S, kind, place))
        seers = self.seers(S, place)
        lost = []
        for seat in self._seats:
            forgotten = 0 if seers >> seat & 1 else S[first + seat] & lying
            S[first + seat] &= ~forgotten
            lost.append(forgotten)
        return tuple(lost)

    def shows(self, S: Cells, kind: str, cards: int, seats: int) -> None:
        """Seats get to see cards where they lie."""
        first = self._layout.seen[kind]
        for seat in members(seats):
            S[first + seat] |= cards
