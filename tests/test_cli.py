"""The command line as people and scripts meet it: exit statuses, what goes where, what is imported when."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from typer.testing import CliRunner

from rulesdsl.cli.app import app

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
    assert {"code", "severity", "file", "line", "column", "end_line", "end_column", "message", "help", "related"} == set(
        found[0]
    )
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
