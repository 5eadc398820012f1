"""What seats are told, word for word, and what they are not told in secret decisions."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

import pytest
from programs import CARD, CARDS, NUMBER, SEAT, TABLE, cell, const, kind_of_rows, prim, program, variable
from small_games import passing, reacting
from small_pieces import HAND, cells_of, game, hand, number

from rulesdsl.interpreter.run.chance import Request, Scripted, Sort
from rulesdsl.interpreter.run.machine import Machine
from rulesdsl.interpreter.sight.event import Answered
from rulesdsl.interpreter.sight.render import render
from rulesdsl.interpreter.sight.view import view
from rulesdsl.interpreter.state.errors import MatchError
from rulesdsl.ir.nodes import (
    Alternative,
    Announce,
    Ask,
    Assign,
    Block,
    Const,
    DrawRandom,
    Field,
    Keeping,
    MakePlay,
    Move,
    Op,
    Part,
    PickMembers,
    PlaceOf,
    PlaceUnder,
    Shape,
    Sight,
    Together,
    Zone,
)
from rulesdsl.types import Optional, Place, RowOf

State = list[Any]

KIND = replace(kind_of_rows("card", *range(10, 20)), fields=(Keeping("mark", NUMBER, 0),))
PILE = Zone("pile", "card", shape=Shape.STACK, seen=Sight.NOBODY)
BOX = Zone("box", "card", seen=Sight.NOBODY, count_seen=Sight.NOBODY, start_all=True)
ZONES = (BOX, replace(TABLE[1]), replace(TABLE[2], fields=(Keeping("strength", NUMBER, 1),)), PILE)


def cards(*members: int) -> Const:
    """A set of cards."""
    return Const(sum(1 << member for member in members), type=CARDS)


def hand_of(seat: int) -> PlaceOf:
    """The hand of a seat."""
    return PlaceOf("hand", Const(seat, type=SEAT), type=HAND)


PILED = PlaceOf("pile", type=Place("card", RowOf(CARD)))


def lines(steps: Block, **more: Any) -> tuple[list[list[Any]], list[dict[str, Any]]]:
    """What two seats are told of the steps, and their views at the end, both as JSON gives them."""
    made = program(steps, cells=cells_of(steps), kinds=(KIND,), zones=ZONES, **more)  # type: ignore[arg-type]
    machine = Machine(made, 2)
    state = machine.start()
    machine.take_events()
    machine.advance(state)
    events = machine.take_events()
    told = [
        [line for event in events if (line := render(event, seat, machine.layout)) is not None][1:-1]
        for seat in range(2)
    ]
    shown = [view(state, machine, seat) for seat in range(2)]
    plain: tuple[list[list[Any]], list[dict[str, Any]]] = json.loads(json.dumps([told, shown]))
    return plain[0], plain[1]


def test_a_move_is_told_to_each_as_it_is_seen() -> None:
    told, shown = lines((Move(cards(0, 3), hand_of(0)), Move(cards(3), PILED), Move(cards(0), hand_of(1))))
    assert told[0] == [
        {"event": "move", "from": "box", "to": "hand 0", "cards": ["10", "13"], "hidden": 0},
        {"event": "move", "from": "hand 0", "to": "pile", "cards": ["13"]},
        {"event": "move", "from": "hand 0", "to": "hand 1", "cards": ["10"], "hidden": 0},
    ]
    assert told[1] == [
        {"event": "move", "from": "box", "to": "hand 0", "cards": [], "hidden": 2},
        {"event": "move", "from": "hand 0", "to": "pile", "cards": [None]},
        {"event": "move", "from": "hand 0", "to": "hand 1", "cards": ["10"], "hidden": 0},
    ]
    zones = {zone["zone"]: zone for zone in shown[0]["zones"]}
    assert zones["box"] == {"zone": "box", "shape": "set", "cards": [], "hidden": None}
    assert zones["pile"] == {"zone": "pile", "shape": "stack", "cards": ["13"], "hidden": 0}
    assert zones["hand 1"] == {"zone": "hand 1", "shape": "set", "cards": ["10"], "hidden": 0}
    assert {zone["zone"]: zone for zone in shown[1]["zones"]}["pile"]["cards"] == [None]


def test_a_play_is_told_with_its_fields() -> None:
    steps = (
        Move(cards(2, 5), hand_of(0)),
        MakePlay(cards(5), "table", None, const(0, SEAT), (("strength", const(4)),)),
    )
    told, shown = lines(steps)
    batch = {"from": "hand 0", "to": "table", "cards": ["15"]}
    play = {"event": "play", "player": 0, "to": "table", "from": [batch], "fields": {"strength": 4}}
    assert told[0][1] == told[1][1] == play
    table = {"zone": "table", "shape": "plays"}
    table["plays"] = [{"player": 0, "cards": ["15"], "hidden": 0, "fields": {"strength": 4}}]  # type: ignore[assignment]
    assert shown[1]["zones"][3] == table


def test_what_is_written_and_what_lies_under_is_shown_with_the_card() -> None:
    mark = Field("card", "mark", Const(2, type=CARD), type=NUMBER)
    steps = (
        Move(cards(2, 5), hand_of(0)),
        Assign(mark, const(7)),
        Move(cards(5), PlaceUnder("card", Const(2, type=CARD), type=HAND)),
    )
    told, shown = lines(steps)
    marked = {"card": "12", "fields": {"mark": 7}}
    assert told[0][1] == {
        "event": "write",
        "place": "hand 0",
        "card": "12",
        "field": "mark",
        "value": 7,
        "now": marked,
    }
    assert [line["event"] for line in told[1]] == ["move", "move"]
    assert shown[0]["zones"][1]["cards"] == [{**marked, "under": ["15"]}]


def test_states_and_values_are_public() -> None:
    drawn = cell(CARD, "drawn")
    steps = (
        Move(cards(6), hand_of(1)),
        Assign(number("score", const(1, SEAT)), const(3)),
        Announce(const(4), "bid"),
        DrawRandom("drawn", drawn, cards(6)),
    )
    told, shown = lines(steps, variables=(variable("score", NUMBER, 0, SEAT),))
    assert told[0][1:3] == [
        {"event": "set", "name": "score", "value": 3, "of": [1]},
        {"event": "announce", "label": "bid", "value": 4},
    ]
    assert shown[0]["state"] == {"score": [0, 3]}
    assert told[0][3] == {"event": "chance", "name": "drawn", "cards": [], "hidden": 1}
    assert told[1][3] == {"event": "chance", "name": "drawn", "cards": ["16"], "hidden": 0}


def test_alike_cards_are_listed_in_the_order_of_their_faces() -> None:
    """Of six cards, number by number twice: which of two alike ones a hand holds does not show."""
    kind = kind_of_rows("card", 10, 11, 10, 11)

    def shown(*held: int) -> Any:
        steps = (Move(cards(*held), hand_of(0)),)
        machine = Machine(program(steps, kinds=(kind,), zones=ZONES), 2)
        state = machine.start()
        machine.advance(state)
        return view(state, machine, 0)["zones"]

    assert shown(0, 1) == shown(1, 2) == shown(2, 3)


# ── secret decisions ─────────────────────────────────────────────────────────────────────────────────────────────────


def all_told(machine: Machine, seat: int) -> list[Any]:
    return [line for event in machine.take_events() if (line := render(event, seat, machine.layout)) is not None]


def test_who_has_answered_in_secret_does_not_show() -> None:
    machine = Machine(passing(), 3)
    state = machine.start(1)
    machine.advance(state)
    machine.take_events()
    before = view(state, machine, 0)
    question, own = machine.question(state, 1)
    machine.apply(state, 1, question.sample(own, 1, lambda bound: 0))
    machine.advance(state)
    assert all_told(machine, 0) == []
    assert view(state, machine, 0) == before
    assert view(state, machine, 1)["asked"] is None
    assert before["on_turn"] == [0, 1, 2]


def keeping(*, hands: int) -> Machine:
    """Both seats may, in secret, put cards aside; seat 1 holds so many."""
    player, chosen = cell(SEAT, "player"), cell(CARDS, "chosen")
    ask = Ask(
        "aside",
        "aside",
        player,
        (Alternative(None, (Part(chosen, PickMembers(hand(player), const(0), const(1))),)),),
    )
    steps: Block = (
        Move(cards(1, 2), hand_of(0)),
        Move(cards(*range(3, 3 + hands)), hand_of(1)),
        Together(player, Const(0b11, type=replace(CARDS, of=SEAT)), (ask,)),
    )
    return Machine(game(steps), 2)


def test_whether_somebody_was_asked_in_secret_does_not_show() -> None:
    seen = []
    for hands in (0, 2):
        machine = keeping(hands=hands)
        state = machine.start()
        machine.advance(state)
        assert machine.pending(state) == ([0] if hands == 0 else [0, 1])
        shown = view(state, machine, 0)
        seen.append((shown["asked"], shown["on_turn"]))
    assert seen[0] == seen[1]


def test_who_was_not_asked_looks_as_one_who_passed() -> None:
    machine = Machine(reacting(), 3)
    looks = set()
    for seed in range(12):
        state = machine.start(seed)
        machine.advance(state)
        while machine.pending(state):
            machine.apply(state, machine.pending(state)[0], ())
            machine.advance(state)
        for event in machine.take_events():
            if isinstance(event, Answered):
                looks.add(json.dumps({**(render(event, 0, machine.layout) or {}), "player": None}))
    assert len(looks) == 1


# ── chance that somebody wrote ───────────────────────────────────────────────────────────────────────────────────────


def test_written_outcomes_come_in_their_order_and_then_the_generator() -> None:
    chance = Scripted({"card": [4, 6], "stock": [(3, 1)]})
    state: State = [0] * 10
    state[2] = chance.start(1)
    among = (4, 5, 6)
    assert [chance.outcome(state, Request("card", Sort.ONE, among)) for _ in range(2)] == [4, 6]
    copied = state.copy()
    third = chance.outcome(state, Request("card", Sort.ONE, among))
    assert third == chance.outcome(copied, Request("card", Sort.ONE, among))
    assert chance.outcome(state, Request("stock", Sort.ORDER, (0, 1, 2, 3))) == (0, 2, 3, 1)


@pytest.mark.parametrize(
    ("sort", "among", "outcome"),
    [
        (Sort.ONE, (4, 5), 6),
        (Sort.NUMBER, (1, 6), 7),
        (Sort.ORDER, (1, 2), (3,)),
        (Sort.ORDER, (1, 2), (1, 1)),
        (Sort.SOME, (1, 2, 3), (1,)),
    ],
)
def test_what_can_not_come_about_is_refused(sort: Sort, among: tuple[int, ...], outcome: Any) -> None:
    chance = Scripted({"it": [outcome]})
    state: State = [0] * 10
    state[2] = chance.start(1)
    with pytest.raises(MatchError):
        chance.outcome(state, Request("it", sort, among, 2))


def test_optional_values_are_shown_as_nothing() -> None:
    top = prim(Op.FIRST, cards(), of=Optional(CARD))
    told, _ = lines((Announce(top, "first"),))
    assert told[0] == [{"event": "announce", "label": "first", "value": None}]
