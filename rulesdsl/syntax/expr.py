"""What the scalars of a rule file say, as trees.

One class for each form of the grammar (`expr.lark`); names are not resolved and nothing has a type yet. Every node
carries its span in the rule file, which takes no part in equality.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum
from fractions import Fraction

from ..source import Span

RESERVED = frozenset("and div each else false for if in is mod none not of or then to true where".split())
"""Words that are never names, wherever they stand."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Node:
    """A piece of text that was understood."""

    span: Span = field(compare=False, repr=False)


# ── expressions ──────────────────────────────────────────────────────────────────────────────────────────────────


@dataclass(frozen=True, slots=True)
class Name(Node):
    """A bare name."""

    name: str


@dataclass(frozen=True, slots=True)
class NumberLiteral(Node):
    """A number as written; it may also name a member of a type, such as the rank 10."""

    text: str

    @property
    def value(self) -> Fraction:
        """What it counts."""
        return Fraction(self.text)


@dataclass(frozen=True, slots=True)
class TextLiteral(Node):
    """A text in double quotes, given without them."""

    text: str


@dataclass(frozen=True, slots=True)
class YesNoLiteral(Node):
    """`true` or `false`."""

    value: bool


@dataclass(frozen=True, slots=True)
class NoneLiteral(Node):
    """`none`."""


@dataclass(frozen=True, slots=True)
class FaceLiteral(Node):
    """`Q of spades`: two printed attributes, as written."""

    first: str
    second: str


