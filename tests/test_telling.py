"""What happened in words: which card did what to whom, each thing said once, nothing that only the machine needs."""

from __future__ import annotations

from functools import cache
from typing import Any

import pytest

import rulesdsl
from project import ROOT
from rulesdsl.cli.play import refusal_text
from rulesdsl.cli.telling import kept_parts, sentences, without
from rulesdsl.interpreter import Match, RandomBot, Scenario, run_scenario
from rulesdsl.interpreter.host.decision import Decision
from rulesdsl.interpreter.host.table import table_for
from rulesdsl.interpreter.scenario.placing import Setup
from rulesdsl.ir.nodes import Program

KEPT = frozenset({"victim", "prey"})


@cache
def wizards() -> Program:
    return rulesdsl.load(str(ROOT / "tests" / "cases" / "ok" / "powers"))


def said(*events: dict[str, Any], kept: frozenset[str] = KEPT) -> list[str]:
    return list(sentences(events, kept))


# ── events ───────────────────────────────────────────────────────────────────────────────────────────────────────


def test_a_choice_of_several_things_names_them_all() -> None:
    cards = {"cards": ["Newt"], "hidden": 0}
    answer = {"card": cards, "victim": 1, "prey": {"cards": ["Chest", "Robe"], "hidden": 0}}
    event = {"event": "answer", "player": 2, "decision": "act", "alternative": "enter", "answer": answer}
    assert said(event) == ["player 2, act: enter card Newt, victim 1, prey Chest, Robe"]


def test_a_card_that_is_only_played_is_told_by_its_move() -> None:
    answer = {"event": "answer", "player": 0, "decision": "lead", "answer": {"card": {"cards": ["Newt"], "hidden": 0}}}
    move = {"event": "move", "from": "hand 0", "to": "table", "cards": ["Newt"], "hidden": 0}
    assert said(answer, move) == ["Newt: hand 0 → table"]


def test_what_somebody_answers_out_of_turn_is_told() -> None:
    answer = {"card": {"cards": ["Newt"], "hidden": 0}}
    event = {"event": "answer", "player": 2, "decision": "before_roll", "answer": answer, "window": True}
    assert said(event) == ["player 2, before_roll: card Newt"]


def test_cards_that_one_may_not_know_stay_unknown() -> None:
    answer = {"card": {"cards": [], "hidden": 1}, "victim": 1}
    event = {"event": "answer", "player": 2, "decision": "act", "answer": answer}
    assert said(event) == ["player 2, act: card 1 card, victim 1"]


def test_what_was_chosen_for_a_card_is_told_once() -> None:
    newt = {"card": "Newt", "fields": {"victim": 1, "prey": ["Chest"]}}
    write = {"event": "write", "field": "victim", "card": newt, "value": 1}
    move = {"event": "move", "from": "hand 2", "to": "realm 2", "cards": [newt], "hidden": 0}
    assert said(write, move) == ["Newt: hand 2 → realm 2"]
    assert said(write, move, kept=frozenset())[0] == "victim of Newt 1 [Chest]: 1"


def test_what_is_written_on_a_card_in_play_stays() -> None:
    shown = {"cards": [{"card": "Newt", "fields": {"victim": 1, "worth": 7}, "under": ["Chest", None]}], "seat": 0}
    assert without(shown, KEPT) == {
        "cards": [{"card": "Newt", "fields": {"worth": 7}, "under": ["Chest", None]}],
        "seat": 0,
    }


def test_which_card_does_something_is_told_before_it() -> None:
    power = {"event": "power", "card": "Newt", "power": "when_entered"}
    move = {"event": "move", "from": "realm 1", "to": "realm 2", "cards": ["Chest"], "hidden": 0}
    assert said(power, move) == ["· Newt: when entered", "Chest: realm 1 → realm 2"]


@pytest.mark.parametrize(
    ("event", "line"),
    [
        ({"name": "lives", "of": [2], "value": 1}, ["lives of player 2: 1"]),
        ({"name": "turns_to_skip", "of": [0], "value": 2}, ["turns to skip of player 0: 2"]),
        ({"name": "out", "of": [2], "value": True}, []),
        ({"name": "leader", "value": 1}, []),
        ({"name": "lead_of", "of": ["hearts"], "value": 1}, []),
    ],
)
def test_numbers_that_players_have_are_told(event: dict[str, Any], line: list[str]) -> None:
    assert said({"event": "set", **event}) == line


def test_what_chance_gave_is_not_announced_again() -> None:
    roll = {"event": "chance", "name": "natural", "value": 4}
    same, other = ({"event": "announce", "label": label, "value": 4} for label in ("natural", "total"))
    assert said(roll, same, other) == ["chance: natural 4", "total: 4"]


# ── a match ──────────────────────────────────────────────────────────────────────────────────────────────────────


def test_the_steps_of_a_card_in_the_open_are_told_to_everybody() -> None:
    told_of = 0
    for seed in range(6):
        match = Match(wizards(), players=3, seed=seed)
        while not match.finished:
            match.choose(match.decision.answers()[0])
        first, *others = (
            [event for event in match.events_for(seat) if event["event"] == "power"] for seat in range(match.players)
        )
        assert all(other == first for other in others)
        told_of += len(first)
    assert told_of


def test_an_answer_in_a_window_is_marked() -> None:
    match = Match(rulesdsl.load("treasures-and-traps"), players=3, seed=4)
    bot = RandomBot(1)
    while match.choices < 60:
        match.choose_by(bot)
    answers = [event for event in match.events_for(None) if event["event"] == "answer" and event["answer"]]
    assert {event["decision"] for event in answers if event.get("window")} <= {"before_roll", "after_roll"}
    assert any(event.get("window") for event in answers)
    assert all(event.get("window") for event in answers if event["decision"] in ("before_roll", "after_roll"))


def test_parts_that_are_kept_are_known_by_the_rows() -> None:
    assert kept_parts(wizards()) == {"target", "loot"}
    assert kept_parts(rulesdsl.load("trappola")) == frozenset()


def test_a_refusal_names_the_card_that_forbids() -> None:
    scenario = Scenario(
        name="walled",
        start="turn",
        zones={"hand": [["Spark"], []], "table": [[], ["Wall"]]},
        expect={"illegal": [{"choice": {"spell": "Spark", "target": "1"}, "by": "walled"}]},
    )
    assert run_scenario(wizards(), scenario) == []
    table = table_for(wizards(), 2)
    state = table.machine.blank(0)
    setup = Setup(table, state)
    setup.place(scenario.zones)
    table.machine.enter(state, "turn")
    setup.hide_the_rest()
    table.machine.advance(state)
    question, own = table.machine.question(state, 0)
    (reason,) = Decision(table, question, own, 0, ()).why_not({"spell": "Spark", "target": "1"})
    assert reason.by == "Wall"
    assert refusal_text(reason).endswith("of Wall")
