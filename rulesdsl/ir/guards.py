"""Whether two changes ever decide one case: under which conditions each answers alone, and if these can hold together.

Conditions exclude each other if they want different things of one subject: other members of a type, numbers that lie
apart, true and false. What can't be told is taken to be possible. Who asks says what is one subject and what is known
of a term (`Side`), since two conditions may stand in different programs.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import product
from math import lcm
from typing import Protocol

from ..types import Enum, Number, Type, YesNo, required
from .terms import Coalesce, Const, FaceOf, If, LetIn, Op, OptionValue, Prim, Proceed, Term
from .walk import every_term

MOST_WAYS = 64
"""A condition with more alternatives than this is not taken apart."""

Literal = tuple[Term, bool]
"""A condition that is to hold, or not to."""


@dataclass(frozen=True, slots=True)
class Way:
    """A case in which a change answers alone: what has to hold for it, and what it gives then."""

    literals: tuple[Literal, ...]
    value: Term


def ways(term: Term, before: tuple[Literal, ...] = ()) -> Iterator[Way]:
    """The cases in which a change answers without what lies beneath; none for one that only wraps it."""
    match term:
        case If():
            yield from ways(term.then, (*before, (term.condition, True)))
            yield from ways(term.otherwise, (*before, (term.condition, False)))
        case Coalesce():
            yield from ways(term.first, before)
            yield from ways(term.second, before)
        case LetIn():
            yield from (replace(way, literals=before) for way in ways(term.body))  # its name means nothing outside
        case _:
            if not any(isinstance(inner, Proceed) for inner in every_term(term)):
                yield Way(before, term)


def decided(condition: Term, options: Mapping[str, int]) -> bool | None:
    """Whether options and constants say that a condition holds; None if they don't."""
    match condition:
        case Const(value=int() as value):
            return bool(value)
        case OptionValue(name=name, type=YesNo()) if name in options:
            return bool(options[name])
        case Prim(op=Op.NOT, arguments=(inner,)):
            found = decided(inner, options)
            return None if found is None else not found
        case Prim(op=Op.SAME, arguments=(OptionValue(name=name), Const(value=value))) if name in options:
            return options[name] == value
        case Prim(op=Op.AND | Op.OR as op, arguments=(left, right)):
            sides = decided(left, options), decided(right, options)
            settles = op is Op.OR
            if settles in sides:
                return settles
            return None if None in sides else not settles
        case _:
            return None


# ── what is known of terms ───────────────────────────────────────────────────────────────────────────────────────


class Side(Protocol):
    """Reads the terms of one program."""

    def key(self, term: Term) -> Hashable:
        """The same for terms that mean the same, on either side."""

    def constant(self, term: Term) -> Hashable | None:
        """What a term always is, by the name or number that people write; None if it is not always the same."""

    def constants(self, term: Term) -> frozenset[Hashable] | None:
        """The members of a sequence that is always the same one."""

    def face(self, face: FaceOf) -> tuple[tuple[str, Hashable], ...]:
        """What a face shows, by name."""

    def bounds(self, term: Term) -> tuple[Fraction | None, Fraction | None]:
        """The numbers between which a number, or those of a range, lie; None without end."""

    def decided(self, term: Term) -> bool | None:
        """Whether a condition always holds, or never; None if neither is known."""


# ── what a condition wants of its subject ────────────────────────────────────────────────────────────────────────


