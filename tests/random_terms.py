"""Random programs, terms and states, for comparing two ways of working terms out."""

from __future__ import annotations

from collections.abc import Callable
from random import Random
from typing import Any, TypeVar

from programs import (
    CARD,
    CARDS,
    FRENCH,
    NUMBER,
    RANK,
    SEAT,
    SEATS,
    SUIT,
    TABLE,
    YES_NO,
    all_of,
    bound,
    call,
    const,
    plays,
    prim,
    program,
    rank_of,
    rule,
    suit_of,
    variable,
    zone,
)

from rulesdsl.interpreter.state.layout import Layout
from rulesdsl.ir.nodes import (
    Bound,
    Coalesce,
    Field,
    Filter,
    Fold,
    If,
    Keeping,
    Kind,
    LetIn,
    MakeSet,
    MakeTuple,
    Map,
    Op,
    PlayField,
    Program,
    Quantifier,
    Rank,
    Ranking,
    Rule,
    Spread,
    Term,
    Var,
)
from rulesdsl.types import ListOf, Optional, Play, RowOf, SetOf, Type, required

PLAY = Play("table")
PLAYS = RowOf(PLAY)
Make = Callable[[], Term]
Made = TypeVar("Made")

SCALARS: list[Type] = [NUMBER, SUIT, RANK, SEAT]
LET: list[Type] = [NUMBER, CARDS, SEAT, SUIT, PLAY]
PARAMETERS: list[Type] = [SEAT, SUIT, CARD, NUMBER, CARDS]
SEQUENCES: list[Type] = [CARDS, PLAYS]
WALKED: list[SetOf | RowOf] = [CARDS, SEATS, PLAYS]
MARKED = Kind("card", FRENCH.printed, FRENCH.generator, fields=(Keeping("mark", NUMBER, 0),))


