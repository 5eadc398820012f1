"""What a settlement makes of the verdicts: the findings that it settles, and the lines of it that settle nothing.

`fits: as written` accepts that one of two reads what the other writes. An order settles who comes first at its place.
`changes` say anew what both meet in, so they settle what is found about the slots they name, and all reading. A note
is for people.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import fields, replace
from itertools import combinations

from ..ir.nodes import Verdicts
from ..source import Span
from ..syntax.document import (
    CasesBody,
    ChangeDoc,
    ComponentsBody,
    DeclarationBody,
    Doc,
    ExprBody,
    OrderDoc,
    PairDoc,
    SettlementDoc,
    TableBody,
    VariantDoc,
)
from ..syntax.expr import Name, Node, Target, TargetKind
from .findings import Finding, Kind, Matrix, Verdict

_VALUES = ExprBody | CasesBody | TableBody | ComponentsBody | DeclarationBody
"""The bodies of changes that give a value, or the keys of a declaration."""

_KEPT_APART = (Kind.EXCLUSIVE, Kind.DANGLING, Kind.EMPTY)


def settle(
    verdict: Verdict,
    settlement: SettlementDoc | None,
    stack: Collection[str] = (),
    variant: VariantDoc | None = None,
) -> Verdict:
    """A verdict with what a settlement says of these modifiers, or of them and others of the stack they are in.

    What a variant says itself settles things for the variant.
    """
    findings = verdict.findings
    if variant is not None:
        findings = tuple(_settled_by(finding, verdict, variant) for finding in findings)
    for entry in _entries(verdict, settlement, stack):
        findings = tuple(_settled(finding, entry, verdict) for finding in findings)
    return replace(verdict, findings=findings)


def settle_all(matrix: Matrix, settlement: SettlementDoc | None, variant: VariantDoc | None = None) -> Matrix:
    """All verdicts with what a settlement says, and a variant."""
    pairs = {names: settle(verdict, settlement, variant=variant) for names, verdict in matrix.pairs.items()}
    return replace(matrix, pairs=pairs)


def idle_lines(settlement: SettlementDoc, verdicts: Mapping[frozenset[str], Verdict]) -> Iterator[tuple[Span, str]]:
    """The lines that settle nothing of what was found about their modifiers, each with what is wrong with it.

    For an entry about more than two the verdicts on all pairs of them are asked for, and that on the group.
    """
    for entry in settlement.pairs:
        names = [name.name for name in entry.of]
        groups = [frozenset(pair) for pair in combinations(names, 2)]
        if len(names) > 2:
            groups.append(frozenset(names))
        if not all(group in verdicts for group in groups):
            continue  # one of them is wrong by itself, which is told of it
        meeting = [verdicts[group] for group in groups if _meets(verdicts[group])]
        found = [(finding, verdict) for verdict in meeting for finding in verdict.findings]
        of, says_something = _listed(names), bool(entry.as_written or entry.order or entry.changes)
        if not found:
            if says_something:
                yield _span(entry), f"{of} do not meet, so there is nothing to settle"
            continue
        for name in entry.of if says_something else ():
            if not any(name.name in verdict.modifiers for verdict in meeting):
                yield name.span, f"'{name.name}' meets none of the others, so nothing is to be settled with it"
        if entry.as_written and not any(_accepts(finding) for finding, _ in found):
            yield (
                _span(entry),
                f"{'neither' if len(names) == 2 else 'none'} of {of} reads what {_another(names)} writes",
            )
        for order in entry.order:
            if not any(_orders(finding, order, verdict) for finding, verdict in found):
                yield order.target.span, f"{of} need no order at '{order.target.text}'"
        if entry.changes and not any(_changes(finding, entry) for finding, _ in found):
            yield entry.changes[0].target.span, f"{of} do not meet in '{entry.changes[0].target.text}'"


def groups_in(settlement: SettlementDoc) -> Iterator[tuple[str, ...]]:
    """The groups of more than two of which a settlement speaks."""
    for entry in settlement.pairs:
        if len(entry.of) > 2:
            yield tuple(name.name for name in entry.of)


def _meets(verdict: Verdict) -> bool:
    return any(finding.kind is not Kind.AGREES for finding in verdict.findings)


def _listed(names: Sequence[str]) -> str:
    quoted = [f"'{name}'" for name in names]
    return f"{', '.join(quoted[:-1])} and {quoted[-1]}"


def _another(names: Sequence[str]) -> str:
    return "the other one" if len(names) == 2 else "another one"


def known_of_pairs(matrix: Matrix) -> Verdicts:
    """What a match goes by: which modifiers can't be in force together, and which have no effect beside which."""
    exclusive: list[tuple[str, str]] = []
    idle: list[tuple[str, str]] = []
    for index, one in enumerate(matrix.modifiers):
        for other in matrix.modifiers[index + 1 :]:
            verdict = matrix.verdict(one, other)
            if verdict.kind in _KEPT_APART:
                exclusive.append((one, other))
            for finding in verdict.open:
                if finding.kind is Kind.DEAD:
                    idle.append((finding.about, other if finding.about == one else one))
    return Verdicts(tuple(exclusive), tuple(dict.fromkeys(idle)))


