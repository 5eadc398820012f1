"""What scenarios make use of is told: each power of each card, each rule, each condition, and what none came to."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest
from typer.testing import CliRunner

import rulesdsl
from project import ROOT
from rulesdsl.cli.app import app
from rulesdsl.interpreter import Coverage, Plain, Scenario, Sort, run_scenario

POWERS = ROOT / "tests" / "cases" / "ok" / "powers"

GAME = """\
rulesdsl: 1
game: lots
players: 2
cards:
  lot:
    file: pieces.yaml
    powers: { acts: steps, worth: number, asks: parts }
zones:
  bag: { seen: nobody, start: all }
  hand: { each: player, seen: owner }
  heap: { seen: everyone }
state:
  points: { each: player, start: 0 }
rules:
  may_take(lot):
    forbid: { empty: count(player.hand) is 0, again: lot in heap }
phases:
  - phase: game
    each: player from first(players)
    rounds: 2
    do: take(player)
procedures:
  take(player):
    - decision: take_one
      optional: true
      choose: { lot: a lot from hand + heap, asked: parts of lot.asks }
      under: may_take
      then:
        - move lot to heap
        - do lot.acts
winners: highest(players by it.points)
"""

LOTS = """\
rulesdsl: 1
cards: pieces
of: lot
rows:
  - name: Fair
    acts:
      - if: player.points > 0
        then: add 2 to player.points
        else: add 1 to player.points
  - name: Twin
    asks: { other: a player from others }
    acts: add 5 to other.points
  - name: Pair
    asks: { other: a player from others }
    acts: add worth(self) to player.points
    worth: 7
  - name: Rest
    worth: 7
