"""What the terms of a modifier's program say, for telling whether its guards and another one's exclude each other."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from fractions import Fraction

from ..ir.nodes import Bound, Cell, Const, FaceOf, MakeSet, MakeTuple, Op, Prim, Running, Term, Var
from ..ir.walk import rewrite
from ..types import NONE, Enum, Number, SetOf, required
from .domains import Domains
from .meaning import Reader
from .reads import Modifier


def sides_of(modifiers: Sequence[Modifier]) -> tuple[Sided, Sided]:
    """Who reads the conditions of two modifiers, outside of rules."""
    first, second = (Sided(Reader.of(modifier.program), Domains(modifier.facts, {})) for modifier in modifiers)
    return first, second


@dataclass(frozen=True, slots=True)
class Sided:
    """Reads terms in the light of one program; `parameters` are those of the rule that they stand in."""

    reader: Reader
    domains: Domains
    parameters: tuple[Bound, ...] = ()

    def key(self, term: Term) -> Hashable:
        """What a term means; names of a running procedure by what they are called."""
        return self.reader.term(rewrite(term, _by_name), self.parameters)

    def constant(self, term: Term) -> Hashable | None:
        """What a term always is, by name or number."""
        match term:
            case Prim(op=Op.SCALE, arguments=(inner, _)):
                return self.constant(inner)
            case Const(value=value, type=of):
                return "none" if value == NONE else self.reader.value(value, of)
            case _ if isinstance(required(term.type), Number):
                low, high = self.bounds(term)
                return low if low is not None and low == high else None
            case _:
                return None

    def constants(self, term: Term) -> frozenset[Hashable] | None:
        """The members of a sequence of constants."""
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
        of = self.reader.printed
        return tuple((name, self.reader.value(value, of[face.kind, name])) for name, value in face.attributes)

    def bounds(self, term: Term) -> tuple[Fraction | None, Fraction | None]:
        """Between which numbers a term lies."""
        found = self.domains.of(term)
        return found.low, found.high

    def decided(self, term: Term) -> bool | None:
        """What options and constants say of a condition."""
        return self.domains.decided(term)


def _by_name(term: Term) -> Term:
    match term:
        case Cell():
            return Var(f"cell {term.name} of {term.type}", type=term.type)
        case Running():
            return Var(f"cell {term.name} of {term.type} in {term.procedure}", type=term.type)
        case _:
            return term
