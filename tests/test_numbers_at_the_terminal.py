"""Writing numbers on cards at the terminal: one line for all of them, and what is left of the sum."""

from __future__ import annotations

from fractions import Fraction

import pytest
from test_cli import run

from rulesdsl.cli.numbers import problem, read_numbers, request
from rulesdsl.interpreter import Sheet


def sheet(*written: int, cards: int = 7, least: int = 21, most: int = 21, scale: int = 1) -> Sheet:
    domain = range(most * scale + 1)
    return Sheet(
        ("red",) * cards, (domain,) * cards, scale, Fraction(least), Fraction(most), tuple(map(Fraction, written))
    )


@pytest.mark.parametrize(
    "line, numbers",
    [
        ("7 5 4 3 1 1 0", [7, 5, 4, 3, 1, 1, 0]),
        ("7, 5,4", [7, 5, 4]),
        ("0.5 1/2 ½ 3½", [0.5, 0.5, 0.5, 3.5]),
        ("7 five", None),
        ("-1 2", None),
        ("", None),
        ("undo", None),
    ],
)
def test_numbers_are_read(line: str, numbers: list[float] | None) -> None:
    found = read_numbers(line)
    assert found == (None if numbers is None else [Fraction(number) for number in numbers])


def test_what_is_wrong_is_said() -> None:
    def said(line: str, of: Sheet) -> str | None:
        numbers = read_numbers(line)
        assert numbers is not None
        return problem(of, numbers)

    assert said("7 5 4 3 1 1 0", sheet()) is None
    assert said("7 5 4", sheet()) is None
    assert said("7 5 4 3 1 0 0", sheet()) == "That makes 20; 1 is left to be written."
    assert said("7 5 4 3 1 1 1", sheet()) == "That makes 22, 1 too much."
    assert said("1 1 1 1 1 1 1 14", sheet()) == "These are 8 numbers, and there are 7 cards."
    assert said("22", sheet()) == "22 can't be written on red here."
    assert said("0.5", sheet()) == "0.5 can't be written on red here."
    assert said("0.5 0.5", sheet(scale=2, cards=2)) == "That makes 1; 20 is left to be written."
    assert said("1 1", sheet(7, 5, 4, 3)) is None
    assert said("0 0 0", sheet(cards=3, least=0, most=50)) is None


def test_what_is_left_is_shown() -> None:
    assert request(sheet()) == "7 numbers for 7 x red, in all 21"
    assert request(sheet(7, 5, 4)) == "4 numbers for 4 x red, in all 5 (16 so far)"
    assert request(sheet(cards=2, least=0, most=50)) == "2 numbers for 2 x red, in all 0 to 50"


def test_seven_numbers_in_one_line_or_in_two() -> None:
    script = "stuffie, ball\n7 5 4 3 1 0 0\n7 5 4\nundo\n7 5 4\n3 1 1 0\nquit\n"
    status, out, _ = run("play", "tricky-kids", "--seat", "0", "--bot", "random", "--seed", "3", stdin=script)
    assert status == 0
    assert "That makes 20; 1 is left to be written." in out
    assert "in all 5 (16 so far)" in out
    assert out.count("7 numbers for") == 2
    assert "ranks [7, 5, 4, 3, 1, 1, 0]" in out
