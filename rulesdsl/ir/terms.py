"""Terms: the pure and total part of a program.

Names of values inside a rule or procedure come in two sorts. A `Bound` lives as long as one expression is worked out
(parameters of rules, `it`, `c in S`); its `id` is unique within its rule, or within its procedure where it stands
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
    ROW_MINUS = "row minus"  # tuples: the first without the members of the second; lists: one for each of them
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
    SHOWING = "showing"  # of a face: the bit set of the cards that show it
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
class RowCard(TermNode):
    """A card that a file lists: copy `copy` (from 0) of row `row` of the kind. Constant during a match."""

    kind: str
    row: int
    copy: int


@dataclass(frozen=True, slots=True)
class RowNumber(TermNode):
    """Which row of its kind a card comes from; -1 if no file lists it. Constant during a match."""

    kind: str
    card: Term


@dataclass(frozen=True, slots=True)
class LiesIn(TermNode):
    """Whether a card lies in one of some zones, whoever's; what lies under another card does not."""

    card: Term
    zones: tuple[str, ...]


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
    | RowCard
    | RowNumber
    | LiesIn
    | ErrorTerm
)
