"""Declarations, and the program that holds them all."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum

from ..source import Span
from ..types import Type
from .operations import Block, Handler
from .terms import Bound, Cell, Origin, Term, Value


@dataclass(frozen=True, slots=True)
class Option:
    """A setting of the match, with the value it has in this program."""

    name: str
    type: Type
    value: int
    default: int
    span: Span | None = field(default=None, compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class Keeping:
    """Something that is kept under a name: its type, and what it holds at the start and after a reset."""

    name: str
    type: Type
    start: Value
    at_most: int = 200
    is_part: bool = False
    """Of a field: whether it holds a part of the card's declaration, which is no part of how the card is called."""
    span: Span | None = field(default=None, compare=False, repr=False)


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


class PowerForm(StrEnum):
    """What a power of a card holds."""

    STEPS = "steps"
    PARTS = "parts"
    CHANGES = "changes"
    VALUE = "value"


@dataclass(frozen=True, slots=True)
class WrittenPower:
    """One thing that the card of a row can do, and where that is written.

    `about` names the part that is asked for, or what is changed; for steps and values it is empty.
    """

    name: str
    form: PowerForm
    about: str
    spans: tuple[Span, ...] = field(repr=False)


@dataclass(frozen=True, slots=True)
class CardRow:
    """A card that a file lists: the value of each printed attribute (a tuple for one that has an `each`).

    What its powers do is in rules, procedures and changes; `powers` only tells which it has.
    """

    id: str | None
    name: str | None
    values: tuple[tuple[str, Value], ...]
    copies: int = 1
    powers: tuple[WrittenPower, ...] = field(default=(), compare=False, repr=False)
    text: tuple[str, ...] = field(default=(), compare=False)
    """What its powers do, for people; made of the powers, and no part of what the program means."""


@dataclass(frozen=True, slots=True)
class Kind:
    """A kind of cards. The pack of a match is worked out when the number of seats is known."""

    name: str
    printed: tuple[PrintedAttribute, ...]
    generator: Generator | None = None
    rows: tuple[CardRow, ...] = ()
    fields: tuple[Keeping, ...] = ()
    has_powers: bool = False
    """Whether rows hold more than what is printed: cards of different rows then never look alike."""
    modifiers: bool = False
    """Whether each card stands for the modifier that is printed on it, and puts it in force in an active zone."""
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
    guarded: bool = field(default=False, compare=False)


@dataclass(frozen=True, slots=True)
class Touch:
    """That a file did something to a condition, phase or decision, and in which way; kept for explanations."""

    operation: str
    origin: Origin
    guarded: bool = False


@dataclass(frozen=True, slots=True)
class ChangedPlace:
    """A phase or decision that files change as a whole: its path, where it was written, and what they did."""

    path: str
    span: Span = field(compare=False, repr=False)
    touches: tuple[Touch, ...]


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
    touches: tuple[Touch, ...] = field(default=(), compare=False)


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
    power: str | None = field(default=None, compare=False, repr=False)
    """The power of a card whose steps these are, if they are; the first parameter is the card."""


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
class Verdicts:
    """What was found out about pairs of modifiers before the match.

    `exclusive`: both can't be in force at once. `idle`: the first has no effect next to the second.
    """

    exclusive: tuple[tuple[str, str], ...] = ()
    idle: tuple[tuple[str, str], ...] = ()


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
    progress: str | None = None
    """A rule that says how near a seat is to winning; no other rule, no step and no decision goes by it."""
    texts: tuple[str, ...] = ()
    modifiers: tuple[str, ...] = ()
    """Those that are in force for the whole match."""
    switchable: tuple[str, ...] = ()
    """The members of the type `modifier`: those that steps and cards can put in force, by their numbers."""
    verdicts: Verdicts = Verdicts()
    files: tuple[RuleFileStamp, ...] = field(default=(), compare=False)
    changed_places: tuple[ChangedPlace, ...] = field(default=(), compare=False)
    libraries: tuple[str, ...] = field(default=(), compare=False)
    """The names of the libraries it uses, as they stand in origins."""

    def rows_called(self, text: str) -> tuple[CardRow, ...]:
        """The cards that files list under an id or a name, however it is capitalised."""
        wanted = text.strip().casefold()
        rows = (row for kind in self.kinds for row in kind.rows)
        return tuple(row for row in rows if wanted in ((row.id or "").casefold(), (row.name or "").casefold()))
