"""What a piece of a program means, as something that compares: free of numbers that only stand for names.

Members are there by their names and numbers by their values, whatever their place or their steps; the types of terms,
which follow from the rest, are left out. Two pieces mean the same if their meanings are equal.
"""

from __future__ import annotations

from collections.abc import Hashable, Mapping
from dataclasses import dataclass, field
from enum import Enum as PythonEnum
from fractions import Fraction
from typing import Any

from ..ir.nodes import (
    AllOf,
    Attribute,
    Bound,
    Call,
    CardRow,
    Cell,
    Const,
    FaceOf,
    Filter,
    Fold,
    Generator,
    Keeping,
    Kind,
    LetIn,
    MakeTuple,
    Map,
    Op,
    Option,
    PickWriting,
    Prim,
    Program,
    Rank,
    Running,
    RunProcedure,
    Spread,
    Term,
    Value,
)
from ..types import NONE, Card, Enum, ListOf, Number, Optional, Range, Record, RowOf, SetOf, Text, Type, YesNo
from .normal import is_node, parts_of, type_key

Meaning = Hashable


@dataclass(frozen=True, slots=True)
class Reader:
    """Reads meanings in the light of one program."""

    texts: tuple[str, ...]
    acting: frozenset[str]
    printed: Mapping[tuple[str, str], Type] = field(hash=False)
    changed: Mapping[str, tuple[str, str]] = field(default_factory=dict, hash=False)
    """The rules that change what is printed, each with the kind of cards and the name of it."""

    @staticmethod
    def of(program: Program) -> Reader:
        """The reader for a program."""
        acting = frozenset(procedure.name for procedure in program.procedures if procedure.acting)
        printed = {(kind.name, one.name): one.type for kind in program.kinds for one in kind.printed}
        heads = [(one, one.parameters[0].type) for one in program.rules if one.parameters]
        asked = {one.id: (of.kind, one.name) for one, of in heads if isinstance(of, Card)}
        changed = {rule: of for rule, of in asked.items() if of in printed}
        return Reader(program.texts, acting, printed, changed)

    def term(self, value: object, parameters: tuple[Bound, ...] = ()) -> Meaning:
        """What a term, an operation, a block or a condition means, under the parameters of its rule."""
        return self._node(value, {bound.id: index for index, bound in enumerate(parameters)})

    def declared(self, of: Type) -> Meaning:
        """A type where it is declared: with its steps, and what it is called."""
        match of:
            case Number():
                return "number", of.step or of.scale, of.low, of.high
            case Optional() | SetOf() | RowOf() | ListOf() | Range():
                return type(of).__name__, self.declared(of.of)
            case Record() if of.summed:
                return "components", tuple((name, self.declared(inner)) for name, inner in of.fields)
            case _:
                return type_key(of)

    def whole_type(self, of: Type) -> Meaning:
        """A type with all that its declaration says."""
        match of:
            case Enum():
                return "members", of.members, of.ordered, of.cycle
            case _ if hasattr(of, "fields"):
                return type(of).__name__, tuple((name, self.declared(inner)) for name, inner in of.fields)
            case _:
                return self.declared(of)

    def value(self, value: Value, of: Type) -> Meaning:
        """A value by the names and numbers that people write."""
        if value == NONE:
            return "none"
        match of:
            case Number() if isinstance(value, int):
                return Fraction(value, of.scale)
            case Enum() if isinstance(value, int) and 0 <= value < len(of.members):
                return of.members[value]
            case YesNo():
                return bool(value)
            case Text() if isinstance(value, int):
                return "text", self.texts[value]
            case Optional():
                return self.value(value, of.of)
            case SetOf() if isinstance(value, int):
                return "set", tuple(self.value(bit, of.of) for bit in range(value.bit_length()) if value >> bit & 1)
            case RowOf() | ListOf() | Range() if isinstance(value, tuple):
                return tuple(self.value(item, of.of) for item in value)
            case Record() if isinstance(value, tuple):
                return tuple(self.value(item, inner) for item, (_, inner) in zip(value, of.fields, strict=True))
            case _:
                return value

    # ── nodes ────────────────────────────────────────────────────────────────────────────────────────────────────

    def _node(self, value: Any, bound: Mapping[int, int]) -> Meaning:
        if isinstance(value, tuple):
            return tuple(self._node(item, bound) for item in value)
        if not is_node(value):
            plain: Meaning = value.value if isinstance(value, PythonEnum) else value
            return plain
        match value:
            case Const():
                return "const", self.value(value.value, value.type)
            case AllOf():
                return "all", type_key(value.type)
            case Bound():
                return "bound", bound.get(value.id, f"outside {value.id}")
            case Cell():
                return "cell", value.id
            case Running():
                return "running", value.procedure, value.id
            case Prim(op=Op.SCALE, arguments=(scaled, _)):
                return self._node(scaled, bound)
            case MakeTuple(parts=(low, high)) if isinstance(value.type, Range) and (whole := _whole_range(low, high)):
                return self._node(whole, bound)
            case MakeTuple():
                return type(value.type).__name__, self._node(value.parts, bound)
            case Attribute(card=card, index=index) if (value.kind, value.name) not in self.changed.values():
                # Where nothing changes it, what a card has is what is printed on it.
                asked = (card,) if index is None else (card, index)
                return "asked", value.kind, value.name, self._node(asked, bound)
            case Call(rule=rule) if rule in self.changed:
                return "asked", *self.changed[rule], self._node(value.arguments, bound)
            case FaceOf():
                named = ((name, self.value(v, self.printed[value.kind, name])) for name, v in value.attributes)
                return "face", value.kind, tuple(named)
            case RunProcedure():
                arguments = value.arguments[1:] if value.procedure in self.acting else value.arguments
                return "run", value.procedure, self._node(arguments, bound)
            case Keeping():
                return value.name, self.declared(value.type), self.value(value.start, value.type), value.at_most
            case Option():
                of, *values = value.type, value.value, value.default
                return value.name, self.whole_type(of), *(self.value(v, of) for v in values)
            case Kind():
                return self._kind(value)
            case Filter() | Map() | Fold() | Rank() | Spread() | LetIn():
                inner = {**bound, value.id: len(bound)}
                return type(value).__name__, *(
                    self._node(part, inner) for name, part in parts_of(value) if name != "id"
                )
            case PickWriting():
                inner = {**bound, value.card: len(bound)}
                return "writing", *(self._node(part, inner) for name, part in parts_of(value) if name != "card")
            case _:
                return type(value).__name__, *(self._node(part, bound) for _, part in parts_of(value))

    def _kind(self, kind: Kind) -> Meaning:
        printed = tuple((one.name, self.declared(one.type), one.each and type_key(one.each)) for one in kind.printed)
        rows = tuple(self.row(kind, row) for row in kind.rows)
        return kind.name, printed, self.generator(kind), rows, self._node(kind.fields, {})

    def row(self, kind: Kind, row: CardRow) -> Meaning:
        """A card that a file lists."""
        values = []
        for name, value in row.values:
            of = self.printed[kind.name, name]
            each = isinstance(value, tuple) and not isinstance(of, Range | ListOf | RowOf | Record)
            values.append((name, self.value(value, ListOf(of) if each else of)))
        return row.id, row.name, tuple(values), row.copies

    def generator(self, kind: Kind) -> Meaning:
        """Cards that are made by running over values."""
        made: Generator | None = kind.generator
        if made is None:
            return None
        domains = tuple(
            (name, tuple(self.value(value, self.printed[kind.name, name]) for value in values))
            for name, values in made.domains
        )
        return domains, self.term(made.copies), self._node(made.where, {made.id: 0})


def _whole_range(low: Term, high: Term) -> Term | None:
    """The range that two terms take apart, as they do to put it together in finer steps."""
    match _unscaled(low), _unscaled(high):
        case Prim(op=Op.LEAST, arguments=(one,)), Prim(op=Op.MOST, arguments=(other,)) if one == other:
            return one
        case _:
            return None


def _unscaled(term: Term) -> Term:
    return term.arguments[0] if isinstance(term, Prim) and term.op is Op.SCALE else term
