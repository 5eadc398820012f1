"""Every diagnostic code is explained, with a wrong and a right example that are what they say, and has a case."""

from __future__ import annotations

import re
from importlib.resources import files
from pathlib import Path

import pytest

from project import ROOT
from rulesdsl import check

CODE = re.compile(r"""["']([EWN][0-9]{4})["']""")
BLOCK = re.compile(r"^```yaml (wrong|right)(?: (\S+))?\n(.*?)^```$", re.MULTILINE | re.DOTALL)
EXPLANATIONS = Path(str(files("rulesdsl"))) / "explain"
CASES = ROOT / "tests" / "cases"

OF_FILES = frozenset(["E0101", "E0104", "E0170", "E0171", "E0172", "E0174"])
"""About the file itself, its size, its place, its bytes: no rule file can show them. `test_yaml.py` does."""

OF_CHARACTERS = frozenset(["E0173"])
"""About characters that a document can't show any more than a rule file; its cases hold them."""

OF_SCENARIOS = re.compile("E10..")
"""What can be wrong with scenarios, found by playing them: `test_scenario_codes.py` has their examples."""

OF_TWO_FILES = frozenset(["E0304", "E0606", "E0906", "E0910", "E0911", "E0921", "E0922"])
"""Of two libraries or modifiers that are right by themselves: the examples of their explanations are their cases."""

OF_STACKS = frozenset(["E0912", "E0913", "W0914", "N0915"])
"""Verdicts on two modifiers beside one another: `test_stack.py` judges the examples of their explanations."""


def codes() -> list[str]:
    """Every code that stands in the source."""
    found: set[str] = set()
    for folder in ("rulesdsl", "interpreter", "cli"):
        for path in (ROOT / folder).rglob("*.py"):
            found.update(CODE.findall(path.read_text(encoding="utf-8")))
    return sorted(found)


CODES = codes()
CHECKED = [code for code in CODES if code not in OF_FILES and not OF_SCENARIOS.fullmatch(code)]

SHOWN = [code for code in CHECKED if code not in OF_CHARACTERS | OF_STACKS]


def explanation(code: str) -> str:
    return (EXPLANATIONS / f"{code}.md").read_text(encoding="utf-8")


def found_in(code: str, kind: str, folder: Path) -> list[str]:
    """The codes that the wrong or the right example gives; files of its own that it needs come before it."""
    last: Path | None = None
    for is_kind, name, text in BLOCK.findall(explanation(code)):
        if is_kind == kind:
            last = folder / (name or "example.yaml")
            last.parent.mkdir(exist_ok=True)
            last.write_text(text, encoding="utf-8")
    assert last is not None and last.name == "example.yaml", f"no {kind} example"
    return [one.code for one in check(last)]


def test_there_are_many_codes() -> None:
    assert len(CODES) >= 40
    assert OF_FILES | OF_TWO_FILES <= set(CODES)


def test_every_code_is_explained_and_no_other() -> None:
    assert sorted(path.stem for path in EXPLANATIONS.glob("*.md")) == CODES


@pytest.mark.parametrize("code", CODES)
def test_an_explanation_has_its_form(code: str) -> None:
    head, blank, text = explanation(code).split("\n", 2)
    assert re.fullmatch(rf"# {code}: ([^A-Z.]|YAML )([^.]|\.\S)*", head) and blank == ""
    assert text.partition("```")[0].strip().endswith((".", "`.", '".'))


@pytest.mark.parametrize("code", SHOWN)
def test_the_wrong_example_gives_the_code_alone(code: str, tmp_path: Path) -> None:
    assert set(found_in(code, "wrong", tmp_path)) == {code}


@pytest.mark.parametrize("code", SHOWN)
def test_the_right_example_gives_nothing(code: str, tmp_path: Path) -> None:
    assert found_in(code, "right", tmp_path) == []


def test_every_code_has_a_case() -> None:
    cases = {path.name[:5] for inner in ("err", "warn") for path in (CASES / inner).rglob("*.yaml")}
    assert [code for code in CHECKED if code not in cases | OF_TWO_FILES | OF_STACKS] == []
