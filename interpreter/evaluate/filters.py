"""Conditions over the members of a set, as functions from a set to the set of those for which they hold."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from operator import eq, ge, gt, le, lt, ne
from typing import TYPE_CHECKING, Any

from rulesdsl.ir.nodes import Bound, Const, Fold, If, Op, Prim, Quantifier, Term
from rulesdsl.types import NONE, SetOf, Type

from ..state.cells import State
from ..state.domains import first_of, is_finite, member_of
from .keyed import LARGEST_TABLE, Recall, keyed, remembered

if TYPE_CHECKING:
    from .terms import Evaluator

Keep = Callable[[State, int], int]
"""From a bit set to those of its members for which a condition holds."""


@dataclass(frozen=True, slots=True)
class Sieve:
    """A condition over a set; `at_once` if it does not go from member to member."""

    keep: Keep
    at_once: bool
    mask: Recall | None = None
    """Where it does not depend on the set: all members of the type for which it holds."""


def sieve(compiler: Evaluator, condition: Term, member: int, of: Type) -> Sieve:
    """The members of a type for which a condition holds; the bound `member` stands for one of them."""
    if compiler.optimise:
        whole = _whole(compiler, condition, member, of)
        if whole is not None:
            return whole
    return Sieve(_one_by_one(compiler, condition, member, of), at_once=False)


def _whole(compiler: Evaluator, condition: Term, member: int, of: Type) -> Sieve | None:
    """A condition that is a matter of sets, or is made of such."""
    facts = compiler.analyst.facts(condition)
    if isinstance(condition, Const):
        return Sieve((lambda S, D: D) if condition.value else (lambda S, D: 0), at_once=True)
    if member not in facts.free:
        holds = compiler.compile(condition)
        return Sieve(lambda S, D: D if D and holds(S) else 0, at_once=True)
    direct = _membership(compiler, condition, member, of)
    if direct is not None:
        return direct
    by_keys = keyed(compiler, condition, member, of)
    if by_keys is not None:
        return _masked(remembered(compiler, by_keys, _mask))
    by_number = _by_number(compiler, condition, member, of)
    if by_number is not None:
        return Sieve(by_number, at_once=False)
    match condition:
        case Prim(op=Op.NOT, arguments=(inner,)):
            return _complement(sieve(compiler, inner, member, of))
        case Prim(op=Op.AND, arguments=(left, right)):
            return _both(sieve(compiler, left, member, of), sieve(compiler, right, member, of))
        case Prim(op=Op.OR, arguments=(left, right)):
            return _either(sieve(compiler, left, member, of), sieve(compiler, right, member, of))
        case If(condition=test, then=then, otherwise=otherwise):
            return _branched(*(sieve(compiler, part, member, of) for part in (test, then, otherwise)))
        case _:
            return None


def _masked(mask: Recall) -> Sieve:
    if mask.now is None:
        fixed: int = mask.fixed
        return Sieve(lambda S, D: D & fixed, at_once=True, mask=mask)
    now = mask.now
    return Sieve(lambda S, D: D & now(S) if D else 0, at_once=True, mask=mask)


def _mask(values: list[Any]) -> int:
    return sum(1 << index for index, value in enumerate(values) if value)


def _complement(inner: Sieve) -> Sieve:
    keep = inner.keep
    return Sieve(lambda S, D: D & ~keep(S, D), inner.at_once)


def _both(left: Sieve, right: Sieve) -> Sieve:
    first, second = left.keep, right.keep

    def keep(S: State, D: int) -> int:
        D = first(S, D)
        return second(S, D) if D else 0

    return Sieve(keep, left.at_once and right.at_once)


def _either(left: Sieve, right: Sieve) -> Sieve:
    first, second = left.keep, right.keep

    def keep(S: State, D: int) -> int:
        kept = first(S, D)
        rest = D & ~kept
        return kept | second(S, rest) if rest else kept

    return Sieve(keep, left.at_once and right.at_once)


def _branched(test: Sieve, then: Sieve, otherwise: Sieve) -> Sieve:
    holds, first, second = test.keep, then.keep, otherwise.keep

    def keep(S: State, D: int) -> int:
        some = holds(S, D)
        rest = D & ~some
        return (first(S, some) if some else 0) | (second(S, rest) if rest else 0)

    return Sieve(keep, test.at_once and then.at_once and otherwise.at_once)


def _membership(compiler: Evaluator, condition: Term, member: int, of: Type) -> Sieve | None:
    """The member itself in a set, or the same as a value."""
    first = first_of(of)
    match condition:
        case Prim(op=Op.IN_SET, arguments=(Bound(id=bound), bits_term)) if bound == member:
            if member in compiler.analyst.facts(bits_term).free or first_of(member_of(bits_term.type)) != first:
                return None
            bits = compiler.compile(bits_term)
            return _masked(Recall(None, bits))
        case Prim(op=(Op.SAME | Op.DIFFERS) as op, arguments=(Bound(id=bound), value_term)) if bound == member:
            if member in compiler.analyst.facts(value_term).free or isinstance(value_term.type, SetOf):
                return None
            value = compiler.compile(value_term)

            def same(S: State, D: int) -> int:
                found = value(S) if D else NONE
                return D & 1 << found - first if found >= first else 0

            return Sieve(same if op is Op.SAME else lambda S, D: D & ~same(S, D), at_once=True)
        case _:
            return None


_COMPARISONS: dict[Op, Callable[[int, int], bool]] = {
    Op.LESS: lt,
    Op.LESS_EQUAL: le,
    Op.GREATER: gt,
    Op.GREATER_EQUAL: ge,
    Op.SAME: eq,
    Op.DIFFERS: ne,
}


def _by_number(compiler: Evaluator, condition: Term, member: int, of: Type) -> Keep | None:
    """How many of a set belong to a member, such as the cards of a rank in a hand, compared with a fixed number."""
    match condition:
        case Prim(
            op=op, arguments=(Fold(quantifier=Quantifier.COUNT, source=source, id=counted) as fold, Const(value=v))
        ):
            pass
        case _:
            return None
    if op not in _COMPARISONS or not isinstance(v, int) or not isinstance(source.type, SetOf) or not is_finite(of):
        return None
    facts, inner = compiler.analyst.facts(fold.body), source.type.of
    if not facts.static or facts.fallible or facts.free - {counted, member} or not is_finite(inner):
        return None
    layout = compiler.layout
    if member in compiler.analyst.facts(source).free or layout.size_of(of) * layout.size_of(inner) > LARGEST_TABLE:
        return None
    bits = compiler.compile(source)
    belonging = _belonging(compiler, fold, member, of)
    compare = _COMPARISONS[op]
    holds = tuple(compare(number, v) for number in range(layout.size_of(inner) + 1))

    def keep(S: State, D: int) -> int:
        among = bits(S)
        kept = 0
        while D:
            bit = D & -D
            D ^= bit
            if holds[(among & belonging[bit]).bit_count()]:
                kept |= bit
        return kept

    return keep


def _belonging(compiler: Evaluator, fold: Fold, member: int, of: Type) -> dict[int, int]:
    """By the bit of every member, the set of those that are counted for it."""
    with compiler.apart():
        register = compiler.bind(member, of)
        all_of_them = sieve(compiler, fold.body, fold.id, member_of(fold.source.type))
    R, first = compiler.registers, first_of(of)
    everything = (1 << compiler.layout.size_of(member_of(fold.source.type))) - 1
    found = {}
    for index in range(compiler.layout.size_of(of)):
        R[register] = first + index
        found[1 << index] = all_of_them.keep([], everything)
    return found


def _one_by_one(compiler: Evaluator, condition: Term, member: int, of: Type) -> Keep:
    with compiler.loop((member,)) as scope:
        register = compiler.bind(member, of)
        holds = compiler.compile(condition)
    R = compiler.registers
    first = first_of(of)
    start = scope.start(R)
    keeps_some = bool(scope.kept)

    def keep(S: State, D: int) -> int:
        if keeps_some:
            start()
        kept = 0
        while D:
            bit = D & -D
            R[register] = first + bit.bit_length() - 1
            if holds(S):
                kept |= bit
            D ^= bit
        return kept

    return keep


def is_memberwise(condition: Term, part: int) -> Fold | None:
    """A condition of the form `any(part where ...)`, as the fold that it is."""
    if isinstance(condition, Fold) and isinstance(condition.source, Bound) and condition.source.id == part:
        return condition
    return None
