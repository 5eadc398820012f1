"""The forms of a phase under guards: which changes need one of their own, and conditions that ask for their guard."""

from __future__ import annotations

from dataclasses import replace

from ..syntax import document as doc
from ..syntax.document import ChangeDoc, PhaseDoc
from ..syntax.expr import Binary, Choice, Expr, Name, Not, Operator, YesNoLiteral


def forms_of(phase: PhaseDoc, changes: list[ChangeDoc]) -> list[ChangeDoc]:
    """The changes of a phase under a guard that need another form of it; the others can be made in one form.

    Of what a guard is asked when it is reached, the conditions can be one form; the loop and the steps can't.
    """
    forms: list[ChangeDoc] = []
    for change in changes:
        body = change.body
        shapes = isinstance(body, doc.PhaseBody) and (
            body.loop is not None or body.do is not None or (body.until is not None and phase.loop is None)
        )
        if shapes and change.when is not None:
            forms.append(change)
    return forms


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
