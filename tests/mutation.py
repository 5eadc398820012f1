"""Rule files with something wrong in them: lines and words removed, doubled, swapped, characters changed.

    python tests/mutation.py --files 5000

mutates that many files, checks each, and plays what validates: five random matches to a result. A traceback fails; a
diagnostic, or a match that ends with an error that names its line, is a result. Seeds are fixed: file n is the same
file on every machine.
"""

from __future__ import annotations

import argparse
import re
import shutil
import tempfile
import time
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from random import Random

import rulesdsl
from project import ROOT

ALONE = [path for path in (ROOT / "tests" / "cases" / "ok").glob("*.yaml") if not path.name.endswith(".test.yaml")]
FOLDERS = [path.parent for path in (ROOT / "games").glob("*/game.yaml")] + [ROOT / "tests" / "cases" / "ok" / "powers"]
LARGE = "treasures-and-traps"
"""A game that takes seconds to read; it is tried on demand."""


def subjects(*, large: bool) -> list[Path]:
    """The files that are changed: games, and the lists of cards beside them."""
    listed = [path for folder in FOLDERS for path in folder.glob("*.yaml") if _is_game_or_cards(path)]
    return sorted(path for path in [*listed, *ALONE] if large or path.parent.name != LARGE)


def _is_game_or_cards(path: Path) -> bool:
    return path.name == "game.yaml" or "\ncards: " in path.read_text(encoding="utf-8")


MATCHES = 5
MOST_DECISIONS = 3_000

_WORD = re.compile(r"\w+|[^\w\s]+|\s+")
_CHARACTERS = "aZ_0 9-:,.[]{}()#'\"|>&*!%@`\t\nä→"


def mutated(text: str, random: Random) -> str:
    """A text with one to four small changes."""
    for _ in range(random.randint(1, 4)):
        text = random.choice(_CHANGES)(text, random)
    return text


def _remove_line(text: str, random: Random) -> str:
    lines = text.splitlines(keepends=True)
    if lines:
        del lines[random.randrange(len(lines))]
    return "".join(lines)


def _double_line(text: str, random: Random) -> str:
    lines = text.splitlines(keepends=True)
    if lines:
        at = random.randrange(len(lines))
        lines.insert(at, lines[at])
    return "".join(lines)


def _swap_lines(text: str, random: Random) -> str:
    lines = text.splitlines(keepends=True)
    if len(lines) > 1:
        a, b = random.sample(range(len(lines)), 2)
        lines[a], lines[b] = lines[b], lines[a]
    return "".join(lines)


def _indent_line(text: str, random: Random) -> str:
    lines = text.splitlines(keepends=True)
    if lines:
        at = random.randrange(len(lines))
        lines[at] = "  " + lines[at] if random.random() < 0.5 else lines[at].removeprefix("  ")
    return "".join(lines)


def _remove_word(text: str, random: Random) -> str:
    words = _WORD.findall(text)
    if words:
        del words[random.randrange(len(words))]
    return "".join(words)


def _double_word(text: str, random: Random) -> str:
    words = _WORD.findall(text)
    if words:
        at = random.randrange(len(words))
        words.insert(at, words[at])
    return "".join(words)


def _swap_words(text: str, random: Random) -> str:
    words = _WORD.findall(text)
    named = [index for index, word in enumerate(words) if word.strip()]
    if len(named) > 1:
        a, b = random.sample(named, 2)
        words[a], words[b] = words[b], words[a]
    return "".join(words)


def _change_character(text: str, random: Random) -> str:
    at = random.randrange(len(text) + 1)
    return text[:at] + random.choice(_CHARACTERS) + text[at + random.randint(0, 1) :]


_CHANGES = (
    _remove_line,
    _double_line,
    _swap_lines,
    _indent_line,
    _remove_word,
    _double_word,
    _swap_words,
    _swap_words,
    _change_character,
)


def try_file(number: int, folder: Path, files: Sequence[Path]) -> str:
    """Mutates, checks and plays file number n, with what lies beside it; says what became of it."""
    random = Random(number)
    original = random.choice(files)
    for old in folder.iterdir():
        old.unlink()
    for beside in original.parent.glob("*.yaml") if original not in ALONE else ():
        shutil.copy(beside, folder / beside.name)
    changed = folder / ("game.yaml" if original in ALONE else original.name)
    changed.write_text(mutated(original.read_text(encoding="utf-8"), random), encoding="utf-8")
    path = folder / "game.yaml"
    if any(diagnostic.severity is rulesdsl.Severity.ERROR for diagnostic in rulesdsl.check(path)):
        return "refused"
    return play(path, number)


def play(path: Path, seed: int) -> str:
    """Plays random matches of a file that validates."""
    from rulesdsl.interpreter import Match

    program = rulesdsl.load(path)
    ends: Counter[str] = Counter()
    for number in range(MATCHES):
        low, high = program.players
        match = Match(program, players=low + number % (high - low + 1), seed=seed * MATCHES + number)
        random = Random(number)
        decisions = 0
        while not match.finished and decisions < MOST_DECISIONS:
            match.choose(match.decision.sample(random))
            decisions += 1
        ends[match.result.end if match.finished else "cut"] += 1
    return "played " + ", ".join(sorted(ends))


def main() -> None:
    """Tries many files and counts what became of them."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--files", type=int, default=5_000)
    parser.add_argument("--first", type=int, default=0)
    parser.add_argument("--large", action="store_true", help="also the games that take long")
    asked = parser.parse_args()
    files = subjects(large=asked.large)
    found: Counter[str] = Counter()
    slowest = (0.0, 0)
    with tempfile.TemporaryDirectory() as folder:
        for number in range(asked.first, asked.first + asked.files):
            begun = time.perf_counter()
            try:
                found[try_file(number, Path(folder), files)] += 1
            except Exception:
                print(f"file {number}:")
                raise
            slowest = max(slowest, (time.perf_counter() - begun, number))
    for what, count in found.most_common():
        print(f"{count:6} {what}")
    print(f"slowest: file {slowest[1]}, {slowest[0]:.1f} s")


if __name__ == "__main__":
    main()
