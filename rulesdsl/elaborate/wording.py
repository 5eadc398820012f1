"""How types are called in messages: `a number`, `cards`, `a player that may be none`."""

from __future__ import annotations

from ..types import (
    Card,
    Enum,
    Face,
    Ladder,
    ListOf,
    NoValue,
    Number,
    Optional,
    Range,
    RowOf,
    SetOf,
    Type,
    Unknown,
    YesNo,
)

_SOUND_LIKE_CONSONANTS = ("eu", "one", "uni", "use", "usu")


def with_article(word: str) -> str:
    """`a card`, `an answer`."""
    vowel = word[:1].lower() in tuple("aeiou") and not word.lower().startswith(_SOUND_LIKE_CONSONANTS)
    return f"{'an' if vowel else 'a'} {word}"


def a(of: Type) -> str:
    """A value of a type, as it stands in a sentence."""
    match of:
        case YesNo() | NoValue():
            return str(of)
        case Unknown():
            return "something unknown"
        case Optional():
            return f"{a(of.of)} that may be none"
        case Number() if of.scale > 1:
            return f"a number in steps of 1/{of.scale}"
        case Range() if of.of.scale > 1:
            return f"a range in steps of 1/{of.of.scale}"
        case SetOf() | RowOf():
            return f"a set of {several(of.of)}"
        case ListOf():
            return f"a list of {several(of.of)}"
        case _:
            return with_article(str(of))


def several(of: Type) -> str:
    """Values of a type."""
    match of:
        case YesNo() | NoValue():
            return str(of)
        case Unknown():
            return "unknown things"
        case Optional():
            return f"{several(of.of)} that may be none"
        case Number() if of.scale > 1:
            return f"numbers in steps of 1/{of.scale}"
        case SetOf() | RowOf():
            return f"sets of {several(of.of)}"
        case ListOf():
            return f"lists of {several(of.of)}"
        case Face(kind=kind):
            return f"faces of {plural(kind)}"
        case Card() | Enum() | Ladder():
            return plural(str(of))
        case _:
            return f"{of}s"


def plural(word: str) -> str:
    """The word for several, by the rule of the language: an `s` is added."""
    return word if word.endswith("s") else f"{word}s"


def counted(number: int, word: str) -> str:
    """`1 argument`, `2 arguments`."""
    return f"{number} {word}" if number == 1 else f"{number} {plural(word)}"
