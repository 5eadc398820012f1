"""`rulesdsl replay`: shows a recorded match, and checks that it comes out as it was recorded."""

from __future__ import annotations

import json
import sys
from collections.abc import Sequence
from pathlib import Path

from rulesdsl import Program, RuleFileError, load
from rulesdsl.interpreter import Match, Record, RecordError
from rulesdsl.interpreter import replay as play_again

from .console import paint_for, tell
from .results import result_data, result_lines
from .setting import misuse
from .telling import as_it_lies, kept_parts, sentences, table_lines


def replay(
    file: Path, *, game: str | None, modifiers: Sequence[str] = (), to: int | None, form: str, no_color: bool
) -> int:
    """Plays the record again and shows it; gives the exit status."""
    try:
        record = Record.from_data(_data(file))
        program = _program(record, game, modifiers)
        match = play_again(record, program, to)
    except RecordError as problem:
        tell(f"{file}: {problem}")
        return 1
    if form == "json":
        print(json.dumps(_as_data(match, record, to), indent=2, ensure_ascii=False))
        return 0
    paint = paint_for(sys.stdout, no_color=no_color)
    for line in sentences(match.events_for(None), kept_parts(program)):
        print(line)
    print()
    for line in (
        result_lines(match.result, paint)
        if match.finished
        else table_lines(as_it_lies(match.view(0), kept_parts(program)), paint)
    ):
        print(line)
    answers = len(record.answers) if to is None else min(to, len(record.answers))
    tell(f"{answers} answers, all as recorded")
    return 0


def _data(file: Path) -> object:
    try:
        return json.loads(file.read_text(encoding="utf-8"))
    except OSError as problem:
        misuse(f"{file} can't be read: {problem.strerror}")
    except ValueError as problem:  # not JSON, or not text at all
        raise RecordError(f"this is not a recorded match: {problem}") from problem


def _program(record: Record, game: str | None, files: Sequence[str]) -> Program:
    options = {name: str(value) for name, value in record.options}
    # The changes of a variant itself count as a modifier of its name, which comes with the variant.
    modifiers = [name for name in record.modifiers if game is None or name != Path(game).stem]
    given = {Path(file).stem: file for file in files}
    for name in given.keys() - set(record.modifiers):
        misuse(f"the match was played without '{name}'")
    try:
        return load(game or record.game, modifiers=[given.get(name, name) for name in modifiers], options=options)
    except RuleFileError:
        if any(name not in given for name in modifiers):
            tell("--game names a variant that was played, --with the file of a modifier that is not with the game\n")
        raise


def _as_data(match: Match, record: Record, to: int | None) -> dict[str, object]:
    return {
        "game": record.game,
        "answers": len(record.answers) if to is None else min(to, len(record.answers)),
        "finished": match.finished,
        "result": result_data(match.result) if match.finished else None,
        "events": match.events_for(None),
    }