@dataclass(frozen=True, slots=True)
class _Wanted:
    """What one subject may be. `members` are all that there are, where they can be listed.

    Of numbers, `low` and `high` are the ends; an end may itself be left out. Steps are `1 / scale` at the finest.
    """

    allowed: frozenset[Hashable] | None = None
    refused: frozenset[Hashable] = frozenset()
    members: tuple[str, ...] | None = None
    low: Fraction | None = None
    high: Fraction | None = None
    above: bool = False
    below: bool = False
    scale: int = 1

    def both(self, other: _Wanted) -> _Wanted:
        """What is wanted of it twice."""
        allowed = self.allowed if other.allowed is None else other.allowed
        if self.allowed is not None and other.allowed is not None:
            allowed = self.allowed & other.allowed
        low, above = max(_low(self), _low(other), key=lambda end: (end[0] is not None, end[0] or 0, end[1]))
        high, below = min(_high(self), _high(other), key=lambda end: (end[0] is None, end[0] or 0, not end[1]))
        members = self.members if self.members == other.members else None
        scale = lcm(self.scale, other.scale)
        return _Wanted(allowed, self.refused | other.refused, members, low, high, above, below, scale)

    @property
    def is_nothing(self) -> bool:
        """Whether no value is left."""
        left = self.allowed if self.allowed is not None else self.members and frozenset(self.members)
        if left is not None and all(value in self.refused or not self._spans(value) for value in left):
            return True
        if self.low is None or self.high is None:
            return False
        # The steps that lie between the ends, which need not be steps themselves.
        first, last = -(-self.low * self.scale // 1), self.high * self.scale // 1
        first += self.above and first == self.low * self.scale
        last -= self.below and last == self.high * self.scale
        return first > last or (first == last and Fraction(first, self.scale) in self.refused)

    def _spans(self, value: Hashable) -> bool:
        if not isinstance(value, Fraction):
            return self.low is None and self.high is None
        over = self.low is None or value > self.low or (value == self.low and not self.above)
        return over and (self.high is None or value < self.high or (value == self.high and not self.below))


def _low(wanted: _Wanted) -> tuple[Fraction | None, bool]:
    return wanted.low, wanted.above


def _high(wanted: _Wanted) -> tuple[Fraction | None, bool]:
    return wanted.high, wanted.below


Wants = tuple[Hashable, _Wanted]

_DENIED = {
    Op.SAME: Op.DIFFERS,
    Op.DIFFERS: Op.SAME,
    Op.LESS: Op.GREATER_EQUAL,
    Op.GREATER_EQUAL: Op.LESS,
    Op.GREATER: Op.LESS_EQUAL,
    Op.LESS_EQUAL: Op.GREATER,
}
_TURNED = {
    Op.SAME: Op.SAME,
    Op.DIFFERS: Op.DIFFERS,
    Op.LESS: Op.GREATER,
    Op.GREATER: Op.LESS,
    Op.LESS_EQUAL: Op.GREATER_EQUAL,
    Op.GREATER_EQUAL: Op.LESS_EQUAL,
}
_MEANT = {
    Op.SAME: "=",
    Op.DIFFERS: "<>",
    Op.LESS: "<",
    Op.GREATER: ">",
    Op.LESS_EQUAL: "<=",
    Op.GREATER_EQUAL: ">=",
}


@dataclass(frozen=True, slots=True)
class _Asking:
    """What the conditions of one side want."""

    side: Side

    def alternatives(self, literals: Sequence[Literal]) -> list[tuple[Wants, ...]]:
        """What is wanted if all of some conditions hold, one entry for each way in which they can."""
        found: list[tuple[Wants, ...]] = [()]
        for term, holds in literals:
            meant = self._of(term, holds)
            if len(found) * len(meant) > MOST_WAYS:
                continue  # what is not looked at may hold
            found = [(*one, *other) for one, other in product(found, meant)]
        return found

    def _of(self, term: Term, holds: bool) -> list[tuple[Wants, ...]]:
        decided = self.side.decided(term)
        if decided is not None:
            return [()] if decided == holds else []
        match term:
            case Prim(op=Op.NOT, arguments=(inner,)):
                return self._of(inner, not holds)
            case Prim(op=Op.AND | Op.OR as op, arguments=(left, right)):
                if (op is Op.AND) == holds:
                    return self.alternatives([(left, holds), (right, holds)])
                return [*self._of(left, holds), *self._of(right, holds)]
            case Prim(op=op, arguments=(left, right)) if op in _DENIED:
                return [tuple(self._compared(op if holds else _DENIED[op], left, right))]
            case Prim(op=Op.IN_SET, arguments=(card, Prim(op=Op.SHOWING, arguments=(FaceOf() as face,)))) if holds:
                key = self.side.key(card)
                shown = (((key, name), _chosen(frozenset([value]), True)) for name, value in self.side.face(face))
                return [((self.side.key(term), _chosen(frozenset([True]), True)), *shown)]
            case Prim(op=Op.IN_SET | Op.IN_ROW, arguments=(member, several)):
                values = self.side.constants(several)
                if values is not None:
                    return [((self.side.key(member), _chosen(values, holds, member.type)),)]
            case Prim(op=Op.IN_RANGE, arguments=(member, limits)) if holds:
                low, high = self.side.bounds(limits)
                return [((self.side.key(member), _between(low, high, member.type)),)]
            case _:
                pass
        return [((self.side.key(term), _chosen(frozenset([True]), holds)),)]

    def _compared(self, op: Op, left: Term, right: Term) -> Iterator[Wants]:
        keys = self.side.key(left), self.side.key(right)
        yield from self._against(op, left, keys[0], right)
        yield from self._against(_TURNED[op], right, keys[1], left)
        first = min(keys, key=repr)
        relation = _MEANT[op if first == keys[0] else _TURNED[op]]
        yield ("order", first, keys[1] if first == keys[0] else keys[0]), _Wanted(allowed=frozenset(relation))

    def _against(self, op: Op, subject: Term, key: Hashable, other: Term) -> Iterator[Wants]:
        """What a comparison wants of the term on its left."""
        value, of = self.side.constant(other), required(subject.type)
        if op in (Op.SAME, Op.DIFFERS) and value is not None:
            yield key, _chosen(frozenset([value]), op is Op.SAME, subject.type)
        if isinstance(of, Enum) and of.ordered and isinstance(value, str) and value in of.members:
            at = of.members.index(value)
            sides = {
                Op.LESS: of.members[:at],
                Op.LESS_EQUAL: of.members[: at + 1],
                Op.GREATER: of.members[at + 1 :],
                Op.GREATER_EQUAL: of.members[at:],
            }
            if op in sides:
                yield (key, of.members), _Wanted(allowed=frozenset(sides[op]), members=of.members)
            elif op is Op.SAME:
                yield (key, of.members), _Wanted(allowed=frozenset([value]), members=of.members)
        if isinstance(of, Number) and value != "none":
            low, high = self.side.bounds(other)
            match op:
                case Op.SAME:
                    yield key, _between(low, high, subject.type)
                case Op.LESS | Op.LESS_EQUAL:
                    yield key, replace(_between(None, high, subject.type), below=op is Op.LESS)
                case Op.GREATER | Op.GREATER_EQUAL:
                    yield key, replace(_between(low, None, subject.type), above=op is Op.GREATER)
                case _:
                    pass


def _chosen(values: frozenset[Hashable], holds: bool, of: Type | None = None) -> _Wanted:
    members = of.members if isinstance(of, Enum) else None
    scale = of.scale if isinstance(of, Number) else 1
    if holds:
        return _Wanted(allowed=values, members=members, scale=scale)
    return _Wanted(refused=values, members=members, scale=scale)


def _between(low: Fraction | None, high: Fraction | None, of: Type) -> _Wanted:
    inner = required(of)
    return _Wanted(low=low, high=high, scale=inner.scale if isinstance(inner, Number) else 1)


# ── two sides ────────────────────────────────────────────────────────────────────────────────────────────────────


def exclude(one: Sequence[Literal], other: Sequence[Literal], sides: tuple[Side, Side]) -> bool:
    """Whether conditions of one side and of the other can't all hold at one moment."""
    first = _Asking(sides[0]).alternatives(one)
    second = _Asking(sides[1]).alternatives(other)
    return all(_is_nothing((*wants, *others)) for wants, others in product(first, second))


def _is_nothing(wants: Sequence[Wants]) -> bool:
    found: dict[Hashable, _Wanted] = {}
    for key, wanted in wants:
        found[key] = found[key].both(wanted) if key in found else wanted
    return any(wanted.is_nothing for wanted in found.values())
