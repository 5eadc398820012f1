"""Operations: the part of a program that has effects or steers."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from .terms import Cell, Field, Node, Origin, PlayField, Running, Term, Var

Target = Var | Cell | Running | Field | PlayField
"""What can be set; the terms in it (an index, a card) are worked out before the value."""


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
    of the cards. A `sum(part) in range` of the decision's `where` is kept in `total`. Where there is a `step`, only its
    multiples can be written: the type has the finest steps that any modifier brings.
    """

    kind: str
    field: str
    cards: Term
    card: int
    domain: Term
    count: Term | None = None
    total: Term | None = None
    step: Term | None = None


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
    way: str = ""
    """Which of several ways of one name it is, where cards ask for parts of their own."""

    @property
    def key(self) -> str:
        """What tells it from the other alternatives of its decision; empty where it is the only one."""
        return " ".join(word for word in (self.name or "", self.way) if word)


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
