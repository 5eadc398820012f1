"""A match written down: what it was played with, and every answer, so that it can be played again anywhere.

A record is plain data for JSON. It holds no state and nothing of a machine, only what people would note down: the
game and its files, options, seats, where chance began (or what it gave), who answered what, by face and place; and
after each answer a digest, so that a replay that goes another way is found at the first step.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from hashlib import sha256

from rulesdsl.ir.nodes import Program

from .plain import Plain

FORMAT = 1
"""Goes up when the same record would be read, or the same seed would be dealt, in another way."""


class RecordError(Exception):
    """A record that can't be replayed, with the reason."""


@dataclass(frozen=True, slots=True)
class Answered:
    """One answer: who gave it, to which decision, and the digest of the state it led to."""

    seat: int
    decision: str
    answer: Plain
    digest: str


@dataclass(frozen=True, slots=True)
class Record:
    """A match written down. `chance` holds scripted outcomes by name; without them the seed decides."""

    game: str
    program: str
    files: tuple[tuple[str, str], ...]
    options: tuple[tuple[str, Plain], ...]
    modifiers: tuple[str, ...]
    players: int
    seed: int
    chance: Mapping[str, Plain] = field(default_factory=dict)
    answers: tuple[Answered, ...] = ()

    def as_data(self) -> dict[str, object]:
        """The record as JSON takes it."""
        return {
            "format": FORMAT,
            "game": self.game,
            "program": self.program,
            "files": dict(self.files),
            "options": dict(self.options),
            "modifiers": list(self.modifiers),
            "players": self.players,
            "seed": self.seed,
            "chance": dict(self.chance),
            "answers": [
                {"seat": a.seat, "decision": a.decision, "answer": a.answer, "digest": a.digest} for a in self.answers
            ],
        }

    @classmethod
    def from_data(cls, data: object) -> Record:
        """The record that JSON gave.

        Raises:
            RecordError: if it is of another format, or something is missing or of the wrong kind.
        """
        if not isinstance(data, Mapping):
            raise RecordError("this is not a recorded match: a record is a JSON object")
        number = data.get("format")
        if number != FORMAT:
            found = "without a format" if number is None else f"of format {number}"
            raise RecordError(f"this record is {found}; this version reads format {FORMAT} only")
        return cls(
            game=_text(data, "game"),
            program=_text(data, "program"),
            files=tuple((name, str(digest)) for name, digest in _mapping(data, "files").items()),
            options=tuple((name, _plain(value, "options")) for name, value in _mapping(data, "options").items()),
            modifiers=tuple(str(item) for item in _list(data, "modifiers")),
            players=_number(data, "players"),
            seed=_number(data, "seed"),
            chance={name: _plain(value, "chance") for name, value in _mapping(data, "chance").items()},
            answers=tuple(_answered(item) for item in _list(data, "answers")),
        )

    def check_game(self, program: Program) -> None:
        """Refuses a game other than the one that was played.

        Raises:
            RecordError: with the files that differ, or what else does.
        """
        if program.name != self.game:
            raise RecordError(f"this is a match of {self.game}, not of {program.name}")
        if program_hash(program) == self.program:
            return
        now = {stamp.name: stamp.digest for stamp in program.files}
        then = dict(self.files)
        changed = sorted(name for name in now.keys() | then.keys() if now.get(name) != then.get(name))
        if changed:
            raise RecordError(f"the rules have changed since this match was played: {', '.join(changed)}")
        raise RecordError("this match was played with other options or modifiers, or by another version of rulesdsl")


def program_hash(program: Program) -> str:
    """A number for what a program means: equal programs have equal ones, wherever their files lie."""
    # Places in files are left out of the written form of a node, as they are of equality.
    return sha256(repr(replace(program, files=())).encode()).hexdigest()


def _answered(item: object) -> Answered:
    if not isinstance(item, Mapping):
        raise RecordError("every answer of a record is an object")
    return Answered(
        seat=_number(item, "seat"),
        decision=_text(item, "decision"),
        answer=_plain(item.get("answer"), "answer"),
        digest=_text(item, "digest"),
    )


def _text(data: Mapping[str, object], key: str) -> str:
    value = data.get(key)
    if not isinstance(value, str):
        raise RecordError(f"'{key}' of the record should be a text")
    return value


def _number(data: Mapping[str, object], key: str) -> int:
    value = data.get(key)
    if not isinstance(value, int) or isinstance(value, bool):
        raise RecordError(f"'{key}' of the record should be a whole number")
    return value


def _list(data: Mapping[str, object], key: str) -> Sequence[object]:
    value = data.get(key)
    if not isinstance(value, list):
        raise RecordError(f"'{key}' of the record should be a list")
    return value


def _mapping(data: Mapping[str, object], key: str) -> Mapping[str, object]:
    value = data.get(key)
    if not isinstance(value, dict):
        raise RecordError(f"'{key}' of the record should be an object")
    return value


def _plain(value: object, key: str) -> Plain:
    match value:
        case str():
            return value
        case list():
            return [_plain(item, key) for item in value]
        case dict():
            return {str(name): _plain(item, key) for name, item in value.items()}
        case _:
            raise RecordError(f"'{key}' of the record should hold texts, lists and objects of them only")
