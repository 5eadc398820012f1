"""Values in words, and back."""

from __future__ import annotations

from fractions import Fraction

import pytest
from programs import CARD, FRENCH, NUMBER, RANK, SEAT, SUIT, YES_NO, kind_of_rows, program

from rulesdsl.interpreter.host.naming import Namer, number_text
from rulesdsl.interpreter.state.layout import Layout
from rulesdsl.ir.nodes import CardRow, Generator, Keeping, Kind, PrintedAttribute, Shape, Teams, Value, Zone
from rulesdsl.types import (
    NONE,
    Card,
    Enum,
    Face,
    Ladder,
    ListOf,
    Number,
    Optional,
    Place,
    Range,
    Record,
    SetOf,
    Team,
    Text,
    Type,
)

BALL = Enum("suit", ("stuffie", "controller", "ball"), cycle=True)
NUMBERS = Kind("number", (PrintedAttribute("number", NUMBER),), Generator((("number", tuple(range(10, 60))),)))
WRITTEN = Kind(
    "token", (PrintedAttribute("suit", BALL),), Generator((("suit", (0, 1, 2)),)), fields=(Keeping("rank", NUMBER, 0),)
)
NUMBERED = Kind(
    "numbered",
    (PrintedAttribute("suit", SUIT), PrintedAttribute("number", NUMBER)),
    Generator((("suit", (0, 1)), ("number", (7, 8)))),
)
LISTED = Kind(
    "listed",
    (PrintedAttribute("sort", SUIT), PrintedAttribute("worth", NUMBER, each=BALL)),
    rows=(
        CardRow("T024", "Gloomjaw", (("sort", 1), ("worth", (1, 2, 3)))),
        CardRow(None, "Last Toll", (("sort", 2), ("worth", (1, 3, 2)))),
        CardRow(None, None, (("sort", 3), ("worth", (2, 1, 3))), copies=2),
    ),
)
KINDS = (FRENCH, NUMBERS, WRITTEN, NUMBERED, LISTED, kind_of_rows("coin", 1, 2))
PROGRAM = program(
    kinds=KINDS,
    zones=tuple(Zone(f"box_{kind.name}", kind.name, shape=Shape.STACK) for kind in KINDS),
    players=(4, 4),
    teams=Teams("partners", True),
    texts=("first", "on the last one"),
)
NAMER = Namer(Layout(PROGRAM, 4))
RUNG = Ladder("rung", (("level", Number(low=Fraction(1), high=Fraction(7))), ("suit", SUIT)))


@pytest.mark.parametrize(
    ("of", "value", "text"),
    [
        (CARD, 33, "Q of spades"),
        (CARD, 4, "10 of clubs"),
        (Face("card"), 1 << 33, "Q of spades"),
        (Card("number"), 3, "13"),
        (Card("token"), 2, "ball"),
        (Card("numbered"), 2, "diamonds 7"),
        (Card("listed"), 0, "Gloomjaw"),
        (Card("listed"), 1, "Last Toll"),
        (Card("listed"), 2, "spades stuffie 2 controller 1 ball 3"),
        (Card("coin"), 1, "2"),
        (SEAT, 2, "player 2"),
        (Team(), 1, "team 1"),
        (YES_NO, 1, "yes"),
        (YES_NO, 0, "no"),
        (RANK, 8, "A"),
        (NUMBER, -4, "-4"),
        (Number(scale=2), 5, "2.5"),
        (Number(scale=3), 4, "4/3"),
        (Optional(RANK), NONE, "none"),
        (Optional(RANK), 3, "9"),
        (Text(), 1, "on the last one"),
        (RUNG, 10, "3 hearts"),
    ],
)
def test_both_ways(of: Type, value: Value, text: str) -> None:
    assert NAMER.text(of, value) == text
    assert NAMER.value(of, tuple(text.split())) == value


@pytest.mark.parametrize(
    ("of", "value", "text"),
    [
        (SetOf(CARD), 1 << 33 | 1 << 4, "10 of clubs, Q of spades"),
        (SetOf(SEAT), 0, "nothing"),
        (SetOf(Number(low=Fraction(10), high=Fraction(20))), 0b101, "10, 12"),
        (ListOf(NUMBER), (3, 3), "3, 3"),
        (Range(NUMBER), (2, 5), "2 to 5"),
        (Record("credit", (("value", NUMBER), ("suit", SUIT))), (3, 2), "value 3, suit hearts"),
        (Place("card", SetOf(CARD)), 0, "box_card"),
        (Place("card", SetOf(CARD)), len(KINDS) + 33, "under Q of spades"),
    ],
)
def test_shown(of: Type, value: Value, text: str) -> None:
    assert NAMER.text(of, value) == text


@pytest.mark.parametrize(
    ("of", "text", "value"),
    [
        (CARD, "spades Q", 33),
        (CARD, "Q spades", 33),
        (CARD, "spades", None),
        (CARD, "Q of swords", None),
        (CARD, "", None),
        (Card("numbered"), "7 diamonds", 2),
        (Card("listed"), "Gloomjaw", 0),
        (Card("listed"), "spades", 2),
        (SEAT, "3", 3),
        (SEAT, "4", None),
        (SEAT, "team 1", None),
        (YES_NO, "true", 1),
        (YES_NO, "false", 0),
        (RANK, "11", None),
        (NUMBER, "1/2", None),
        (NUMBER, "x", None),
        (Number(scale=2), "1/2", 1),
        (Number(scale=2), "1/0", None),
        (RUNG, "8 hearts", None),
        (RUNG, "3", None),
    ],
)
def test_read(of: Type, text: str, value: Value | None) -> None:
    assert NAMER.value(of, tuple(text.split())) == value


def test_words_may_fit_several_cards() -> None:
    assert NAMER.cards("card", ("Q",)) == sum(1 << card for card in (6, 15, 24, 33))
    assert NAMER.cards("listed", ("spades",)) == 0b1100
    assert NAMER.cards("card", ("Q", "K")) == 0


def test_every_card_is_found_by_what_is_shown() -> None:
    for kind in KINDS:
        pack = Layout(PROGRAM, 4).packs[kind.name]
        for card in range(pack.size):
            words = tuple(NAMER.text(Card(kind.name), card).split())
            assert NAMER.cards(kind.name, words) == pack.faces()[card]


@pytest.mark.parametrize(
    ("number", "text"), [(Fraction(1, 8), "0.125"), (Fraction(-7, 20), "-0.35"), (Fraction(1, 6), "1/6")]
)
def test_fractions(number: Fraction, text: str) -> None:
    assert number_text(number) == text
