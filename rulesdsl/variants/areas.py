"""Where an edit was written on either side, and where players notice it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace
from functools import cached_property

from ..ir.nodes import (
    Ask,
    Assign,
    Branch,
    Call,
    Change,
    DrawRandom,
    Each,
    Increase,
    Move,
    Phase,
    Procedure,
    Program,
    Repeat,
    RunProcedure,
    Shuffle,
    Together,
    Var,
)
from ..ir.walk import terms_of
from ..source import Span
from .edits import (
    Area,
    ConditionChanged,
    Declared,
    Edit,
    GameChanged,
    HandlerChanged,
    KeyChanged,
    PartChanged,
    PermitChanged,
    PlaceChanged,
    PlaceKeyChanged,
    Recoded,
    ResetMoved,
    RuleSet,
    RuleStaged,
    RuleWrapped,
    StepsChanged,
    TiersMoved,
)
from .normal import nodes_in


class Side:
    """One of two programs, and what its rules and phases are for."""

    def __init__(self, program: Program) -> None:
        self.program = program
        self.rules = {rule.id: rule for rule in program.rules}
        self.procedures = {procedure.name: procedure for procedure in (*program.procedures, program.main)}

    # ── what rules are for ───────────────────────────────────────────────────────────────────────────────────────

    def reached(self, values: Iterable[object]) -> frozenset[str]:
        """The rules that some pieces of the program use, directly or through others."""
        found: set[str] = set()
        waiting: list[object] = list(values)
        while waiting:
            for term in terms_of(waiting.pop()):
                if isinstance(term, Call) and term.rule not in found and term.rule in self.rules:
                    found.add(term.rule)
                    waiting.append(self.rules[term.rule].body)
        return frozenset(found)

    @cached_property
    def of_legality(self) -> frozenset[str]:
        """Rules that say what may be answered."""
        asks = (node for node in nodes_in(tuple(self.procedures.values())) if isinstance(node, Ask))
        offers = tuple((a.parts, a.under, a.where) for ask in asks for a in ask.alternatives)
        return self.reached((self.program.legalities, offers))

    @cached_property
    def of_end(self) -> frozenset[str]:
        """Rules that say when it is over and who has won."""
        loops = (node for node in nodes_in(tuple(self.procedures.values())) if isinstance(node, Repeat))
        ends = [(loop.until, loop.while_) for loop in loops]
        return self.reached((*ends, *self._results(self.program.winners))) | {self.program.winners}

    @cached_property
    def of_scoring(self) -> frozenset[str]:
        """Rules that what is scored depends on: those of the score, and of the steps that set what it reads."""
        results = self._results(self.program.scores) or self._results(self.program.winners)
        rules, states = set(self.reached(results)), set[str]()
        for name in (self.program.scores,) if self.program.scores else ():
            rules.add(name)
        while True:
            known = len(rules), len(states)
            bodies = tuple(self.rules[name].body for name in rules if name in self.rules)
            states |= {term.name for term in terms_of((bodies, tuple(results))) if isinstance(term, Var)}
            for steps in self.procedures.values():
                for around, step in _assignments(steps):
                    if isinstance(step.target, Var) and step.target.name in states:
                        rules |= self.reached((around, step.value))
                        states |= {t.name for t in terms_of((around, step.value)) if isinstance(t, Var)}
            if (len(rules), len(states)) == known:
                return frozenset(rules)

    def _results(self, name: str | None) -> list[object]:
        return [self.rules[name].body] if name is not None and name in self.rules else []

    def area_of_rule(self, name: str) -> Area:
        """Where players notice a rule."""
        if name in (self.program.winners,):
            return Area.END
        for area, rules in (
            (Area.LEGALITY, self.of_legality),
            (Area.SCORING, self.of_scoring),
            (Area.END, self.of_end),
        ):
            if name in rules:
                return area
        return Area.PLAY

    # ── what steps are for ───────────────────────────────────────────────────────────────────────────────────────

    def area_of_steps(self, steps: object) -> Area:
        """Where players notice some steps: cards that come without anybody's choice are dealt."""
        nodes = list(self._through(steps, set()))
        if any(isinstance(node, Ask) for node in nodes):
            return Area.PLAY
        states = {
            node.target.name for node in nodes if isinstance(node, Assign | Increase) and isinstance(node.target, Var)
        }
        if states & self._scored:
            return Area.SCORING
        if any(isinstance(node, Move | Shuffle | DrawRandom) for node in nodes):
            return Area.DEAL
        return Area.PLAY

    @cached_property
    def _scored(self) -> frozenset[str]:
        results = [*self._results(self.program.scores), *self._results(self.program.winners)]
        bodies = [*results, *(self.rules[name].body for name in self.reached(results))]
        read = {term.name for term in terms_of(tuple(bodies)) if isinstance(term, Var)}
        for steps in self.procedures.values():
            for _, step in _assignments(steps):
                if isinstance(step.target, Var) and step.target.name in read:
                    read |= {term.name for term in terms_of(step.value) if isinstance(term, Var)}
        return frozenset(read)

    def _through(self, steps: object, seen: set[str]) -> Iterator[object]:
        for node in nodes_in(steps):
            yield node
            if isinstance(node, RunProcedure) and node.procedure not in seen and node.procedure in self.procedures:
                seen.add(node.procedure)
                yield from self._through(self.procedures[node.procedure].body, seen)

    def place(self, key: str) -> object:
        """A phase, a decision or a procedure by its key; None if there is none."""
        kind, _, path = key.partition(" ")
        if kind == "procedure":
            return self.procedures.get(path)
        for node in nodes_in(tuple(self.procedures.values())):
            if isinstance(node, Phase | Ask) and node.path == path and (kind == "phase") == isinstance(node, Phase):
                return node
        return None

    # ── where things stand ───────────────────────────────────────────────────────────────────────────────────────

    def origin_of_rule(self, name: str) -> Span | None:
        """Where a rule got what it is: the last change of it that is one, else its own declaration."""
        rule = self.rules.get(name)
        if rule is None:
            return None
        changes = [change for change in rule.changes if _is_change(change)]
        return changes[-1].origin.span if changes else rule.origin.span

    def origin_of(self, sort: str, name: str) -> Span | None:
        """Where a declaration stands."""
        program = self.program
        groups: dict[str, Iterable[object]] = {
            "kind": program.kinds,
            "zone": program.zones,
            "state": program.variables,
            "legality": program.legalities,
            "procedure": program.procedures,
        }
        if sort == "rule":
            return self.origin_of_rule(name)
        for one in groups.get(sort, ()):
            if getattr(one, "id", getattr(one, "name", None)) == name:
                origin = getattr(one, "origin", None)
                return origin.span if origin is not None else None
        return None


