"""The text of a card: what each of its powers does, in the order in which its kind declares them.

It is made of the powers themselves, so it says what they do, and all of it.
"""

from __future__ import annotations

import re
from collections.abc import Mapping

from ..syntax.document import CasesBody, ComponentsBody, ExprBody, StepsBody, TableBody
from ..syntax.expr import Binary, Choice, Not, Operator, TypeExpr, YesNoLiteral
from ..syntax.powers import ChangesBody, PartsBody, PowerBody
from .changes import body_value, change
from .english import THIS, YOU, readable, sentence
from .filling import filled, holes_of
from .inlining import inlined
from .lexicon import Lexicon
from .phrases import PLAYER, SELF, Phrases
from .picks import called, chosen
from .steps import clauses

_TRIVIAL = re.compile(r" (?:if|when|whenever|while) in any case\b")


def text_of(powers: Mapping[str, PowerBody], types: Mapping[str, TypeExpr], lexicon: Lexicon) -> tuple[str, ...]:
    """What is written on a card: a line for each of its powers."""
    powers = inlined(powers)
    parts = tuple(part for body in powers.values() if isinstance(body, PartsBody) for part in body.parts)
    names = {part.name: called(part, lexicon) for part in parts}
    phrases = Phrases(lexicon, {SELF: THIS, PLAYER: YOU, **names}, frozenset(names))
    order = [*(name for name in types if name in powers), *(name for name in powers if name not in types)]
    return tuple(_line(name, powers[name], types.get(name), phrases) for name in order)


def _line(name: str, body: PowerBody, type_: TypeExpr | None, phrases: Phrases) -> str:
    match body:
        case PartsBody():
            inner = Phrases(phrases.lexicon, {SELF: THIS, PLAYER: YOU})
            picked = chosen(body.parts, inner)
            where = f", such that {phrases.condition(body.where)}" if body.where is not None else ""
            return _paragraph(name, [f"{picked.text}{where}"], phrases.lexicon, leads="choose ")
        case StepsBody():
            return _paragraph(name, clauses(body.steps, phrases), phrases.lexicon)
        case ChangesBody():
            free = phrases.knowing({PLAYER: "the acting player"})
            return _paragraph(name, [change(one, free) for one in body.changes], phrases.lexicon)
        case CasesBody() if type_ is not None and type_.name == "yes_no":
            return _paragraph(name, [_claims(body, phrases)], phrases.lexicon)
        case ExprBody() if type_ is not None and type_.name == "yes_no":
            return _paragraph(name, [phrases.condition(body.value)], phrases.lexicon)
        case ExprBody() | CasesBody() | TableBody() | ComponentsBody():
            return _paragraph(name, [body_value(body, phrases)], phrases.lexicon)


def _claims(body: CasesBody, phrases: Phrases) -> str:
    """Cases of yes or no, one after the other."""
    *before, last = body.cases
    whole = last.value
    for case in reversed(before):
        assert case.condition is not None  # only the last case has none
        match case.value:
            case YesNoLiteral(value=False):
                whole = Binary(Operator.AND, Not(case.condition, span=case.span), whole, span=case.span)
            case YesNoLiteral():
                whole = Binary(Operator.OR, case.condition, whole, span=case.span)
            case _:
                whole = Choice(case.condition, case.value, whole, span=case.span)
    return phrases.condition(whole)


def _paragraph(name: str, said: list[str], lexicon: Lexicon, leads: str = "") -> str:
    """What a power says, behind the words with which its kind begins or in their hole."""
    first, *more = said or ["nothing"]
    wording = lexicon.find(name)
    if wording is not None and name in holes_of(wording.text):
        begins = filled(wording.text, {name: first})
    else:
        begins = f"{wording.text if wording is not None else readable(name)}: {leads}{first}"
    whole = _TRIVIAL.sub("", begins)
    return " ".join([sentence(whole), *(sentence(one) for one in more)])
