"""What a settlement makes of the verdicts: the findings that it settles, and the lines of it that settle nothing.

`fits: as written` accepts that one of two reads what the other writes. An order settles who comes first at its place.
`changes` say anew what both meet in, so they settle what is found about the slots they name, and all reading. A note
is for people.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace

from ..ir.nodes import Verdicts
from ..source import Span
from ..syntax.document import PairDoc, SettlementDoc
from ..syntax.expr import Target, TargetKind
from .findings import Finding, Kind, Matrix, Verdict

_KEPT_APART = (Kind.EXCLUSIVE, Kind.DANGLING, Kind.EMPTY)


def settle(verdict: Verdict, settlement: SettlementDoc | None) -> Verdict:
    """A verdict with what a settlement says of just these modifiers."""
    findings = verdict.findings
    for entry in _entries(verdict, settlement):
        findings = tuple(_settled(finding, entry) for finding in findings)
    return replace(verdict, findings=findings)


def settle_all(matrix: Matrix, settlement: SettlementDoc | None) -> Matrix:
    """All verdicts with what a settlement says."""
    pairs = {names: settle(verdict, settlement) for names, verdict in matrix.pairs.items()}
    return replace(matrix, pairs=pairs)


def idle_lines(settlement: SettlementDoc, verdicts: Mapping[frozenset[str], Verdict]) -> Iterator[tuple[Span, str]]:
    """The lines that settle nothing of what was found about their pair, each with what is wrong with it."""
    for entry in settlement.pairs:
        names = [name.name for name in entry.of]
        verdict = verdicts.get(frozenset(names))
        if verdict is None or len(names) != 2:
            continue  # what three do together is more than any verdict on two can tell
        pair = " and ".join(f"'{name}'" for name in names)
        if not any(finding.kind is not Kind.AGREES for finding in verdict.findings):
            if entry.as_written or entry.order or entry.changes:
                yield _span(entry), f"{pair} do not meet, so there is nothing to settle"
            continue
        if entry.as_written and not any(_accepts(finding) for finding in verdict.findings):
            yield _span(entry), f"neither of {pair} reads what the other one writes"
        for order in entry.order:
            if not any(_orders(finding, order.target) for finding in verdict.findings):
                yield order.target.span, f"{pair} need no order at '{order.target.text}'"
        if entry.changes and not any(_changes(finding, entry) for finding in verdict.findings):
            yield entry.changes[0].target.span, f"{pair} do not meet in '{entry.changes[0].target.text}'"


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


def _entries(verdict: Verdict, settlement: SettlementDoc | None) -> Iterator[PairDoc]:
    for entry in settlement.pairs if settlement is not None else ():
        if {name.name for name in entry.of} == set(verdict.modifiers):
            yield entry


def _span(entry: PairDoc) -> Span:
    return entry.of[0].span.to(entry.of[-1].span)


def _settled(finding: Finding, entry: PairDoc) -> Finding:
    by = (
        (entry.as_written and _accepts(finding))
        or any(_orders(finding, order.target) for order in entry.order)
        or _changes(finding, entry)
    )
    return replace(finding, settled_at=_span(entry)) if by and finding.settled_at is None else finding


def _accepts(finding: Finding) -> bool:
    return finding.kind is Kind.READS


def _orders(finding: Finding, target: Target) -> bool:
    return finding.kind is Kind.ORDER and _is_at(target, finding.slot)


def _changes(finding: Finding, entry: PairDoc) -> bool:
    match finding.kind:
        case Kind.READS:
            return bool(entry.changes)
        case Kind.EXCLUSIVE | Kind.EMPTY | Kind.ORDER:
            return any(_is_at(change.target, finding.slot) for change in entry.changes)
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
