"""What numbers and orders leave: conditions that can't hold beside another modifier, writings without a solution."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from ..ir.nodes import PickWriting, Prim, Proceed, Rule, Shuffle, Term, TermNode
from ..ir.walk import rewrite
from .diff_rules import has_proceed
from .domains import Domains, comparisons
from .edits import ConditionChanged, Declared, HandlerChanged, slot
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


def bodies(modifiers: Sequence[Modifier]) -> Mapping[str, Term]:
    """What every rule gives with some modifiers in force: values innermost, then what lies around them."""
    found = {rule.id: rule.body for rule in modifiers[0].base.rules}
    for modifier in modifiers:
        for rule in modifier.program.rules:
            found.setdefault(rule.id, rule.body)
    changes = [(rule.id, change) for m in modifiers for rule in m.program.rules for change in m.changes_of(rule.id)]
    for name, change in sorted(changes, key=lambda one: has_proceed(one[1].term)):
        if change.operation in ("set", "wrap"):
            found[name] = _over(change.term, found[name])
    return found


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
    domains = Domains(modifiers[0].facts, bodies(modifiers))
    for pick in modifiers[0].writings:
        if not _leaves_something(domains, pick) and all(_leaves_something(_alone(one), pick) for one in modifiers):
            assert pick.total is not None
            yield Finding(
                Kind.EMPTY,
                f"field {pick.kind}.{pick.field}",
                f"no numbers are left to write as '{pick.field}'",
                f"each {domains.values(pick.domain)}, in all {domains.of(pick.total)}",
                modifiers[0].first_place(),
                modifiers[-1].first_place(),
            )


def _alone(modifier: Modifier) -> Domains:
    return Domains(modifier.facts, bodies((modifier,)))


def _leaves_something(domains: Domains, pick: PickWriting) -> bool:
    """Whether there is a number of cards for which numbers of the right sum exist."""
    assert pick.total is not None
    values, total = domains.values(pick.domain), domains.of(pick.total)
    if values.is_empty or total.is_empty:
        return False
    return any(not (values.times(count) & total).is_empty for count in range(1, MOST_CARDS + 1))
