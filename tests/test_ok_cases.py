"""Rule files without mistakes: cases, shipped games and libraries, and the examples of the documents."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from rulesdsl import check
from rulesdsl.cli.test import trials_of

ROOT = Path(__file__).resolve().parent.parent
FILES = sorted(
    path for folder in ("tests/cases/ok", "games", "rulesdsl/std") for path in (ROOT / folder).rglob("*.yaml")
)
SCENARIOS = [path for path in FILES if path.name.endswith(".test.yaml")]
DOCUMENTS = sorted([*(ROOT / "docs").rglob("*.md"), *(ROOT / "games").rglob("*.md"), *ROOT.glob("*.md")])
BLOCK = re.compile(r"^```ya?ml\n(rulesdsl: 1\n.*?)^```$", re.MULTILINE | re.DOTALL)


def examples() -> list[tuple[str, str]]:
    """Every complete rule file in the documents, with the place where it stands."""
    found = []
    for document in DOCUMENTS:
        text = document.read_text(encoding="utf-8")
        for match in BLOCK.finditer(text):
            line = text.count("\n", 0, match.start(1)) + 1
            found.append((f"{document.relative_to(ROOT)}:{line}", match[1]))
    return found


def problems(path: Path) -> list[str]:
    return [f"{one.span}: {one.code}: {one.message}" for one in check(path)]


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.relative_to(ROOT).as_posix())
def test_file(path: Path) -> None:
    assert problems(path) == []


@pytest.mark.parametrize("path", SCENARIOS, ids=lambda path: path.relative_to(ROOT).as_posix())
def test_scenarios(path: Path) -> None:
    trials = list(trials_of(path, None))
    assert trials
    assert [f"{trial.name}: {one.message}" for trial in trials for one in trial.problems] == []


@pytest.mark.parametrize(("place", "text"), examples(), ids=[place for place, _ in examples()])
def test_example(place: str, text: str, tmp_path: Path) -> None:
    path = tmp_path / "example.yaml"
    path.write_text(text, encoding="utf-8")
    assert problems(path) == []


def test_the_documents_have_examples() -> None:
    assert {"README.md"} <= {place.partition(":")[0] for place, _ in examples()}
