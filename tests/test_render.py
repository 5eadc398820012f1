"""Diagnostics as text, as JSON and for GitHub: the marks stand under what they mean, and nothing steers a terminal."""

from __future__ import annotations

import json

import pytest

from rulesdsl.cli.console import Paint
from rulesdsl.cli.render import as_github, as_json, as_text, summary
from rulesdsl.diagnostic import Diagnostic, Label
from rulesdsl.source import Source, Span

PLAIN = Paint(on=False)


def problem(text: str, covered: str, **more: object) -> Diagnostic:
    start = text.index(covered)
    span = Span(Source("games/a.yaml", text), start, start + len(covered))
    return Diagnostic("E0301", span, "there is no 'lef'", **more)  # type: ignore[arg-type]


def test_a_problem_with_its_line_and_help() -> None:
    found = problem("a: 1\nb: deal(lef)\n", "lef", help="did you mean 'left'?")
    assert as_text(found, PLAIN).split("\n") == [
        "games/a.yaml:2:9: error[E0301]: there is no 'lef'",
        "    2 | b: deal(lef)",
        "      |         ^^^",
        "help: did you mean 'left'?",
    ]


def test_help_of_several_lines_stays_in_its_lines() -> None:
    found = problem("a: 1\nb: deal(lef)\n", "lef", help="write it anew:\n  deal(\x1bleft)")
    assert as_text(found, PLAIN).split("\n")[3:] == ["help: write it anew:", "  deal(\ufffdleft)"]


@pytest.mark.parametrize(
    ("line", "covered", "marks"),
    [
        ("\tx: lef", "lef", "       ^^^"),  # a tab goes to the next multiple of four
        ("é: lef", "lef", "   ^^^"),
        ("牌: lef", "lef", "    ^^^"),  # a wide letter takes two columns
        ("x: 牌", "牌", "   ^^"),
        ("x: ", "", "^"),
        ("lef", "lef", "^^^"),
    ],
)
def test_marks_stand_below_what_they_mean(line: str, covered: str, marks: str) -> None:
    shown = as_text(problem(line, covered), PLAIN).split("\n")
    assert shown[2].removeprefix("      | ") == marks


def test_a_span_of_several_lines_is_marked_in_its_first() -> None:
    shown = as_text(problem("a: (x\n  y)", "(x\n  y)"), PLAIN).split("\n")
    assert shown[1:] == ["    1 | a: (x", "      |    ^^ ..."]


def test_a_file_that_can_not_be_read_has_no_line_to_show() -> None:
    found = Diagnostic("E0101", Span(Source("x.yaml", ""), 0, 0), "there is no such file")
    assert as_text(found, PLAIN) == "x.yaml:1:1: error[E0101]: there is no such file"


def test_labels_are_shown_with_their_own_places() -> None:
    source = Source("a.yaml", "x: 1\nx: 2\n")
    found = Diagnostic(
        "E0104", Span(source, 5, 6), "this key is there twice", labels=(Label(Span(source, 0, 1), "first here"),)
    )
    assert as_text(found, PLAIN).split("\n")[3:] == ["note: a.yaml:1:1: first here", "    1 | x: 1", "      | -"]


def test_control_characters_are_taken_out() -> None:
    shown = as_text(problem("a: \x1b[31m lef", "lef"), PLAIN)
    assert "\x1b" not in shown


def test_colour_only_if_it_is_on() -> None:
    found = problem("a: lef", "lef")
    assert "\x1b[" in as_text(found, Paint(on=True))
    assert "\x1b[" not in as_text(found, PLAIN)


def test_json_has_places_from_one() -> None:
    (entry,) = json.loads(as_json([problem("a: 1\nb: lef", "lef", help="look")]))
    assert entry == {
        "code": "E0301",
        "severity": "error",
        "file": "games/a.yaml",
        "line": 2,
        "column": 4,
        "end_line": 2,
        "end_column": 7,
        "message": "there is no 'lef'",
        "help": "look",
        "related": [],
    }


def test_github_commands_are_escaped() -> None:
    source = Source("a,b:c.yaml", "x: lef")
    found = Diagnostic("W0302", Span(source, 3, 6), "50% of\nit", "look")
    assert as_github(found) == (
        "::warning file=a%2Cb%3Ac.yaml,line=1,endLine=1,title=W0302,col=4,endColumn=7::50%25 of%0Ait%0Ahelp: look"
    )


def test_the_summary_counts() -> None:
    found = problem("a: lef", "lef")
    assert summary([], 1) == "no problems, 1 file checked"
    assert summary([found, found], 3) == "2 errors, 3 files checked"
