"""Positions in which nobody can answer: found by playing, and shown with the verdict that they prove."""

from __future__ import annotations

import json
from fractions import Fraction
from functools import cache
from itertools import product
from pathlib import Path
from random import Random

import pytest
from typer.testing import CliRunner

import rulesdsl
from project import ROOT
from rulesdsl import Judgement, judged, judged_by_play, verdicts
from rulesdsl.cli.app import app
from rulesdsl.interpreter import Match, Record, Stuck, find_stuck, replay
from rulesdsl.variants.domains import Interval
from rulesdsl.variants.exact import makes
from rulesdsl.variants.findings import Kind

LITTLE = ROOT / "tests" / "cases" / "variants" / "little"
DIGITS = ROOT / "tests" / "cases" / "variants" / "digits"


@cache
def by_play(folder: Path, *names: str) -> Judgement:
    return judged_by_play(folder, names, find_stuck)


def position_in(judgement: Judgement, *names: str) -> Stuck:
    """The position that was found for just these modifiers."""
    found = [f.position for v in judgement.verdicts if v.modifiers == names for f in v.findings if f.position]
    [position] = found
    assert isinstance(position, Stuck)
    return position


def marks(position: Stuck) -> list[int]:
    """What stands on the cards that the player holds."""
    [(_, cards)] = [zone for zone in position.zones if zone[0] == f"hand {position.seat}"]
    return [int(card.rpartition(" ")[2]) for card in cards]


# ── by playing ───────────────────────────────────────────────────────────────────────────────────────────────────


def test_two_narrows_that_leave_nothing_show_a_hand_without_a_middle() -> None:
    position = position_in(by_play(LITTLE, "lowest-only", "highest-only"), "lowest-only", "highest-only")
    [(_, cards)] = position.zones
    ranks = {card.partition(" ")[0] for card in cards}
    assert len(cards) == 3 and len(ranks) > 1  # of cards of one rank each is the lowest and the highest
    refused = {answer: {refusal.rule for refusal in refusals} for answer, refusals in position.refused}
    assert set(refused) == set(cards) and all(rules & {"lowest", "highest"} for rules in refused.values())


def test_the_record_leads_to_the_position() -> None:
    stack = ("lowest-only", "highest-only")
    position = position_in(by_play(LITTLE, *stack), *stack)
    record = Record.from_data(json.loads(json.dumps(position.as_data()["record"])))
    match = replay(record, rulesdsl.load(LITTLE, stack))
    assert match.result.end == "error"
    decision = match.unanswered
    assert decision is not None
    assert (decision.ask.path, decision.player) == (position.ask.path, position.seat)
    before = replay(record, rulesdsl.load(LITTLE, stack), to=len(record.answers) - 1)
    assert not before.finished and before.unanswered is None


def test_what_no_verdict_on_two_foresees_is_found_by_playing() -> None:
    """Two prohibitions never meet as far as the laws go; a hand of two different numbers only is left with nothing."""
    stack = ("not-the-least", "not-the-most")
    assert [verdict.kind for verdict in judged(DIGITS, stack)] == [Kind.INDEPENDENT]
    judgement = by_play(DIGITS, *stack)
    [verdict] = judgement.verdicts
    assert (verdict.kind, judgement.matches) == (Kind.EMPTY, None)
    assert [finding.slot for finding in verdict.findings] == ["decision give/give"]
    held = marks(position_in(judgement, *stack))
    assert sum(held) == 12 and len(set(held)) == 2


@pytest.mark.parametrize("alone", ["not-the-least", "not-the-most"])
def test_one_of_them_alone_leaves_something(alone: str) -> None:
    """The smallest of different numbers is never the largest, and of equal ones none is left out."""
    judgement = by_play(DIGITS, alone)
    assert judgement.verdicts == () and judgement.matches == 200


def test_the_smallest_group_is_blamed() -> None:
    """A hand without a red card needs nobody else's rule."""
    judgement = by_play(DIGITS, "red", "even")
    assert [v.modifiers for v in judgement.verdicts if v.kind is Kind.EMPTY] == [("red",)]
    position = position_in(judgement, "red")
    assert {refusal.rule for _, refusals in position.refused for refusal in refusals} == {"red"}
    [diagnostic] = judgement.verdicts[-1].diagnostics()
    assert (diagnostic.code, str(diagnostic.span).rpartition("/")[2]) == ("E0913", "game.yaml:30:9")


def test_a_pair_of_which_one_would_do_says_so() -> None:
    judgement = by_play(DIGITS, "red", "not-nine")
    witnesses = {v.modifiers: v.findings[0].witness for v in judgement.verdicts if v.kind is Kind.EMPTY}
    assert witnesses == {("red", "not-nine"): "red would do", ("red",): ""}


def test_a_game_that_is_stuck_by_itself_is_told_as_such(tmp_path: Path) -> None:
    text = (DIGITS / "game.yaml").read_text(encoding="utf-8")
    (tmp_path / "modifiers").mkdir()
    (tmp_path / "game.yaml").write_text(text.replace("card.mark is 0", "card.mark < 5"), encoding="utf-8")
    even = (DIGITS / "modifiers" / "even.yaml").read_text(encoding="utf-8")
    (tmp_path / "modifiers" / "even.yaml").write_text(even, encoding="utf-8")
    judgement = judged_by_play(tmp_path, ["even"], find_stuck)
    assert [verdict.title for verdict in judgement.verdicts] == ["the game alone"]
    assert marks(position_in(judgement)) == [4, 4, 4]  # 12 without a number above 4