def _is_change(change: Change) -> bool:
    return change.operation != "again"


def _assignments(steps: Procedure) -> Iterator[tuple[tuple[object, ...], Assign | Increase]]:
    """Every step that sets or adds, with the conditions and sources of what it stands in."""

    def walk(value: object, around: tuple[object, ...]) -> Iterator[tuple[tuple[object, ...], Assign | Increase]]:
        if isinstance(value, tuple):
            for item in value:
                yield from walk(item, around)
        elif isinstance(value, Assign | Increase):
            yield around, value
        elif isinstance(value, Branch):
            yield from walk((value.then, value.otherwise), (*around, value.condition))
        elif isinstance(value, Each | Together):
            yield from walk(value.body, (*around, value.source, value.where))
        elif isinstance(value, Repeat | Phase):
            yield from walk((value.body, getattr(value, "handlers", ())), around)
        elif isinstance(value, Ask):
            yield from walk((tuple(a.body for a in value.alternatives), value.otherwise, value.handlers), around)
        elif hasattr(value, "body"):
            yield from walk(value.body, around)

    yield from walk((steps.body, steps.handlers), ())


# ── edits ────────────────────────────────────────────────────────────────────────────────────────────────────────


def located(edit: Edit, old: Side, new: Side) -> Edit:
    """The edit with its places and its area."""
    return replace(
        edit,
        old_place=_place(edit, old, is_new=False),
        new_place=_place(edit, new, is_new=True),
        area=_area(edit, old, new),
    )


def _area(edit: Edit, old: Side, new: Side) -> Area:
    match edit:
        case GameChanged():
            ends = {"winners": Area.END, "scores": Area.SCORING, "players": Area.SET_UP, "teams": Area.SET_UP}
            return ends.get(edit.key, Area.TEXT)
        case RuleSet() | RuleWrapped() | RuleStaged():
            return new.area_of_rule(edit.rule)
        case Declared(what="rule"):
            return (new if edit.new is not None else old).area_of_rule(edit.name)
        case Declared(what="procedure"):
            return (new if edit.new is not None else old).area_of_steps(edit.new if edit.new is not None else edit.old)
        case ConditionChanged() | PermitChanged() | TiersMoved() | PartChanged() | Declared(what="legality"):
            return Area.LEGALITY
        case Declared() | KeyChanged() | ResetMoved() | Recoded():
            return Area.SET_UP
        case HandlerChanged():
            return _either(old, edit.old, new, edit.new)
        case StepsChanged():
            return _either(old, edit.old, new, edit.new)
        case PlaceChanged():
            return _either(old, old.place(edit.place), new, new.place(edit.place))
        case PlaceKeyChanged():
            if edit.key in ("until", "at_most", "times", "rounds"):
                return Area.END
            if edit.key.endswith(("where", "under")) and edit.place.startswith("decision"):
                return Area.LEGALITY
            return _either(old, old.place(edit.place), new, new.place(edit.place))


def _either(old: Side, before: object, new: Side, after: object) -> Area:
    return old.area_of_steps(before) if after is None else new.area_of_steps(after)


def _place(edit: Edit, side: Side, *, is_new: bool) -> Span | None:
    found = getattr(edit, "new" if is_new else "old", None)
    other = getattr(edit, "old" if is_new else "new", None)
    match edit:
        case RuleSet() | RuleWrapped() | RuleStaged():
            return side.origin_of_rule(edit.rule)
        case ConditionChanged() | HandlerChanged():
            return found.origin.span if found is not None else None
        case TiersMoved():
            return side.origin_of("legality", edit.legality)
        case Declared() | KeyChanged() | Recoded():
            own = getattr(found, "span", None)
            return own if own is not None else side.origin_of(edit.what, edit.name) if found is not None else None
        case PlaceChanged() if edit.moved:
            return _span_of(side.place(edit.place), None)
        case GameChanged() | ResetMoved():
            return None
        case _:
            return _span_of(found, other)


def _span_of(value: object, other: object) -> Span | None:
    """Where a piece was written; of several places one that the other side does not come from as well."""
    files = {span.source.name for span in _spans(other)}
    spans = list(_spans(value))
    own = [span for span in spans if span.source.name not in files]
    return next(iter(own or spans), None)


def _spans(value: object) -> Iterator[Span]:
    for node in nodes_in(value):
        span = getattr(node, "span", None)
        if isinstance(span, Span):
            yield span
