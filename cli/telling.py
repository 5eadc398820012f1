"""What happened and what lies on the table, in words."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Mapping, Sequence
from shutil import get_terminal_size
from textwrap import wrap
from typing import Any

from rulesdsl import Program

from .console import Ink, Paint, visible

_GLUE = "\N{NO-BREAK SPACE}"


def told(event: Mapping[str, Any]) -> str | None:
    """An event as a line; None for what goes without saying, and for states that are no numbers of a player."""
    match event["event"]:
        case "play":
            cards = " + ".join(_cards(batch) for batch in event["from"])
            shown = set(cards.split()) if _says_one_thing(event) else set()
            said = [(name, value_text(value)) for name, value in event.get("fields", {}).items()]
            fields = ", ".join(f"{name} {text}" for name, text in said if text not in shown)
            return f"{player(event['player'])} plays {cards}" + (f" as {fields}" if fields else "")
        case "move":
            return f"{_cards(event)}: {_place(event['from'])} → {_place(event['to'])}"
        case "swap":
            sides = [side for side in (event["left"], event["right"]) if side is not None]
            return "exchanged: " + ", ".join(f"{_cards(side)} to {_place(side['to'])}" for side in sides)
        case "shuffle":
            return f"{_place(event['place'])} is shuffled"
        case "show":
            seats = ", ".join(player(seat) for seat in event["to"])
            return f"shown to {seats}: {_cards(event)} in {_place(event['place'])}"
        case "write":
            return f"{event['field']} of {value_text(event['card'])}: {value_text(event['value'])}"
        case "power":
            return f"· {value_text(event['card'])}: {event['power'].replace('_', ' ')}"
        case "set":
            return _counted(event)
        case "mark":
            return f"{event['field']} of a play in {event['zone']}: {value_text(event['value'])}"
        case "chance":
            given = _cards(event) if "cards" in event else value_text(event["value"])
            return f"chance: {event['name']} {given}"
        case "announce":
            return f"{event['label']}: {value_text(event['value'])}"
        case "answer":
            return _answer(event)
        case _:
            return None


def _answer(event: Mapping[str, Any]) -> str | None:
    """A decision, unless it only chose cards when it was the player's turn: then one sees what happens to them."""
    answer = event["answer"]
    if answer is None:
        return None
    act = event.get("alternative")
    cards = [name for name, value in answer.items() if isinstance(value, dict) and "hidden" in value]
    if act is None and len(cards) == len(answer) == 1 and not event.get("window"):
        return None
    parts = {
        name: value for name, value in answer.items() if name not in cards or value.get("cards") or len(answer) > 1
    }
    said = ", ".join(f"{name} {value_text(value)}" for name, value in parts.items())
    return f"{player(event['player'])}, {event['decision']}: " + " ".join(piece for piece in (act, said) if piece)


def _counted(event: Mapping[str, Any]) -> str | None:
    """A number that each player has, such as lives or turns to skip."""
    value, of = event["value"], event.get("of", [])
    if len(of) != 1 or not isinstance(of[0], int) or isinstance(value, bool) or not isinstance(value, int):
        return None
    return f"{event['name'].replace('_', ' ')} of {player(of[0])}: {value}"


def player(seat: int | None) -> str:
    """What a seat is called."""
    return "nobody" if seat is None else f"player {seat}"


def _cards(told_of: Mapping[str, Any]) -> str:
    """Cards that are known, and how many more there are."""
    cards = [value_text(card) for card in told_of.get("cards", []) if card is not None]
    hidden = told_of.get("hidden")
    unknown = sum(card is None for card in told_of.get("cards", [])) if hidden is None else hidden
    if unknown:
        more = "more" if cards else ("card" if unknown == 1 else "cards")
        cards.append(f"{unknown} {more}")
    return ", ".join(cards) if cards else "cards"


def _place(place: Any) -> str:
    if isinstance(place, Mapping):
        return f"under {value_text(place['under'])} in {place['zone']}"
    return str(place)


