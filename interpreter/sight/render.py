"""What one seat is told of an event: all of it, less, or nothing.

A card that the seat may not know is None, or counted under `hidden` where cards have no order. Fields of what is
known come along. `forgotten` says which cards of the place the seat can no longer tell, moved or not; `was`, how
cards looked that it recognises only now, but of which it knew what lies under them.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property, lru_cache
from typing import Any, assert_never

from rulesdsl.ir.nodes import Part, PickWriting, Shape, Value, Window
from rulesdsl.types import Card, Seat, SetOf

from ..evaluate.program_nodes import nodes_of
from ..run.walking import as_set, kind_of
from ..state.bits import members
from ..state.cells import FINISHED, LIMIT
from ..state.layout import Layout
from .event import (
    Acted,
    Announced,
    Answered,
    Batch,
    Became,
    Began,
    Drawn,
    Ended,
    Entered,
    Event,
    Looks,
    Marked,
    Moved,
    Played,
    Shown,
    Shuffled,
    Spot,
    Swapped,
    Written,
)
from .faces import Json
from .view import Views, views_of

Told = dict[str, Json]
"""An event as one seat is told it."""


class Renderer:
    """Tells seats what happened."""

    def __init__(self, views: Views) -> None:
        self._views = views
        self._faces = views.faces
        self._layout = views.faces.layout

    @cached_property
    def _windows(self) -> frozenset[str]:
        """The decisions that are offered to several in turn: what is chosen there answers to something."""
        nodes = nodes_of(tuple(self._layout.procedures))
        return frozenset(node.ask.path for node in nodes if isinstance(node, Window))

    def render(self, event: Event, seat: int) -> Told | None:
        """The event as the seat is told it; None if it learns nothing of it."""
        match event:
            case Began():
                return {"event": "begin", "zones": self._views.zones(list(event.state), seat)}
            case Moved():
                told = self._batch(event.batch, seat)
                return None if told is None else {"event": "move", **told}
            case Played():
                return self._played(event, seat)
            case Swapped():
                return self._swapped(event, seat)
            case Shuffled():
                return self._shuffled(event, seat)
            case Shown():
                return self._shown(event, seat)
            case Became():
                return self._became(event)
            case Written():
                return self._written(event, seat)
            case Acted():
                return self._acted(event, seat)
            case Marked():
                return self._marked(event, seat)
            case Drawn():
                return self._drawn(event, seat)
            case Announced():
                return {"event": "announce", "label": event.label, "value": self._faces.value(event.type, event.value)}
            case Answered():
                return self._answered(event, seat)
            case Entered():
                return {"event": "phase", "phase": event.path}
            case Ended():
                end = "finished" if event.status == FINISHED else "limit" if event.status == LIMIT else "error"
                return {"event": "end", "end": end, "why": event.why or None}
            case _:
                assert_never(event)

    # ── cards ──────────────────────────────────────────────────────────────────────────────────────────────────────

    def _is_ordered(self, spot: Spot) -> bool:
        return spot.above is None and self._layout.zones[spot.zone].shape is not Shape.SET

    def _batch(self, batch: Batch, seat: int) -> Told | None:
        shown, lost = batch.shown[seat], batch.lost[seat]
        counts = (batch.source.counters | batch.target.counters) >> seat & 1
        if not counts and not shown and not lost:
            return None
        faces, kind = self._faces, batch.kind
        before = batch.before[seat]
        told: Told = {
            "from": faces.spot(batch.source, seat, kind, before),
            "to": faces.spot(batch.target, seat, kind, before),
        }
        aligned = bool(counts and (self._is_ordered(batch.source) or self._is_ordered(batch.target)))
        all_known = all(shown >> looks.card & 1 for looks in batch.cards)
        cards, positions = batch.cards, batch.positions
        if positions and not all_known:
            # In the order of the place: in which order they go would tell something of those that are not known.
            pairs = sorted(zip(positions, cards, strict=True), key=lambda pair: pair[0])
            positions, cards = tuple(place for place, _ in pairs), tuple(looks for _, looks in pairs)
        told |= self._cards(kind, cards, shown, aligned=aligned, counts=bool(counts))
        if aligned and positions and batch.source.counters >> seat & 1:
            told["from_at"] = list(positions)
        if aligned and batch.targets and all_known and batch.target.counters >> seat & 1:
            told["to_at"] = list(batch.targets)
        if batch.at_bottom and self._is_ordered(batch.target):
            told["end"] = "bottom"
        # What the seat now recognises, but knew only by what lay under it.
        was = [
            faces.card(kind, looks, before)
            for looks in batch.cards
            if looks.beneath and not before >> looks.card & 1 and shown >> looks.card & 1
        ]
        was = [card for card in was if card is not None]
        if was:
            told["was"] = was
        forgotten = [faces.card(kind, looks, before) for looks in batch.lost_looks if _all_of(looks) & lost]
        if forgotten:
            told["forgotten"] = forgotten
        return told

    def _cards(self, kind: str, cards: Sequence[Looks], known: int, *, aligned: bool, counts: bool) -> Told:
        """Cards in their order with None for those not known, or those that are known and how many more there are."""
        if aligned:
            return {"cards": [self._faces.card(kind, looks, known) for looks in cards]}
        shown = self._faces.in_order_of_faces(kind, cards, known)
        return {
            "cards": [card for card in shown if card is not None],
            "hidden": shown.count(None) if counts else None,
        }

    def _played(self, event: Played, seat: int) -> Told | None:
        declared = self._layout.zones[event.zone].declaration.fields
        batches = [self._batch(batch, seat) for batch in event.batches]
        visible: list[Json] = [dict(batch) for batch in batches if batch is not None]
        if not visible:
            return None
        told: Told = {
            "event": "play",
            "player": self._faces.value(Seat(), event.player),
            "to": self._faces.zone(event.zone),
            "from": visible,
        }
        all_known = all(batch.shown[seat] >> looks.card & 1 for batch in event.batches for looks in batch.cards)
        if declared and (all_known or event.seers >> seat & 1):
            told["fields"] = {
                keeping.name: self._faces.value(keeping.type, value)
                for keeping, value in zip(declared, event.fields, strict=True)
            }
        return told

    def _swapped(self, event: Swapped, seat: int) -> Told | None:
        left, right = self._batch(event.left, seat), self._batch(event.right, seat)
        if left is None and right is None:
            return None
        now = self._now(event.state, seat, event.left.source, event.right.source)
        return {"event": "swap", "left": left, "right": right, "now": now}

    def _shuffled(self, event: Shuffled, seat: int) -> Told | None:
        if not event.place.counters >> seat & 1 and not event.lost[seat]:
            return None
        place = self._faces.spot(event.place, seat, event.kind, 0)
        return {"event": "shuffle", "place": place, "now": self._now(event.state, seat, event.place)}

    def _shown(self, event: Shown, seat: int) -> Told | None:
        counts = bool(event.place.counters >> seat & 1)
        known = event.known[seat]
        if not counts and not known:
            return None
        told: Told = {
            "event": "show",
            "to": list(members(event.seats)),
            "place": self._faces.spot(event.place, seat, event.kind, known),
            "now": self._now(event.state, seat, event.place),
        }
        return told | self._cards(
            event.kind, event.cards, known, aligned=counts and bool(event.positions), counts=counts
        )

    def _now(self, state: Sequence[Value], seat: int, *spots: Spot) -> list[Json]:
        """What the zones of some places look like now."""
        zones = dict.fromkeys(spot.zone for spot in spots)
        return [self._views.zone(list(state), self._layout.zones[zone], seat) for zone in zones]

    def _written(self, event: Written, seat: int) -> Told | None:
        if not event.knowers >> seat & 1:
            return None
        known = 1 << event.looks.card
        declared = next(kind.fields for kind in self._layout.program.kinds if kind.name == event.kind)
        keeping = next(keeping for keeping in declared if keeping.name == event.field)
        fields = tuple(
            event.value if keeping.name == event.field else value
            for keeping, value in zip(declared, event.looks.fields, strict=True)
        )
        told: Told = {
            "event": "write",
            "place": self._faces.spot(event.place, seat, event.kind, known),
            "card": self._faces.card(event.kind, event.looks, known),
            "field": event.field,
            "value": self._faces.value(keeping.type, event.value),
            "now": self._faces.card(event.kind, event.looks._replace(fields=fields), known),
        }
        if event.position >= 0 and event.place.counters >> seat & 1:
            told["at"] = event.position
        return told

    def _acted(self, event: Acted, seat: int) -> Told | None:
        if not event.knowers >> seat & 1:
            return None
        card = self._faces.card(event.kind, event.looks._replace(beneath=()), 1 << event.looks.card)
        return {"event": "power", "card": card, "power": event.power}

    def _marked(self, event: Marked, seat: int) -> Told | None:
        if not event.seers >> seat & 1:
            return None
        declared = self._layout.zones[event.zone].declaration.fields
        of = next(keeping.type for keeping in declared if keeping.name == event.field)
        return {
            "event": "mark",
            "zone": self._faces.zone(event.zone),
            "play": event.number,
            "field": event.field,
            "value": self._faces.value(of, event.value),
        }

    # ── values ─────────────────────────────────────────────────────────────────────────────────────────────────────

    def _became(self, event: Became) -> Told:
        variable = self._layout.variables[event.name].declaration
        told: Told = {
            "event": "set",
            "name": event.name,
            "value": self._faces.value(variable.keeping.type, event.value),
        }
        if event.of:
            told["of"] = [self._faces.value(each, member) for each, member in zip(variable.each, event.of, strict=True)]
        return told

    def _drawn(self, event: Drawn, seat: int) -> Told:
        told: Told = {"event": "chance", "name": event.name}
        kind = kind_of(event.type)
        if kind is None:
            told["value"] = self._faces.value(event.type, event.value)
        else:
            told |= self._chosen(kind, event.known[seat], as_set(event.type)(event.value))
        return told

    def _chosen(self, kind: str, known: int, chosen: int) -> Told:
        """Cards that were chosen: the faces of those that are known, and how many more."""
        return {"cards": self._faces.value(SetOf(Card(kind)), known), "hidden": (chosen & ~known).bit_count()}

    def _answered(self, event: Answered, seat: int) -> Told | None:
        if event.sealed and seat != event.seat:
            return None
        told: Told = {"event": "answer", "player": event.seat, "decision": event.ask.name}
        if event.does_nothing:
            return {**told, "answer": None}
        alternative = event.ask.alternatives[event.answer[0]]
        parts: dict[str, Json] = {}
        for number, (part, value) in enumerate(zip(alternative.parts, event.answer[1], strict=True)):
            parts[part.cell.name] = self._part(part, value, event, seat, number)
        if alternative.name is not None:
            told["alternative"] = alternative.name
        if event.ask.path in self._windows:
            told["window"] = True
        return {**told, "answer": parts}

    def _part(self, part: Part, value: Any, event: Answered, seat: int, number: int) -> Json:
        of = part.cell.type
        if isinstance(part.pick, PickWriting):
            # Others see what is written on a card when they see the card.
            return self._faces.value(of, value) if seat == event.seat else None
        kind = kind_of(of)
        if kind is None:
            return self._faces.value(of, value)
        return dict(self._chosen(kind, event.known[seat][number], as_set(of)(value)))


def _all_of(looks: Looks) -> int:
    """A card and all that lies under it, as a set."""
    cards = 1 << looks.card
    for beneath in looks.beneath:
        cards |= _all_of(beneath)
    return cards


@lru_cache(maxsize=64)
def renderer_of(layout: Layout) -> Renderer:
    """What tells the events of a layout; made once."""
    return Renderer(views_of(layout))


def render(event: Event, seat: int, layout: Layout) -> Told | None:
    """The event as the seat is told it; None if it learns nothing of it."""
    return renderer_of(layout).render(event, seat)
