"""Filters, maps and folds: terms that go from member to member of a sequence."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import TYPE_CHECKING, Any, assert_never

from rulesdsl.ir.nodes import AllOf, Bound, Const, Filter, Fold, Map, Op, Prim, Quantifier, Shape, Term, ZoneCards
from rulesdsl.types import NONE, Seat, SetOf, Type

from ..state.cells import Closure, State
from ..state.domains import member_of
from . import plays
from .filters import sieve
from .keyed import Recall, keyed, remembered
from .sequences import values_of

if TYPE_CHECKING:
    from .terms import Evaluator

Walk = Callable[[State], Sequence[Any]]


class Loop:
    """The parts of a loop over a source: what it walks, the register of the member, how it starts."""

    def __init__(self, compiler: Evaluator, source: Term, member: int, bodies: Iterable[Term]) -> None:
        R = compiler.registers
        if plays.is_row_of_plays(source):
            self.walk: Walk = compiler.plays(source)
        else:
            self.walk = values_of(compiler, source)
        of = member_of(source.type)
        with compiler.loop((member,)) as scope:
            register = compiler.bind(member, of)
            self.bodies = [compiler.compile(body) for body in bodies]
        self.register = register
        self.body = self.bodies[0]
        kept = tuple(scope.kept)
        if kept:
            inner = self.walk

            def walk(S: State) -> Sequence[Any]:
                values = inner(S)
                for slot in kept:
                    R[slot] = None
                return values

            self.walk = walk


# ── filters ──────────────────────────────────────────────────────────────────────────────────────────────────────


def filtered(compiler: Evaluator, term: Filter) -> Closure:
    """The members for which a condition holds."""
    R = compiler.registers
    if isinstance(term.source.type, SetOf):
        bits = compiler.compile(term.source)
        condition = sieve(compiler, term.condition, term.id, term.source.type.of)
        keep = condition.keep
        if condition.mask is not None and condition.mask.now is not None:
            now = condition.mask.now
            return lambda S: bits(S) & now(S)
        return lambda S: keep(S, bits(S))
    if compiler.optimise and plays.is_row_of_plays(term):
        kept_plays = filtered_plays(compiler, term)
        return lambda S: tuple([play[0] for play in kept_plays(S)])
    loop = Loop(compiler, term.source, term.id, [term.condition])
    walk, register, holds = loop.walk, loop.register, loop.body
    if plays.is_row_of_plays(term):

        def stamps(S: State) -> tuple[Any, ...]:
            kept = []
            for R[register] in walk(S):
                if holds(S):
                    kept.append(R[register][0])
            return tuple(kept)

        return stamps

    def values(S: State) -> tuple[Any, ...]:
        kept = []
        for value in walk(S):
            R[register] = value
            if holds(S):
                kept.append(value)
        return tuple(kept)

    return values


def filtered_plays(compiler: Evaluator, term: Filter) -> Callable[[State], Sequence[plays.PlayTuple]]:
    """The plays themselves for which a condition holds."""
    loop = Loop(compiler, term.source, term.id, [term.condition])
    walk, register, holds = loop.walk, loop.register, loop.body
    R = compiler.registers

    def kept(S: State) -> list[plays.PlayTuple]:
        found = []
        for play in walk(S):
            R[register] = play
            if holds(S):
                found.append(play)
        return found

    return kept


# ── maps and folds ───────────────────────────────────────────────────────────────────────────────────────────────


def mapped(compiler: Evaluator, term: Map) -> Closure:
    """The value of a term for every member."""
    loop = Loop(compiler, term.source, term.id, [term.body])
    walk, register, body = loop.walk, loop.register, loop.body
    R = compiler.registers

    def values(S: State) -> tuple[Any, ...]:
        found = []
        for R[register] in walk(S):
            found.append(body(S))
        return tuple(found)

    return values


def folded(compiler: Evaluator, term: Fold) -> Closure:
    """The values of a term for every member, put together."""
    if compiler.optimise and isinstance(term.source.type, SetOf):
        whole = _at_once(compiler, term, term.source.type.of)
        if whole is not None:
            return whole
    loop = Loop(compiler, term.source, term.id, [term.body])
    return _put_together(compiler.registers, term.quantifier, loop.walk, loop.register, loop.body)


def _put_together(R: list[Any], quantifier: Quantifier, walk: Walk, register: int, body: Closure) -> Closure:
    match quantifier:
        case Quantifier.SUM:

            def total(S: State) -> int:
                found = 0
                for R[register] in walk(S):
                    value = body(S)
                    if value != NONE:
                        found += value
                return found

            return total
        case Quantifier.MIN | Quantifier.MAX:
            best = min if quantifier is Quantifier.MIN else max

            def extreme(S: State) -> int:
                found: Any = NONE
                for R[register] in walk(S):
                    value = body(S)
                    if value != NONE:
                        found = value if found == NONE else best(found, value)
                return found  # type: ignore[no-any-return]

            return extreme
        case Quantifier.COUNT:

            def number(S: State) -> int:
                found = 0
                for R[register] in walk(S):
                    if body(S):
                        found += 1
                return found

            return number
        case Quantifier.ANY:

            def some(S: State) -> int:
                for R[register] in walk(S):
                    if body(S):
                        return 1
                return 0

            return some
        case Quantifier.ALL:

            def every(S: State) -> int:
                for R[register] in walk(S):
                    if not body(S):
                        return 0
                return 1

            return every
        case Quantifier.FIRST:

            def first(S: State) -> Any:
                for R[register] in walk(S):
                    value = body(S)
                    if value != NONE:
                        return value
                return NONE

            return first
        case Quantifier.UNITE:

            def union(S: State) -> Any:
                found: Any = None
                for R[register] in walk(S):
                    value = body(S)
                    found = value if found is None else _united(found, value)
                return 0 if found is None else found

            return union
        case _:
            assert_never(quantifier)


def _united(left: Any, right: Any) -> Any:
    return left | right if isinstance(left, int) else tuple(dict.fromkeys(left + right))


def _at_once(compiler: Evaluator, term: Fold, of: Type) -> Closure | None:
    """A fold over a set without going from member to member, where that can be."""
    if term.quantifier is Quantifier.UNITE:
        return _all_owners(compiler, term, of)
    if term.quantifier is Quantifier.ANY and (zones := _any_owner(compiler, term, of)) is not None:
        return zones
    if term.quantifier in (Quantifier.ANY, Quantifier.ALL, Quantifier.COUNT):
        if compiler.analyst.facts(term.body).fallible:
            return None
        condition = sieve(compiler, term.body, term.id, of)
        if not condition.at_once:
            return None
        keep, bits = condition.keep, compiler.compile(term.source)
        if condition.mask is not None and term.quantifier is not Quantifier.ALL:
            return _masked(bits, condition.mask, count=term.quantifier is Quantifier.COUNT)
        if term.quantifier is Quantifier.ANY:
            return lambda S: 1 if keep(S, bits(S)) else 0
        if term.quantifier is Quantifier.COUNT:
            return lambda S: keep(S, bits(S)).bit_count()

        def every(S: State) -> int:
            all_of_them = bits(S)
            return 1 if keep(S, all_of_them) == all_of_them else 0

        return every
    if term.quantifier is Quantifier.FIRST:
        return None
    by_keys = keyed(compiler, term.body, term.id, of)
    if by_keys is None:
        return None
    recall, bits = remembered(compiler, by_keys, _groups), compiler.compile(term.source)
    groups = recall.closure
    if term.quantifier is Quantifier.SUM and recall.now is None:
        fixed = [(value, mask) for value, mask in recall.fixed if value]

        def fixed_total(S: State) -> int:
            members = bits(S)
            return sum([value * (members & mask).bit_count() for value, mask in fixed])

        return fixed_total
    if term.quantifier is Quantifier.SUM:

        def total(S: State) -> int:
            members = bits(S)
            return sum([value * (members & mask).bit_count() for value, mask in groups(S) if value]) if members else 0

        return total
    descending = term.quantifier is Quantifier.MAX

    def extreme(S: State) -> Any:
        members = bits(S)
        if members:
            for value, mask in reversed(groups(S)) if descending else groups(S):
                if members & mask:
                    return value
        return NONE

    return extreme


def _masked(bits: Closure, mask: Recall, *, count: bool) -> Closure:
    """How many members of a set are in another, or whether one is."""
    if mask.now is None:
        fixed: int = mask.fixed
        if count:
            return lambda S: (bits(S) & fixed).bit_count()
        return lambda S: 1 if bits(S) & fixed else 0
    now = mask.now
    if count:
        return lambda S: (bits(S) & now(S)).bit_count()
    return lambda S: 1 if bits(S) & now(S) else 0


def _groups(values: list[Any]) -> list[tuple[Any, int]]:
    """Every value but none with the set of members that have it, from the lowest value on."""
    masks: dict[Any, int] = {}
    for index, value in enumerate(values):
        if value != NONE:
            masks[value] = masks.get(value, 0) | 1 << index
    return sorted(masks.items())


def _any_owner(compiler: Evaluator, term: Fold, of: Type) -> Closure | None:
    """Whether something lies in any of the zones that every seat has: an empty zone is an empty set or row."""
    match term:
        case Fold(
            source=AllOf() | Const() as everybody,
            body=Prim(op=Op.NOT, arguments=(Prim(op=Op.IS_EMPTY, arguments=(ZoneCards() as held,)),)),
        ) if isinstance(of, Seat) and isinstance(held.owner, Bound) and held.owner.id == term.id:
            first = compiler.layout.zone_of(held.zone).cell
            last = first + compiler.layout.seats
            if isinstance(everybody, Const) and everybody.value != (1 << compiler.layout.seats) - 1:
                return None
            return lambda S: 1 if any(S[first:last]) else 0
        case _:
            return None


def _all_owners(compiler: Evaluator, term: Fold, of: Type) -> Closure | None:
    """All cards in the zones that every seat has, united: the zones lie side by side in the state."""
    layout = compiler.layout
    match term.body:
        case ZoneCards(zone=name, owner=Bound(id=owner)) if owner == term.id and isinstance(of, Seat):
            zone = layout.zone_of(name)
            if zone.shape is not Shape.SET:
                return None
            cell, seats = zone.cell, compiler.compile(term.source)
            everyone = (1 << layout.seats) - 1
            last = cell + layout.seats

            def union(S: State) -> int:
                chosen = seats(S)
                found = 0
                if chosen == everyone:
                    for cards in S[cell:last]:
                        found |= cards
                    return found
                for seat, cards in enumerate(S[cell:last]):
                    if chosen >> seat & 1:
                        found |= cards
                return found

            return union
        case _:
            return None