def value_text(value: Any) -> str:
    """A value of a view in words."""
    match value:
        case None:
            return "none"
        case bool():
            return "yes" if value else "no"
        case list():
            return "[" + ", ".join(value_text(item) for item in value) + "]"
        case {"card": card}:
            shown = "a card" if card is None else str(card)
            shown += "".join(f" {value_text(written)}" for written in value.get("fields", {}).values())
            beneath = value.get("under", [])
            return shown + (f" (over {len(beneath)})" if beneath else "")
        case {"cards": _}:
            return _cards(value)
        case dict():
            return ", ".join(f"{name} {value_text(item)}" for name, item in value.items())
        case _:
            return visible(str(value))


def zone_line(zone: Mapping[str, Any]) -> str | None:
    """What one sees of a zone; None if nothing lies there."""
    if "plays" in zone:
        plays = [f"{player(play['player'])}: {_cards(play)}" for play in zone["plays"]]
        return "; ".join(plays) if plays else None
    cards = [value_text(card) for card in zone["cards"] if card is not None]
    hidden = zone["hidden"] or 0
    if not cards and not hidden:
        return None
    known = ", ".join(cards)
    if not hidden:
        return known
    return f"{known} and {hidden} hidden" if known else f"{hidden} hidden"


def table_lines(view: Mapping[str, Any], paint: Paint) -> list[str]:
    """The table as a seat sees it: a line for each zone in which something lies, its own last."""
    seat = view["seat"]
    lines = [(zone["zone"], line) for zone in view["zones"] if (line := zone_line(zone)) is not None]
    own = [entry for entry in lines if entry[0].endswith(f" {seat}")]
    others = [entry for entry in lines if entry not in own]
    width = max((len(name) for name, _ in lines), default=0)
    room = max(40, get_terminal_size().columns - width - 4)
    shown: list[str] = []
    for entries, ink in ((others, Ink.FAINT), (own, Ink.CYAN)):
        for name, text in entries:
            first, *more = _broken(text, room)
            shown.append(f"  {paint(name.ljust(width), ink)}  {first}")
            shown += [f"  {' ' * width}  {line}" for line in more]
    return shown


def _broken(text: str, room: int) -> list[str]:
    """A list of things in lines; a line ends between two things, never inside of one."""
    kept_together = re.sub(r"(?<![,;:]) ", _GLUE, text)
    return [line.replace(_GLUE, " ") for line in wrap(kept_together, room, break_long_words=False)] or [""]


def cards_in(view: Mapping[str, Any]) -> list[str]:
    """All cards that a seat sees, as they are written."""
    found: list[str] = []
    for zone in view["zones"]:
        for pile in (zone, *zone.get("plays", [])):
            found += [value_text(card) for card in pile.get("cards", []) if card is not None]
    return found


def state_lines(view: Mapping[str, Any]) -> list[str]:
    """The states of the game, by name."""
    return [f"  {name}: {value_text(value)}" for name, value in view["state"].items()]


def standing_lines(state: Mapping[str, Any], begun: Mapping[str, Any], scores: Sequence[Any]) -> list[str]:
    """What each player has that could be laid out as tokens, where it is no longer as it was when the match began.

    States that are the scores are left out: these are told by themselves.
    """
    return [
        f"  {name}: {', '.join(value_text(value) for value in values)}"
        for name, values in state.items()
        if _is_of_each(values) and _is_of_each(begun.get(name)) and values not in (begun[name], scores)
    ]


def _is_of_each(values: Any) -> bool:
    return isinstance(values, list) and len(values) > 1 and all(isinstance(value, int) for value in values)


def sentences(events: Iterable[Mapping[str, Any]], kept: Collection[str] = ()) -> Sequence[str]:
    """All that is worth saying of some events; a phase only where something follows in it.

    `kept` are the fields that hold what was chosen for a card: that was told when it was chosen.
    """
    lines: list[str] = []
    heading: str | None = None
    told_of = [without(event, kept) for event in events if event["event"] != "write" or event["field"] not in kept]
    for number, event in enumerate(told_of):
        if _is_said_by(event, told_of[number + 1 :]) or _is_said_again(event, told_of[:number]):
            continue
        if event["event"] == "phase":
            # Phases within procedures come again and again, and what happens in them speaks for itself.
            heading = heading if "(" in event["phase"] else event["phase"]
            continue
        line = told(event)
        if line is not None and _is_of_one_kind(event, told_of[number - 1] if number else None):
            lines[-1] += f", {value_text(event['card'])}: {value_text(event['value'])}"
        elif line is not None:
            if heading is not None:
                lines.append(f"— {heading} —")
                heading = None
            lines.append(line)
    return lines