def _entries(verdict: Verdict, settlement: SettlementDoc | None, stack: Collection[str]) -> Iterator[PairDoc]:
    """The entries that are in force in a stack, and say something of all or, for more than two, some of a verdict."""
    about = set(verdict.modifiers)
    for entry in settlement.pairs if settlement is not None else ():
        of = {name.name for name in entry.of}
        if of <= (set(stack) | about) and (about <= of or (len(about) > 2 and of <= about)):
            yield entry


def _span(entry: PairDoc) -> Span:
    return entry.of[0].span.to(entry.of[-1].span)


def _settled(finding: Finding, entry: PairDoc, verdict: Verdict) -> Finding:
    by = (
        (entry.as_written and _accepts(finding))
        or any(_orders(finding, order, verdict) for order in entry.order)
        or _changes(finding, entry)
    )
    return replace(finding, settled_at=_span(entry)) if by and finding.settled_at is None else finding


def _settled_by(finding: Finding, verdict: Verdict, variant: VariantDoc) -> Finding:
    """A finding with what a variant says of it: whom it puts first or on top, or that it gives the value itself."""
    for order in (*variant.order, *variant.over):
        decides = (Kind.EXCLUSIVE, Kind.ORDER) if order in variant.over else (Kind.ORDER,)
        both = {name.name for name in order.modifiers} >= set(verdict.modifiers)
        if both and finding.kind in decides and _is_at(order.target, finding.slot):
            return replace(finding, settled_at=order.target.span)
    for change in variant.changes:
        about = finding.kind in (Kind.EXCLUSIVE, Kind.EMPTY, Kind.ORDER, Kind.READS)
        slots = (finding.slot, *finding.goes_by) if finding.kind is Kind.EMPTY else (finding.slot,)
        if about and _gives_alone(change) and any(_is_at(change.target, slot) for slot in slots):
            return replace(finding, settled_at=change.target.span)
    return finding


def _gives_alone(change: ChangeDoc) -> bool:
    """Whether a change says what holds, always and whatever lies beneath."""
    return change.when is None and isinstance(change.body, _VALUES) and not _asks_beneath(change.body)


def _asks_beneath(value: object) -> bool:
    if isinstance(value, tuple):
        return any(_asks_beneath(item) for item in value)
    if isinstance(value, Name):
        return value.name == "proceed"
    if isinstance(value, Doc | Node):
        return any(_asks_beneath(getattr(value, part.name)) for part in fields(value) if part.name != "span")
    return False


def _accepts(finding: Finding) -> bool:
    return finding.kind is Kind.READS


def _orders(finding: Finding, order: OrderDoc, verdict: Verdict) -> bool:
    """Whether an order says who of a pair comes first at the place where that is asked."""
    says = {name.name for name in order.modifiers} >= set(verdict.modifiers)
    return says and finding.kind is Kind.ORDER and _is_at(order.target, finding.slot)


def _changes(finding: Finding, entry: PairDoc) -> bool:
    match finding.kind:
        case Kind.READS:
            return bool(entry.changes)
        case Kind.EXCLUSIVE | Kind.EMPTY | Kind.ORDER:
            slots = (finding.slot, *finding.goes_by)
            return any(_is_at(change.target, slot) for change in entry.changes for slot in slots)
        case _:
            return False


def _is_at(target: Target, slot: str) -> bool:
    """Whether a slot of a finding is what a target names: `after phase rounds/write` is `after write`."""
    kind, _, rest = slot.replace("()", "").partition(" ")
    match target.kind:
        case TargetKind.SLOT:
            assert target.signature is not None
            return kind in ("rule", "legality") and rest.partition("(")[0] == target.signature.name
        case TargetKind.BEFORE | TargetKind.AFTER | TargetKind.INSTEAD:
            path = tuple(rest.split(" ")[-1].split("/"))
            return kind == target.kind.partition(" ")[0] and path[-len(target.path) :] == target.path
        case TargetKind.CARDS:
            return kind == "kind" and rest.split(" ")[0] == target.path[-1]
        case _:
            path = tuple(rest.split(" ")[0].split("/"))
            return kind == target.kind and path[-len(target.path) :] == target.path
