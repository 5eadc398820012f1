"""Whether a value of one type may stand where another is wanted, and what makes it so.

A single value fits where a set is wanted, a zone where its cards are, components where their sum is: `fit` gives the
term that turns the one into the other, or None.
"""

from __future__ import annotations

from dataclasses import replace
from math import lcm

from ..ir.nodes import Bound, Const, If, MakeTuple, Op, PlaceCards, PlaceOf, Prim, Spread, Term, ZoneCards
from ..types import (
    NONE,
    Card,
    Enum,
    Face,
    Ladder,
    ListOf,
    NoValue,
    Number,
    Optional,
    Place,
    Play,
    Range,
    Record,
    RowOf,
    Seat,
    SetOf,
    Team,
    Type,
    Unknown,
    YesNo,
    optional,
    required,
)
from .names import is_finite

Sequence = SetOf | RowOf | ListOf


def fit(term: Term, wanted: Type) -> Term | None:
    """The term as one of the wanted type, or None if it can't be one."""
    have = term.type
    if have == wanted or isinstance(have, Unknown) or isinstance(wanted, Unknown):
        return term
    if isinstance(have, NoValue):
        return _nothing(term, wanted)
    match have, wanted:
        case Number(), Number():
            return rescaled(term, wanted.scale)
        case Range(), Range():
            return rescaled_range(term, wanted.of.scale)
        case Number(), Range():
            inner = fit(term, wanted.of)
            return inner and _pair(inner, wanted)
        case _, Optional():
            if isinstance(have, Optional):
                inner = fit(replace(term, type=have.of), wanted.of)
                return inner and replace(inner, type=wanted) if _same_form(have.of, wanted.of) else None
            inner = fit(term, wanted.of)
            return inner and (inner if isinstance(inner.type, Optional) else _retyped(inner, wanted))
        case Place(), Place():
            return term if have.kind == wanted.kind else None
        case Place(), _:
            return fit(cards_of(term), wanted)
        case Record(summed=True), Number():
            return fit(total(term), wanted)
        case Face(), Card() if have.kind == wanted.kind:
            return Prim(Op.ONLY, (showing(term),), type=Optional(wanted), span=term.span)
        case Face(), SetOf(of=Card()) if wanted.of == Card(have.kind):
            return showing(term)
        case Team(), SetOf(of=Seat()):
            return Prim(Op.SEATS_OF, (term,), type=wanted, span=term.span)
        case ((SetOf() | RowOf() | ListOf()), (SetOf() | RowOf() | ListOf())):
            return _sequence(term, have, wanted)
        case _, (SetOf() | RowOf() | ListOf()):
            single = have.of if isinstance(have, Optional) else have
            if not fits(single, wanted.of) or (isinstance(wanted, SetOf) and not _stays_in(single, wanted.of)):
                return None
            op = Op.SINGLETON if isinstance(wanted, SetOf) else Op.SINGLE_ROW
            return Prim(op, (term,), type=wanted, span=term.span)
        case _:
            return None


def fits(have: Type, wanted: Type) -> bool:
    """Whether values of a type may stand where another is wanted."""
    return fit(Bound(-1, "value", type=have), wanted) is not None


def _nothing(term: Term, wanted: Type) -> Term | None:
    match wanted:
        case SetOf():
            return Const(0, type=wanted, span=term.span)
        case RowOf() | ListOf():
            return Const((), type=wanted, span=term.span)
        case Optional():
            return Const(NONE, type=wanted, span=term.span)
        case _:
            return None


def _same_form(have: Type, wanted: Type) -> bool:
    return have == wanted or (isinstance(have, Number) and isinstance(wanted, Number) and have.scale == wanted.scale)


def _retyped(term: Term, wanted: Type) -> Term:
    return replace(term, type=wanted)


def _pair(term: Term, wanted: Range) -> Term:
    return MakeTuple((term, term), type=wanted, span=term.span)


def _sequence(term: Term, have: Sequence, wanted: Sequence) -> Term | None:
    if not (have.of == wanted.of or isinstance(have.of, Unknown) or isinstance(wanted.of, Unknown)):
        if isinstance(have.of, Number) and isinstance(wanted.of, Number) and have.of.scale == wanted.of.scale:
            pass
        elif isinstance(term, Const) and term.value in (0, ()):
            pass
        elif isinstance(have.of, Optional) and have.of.of == wanted.of:
            pass
        else:
            return None
    if isinstance(wanted, SetOf) and not _stays_in(have.of, wanted.of) and not isinstance(term, Const):
        return None
    match have, wanted:
        case SetOf(), SetOf() if isinstance(wanted.of, Number) and have.of != wanted.of:
            row = Prim(Op.TO_ROW, (term,), type=RowOf(have.of), span=term.span)
            return Prim(Op.TO_SET, (row,), type=wanted, span=term.span)
        case ((RowOf() | ListOf()), SetOf()):
            return Prim(Op.TO_SET, (term,), type=wanted, span=term.span)
        case SetOf(), (RowOf() | ListOf()):
            return Prim(Op.TO_ROW, (term,), type=wanted, span=term.span)
        case ListOf(), RowOf():
            return Prim(Op.DISTINCT, (term,), type=wanted, span=term.span)
        case _:
            return replace(term, type=wanted)


def _stays_in(have: Type, wanted: Type) -> bool:
    """Whether numbers are sure to lie within the bounds of a set of numbers, which has a bit for each of them."""
    if not isinstance(have, Number) or not isinstance(wanted, Number) or wanted.low is None or wanted.high is None:
        return True
    return have.low is not None and have.high is not None and wanted.low <= have.low and have.high <= wanted.high


