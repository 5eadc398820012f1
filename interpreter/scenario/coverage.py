"""What scenarios make use of: every power of every card, every rule, every named condition that refuses something.

Steps of a power were used when one of them was come to, a value when it was asked of its card, a part when it was
chosen, a change when what it changes was worked out or run while the card was in play. A rule was used when it was
worked out, a condition when a scenario showed that it refuses an answer.
"""

from __future__ import annotations

from bisect import bisect_right
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from enum import StrEnum

from rulesdsl.ir.nodes import (
    Assign,
    Condition,
    Field,
    If,
    Kind,
    LiesIn,
    Operation,
    Origin,
    PowerForm,
    Program,
    RowNumber,
    Rule,
    Term,
    WrittenPower,
)
from rulesdsl.source import Span
from rulesdsl.types import Number

from ..evaluate.analysis import children
from ..evaluate.watching import Compile, seen
from ..host.table import Table
from ..run.machine import Machine
from ..state.cells import Closure, State


class Sort(StrEnum):
    """What sort of thing is made use of."""

    POWER = "power"
    RULE = "rule"
    CONDITION = "condition"


@dataclass(frozen=True, slots=True)
class Thing:
    """Something that can be made use of. `of` is the card or legality that it belongs to, `place` where it stands."""

    sort: Sort
    of: str
    name: str
    about: str
    place: str

    def __str__(self) -> str:
        return f"{self.name} {self.about}" if self.about else self.name


@dataclass(frozen=True, slots=True)
class Used:
    """In how many scenarios something was made use of, and the places of those steps in it that none came to."""

    thing: Thing
    scenarios: int
    left: tuple[str, ...] = ()


@dataclass(slots=True)
class Coverage:
    """Collects what scenarios make use of: hand it to `run_scenario` with each of them."""

    _tables: dict[tuple[int, int], Table] = field(default_factory=dict)
    _counts: Counter[Thing] = field(default_factory=Counter)
    _known: dict[Thing, None] = field(default_factory=dict)
    _steps: dict[Thing, dict[str, bool]] = field(default_factory=dict)
    _now: set[Thing] = field(default_factory=set)

    @property
    def used(self) -> tuple[Used, ...]:
        """Everything there is in the games that scenarios played, by the order of its files."""
        return tuple(
            Used(thing, self._counts[thing], tuple(p for p, done in self._steps.get(thing, {}).items() if not done))
            for thing in self._known
        )

    @property
    def unused(self) -> tuple[Thing, ...]:
        """What no scenario made use of."""
        return tuple(used.thing for used in self.used if not used.scenarios)

    # ── for those who run scenarios ──────────────────────────────────────────────────────────────────────────────

    def table(self, program: Program, seats: int) -> Table:
        """A table at which somebody looks on."""
        key = (id(program), seats)
        if key not in self._tables:
            watch = _Watch(program, self)
            self._known |= dict.fromkeys(watch.things)
            self._tables[key] = Table(Machine(program, seats, watch=watch))
        return self._tables[key]

    def finish(self) -> None:
        """A scenario is over."""
        self._counts.update(self._now)
        self._now.clear()

    def refused(self, condition: str, place: str | None) -> None:
        """A scenario showed that a condition refuses an answer."""
        self._now |= {
            thing
            for thing in self._known
            if thing.sort is Sort.CONDITION and thing.name == condition and thing.place == place
        }

    # ── for those who look on ────────────────────────────────────────────────────────────────────────────────────

    def note(self, thing: Thing) -> None:
        """A thing is made use of."""
        self._now.add(thing)

    def mark(self, thing: Thing) -> Callable[[State], None]:
        """What notes down that a thing is made use of."""
        return lambda S: self.note(thing)

    def mark_step(self, thing: Thing, place: str) -> Callable[[State], None]:
        """What notes down that a step of a thing is come to."""
        steps = self._steps.setdefault(thing, {})
        steps.setdefault(place, False)

        def mark(S: State) -> None:
            self.note(thing)
            steps[place] = True

        return mark


@dataclass(frozen=True, slots=True)
class _Region:
    """A stretch of a file, and what is written there."""

    start: int
    end: int
    thing: Thing
    form: PowerForm


