"""The built-in functions: what each takes and what it gives.

`FUNCTIONS` is the list that authors see. Functions of a whole sequence come first; those of one seat, card, member or
range below are asked of every member of a set, as rules and attributes are.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from ..ir.nodes import AllOf, Const, Filter, Fold, MakeTuple, Map, Op, PlaceUnder, Prim, Quantifier, Rank, Ranking, Term
from ..source import Span
from ..types import (
    Card,
    Enum,
    Face,
    Ladder,
    ListOf,
    Number,
    Optional,
    Place,
    Range,
    Record,
    RowOf,
    Seat,
    SetOf,
    Team,
    Type,
    YesNo,
    optional,
)
from .checker import Checker
from .fit import fit, is_ordered, members_of
from .names import is_finite
from .wording import a, counted, several

FUNCTIONS: dict[str, str] = {
    "count": "count(S): how many members",
    "sum": "sum(S): all added up; 0 of nothing",
    "any": "any(S): whether there is a member, or one that is true",
    "all": "all(S): whether all are true",
    "min": "min(S): the smallest; none of nothing",
    "max": "max(S): the largest; none of nothing",
    "only": "only(S): the member, if there is just one; else none",
    "first": "first(S): the first member; none of nothing",
    "last": "last(S): the last member; none of nothing",
    "top": "top(Z, n): the top n cards of a stack",
    "bottom": "bottom(Z, n): the lowest n cards of a stack",
    "set": "set(S): the different members",
    "list": "list(S): the members in order",
    "distinct": "distinct(S): each member once, in order",
    "left": "left(P): the next player in turn",
    "right": "right(P): the player before in turn",
    "across": "across(P): the player opposite",
    "partner": "partner(P): the next player of the same team",
    "team": "team(P): the player's team",
    "clockwise": "clockwise(P): all players in turn, P first",
    "anticlockwise": "anticlockwise(P): all players against the turn, P first",
    "holder": "holder(C): the player in whose zone a card lies",
    "owner": "owner(Z): the player whose zone it is",
    "under": "under(C): the cards beneath a card",
    "over": "over(C): the card it lies under",
    "face": "face(C): what is printed on a card",
    "place": "place(E): how far up a member stands in its order, from 0",
    "next": "next(E): the member above; round again in a cycle",
    "most": "most(R): the highest number of a range",
    "least": "least(R): the lowest number of a range",
    "highest": "highest(S by K): all members that share the highest keys",
    "lowest": "lowest(S by K): all members that share the lowest keys",
    "unique_highest": "unique_highest(S by K): as highest, after equals have cancelled one another",
}

_SEAT_TO: dict[str, tuple[Op, Type]] = {
    "left": (Op.LEFT, Seat()),
    "right": (Op.RIGHT, Seat()),
    "across": (Op.ACROSS, Seat()),
    "partner": (Op.PARTNER, Seat()),
    "team": (Op.TEAM_OF, Team()),
    "clockwise": (Op.CLOCKWISE, RowOf(Seat())),
    "anticlockwise": (Op.ANTICLOCKWISE, RowOf(Seat())),
}

SEQUENCE_FUNCTIONS = frozenset(
    ["count", "sum", "any", "all", "min", "max", "only", "first", "last", "top", "bottom", "set", "list", "distinct"]
)


class FunctionChecker(Checker):
    """Builds the terms of built-in functions from arguments that are terms already."""

    def function_names(self) -> list[str]:
        """What can be called without being declared."""
        return list(FUNCTIONS)

    # ── of a whole sequence ──────────────────────────────────────────────────────────────────────────────────────

    def of_sequence(self, name: str, arguments: tuple[Term, ...], span: Span) -> Term:
        """`count(S)`, `sum(S)`, `first(S)`, `top(Z, n)` ...: fused with a map or filter that feeds it."""
        sequence = members_of(arguments[0])
        if sequence is None or not isinstance(sequence.type, SetOf | RowOf | ListOf):
            return self.fail(
                "E0403",
                span,
                f"`{name}` needs a set, a list or a zone, but this is {a(arguments[0].type)}",
                FUNCTIONS[name],
            )
        if name in ("top", "bottom"):
            return self._end(name, sequence, arguments, span)
        if len(arguments) != 1:
            return self.fail(
                "E0407",
                span,
                f"`{name}` takes one set or list, but this gives it {counted(len(arguments), 'argument')}",
                FUNCTIONS[name],
            )
        build: Callable[[str, Term, Span], Term] = {
            "count": self._count,
            "any": self._quantified,
            "all": self._quantified,
            "sum": self._sum,
            "min": self._extreme,
            "max": self._extreme,
        }.get(name, self._member)
        return build(name, sequence, span)

    def _count(self, name: str, sequence: Term, span: Span) -> Term:
        if isinstance(sequence, Filter):
            return Fold(Quantifier.COUNT, sequence.source, sequence.id, sequence.condition, type=Number(), span=span)
        return Prim(Op.COUNT, (sequence,), type=Number(), span=span)

    def _quantified(self, name: str, sequence: Term, span: Span) -> Term:
        of = _element(sequence)
        quantifier = Quantifier.ANY if name == "any" else Quantifier.ALL
        if isinstance(of, YesNo):
            if isinstance(sequence, Map):
                return Fold(quantifier, sequence.source, sequence.id, sequence.body, type=YesNo(), span=span)
            return Prim(Op.ANY_OF if name == "any" else Op.ALL_OF, (sequence,), type=YesNo(), span=span)
        if name == "all":
            return self.fail(
                "E0401",
                span,
                f"`all` needs conditions, but these are {several(of)}",
                "write `all(CONDITION for x in S)`",
            )
        if isinstance(sequence, Filter):
            return Fold(quantifier, sequence.source, sequence.id, sequence.condition, type=YesNo(), span=span)
        return Prim(Op.NOT, (Prim(Op.IS_EMPTY, (sequence,), type=YesNo(), span=span),), type=YesNo(), span=span)

    def _sum(self, name: str, sequence: Term, span: Span) -> Term:
        of = _element(sequence)
        if isinstance(of, Record) and of.summed and isinstance(sequence, Map):
            body = fit(sequence.body, Number())
            assert body is not None
            sequence = replace(sequence, body=body, type=ListOf(Number()))
            of = Number()
        if not isinstance(of, Number):
            return self.fail(
                "E0401", span, f"`sum` needs numbers, but these are {several(of)}", "write `sum(NUMBER for x in S)`"
            )
        whole = Number(of.scale)
        if isinstance(sequence, Map):
            return Fold(Quantifier.SUM, sequence.source, sequence.id, sequence.body, type=whole, span=span)
        return Prim(Op.SUM, (sequence,), type=whole, span=span)

    def _extreme(self, name: str, sequence: Term, span: Span) -> Term:
        of = _element(sequence)
        if not is_ordered(of):
            return self.fail(
                "E0404", span, f"{several(of)} have no order, so there is no `{name}`", "write `highest(S by KEY)`"
            )
        quantifier = Quantifier.MIN if name == "min" else Quantifier.MAX
        plain = Number(of.scale) if isinstance(of, Number) else of
        if isinstance(sequence, Map):
            result: Type = plain if never_empty(sequence.source) else optional(plain)
            return Fold(quantifier, sequence.source, sequence.id, sequence.body, type=result, span=span)
        result = plain if never_empty(sequence) else optional(plain)
        return Prim(Op.MIN if name == "min" else Op.MAX, (sequence,), type=result, span=span)

    def _member(self, name: str, sequence: Term, span: Span) -> Term:
        of = _element(sequence)
        match name:
            case "only" | "first" | "last":
                op = {"only": Op.ONLY, "first": Op.FIRST, "last": Op.LAST}[name]
                there = name != "only" and never_empty(sequence)
                return Prim(op, (sequence,), type=of if there else optional(of), span=span)
            case "list":
                fitted = fit(sequence, ListOf(of))
            case "set":
                if not is_finite(of):
                    return self.fail(
                        "E0415",
                        span,
                        f"there is no set of {several(of)}, since they can't be listed",
                        "write `distinct(...)`",
                    )
                fitted = fit(sequence, SetOf(of))
            case _:
                fitted = fit(sequence, RowOf(of))
        assert fitted is not None
        return replace(fitted, span=span)

    def _end(self, name: str, sequence: Term, arguments: tuple[Term, ...], span: Span) -> Term:
        if len(arguments) != 2:
            return self.fail("E0407", span, f"`{name}` takes a zone and a number of cards", FUNCTIONS[name])
        number = fit(arguments[1], Number())
        of = _element(sequence)
        if number is None:
            return self.fail(
                "E0401", span, f"`{name}` needs a number of cards, but this is {a(arguments[1].type)}", FUNCTIONS[name]
            )
        if isinstance(sequence.type, SetOf):
            return self.fail(
                "E0417",
                span,
                "a set has no top and no bottom",
                "declare the zone with `shape: stack`, or write `first(...)`",
            )
        return Prim(Op.TOP if name == "top" else Op.BOTTOM, (sequence, number), type=RowOf(of), span=span)

    # ── of one thing ─────────────────────────────────────────────────────────────────────────────────────────────

    def of_one(self, name: str, subject: Term, span: Span) -> Term | None:
        """A function of one seat, card, member or range; None where the subject is something else."""
        match name, subject.type:
            case (("left" | "right" | "across" | "clockwise" | "anticlockwise"), Seat()):
                op, of = _SEAT_TO[name]
                return Prim(op, (subject,), type=of, span=span)
            case (("partner" | "team"), Seat()):
                if not self.names.has_teams:
                    return self.fail("E0318", span, f"`{name}` needs teams, and this game has none", "declare `teams:`")
                op, of = _SEAT_TO[name]
                return Prim(op, (subject,), type=of, span=span)
            case "holder", Card():
                return Prim(Op.HOLDER, (subject,), type=Optional(Seat()), span=span)
            case "owner", Place():
                return Prim(Op.OWNER, (subject,), type=Optional(Seat()), span=span)
            case "under", Card(kind=kind):
                return PlaceUnder(kind, subject, type=Place(kind, SetOf(Card(kind))), span=span)
            case "over", Card(kind=kind):
                return Prim(Op.OVER, (subject,), type=Optional(Card(kind)), span=span)
            case "face", Card(kind=kind):
                return Prim(Op.FACE, (subject,), type=Face(kind), span=span)
            case "place", (Enum(ordered=True) | Ladder()):
                return Prim(Op.PLACE_IN_ORDER, (subject,), type=Number(), span=span)
            case "next", Enum() as enum if enum.ordered or enum.cycle:
                size = Const(len(enum.members), type=Number())
                cycle = Const(int(enum.cycle), type=Number())
                return Prim(Op.NEXT, (subject, size, cycle), type=enum if enum.cycle else Optional(enum), span=span)
            case (("most" | "least"), (Range() | Number())):
                of_range = subject.type if isinstance(subject.type, Range) else Range(subject.type)
                fitted = fit(subject, of_range)
                assert fitted is not None
                return Prim(Op.MOST if name == "most" else Op.LEAST, (fitted,), type=of_range.of, span=span)
            case _:
                return None


def never_empty(sequence: Term) -> bool:
    """Whether a sequence has a member in every state: all seats, all members of a type."""
    match sequence:
        case AllOf():
            return not isinstance(sequence.type, SetOf) or not isinstance(sequence.type.of, Card)
        case Map():
            return never_empty(sequence.source)
        case MakeTuple():
            return bool(sequence.parts)
        case Prim(op=Op.CLOCKWISE | Op.ANTICLOCKWISE | Op.SEATS_OF):
            return True
        case Prim(op=Op.TO_ROW | Op.TO_SET | Op.DISTINCT):
            return never_empty(sequence.arguments[0])
        case _:
            return (
                isinstance(sequence, Rank)
                and sequence.ranking is not Ranking.UNIQUE_HIGHEST
                and never_empty(sequence.source)
            )


def _element(sequence: Term) -> Type:
    assert isinstance(sequence.type, SetOf | RowOf | ListOf)
    return sequence.type.of
