"""Puts together what lies where from what one seat was told, and from nothing else.

That this gives the zones of the seat's view is what makes events and views agree: a host may show either.
"""

from __future__ import annotations

from collections.abc import Iterable
from copy import deepcopy
from typing import Any

from .faces import dumped
from .render import Told

Zones = list[dict[str, Any]]


def rebuilt(told: Iterable[Told]) -> Zones:
    """The zones after all events, in the form in which a view has them."""
    table = Table()
    for event in told:
        table.hear(event)
    return table.zones()


def normal(zones: Iterable[Any]) -> Zones:
    """Zones in which what has no order stands in one order, for comparing."""
    return [_normal(zone) for zone in zones]


def _normal(shown: Any) -> Any:
    if isinstance(shown, dict):
        inner = {key: _normal(value) for key, value in shown.items()}
        if "under" in inner:
            inner["under"] = sorted(inner["under"], key=dumped)
        if "cards" in inner and inner.get("shape", "set") == "set":
            inner["cards"] = sorted(inner["cards"], key=dumped)
        return inner
    return [_normal(item) for item in shown] if isinstance(shown, list) else shown


class Table:
    """The zones as one seat has come to know them."""

    def __init__(self) -> None:
        self._zones: dict[str, dict[str, Any]] = {}

    def zones(self) -> Zones:
        """All zones."""
        return deepcopy(list(self._zones.values()))

    def hear(self, event: Told) -> None:
        """One more event."""
        told: dict[str, Any] = deepcopy(event)
        match told["event"]:
            case "begin":
                self._zones = {zone["zone"]: zone for zone in told["zones"]}
            case "move":
                cards = self._take(told)
                self._put(told, cards)
            case "play":
                play: dict[str, Any] = {"player": told["player"], "cards": [], "hidden": 0}
                for batch in told["from"]:
                    cards = self._take(batch)
                    play["cards"] += [card for card in cards if card is not None]
                    play["hidden"] += cards.count(None)
                if "fields" in told:
                    play["fields"] = told["fields"]
                self._zones[told["to"]]["plays"].append(play)
            case "swap" | "show" | "shuffle":
                for zone in told["now"]:
                    self._zones[zone["zone"]] = zone
            case "write":
                self._write(told)
            case "mark":
                play = self._zones[told["zone"]]["plays"][told["play"]]
                play.setdefault("fields", {})[told["field"]] = told["value"]
            case _:
                return

    # ── moves ──────────────────────────────────────────────────────────────────────────────────────────────────────

    def _take(self, told: dict[str, Any]) -> list[Any]:
        """Takes the cards of a batch away from where they lay; what the seat knows of them, None for the others."""
        moving: list[Any] = told["cards"] + [None] * (told.get("hidden") or 0)
        place = told["from"]
        if not isinstance(place, str):
            host = self._host(place)
            for card in told.get("forgotten", []):
                host.under[host.under.index(card)] = None
            for card in moving:
                host.under.remove(card if card in host.under else None)
            host.settle()
            return moving
        zone = self._zones[place]
        if zone["shape"] == "set":
            _forget(zone, told)
            for card in moving:
                _take_one(zone, card)
        elif zone["shape"] == "plays":
            for play in zone["plays"]:
                _forget(play, told)
            for card, number in zip(moving, told["from_at"], strict=True):
                _take_one(zone["plays"][number], card)
            zone["plays"] = [play for play in zone["plays"] if play["cards"] or play["hidden"]]
        elif "from_at" in told:
            gone = set(told["from_at"])
            zone["cards"] = [card for number, card in enumerate(zone["cards"]) if number not in gone]
            zone["hidden"] = zone["cards"].count(None)
        else:
            zone["cards"] = [card for card in zone["cards"] if card not in moving]
        return moving

    def _put(self, told: dict[str, Any], cards: list[Any]) -> None:
        place = told["to"]
        if not isinstance(place, str):
            host = self._host(place)
            host.under += cards
            host.settle()
            return
        zone = self._zones[place]
        known = [card for card in cards if card is not None]
        if zone["shape"] == "set":
            zone["cards"] += known
            if zone["hidden"] is not None:
                zone["hidden"] += cards.count(None)
        elif zone["shape"] == "plays":
            zone["plays"].append({"player": None, "cards": known, "hidden": cards.count(None)})
        else:
            coming = known if zone["hidden"] is None else cards
            if "to_at" in told:
                for number, card in sorted(zip(told["to_at"], cards, strict=True), key=lambda pair: pair[0]):
                    zone["cards"].insert(number, card)
            elif told.get("end") == "bottom":
                zone["cards"] = coming + zone["cards"]
            else:
                zone["cards"] = zone["cards"] + coming
            if zone["hidden"] is not None:
                zone["hidden"] = zone["cards"].count(None)

    def _write(self, told: dict[str, Any]) -> None:
        place = told["place"]
        if not isinstance(place, str):
            host = self._host(place)
            host.under[host.under.index(told["card"])] = told["now"]
            host.settle()
            return
        zone = self._zones[place]
        rows = [play["cards"] for play in zone["plays"]] if zone["shape"] == "plays" else [zone["cards"]]
        if "at" in told and zone["shape"] != "plays":
            zone["cards"][told["at"]] = told["now"]
            return
        row = rows[told["at"]] if "at" in told else rows[0]
        row[row.index(told["card"])] = told["now"]

    def _host(self, place: dict[str, Any]) -> _Host:
        """The card of a zone under which a place lies."""
        zone = self._zones[place["zone"]]
        rows = [play["cards"] for play in zone["plays"]] if zone["shape"] == "plays" else [zone["cards"]]
        for row in rows:
            found = _find(row, place["under"])
            if found is not None:
                return found
        zone["hidden"] -= 1
        zone["cards"].append(None)
        return _Host(zone["cards"], len(zone["cards"]) - 1)


class _Host:
    """A card with cards under it, and the row in which it stands."""

    def __init__(self, row: list[Any], number: int) -> None:
        self._row = row
        self._number = number
        shown = row[number]
        self._card: dict[str, Any] = shown if isinstance(shown, dict) else {"card": shown}
        self.under: list[Any] = self._card.get("under", [])

    def settle(self) -> None:
        """Puts the card back into its row, in the form that views have."""
        shown = {key: value for key, value in self._card.items() if key != "under"}
        if self.under:
            self._row[self._number] = {**shown, "under": self.under}
        else:
            self._row[self._number] = shown if "fields" in shown else shown["card"]


def _find(row: list[Any], host: Any) -> _Host | None:
    for number, shown in enumerate(row):
        if _normal(shown) == _normal(host):
            return _Host(row, number)
        if isinstance(shown, dict) and "under" in shown:
            found = _find(shown["under"], host)
            if found is not None:
                return found
    return None


def _forget(holder: dict[str, Any], told: dict[str, Any]) -> None:
    """Cards that the seat can't tell any more count as hidden; and those that it recognises only now did so."""
    for card in [*told.get("forgotten", []), *told.get("was", [])]:
        if card in holder["cards"]:
            holder["cards"].remove(card)
            if holder["hidden"] is not None:
                holder["hidden"] += 1


def _take_one(holder: dict[str, Any], card: Any) -> None:
    if card is not None and card in holder["cards"]:
        holder["cards"].remove(card)
    elif holder["hidden"] is not None:
        holder["hidden"] -= 1
