"""What numbers and orders leave: conditions that can't hold beside another modifier, writings without a solution."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from math import ceil, floor, lcm

from ..ir.nodes import (
    Call,
    If,
    Keeping,
    MakeTuple,
    Op,
    PickWriting,
    Prim,
    Proceed,
    Rule,
    Shuffle,
    Term,
    TermNode,
)
from ..ir.walk import rewrite, terms_of
from ..types import ListOf, Number, Range, RowOf, SetOf, YesNo, required
from .diff_rules import has_proceed
from .domains import Domains, comparisons, shown
from .edits import ConditionChanged, Declared, HandlerChanged, slot
from .exact import Exact, Numbers, makes
from .findings import Finding, Kind
from .normal import is_node, nodes_in, parts_of
from .reads import Modifier
from .touches import Toucher, order_readers

MOST_CARDS = 60


# ── conditions that can't hold ───────────────────────────────────────────────────────────────────────────────────


def dead_comparisons(one: Modifier, other: Modifier) -> Iterator[Finding]:
    """The comparisons in a modifier's own text that can hold, but not beside the other one."""
    own = tuple(_own_comparisons(one))
    if not own:
        return
    alone, both = (Domains(one.facts, bodies(modifiers)) for modifiers in ((one,), (one, other)))
    for comparison in own:
        if alone.can_hold(comparison) and not both.can_hold(comparison):
            text = comparison.span.text if comparison.span is not None else "a condition"
            sides = [both.of(side) for side in comparison.arguments]
            yield Finding(
                Kind.DEAD,
                f"{one.name}: {text}",
                f"`{text}` of '{one.name}' can't hold beside '{other.name}'",
                f"{sides[0]} on the left, {sides[1]} on the right",
                other.first_place(),
                comparison.span,
                ("fits: as written",),
                one.name,
            )


def _own_comparisons(modifier: Modifier) -> Iterator[Prim]:
    for rule in modifier.program.rules:
        for change in modifier.changes_of(rule.id):
            yield from comparisons(change.term)
    for edit in modifier.edits:
        match edit:
            case Declared(new=Rule(body=body)):
                yield from comparisons(body)
            case HandlerChanged(new=handler) if handler is not None:
                for term in _whole_terms(handler.body):
                    yield from comparisons(term)
            case ConditionChanged(new=condition) if condition is not None:
                yield from comparisons(condition.term)
            case _:
                pass


def _whole_terms(value: object) -> Iterator[Term]:
    """The terms of some steps, each as a whole."""
    if isinstance(value, tuple):
        for item in value:
            yield from _whole_terms(item)
    elif isinstance(value, TermNode):
        yield value  # type: ignore[misc]  # every class of terms is one of the union
    elif is_node(value):
        for _, part in parts_of(value):
            yield from _whole_terms(part)


_STAGES = ("add", "remove", "multiply", "at_least", "at_most")
"""In the order in which they are put over one another, above values and what lies around them."""

_UNTOLD: Term = Proceed(type=YesNo())
"""A condition of which nothing is known."""


def bodies(modifiers: Sequence[Modifier]) -> Mapping[str, Term]:
    """What every rule gives with some modifiers in force: values innermost, what lies around them, then the stages."""
    found = {rule.id: rule.body for rule in modifiers[0].base.rules}
    for modifier in modifiers:
        for rule in modifier.program.rules:
            found.setdefault(rule.id, rule.body)
    changes = [(rule.id, change) for m in modifiers for rule in m.program.rules for change in m.changes_of(rule.id)]
    for name, change in sorted(changes, key=lambda one: has_proceed(one[1].term)):
        if change.operation in ("set", "wrap"):
            found[name] = _over(change.term, found[name])
    for stage in _STAGES:
        for name, change in changes:
            if change.operation == stage:
                above = _staged(stage, change.term, found[name])
                beneath = found[name]
                found[name] = If(_UNTOLD, above, beneath, type=beneath.type) if change.guarded else above
    return found


def _staged(stage: str, value: Term, beneath: Term) -> Term:
    """A stage put over what lies beneath; what it can't be put over stays as it is."""
    below = required(beneath.type)
    match stage, below:
        case (("add" | "multiply"), Number()):
            return Prim(Op.ADD if stage == "add" else Op.MULTIPLY, (beneath, value), type=Number(below.scale))
        case (("at_least" | "at_most"), Number()):
            pair = MakeTuple((beneath, value), type=ListOf(below))
            return Prim(Op.MAX if stage == "at_least" else Op.MIN, (pair,), type=Number(below.scale))
        case (("add" | "remove"), (SetOf() | RowOf() | ListOf())):
            is_set = isinstance(below, SetOf)
            if not isinstance(value.type, SetOf | RowOf | ListOf):
                value = Prim(Op.SINGLETON if is_set else Op.SINGLE_ROW, (value,), type=below)
            if stage == "add":
                return Prim(Op.UNION if is_set else Op.APPEND, (beneath, value), type=below)
            return Prim(Op.MINUS if is_set else Op.ROW_MINUS, (beneath, value), type=below)
        case _:
            return beneath


