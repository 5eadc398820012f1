"""Settlements: what they make of pairs of modifiers, what comes back without a line, which lines are idle."""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from itertools import combinations
from pathlib import Path
from shutil import copytree

import pytest
from typer.testing import CliRunner

import rulesdsl
from project import ROOT
from rulesdsl import Matrix, check, judged, judged_by_play, verdicts
from rulesdsl.cli.app import app
from rulesdsl.interpreter import find_stuck
from rulesdsl.pipeline import read_settlement
from rulesdsl.syntax.document import SettlementDoc
from rulesdsl.variants.findings import Kind
from rulesdsl.variants.settle import idle_lines, settle, settle_all
from rulesdsl.variants.stack import analysed, modifiers_of
from rulesdsl.variants.verdicts import matrix

GAME = ROOT / "games" / "tricky-kids" / "game.yaml"
EDICTS = ROOT / "tests" / "cases" / "ok" / "edicts"


@cache
def settlement() -> SettlementDoc:
    found = read_settlement(GAME)
    assert found is not None
    return found


@cache
def bare() -> Matrix:
    """The verdicts as if nothing were settled."""
    return matrix("tricky-kids", analysed("tricky-kids", modifiers_of("tricky-kids")))


def names_of(index: int) -> frozenset[str]:
    return frozenset(name.name for name in settlement().pairs[index].of)


NOTES = [index for index, pair in enumerate(settlement().pairs) if pair.note is not None]
LINES = [index for index in range(len(settlement().pairs)) if index not in NOTES]


# ── the twenty pairs ─────────────────────────────────────────────────────────────────────────────────────────────


def test_twenty_pairs_are_settled_two_of_them_by_notes() -> None:
    assert len({names_of(index) for index in (*LINES, *NOTES)}) == 20
    assert {names_of(index) for index in NOTES} == {
        frozenset(["sharing-is-caring", "i-could-have-won"]),
        frozenset(["smalls", "rotten-egg"]),
    }


def test_nothing_that_needs_an_order_or_a_scope_is_left() -> None:
    kinds = [verdict.kind for verdict in verdicts("tricky-kids").pairs.values()]
    assert kinds.count(Kind.SETTLED) == 18
    assert {*kinds} == {Kind.SETTLED, Kind.EXCLUSIVE, Kind.DEAD, Kind.INDEPENDENT}


@pytest.mark.parametrize("index", LINES, ids=lambda index: "+".join(sorted(names_of(index))))
def test_a_pair_whose_line_is_left_out_comes_back(index: int) -> None:
    left = replace(settlement(), pairs=tuple(p for p in settlement().pairs if p is not settlement().pairs[index]))
    verdict = settle_all(bare(), left).pairs[names_of(index)]
    assert verdict.kind in (Kind.ORDER, Kind.READS)
    assert [one.code for one in verdict.diagnostics()] != []
    settled = settle(verdict, settlement())
    assert settled.kind is Kind.SETTLED and list(settled.diagnostics()) == [] and settled.settling() == ()


@pytest.mark.parametrize("index", NOTES, ids=lambda index: "+".join(sorted(names_of(index))))
def test_a_note_says_something_about_a_pair_that_shares_nothing(index: int) -> None:
    assert bare().pairs[names_of(index)].kind is Kind.INDEPENDENT


def test_every_line_settles_something() -> None:
    assert list(idle_lines(settlement(), bare().pairs)) == []
    assert check(GAME.with_name("settlement.yaml")) == []


# ── what settles what ────────────────────────────────────────────────────────────────────────────────────────────

HEAD = "rulesdsl: 1\nsettlement: trial\nof: tricky-kids\ntitle: Trial\npairs:\n"


@pytest.mark.parametrize(
    "entry",
    [
        "  - { of: [rich-kids, yoink], fits: as written }",  # they do not meet
        "  - { of: [pass-it-on, rotten-egg], fits: as written }",  # one is without effect, which is no reading
        "  - { of: [rich-kids, simple-addition], fits: as written }",  # two values stay two values
        "  - { of: [stop-showing-off, yoink], order: { after write: [stop-showing-off, yoink] } }",  # not there
        "  - { of: [rich-kids, simple-addition], changes: { rank_step: 0.5 } }",  # nor in that
    ],
)
def test_a_line_that_settles_nothing_is_reported(entry: str, tmp_path: Path) -> None:
    path = tmp_path / "trial.yaml"
    path.write_text(HEAD + entry + "\n", encoding="utf-8")
    [found] = check(path)
    assert (found.code, found.span.position.line) == ("W0901", 6)


