"""Rule files with mistakes: each gives exactly the codes and places that the file beside it lists."""

from __future__ import annotations

from pathlib import Path

import pytest

from rulesdsl import Severity, check

FOLDER = Path(__file__).parent / "cases"
CASES = sorted(path for inner in ("err", "warn") for path in (FOLDER / inner).rglob("*.yaml"))


@pytest.mark.parametrize("path", CASES, ids=lambda path: path.stem)
def test_case(path: Path) -> None:
    found = [f"{one.code} {one.span.position.line}:{one.span.position.column}" for one in check(path)]
    assert found == path.with_suffix(".out").read_text(encoding="utf-8").splitlines()


@pytest.mark.parametrize("path", CASES, ids=lambda path: path.stem)
def test_case_is_named_after_a_code_that_it_gives(path: Path) -> None:
    codes = [line.split()[0] for line in path.with_suffix(".out").read_text(encoding="utf-8").splitlines()]
    assert path.stem[:5] in codes


def test_what_is_said_is_short_and_plain() -> None:
    """Messages and help begin small, unless with a name, and end without a full stop; each mistake is said once."""
    for path in CASES:
        found = check(path)
        assert len({(one.code, one.span.start, one.span.source.name) for one in found}) == len(found), path.name
        for one in found:
            for text in (one.message, one.help or "fine"):
                assert not text[0].isupper() or text.split()[0] in ("YAML", "UTF-8"), (path.name, text)
                assert not text.endswith((".", "!")) or text.endswith("..."), (path.name, text)


def test_only_warnings_let_a_file_pass() -> None:
    for path in CASES:
        worst = {one.severity for one in check(path)}
        assert (Severity.ERROR in worst) == path.is_relative_to(FOLDER / "err"), path.name
