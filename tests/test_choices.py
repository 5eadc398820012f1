"""Decisions against a brute-force reading of the reference, on small hands."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import combinations, permutations, product
from random import Random
from typing import Any

import pytest
from programs import (
    CARD,
    CARDS,
    NUMBER,
    RANK,
    SEAT,
    SUIT,
    YES_NO,
    all_of,
    ask,
    bound,
    call,
    cell,
    condition,
    const,
    kind_of_rows,
    plays,
    prim,
    program,
    rank_of,
    rule,
    same,
    suit_of,
    zone,
)

from rulesdsl.interpreter.decide.choices import DECLINE, STOP, Answer, Question, ReasonKind
from rulesdsl.interpreter.evaluate.terms import Evaluator
from rulesdsl.interpreter.state.errors import MatchError
from rulesdsl.interpreter.state.layout import Layout
from rulesdsl.ir.nodes import (
    Alternative,
    Ask,
    Cell,
    Filter,
    Fold,
    Legal,
    Legality,
    Map,
    Op,
    Owned,
    Part,
    PickMembers,
    PickNumber,
    PickOrder,
    PickYesNo,
    PlayField,
    Program,
    Quantifier,
    Shape,
    Term,
    Under,
    Zone,
)
from rulesdsl.types import ListOf, Play, Record, SetOf

PLAYER = cell(SEAT, "player")
STACK = 3  # a frame's cells begin behind its three own ones


def position(question_of: Ask, of: Program, *, optimise: bool, seats: int = 2) -> tuple[Question, list[Any], Layout]:
    """A question, and a state whose running frame holds the deciding seat 1."""
    layout = Layout(of, seats)
    state = layout.initial()
    state[1] = len(state)
    state += [0, 0, 0, 1]
    return Question(question_of, {PLAYER.id: STACK}, Evaluator(of, layout, optimise=optimise)), state, layout


def deal(state: list[Any], layout: Layout, cards: list[int], seat: int = 1) -> None:
    state[layout.zone_of("hand", seat).cell] = sum(1 << card for card in cards)


def card(suit: str, rank: str) -> int:
    return SUIT.members.index(suit) * 9 + RANK.members.index(rank)


def played(name: str = "table") -> Term:
    """The first play of a zone."""
    return prim(Op.FIRST, plays(name), of=Play(name))


def card_of(play: Term) -> Term:
    return prim(Op.ONLY, PlayField("table", "cards", play, type=CARDS), of=CARD)


HAND = zone("hand", PLAYER)


def follow_ask(*, permit: Term | None = None) -> tuple[Ask, Program]:
    decider, chosen = bound(SEAT, "player"), bound(CARD, "card")
    led = rule("led", suit_of(card_of(played())))
    permits = () if permit is None else (permit,)
    legality = Legality(
        "may_follow",
        "may_follow",
        (decider, chosen),
        tiers=(condition("follow_suit", same(suit_of(chosen), call(led)), *permits),),
    )
    part = cell(CARD, "card")
    question = ask("follow", PLAYER, (part, PickMembers(HAND, single=True)), under=Under("may_follow", (PLAYER, part)))
    return question, program(rules=(led,), legalities=(legality,))


@pytest.mark.parametrize("optimise", [True, False])
def test_following(optimise: bool) -> None:
    question_of, of = follow_ask()
    question, state, layout = position(question_of, of, optimise=optimise)
    clubs, hearts = [card("clubs", "7"), card("clubs", "K")], [card("hearts", "A")]
    deal(state, layout, clubs + hearts)
    state[layout.zone_of("table").cell] = ((0, 0, 1 << card("clubs", "2")),)
    before = list(state)
    assert list(question.answers(state, 1)) == [(0, (c,)) for c in clubs]
    assert question.count(state, 1) == 2
    assert question.options(state, 1, ()) == clubs
    assert question.complete(state, 1, (clubs[1],)) == (0, (clubs[1],))
    assert question.complete(state, 1, ()) is None
    assert not question.is_forced(state, 1)
    assert question.null(state, 1) is None
    assert question.check(state, 1, (0, (clubs[0],)))
    assert not question.check(state, 1, (0, (hearts[0],)))
    (reason,) = question.why_not(state, 1, (0, (hearts[0],)))
    assert (reason.name, reason.kind) == ("follow_suit", ReasonKind.TIER)
    (reason,) = question.why_not(state, 1, (0, (card("spades", "2"),)))
    assert (reason.name, reason.kind) == ("card", ReasonKind.PICK)
    assert question.why_not(state, 1, (0, (clubs[0],))) == []
    draws = {question.sample(state, 1, Random(seed).randrange) for seed in range(40)}
    assert draws == {(0, (c,)) for c in clubs}
    assert {question.random_answer(state, 1, Random(seed).randrange) for seed in range(40)} == draws
    assert state == before
    # Without a club everything may be played, and a single card is forced.
    deal(state, layout, hearts)
    assert question.complete(state, 1, ()) == (0, (hearts[0],))
    assert question.is_forced(state, 1)
    # With nothing in hand there is no answer, and the decision does not say what then.
    deal(state, layout, [])
    with pytest.raises(MatchError):
        question.null(state, 1)


@pytest.mark.parametrize("optimise", [True, False])
def test_a_permit_exempts_from_a_tier_but_does_not_satisfy_it(optimise: bool) -> None:
    # Aces need not follow. With neither club nor ace everything goes; so it does with an ace, but no club.
    clubs, ace, ten = card("clubs", "7"), card("hearts", "A"), card("hearts", "10")
    question_of, of = follow_ask()
    legality = of.legalities[0]
    chosen = legality.parameters[1]
    tier = legality.tiers[0]
    permit = same(rank_of(chosen), const(RANK.members.index("A"), RANK))
    of = program(
        rules=of.rules,
        legalities=(
            Legality(
                "may_follow", "may_follow", legality.parameters, tiers=(condition("follow_suit", tier.term, permit),)
            ),
        ),
    )
    question, state, layout = position(question_of, of, optimise=optimise)
    state[layout.zone_of("table").cell] = ((0, 0, 1 << card("clubs", "2")),)
    deal(state, layout, [clubs, ace, ten])
    assert question.options(state, 1, ()) == [clubs, ace]
    deal(state, layout, [ace, ten])
    assert question.options(state, 1, ()) == [ten, ace]


@pytest.mark.parametrize("optimise", [True, False])
def test_narrows_see_what_the_tiers_left(optimise: bool) -> None:
    # The lowest legal card must be played; two narrows look at the same set.
    decider, chosen, it = bound(SEAT, "player"), bound(CARD, "card"), bound(Record("legal", (("card", CARD),)))
    record = Record("legal", (("card", CARD),))
    legal = Legal(type=ListOf(record))
    ranks = Map(legal, it.id, rank_of(prim(Op.FIELD_OF, it, const(0), of=CARD)), type=ListOf(RANK))
    lowest = rule("lowest", prim(Op.MIN, ranks, of=RANK))
    question_of, of = follow_ask()
    tier = of.legalities[0].tiers[0]
    led = of.rules[0]
    legality = Legality(
        "may_follow",
        "may_follow",
        (decider, chosen),
        tiers=(condition("follow_suit", same(suit_of(chosen), call(led))),),
        narrows=(condition("lowest", same(rank_of(chosen), call(lowest))),),
    )
    assert tier.name == "follow_suit"
    question, state, layout = position(
        question_of, program(rules=(led, lowest), legalities=(legality,)), optimise=optimise
    )
    state[layout.zone_of("table").cell] = ((0, 0, 1 << card("clubs", "2")),)
    deal(state, layout, [card("clubs", "K"), card("clubs", "9"), card("hearts", "2")])
    assert question.options(state, 1, ()) == [card("clubs", "9")] or question.is_forced(state, 1)
    assert list(question.answers(state, 1)) == [(0, (card("clubs", "9"),))]
    assert [r.name for r in question.why_not(state, 1, (0, (card("clubs", "K"),)))] == ["lowest"]
    assert [r.name for r in question.why_not(state, 1, (0, (card("hearts", "2"),)))] == ["follow_suit"]


# ── against brute force ──────────────────────────────────────────────────────────────────────────────────────────

Test = Callable[[tuple[Any, ...]], bool]


def brute(
    pools: list[Callable[[tuple[Any, ...]], list[Any]]], forbids: list[Test], tiers: list[Test], where: Test
) -> set[Any]:
    """Reference 6.3, word for word, over all combinations."""
    answers: list[tuple[Any, ...]] = [()]
    for pool in pools:
        answers = [(*answer, value) for answer in answers for value in pool(answer)]
    answers = [answer for answer in answers if not any(forbid(answer) for forbid in forbids)]
    for tier in tiers:
        good = [answer for answer in answers if tier(answer)]
        answers = good or answers
    return {answer for answer in answers if where(answer)}


def subsets(cards: list[int], low: int, high: int) -> list[int]:
    return [sum(1 << c for c in some) for size in range(low, high + 1) for some in combinations(sorted(cards), size)]


def bits(value: int) -> list[int]:
    return [index for index in range(value.bit_length()) if value >> index & 1]


def some_ask(kind: str) -> tuple[Ask, Program, Callable[[list[int]], set[Any]]]:
    """A decision of a shape, and its answers by brute force from a hand."""
    decider = bound(SEAT, "player")
    cards, chosen, number = cell(CARDS, "cards"), cell(CARD, "card"), cell(NUMBER, "number")
    it = bound(CARD)
    hearts = const(2, SUIT)

    def suit(c: int) -> int:
        return c // 9

    def rank(c: int) -> int:
        return c % 9

    if kind == "some, none a heart":
        hearts_in = Fold(Quantifier.ANY, p := bound(CARDS, "cards"), it.id, same(suit_of(it), hearts), type=YES_NO)
        legality = Legality("l", "l", (decider, p), forbids=(condition("no_hearts", hearts_in),))
        question = ask("q", PLAYER, (cards, PickMembers(HAND, const(1), const(3))), under=Under("l", (PLAYER, cards)))
        return (
            question,
            program(legalities=(legality,)),
            lambda hand: brute(
                [lambda _: subsets(hand, 1, min(3, len(hand)))],
                [lambda a: any(suit(c) == 2 for c in bits(a[0]))],
                [],
                lambda _: True,
            ),
        )
    if kind == "two of one suit":
        p = bound(CARDS, "cards")
        first = suit_of(prim(Op.FIRST, p, of=CARD))
        mixed = Fold(Quantifier.ANY, p, it.id, prim(Op.DIFFERS, suit_of(it), first), type=YES_NO)
        legality = Legality("l", "l", (decider, p), forbids=(condition("one_suit", mixed),))
        question = ask("q", PLAYER, (cards, PickMembers(HAND, const(2), const(2))), under=Under("l", (PLAYER, cards)))
        return (
            question,
            program(legalities=(legality,)),
            lambda hand: brute(
                [lambda _: subsets(hand, 2, 2) if len(hand) >= 2 else []],
                [lambda a: len({suit(c) for c in bits(a[0])}) > 1],
                [],
                lambda _: True,
            ),
        )
    if kind == "two, a heart if you can":
        p = bound(CARDS, "cards")
        has = Fold(Quantifier.ANY, p, it.id, same(suit_of(it), hearts), type=YES_NO)
        legality = Legality("l", "l", (decider, p), tiers=(condition("a_heart", has),))
        question = ask(
            "q",
            PLAYER,
            (cards, PickMembers(HAND, const(2), const(2))),
            under=Under("l", (PLAYER, cards)),
            where=prim(
                Op.LESS,
                Fold(Quantifier.SUM, cards, it.id, prim(Op.PLACE_IN_ORDER, rank_of(it), of=NUMBER), type=NUMBER),
                const(9),
            ),
        )
        return (
            question,
            program(legalities=(legality,)),
            lambda hand: brute(
                [lambda _: subsets(hand, 2, 2) if len(hand) >= 2 else []],
                [],
                [lambda a: any(suit(c) == 2 for c in bits(a[0]))],
                lambda a: sum(rank(c) for c in bits(a[0])) < 9,
            ),
        )
    if kind == "a card, a number up to its rank":
        question = ask(
            "q",
            PLAYER,
            (chosen, PickMembers(HAND, single=True)),
            (number, PickNumber(const(3), prim(Op.PLACE_IN_ORDER, rank_of(chosen), of=NUMBER))),
            where=prim(Op.NOT, same(number, const(4))),
        )
        return (
            question,
            program(),
            lambda hand: brute([lambda _: hand, lambda a: list(range(3, rank(a[0]) + 1))], [], [], lambda a: a[1] != 4),
        )
    if kind == "a card, some others":
        rest = prim(Op.MINUS, HAND, prim(Op.SINGLETON, chosen, of=CARDS), of=CARDS)
        question = ask(
            "q", PLAYER, (chosen, PickMembers(HAND, single=True)), (cards, PickMembers(rest, const(0), const(2)))
        )
        return (
            question,
            program(),
            lambda hand: brute(
                [lambda _: hand, lambda a: subsets([c for c in hand if c != a[0]], 0, min(2, len(hand) - 1))],
                [],
                [],
                lambda _: True,
            ),
        )
    if kind == "some, then one of them":
        question = ask(
            "q", PLAYER, (cards, PickMembers(HAND, const(1), const(2))), (chosen, PickMembers(cards, single=True))
        )
        return (
            question,
            program(),
            lambda hand: brute(
                [lambda _: subsets(hand, 1, min(2, len(hand))), lambda a: bits(a[0])], [], [], lambda _: True
            ),
        )
    if kind == "yes or no and a suit":
        answer, called = cell(YES_NO, "answer"), cell(SUIT, "called")
        question = ask(
            "q",
            PLAYER,
            (answer, PickYesNo()),
            (called, PickMembers(all_of(SUIT), single=True)),
            where=prim(Op.OR, answer, same(called, hearts)),
        )
        return (
            question,
            program(),
            lambda hand: brute([lambda _: [0, 1], lambda _: [0, 1, 2, 3]], [], [], lambda a: bool(a[0]) or a[1] == 2),
        )
    assert kind == "an order of two suits"
    order = cell(ListOf(SUIT), "order")
    red = Filter(
        all_of(SUIT),
        (s := bound(SUIT)).id,
        prim(Op.LESS, const(1), prim(Op.PLACE_IN_ORDER, s, of=NUMBER)),
        type=SetOf(SUIT),
    )
    question = ask("q", PLAYER, (order, PickOrder(red)), (chosen, PickMembers(HAND, single=True)))
    return question, program(), lambda hand: brute([lambda _: [(2, 3), (3, 2)], lambda _: hand], [], [], lambda _: True)


KINDS = [
    "some, none a heart",
    "two of one suit",
    "two, a heart if you can",
    "a card, a number up to its rank",
    "a card, some others",
    "some, then one of them",
    "yes or no and a suit",
    "an order of two suits",
]


def leaves(question: Question, state: list[Any], prefix: tuple[Any, ...] = ()) -> Iterator[Answer]:
    """Every answer that the stepwise view leads to; each offered prefix leads somewhere (X9)."""
    answer = question.complete(state, 1, prefix)
    if answer is not None:
        assert question.options(state, 1, prefix) == []
        yield answer
        return
    options = question.options(state, 1, prefix)
    assert options, f"{prefix} is a dead end"
    assert len(set(options)) == len(options)
    for option in options:
        yield from leaves(question, state, (*prefix, option))


@pytest.mark.parametrize("optimise", [True, False])
@pytest.mark.parametrize("kind", KINDS)
def test_all_views_agree_with_brute_force(kind: str, optimise: bool) -> None:
    """X8 and X9."""
    question_of, of, expected_of = some_ask(kind)
    question, state, layout = position(question_of, of, optimise=optimise)
    random = Random(5)
    for size in (0, 1, 2, 3, 4, 6):
        for _ in range(3):
            hand = sorted(random.sample(range(36), size))
            deal(state, layout, hand)
            before = list(state)
            expected = expected_of(hand)
            answers = list(question.answers(state, 1))
            assert {values for _, values in answers} == expected
            assert len(answers) == len(expected) == question.count(state, 1)
            for every in product(
                *[sorted({a[i] for a in expected}, key=str) for i in range(len(question.plans[0].parts))]
            ):
                assert question.check(state, 1, (0, every)) is (every in expected)
                assert (question.why_not(state, 1, (0, every)) == []) is (every in expected)
            if expected:
                assert list(leaves(question, state)) == answers
                drawn = [question.sample(state, 1, random.randrange) for _ in range(30)]
                assert all(values in expected for _, values in drawn)
                if len(expected) <= 4:
                    assert {values for _, values in drawn} == expected
            assert state == before


def test_answers_can_be_checked_while_they_are_taken() -> None:
    first, second, third = cell(CARD, "first"), cell(CARD, "second"), cell(CARD, "third")

    def without(*cards: Cell) -> Term:
        taken: Term = prim(Op.SINGLETON, cards[0], of=CARDS)
        for other in cards[1:]:
            taken = prim(Op.UNION, taken, prim(Op.SINGLETON, other, of=CARDS), of=CARDS)
        return prim(Op.MINUS, HAND, taken, of=CARDS)

    parts = (
        (first, PickMembers(HAND, single=True)),
        (second, PickMembers(without(first), single=True)),
        (third, PickMembers(without(first, second), single=True)),
    )
    question, state, layout = position(ask("q", PLAYER, *parts), program(), optimise=True)
    deal(state, layout, [1, 5, 9, 20])
    found = []
    for answer in question.answers(state, 1):
        assert question.check(state, 1, (0, (20, 9, 5)))
        found.append(answer[1])
    assert found == list(permutations([1, 5, 9, 20], 3))


def test_samples_are_even() -> None:
    """Every answer equally likely, also where the number of later answers differs; chi squared over 6,000 draws."""
    question_of, of, expected_of = some_ask("a card, a number up to its rank")
    question, state, layout = position(question_of, of, optimise=True)
    hand = [card("clubs", "10"), card("hearts", "A"), card("spades", "Q")]
    deal(state, layout, hand)
    expected = expected_of(hand)
    random = Random(11)
    counts = dict.fromkeys(expected, 0)
    for _ in range(6000):
        counts[question.sample(state, 1, random.randrange)[1]] += 1
    mean = 6000 / len(expected)
    assert sum((number - mean) ** 2 / mean for number in counts.values()) < 40  # 10 degrees of freedom


# ── declining, alternatives, doing nothing ───────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize("optimise", [True, False])
def test_who_can_only_do_nothing(optimise: bool) -> None:
    question_of, of, _ = some_ask("some, none a heart")
    any_ask = ask(
        "q",
        PLAYER,
        (question_of.alternatives[0].parts[0].cell, PickMembers(HAND)),
        under=question_of.alternatives[0].under,
    )
    question, state, layout = position(any_ask, of, optimise=optimise)
    deal(state, layout, [card("hearts", "7")])
    assert question.null(state, 1) == (0, (0,))
    assert question.random_answer(state, 1, Random(1).randrange) == (0, (0,))
    deal(state, layout, [card("clubs", "7")])
    assert question.null(state, 1) is None
    assert question.options(state, 1, ()) == [card("clubs", "7"), STOP]
    assert question.complete(state, 1, (STOP,)) == (0, (0,))
    assert question.count(state, 1) == 2


@pytest.mark.parametrize("optimise", [True, False])
def test_an_optional_decision(optimise: bool) -> None:
    part = cell(CARD, "card")
    optional = ask("q", PLAYER, (part, PickMembers(HAND, single=True)), optional=True)
    question, state, layout = position(optional, program(), optimise=optimise)
    deal(state, layout, [4])
    assert question.options(state, 1, ()) == [4, DECLINE]
    assert question.complete(state, 1, ()) is None
    assert not question.is_forced(state, 1)
    assert question.complete(state, 1, (DECLINE,)) == DECLINE
    assert question.complete(state, 1, (4,)) == (0, (4,))
    assert question.count(state, 1) == 2
    assert question.null(state, 1) is None
    deal(state, layout, [])
    assert question.null(state, 1) == DECLINE


@pytest.mark.parametrize("optimise", [True, False])
def test_alternatives(optimise: bool) -> None:
    part, suit = cell(CARD, "card"), cell(SUIT, "called")
    play = Alternative("play", (Part(part, PickMembers(HAND, single=True)),))
    call_it = Alternative("call", (Part(suit, PickMembers(all_of(SUIT), single=True)),))
    passing = Alternative("pass", ())
    question, state, layout = position(Ask("q", "q", PLAYER, (play, call_it, passing)), program(), optimise=optimise)
    deal(state, layout, [3, 5])
    assert question.options(state, 1, ()) == [0, 1, 2]
    assert question.options(state, 1, (0,)) == [3, 5]
    assert question.complete(state, 1, (1, 2)) == (1, (2,))
    assert question.complete(state, 1, (2,)) == (2, ())
    assert question.count(state, 1) == 7
    assert {question.sample(state, 1, Random(seed).randrange) for seed in range(200)} == set(question.answers(state, 1))
    deal(state, layout, [])
    assert question.options(state, 1, ()) == [1, 2]
    assert list(leaves(question, state)) == list(question.answers(state, 1))


# ── cards that look alike ────────────────────────────────────────────────────────────────────────────────────────

COINS = kind_of_rows("card", 1, 2, copies=2)
COIN_ZONES = (
    Zone("stock", "card", shape=Shape.STACK, start_all=True),
    Zone("hand", "card", Owned.PLAYER),
)


@pytest.mark.parametrize("optimise", [True, False])
@pytest.mark.parametrize("tier", [True, False])
def test_cards_that_look_alike_are_one_option(optimise: bool, tier: bool) -> None:
    # Cards 0 and 1 show a 1, cards 2 and 3 a 2.
    cards = cell(CARDS, "cards")
    decider, p = bound(SEAT, "player"), bound(CARDS, "cards")
    some = Legality(
        "l", "l", (decider, p), tiers=(condition("any", prim(Op.NOT, prim(Op.IS_EMPTY, p))),) if tier else ()
    )
    pair = ask("q", PLAYER, (cards, PickMembers(HAND, const(2), const(2))), under=Under("l", (PLAYER, cards)))
    of = program(kinds=(COINS,), zones=COIN_ZONES, legalities=(some,))
    question, state, layout = position(pair, of, optimise=optimise)
    deal(state, layout, [0, 1, 2, 3])
    assert question.count(state, 1) == 6
    assert list(leaves(question, state)) == [(0, (0b0011,)), (0, (0b0101,)), (0, (0b1100,))]
    assert question.options(state, 1, ()) == [0, 2]
    assert question.options(state, 1, (0,)) == [1, 2]
    assert question.check(state, 1, (0, (0b1010,)))
    deal(state, layout, [2, 3])
    assert question.is_forced(state, 1)
    single = ask("q", PLAYER, (cell(CARD, "card"), PickMembers(HAND, single=True)))
    question, state, layout = position(single, of, optimise=optimise)
    deal(state, layout, [1, 2, 3])
    assert question.options(state, 1, ()) == [1, 2]
    assert question.count(state, 1) == 3
    # One of them lies elsewhere, or has something under it: they are told apart.
    state[layout.at["card"] + 1] = layout.zone_count + 3
    assert question.options(state, 1, ()) == [1, 2, 3]


def test_too_many_answers_end_the_match() -> None:
    question_of, of, _ = some_ask("two, a heart if you can")
    part = question_of.alternatives[0].parts[0].cell
    large = ask("q", PLAYER, (part, PickMembers(HAND, const(8), const(8))), under=question_of.alternatives[0].under)
    question, state, layout = position(large, of, optimise=True)
    deal(state, layout, list(range(18)))  # 43,758 sets of eight
    with pytest.raises(MatchError):
        question.count(state, 1)
    # Without a tier they are counted without being listed.
    free = ask("q", PLAYER, (part, PickMembers(HAND, const(8), const(8))))
    question, state, layout = position(free, of, optimise=True)
    deal(state, layout, list(range(18)))
    assert question.count(state, 1) == 43758
    assert question.sample(state, 1, Random(3).randrange)[1][0].bit_count() == 8
