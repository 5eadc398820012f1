"""Moves where nobody looks and it is known beforehand where the cards lie: a whole zone, or the top of a stack.

The general way (`moves.py`) looks up of every card where it lies, and tells those who watch. Here there is nobody to be
told, so cards go from one zone to another as what the cell of the zone holds.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from rulesdsl.ir.nodes import Bound, Fold, MakePlay, Move, Op, PlayField, Prim, Quantifier, Shape, Term, ZoneCards
from rulesdsl.types import NONE

from ..evaluate.terms import Evaluator
from ..state.bits import members
from ..state.cells import STAMP, Closure
from ..state.errors import MatchError
from ..state.layout import Layout
from .code import Cells, Effect
from .moves import CARDS, Mover
from .walking import walker

Take = Callable[[Cells, int], Sequence[int]]
"""Takes cards out of the cell of a zone, and says which."""


def move(
    layout: Layout, evaluator: Evaluator, mover: Mover, sentence: Move, frame: Mapping[int, int], *, at_bottom: bool
) -> Effect | None:
    """A move out of one zone, None if it is not known beforehand that it is one."""
    with evaluator.framed(frame):
        found = _source(layout, evaluator, evaluator.prepared(sentence.cards))
    if found is None:
        return None
    zone_term, take = found
    zone = layout.zone_of(zone_term.zone)
    first, base = layout.first_zone[zone.name], zone.cell
    owner = None if zone_term.owner is None else evaluator.term(zone_term.owner, frame)
    place = evaluator.term(sentence.place, frame)
    cards, walk = evaluator.term(sentence.cards, frame), walker(sentence.cards.type)
    put, zones, span = mover.put, layout.zone_count, sentence.span

    def step(S: Cells) -> None:
        whose = 0 if owner is None else owner(S)
        there = place(S)
        if there == NONE:
            raise MatchError("cards can't be moved to nobody's place", span)
        if there >= zones:
            # Under a card, which must not be one of those that move.
            mover.move(S, walk(cards(S)), there, at_bottom=at_bottom, span=span)
        elif there != first + whose:
            taken = take(S, base + whose)
            if taken:
                put(S, taken, there, at_bottom)

    return step


def _source(layout: Layout, evaluator: Evaluator, cards: Term) -> tuple[ZoneCards, Take] | None:
    """The zone that cards come from, and how they are taken from it."""
    match cards:
        case ZoneCards() if layout.zone_of(cards.zone).shape is Shape.SET:
            return cards, _whole_set
        case ZoneCards() if layout.zone_of(cards.zone).shape in (Shape.STACK, Shape.ROW):
            return cards, _whole_row
        case Prim(op=Op.TOP, arguments=(ZoneCards() as row, number)):
            return row, _top(evaluator.compile(number))
        case Fold(
            quantifier=Quantifier.UNITE,
            source=ZoneCards() as plays,
            id=bound,
            body=PlayField(name="cards", play=Bound(id=named)),
        ) if named == bound:
            return plays, _all_plays
        case _:
            return None


def _whole_set(S: Cells, cell: int) -> Sequence[int]:
    cards = members(S[cell])
    S[cell] = 0
    return cards


def _whole_row(S: Cells, cell: int) -> Sequence[int]:
    cards: tuple[int, ...] = S[cell]
    S[cell] = ()
    return cards


def _all_plays(S: Cells, cell: int) -> Sequence[int]:
    cards = 0
    for play in S[cell]:
        cards |= play[CARDS]
    S[cell] = ()
    return members(cards)


def _top(number: Closure) -> Take:
    def top(S: Cells, cell: int) -> Sequence[int]:
        wanted = number(S)
        if wanted <= 0:
            return ()
        row: tuple[int, ...] = S[cell]
        S[cell] = row[:-wanted]
        return row[-wanted:]

    return top


def play(
    layout: Layout, evaluator: Evaluator, mover: Mover, sentence: MakePlay, frame: Mapping[int, int]
) -> Effect | None:
    """A play of one card, to a zone that is nobody's and whose plays have no fields; None if it is another."""
    with evaluator.framed(frame):
        cards = evaluator.prepared(sentence.cards)
    match cards:
        case Prim(op=Op.SINGLETON, arguments=(only,)) if sentence.owner is None:
            pass
        case _:
            return None
    zone = layout.zone_of(sentence.zone)
    if zone.declaration.fields:
        return None
    at, number, cell, zones = layout.at[zone.kind], zone.index, zone.cell, layout.zone_count
    # By zone the cell from which a card is taken as a bit; that of no zone is 0.
    sets = tuple(each.cell if each.shape is Shape.SET else 0 for each in layout.zones)
    take = mover.take

    def put(S: Cells, chosen: int, seat: int) -> None:
        if chosen == NONE:
            return
        bit = 1 << chosen
        source = S[at + chosen]
        lying = sets[source] if source < zones else 0
        if lying:
            S[lying] ^= bit
        else:
            take(S, (chosen,), source)
        S[at + chosen] = number
        stamp = S[STAMP]
        S[STAMP] = stamp + 1
        S[cell] += ((stamp, seat, bit),)

    card, player = evaluator.operand(only, frame), evaluator.operand(sentence.player, frame)
    R, picked, by = evaluator.registers, card.register, player.register
    if picked is not None and by is not None:
        return lambda S: put(S, R[picked], R[by])
    worth, whose = card.worth, player.worth
    return lambda S: put(S, worth(S), whose(S))
