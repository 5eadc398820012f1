"""Expressions in words: what they stand for, and the conditions that they are.

A name is said by its wording. What has none is said in a form of the language, so that nothing is ever left out.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from fractions import Fraction
from typing import assert_never

from ..syntax import expr as e
from ..syntax.expr import Expr, Operator
from .english import (
    YOU,
    be,
    head_of,
    is_several,
    listed,
    opposite,
    owned,
    readable,
    singular,
    there_are,
    with_article,
    without_the,
)
from .filling import filled
from .lexicon import Lexicon
from .relatives import of_several
from .words import ARITHMETIC, COMPARISONS, CONTRARY, FUNCTIONS, RANKINGS

SELF, PLAYER, CANDIDATE = "self", "player", "it"


@dataclass(frozen=True, slots=True)
class Phrases:
    """Says expressions; `names` is what the names that are bound here stand for."""

    lexicon: Lexicon
    names: Mapping[str, str] = field(default_factory=dict)
    parts: frozenset[str] = frozenset()
    """What was chosen when the card was declared; `self.victim` is the same as `victim`."""

    def knowing(self, names: Mapping[str, str]) -> Phrases:
        """The same with more names bound."""
        return replace(self, names={**self.names, **names}, parts=self.parts - names.keys())

    # ── values ───────────────────────────────────────────────────────────────────────────────────────────────────

    def value(self, expr: Expr) -> str:
        """What an expression stands for, as a noun."""
        match expr:
            case e.Name():
                return self._name(expr.name)
            case e.NumberLiteral():
                return expr.text
            case e.TextLiteral():
                return f"“{expr.text}”"
            case e.YesNoLiteral():
                return "yes" if expr.value else "no"
            case e.NoneLiteral():
                return "nothing"
            case e.FaceLiteral():
                return f"{self._name(expr.first)} of {self._name(expr.second)}"
            case e.Call():
                return self._call(expr)
            case e.EachOf():
                return self._each_of(expr)
            case e.Ranked():
                source = self.value(expr.source)
                inner = self.knowing({CANDIDATE: candidate(source)})
                keys = ", then ".join(inner.value(key) for key in expr.keys)
                which, behind = RANKINGS.get(expr.function, (readable(expr.function), ""))
                return f"the {which} of {source} by {keys}{behind}"
            case e.Choice():
                otherwise = self._inner(expr.otherwise)
                return f"{self.value(expr.then)} if {self.condition(expr.condition)}, otherwise {otherwise}"
            case e.Fallback():
                return f"{self.value(expr.first)}, or {self._inner(expr.second)} if there is none"
            case e.Where():
                return self._where(expr)
            case e.Binary():
                if expr.operator is Operator.DIV:
                    return f"{self._inner(expr.left)} divided by {self._inner(expr.right)}, rounded down"
                if expr.operator in ARITHMETIC:
                    return f"{self._inner(expr.left)} {ARITHMETIC[expr.operator]} {self._inner(expr.right)}"
                return f"whether {self.condition(expr)}"
            case e.Not():
                return f"whether {self.condition(expr)}"
            case e.Negative(operand=e.NumberLiteral() as number):
                return f"-{number.text}"
            case e.Negative():
                return f"minus {self._inner(expr.operand)}"
            case e.RangeLiteral():
                return self._range(expr)
            case e.Items():
                return listed([self.value(item) for item in expr.items])
            case e.ErrorExpr():
                return expr.span.text
            case _:
                assert_never(expr)

    def place(self, expr: Expr) -> str:
        """A zone as a place, where it is not the cards in it that are meant."""
        match expr:
            case e.Name(name=name) if self.is_zone(expr):
                return self._zone(name)
            case e.Call(name=name, arguments=(owner,)) if self.is_zone(expr):
                return self._owned(self.value(owner), name)
            case _:
                return self.value(expr)

    def is_zone(self, expr: Expr) -> bool:
        """Whether an expression is a zone by its name."""
        return isinstance(expr, e.Name | e.Call) and expr.name in self.lexicon.zones and expr.name not in self.names

    def _zone(self, name: str) -> str:
        if name in self.lexicon.of_players:
            return self._owned(self.names.get(PLAYER, "the player"), name)
        wording = self.lexicon.find(name)
        return wording.text if wording is not None else f"the {readable(name)}"

    def _inner(self, expr: Expr) -> str:
        """A value inside of another one, in brackets if it has several parts."""
        text = self.value(expr)
        is_whole = isinstance(expr, e.Name | e.NumberLiteral | e.Call | e.Items | e.TextLiteral | e.NoneLiteral)
        return text if is_whole or isinstance(expr, e.YesNoLiteral) else f"({text})"

    def _range(self, expr: e.RangeLiteral) -> str:
        if expr.low is None or expr.high is None:
            known = expr.low or expr.high
            said = "" if known is None else self.value(known)
            return f"at least {said}" if expr.high is None else f"at most {said}"
        low, high = self.value(expr.low), self.value(expr.high)
        return f"exactly {low}" if low == high else f"{low} to {high}"

    def _name(self, name: str) -> str:
        bound = self.names.get(name)
        if bound is not None:
            return bound
        if name in self.lexicon.zones:
            return f"the {self.lexicon.zones[name]} in {self._zone(name)}"
        if name in self.lexicon.of_players:
            return self._owned(self.names.get(PLAYER, "the player"), name)
        wording = self.lexicon.find(name)
        if wording is not None:
            return filled(wording.text, {})
        match name:
            case "players":
                return "all players"
            case _ if name.endswith("s") and name[:-1] in self.lexicon.kinds:
                return f"all {readable(name)}"
            case "others":
                acting = self.names.get(PLAYER, YOU)
                return "the other players" if acting == YOU else f"the players other than {acting}"
            case _:
                return f"the {readable(name)}" if name in self.lexicon.things else readable(name)

    def _owned(self, owner: str, name: str) -> str:
        wording = self.lexicon.find(name, 1)
        if wording is not None:
            return filled(wording.text, dict.fromkeys(wording.parameters, owner))
        bare = self.lexicon.find(name)
        return owned(owner, readable(name) if bare is None else without_the(bare.text))

    def _call(self, expr: e.Call) -> str:
        if expr.name in self.lexicon.conditions or expr.name in ("any", "all"):
            return f"whether {self.condition(expr)}"
        return self._said(expr)

    def _said(self, expr: e.Call) -> str:
        """A call by its wording, or in the way of the language."""
        first = expr.arguments[0] if expr.arguments else None
        if isinstance(first, e.Name) and first.name == SELF and expr.name in self.parts and len(expr.arguments) == 1:
            return self.names[expr.name]
        is_kept = expr.dotted and isinstance(first, e.Name) and first.name not in self.names
        if is_kept and isinstance(first, e.Name) and first.name in self.lexicon.procedures:
            kept = self.lexicon.wordings.get(f"{first.name}.{expr.name}")
            return kept.text if kept else f"the {readable(expr.name)} of the {readable(first.name)} that runs"
        given = [self.value(argument) for argument in expr.arguments]
        wording = self.lexicon.find(expr.name, len(given))
        if wording is not None and expr.name not in self.lexicon.zones:
            return filled(wording.text, dict(zip(wording.parameters, given, strict=True)))
        is_own = expr.name in self.lexicon.rules
        if expr.name in ("top", "bottom") and first is not None and len(given) == 2 and not is_own:
            noun = self.lexicon.zones.get(first.name, "cards") if isinstance(first, e.Name | e.Call) else "cards"
            place = self.place(first)
            return filled(f"the {expr.name} <number> {noun} of {place}", {"number": given[1]})
        if expr.name in FUNCTIONS and given and not is_own:
            return filled(FUNCTIONS[expr.name], dict(zip(("a", "b"), given, strict=False)))
        if expr.name in self.lexicon.zones and len(given) == 1:
            return f"the {self.lexicon.zones[expr.name]} in {self._owned(given[0], expr.name)}"
        if len(given) == 1:
            return self._owned(given[0], expr.name)
        return f"the {readable(expr.name)}" + (f" of {listed(given)}" if given else "")

    def _member(self, binder: str, source: str) -> tuple[str, str]:
        """What one of several is called: `metal` for one of the metals, else as it is bound; and `of the metals`."""
        head = head_of(source).removeprefix("the ").removeprefix("all ")
        if is_several(source) and " " not in head:
            return singular(head), f"of {as_some(source)}"
        return readable(binder), f"{readable(binder)} among {source}"

    def _each_of(self, expr: e.EachOf) -> str:
        if expr.function in ("any", "all"):
            return f"whether {self.condition(expr)}"
        source = self.value(expr.source)
        member, among = self._member(expr.binder, source)
        body = self.knowing({expr.binder: f"that {member}"}).value(expr.body)
        whole = filled(FUNCTIONS.get(expr.function, expr.function), {"a": body})
        return f"{whole} for each {among}"

    def _where(self, expr: e.Where) -> str:
        source, conditions = peeled(expr)
        said = self.value(source)
        return f"{said} {of_several(self.tests(said, conditions))}"

    def tests(self, source: str, conditions: list[Expr]) -> list[str]:
        """Conditions on members of something, as clauses about `it`, or `they` for people."""
        inner = self.knowing({CANDIDATE: candidate(source)})
        return [inner.condition(condition) for condition in conditions]

    # ── conditions ───────────────────────────────────────────────────────────────────────────────────────────────

    def condition(self, expr: Expr) -> str:
        """What an expression claims, as a clause."""
        match expr:
            case e.Binary(operator=Operator.AND):
                return listed([self._clause(part) for part in parts_of(expr, Operator.AND)])
            case e.Binary(operator=Operator.OR):
                return listed([self._clause(part) for part in parts_of(expr, Operator.OR)], "or")
            case e.Binary() if expr.operator in CONTRARY:
                return self._comparison(expr.operator, expr.left, expr.right)
            case e.Not():
                return self._contrary(expr.operand)
            case e.YesNoLiteral():
                return "in any case" if expr.value else "never"
            case e.EachOf(function="any"):
                return f"for at least one {self._of_some(expr)}"
            case e.EachOf(function="all"):
                return f"for each {self._of_some(expr)}"
            case e.Call(name="any", arguments=(several,)):
                return there_are(self.value(several))
            case e.Call(name="all", arguments=(several,)):
                return f"all hold of {self.value(several)}"
            case e.Call():
                return self._claim(expr.name, self._said(expr), [self.value(part) for part in expr.arguments])
            case e.Name() if expr.name not in self.names:
                wording = self.lexicon.find(expr.name)
                owner = [self.names.get(PLAYER, "the player")] if expr.name in self.lexicon.of_players else []
                return self._claim(expr.name, wording.text if wording else self._name(expr.name), owner)
            case e.Choice():
                then, otherwise = self.condition(expr.then), self.condition(expr.otherwise)
                return f"(if {self.condition(expr.condition)}, {then}; otherwise {otherwise})"
            case _:
                return f"{self.value(expr)} is true"

    def _clause(self, expr: Expr) -> str:
        """A condition among others, in brackets if it is made of several itself."""
        text = self.condition(expr)
        is_several = isinstance(expr, e.Binary) and expr.operator in (Operator.AND, Operator.OR)
        return f"({text})" if is_several or isinstance(expr, e.EachOf) else text

    def _of_some(self, expr: e.EachOf) -> str:
        source = self.value(expr.source)
        member, among = self._member(expr.binder, source)
        inner = self.knowing({expr.binder: f"that {member}"})
        return f"{among}, {inner.condition(expr.body)}"

    def _claim(self, name: str, said: str, given: list[str]) -> str:
        """What a name that is true or false says of what it is given."""
        if self.lexicon.find(name, len(given)) is not None or self.lexicon.find(name, 0) is not None:
            return said
        if given:
            others = f" ({listed(given[1:])})" if given[1:] else ""
            return f"{given[0]} {be(given[0])} “{readable(name)}”{others}"
        return f"“{readable(name)}” holds"

    def _contrary(self, expr: Expr) -> str:
        match expr:
            case e.Binary(operator=Operator.AND):
                return f"it is not so that {self.condition(expr)}"
            case e.Binary(operator=Operator.OR):
                return listed([self._contrary(part) for part in parts_of(expr, Operator.OR)])
            case e.Binary() if expr.operator in CONTRARY:
                return self._comparison(CONTRARY[expr.operator], expr.left, expr.right)
            case e.Not():
                return self.condition(expr.operand)
            case e.Call(name="any", arguments=(several,)):
                return there_are(self.value(several), none=True)
            case e.EachOf() | e.Choice():
                return f"it is not so that {self.condition(expr)}"
            case _:
                return opposite(self.condition(expr))

    def _comparison(self, operator: Operator, left: Expr, right: Expr) -> str:
        match operator:
            case Operator.IS | Operator.IS_NOT:
                return self._same(left, right, is_same=operator is Operator.IS)
            case Operator.IN | Operator.NOT_IN:
                what = self.value(left)
                verb = be(what) + ("" if operator is Operator.IN else " not")
                if isinstance(right, e.Items):
                    return f"{what} {verb} {listed([self.value(item) for item in right.items], 'or')}"
                there = self.value(right)
                return f"{what} {verb} {'one of' if is_several(there) else 'in'} {as_some(there)}"
            case _:
                what = self._inner(left)
                return f"{what} {be(what)} {COMPARISONS[operator]} {self._inner(right)}"

    def _same(self, left: Expr, right: Expr, *, is_same: bool) -> str:
        if isinstance(left, e.NoneLiteral):
            left, right = right, left
        if isinstance(right, e.NoneLiteral):
            what = without_the(self.value(left))
            if is_same:
                return f"there is no {what}"
            return f"there is {with_article(what)}" if what != self.value(left) else f"there is {what}"
        if isinstance(right, e.YesNoLiteral):
            return self.condition(left) if right.value is is_same else self._contrary(left)
        first, second = self.value(left), self.value(right)
        if second == YOU:
            first, second = second, first
        return f"{first} {be(first)}{'' if is_same else ' not'} {second}"


def peeled(expr: Expr) -> tuple[Expr, list[Expr]]:
    """What members are taken from, and all conditions on them."""
    conditions: list[Expr] = []
    while isinstance(expr, e.Where):
        conditions = [*parts_of(expr.condition, Operator.AND), *conditions]
        expr = expr.source
    return expr, conditions


def parts_of(expr: Expr, operator: Operator) -> Iterator[Expr]:
    """What stands between ands, or between ors."""
    if isinstance(expr, e.Binary) and expr.operator is operator:
        yield from parts_of(expr.left, operator)
        yield from parts_of(expr.right, operator)
    else:
        yield expr


def candidate(source: str) -> str:
    """What one calls a member of something."""
    return "they" if head_of(source).endswith(("players", "player")) else CANDIDATE


def as_some(phrase: str) -> str:
    """`the players` for `all players`, to follow `one of`."""
    return f"the {phrase.removeprefix('all ')}" if phrase.startswith("all ") else phrase


def number_of(expr: Expr) -> Fraction | None:
    """The number that an expression is, if it is one as written."""
    match expr:
        case e.NumberLiteral():
            return expr.value
        case e.Negative(operand=e.NumberLiteral() as operand):
            return -operand.value
        case _:
            return None
