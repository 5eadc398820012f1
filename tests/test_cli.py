"""The command line as people and scripts meet it: exit statuses, what goes where, what is imported when."""

from __future__ import annotations

import csv
import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from typer.testing import CliRunner

import rulesdsl
from rulesdsl.cli.app import app
from rulesdsl.interpreter import Kind, Match

RUNNER = CliRunner()


def run(*arguments: str, stdin: str = "") -> tuple[int, str, str]:
    """A command in this process: its exit status, standard output and standard error."""
    result = RUNNER.invoke(app, list(arguments), input=stdin, env={"NO_COLOR": "1", "COLUMNS": "120"})
    if result.exception is not None and not isinstance(result.exception, SystemExit):
        raise result.exception
    return result.exit_code, result.stdout, result.stderr


def python(code: str, *, cwd: Path | None = None) -> subprocess.CompletedProcess[str]:
    """A fresh interpreter."""
    environment = {**os.environ, "NO_COLOR": "1"}
    return subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, cwd=cwd, env=environment)


@pytest.mark.parametrize("arguments", [["--help"], ["--version"], ["play", "--help"]])
def test_help_loads_nothing_heavy(arguments: list[str]) -> None:
    done = python(
        "import sys\n"
        "from rulesdsl.cli.app import main\n"
        f"sys.argv = ['rulesdsl', *{arguments}]\n"
        "try: main()\n"
        "except SystemExit as end: assert not end.code, end.code\n"
        "heavy = {'lark', 'jsonschema', 'yaml', 'rulesdsl.pipeline', 'rulesdsl.interpreter'} & set(sys.modules)\n"
        "assert not heavy, heavy\n"
    )
    assert done.returncode == 0, done.stderr


def test_wrong_usage_ends_with_2() -> None:
    assert run()[0] == 2
    assert run("validate")[0] == 2
    assert run("play")[0] == 2
    assert run("dance")[0] == 2
    assert run("simulate", "nothing", "--games", "many")[0] == 2


def test_a_defect_of_ours_ends_with_3_and_says_what_to_report() -> None:
    done = python(
        "import sys\n"
        "import rulesdsl.cli.validate as module\n"
        "def broken(*_, **__): raise ZeroDivisionError('no')\n"
        "module.validate = broken\n"
        "from rulesdsl.cli.app import main\n"
        "sys.argv = ['rulesdsl', 'validate', 'x.yaml']\n"
        "main()\n"
    )
    assert done.returncode == 3
    assert done.stdout == ""
    assert "report" in done.stderr
    assert "ZeroDivisionError" in done.stderr


def test_an_interruption_ends_with_130() -> None:
    done = python(
        "import sys\n"
        "import rulesdsl.cli.validate as module\n"
        "def interrupted(*_, **__): raise KeyboardInterrupt\n"
        "module.validate = interrupted\n"
        "from rulesdsl.cli.app import main\n"
        "sys.argv = ['rulesdsl', 'validate', 'x.yaml']\n"
        "main()\n"
    )
    assert done.returncode == 130
    assert "Traceback" not in done.stderr


# ── validate ─────────────────────────────────────────────────────────────────────────────────────────────────────


def test_a_missing_file_is_a_problem_and_an_empty_folder_wrong_usage(tmp_path: Path) -> None:
    status, out, err = run("validate", str(tmp_path / "none.yaml"))
    assert status == 1
    assert "none.yaml:1:1: error[E" in out
    assert "1 error, 1 file checked" in err
    status, out, err = run("validate", str(tmp_path))
    assert (status, out) == (2, "")
    assert "no rule files" in err


def test_problems_as_json_are_alone_on_standard_output(tmp_path: Path) -> None:
    file = tmp_path / "a.yaml"
    file.write_text("rulesdsl: 1\ngame: a\nplayers: 2\nplayers: 3\n")
    status, out, _ = run("validate", str(file), "--format", "json")
    assert status == 1
    found = json.loads(out)
    place = {"file", "line", "column", "end_line", "end_column"}
    assert set(found[0]) == {"code", "severity", "message", "help", "related"} | place
    assert any(problem["line"] == 4 for problem in found)


