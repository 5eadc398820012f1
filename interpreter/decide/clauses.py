"""The conditions an answer must meet, sorted by where they can be asked.

A prohibition that looks at one member of one part belongs into the pick of that part. One that looks at whole parts is
asked as soon as the last of them is chosen. Tiers and narrows compare whole answers, and what the decision itself says
(`where`) comes after them.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum
from typing import TYPE_CHECKING

from rulesdsl.ir.nodes import (
    Alternative,
    Bound,
    Condition,
    Fold,
    Legal,
    Legality,
    Op,
    Origin,
    PickMembers,
    PickNumber,
    PickYesNo,
    Prim,
    Quantifier,
    Term,
)
from rulesdsl.types import YesNo

from ..evaluate.analysis import children

if TYPE_CHECKING:
    from ..evaluate.terms import Evaluator


class ReasonKind(StrEnum):
    """What keeps an answer from being legal."""

    PICK = "not among picks"
    FORBID = "forbid"
    TIER = "tier"
    NARROW = "narrow"
    WHERE = "where"


@dataclass(frozen=True, slots=True)
class Reason:
    """Why an answer is refused: the condition by its name, who wrote it, and what sort of condition it is.

    The name of a pick is that of its part.
    """

    name: str
    origin: Origin | None
    kind: ReasonKind


@dataclass(frozen=True, slots=True)
class Clause:
    """A condition over the parts' bounds. `exempt` are the answers it does not concern."""

    reason: Reason
    term: Term
    exempt: Term | None = None

    @property
    def violated(self) -> Term:
        """For a prohibition: when it keeps an answer out."""
        return self.term if self.exempt is None else both(self.term, negated(self.exempt))

    @property
    def kept(self) -> Term:
        """For a tier or a narrow: which answers stay."""
        return self.term if self.exempt is None else either(self.term, self.exempt)


@dataclass(slots=True)
class Clauses:
    """The conditions of an alternative. `drops` are by part the members that no answer has, over `members` of it."""

    forbids: list[Clause] = field(default_factory=list)
    tiers: list[Clause] = field(default_factory=list)
    narrows: list[Clause] = field(default_factory=list)
    wheres: list[Clause] = field(default_factory=list)
    always: list[Term] = field(default_factory=list)
    """When one of these holds, nothing is legal: they look at no part."""
    drops: list[list[Term]] = field(default_factory=list)
    members: list[Bound] = field(default_factory=list)
    """By part the bound that stands for a member of it; for a part of one member, the bound of the part."""
    after: list[list[Term]] = field(default_factory=list)
    """By part the terms that keep an answer out once that part is chosen."""
    legal: tuple[tuple[str, Term], ...] = ()
    """What `legal` tells of every answer that is left, by name."""

    @property
    def is_late(self) -> bool:
        """Whether answers have to be compared with one another."""
        return bool(self.tiers or self.narrows)


def clauses_of(
    compiler: Evaluator,
    alternative: Alternative,
    legality: Legality | None,
    bounds: list[Bound],
    names: dict[int, Term],
) -> Clauses:
    """The conditions of an alternative over the bounds of its parts; `names` puts those in for the parts' cells."""
    found = Clauses()
    found.members = [
        bound if not isinstance(part.pick, PickMembers) or part.pick.single else _member(compiler, part.pick, bound)
        for part, bound in zip(alternative.parts, bounds, strict=True)
    ]
    found.drops = [[] for _ in bounds]
    found.after = [[] for _ in bounds]
    if legality is not None and alternative.under is not None:
        arguments = [compiler.prepared(argument, None, names) for argument in alternative.under.arguments]
        inside = {parameter.id: term for parameter, term in zip(legality.parameters, arguments, strict=True)}

        def clause(condition: Condition, kind: ReasonKind) -> Clause:
            exempt = [compiler.prepared(permit, inside) for permit in condition.permits]
            term = compiler.prepared(condition.term, inside)
            whole = exempt[0] if exempt else None
            for other in exempt[1:]:
                whole = either(other, whole) if whole is not None else other
            return Clause(Reason(condition.name, condition.origin, kind), term, whole)

        found.forbids = [clause(condition, ReasonKind.FORBID) for condition in legality.forbids]
        found.tiers = [clause(condition, ReasonKind.TIER) for condition in legality.tiers]
        found.narrows = [clause(condition, ReasonKind.NARROW) for condition in legality.narrows]
        parameters = legality.parameters[1:]
        found.legal = tuple((p.name, term) for p, term in zip(parameters, arguments[1:], strict=True))
    if alternative.where is not None:
        term = compiler.prepared(alternative.where, None, names)
        found.wheres = [Clause(Reason("where", None, ReasonKind.WHERE), part) for part in _conjuncts(term)]
    _sort(compiler, found, alternative, bounds)
    return found


