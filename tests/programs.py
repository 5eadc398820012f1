"""Small programs for the machine, built node by node, and short names for the nodes.

The games here are stand-ins: just enough for a test to have cards, seats and something to decide.
"""

from __future__ import annotations

from itertools import count

from rulesdsl.ir.nodes import (
    AllOf,
    Alternative,
    Ask,
    Attribute,
    Block,
    Bound,
    Call,
    CardRow,
    Cell,
    Condition,
    Const,
    Generator,
    Handler,
    Keeping,
    Kind,
    Legality,
    Option,
    Origin,
    Owned,
    Part,
    Phase,
    Pick,
    Prim,
    PrintedAttribute,
    Procedure,
    Program,
    Rule,
    Shape,
    Sight,
    Teams,
    Term,
    Under,
    Value,
    Variable,
    Zone,
    ZoneCards,
)
from rulesdsl.ir.nodes import Op as Op
from rulesdsl.source import Source, Span
from rulesdsl.types import NONE, Card, Enum, Number, Play, RowOf, Seat, SetOf, Text, Type, YesNo

SOURCE = Source("test.yaml", "")
ORIGIN = Origin("test", Span(SOURCE, 0, 0))

YES_NO, NUMBER, SEAT, TEXT = YesNo(), Number(), Seat(), Text()
SUIT = Enum("suit", ("clubs", "diamonds", "hearts", "spades"))
RANK = Enum("rank", ("2", "7", "8", "9", "10", "J", "Q", "K", "A"), ordered=True)
CARD = Card("card")
CARDS = SetOf(CARD)
SEATS = SetOf(SEAT)

_ids = count(1)


# ── terms ────────────────────────────────────────────────────────────────────────────────────────────────────────


def bound(of: Type, name: str = "it") -> Bound:
    """A new bound."""
    return Bound(next(_ids), name, type=of)


def cell(of: Type, name: str) -> Cell:
    """A new cell."""
    return Cell(next(_ids), name, type=of)


def const(value: Value, of: Type = NUMBER) -> Const:
    """A constant."""
    return Const(value, type=of)


NONE_CONST = Const(NONE, type=SEAT)
TRUE, FALSE = Const(1, type=YES_NO), Const(0, type=YES_NO)


def prim(op: Op, *arguments: Term, of: Type = YES_NO) -> Prim:
    """A primitive operation."""
    return Prim(op, arguments, type=of)


def same(left: Term, right: Term) -> Prim:
    """`is`."""
    return prim(Op.SAME, left, right)


def all_of(of: Type) -> AllOf:
    """Every member of a type."""
    return AllOf(type=SetOf(of))


def suit_of(card: Term) -> Attribute:
    """The suit of a card."""
    return Attribute("card", "suit", card, type=SUIT)


def rank_of(card: Term) -> Attribute:
    """The rank of a card."""
    return Attribute("card", "rank", card, type=RANK)


def zone(name: str, owner: Term | None = None, of: Type = CARDS) -> ZoneCards:
    """The cards of a zone."""
    return ZoneCards(name, owner, type=of)


def plays(name: str) -> ZoneCards:
    """The plays of a zone."""
    return ZoneCards(name, type=RowOf(Play(name)))


def call(rule: Rule, *arguments: Term) -> Call:
    """The value of a rule."""
    return Call(rule.id, arguments, type=rule.type)


# ── declarations ─────────────────────────────────────────────────────────────────────────────────────────────────


def rule(name: str, body: Term, *parameters: Bound) -> Rule:
    """A rule."""
    return Rule(name, name, parameters, body.type, body, body, ORIGIN)


def condition(name: str, term: Term, *permits: Term) -> Condition:
    """A condition of a legality."""
    return Condition(name, term, ORIGIN, permits)


def variable(name: str, of: Type, start: Value = 0, *each: Type) -> Variable:
    """A state."""
    return Variable(Keeping(name, of, start), each)


FRENCH = Kind(
    "card",
    (PrintedAttribute("suit", SUIT), PrintedAttribute("rank", RANK)),
    Generator((("suit", tuple(range(4))), ("rank", tuple(range(9))))),
)
"""36 cards: of each suit 2, 7, 8, 9, 10, J, Q, K, A."""

TABLE = (
    Zone("stock", "card", shape=Shape.STACK, seen=Sight.NOBODY, start_all=True),
    Zone("hand", "card", Owned.PLAYER, seen=Sight.OWNER),
    Zone("table", "card", shape=Shape.PLAYS),
    Zone("won", "card", Owned.PLAYER),
)


def procedure(
    name: str,
    body: Block,
    *cells: Cell,
    parameters: int = 0,
    acting: bool = False,
    depth: int = 1,
    state: tuple[tuple[int, Term], ...] = (),
    resets: tuple[str, ...] = (),
    handlers: tuple[Handler, ...] = (),
) -> Procedure:
    """A procedure with all the cells of a run."""
    return Procedure(name, cells, parameters, body, acting, depth, state, resets, handlers)


def ask(
    name: str,
    by: Term,
    *parts: tuple[Cell, Pick],
    under: Under | None = None,
    where: Term | None = None,
    body: Block = (),
    optional: bool = False,
    has_else: bool = False,
    otherwise: Block = (),
) -> Ask:
    """A decision with one alternative."""
    alternative = Alternative(None, tuple(Part(c, pick) for c, pick in parts), under, where, body)
    return Ask(name, name, by, (alternative,), optional, has_else, otherwise)


def program(
    main: Block = (),
    *,
    cells: tuple[Cell, ...] = (),
    players: tuple[int, int] = (2, 2),
    teams: Teams | None = None,
    kinds: tuple[Kind, ...] = (FRENCH,),
    zones: tuple[Zone, ...] = TABLE,
    variables: tuple[Variable, ...] = (),
    rules: tuple[Rule, ...] = (),
    legalities: tuple[Legality, ...] = (),
    procedures: tuple[Procedure, ...] = (),
    options: tuple[Option, ...] = (),
    scores: str | None = None,
    winners: str = "winners",
    texts: tuple[str, ...] = (),
    modifiers: tuple[str, ...] = (),
) -> Program:
    """A program whose match consists of the given operations. Without a rule `winners` every seat wins."""
    if winners not in [known.id for known in rules]:
        rules = (*rules, rule(winners, all_of(SEAT)))
    match = procedure("match", (Phase("match", "match", main),), *cells)
    return Program(
        name="test",
        title="Test",
        players=players,
        teams=teams,
        options=options,
        types=(SUIT, RANK),
        kinds=kinds,
        zones=zones,
        variables=variables,
        rules=rules,
        legalities=legalities,
        procedures=procedures,
        main=match,
        scores=scores,
        winners=winners,
        texts=texts,
        switchable=modifiers,
    )


def kind_of_rows(name: str, *numbers: int, copies: int = 1) -> Kind:
    """A kind of cards with one number printed on each, listed in rows."""
    rows = tuple(CardRow(None, None, (("number", number),), copies) for number in numbers)
    return Kind(name, (PrintedAttribute("number", NUMBER),), rows=rows)