@dataclass(frozen=True, slots=True)
class Call(Node):
    """`f(x, y)`, `x.f` and `x.f(y)`: what stands before the dot is the first argument.

    `dotted` tells the two ways apart for messages only; `name_span` is where the name stands.
    """

    name: str
    arguments: tuple[Expr, ...]
    dotted: bool = field(default=False, compare=False)
    name_span: Span = field(kw_only=True, compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class EachOf(Node):
    """`sum(c.points for c in hand)`."""

    function: str
    body: Expr
    binder: str
    source: Expr
    name_span: Span = field(kw_only=True, compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class Ranked(Node):
    """`highest(trick by it.suit is trump then it.rank)`."""

    function: str
    source: Expr
    keys: tuple[Expr, ...]
    name_span: Span = field(kw_only=True, compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class Choice(Node):
    """`A if C else B`."""

    condition: Expr
    then: Expr
    otherwise: Expr


@dataclass(frozen=True, slots=True)
class Fallback(Node):
    """`A else B`: B where A is none or empty."""

    first: Expr
    second: Expr


@dataclass(frozen=True, slots=True)
class Where(Node):
    """`S where P`; in P, `it` is the candidate."""

    source: Expr
    condition: Expr


class Operator(StrEnum):
    """Every operator with two sides, as it is written."""

    AND = "and"
    OR = "or"
    LESS = "<"
    LESS_EQUAL = "<="
    GREATER = ">"
    GREATER_EQUAL = ">="
    IS = "is"
    IS_NOT = "is not"
    IN = "in"
    NOT_IN = "not in"
    PLUS = "+"
    MINUS = "-"
    TIMES = "*"
    DIV = "div"
    MOD = "mod"


@dataclass(frozen=True, slots=True)
class Binary(Node):
    """Two operands and what stands between them."""

    operator: Operator
    left: Expr
    right: Expr


@dataclass(frozen=True, slots=True)
class Not(Node):
    """`not P`."""

    operand: Expr


@dataclass(frozen=True, slots=True)
class Negative(Node):
    """`-x`."""

    operand: Expr


@dataclass(frozen=True, slots=True)
class RangeLiteral(Node):
    """`A to B`, `exactly A` (both the same), `at least A` (no high), `at most B` (no low)."""

    low: Expr | None
    high: Expr | None


@dataclass(frozen=True, slots=True)
class Items(Node):
    """`[a, b, c]`."""

    items: tuple[Expr, ...]


@dataclass(frozen=True, slots=True)
class ErrorExpr(Node):
    """A text that could not be understood and was reported."""


Expr = (
    Name
    | NumberLiteral
    | TextLiteral
    | YesNoLiteral
    | NoneLiteral
    | FaceLiteral
    | Call
    | EachOf
    | Ranked
    | Choice
    | Fallback
    | Where
    | Binary
    | Not
    | Negative
    | RangeLiteral
    | Items
    | ErrorExpr
)


@dataclass(frozen=True, slots=True)
class Case(Node):
    """One line under `first:`: a value and when it counts; the last line has no condition."""

    value: Expr
    condition: Expr | None


# ── signatures, targets, types ───────────────────────────────────────────────────────────────────────────────────


@dataclass(frozen=True, slots=True)
class Parameter(Node):
    """`card` is a card called card; `led suit` is a suit called led (`type_name` is then suit)."""

    name: str
    type_name: str


@dataclass(frozen=True, slots=True)
class Signature(Node):
    """The head of a rule or procedure."""

    name: str
    parameters: tuple[Parameter, ...] = ()


class TargetKind(StrEnum):
    """What a change or a handler can be attached to."""

    SLOT = "slot"
    PHASE = "phase"
    BEFORE = "before"
    AFTER = "after"
    INSTEAD = "instead of"
    DECISION = "decision"
    ZONE = "zone"
    STATE = "state"
    OPTION = "option"
    TYPE = "type"
    CARDS = "cards"


@dataclass(frozen=True, slots=True)
class Target(Node):
    """What is changed: `path` for everything but a slot, which has a signature."""

    kind: TargetKind
    path: tuple[str, ...] = ()
    signature: Signature | None = None

    @property
    def text(self) -> str:
        """The target as one would write it, without parameters."""
        name = self.signature.name if self.signature else "/".join(self.path)
        return name if self.kind is TargetKind.SLOT else f"{self.kind} {name}"


class TypeForm(StrEnum):
    """The shapes of a written type."""

    PLAIN = "plain"
    OPTIONAL = "optional"
    SET = "set of"
    LIST = "list of"
    STEP = "number step"
    OPTIONAL_STEP = "optional number step"


@dataclass(frozen=True, slots=True)
class TypeExpr(Node):
    """A type as written; `name` is the type's, or the step (a number or the name of a constant rule)."""

    form: TypeForm
    name: str


# ── sentences ────────────────────────────────────────────────────────────────────────────────────────────────────


class Onto(StrEnum):
    """Which end of a place cards go to."""

    TOP = "to"
    BOTTOM = "to bottom of"
    UNDER = "under"


@dataclass(frozen=True, slots=True)
class Move(Node):
    """`move X to Z`, `move X to bottom of Z`, `move X to under C`."""

    what: Expr
    onto: Onto
    place: Expr


@dataclass(frozen=True, slots=True)
class PlayCards(Node):
    """`play X to Z as f E, g E`."""

    what: Expr
    place: Expr
    fields: tuple[tuple[str, Expr], ...] = ()


@dataclass(frozen=True, slots=True)
class Swap(Node):
    """`swap A with B`."""

    left: Expr
    right: Expr


@dataclass(frozen=True, slots=True)
class Shuffle(Node):
    """`shuffle Z`."""

    place: Expr


@dataclass(frozen=True, slots=True)
class Show(Node):
    """`show X to P`."""

    what: Expr
    seats: Expr


@dataclass(frozen=True, slots=True)
class SetTo(Node):
    """`set V to E`."""

    target: Expr
    value: Expr


@dataclass(frozen=True, slots=True)
class AddTo(Node):
    """`add E to V`."""

    value: Expr
    target: Expr


@dataclass(frozen=True, slots=True)
class Let(Node):
    """`let n be E`."""

    name: str
    value: Expr


@dataclass(frozen=True, slots=True)
class RollNumber(Node):
    """`roll n from A to B`."""

    name: str
    low: Expr
    high: Expr


@dataclass(frozen=True, slots=True)
class RollOne(Node):
    """`roll n from LIST`."""

    name: str
    source: Expr


@dataclass(frozen=True, slots=True)
class Draw(Node):
    """`draw n at random from S`, `draw 3 n at random from S`."""

    count: Expr | None
    name: str
    source: Expr


@dataclass(frozen=True, slots=True)
class Start(Node):
    """`start M for PHASE`."""

    modifier: Expr
    phase: str


@dataclass(frozen=True, slots=True)
class Stop(Node):
    """`stop M`."""

    modifier: Expr


@dataclass(frozen=True, slots=True)
class Announce(Node):
    """`announce E`."""

    value: Expr


@dataclass(frozen=True, slots=True)
class End(Node):
    """`end PHASE`."""

    phase: str


@dataclass(frozen=True, slots=True)
class Perform(Node):
    """`do F`: the steps kept in a power of a card."""

    power: Expr


@dataclass(frozen=True, slots=True)
class Run(Node):
    """A procedure's name with its arguments; `proceed` too."""

    name: str
    arguments: tuple[Expr, ...] = ()


Sentence = (
    Move
    | PlayCards
    | Swap
    | Shuffle
    | Show
    | SetTo
    | AddTo
    | Let
    | RollNumber
    | RollOne
    | Draw
    | Start
    | Stop
    | Announce
    | End
    | Perform
    | Run
    | ErrorExpr
)


# ── decisions and loops ──────────────────────────────────────────────────────────────────────────────────────────


@dataclass(frozen=True, slots=True)
class Amount(Node):
    """How many: from `low` to `high` (None: no bound), or one single thing, which is then no set."""

    low: Expr | None
    high: Expr | None
    single: bool = False
    every: bool = False


@dataclass(frozen=True, slots=True)
class PickFrom(Node):
    """`a card from S`, `3 cards from S`, `1 to 2 cards from S`, `any cards from S`."""

    amount: Amount
    noun: str
    source: Expr


@dataclass(frozen=True, slots=True)
class PickOne(Node):
    """`one of S`."""

    source: Expr


@dataclass(frozen=True, slots=True)
class PickNumber(Node):
    """`a number from A to B`."""

    low: Expr
    high: Expr


@dataclass(frozen=True, slots=True)
class PickAnswer(Node):
    """`yes or no`."""


@dataclass(frozen=True, slots=True)
class PickOrder(Node):
    """`order of S`."""

    source: Expr


@dataclass(frozen=True, slots=True)
class PickParts(Node):
    """`parts of F`, `other parts of F for P`: what a card asks for when it is declared, by P if it is said."""

    power: Expr
    player: Expr | None = None
    other: bool = False


@dataclass(frozen=True, slots=True)
class PickWriting(Node):
    """`rank on each card of hand from D`."""

    field_name: str
    amount: Amount
    noun: str
    cards: Expr
    domain: Expr | None


Pick = PickFrom | PickOne | PickNumber | PickAnswer | PickOrder | PickParts | PickWriting | ErrorExpr


@dataclass(frozen=True, slots=True)
class Binder(Node):
    """`player`, `card in hand`, `player from left(dealer)`, `player in playing from box`."""

    name: str
    source: Expr | None = None
    start: Expr | None = None


@dataclass(frozen=True, slots=True)
class CardText(Node):
    """A card as people write it: `Q of spades`, `ball 7`, `ball 9 + ball 10 as ball`.

    `cards` has the words of each card (`of` left out, `Q of spades` gives `("Q", "spades")` with `of` true).
    """

    cards: tuple[tuple[str, ...], ...]
    of: bool = False
    played_as: str | None = None