class _Watch:
    """Looks on in one program. Powers that say the same share one rule, so that values and parts go by the card."""

    def __init__(self, program: Program, coverage: Coverage) -> None:
        self.things: list[Thing] = []
        self._coverage = coverage
        self._regions: dict[str, list[_Region]] = {}
        self._values: dict[str, tuple[str, dict[int, Thing]]] = {}
        """By the rule that is asked of any card, the kind, and by row what is read then."""
        self._parts: dict[tuple[str, str], dict[int, Thing]] = {}
        """By kind and part, and by row, what is chosen."""
        self._rules: dict[str, Thing] = {}
        self._otherwise: dict[int, Term] = {}
        """What is worth something while a card is not in play, by identity: it stands where its change does."""
        for kind in program.kinds:
            self._know_kind(kind)
        for regions in self._regions.values():
            regions.sort(key=lambda region: region.start)
        for rule in program.rules:
            if " " not in rule.name and _is_own(rule.origin, program):
                self._rules[rule.id] = self._know(Thing(Sort.RULE, "", rule.name, "", str(rule.origin.span)))
        for legality in program.legalities:
            for condition in (*legality.forbids, *legality.tiers, *legality.narrows):
                if _is_own(condition.origin, program) and not _is_of_card(condition):
                    place = str(condition.origin.span)
                    self._know(Thing(Sort.CONDITION, legality.name, condition.name, "", place))

    def _know(self, thing: Thing) -> Thing:
        self.things.append(thing)
        return thing

    def _know_kind(self, kind: Kind) -> None:
        for number, row in enumerate(kind.rows):
            label = row.name or row.id or f"{kind.name} {number + 1}"
            for power in row.powers:
                thing = self._know(Thing(Sort.POWER, label, power.name, power.about, _place(power)))
                match power.form:
                    case PowerForm.VALUE:
                        _, by_row = self._values.setdefault(f"{power.name} of {kind.name}", (kind.name, {}))
                        by_row[number] = thing
                    case PowerForm.PARTS:
                        self._parts.setdefault((kind.name, power.about), {})[number] = thing
                    case PowerForm.STEPS | PowerForm.CHANGES:
                        for span in power.spans:
                            region = _Region(span.start, span.end, thing, power.form)
                            self._regions.setdefault(span.source.name, []).append(region)

    def _region(self, span: Span | None) -> _Region | None:
        if span is None:
            return None
        regions = self._regions.get(span.source.name, [])
        number = bisect_right(regions, span.start, key=lambda region: region.start) - 1
        return regions[number] if number >= 0 and span.end <= regions[number].end else None

    # ── what a watch is told ─────────────────────────────────────────────────────────────────────────────────────

    def term(self, term: Term, make: Callable[[], Closure]) -> Closure:
        """What a lasting power says is worked out only while its card is in play; whether it is, asks the guard."""
        region = self._region(term.span)
        if region is None or region.form is not PowerForm.CHANGES or id(term) in self._otherwise:
            return make()
        if _asks_for_a_place(term):
            if isinstance(term, If):
                self._otherwise[id(term.otherwise)] = term.otherwise
            return make()
        return seen(self._coverage.mark(region.thing), make())

    def rule(self, rule: Rule, worth: Closure, compile: Compile) -> Closure:
        """A rule of the game, or one that reads a power of any card."""
        if rule.id in self._rules:
            return seen(self._coverage.mark(self._rules[rule.id]), worth)
        if rule.name in self._values:
            kind, by_row = self._values[rule.name]
            return seen(self._of_card(kind, rule.parameters[0], by_row, compile), worth)
        return worth

    def step(self, operation: Operation, compile: Compile) -> Callable[[State], None] | None:
        """A step of a power, or one that keeps a part on a card."""
        region = self._region(operation.span)
        if region is not None:
            return self._coverage.mark_step(region.thing, str(operation.span))
        match operation:
            case Assign(target=Field(kind=kind, name=name, card=card)) if (kind, name) in self._parts:
                return self._of_card(kind, card, self._parts[kind, name], compile)
            case _:
                return None

    def _of_card(self, kind: str, card: Term, by_row: dict[int, Thing], compile: Compile) -> Callable[[State], None]:
        row = compile(RowNumber(kind, card, type=Number()))
        note = self._coverage.note

        def mark(S: State) -> None:
            thing = by_row.get(row(S))
            if thing is not None:
                note(thing)

        return mark


def _place(power: WrittenPower) -> str:
    return str(min(power.spans, key=lambda span: span.start)) if power.spans else ""


def _is_own(origin: Origin, program: Program) -> bool:
    return origin.name not in program.libraries


def _is_of_card(condition: Condition) -> bool:
    return _asks_for_a_place(condition.term)


def _asks_for_a_place(term: Term) -> bool:
    """Whether a term asks if some card is in play."""
    return isinstance(term, LiesIn) or any(_asks_for_a_place(child) for child in children(term))


__all__ = ["Coverage", "Sort", "Thing", "Used"]
