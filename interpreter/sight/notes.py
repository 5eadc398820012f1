"""Notes down what happens, with who may know what of it. A machine that only simulates has nobody who does."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from rulesdsl.ir.nodes import Shape, Value

from ..run.code import Cells
from ..state.bits import members, set_of
from ..state.layout import Layout
from .event import Acted, Batch, Event, Looks, Moved, Played, Shown, Shuffled, Spot, Swapped, Written
from .knowledge import Knowledge, Sighting


class Notes:
    """Looks at a state just before something happens to it and hands the event to `emit`."""

    def __init__(self, layout: Layout, knowledge: Knowledge, emit: Callable[[Event], None]) -> None:
        self.layout = layout
        self.knowledge = knowledge
        self.emit = emit
        self._everyone = (1 << layout.seats) - 1
        self._fields = {
            kind.name: tuple(layout.fields[kind.name, keeping.name] for keeping in kind.fields)
            for kind in layout.program.kinds
        }
        """By kind, the cell of the first card's, of each field."""

    # ── how things look at the moment ──────────────────────────────────────────────────────────────────────────────

    def looks(self, S: Cells, kind: str, card: int) -> Looks:
        """A card with what is written on it and all that lies under it."""
        return looks(self.layout, self._fields[kind], S, kind, card)

    def spot(self, S: Cells, place: int) -> Spot:
        """A place, by the zone it belongs to."""
        knowledge = self.knowledge
        above: Looks | None = None
        knowers = self._everyone
        if place >= self.layout.zone_count:
            kind, card = self.layout.card_of_number(place - self.layout.zone_count)
            above = self.looks(S, kind, card)
            knowers = knowledge.knowers(S, kind, card)
        return Spot(knowledge.root(S, place), above, knowers, knowledge.counters(S, place))

    def positions(self, S: Cells, place: int, cards: Sequence[int]) -> tuple[int, ...]:
        """Where in an ordered place each card lies; nothing for a place without order."""
        if not self.knowledge.is_ordered(place):
            return ()
        zone = self.layout.zones[place]
        row = S[zone.cell]
        if zone.shape is Shape.PLAYS:
            return tuple(next(i for i, play in enumerate(row) if play[2] >> card & 1) for card in cards)
        return tuple(row.index(card) for card in cards)

    # ── events ─────────────────────────────────────────────────────────────────────────────────────────────────────

    def batch(
        self,
        S: Cells,
        kind: str,
        cards: Sequence[int],
        source: int,
        target: int,
        *,
        at_bottom: bool = False,
        targets: tuple[int, ...] = (),
        sure: int = -1,
    ) -> Batch:
        """Cards of one place are about to go to another; the knowledge of the seats follows them already."""
        lies = self._before(S, kind, cards, source)
        spots = self.spot(S, source), self.spot(S, target)
        sighting = self.knowledge.moves(S, kind, set_of(cards), source, target, sure)
        return self._batch(S, kind, spots, lies, source, sighting, at_bottom=at_bottom, targets=targets)

    def moved(
        self,
        S: Cells,
        kind: str,
        cards: Sequence[int],
        source: int,
        target: int,
        *,
        at_bottom: bool = False,
        targets: tuple[int, ...] = (),
        sure: int = -1,
    ) -> None:
        """Cards of one place are about to go to another; `targets` where they don't go to the end.

        `sure` are the seats that can tell all cards of the move of which this is a part.
        """
        self.emit(Moved(self.batch(S, kind, cards, source, target, at_bottom=at_bottom, targets=targets, sure=sure)))

    def played(self, zone: int, player: int, fields: tuple[Value, ...], batches: Sequence[Batch]) -> None:
        """Cards became a play."""
        info = self.layout.zones[zone]
        self.emit(Played(zone, player, fields, tuple(batches), self.layout.seers(info, info.seen)))

    def swap(
        self, S: Cells, kind: str, left: Sequence[int], right: Sequence[int], places: tuple[int, int]
    ) -> tuple[Batch, Batch]:
        """The cards of two places are about to change places; what `swapped` tells when they have."""
        here, there = places
        lies_left, lies_right = self._before(S, kind, left, here), self._before(S, kind, right, there)
        spots = self.spot(S, here), self.spot(S, there)
        going, coming = self.knowledge.swaps(S, kind, (set_of(left), here), (set_of(right), there))
        return (
            self._batch(S, kind, spots, lies_left, here, going),
            self._batch(S, kind, (spots[1], spots[0]), lies_right, there, coming),
        )

    def swapped(self, S: Cells, batches: tuple[Batch, Batch]) -> None:
        """The cards of two places have changed places."""
        self.emit(Swapped(*batches, self._snapshot(S)))

    def _snapshot(self, S: Cells) -> tuple[Value, ...]:
        return tuple(S[: self.layout.stack])

    def shuffled(self, S: Cells, kind: str, place: int) -> None:
        """A place has just got a new order."""
        lost = self.knowledge.shuffled(S, kind, place)
        self.emit(Shuffled(kind, self.spot(S, place), lost, self._snapshot(S)))

    def shown(self, S: Cells, kind: str, cards: Sequence[int], place: int, seats: int) -> None:
        """Seats get to see cards of one place."""
        everything = self.knowledge.with_beneath(S, kind, set_of(cards))
        self.knowledge.shows(S, kind, everything, seats)
        known = tuple(self.knowledge.knows(S, kind, seat) & everything for seat in range(self.layout.seats))
        self.emit(
            Shown(
                kind,
                self.spot(S, place),
                tuple(self.looks(S, kind, card) for card in cards),
                self.positions(S, place, cards),
                seats,
                known,
                self._snapshot(S),
            )
        )

    def written(self, S: Cells, kind: str, card: int, field: str, value: Value) -> None:
        """Something is about to be written on a card."""
        place: int = S[self.layout.at[kind] + card]
        position = self.positions(S, place, (card,))
        self.emit(
            Written(
                kind,
                self.spot(S, place),
                self.looks(S, kind, card),
                position[0] if position else -1,
                field,
                value,
                self.knowledge.knowers(S, kind, card),
            )
        )

    def acted(self, S: Cells, kind: str, card: int, power: str) -> None:
        """What a card does is about to begin."""
        self.emit(Acted(kind, self.looks(S, kind, card), power, self.knowledge.knowers(S, kind, card)))

    def _before(
        self, S: Cells, kind: str, cards: Sequence[int], source: int
    ) -> tuple[tuple[Looks, ...], tuple[int, ...]]:
        return tuple(self.looks(S, kind, card) for card in cards), self.positions(S, source, cards)

    def _batch(
        self,
        S: Cells,
        kind: str,
        spots: tuple[Spot, Spot],
        lies: tuple[tuple[Looks, ...], tuple[int, ...]],
        source: int,
        sighting: Sighting,
        *,
        at_bottom: bool = False,
        targets: tuple[int, ...] = (),
        sure: int = -1,
    ) -> Batch:
        anybody = 0
        for lost in sighting.lost:
            anybody |= lost
        lost_looks = tuple(
            self.looks(S, kind, card)
            for card in (members(self.knowledge.lying(S, kind, source)) if anybody else ())
            if self.knowledge.with_beneath(S, kind, 1 << card) & anybody
        )
        return Batch(kind, spots[0], spots[1], lies[0], lies[1], targets, at_bottom, *sighting, lost_looks)


def looks(layout: Layout, fields: Sequence[int], S: Cells, kind: str, card: int) -> Looks:
    """How a card looks; `fields` are the cells of the first card's fields."""
    number = layout.zone_count + layout.card_base[kind] + card
    at = layout.at[kind]
    places = S[at : at + layout.packs[kind].size]
    beneath = [other for other, place in enumerate(places) if place == number] if number in places else ()
    return Looks(
        card,
        tuple(S[base + card] for base in fields),
        tuple(looks(layout, fields, S, kind, other) for other in beneath),
    )
