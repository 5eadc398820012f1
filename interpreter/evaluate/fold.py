"""Terms made simpler before they are compiled: constants worked out, rules put in where they are called.

A term and its simplified form are worth the same on every state, and end a match on the same states. Every binder gets
an id of its own in the whole match, so that terms can be put into one another.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from itertools import count

from rulesdsl.ir.nodes import (
    Bound,
    Call,
    Cell,
    Coalesce,
    Const,
    Filter,
    Fold,
    If,
    LetIn,
    Map,
    Op,
    Prim,
    Quantifier,
    Rank,
    Rule,
    Spread,
    Term,
    Value,
)
from rulesdsl.types import NONE, ListOf, RowOf, SetOf, Type, YesNo

from ..state.domains import first_of
from ..state.errors import MatchError
from .analysis import Analyst, children, rebuilt

INLINE_SIZE = 80
"""A rule whose simplified body has more nodes than this stays a call."""

_FIRST_FRESH = 1 << 40

_FOLDS = {
    Op.SUM: Quantifier.SUM,
    Op.MIN: Quantifier.MIN,
    Op.MAX: Quantifier.MAX,
    Op.ANY_OF: Quantifier.ANY,
    Op.ALL_OF: Quantifier.ALL,
}

Names = Mapping[int, Term | int]
"""By the id of a bound, the term that stands in for it, or its new id."""


def nothing_of(of: Type) -> Value:
    """What stands for no value in a type: the empty sequence, or none."""
    match of:
        case SetOf():
            return 0
        case RowOf() | ListOf():
            return ()
        case _:
            return NONE


class Simplifier:
    """Puts terms into the form in which they are compiled.

    With `simplify` false it only renames binders, and calls stay calls: the plain meaning, which the rest is held
    against.
    """

    def __init__(
        self,
        rules: Mapping[str, Rule],
        analyst: Analyst,
        evaluate: Callable[[Term], Value],
        stays: Callable[[Term], bool],
        *,
        simplify: bool,
    ) -> None:
        self.declared = rules
        self.analyst = analyst
        self._evaluate = evaluate
        self.stays = stays
        """Whether the body of a rule without parameters stays where it is."""
        self.simplify = simplify
        self.ids: Iterator[int] = count(_FIRST_FRESH)
        self._bodies: dict[str, tuple[tuple[Bound, ...], Term]] = {}

    def fresh(self, like: Bound | Cell) -> Bound:
        """A bound with an id of its own, of the type and name of another."""
        return Bound(next(self.ids), like.name, type=like.type)

    def rule(self, name: str) -> tuple[tuple[Bound, ...], Term]:
        """The parameters of a rule, and its body in terms of them."""
        if name not in self._bodies:
            rule = self.declared[name]
            parameters = tuple(self.fresh(parameter) for parameter in rule.parameters)
            names = {old.id: new for old, new in zip(rule.parameters, parameters, strict=True)}
            self._bodies[name] = (parameters, self.term(rule.body, names))
        return self._bodies[name]

    def term(self, term: Term, names: Names, cells: Mapping[int, Term] | None = None) -> Term:
        """The term with `names` put in for bounds and `cells` for cells, in its simplest form."""
        return self.closed(_Rewriting(self, cells or {}).go(term, names))

    def closed(self, term: Term) -> Term:
        """A term that depends on nothing as its value."""
        if not self.simplify or isinstance(term, Const):
            return term
        facts = self.analyst.facts(term)
        if not facts.static or facts.free:
            return term
        try:
            return Const(self._evaluate(term), type=term.type, span=term.span)
        except MatchError:
            return term  # it ends the match if it is ever reached, and not before


class _Rewriting:
    """One walk over a term."""

    def __init__(self, owner: Simplifier, cells: Mapping[int, Term]) -> None:
        self._owner = owner
        self._analyst = owner.analyst
        self._cells = cells
        self._on = owner.simplify

    def go(self, term: Term, names: Names) -> Term:
        return self._owner.closed(self._rewritten(term, names))

    def _rewritten(self, term: Term, names: Names) -> Term:
        match term:
            case Bound(id=bound):
                new = names.get(bound)
                return replace(term, id=new) if isinstance(new, int) else new or term
            case Cell(id=cell):
                return self._cells.get(cell, term)
            case LetIn():
                return self._let(term, names)
            case Spread():
                return self._spread(term, names)
            case Filter() | Map() | Fold():
                return self._loop(term, names)
            case Rank(source=source, id=bound, keys=keys):
                new, inner = self._binder(bound, names)
                ranked = tuple(self.go(key, inner) for key in keys)
                return replace(term, source=self.go(source, names), id=new, keys=ranked)
            case If():
                return self._if(term, names)
            case Call():
                arguments = [self.go(argument, names) for argument in term.arguments]
                return self._call(term, arguments)
            case Prim(op=Op.AND | Op.OR) if self._on:
                return self._junction(term, names)
            case Prim() if self._on and (again := _asked_again(term)) is not None:
                once = self._owner.fresh(Bound(0, "once", type=again.type))
                body = _with_bound(term, again, once)
                return self.go(LetIn(once.id, again, body, type=term.type, span=term.span), names)
            case _:
                inside = children(term)
                new_term = rebuilt(term, [self.go(child, names) for child in inside]) if inside else term
                return self._shorter(new_term) if self._on else new_term

    def _shorter(self, term: Term) -> Term:
        """A term whose parts are done, in fewer steps."""
        match term:
            case Coalesce(first=Const() as first, second=second):
                return second if first.value in (NONE, nothing_of(first.type)) else first
            case Prim():
                return self._shortened(term)
            case _:
                return term

    # ── names ────────────────────────────────────────────────────────────────────────────────────────────────────

    def _binder(self, old: int, names: Names) -> tuple[int, Names]:
        """A new id for a binder, and what names mean inside of it."""
        new = next(self._owner.ids)
        return new, {**names, old: new}

    def _call(self, call: Call, arguments: list[Term]) -> Term:
        """A call; of a small rule its body with the arguments put in."""
        parameters = self._owner.declared[call.rule].parameters
        arguments = [_as(argument, p.type) for argument, p in zip(arguments, parameters, strict=True)]
        call = replace(call, arguments=tuple(arguments))
        if not self._on:
            return call
        parameters, body = self._owner.rule(call.rule)
        if self._analyst.facts(body).size > INLINE_SIZE or (not parameters and self._owner.stays(body)):
            return call
        for parameter, argument in reversed(list(zip(parameters, arguments, strict=True))):
            body = LetIn(parameter.id, argument, body, type=call.type, span=call.span)
        return self.go(body, {})

    def _let(self, term: LetIn, names: Names) -> Term:
        value = self.go(term.value, names)
        if self._on and self._may_move(value, self._analyst.uses(term.body, term.id)):
            return self.go(term.body, {**names, term.id: value})
        new, inner = self._binder(term.id, names)
        body = self.go(term.body, inner)
        if self._on and self._may_move(value, self._analyst.uses(body, new)):
            return self.go(body, {new: value})
        return replace(term, id=new, value=value, body=body)

    def _may_move(self, value: Term, uses: int) -> bool:
        """Whether a value may be worked out where it is used: always the same, never an error left out."""
        return isinstance(value, Const | Bound | Cell) or (uses <= 1 and not self._analyst.facts(value).fallible)

    def _spread(self, term: Spread, names: Names) -> Term:
        value = self.go(term.value, names)
        if self._on and isinstance(value, Const):
            if value.value == NONE:
                return Const(nothing_of(term.type), type=term.type, span=term.span)
            return self.go(term.body, {**names, term.id: value})
        new, inner = self._binder(term.id, names)
        return replace(term, id=new, value=value, body=self.go(term.body, inner))

    # ── choices between terms ────────────────────────────────────────────────────────────────────────────────────

    def _if(self, term: If, names: Names) -> Term:
        condition = self.go(term.condition, names)
        if self._on and isinstance(condition, Const):
            return self.go(term.then if condition.value else term.otherwise, names)
        return replace(
            term, condition=condition, then=self.go(term.then, names), otherwise=self.go(term.otherwise, names)
        )

    # ── operations ───────────────────────────────────────────────────────────────────────────────────────────────

    def _junction(self, term: Prim, names: Names) -> Term:
        decides = term.op is Op.OR
        left = self.go(term.arguments[0], names)
        if isinstance(left, Const):
            return left if bool(left.value) is decides else self.go(term.arguments[1], names)
        right = self.go(term.arguments[1], names)
        if isinstance(right, Const):
            if bool(right.value) is not decides:
                return left
            if not self._analyst.facts(left).fallible:
                return right
        return replace(term, arguments=(left, right))

    def _shortened(self, term: Prim) -> Term:
        """Counting, testing and folding what was just made, in one step."""
        match term.op, term.arguments:
            case Op.NOT, (Prim(op=Op.NOT, arguments=(inner,)),):
                return inner
            case Op.COUNT, (Filter(source=source, id=bound, condition=condition),):
                return self._fold(term, Quantifier.COUNT, source, bound, condition)
            case Op.COUNT, (Map(source=source, body=body),) if not self._analyst.facts(body).fallible:
                return replace(term, arguments=(source,))
            case Op.IS_EMPTY, (Filter(source=source, id=bound, condition=condition),):
                return _not(self._fold(term, Quantifier.ANY, source, bound, condition))
            case (Op.SUM | Op.MIN | Op.MAX | Op.ANY_OF | Op.ALL_OF) as op, (Map(source=source, id=bound, body=body),):
                return self._fold(term, _FOLDS[op], source, bound, body)
            case Op.SAME, (counted, Const(value=0)) if (some := self._some(counted)) is not None:
                return _not(some)
            case Op.DIFFERS | Op.GREATER, (counted, Const(value=0)) if (some := self._some(counted)) is not None:
                return some
            case Op.GREATER_EQUAL, (counted, Const(value=1)) if (some := self._some(counted)) is not None:
                return some
            case _:
                return term

    def _some(self, counted: Term) -> Term | None:
        """For a count, whether it counts anything."""
        match counted:
            case Prim(op=Op.COUNT, arguments=(sequence,)):
                return _not(Prim(Op.IS_EMPTY, (sequence,), type=YesNo(), span=counted.span))
            case Fold(quantifier=Quantifier.COUNT):
                return replace(counted, quantifier=Quantifier.ANY, type=YesNo())
            case _:
                return None

    def _fold(self, at: Prim, quantifier: Quantifier, source: Term, bound: int, body: Term) -> Term:
        return self._merged(Fold(quantifier, source, bound, body, type=at.type, span=at.span))

    # ── loops ────────────────────────────────────────────────────────────────────────────────────────────────────

    def _loop(self, term: Filter | Map | Fold, names: Names) -> Term:
        source = self.go(term.source, names)
        new, inner = self._binder(term.id, names)
        match term:
            case Filter(condition=condition):
                condition = self.go(condition, inner)
                filtered = replace(term, source=source, id=new, condition=condition)
                return self._filtered(filtered) if self._on else filtered
            case Map(body=body):
                return replace(term, source=source, id=new, body=self.go(body, inner))
            case Fold(body=body):
                fold = replace(term, source=source, id=new, body=self.go(body, inner))
                return self._merged(fold) if self._on else fold

    def _filtered(self, term: Filter) -> Term:
        match term:
            case Filter(condition=Const(value=holds), source=source) if holds:
                return source
            case Filter(condition=Const(), source=source) if not self._analyst.facts(source).fallible:
                return Const(nothing_of(source.type), type=source.type, span=term.span)
            case Filter(source=Filter() as inner):
                second = self.go(term.condition, {term.id: inner.id})
                both = Prim(Op.AND, (inner.condition, second), type=YesNo(), span=term.span)
                return replace(term, source=inner.source, id=inner.id, condition=both)
            case _:
                return term

    def _merged(self, term: Fold) -> Term:
        """A fold over what a filter or a map makes, as one loop."""
        match term:
            case Fold(source=Filter(source=source, id=bound, condition=condition), quantifier=quantifier):
                body = self.go(term.body, {term.id: bound})
                if quantifier in (Quantifier.ANY, Quantifier.COUNT):
                    body = Prim(Op.AND, (condition, body), type=YesNo(), span=term.span)
                elif quantifier is Quantifier.ALL:
                    body = Prim(Op.OR, (_not(condition), body), type=YesNo(), span=term.span)
                else:
                    return term
                return replace(term, source=source, id=bound, body=body)
            case Fold(source=Map(source=source, id=bound, body=inner)):
                body = self.go(LetIn(term.id, inner, term.body, type=term.body.type), {})
                return replace(term, source=source, id=bound, body=body)
            case _:
                return term


def _operands(term: Term) -> tuple[Term, ...]:
    """What is always worked out on the way to the value of an operation."""
    return term.arguments if isinstance(term, Prim) and term.op not in (Op.AND, Op.OR) else ()


def _asked_again(term: Prim) -> Call | None:
    """A call that is worked out several times for the value of an operation."""
    seen: list[Call] = []
    waiting: list[Term] = [term]
    while waiting:
        part = waiting.pop()
        if isinstance(part, Call) and part.arguments:
            if part in seen:
                return part
            seen.append(part)
        waiting += _operands(part)
    return None


def _with_bound(term: Term, call: Call, once: Bound) -> Term:
    """The operation with a bound in the places of a call."""
    if term == call:
        return once
    if isinstance(term, Prim) and _operands(term):
        return replace(term, arguments=tuple(_with_bound(part, call, once) for part in term.arguments))
    return term


def _not(term: Term) -> Term:
    match term:
        case Prim(op=Op.NOT, arguments=(inner,)):
            return inner
        case _:
            return Prim(Op.NOT, (term,), type=YesNo(), span=term.span)


def _as(term: Term, wanted: Type) -> Term:
    """A set of numbers counted from where another type of such sets begins."""
    if isinstance(term.type, SetOf) and isinstance(wanted, SetOf) and first_of(term.type.of) != first_of(wanted.of):
        return Prim(Op.TO_SET, (term,), type=wanted, span=term.span)
    return term
