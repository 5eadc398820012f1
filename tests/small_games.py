"""Little games for the machine, each with a construct or two that it must get right.

Every game is a function without arguments that gives a program; `GAMES` names them all, with the seats they are for.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from programs import (
    CARD,
    CARDS,
    FRENCH,
    NUMBER,
    ORIGIN,
    SEAT,
    SUIT,
    TABLE,
    YES_NO,
    Op,
    all_of,
    ask,
    bound,
    call,
    cell,
    condition,
    const,
    plays,
    prim,
    procedure,
    rank_of,
    rule,
    same,
    suit_of,
    variable,
    zone,
)
from small_pieces import HAND, PLAY, STOCK, deal, game, hand, hand_of, number, range_of

from rulesdsl.ir.nodes import (
    Activate,
    Alternative,
    Announce,
    Ask,
    Assign,
    Block,
    Branch,
    Closing,
    DrawRandom,
    Each,
    EndPhase,
    Field,
    Fold,
    Handler,
    If,
    Increase,
    InForce,
    Keeping,
    Legality,
    MakePlay,
    MakeSet,
    Move,
    Part,
    Phase,
    PickMembers,
    PickNumber,
    PickWriting,
    PickYesNo,
    PlaceOf,
    PlaceUnder,
    PlayField,
    Point,
    ProceedStep,
    Program,
    Quantifier,
    Rank,
    Ranking,
    Repeat,
    Roll,
    Running,
    RunProcedure,
    Shape,
    Show,
    Shuffle,
    Spread,
    Swap,
    Together,
    Under,
    Var,
    Window,
    Zone,
)
from rulesdsl.types import NONE, ListOf, Number, Optional, Place, RowOf, SetOf

# ── tricks ───────────────────────────────────────────────────────────────────────────────────────────────────────────


def taking(rounds: int = 4) -> Program:
    """Everybody plays a card in turn, of the kind that was led if possible; the highest of it takes all four times."""
    leader = Var("leader", type=SEAT)
    it, play = bound(PLAY), bound(PLAY)
    first_card = prim(Op.ONLY, PlayField("table", "cards", play, type=CARDS), of=Optional(CARD))
    led = rule(
        "led",
        Spread(
            play.id,
            prim(Op.FIRST, plays("table"), of=Optional(PLAY)),
            suit_of(first_card),
            type=Optional(SUIT),
        ),
    )
    card_of_it = prim(Op.ONLY, PlayField("table", "cards", it, type=CARDS), of=Optional(CARD))
    winning = rule(
        "winning",
        prim(
            Op.FIRST,
            Rank(
                Ranking.HIGHEST,
                plays("table"),
                it.id,
                (same(suit_of(card_of_it), call(led)), rank_of(card_of_it)),
                type=RowOf(PLAY),
            ),
            of=Optional(PLAY),
        ),
    )
    decider, chosen = bound(SEAT, "player"), bound(CARD, "card")
    may_follow = Legality(
        "may_follow",
        "may_follow",
        (decider, chosen),
        tiers=(condition("follow", same(suit_of(chosen), call(led))),),
    )
    player = cell(SEAT, "player")
    card = cell(CARD, "card")
    play_card = procedure(
        "play_card",
        (
            Branch(
                prim(Op.IS_EMPTY, plays("table")),
                (ask("lead", player, (card, PickMembers(hand(player), single=True))),),
                (
                    ask(
                        "follow",
                        player,
                        (card, PickMembers(hand(player), single=True)),
                        under=Under("may_follow", (player, card)),
                    ),
                ),
            ),
            MakePlay(MakeSet((card,), type=CARDS), "table", None, player),
        ),
        player,
        card,
        parameters=0,
        acting=True,
    )
    turn, best = cell(SEAT, "player"), cell(SEAT, "best")
    other = bound(PLAY)
    everything = Fold(
        Quantifier.UNITE, plays("table"), other.id, PlayField("table", "cards", other, type=CARDS), type=CARDS
    )
    winner = PlayField("table", "player", call(winning), type=Optional(SEAT))
    play_round = procedure(
        "play_round",
        (
            Phase(
                "plays",
                "play_round/plays",
                (Each(turn, all_of(SEAT), (RunProcedure("play_card", (turn,)),), start=leader),),
            ),
            Phase(
                "take",
                "play_round/take",
                (
                    Assign(best, winner),
                    Move(everything, PlaceOf("won", best, type=HAND)),
                    Increase(number("taken", best), const(1)),
                    Assign(leader, best),
                ),
                handlers=(Handler(Point.AFTER, (Increase(number("rounds"), const(1)),), ORIGIN),),
            ),
        ),
        turn,
        best,
        resets=("marks",),
    )
    main = (
        *deal(rounds),
        DrawRandom("leader", leader, all_of(SEAT)),
        Repeat((RunProcedure("play_round"),), times=const(rounds)),
    )
    return game(
        main,
        players=(2, 5),
        procedures=(play_card, play_round),
        rules=(led, winning),
        legalities=(may_follow,),
        variables=(
            variable("leader", Optional(SEAT), NONE),
            variable("taken", NUMBER, 0, SEAT),
            variable("rounds", NUMBER),
            variable("marks", NUMBER),
        ),
    )


# ── together ─────────────────────────────────────────────────────────────────────────────────────────────────────────


def passing() -> Program:
    """Three cards go left at once, then everybody may hand one back to the stock's bottom, then hands are counted."""
    player, cards, extra = cell(SEAT, "player"), cell(CARDS, "cards"), cell(CARD, "extra")
    left = prim(Op.LEFT, player, of=SEAT)
    count = number("count", player)
    hand_size = prim(Op.COUNT, hand(player), of=NUMBER)
    is_even = same(prim(Op.MODULO, prim(Op.COUNT, cards, of=NUMBER), const(2), of=NUMBER), const(0))
    main: Block = (
        *deal(6),
        Together(
            player,
            all_of(SEAT),
            (
                ask("pass", player, (cards, PickMembers(hand(player), const(1), const(3)))),
                Branch(
                    is_even,
                    (Move(cards, hand_of(left)), Increase(number("evens"), const(1))),
                    (
                        ask(
                            "keep",
                            player,
                            (extra, PickMembers(hand(player), single=True)),
                            optional=True,
                            body=(Increase(count, const(100)),),
                            otherwise=(Increase(count, const(10)),),
                        ),
                        Move(cards, hand_of(prim(Op.RIGHT, player, of=SEAT))),
                    ),
                ),
                Increase(count, hand_size),
            ),
        ),
    )
    return game(
        main,
        players=(2, 5),
        variables=(variable("count", NUMBER, 0, SEAT), variable("evens", NUMBER)),
    )


