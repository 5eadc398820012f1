"""Finding the places that handlers, changes and resets name.

A phase is known by its path, `rounds/deal`; what stands in a procedure has the procedure before it, `gather()/take`.
One may leave out the front of a path as long as only one place fits; a phase goes before procedures and decisions of
its name.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Protocol

from ..ir.nodes import ChangedPlace, Origin, Point, Touch
from ..source import Span
from ..syntax.document import (
    ChangeDoc,
    DecisionBody,
    DecisionDoc,
    IfDoc,
    LoopDoc,
    Named,
    PhaseBody,
    PhaseDoc,
    SentenceDoc,
    StepDoc,
    StepsBody,
    WindowDoc,
)
from ..syntax.expr import TargetKind
from .names import Names, nearest
from .rivals import Rivals

_POINTS = {TargetKind.BEFORE: Point.BEFORE, TargetKind.AFTER: Point.AFTER, TargetKind.INSTEAD: Point.INSTEAD}


class HasSpan(Protocol):
    """Anything with a place in a file."""

    @property
    def span(self) -> Span:
        """The place."""
        ...


@dataclass(slots=True)
class Anchors:
    """Where phases, procedures and decisions stand, and what is attached to them."""

    phases: dict[str, HasSpan] = field(default_factory=dict)
    decisions: dict[str, HasSpan] = field(default_factory=dict)
    handlers: dict[str, list[tuple[Point, ChangeDoc, Origin]]] = field(default_factory=dict)
    changes: dict[str, list[tuple[ChangeDoc, Origin]]] = field(default_factory=dict)
    resets: dict[str, list[str]] = field(default_factory=dict)
    forms: dict[str, int] = field(default_factory=dict)
    """How many forms of a place have been made so far."""


class AnchorFinder:
    """Walks all steps of a program once and attaches to them what names them."""

    def __init__(self, names: Names) -> None:
        self.names = names
        self.anchors = Anchors()
        self._instead: dict[str, Rivals] = {}

    def find(self, phases: tuple[StepDoc, ...]) -> Anchors:
        """Collects the anchors of the phases and procedures, then attaches handlers, changes and resets."""
        self._collect(phases, "match")
        for name, procedure in self.names.procedures.items():
            self._collect(procedure.doc.do, f"{name}()")
        waiting = list(self.names.handlers)
        while waiting:
            left = [(change, origin) for change, origin in waiting if not self._attach(change, origin)]
            if len(left) == len(waiting):
                for change, _ in left:
                    self._not_found(change)
                break
            waiting = left
        for rivals in self._instead.values():
            rivals.report()
        self._in_sequence()
        self._resets()
        return self.anchors

    # ── collecting ───────────────────────────────────────────────────────────────────────────────────────────────

    def _collect(self, steps: tuple[StepDoc, ...], path: str) -> None:
        for step in steps:
            match step:
                case SentenceDoc():
                    pass
                case IfDoc():
                    self._collect(step.then, path)
                    self._collect(step.otherwise, path)
                case LoopDoc():
                    self._collect(step.body, path)
                case PhaseDoc():
                    self._phase(step, path)
                case DecisionDoc():
                    own = f"{path}/{decision_name(step, path)}"
                    self.anchors.decisions.setdefault(own, step)
                    for steps_inside in (step.then or (), step.otherwise or (), *(a.do for a in step.either)):
                        self._collect(steps_inside, path)
                case WindowDoc():
                    own = f"{path}/{step.name.name}"
                    self.anchors.decisions.setdefault(own, step)
                    self._collect(step.do, own)

    def _in_sequence(self) -> None:
        for anchor, handlers in self.anchors.handlers.items():
            points = {id(change): point for point, change, _ in handlers}
            entries = self.names.sequences.at_place([(change, origin) for _, change, origin in handlers])
            self.anchors.handlers[anchor] = [(points[id(change)], change, origin) for change, origin in entries]
        for anchor, changes in self.anchors.changes.items():
            self.anchors.changes[anchor] = self.names.sequences.at_place(changes)

    def _phase(self, step: PhaseDoc, path: str) -> None:
        own = phase_path(path, step.name.name)
        if own in self.anchors.phases and self.anchors.phases[own].span != step.span:
            self.names.report(
                "E0601",
                step.name.span,
                f"there is a phase '{step.name.name}' here already",
                "give one of them another name",
            )
        self.anchors.phases[own] = step
        self._collect(step.loop.body if step.loop is not None else step.do, own)

    # ── attaching ────────────────────────────────────────────────────────────────────────────────────────────────

    def _attach(self, change: ChangeDoc, origin: Origin) -> bool:
        point = _POINTS.get(change.target.kind)
        found = self._of_change(change)
        if not found or not self._is_one(found):
            return False
        for anchor in found:
            self._attach_at(anchor, point, change, origin)
        return True

    def _is_one(self, found: list[str]) -> bool:
        """Whether these are one place, or one phase that stands in several because a modifier may move it."""
        phases = [self.anchors.phases[anchor] for anchor in found if anchor in self.anchors.phases]
        return len(found) == 1 or (len(phases) == len(found) and all(p.span == phases[0].span for p in phases))

    def _attach_at(self, anchor: str, point: Point | None, change: ChangeDoc, origin: Origin) -> None:
        if point is None:
            self.anchors.changes.setdefault(anchor, []).append((change, origin))
            if isinstance(change.body, PhaseBody) and change.body.do is not None:
                self._collect(change.body.do, anchor)
            return
        self.anchors.handlers.setdefault(anchor, []).append((point, change, origin))
        if point is Point.INSTEAD:
            self._instead.setdefault(anchor, Rivals(self.names)).wrap(change, origin)
        if isinstance(change.body, StepsBody):
            self._collect(change.body.steps, f"{anchor}/{point}")

    def _of_change(self, change: ChangeDoc) -> list[str]:
        return self._find(
            change.target.path,
            decision=change.target.kind is TargetKind.DECISION,
            phase=isinstance(change.body, PhaseBody),
        )

    def _not_found(self, change: ChangeDoc) -> None:
        phases, procedures, decisions = self.anchors.phases, self.names.procedures, self.anchors.decisions
        what: str
        among: tuple[Iterable[str], ...]
        match change.target.kind:
            case TargetKind.PHASE:
                what, among = "phase", (phases,)
            case TargetKind.DECISION:
                what, among = "decision", (decisions,)
            case _:
                what, among = "phase, procedure or decision", (phases, procedures, decisions)
        self._report(change.target.path, change.target.span, self._of_change(change), what, among)

    def _find(self, path: tuple[str, ...], *, decision: bool = False, phase: bool = False) -> list[str]:
        if not decision:
            phases = [anchor for anchor in self.anchors.phases if _ends_with(anchor, path)]
            if not phases and path == ("match",):
                return ["match"]
            if phases or phase:
                return phases
            if len(path) == 1 and path[0] in self.names.procedures:
                return [f"{path[0]}()"]
        return [anchor for anchor in self.anchors.decisions if _ends_with(anchor, path)]

    def _report(
        self, path: tuple[str, ...], span: Span, found: list[str], what: str, among: tuple[Iterable[str], ...]
    ) -> None:
        text = "/".join(path)
        if len(found) > 1:
            places = ", ".join(shown(anchor) for anchor in found)
            self.names.report("E0603", span, f"'{text}' could be any of {places}", "write more of the path")
            return
        known = [anchor.rpartition("/")[2] for group in among for anchor in group]
        self.names.report("E0602", span, f"there is no {what} '{text}'", nearest(path[-1], list(dict.fromkeys(known))))

    def _resets(self) -> None:
        for name, entry in sorted(self.names.states.items()):
            self._reset(name, entry.doc.resets)
        for kind, kind_entry in sorted(self.names.kinds.items()):
            for own in kind_entry.doc.fields:
                self._reset(f"{kind}.{own.name}", own.resets)

    def _reset(self, name: str, at: Named | None) -> None:
        if at is None:
            return
        found = [place for place in self._find((at.name,)) if place not in self.anchors.decisions]
        if found and self._is_one(found):
            for place in found:
                self.anchors.resets.setdefault(place, []).append(name)
        else:
            among = (self.anchors.phases, self.names.procedures)
            self._report((at.name,), at.span, found, "phase or procedure", among)


def changed_places(anchors: Anchors) -> tuple[ChangedPlace, ...]:
    """The phases and decisions that are changed as a whole, and by whom."""
    places = {**anchors.decisions, **anchors.phases}
    return tuple(
        ChangedPlace(
            path,
            places[path].span,
            tuple(Touch(_done(c), Origin(origin.name, c.span), c.when is not None) for c, origin in changes),
        )
        for path, changes in sorted(anchors.changes.items())
        if path in places
    )


def _done(change: ChangeDoc) -> str:
    """What a change does to a phase or decision, in the words of its file."""
    match change.body:
        case PhaseBody(remove=True):
            return "remove"
        case PhaseBody() as body:
            loop = body.loop.value if body.loop is not None else ""
            move = "move" if body.move is not None else ""
            given = {"when": body.when, "where": body.where, "while": body.while_, "until": body.until, "do": body.do}
            keys = [word for word, part in given.items() if part is not None]
            sets = [word for word in (loop, *keys) if word]
            return " and ".join([*([move] if move else []), *([f"set {', '.join(sets)}"] if sets else [])])
        case DecisionBody() as body:
            parts = {"add": body.add, "choose": body.choose, "either": body.either, "where": body.where}
            return ", ".join(word for word, part in parts.items() if part) or "set"
        case _:
            return "set"


def phase_path(path: str, name: str) -> str:
    """The path of a phase that stands at a path; `match` is the whole, whether the game names it or not."""
    return name if path == "match" else f"{path}/{name}"


def decision_name(step: DecisionDoc, path: str) -> str:
    """The name of a decision that stands at a path: its own, else that of what it stands in, or of its first part."""
    if step.name is not None:
        return step.name.name
    inside = [part for part in path.split("/") if part not in list(Point)]
    if inside[-1] != "match":
        return inside[-1].removesuffix("()")
    return step.choose[0].name if step.choose else "decision"


def shown(anchor: str) -> str:
    """A path as people write it."""
    return anchor.replace("()", "")


def _ends_with(anchor: str, path: tuple[str, ...]) -> bool:
    parts = anchor.replace("()", "").split("/")
    return len(parts) >= len(path) and tuple(parts[-len(path) :]) == path
