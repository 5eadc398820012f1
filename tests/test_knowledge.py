"""Who knows where a card lies: each rule on a move or two."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import pytest
from programs import CARD, CARDS, SEAT, kind_of_rows, program
from small_pieces import HAND

from rulesdsl.interpreter.run.machine import Machine
from rulesdsl.interpreter.sight.rebuild import normal, rebuilt
from rulesdsl.interpreter.sight.render import render
from rulesdsl.interpreter.sight.view import view
from rulesdsl.interpreter.state.cells import FINISHED, STATUS
from rulesdsl.ir.nodes import (
    Block,
    Const,
    Keeping,
    Kind,
    MakePlay,
    Move,
    Owned,
    PlaceOf,
    PlaceUnder,
    Shape,
    Show,
    Shuffle,
    Sight,
    Swap,
    Zone,
)
from rulesdsl.types import Number, Place, RowOf, SetOf

KIND = kind_of_rows("card", *range(12))
ZONES = (
    Zone("box", "card", seen=Sight.NOBODY, start_all=True),
    Zone("hand", "card", Owned.PLAYER, seen=Sight.OWNER),
    Zone("pile", "card", shape=Shape.STACK, seen=Sight.NOBODY),
    Zone("dark", "card", seen=Sight.NOBODY),
    Zone("open", "card"),
    Zone("secret", "card", seen=Sight.NOBODY, count_seen=Sight.NOBODY),
    Zone("plays", "card", shape=Shape.PLAYS, seen=Sight.NOBODY),
)


def cards(*members: int) -> Const:
    """A set of cards."""
    return Const(bits(*members), type=CARDS)


def row(*members: int) -> Const:
    """Cards in this order."""
    return Const(tuple(members), type=RowOf(CARD))


def bits(*members: int) -> int:
    return sum(1 << member for member in members)


def hand(seat: int) -> PlaceOf:
    """The hand of a seat."""
    return PlaceOf("hand", Const(seat, type=SEAT), type=HAND)


def zone(name: str) -> PlaceOf:
    """A zone of everybody."""
    return PlaceOf(name, type=Place("card", RowOf(CARD) if name == "pile" else CARDS))


def seats(*members: int) -> Const:
    """A set of seats."""
    return Const(bits(*members), type=SetOf(SEAT))


def known(steps: Block, kind: Kind = KIND) -> list[set[int]]:
    """By seat, what each of three seats knows after the steps; told and shown is the same."""
    machine = Machine(program(steps, players=(3, 3), kinds=(kind,), zones=ZONES), 3)
    state = machine.start()
    machine.advance(state)
    assert state[STATUS] == FINISHED, machine.why(state)
    events = machine.take_events()
    for seat in range(3):
        told = [line for event in events if (line := render(event, seat, machine.layout)) is not None]
        assert normal(rebuilt(told)) == normal(view(state, machine, seat)["zones"])  # type: ignore[arg-type]
    first = machine.layout.seen["card"]
    return [{card for card in range(12) if state[first + seat] >> card & 1} for seat in range(3)]


DEAL: Block = (Move(cards(0, 1, 2, 3), hand(0)), Move(cards(4, 5, 6), hand(1)), Move(cards(7, 8), hand(2)))


def test_one_knows_what_one_sees() -> None:
    assert known(DEAL) == [{0, 1, 2, 3}, {4, 5, 6}, {7, 8}]
    assert known((*DEAL, Move(cards(4), zone("open")))) == [{0, 1, 2, 3, 4}, {4, 5, 6}, {4, 7, 8}]


def test_one_knows_what_one_gave_away() -> None:
    assert known((*DEAL, Move(cards(0, 1), hand(1)))) == [{0, 1, 2, 3}, {0, 1, 4, 5, 6}, {7, 8}]


def test_one_knows_what_one_saw_taken_back() -> None:
    assert known((*DEAL, Move(cards(4), zone("open")), Move(cards(4), hand(1))))[2] == {4, 7, 8}


def test_what_one_only_remembers_is_forgotten_when_some_of_it_may_have_gone() -> None:
    """Three cards passed on, then some of that hand handed further: which ones, the first seat can't tell."""
    passed = (*DEAL, Move(cards(0, 1), hand(1)))
    for gone in (cards(0, 4), cards(4, 5), cards(0, 1)):
        assert known((*passed, Move(gone, hand(2))))[0] == {2, 3}


def test_it_goes_along_when_all_that_lies_there_moves() -> None:
    passed = (*DEAL, Move(cards(0, 1), hand(1)))
    assert known((*passed, Move(cards(0, 1, 4, 5, 6), hand(2))))[0] == {0, 1, 2, 3}


def test_what_is_seen_to_leave_is_not_what_was_left() -> None:
    """The first seat sees which card leaves the hand it has given cards to, so it goes on knowing the others."""
    passed = (*DEAL, Move(cards(0, 1), hand(1)))
    assert known((*passed, Move(cards(0), zone("open"))))[0] == {0, 1, 2, 3}
    assert known((*passed, Move(cards(4), zone("open"))))[0] == {0, 1, 2, 3, 4}


def test_a_shuffle_ends_what_is_remembered() -> None:
    down = (*DEAL, Move(row(0, 1), zone("pile")))
    assert known(down)[0] == {0, 1, 2, 3}
    assert known((*down, Shuffle(zone("pile"), "pile")))[0] == {2, 3}
    assert known((*DEAL, Move(cards(0), zone("open")), Shuffle(zone("open"), "open")))[1] == {0, 4, 5, 6}