def writing() -> Program:
    """Everybody writes numbers on three cards, hidden; then the table is turned up card by card."""
    notes = replace(FRENCH, fields=(Keeping("mark", Number(), 0),))
    player, marks, shown = cell(SEAT, "player"), cell(ListOf(NUMBER), "marks"), cell(CARD, "shown")
    card = bound(CARD, "card")
    main: Block = (
        *deal(3),
        Together(
            player,
            all_of(SEAT),
            (
                ask(
                    "write",
                    player,
                    (
                        marks,
                        PickWriting(
                            "card",
                            "mark",
                            hand(player),
                            card.id,
                            range_of(0, 4),
                            total=range_of(5, 6),
                        ),
                    ),
                ),
                Increase(number("written", player), prim(Op.SUM, marks, of=NUMBER)),
            ),
        ),
        Each(
            player,
            all_of(SEAT),
            (
                ask("turn_up", player, (shown, PickMembers(hand(player), single=True))),
                Increase(number("shown", player), Field("card", "mark", shown, type=NUMBER)),
                Move(MakeSet((shown,), type=CARDS), PlaceOf("won", player, type=HAND)),
            ),
        ),
    )
    return game(
        main,
        kinds=(notes,),
        variables=(variable("written", NUMBER, 0, SEAT), variable("shown", NUMBER, 0, SEAT)),
    )


# ── windows, ways out, handlers ──────────────────────────────────────────────────────────────────────────────────────


