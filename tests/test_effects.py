"""What steps do to cards and values, on matches that consist of a few steps and no decision."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction
from typing import Any

import pytest
from programs import CARD, CARDS, FRENCH, NUMBER, SEAT, SUIT, TABLE, cell, const, prim, program, variable
from small_pieces import HAND, cells_of, number

from rulesdsl.interpreter.run.machine import Machine
from rulesdsl.interpreter.state.cells import ERROR, FINISHED, STATUS
from rulesdsl.ir.nodes import (
    Assign,
    Block,
    Const,
    DrawRandom,
    Each,
    End,
    Field,
    Increase,
    Keeping,
    MakePlay,
    Move,
    Op,
    PlaceOf,
    PlaceUnder,
    PlayField,
    Repeat,
    Roll,
    Shape,
    Swap,
    Term,
    Variable,
    Zone,
    ZoneCards,
)
from rulesdsl.types import NONE, ListOf, Number, Optional, Place, Play, RowOf, SetOf

ZONES = (
    *TABLE,
    Zone("row", "card", shape=Shape.ROW),
    Zone("aside", "card"),
)
ROW = PlaceOf("row", type=Place("card", RowOf(CARD)))
ASIDE = PlaceOf("aside", type=HAND)


def cards(*members: int) -> Const:
    """A set of cards."""
    return Const(sum(1 << member for member in members), type=CARDS)


def row(*members: int) -> Const:
    """Cards in this order."""
    return Const(tuple(members), type=RowOf(CARD))


def seat(index: int) -> Const:
    """A seat."""
    return Const(index, type=SEAT)


def hand_of(index: int) -> PlaceOf:
    """The hand of a seat."""
    return PlaceOf("hand", seat(index), type=HAND)


def under(card: int) -> PlaceUnder:
    """The place under a card."""
    return PlaceUnder("card", Const(card, type=CARD), type=HAND)


class Outcome:
    """A match after its steps."""

    def __init__(self, steps: Block, variables: Sequence[Variable] = (), fields: tuple[Keeping, ...] = ()) -> None:
        plays = replace(ZONES[2], fields=(Keeping("strength", NUMBER, 1),))
        kind = replace(FRENCH, fields=fields)
        game = program(
            steps,
            cells=cells_of(steps),  # type: ignore[arg-type]
            zones=(*ZONES[:2], plays, *ZONES[3:]),
            kinds=(kind,),
            variables=tuple(variables),
        )
        self.machine = Machine(game, 2)
        self.state = self.machine.start(1)
        self.machine.advance(self.state)

    @property
    def error(self) -> str | None:
        """What broke the match off."""
        why = self.machine.why(self.state)
        return None if why is None else why.message

    def zone(self, name: str, owner: int = 0) -> Any:
        """What lies in a zone."""
        assert self.state[STATUS] == FINISHED, self.error
        return self.state[self.machine.layout.zone_of(name, owner).cell]

    def at(self, card: int) -> int:
        """Where a card lies."""
        place: int = self.state[self.machine.layout.at["card"] + card]
        return place

    def value(self, name: str, within: int = 0) -> Any:
        """A state."""
        assert self.state[STATUS] == FINISHED, self.error
        return self.state[self.machine.layout.variables[name].base + within]


def bits(*members: int) -> int:
    return sum(1 << member for member in members)


# ── cards ────────────────────────────────────────────────────────────────────────────────────────────────────────────


def test_a_move_keeps_the_order_of_what_it_moves() -> None:
    outcome = Outcome((Move(row(7, 3, 5), ROW), Move(cards(9, 8), ROW), Move(row(1, 2), ROW, End.BOTTOM)))
    assert outcome.zone("row") == (1, 2, 7, 3, 5, 8, 9)
    assert outcome.zone("stock") == (0, 4, 6, *range(10, 36))


def test_what_is_already_there_does_not_move() -> None:
    outcome = Outcome((Move(row(7, 3, 5), ROW), Move(row(3, 4), ROW)))
    assert outcome.zone("row") == (7, 3, 5, 4)


def test_cards_from_several_places_lie_in_the_order_in_which_they_are_named() -> None:
    steps = (Move(cards(5), hand_of(0)), Move(cards(3, 9), hand_of(1)), Move(cards(2), ROW))
    assert Outcome((*steps, Move(row(9, 5, 1, 3), ROW))).zone("row") == (2, 9, 5, 1, 3)
    assert Outcome((*steps, Move(row(9, 5, 1, 3), ROW, End.BOTTOM))).zone("row") == (9, 5, 1, 3, 2)


def test_cards_under_a_card_go_along() -> None:
    outcome = Outcome((Move(cards(4), under(2)), Move(cards(5), under(4)), Move(cards(2), hand_of(1))))
    assert outcome.zone("hand", 1) == bits(2)
    zones = outcome.machine.layout.zone_count
    assert (outcome.at(4), outcome.at(5)) == (zones + 2, zones + 4)


def test_named_cards_leave_the_card_above_them() -> None:
    outcome = Outcome((Move(cards(4), under(2)), Move(cards(2, 4), ASIDE)))
    assert outcome.zone("aside") == bits(2, 4)


@pytest.mark.parametrize(("card", "host"), [(2, 2), (2, 4), (2, 5)])
def test_a_card_does_not_go_under_itself(card: int, host: int) -> None:
    outcome = Outcome((Move(cards(4), under(2)), Move(cards(5), under(4)), Move(cards(card), under(host))))
    assert outcome.state[STATUS] == ERROR
    assert outcome.error is not None
    assert "under itself" in outcome.error


def test_a_play_ends_with_its_last_card() -> None:
    one = MakePlay(cards(3, 4), "table", None, seat(1), (("strength", const(5)),))
    two = MakePlay(cards(8), "table", None, seat(0))
    empty = MakePlay(cards(), "table", None, seat(0))
    assert Outcome((one, two, empty)).zone("table") == ((0, 1, bits(3, 4), 5), (1, 0, bits(8), 1))
    assert Outcome((one, two, Move(cards(4), ASIDE))).zone("table") == ((0, 1, bits(3), 5), (1, 0, bits(8), 1))
    assert Outcome((one, two, Move(cards(3, 4), ASIDE))).zone("table") == ((1, 0, bits(8), 1),)


def test_a_field_of_a_play_is_set() -> None:
    target = PlayField("table", "strength", Const(1, type=Play("table")), type=NUMBER)
    steps = (MakePlay(cards(3), "table", None, seat(1)), MakePlay(cards(8), "table", None, seat(0)))
    outcome = Outcome((*steps, Assign(target, const(9))))
    assert outcome.zone("table") == ((0, 1, bits(3), 1), (1, 0, bits(8), 9))


def swapped(left: Term, right: Term) -> Block:
    return (
        Move(row(1, 2, 3), ROW),
        Move(cards(10, 11), hand_of(0)),
        MakePlay(cards(20), "table", None, seat(0)),
        MakePlay(cards(21, 22), "table", None, seat(1)),
        Move(cards(30), under(10)),
        Swap(left, right),
    )


def test_a_swap_exchanges_places() -> None:
    outcome = Outcome(swapped(cards(2), cards(11)))
    assert outcome.zone("row") == (1, 11, 3)
    assert outcome.zone("hand") == bits(2, 10)


def test_a_swap_keeps_a_play_in_its_place() -> None:
    outcome = Outcome(swapped(cards(20), cards(10)))
    assert outcome.zone("table") == ((0, 0, bits(10), 1), (1, 1, bits(21, 22), 1))
    assert outcome.zone("hand") == bits(11, 20)
    assert outcome.at(30) == outcome.machine.layout.zone_count + 10


def test_whole_places_are_swapped() -> None:
    outcome = Outcome(swapped(ROW, hand_of(0)))
    assert outcome.zone("row") == (10, 11)
    assert outcome.zone("hand") == bits(1, 2, 3)


def test_a_swap_inside_a_row_exchanges_positions() -> None:
    assert Outcome(swapped(cards(1), cards(3))).zone("row") == (3, 2, 1)


def test_a_swap_of_what_is_not_there_does_nothing() -> None:
    assert Outcome(swapped(cards(2), cards())).zone("row") == (1, 2, 3)


def test_a_side_of_a_swap_lies_in_one_place() -> None:
    assert Outcome(swapped(cards(2, 10), cards(20))).state[STATUS] == ERROR


# ── values ───────────────────────────────────────────────────────────────────────────────────────────────────────────

LIMITED = Number(low=Fraction(0), high=Fraction(10))
HALVES = Number(scale=2, low=Fraction(0), high=Fraction(3, 2))


def test_numbers_stay_in_their_range() -> None:
    bounded = variable("score", LIMITED)
    assert Outcome((Assign(number("score"), const(10)),), [bounded]).value("score") == 10
    outcome = Outcome((Assign(number("score"), const(7)), Increase(number("score"), const(4))), [bounded])
    assert outcome.error == "`score` can't be 11: it goes from 0 to 10"
    outcome = Outcome((Assign(number("score"), const(3)), Increase(number("score"), const(-4))), [bounded])
    assert outcome.error == "`score` can't be -1: it goes from 0 to 10"
    outcome = Outcome((Increase(number("half"), const(4)),), [variable("half", HALVES)])
    assert outcome.error == "`half` can't be 2: it goes from 0 to 3/2"


def test_what_must_have_a_value_has_one() -> None:
    nobody = Const(NONE, type=Optional(SEAT))
    outcome = Outcome((Assign(replace(number("who"), type=SEAT), nobody),), [variable("who", SEAT)])
    assert outcome.error == "`who` needs a value, and there is none"
    assert Outcome((Assign(number("who"), nobody),), [variable("who", Optional(SEAT), 1)]).value("who") == NONE


def test_lists_have_an_end() -> None:
    kept = Variable(Keeping("seen", ListOf(NUMBER), (), at_most=3))
    target = replace(number("seen"), type=ListOf(NUMBER))
    add = Repeat((Increase(target, const(4)),), times=const(3))
    assert Outcome((add,), [kept]).value("seen") == (4, 4, 4)
    assert Outcome((add, Increase(target, const(4))), [kept]).state[STATUS] == ERROR


def test_sets_grow_by_members_and_by_sets() -> None:
    kept = Variable(Keeping("suits", SetOf(SUIT), 0))
    target = replace(number("suits"), type=SetOf(SUIT))
    add = (Increase(target, Const(2, type=SUIT)), Increase(target, Const(0b11, type=SetOf(SUIT))))
    assert Outcome(add, [kept]).value("suits") == 0b111


def test_a_state_of_each_has_a_cell_of_each() -> None:
    kept = variable("score", NUMBER, 0, SEAT, SUIT)
    outcome = Outcome((Assign(number("score", seat(1), Const(2, type=SUIT)), const(9)),), [kept])
    assert [outcome.value("score", within) for within in range(8)] == [0, 0, 0, 0, 0, 0, 9, 0]


def test_what_is_written_on_a_card_stays_with_it() -> None:
    field = Field("card", "mark", Const(6, type=CARD), type=NUMBER)
    outcome = Outcome(
        (Assign(field, const(3)), Move(cards(6), hand_of(1)), Increase(number("sum"), field)),
        [variable("sum", NUMBER)],
        (Keeping("mark", NUMBER, 0),),
    )
    assert outcome.value("sum") == 3


# ── chance and loops ─────────────────────────────────────────────────────────────────────────────────────────────────


def test_what_has_one_outcome_draws_nothing() -> None:
    rolled, drawn = cell(NUMBER, "rolled"), cell(CARD, "drawn")
    some = cell(CARDS, "some")
    steps = (
        Roll("rolled", rolled, const(4), const(4)),
        DrawRandom("drawn", drawn, cards(7)),
        DrawRandom("some", some, cards(8, 9), const(5)),
        Move(prim(Op.SINGLETON, drawn, of=CARDS), ASIDE),
        Move(some, ASIDE),
        DrawRandom("some", some, cards(1, 2), const(-1)),
        Move(some, ROW),
        Increase(number("sum"), rolled),
    )
    outcome = Outcome(steps, [variable("sum", NUMBER)])
    assert outcome.value("sum") == 4
    assert outcome.zone("aside") == bits(7, 8, 9)
    assert outcome.zone("row") == ()
    assert outcome.state[2] == outcome.machine.start(1)[2]


def test_nothing_to_draw_from_is_an_error() -> None:
    outcome = Outcome((DrawRandom("drawn", cell(CARD, "drawn"), cards()),))
    assert outcome.error == "there is nothing to draw `drawn` from"


def test_a_loop_walks_what_it_found_at_the_start() -> None:
    card = cell(CARD, "card")
    lying = ZoneCards("hand", seat(0), type=CARDS)
    steps = (
        Move(cards(4, 5, 6), hand_of(0)),
        Each(card, lying, (Move(lying, ASIDE), Increase(number("turns"), const(1)))),
    )
    assert Outcome(steps, [variable("turns", NUMBER)]).value("turns") == 3


@pytest.mark.parametrize(
    ("loop", "turns"),
    [
        (Each(cell(SEAT, "p"), Const(0b11, type=SetOf(SEAT)), (), rounds=const(3)), 6),
        (Each(cell(SEAT, "p"), Const(0b11, type=SetOf(SEAT)), (), rounds=const(0)), 0),
        (Each(cell(SEAT, "p"), Const(0b10, type=SetOf(SEAT)), (), start=seat(0)), 1),
        (Repeat((), times=const(-2)), 0),
        (Repeat((), times=const(4)), 4),
    ],
)
def test_how_often_loops_go_round(loop: Each | Repeat, turns: int) -> None:
    counted = replace(loop, body=(Increase(number("turns"), const(1)),))
    assert Outcome((counted,), [variable("turns", NUMBER)]).value("turns") == turns