class Maker:
    """Makes random terms of a type."""

    def __init__(self, random: Random) -> None:
        self.random = random
        self.open: list[Bound] = []
        self.rules: list[Rule] = []

    def _pick(self, *makers: Make) -> Term:
        return self.random.choice(makers)()

    def _known(self, of: Type) -> list[Bound]:
        return [known for known in self.open if known.type == of]

    def term(self, of: Type, depth: int) -> Term:
        """A term, at most so deep."""
        known = self._known(of)
        if known and self.random.random() < 0.35:
            return self.random.choice(known)
        if depth <= 0:
            return self._leaf(of)
        general = [lambda: self._choice(of, depth), lambda: self._let(of, depth), lambda: self._called(of, depth)]
        return self._pick(*general, *[self._maker(of, depth)] * 9)

    def _leaf(self, of: Type) -> Term:
        match of:
            case SetOf():
                return (
                    self._pick(lambda: zone("hand", const(self.random.randrange(2), SEAT)))
                    if of == CARDS
                    else all_of(of.of)
                )
            case RowOf():
                return plays("table")
            case Play():
                return prim(Op.FIRST, plays("table"), of=PLAY)
            case _:
                size = {YES_NO: 2, SEAT: 2, SUIT: 4, RANK: 9, CARD: 36}.get(of, 6)
                return const(self.random.randrange(size), of)

    def _maker(self, of: Type, depth: int) -> Make:
        match of:
            case _ if of == YES_NO:
                return lambda: self._condition(depth - 1)
            case _ if of == NUMBER:
                return lambda: self._number(depth - 1)
            case _ if of == SUIT:
                return self.random.choice(
                    [lambda: suit_of(self.term(CARD, depth - 1)), lambda: self._of_only_card(SUIT, depth - 1)]
                )
            case _ if of == RANK:
                return self.random.choice(
                    [lambda: rank_of(self.term(CARD, depth - 1)), lambda: self._of_only_card(RANK, depth - 1)]
                )
            case _ if of == SEAT:
                return lambda: self._seat(depth - 1)
            case _ if of == CARD:
                return lambda: self._card(depth - 1)
            case _ if of == CARDS:
                return lambda: self._cards(depth - 1)
            case _ if of == PLAYS:
                return lambda: self._some(PLAYS, depth - 1)
            case _:
                return lambda: self._leaf(of)

    def _card(self, depth: int) -> Term:
        played = self._known(PLAY)
        play = self.random.choice(played) if played else self.term(PLAY, depth)
        only = prim(Op.ONLY, PlayField("table", "cards", play, type=CARDS), of=Optional(CARD))
        return self._pick(
            lambda: const(self.random.randrange(36), CARD),
            lambda: Coalesce(only, const(7, CARD), type=CARD),
            lambda: Coalesce(prim(Op.FIRST, self.term(CARDS, depth), of=Optional(CARD)), const(3, CARD), type=CARD),
        )

    def _of_only_card(self, of: Type, depth: int) -> Term:
        """Something of the only card of a play, where there is one."""
        played = self._known(PLAY)
        play = self.random.choice(played) if played else self.term(PLAY, depth)
        only = prim(Op.ONLY, PlayField("table", "cards", play, type=CARDS), of=Optional(CARD))
        name, body = self._inside(CARD, lambda: self.term(of, depth))
        return Coalesce(Spread(name, only, body, type=Optional(of)), self._leaf(of), type=of)

    def _inside(self, of: Type, make: Callable[[], Made]) -> tuple[int, Made]:
        it = bound(of)
        self.open.append(it)
        made = make()
        self.open.pop()
        return it.id, made

    def _let(self, of: Type, depth: int) -> Term:
        kind: Type = self.random.choice(LET)
        value = self.term(kind, depth - 2)
        name, body = self._inside(kind, lambda: self.term(of, depth - 1))
        if kind == PLAY:
            return Coalesce(Spread(name, value, body, type=of), self._leaf(of), type=of)
        return LetIn(name, value, body, type=of)

    def _called(self, of: Type, depth: int) -> Term:
        fitting = [known for known in self.rules if known.type == of]
        if not fitting:
            return self._leaf(of)
        chosen = self.random.choice(fitting)
        return call(chosen, *[self.term(required(p.type), depth - 1) for p in chosen.parameters])

    def _choice(self, of: Type, depth: int) -> Term:
        return If(self.term(YES_NO, depth - 1), self.term(of, depth - 1), self.term(of, depth - 1), type=of)

    def _condition(self, depth: int) -> Term:
        kind: Type = self.random.choice(SCALARS)

        def two(op: Op) -> Term:
            return prim(op, self.term(kind, depth), self.term(kind, depth))

        return self._pick(
            lambda: two(Op.SAME),
            lambda: two(Op.DIFFERS),
            lambda: two(Op.LESS),
            lambda: two(Op.GREATER_EQUAL),
            lambda: prim(Op.AND, self.term(YES_NO, depth), self.term(YES_NO, depth)),
            lambda: prim(Op.OR, self.term(YES_NO, depth), self.term(YES_NO, depth)),
            lambda: prim(Op.NOT, self.term(YES_NO, depth)),
            lambda: prim(Op.IN_SET, self.term(CARD, depth), self.term(CARDS, depth)),
            lambda: prim(Op.IN_SET, self.term(RANK, depth), Var("ranks", (self.term(SEAT, depth),), type=SetOf(RANK))),
            lambda: prim(Op.IS_EMPTY, self.term(self.random.choice(SEQUENCES), depth)),
            lambda: self._fold(self.random.choice([Quantifier.ANY, Quantifier.ALL]), YES_NO, YES_NO, depth),
            lambda: prim(
                Op.IN_ROW,
                self.term(NUMBER, depth),
                MakeTuple((self.term(NUMBER, depth), const(2)), type=ListOf(NUMBER)),
            ),
        )

    def _number(self, depth: int) -> Term:

        def two(op: Op) -> Term:
            return prim(op, self.term(NUMBER, depth), self.term(NUMBER, depth), of=NUMBER)

        return self._pick(
            lambda: two(Op.ADD),
            lambda: two(Op.SUBTRACT),
            lambda: two(Op.MULTIPLY),
            lambda: two(Op.DIVIDE),
            lambda: prim(Op.COUNT, self.term(self.random.choice(SEQUENCES), depth), of=NUMBER),
            lambda: prim(Op.PLACE_IN_ORDER, self.term(RANK, depth), of=NUMBER),
            lambda: Var("score", (self.term(SEAT, depth),), type=NUMBER),
            lambda: Field("card", "mark", self.term(CARD, depth), type=NUMBER),
            lambda: self._fold(self.random.choice([Quantifier.SUM, Quantifier.COUNT]), NUMBER, NUMBER, depth),
            lambda: Coalesce(self._fold(Quantifier.MAX, NUMBER, NUMBER, depth), const(3), type=NUMBER),
            lambda: prim(Op.SUM, self._mapped(depth), of=NUMBER),
        )

    def _mapped(self, depth: int) -> Term:
        source: SetOf | RowOf = self.random.choice(WALKED)
        name, body = self._inside(source.of, lambda: self.term(NUMBER, depth))
        return Map(self.term(source, depth), name, body, type=ListOf(NUMBER))

    def _fold(self, quantifier: Quantifier, of: Type, body_type: Type, depth: int) -> Term:
        source: SetOf | RowOf = self.random.choice(WALKED)
        body_type = YES_NO if quantifier is Quantifier.COUNT else body_type
        name, body = self._inside(source.of, lambda: self.term(body_type, depth))
        return Fold(quantifier, self.term(source, depth), name, body, type=of)

    def _some(self, of: SetOf | RowOf, depth: int) -> Term:
        source = self.term(of, depth)

        def ranked() -> Term:
            name, keys = self._inside(
                of.of, lambda: tuple(self.term(RANK, depth) for _ in range(self.random.choice([1, 2])))
            )
            return Rank(self.random.choice(list(Ranking)), source, name, keys, type=of)

        def filtered() -> Term:
            name, holds = self._inside(of.of, lambda: self.term(YES_NO, depth))
            return Filter(source, name, holds, type=of)

        return self._pick(filtered, filtered, ranked)

    def _cards(self, depth: int) -> Term:
        def everybody() -> Term:
            name, body = self._inside(SEAT, lambda: zone("hand", self.term(SEAT, 0)))
            return Fold(Quantifier.UNITE, all_of(SEAT), name, body, type=CARDS)

        return self._pick(
            lambda: self._some(CARDS, depth),
            lambda: self._some(CARDS, depth),
            lambda: prim(Op.UNION, self.term(CARDS, depth), self.term(CARDS, depth), of=CARDS),
            lambda: prim(Op.MINUS, self.term(CARDS, depth), self.term(CARDS, depth), of=CARDS),
            lambda: zone("hand", self.term(SEAT, depth)),
            lambda: MakeSet((self.term(CARD, depth), self.term(CARD, depth)), type=CARDS),
            everybody,
        )

    def _seat(self, depth: int) -> Term:
        return self._pick(
            lambda: prim(Op.LEFT, self.term(SEAT, depth), of=SEAT),
            lambda: Coalesce(
                PlayField("table", "player", self.term(PLAY, depth), type=Optional(SEAT)), const(1, SEAT), type=SEAT
            ),
            lambda: const(self.random.randrange(2), SEAT),
        )


