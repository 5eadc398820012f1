"""What one seat knows: zones, the public state, what it is asked. Made from what it may know, never cut down from more.

A view holds faces, places, counts, and the fields of known cards; no index of a card, nothing of what other seats are
asked or have answered in secret.
"""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING

from rulesdsl.ir.nodes import Shape, Value
from rulesdsl.types import Seat, Team, Type

from ..host.naming import Namer
from ..run.code import Cells
from ..run.moves import CARDS, FIRST_FIELD, PLAYER
from ..run.pending import OPEN, SEAT, open_entry
from ..run.pending import STATE as ENTRY_STATE
from ..state.bits import members
from ..state.cells import PENDING, STATUS
from ..state.domains import first_of
from ..state.layout import Layout, VariableInfo, ZoneInfo
from .event import Looks
from .faces import Faces, Json
from .knowledge import Knowledge
from .notes import looks

if TYPE_CHECKING:
    from ..run.machine import Machine

STATUS_NAMES = ("running", "finished", "limit", "error")


class Views:
    """Shows states of one layout."""

    def __init__(self, layout: Layout, knowledge: Knowledge, faces: Faces) -> None:
        self._layout = layout
        self._knowledge = knowledge
        self.faces = faces
        self._fields = {
            kind.name: tuple(layout.fields[kind.name, keeping.name] for keeping in kind.fields)
            for kind in layout.program.kinds
        }

    def view(self, S: Cells, seat: int, decision: str | None) -> dict[str, Json]:
        """All that a seat knows. `decision` is the name of the one that is open, shown to those who are asked."""
        entry = open_entry(S, seat)
        return {
            "seat": seat,
            "status": STATUS_NAMES[S[STATUS]],
            "zones": self.zones(S, seat),
            "state": self.state(S),
            "on_turn": list(members(self.on_turn(S))),
            "asked": None if entry is None else decision,
        }

    def on_turn(self, S: Cells) -> int:
        """The seats that everybody knows to be deciding: of those who act together all, whoever has answered."""
        seats = 0
        for entry in S[PENDING]:
            seats |= 1 << entry[SEAT]
        return seats if any(entry[ENTRY_STATE] == OPEN for entry in S[PENDING]) else 0

    # ── zones ──────────────────────────────────────────────────────────────────────────────────────────────────────

    def zones(self, S: Cells, seat: int) -> list[Json]:
        """Every zone as the seat knows it, in the order of their declaration."""
        return [self.zone(S, zone, seat) for zone in self._layout.zones]

    def zone(self, S: Cells, zone: ZoneInfo, seat: int) -> Json:
        """One zone: its cards, None for those not known where they have an order, and how many more there are."""
        known = self._knowledge.knows(S, zone.kind, seat)
        counts = self._knowledge.counters(S, zone.index) >> seat & 1
        shown: dict[str, Json] = {"zone": self.faces.zone(zone.index), "shape": zone.shape.value}
        match zone.shape:
            case Shape.PLAYS:
                sees = bool(self._knowledge.seers(S, zone.index) >> seat & 1)
                shown["plays"] = (
                    [self._play(S, zone, play, known, sees=sees) for play in S[zone.cell]] if counts else []
                )
            case Shape.SET:
                lying = [self._looks(S, zone.kind, card) for card in members(S[zone.cell])]
                cards = self.faces.in_order_of_faces(zone.kind, lying, known)
                shown["cards"] = [card for card in cards if card is not None]
                shown["hidden"] = cards.count(None) if counts else None
            case Shape.STACK | Shape.ROW:
                cards = [self.faces.card(zone.kind, self._looks(S, zone.kind, card), known) for card in S[zone.cell]]
                shown["cards"] = cards if counts else [card for card in cards if card is not None]
                shown["hidden"] = cards.count(None) if counts else None
        return shown

    def _play(self, S: Cells, zone: ZoneInfo, play: tuple[Value, ...], known: int, *, sees: bool) -> Json:
        bits = play[CARDS]
        assert isinstance(bits, int)
        cards = self.faces.in_order_of_faces(
            zone.kind, [self._looks(S, zone.kind, card) for card in members(bits)], known
        )
        shown: dict[str, Json] = {
            "player": self.faces.value(Seat(), play[PLAYER]),
            "cards": [card for card in cards if card is not None],
            "hidden": cards.count(None),
        }
        declared = zone.declaration.fields
        if declared and (sees or not bits & ~known):
            shown["fields"] = {
                keeping.name: self.faces.value(keeping.type, value)
                for keeping, value in zip(declared, play[FIRST_FIELD:], strict=True)
            }
        return shown

    def _looks(self, S: Cells, kind: str, card: int) -> Looks:
        return looks(self._layout, self._fields[kind], S, kind, card)

    # ── states ─────────────────────────────────────────────────────────────────────────────────────────────────────

    def state(self, S: Cells) -> dict[str, Json]:
        """Every state; one for each seat or team as a list, one for each member of another type as a mapping."""
        return {name: self._variable(S, info) for name, info in self._layout.variables.items()}

    def _variable(self, S: Cells, info: VariableInfo) -> Json:
        return self._dimension(S, info, info.base, 0)

    def _dimension(self, S: Cells, info: VariableInfo, base: int, depth: int) -> Json:
        each = info.declaration.each
        if depth == len(each):
            return self.faces.value(info.declaration.keeping.type, S[base])
        parts = [
            self._dimension(S, info, base + number * info.strides[depth], depth + 1)
            for number in range(info.sizes[depth])
        ]
        if isinstance(each[depth], Seat | Team):
            return parts
        return {self._name(each[depth], number): part for number, part in enumerate(parts)}

    def _name(self, of: Type, number: int) -> str:
        return str(self.faces.value(of, number + first_of(of)))


@lru_cache(maxsize=64)
def views_of(layout: Layout) -> Views:
    """What shows the states of a layout; made once."""
    return Views(layout, Knowledge(layout), Faces(layout, Namer(layout)))


def view(S: Cells, machine: Machine, seat: int) -> dict[str, Json]:
    """All that a seat knows at the moment."""
    asked = machine.asked(S)
    return views_of(machine.layout).view(S, seat, None if asked is None else asked.name)
