"""What a reader can rely on in every file: it is short, it says what it is for, and it leaves nothing for later."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from project import ROOT, Module, modules, python_files

LONGEST = 600
LATER = re.compile(r"\b(TO[D]O|FIX[M]E|XX[X])\b")
UNCODED_IGNORE = re.compile(r"#\s*type:\s*ignore(?!\[)")

Documented = ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef


def undocumented(body: list[ast.stmt], prefix: str = "") -> Iterator[str]:
    """The public classes, functions and methods without a docstring."""
    for node in body:
        if isinstance(node, Documented) and not node.name.startswith("_"):
            if ast.get_docstring(node) is None and not is_overload(node):
                yield f"{node.lineno}: {prefix}{node.name}"
            if isinstance(node, ast.ClassDef):
                yield from undocumented(node.body, f"{node.name}.")


def is_overload(node: Documented) -> bool:
    """Whether this is one of several signatures, of which only the last is documented."""
    return any(isinstance(decorator, ast.Name) and decorator.id == "overload" for decorator in node.decorator_list)


def forbidden(tree: ast.AST) -> Iterator[str]:
    """Code that runs text, stands for code to come, or hides a failure."""
    for node in ast.walk(tree):
        match node:
            case ast.Call(func=ast.Name(id="eval" | "exec" as name)) | ast.Name(id="NotImplementedError" as name):
                yield f"{node.lineno}: {name}"
            case ast.ExceptHandler(type=None):
                yield f"{node.lineno}: an except for everything"
            case ast.ExceptHandler(body=[ast.Pass() | ast.Expr(value=ast.Constant())]):
                yield f"{node.lineno}: a swallowed exception"


@pytest.mark.parametrize("path", python_files(), ids=lambda path: path.relative_to(ROOT).as_posix())
def test_files_are_short_and_finished(path: Path) -> None:
    lines = path.read_text(encoding="utf-8").splitlines()
    assert len(lines) <= LONGEST
    for number, line in enumerate(lines, 1):
        assert not LATER.search(line), f"line {number}: an idea is an issue"
        assert not UNCODED_IGNORE.search(line), f"line {number}: say which error is ignored, and why"


@pytest.mark.parametrize("module", modules(), ids=lambda module: module.name)
def test_modules_say_what_they_are_for(module: Module) -> None:
    tree = module.tree()
    assert not tree.body or ast.get_docstring(tree)
    assert not list(undocumented(tree.body))
    assert not list(forbidden(tree))


def test_the_test_sees_what_it_should() -> None:
    text = """
class A:
    def f(self): ...
    def _g(self): ...
def h():
    raise NotImplementedError
def i():
    "Documented."
    try:
        exec("")
    except ValueError:
        pass
    except:
        raise
"""
    tree = ast.parse(text)
    assert list(undocumented(tree.body)) == ["2: A", "3: A.f", "5: h"]
    assert sorted(forbidden(tree)) == [
        "10: exec",
        "11: a swallowed exception",
        "13: an except for everything",
        "6: NotImplementedError",
    ]
    assert LATER.search("# todo: later".upper())
    assert UNCODED_IGNORE.search("x = 1  # TYPE: IGNORE".lower())
    assert not UNCODED_IGNORE.search("x = 1  # type: ignore[misc]")


LONGEST_RULE_CARD = 25
"""Lines: what is printed on a card is said in few words."""


@pytest.mark.parametrize("path", sorted(ROOT.glob("games/tricky-kids/modifiers/*.yaml")), ids=lambda path: path.stem)
def test_rule_cards_are_small(path: Path) -> None:
    assert len(path.read_text(encoding="utf-8").splitlines()) <= LONGEST_RULE_CARD
