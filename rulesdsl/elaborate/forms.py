"""The forms of a phase under guards: which changes need one of their own, and conditions that ask for their guard."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from functools import reduce

from ..ir.nodes import Block, Branch, Term
from ..source import Span
from ..syntax import document as doc
from ..syntax.document import ChangeDoc, PhaseDoc
from ..syntax.expr import Binary, Choice, Expr, Name, Not, Operator, YesNoLiteral

MOST_FORMS = 64
"""So many forms of one place are made, all that it stands in counted."""


@dataclass(frozen=True, slots=True)
class Form:
    """Changes that need a form of their own while a guard holds; `held` are the same where it does.

    `gives` are the parts of the place that they give anew; where later changes give all of them, these are not seen.
    `later` are the parts that changes behind them give in any case.
    """

    guard: Expr
    changes: tuple[ChangeDoc, ...]
    held: tuple[ChangeDoc, ...]
    gives: frozenset[str] = frozenset()
    later: frozenset[str] = frozenset()

    @property
    def span(self) -> Span:
        """Where the first of them stands."""
        return self.changes[0].span

    def put_into(self, changes: Sequence[ChangeDoc]) -> list[ChangeDoc]:
        """All changes with these as they are where the guard holds, each at its place."""
        held = {id(change): held for change, held in zip(self.changes, self.held, strict=True)}
        return [held.get(id(change), change) for change in changes]

    def left_out(self, changes: Sequence[ChangeDoc]) -> list[ChangeDoc]:
        """All other changes."""
        return [change for change in changes if not any(change is one for one in self.changes)]


def forms_of(phase: PhaseDoc, changes: list[ChangeDoc]) -> list[Form]:
    """The changes of a phase under a guard that need another form of it; the others can be made in one form.

    Of what a guard is asked when it is reached, the conditions can be one form; the loop and the steps can't. Changes
    that only say until when a phase without a loop is repeated need one form in common.
    """
    forms: list[Form] = []
    repeating = tuple(change for change in changes if phase.loop is None and _only_repeats(change))
    for at, change in enumerate(changes):
        body = change.body
        shapes = isinstance(body, doc.PhaseBody) and (
            body.loop is not None or body.do is not None or (body.until is not None and phase.loop is None)
        )
        if not shapes or change.when is None:
            continue
        if len(repeating) > 1 and any(change is one for one in repeating):
            if change is repeating[0]:
                forms.append(Form(_any([one.when for one in repeating]), repeating, repeating))
            continue
        always = (_given_anew(other) for other in changes[at + 1 :] if other.when is None)
        later = frozenset(part for parts in always for part in parts)
        forms.append(Form(change.when, (change,), (replace(change, when=None),), _given_anew(change), later))
    return forms


def forms_of_decision(changes: list[ChangeDoc]) -> list[Form]:
    """The same for a decision: whatever has to do with its parts needs a form, a condition does not."""
    forms: list[Form] = []
    for change in changes:
        body = change.body
        is_condition = isinstance(body, doc.DecisionBody) and not (body.add or body.choose or body.either)
        if change.when is not None and not is_condition:
            forms.append(Form(change.when, (change,), (replace(change, when=None),)))
    return forms


def in_forms(
    forms: Sequence[Form],
    changes: list[ChangeDoc],
    made: Callable[[list[ChangeDoc]], Block],
    guard: Callable[[Expr], Term],
    given: frozenset[str] = frozenset(),
) -> Block:
    """What is built otherwise under each guard: a branch for every form, the last one outermost.

    `given` are the parts that forms behind give anew: nobody sees what earlier ones make of these, so n modifiers that
    give one part make n + 1 forms.
    """
    if not forms:
        return made(changes)
    *rest, form = forms
    if form.gives and form.gives <= given | form.later:
        return in_forms(rest, form.left_out(changes), made, guard, given)
    condition = guard(form.guard)
    with_it = in_forms(rest, form.put_into(changes), made, guard, given | form.gives)
    without = in_forms(rest, form.left_out(changes), made, guard, given)
    return (Branch(condition, with_it, without, span=form.span),)


def _only_repeats(change: ChangeDoc) -> bool:
    body = change.body
    if change.when is None or not isinstance(body, doc.PhaseBody) or body.until is None:
        return False
    return body.loop is None and body.do is None and body.at_most is not None


def _given_anew(change: ChangeDoc) -> frozenset[str]:
    """The parts that a change gives without looking at what they were; none if it does more than that."""
    body = change.body
    if not isinstance(body, doc.PhaseBody):
        return frozenset()
    if any(part is not None for part in (body.where, body.while_, body.until, body.when)) or body.remove or body.move:
        return frozenset()
    if body.loop is not None and body.binder is None:
        return frozenset()
    return frozenset(name for name, part in (("loop", body.loop), ("do", body.do)) if part is not None)


def _any(guards: Iterable[Expr | None]) -> Expr:
    return reduce(
        lambda one, other: Binary(Operator.OR, one, other, span=one.span), (g for g in guards if g is not None)
    )


def put_over(change: ChangeDoc, given: Expr, beneath: Expr | None, *, without: bool = True) -> Expr:
    """A condition of a change, under its guard, with what lies beneath written where it says `proceed`.

    `without` is what holds as long as the guard does not, where nothing lies beneath.
    """
    put = _with_beneath(given, beneath if beneath is not None else YesNoLiteral(True, span=given.span))
    if change.when is None:
        return put
    otherwise = beneath if beneath is not None else YesNoLiteral(without, span=given.span)
    return Choice(change.when, put, otherwise, span=change.span)


def _with_beneath(given: Expr, beneath: Expr) -> Expr:
    match given:
        case Name(name="proceed"):
            return beneath
        case Binary(operator=Operator.AND | Operator.OR):
            return replace(given, left=_with_beneath(given.left, beneath), right=_with_beneath(given.right, beneath))
        case Not():
            return replace(given, operand=_with_beneath(given.operand, beneath))
        case Choice():
            then, otherwise = _with_beneath(given.then, beneath), _with_beneath(given.otherwise, beneath)
            return replace(given, then=then, otherwise=otherwise)
        case _:
            return given
