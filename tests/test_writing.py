"""Values written on cards: counted by formulas and brute force, drawn evenly, offered without dead ends."""

from __future__ import annotations

from itertools import product
from math import comb
from random import Random
from typing import Any

import pytest
from programs import CARD, FRENCH, NUMBER, TABLE, ask, bound, cell, const, prim, program, suit_of
from test_choices import HAND, PLAYER, deal, leaves, position

from rulesdsl.interpreter.decide.choices import STOP, ReasonKind
from rulesdsl.interpreter.state.errors import MatchError
from rulesdsl.ir.nodes import Keeping, Kind, MakeTuple, Op, PickWriting, Term
from rulesdsl.types import LARGEST, NONE, ListOf, Optional, Range

WRITTEN = Kind("card", FRENCH.printed, FRENCH.generator, fields=(Keeping("mark", NUMBER, 0),))
PROGRAM = program(kinds=(WRITTEN,), zones=TABLE)
NUMBERS = ListOf(Optional(NUMBER))


def between(low: int | Term, high: int | Term) -> Term:
    ends = tuple(const(end) if isinstance(end, int) else end for end in (low, high))
    return MakeTuple(ends, type=Range(NUMBER))


def writing(
    domain: Term, total: Term | None = None, some: int | None = None, card: int = 0, hand: int = 3
) -> tuple[Any, list[Any]]:
    pick = PickWriting("card", "mark", HAND, card, domain, None if some is None else const(some), total)
    question, state, layout = position(ask("write", PLAYER, (cell(NUMBERS, "marks"), pick)), PROGRAM, optimise=True)
    deal(state, layout, list(range(0, 9 * hand, 9))[:hand] if hand <= 4 else list(range(hand)))
    return question, state


def test_nine_cards_that_make_21() -> None:
    """The number of ways to share 21 among 9, and at most 21, are binomials."""
    question, state = writing(between(0, LARGEST), between(21, 21), hand=9)
    assert question.count(state, 1) == comb(29, 8)
    at_most, state = writing(between(0, LARGEST), between(0, 21), hand=9)
    assert at_most.count(state, 1) == comb(30, 9)
    random = Random(1)
    for _ in range(20):
        _, (marks,) = question.sample(state, 1, random.randrange)
        assert sum(marks) == 21
        assert question.check(state, 1, (0, (marks,)))
    assert question.options(state, 1, ()) == list(range(22))
    assert question.options(state, 1, (20,)) == [0, 1]
    prefix: tuple[int, ...] = (3,) * 7
    assert question.options(state, 1, prefix) == [0]
    (reason,) = question.why_not(state, 1, (0, ((20,) * 9,)))
    assert reason.kind is ReasonKind.PICK


def test_a_thousand_values_on_nine_cards() -> None:
    """More ways than a machine word holds, and one card's marks still evenly spread."""
    question, state = writing(between(0, 999), hand=9)
    assert question.count(state, 1) == 1000**9
    random = Random(2)
    drawn = [question.sample(state, 1, random.randrange)[1][0] for _ in range(2000)]
    assert abs(sum(marks[4] for marks in drawn) / 2000 - 499.5) < 30  # the standard error is 6.5
    bounded, state = writing(between(0, 999), between(0, 999), hand=9)
    assert bounded.count(state, 1) == comb(999 + 9, 9)


@pytest.mark.parametrize("some", [None, 0, 1, 2, 4])
@pytest.mark.parametrize("total", [None, (4, 4), (0, 3), (5, 9), (90, 99)])
def test_against_brute_force(some: int | None, total: tuple[int, int] | None) -> None:
    values = [1, 2, 5]
    domain = MakeTuple(tuple(const(value) for value in values), type=ListOf(NUMBER))
    question, state = writing(domain, None if total is None else between(*total), some)
    expected = set()
    for marks in product([NONE, *values], repeat=3):
        written = [mark for mark in marks if mark != NONE]
        if len(written) == (3 if some is None else some) and (total is None or total[0] <= sum(written) <= total[1]):
            expected.add(marks)
    answers = list(question.answers(state, 1))
    assert {marks for _, (marks,) in answers} == expected
    assert len(answers) == question.count(state, 1) == len(expected)
    for marks in product([NONE, 0, *values], repeat=3):
        assert question.check(state, 1, (0, (marks,))) is (marks in expected)
    if not expected:
        with pytest.raises(MatchError):
            question.null(state, 1)
        return
    assert list(leaves(question, state)) == answers
    random = Random(3)
    drawn = {question.sample(state, 1, random.randrange)[1][0] for _ in range(40 * len(expected))}
    assert drawn == expected
    if some == 0:
        assert question.null(state, 1) == (0, ((NONE,) * 3,))
    elif some in (1, 2):
        assert STOP in question.options(state, 1, ()) or len(question.options(state, 1, ())) > 0


def test_what_may_be_written_may_depend_on_the_card() -> None:
    card = bound(CARD, "card")
    suit = prim(Op.PLACE_IN_ORDER, suit_of(card), of=NUMBER)
    question, state = writing(between(0, suit), between(3, 3), card=card.id, hand=4)
    # One card of each suit, so from 0 to 0, 1, 2 and 3.
    expected = [marks for marks in product(range(1), range(2), range(3), range(4)) if sum(marks) == 3]
    assert [marks for _, (marks,) in question.answers(state, 1)] == expected


def test_no_cards_are_nothing_to_do() -> None:
    question, state = writing(between(0, 5), hand=0)
    assert question.null(state, 1) == (0, ((),))
    assert question.complete(state, 1, ()) == (0, ((),))


def test_too_many_sums_end_the_match() -> None:
    question, state = writing(between(0, 9_000), between(0, 9_000), hand=9)
    with pytest.raises(MatchError):
        question.count(state, 1)
