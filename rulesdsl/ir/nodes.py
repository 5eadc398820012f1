"""The typed program: what a machine executes, and the only thing it ever sees of a game.

Small and closed. *Terms* are pure and total, *operations* have effects or steer; no word of card play occurs. Every
node is frozen; spans say where a thing was written and take no part in equality, so that two programs are equal when
they mean the same.

Names of values inside a rule or procedure come in two sorts. A `Bound` lives as long as one expression is worked out
(parameters of rules, `it`, `c in S`); its `id` is unique within its rule, or within the whole program where it stands
outside of rules. A `Cell` lives in the frame of a running procedure (its parameters, lets, loop variables, parts of
decisions) and survives while players think; its `id` is unique within its procedure.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum

from ..source import Span
from ..types import Type

Value = int | tuple["Value", ...]
"""What a term is worth while a match runs; see `rulesdsl.types`."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Node:
    """A piece of a program; `span` is None for what no file says."""

    span: Span | None = field(default=None, compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class Origin:
    """Who wrote something: the game, library or modifier by its name, and the place."""

    name: str
    span: Span = field(compare=False, repr=False)


# ── terms ────────────────────────────────────────────────────────────────────────────────────────────────────────


@dataclass(frozen=True, slots=True, kw_only=True)
class TermNode(Node):
    """A pure expression of a type."""

    type: Type


@dataclass(frozen=True, slots=True)
class Const(TermNode):
    """A value known from the text."""

    value: Value


@dataclass(frozen=True, slots=True)
class OptionValue(TermNode):
    """What an option of the program was set to; constant during a match."""

    name: str


@dataclass(frozen=True, slots=True)
class AllOf(TermNode):
    """Every member of a finite type, as a `SetOf` it: all seats, all cards of a kind, all ranks."""


@dataclass(frozen=True, slots=True)
class Bound(TermNode):
    """The value of a parameter of the rule, or of a binder of the expression."""

    id: int
    name: str = field(compare=False)


@dataclass(frozen=True, slots=True)
class Cell(TermNode):
    """The value of a name of the running procedure."""

    id: int
    name: str = field(compare=False)


@dataclass(frozen=True, slots=True)
class Running(TermNode):
    """A cell of the innermost running procedure of a name, further down the stack."""

    procedure: str
    id: int
    name: str = field(compare=False)


@dataclass(frozen=True, slots=True)
class Var(TermNode):
    """A state; `index` has one term for each dimension it is kept `each` of."""

    name: str
    index: tuple[Term, ...] = ()


@dataclass(frozen=True, slots=True)
class Field(TermNode):
    """What is written on a card."""

    kind: str
    name: str
    card: Term


@dataclass(frozen=True, slots=True)
class Attribute(TermNode):
    """What is printed on a card; `index` where the attribute has one number for each member of a type."""

    kind: str
    name: str
    card: Term
    index: Term | None = None


@dataclass(frozen=True, slots=True)
class PlayField(TermNode):
    """Of a play: `player`, `cards` (a set), or a field of the zone. A play that has ended has `NONE`, the empty set."""

    zone: str
    name: str
    play: Term


@dataclass(frozen=True, slots=True)
class ZoneCards(TermNode):
    """The cards in one zone: a `SetOf` for shape set, a `RowOf` for stack (bottom first) and row.

    For shape `plays`, the plays in order of time: a `RowOf(Play)`.
    """

    zone: str
    owner: Term | None = None


@dataclass(frozen=True, slots=True)
class PlaceOf(TermNode):
    """A zone as a place (`Place`)."""

    zone: str
    owner: Term | None = None


@dataclass(frozen=True, slots=True)
class PlaceUnder(TermNode):
    """The place under a card."""

    kind: str
    card: Term


@dataclass(frozen=True, slots=True)
class PlaceCards(TermNode):
    """The cards that lie at a place."""

    place: Term


@dataclass(frozen=True, slots=True)
class Call(TermNode):
    """The value of a rule. Rules form no circle, so this is bounded."""

    rule: str
    arguments: tuple[Term, ...] = ()


@dataclass(frozen=True, slots=True)
class If(TermNode):
    """One of two terms."""

    condition: Term
    then: Term
    otherwise: Term


@dataclass(frozen=True, slots=True)
class Coalesce(TermNode):
    """The first, unless it is none, or an empty set, row or list; then the second."""

    first: Term
    second: Term


@dataclass(frozen=True, slots=True)
class Spread(TermNode):
    """`body` with the bound set to a value; where the value is none, none (empty, for a set, row or list)."""

    id: int
    value: Term
    body: Term


@dataclass(frozen=True, slots=True)
class LetIn(TermNode):
    """`body` with the bound set to a value."""

    id: int
    value: Term
    body: Term


class Op(StrEnum):
    """Primitive operations. Operands are never none unless it is said.

    Sets are bit sets, rows and lists tuples; `SAME` and `DIFFERS` compare two values of one representation, none
    included. A sequence below is any of the three.
    """

    ADD = "+"
    SUBTRACT = "-"
    MULTIPLY = "*"
    DIVIDE = "div"  # rounds down; the divisor is not 0, else a match error
    MODULO = "mod"
    NEGATE = "neg"
    SCALE = "scale"  # (number, constant factor): to finer steps
    LESS = "<"
    LESS_EQUAL = "<="
    GREATER = ">"
    GREATER_EQUAL = ">="
    SAME = "is"
    DIFFERS = "is not"
    NOT = "not"
    AND = "and"  # the second only where the first is true
    OR = "or"
    IN_SET = "in set"  # (value or none, bit set)
    IN_ROW = "in row"  # (value or none, tuple)
    IN_RANGE = "in range"  # (number or none, range)
    UNION = "union"  # bit sets
    MINUS = "minus"  # bit sets
    APPEND = "append"  # tuples, doubles kept
    ROW_UNION = "row union"  # tuples, doubles left out
    ROW_MINUS = "row minus"  # tuples: the first without the members of the second
    COUNT = "count"  # of a sequence
    IS_EMPTY = "is empty"  # of a sequence
    TO_SET = "to set"  # row or list of a finite type to a bit set
    TO_ROW = "to row"  # bit set to a tuple, in order
    RANGE_ROW = "range row"  # the numbers of a range, by its steps, as a tuple
    SINGLETON = "singleton"  # a value to a bit set; none to the empty one
    SINGLE_ROW = "single row"  # a value to a tuple; none to the empty one
    DISTINCT = "distinct"  # list to row: the first of equal ones stays
    ONLY = "only"  # of a sequence; none if not exactly one
    FIRST = "first"  # of a sequence, none if empty
    LAST = "last"
    TOP = "top"  # (row, number): the last ones of a stack, as a row in the stack's order; fewer if there are fewer
    BOTTOM = "bottom"  # (row, number): the first ones
    MIN = "min"  # of a sequence of numbers or ordered members; none of nothing
    MAX = "max"
    SUM = "sum"
    ANY_OF = "any of"  # of a sequence of yes_no: whether one is true
    ALL_OF = "all of"
    PLACE_IN_ORDER = "place"  # of an ordered member: counts from 0
    NEXT = "next"  # (member, constant count of members, constant 1 for a cycle): none at the top
    LEFT = "left"  # seats, clockwise
    RIGHT = "right"
    ACROSS = "across"  # the seat opposite; with an odd number of seats, the left one of the two
    PARTNER = "partner"  # the next seat clockwise of the same team
    CLOCKWISE = "clockwise"  # row of all seats, the given one first
    ANTICLOCKWISE = "anticlockwise"
    TEAM_OF = "team"
    SEATS_OF = "seats of"  # a team's seats: a bit set
    HOLDER = "holder"  # the owner of the zone a card lies in, itself or with what it lies under; none
    OWNER = "owner"  # of a place
    PLACE_OF_CARD = "place of card"
    UNDER = "under"  # the cards beneath a card: a bit set
    OVER = "over"  # the card it lies under; none
    FACE = "face"  # of a card: the bit set of the cards of its kind that show the same
    LEAST = "least"  # of a range
    MOST = "most"
    FIELD_OF = "field of"  # (record, constant index)


@dataclass(frozen=True, slots=True)
class Prim(TermNode):
    """A primitive operation."""

    op: Op
    arguments: tuple[Term, ...]


@dataclass(frozen=True, slots=True)
class Filter(TermNode):
    """The members of a sequence for which a condition holds, in the same representation and order."""

    source: Term
    id: int
    condition: Term


@dataclass(frozen=True, slots=True)
class Map(TermNode):
    """`body` for every member of a sequence, in order, as a `ListOf` (doubles kept)."""

    source: Term
    id: int
    body: Term


class Quantifier(StrEnum):
    """How `Fold` puts values together."""

    SUM = "sum"
    MIN = "min"
    MAX = "max"
    COUNT = "count"  # how many bodies are true
    ANY = "any"
    ALL = "all"
    FIRST = "first"  # the first body that is not none
    UNITE = "unite"  # the union of bodies that are sets


@dataclass(frozen=True, slots=True)
class Fold(TermNode):
    """`body` for every member, put together at once. `SUM` leaves out none, `MIN` and `MAX` too."""

    quantifier: Quantifier
    source: Term
    id: int
    body: Term


class Ranking(StrEnum):
    """Which members `Rank` keeps."""

    HIGHEST = "highest"  # all that share the highest keys
    LOWEST = "lowest"
    UNIQUE_HIGHEST = "unique highest"  # equals cancel one another; the best of those left


@dataclass(frozen=True, slots=True)
class Rank(TermNode):
    """The best members of a sequence by keys, the first that differs decides; in the source's representation.

    A key that is none ranks below all others.
    """

    ranking: Ranking
    source: Term
    id: int
    keys: tuple[Term, ...]


@dataclass(frozen=True, slots=True)
class MakeTuple(TermNode):
    """A record, a range or a list from its parts, as its type says."""

    parts: tuple[Term, ...]


@dataclass(frozen=True, slots=True)
class MakeSet(TermNode):
    """A bit set from its members; none is left out."""

    parts: tuple[Term, ...]


@dataclass(frozen=True, slots=True)
class FaceOf(TermNode):
    """The cards of a kind that show the given attributes: a `Face`. Constant during a match."""

    kind: str
    attributes: tuple[tuple[str, int], ...]


@dataclass(frozen=True, slots=True)
class Legal(TermNode):
    """In a narrow: every whole answer that is left, as a `ListOf` records of its parts."""


@dataclass(frozen=True, slots=True)
class Proceed(TermNode):
    """In a change: what everybody else gives. Composition replaces it; a checked program holds none."""


@dataclass(frozen=True, slots=True)
class InForce(TermNode):
    """Whether a modifier is in force."""

    modifier: str


@dataclass(frozen=True, slots=True)
class ErrorTerm(TermNode):
    """What was already reported; never in a program that is handed out."""


Term = (
    Const
    | OptionValue
    | AllOf
    | Bound
    | Cell
    | Running
    | Var
    | Field
    | Attribute
    | PlayField
    | ZoneCards
    | PlaceOf
    | PlaceUnder
    | PlaceCards
    | Call
    | If
    | Coalesce
    | Spread
    | LetIn
    | Prim
    | Filter
    | Map
    | Fold
    | Rank
    | MakeTuple
    | MakeSet
    | FaceOf
    | Legal
    | Proceed
    | InForce
    | ErrorTerm
)


# ── where values are kept ────────────────────────────────────────────────────────────────────────────────────────

Target = Var | Cell | Running | Field | PlayField
"""What can be set; the terms in it (an index, a card) are worked out before the value."""


# ── operations ───────────────────────────────────────────────────────────────────────────────────────────────────


class End(StrEnum):
    """Which end of a place cards go to; it matters for stacks and rows only."""

    TOP = "top"
    BOTTOM = "bottom"


@dataclass(frozen=True, slots=True)
class Move(Node):
    """Cards go to a place, in their order. What is already there stays."""

    cards: Term
    """A set or row of cards."""
    place: Term
    end: End = End.TOP


@dataclass(frozen=True, slots=True)
class MakePlay(Node):
    """Cards go to a zone of shape plays as one play of a seat. No cards: nothing happens."""

    cards: Term
    zone: str
    owner: Term | None
    player: Term
    fields: tuple[tuple[str, Term], ...] = ()


@dataclass(frozen=True, slots=True)
class Swap(Node):
    """Each side goes where the other lay; a side is a set or row of cards that lie in one place, or a place."""

    left: Term
    right: Term


@dataclass(frozen=True, slots=True)
class Shuffle(Node):
    """Chance puts the cards of a stack or row into an order; in a set it only ends what is known of it."""

    place: Term
    name: str


@dataclass(frozen=True, slots=True)
class Show(Node):
    """Seats get to see cards where they lie."""

    cards: Term
    seats: Term


@dataclass(frozen=True, slots=True)
class Assign(Node):
    """A target gets a value. Outside the range of the target's type, or none where it has none: a match error."""

    target: Target
    value: Term


@dataclass(frozen=True, slots=True)
class Increase(Node):
    """`add`: a number is added, a member or set united, a value appended; bounds as in `Assign`.

    `at_most` bounds a list that is kept.
    """

    target: Target
    value: Term


@dataclass(frozen=True, slots=True)
class Roll(Node):
    """Chance gives a number from a range, by its steps."""

    name: str
    target: Target
    low: Term
    high: Term


@dataclass(frozen=True, slots=True)
class RollOne(Node):
    """Chance gives one of a list, doubles count."""

    name: str
    target: Target
    source: Term


@dataclass(frozen=True, slots=True)
class DrawRandom(Node):
    """Chance gives one member (`count` None; nothing to draw from is a match error), or a set of `count` of them."""

    name: str
    target: Target
    source: Term
    count: Term | None = None


@dataclass(frozen=True, slots=True)
class Announce(Node):
    """Everybody is told a value; `label` is how the file calls it."""

    value: Term
    label: str


@dataclass(frozen=True, slots=True)
class EndPhase(Node):
    """The innermost running phase of a name ends, or the match."""

    phase: str | None


@dataclass(frozen=True, slots=True)
class Perform(Node):
    """The steps kept in a power of a card."""

    kind: str
    power: str
    card: Term


@dataclass(frozen=True, slots=True)
class RunProcedure(Node):
    """A procedure with its arguments; the acting seat first if the procedure has one."""

    procedure: str
    arguments: tuple[Term, ...] = ()


@dataclass(frozen=True, slots=True)
class ProceedStep(Node):
    """In an `instead` handler: the event itself, with other arguments if some are given."""

    arguments: tuple[Term, ...] = ()


@dataclass(frozen=True, slots=True)
class Activate(Node):
    """A modifier comes into force until the innermost running phase of a name ends."""

    modifier: Term
    phase: str


@dataclass(frozen=True, slots=True)
class Deactivate(Node):
    """A modifier that was started stops."""

    modifier: Term


@dataclass(frozen=True, slots=True)
class Branch(Node):
    """One of two blocks."""

    condition: Term
    then: Block
    otherwise: Block = ()


@dataclass(frozen=True, slots=True)
class Each(Node):
    """Member after member of a sequence that is fixed at the start. `where` and `while_` see the cell.

    `start`: the member to begin with, going round (clockwise for seats). `rounds`: how often it goes round at most
    (None: once); a whole round without a turn ends it.
    """

    cell: Cell
    source: Term
    body: Block
    start: Term | None = None
    where: Term | None = None
    while_: Term | None = None
    rounds: Term | None = None


@dataclass(frozen=True, slots=True)
class Together(Node):
    """All members in lockstep: every step is worked out for all before it takes effect for any."""

    cell: Cell
    source: Term
    body: Block
    start: Term | None = None
    where: Term | None = None


@dataclass(frozen=True, slots=True)
class Repeat(Node):
    """Again and again: `while_` is asked before each turn, `until` after it; `times` ends it.

    `at_most` is a net: one more turn that would begin ends the match as `limit`.
    """

    body: Block
    until: Term | None = None
    while_: Term | None = None
    times: Term | None = None
    at_most: Term | None = None


class Point(StrEnum):
    """Where a handler works."""

    BEFORE = "before"
    INSTEAD = "instead"
    AFTER = "after"


@dataclass(frozen=True, slots=True)
class Handler:
    """Steps attached to a phase, a procedure or a decision, in the sequence in which they work."""

    point: Point
    body: Block
    origin: Origin
    guard: Term | None = None


@dataclass(frozen=True, slots=True)
class Phase(Node):
    """A named part of the game. A phase with a loop has that loop as its whole body.

    `resets` names the states that go back to their start when it begins, ahead of its `before` handlers.
    """

    name: str
    path: str
    body: Block
    when: Term | None = None
    resets: tuple[str, ...] = ()
    handlers: tuple[Handler, ...] = ()


@dataclass(frozen=True, slots=True)
class PickMembers(Node):
    """Members of a sequence: one (`single`), or a set of `low` to `high` of them (high None: as many as there are)."""

    source: Term
    low: Term | None = None
    high: Term | None = None
    single: bool = False


@dataclass(frozen=True, slots=True)
class PickNumber(Node):
    """A number from `low` to `high`, both included, by the steps of its type."""

    low: Term
    high: Term


@dataclass(frozen=True, slots=True)
class PickYesNo(Node):
    """Yes or no."""


@dataclass(frozen=True, slots=True)
class PickOrder(Node):
    """All members of a sequence, in an order of the decider's."""

    source: Term


@dataclass(frozen=True, slots=True)
class PickWriting(Node):
    """A value written on each card of a sequence (or on `count` of them).

    `domain` may use `card`, the one written on: a set, a list or a range. The part's value is the list in the order
    of the cards. A `sum(part) in range` of the decision's `where` is kept in `total`.
    """

    kind: str
    field: str
    cards: Term
    card: int
    domain: Term
    count: Term | None = None
    total: Term | None = None


Pick = PickMembers | PickNumber | PickYesNo | PickOrder | PickWriting


@dataclass(frozen=True, slots=True)
class Part:
    """One part of an answer: the cell it is kept in, and what may be picked. Later picks may use earlier cells."""

    cell: Cell
    pick: Pick


@dataclass(frozen=True, slots=True)
class Under:
    """The legality a decision is under: its arguments are terms over the parts' cells and the decider."""

    legality: str
    arguments: tuple[Term, ...]


@dataclass(frozen=True, slots=True)
class Alternative:
    """One kind of act among several. A decision without `either` has one alternative without a name."""

    name: str | None
    parts: tuple[Part, ...]
    under: Under | None = None
    where: Term | None = None
    body: Block = ()
    """What follows the answer: `do` of the alternative, or the steps after the decision in its list."""


@dataclass(frozen=True, slots=True)
class Ask(Node):
    """A decision of one seat: the only place where a player acts.

    `otherwise` runs if it was declined, or if nothing is legal and it is `optional` or `has_else`. An answer that is
    the only one and does nothing (no members, ...) is not asked but given.
    """

    name: str
    path: str
    by: Term
    alternatives: tuple[Alternative, ...]
    optional: bool = False
    has_else: bool = False
    otherwise: Block = ()
    handlers: tuple[Handler, ...] = ()


class Closing(StrEnum):
    """When a window closes."""

    ALL_PASS = "all pass"
    ONCE_EACH = "once each"
    FIRST = "first"


@dataclass(frozen=True, slots=True)
class Window(Node):
    """Offers an optional decision to seats in turn, clockwise from `start`; `ask.by` is `cell`."""

    name: str
    cell: Cell
    start: Term
    ask: Ask
    closing: Closing
    closes_if: Term | None = None
    where: Term | None = None
    again: Term | None = None
    at_most: Term | None = None


Operation = (
    Move
    | MakePlay
    | Swap
    | Shuffle
    | Show
    | Assign
    | Increase
    | Roll
    | RollOne
    | DrawRandom
    | Announce
    | EndPhase
    | Perform
    | RunProcedure
    | ProceedStep
    | Activate
    | Deactivate
    | Branch
    | Each
    | Together
    | Repeat
    | Phase
    | Ask
    | Window
)

Block = tuple[Operation, ...]


# ── declarations ─────────────────────────────────────────────────────────────────────────────────────────────────


@dataclass(frozen=True, slots=True)
class Option:
    """A setting of the match, with the value it has in this program."""

    name: str
    type: Type
    value: int
    default: int


@dataclass(frozen=True, slots=True)
class Keeping:
    """Something that is kept under a name: its type, and what it holds at the start and after a reset."""

    name: str
    type: Type
    start: Value
    at_most: int = 200


@dataclass(frozen=True, slots=True)
class Variable:
    """A state, once for every combination of members of the types in `each`."""

    keeping: Keeping
    each: tuple[Type, ...] = ()
    origin: Origin | None = field(default=None, compare=False)

    @property
    def name(self) -> str:
        """Its name."""
        return self.keeping.name


@dataclass(frozen=True, slots=True)
class PrintedAttribute:
    """An attribute of a face; `each` where it is one number for each member of a type."""

    name: str
    type: Type
    each: Type | None = None


@dataclass(frozen=True, slots=True)
class Generator:
    """Cards made by running over values: every combination of `domains` (attribute, values) for which `where` holds.

    The first attribute turns slowest. `where` sees the candidate card as the bound `id`; it reads printed attributes,
    options and the number of seats only.
    """

    domains: tuple[tuple[str, tuple[int, ...]], ...]
    copies: Term | None = None
    id: int = -1
    where: Term | None = None


@dataclass(frozen=True, slots=True)
class CardRow:
    """A card that a file lists: the value of each printed attribute (a tuple for one that has an `each`)."""

    id: str | None
    name: str | None
    values: tuple[tuple[str, Value], ...]
    copies: int = 1


@dataclass(frozen=True, slots=True)
class Kind:
    """A kind of cards. The pack of a match is worked out when the number of seats is known."""

    name: str
    printed: tuple[PrintedAttribute, ...]
    generator: Generator | None = None
    rows: tuple[CardRow, ...] = ()
    fields: tuple[Keeping, ...] = ()
    origin: Origin | None = field(default=None, compare=False)


class Owned(StrEnum):
    """How often a zone exists."""

    ONCE = "once"
    PLAYER = "player"
    TEAM = "team"


class Shape(StrEnum):
    """How cards lie in a zone."""

    SET = "set"
    STACK = "stack"
    ROW = "row"
    PLAYS = "plays"


class Sight(StrEnum):
    """Who sees the cards of a zone, or knows how many they are."""

    NOBODY = "nobody"
    OWNER = "owner"
    OTHERS = "others"
    EVERYONE = "everyone"


@dataclass(frozen=True, slots=True)
class Zone:
    """A place for cards."""

    name: str
    kind: str
    each: Owned = Owned.ONCE
    shape: Shape = Shape.SET
    seen: Sight = Sight.EVERYONE
    count_seen: Sight = Sight.EVERYONE
    start_all: bool = False
    active: bool = False
    fields: tuple[Keeping, ...] = ()
    origin: Origin | None = field(default=None, compare=False)


@dataclass(frozen=True, slots=True)
class Change:
    """What one file did to a rule, and in which way; kept for explanations and for the checks of stacks."""

    operation: str
    term: Term
    origin: Origin


@dataclass(frozen=True, slots=True)
class Rule:
    """A pure function: `body` is what holds with all changes, `base` what its own file says."""

    id: str
    name: str
    parameters: tuple[Bound, ...]
    type: Type
    body: Term
    base: Term
    origin: Origin = field(compare=False)
    changes: tuple[Change, ...] = ()


@dataclass(frozen=True, slots=True)
class Condition:
    """One named condition of a legality; `permits` are the conditions under which it does not apply."""

    name: str
    term: Term
    origin: Origin
    permits: tuple[Term, ...] = ()


@dataclass(frozen=True, slots=True)
class Legality:
    """Which answers a decision allows, over the parts (reference, 6.3).

    `parameters` begins with the decider. From all answers: drop those with a `forbid` that holds; for each tier, if
    an answer satisfies it, keep only those; then all narrows at once, each of which may look at what the tiers left.
    """

    id: str
    name: str
    parameters: tuple[Bound, ...]
    forbids: tuple[Condition, ...] = ()
    tiers: tuple[Condition, ...] = ()
    narrows: tuple[Condition, ...] = ()
    origin: Origin | None = field(default=None, compare=False)


@dataclass(frozen=True, slots=True)
class Procedure:
    """Named steps with a frame of their own.

    `cells` are all names a run keeps, parameters first (the acting seat before them if `acting`); `state` those that
    begin with a value. `depth` is how often it may run inside itself.
    """

    name: str
    cells: tuple[Cell, ...]
    parameters: int
    body: Block
    acting: bool = False
    depth: int = 1
    state: tuple[tuple[int, Term], ...] = ()
    resets: tuple[str, ...] = ()
    handlers: tuple[Handler, ...] = ()
    origin: Origin | None = field(default=None, compare=False)


@dataclass(frozen=True, slots=True)
class Teams:
    """How the seats are divided: opposite ones together, or as listed."""

    name: str
    opposite: bool
    seats: tuple[tuple[int, ...], ...] = ()


@dataclass(frozen=True, slots=True)
class RuleFileStamp:
    """A file the program was made from: its name and the SHA-256 of its text."""

    name: str
    digest: str


@dataclass(frozen=True, slots=True)
class Program:
    """A whole game with everything that is in force, checked and ready to run.

    `main` is a procedure whose body is the phase `match`. `scores` and `winners` are rules of those names: scores
    takes a seat (or nobody, where a team's score is asked for each team), winners gives a set of seats or teams.
    """

    name: str
    title: str
    players: tuple[int, int]
    teams: Teams | None
    options: tuple[Option, ...]
    types: tuple[Type, ...]
    kinds: tuple[Kind, ...]
    zones: tuple[Zone, ...]
    variables: tuple[Variable, ...]
    rules: tuple[Rule, ...]
    legalities: tuple[Legality, ...]
    procedures: tuple[Procedure, ...]
    main: Procedure
    scores: str | None
    winners: str
    texts: tuple[str, ...] = ()
    modifiers: tuple[str, ...] = ()
    files: tuple[RuleFileStamp, ...] = field(default=(), compare=False)