def random_program(random: Random) -> tuple[Program, list[Term]]:
    """A program with rules that call earlier ones, and terms that call them."""
    maker = Maker(random)
    kinds: list[Type] = [YES_NO, NUMBER, SUIT, RANK, SEAT, CARDS, PLAYS]
    for number in range(5):
        parameters = tuple(bound(random.choice(PARAMETERS)) for _ in range(random.randrange(3)))
        maker.open = list(parameters)
        maker.rules.append(rule(f"r{number}", maker.term(random.choice(kinds), 4), *parameters))
    maker.open = []
    terms = [maker.term(random.choice(kinds), 5) for _ in range(6)]
    variables = (variable("ranks", SetOf(RANK), 0, SEAT), variable("score", NUMBER, 0, SEAT))
    return program(kinds=(MARKED,), zones=TABLE, variables=variables, rules=tuple(maker.rules)), terms


def random_state(layout: Layout, random: Random) -> list[Any]:
    """Some cards in hands and on the table, and numbers in states and fields."""
    state = layout.initial()
    for seat in range(2):
        state[layout.zone_of("hand", seat).cell] = sum(
            1 << card for card in random.sample(range(36), random.randrange(8))
        )
        state[layout.variables["ranks"].base + seat] = random.randrange(512)
        state[layout.variables["score"].base + seat] = random.randrange(-3, 4)
    for card in range(36):
        state[layout.fields["card", "mark"] + card] = random.randrange(4)
    stamps = sorted(random.sample(range(20), random.randrange(4)))
    state[layout.zone_of("table").cell] = tuple(
        (stamp, random.randrange(2), 1 << random.randrange(36) | (random.random() < 0.1) << 5) for stamp in stamps
    )
    return state