def reacting() -> Program:
    """Cards are thrown in reply until everybody passes; a reply opens a window of its own, two deep."""
    player, helper, card = cell(SEAT, "player"), cell(SEAT, "helper"), cell(CARD, "card")
    is_low = prim(Op.LESS, rank_of(bound_card := bound(CARD, "card")), const(3))
    may_reply = Legality(
        "may_reply",
        "may_reply",
        (bound(SEAT, "player"), bound_card),
        forbids=(condition("too_high", prim(Op.NOT, is_low)),),
    )
    reply: Block = (Move(MakeSet((card,), type=CARDS), PlaceOf("pile", type=Place("card", RowOf(CARD)))),)
    window = Window(
        "replies",
        helper,
        prim(Op.LEFT, player, of=SEAT),
        Ask(
            "reply",
            "reply",
            helper,
            (
                Alternative(
                    None,
                    (Part(card, PickMembers(hand(helper), single=True)),),
                    Under("may_reply", (helper, card)),
                    None,
                    (*reply, Increase(number("replies"), const(1)), RunProcedure("react", (helper,))),
                ),
            ),
            optional=True,
        ),
        Closing.ALL_PASS,
        where=prim(Op.LESS, number("replies"), const(6)),
        at_most=const(50),
    )
    react = procedure(
        "react",
        (
            Branch(
                prim(Op.LESS, number("deep"), const(2)),
                (
                    Increase(number("deep"), const(1)),
                    window,
                    Increase(number("deep"), const(-1)),
                ),
            ),
        ),
        player,
        helper,
        card,
        acting=True,
        depth=4,
    )
    turn = cell(SEAT, "player")
    main: Block = (*deal(5), Each(turn, all_of(SEAT), (RunProcedure("react", (turn,)),)))
    return game(
        main,
        players=(2, 4),
        zones=(*TABLE, Zone("pile", "card", shape=Shape.STACK)),
        procedures=(react,),
        legalities=(may_reply,),
        variables=(variable("replies", NUMBER), variable("deep", NUMBER)),
    )


def leaving() -> Program:
    """A phase is left from inside a procedure it runs; what was started for it stops then."""
    player, go = cell(SEAT, "player"), cell(YES_NO, "go")
    modifiers = ("slow", "double")
    double = const(1)
    step = procedure(
        "step",
        (
            ask("go", player, (go, PickYesNo())),
            Increase(number("steps"), If(InForce("double", type=YES_NO), const(2), const(1), type=NUMBER)),
            Branch(go, (EndPhase("walk"),)),
            Increase(number("stayed"), const(1)),
        ),
        player,
        go,
        acting=True,
        handlers=(Handler(Point.AFTER, (Increase(number("after_step"), const(1)),), ORIGIN),),
    )
    turn = cell(SEAT, "player")
    walk = Phase(
        "walk",
        "walk",
        (
            Activate(double, "walk"),
            Repeat((Each(turn, all_of(SEAT), (RunProcedure("step", (turn,)),)),), times=const(20)),
        ),
        handlers=(
            Handler(Point.BEFORE, (Increase(number("before_walk"), const(1)),), ORIGIN),
            Handler(Point.AFTER, (Increase(number("after_walk"), const(1)),), ORIGIN),
        ),
    )
    main: Block = (
        walk,
        Assign(number("left_over"), If(InForce("double", type=YES_NO), const(1), const(0), type=NUMBER)),
    )
    return game(
        (*main,),
        players=(2, 4),
        procedures=(step,),
        modifiers=modifiers,
        variables=tuple(
            variable(name, NUMBER)
            for name in ("steps", "stayed", "after_step", "before_walk", "after_walk", "left_over")
        ),
    )


def replacing() -> Program:
    """A procedure with two handlers that stand in for it, one of which proceeds with another argument."""
    amount = cell(NUMBER, "amount")
    turn, number_chosen = cell(SEAT, "player"), cell(NUMBER, "chosen")
    big = prim(Op.GREATER, amount, const(5))
    odd = same(prim(Op.MODULO, amount, const(2), of=NUMBER), const(1))
    pay = procedure(
        "pay",
        (Increase(number("paid"), amount),),
        amount,
        parameters=1,
        handlers=(
            Handler(Point.INSTEAD, (ProceedStep((const(5),)), Increase(number("cut"), const(1))), ORIGIN, big),
            Handler(Point.INSTEAD, (Increase(number("refused"), const(1)),), ORIGIN, odd),
            Handler(Point.BEFORE, (Increase(number("before"), const(1)),), ORIGIN),
            Handler(Point.AFTER, (Increase(number("after"), const(1)),), ORIGIN),
        ),
    )
    main: Block = (
        Each(
            turn,
            all_of(SEAT),
            (
                Repeat(
                    (
                        ask("pay", turn, (number_chosen, PickNumber(const(0), const(8)))),
                        RunProcedure("pay", (number_chosen,)),
                    ),
                    times=const(3),
                ),
            ),
        ),
    )
    return game(
        main,
        players=(2, 4),
        procedures=(pay,),
        variables=tuple(variable(name, NUMBER) for name in ("paid", "cut", "refused", "before", "after")),
    )