"""


def used_by(*scenarios: Scenario, game: Path = POWERS) -> dict[tuple[str, str], int]:
    """By card and power, in how many of the scenarios it was used."""
    coverage, program = Coverage(), rulesdsl.load(str(game))
    for scenario in scenarios:
        assert run_scenario(program, scenario, coverage) == []
    return {
        (used.thing.of, str(used.thing)): used.scenarios
        for used in coverage.used
        if used.thing.sort is Sort.POWER and used.scenarios
    }


@pytest.fixture
def lots(tmp_path: Path) -> Path:
    (tmp_path / "game.yaml").write_text(GAME, encoding="utf-8")
    (tmp_path / "pieces.yaml").write_text(LOTS, encoding="utf-8")
    return tmp_path


def scenarios(folder: Path, text: str) -> None:
    (folder / "lots.test.yaml").write_text(f"rulesdsl: 1\ntest: lots\nof: lots\nscenarios:\n{text}", encoding="utf-8")


def run(*arguments: str) -> tuple[int, str]:
    result = CliRunner().invoke(app, ["test", "--no-color", *arguments])
    return result.exit_code, result.stdout


# ── powers ───────────────────────────────────────────────────────────────────────────────────────────────────────


def test_a_lasting_power_counts_where_its_card_is_in_play_and_only_there() -> None:
    """Both change what happens at the beginning of a turn; the copies in hands and in the book do not."""
    before = Scenario(name="hands", start="turn", zones={"hand": [["Well", "Wall", "Spark"], []]})
    assert used_by(before) == {}
    beside = Scenario(name="grave", start="turn", zones={"hand": [["Spark"], []], "grave": ["Well", "Wall"]})
    assert used_by(beside) == {}
    lying = Scenario(name="tables", start="turn", zones={"hand": [["Spark"], []], "table": [["Well"], ["Wall"]]})
    assert used_by(lying) == {("Well", "lasts income"): 1, ("Wall", "lasts may_cast"): 1}


def test_steps_count_when_they_run_and_parts_when_they_are_chosen() -> None:
    cast = Scenario(
        name="cast",
        start="turn",
        zones={"hand": [["Spark"], ["Wall"]]},
        play=[(0, {"spell": "Spark", "target": "1"})],
    )
    assert used_by(cast) == {("Spark", "aims target"): 1, ("Spark", "works"): 1}
    asked = Scenario(name="asked", start="turn", zones={"hand": [["Spark"], []]}, expect={"decision": "cast"})
    assert used_by(cast, asked, cast) == {("Spark", "aims target"): 2, ("Spark", "works"): 2}


@pytest.mark.parametrize(("table", "counts"), [([["Wall"], []], True), ([[], ["Wall"]], False)])
def test_a_handler_counts_where_its_guard_holds(table: list[Plain], counts: bool) -> None:
    """The wall looks at what its own holder casts."""
    cast = Scenario(
        name="cast",
        start="turn",
        zones={"hand": [["Well"], []], "table": table},
        play=[(0, {"spell": "Well"})],
    )
    assert (("Wall", "lasts after cast") in used_by(cast)) is counts


def test_cards_whose_powers_read_alike_are_told_apart(lots: Path) -> None:
    """`asks` and `worth` of two rows have the same words, and the program keeps them once."""
    scenarios(
        lots,
        "  - name: only one of them\n    start: take\n    zones: { hand: [[Pair], []] }\n"
        "    play: [{ 0: { lot: Pair, other: 1 } }]\n    expect: { state: { points: [7, 0] } }\n",
    )
    code, out = run(str(lots), "--coverage", "--format", "json")
    data = json.loads(out)
    powers = {(each["of"], each["name"]): each["scenarios"] for each in data["coverage"] if each["sort"] == "power"}
    assert code == 0
    assert powers == {
        ("Fair", "acts"): 0,
        ("Twin", "asks"): 0,
        ("Twin", "acts"): 0,
        ("Pair", "asks"): 1,
        ("Pair", "acts"): 1,
        ("Pair", "worth"): 1,
        ("Rest", "worth"): 0,
    }


def test_a_card_may_be_called_like_its_kind_or_like_another(lots: Path) -> None:
    text = LOTS.replace("name: Fair", "name: lot").replace("name: Pair", "name: Twin")
    (lots / "pieces.yaml").write_text(text, encoding="utf-8")
    scenarios(
        lots,
        "  - name: the first\n    start: take\n    zones: { hand: [[lot], []] }\n    play: [{ 0: lot }]\n"
        "    expect: { state: { points: [1, 0] } }\n",
    )
    assert [each["of"] for each in covered(lots) if each["sort"] == "power" and each["scenarios"]] == ["lot"]


def test_steps_that_none_came_to_are_named(lots: Path) -> None:
    scenarios(
        lots,
        "  - name: the first\n    start: take\n    zones: { hand: [[Fair], []] }\n    play: [{ 0: Fair }]\n"
        "    expect: { state: { points: [1, 0] } }\n",
    )
    (fair,) = [each for each in covered(lots) if each["of"] == "Fair"]
    line = LOTS.splitlines().index("        then: add 2 to player.points") + 1
    assert [place.split(":")[-2] for place in fair["left"]] == [str(line)]


def test_conditions_count_when_they_refuse(lots: Path) -> None:
    scenarios(
        lots,
        "  - name: not again\n    start: take\n    zones: { hand: [[Fair], []], heap: [Rest] }\n"
        "    expect: { illegal: { Rest: again } }\n",
    )
    conditions = {each["name"]: each["scenarios"] for each in covered(lots) if each["sort"] == "condition"}
    assert conditions == {"empty": 0, "again": 1}


def covered(folder: Path) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = json.loads(run(str(folder), "--coverage", "--format", "json")[1])["coverage"]
    return found


# ── for build servers ────────────────────────────────────────────────────────────────────────────────────────────


def test_what_is_never_used_fails_only_if_one_asks_for_that(lots: Path) -> None:
    scenarios(
        lots,
        "  - name: nothing\n    start: take\n    zones: { hand: [[Fair], []] }\n    expect: { decision: take_one }\n",
    )
    assert run(str(lots), "--coverage")[0] == 0
    code, out = run(str(lots), "--unused-fails")
    assert code == 1
    assert "never  Rest  worth" in out


def test_all_used_does_not_fail(lots: Path) -> None:
    (lots / "pieces.yaml").write_text(
        "rulesdsl: 1\ncards: pieces\nof: lot\nrows: [{ name: Fair, acts: add 1 to player.points }, { name: Twin }]\n",
        encoding="utf-8",
    )
    (lots / "game.yaml").write_text(GAME.replace("empty: count(player.hand) is 0, ", ""), encoding="utf-8")
    scenarios(
        lots,
        "  - name: the first\n    start: take\n    zones: { hand: [[Fair], []] }\n    play: [{ 0: Fair }]\n"
        "    expect: { winners: 0 }\n"
        "  - name: not again\n    start: take\n    zones: { hand: [[Twin], []], heap: [Fair] }\n"
        "    expect: { illegal: [Fair] }\n",
    )
    code, out = run(str(lots), "--unused-fails")
    assert code == 0, out


def test_results_as_junit(lots: Path) -> None:
    scenarios(
        lots,
        "  - name: good & <well>\n    start: take\n    zones: { hand: [[Fair], []] }\n"
        "    expect: { decision: take_one }\n"
        "  - name: bad\n    start: take\n    zones: { hand: [[Fair], []] }\n    expect: { decision: give_one }\n",
    )
    file = lots / "results.xml"
    assert run(str(lots), "--junit", str(file))[0] == 1
    root = ElementTree.parse(file).getroot()
    assert (root.get("tests"), root.get("failures"), root.get("errors")) == ("2", "1", "0")
    (suite,) = root
    good, bad = suite
    assert (good.get("name"), good.get("line"), list(good)) == ("good & <well>", "5", [])
    failure = bad.find("failure")
    assert bad.get("name") == "bad"
    assert failure is not None
    assert "E1001" in str(failure.get("message"))


def test_a_file_that_cannot_be_written_is_wrong_usage(lots: Path) -> None:
    scenarios(
        lots, "  - name: good\n    start: take\n    zones: { hand: [[Fair], []] }\n    expect: { decision: take_one }\n"
    )
    assert run(str(lots), "--junit", str(lots / "none" / "results.xml"))[0] == 2
