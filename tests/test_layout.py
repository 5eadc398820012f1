"""The cards that are made, where things are kept, and who sits where."""

from __future__ import annotations

from fractions import Fraction

import pytest
from programs import (
    CARD,
    NUMBER,
    RANK,
    SEAT,
    SUIT,
    TABLE,
    all_of,
    bound,
    call,
    const,
    prim,
    program,
    rank_of,
    rule,
    same,
    variable,
)

from rulesdsl.diagnostic import InternalError
from rulesdsl.interpreter.state.layout import GENERATOR, PENDING, Layout
from rulesdsl.interpreter.state.seating import Seating
from rulesdsl.ir.nodes import (
    Attribute,
    Call,
    CardRow,
    Generator,
    If,
    Keeping,
    Kind,
    Op,
    Owned,
    PrintedAttribute,
    Shape,
    Sight,
    Teams,
    Term,
    Zone,
)
from rulesdsl.types import NONE, Number, Optional

CANDIDATE = bound(CARD)


def french(copies: Term | None = None, where: Term | None = None) -> Kind:
    printed = (PrintedAttribute("suit", SUIT), PrintedAttribute("rank", RANK))
    domains = (("suit", tuple(range(4))), ("rank", tuple(range(9))))
    return Kind("card", printed, Generator(domains, copies, CANDIDATE.id, where))


def test_the_first_attribute_turns_slowest() -> None:
    pack = Layout(program(), 2).packs["card"]
    assert pack.size == 36
    assert pack.attribute("suit")[:10] == (0,) * 9 + (1,)
    assert pack.attribute("rank")[8:11] == (8, 0, 1)
    assert pack.face_set([("rank", 0)]) == sum(1 << card for card in (0, 9, 18, 27))
    assert not pack.has_alike


def test_a_condition_and_copies_by_the_number_of_seats() -> None:
    """With two seats no card above the 8, with more all up to the 10; as many copies as seats."""
    seats = prim(Op.COUNT, all_of(SEAT), of=NUMBER)
    card = bound(CARD)
    top = rule("top", If(same(seats, const(2)), const(2, RANK), const(4, RANK), type=RANK))
    used = rule("used", prim(Op.LESS_EQUAL, rank_of(card), call(top)), card)
    of = program(
        kinds=(french(copies=seats, where=Call("used", (CANDIDATE,), type=used.type)),),
        rules=(top, used),
        players=(2, 3),
    )
    for number, size in ((2, 4 * 3 * 2), (3, 4 * 5 * 3)):
        pack = Layout(of, number).packs["card"]
        assert pack.size == size
        assert pack.has_alike
        assert pack.attribute("rank")[: number + 1] == (0,) * number + (1,)
        assert pack.faces()[0] == (1 << number) - 1


def test_listed_cards() -> None:
    kind = Kind(
        "card",
        (
            PrintedAttribute("number", NUMBER),
            PrintedAttribute("suit", Optional(SUIT)),
            PrintedAttribute("worth", NUMBER, SUIT),
        ),
        rows=(
            CardRow("X1", "One", (("number", 1), ("worth", (1, 2, 3, 4))), copies=2),
            CardRow("X2", None, (("suit", 2), ("worth", (0, 0, 0, 0)))),
            CardRow("X3", "One", (("number", 1), ("worth", (1, 2, 3, 4)))),
        ),
    )
    layout = Layout(program(kinds=(kind,)), 2)
    pack = layout.packs["card"]
    assert pack.attribute("number") == (1, 1, 0, 1)
    assert pack.attribute("suit") == (NONE, NONE, 2, NONE)
    # Cards with different ids do not show the same, whatever else is printed on them.
    assert pack.faces() == (0b11, 0b11, 0b100, 0b1000)
    worth = Attribute("card", "worth", const(1, CARD), const(2, SUIT), type=NUMBER)
    from rulesdsl.interpreter.evaluate.terms import Evaluator

    assert Evaluator(layout.program, layout).term(worth)(layout.initial()) == 3


