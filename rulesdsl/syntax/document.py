"""A rule file, section by section, with every scalar parsed and nothing resolved.

The readers (`read_*.py`) make these from a YAML tree that has passed its schema. Mappings keep the order of the file
only so that diagnostics come in order; nothing else depends on it.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum

from ..reading.yamltree import YamlNode
from ..source import Span
from .expr import Binder, Case, Expr, Pick, Sentence, Signature, Target, TypeExpr


@dataclass(frozen=True, slots=True)
class Named:
    """A name with its place."""

    name: str
    span: Span = field(compare=False, repr=False)


@dataclass(frozen=True, slots=True, kw_only=True)
class Doc:
    """A piece of a rule file."""

    span: Span = field(compare=False, repr=False)


# ── bodies of rules and changes ──────────────────────────────────────────────────────────────────────────────────


@dataclass(frozen=True, slots=True)
class ExprBody(Doc):
    """One expression or range. `type` where the long form `{ type: T, value: E }` gives it."""

    value: Expr
    type: TypeExpr | None = None


@dataclass(frozen=True, slots=True)
class CasesBody(Doc):
    """`first:` and its lines."""

    cases: tuple[Case, ...]


@dataclass(frozen=True, slots=True)
class TableBody(Doc):
    """`{ by: E, KEY: value, else: value }`; keys are names or numbers as written."""

    by: Expr
    entries: tuple[tuple[Named, Expr], ...]
    otherwise: Expr | None


@dataclass(frozen=True, slots=True)
class ComponentsBody(Doc):
    """Named components, summed where one number is wanted."""

    entries: tuple[tuple[Named, Expr], ...]


@dataclass(frozen=True, slots=True)
class TierDoc(Doc):
    """One tier of `require`, and where it goes among the others."""

    name: str
    condition: Expr
    before: Named | None = None
    after: Named | None = None


@dataclass(frozen=True, slots=True)
class LegalityBody(Doc):
    """`forbid`, `require`, `narrow`, `permit`; an empty mapping forbids nothing."""

    forbid: tuple[tuple[Named, Expr], ...] = ()
    require: tuple[TierDoc, ...] = ()
    narrow: tuple[tuple[Named, Expr], ...] = ()
    permit: tuple[tuple[Named, Expr], ...] = ()


@dataclass(frozen=True, slots=True)
class StagesBody(Doc):
    """`add`, `multiply`, `at_least`, `at_most`, `remove` on numbers, ranges, sets and lists (changes only)."""

    stages: tuple[tuple[Named, Expr], ...]


RuleBody = ExprBody | CasesBody | TableBody | ComponentsBody | LegalityBody | StagesBody


@dataclass(frozen=True, slots=True)
class RuleDoc(Doc):
    """A rule: its head and what it says."""

    signature: Signature
    body: RuleBody


# ── steps ────────────────────────────────────────────────────────────────────────────────────────────────────────


@dataclass(frozen=True, slots=True)
class SentenceDoc(Doc):
    """One sentence."""

    sentence: Sentence


@dataclass(frozen=True, slots=True)
class IfDoc(Doc):
    """`if`, `then`, `else`."""

    condition: Expr
    then: tuple[StepDoc, ...]
    otherwise: tuple[StepDoc, ...] = ()


class LoopKind(StrEnum):
    """The three loops."""

    EACH = "each"
    TOGETHER = "together"
    REPEAT = "repeat"


@dataclass(frozen=True, slots=True)
class LoopDoc(Doc):
    """A loop; `binder` for `each` and `together`, `body` for all (a `repeat`'s own steps, or the `do`)."""

    kind: LoopKind
    body: tuple[StepDoc, ...]
    binder: Binder | None = None
    where: Expr | None = None
    while_: Expr | None = None
    until: Expr | None = None
    rounds: Expr | None = None
    times: Expr | None = None
    at_most: Expr | None = None


@dataclass(frozen=True, slots=True)
class PhaseDoc(Doc):
    """A named part of the game; `loop` holds its steps if it has one, `do` if it has none."""

    name: Named
    when: Expr | None = None
    loop: LoopDoc | None = None
    do: tuple[StepDoc, ...] = ()


@dataclass(frozen=True, slots=True)
class PartDoc(Doc):
    """One part of a decision: its name and what may be picked."""

    name: str
    pick: Pick
    acting: Expr | None = None
    """As whose part it is picked, if that is not the one who decides."""


@dataclass(frozen=True, slots=True)
class AlternativeDoc(Doc):
    """One kind of act under `either`."""

    name: Named | None
    choose: tuple[PartDoc, ...] = ()
    under: Expr | None = None
    where: Expr | None = None
    do: tuple[StepDoc, ...] = ()
    way: str = ""
    """Which of several ways of one name it is, where cards ask for parts of their own."""


@dataclass(frozen=True, slots=True)
class DecisionDoc(Doc):
    """A decision. `then` is None where the following steps of the list are meant; so is `otherwise`."""

    name: Named | None
    by: Expr | None = None
    choose: tuple[PartDoc, ...] = ()
    either: tuple[AlternativeDoc, ...] = ()
    under: Expr | None = None
    where: Expr | None = None
    optional: bool = False
    then: tuple[StepDoc, ...] | None = None
    otherwise: tuple[StepDoc, ...] | None = None


class Closing(StrEnum):
    """When a window closes."""

    ALL_PASS = "all pass"
    ONCE_EACH = "once each"
    FIRST = "first"


@dataclass(frozen=True, slots=True)
class WindowDoc(Doc):
    """An offer to several players in turn."""

    name: Named
    ask: Binder
    closes: Closing
    closes_if: Expr | None = None
    where: Expr | None = None
    choose: tuple[PartDoc, ...] = ()
    under: Expr | None = None
    again: Expr | None = None
    at_most: Expr | None = None
    do: tuple[StepDoc, ...] = ()


StepDoc = SentenceDoc | IfDoc | LoopDoc | PhaseDoc | DecisionDoc | WindowDoc


# ── declarations ─────────────────────────────────────────────────────────────────────────────────────────────────


class OptionForm(StrEnum):
    """What an option can be."""

    YES_NO = "yes or no"
    CHOICE = "one of its members"
    NUMBER = "a number"


@dataclass(frozen=True, slots=True)
class OptionDoc(Doc):
    """An option; the default of a choice is its first member, `default` is "true"/"false", a member or digits."""

    name: str
    form: OptionForm
    default: str
    members: tuple[Named, ...] = ()
    low: int | None = None
    high: int | None = None


class TypeKind(StrEnum):
    """The ways to declare a type."""

    MEMBERS = "members"
    LOW_TO_HIGH = "low_to_high"
    CYCLE = "cycle"
    FIELDS = "fields"
    LADDER = "ladder"


@dataclass(frozen=True, slots=True)
class TypeDoc(Doc):
    """A type: `members` or, for records and ladders, `fields` (a type, or a range of numbers)."""

    name: str
    kind: TypeKind
    members: tuple[Named, ...] = ()
    fields: tuple[tuple[Named, TypeExpr | Expr], ...] = ()


@dataclass(frozen=True, slots=True)
class PrintDoc(Doc):
    """An attribute of the face: its type, or a number for each member of a type (`{ each: suit }`)."""

    name: str
    type: TypeExpr | None
    each: Named | None = None


@dataclass(frozen=True, slots=True)
class FieldDoc(Doc):
    """What is written on a card during play, or on a play."""

    name: str
    type: TypeExpr
    resets: Named | None = None
    at_most: int | None = None
    is_part: bool = False
    """Whether it holds a part of the card's declaration."""


@dataclass(frozen=True, slots=True)
class KindDoc(Doc):
    """A kind of card. `every` lists types or attributes with a range; `every_modifier` for rule cards."""

    name: str
    every: tuple[tuple[Named, Expr | None], ...] = ()
    every_modifier: bool = False
    copies: Expr | None = None
    where: Expr | None = None
    file: Named | None = None
    more: tuple[Named, ...] = ()
    """Files whose cards come besides."""
    in_play: tuple[Named, ...] = ()
    """The zones in which lasting powers work."""
    printed: tuple[PrintDoc, ...] = ()
    fields: tuple[FieldDoc, ...] = ()
    powers: tuple[tuple[Named, TypeExpr], ...] = ()


@dataclass(frozen=True, slots=True)
class ZoneDoc(Doc):
    """A zone. Keys that the file does not give are None, so that a second mention can add to the first."""

    name: str
    each: Named | None = None
    of: Named | None = None
    shape: Named | None = None
    seen: Named | None = None
    count_seen: Named | None = None
    start_all: bool | None = None
    active: bool | None = None
    fields: tuple[FieldDoc, ...] = ()


@dataclass(frozen=True, slots=True)
class StateDoc(Doc):
    """A state, of the match or of one run of a procedure."""

    name: str
    each: tuple[Named, ...] = ()
    type: TypeExpr | None = None
    start: Expr | None = None
    resets: Named | None = None
    at_most: int | None = None


@dataclass(frozen=True, slots=True)
class ProcedureDoc(Doc):
    """Named steps."""

    signature: Signature
    do: tuple[StepDoc, ...]
    depth: int | None = None
    state: tuple[StateDoc, ...] = ()


# ── changes ──────────────────────────────────────────────────────────────────────────────────────────────────────


@dataclass(frozen=True, slots=True)
class StepsBody(Doc):
    """Steps that are inserted, or run instead."""

    steps: tuple[StepDoc, ...]


@dataclass(frozen=True, slots=True)
class PhaseBody(Doc):
    """What a change does to a phase; what it leaves alone is None."""

    remove: bool = False
    move: Target | None = None
    when: Expr | None = None
    where: Expr | None = None
    while_: Expr | None = None
    until: Expr | None = None
    at_most: Expr | None = None
    loop: LoopKind | None = None
    binder: Binder | None = None
    do: tuple[StepDoc, ...] | None = None


@dataclass(frozen=True, slots=True)
class DecisionBody(Doc):
    """What a change does to a decision."""

    add: tuple[PartDoc, ...] = ()
    choose: tuple[PartDoc, ...] = ()
    either: tuple[AlternativeDoc, ...] = ()
    where: Expr | None = None


@dataclass(frozen=True, slots=True)
class DeclarationBody(Doc):
    """The keys of a section, given anew for one zone, kind of card, state, option or type."""

    declaration: ZoneDoc | KindDoc | StateDoc | OptionDoc | None = None
    insert: Named | None = None
    above: Named | None = None


ChangeBody = RuleBody | StepsBody | PhaseBody | DecisionBody | DeclarationBody


@dataclass(frozen=True, slots=True)
class ChangeDoc(Doc):
    """One change: what, how, under which guard, and how it stands to changes of other modifiers."""

    target: Target
    body: ChangeBody
    when: Expr | None = None
    over: tuple[Named, ...] = ()
    before: tuple[Named, ...] = ()
    after: tuple[Named, ...] = ()
    band: Named | None = None


# ── words for people ─────────────────────────────────────────────────────────────────────────────────────────────


@dataclass(frozen=True, slots=True)
class WordingDoc(Doc):
    """How people say a name: a text that may hold parameters of the name in pointed brackets.

    `of` is the procedure whose name stands before a dot. `holes` are the parameters in the text, with their places.
    """

    head: Target
    text: str
    of: Named | None = None
    holes: tuple[Named, ...] = ()


# ── files ────────────────────────────────────────────────────────────────────────────────────────────────────────


@dataclass(frozen=True, slots=True)
class Declarations(Doc):
    """What games, libraries and the `adds` of modifiers may declare."""

    options: tuple[OptionDoc, ...] = ()
    types: tuple[TypeDoc, ...] = ()
    cards: tuple[KindDoc, ...] = ()
    zones: tuple[ZoneDoc, ...] = ()
    state: tuple[StateDoc, ...] = ()
    rules: tuple[RuleDoc, ...] = ()
    procedures: tuple[ProcedureDoc, ...] = ()
    events: tuple[ChangeDoc, ...] = ()
    wording: tuple[WordingDoc, ...] = ()


@dataclass(frozen=True, slots=True)
class PlayersDoc(Doc):
    """How many can play."""

    low: int
    high: int


@dataclass(frozen=True, slots=True)
class TeamsDoc(Doc):
    """How the seats are divided: `opposite`, or lists of seats."""

    name: str
    opposite: bool = False
    seats: tuple[tuple[int, ...], ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class RuleFile(Doc):
    """Any rule file: its kind's name, and its title."""

    name: Named
    title: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class LibraryDoc(RuleFile):
    """`library:`"""

    uses: tuple[Named, ...] = ()
    declares: Declarations


@dataclass(frozen=True, slots=True, kw_only=True)
class GameDoc(LibraryDoc):
    """`game:`"""

    players: PlayersDoc
    teams: TeamsDoc | None = None
    phases: tuple[StepDoc, ...]
    scores: RuleBody | None = None
    progress: RuleBody | None = None
    winners: RuleBody


@dataclass(frozen=True, slots=True, kw_only=True)
class ModifierDoc(RuleFile):
    """`modifier:`"""

    of: Named
    kind: Named | None = None
    players: PlayersDoc | None = None
    teams: TeamsDoc | None = None
    uses: tuple[Named, ...] = ()
    when: Expr | None = None
    adds: Declarations
    changes: tuple[ChangeDoc, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class OrderDoc(Doc):
    """`order: { target: [a, b] }`: in what sequence modifiers work at one place."""

    target: Target
    modifiers: tuple[Named, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class VariantDoc(RuleFile):
    """`variant:`"""

    of: Named
    with_: tuple[Named, ...] = ()
    options: tuple[tuple[Named, Named], ...] = ()
    changes: tuple[ChangeDoc, ...] = ()
    order: tuple[OrderDoc, ...] = ()
    over: tuple[OrderDoc, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class PairDoc(Doc):
    """One entry of a settlement."""

    of: tuple[Named, ...]
    as_written: bool = False
    order: tuple[OrderDoc, ...] = ()
    changes: tuple[ChangeDoc, ...] = ()
    adds: Declarations | None = None
    note: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class SettlementDoc(RuleFile):
    """`settlement:`"""

    of: Named
    pairs: tuple[PairDoc, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class CardsDoc(RuleFile):
    """`cards:`; a row is kept as YAML until the kind says how its keys are read."""

    of: Named
    adds_to: Named | None = None
    """The game that does not know of these cards, and gets them besides its own."""
    rows: tuple[YamlNode, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class AnswerDoc(Doc):
    """One line under `play:`: a seat and its answer, as YAML; single texts are parsed as cards where they are."""

    seat: int
    answer: YamlNode


@dataclass(frozen=True, slots=True, kw_only=True)
class ScenarioDoc(Doc):
    """One scenario. Zones, state, chance and expectations stay YAML: the program says how they are read."""

    name: Named
    with_: tuple[Named, ...] = ()
    options: tuple[tuple[Named, Named], ...] = ()
    players: int | None = None
    seed: int | None = None
    start: Target | None = None
    turn_of: int | None = None
    state: YamlNode | None = None
    zones: YamlNode | None = None
    chance: YamlNode | None = None
    play: tuple[AnswerDoc, ...] = ()
    expect: YamlNode | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class TestDoc(RuleFile):
    """`test:`"""

    of: Named
    scenarios: tuple[ScenarioDoc, ...] = ()


AnyDoc = GameDoc | LibraryDoc | ModifierDoc | VariantDoc | SettlementDoc | CardsDoc | TestDoc
