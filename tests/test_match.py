"""A match as a host plays it: choosing, refusing, taking back, copying, writing down and playing again."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from functools import cache
from pathlib import Path
from random import Random
from typing import Any

import pytest
import small_games
from hypothesis import given, settings
from hypothesis import strategies as st

import rulesdsl
from rulesdsl.interpreter import (
    Generator,
    IllegalChoice,
    Match,
    MatchError,
    Option,
    Record,
    RecordError,
    playout,
    replay,
)
from rulesdsl.ir.nodes import Program


@cache
def game(name: str) -> Program:
    return rulesdsl.load(name)


TABLES = [("trappola", 2), ("tricky-traps", 2), ("tricky-traps", 4)]
SMALL = {"taking": small_games.taking, "passing": small_games.passing, "writing": small_games.writing}


def random_match(program: Program, players: int, seed: int, steps: int | None = None) -> Match:
    """A match in which everybody answers at random, to the end or for so many choices."""
    match = Match(program, players=players, seed=seed)
    rng = Generator.seeded(seed ^ 0x5EED)
    while not match.finished and (steps is None or match.choices < steps):
        match.choose_random(rng)
    return match


def cells(match: Match) -> Any:
    """All of a state, for tests that ask whether two are the same to the last cell."""
    return match._state


# ── playing ──────────────────────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize(("name", "players"), TABLES)
def test_taking_the_first_option_each_time_comes_to_an_end(name: str, players: int) -> None:
    match = Match(game(name), players=players, seed=7)
    while not match.finished:
        decision = match.decision
        assert decision.options
        match.choose(decision.options[0])
    result = match.result
    assert result.end == "finished"
    assert result.winners
    assert sorted(seat for group in result.ranking for seat in group) == list(range(players))
    assert result.ranking[0] == result.winners
    with pytest.raises(LookupError):
        match.decision  # noqa: B018


@pytest.mark.parametrize(("name", "players"), TABLES)
@pytest.mark.parametrize("seed", range(4))
def test_what_is_offered_and_what_is_drawn_is_what_is_taken(name: str, players: int, seed: int) -> None:
    match = Match(game(name), players=players, seed=seed)
    rng = Random(seed)
    while not match.finished:
        decision = match.decision
        whole = decision.sample(rng)
        assert decision.check(whole)
        assert decision.check(whole.plain)
        assert not decision.why_not(whole.plain)
        assert decision.count >= 1
        assert decision.forced == (len(decision.answers()) == 1)
        match.choose(rng.choice(decision.options) if rng.random() < 0.5 else whole.plain)


def test_an_option_is_chosen_by_its_text_and_another_case() -> None:
    match = random_match(game("trappola"), 2, 3, steps=4)
    text = match.decision.options[-1].text
    match.choose(text.upper())
    assert match.record().answers[-1].answer == text


def test_points_add_up_to_those_of_the_components() -> None:
    for seed in range(30):
        result = random_match(game("trappola"), 2, seed).result
        for score in result.scores:
            assert score.points == sum(points for _, points in score.parts)


def test_the_number_of_players_is_checked() -> None:
    with pytest.raises(ValueError, match="2 to 5 players, not for 6"):
        Match(game("tricky-traps"), players=6)


# ── refusing ─────────────────────────────────────────────────────────────────────────────────────────────────────


def must_follow() -> tuple[Match, str]:
    """A match in which somebody must follow, and a card of his hand that does not."""
    for seed in range(100):
        match = random_match(game("trappola"), 2, seed, steps=0)
        while not match.finished:
            decision = match.decision
            hand = next(z for z in match.view(decision.player)["zones"] if z["zone"] == f"hand {decision.player}")
            options = [option.text for option in decision.options]
            others = [card for card in hand["cards"] if card not in options]
            if decision.name == "follow" and others and not decision.forced:
                return match, others[0]
            match.choose(decision.options[0])
    raise AssertionError("nobody ever had to follow")


def test_a_refused_choice_names_its_rule_and_changes_nothing() -> None:
    match, card = must_follow()
    before, events = list(cells(match)), len(match.events)
    with pytest.raises(IllegalChoice) as refused:
        match.choose(card)
    (reason,) = refused.value.reasons
    assert reason.rule == "follow_suit"
    assert reason.kind == "tier"
    assert reason.by == "tricks"
    assert reason.place is not None
    assert reason.place.startswith("rulesdsl/std/tricks.yaml:")
    assert match.why_not(card) == refused.value.reasons
    assert (cells(match), len(match.events)) == (before, events)


@pytest.mark.parametrize("nonsense", ["acorns", "Z of spades", ["2 of clubs"], {"what": "2 of clubs"}, ""])
def test_nonsense_is_refused_and_changes_nothing(nonsense: Any) -> None:
    match, _ = must_follow()
    before = list(cells(match))
    with pytest.raises(IllegalChoice) as refused:
        match.choose(nonsense)
    assert refused.value.reasons
    assert cells(match) == before


def test_an_option_of_another_moment_is_refused() -> None:
    match = random_match(game("trappola"), 2, 3, steps=4)
    old = match.decision.options[0]
    match.choose(old)
    with pytest.raises(IllegalChoice):
        match.choose(Option(old.text, old.part, old.atom))


def test_who_is_not_asked_can_not_answer() -> None:
    match = random_match(game("trappola"), 2, 3, steps=4)
    other = 1 - match.decision.player
    with pytest.raises(LookupError):
        match.choose("2 of clubs", player=other)


# ── deciding at once ─────────────────────────────────────────────────────────────────────────────────────────────


def test_simultaneous_choices_come_in_any_sequence_and_stay_secret() -> None:
    first = Match(game("tricky-traps"), players=3, seed=11)
    second = Match(game("tricky-traps"), players=3, seed=11)
    answers = {decision.player: decision.answers()[5 * decision.player] for decision in first.pending}
    assert sorted(answers) == [0, 1, 2]
    for seat in (0, 1, 2):
        first.choose(answers[seat], player=seat)
    views = [second.view(seat) for seat in range(3)]
    second.choose(answers[2], player=2)
    assert [second.view(seat) for seat in (0, 1)] == views[:2]
    second.choose(answers[0], player=0)
    second.choose(answers[1], player=1)
    assert first.digest() == second.digest()


# ── breaking off ─────────────────────────────────────────────────────────────────────────────────────────────────

BROKEN = """\
rulesdsl: 1
game: broken
title: Broken
players: 2
uses: [french-cards, deal]

