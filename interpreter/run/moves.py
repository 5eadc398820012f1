"""Moves cards: the only code that writes where a card lies.

Where a card lies is kept twice, in its own cell and in that of its zone; both are changed here and only here. Cards
under a card go along because they lie under it, wherever it is.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from rulesdsl.ir.nodes import Shape, Value
from rulesdsl.source import Span
from rulesdsl.types import NONE

from ..sight.event import Batch
from ..sight.notes import Notes
from ..state.bits import members, set_of
from ..state.cells import STAMP
from ..state.errors import MatchError
from ..state.layout import Layout
from .code import Cells

PLAYER, CARDS, FIRST_FIELD = 1, 2, 3
"""Where a play keeps its seat, its cards and its fields; at 0 stands its stamp."""


class Mover:
    """Moves cards of one kind, and notes it down if there is somebody to do so."""

    def __init__(self, layout: Layout, kind: str, notes: Notes | None) -> None:
        self._kind = kind
        self._notes = notes
        self._layout = layout
        self._at = layout.at[kind]
        self._over = layout.over[kind]
        self._size = layout.packs[kind].size
        self._zones = layout.zone_count
        self._first = layout.zone_count + layout.card_base[kind]
        self._shapes = tuple(zone.shape for zone in layout.zones)
        self._cells = tuple(zone.cell for zone in layout.zones)

    # ── what the sentences do ──────────────────────────────────────────────────────────────────────────────────────

    def move(self, S: Cells, cards: Sequence[int], place: int, *, at_bottom: bool, span: Span | None) -> None:
        """Cards go to a place, in their order. What is already there stays."""
        at = self._at
        if place >= self._zones:
            self._refuse_circle(S, cards, place, span)
        if len(cards) == 1:
            card = cards[0]
            source = S[at + card]
            if source != place:
                self._transfer(S, cards, source, place, at_bottom)
            return
        if len(cards) == self._size and S[at : at + self._size].count(place) == self._size:
            return
        batches: dict[int, list[int]] = {}
        for card in cards:
            source = S[at + card]
            if source != place:
                batches.setdefault(source, []).append(card)
        if len(batches) == 1:
            for source, batch in batches.items():
                self._transfer(S, batch, source, place, at_bottom)
        elif batches:
            # In the order of the places: that of the cards would tell which cards they are.
            self._gather(S, cards, dict(sorted(batches.items())), place, at_bottom)

    def play(self, S: Cells, cards: Sequence[int], zone: int, player: int, fields: tuple[Value, ...]) -> None:
        """Cards become a play of a seat. No cards: nothing happens."""
        if not cards:
            return
        at = self._at
        sources: dict[int, list[int]] = {}
        for card in cards:
            sources.setdefault(S[at + card], []).append(card)
        noted: list[Batch] = []
        for source, batch in sorted(sources.items()):
            if self._notes is not None:
                noted.append(self._notes.batch(S, self._kind, batch, source, zone, at_bottom=False))
            self.take(S, batch, source)
            for card in batch:
                S[at + card] = zone
        stamp = S[STAMP]
        S[STAMP] = stamp + 1
        cell = self._cells[zone]
        S[cell] = (*S[cell], (stamp, player, set_of(cards), *fields))
        if self._notes is not None:
            self._notes.played(zone, player, fields, noted)

    def swap(self, S: Cells, left: Sequence[int], right: Sequence[int], places: tuple[int, int]) -> None:
        """Cards of two places change places: each takes, in order, a position that the other side leaves."""
        here, there = places
        unordered = here >= self._zones or self._shapes[here] is Shape.SET
        if (not left and not right) or (here == there and unordered):
            return
        noted = None if self._notes is None else self._notes.swap(S, self._kind, left, right, places)
        if here == there:
            self._exchange(S, left, right, here)
        else:
            self._trade(S, left, right, places)
        if self._notes is not None and noted is not None:
            self._notes.swapped(S, noted)

    def arrange(self, S: Cells, cards: tuple[int, ...], place: int) -> None:
        """A place gets its cards in a new order; one without order only gets unknown."""
        if place < self._zones and self._shapes[place] in (Shape.STACK, Shape.ROW):
            S[self._cells[place]] = cards
        if self._notes is not None:
            self._notes.shuffled(S, self._kind, place)

    def lying(self, S: Cells, place: int) -> Sequence[int]:
        """The cards at a place, in its order."""
        if place < self._zones:
            value = S[self._cells[place]]
            match self._shapes[place]:
                case Shape.SET:
                    return members(value)
                case Shape.STACK | Shape.ROW:
                    return tuple(value)
                case Shape.PLAYS:
                    return [card for play in value for card in members(play[CARDS])]
        return [card for card in range(self._layout.packs[self._kind].size) if S[self._at + card] == place]

    def place_of(self, S: Cells, cards: Sequence[int], span: Span | None) -> int:
        """Where cards lie that are to lie in one place.

        Raises:
            MatchError: if they lie in several.
        """
        places = {S[self._at + card] for card in cards}
        if len(places) != 1:
            raise MatchError("cards that are swapped must lie in one place, and these lie in several", span)
        place: int = places.pop()
        return place

    # ── how it is done ─────────────────────────────────────────────────────────────────────────────────────────────

    def _refuse_circle(self, S: Cells, cards: Sequence[int], place: int, span: Span | None) -> None:
        while place >= self._zones:
            above = place - self._first
            if above in cards:
                raise MatchError("a card can't be put under itself, or under a card that lies under it", span)
            place = S[self._at + above]

    def _transfer(self, S: Cells, batch: Sequence[int], source: int, place: int, at_bottom: bool) -> None:
        if self._notes is not None:
            self._notes.moved(S, self._kind, batch, source, place, at_bottom=at_bottom)
        self.take(S, batch, source)
        self.put(S, batch, place, at_bottom)

    def _gather(
        self, S: Cells, cards: Sequence[int], batches: dict[int, list[int]], place: int, at_bottom: bool
    ) -> None:
        """From several places, batch by batch; in the end they lie in the order in which they were named."""
        if place >= self._zones or self._shapes[place] not in (Shape.STACK, Shape.ROW):
            for source, batch in batches.items():
                self._transfer(S, batch, source, place, at_bottom)
            return
        cell = self._cells[place]
        moving = [card for card in cards if S[self._at + card] != place]
        sure = -1
        if self._notes is not None:
            sides = [(set_of(batch), source) for source, batch in batches.items()]
            sure = self._notes.knowledge.sure(S, self._kind, sides, place)
        arrived = 0
        for source, batch in batches.items():
            there = [card for card in S[cell] if not arrived >> card & 1]
            arrived |= set_of(batch)
            block = [card for card in moving if arrived >> card & 1]
            row = (*block, *there) if at_bottom else (*there, *block)
            if self._notes is not None:
                targets = tuple(row.index(card) for card in batch)
                self._notes.moved(S, self._kind, batch, source, place, at_bottom=at_bottom, targets=targets, sure=sure)
            self.take(S, batch, source)
            S[cell] = row
            for card in batch:
                S[self._at + card] = place

    def take(self, S: Cells, batch: Sequence[int], source: int) -> None:
        """Cards leave a place; where each lies is to be written by the caller."""
        if source >= self._zones:
            for card in batch:
                S[self._over + card] = NONE
            return
        cell = self._cells[source]
        shape = self._shapes[source]
        if shape is Shape.SET:
            bits = S[cell]
            for card in batch:
                bits ^= 1 << card
            S[cell] = bits
        elif shape is Shape.PLAYS:
            gone = set_of(batch)
            S[cell] = tuple(
                play if not play[CARDS] & gone else (play[0], play[PLAYER], play[CARDS] & ~gone, *play[FIRST_FIELD:])
                for play in S[cell]
                if play[CARDS] & ~gone
            )
        else:
            row = S[cell]
            count = len(batch)
            if row[-count:] == tuple(batch):
                S[cell] = row[:-count]
            else:
                gone = set_of(batch)
                S[cell] = tuple([card for card in row if not gone >> card & 1])

    def put(self, S: Cells, batch: Sequence[int], place: int, at_bottom: bool) -> None:
        """Cards that have left their places come to a place."""
        at = self._at
        for card in batch:
            S[at + card] = place
        if place >= self._zones:
            above = place - self._first
            for card in batch:
                S[self._over + card] = above
            return
        cell = self._cells[place]
        shape = self._shapes[place]
        if shape is Shape.SET:
            bits = S[cell]
            for card in batch:
                bits |= 1 << card
            S[cell] = bits
        elif shape is Shape.PLAYS:
            S[cell] = (*S[cell], self._nobodys_play(S, batch, place))
        elif at_bottom:
            S[cell] = (*batch, *S[cell])
        else:
            S[cell] = (*S[cell], *batch)

    def _trade(self, S: Cells, left: Sequence[int], right: Sequence[int], places: tuple[int, int]) -> None:
        here, there = places
        self._replace(S, left, right, here)
        self._replace(S, right, left, there)
        for card in left:
            S[self._at + card] = there
        for card in right:
            S[self._at + card] = here
        for cards, place in ((left, there), (right, here)):
            above = NONE if place < self._zones else place - self._first
            for card in cards:
                S[self._over + card] = above

    def _replace(self, S: Cells, leaving: Sequence[int], coming: Sequence[int], place: int) -> None:
        """In the cell of a zone, cards give way to others; those that lie under a card are in no such cell."""
        if place >= self._zones:
            return
        cell = self._cells[place]
        match self._shapes[place]:
            case Shape.SET:
                S[cell] = S[cell] & ~set_of(leaving) | set_of(coming)
            case Shape.STACK | Shape.ROW:
                S[cell] = replaced(S[cell], leaving, coming)
            case Shape.PLAYS:
                S[cell] = self._replaced_in_plays(S, place, leaving, coming)

    def _replaced_in_plays(
        self, S: Cells, place: int, leaving: Sequence[int], coming: Sequence[int]
    ) -> tuple[tuple[Any, ...], ...]:
        plays: tuple[tuple[Any, ...], ...] = S[self._cells[place]]
        homes = [next(i for i, play in enumerate(plays) if play[CARDS] >> card & 1) for card in leaving]
        if not homes:
            return (*plays, self._nobodys_play(S, coming, place)) if coming else plays
        gone = set_of(leaving)
        cards = [play[CARDS] & ~gone for play in plays]
        for number, card in enumerate(coming):
            cards[homes[min(number, len(homes) - 1)]] |= 1 << card
        return tuple(
            (*play[:CARDS], kept, *play[FIRST_FIELD:]) for kept, play in zip(cards, plays, strict=True) if kept
        )

    def _nobodys_play(self, S: Cells, cards: Sequence[int], place: int) -> tuple[Any, ...]:
        """Cards that come to a zone of plays without being played lie there as a play without a seat."""
        stamp = S[STAMP]
        S[STAMP] = stamp + 1
        declared = self._layout.zones[place].declaration.fields
        return (stamp, NONE, set_of(cards), *(field.start for field in declared))

    def _exchange(self, S: Cells, left: Sequence[int], right: Sequence[int], place: int) -> None:
        """Within one place: only an order, or which play a card belongs to, can change."""
        other = dict(zip(left, right, strict=False)) | dict(zip(right, left, strict=False))
        cell = self._cells[place]
        if self._shapes[place] is Shape.PLAYS:
            S[cell] = tuple(
                (*play[:CARDS], set_of(other.get(card, card) for card in members(play[CARDS])), *play[FIRST_FIELD:])
                for play in S[cell]
            )
        else:
            S[cell] = tuple(other.get(card, card) for card in S[cell])


def replaced(row: tuple[int, ...], leaving: Sequence[int], coming: Sequence[int]) -> tuple[int, ...]:
    """A row in which cards give way to others: one for one in their order, what is over goes to the end."""
    heirs = dict(zip(leaving, coming, strict=False))
    gone = set(leaving)
    kept = [heirs.get(card, card) for card in row if card not in gone or card in heirs]
    return (*kept, *coming[len(leaving) :])
