"""Terms that read the state: cells of frames, states, fields, what is printed, places."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from rulesdsl.diagnostic import InternalError
from rulesdsl.ir.nodes import (
    Attribute,
    Bound,
    Cell,
    Const,
    Field,
    LiesIn,
    PlaceCards,
    PlaceOf,
    PlaceUnder,
    RowCard,
    RowNumber,
    Running,
    Shape,
    Term,
    Var,
)
from rulesdsl.types import NONE, Card, Number, Optional, Place, Play, RowOf, SetOf, required

from ..state.bits import members, set_of
from ..state.cells import FP, FRAME_HEAD, Closure, State
from ..state.domains import first_of, member_of
from ..state.errors import MatchError

if TYPE_CHECKING:
    from .terms import Evaluator


def cell(compiler: Evaluator, term: Cell | Running) -> Closure:
    """The value of a name of a running procedure."""
    if isinstance(term, Cell):
        offset = compiler.offset(term)
        return lambda S: S[S[1] + offset]
    layout = compiler.layout
    wanted = layout.procedure_index[term.procedure]
    ids = [cell.id for cell in layout.procedures[wanted].cells]
    distance = FRAME_HEAD + ids.index(term.id)
    bottom = layout.stack
    name, span = term.procedure, term.span

    def running(S: State) -> Any:
        frame = S[FP]
        while frame >= bottom and S[frame] != wanted:
            frame = S[frame + 2]
        if frame < bottom:
            raise MatchError(f"no {name} is running", span)
        return S[frame + distance]

    return running


def at_index(compiler: Evaluator, base: int, index: Term, first: int = 0) -> Closure:
    """The cell that lies as far behind `base` as the value of a term, counted from `first`, says."""
    base -= first
    match index:
        case Const(value=int(value)):
            fixed = base + value
            return lambda S: S[fixed]
        case Bound() if not isinstance(required(index.type), Play):
            register = compiler.register(index)
            R = compiler.registers
            return lambda S: S[base + R[register]]
        case Cell() if not isinstance(required(index.type), Play):
            offset = compiler.offset(index)
            return lambda S: S[base + S[S[1] + offset]]
        case _:
            worth = compiler.compile(index)
            return lambda S: S[base + worth(S)]


def variable(compiler: Evaluator, term: Var) -> Closure:
    """The value of a state."""
    info = compiler.layout.variables[term.name]
    base = info.base
    if not term.index:
        return lambda S: S[base]
    if len(term.index) == 1 and not isinstance(info.declaration.each[0], Number):
        return at_index(compiler, base, term.index[0])
    address = variable_address(compiler, term)
    return lambda S: S[address(S)]


def variable_address(compiler: Evaluator, term: Var) -> Callable[[State], int]:
    """The cell of a state. A number that its dimension does not have is a match error."""
    info = compiler.layout.variables[term.name]
    base, name, span = info.base, term.name, term.span
    if not term.index:
        return lambda S: base
    steps = [
        (compiler.compile(index), first, size, stride)
        for index, first, size, stride in zip(term.index, info.firsts, info.sizes, info.strides, strict=True)
    ]

    def address(S: State) -> int:
        found = base
        for worth, first, size, stride in steps:
            value = worth(S) - first
            if not 0 <= value < size:
                raise MatchError(f"{name} is not kept for that", span)
            found += value * stride
        return found

    return address


def card_field(compiler: Evaluator, term: Field) -> Closure:
    """What is written on a card."""
    return at_index(compiler, compiler.layout.fields[term.kind, term.name], term.card)


def row_number(compiler: Evaluator, term: RowNumber) -> Closure:
    """The row that a card comes from."""
    table = compiler.layout.packs[term.kind].rows
    card = compiler.compile(term.card)
    return lambda S: table[card(S)]


def lies_in(compiler: Evaluator, term: LiesIn) -> Closure:
    """Whether a card lies in one of some zones."""
    wanted = zones_asked(compiler, term)
    cell = cell_of_card(compiler, term.card)
    if cell is not None:
        return lambda S: S[cell] in wanted
    base = compiler.layout.at[kind_of(term.card.type)]
    card = compiler.compile(term.card)
    return lambda S: S[base + card(S)] in wanted


def cell_of_card(compiler: Evaluator, card: Term) -> int | None:
    """The cell that says where a card lies, if it is known beforehand which card that is."""
    match card:
        case RowCard(kind=kind, row=row, copy=copy):
            return compiler.layout.at[kind] + compiler.layout.packs[kind].card_of_row(row, copy)
        case Const(value=int(value)) if value != NONE:
            return compiler.layout.at[kind_of(card.type)] + value
        case _:
            return None


def zones_asked(compiler: Evaluator, term: LiesIn) -> frozenset[int]:
    """The zones in one of which a card is asked to lie."""
    return frozenset(zone.index for zone in compiler.layout.zones if zone.name in term.zones)


def attribute(compiler: Evaluator, term: Attribute) -> Closure:
    """What is printed on a card, from the table of its kind."""
    table = compiler.layout.packs[term.kind].attribute(term.name)
    R = compiler.registers
    if term.index is not None:
        card, index = compiler.compile(term.card), compiler.compile(term.index)
        printed = next(a for a in compiler.layout.packs[term.kind].kind.printed if a.name == term.name)
        first = first_of(printed.each) if printed.each is not None else 0
        rows: Any = table
        return lambda S: rows[card(S)][index(S) - first]
    if isinstance(term.card, Bound):
        register = compiler.register(term.card)
        return lambda S: table[R[register]]
    card = compiler.compile(term.card)
    return lambda S: table[card(S)]


# ── places ───────────────────────────────────────────────────────────────────────────────────────────────────────


def place(compiler: Evaluator, term: PlaceOf | PlaceUnder) -> Closure:
    """A place as a number: of the zone, or behind all zones of the card that it is under."""
    layout = compiler.layout
    if isinstance(term, PlaceUnder):
        number = layout.zone_count + layout.card_base[term.kind]
        card = compiler.compile(term.card)
        return lambda S: number + card(S)
    index = layout.first_zone[term.zone]
    if term.owner is None:
        return lambda S: index
    if isinstance(term.owner, Const) and isinstance(term.owner.value, int):
        fixed = index + term.owner.value
        return lambda S: fixed
    owner = compiler.compile(term.owner)
    return lambda S: index + owner(S)


def place_cards(compiler: Evaluator, term: PlaceCards) -> Closure:
    """The cards at a place, as a set or in their row, as the type says."""
    layout = compiler.layout
    where = compiler.compile(term.place)
    cells = [zone.cell for zone in layout.zones]
    plays_in = {zone.index for zone in layout.zones if zone.shape is Shape.PLAYS}
    zones = layout.zone_count
    member = member_of(term.type)
    if not isinstance(member, Card):
        raise InternalError(f"cards at a place are no {term.type}")
    as_set = isinstance(term.type, SetOf)
    beneath = cards_beneath(compiler, member.kind)

    def cards(S: State) -> Any:
        number = where(S)
        if number >= zones:
            found: Any = beneath(S, number)
        elif number in plays_in:
            found = 0
            for play in S[cells[number]]:
                found |= play[2]
        else:
            found = S[cells[number]]
        if as_set:
            return set_of(found) if isinstance(found, tuple) else found
        return found if isinstance(found, tuple) else tuple(members(found))

    return cards


def cards_beneath(compiler: Evaluator, kind: str) -> Callable[[State, int], int]:
    """The cards of a kind that lie at a place under a card, as a set."""
    base, size = compiler.layout.at[kind], compiler.layout.packs[kind].size

    def beneath(S: State, place: int) -> int:
        places = S[base : base + size]
        bits = 0
        if place in places:
            for card, at in enumerate(places):
                if at == place:
                    bits |= 1 << card
        return bits

    return beneath


def zone_holder(compiler: Evaluator) -> Callable[[State, int], int]:
    """The owner of the zone in which a place lies at last, with all cards in between."""
    layout = compiler.layout
    owners = [NONE if zone.owner < 0 else zone.owner for zone in layout.zones]
    zones = layout.zone_count
    place_cell = [
        layout.at[kind.name] + card for kind in layout.program.kinds for card in range(layout.packs[kind.name].size)
    ]

    def holder(S: State, place: int) -> int:
        while place >= zones:
            place = S[place_cell[place - zones]]
        return owners[place]

    return holder


def kind_of(of: object) -> str:
    """The kind of the cards that a type is about."""
    match of:
        case Card(kind=kind) | Place(kind=kind):
            return kind
        case SetOf(of=inner) | RowOf(of=inner) | Optional(of=inner):
            return kind_of(inner)
        case _:
            raise InternalError(f"{of} is about no cards")
