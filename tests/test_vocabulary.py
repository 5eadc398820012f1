"""No game in the machine: words of the card table belong to rule files, not to Python.

Docstrings and comments may give examples. What a person at the terminal reads (`cli/`) may, too.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

import pytest

from project import ROOT, Module, modules

WORDS = (
    "auction",
    "bid",
    "bidder",
    "bidding",
    "bower",
    "companion",
    "creature",
    "dealer",
    "declarer",
    "hand total",
    "kitty",
    "lair",
    "meld",
    "potion",
    "realm",
    "skull",
    "suit",
    "surprise",
    "talon",
    "treasure",
    "trick",
    "trump",
    "widow",
)
GAMES = tuple(path.parent.name for path in sorted((ROOT / "games").glob("*/game.yaml")))
NO_STRINGS_IN = ("interpreter", "rulesdsl")


def words_of(text: str) -> list[str]:
    """The words of a text or an identifier, in small letters: `ledSuit_of` gives led, suit, of."""
    return [word.lower() for word in re.findall(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])", text)]


def game_words(text: str, games: tuple[str, ...] = GAMES) -> list[str]:
    """The words of the closed list, and the names of games, that a text contains; in the singular or the plural."""
    words = words_of(text)
    forms = f" {' '.join(words)} ", f" {' '.join(word.removesuffix('s') for word in words)} "
    listed = [*WORDS, *(" ".join(words_of(game)) for game in games)]
    return [word for word in listed if any(f" {word} " in form for form in forms)]


def identifiers(tree: ast.AST) -> Iterator[tuple[int, str]]:
    """Every name that a file defines or uses, with its line."""
    for node in ast.walk(tree):
        match node:
            case ast.Name(id=name) | ast.Attribute(attr=name) | ast.arg(arg=name):
                yield node.lineno, name
            case ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name) | ast.ClassDef(name=name):
                yield node.lineno, name
            case ast.keyword(arg=str(name)) | ast.MatchAs(name=str(name)) | ast.MatchStar(name=str(name)):
                yield node.lineno, name
            case ast.ExceptHandler(name=str(name)) | ast.MatchMapping(rest=str(name)):
                yield node.lineno, name
            case ast.alias(name=name, asname=alias):
                yield node.lineno, f"{name} {alias or ''}"
            case ast.Global(names=several) | ast.Nonlocal(names=several):
                yield from ((node.lineno, name) for name in several)
            case ast.MatchClass(kwd_attrs=several):
                yield from ((node.lineno, name) for name in several)


def strings(tree: ast.AST) -> Iterator[tuple[int, str]]:
    """Every string constant but those that stand alone, which are docstrings, with its line."""
    alone = {id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Expr)}
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in alone:
            yield node.lineno, node.value


def complaints(name: str, tree: ast.AST, *, with_strings: bool, games: tuple[str, ...] = GAMES) -> list[str]:
    """Every game word in the name of a file and in what it says."""
    found = [f"{name}: the file is named after '{word}'" for word in game_words(name, games)]
    for line, text in identifiers(tree):
        found += [f"{name}:{line}: '{word}' in {text}" for word in game_words(text, games)]
    for line, text in strings(tree) if with_strings else ():
        found += [f"{name}:{line}: '{word}' in the text {text!r}" for word in game_words(text, games)]
    return found


@pytest.mark.parametrize("module", modules(), ids=lambda module: module.name)
def test_python_knows_no_game(module: Module) -> None:
    assert not complaints(module.place, module.tree(), with_strings=module.folder in NO_STRINGS_IN)


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("interpreter/trumps.py", ""),
        ("interpreter/tricky_traps.py", ""),
        ("interpreter/a.py", "led_suit = 1"),
        ("interpreter/a.py", "class TrickZone: ..."),
        ("interpreter/a.py", "def f(*, bids): ..."),
        ("interpreter/a.py", "def f(): return x.kitty"),
        ("interpreter/a.py", "f(meld=1)"),
        ("interpreter/a.py", "from a import b as hand_total"),
        ("interpreter/a.py", "match x:\n case A(suit=1): ..."),
        ("interpreter/a.py", "x = {'suit': 1}"),
        ("interpreter/a.py", "x = f'no {y} trumps'"),
        ("interpreter/a.py", "if name == 'tricky-traps': ..."),
        ("interpreter/a.py", "def play_tricky_traps(): ..."),
        ("interpreter/a.py", "TRICK_SIZE = 4"),
    ],
)
def test_a_game_word_is_found(name: str, text: str) -> None:
    assert complaints(name, ast.parse(text), with_strings=True, games=("tricky-traps",))


@pytest.mark.parametrize(
    "text",
    [
        '"""The suit of the trick, as in tricky-traps."""',
        'class A:\n    """A trump."""\n    x: int\n    """A bid."""',
        "suitable = forbid + tricked  # a suit",
        "x = 'what a pursuit'",
        "def deal(hand, total): ...",
    ],
)
def test_other_words_are_left_alone(text: str) -> None:
    assert not complaints("interpreter/a.py", ast.parse(text), with_strings=True, games=("tricky-traps",))
