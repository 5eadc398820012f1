"""Terms that read a few cells of the state, always the same ones: worked out again only when one of those has changed.

A cell holds an immutable value. As long as the very same value lies in each of the cells, the term is worth the same,
in whichever state they lie.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from rulesdsl.ir.nodes import Bound, Call, Const, Filter, Fold, Map, PlayField, Rank, Term, Var, ZoneCards
from rulesdsl.types import Number

from ..state.cells import Closure, State
from .analysis import children

if TYPE_CHECKING:
    from ..state.layout import Layout
    from .terms import Evaluator

MOST_CELLS = 4
"""To look at more cells costs as much as it saves."""

_LOOPS = (Filter, Fold, Map, Rank)
_SMALL = 8


class _Elsewhere(Exception):
    """The term reads something whose place in the state is not fixed."""


def worth_keeping(compiler: Evaluator, term: Term) -> bool:
    """Whether a term without open names goes from member to member of something that lies in a few fixed cells."""
    facts = compiler.analyst.facts(term)
    return (
        not facts.free
        and not facts.static
        and facts.size >= _SMALL
        and _has_loop(term)
        and bool(cells_of(compiler, term))
    )


def _has_loop(term: Term) -> bool:
    return isinstance(term, _LOOPS) or any(_has_loop(child) for child in children(term))


def cells_of(compiler: Evaluator, term: Term) -> tuple[int, ...]:
    """The cells that a term reads; none if they are many or not fixed."""
    found: set[int] = set()
    try:
        _collect(compiler, term, found)
    except _Elsewhere:
        return ()
    return tuple(sorted(found)) if len(found) <= MOST_CELLS else ()


def _collect(compiler: Evaluator, term: Term, found: set[int]) -> None:
    layout = compiler.layout
    inside = children(term)
    match term:
        case ZoneCards(zone=zone):
            found.update(_zones(layout, zone, term.owner))
        case PlayField(zone=zone):
            found.update(_zones(layout, zone, Bound(0, "", type=term.type)))
        case Var(name=name, index=index):
            info = layout.variables[name]
            if len(index) > 1 or any(isinstance(dimension, Number) for dimension in info.declaration.each):
                raise _Elsewhere
            match index:
                case (Const(value=int(member)),):
                    found.add(info.base + member)
                case _:
                    found.update(range(info.base, info.base + info.size))
        case Call(rule=rule):
            _collect(compiler, compiler.declared_rule(rule).body, found)
        case _:
            marks = [Const(0, type=part.type) for part in inside]
            if not compiler.is_pure(term, marks):
                raise _Elsewhere
    if len(found) > MOST_CELLS:
        raise _Elsewhere
    for part in inside:
        _collect(compiler, part, found)


def _zones(layout: Layout, name: str, owner: Term | None) -> list[int]:
    cells = [zone.cell for zone in layout.zones if zone.name == name]
    if isinstance(owner, Const) and isinstance(owner.value, int):
        return [cells[owner.value]]
    return cells


def kept(cells: tuple[int, ...], body: Closure) -> Closure:
    """The term, with what it was worth last time."""
    nothing = object()
    if len(cells) == 1:
        (cell,) = cells
        last: Any = nothing
        value: Any = None

        def by_one(S: State) -> Any:
            nonlocal last, value
            now = S[cell]
            if now is not last:
                value = body(S)
                last = now
            return value

        return by_one
    if len(cells) == 2:
        first, second = cells
        last_first: Any = nothing
        last_second: Any = nothing
        by_two_value: Any = None

        def by_two(S: State) -> Any:
            nonlocal last_first, last_second, by_two_value
            if S[first] is not last_first or S[second] is not last_second:
                by_two_value = body(S)
                last_first, last_second = S[first], S[second]
            return by_two_value

        return by_two
    before: list[Any] = [nothing] * len(cells)
    remembered: Any = None

    def by_some(S: State) -> Any:
        nonlocal before, remembered
        now = [S[cell] for cell in cells]
        for new, old in zip(now, before, strict=True):
            if new is not old:
                remembered = body(S)
                before = now
                break
        return remembered

    return by_some
