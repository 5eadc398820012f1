"""Which numbers a list, a set or a range holds, one by one, and which sums so many of them make.

What can't be told is left in: every list found here holds at least what a match would find. Where something is taken
away, only what is sure is.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from fractions import Fraction
from math import ceil, floor, lcm

from ..ir.nodes import Bound, Call, Coalesce, Const, Filter, If, MakeSet, MakeTuple, Op, Prim, Term
from ..types import ListOf, Number, Range, RowOf, YesNo, required
from .domains import DEEPEST, Domains, Interval

MOST_NUMBERS = 1_000
"""Of longer ranges only the ends are known."""

Numbers = tuple[Fraction, ...]
Names = Mapping[int, Fraction]
"""What binders stand for, by number."""

_JOINING = (Op.APPEND, Op.ROW_UNION, Op.UNION)
_TAKING = (Op.ROW_MINUS, Op.MINUS)
_AS_THEY_ARE = (Op.TO_ROW, Op.TO_SET, Op.RANGE_ROW, Op.DISTINCT)


class Exact:
    """Lists numbers of a program under some bodies of rules; ranges go by the given steps."""

    def __init__(self, domains: Domains, bodies: Mapping[str, Term], step: Fraction) -> None:
        self._domains, self._bodies, self._step = domains, bodies, step

    def numbers(self, term: Term) -> Numbers | None:
        """The numbers of a sequence or range; None if they can't be listed."""
        return self._numbers(term, {}, 0, sure=False)

    def _numbers(self, term: Term, names: Names, depth: int, *, sure: bool) -> Numbers | None:
        """`sure`: nothing may be in it that a match might not find."""
        if depth > DEEPEST:
            return None
        if isinstance(term.type, Range):
            return None if sure else self._of_range(self._domains.values(term))
        match term:
            case Const(value=tuple() as values) if isinstance(term.type, ListOf | RowOf):
                of = required(term.type.of)
                whole = [value for value in values if isinstance(value, int)]
                if not isinstance(of, Number) or len(whole) < len(values):
                    return None
                return tuple(Fraction(value, of.scale) for value in whole)
            case MakeTuple() | MakeSet():
                return _all_known([self.value(part, names, depth + 1) for part in term.parts])
            case Call(arguments=()):
                body = self._bodies.get(term.rule)
                return None if body is None else self._numbers(body, {}, depth + 1, sure=sure)
            case If():
                decided = self.holds(term.condition, names, depth + 1)
                if decided is not None:
                    return self._numbers(term.then if decided else term.otherwise, names, depth + 1, sure=sure)
                return None if sure else self._either(term.then, term.otherwise, names, depth)
            case Coalesce():
                return None if sure else self._either(term.first, term.second, names, depth)
            case Filter():
                source = self._numbers(term.source, names, depth + 1, sure=sure)
                if source is None:
                    return None
                held = [(n, self.holds(term.condition, {**names, term.id: n}, depth + 1)) for n in source]
                return tuple(n for n, holds in held if holds is True or (holds is None and not sure))
            case Prim():
                return self._prim(term, names, depth, sure=sure)
            case _:
                return None

    def _prim(self, term: Prim, names: Names, depth: int, *, sure: bool) -> Numbers | None:
        deeper = depth + 1
        match term.op, term.arguments:
            case op, (inner,) if op in _AS_THEY_ARE:
                return self._numbers(inner, names, deeper, sure=sure)
            case ((Op.SINGLETON | Op.SINGLE_ROW), (inner,)):
                return _all_known([self.value(inner, names, deeper)])
            case op, (left, right) if op in _JOINING:
                sides = [self._numbers(side, names, deeper, sure=sure) for side in (left, right)]
                return None if sides[0] is None or sides[1] is None else (*sides[0], *sides[1])
            case op, (left, right) if op in _TAKING:
                kept = self._numbers(left, names, deeper, sure=sure)
                gone = self._numbers(right, names, deeper, sure=True)
                if kept is None or gone is None:
                    return None if sure else kept
                return _without(kept, gone, one_each=isinstance(term.type, ListOf))
            case _:
                return None

    def _either(self, one: Term, other: Term, names: Names, depth: int) -> Numbers | None:
        sides = [self._numbers(side, names, depth + 1, sure=False) for side in (one, other)]
        return None if sides[0] is None or sides[1] is None else (*sides[0], *sides[1])

    def _of_range(self, bounds: Interval) -> Numbers | None:
        if bounds.low is None or bounds.high is None or (bounds.high - bounds.low) / self._step > MOST_NUMBERS:
            return None
        first, last = ceil(bounds.low / self._step), floor(bounds.high / self._step)
        return tuple(number * self._step for number in range(first, last + 1))

    # ── single values and conditions ─────────────────────────────────────────────────────────────────────────────

    def value(self, term: Term, names: Names, depth: int = 0) -> Fraction | None:
        """A number; None if it can't be told."""
        if depth > DEEPEST:
            return None
        match term:
            case Bound():
                return names.get(term.id)
            case Prim(op=Op.SCALE, arguments=(inner, _)):
                return self.value(inner, names, depth + 1)
            case Prim(op=Op.NEGATE, arguments=(inner,)):
                found = self.value(inner, names, depth + 1)
                return None if found is None else -found
            case Prim(op=op, arguments=(left, right)) if op in (
                Op.ADD,
                Op.SUBTRACT,
                Op.MULTIPLY,
                Op.DIVIDE,
                Op.MODULO,
            ):
                one, other = self.value(left, names, depth + 1), self.value(right, names, depth + 1)
                return None if one is None or other is None else _worked_out(op, one, other)
            case _ if isinstance(required(term.type), Number):
                bounds = self._domains.of(term)
                return bounds.low if bounds.low is not None and bounds.low == bounds.high else None
            case _:
                return None

    def holds(self, condition: Term, names: Names, depth: int = 0) -> bool | None:
        """Whether a condition holds; None if it can't be told."""
        if depth > DEEPEST:
            return None
        match condition:
            case Prim(op=Op.NOT, arguments=(inner,)):
                found = self.holds(inner, names, depth + 1)
                return None if found is None else not found
            case Prim(op=Op.AND | Op.OR as op, arguments=(left, right)):
                sides = self.holds(left, names, depth + 1), self.holds(right, names, depth + 1)
                settles = op is Op.OR
                return settles if settles in sides else None if None in sides else not settles
            case Prim(op=Op.IN_ROW | Op.IN_SET, arguments=(member, numbers)):
                return self._is_in(member, numbers, names, depth)
            case Prim(op=Op.IN_RANGE, arguments=(member, limits)):
                value, bounds = self.value(member, names, depth + 1), self._domains.of(limits)
                if value is None or bounds.low is None or bounds.high is None or not isinstance(limits, Const):
                    return None
                return bounds.low <= value <= bounds.high
            case Prim(op=op, arguments=(left, right)) if isinstance(required(left.type), Number):
                one, other = self.value(left, names, depth + 1), self.value(right, names, depth + 1)
                return None if one is None or other is None else _compared(op, one, other)
            case _ if isinstance(condition.type, YesNo):
                return self._domains.decided(condition)
            case _:
                return None

    def _is_in(self, member: Term, numbers: Term, names: Names, depth: int) -> bool | None:
        value = self.value(member, names, depth + 1)
        if value is None:
            return None
        surely = self._numbers(numbers, names, depth + 1, sure=True)
        if surely is not None and value in surely:
            return True
        perhaps = self._numbers(numbers, names, depth + 1, sure=False)
        return False if perhaps is not None and value not in perhaps else None


