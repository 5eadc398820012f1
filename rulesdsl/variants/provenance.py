"""Where everything that is in force comes from: for every rule its chain, from what the game says to the last change.

Takes a checked program. Makes one entry for each option, rule, legality with its conditions, and for each phase,
procedure and decision to which a file does something. What the program's own files say comes first.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace

from ..ir.nodes import (
    Ask,
    Block,
    Change,
    Condition,
    Handler,
    If,
    Legality,
    Option,
    Origin,
    Phase,
    Procedure,
    Program,
    Rule,
    Touch,
)
from ..ir.walk import operations_of
from ..source import Span
from .diff_rules import answers_alone, has_proceed
from .told import point_of, worth

_STAGES = ("add", "remove", "multiply", "at_least", "at_most")
_COMMENT = re.compile(r"(^|\s)#.*")


@dataclass(frozen=True, slots=True)
class Link:
    """One step of a chain: what was done, by the game, library or modifier of which name, where, and in which words."""

    operation: str
    by: str
    place: Span | None
    says: str


@dataclass(frozen=True, slots=True)
class Effective:
    """Something that is in force, with its chain; a legality has its conditions as `parts`."""

    sort: str
    name: str
    chain: tuple[Link, ...]
    parts: tuple[Effective, ...] = ()
    brought: bool = False
    """Whether it is a library's, as that has it, or made by the language, so that nobody needs to be told."""

    @property
    def says(self) -> str:
        """What its own file says of it."""
        return self.chain[0].says

    @property
    def place(self) -> Span | None:
        """Where its own file says so."""
        return self.chain[0].place

    def is_called(self, name: str) -> bool:
        """Whether somebody means it, or one of its parts, by a name."""
        plain = self.name.partition("(")[0]
        names = (self.name, plain, plain.rpartition("/")[2], self.name.rpartition("/")[2])
        return name in names or any(part.is_called(name) for part in self.parts)


@dataclass(frozen=True, slots=True)
class Provenance:
    """Everything that is in force in a program."""

    options: tuple[Effective, ...]
    rules: tuple[Effective, ...]
    legalities: tuple[Effective, ...]
    places: tuple[Effective, ...]


def provenance(program: Program) -> Provenance:
    """Where everything in a program comes from."""
    return _Teller(program).told()


