"""The merge law of rules: sets exclude or agree, wraps need an order, stages commute."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property
from itertools import product

from ..ir.guards import Way, exclude, ways
from ..ir.nodes import Change, Coalesce, If, Term
from .diff_rules import answers_alone, has_proceed, stage_of
from .domains import Domains
from .findings import Finding, Kind
from .guards import Sided
from .meaning import Meaning, Reader
from .reads import Modifier
from .told import constant

_LIMITS = ("at_least", "at_most")


def meet_in_rule(name: str, first: Modifier, second: Modifier) -> Iterator[Finding]:
    """What two modifiers do to one rule, change by change."""
    for ours in first.changes_of(name):
        for theirs in second.changes_of(name):
            if "again" not in (ours.operation, theirs.operation):
                yield from _Meeting(name, first, second, ours, theirs).findings()


class _Meeting:
    def __init__(self, name: str, first: Modifier, second: Modifier, ours: Change, theirs: Change) -> None:
        self.name, self.first, self.second, self.ours, self.theirs = name, first, second, ours, theirs

    def findings(self) -> Iterator[Finding]:
        kinds = _kind(self.ours), _kind(self.theirs)
        if self._meaning(self.first, self.ours) == self._meaning(self.second, self.theirs) and kinds[0] == kinds[1]:
            if kinds[0] in ("set", "wrap") or kinds[0] in _LIMITS:
                yield self._finding(Kind.AGREES, f"both do the same to '{self.name}'")
            return
        match kinds:
            case ("set", "set"):
                collisions = list(self._collisions())
                if any(self._sides[0].key(one.value) != self._sides[1].key(other.value) for one, other in collisions):
                    yield self._exclusive()
                elif collisions:
                    yield self._finding(Kind.AGREES, f"where both answer, they give '{self.name}' the same")
            case ("wrap", "wrap"):
                if not (_only_adds(self.ours.term) and _only_adds(self.theirs.term)):
                    yield self._order()
            case ("at_least", "at_most") | ("at_most", "at_least"):
                yield from self._limits()
            case ("add", "remove") | ("remove", "add"):
                if self.ours.term == self.theirs.term:
                    yield self._finding(Kind.EXCLUSIVE, f"one adds to '{self.name}' what the other removes")
            case ("set", _) | (_, "set"):
                reading, writing = (self.second, self.first) if kinds[0] == "set" else (self.first, self.second)
                message = f"what '{reading.name}' makes of '{self.name}' goes by the value that '{writing.name}' gives"
                yield self._finding(Kind.READS, message, settled=("fits: as written",))
            case _:
                pass  # stages among themselves, and above a wrap: each has its place

    # ── values ───────────────────────────────────────────────────────────────────────────────────────────────────

    def _exclusive(self) -> Finding:
        values = [constant(change.term) for change in (self.ours, self.theirs)]
        witness = f"{values[0]} against {values[1]}" if all(value is not None for value in values) else ""
        guards = [_guard_text(change.term) for change in (self.ours, self.theirs)]
        if not witness and any(guards):
            witness = f"both answer where {' and '.join(guard for guard in guards if guard)}"
        return self._finding(Kind.EXCLUSIVE, f"they give '{self.name}' different values", witness, self._either_value())

    def _either_value(self) -> tuple[str, ...]:
        """The lines that let one of the two values stand, where they fit into a line."""
        texts = [change.term.span.text if change.term.span is not None else "" for change in (self.ours, self.theirs)]
        if not all(texts) or any("\n" in text for text in texts):
            return ()
        head = self.ours.origin.span.text
        return "changes:", f"  {head}: {texts[0]}    # or: {texts[1]}"

    def _collisions(self) -> Iterator[tuple[Way, Way]]:
        """The cases in which both answer alone."""
        for one, other in product(ways(self.ours.term), ways(self.theirs.term)):
            if not exclude(one.literals, other.literals, self._sides):
                yield one, other

    @cached_property
    def _sides(self) -> tuple[Sided, Sided]:
        first, second = (
            Sided(Reader.of(m.program), Domains(m.facts, {}), m.rules[self.name].parameters)
            for m in (self.first, self.second)
        )
        return first, second

    def _order(self) -> Finding:
        settled = (f"order: {{ {self.name.partition('(')[0]}: [{self.first.name}, {self.second.name}] }}",)
        return self._finding(
            Kind.ORDER, f"both lie around '{self.name}', and nothing says which is the outer one", settled=settled
        )

    def _limits(self) -> Iterator[Finding]:
        domains = Domains(self.first.facts, {})
        low = self.ours if _kind(self.ours) == "at_least" else self.theirs
        high = self.theirs if low is self.ours else self.ours
        least, most = domains.of(low.term).low, domains.of(high.term).high
        if least is not None and most is not None and least > most:
            yield self._finding(Kind.EMPTY, f"no number is left for '{self.name}'", f"at least {least}, at most {most}")

    def _meaning(self, modifier: Modifier, change: Change) -> Meaning:
        rule = modifier.rules[self.name]
        return Reader.of(modifier.program).term(change.term, rule.parameters)

    def _finding(self, kind: Kind, message: str, witness: str = "", settled: tuple[str, ...] = ()) -> Finding:
        places = self.ours.origin.span, self.theirs.origin.span
        return Finding(kind, f"rule {self.name}", message, witness, *places, settled)


def _kind(change: Change) -> str:
    """Whether a change sets (under a guard or not), wraps, or which stage it is."""
    if change.operation not in ("set", "wrap"):
        return change.operation
    if not has_proceed(change.term) or answers_alone(change.term):
        return "set"
    return "wrap"


def _only_adds(term: Term) -> bool:
    return stage_of(term) == "add"


# ── guards ───────────────────────────────────────────────────────────────────────────────────────────────────────


def _guard_text(term: Term) -> str:
    match term:
        case If(condition=condition) if condition.span is not None:
            return f"`{condition.span.text}`"
        case Coalesce(first=first) if first.span is not None:
            return f"`{first.span.text}` is something"
        case _:
            return ""