def test_narrows_that_always_meet_are_told_not_to_be_proved() -> None:
    """Three numbers that make 12 are never all 9 or more."""
    [verdict] = by_play(DIGITS, "small-ones", "not-nine").verdicts
    [finding] = [finding for finding in verdict.findings if finding.kind is Kind.EMPTY]
    assert finding.position is None and finding.witness == "no match of 200 came to such a position"


def test_numbers_that_can_not_be_written_show_what_is_asked() -> None:
    position = position_in(by_play(DIGITS, "even", "thirteen"), "even", "thirteen")
    assert position.unwritable == ("marks on 3 cards, each one of 2, 4, 6, 8, in all 13",)
    assert position.ask.path == "mark/mark" and position.record.answers == ()


def test_the_search_is_the_same_every_time() -> None:
    program = rulesdsl.load(DIGITS, ["red"])
    assert find_stuck(program) == find_stuck(program)
    assert find_stuck(program, matches=1).position is None  # seed 0 deals red cards to both


def test_other_ways_of_breaking_off_leave_nobody_without_an_answer(tmp_path: Path) -> None:
    text = (DIGITS / "game.yaml").read_text(encoding="utf-8")
    broken = text.replace("- move card to stock", "- draw lucky at random from hand where it.mark is 0")
    (tmp_path / "game.yaml").write_text(broken, encoding="utf-8")
    match = Match(rulesdsl.load(tmp_path))
    random = Random(0)
    while not match.finished:
        match.choose_random(random)
    assert match.result.end == "error" and "nothing to draw" in str(match.result.why)
    assert match.unanswered is None
    assert find_stuck(rulesdsl.load(tmp_path), matches=5).position is None


@pytest.mark.parametrize("game", ["trappola", "tricky-traps", "tricky-kids"])
def test_the_shipped_games_leave_everybody_an_answer(game: str) -> None:
    assert find_stuck(rulesdsl.load(game), matches=20).position is None


# ── by counting ──────────────────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize(
    ("names", "kind"),
    [
        (("even", "thirteen"), Kind.EMPTY),  # even numbers make even sums, whatever their range
        (("threes", "thirteen"), Kind.EMPTY),  # multiples of 3 make multiples of 3
        (("no-small", "even"), Kind.INDEPENDENT),  # 4 + 8
        (("no-small", "thirteen"), Kind.INDEPENDENT),  # 4 + 9
        (("even", "no-small", "thirteen"), Kind.EMPTY),
    ],
)
def test_writings_are_judged_by_the_sums_that_come_about(names: tuple[str, ...], kind: Kind) -> None:
    assert max(judged(DIGITS, names), key=lambda verdict: verdict.kind is Kind.EMPTY).kind is kind


def test_sums_come_about_as_counting_says() -> None:
    random = Random(1)
    for _ in range(300):
        numbers = tuple(random.sample(range(-4, 9), random.randint(1, 4)))
        counts = range(1, random.randint(2, 5))
        low = random.randint(-8, 25)
        high = low + random.choice([0, 0, 2])
        expected = any(low <= sum(row) <= high for count in counts for row in product(numbers, repeat=count))
        found = makes(tuple(map(Fraction, numbers)), counts, Interval(Fraction(low), Fraction(high)))
        assert found == expected


# ── the command ──────────────────────────────────────────────────────────────────────────────────────────────────


def run(*arguments: str) -> tuple[int, str]:
    result = CliRunner().invoke(app, ["stack", *arguments])
    return result.exit_code, result.output


def test_the_command_shows_the_position() -> None:
    code, output = run(str(LITTLE), "lowest-only", "highest-only")
    assert code == 1 and "has no answer to turn()/give: 2 players, seed 0" in output
    assert "refused by `highest` (" in output
    code, output = run(str(LITTLE), "lowest-only", "highest-only", "--format", "markdown")
    assert code == 1 and "\n  - player 1 has no answer to turn()/give" in output


def test_the_command_says_how_far_it_looked() -> None:
    code, output = run(str(DIGITS), "no-small", "even", "--matches", "30")
    assert code == 0 and "nobody was without a legal answer in 30 matches" in output
    code, output = run(str(DIGITS), "not-the-least", "not-the-most", "--matches", "0")
    assert code == 0 and "nobody was" not in output


def test_the_position_is_in_the_json_with_a_record_that_replays(tmp_path: Path) -> None:
    code, output = run(str(LITTLE), "lowest-only", "highest-only", "--format", "json")
    positions = [finding["position"] for finding in json.loads(output)[0]["findings"] if finding["position"]]
    assert code == 1 and len(positions) == 1
    file = tmp_path / "match.json"
    file.write_text(json.dumps(positions[0]["record"]), encoding="utf-8")
    result = CliRunner().invoke(app, ["replay", str(file), "--game", str(LITTLE)])
    assert result.exit_code == 0 and "give: no answer is legal" in result.output


def test_the_matrix_shows_positions_where_answers_may_lack() -> None:
    found = verdicts(LITTLE, ["lowest-only", "highest-only", "no-twos", "at-least-nine", "at-most-four"], find_stuck)
    shown = {names: [f for f in verdict.findings if f.position] for names, verdict in found.pairs.items()}
    assert {names for names, findings in shown.items() if findings} == {frozenset(["lowest-only", "highest-only"])}