def _member(compiler: Evaluator, pick: PickMembers, whole: Bound) -> Bound:
    source = pick.source.type
    of = getattr(source, "of", whole.type)
    return compiler.fresh(Bound(0, whole.name, type=of))


def _sort(compiler: Evaluator, found: Clauses, alternative: Alternative, bounds: list[Bound]) -> None:
    """Gives every prohibition, and what `where` says if nothing comes before it, to the part where it can be asked."""
    against = [part for clause in found.forbids for part in _disjuncts(compiler.prepared(clause.violated))]
    if not found.is_late:
        against += [compiler.prepared(negated(clause.term)) for clause in found.wheres]
    number = {bound.id: index for index, bound in enumerate(bounds)}
    for term in against:
        looked_at = [number[bound] for bound in compiler.analyst.facts(term).free if bound in number]
        if not looked_at:
            found.always.append(term)
            continue
        last = max(looked_at)
        pick = alternative.parts[last].pick
        if isinstance(pick, PickNumber | PickYesNo) or (isinstance(pick, PickMembers) and pick.single):
            found.drops[last].append(term)
            continue
        member = None
        if isinstance(pick, PickMembers):
            member = _memberwise(compiler, term, bounds[last], found.members[last])
        if member is not None:
            found.drops[last].append(member)
        else:
            found.after[last].append(term)


def _memberwise(compiler: Evaluator, term: Term, part: Bound, member: Bound) -> Term | None:
    """For a prohibition of the form `any(part where ...)`, when it hits a member."""
    match term:
        case Fold(quantifier=Quantifier.ANY, source=Bound(id=source), id=inner, body=body) if source == part.id:
            hit = body
        case Prim(
            op=Op.NOT,
            arguments=(Fold(quantifier=Quantifier.ALL, source=Bound(id=source), id=inner, body=body),),
        ) if source == part.id:
            hit = negated(body)
        case _:
            return None
    if part.id in compiler.analyst.facts(body).free:
        return None
    return compiler.prepared(hit, {inner: member})


def _conjuncts(term: Term) -> list[Term]:
    match term:
        case Prim(op=Op.AND, arguments=(left, right)):
            return [*_conjuncts(left), *_conjuncts(right)]
        case _:
            return [term]


def _disjuncts(term: Term) -> list[Term]:
    match term:
        case Prim(op=Op.OR, arguments=(left, right)):
            return [*_disjuncts(left), *_disjuncts(right)]
        case _:
            return [term]


def uses_legal(compiler: Evaluator, term: Term) -> bool:
    """Whether a condition looks at what is left (rules that do may stand behind a call)."""
    if isinstance(term, Legal):
        return True
    called = getattr(term, "rule", None)
    if isinstance(called, str) and uses_legal(compiler, compiler.declared_rule(called).body):
        return True
    return any(uses_legal(compiler, child) for child in children(term))


def legal_fields(compiler: Evaluator, term: Term) -> tuple[str, ...] | None:
    """The names of the parts that `legal` tells of every answer, as a condition reads them."""
    if isinstance(term, Legal):
        record = getattr(term.type, "of", None)
        return tuple(name for name, _ in getattr(record, "fields", ())) or None
    called = getattr(term, "rule", None)
    inside = [compiler.declared_rule(called).body] if isinstance(called, str) else []
    for child in (*inside, *children(term)):
        fields = legal_fields(compiler, child)
        if fields is not None:
            return fields
    return None


def both(left: Term, right: Term) -> Term:
    """Both hold."""
    return Prim(Op.AND, (left, right), type=YesNo(), span=left.span)


def either(left: Term, right: Term) -> Term:
    """One of the two holds."""
    return Prim(Op.OR, (left, right), type=YesNo(), span=left.span)


def negated(term: Term) -> Term:
    """It does not hold."""
    match term:
        case Prim(op=Op.NOT, arguments=(inner,)):
            return inner
        case _:
            return Prim(Op.NOT, (term,), type=YesNo(), span=term.span)
