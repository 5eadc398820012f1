"""What somebody types when it is their turn: an option, its number, a part of it, or several with commas."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from rulesdsl.interpreter import ENOUGH, Decision, Kind, Option, Plain

_SEVERAL = (Kind.CARDS, Kind.SEVERAL, Kind.ORDER, Kind.WRITING)

MOST_LISTED = 2000
"""Of more whole answers only the first step is shown."""


@dataclass(frozen=True, slots=True)
class Several:
    """What several things can be picked from."""

    texts: tuple[str, ...]
    may_be_empty: bool


def pool_of(decision: Decision) -> Several | None:
    """What can be picked from where several things are picked at once; None where it is one after the other."""
    if decision.kind not in _SEVERAL or decision.prefix:
        return None
    if decision.count > MOST_LISTED:
        texts = [option.text for option in decision.options]
        return Several(tuple(text for text in texts if text != ENOUGH), ENOUGH in texts)
    found: dict[str, None] = {}
    empty = False
    for whole in decision.answers():
        several = whole.plain if isinstance(whole.plain, list) else []
        empty = empty or not several
        found.update((item, None) for item in several if isinstance(item, str))
    return Several(tuple(found), empty)


def is_numbered(texts: Sequence[str]) -> bool:
    """Whether options get numbers: not where they are numbers themselves, or nobody could tell which is meant."""
    return not any(text.isdecimal() for text in texts)


def read_entry(decision: Decision, line: str, seen: Sequence[str]) -> Option | Plain | tuple[str, ...]:
    """What a line means; the options it could mean if there are several.

    What is no option may be another card that the player sees (`seen`), so that its refusal can be explained.
    """
    pool = pool_of(decision)
    if pool is not None:
        return _several(pool, line, seen)
    options = decision.options
    texts = [option.text for option in options]
    if line.isdecimal() and is_numbered(texts) and 1 <= int(line) <= len(options):
        return options[int(line) - 1]
    near = _near(texts, line)
    if len(near) == 1:
        return options[texts.index(near[0])]
    return tuple(near) if near else _seen(seen, line)


def _seen(seen: Sequence[str], line: str) -> str:
    near = set(_near(seen, line))
    return near.pop() if len(near) == 1 else line


def fitting(decision: Decision, line: str, seen: Sequence[str]) -> Plain | None:
    """What is asked about: a line as it is, or the card it stands for; None if it is an option."""
    entry = read_entry(decision, line, seen)
    if isinstance(entry, Option):
        return None
    return line if isinstance(entry, tuple) else entry


def _several(pool: Several, line: str, seen: Sequence[str]) -> Plain | tuple[str, ...]:
    if line.lower() in ("none", "nothing"):
        return []
    chosen: list[Plain] = []
    for piece in (piece.strip() for piece in line.replace("+", ",").split(",")):
        if piece.isdecimal() and is_numbered(pool.texts) and 1 <= int(piece) <= len(pool.texts):
            chosen.append(pool.texts[int(piece) - 1])
            continue
        near = _near(list(pool.texts), piece)
        if len(set(near)) > 1:
            return tuple(dict.fromkeys(near))
        chosen.append(near[0] if near else _seen(seen, piece))
    return chosen


def _near(texts: Sequence[str], line: str) -> list[str]:
    """The text that is meant exactly, else all of which every typed word begins a word, in that order."""
    wanted = line.lower()
    exact = [text for text in texts if text.lower() == wanted]
    return exact[:1] or [text for text in texts if _begins(wanted.split(), text.lower().split())]


def _begins(typed: Sequence[str], words: Sequence[str]) -> bool:
    at = 0
    for word in typed:
        while at < len(words) and not words[at].startswith(word):
            at += 1
        if at == len(words):
            return False
        at += 1
    return bool(typed)
