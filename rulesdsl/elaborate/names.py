"""Everything a game declares, under its names.

One `Names` holds the declarations of all files that make up a program, after they were laid over one another. Types
of rules and states are worked out when somebody first asks.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from difflib import get_close_matches

from ..diagnostic import Diagnostics
from ..ir.nodes import Cell, Legality, Option, Origin, Owned, Procedure, Rule, Shape, Variable
from ..source import Span
from ..syntax.document import ChangeDoc, KindDoc, ProcedureDoc, RuleDoc, StateDoc, ZoneDoc
from ..syntax.expr import Expr
from ..syntax.powers import CardList
from ..types import Card, Enum, Ladder, ListOf, Number, Place, Play, RowOf, Seat, SetOf, Team, Text, Type, YesNo
from .powers import KindPowers
from .sequence import Sequences

WORDS_FOR_TYPES: dict[str, Type] = {
    "yes_no": YesNo(),
    "number": Number(),
    "text": Text(),
    "player": Seat(),
    "team": Team(),
}
"""The types that are there without being declared."""


@dataclass(slots=True, eq=False)
class RuleEntry:
    """A rule as declared, with what other files do to it, lowest first."""

    id: str
    doc: RuleDoc
    origin: Origin
    changes: list[tuple[ChangeDoc, Origin]] = field(default_factory=list)
    rule: Rule | None = None
    legality: Legality | None = None


@dataclass(slots=True, eq=False)
class ProcedureEntry:
    """A procedure as declared."""

    doc: ProcedureDoc
    origin: Origin
    working: bool = False
    is_recursive: bool = False
    given: tuple[Type, ...] | None = None
    """The types of its parameters, where no text says them."""
    takes_player: bool = False
    """Whether runs of it inside of itself are to pass the acting player; known after a first try."""
    state: dict[str, Cell] = field(default_factory=dict)
    power: str | None = None
    """The power of a card whose steps these are, if they are."""
    procedure: Procedure | None = None


@dataclass(slots=True)
class StateEntry:
    """A state as declared."""

    doc: StateDoc
    origin: Origin
    working: bool = False
    variable: Variable | None = None
    read: bool = False


@dataclass(slots=True)
class ZoneEntry:
    """A zone, with the files' keys laid over one another."""

    doc: ZoneDoc
    origin: Origin
    used: bool = False


@dataclass(slots=True)
class KindEntry:
    """A kind of card, likewise; `wheres` are laid over one another through `proceed`."""

    doc: KindDoc
    origin: Origin
    wheres: list[tuple[Expr, Origin]] = field(default_factory=list)