def test_problems_for_github(tmp_path: Path) -> None:
    file = tmp_path / "a.yaml"
    file.write_text("rulesdsl: 1\ngame: a\nplayers: 2\nplayers: 3\n")
    status, out, _ = run("validate", str(file), "--format", "github")
    assert status == 1
    assert all(line.startswith("::error file=") for line in out.splitlines())


def test_folders_are_searched_and_hidden_ones_left_out(tmp_path: Path) -> None:
    (tmp_path / "inner").mkdir()
    (tmp_path / ".git").mkdir()
    for folder in ("inner", ".git"):
        (tmp_path / folder / "a.yaml").write_text("- no mapping\n")
    status, out, err = run("validate", str(tmp_path))
    assert status == 1
    assert "1 file checked" in err
    assert ".git" not in out


# ── explain ──────────────────────────────────────────────────────────────────────────────────────────────────────


def test_a_code_is_explained_in_any_spelling() -> None:
    status, out, _ = run("explain", "e0104")
    assert status == 0
    assert out.startswith("# E0104")


@pytest.mark.parametrize("code", ["E9999", "banana", "E1"])
def test_an_unknown_code_is_wrong_usage(code: str) -> None:
    status, out, err = run("explain", code)
    assert (status, out) == (2, "")
    assert code in err


# ── play, replay, simulate, test ─────────────────────────────────────────────────────────────────────────────────


def test_bots_play_a_whole_match_that_replays(tmp_path: Path) -> None:
    file = tmp_path / "match.json"
    status, out, _ = run("play", "trappola", "--bots", "--seed", "5", "--record", str(file))
    assert status == 0
    assert "Player 0 wins." in out or "Player 1 wins." in out or "share the victory" in out
    status, shown, err = run("replay", str(file))
    assert status == 0
    assert "all as recorded" in err
    # What was told while it was played is told again.
    told = [line for line in out.splitlines() if " plays " in line]
    assert told
    assert [line for line in shown.splitlines() if " plays " in line] == told
    status, out, _ = run("replay", str(file), "--format", "json", "--to", "3")
    assert json.loads(out)["answers"] == 3


@pytest.mark.parametrize("changes", ["", "changes:\n  last_trick: 0\n"])
def test_a_match_of_ones_own_variant_replays(tmp_path: Path, changes: str) -> None:
    variant, file = tmp_path / "evening.yaml", tmp_path / "match.json"
    variant.write_text(f"rulesdsl: 1\nvariant: evening\nof: trappola\nwith: [single-exchange]\n{changes}")
    assert run("play", str(variant), "--bots", "--seed", "5", "--record", str(file))[0] == 0
    assert run("replay", str(file), "--game", str(variant))[0] == 0


def test_settings_are_replayed(tmp_path: Path) -> None:
    file = tmp_path / "match.json"
    settings = ["--set", "draft=false", "--set", "rounds=1", "--with", "double-last-round", "--players", "3"]
    assert run("play", "tricky-traps", *settings, "--bots", "--seed", "5", "--record", str(file))[0] == 0
    assert run("replay", str(file))[0] == 0


def test_a_record_of_changed_rules_is_refused(tmp_path: Path) -> None:
    file = tmp_path / "match.json"
    run("play", "trappola", "--bots", "--seed", "5", "--record", str(file))
    data = json.loads(file.read_text())
    data["program"], data["files"]["trappola/game.yaml"] = "0", "0"
    file.write_text(json.dumps(data))
    status, out, err = run("replay", str(file))
    assert (status, out) == (1, "")
    assert "the rules have changed" in err
    file.write_text("no JSON")
    assert run("replay", str(file))[0] == 1
    assert run("replay", str(tmp_path / "none.json"))[0] == 2


