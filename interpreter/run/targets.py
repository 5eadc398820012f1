"""Where values are kept: finds the cell that a step names, and refuses what its type doesn't allow there."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from fractions import Fraction
from math import ceil, floor
from typing import Any, NamedTuple, assert_never, cast

from rulesdsl.diagnostic import InternalError
from rulesdsl.ir.nodes import Cell, Const, Field, Keeping, PlayField, Running, Target, Term, Var
from rulesdsl.source import Span
from rulesdsl.types import LARGEST, NONE, ListOf, NoValue, Number, Optional, RowOf, SetOf, Type, Unknown, required

from ..evaluate.locals import Locals
from ..evaluate.terms import Evaluator
from ..sight.event import Became, Marked
from ..sight.notes import Notes
from ..state.cells import FP
from ..state.errors import MatchError
from ..state.layout import Layout, VariableInfo
from .code import Cells, Reader
from .moves import CARDS, FIRST_FIELD

Store = Callable[[Cells, int, Any], None]
"""Puts a value at an address."""


class Place(NamedTuple):
    """A target: where it is (`address`, worked out before the value), how it is read and written.

    `keeps` is the type of what is kept there, `at_most` how long a list may get, `name` how people call it.
    """

    address: Reader
    load: Callable[[Cells, int], Any]
    store: Store
    keeps: Type
    at_most: int
    name: str
    is_bare: bool = False
    """Whether the address is that of a cell of the state, and storing is no more than writing it."""
    frame_offset: int | None = None
    """Of a cell of the running procedure, its distance from the beginning of the frame."""
    fixed: int | None = None
    """The address, if it is always the same."""
    register: int | None = None
    """Of a local, its register."""

    @property
    def limits(self) -> tuple[int, int] | None:
        """Between which numbers it keeps one, by their steps; None if it keeps no number."""
        number = required(self.keeps)
        return _limits(number) if isinstance(number, Number) else None


class Targets:
    """Makes places from the targets of a program."""

    def __init__(self, layout: Layout, evaluator: Evaluator, notes: Notes | None) -> None:
        self._layout = layout
        self._evaluator = evaluator
        self._notes = notes

    def place(self, target: Target, frame: Mapping[int, int], span: Span | None) -> Place:
        """Where a target is kept."""
        match target:
            case Cell() if isinstance(frame, Locals):
                return self._local(target, frame.registers[target.id])
            case Cell():
                offset = frame[target.id]

                def in_frame(S: Cells) -> int:
                    address: int = S[FP] + offset
                    return address

                return Place(in_frame, _load, _store, target.type, 200, target.name, True, offset)
            case Running():
                return Place(self._running(target, span), _load, _store, target.type, 200, target.name, True)
            case Var():
                return self._variable(target, frame, span)
            case Field():
                return self._field(target, frame, span)
            case PlayField():
                return self._play_field(target, frame, span)
            case _:
                assert_never(target)

    def _local(self, target: Cell, register: int) -> Place:
        R = self._evaluator.registers

        def store(S: Cells, address: int, value: Any) -> None:
            R[register] = value

        return Place(
            lambda S: register, lambda S, address: R[register], store, target.type, 200, target.name, register=register
        )

    def _running(self, target: Running, span: Span | None) -> Reader:
        index = self._layout.procedure_index[target.procedure]
        offset = self._layout.frame_of(self._layout.procedures[index])[target.id]
        stack = self._layout.stack

        def address(S: Cells) -> int:
            base: int = S[FP]
            while base >= stack:
                if S[base] == index:
                    return base + offset
                base = S[base + 2]
            raise MatchError(f"no `{target.procedure}` is running here", span)

        return address

    def _variable(self, target: Var, frame: Mapping[int, int], span: Span | None) -> Place:
        info = self._layout.variables[target.name]
        keeping = info.declaration.keeping
        base = info.base
        indices = [self._evaluator.term(term, frame) for term in target.index]
        dimensions = list(zip(indices, info.strides, info.firsts, strict=True))
        address: Reader
        if not dimensions:
            address = lambda S: base  # noqa: E731

        elif len(dimensions) == 1:
            address = self._at_index(target, base - info.firsts[0], frame, span)

        else:

            def address_by_all(S: Cells) -> int:
                cell = base
                for index, stride, first in dimensions:
                    member: int = index(S)
                    if member == NONE:
                        raise MatchError(f"`{target.name}` of none can't be set", span)
                    cell += (member - first) * stride
                return cell

            address = address_by_all

        store = _store
        if self._notes is not None:
            emit = self._notes.emit

            def store(S: Cells, address: int, value: Any) -> None:
                if S[address] != value:
                    S[address] = value
                    emit(Became(target.name, members_at(info, address - base), value))

        fixed = None if dimensions else base
        return Place(address, _load, store, keeping.type, keeping.at_most, target.name, store is _store, fixed=fixed)

    def _at_index(self, target: Var, of_zero: int, frame: Mapping[int, int], span: Span | None) -> Reader:
        """Where a state of one member lies; `of_zero` is where that of member 0 would."""
        index = self._evaluator.operand(target.index[0], frame)
        nobodys = f"`{target.name}` of none can't be set"
        R, register, cell, worth = self._evaluator.registers, index.register, index.cell, index.worth
        if register is not None:

            def address_by_register(S: Cells) -> int:
                member: int = R[register]
                if member == NONE:
                    raise MatchError(nobodys, span)
                return of_zero + member

            return address_by_register
        if cell is not None:

            def address_by_cell(S: Cells) -> int:
                member: int = S[cell]
                if member == NONE:
                    raise MatchError(nobodys, span)
                return of_zero + member

            return address_by_cell

        def address(S: Cells) -> int:
            member: int = worth(S)
            if member == NONE:
                raise MatchError(nobodys, span)
            return of_zero + member

        return address

    def _field(self, target: Field, frame: Mapping[int, int], span: Span | None) -> Place:
        keeping = next(
            keeping
            for kind in self._layout.program.kinds
            if kind.name == target.kind
            for keeping in kind.fields
            if keeping.name == target.name
        )
        base = self._layout.fields[target.kind, target.name]
        card = self._evaluator.term(target.card, frame)

        def address(S: Cells) -> int:
            number = cast(int, card(S))
            if number == NONE:
                raise MatchError(f"`{target.name}` of none can't be set", span)
            return base + number

        store = _store
        notes = self._notes
        if notes is not None:

            def store(S: Cells, address: int, value: Any) -> None:
                if S[address] != value:
                    notes.written(S, target.kind, address - base, target.name, value)
                    S[address] = value

        return Place(address, _load, store, keeping.type, keeping.at_most, target.name, store is _store)

    def _play_field(self, target: PlayField, frame: Mapping[int, int], span: Span | None) -> Place:
        zones = [zone for zone in self._layout.zones if zone.name == target.zone]
        fields = zones[0].declaration.fields
        number, keeping = self._field_of_plays(fields, target.name)
        position = FIRST_FIELD + number
        play = cast("Callable[[Cells], int]", self._evaluator.term(target.play, frame))
        notes = self._notes

        def find(S: Cells, stamp: int) -> tuple[int, int, int]:
            for zone in zones:
                for place, found in enumerate(S[zone.cell]):
                    if found[0] == stamp:
                        return zone.index, zone.cell, place
            raise MatchError(f"`{target.name}` of a play that has ended can't be set", span)

        def load(S: Cells, stamp: int) -> Any:
            _, cell, place = find(S, stamp)
            return S[cell][place][position]

        def store(S: Cells, stamp: int, value: Any) -> None:
            zone, cell, place = find(S, stamp)
            plays = S[cell]
            changed = (*plays[place][:position], value, *plays[place][position + 1 :])
            if notes is not None:
                seers = notes.knowledge.seers(S, zone)
                for seat in range(self._layout.seats):
                    if not changed[CARDS] & ~notes.knowledge.knows(S, zones[0].kind, seat):
                        seers |= 1 << seat
                notes.emit(Marked(zone, place, target.name, value, seers))
            S[cell] = (*plays[:place], changed, *plays[place + 1 :])

        return Place(play, load, store, keeping.type, keeping.at_most, target.name)

    def _field_of_plays(self, fields: tuple[Keeping, ...], name: str) -> tuple[int, Keeping]:
        for number, keeping in enumerate(fields):
            if keeping.name == name:
                return number, keeping
        raise InternalError(f"plays have no field `{name}` that can be set")


def _load(S: Cells, address: int) -> Any:
    return S[address]


def _store(S: Cells, address: int, value: Any) -> None:
    S[address] = value


def members_at(info: VariableInfo, within: int) -> tuple[int, ...]:
    """Of which members a state is, that lies so many cells behind the first of its name."""
    return tuple(
        within // stride % size + first
        for size, stride, first in zip(info.sizes, info.strides, info.firsts, strict=True)
    )


# ── what may be kept ───────────────────────────────────────────────────────────────────────────────────────────────


def guard(place: Place, given: Type, span: Span | None, term: Term | None = None) -> Callable[[Any], None] | None:
    """Refuses values that the place can't keep; None if no value of the type `given` needs refusing."""
    keeps = place.keeps
    number = required(keeps)
    wants = not isinstance(keeps, Optional)
    may_be_none = isinstance(given, Optional | NoValue | Unknown)
    if isinstance(number, Number):
        return _number_guard(place.name, number, wants, given, span, term)
    if isinstance(keeps, ListOf | RowOf) or (isinstance(keeps, SetOf) and isinstance(keeps.of, Number)):
        at_most = place.at_most

        def check_length(value: Any) -> None:
            length = value.bit_count() if isinstance(value, int) else len(value)
            if length > at_most:
                raise MatchError(f"`{place.name}` holds at most {at_most}, and one more would be added", span)

        return check_length
    if wants and may_be_none and not isinstance(keeps, SetOf | RowOf | ListOf | NoValue | Unknown):

        def check_none(value: Any) -> None:
            if value == NONE:
                raise MatchError(f"`{place.name}` needs a value, and there is none", span)

        return check_none
    return None


def _number_guard(
    name: str, number: Number, wants: bool, given: Type, span: Span | None, term: Term | None
) -> Callable[[Any], None] | None:
    scale = number.scale
    low, high = _limits(number)
    if isinstance(term, Const) and isinstance(term.value, int) and low <= term.value <= high:
        return None
    if isinstance(given, Number) and given.low is not None and given.high is not None:
        if low <= given.low * scale and given.high * scale <= high:
            return None

    def check_number(value: Any) -> None:
        if low <= value <= high:
            return
        if value == NONE:
            if wants:
                raise MatchError(f"`{name}` needs a number, and there is none", span)
            return
        raise MatchError(
            f"`{name}` can't be {plain(value, scale)}: it goes from {plain(low, scale)} to {plain(high, scale)}", span
        )

    return check_number


def _limits(number: Number) -> tuple[int, int]:
    low = -LARGEST if number.low is None else ceil(number.low * number.scale)
    return low, LARGEST if number.high is None else floor(number.high * number.scale)


def plain(value: int, scale: int) -> str:
    """A number as people write it."""
    return str(Fraction(value, scale))
