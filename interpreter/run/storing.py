"""Values put into cells of the state where nobody is told: what most sentences about values come down to."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from rulesdsl.types import NONE, ListOf, RowOf, SetOf

from ..evaluate.operands import Operand
from ..state.cells import FP, Closure
from .code import Cells, Effect
from .targets import Place


def set_in_frame(offset: int, value: Closure, refuse: Callable[[Any], None] | None) -> Effect:
    """A cell of the running procedure gets a value."""
    if refuse is None:

        def bind(S: Cells) -> None:
            S[S[FP] + offset] = value(S)

        return bind

    def check_and_bind(S: Cells) -> None:
        what = value(S)
        refuse(what)
        S[S[FP] + offset] = what

    return check_and_bind


def set_to(place: Place, given: Operand, refuse: Callable[[Any], None] | None) -> Effect:
    """A cell of the state gets a value."""
    address, fixed, value, constant = place.address, place.fixed, given.worth, given.constant
    if refuse and fixed is not None and not (place.limits or isinstance(place.keeps, ListOf | RowOf | SetOf)):
        # All that is refused here is none.

        def set_if_there(S: Cells) -> None:
            what = value(S)
            if what == NONE:
                refuse(what)
            S[fixed] = what

        return set_if_there
    if refuse is not None:

        def check_and_set(S: Cells) -> None:
            what = value(S)
            refuse(what)
            S[address(S)] = what

        return check_and_set
    if fixed is not None and constant is not None:

        def set_constant(S: Cells) -> None:
            S[fixed] = constant

        return set_constant
    if fixed is not None:

        def set_it(S: Cells) -> None:
            S[fixed] = value(S)

        return set_it

    def set_there(S: Cells) -> None:
        what = value(S)
        S[address(S)] = what

    return set_there


def add_number(
    place: Place, given: Operand, limits: tuple[int, int], slowly: Callable[[Cells, tuple[int, Any]], None]
) -> Effect:
    """A number more; what the place can't keep is left to the way that says why."""
    address, fixed, value, constant = place.address, place.fixed, given.worth, given.constant
    low, high = limits
    if constant is not None:

        def add_constant(S: Cells) -> None:
            where = address(S)
            grown = S[where] + constant
            if low <= grown <= high:
                S[where] = grown
            else:
                slowly(S, (where, constant))

        return add_constant
    if fixed is not None:

        def add(S: Cells) -> None:
            more = value(S)
            grown = S[fixed] + more
            if low <= grown <= high:
                S[fixed] = grown
            else:
                slowly(S, (fixed, more))

        return add

    def add_there(S: Cells) -> None:
        where, more = address(S), value(S)
        grown = S[where] + more
        if low <= grown <= high:
            S[where] = grown
        else:
            slowly(S, (where, more))

    return add_there


def add_set(place: Place, value: Closure) -> Effect:
    """A set that is kept grows by another."""
    address = place.address

    def add(S: Cells) -> None:
        where = address(S)
        S[where] |= value(S)

    return add


def add_member(place: Place, value: Closure, first: int) -> Effect:
    """A set that is kept grows by a member, or by nothing if that is none."""
    address = place.address

    def add(S: Cells) -> None:
        where, member = address(S), value(S)
        if member != NONE:
            S[where] |= 1 << member - first

    return add