class _Teller:
    """Tells of one program; it knows whose file each text is from."""

    def __init__(self, program: Program) -> None:
        self._program = program
        self._coming = {*program.switchable} - {*program.modifiers}
        self._owners = {origin.span.source: origin.name for origin in _origins(program)}

    def told(self) -> Provenance:
        program = self._program
        return Provenance(
            tuple(self._option(option) for option in program.options),
            tuple(sorted((self._rule(rule) for rule in program.rules), key=self._in_sequence)),
            tuple(sorted((self._legality(legality) for legality in program.legalities), key=self._in_sequence)),
            tuple(sorted(self._places(), key=self._in_sequence)),
        )

    def _in_sequence(self, one: Effective) -> tuple[int, str, int, str]:
        """The game's own first, then what modifiers add, then what libraries bring; each in the order of its file."""
        by = one.chain[0].by
        rank = 0 if by == self._program.name else 2 if self._is_brought(by) else 1
        place = one.place
        return rank, place.source.name if place is not None else "", place.start if place is not None else 0, one.name

    def _owner(self, span: Span | None) -> str:
        return self._program.name if span is None else self._owners.get(span.source, span.source.name)

    def _first(self, by: str) -> str:
        """How a chain begins: with what a game or library says, or with what a modifier adds."""
        return "base" if by == self._program.name or self._is_brought(by) else "added"

    def _is_brought(self, by: str) -> bool:
        return by in self._program.libraries

    # ── options, rules, legalities ───────────────────────────────────────────────────────────────────────────────

    def _option(self, option: Option) -> Effective:
        base = Link("base", self._owner(option.span), option.span, worth(option.default, option.type))
        if option.value == option.default:
            return Effective("option", option.name, (base,))
        return Effective("option", option.name, (base, Link("set", "", None, worth(option.value, option.type))))

    def _rule(self, rule: Rule) -> Effective:
        says = rule.base.span or rule.origin.span
        base = Link(self._first(rule.origin.name), rule.origin.name, rule.origin.span, in_one_line(says))
        # A rule that the language makes for a kind of rule cards is written nowhere.
        brought = (self._is_brought(rule.origin.name) or rule.base.span is None) and not rule.changes
        links = (self._change(change) for change in sorted(rule.changes, key=_height))
        name = rule.name + _parameters(bound.name for bound in rule.parameters)
        return Effective("rule", name, (base, *links), brought=brought)

    def _change(self, change: Change) -> Link:
        term = change.term
        inner = term.then if change.guarded and isinstance(term, If) and change.operation == "wrap" else term
        operation, guarded = change.operation, change.guarded
        if operation == "again":
            operation = "said again"
        elif operation == "wrap":
            guarded = guarded or answers_alone(inner)
            operation = "set" if not has_proceed(inner) or answers_alone(inner) else "wrapped"
        operation += self._guard(guarded, change.origin.name)
        return Link(operation, change.origin.name, change.origin.span, in_one_line(inner.span or change.origin.span))

    def _guard(self, guarded: bool, by: str) -> str:
        if not guarded:
            return ""
        return " while in force" if by in self._coming else " under a guard"

    def _legality(self, legality: Legality) -> Effective:
        groups = (("forbid", legality.forbids), ("require", legality.tiers), ("narrow", legality.narrows))
        owner = legality.origin.name if legality.origin is not None else self._program.name
        parts = tuple(self._condition(sort, one, owner) for sort, group in groups for one in group)
        span = legality.origin.span if legality.origin is not None else None
        name = legality.name + _parameters(bound.name for bound in legality.parameters[1:])
        base = Link(self._first(owner), owner, span, "")
        others = (link for part in parts for link in part.chain if link.operation != base.operation)
        brought = self._is_brought(owner) and all(link.by == owner for part in parts for link in part.chain)
        return Effective("legality", name, (base, *others), parts, brought)

    def _condition(self, sort: str, condition: Condition, owner: str) -> Effective:
        links = tuple(self._touch(touch) for touch in condition.touches or (Touch(sort, condition.origin),))
        if condition.origin.name == owner:
            links = (replace(links[0], operation=self._first(owner)), *links[1:])
        return Effective(sort, condition.name, links)

    def _touch(self, touch: Touch) -> Link:
        operation = touch.operation + self._guard(touch.guarded, touch.origin.name)
        return Link(operation, touch.origin.name, touch.origin.span, _said(touch.origin.span))

    # ── phases, procedures, decisions ────────────────────────────────────────────────────────────────────────────

    def _places(self) -> Iterator[Effective]:
        """All that have handlers or are changed as a whole, each once, however many forms it has."""
        found: dict[tuple[str, str], tuple[Span | None, tuple[Link, ...]]] = {}
        changed = {place.path: place for place in self._program.changed_places}
        for procedure in (*self._program.procedures, self._program.main):
            if procedure.handlers:
                span = procedure.origin.span if procedure.origin is not None else None
                found["procedure", procedure.name] = span, self._handlers(procedure.handlers)
            for operation in _operations(procedure):
                if isinstance(operation, Phase | Ask) and (operation.handlers or operation.path in changed):
                    sort = "phase" if isinstance(operation, Phase) else "decision"
                    found.setdefault((sort, operation.path), (operation.span, self._handlers(operation.handlers)))
        for place in changed.values():
            sort = next((sort for sort, path in found if path == place.path and sort != "procedure"), "phase")
            _, links = found.get((sort, place.path), (None, ()))
            found[sort, place.path] = place.span, (*(self._touch(touch) for touch in place.touches), *links)
        for (sort, path), (span, links) in found.items():
            owner = self._owner(span)
            base = Link(self._first(owner), owner, span, in_one_line(span) if span is not None else "")
            brought = self._is_brought(base.by) and all(link.by == base.by for link in links)
            yield Effective(sort, path.replace("()", ""), (base, *links), brought=brought)

    def _handlers(self, handlers: tuple[Handler, ...]) -> tuple[Link, ...]:
        return tuple(
            Link(
                point_of(handler.point) + self._guard(handler.guard is not None, handler.origin.name),
                handler.origin.name,
                handler.origin.span,
                _steps(handler.body),
            )
            for handler in handlers
        )


def _operations(procedure: Procedure) -> Iterator[object]:
    for block in (procedure.body, *(handler.body for handler in procedure.handlers)):
        yield from operations_of(block)


def _origins(program: Program) -> Iterator[Origin]:
    """Every origin in a program."""
    for rule in program.rules:
        yield rule.origin
        yield from (change.origin for change in rule.changes)
    for legality in program.legalities:
        for condition in (*legality.forbids, *legality.tiers, *legality.narrows):
            yield condition.origin
            yield from (touch.origin for touch in condition.touches)
    for place in program.changed_places:
        yield from (touch.origin for touch in place.touches)
    for procedure in (*program.procedures, program.main):
        yield from (handler.origin for handler in procedure.handlers)
        for operation in _operations(procedure):
            if isinstance(operation, Phase | Ask):
                yield from (handler.origin for handler in operation.handlers)
    declared = [kind.origin for kind in program.kinds] + [zone.origin for zone in program.zones]
    declared += [variable.origin for variable in program.variables] + [one.origin for one in program.legalities]
    declared += [procedure.origin for procedure in (*program.procedures, program.main)]
    yield from (origin for origin in declared if origin is not None)


def _height(change: Change) -> int:
    """What lies over what: values and wraps in their sequence, then the stages."""
    return _STAGES.index(change.operation) + 1 if change.operation in _STAGES else 0


def _parameters(names: Iterable[str]) -> str:
    inside = ", ".join(names)
    return f"({inside})" if inside else ""


def _steps(body: Block) -> str:
    spans = [operation.span for operation in body if operation.span is not None]
    if not spans:
        return ""
    return in_one_line(replace(spans[0], end=max(span.end for span in spans if span.source is spans[0].source)))


def _said(span: Span) -> str:
    """What is said under a name: the text behind its colon, or all of it."""
    text = in_one_line(span)
    name, colon, said = text.partition(": ")
    return said if colon and name.isidentifier() else text


def in_one_line(span: Span) -> str:
    """The text of a span without comments and line breaks."""
    return " ".join(" ".join(_COMMENT.sub("", line) for line in span.text.splitlines()).split())
