"""Effects put together: several one after the other as one, and errors told their place.

A call costs more than what most effects do, so a few lengths are written out.
"""

from __future__ import annotations

from collections.abc import Sequence

from rulesdsl.diagnostic import InternalError
from rulesdsl.source import Span

from ..state.errors import MatchError
from .code import Cells, Effect, do_nothing


def in_turn(effects: Sequence[Effect]) -> Effect:
    """Several effects as one."""
    match [effect for effect in effects if effect is not do_nothing]:
        case []:
            return do_nothing
        case [only]:
            return only
        case [first, second]:

            def two(S: Cells) -> None:
                first(S)
                second(S)

            return two
        case [first, second, third]:

            def three(S: Cells) -> None:
                first(S)
                second(S)
                third(S)

            return three
        case [first, second, third, fourth]:

            def four(S: Cells) -> None:
                first(S)
                second(S)
                third(S)
                fourth(S)

            return four
        case [first, second, third, fourth, *others]:
            rest = in_turn(others)

            def more(S: Cells) -> None:
                first(S)
                second(S)
                third(S)
                fourth(S)
                rest(S)

            return more
        case _:
            raise InternalError("there is no list of another length")


def placed(error: MatchError, span: Span | None) -> MatchError:
    """The error, with a place if it has none."""
    if error.span is None:
        error.span = span
    return error


def placing(effect: Effect, span: Span | None) -> Effect:
    """An effect whose errors do not know their place by themselves."""

    def with_place(S: Cells) -> None:
        try:
            effect(S)
        except MatchError as error:
            raise placed(error, span) from None

    return with_place