def test_a_person_plays() -> None:
    entries = "undo\n1\n?\noptions\ntable\nrules\nwhy acorns\nacorns\n" + "1\n" * 40
    status, out, err = run("play", "trappola", "--seed", "4", "--seat", "0", stdin=entries)
    assert status == 0, err
    assert "There is no card 'acorns'." in out
    assert "There is nothing to take back." in out
    assert "What we assumed" in out
    assert "wins." in out or "share the victory" in out


def test_people_share_a_terminal() -> None:
    status, out, err = run("play", "trappola", "--hot-seat", "--seed", "4", stdin="\n1\n" * 40)
    assert status == 0, err
    assert "player 0, it is your turn" in out
    assert "player 1, it is your turn" in out
    assert "wins." in out or "share the victory" in out
    # What one player draws the other isn't told.
    first, second = (part for part in out.split("it is your turn")[1:3])
    assert ("cards: stock → hand 0" in first) is not ("cards: stock → hand 0" in second)


def test_a_wrong_entry_is_explained_by_its_rule() -> None:
    # With this seed player 0 holds hearts when one is led to him.
    status, out, _ = run("play", "trappola", "--seed", "13", stdin="1\nK of diamonds\nwhy K of d\nquit\n")
    assert status == 0
    assert out.count("keeps the rule follow_suit") == 2
    assert "rulesdsl/std/tricks.yaml:" in out
    assert out.rstrip().endswith("Stopped.")


def test_taking_back_asks_again() -> None:
    _, out, _ = run("play", "trappola", "--seed", "13", stdin="1\n1\nundo\n2\nquit\n")
    assert "Taken back." in out
    assert out.count("player 0: follow: 1) J of hearts, 2) Q of hearts") == 2


def test_several_cards_are_chosen_at_once() -> None:
    _, out, err = run("play", "tricky-traps", "--players", "2", "--seed", "2", stdin="44\nquit\n")
    assert "player 0: keep (several: with commas between them)" in out
    hand = next(line for line in out.splitlines() if line.startswith("  packet 0"))
    cards = hand.removeprefix("  packet 0").strip().split(", ")
    assert len(cards) == 9
    chosen = f"{cards[8]}, {cards[0]},{cards[4]}"
    _, out, err = run("play", "tricky-traps", "--players", "2", "--seed", "2", stdin=f"{chosen}\nquit\n")
    kept = next(line for line in out.splitlines() if "packet 0 → hand 0" in line)
    assert ", ".join(sorted((cards[8], cards[0], cards[4]), key=int)) in kept, err


def test_an_answer_in_parts_can_be_given_in_one_line() -> None:
    game = rulesdsl.load("bloody-legacy")
    matches = (Match(game, players=3, seed=seed) for seed in range(100))
    match = next(
        m for m in matches if m.decision.player == 0 and m.decision.kind is Kind.PARTS and m.decision.count > 4
    )
    first, second = (option.text for option in match.decision.options[:2])
    entries = [f"{first}, 7", f"{first}, 1, 2", second, "undo", f"{first}, player 2", "quit"]
    setting = ("play", "bloody-legacy", "--players", "3", "--seed", str(match.seed), "--seat", "0")
    _, out, err = run(*setting, stdin="\n".join(entries) + "\n")
    assert "player 0: attack, trap: 1)" in out, err
    assert "'7' is none of the options." in out
    assert "'2' is more than is asked for." in out
    assert f"player 0: attack (trap {second}), victim: 1) player 1, 2) player 2" in out
    assert f"player 0, attack: victim 2\n{first}: hand 0 → pending" in out


def test_what_players_have_lost_is_shown() -> None:
    lines = run("play", "bloody-legacy", "--players", "2", "--seed", "1", stdin="1\n" * 60)[1].splitlines()
    lives = [line for line in lines if line.startswith("  lives: ")]
    assert lives
    assert "  lives: 3, 3" not in lives


