"""Programs that were checked before are taken from the cache, as long as nothing changed."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import rulesdsl
from project import ROOT

CODE = """
import sys, rulesdsl
program = rulesdsl.load(sys.argv[1])
print(*(name in sys.modules for name in ("lark", "yaml", "jsonschema")), program.title)
"""


@pytest.fixture
def game(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("RULESDSL_CACHE", str(tmp_path / "cache"))
    folder = tmp_path / "game"
    folder.mkdir()
    shutil.copy(ROOT / "games" / "trappola" / "game.yaml", folder)
    return folder


def loaded(game: Path) -> str:
    done = subprocess.run([sys.executable, "-c", CODE, str(game)], capture_output=True, text=True, check=True)
    return done.stdout.strip()


def kept(game: Path) -> list[Path]:
    return list((game.parent / "cache").glob("*.program"))


def test_the_second_time_nothing_is_parsed(game: Path) -> None:
    assert loaded(game) == "True True True Trappola"
    assert loaded(game) == "False False False Trappola"


def test_what_is_kept_is_the_program(game: Path) -> None:
    first = rulesdsl.load(game)
    assert kept(game)
    second = rulesdsl.load(game)
    assert second == first and second is not first
    assert second.files == first.files


def test_a_changed_file_is_read_again(game: Path) -> None:
    rulesdsl.load(game)
    file = game / "game.yaml"
    file.write_text(file.read_text().replace("title: Trappola", "title: Another"))
    assert rulesdsl.load(game).title == "Another"


def test_a_library_put_beside_the_game_is_seen(game: Path) -> None:
    before = rulesdsl.load(game)
    libraries = game / "libraries"
    libraries.mkdir()
    text = (ROOT / "rulesdsl" / "std" / "deal.yaml").read_text()
    (libraries / "deal.yaml").write_text(text.replace("next_dealer: left(dealer)", "next_dealer: right(dealer)"))
    assert rulesdsl.load(game) != before


def test_options_are_kept_apart(game: Path) -> None:
    one, other = rulesdsl.load("tricky-traps"), rulesdsl.load("tricky-traps", options={"draft": False})
    assert one != other
    assert rulesdsl.load("tricky-traps") == one
    assert rulesdsl.load("tricky-traps", options={"draft": False}) == other


@pytest.mark.parametrize("content", [b"", b"\x80\x05N.", b"no program", b"\x80\x05\x95"])
def test_a_broken_cache_is_none(game: Path, content: bytes) -> None:
    before = rulesdsl.load(game)
    (place,) = kept(game)
    place.write_bytes(content)
    assert rulesdsl.load(game) == before


def test_mistakes_are_not_kept(game: Path) -> None:
    file = game / "game.yaml"
    file.write_text(file.read_text().replace("uses: [", "uses: [nothing, "))
    for _ in range(2):
        with pytest.raises(rulesdsl.RuleFileError):
            rulesdsl.load(game)
    assert not kept(game)


def test_a_folder_that_cannot_be_written_is_no_matter(game: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    blocked = game.parent / "blocked"
    blocked.write_text("a file, not a folder")
    monkeypatch.setenv("RULESDSL_CACHE", os.fspath(blocked))
    assert rulesdsl.load(game).title == "Trappola"