def without(shown: Any, kept: Collection[str]) -> Any:
    """What is shown, but on cards nothing of what is only kept with them."""
    match shown:
        case {"card": card, "fields": fields}:
            left = {name: value for name, value in fields.items() if name not in kept}
            rest = {name: without(value, kept) for name, value in shown.items() if name not in ("card", "fields")}
            return {"card": card, "fields": left, **rest} if left else {"card": card, **rest} if rest else card
        case dict():
            return {name: without(value, kept) for name, value in shown.items()}
        case list():
            return [without(value, kept) for value in shown]
        case _:
            return shown


def as_it_lies(view: Mapping[str, Any], kept: Collection[str]) -> dict[str, Any]:
    """A view for the table: of what is only kept with a card, such as its host, what lies beside it, with its name."""
    zones = []
    for zone in view["zones"]:
        beside = {name for card in zone.get("cards") or () if (name := _name_of(card)) is not None}
        zones.append({**zone, "cards": [_beside(card, kept, beside) for card in zone["cards"]]} if beside else zone)
    return {**view, "zones": zones}


def _name_of(card: Any) -> str | None:
    found = card.get("card") if isinstance(card, Mapping) else card
    return found if isinstance(found, str) else None


def _beside(card: Any, kept: Collection[str], beside: Collection[str]) -> Any:
    if not isinstance(card, Mapping) or "fields" not in card:
        return without(card, kept)
    fields = card["fields"].items()
    named = [f"{name} {value}" for name, value in fields if name in kept and isinstance(value, str) and value in beside]
    left = without(card, kept)
    if not named:
        return left
    shown = left if isinstance(left, dict) else {"card": left}
    return {**shown, "card": f"{shown['card']} ({', '.join(named)})"}


def kept_parts(program: Program) -> frozenset[str]:
    """The fields that keep what is chosen for a card."""
    powers = (power for kind in program.kinds for row in kind.rows for power in row.powers)
    return frozenset(power.about for power in powers if power.form == "parts")


def _is_said_by(event: Mapping[str, Any], later: Sequence[Mapping[str, Any]]) -> bool:
    """Whether a choice is told by the play that comes of it, with all that was chosen."""
    if event["event"] != "answer" or not event["answer"] or event.get("alternative") is not None or not later:
        return False
    play = later[0]
    if play["event"] != "play" or play["player"] != event["player"]:
        return False
    fields = play.get("fields", {})
    others = {name: value for name, value in event["answer"].items() if not isinstance(value, dict | list)}
    return all(name in fields and fields[name] == value for name, value in others.items())


def _is_said_again(event: Mapping[str, Any], before: Sequence[Mapping[str, Any]]) -> bool:
    """Whether what is announced was told already as the work of chance."""
    if event["event"] != "announce":
        return False
    drawn = next((other for other in reversed(before[-4:]) if other["event"] == "chance"), None)
    return drawn is not None and (drawn["name"], drawn.get("value")) == (event["label"], event["value"])


def _is_of_one_kind(event: Mapping[str, Any], before: Mapping[str, Any] | None) -> bool:
    """Whether the same thing was written on another card just before."""
    return before is not None and event["event"] == before["event"] == "write" and event["field"] == before["field"]


def _says_one_thing(event: Mapping[str, Any]) -> bool:
    """Whether a play is one card with nothing but numbers written on it, so that its face tells what it counts as."""
    cards = [card for batch in event["from"] for card in batch.get("cards", [])]
    if len(cards) != 1:
        return False
    written = cards[0].get("fields", {}).values() if isinstance(cards[0], Mapping) else ()
    return not any(value_text(value)[:1].isalpha() for value in written)
