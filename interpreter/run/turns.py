"""Whose turn it is in a loop: the members of its sequence in order, beginning where the loop says."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from rulesdsl.ir.nodes import AllOf, Each, Term, Together
from rulesdsl.types import NONE, Range, RowOf, Seat, SetOf

from ..evaluate.terms import Evaluator
from ..state.cells import Closure
from ..state.errors import MatchError
from ..state.layout import Layout
from .code import Cells
from .walking import walker

Members = Callable[[Cells], Sequence[int]]
"""Who takes part, in order."""

NOBODY = "it is not said with whom to begin"


def members_of(loop: Each | Together, layout: Layout, evaluator: Evaluator, frame: Mapping[int, int]) -> Members:
    """The members of a loop, as a function of the state at which it begins."""
    source = evaluator.term(loop.source, frame)
    of = loop.source.type
    if loop.start is None:
        if isinstance(of, Range):
            return lambda S: range(source(S)[0], source(S)[1] + 1)
        if isinstance(of, RowOf | SetOf) and isinstance(loop.source, AllOf):
            everyone = tuple(walker(of)(source([])))
            return lambda S: everyone
        walk = walker(of)
        if isinstance(of, SetOf):

            def chosen(S: Cells) -> Sequence[int]:
                among = source(S)
                return walk(among) if among else ()

            return chosen
        return lambda S: walk(source(S))
    start = _start(loop.start, evaluator, frame)
    if isinstance(of, SetOf) and isinstance(of.of, Seat):
        clockwise = layout.seating.clockwise
        if isinstance(loop.source, AllOf):
            first_of_all, span = evaluator.term(loop.start, frame), loop.start.span

            def everybody(S: Cells) -> Sequence[int]:
                first: int = first_of_all(S)
                if first == NONE:
                    raise MatchError(NOBODY, span)
                return clockwise[first]

            return everybody

        def seats(S: Cells) -> Sequence[int]:
            among = source(S)
            return [seat for seat in clockwise[start(S)] if among >> seat & 1]

        return seats
    walk = walker(of)

    def rotated(S: Cells) -> Sequence[int]:
        row = list(walk(source(S)))
        first = start(S)
        begin = row.index(first) if first in row else 0
        return row[begin:] + row[:begin]

    return rotated


def _start(term: Term, evaluator: Evaluator, frame: Mapping[int, int]) -> Closure:
    start = evaluator.term(term, frame)
    span = term.span

    def checked(S: Cells) -> int:
        first: int = start(S)
        if first == NONE:
            raise MatchError(NOBODY, span)
        return first

    return checked
