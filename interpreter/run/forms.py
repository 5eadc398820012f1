"""Which of several forms of one place is meant, where a match is started in the middle: that of the modifiers in force.

A phase or a decision that a modifier changes stands in a program once for each form, under conditions that ask what is
in force. Such conditions can be asked before anything runs. Of what comes and goes with a card, the guard tells which.
"""

from __future__ import annotations

from rulesdsl.ir.nodes import InForce, LiesIn, Op, Prim, RowCard, Term
from rulesdsl.types import YesNo


def asked_of_modifiers(condition: Term, *, holds: bool = True) -> Term | None:
    """What a condition asks of the modifiers in force, where it holds or where it fails; None if nothing."""
    if not holds:
        return Prim(Op.NOT, (condition,), type=YesNo()) if _is_about_modifiers(condition) else None
    match condition:
        case Prim(op=Op.AND, arguments=(first, second)):
            parts = [part for part in map(asked_of_modifiers, (first, second)) if part is not None]
            return parts[0] if len(parts) == 1 else Prim(Op.AND, tuple(parts), type=YesNo()) if parts else None
        case _:
            return condition if _is_about_modifiers(condition) else None


def card_in_play(guard: Term) -> RowCard | None:
    """The card that has to lie in play for a guard to hold, if there is one: what it guards comes of that card."""
    match guard:
        case LiesIn(card=RowCard() as card):
            return card
        case Prim(op=Op.AND, arguments=(first, _)):
            return card_in_play(first)
        case _:
            return None


def _is_about_modifiers(term: Term) -> bool:
    match term:
        case InForce() | LiesIn(card=RowCard()):
            return True
        case Prim(op=Op.AND | Op.OR | Op.NOT, arguments=arguments):
            return all(map(_is_about_modifiers, arguments))
        case _:
            return False