def test_everything_has_its_own_cell() -> None:
    kinds = (
        Kind("card", french().printed, french().generator, fields=(Keeping("mark", NUMBER, 7),)),
        Kind("token", (PrintedAttribute("number", NUMBER),), rows=(CardRow(None, None, (("number", 1),), 3),)),
    )
    zones = (
        *TABLE,
        Zone("pool", "card", Owned.TEAM),
        Zone("box", "token"),
        Zone("bag", "token", shape=Shape.ROW, start_all=True),
    )
    variables = (
        variable("score", NUMBER, 5, SEAT),
        variable("told", NUMBER, 0, Number(low=Fraction(3), high=Fraction(5)), SUIT),
        variable("leader", Optional(SEAT), NONE),
    )
    of = program(kinds=kinds, zones=zones, variables=variables, players=(4, 4), teams=Teams("partners", True))
    layout = Layout(of, 4)
    state = layout.initial()
    assert len(state) == layout.stack
    assert [zone.owner for zone in layout.zones if zone.name == "pool"] == [0, 1]
    assert layout.zone_of("hand", 2).owner == 2
    info = layout.variables["told"]
    assert (info.size, info.sizes, info.strides, info.firsts) == (12, (3, 4), (4, 1), (3, 0))
    used = [zone.cell for zone in layout.zones]
    for kind in ("card", "token"):
        size = layout.packs[kind].size
        used += [layout.at[kind] + card for card in range(size)] + [layout.over[kind] + card for card in range(size)]
        used += [layout.seen[kind] + seat for seat in range(4)]
    for each in layout.variables.values():
        used += range(each.base, each.base + each.size)
    used += [layout.fields["card", "mark"] + card for card in range(36)]
    assert len(used) == len(set(used))
    assert max(used) == layout.stack - 1
    # Cards begin where the zone says so, else in the first zone that can hold them; states at their starts.
    assert state[layout.zone_of("stock").cell] == tuple(range(36))
    assert state[layout.zone_of("bag").cell] == (0, 1, 2)
    assert state[layout.zone_of("box").cell] == 0
    assert state[layout.zone_of("table").cell] == ()
    assert state[layout.at["token"] : layout.at["token"] + 3] == [layout.zone_of("bag").index] * 3
    assert state[layout.over["card"]] == NONE
    assert state[layout.variables["score"].base : layout.variables["score"].base + 4] == [5] * 4
    assert state[layout.variables["leader"].base] == NONE
    assert state[layout.fields["card", "mark"] + 35] == 7
    assert state[GENERATOR] == state[PENDING] == ()
    # The stock is hidden, the bag lies open.
    assert state[layout.seen["card"]] == 0
    assert state[layout.seen["token"] + 3] == 0b111


def test_who_sees_a_zone() -> None:
    of = program(zones=(*TABLE, Zone("pool", "card", Owned.TEAM)), players=(4, 4), teams=Teams("partners", True))
    layout = Layout(of, 4)
    hand, pool = layout.zone_of("hand", 1), layout.zone_of("pool", 1)
    assert layout.seers(hand, Sight.OWNER) == 0b0010
    assert layout.seers(hand, Sight.OTHERS) == 0b1101
    assert layout.seers(pool, Sight.OWNER) == 0b1010
    assert layout.seers(pool, Sight.NOBODY) == 0
    assert layout.seers(pool, Sight.EVERYONE) == 0b1111


def test_cards_of_all_kinds_are_counted_through() -> None:
    token = Kind("token", (PrintedAttribute("number", NUMBER),), rows=(CardRow(None, None, (("number", 1),), 3),))
    layout = Layout(program(kinds=(french(), token), zones=(*TABLE, Zone("box", "token"))), 2)
    assert layout.card_count == 39
    assert layout.card_of_number(layout.card_number("token", 1)) == ("token", 1)
    assert layout.card_of_number(35) == ("card", 35)


def test_seats() -> None:
    six = Seating(Teams("pairs", False, ((0, 1), (2, 5), (3, 4))), 6)
    assert six.partner == (1, 0, 5, 4, 3, 2)
    assert six.team_of == (0, 0, 1, 2, 2, 1)
    assert six.members == (0b11, 0b100100, 0b11000)
    opposite = Seating(Teams("threes", True), 6)
    assert opposite.members == (0b1001, 0b10010, 0b100100)
    alone = Seating(None, 3)
    assert alone.partner == (0, 1, 2)
    assert alone.across == (1, 2, 0)
    with pytest.raises(InternalError):
        Seating(Teams("pairs", False, ((0, 1),)), 3)


def test_the_number_of_seats_must_fit() -> None:
    with pytest.raises(InternalError):
        Layout(program(), 3)