def _over(term: Term, beneath: Term) -> Term:
    return rewrite(term, lambda inner: beneath if isinstance(inner, Proceed) else inner)


# ── orders that nobody reads ─────────────────────────────────────────────────────────────────────────────────────


def dead_orders(one: Modifier, other: Modifier) -> Iterator[Finding]:
    """The shuffles of a modifier whose order is read in the game, but no longer beside the other one."""
    for edits in one.inserts.values():
        for edit in edits:
            if not isinstance(edit, HandlerChanged) or edit.new is None:
                continue
            touched = Toucher(one.program).of(edit.new.body)
            shuffled = {name for what, name in touched.writes if what == "order"}
            if not any(isinstance(node, Shuffle) for node in nodes_in(edit.new.body)) or touched.writes != {
                ("order", name) for name in shuffled
            }:
                continue
            if all(order_readers(one.program, n) and not order_readers(other.program, n) for n in shuffled):
                yield Finding(
                    Kind.DEAD,
                    slot(edit),
                    f"nobody goes by the order that '{one.name}' makes once '{other.name}' is in force",
                    f"the order of {', '.join(sorted(shuffled))}",
                    other.first_place(),
                    edit.new_place,
                    ("fits: as written",),
                    one.name,
                )


# ── numbers that leave nothing ───────────────────────────────────────────────────────────────────────────────────


def empty_numbers(modifiers: Sequence[Modifier]) -> Iterator[Finding]:
    """Writings for which no numbers are left once all of some modifiers are in force."""
    picks = dict.fromkeys(pick for modifier in modifiers for pick in modifier.writings)
    if not picks:
        return
    together = Writings(modifiers)
    alone = [Writings((modifier,)) for modifier in modifiers]
    for pick in picks:
        if not together.leave_something(pick) and all(one.leave_something(pick) for one in alone):
            yield Finding(
                Kind.EMPTY,
                f"field {pick.kind}.{pick.field}",
                f"no numbers are left to write as '{pick.field}'",
                together.told(pick),
                modifiers[0].first_place(),
                modifiers[-1].first_place(),
                goes_by=together.rules_of(pick),
            )


class Writings:
    """What can be written on cards with some modifiers in force."""

    def __init__(self, modifiers: Sequence[Modifier]) -> None:
        self._modifiers = modifiers
        self._bodies = bodies(modifiers)
        self._domains = Domains(modifiers[0].facts, self._bodies)

    def leave_something(self, pick: PickWriting) -> bool:
        """Whether there is a number of cards for which numbers of the right sum exist."""
        assert pick.total is not None
        values, total = self._domains.values(pick.domain), self._domains.of(pick.total)
        if values.is_empty or total.is_empty:
            return False
        numbers = self._numbers(pick)
        if numbers is None:
            return any(not (values.times(count) & total).is_empty for count in self._counts(pick))
        return makes(numbers, self._counts(pick), total)

    def _numbers(self, pick: PickWriting) -> Numbers | None:
        scales = (field.type for m in self._modifiers for field in _fields(m, pick))
        step = Fraction(1, lcm(*(of.scale for of in map(required, scales) if isinstance(of, Number))))
        return Exact(self._domains, self._bodies, step).numbers(pick.domain)

    def rules_of(self, pick: PickWriting) -> tuple[str, ...]:
        """The slots of the rules by which a decision to write goes."""
        found: dict[str, None] = {}
        waiting: list[object] = [pick]
        while waiting:
            for term in terms_of(waiting.pop()):
                if isinstance(term, Call) and f"rule {term.rule}" not in found and term.rule in self._bodies:
                    found[f"rule {term.rule}"] = None
                    waiting.append(self._bodies[term.rule])
        return tuple(found)

    def _counts(self, pick: PickWriting) -> range:
        """On how many cards may be written."""
        if pick.count is None:
            return range(1, MOST_CARDS + 1)
        counts = self._domains.of(pick.count)
        low = 1 if counts.low is None else max(1, ceil(counts.low))
        high = MOST_CARDS if counts.high is None else min(MOST_CARDS, floor(counts.high))
        return range(low, high + 1)

    def told(self, pick: PickWriting) -> str:
        """What may be written, and the sum that is asked for."""
        assert pick.total is not None
        numbers, total = self._numbers(pick), self._domains.of(pick.total)
        if numbers is None or isinstance(pick.domain.type, Range):
            return f"each {self._domains.values(pick.domain)}, in all {total}"
        listed = ", ".join(shown(number) for number in sorted(set(numbers)))
        return f"each of {listed}, in all {total}" if numbers else f"nothing to write, in all {total}"


def _fields(modifier: Modifier, pick: PickWriting) -> Iterator[Keeping]:
    """The field that is written on, as the program of a modifier has it."""
    for kind in modifier.program.kinds:
        if kind.name == pick.kind:
            yield from (field for field in kind.fields if field.name == pick.field)