@pytest.mark.parametrize(
    "entry",
    [
        "  - { of: [rich-kids, simple-addition], changes: { hand_total: exactly 42 } }",
        "  - { of: [yoink, stop-showing-off], order: { after audit: [stop-showing-off, yoink] } }",
        "  - { of: [smalls, rotten-egg], note: nothing to settle }",
    ],
)
def test_a_line_that_settles_something_is_not(entry: str, tmp_path: Path) -> None:
    path = tmp_path / "trial.yaml"
    path.write_text(HEAD + entry + "\n", encoding="utf-8")
    assert check(path) == []


def test_a_settled_stack_fits_and_can_be_loaded() -> None:
    for names in (["stop-showing-off", "yoink"], ["simple-addition", "smalls", "take-backsies"]):
        assert {verdict.kind for verdict in judged("tricky-kids", names)} == {Kind.SETTLED}
        assert rulesdsl.load("tricky-kids", names).modifiers == tuple(names)


def test_the_command_shows_what_is_settled_and_where() -> None:
    result = CliRunner().invoke(app, ["stack", "tricky-kids", "stop-showing-off", "yoink"])
    assert result.exit_code == 0 and "settled: stop-showing-off, yoink" in result.output
    result = CliRunner().invoke(app, ["stack", "tricky-kids"])
    assert "18 settled s" in result.output and "settled at games/tricky-kids/settlement.yaml" in result.output


@pytest.mark.parametrize("order", [["low-first", "red-first"], ["red-first", "low-first"]])
def test_the_line_that_the_checker_gives_settles_it_and_counts(order: list[str], tmp_path: Path) -> None:
    """Tiers of two modifiers: which is asked first is what the settlement says."""
    little = tmp_path / "little"
    copytree(ROOT / "tests" / "cases" / "variants" / "little", little)
    [verdict] = judged(little, order)
    assert verdict.kind is Kind.ORDER
    lines = "\n".join(f"  {line}" for line in verdict.settling())
    head = "rulesdsl: 1\nsettlement: little\nof: little\ntitle: Little\npairs:\n"
    (little / "settlement.yaml").write_text(f"{head}{lines}\n", encoding="utf-8")
    assert [verdict.kind for verdict in judged(little, order)] == [Kind.SETTLED]
    [legality] = rulesdsl.load(little, order).legalities
    assert [tier.name for tier in legality.tiers] == [name.removesuffix("-first") for name in order]


# ── at the table ─────────────────────────────────────────────────────────────────────────────────────────────────


def test_rule_cards_go_by_the_same_verdicts() -> None:
    """What a match knows of its rule cards is what the checker says of the modifiers."""
    known = rulesdsl.load("tricky-kids", options={"mode": "mega"}).verdicts
    told = verdicts("tricky-kids")
    clashing = {pair for pair in combinations(told.modifiers, 2) if told.clashes(pair[0], [pair[1]])}
    assert set(known.exclusive) == clashing and len(clashing) == 9
    assert set(known.idle) == {
        ("heads-up-7-up", "ring-around-the-rosie"),
        ("rotten-egg", "pass-it-on"),
        ("rotten-egg", "your-other-right"),
    }


def test_a_game_with_rule_cards_in_every_match_is_judged_without_them() -> None:
    found = verdicts(EDICTS)
    assert found.verdict("by-marks", "low-wins").kind is Kind.SETTLED
    assert found.verdict("low-wins", "middle-wins").kind is Kind.EXCLUSIVE
    assert set(rulesdsl.load(EDICTS).verdicts.exclusive) == {("by-marks", "middle-wins"), ("low-wins", "middle-wins")}


# ── three and more ───────────────────────────────────────────────────────────────────────────────────────────────

LITTLE = ROOT / "tests" / "cases" / "variants" / "little"
DIGITS = ROOT / "tests" / "cases" / "variants" / "digits"


def with_settlement(folder: Path, entries: str, tmp_path: Path) -> Path:
    """A copy of a game with a settlement of these entries; the path of the settlement."""
    copytree(folder, tmp_path / folder.name)
    path = tmp_path / folder.name / "settlement.yaml"
    head = f"rulesdsl: 1\nsettlement: trial\nof: {folder.name}\ntitle: Trial\npairs:\n"
    path.write_text(head + entries, encoding="utf-8")
    return path


