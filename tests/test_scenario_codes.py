"""What can be wrong with a scenario, explained: the wrong example has that problem alone, the right one none."""

from __future__ import annotations

import re
from importlib.resources import files
from pathlib import Path

import pytest

from rulesdsl.cli.test import trials_of
from rulesdsl.interpreter.scenario import failure

CODES = sorted(value for name, value in vars(failure).items() if name.isupper() and isinstance(value, str))


def examples(code: str) -> dict[str, str]:
    text = (files("rulesdsl") / "explain" / f"{code}.md").read_text(encoding="utf-8")
    return dict(re.findall(r"```yaml (wrong|right)\n(.*?)```", text, re.DOTALL))


def codes_of(text: str, file: Path) -> list[str]:
    file.write_text(text, encoding="utf-8")
    return [problem.code for trial in trials_of(file, None) for problem in trial.problems]


def test_there_are_codes() -> None:
    assert len(CODES) == 6


@pytest.mark.parametrize("code", CODES)
def test_examples_are_true(code: str, tmp_path: Path) -> None:
    shown = examples(code)
    assert codes_of(shown["wrong"], tmp_path / "wrong.test.yaml") == [code]
    assert codes_of(shown["right"], tmp_path / "right.test.yaml") == []
