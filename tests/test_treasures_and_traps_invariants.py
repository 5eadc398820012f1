"""What the rulings of Treasures & Traps promise of every match, watched by a program that knows no rule file."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice
from random import Random
from typing import Any

import pytest
import yaml
from plain_treasures_and_traps import ATTACHED, METALS, Act, Card, Position

import rulesdsl
from project import ROOT
from rulesdsl.interpreter.host.table import Table, table_for
from rulesdsl.interpreter.run.machine import Machine
from rulesdsl.interpreter.state.cells import FINISHED, STATUS
from rulesdsl.types import SetOf, required

ROWS = yaml.safe_load((ROOT / "games/treasures-and-traps/cards.yaml").read_text(encoding="utf-8"))["rows"]
CARDS = {row["id"]: Card(row["id"], row["class"], row.get("subtype"), row["enter"], row["exit"]) for row in ROWS}
OPEN = ("deck", "discard", "wild", "pending", "box")

# Random players need many turns, and sometimes thousands: so much of a match is looked at.
MOST_DECISIONS = 500


class Watched:
    """A table, and the position on it in plain terms."""

    def __init__(self, players: int, modifiers: tuple[str, ...] = (), **options: object) -> None:
        program = rulesdsl.load("treasures-and-traps", modifiers=modifiers, options=options)
        self.table: Table = table_for(program, players)
        self.machine = self.table.machine
        self.players = players
        layout = self.machine.layout
        pack = layout.packs["card"]
        self.ids = [str(pack.printed(card).id) for card in range(pack.size)]
        self.zones = {(zone.name, zone.owner): zone for zone in layout.zones}
        self.over = layout.over["card"]
        self.subtypes = next(of.members for of in program.types if of.name == "subtype")  # type: ignore[union-attr]

    def lying(self, state: list[Any], zone: str, owner: int = -1) -> set[str]:
        """The cards in a zone."""
        held = state[self.zones[zone, owner].cell]
        cards = held if isinstance(held, tuple) else [c for c in range(held.bit_length()) if held >> c & 1]
        return {self.ids[card] for card in cards}

    def each(self, state: list[Any], zone: str) -> list[set[str]]:
        """The cards in the zone of each player."""
        return [self.lying(state, zone, player) for player in range(self.players)]

    def beneath(self, state: list[Any]) -> dict[str, str]:
        """The cards that lie under cards, and under which."""
        found = [state[self.over + card] for card in range(len(self.ids))]
        return {self.ids[card]: self.ids[above] for card, above in enumerate(found) if above >= 0}

    def written(self, state: list[Any], name: str, card: str) -> int:
        """A field of a card."""
        value = state[self.machine.layout.fields["card", name] + self.ids.index(card)]
        assert isinstance(value, int)
        return value

    def kept(self, state: list[Any], name: str, player: int = 0) -> Any:
        """A state."""
        return state[self.machine.layout.variables[name].base + player]

    def position(self, state: list[Any]) -> Position:
        """Where the cards lie, as the plain program sees it."""
        realm = self.each(state, "realm")
        attached = {card for cards in realm for card in cards & ATTACHED}
        onto = {card: self.written(state, "onto", card) for card in attached}
        hosts = {card: self.ids[host] for card, host in onto.items() if host >= 0}
        metals = {card: self.written(state, "metal", card) for card in attached & {"T058"}}
        gilded = {card: self.subtypes[metal] for card, metal in metals.items() if metal >= 0}
        return Position(
            CARDS,
            self.each(state, "hand"),
            realm,
            self.lying(state, "wild"),
            self.lying(state, "discard"),
            hosts,
            gilded,
        )

    def act(self, question: Any, answer: tuple[Any, ...]) -> Act:
        """An answer to the decision about an action, in plain terms."""
        number, values = answer
        way = question.ask.alternatives[number]
        parts: list[Any] = []
        card = ""
        for part, value in zip(way.parts, values, strict=True):
            name = part.cell.name
            if name == "card":
                card = self.ids[value]
            elif isinstance(required(part.cell.type), SetOf):
                parts.append((name, frozenset(self.ids[c] for c in range(value.bit_length()) if value >> c & 1)))
            else:
                parts.append((name, value if name == "victim" else self.ids[value]))
        return str(way.name), card, frozenset(parts)

    def moments(self, seed: int, *, purposeful: bool) -> Iterator[tuple[list[Any], Any, int, tuple[Any, ...]]]:
        """Every decision of a match: the state, the question, who is asked, the answer that will be given."""
        random = Random(seed)
        state = self.machine.start(seed)
        self.machine.advance(state)
        while waiting := self.machine.pending(state):
            for seat in waiting:
                question, own = self.machine.question(state, seat)
                assert question.count(own, seat) > question.ask.optional, f"nothing to answer to {question.ask.name}"
                answer = self.chosen(question, own, seat, random, purposeful=purposeful)
                yield state, question, seat, answer
                self.machine.apply(state, seat, answer)
            self.machine.advance(state)
            self.machine.take_events()
        yield state, None, -1, ()

    def chosen(self, question: Any, own: list[Any], seat: int, random: Random, *, purposeful: bool) -> tuple[Any, ...]:
        """A random answer; who plays to some purpose takes the best of ten, treasures before anything else."""

        def draw(bound: int) -> int:
            return int(random.random() * bound)

        drawn: tuple[Any, ...] = question.sample(own, seat, draw)
        if not purposeful or question.ask.name not in ("action", "free_entry"):
            return drawn
        tries = [drawn, *(question.sample(own, seat, draw) for _ in range(9))]
        return max(tries, key=lambda answer: self.worth(question, answer))

    def worth(self, question: Any, answer: tuple[Any, ...]) -> int:
        """How far an answer goes towards three treasures, roughly."""
        if not answer:
            return 0
        name, card, parts = self.act(question, answer)
        if name in ("enter", "None"):
            return 9 if CARDS[card].subtype in METALS else 3 + len(parts)
        return 4 if name == "exit" and CARDS[card].sort in ("creature", "trap") else 1 if name == "replace" else 2


# ── one position ─────────────────────────────────────────────────────────────────────────────────────────────────────


def check_places(watched: Watched, state: list[Any]) -> None:
    """Each of the 100 cards lies in one place, and cards lie under creatures in the wild only."""
    places = [watched.lying(state, zone) for zone in OPEN] + watched.each(state, "hand") + watched.each(state, "realm")
    beneath = watched.beneath(state)
    assert sum(map(len, places)) + len(beneath) == len(CARDS)
    assert set(beneath).union(*places) == set(CARDS)
    wild = watched.lying(state, "wild")
    for captive, above in beneath.items():
        assert above in wild
        assert CARDS[above].sort == "creature"
        assert CARDS[captive].sort == "item"
        assert 0 <= watched.written(state, "origin", captive) < watched.players


def check_settled(watched: Watched, state: list[Any], position: Position) -> None:
    """When somebody has an action, everything is done: nobody has won, and nothing useless lies there."""
    assert position.winners() == set()
    assert watched.lying(state, "pending") == set()
    assert {card for card in position.wild if CARDS[card].sort == "creature"} <= set(watched.beneath(state).values())
    assert len(set(position.hosts.values())) == sum(len(realm & ATTACHED) for realm in position.realm)
    for card, host in position.hosts.items():
        assert position.holder(host) == position.holder(card) >= 0
        assert host not in ATTACHED
    for player in range(watched.players):
        streak = watched.kept(state, "streak_card", player)
        assert (streak >= 0) == (watched.kept(state, "streak", player) > 0)
        assert streak < 0 or watched.ids[streak] in position.in_play


def check_turn_begins(watched: Watched, state: list[Any], position: Position) -> None:
    """The first action of a turn: all hands are as large as they should be, and nothing is left that goes by itself."""
    exhausted = not watched.lying(state, "deck") and not position.discard
    for player, hand in enumerate(position.hand):
        limit = position.hand_limit(player)
        assert len(hand) == limit or (exhausted and len(hand) < limit)
    assert all(CARDS[card].exit > 0 for card in position.in_play)


def check_view(watched: Watched, state: list[Any], seat: int, exposed: list[set[str]]) -> None:
    """Of the hands of others nobody sees what was not shown since it was last in the deck; of the deck nothing."""
    for zone in watched.table.view(state, seat, None)["zones"]:
        name = zone["zone"]
        shown = set(map(_id, zone.get("cards", ()))) - {""}
        if name == "deck":
            assert not shown
        elif name.startswith("hand ") and name != f"hand {seat}":
            assert shown <= exposed[seat]
        elif name.startswith("realm ") or name == f"hand {seat}":
            assert shown == watched.lying(state, *((name[:-2], int(name[-1])) if name[-1].isdigit() else (name,)))


def _id(card: Any) -> str:
    """The id of a card that is shown, without what is written on it; nothing for one that is hidden."""
    text = str(card.get("card", "?") if isinstance(card, dict) else card)
    named = [row for row in ROWS if f"{text} ".startswith(f"{row['name']} ")]
    return str(max(named, key=lambda row: len(row["name"]))["id"]) if named else ""


# ── whole matches ────────────────────────────────────────────────────────────────────────────────────────────────────


def watch(watched: Watched, seed: int, *, purposeful: bool, most: int = MOST_DECISIONS) -> bool:
    """Looks at every decision of a match; whether it came to its end."""
    exposed: list[set[str]] = [set() for _ in range(watched.players)]
    declared: set[str] = set()
    turn_before: tuple[int, int] = (-1, -1)
    for number, (state, question, seat, answer) in enumerate(watched.moments(seed, purposeful=purposeful)):
        check_places(watched, state)
        if question is None:
            check_end(watched, state)
            return True
        if number > most:
            return False
        position = watched.position(state)
        public = position.in_play | position.discard | watched.lying(state, "pending") | set(watched.beneath(state))
        for player, known in enumerate(exposed):
            known |= public | position.hand[player] | declared
            known -= watched.lying(state, "deck")
        declared = set()
        if question.ask.name in ("action", "free_entry") and answer:
            declared.add(watched.act(question, answer)[1])
        if number % 5 == 0:
            check_view(watched, state, (seat + 1) % watched.players, exposed)
        if question.ask.name == "action":
            check_settled(watched, state, position)
            turn = (watched.kept(state, "turns_taken"), watched.kept(state, "on_turn"))
            assert turn[1] == seat
            if turn != turn_before:
                check_turn_begins(watched, state, position)
                turn_before = turn
            own = watched.machine.question(state, seat)[1]
            legal = {watched.act(question, one) for one in question.answers(own, seat)}
            assert legal == position.actions(seat)
    raise AssertionError("a match ends or goes on")


def check_end(watched: Watched, state: list[Any]) -> None:
    """A match ends because somebody has won, and they are the winners."""
    why = watched.machine.why(state)
    assert state[STATUS] == FINISHED, why and f"{why.message} {why.span}"
    winners = watched.position(state).winners()
    assert winners
    assert watched.table.standing.winners(state) == sum(1 << player for player in winners)


@pytest.mark.parametrize("players", [2, 3, 4, 5, 6])
def test_random_matches_keep_the_promises(players: int) -> None:
    watched = Watched(players)
    for seed in range(2):
        watch(watched, seed, purposeful=False)


@pytest.mark.parametrize("players", [2, 3, 4, 5, 6])
def test_matches_with_some_purpose_end(players: int) -> None:
    watched = Watched(players)
    assert all(watch(watched, seed, purposeful=True, most=20_000) for seed in range(100, 103))


@pytest.mark.parametrize("players", [2, 4, 6])
def test_no_card_is_lost_at_any_event(players: int) -> None:
    """Looked at whenever a procedure, a phase, a decision or a handler begins or ends."""
    watched = Watched(players)
    ordinary = watched.machine
    seen: list[list[Any]] = []
    events = 0

    def look(*event: object) -> None:
        nonlocal events
        events += 1
        for state in seen:
            places = [watched.lying(state, zone) for zone in OPEN] + watched.each(state, "hand")
            places += [*watched.each(state, "realm"), set(watched.beneath(state))]
            assert sum(map(len, places)) == len(CARDS)
            assert set().union(*places) == set(CARDS)

    watched.machine = Machine(ordinary.program, players, trace=look, like=ordinary)
    for seed in range(4):
        for state, _, _, _ in islice(watched.moments(seed, purposeful=True), 120):
            seen[:] = [state]
        seen.clear()
    assert events > 2_000
