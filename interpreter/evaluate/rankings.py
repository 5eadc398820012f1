"""Rankings: the best members of a sequence by keys, the first that differs decides."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from rulesdsl.ir.nodes import Bound, MakeTuple, PlayField, Rank, Ranking, Term
from rulesdsl.types import Card, ListOf, Number, Play, SetOf, Type

from ..state.cells import Closure, State
from ..state.domains import first_of, member_of
from . import plays
from .analysis import children, rebuilt
from .keyed import by_value, keyed, remembered
from .loops import Loop

if TYPE_CHECKING:
    from .terms import Evaluator


def ranked(compiler: Evaluator, term: Rank) -> Closure:
    """The best members by keys, in the representation of the source."""
    source = term.source.type
    if isinstance(source, SetOf):
        if compiler.optimise:
            whole = _ranked_at_once(compiler, term, source.of)
            if whole is not None:
                return whole
        first = first_of(source.of)
        best = _best(compiler, term)

        def best_set(S: State) -> int:
            bits = 0
            for value in best(S):
                bits |= 1 << value - first
            return bits

        return best_set
    best = _best(compiler, term)
    if plays.is_row_of_plays(term.source):
        return lambda S: tuple([play[0] for play in best(S)])
    return lambda S: tuple(best(S))


def ranked_plays(compiler: Evaluator, term: Rank) -> Callable[[State], Sequence[plays.PlayTuple]]:
    """The best plays themselves."""
    return _best(compiler, term)


def first_ranked_play(compiler: Evaluator, term: Rank) -> Callable[[State], plays.PlayTuple | None]:
    """The first of the best plays, None if there is no play at all."""
    best = _first_by_cards(compiler, term)
    if best is not None:
        return best
    ranked = _best(compiler, term)

    def first(S: State) -> plays.PlayTuple | None:
        found = ranked(S)
        return found[0] if found else None

    return first


def _best(compiler: Evaluator, term: Rank) -> Callable[[State], list[Any]]:
    if compiler.optimise and plays.is_row_of_plays(term.source):
        by_cards = _best_by_cards(compiler, term)
        if by_cards is not None:
            return by_cards
    loop = Loop(compiler, term.source, term.id, term.keys)
    walk, register = loop.walk, loop.register
    R = compiler.registers
    key = loop.body if len(loop.bodies) == 1 else _tuple_of(loop.bodies)
    choose = _CHOOSERS[term.ranking]

    def best(S: State) -> list[Any]:
        members = walk(S)
        keys = []
        for R[register] in members:
            keys.append(key(S))
        return choose(members, keys)

    return best


def _best_by_cards(compiler: Evaluator, term: Rank) -> Callable[[State], list[Any]] | None:
    """The best plays where the keys look at nothing of a play but its cards."""
    function = _key_of_cards(compiler, term)
    if function is None:
        return None
    walk = compiler.plays(term.source)
    choose = _CHOOSERS[term.ranking]

    def best(S: State) -> list[Any]:
        members = walk(S)
        if not members:
            return []
        worth = function(S)
        return choose(members, [worth[play[plays.CARDS_AT]] for play in members])

    return best


def _first_by_cards(compiler: Evaluator, term: Rank) -> Callable[[State], plays.PlayTuple | None] | None:
    """The first of them."""
    if not compiler.optimise or term.ranking is Ranking.UNIQUE_HIGHEST:
        return None
    function = _key_of_cards(compiler, term)
    if function is None:
        return None
    walk = compiler.plays(term.source)
    lowest = term.ranking is Ranking.LOWEST

    def first(S: State) -> plays.PlayTuple | None:
        found: plays.PlayTuple | None = None
        members = walk(S)
        if members:
            worth = function(S)
            best: Any = None
            for play in members:
                key = worth[play[2]]
                if found is None or (key < best if lowest else key > best):
                    found, best = play, key
        return found

    return first


def _key_of_cards(compiler: Evaluator, term: Rank) -> Callable[[State], Mapping[Any, Any]] | None:
    """The keys as a function of a play's cards, if they look at nothing else of it."""
    member = member_of(term.source.type)
    if not isinstance(member, Play):
        return None
    zone = compiler.layout.zone_of(member.zone)
    cards = compiler.fresh(Bound(0, "cards", type=SetOf(Card(zone.kind))))
    key = term.keys[0] if len(term.keys) == 1 else MakeTuple(term.keys, type=ListOf(Number()))
    looked_at = _with_cards(key, term.id, cards)
    if term.id in compiler.analyst.facts(looked_at).free:
        return None
    return by_value(compiler, looked_at, cards)


def _with_cards(term: Term, play: int, cards: Bound) -> Term:
    """The term with a bound in the place of the cards of a play."""
    match term:
        case PlayField(name="cards", play=Bound(id=named)) if named == play:
            return cards
        case _:
            inside = children(term)
            return rebuilt(term, [_with_cards(part, play, cards) for part in inside]) if inside else term


def _tuple_of(bodies: list[Closure]) -> Closure:
    if len(bodies) == 2:
        first, second = bodies
        return lambda S: (first(S), second(S))
    return lambda S: tuple([body(S) for body in bodies])


def _highest(members: Sequence[Any], keys: list[Any]) -> list[Any]:
    best = max(keys, default=None)
    return [member for member, key in zip(members, keys, strict=True) if key == best]


def _lowest(members: Sequence[Any], keys: list[Any]) -> list[Any]:
    best = min(keys, default=None)
    return [member for member, key in zip(members, keys, strict=True) if key == best]


def _unique_highest(members: Sequence[Any], keys: list[Any]) -> list[Any]:
    single = [key for key in keys if keys.count(key) == 1]
    best = max(single, default=None)
    return [member for member, key in zip(members, keys, strict=True) if key == best]


_CHOOSERS: dict[Ranking, Callable[[Sequence[Any], list[Any]], list[Any]]] = {
    Ranking.HIGHEST: _highest,
    Ranking.LOWEST: _lowest,
    Ranking.UNIQUE_HIGHEST: _unique_highest,
}


def _ranked_at_once(compiler: Evaluator, term: Rank, of: Type) -> Closure | None:
    """A ranking whose keys are fixed for every member: the members fall into groups of equals, the best first."""
    keys: Term = term.keys[0]
    if len(term.keys) > 1:
        keys = MakeTuple(term.keys, type=ListOf(Number()))
    by_keys = keyed(compiler, keys, term.id, of)
    if by_keys is None:
        return None
    descending = term.ranking is not Ranking.LOWEST
    groups, bits = (
        remembered(compiler, by_keys, lambda values: _ordered(values, descending=descending)).closure,
        compiler.compile(term.source),
    )
    single = term.ranking is Ranking.UNIQUE_HIGHEST

    def best(S: State) -> int:
        members = bits(S)
        if members:
            for mask in groups(S):
                found: int = members & mask
                if found and not (single and found & (found - 1)):
                    return found
        return 0

    return best


def _ordered(values: list[Any], *, descending: bool) -> list[int]:
    masks: dict[Any, int] = {}
    for index, value in enumerate(values):
        masks[value] = masks.get(value, 0) | 1 << index
    return [masks[value] for value in sorted(masks, reverse=descending)]
