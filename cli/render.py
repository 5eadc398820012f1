"""Diagnostics as text: for people, as JSON, and as workflow commands that GitHub shows beside the line."""

from __future__ import annotations

import json
import unicodedata
from collections.abc import Iterable, Sequence

from rulesdsl import Diagnostic, Severity, Span

from .console import Ink, Paint, visible

_INKS = {Severity.ERROR: Ink.RED, Severity.WARNING: Ink.YELLOW, Severity.NOTE: Ink.BLUE}
_TAB = 4


def as_text(diagnostic: Diagnostic, paint: Paint) -> str:
    """One problem with its line, the place marked, and what to write instead."""
    severity = diagnostic.severity
    ink = _INKS[severity]
    lines = [
        f"{paint(visible(str(diagnostic.span)), Ink.BOLD)}: "
        f"{paint(f'{severity}[{diagnostic.code}]', ink, Ink.BOLD)}: {visible(diagnostic.message)}",
        *_excerpt(diagnostic.span, "^", paint, ink),
    ]
    for label in diagnostic.labels:
        lines.append(f"{paint('note', Ink.BLUE)}: {visible(str(label.span))}: {visible(label.text)}")
        lines.extend(_excerpt(label.span, "-", paint, Ink.BLUE))
    if diagnostic.help:
        first, *more = diagnostic.help.split("\n")
        lines.append(f"{paint('help', Ink.GREEN)}: {visible(first)}")
        lines += [visible(line) for line in more]
    return "\n".join(lines)


def _excerpt(span: Span, mark: str, paint: Paint, ink: Ink) -> list[str]:
    """The line a span begins in, and marks under the part of it that the span covers."""
    number, column = span.position
    text = span.source.line(number)
    if not text.strip():
        return []
    last_line, last_column = span.end_position
    end = last_column - 1 if last_line == number else len(text)
    before, covered = text[: column - 1], text[column - 1 : end]
    gutter = f"{number:>5} | "
    blank = f"{'|':>{len(gutter) - 1}} "
    marks = mark * max(1, _width(covered.rstrip(), _width(before)))
    more = " ..." if last_line > number else ""
    return [
        f"{paint(gutter, Ink.FAINT)}{visible(_untabbed(text))}",
        f"{paint(blank, Ink.FAINT)}{' ' * _width(before)}{paint(marks + more, ink)}",
    ]


def _untabbed(text: str) -> str:
    """The text with every tab as blanks, so that marks below it stand where they should."""
    return text.expandtabs(_TAB)


def _width(text: str, start: int = 0) -> int:
    """How many columns of a terminal a text takes that begins in column `start`."""
    column = start
    for character in text:
        if character == "\t":
            column += _TAB - column % _TAB
        elif unicodedata.combining(character):
            continue
        else:
            column += 2 if unicodedata.east_asian_width(character) in "WF" else 1
    return column - start


def as_json(diagnostics: Iterable[Diagnostic]) -> str:
    """All problems as one JSON list; places count lines and columns from 1, `end` is the first place after."""
    return json.dumps(
        [
            {
                "code": diagnostic.code,
                "severity": diagnostic.severity.value,
                **_place(diagnostic.span),
                "message": diagnostic.message,
                "help": diagnostic.help,
                "related": [{**_place(label.span), "message": label.text} for label in diagnostic.labels],
            }
            for diagnostic in diagnostics
        ],
        indent=2,
        ensure_ascii=False,
    )


def _place(span: Span) -> dict[str, str | int]:
    start, end = span.position, span.end_position
    return {
        "file": span.source.name,
        "line": start.line,
        "column": start.column,
        "end_line": end.line,
        "end_column": end.column,
    }


_COMMANDS = {Severity.ERROR: "error", Severity.WARNING: "warning", Severity.NOTE: "notice"}


def as_github(diagnostic: Diagnostic) -> str:
    """One problem as a workflow command."""
    start, end = diagnostic.span.position, diagnostic.span.end_position
    properties = {
        "file": diagnostic.span.source.name,
        "line": str(start.line),
        "endLine": str(end.line),
        "title": diagnostic.code,
    }
    if end.line == start.line:  # columns count only within one line
        properties |= {"col": str(start.column), "endColumn": str(end.column)}
    listed = ",".join(f"{key}={_escaped(value, ':,')}" for key, value in properties.items())
    message = diagnostic.message + (f"\nhelp: {diagnostic.help}" if diagnostic.help else "")
    return f"::{_COMMANDS[diagnostic.severity]} {listed}::{_escaped(message)}"


def _escaped(text: str, more: str = "") -> str:
    for character in "%\r\n" + more:
        text = text.replace(character, f"%{ord(character):02X}")
    return text


def summary(diagnostics: Sequence[Diagnostic], files: int) -> str:
    """One closing line: what was found, in how many files."""
    counts = [
        f"{number} {severity}{'s' if number > 1 else ''}"
        for severity in Severity
        if (number := sum(d.severity is severity for d in diagnostics))
    ]
    checked = f"{files} file{'s' if files != 1 else ''} checked"
    return f"{', '.join(counts) if counts else 'no problems'}, {checked}"