TIERS = "  - { of: [low-first, red-first, fines], order: { may_give: [low-first, red-first] } }\n"
COUNTED = "[counts-turns, forgets-turns, counts-turns-too]"
TURNS = f"  - of: {COUNTED}\n    order: {{ after turns: {COUNTED} }}\n"


def test_what_is_settled_for_three_holds_where_all_three_are(tmp_path: Path) -> None:
    path = with_settlement(LITTLE, TURNS, tmp_path)
    assert check(path) == []
    assert [v.kind for v in judged(path.parent, ["counts-turns", "forgets-turns"])] == [Kind.ORDER]
    kinds = {v.modifiers: v.kind for v in judged(path.parent, ["counts-turns", "forgets-turns", "counts-turns-too"])}
    assert kinds[("counts-turns", "forgets-turns")] is Kind.SETTLED
    names = ["counts-turns", "counts-turns-too", "fines", "forgets-turns"]
    kinds = {v.modifiers: v.kind for v in judged(path.parent, names)}
    assert kinds[("counts-turns", "forgets-turns")] is Kind.SETTLED
    rulesdsl.load(path.parent, names)


def test_an_order_settles_only_those_that_it_lists(tmp_path: Path) -> None:
    entry = "  - of: [counts-turns, forgets-turns, counts-turns-too]\n"
    path = with_settlement(LITTLE, entry + "    order: { after turns: [counts-turns, forgets-turns] }\n", tmp_path)
    kinds = {v.modifiers: v.kind for v in judged(path.parent, ["counts-turns", "forgets-turns", "counts-turns-too"])}
    assert kinds[("counts-turns", "forgets-turns")] is Kind.SETTLED
    assert kinds[("forgets-turns", "counts-turns-too")] is Kind.ORDER


def test_what_three_write_is_settled_by_a_rule_that_it_goes_by(tmp_path: Path) -> None:
    """Any two leave numbers that make 8, all three none; the settlement asks for 12 then, which 6 and 6 make."""
    names = ["marks-eight", "marks-high", "marks-small"]
    path = with_settlement(LITTLE, f"  - {{ of: [{', '.join(names)}], changes: {{ target: exactly 18 }} }}\n", tmp_path)
    assert check(path) == []
    assert [v.kind for v in judged(LITTLE, names)] == [Kind.INDEPENDENT] * 3 + [Kind.EMPTY]
    assert [v.kind for v in judged(path.parent, names)] == [Kind.INDEPENDENT] * 3 + [Kind.SETTLED]
    judgement = judged_by_play(path.parent, names, find_stuck)
    assert judgement.matches == 200  # three cards, 6 on each


def test_a_settlement_that_leaves_nothing_either_is_found_by_playing(tmp_path: Path) -> None:
    names = ["marks-eight", "marks-high", "marks-small"]
    path = with_settlement(LITTLE, f"  - {{ of: [{', '.join(names)}], changes: {{ target: exactly 9 }} }}\n", tmp_path)
    judgement = judged_by_play(path.parent, names, find_stuck)
    assert judgement.verdicts[3].kind is Kind.SETTLED
    [found] = [v for v in judgement.verdicts if v.kind is Kind.EMPTY]
    assert judgement.matches is None and found.open[0].position is not None  # no three numbers from 5 on make 9


@pytest.mark.parametrize(
    ("entry", "said"),
    [
        ("  - { of: [fines, heap, open-hands], fits: as written }\n", "do not meet, so there is nothing to settle"),
        ("  - { of: [no-twos, no-threes, lowest-only], order: { may_give: [no-twos, no-threes] } }\n", "need no order"),
        ("  - { of: [low-first, red-first, counts-turns], changes: { bonus: 4 } }\n", "do not meet in 'bonus'"),
        ("  - { of: [bonus-one, bonus-two, start-five], fits: as written }\n", "none of"),
        (TIERS, "'fines' meets none of the others"),
    ],
)
def test_a_line_on_three_that_settles_nothing_is_reported(entry: str, said: str, tmp_path: Path) -> None:
    found = check(with_settlement(LITTLE, entry, tmp_path))
    assert {one.code for one in found} == {"W0901"} and any(said in one.message for one in found)


def test_a_note_on_three_is_for_people(tmp_path: Path) -> None:
    path = with_settlement(LITTLE, "  - { of: [fines, heap, open-hands], note: nothing to settle }\n", tmp_path)
    assert check(path) == []
