"""`rulesdsl validate`: checks rule files and whole folders of them."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path

from rulesdsl import Diagnostic, Severity, check

from .console import paint_for, tell
from .forms import Problems
from .render import as_github, as_json, as_text, summary

_ENDINGS = (".yaml", ".yml")


def validate(paths: Sequence[Path], *, form: Problems, no_color: bool) -> int:
    """Checks everything that the paths name and writes what it finds; gives the exit status."""
    files = list(dict.fromkeys(file for path in paths for file in rule_files(path)))
    if not files:
        tell(f"no rule files (*.yaml) in {', '.join(str(path) for path in paths)}")
        return 2
    # A file is checked by itself and with those that need it; what is wrong with it is said once.
    found: dict[tuple[str, str, str], Diagnostic] = {}
    for file in files:
        for one in check(file):
            found.setdefault((one.code, str(one.span), one.message), one)
    diagnostics = list(found.values())
    _write(diagnostics, form, no_color=no_color)
    tell(summary(diagnostics, len(files)))
    return 1 if any(diagnostic.severity is Severity.ERROR for diagnostic in diagnostics) else 0


def rule_files(path: Path) -> Iterator[Path]:
    """The file itself, or all YAML files of a folder, in an order that does not depend on the machine."""
    if not path.is_dir():
        yield path
        return
    for folder, inner, names in os.walk(path):
        inner[:] = sorted(name for name in inner if not name.startswith((".", "__")))
        for name in sorted(names):
            if name.endswith(_ENDINGS) and not name.startswith("."):
                yield Path(folder) / name


def _write(diagnostics: list[Diagnostic], form: Problems, *, no_color: bool) -> None:
    match form:
        case Problems.JSON:
            print(as_json(diagnostics))
        case Problems.GITHUB:
            # GitHub shows only the first few of each kind, so the worst go first.
            for diagnostic in sorted(diagnostics, key=lambda d: list(Severity).index(d.severity)):
                print(as_github(diagnostic))
        case Problems.TEXT:
            paint = paint_for(sys.stdout, no_color=no_color)
            for diagnostic in diagnostics:
                print(as_text(diagnostic, paint), end="\n\n")
