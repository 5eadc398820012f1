"""Between which numbers a term lies, as far as constants, options and what may be written on cards say it.

Rules are looked up in a table of bodies, so that a term can be judged as if other modifiers were in force as well.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction

from ..ir.guards import decided
from ..ir.nodes import (
    Assign,
    Call,
    Coalesce,
    Const,
    Field,
    Fold,
    If,
    LetIn,
    MakeSet,
    MakeTuple,
    Op,
    PickWriting,
    PlayField,
    Prim,
    Program,
    Quantifier,
    Spread,
    Term,
)
from ..ir.walk import children, every_term
from ..types import NONE, Number, Range, Type, required
from .normal import nodes_in

DEEPEST = 30
_COMPARING = frozenset([Op.SAME, Op.LESS, Op.LESS_EQUAL, Op.GREATER, Op.GREATER_EQUAL])
WIDEST = Fraction(10**12)
"""Bounds beyond this are none: the language writes them for "at least" and "at most"."""


@dataclass(frozen=True, slots=True)
class Interval:
    """From `low` to `high`, both included; None without end."""

    low: Fraction | None = None
    high: Fraction | None = None

    def __or__(self, other: Interval) -> Interval:
        low = None if self.low is None or other.low is None else min(self.low, other.low)
        high = None if self.high is None or other.high is None else max(self.high, other.high)
        return Interval(low, high)

    def __and__(self, other: Interval) -> Interval:
        lows = [low for low in (self.low, other.low) if low is not None]
        highs = [high for high in (self.high, other.high) if high is not None]
        return Interval(max(lows, default=None), min(highs, default=None))

    @property
    def is_empty(self) -> bool:
        """Whether no number lies in it."""
        return self.low is not None and self.high is not None and self.low > self.high

    def times(self, count: int) -> Interval:
        """Where the sum of so many numbers of it lies."""
        return Interval(
            None if self.low is None else self.low * count, None if self.high is None else self.high * count
        )

    def __str__(self) -> str:
        if self.low is not None and self.low == self.high:
            return f"exactly {shown(self.low)}"
        if self.low is None:
            return "any number" if self.high is None else f"at most {shown(self.high)}"
        return f"at least {shown(self.low)}" if self.high is None else f"{shown(self.low)} to {shown(self.high)}"


ANY = Interval()


def shown(number: Fraction) -> str:
    """A number as one writes it."""
    return str(number.numerator) if number.denominator == 1 else f"{float(number):g}"


@dataclass(frozen=True, slots=True)
class Facts:
    """What a program says about options and about writing on cards."""

    options: Mapping[str, int]
    written: Mapping[tuple[str, str], tuple[PickWriting | Assign, ...]]

    @staticmethod
    def of(program: Program) -> Facts:
        """The facts of a program."""
        written: dict[tuple[str, str], tuple[PickWriting | Assign, ...]] = {}
        for node in nodes_in((program.procedures, program.main)):
            key = None
            if isinstance(node, PickWriting):
                key = node.kind, node.field
            elif isinstance(node, Assign) and isinstance(node.target, Field):
                key = node.target.kind, node.target.name
            if key is not None and isinstance(node, PickWriting | Assign):
                written[key] = (*written.get(key, ()), node)
        return Facts({option.name: option.value for option in program.options}, written)


class Domains:
    """Judges terms of a program under some bodies of rules."""

    def __init__(self, facts: Facts, bodies: Mapping[str, Term]) -> None:
        self._facts, self._bodies, self._options = facts, bodies, facts.options

    def of(self, term: Term, depth: int = 0) -> Interval:
        """Between which numbers a term lies."""
        if depth > DEEPEST:
            return ANY
        if isinstance(term.type, Range):
            return self._range(term, depth)
        deeper = depth + 1
        match term:
            case Const(value=int() as value) if isinstance(required(term.type), Number) and value != NONE:
                exact = self._exact(value, term.type)
                return Interval(exact, exact)
            case Call():
                body = self._bodies.get(term.rule)
                return self.of(body, deeper) if body is not None else ANY
            case If():
                decided = self.decided(term.condition)
                if decided is not None:
                    return self.of(term.then if decided else term.otherwise, deeper)
                return self.of(term.then, deeper) | self.of(term.otherwise, deeper)
            case Coalesce():
                first = self.of(term.first, deeper)
                written = any(isinstance(inner, Field) for inner in every_term(term.first))
                return first if written else first | self.of(term.second, deeper)  # blank cards do not count
            case LetIn() | Spread():
                return self.of(term.body, deeper)
            case Field():
                return self._field(term, deeper)
            case Fold(quantifier=Quantifier.SUM):
                return _summed(self.of(term.body, deeper), _is_never_empty(term.source))
            case Fold(quantifier=Quantifier.MIN | Quantifier.MAX | Quantifier.FIRST):
                return self.of(term.body, deeper)
            case Prim():
                return self._prim(term, deeper)
            case _:
                return _of_type(term.type)

    def _prim(self, term: Prim, depth: int) -> Interval:
        match term.op, term.arguments:
            case Op.SCALE, (inner, _):
                return self.of(inner, depth)
            case Op.LEAST, (inner,):
                low = self._range(inner, depth).low
                return Interval(low, low)
            case Op.MOST, (inner,):
                high = self._range(inner, depth).high
                return Interval(high, high)
            case Op.COUNT, _:
                return Interval(Fraction(0), None)
            case Op.ADD, (left, right):
                one, other = self.of(left, depth), self.of(right, depth)
                low = None if one.low is None or other.low is None else one.low + other.low
                high = None if one.high is None or other.high is None else one.high + other.high
                return Interval(low, high)
            case ((Op.MAX | Op.MIN as op), (MakeTuple(parts=(left, right)),)):
                return _farthest(op, self.of(left, depth), self.of(right, depth))
            case _:
                return _of_type(term.type)

    def _range(self, term: Term, depth: int) -> Interval:
        match term:
            case Const(value=(int() as low, int() as high)) if isinstance(term.type, Range):
                return Interval(_bounded(self._exact(low, term.type.of)), _bounded(self._exact(high, term.type.of)))
            case MakeTuple(parts=(low_term, high_term)):
                low_bound, high_bound = self.of(low_term, depth + 1).low, self.of(high_term, depth + 1).high
                return Interval(_bounded(low_bound), _bounded(high_bound))
            case Call() if depth <= DEEPEST:
                body = self._bodies.get(term.rule)
                return self._range(body, depth + 1) if body is not None else ANY
            case If() if depth <= DEEPEST:
                decided = self.decided(term.condition)
                if decided is not None:
                    return self._range(term.then if decided else term.otherwise, depth + 1)
                return self._range(term.then, depth + 1) | self._range(term.otherwise, depth + 1)
            case _:
                return ANY

    def _field(self, term: Field, depth: int) -> Interval:
        """What may be written on a card; a blank one does not count."""
        written = self._facts.written.get((term.kind, term.name))
        if not written:
            return _of_type(term.type)
        found: Interval | None = None
        for one in written:
            domain = self.values(one.domain, depth) if isinstance(one, PickWriting) else self.of(one.value, depth)
            found = domain if found is None else found | domain
        return found or ANY

    def values(self, domain: Term, depth: int = 0) -> Interval:
        """Between which numbers the values lie that may be written."""
        if isinstance(domain.type, Range):
            return self._range(domain, depth)
        if isinstance(domain, MakeSet) and domain.parts:
            parts = [self.of(part, depth) for part in domain.parts]
            found = parts[0]
            for part in parts[1:]:
                found = found | part
            return found
        return ANY

    def decided(self, condition: Term) -> bool | None:
        """Whether options and constants say that a condition holds; None if they don't."""
        return decided(condition, self._options)

    def can_hold(self, condition: Term) -> bool:
        """Whether a comparison can be true, by the numbers on its sides."""
        match condition:
            case Prim(op=Op.AND, arguments=(left, right)):
                return self.can_hold(left) and self.can_hold(right)
            case Prim(op=op, arguments=(left, right)) if isinstance(required(left.type), Number):
                one, other = self.of(left), self.of(right)
                match op:
                    case Op.SAME:
                        return not (one & other).is_empty
                    case Op.LESS:
                        return _below(one.low, other.high, or_same=False)
                    case Op.LESS_EQUAL:
                        return _below(one.low, other.high, or_same=True)
                    case Op.GREATER:
                        return _below(other.low, one.high, or_same=False)
                    case Op.GREATER_EQUAL:
                        return _below(other.low, one.high, or_same=True)
                    case _:
                        return True
            case _:
                return self.decided(condition) is not False

    def meant_by(self, comparison: Term) -> Interval:
        """Where the left side of a comparison lies if it holds; anywhere, if it is no comparison with a number."""
        match comparison:
            case Prim(op=op, arguments=(left, right)) if isinstance(required(left.type), Number):
                other = self.of(right)
                match op:
                    case Op.SAME:
                        return other
                    case Op.LESS | Op.LESS_EQUAL:
                        return Interval(None, other.high)
                    case Op.GREATER | Op.GREATER_EQUAL:
                        return Interval(other.low, None)
                    case _:
                        return ANY
            case _:
                return ANY

    @staticmethod
    def _exact(value: int, of: Type) -> Fraction:
        inner = required(of)
        return Fraction(value, inner.scale if isinstance(inner, Number) else 1)


