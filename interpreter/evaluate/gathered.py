"""Long sums and unions in which most parts count only while some card is in play: added up in one loop.

Of many cards with lasting powers a few lie there at a time; what the others would add is passed over.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from rulesdsl.ir.nodes import Const, If, LiesIn, Op, Prim, Term

from ..state.cells import Closure, State
from . import readers

if TYPE_CHECKING:
    from .terms import Evaluator

FEWEST = 3
"""So many parts are worth a loop."""


def gathered(compiler: Evaluator, term: Prim) -> Closure | None:
    """The sum of numbers, or the union of sets of one type; None if few parts wait for a card."""
    parts: list[Term] = []
    rest: Term = term
    while isinstance(rest, Prim) and rest.op is term.op and all(p.type == term.type for p in _sets(rest)):
        parts.append(rest.arguments[1])
        rest = rest.arguments[0]
    waiting: list[tuple[int, LiesIn, Term]] = []
    others: list[Term] = []
    for part in reversed(parts):
        match part:
            case If(condition=LiesIn(card=card) as place, then=then, otherwise=Const(value=0)) if (
                cell := readers.cell_of_card(compiler, card)
            ) is not None:
                waiting.append((cell, place, then))
            case _:
                others.append(part)
    if not compiler.optimise or len(waiting) < FEWEST:
        return None
    if others and any(compiler.analyst.facts(part).fallible for part in parts):
        return None  # what goes wrong first must be told first
    for part in others:
        rest = Prim(term.op, (rest, part), type=term.type, span=term.span)
    base = compiler.compile(rest)
    entries = [(cell, readers.zones_asked(compiler, place), compiler.compile(then)) for cell, place, then in waiting]
    if term.op is Op.UNION:

        def union(S: State) -> Any:
            found = base(S)
            for cell, zones, worth in entries:
                if S[cell] in zones:
                    found |= worth(S)
            return found

        return union

    def total(S: State) -> Any:
        found = base(S)
        for cell, zones, worth in entries:
            if S[cell] in zones:
                found += worth(S)
        return found

    return total


def _sets(term: Prim) -> tuple[Term, ...]:
    """The operands that must be of one type: sets of numbers may begin elsewhere."""
    return term.arguments if term.op is Op.UNION else ()