class Names:
    """The declarations of a program by name, and the diagnostics that are about them."""

    def __init__(self, diagnostics: Diagnostics) -> None:
        self.diagnostics = diagnostics
        self.types: dict[str, Type] = {}
        self.options: dict[str, Option] = {}
        self.kinds: dict[str, KindEntry] = {}
        self.zones: dict[str, ZoneEntry] = {}
        self.states: dict[str, StateEntry] = {}
        self.rules: dict[str, list[RuleEntry]] = {}
        self.procedures: dict[str, ProcedureEntry] = {}
        self.handlers: list[tuple[ChangeDoc, Origin]] = []
        self.texts: list[str] = []
        self.members: dict[str, list[tuple[Enum, int]]] = {}
        self.has_teams = False
        self.modifiers: set[str] = set()
        self.switchable: tuple[str, ...] = ()
        """The modifiers that a program can speak of, by their numbers, if any can come into force during a match."""
        self.sequences = Sequences(diagnostics)
        self.powers: dict[str, KindPowers] = {}
        """What the cards of each kind can do."""
        self.used_powers: set[tuple[str, str]] = set()
        """Kinds and names of the powers that something runs or asks for."""
        self.card_files: Mapping[tuple[str, str], CardList] = {}
        """The files of cards, by the rule file that names them and the name it gives."""

    # ── texts and members ────────────────────────────────────────────────────────────────────────────────────────

    def text(self, text: str) -> int:
        """The index of a text of the program."""
        if text not in self.texts:
            self.texts.append(text)
        return self.texts.index(text)

    def add_enum(self, enum: Enum) -> None:
        """Makes the members of a type known as names."""
        for index, member in enumerate(enum.members):
            self.members.setdefault(member, []).append((enum, index))

    # ── types by name ────────────────────────────────────────────────────────────────────────────────────────────

    def named_type(self, name: str) -> Type | None:
        """The type a word stands for; `cards` is a set of what `card` is."""
        single = self._single_type(name)
        if single is not None or not name.endswith("s"):
            return single
        member = self._single_type(name[:-1])
        if member is None:
            return None
        if isinstance(member, Play):
            return RowOf(member)
        return SetOf(member) if is_finite(member) else ListOf(member)

    def _single_type(self, name: str) -> Type | None:
        if name in WORDS_FOR_TYPES:
            return WORDS_FOR_TYPES[name]
        if name in self.types:
            return self.types[name]
        if name in self.kinds:
            return Card(name)
        if name == "play":
            zones = [zone for zone in self.zones if self.shape(zone) is Shape.PLAYS]
            return Play(zones[0]) if len(zones) == 1 else None
        return None

    def type_names(self) -> list[str]:
        """Every word that stands for a type, for near misses."""
        plays = ["play"] if self.named_type("play") is not None else []
        return [*WORDS_FOR_TYPES, *plays, *self.types, *self.kinds]

    # ── zones ────────────────────────────────────────────────────────────────────────────────────────────────────

    def shape(self, zone: str) -> Shape:
        """How cards lie in a zone."""
        doc = self.zones[zone].doc
        name = doc.shape.name if doc.shape else "set"
        return Shape(name) if name in list(Shape) else Shape.SET

    def owned(self, zone: str) -> Owned:
        """How often a zone exists."""
        doc = self.zones[zone].doc
        name = doc.each.name if doc.each else "once"
        return Owned(name) if name in list(Owned) else Owned.ONCE

    def zone_kind(self, zone: str) -> str:
        """The kind of cards a zone holds: the one it names, or the game's first."""
        doc = self.zones[zone].doc
        if doc.of:
            return doc.of.name
        return "card" if "card" in self.kinds or not self.kinds else next(iter(self.kinds))

    def place_type(self, zone: str) -> Place:
        """The type of a zone as a place."""
        kind = self.zone_kind(zone)
        match self.shape(zone):
            case Shape.SET:
                return Place(kind, SetOf(Card(kind)))
            case Shape.STACK | Shape.ROW:
                return Place(kind, RowOf(Card(kind)))
            case Shape.PLAYS:
                return Place(kind, RowOf(Play(zone)))

    # ── reporting ────────────────────────────────────────────────────────────────────────────────────────────────

    def report(self, code: str, span: Span, message: str, help: str | None = None) -> None:
        """Adds a diagnostic."""
        self.diagnostics.add(code, span, message, help=help)

    def everything(self) -> list[str]:
        """Every name an expression could mean, for near misses."""
        return [
            *self.rules,
            *self.zones,
            *self.states,
            *self.options,
            *self.types,
            *self.kinds,
            *self.members,
            *(field.name for kind in self.kinds.values() for field in kind.doc.fields),
        ]


def is_finite(of: Type) -> bool:
    """Whether the values of a type can be listed, so that a set of them is a bit set."""
    match of:
        case YesNo() | Seat() | Team() | Enum() | Ladder() | Card():
            return True
        case Number():
            return of.is_finite and (of.low or 0) >= 0
        case _:
            return False


def nearest(name: str, known: list[str]) -> str | None:
    """A help line with the nearest known name; a plain list where there are few and none is near."""
    near = get_close_matches(name, known, n=1, cutoff=0.6)
    if near:
        return f"did you mean '{near[0]}'?"
    short = sorted(set(known))
    return f"known here: {', '.join(short)}" if 0 < len(short) <= 8 else None
