"""Decisions that ask for what a card wants to know when it is declared: `aims: parts of card.targets`.

Each card has parts of its own, so such a decision has one way of answering for each list of parts, open to the cards
that have just this list. What is answered is written on the card, and what it was told before is wiped out.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from functools import reduce

from ..syntax.document import AlternativeDoc, DecisionDoc, PartDoc, SentenceDoc, StepDoc
from ..syntax.expr import (
    Binary,
    Call,
    Expr,
    Name,
    Not,
    Operator,
    PickFrom,
    PickParts,
    SetTo,
    Where,
)
from ..syntax.powers import PARTS, PartsBody
from ..types import Type
from .names import Names, nearest
from .performing import blank, is_row
from .powers import KindPowers, with_self


def in_ways(
    step: DecisionDoc, rest: tuple[StepDoc, ...], names: Names, kept: Mapping[str, Mapping[str, Type]]
) -> DecisionDoc:
    """The decision with one alternative for each way of answering; as it was if it asks for nothing of the kind.

    `rest` are the steps behind it, which follow its answer if it says no more; `kept` are the fields of every kind.
    """
    acts = step.either or (
        AlternativeDoc(None, step.choose, step.under, step.where, step.then or rest, span=step.span),
    )
    if not any(isinstance(part.pick, PickParts) for act in acts for part in act.choose):
        return step
    return replace(step, either=tuple(way for act in acts for way in _ways(act, names, kept)))


def _ways(act: AlternativeDoc, names: Names, kept: Mapping[str, Mapping[str, Type]]) -> Iterable[AlternativeDoc]:
    found = next((index for index, part in enumerate(act.choose) if isinstance(part.pick, PickParts)), None)
    if found is None:
        return [act]
    part = act.choose[found]
    assert isinstance(part.pick, PickParts)
    asked = _asked(part.pick, names)
    if asked is None:
        return [replace(act, choose=(*act.choose[:found], *act.choose[found + 1 :]))]
    powers, power, subject = asked
    names.used_powers.add((powers.kind, power))
    groups: dict[PartsBody | None, list[int]] = {}
    for row in powers.rows:
        body = row.powers.get(power)
        groups.setdefault(body if isinstance(body, PartsBody) else None, []).append(row.number)
    fields = {own.name for row in powers.rows for own in row.parts}
    blanks = {name: of for name, of in kept.get(powers.kind, {}).items() if name in fields}
    told: dict[str, int] = {}
    ways: list[AlternativeDoc] = []
    for body, rows in groups.items():
        if body is not None or not part.pick.other:
            asked_for = ", ".join(own.name for own in body.parts) if body is not None else "nothing"
            told[asked_for] = told.get(asked_for, 0) + 1
            word = asked_for if told[asked_for] == 1 else f"{asked_for} #{told[asked_for]}"
            made = _Way(act, found, part.pick, subject, body, rows).made(blanks)
            ways.append(replace(made, way=f"{act.way} {word}".strip()))
    return [way for made in ways for way in _ways(made, names, kept)]


def _asked(pick: PickParts, names: Names) -> tuple[KindPowers, str, Expr] | None:
    match pick.power:
        case Call(name=power, arguments=(subject,)):
            kinds = [each for _, each in sorted(names.powers.items()) if each.is_form(power, PARTS)]
            if kinds:
                return kinds[0], power, subject
        case _:
            power = ""
    known = [name for each in names.powers.values() for name in each.types if each.is_form(name, PARTS)]
    help = nearest(power, known) or "declare it: `powers: { NAME: parts }`, and write `parts of CARD.NAME`"
    names.report("E0436", pick.power.span, "cards have no power of this name that holds parts", help)
    return None


@dataclass(frozen=True, slots=True)
class _Way:
    """One way of answering: with the parts that some rows ask for."""

    act: AlternativeDoc
    index: int
    pick: PickParts
    subject: Expr
    body: PartsBody | None
    rows: list[int]

    def made(self, blanks: Mapping[str, Type]) -> AlternativeDoc:
        """The act in this way."""
        span = self.pick.span
        before, after = self.act.choose[: self.index], self.act.choose[self.index + 1 :]
        asked = with_self(self.body, self.subject, ()).parts if self.body is not None else ()
        own = tuple(replace(part, acting=self.pick.player, span=span) for part in asked)
        conditions = [self.act.where]
        narrowed = tuple(self._narrowed(part) for part in before)
        if narrowed == before:
            conditions.append(is_row(self.subject, self.rows, span))
        if self.body is not None and self.body.where is not None:
            conditions.append(with_self(self.body.where, self.subject, ()))
        if self.pick.other:
            same = [Binary(Operator.IS, Name(p.name, span=span), self._kept(p.name), span=span) for p in own]
            conditions.append(Not(_all(same), span=span))
        there = [condition for condition in conditions if condition is not None]
        written: list[StepDoc] = [self._set(part.name, Name(part.name, span=span)) for part in own]
        chosen = {part.name for part in own}
        written += [self._set(name, blank(of, span)) for name, of in sorted(blanks.items()) if name not in chosen]
        return replace(
            self.act,
            choose=(*narrowed, *own, *after),
            where=_all(there) if there else None,
            do=(*written, *self.act.do),
        )

    def _narrowed(self, part: PartDoc) -> PartDoc:
        """An earlier part that is the card in question: only cards of these rows are offered."""
        pick = part.pick
        if not (isinstance(pick, PickFrom) and pick.amount.single and self.subject == Name(part.name, span=part.span)):
            return part
        condition = is_row(Name("it", span=part.span), self.rows, part.span)
        return replace(part, pick=replace(pick, source=Where(pick.source, condition, span=pick.source.span)))

    def _kept(self, name: str) -> Expr:
        span = self.pick.span
        return Call(name, (self.subject,), name_span=span, span=span)

    def _set(self, name: str, value: Expr) -> SentenceDoc:
        return SentenceDoc(SetTo(self._kept(name), value, span=self.pick.span), span=self.pick.span)


def _all(conditions: Iterable[Expr]) -> Expr:
    return reduce(lambda one, other: Binary(Operator.AND, one, other, span=one.span), conditions)
