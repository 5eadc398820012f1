"""Terms about plays: finding a play by its stamp, and what a play is made of.

In a state a play is a tuple: stamp, seat, set of cards, then the fields of its zone. A term's value is the stamp; the
register of a bound holds the tuple itself, so that its parts need no search. The stamp of a play that has ended reads
as none.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

from rulesdsl.diagnostic import InternalError
from rulesdsl.ir.nodes import Bound, Call, Cell, Const, Op, PlayField, Prim, Rank, Running, Shape, Term, ZoneCards
from rulesdsl.types import NONE, ListOf, Optional, Play, RowOf, Type, required

from ..state.cells import Closure, State
from .fold import nothing_of
from .readers import at_index

if TYPE_CHECKING:
    from .terms import Evaluator

PlayTuple = tuple[Any, ...]

STAMP_AT, PLAYER_AT, CARDS_AT, FIELDS_AT = range(4)


def zone_of(of: Type) -> str:
    """The zone whose plays a type is about."""
    match of:
        case Play(zone=zone):
            return zone
        case Optional(of=inner) | RowOf(of=inner) | ListOf(of=inner):
            return zone_of(inner)
        case _:
            raise InternalError(f"{of} is about no plays")


def finder(compiler: Evaluator, zone: str) -> Callable[[State, int], PlayTuple | None]:
    """Finds the play of a stamp, None once it has ended."""
    cells = [info.cell for info in compiler.layout.zones if info.name == zone]
    if len(cells) == 1:
        (cell,) = cells

        def find(S: State, stamp: int) -> PlayTuple | None:
            for play in S[cell]:
                if play[0] == stamp:
                    return play  # type: ignore[no-any-return]
            return None

        return find
    first, last = cells[0], cells[-1] + 1

    def find_among(S: State, stamp: int) -> PlayTuple | None:
        for plays in S[first:last]:
            for play in plays:
                if play[0] == stamp:
                    return play  # type: ignore[no-any-return]
        return None

    return find_among


def setter(compiler: Evaluator, bound: Bound) -> Callable[[State, Any], None]:
    """What puts a value into the register of a bound."""
    register = compiler.register(bound)
    R = compiler.registers
    if isinstance(required(bound.type), Play):
        find = finder(compiler, zone_of(bound.type))

        def set_play(S: State, value: Any) -> None:
            R[register] = find(S, value)

        return set_play

    def set_value(S: State, value: Any) -> None:
        R[register] = value

    return set_value


def bound(compiler: Evaluator, term: Bound) -> Closure:
    """The value of a bound."""
    register = compiler.register(term)
    R = compiler.registers
    if isinstance(required(term.type), Play):

        def stamp(S: State) -> int:
            play = R[register]
            return NONE if play is None else play[0]

        return stamp
    return lambda S: R[register]


def checked(compiler: Evaluator, term: Cell | Running, read: Closure) -> Closure:
    """What a cell holds; none instead of a play that has ended."""
    if not isinstance(required(term.type), Play):
        return read
    find = finder(compiler, zone_of(term.type))

    def stamp(S: State) -> int:
        value: int = read(S)
        return NONE if find(S, value) is None else value

    return stamp


def play_of(compiler: Evaluator, term: Term) -> Callable[[State], PlayTuple | None]:
    """The play itself that a term stands for, None for none."""
    R = compiler.registers
    match term:
        case Bound():
            register = compiler.register(term)
            return lambda S: R[register]
        case Const(value=value) if value == NONE:
            return lambda S: None
        case Prim(op=Op.FIRST, arguments=(Rank() as ranking,)) if compiler.optimise and is_row_of_plays(ranking):
            return compiler.first_play(ranking)
        case Prim(op=Op.FIRST, arguments=(ZoneCards(owner=None) as zone,)) if is_row_of_plays(zone):
            cell = compiler.layout.zone_of(zone.zone).cell

            def first(S: State) -> PlayTuple | None:
                found = S[cell]
                return found[0] if found else None

            return first
        case Prim(op=Op.FIRST | Op.LAST | Op.ONLY as op, arguments=(source,)) if is_row_of_plays(source):
            plays = compiler.plays(source)
            if op is Op.ONLY:

                def only(S: State) -> PlayTuple | None:
                    found = plays(S)
                    return found[0] if len(found) == 1 else None

                return only
            end = 0 if op is Op.FIRST else -1

            def one(S: State) -> PlayTuple | None:
                found = plays(S)
                return found[end] if found else None

            return one
        case Call() if (kept := compiler.play_of_rule(term)) is not None:
            return kept
        case _:
            stamp = compiler.compile(term)
            find = finder(compiler, zone_of(term.type))
            return lambda S: find(S, stamp(S))


def is_row_of_plays(term: Term) -> bool:
    """Whether a term gives plays of a zone in their order."""
    return isinstance(term.type, RowOf) and isinstance(term.type.of, Play)


def found(compiler: Evaluator, term: Term) -> Callable[[State], Sequence[PlayTuple]]:
    """The plays of a row of stamps, without those that have ended."""
    stamps = compiler.compile(term)
    find = finder(compiler, zone_of(term.type))
    return lambda S: [play for stamp in stamps(S) if (play := find(S, stamp)) is not None]


def contents(compiler: Evaluator, term: ZoneCards) -> Closure:
    """What lies in a zone, as the state holds it."""
    zone = compiler.layout.zone_of(term.zone)
    cell = zone.cell
    return (lambda S: S[cell]) if term.owner is None else at_index(compiler, cell, term.owner)


def zone_cards(compiler: Evaluator, term: ZoneCards) -> Closure:
    """What lies in a zone: a set, a row, or the stamps of its plays."""
    held = contents(compiler, term)
    if compiler.layout.zone_of(term.zone).shape is not Shape.PLAYS:
        return held
    return lambda S: tuple([play[0] for play in held(S)])


def part_of(compiler: Evaluator, term: Term, play: int) -> int | None:
    """Where a play keeps what a term is, if that is no more than a part of the play of a bound."""
    match term:
        case PlayField(play=Bound(id=named)) if named == play:
            return _position(compiler, term)
        case _:
            return None


def _position(compiler: Evaluator, term: PlayField) -> int:
    zone = compiler.layout.zone_of(term.zone).declaration
    return ["", "player", "cards", *(keeping.name for keeping in zone.fields)].index(term.name)


def play_field(compiler: Evaluator, term: PlayField) -> Closure:
    """Who made a play, of which cards, or a field of it."""
    at = _position(compiler, term)
    nothing = 0 if at == CARDS_AT else nothing_of(term.type)
    if isinstance(term.play, Bound):
        register = compiler.register(term.play)
        R = compiler.registers

        def direct(S: State) -> Any:
            play = R[register]
            return nothing if play is None else play[at]

        return direct
    play_itself = play_of(compiler, term.play)

    def part(S: State) -> Any:
        play = play_itself(S)
        return nothing if play is None else play[at]

    return part
