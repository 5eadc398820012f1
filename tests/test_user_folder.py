"""House rules in a folder of somebody's own, far from the project: every command takes them."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner

from rulesdsl.cli.app import app

RUNNER = CliRunner()

FILES = {
    "modifiers/zeros-count.yaml": """\
rulesdsl: 1
modifier: zeros-count
of: tricky-kids
title: A point for each zero in front of a player

changes:
  points(player): { add: count(player.laid where it.rank is 0) }
""",
    "modifiers/big-zero.yaml": """\
rulesdsl: 1
modifier: big-zero
of: tricky-kids
title: A zero earns its token
kind: tricky_rule

changes:
  earns(play): true
""",
    "variants/short.yaml": """\
rulesdsl: 1
variant: short
of: tricky-kids
title: One round, where zeros count

with: [zeros-count, smalls]
options: { final_tie: random }
changes:
  phase rounds: { until: round is 1 }
""",
    "variants/cards.yaml": """\
rulesdsl: 1
variant: cards
of: tricky-kids
title: A rule card every round, ours among them

options: { mode: tricky }
""",
    "tests/short.test.yaml": """\
rulesdsl: 1
test: short
of: short

scenarios:
  - name: the variant's own modifier counts
    zones: { laid: [[ball 0, ball 2], [ball 3]] }
    expect: { values: { points: [1, 0] } }
  - name: and so does one of the game beside it
    with: [yoink]
    start: audit
    state: { round: 1, gained: [[{ value: 3, tokens: 1 }], []] }
    expect:
      finished: true
      winners: [1]
""",
    "tests/zeros-count.test.yaml": """\
rulesdsl: 1
test: zeros-count
of: tricky-kids

scenarios:
  - name: a modifier of the folder beside one of the game
    with: [zeros-count, yoink]
    zones: { laid: [[ball 0, ball 0], [ball 3]] }
    expect: { values: { points: [2, 0] } }
""",
    "tests/cards.test.yaml": """\
rulesdsl: 1
test: cards
of: cards

scenarios:
  - name: a rule of the folder is a card among the others
    start: rule_card
    state: { round: 1 }
    zones: { rule_deck: [big-zero, smalls] }
    expect:
      after: rule_card
      zones: { in_force: [big-zero] }
""",
}
OF_GAME = 18
"""The rules that come with the game."""


def run(*arguments: str) -> tuple[int, str, str]:
    """A command: its exit status, standard output and standard error."""
    result = RUNNER.invoke(app, list(arguments), env={"NO_COLOR": "1", "COLUMNS": "120"})
    if result.exception is not None and not isinstance(result.exception, SystemExit):
        raise result.exception
    return result.exit_code, result.stdout, result.stderr


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    home = tmp_path_factory.mktemp("ours")
    for name, text in FILES.items():
        path = home / name
        path.parent.mkdir(exist_ok=True)
        path.write_text(text, encoding="utf-8")
    return home


@pytest.fixture
def modifier(folder: Path) -> str:
    return str(folder / "modifiers" / "zeros-count.yaml")


@pytest.fixture
def variant(folder: Path) -> str:
    return str(folder / "variants" / "short.yaml")


def test_validate_and_test(folder: Path) -> None:
    status, out, err = run("validate", str(folder))
    assert (status, out) == (0, "")
    assert f"{len(FILES)} files checked" in err
    status, out, err = run("test", str(folder))
    assert status == 0, out
    assert "4 passed" in err


def test_names_are_enough_within_the_folder(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(folder)
    assert run("validate", ".")[0] == 0
    assert run("test", "tests")[0] == 0
    assert run("play", "variants/short.yaml", "--with", "big-zero", "--bots", "--seed", "1")[0] == 0


def test_simulate(modifier: str, variant: str) -> None:
    for game in (["tricky-kids", "--with", modifier], [variant], [variant, "--with", "yoink"]):
        status, out, _ = run("simulate", *game, "--games", "2", "--seed", "1", "--format", "json")
        assert status == 0
        assert json.loads(out)


def test_diff(modifier: str, variant: str) -> None:
    status, out, _ = run("diff", "tricky-kids", f"tricky-kids+{modifier}", "--format", "json")
    assert status == 1
    (edit,) = (edit for edit in json.loads(out) if not edit["consequence"])
    assert edit["area"] == "scoring"
    assert edit["new"].endswith("zeros-count.yaml:7:3")
    status, out, _ = run("diff", "tricky-kids", variant, "--format", "json")
    assert status == 1
    seen = [edit for edit in json.loads(out) if not edit["consequence"]]
    assert {edit["area"] for edit in seen} == {"end", "legality", "scoring", "set-up"}
    assert run("diff", variant, variant)[0] == 0


def test_stack(modifier: str, variant: str) -> None:
    status, out, _ = run("stack", "tricky-kids", modifier, "yoink", "--format", "json")
    assert status == 0
    assert [verdict["verdict"] for verdict in json.loads(out)] == ["independent"]
    status, out, _ = run("stack", variant, "big-zero", "zeros-count", "--format", "json")
    assert status == 0
    assert [verdict["modifiers"] for verdict in json.loads(out)] == [["big-zero", "zeros-count"]]
    assert run("stack", variant, "pass-it-on", "your-other-right")[0] == 1


def test_the_matrix_of_a_variant_has_the_modifiers_of_its_folder_too(variant: str) -> None:
    status, out, _ = run("stack", variant, "--format", "json")
    assert status == 0
    matrix = json.loads(out)
    assert len(matrix["modifiers"]) == OF_GAME + 2
    assert {"big-zero", "zeros-count", "smalls"} <= set(matrix["modifiers"])
    verdicts = {tuple(pair["modifiers"]): pair["verdict"] for pair in matrix["pairs"]}
    assert verdicts["rich-kids", "simple-addition"] == "exclusive"
    assert verdicts["stop-showing-off", "yoink"] == "settled"  # as the game's own settlement has it


def test_a_variant_is_played_and_replayed(variant: str, tmp_path: Path) -> None:
    record = str(tmp_path / "match.json")
    assert run("play", variant, "--with", "yoink", "--bots", "--seed", "3", "--record", record)[0] == 0
    status, _, err = run("replay", record, "--game", variant)
    assert status == 0
    assert "all as recorded" in err
    played = json.loads(Path(record).read_text(encoding="utf-8"))
    assert played["modifiers"] == ["smalls", "yoink", "zeros-count"]


def test_a_modifier_is_played_and_replayed(modifier: str, tmp_path: Path) -> None:
    record = str(tmp_path / "match.json")
    assert run("play", "tricky-kids", "--with", modifier, "--bots", "--seed", "3", "--record", record)[0] == 0
    assert run("replay", record, "--with", modifier)[0] == 0
    assert run("replay", record, "--with", str(Path(modifier).with_name("big-zero.yaml")))[0] == 2


def test_rule_cards_of_the_folder_are_played_and_replayed(folder: Path, tmp_path: Path) -> None:
    record, variant = str(tmp_path / "match.json"), str(folder / "variants" / "cards.yaml")
    assert run("play", variant, "--bots", "--players", "3", "--seed", "3", "--record", record)[0] == 0
    assert run("replay", record, "--game", variant)[0] == 0
