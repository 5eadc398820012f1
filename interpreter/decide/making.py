"""Which way an alternative of a decision is worked out in: it follows from the program alone."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rulesdsl.ir.nodes import Alternative, Bound, Part, PickMembers, PickNumber, PickOrder, PickWriting, PickYesNo, Term

from ..state.cells import Closure
from ..state.domains import is_finite
from .clauses import Clauses, clauses_of
from .members import OneMember, SomeMembers
from .parts import Ordering, PartPlan, Simple
from .plan import Plan
from .plans import FromSet, Independent, Listed
from .writing import Writing

if TYPE_CHECKING:
    from ..evaluate.terms import Evaluator


def plan_of(compiler: Evaluator, alternative: Alternative) -> Plan:
    """The way in which an alternative is worked out."""
    bounds = [compiler.fresh(part.cell) for part in alternative.parts]
    names: dict[int, Term] = {part.cell.id: bound for part, bound in zip(alternative.parts, bounds, strict=True)}
    legality = None if alternative.under is None else compiler.legality(alternative.under.legality)
    clauses = clauses_of(compiler, alternative, legality, bounds, names)
    parts = [
        _part(compiler, part, bound, clauses.members[index], clauses.drops[index], names)
        for index, (part, bound) in enumerate(zip(alternative.parts, bounds, strict=True))
    ]
    if len(parts) == 1 and isinstance(parts[0], OneMember) and compiler.optimise:
        source = parts[0].source
        if source.is_set and is_finite(parts[0].bound.type):
            return FromSet(compiler, parts[0], clauses)
    matters = _matters(compiler, alternative, clauses, bounds, names)
    listed = clauses.is_late or any(clauses.after)
    if not listed and all(part.one_by_one or not matter for part, matter in zip(parts, matters, strict=True)):
        return Independent(compiler, parts, clauses, matters)
    return Listed(compiler, parts, clauses)


def _part(
    compiler: Evaluator, part: Part, bound: Bound, member: Bound, drops: list[Term], names: dict[int, Term]
) -> PartPlan:
    def prepared(term: Term) -> Term:
        return compiler.prepared(term, None, names)

    def limit(term: Term | None) -> Closure | None:
        return None if term is None else compiler.compile(prepared(term))

    match part.pick:
        case PickMembers(single=True) as pick:
            return OneMember(compiler, part, pick, bound, prepared(pick.source), drops)
        case PickMembers() as pick:
            limits = limit(pick.low), limit(pick.high)
            return SomeMembers(compiler, part, pick, bound, prepared(pick.source), limits, member, drops)
        case PickNumber(low=low, high=high) as pick:
            ends = compiler.compile(prepared(low)), compiler.compile(prepared(high))
            return Simple(compiler, part, pick, bound, ends, drops)
        case PickYesNo() as pick:
            return Simple(compiler, part, pick, bound, None, drops)
        case PickOrder(source=source) as pick:
            return Ordering(compiler, part, pick, bound, prepared(source))
        case PickWriting() as pick:
            return Writing(compiler, part, pick, bound, names)


def _matters(
    compiler: Evaluator, alternative: Alternative, clauses: Clauses, bounds: list[Bound], names: dict[int, Term]
) -> list[bool]:
    """By part, whether what a later part may be depends on it."""
    free: list[frozenset[int]] = []
    for part, drops in zip(alternative.parts, clauses.drops, strict=True):
        terms = [compiler.prepared(term, None, names) for term in _terms_of(part)]
        free.append(frozenset().union(*(compiler.analyst.facts(term).free for term in (*terms, *drops))))
    return [any(bound.id in later for later in free[index + 1 :]) for index, bound in enumerate(bounds)]


def _terms_of(part: Part) -> list[Term]:
    match part.pick:
        case PickMembers(source=source, low=low, high=high):
            return [term for term in (source, low, high) if term is not None]
        case PickNumber(low=low, high=high):
            return [low, high]
        case PickYesNo():
            return []
        case PickOrder(source=source):
            return [source]
        case PickWriting(cards=cards, domain=domain, count=count, total=total, step=step):
            return [term for term in (cards, domain, count, total, step) if term is not None]
