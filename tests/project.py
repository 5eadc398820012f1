"""What tests about the project itself need to know: where its folders lie and which modules they make."""

from __future__ import annotations

import ast
import tomllib
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent


def setup() -> dict[str, Any]:
    """The `tool.setuptools` table of pyproject.toml."""
    table: dict[str, Any] = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["tool"]["setuptools"]
    return table


@dataclass(frozen=True, slots=True)
class Module:
    """A Python file of the package, with the name under which it is imported."""

    name: str
    path: Path
    is_package: bool

    @property
    def place(self) -> str:
        """The path as it is shown in messages."""
        return self.path.relative_to(ROOT).as_posix()

    @property
    def folder(self) -> str:
        """The folder at the top of the checkout."""
        return self.path.relative_to(ROOT).parts[0]

    def tree(self) -> ast.Module:
        """The file, parsed."""
        return ast.parse(self.path.read_text(encoding="utf-8"), self.place)


@cache
def modules() -> tuple[Module, ...]:
    """All modules of the package, in the order of their names."""
    found = []
    for name, folder in setup()["package-dir"].items():
        for path in (ROOT / folder).rglob("*.py"):
            parts = path.relative_to(ROOT / folder).with_suffix("").parts
            is_package = parts[-1] == "__init__"
            found.append(Module(".".join((name, *(parts[:-1] if is_package else parts))), path, is_package))
    return tuple(sorted(found, key=lambda module: module.name))


def python_files() -> list[Path]:
    """All Python files of the checkout that people write: the package, tests and benchmarks."""
    extra = [path for folder in ("tests", "benchmarks") for path in (ROOT / folder).rglob("*.py")]
    return sorted([module.path for module in modules()] + extra)