state:
  taker: { type: player }

phases:
  - phase: end
    do:
      - collect_and_shuffle
      - move top(stock, 1) to taker.hand

winners: players
"""


def test_a_match_that_breaks_off_names_the_line(tmp_path: Path) -> None:
    (tmp_path / "game.yaml").write_text(BROKEN)
    program = rulesdsl.load(tmp_path)
    result = Match(program).result
    assert (result.end, result.winners) == ("error", ())
    assert result.why is not None
    assert result.why.endswith(f"({tmp_path}/game.yaml:14:9)")
    assert playout(program, rng=Generator.seeded(1)).end == "error"


def test_a_host_can_break_a_match_off() -> None:
    match = random_match(game("trappola"), 2, 1, steps=3)
    match.break_off(MatchError("too many answers"))
    assert match.finished
    assert match.result.end == "error"
    # With no place of its own, the error is that of the decision.
    assert match.result.why is not None
    assert match.result.why.startswith("too many answers (rulesdsl/std/tricks.yaml:")
    assert match.events_for(0)[-1] == {"event": "end", "end": "error", "why": "too many answers"}


# ── taking back and copying ──────────────────────────────────────────────────────────────────────────────────────


@settings(max_examples=25, deadline=None)
@given(st.sampled_from(TABLES), st.integers(0, 1000), st.integers(1, 12))
def test_what_is_taken_back_and_done_again_is_the_same(table: tuple[str, int], seed: int, back: int) -> None:
    name, players = table
    match = random_match(game(name), players, seed)
    end, told = list(cells(match)), match.events_for(0)
    answers = match.record().answers
    back = min(back, match.choices)
    for _ in range(back):
        match.undo()
    for answered in answers[len(answers) - back :]:
        match.choose(answered.answer, player=answered.seat)
    assert cells(match) == end
    assert match.events_for(0) == told


def test_steps_are_taken_back_one_by_one() -> None:
    match = Match(game("tricky-traps"), players=2, seed=1)
    begin = match.decision.options
    match.choose(begin[0])
    assert match.decision.prefix == (begin[0].atom,)
    match.undo()
    assert match.decision.options == begin
    with pytest.raises(LookupError):
        match.undo()


def test_a_copy_goes_its_own_way() -> None:
    match = random_match(game("tricky-traps"), 3, 5, steps=20)
    before, record = list(cells(match)), match.record()
    twin = match.copy()
    assert twin == match
    while not twin.finished:
        twin.choose(twin.decision.options[-1])
    assert cells(match) == before
    assert match.record() == record


def test_a_reseeded_copy_does_not_foresee() -> None:
    match = random_match(game("tricky-traps"), 3, 5, steps=8)
    ends = set()
    for seed in (None, None, 1, 2, 3):
        twin = match.copy(seed)
        while not twin.finished:
            twin.choose(twin.decision.options[0])
        ends.add(twin.digest())
    assert len(ends) == 4


# ── records ──────────────────────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize(("name", "players", "matches"), [("trappola", 2, 200), ("tricky-traps", 3, 25)])
def test_a_record_replays_to_an_equal_match(name: str, players: int, matches: int) -> None:
    for seed in range(matches):
        match = random_match(game(name), players, seed)
        data = json.loads(json.dumps(match.record().as_data()))
        assert Record.from_data(data) == match.record()
        again = replay(data, game(name))
        assert again == match
        assert again.result == match.result


@pytest.mark.parametrize("name", SMALL)
@pytest.mark.parametrize("seed", range(5))
def test_little_games_replay_as_well(name: str, seed: int) -> None:
    program = SMALL[name]()
    match = random_match(program, 2, seed)
    assert match.result.end == "finished"
    assert replay(json.loads(json.dumps(match.record().as_data())), program) == match


def test_a_record_is_replayed_to_any_step() -> None:
    match = random_match(game("trappola"), 2, 9)
    record = match.record()
    for steps in range(len(record.answers) + 1):
        assert replay(record, game("trappola"), to=steps).record().answers == record.answers[:steps]


def test_a_record_made_in_steps_holds_whole_answers() -> None:
    match = Match(game("tricky-traps"), players=2, seed=1)
    texts = []
    while not match.record().answers:
        texts.append(match.decision.options[0].text)
        match.choose(match.decision.options[0])
    (answered,) = match.record().answers
    assert answered.answer == texts


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"format": 99}, "format 99"),
        ({"game": "hearts"}, "a match of hearts, not of trappola"),
        ({"program": "0" * 64, "files": {"trappola/game.yaml": "0"}}, "the rules have changed .*trappola/game.yaml"),
        ({"program": "0" * 64}, "other options or modifiers"),
        ({"players": "two"}, "'players' of the record should be a whole number"),
        ({"answers": [1]}, "every answer of a record is an object"),
    ],
)
def test_a_record_that_does_not_fit_is_refused_with_the_reason(change: dict[str, object], message: str) -> None:
    data = random_match(game("trappola"), 2, 1).record().as_data() | change
    with pytest.raises(RecordError, match=message):
        replay(data, game("trappola"))


@pytest.mark.parametrize("field", ["seat", "decision", "answer", "digest"])
def test_an_answer_that_was_changed_is_found(field: str) -> None:
    data: Any = json.loads(json.dumps(random_match(game("trappola"), 2, 1).record().as_data()))
    wrong = {"seat": 7, "decision": "dance", "answer": "2 of acorns", "digest": "0000"}
    data["answers"][4][field] = wrong[field]
    with pytest.raises(RecordError, match="answer 5"):
        replay(data, game("trappola"))


def test_what_is_no_record_is_refused() -> None:
    data: Any
    for data in ([], "x", 3, {}):
        with pytest.raises(RecordError):
            replay(data, game("trappola"))


def test_records_do_not_depend_on_the_order_of_hash_tables() -> None:
    code = (
        "import json, rulesdsl\n"
        "from rulesdsl.interpreter import Match, Generator\n"
        "match = Match(rulesdsl.load('tricky-traps'), players=3, seed=4)\n"
        "rng = Generator.seeded(1)\n"
        "while not match.finished: match.choose_random(rng)\n"
        "print(json.dumps([match.record().as_data(), match.events_for(0), match.view(1)]))\n"
    )
    outputs = {
        subprocess.run(
            [sys.executable, "-c", code],
            env={**os.environ, "PYTHONHASHSEED": seed},
            capture_output=True,
            text=True,
            check=True,
        ).stdout
        for seed in ("0", "1", "31337")
    }
    assert len(outputs) == 1


# ── chance, views, events ────────────────────────────────────────────────────────────────────────────────────────


def test_the_same_seed_is_the_same_match_and_another_one_is_not() -> None:
    assert random_match(game("trappola"), 2, 5) == random_match(game("trappola"), 2, 5)
    assert Match(game("trappola"), seed=5).digest() != Match(game("trappola"), seed=6).digest()


def test_chance_can_be_written_down() -> None:
    for dealer in ("0", "1"):
        match = Match(game("trappola"), seed=1, chance={"dealer": [dealer], "stock": ["A of spades", "K of spades"]})
        state = match.view(0)["state"]
        assert state["dealer"] == int(dealer)
        eldest = 1 - int(dealer)
        hand = next(z for z in match.view(eldest)["zones"] if z["zone"] == f"hand {eldest}")
        assert {"A of spades", "K of spades"} <= set(hand["cards"])
        assert replay(match.record()) == match


@pytest.mark.parametrize(("name", "players"), TABLES)
def test_views_and_events_are_plain_data(name: str, players: int) -> None:
    match = random_match(game(name), players, 2)
    for seat in range(players):
        assert json.loads(json.dumps(match.view(seat))) == match.view(seat)
        told = match.events_for(seat)
        assert json.loads(json.dumps(told)) == told
        assert told[-1]["event"] == "end"