def rescaled(term: Term, scale: int) -> Term | None:
    """A number in finer steps; None if the wanted steps are no part of its own."""
    have = term.type
    assert isinstance(have, Number)
    if have.scale == scale:
        return term
    if scale % have.scale:
        return None
    factor = scale // have.scale
    wanted = replace(have, scale=scale)
    if isinstance(term, Const) and isinstance(term.value, int):
        return replace(term, value=term.value * factor, type=wanted)
    return Prim(Op.SCALE, (term, Const(factor, type=Number())), type=wanted, span=term.span)


def rescaled_range(term: Term, scale: int) -> Term | None:
    """A range of numbers in finer steps; None if the wanted steps are no part of its own."""
    have = term.type
    assert isinstance(have, Range)
    if have.of.scale == scale:
        return term
    ends: tuple[Term, ...]
    if isinstance(term, MakeTuple):
        ends = term.parts
    else:
        ends = tuple(Prim(op, (term,), type=have.of, span=term.span) for op in (Op.LEAST, Op.MOST))
    low, high = (rescaled(end, scale) for end in ends)
    if low is None or high is None:
        return None
    return MakeTuple((low, high), type=Range(Number(scale)), span=term.span)


def cards_of(term: Term) -> Term:
    """A place read as a value: what lies there."""
    assert isinstance(term.type, Place)
    of = term.type.of
    match term:
        case PlaceOf():
            return ZoneCards(term.zone, term.owner, type=of, span=term.span)
        case Spread() if term.body.type == term.type:
            return replace(term, body=cards_of(term.body), type=of)
        case If() if term.then.type == term.type == term.otherwise.type:
            return replace(term, then=cards_of(term.then), otherwise=cards_of(term.otherwise), type=of)
        case _:
            return PlaceCards(term, type=of, span=term.span)


def showing(term: Term) -> Term:
    """The cards that show a face."""
    assert isinstance(term.type, Face)
    return Prim(Op.SHOWING, (term,), type=SetOf(Card(term.type.kind)), span=term.span)


def total(term: Term) -> Term:
    """The sum of the components of a score."""
    assert isinstance(term.type, Record)
    scale = lcm(*(of.scale for _, of in term.type.fields if isinstance(of, Number)), 1)
    result: Term | None = None
    for index, (_, of) in enumerate(term.type.fields):
        part: Term = Prim(Op.FIELD_OF, (term, Const(index, type=Number())), type=of, span=term.span)
        if isinstance(of, Number):
            part = rescaled(part, scale) or part
        if result is None:
            result = part
        else:
            result = Prim(Op.ADD, (result, part), type=Number(scale), span=term.span)
    return result if result is not None else Const(0, type=Number(), span=term.span)


def as_sequence(term: Term) -> Term | None:
    """A term whose members can be walked: a set, row or list, a zone, the members of a team or of a face."""
    match term.type:
        case SetOf() | RowOf() | ListOf():
            return term
        case Place():
            return cards_of(term)
        case Team():
            return fit(term, SetOf(Seat()))
        case Face(kind=kind):
            return fit(term, SetOf(Card(kind)))
        case _:
            return None


def members_of(term: Term) -> Term | None:
    """What can be walked, counted or chosen from: a sequence, or a single value as the set of itself."""
    sequence = as_sequence(term)
    if sequence is not None:
        return sequence
    of = required(term.type)
    if isinstance(of, YesNo | NoValue | Unknown | Range):
        return None
    return fit(term, SetOf(of) if is_finite(of) else RowOf(of))


def joined(first: Type, second: Type) -> Type | None:
    """The type that both of two branches fit, or None."""
    if isinstance(first, Unknown) or isinstance(second, Unknown):
        return Unknown()
    if first == second:
        return first
    if isinstance(first, NoValue):
        return optional(second)
    if isinstance(second, NoValue):
        return optional(first)
    match first, second:
        case Number(), Number():
            return Number(lcm(first.scale, second.scale))
        case Range(), Range():
            return Range(Number(lcm(first.of.scale, second.of.scale)))
        case Range(), Number():
            return Range(Number(lcm(first.of.scale, second.scale)))
        case Number(), Range():
            return Range(Number(lcm(first.scale, second.of.scale)))
        case (Optional(), _) | (_, Optional()):
            inner = joined(_bare(first), _bare(second))
            return inner and optional(inner)
        case Place(), Place() if first.kind == second.kind:
            return Place(first.kind, SetOf(Card(first.kind)))
        case Place(), _:
            return joined(first.of, second)
        case _, Place():
            return joined(first, second.of)
        case ((SetOf() | RowOf() | ListOf()), (SetOf() | RowOf() | ListOf())) if first.of == second.of:
            if isinstance(first, ListOf) or isinstance(second, ListOf):
                return ListOf(first.of)
            return SetOf(first.of) if is_finite(first.of) else RowOf(first.of)
        case _:
            return next((one for one, other in ((first, second), (second, first)) if fits(other, one)), None)


def _bare(of: Type) -> Type:
    return of.of if isinstance(of, Optional) else of


def is_ordered(of: Type) -> bool:
    """Whether `<` and `highest` make sense for values of a type."""
    match of:
        case Number() | YesNo() | Ladder() | Unknown():
            return True
        case Enum():
            return of.ordered
        case Record():
            return of.summed
        case _:
            return False


def same_kind(first: Type, second: Type) -> bool:
    """Whether `is` makes sense between two types."""
    a, b = _bare(first), _bare(second)
    if a == b or isinstance(a, NoValue | Unknown) or isinstance(b, NoValue | Unknown):
        return True
    match a, b:
        case Number(), Number():
            return True
        case (Card(kind=x), Face(kind=y)) | (Face(kind=x), Card(kind=y)):
            return x == y
        case Play(), Play():
            return True
        case _:
            return False