def test_wrong_settings_are_wrong_usage() -> None:
    assert run("play", "trappola", "--players", "3")[0] == 2
    assert run("play", "trappola", "--seat", "5")[0] == 2
    assert run("play", "trappola", "--set", "rounds")[0] == 2
    assert run("simulate", "tricky-traps", "--players", "3", "--bot", "random", "--bot", "greedy")[0] == 2
    assert run("test", "README.md", "--only", "nothing at all")[0] != 0


def test_a_game_that_does_not_exist_has_its_diagnostic() -> None:
    done = python(
        "import sys\nfrom rulesdsl.cli.app import main\nsys.argv = ['rulesdsl', 'play', 'trappolo', '--bots']\nmain()"
    )
    assert done.returncode == 1
    assert done.stdout == ""
    assert "E0315" in done.stderr
    assert "trappola" in done.stderr


def test_a_report_is_alone_on_standard_output_and_the_same_for_a_seed() -> None:
    arguments = ["simulate", "trappola", "--games", "30", "--seed", "4", "--format", "json"]
    status, out, _ = run(*arguments)
    report = json.loads(out)
    assert status == 0
    assert report["matches"] == 30
    assert sum(seat["win_share"] for seat in report["seats"]) == pytest.approx(1)
    assert run(*arguments)[1] == out
    status, out, _ = run(*arguments[:-2])
    assert out.startswith("Trappola: 30 matches")


def test_a_line_for_each_match(tmp_path: Path) -> None:
    file = tmp_path / "matches.csv"
    status, out, _ = run("simulate", "trappola", "-n", "4", "--seed", "4", "--format", "json", "--csv", str(file))
    rows = list(csv.DictReader(file.read_text(encoding="utf-8").splitlines()))
    assert status == 0
    assert [row["match"] for row in rows] == ["0", "1", "2", "3"]
    for seat in json.loads(out)["seats"]:
        number = str(seat["seat"])
        assert sum(number in row["winners"].split() for row in rows) == seat["wins"]
        assert sum(int(row[f"score {number}"]) for row in rows) / 4 == seat["score"]["mean"]
    assert run("simulate", "trappola", "-n", "1", "--csv", str(tmp_path / "none" / "matches.csv"))[0] == 2
    assert run("simulate", "trappola", "--bot", "brave")[0] == 2


SCENARIO = """\
rulesdsl: 1
test: example
of: trappola

scenarios:
  - name: who can follow must
    start: play_tricks
    state: { dealer: 1 }
    zones:
      hand: [[9 of hearts], [A of hearts, K of clubs]]
    play:
      - 0: 9 of hearts
    expect:
      illegal: { K of clubs: follow_suit }
  - name: a wrong one
    start: play_tricks
    state: { dealer: 1 }
    zones:
      hand: [[9 of hearts], [A of hearts, K of clubs]]
    expect:
      player: 1
"""


def test_scenarios_pass_and_fail_with_their_lines(tmp_path: Path) -> None:
    file = tmp_path / "example.test.yaml"
    file.write_text(SCENARIO)
    status, out, err = run("test", str(tmp_path))
    assert status == 1
    assert "passed" in out.splitlines()[0]
    assert f"{file}:21:15: error[E1001]: player 0 is asked" in out
    assert "1 passed, 1 failed, in 1 files" in err
    status, out, _ = run("test", str(file), "--only", "FOLLOW", "--format", "json")
    assert status == 0
    (result,) = json.loads(out)
    assert (result["scenario"], result["passed"], result["line"]) == ("who can follow must", True, 6)
    file.write_text(SCENARIO.replace("zones:", "zone:", 1))
    assert run("test", str(file))[0] == 1
    assert run("test", str(tmp_path / "modifiers"))[0] == 1  # a missing file is a problem like any other