def _all_known(values: Sequence[Fraction | None]) -> Numbers | None:
    known = [value for value in values if value is not None]
    return tuple(known) if len(known) == len(values) else None


def _without(kept: Numbers, gone: Numbers, *, one_each: bool) -> Numbers:
    if not one_each:
        return tuple(number for number in kept if number not in gone)
    left, taken = [], Counter(gone)
    for number in kept:
        if taken[number] > 0:
            taken[number] -= 1
        else:
            left.append(number)
    return tuple(left)


def _worked_out(op: Op, one: Fraction, other: Fraction) -> Fraction | None:
    match op:
        case Op.ADD:
            return one + other
        case Op.SUBTRACT:
            return one - other
        case Op.MULTIPLY:
            return one * other
        case Op.DIVIDE if other:
            return Fraction(one // other)
        case Op.MODULO if other:
            return one % other
        case _:
            return None


def _compared(op: Op, one: Fraction, other: Fraction) -> bool | None:
    match op:
        case Op.SAME:
            return one == other
        case Op.DIFFERS:
            return one != other
        case Op.LESS:
            return one < other
        case Op.LESS_EQUAL:
            return one <= other
        case Op.GREATER:
            return one > other
        case Op.GREATER_EQUAL:
            return one >= other
        case _:
            return None


# ── sums ─────────────────────────────────────────────────────────────────────────────────────────────────────────


def makes(numbers: Numbers, counts: range, total: Interval) -> bool:
    """Whether some of the counts of such numbers, doubles allowed, add up to something in the total."""
    if not numbers:
        return False
    unit = Fraction(1, lcm(*(number.denominator for number in numbers)))
    steps = sorted({int(number / unit) for number in numbers})
    low = None if total.low is None else ceil(total.low / unit)
    high = None if total.high is None else floor(total.high / unit)
    # Bit number n of `sums`: what so many numbers add up to can be n above what the least of them do.
    sums, least = 1, steps[0]
    for count in range(1, counts.stop):
        added = 0
        for step in steps:
            added |= sums << (step - least)
        sums = added
        if count in counts and _has_between(sums, low, high, count * least):
            return True
    return False


def _has_between(sums: int, low: int | None, high: int | None, least: int) -> bool:
    first = 0 if low is None else max(0, low - least)
    shifted = sums >> first
    if high is None:
        return shifted > 0
    width = high - least - first + 1
    return width > 0 and bool(shifted & ((1 << width) - 1))
