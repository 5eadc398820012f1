"""What a decision asks for, in words: `another player`, `1 or 2 of the items, each of which must be gear`."""

from __future__ import annotations

from dataclasses import dataclass
from typing import assert_never

from ..syntax import expr as e
from ..syntax.document import PartDoc
from ..syntax.expr import Amount, Pick
from .english import YOU, is_several, listed, plural, readable, singular, with_article
from .lexicon import Lexicon
from .phrases import PLAYER, Phrases, as_some, peeled
from .relatives import to_choose


@dataclass(frozen=True, slots=True)
class Chosen:
    """Parts of a decision in words, and what they are called from then on."""

    text: str
    names: dict[str, str]


def chosen(parts: tuple[PartDoc, ...], phrases: Phrases) -> Chosen:
    """All parts of a decision, one after the other; a later one may speak of those before it."""
    said: list[str] = []
    names: dict[str, str] = {}
    for part in parts:
        inner = phrases.knowing(names)
        if part.acting is not None:
            inner = inner.knowing({PLAYER: inner.value(part.acting)})
        text = pick(part.pick, inner)
        names[part.name] = called(part, phrases.lexicon)
        of_role = names[part.name].startswith(("the ", "“"))
        said.append(_in_role(part, text, names[part.name]) if of_role else text)
    return Chosen(listed(said), names)


def called(part: PartDoc, lexicon: Lexicon) -> str:
    """What is chosen as a part, in all that follows."""
    wording = lexicon.find(part.name)
    if wording is not None:
        return wording.text
    return f"“{readable(part.name)}”" if isinstance(part.pick, e.PickAnswer) else f"the {readable(part.name)}"


def _in_role(part: PartDoc, text: str, role: str) -> str:
    """What is chosen, and what it is called afterwards: `another player as the victim`."""
    if isinstance(part.pick, e.PickAnswer):
        return f"{text} for {role}"
    return f"{text} as {role}" if len(text.split()) <= 4 else f"as {role} {text}"


def pick(of: Pick, phrases: Phrases) -> str:
    """What may be picked."""
    match of:
        case e.PickFrom():
            return _from(of, phrases)
        case e.PickOne():
            if isinstance(of.source, e.Items):
                return listed([phrases.value(item) for item in of.source.items], "or")
            return f"one of {as_some(phrases.value(of.source))}"
        case e.PickNumber():
            return f"a number from {phrases.value(of.low)} to {phrases.value(of.high)}"
        case e.PickAnswer():
            return "yes or no"
        case e.PickOrder():
            return f"an order of {phrases.value(of.source)}"
        case e.PickParts():
            who = f" for {phrases.value(of.player)}" if of.player is not None else ""
            asked = phrases.value(of.power)
            return f"{'something else than now' if of.other else 'what is asked for'} by {asked}{who}"
        case e.PickWriting():
            domain = f" from {phrases.value(of.domain)}" if of.domain is not None else ""
            amount = "each of" if of.amount.every else f"{amount_of(of.amount, phrases)} of"
            return f"the {readable(of.field_name)}{domain} for {amount} {phrases.value(of.cards)}"
        case e.ErrorExpr():
            return of.span.text
        case _:
            assert_never(of)


def _from(of: e.PickFrom, phrases: Phrases) -> str:
    source, conditions = peeled(of.source)
    noun = singular(of.noun)
    wording = phrases.lexicon.find(noun)
    noun = wording.text if wording is not None else readable(noun)
    if isinstance(source, e.Name) and source.name in ("players", "others") and source.name not in phrases.names:
        said = _of_people(of.amount, noun, phrases, others=source.name == "others")
        clauses = phrases.tests("players", conditions)
    else:
        there = phrases.place(source)
        clauses = phrases.tests(there, conditions)
        amount = amount_of(of.amount, phrases)
        if is_several(there) and not phrases.is_zone(source):
            said = f"{'one' if of.amount.single else amount} of {as_some(there)}"
        elif of.amount.single:
            said = f"{with_article(noun)} from {there}"
        else:
            said = f"{amount} {noun if _is_one(of.amount) else plural(noun)} from {there}"
    return said + to_choose(clauses, each=not of.amount.single and not _is_one(of.amount))


def _of_people(amount: Amount, noun: str, phrases: Phrases, *, others: bool) -> str:
    acting = phrases.names.get(PLAYER, YOU)
    if amount.single:
        if not others:
            return with_article(noun)
        return f"another {noun}" if acting == YOU else f"{with_article(noun)} other than {acting}"
    other = "other " if others else ""
    behind = f" (not {acting})" if others and acting != YOU else ""
    return f"{amount_of(amount, phrases)} {other}{noun if _is_one(amount) else plural(noun)}{behind}"


def amount_of(amount: Amount, phrases: Phrases) -> str:
    """How many: `1`, `1 or 2`, `up to 3`, `any number`."""
    if amount.single:
        return "one"
    if amount.every:
        return "each"
    if amount.high is None:
        return "any number" if amount.low is None else f"at least {phrases.value(amount.low)}"
    high = phrases.value(amount.high)
    low = "0" if amount.low is None else phrases.value(amount.low)
    if low == high:
        return high
    if low == "0":
        return f"up to {high}"
    return f"{low} or {high}" if low.isdigit() and high == str(int(low) + 1) else f"{low} to {high}"


def _is_one(amount: Amount) -> bool:
    """Whether not more than one can be picked."""
    return isinstance(amount.high, e.NumberLiteral) and amount.high.value <= 1
