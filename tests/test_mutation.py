"""A sample of mutated rule files; `python tests/mutation.py` tries as many as one likes."""

from __future__ import annotations

from pathlib import Path

import pytest
from mutation import subjects, try_file


@pytest.mark.parametrize("part", range(8))
def test_mutated_files_are_refused_or_played(part: int, tmp_path: Path) -> None:
    files = subjects(large=False)
    for number in range(part * 50, part * 50 + 50):
        assert try_file(number, tmp_path, files).startswith(("refused", "played"))
