"""The loop of a phase, and what changes make of it in one form of the phase."""

from __future__ import annotations

from dataclasses import replace

from ..syntax import document as doc
from ..syntax.document import ChangeDoc, LoopDoc, LoopKind, PhaseDoc, StepDoc
from ..syntax.expr import Choice, Expr
from .forms import put_over
from .names import Names


def changed_loop(phase: PhaseDoc, changes: list[ChangeDoc], names: Names) -> tuple[LoopDoc | None, tuple[StepDoc, ...]]:
    """The loop and the steps of a phase, with the parts that changes give anew."""
    loop, do = phase.loop, phase.do
    for change in changes:
        body = change.body
        if not isinstance(body, doc.PhaseBody):
            continue
        _fits_loop(phase, loop, body, names)
        if body.do is not None:
            do = body.do
            loop = replace(loop, body=body.do) if loop is not None else None
        if body.loop is not None and body.loop is not LoopKind.REPEAT:
            steps = loop.body if loop is not None else do
            old = loop if loop is not None else LoopDoc(body.loop, steps, span=change.span)
            loop = replace(old, kind=body.loop, binder=body.binder or old.binder, body=steps)
        if body.until is not None:
            if loop is None:
                until = put_over(change, body.until, None, without=False) if change.when is not None else body.until
                loop = LoopDoc(LoopKind.REPEAT, do, until=until, at_most=body.at_most, span=change.span)
            else:
                at_most = body.at_most or loop.at_most
                if change.when is not None and body.at_most is not None and loop.at_most is not None:
                    at_most = Choice(change.when, body.at_most, loop.at_most, span=change.span)
                until = put_over(change, body.until, loop.until, without=False)
                loop = replace(loop, until=until, at_most=at_most)
        if loop is not None and body.where is not None:
            loop = replace(loop, where=put_over(change, body.where, loop.where))
        if loop is not None and body.while_ is not None:
            loop = replace(loop, while_=put_over(change, body.while_, loop.while_))
    return loop, do


def _fits_loop(phase: PhaseDoc, loop: LoopDoc | None, body: doc.PhaseBody, names: Names) -> None:
    """Reports a condition that the loop of the phase does not have."""
    kind = body.loop or (loop.kind if loop is not None else LoopKind.REPEAT if body.until is not None else None)
    has: dict[str, tuple[Expr | None, tuple[LoopKind, ...]]] = {
        "until": (body.until, (LoopKind.REPEAT,)),
        "where": (body.where, (LoopKind.EACH, LoopKind.TOGETHER)),
        "while": (body.while_, (LoopKind.EACH, LoopKind.REPEAT)),
    }
    for word, (condition, kinds) in has.items():
        if condition is not None and kind not in kinds:
            loops = " or ".join(f"`{known}`" for known in kinds)
            now = f"has `{kind}`" if kind is not None else "has no loop"
            names.report(
                "E0902",
                condition.span,
                f"`{word}` goes with {loops}, but the phase '{phase.name.name}' {now}",
                "change `when`, or the steps under `do`",
            )
