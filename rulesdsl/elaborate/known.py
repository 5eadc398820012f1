"""What the terms of one program say by themselves, for telling whether two guards exclude each other."""

from __future__ import annotations

from collections.abc import Hashable, Mapping
from dataclasses import dataclass
from fractions import Fraction

from ..ir.guards import decided
from ..ir.nodes import Const, FaceOf, MakeSet, MakeTuple, Op, Prim, Term, Value
from ..types import NONE, Enum, Number, Optional, Range, SetOf, Type, YesNo


@dataclass(frozen=True, slots=True)
class Known:
    """Constants, and the options as they are set."""

    options: Mapping[str, int]

    def key(self, term: Term) -> Hashable:
        """The term itself, in whatever steps."""
        return _unscaled(term)

    def constant(self, term: Term) -> Hashable | None:
        """What a constant is, by name or number."""
        match _unscaled(term):
            case Const(value=value, type=of):
                return named(value, of)
            case _:
                return None

    def constants(self, term: Term) -> frozenset[Hashable] | None:
        """The members of a list of constants."""
        match term:
            case MakeSet(parts=parts) | MakeTuple(parts=parts):
                values = [self.constant(part) for part in parts]
                return None if None in values else frozenset(value for value in values if value is not None)
            case Const(value=int() as bits, type=SetOf(of=Enum(members=members))):
                return frozenset(member for at, member in enumerate(members) if bits >> at & 1)
            case _:
                return None

    def face(self, face: FaceOf) -> tuple[tuple[str, Hashable], ...]:
        """What a face shows, by name."""
        return face.attributes

    def bounds(self, term: Term) -> tuple[Fraction | None, Fraction | None]:
        """A constant number, or the ends of a range of constants."""
        match _unscaled(term):
            case Const(value=(int() as low, int() as high), type=Range(of=of)):
                return Fraction(low, of.scale), Fraction(high, of.scale)
            case MakeTuple(parts=(low_term, high_term)) if isinstance(term.type, Range):
                return self.bounds(low_term)[0], self.bounds(high_term)[1]
            case _:
                exact = self.constant(term)
                return (exact, exact) if isinstance(exact, Fraction) else (None, None)

    def decided(self, term: Term) -> bool | None:
        """What options and constants say of a condition."""
        return decided(term, self.options)


def named(value: Value, of: Type) -> Hashable:
    """A value by the name or number that people write."""
    if value == NONE:
        return "none"
    match of:
        case Optional():
            return named(value, of.of)
        case YesNo():
            return bool(value)
        case Number() if isinstance(value, int):
            return Fraction(value, of.scale)
        case Enum() if isinstance(value, int) and value < len(of.members):
            return of.members[value]
        case _:
            return "value", value


def _unscaled(term: Term) -> Term:
    return term.arguments[0] if isinstance(term, Prim) and term.op is Op.SCALE else term
