"""The members of a value, as the steps of a program need them: in order, as a set, added to what is kept."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from rulesdsl.diagnostic import InternalError
from rulesdsl.source import Span
from rulesdsl.types import NONE, Card, ListOf, NoValue, Optional, Place, RowOf, SetOf, Type, required

from ..state.bits import members, set_of
from ..state.domains import first_of
from ..state.errors import MatchError


def kind_of(of: Type) -> str | None:
    """The kind of the cards in a value of a type; None where there are no cards in it."""
    match required(of):
        case Card(kind=kind) | Place(kind=kind):
            return kind
        case SetOf(of=inner) | RowOf(of=inner) | ListOf(of=inner):
            return kind_of(inner)
        case _:
            return None


def member_type(of: Type) -> Type:
    """The type of the members of a sequence."""
    match of:
        case SetOf() | RowOf() | ListOf():
            return of.of
        case Place():
            return member_type(of.of)
        case _:
            return of


def walker(of: Type) -> Callable[[Any], Sequence[int]]:
    """How the members of a value are walked: a set by index, anything ordered in its order, one value alone."""
    match of:
        case SetOf():
            first = first_of(of.of)
            if first:
                return lambda bits: [member + first for member in members(bits)]
            return members
        case RowOf() | ListOf():
            return _as_it_is
        case Place():
            raise InternalError("a place is asked for its cards before they are walked")
        case _:
            return lambda value: () if value == NONE else (value,)


def as_set(of: Type) -> Callable[[Any], int]:
    """How a value becomes a set of its members."""
    walk = walker(of)
    if isinstance(of, SetOf):
        return _as_it_is
    return lambda value: set_of(walk(value))


def is_single(given: Type) -> bool:
    """Whether a value of a type is always one member, never several or none."""
    return not isinstance(given, SetOf | RowOf | ListOf | Optional | NoValue)


def grower(keeps: Type, given: Type, span: Span | None) -> Callable[[Any, Any], Any]:
    """What `add` does to a value that is kept."""
    match keeps:
        case SetOf():
            if isinstance(given, SetOf):
                return lambda kept, more: kept | more
            first = first_of(keeps.of)
            if is_single(given):
                return lambda kept, more: kept | 1 << more - first
            walk = walker(given)
            return lambda kept, more: kept | set_of(member - first for member in walk(more))
        case RowOf():
            walk = walker(given)
            return lambda kept, more: kept + tuple(dict.fromkeys(member for member in walk(more) if member not in kept))
        case ListOf():
            walk = walker(given)
            return lambda kept, more: kept + tuple(walk(more))
        case _:

            def add(kept: Any, more: Any) -> Any:
                if more == NONE or kept == NONE:
                    raise MatchError("nothing can be added where there is no number", span)
                return kept + more

            return add


def _as_it_is(value: Any) -> Any:
    return value
