"""What a modifier writes and what it reads, found in the program that it makes of the game.

It writes the slots in which that program differs from the game. It reads the slots that its own text names, the rules
that it says again, what `legal` is in a narrow, and, where it changes how a phase is run, what the
kept steps of that phase name. Reading is direct: what a rule uses in turn is that rule's affair.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from functools import cached_property

from ..ir.nodes import Ask, Attribute, Call, Change, Legal, OptionValue, PickWriting, Program, Rule, RunProcedure
from ..source import Span
from .diff import diff
from .domains import Facts
from .edits import (
    ConditionChanged,
    Declared,
    Edit,
    HandlerChanged,
    PartChanged,
    PlaceChanged,
    PlaceKeyChanged,
    Recoded,
    StepsChanged,
    slot,
)
from .normal import is_node, parts_of
from .skeleton import Place, Places, keys_in, root

LOOP_KEYS = frozenset(["loop", "when", "where", "while_", "until", "rounds", "times"])

WHOLE = "phase match"
"""The game itself: whoever plays it several times does not lean on every rule of it."""


@dataclass(slots=True)
class Seen:
    """The slots that some pieces of a program name, each with the first place that does."""

    found: dict[str, Span | None] = field(default_factory=dict)

    def add(self, name: str, span: Span | None) -> None:
        """One more slot."""
        if self.found.get(name) is None:
            self.found[name] = span


class Modifier:
    """A modifier beside the game it changes: both as programs."""

    def __init__(self, name: str, base: Program, changed: Program, files: frozenset[str]) -> None:
        self.name, self.base, self.program, self.files = name, base, changed, files
        self.edits: tuple[Edit, ...] = tuple(e for e in diff(base, changed) if not isinstance(e, Recoded))
        self.rules = {rule.id: rule for rule in changed.rules}

    def first_place(self) -> Span | None:
        """Where its first change stands."""
        places = (edit.new_place for edit in self.edits)
        return next((place for place in places if place is not None and place.source.name in self.files), None)

    # ── writes ───────────────────────────────────────────────────────────────────────────────────────────────────

    @cached_property
    def writes(self) -> dict[str, list[Edit]]:
        """The edits it makes, by slot."""
        found: dict[str, list[Edit]] = {}
        for edit in self.edits:
            found.setdefault(slot(edit), []).append(edit)
        return found

    @cached_property
    def inserts(self) -> dict[str, list[Edit]]:
        """The steps it puts in, by the point at which they stand: handlers, and phases that moved or came."""
        found: dict[str, list[Edit]] = {}
        for edit in self.edits:
            if isinstance(edit, HandlerChanged) and edit.new is not None:
                found.setdefault(slot(edit), []).append(edit)
            elif isinstance(edit, PlaceChanged) and edit.new_beside is not None:
                found.setdefault(edit.new_beside, []).append(edit)
        return found

    @cached_property
    def cut_off(self) -> frozenset[str]:
        """The phases, decisions and procedures that the game comes to, but no longer once it is in force."""
        return reached(self.base) - reached(self.program)

    @cached_property
    def needed(self) -> dict[str, Edit]:
        """The phases, decisions and procedures that it works at, by key."""
        found: dict[str, Edit] = {}
        for edit in self.edits:
            match edit:
                case PlaceChanged():
                    found.setdefault(edit.parent, edit)
                    if edit.new_beside is not None and edit.new_beside.startswith("after "):
                        found.setdefault(edit.new_beside.removeprefix("after "), edit)
                case PlaceKeyChanged() | StepsChanged() | HandlerChanged() | PartChanged():
                    found.setdefault(edit.place, edit)
                case _:
                    pass
        return found

    def changes_of(self, rule: str) -> list[Change]:
        """What it does to a rule, as it is written."""
        found = self.rules.get(rule)
        return [change for change in found.changes if change.origin.name == self.name] if found is not None else []

    @cached_property
    def facts(self) -> Facts:
        """What its program says about options and about writing on cards."""
        return Facts.of(self.program)

    @cached_property
    def writings(self) -> tuple[PickWriting, ...]:
        """The decisions of its program to write on cards numbers of a given sum."""
        nodes = _nodes((self.program.procedures, self.program.main))
        return tuple(node for node in nodes if isinstance(node, PickWriting) and node.total is not None)

    # ── reads ────────────────────────────────────────────────────────────────────────────────────────────────────

    @cached_property
    def reads(self) -> dict[str, Span | None]:
        """The slots it reads, each with the place that shows it."""
        seen = Seen()
        program = self.program
        pieces = (program.rules, program.legalities, program.procedures, program.main, program.kinds)
        for node in self._own(pieces):
            _note(node, seen)
        for rule in program.rules:
            for change in self.changes_of(rule.id):
                if change.operation == "again" or f"rule {rule.id}" not in self.writes:
                    seen.add(f"rule {rule.id}", change.origin.span)
        for edit in self.edits:
            if isinstance(edit, ConditionChanged) and edit.new is not None:
                if any(isinstance(node, Legal) for node in _nodes(edit.new)):
                    seen.add(f"legality {edit.legality}", edit.new.origin.span)
            if isinstance(edit, PlaceKeyChanged) and edit.key in LOOP_KEYS:
                self._kept_steps(edit, seen)
        own = {slot(edit) for edit in self.edits if isinstance(edit, Declared) and edit.old is None}
        return {name: span for name, span in seen.found.items() if name not in own}

    def _own(self, value: object) -> Iterator[object]:
        """The nodes that stand in its own files."""
        for node in _nodes(value):
            span = getattr(node, "span", None)
            if isinstance(span, Span) and span.source.name in self.files:
                yield node

    def _kept_steps(self, edit: PlaceKeyChanged, seen: Seen) -> None:
        """What the steps of a phase name that is run in another way."""
        places = Places.of((*self.base.procedures, self.base.main))
        place = places.by_key.get(edit.place)
        if place is None or edit.place == WHOLE:
            return
        inner = Seen()
        for node in _through(place, places, set()):
            _note(node, inner)
        for name in inner.found:
            seen.add(name, edit.new_place)


def _note(node: object, seen: Seen) -> None:
    """The slot that a single node names."""
    span = getattr(node, "span", None)
    match node:
        case Call():
            seen.add(f"rule {node.rule}", span)
        case Attribute():
            seen.add(f"rule {node.name}({node.kind})", span)
        case OptionValue():
            seen.add(f"option {node.name} value", span)
        case RunProcedure():
            seen.add(f"{root(node.procedure)} do", span)
            seen.add(f"instead {root(node.procedure)}", span)
        case Ask():
            for alternative in node.alternatives:
                if alternative.under is not None:
                    seen.add(f"legality {alternative.under.legality}", span)
        case _:
            pass


def _through(place: Place, places: Places, seen: set[str]) -> Iterator[object]:
    """All nodes in the steps of a place, in the places inside and in the procedures that they run."""
    if place.key in seen:
        return
    seen.add(place.key)
    yield from _nodes(tuple(handler.body for handler in place.handlers) if len(seen) > 1 else ())
    for _, block in place.contents:
        whole = places.filled(block)
        for node in _nodes(whole):
            yield node
            if isinstance(node, RunProcedure):
                yield from _through(places.by_key[root(node.procedure)], places, seen)


def _nodes(value: object) -> Iterator[object]:
    if isinstance(value, tuple):
        for item in value:
            yield from _nodes(item)
    elif is_node(value):
        yield value
        for name, part in parts_of(value):
            if not (isinstance(value, Rule) and name in ("base", "changes")):
                yield from _nodes(part)


def reached(program: Program) -> frozenset[str]:
    """The places of a program to which a match can come."""
    places = Places.of((*program.procedures, program.main))
    found: set[str] = set()
    waiting = [root(program.main.name)]
    while waiting:
        key = waiting.pop()
        if key in found:
            continue
        found.add(key)
        place = places.by_key[key]
        for block in (*(block for _, block in place.contents), *(handler.body for handler in place.handlers)):
            waiting.extend(inner for inner in keys_in(block, places.by_key) if inner in places.by_key)
            waiting.extend(root(node.procedure) for node in _nodes(block) if isinstance(node, RunProcedure))
    return frozenset(found)


def files_of(program: Program) -> frozenset[str]:
    """The names of all files that something in a program was written in."""
    found: set[str] = set()

    def look(value: object) -> None:
        if isinstance(value, tuple):
            for item in value:
                look(item)
        elif is_node(value):
            for name in ("span", "origin"):
                place = getattr(value, name, None)
                span = place if isinstance(place, Span) else getattr(place, "span", None)
                if isinstance(span, Span):
                    found.add(span.source.name)
            for _, part in parts_of(value):
                look(part)

    parts: Iterable[object] = (
        program.options,
        program.kinds,
        program.zones,
        program.variables,
        program.rules,
        program.legalities,
        program.procedures,
        program.main,
    )
    for part in parts:
        look(part)
    return frozenset(found)
