"""Phases that a change puts in another place: taken out of the steps of the game and put in before or after another.

That is done before anything else is worked out, so a moved phase is like one that was written there. A change under a
guard leaves the phase standing in both places: in the old one while the guard does not hold, in the new one while it
does.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace

from ..syntax.document import ChangeDoc, IfDoc, LoopDoc, PhaseBody, PhaseDoc, SentenceDoc, StepDoc
from ..syntax.expr import Expr, Not, Run, Target, TargetKind
from .activation import both
from .names import Names, nearest

Steps = tuple[StepDoc, ...]


def moved(steps: Steps, changes: Iterable[ChangeDoc], names: Names) -> Steps:
    """The steps of a game with all phases where the changes put them."""
    places: dict[tuple[str, ...], Target] = {}
    moves = [change for change in changes if isinstance(change.body, PhaseBody) and change.body.move is not None]
    written: list[PhaseDoc] = []
    for change in sorted(moves, key=lambda change: change.when is not None):
        if isinstance(change.body, PhaseBody) and change.body.move is not None:
            target = change.body.move
            if change.when is not None:
                steps = _in_both(steps, change, change.when, target, names, written)
                continue
            before = places.setdefault(change.target.path, target)
            if before is target:
                steps = _moved(steps, change, target, names)
            elif before != target:
                names.report(
                    "E0910",
                    target.span,
                    f"another modifier moves the phase '{change.target.path[-1]}' to another place",
                    "leave out one of the two modifiers",
                )
    return steps


def _moved(steps: Steps, change: ChangeDoc, target: Target, names: Names) -> Steps:
    path = change.target.path
    found = [(own, phase) for own, phase in _phases(steps, ()) if own[-len(path) :] == path]
    if len(found) != 1:
        inside = [phase for entry in names.procedures.values() for _, phase in _phases(entry.doc.do, ())]
        if not found and any(phase.name.name == path[-1] for phase in inside):
            names.report(
                "E0540",
                change.target.span,
                "moving a phase that stands in a procedure is not there yet",
                "remove it, and give its steps to an `after` of another",
            )
        return steps  # what names no phase, or several, is reported where changes find their places
    phase = found[0][1]
    rest = _without(steps, phase)
    return _placed(rest, phase, target, names) or steps


def _in_both(
    steps: Steps, change: ChangeDoc, guard: Expr, target: Target, names: Names, written: list[PhaseDoc]
) -> Steps:
    """The steps with a phase where it stands and in the new place, each under its condition.

    `written` are the phases that stand in several places already, as they were at first.
    """
    path = change.target.path
    found = [phase for own, phase in _phases(steps, ()) if own[-len(path) :] == path]
    if not found or any(phase.span != found[0].span for phase in found):
        return _moved(steps, change, target, names)
    first = next((phase for phase in written if phase.span == found[0].span), found[0])
    written.append(first)
    stays = Not(guard, span=guard.span)

    def leaves(inner: Steps) -> Steps:
        changed = tuple(_in_steps(step, leaves) for step in inner)
        return tuple(
            replace(step, when=both(stays, step.when))
            if isinstance(step, PhaseDoc) and step.span == first.span
            else step
            for step in changed
        )

    return _placed(leaves(steps), replace(first, when=both(guard, first.when)), target, names) or steps


def _placed(rest: Steps, phase: PhaseDoc, target: Target, names: Names) -> Steps | None:
    """The steps with a phase before or after another; None after a report."""
    goals: list[tuple[tuple[str, ...], StepDoc]] = [
        (own, goal) for own, goal in _phases(rest, ()) if own[-len(target.path) :] == target.path
    ]
    goals = goals or [((name,), goal) for name, goal in _runs(rest) if target.path == (name,)]
    if len(goals) == 1 and target.kind in (TargetKind.BEFORE, TargetKind.AFTER):
        return _with(rest, phase, goals[0][1], after=target.kind is TargetKind.AFTER)
    name = "/".join(target.path)
    if len(goals) > 1:
        places = ", ".join("/".join(own) for own, _ in goals)
        names.report("E0603", target.span, f"'{name}' could be any of {places}", "write more of the path")
    else:
        known = [*(own[-1] for own, _ in _phases(rest, ())), *(name for name, _ in _runs(rest))]
        names.report(
            "E0602",
            target.span,
            f"among the phases of the game there is no '{name}' to stand beside",
            nearest(target.path[-1], known),
        )
    return None


def _phases(steps: Steps, path: tuple[str, ...]) -> Iterator[tuple[tuple[str, ...], PhaseDoc]]:
    """All phases in some steps, with their paths."""
    for step in steps:
        own = path
        if isinstance(step, PhaseDoc):
            own = (*path, step.name.name)
            yield own, step
        for inner in _inside(step):
            yield from _phases(inner, own)


def _runs(steps: Steps) -> Iterator[tuple[str, StepDoc]]:
    """All procedures that stand as steps, with their names."""
    for step in steps:
        if isinstance(step, SentenceDoc) and isinstance(step.sentence, Run):
            yield step.sentence.name, step
        for inner in _inside(step):
            yield from _runs(inner)


def _inside(step: StepDoc) -> tuple[Steps, ...]:
    match step:
        case PhaseDoc():
            return (step.loop.body if step.loop is not None else step.do,)
        case LoopDoc():
            return (step.body,)
        case IfDoc():
            return step.then, step.otherwise
        case _:
            return ()


def _without(steps: Steps, phase: PhaseDoc) -> Steps:
    return tuple(_in_steps(step, lambda inner: _without(inner, phase)) for step in steps if step is not phase)


def _with(steps: Steps, phase: PhaseDoc, goal: StepDoc, *, after: bool) -> Steps:
    placed: list[StepDoc] = []
    for step in steps:
        if step is goal:
            placed += [step, phase] if after else [phase, step]
        else:
            placed.append(_in_steps(step, lambda inner: _with(inner, phase, goal, after=after)))
    return tuple(placed)


def _in_steps(step: StepDoc, change: Callable[[Steps], Steps]) -> StepDoc:
    """A step in which the steps inside are changed; the step itself where that changes nothing."""
    match step:
        case PhaseDoc(loop=LoopDoc() as loop):
            body = change(loop.body)
            return step if body == loop.body else replace(step, loop=replace(loop, body=body))
        case PhaseDoc():
            do = change(step.do)
            return step if do == step.do else replace(step, do=do)
        case LoopDoc():
            body = change(step.body)
            return step if body == step.body else replace(step, body=body)
        case IfDoc():
            then, otherwise = change(step.then), change(step.otherwise)
            same = then == step.then and otherwise == step.otherwise
            return step if same else replace(step, then=then, otherwise=otherwise)
        case _:
            return step