def test_in_an_order_one_can_tell_which_card_goes() -> None:
    down = (*DEAL, Move(row(10, 11), zone("pile")), Move(row(0, 1), zone("pile")))
    assert known((*down, Move(row(1), hand(1))))[0] == {0, 1, 2, 3}
    assert known((*down, Move(row(11), hand(1))))[0] == {0, 1, 2, 3}
    assert known((*down, Move(row(1, 11), hand(1))))[0] == {0, 1, 2, 3}


def test_among_unknown_cards_of_an_order_one_loses_the_known_one() -> None:
    """Seat 0 knows two of four cards that go face down onto a pile together: not which of the four they are."""
    passed = (*DEAL, Move(cards(0, 1), hand(1)))
    assert known((*passed, Move(row(0, 4, 1, 5, 6), zone("pile"))))[0] == {2, 3}
    assert known((*passed, Move(cards(0, 1, 4, 5, 6), zone("dark"))))[0] == {0, 1, 2, 3}


def test_showing_adds_knowledge() -> None:
    assert known((*DEAL, Show(cards(4, 5), seats(0)))) == [{0, 1, 2, 3, 4, 5}, {4, 5, 6}, {7, 8}]
    assert known((*DEAL, Show(cards(9), seats(0, 1, 2)), Move(cards(10), zone("dark"))))[1] == {4, 5, 6}
    assert known((*DEAL, Move(row(9, 10), zone("pile")), Show(row(9), seats(1))))[1] == {4, 5, 6, 9}


def test_cards_under_a_card_are_seen_with_it() -> None:
    under = Move(cards(0), PlaceUnder("card", Const(4, type=CARD), type=HAND))
    hidden = (*DEAL, under)
    assert known(hidden) == [{0, 1, 2, 3}, {0, 4, 5, 6}, {7, 8}]
    assert known((*hidden, Move(cards(4), zone("open")))) == [{0, 1, 2, 3, 4}, {0, 4, 5, 6}, {0, 4, 7, 8}]


def test_a_swap_is_two_moves_at_once() -> None:
    swap = Swap(cards(0), cards(4))
    assert known((*DEAL, swap)) == [{0, 1, 2, 3, 4}, {0, 4, 5, 6}, {7, 8}]
    third = known((*DEAL, Move(cards(7), hand(0)), swap))
    assert third == [{0, 1, 2, 3, 4, 7}, {0, 4, 5, 6}, {8}]


def test_a_play_face_down_keeps_its_cards_apart() -> None:
    plays = (
        MakePlay(cards(0, 1), "plays", None, Const(0, type=SEAT)),
        MakePlay(cards(4), "plays", None, Const(1, type=SEAT)),
    )
    assert known((*DEAL, *plays)) == [{0, 1, 2, 3}, {4, 5, 6}, {7, 8}]
    assert known((*DEAL, *plays, Move(cards(1, 4), zone("dark")))) == [{0, 1, 2, 3}, {4, 5, 6}, {7, 8}]


def test_a_place_whose_count_is_hidden_stays_so() -> None:
    secret = (*DEAL, Move(cards(0, 1), zone("secret")), Move(cards(9, 10), zone("secret")))
    assert known(secret)[0] == {0, 1, 2, 3}
    assert known((*secret, Move(cards(9), zone("dark"))))[0] == {2, 3}


def alike() -> Kind:
    """Two cards of each of six faces."""
    return kind_of_rows("card", *range(6), copies=2)


@pytest.mark.parametrize("leaving", [0, 2])
def test_alike_cards_can_not_be_told_apart(leaving: int) -> None:
    """Cards 0 and 1 look the same. Seat 0 gave one of them to seat 1, who has the other: then one is played openly."""
    start: Block = (Move(cards(0, 2, 4), hand(0)), Move(cards(1, 6), hand(1)))
    steps = (*start, Move(cards(0), hand(1)), Move(cards(leaving if leaving == 0 else 1), zone("open")))
    after = known(steps, alike())[0]
    assert after & {2, 4} == {2, 4}
    assert len(after & {0, 1}) == 1, "one lies in the open; whether the other is still there it can't tell"


def test_cards_with_something_written_on_them_can_be_told_apart() -> None:
    marked = replace(alike(), fields=(Keeping("mark", Number(), 0),))
    machine = Machine(program((), players=(3, 3), kinds=(marked,), zones=ZONES), 3)
    state = machine.blank()
    hands: Sequence[tuple[int, ...]] = ((0, 2), (1, 6))
    for seat, held in enumerate(hands):
        machine.put(state, "card", held, machine.layout.zone_of("hand", seat).index)
    machine.knowledge.settle(state)
    state[machine.layout.fields["card", "mark"]] = 5
    open_zone = machine.layout.zone_of("open").index
    hand_one = machine.layout.zone_of("hand", 1).index
    machine.knowledge.moves(state, "card", 1, machine.layout.zone_of("hand", 0).index, hand_one)
    machine.put(state, "card", (0,), hand_one)
    machine.knowledge.moves(state, "card", 1 << 1, hand_one, open_zone)
    assert machine.knowledge.knows(state, "card", 0) == bits(0, 1, 2)
