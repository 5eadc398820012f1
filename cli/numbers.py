"""Numbers on cards, written in one line: how they are asked for, read, and what is wrong with them."""

from __future__ import annotations

import re
from collections.abc import Sequence
from fractions import Fraction
from itertools import groupby

from rulesdsl.interpreter import Sheet

_NUMBER = re.compile(r"[0-9]{1,6}(\.[0-9]{1,4}|/[1-9][0-9]{0,3})?")


def read_numbers(line: str) -> list[Fraction] | None:
    """The numbers of a line, with blanks or commas between them; None if there is anything else in it."""
    pieces = re.split(r"[\s,;]+", line.strip().replace("½", ".5").replace(" .5", " 0.5"))
    pieces = [f"0{piece}" if piece.startswith(".") else piece for piece in pieces]
    if not all(_NUMBER.fullmatch(piece) for piece in pieces):
        return None
    return [Fraction(piece) for piece in pieces]


def number_text(number: Fraction) -> str:
    """A number as people write it."""
    return str(number.numerator) if number.denominator == 1 else f"{float(number):g}"


def request(sheet: Sheet) -> str:
    """What is asked for: on how many cards, and what is left of the sum."""
    blank = sheet.cards[len(sheet.written) :]
    so_far = sum(sheet.written, Fraction(0))
    groups = [(card, len(list(group))) for card, group in groupby(blank)]
    cards = ", ".join(card if number == 1 else f"{number} x {card}" for card, number in groups)
    least, most = max(Fraction(0), sheet.least - so_far), sheet.most - so_far
    whole = number_text(most) if least == most else f"{number_text(least)} to {number_text(most)}"
    noun = "a number" if len(blank) == 1 else f"{len(blank)} numbers"
    done = f" ({number_text(so_far)} so far)" if sheet.written else ""
    return f"{noun} for {cards}, in all {whole}{done}"


def problem(sheet: Sheet, numbers: Sequence[Fraction]) -> str | None:
    """What is wrong with numbers for the cards that are still blank; None if they can be written."""
    blank = len(sheet.cards) - len(sheet.written)
    if len(numbers) > blank:
        return f"These are {len(numbers)} numbers, and there {'is one card' if blank == 1 else f'are {blank} cards'}."
    for card, number in enumerate(numbers, len(sheet.written)):
        if not sheet.allows(card, number):
            return f"{number_text(number)} can't be written on {sheet.cards[card]} here."
    whole = sum((*sheet.written, *numbers), Fraction(0))
    if whole > sheet.most:
        return f"That makes {number_text(whole)}, {number_text(whole - sheet.most)} too much."
    if len(numbers) == blank and whole < sheet.least:
        return f"That makes {number_text(whole)}; {number_text(sheet.least - whole)} is left to be written."
    return None
