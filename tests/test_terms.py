"""Terms: what each operation is worth, and that the quick way of working it out agrees with the plain one."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest
from programs import (
    CARD,
    CARDS,
    NUMBER,
    RANK,
    SEAT,
    SEATS,
    SUIT,
    YES_NO,
    bound,
    cell,
    const,
    plays,
    prim,
    program,
    rank_of,
    same,
    suit_of,
    variable,
    zone,
)
from random_terms import random_program, random_state

from rulesdsl.interpreter.evaluate import primitives
from rulesdsl.interpreter.evaluate.terms import Evaluator
from rulesdsl.interpreter.state.errors import MatchError
from rulesdsl.interpreter.state.layout import Layout
from rulesdsl.ir.nodes import (
    Coalesce,
    Const,
    FaceOf,
    Filter,
    Fold,
    If,
    MakeTuple,
    Op,
    Option,
    OptionValue,
    PlaceCards,
    PlaceOf,
    PlaceUnder,
    PlayField,
    Prim,
    Program,
    Quantifier,
    Rank,
    Ranking,
    Running,
    Shape,
    Sight,
    Spread,
    Teams,
    Term,
    Var,
    Zone,
)
from rulesdsl.ir.nodes import Owned as Owned
from rulesdsl.types import (
    NONE,
    Ladder,
    ListOf,
    Number,
    Optional,
    Place,
    Play,
    Range,
    Record,
    RowOf,
    SetOf,
    Type,
)

PLAY = Play("table")
PLAYS = RowOf(PLAY)
FROM_10 = Number(low=10, high=20)  # type: ignore[arg-type]
PLAYER = cell(SEAT, "player")


def worth(term: Term, of: Program | None = None, seats: int = 2, **cells: Any) -> Any:
    """The value of a term, worked out in both ways on a state in which some cards were dealt and played."""
    of = of or program()
    layout = Layout(of, seats)
    state = layout.initial()
    for name, value in cells.items():
        state[layout.zone_of(name.rstrip("01"), int(name[-1]) if name[-1].isdigit() else 0).cell] = value
    quick = Evaluator(of, layout).term(term)(state)
    plain = Evaluator(of, layout, optimise=False).term(term)(state)
    assert quick == plain
    assert type(quick) is type(plain) in (int, tuple)
    return quick


def row(*values: int, of: Type = NUMBER) -> MakeTuple:
    return MakeTuple(tuple(const(value, of) for value in values), type=ListOf(of))


def ranks(*names: str) -> Const:
    return const(sum(1 << RANK.members.index(name) for name in names), SetOf(RANK))


NO_RANKS = const(0, SetOf(RANK))
EMPTY = row()
TWO_TO_FIVE = MakeTuple((const(2), const(5)), type=Range(NUMBER))


@pytest.mark.parametrize(
    ("op", "arguments", "of", "expected"),
    [
        (Op.ADD, (const(2), const(3)), NUMBER, 5),
        (Op.SUBTRACT, (const(2), const(3)), NUMBER, -1),
        (Op.MULTIPLY, (const(2), const(3)), NUMBER, 6),
        (Op.DIVIDE, (const(-7), const(2)), NUMBER, -4),
        (Op.RANGE_ROW, (Const((-1, 2), type=Range(NUMBER)),), RowOf(NUMBER), (-1, 0, 1, 2)),
        (Op.RANGE_ROW, (Const((2, 1), type=Range(NUMBER)),), RowOf(NUMBER), ()),
        (Op.MODULO, (const(-7), const(2)), NUMBER, 1),
        (Op.NEGATE, (const(4),), NUMBER, -4),
        (Op.SCALE, (const(4), const(10)), NUMBER, 40),
        (Op.LESS, (const(4), const(4)), YES_NO, 0),
        (Op.LESS_EQUAL, (const(4), const(4)), YES_NO, 1),
        (Op.GREATER, (const(5), const(4)), YES_NO, 1),
        (Op.GREATER_EQUAL, (const(3), const(4)), YES_NO, 0),
        (Op.SAME, (const(NONE, Optional(SEAT)), const(NONE, Optional(SEAT))), YES_NO, 1),
        (Op.DIFFERS, (const(1), const(2)), YES_NO, 1),
        (Op.NOT, (const(0, YES_NO),), YES_NO, 1),
        (Op.IN_SET, (const(8, RANK), ranks("A", "2")), YES_NO, 1),
        (Op.IN_SET, (const(NONE, Optional(RANK)), ranks("A", "2")), YES_NO, 0),
        (Op.IN_SET, (const(12), const(0b100, SetOf(FROM_10))), YES_NO, 1),
        (Op.IN_ROW, (const(3), row(1, 3)), YES_NO, 1),
        (Op.IN_RANGE, (const(5), TWO_TO_FIVE), YES_NO, 1),
        (Op.IN_RANGE, (const(NONE, Optional(NUMBER)), TWO_TO_FIVE), YES_NO, 0),
        (Op.UNION, (ranks("A"), ranks("A", "K")), SetOf(RANK), 0b110000000),
        (Op.MINUS, (ranks("A", "K"), ranks("A")), SetOf(RANK), 0b010000000),
        (Op.UNION, (const(1, SetOf(FROM_10)), const(2, SetOf(Number(low=9, high=20)))), SetOf(FROM_10), 1),  # type: ignore[arg-type]
        (Op.APPEND, (row(1, 2), row(2)), ListOf(NUMBER), (1, 2, 2)),
        (Op.ROW_UNION, (row(1, 2), row(2, 3)), RowOf(NUMBER), (1, 2, 3)),
        (Op.ROW_MINUS, (row(1, 2, 2, 3), row(2)), RowOf(NUMBER), (1, 3)),
        (Op.COUNT, (ranks("A", "K"),), NUMBER, 2),
        (Op.COUNT, (row(1, 1),), NUMBER, 2),
        (Op.COUNT, (TWO_TO_FIVE,), NUMBER, 4),
        (Op.IS_EMPTY, (NO_RANKS,), YES_NO, 1),
        (Op.IS_EMPTY, (row(0),), YES_NO, 0),
        (Op.TO_SET, (row(11, 10, 11, of=FROM_10),), SetOf(FROM_10), 0b11),
        (Op.TO_ROW, (const(0b101, SetOf(FROM_10)),), RowOf(FROM_10), (10, 12)),
        (Op.SINGLETON, (const(3, RANK),), SetOf(RANK), 8),
        (Op.SINGLETON, (const(NONE, Optional(RANK)),), SetOf(RANK), 0),
        (Op.SINGLE_ROW, (const(3),), RowOf(NUMBER), (3,)),
        (Op.SINGLE_ROW, (const(NONE, Optional(NUMBER)),), RowOf(NUMBER), ()),
        (Op.DISTINCT, (row(3, 1, 3),), RowOf(NUMBER), (3, 1)),
        (Op.ONLY, (ranks("8"),), RANK, 2),
        (Op.ONLY, (ranks("8", "9"),), RANK, NONE),
        (Op.ONLY, (row(7),), NUMBER, 7),
        (Op.FIRST, (ranks("8", "9"),), RANK, 2),
        (Op.LAST, (ranks("8", "9"),), RANK, 3),
        (Op.FIRST, (EMPTY,), NUMBER, NONE),
        (Op.LAST, (row(4, 5),), NUMBER, 5),
        (Op.TOP, (row(1, 2, 3), const(2)), RowOf(NUMBER), (2, 3)),
        (Op.TOP, (row(1, 2, 3), const(-1)), RowOf(NUMBER), ()),
        (Op.TOP, (row(1, 2, 3), const(9)), RowOf(NUMBER), (1, 2, 3)),
        (Op.BOTTOM, (row(1, 2, 3), const(2)), RowOf(NUMBER), (1, 2)),
        (Op.MIN, (row(3, 1),), NUMBER, 1),
        (Op.MAX, (EMPTY,), NUMBER, NONE),
        (Op.SUM, (row(3, 1, 3),), NUMBER, 7),
        (Op.SUM, (EMPTY,), NUMBER, 0),
        (Op.ANY_OF, (row(0, 1, of=YES_NO),), YES_NO, 1),
        (Op.ALL_OF, (row(0, 1, of=YES_NO),), YES_NO, 0),
        (Op.PLACE_IN_ORDER, (const(3, RANK),), NUMBER, 3),
        (Op.NEXT, (const(8, RANK), const(9), const(0)), Optional(RANK), NONE),
        (Op.NEXT, (const(8, RANK), const(9), const(1)), RANK, 0),
        (Op.LEFT, (const(3, SEAT),), SEAT, 0),
        (Op.RIGHT, (const(0, SEAT),), SEAT, 3),
        (Op.ACROSS, (const(3, SEAT),), SEAT, 1),
        (Op.PARTNER, (const(1, SEAT),), SEAT, 3),
        (Op.CLOCKWISE, (const(2, SEAT),), RowOf(SEAT), (2, 3, 0, 1)),
        (Op.ANTICLOCKWISE, (const(2, SEAT),), RowOf(SEAT), (2, 1, 0, 3)),
        (Op.TEAM_OF, (const(3, SEAT),), NUMBER, 1),
        (Op.SEATS_OF, (const(1, NUMBER),), SEATS, 0b1010),
        (Op.LEAST, (TWO_TO_FIVE,), NUMBER, 2),
        (Op.MOST, (TWO_TO_FIVE,), NUMBER, 5),
    ],
)
def test_operations(op: Op, arguments: tuple[Term, ...], of: Type, expected: Any) -> None:
    table = program(players=(4, 4), teams=Teams("partners", True))
    assert worth(Prim(op, arguments, type=of), table, 4) == expected


def test_the_place_opposite_with_five_seats_is_the_left_one_of_two() -> None:
    assert worth(prim(Op.ACROSS, const(4, SEAT), of=SEAT), program(players=(5, 5)), 5) == 1


def test_and_or_stop_as_soon_as_it_is_decided() -> None:
    crash = prim(
        Op.LESS, prim(Op.DIVIDE, const(1), prim(Op.COUNT, zone("hand", const(0, SEAT)), of=NUMBER), of=NUMBER), const(1)
    )
    never, ever = const(0, YES_NO), const(1, YES_NO)
    assert worth(prim(Op.AND, never, crash)) == 0
    assert worth(prim(Op.OR, ever, crash)) == 1
    with pytest.raises(MatchError):
        worth(prim(Op.AND, ever, crash))
    with pytest.raises(MatchError):
        worth(prim(Op.OR, crash, ever))


def test_a_product_beyond_all_numbers_ends_the_match() -> None:
    with pytest.raises(MatchError):
        worth(prim(Op.MULTIPLY, const(10**9), const(10**9), of=NUMBER))


def test_a_range_without_an_end_is_not_gone_through() -> None:
    with pytest.raises(MatchError, match="more than 10000 numbers"):
        worth(Prim(Op.RANGE_ROW, (MakeTuple((const(0), const(10_000)), type=Range(NUMBER)),), type=RowOf(NUMBER)))


def test_every_operation_has_a_function() -> None:
    assert [op for op in Op if op not in primitives._BUILDERS] == []


def test_places() -> None:
    zones = (
        Zone("stock", "card", shape=Shape.STACK, seen=Sight.NOBODY, start_all=True),
        Zone("hand", "card", Owned.PLAYER, seen=Sight.OWNER),
    )
    of = program(zones=zones)
    layout = Layout(of, 2)
    state = layout.initial()
    # Card 5 lies in the hand of seat 1, cards 6 and 7 under it.
    at, over = layout.at["card"], layout.over["card"]
    hand = layout.zone_of("hand", 1)
    state[hand.cell] = 1 << 5
    state[at + 5] = hand.index
    for beneath in (6, 7):
        state[at + beneath] = layout.zone_count + 5
        state[over + beneath] = 5
    five, six = const(5, CARD), const(6, CARD)
    place = Place("card", CARDS)
    for optimise in (True, False):
        terms = Evaluator(of, layout, optimise=optimise)

        def now(term: Term, terms: Evaluator = terms) -> Any:
            return terms.term(term)(state)

        assert now(prim(Op.HOLDER, five, of=SEAT)) == 1
        assert now(prim(Op.HOLDER, six, of=SEAT)) == 1
        assert now(prim(Op.HOLDER, const(9, CARD), of=Optional(SEAT))) == NONE
        assert now(prim(Op.PLACE_OF_CARD, five, of=place)) == hand.index
        assert now(prim(Op.UNDER, five, of=CARDS)) == 0b11000000
        assert now(prim(Op.UNDER, six, of=CARDS)) == 0
        assert now(prim(Op.OVER, six, of=Optional(CARD))) == 5
        assert now(prim(Op.OVER, five, of=Optional(CARD))) == NONE
        assert now(prim(Op.OWNER, PlaceOf("hand", const(1, SEAT), type=place), of=SEAT)) == 1
        assert now(PlaceCards(PlaceUnder("card", five, type=place), type=CARDS)) == 0b11000000
        assert now(PlaceCards(PlaceOf("hand", const(1, SEAT), type=place), type=RowOf(CARD))) == (5,)
        assert now(PlaceCards(PlaceOf("stock", type=place), type=CARDS)) == (1 << 36) - 1


def test_faces() -> None:
    queen = FaceOf("card", (("suit", 3), ("rank", 6)), type=CARDS)
    assert worth(queen) == 1 << 33
    assert worth(FaceOf("card", (("rank", 6),), type=CARDS)) == sum(1 << card for card in (6, 15, 24, 33))
    assert worth(prim(Op.FACE, const(33, CARD), of=CARDS)) == 1 << 33


def test_records_and_ladders() -> None:
    rung = Ladder("rung", (("level", Number(low=1, high=7)), ("suit", SUIT)))  # type: ignore[arg-type]
    three_hearts = MakeTuple((const(3), const(2, SUIT)), type=rung)
    assert worth(three_hearts) == 2 * 4 + 2
    assert worth(prim(Op.FIELD_OF, three_hearts, const(0), of=NUMBER)) == 3
    assert worth(prim(Op.FIELD_OF, three_hearts, const(1), of=SUIT)) == 2
    credit = MakeTuple((const(3), const(2)), type=Record("credit", (("value", NUMBER), ("round", NUMBER))))
    assert worth(prim(Op.FIELD_OF, credit, const(1), of=NUMBER)) == 2


def test_what_has_no_value_spreads() -> None:
    it = bound(Optional(RANK))
    nothing = const(NONE, Optional(RANK))
    next_one = Spread(it.id, nothing, prim(Op.PLACE_IN_ORDER, it, of=NUMBER), type=Optional(NUMBER))
    assert worth(next_one) == NONE
    assert worth(Spread(it.id, nothing, prim(Op.SINGLETON, it, of=SetOf(RANK)), type=SetOf(RANK))) == 0
    assert worth(Coalesce(next_one, const(4), type=NUMBER)) == 4
    assert worth(Coalesce(const(0), const(4), type=NUMBER)) == 0
    assert worth(Coalesce(NO_RANKS, ranks("A"), type=SetOf(RANK))) == 1 << 8


def test_rankings() -> None:
    it = bound(NUMBER)
    numbers = row(3, 5, 1, 5, 4)

    def rank(ranking: Ranking, *keys: Term) -> Any:
        return worth(Rank(ranking, numbers, it.id, keys, type=RowOf(NUMBER)))

    assert rank(Ranking.HIGHEST, it) == (5, 5)
    assert rank(Ranking.LOWEST, it) == (1,)
    assert rank(Ranking.UNIQUE_HIGHEST, it) == (4,)
    odd = prim(Op.MODULO, it, const(2), of=NUMBER)
    assert rank(Ranking.LOWEST, odd, it) == (4,)
    assert rank(Ranking.HIGHEST, odd, prim(Op.NEGATE, it, of=NUMBER)) == (1,)
    none_for_five = If(same(it, const(5)), const(NONE, Optional(NUMBER)), it, type=Optional(NUMBER))
    assert rank(Ranking.HIGHEST, none_for_five) == (4,)
    assert rank(Ranking.LOWEST, none_for_five) == (5, 5)
    assert worth(Rank(Ranking.HIGHEST, EMPTY, it.id, (it,), type=RowOf(NUMBER))) == ()
    hand = const(1 << 3 | 1 << 12 | 1 << 4, CARDS)
    card = bound(CARD)
    assert worth(Rank(Ranking.HIGHEST, hand, card.id, (rank_of(card),), type=CARDS)) == 1 << 4
    assert worth(Rank(Ranking.LOWEST, hand, card.id, (rank_of(card),), type=CARDS)) == 1 << 3 | 1 << 12
    assert worth(Rank(Ranking.UNIQUE_HIGHEST, hand, card.id, (suit_of(card),), type=CARDS)) == 1 << 12


def test_folds_leave_out_what_has_no_value() -> None:
    it = bound(NUMBER)
    numbers = row(3, 5, 1)
    none_for_five = If(same(it, const(5)), const(NONE, Optional(NUMBER)), it, type=Optional(NUMBER))

    def fold(quantifier: Quantifier, source: Term, body: Term) -> Any:
        return worth(Fold(quantifier, source, it.id, body, type=NUMBER))

    assert fold(Quantifier.SUM, numbers, none_for_five) == 4
    assert fold(Quantifier.MAX, numbers, none_for_five) == 3
    assert fold(Quantifier.MIN, numbers, none_for_five) == 1
    assert fold(Quantifier.MIN, EMPTY, it) == NONE
    assert fold(Quantifier.FIRST, row(5, 5, 3), none_for_five) == 3
    assert fold(Quantifier.COUNT, numbers, prim(Op.LESS, it, const(4))) == 2
    assert fold(Quantifier.ALL, EMPTY, const(0, YES_NO)) == 1
    assert fold(Quantifier.ANY, EMPTY, const(1, YES_NO)) == 0


def test_plays_are_found_by_their_stamps() -> None:
    table = ((4, 1, 1 << 7), (9, 0, 1 << 3 | 1 << 5))
    last = prim(Op.LAST, plays("table"), of=Optional(PLAY))
    assert worth(last, table=table) == 9
    assert worth(PlayField("table", "player", last, type=Optional(SEAT)), table=table) == 0
    assert worth(PlayField("table", "cards", last, type=CARDS), table=table) == 0b101000
    assert worth(PlayField("table", "player", last, type=Optional(SEAT))) == NONE
    assert worth(PlayField("table", "cards", last, type=CARDS)) == 0
    it = bound(PLAY)
    of_zero = Filter(
        plays("table"), it.id, same(PlayField("table", "player", it, type=SEAT), const(0, SEAT)), type=PLAYS
    )
    assert worth(of_zero, table=table) == (9,)
    assert worth(prim(Op.ONLY, of_zero, of=Optional(PLAY)), table=table) == 9
    cards = Fold(Quantifier.UNITE, plays("table"), it.id, PlayField("table", "cards", it, type=CARDS), type=CARDS)
    assert worth(cards, table=table) == 0b10101000
    # The stamp of a play that has ended is none.
    layout = Layout(program(), 2)
    held = cell(Optional(PLAY), "held")
    state = layout.initial()
    state[1] = len(state)
    state += [0, 0, 0, 4]
    for optimise in (True, False):
        read = Evaluator(program(), layout, optimise=optimise).term(held, {held.id: 3})
        state[layout.zone_of("table").cell] = table
        assert read(state) == 4
        state[layout.zone_of("table").cell] = table[1:]
        assert read(state) == NONE


def test_a_state_by_number_is_kept_for_its_range_only() -> None:
    by_round = variable("by_round", NUMBER, 0, FROM_10, SEAT)
    of = program(variables=(by_round,))
    layout = Layout(of, 2)
    state = layout.initial()
    state[layout.variables["by_round"].base + 2 * 2 + 1] = 7
    for optimise in (True, False):
        terms = Evaluator(of, layout, optimise=optimise)
        assert terms.term(Var("by_round", (const(12), const(1, SEAT)), type=NUMBER))(state) == 7
        with pytest.raises(MatchError):
            terms.term(Var("by_round", (const(21), const(1, SEAT)), type=NUMBER))(state)


def test_the_innermost_running_procedure_is_found_on_the_stack() -> None:
    attempt_cell = cell(NUMBER, "extra")
    from programs import procedure

    of = program(procedures=(procedure("attempt", (), attempt_cell), procedure("other", ())))
    layout = Layout(of, 2)
    state = layout.initial()
    bottom = len(state)
    state += [0, 0, 0]
    state += [1, 0, bottom, 41]
    state += [1, 0, bottom + 3, 42]
    state += [2, 0, bottom + 7]
    state[1] = bottom + 11
    for optimise in (True, False):
        extra = Evaluator(of, layout, optimise=optimise).term(Running("attempt", attempt_cell.id, "extra", type=NUMBER))
        assert extra(state) == 42
        state[1] = bottom
        with pytest.raises(MatchError):
            extra(state)
        state[1] = bottom + 11


# ── the quick way and the plain one ──────────────────────────────────────────────────────────────────────────────


def attempted(function: Any, state: list[Any]) -> Any:
    try:
        return function(state)
    except MatchError as error:
        return error.message


@pytest.mark.parametrize("seed", range(120))
def test_the_quick_way_agrees_with_the_plain_one(seed: int) -> None:
    random = Random(seed)
    of, terms = random_program(random)
    layout = Layout(of, 2)
    quick, plain = Evaluator(of, layout), Evaluator(of, layout, optimise=False)
    pairs = [(quick.term(term), plain.term(term), term) for term in terms]
    for _ in range(4):
        state = random_state(layout, random)
        before = list(state)
        for fast, slow, term in pairs:
            assert attempted(fast, state) == attempted(slow, state), term
        assert state == before


def test_options_are_constants() -> None:
    of = program(options=(Option("target", NUMBER, 50, 100),))
    assert worth(OptionValue("target", type=NUMBER), of) == 50