def comparisons(term: Term) -> Iterator[Prim]:
    """The comparisons of numbers in a term, but for those that are denied, or that others can stand in for."""
    if isinstance(term, Prim) and term.op in (Op.NOT, Op.OR):
        return
    if isinstance(term, Prim) and term.op in _COMPARING and isinstance(required(term.arguments[0].type), Number):
        yield term
        return
    for child in children(term):
        yield from comparisons(child)


def _bounded(bound: Fraction | None) -> Fraction | None:
    return None if bound is None or abs(bound) >= WIDEST else bound


def _below(low: Fraction | None, high: Fraction | None, *, or_same: bool) -> bool:
    return low is None or high is None or low < high or (or_same and low == high)


def _farthest(op: Op, one: Interval, other: Interval) -> Interval:
    """Where the greater or the smaller of two numbers lies."""
    lows, highs = (one.low, other.low), (one.high, other.high)
    known = [low for low in lows if low is not None], [high for high in highs if high is not None]
    if op is Op.MAX:
        return Interval(max(known[0], default=None), max(known[1]) if len(known[1]) == 2 else None)
    return Interval(min(known[0]) if len(known[0]) == 2 else None, min(known[1], default=None))


def _summed(one: Interval, never_empty: bool) -> Interval:
    low = Fraction(0) if one.low is not None and one.low >= 0 else None
    high = Fraction(0) if one.high is not None and one.high <= 0 else None
    if never_empty and one.low is not None and one.low > 0:
        low = one.low
    return Interval(low, high)


def _is_never_empty(source: Term) -> bool:
    """A play of no cards is not made."""
    return isinstance(source, PlayField) and source.name == "cards"


def _of_type(of: Type) -> Interval:
    inner = required(of)
    return Interval(inner.low, inner.high) if isinstance(inner, Number) else ANY
