"""What can be known of a term without running it: the names it leaves open, whether it looks at the state, its size."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import NamedTuple, assert_never

from rulesdsl.diagnostic import InternalError
from rulesdsl.ir.nodes import (
    AllOf,
    Attribute,
    Bound,
    Call,
    Cell,
    Coalesce,
    Const,
    ErrorTerm,
    FaceOf,
    Field,
    Filter,
    Fold,
    If,
    InForce,
    Legal,
    LetIn,
    LiesIn,
    MakeSet,
    MakeTuple,
    Map,
    Op,
    OptionValue,
    PlaceCards,
    PlaceOf,
    PlaceUnder,
    PlayField,
    Prim,
    Proceed,
    Rank,
    RowCard,
    RowNumber,
    Rule,
    Running,
    Spread,
    Term,
    Var,
    ZoneCards,
)
from rulesdsl.types import Number, required

_READING = frozenset({Op.HOLDER, Op.OWNER, Op.PLACE_OF_CARD, Op.UNDER, Op.OVER})
_READERS = (Cell, Running, Var, Field, PlayField, ZoneCards, PlaceCards, Legal, InForce, LiesIn)


class Facts(NamedTuple):
    """`free`: bounds it leaves open. `static`: it never looks at the state. `fallible`: it may end the match."""

    free: frozenset[int]
    static: bool
    size: int
    fallible: bool


def children(term: Term) -> tuple[Term, ...]:
    """The terms directly inside a term."""
    match term:
        case (
            Const()
            | OptionValue()
            | AllOf()
            | Bound()
            | Cell()
            | Running()
            | FaceOf()
            | Legal()
            | InForce()
            | RowCard()
        ):
            return ()
        case Var(index=index):
            return index
        case Field(card=card) | PlaceUnder(card=card) | RowNumber(card=card) | LiesIn(card=card):
            return (card,)
        case Attribute(card=card, index=index):
            return (card,) if index is None else (card, index)
        case PlayField(play=play):
            return (play,)
        case ZoneCards(owner=owner) | PlaceOf(owner=owner):
            return () if owner is None else (owner,)
        case PlaceCards(place=place):
            return (place,)
        case Call(arguments=arguments) | Prim(arguments=arguments):
            return arguments
        case If(condition=condition, then=then, otherwise=otherwise):
            return (condition, then, otherwise)
        case Coalesce(first=first, second=second):
            return (first, second)
        case Spread(value=value, body=body) | LetIn(value=value, body=body):
            return (value, body)
        case Filter(source=source, condition=body) | Map(source=source, body=body) | Fold(source=source, body=body):
            return (source, body)
        case Rank(source=source, keys=keys):
            return (source, *keys)
        case MakeTuple(parts=parts) | MakeSet(parts=parts):
            return parts
        case Proceed() | ErrorTerm():
            raise InternalError(f"a checked program holds no {type(term).__name__}")
        case _:
            assert_never(term)


def rebuilt(term: Term, parts: Sequence[Term]) -> Term:
    """The term with other terms in the places of its `children`, which come in the same order."""
    match term:
        case (
            Const()
            | OptionValue()
            | AllOf()
            | Bound()
            | Cell()
            | Running()
            | FaceOf()
            | Legal()
            | InForce()
            | RowCard()
        ):
            return term
        case Var():
            return replace(term, index=tuple(parts))
        case Field() | PlaceUnder() | RowNumber() | LiesIn():
            return replace(term, card=parts[0])
        case Attribute(index=index):
            return replace(term, card=parts[0], index=None if index is None else parts[1])
        case PlayField():
            return replace(term, play=parts[0])
        case ZoneCards(owner=owner) | PlaceOf(owner=owner):
            return term if owner is None else replace(term, owner=parts[0])
        case PlaceCards():
            return replace(term, place=parts[0])
        case Call() | Prim():
            return replace(term, arguments=tuple(parts))
        case If():
            return replace(term, condition=parts[0], then=parts[1], otherwise=parts[2])
        case Coalesce():
            return replace(term, first=parts[0], second=parts[1])
        case Spread() | LetIn():
            return replace(term, value=parts[0], body=parts[1])
        case Filter():
            return replace(term, source=parts[0], condition=parts[1])
        case Map() | Fold():
            return replace(term, source=parts[0], body=parts[1])
        case Rank():
            return replace(term, source=parts[0], keys=tuple(parts[1:]))
        case MakeTuple() | MakeSet():
            return replace(term, parts=tuple(parts))
        case Proceed() | ErrorTerm():
            raise InternalError(f"a checked program holds no {type(term).__name__}")
        case _:
            assert_never(term)


def binder_of(term: Term) -> int | None:
    """The id of the bound that a term brings into being for what is inside of it."""
    match term:
        case Filter(id=bound) | Map(id=bound) | Fold(id=bound) | Rank(id=bound) | Spread(id=bound) | LetIn(id=bound):
            return bound
        case _:
            return None


class Analyst:
    """Works out the facts of terms, each once."""

    def __init__(self, rules: Mapping[str, Rule]) -> None:
        self._rules = rules
        # Keyed by identity, because comparing terms would walk them; the term is kept so that its number stays its own.
        self._known: dict[int, tuple[Term, Facts]] = {}
        self._of_rule: dict[str, Facts] = {}

    def facts(self, term: Term) -> Facts:
        """What is known of a term."""
        known = self._known.get(id(term))
        if known is None:
            known = self._known[id(term)] = (term, self._work_out(term))
        return known[1]

    def of_rule(self, name: str) -> Facts:
        """What is known of the body of a rule."""
        if name not in self._of_rule:
            self._of_rule[name] = self.facts(self._rules[name].body)
        return self._of_rule[name]

    def uses(self, term: Term, bound: int) -> int:
        """How often a term names a bound."""
        if bound not in self.facts(term).free:
            return 0
        return 1 if isinstance(term, Bound) else sum(self.uses(child, bound) for child in children(term))

    def _work_out(self, term: Term) -> Facts:
        inner = [self.facts(child) for child in children(term)]
        free: frozenset[int] = frozenset().union(*(facts.free for facts in inner))
        static = not isinstance(term, _READERS) and all(facts.static for facts in inner)
        size = 1 + sum(facts.size for facts in inner)
        fallible = any(facts.fallible for facts in inner)
        match term:
            case Bound(id=bound):
                free = frozenset({bound})
            case Filter(source=source, id=bound) | Map(source=source, id=bound) | Fold(source=source, id=bound):
                free = self.facts(source).free | (inner[1].free - {bound})
            case Rank(source=source, id=bound):
                free = self.facts(source).free.union(*(key.free - {bound} for key in inner[1:]))
            case Spread(id=bound) | LetIn(id=bound):
                free = inner[0].free | (inner[1].free - {bound})
            case Call(rule=rule):
                body = self.of_rule(rule)
                static = static and body.static
                fallible = fallible or body.fallible
                size += body.size
            case Prim(op=op, arguments=arguments):
                static = static and op not in _READING
                if op is Op.RANGE_ROW:
                    fallible = True
                elif op in (Op.DIVIDE, Op.MODULO):
                    divisor = arguments[1]
                    fallible = fallible or not (isinstance(divisor, Const) and divisor.value != 0)
                elif op is Op.MULTIPLY:
                    fallible = True
            case Var(index=index):
                # An index that is a number may lie outside its range.
                fallible = fallible or any(isinstance(required(term.type), Number) for term in index)
            case _:
                pass
        return Facts(free, static, size, fallible)