def stacking() -> Program:
    """Cards go under cards, are shown, swapped and thrown together."""
    player, card, host = cell(SEAT, "player"), cell(CARD, "card"), cell(CARD, "host")
    rolled = cell(NUMBER, "rolled")
    other = prim(Op.LEFT, player, of=SEAT)
    mine, theirs = cell(CARD, "mine"), cell(CARD, "theirs")
    realm = PlaceOf("won", player, type=HAND)
    main: Block = (
        *deal(6),
        Each(
            player,
            all_of(SEAT),
            (
                ask("found", player, (host, PickMembers(hand(player), single=True))),
                Move(MakeSet((host,), type=CARDS), realm),
                ask("hang", player, (card, PickMembers(hand(player), single=True))),
                Move(MakeSet((card,), type=CARDS), PlaceUnder("card", host, type=HAND)),
                Show(hand(player), prim(Op.SINGLETON, other, of=SetOf(SEAT))),
                Roll("rolled", rolled, const(1), const(6)),
                Announce(rolled, "rolled"),
            ),
            rounds=const(2),
        ),
        Each(
            player,
            all_of(SEAT),
            (
                ask(
                    "exchange",
                    player,
                    (mine, PickMembers(hand(player), single=True)),
                    (theirs, PickMembers(zone("won", other), single=True)),
                    optional=True,
                    body=(
                        Swap(
                            MakeSet((mine,), type=CARDS),
                            MakeSet((theirs,), type=CARDS),
                        ),
                    ),
                ),
            ),
        ),
        Each(player, all_of(SEAT), (Move(hand(player), hand_of(prim(Op.LEFT, player, of=SEAT))),)),
        Each(player, all_of(SEAT), (Move(zone("won", player), STOCK),)),
        Shuffle(STOCK, "stock"),
    )
    return game(main, players=(2, 4))


def giving() -> Program:
    """Together everybody names a number and gives as much, in a procedure with handlers of all kinds."""
    giver, amount, kept, suit = cell(SEAT, "giver"), cell(NUMBER, "amount"), cell(NUMBER, "kept"), cell(SUIT, "suit")
    cut = Increase(number("cut", giver), const(1))
    give = procedure(
        "give",
        (
            Each(suit, all_of(SUIT), (Increase(number("given", giver), amount),)),
            RunProcedure("note", (giver, kept)),
        ),
        giver,
        amount,
        kept,
        suit,
        parameters=1,
        acting=True,
        state=((kept.id, prim(Op.MULTIPLY, amount, const(10), of=NUMBER)),),
        resets=("fresh",),
        handlers=(
            Handler(
                Point.INSTEAD,
                (cut, ProceedStep((const(2),)), cut),
                ORIGIN,
                prim(Op.GREATER, amount, const(2)),
            ),
            Handler(Point.BEFORE, (Increase(number("before", giver), const(1)),), ORIGIN, same(giver, const(0, SEAT))),
            Handler(Point.AFTER, (Increase(number("after", giver), kept),), ORIGIN),
        ),
    )
    noter, noted = cell(SEAT, "noter"), cell(NUMBER, "noted")
    note = procedure(
        "note",
        (
            Increase(
                number("noted", noter),
                prim(Op.ADD, noted, Running("give", amount.id, "amount", type=NUMBER), of=NUMBER),
            ),
        ),
        noter,
        noted,
        parameters=1,
        acting=True,
    )
    player, chosen = cell(SEAT, "player"), cell(NUMBER, "chosen")
    many = prim(Op.GREATER, chosen, const(1))
    main: Block = (
        Increase(number("fresh"), const(5)),
        Together(
            player,
            all_of(SEAT),
            (
                Ask(
                    "name",
                    "name",
                    player,
                    (Alternative(None, (Part(chosen, PickNumber(const(0), const(4))),)),),
                    handlers=(Handler(Point.AFTER, (Increase(number("named", player), chosen),), ORIGIN),),
                ),
                RunProcedure("give", (player, chosen)),
                Phase(
                    "many",
                    "many",
                    (Increase(number("many", player), const(1)),),
                    when=many,
                    handlers=(Handler(Point.BEFORE, (Increase(number("many", player), const(10)),), ORIGIN),),
                ),
            ),
        ),
    )
    names = ("given", "cut", "before", "after", "noted", "named", "many")
    return game(
        main,
        players=(2, 4),
        procedures=(give, note),
        variables=(variable("fresh", NUMBER, 3), *(variable(name, NUMBER, 0, SEAT) for name in names)),
    )


GAMES: dict[str, tuple[Callable[[], Program], int]] = {
    "taking for two": (taking, 2),
    "taking for four": (taking, 4),
    "passing for three": (passing, 3),
    "writing": (writing, 2),
    "reacting": (reacting, 3),
    "leaving": (leaving, 2),
    "replacing": (replacing, 3),
    "stacking": (stacking, 3),
    "giving": (giving, 3),
}
"""By name, a game and how many play it."""
