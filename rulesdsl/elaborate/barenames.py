"""What a name means that stands alone: a rule, zone, state or option, or the set of all members of a type."""

from __future__ import annotations

from dataclasses import replace

from ..ir import nodes as ir
from ..ir.nodes import (
    AllOf,
    Op,
    OptionValue,
    Owned,
    PlaceOf,
    Prim,
    Term,
    Var,
)
from ..source import Span
from ..syntax.expr import Name
from ..types import (
    Seat,
    SetOf,
    Team,
    Type,
    Unknown,
)
from .functions import FunctionChecker
from .names import RuleEntry, is_finite
from .scope import Scope


class NameChecker(FunctionChecker):
    """Resolves names that no binder binds."""

    def is_declared(self, name: str) -> bool:
        """Whether a file of the program declares a rule, zone or state of this name."""
        return name in self.names.rules or name in self.names.zones or name in self.names.states

    def declared(self, expr: Name, scope: Scope) -> Term | None:
        """What a bare name that no binder binds stands for, or None."""
        name, span = expr.name, expr.span
        for entry in self.names.rules.get(name, ()):
            types = self.parameter_types(entry)
            if not types:
                return self.call_rule(entry, (), span)
            if types == (Seat(),) and len(self.names.rules[name]) == 1:
                seat = self._seat(name, scope, span)
                return self.call_rule(entry, (seat,), span)
        if name in self.names.zones:
            owned = self.names.owned(name)
            owner = None if owned is Owned.ONCE else self._owner(owned, name, scope, span)
            return self.zone(name, owner, span)
        if name in self.names.states:
            variable = self.variable(name)
            self.names.states[name].read = True
            index = tuple(self._index(of, name, scope, span) for of in variable.each)
            return Var(name, index, type=variable.keeping.type, span=span)
        if name in self.names.options:
            return OptionValue(name, type=self.names.options[name].type, span=span)
        return self._all_of(name, scope, span)

    def _all_of(self, name: str, scope: Scope, span: Span) -> Term | None:
        if name == "others":
            seat = self._seat(name, scope, span)
            everybody = AllOf(type=SetOf(Seat()), span=span)
            return Prim(Op.MINUS, (everybody, self.forced(seat, SetOf(Seat()))), type=SetOf(Seat()), span=span)
        of: Type | None = None
        if name in self.names.types:
            of = self.names.types[name]
        elif name.endswith("s") and name[:-1] in ("player", "team", *self.names.kinds):
            of = self.names.named_type(name[:-1])
        if of is None or not is_finite(of):
            return None
        if isinstance(of, Team) and not self.names.has_teams:
            return self.fail("E0318", span, "this game has no teams", "declare `teams:`")
        return AllOf(type=SetOf(of), span=span)

    def zone(self, name: str, owner: Term | None, span: Span) -> Term:
        """A zone, as a place."""
        self.names.zones[name].used = True
        return PlaceOf(name, owner, type=self.names.place_type(name), span=span)

    def _seat(self, name: str, scope: Scope, span: Span) -> Term:
        player = scope.player()
        if player is None:
            return self.fail(
                "E0305",
                span,
                f"whose '{name}'? No player is bound here",
                "use `each: player`, or give the rule a parameter `player`"
                if name == "others"
                else f"write `SEAT.{name}`, `players.{name}` for all of them, or give the rule a parameter `player`",
            )
        return replace(player, span=span)

    def _owner(self, owned: Owned, name: str, scope: Scope, span: Span) -> Term:
        if owned is Owned.TEAM and (team := scope.names.get("team")) is not None and isinstance(team.type, Team):
            return replace(team, span=span)
        seat = self._seat(name, scope, span)
        return Prim(Op.TEAM_OF, (seat,), type=Team(), span=span) if owned is Owned.TEAM else seat

    def _index(self, of: Type, name: str, scope: Scope, span: Span) -> Term:
        match of:
            case Seat():
                return self._seat(name, scope, span)
            case Team():
                return self._owner(Owned.TEAM, name, scope, span)
            case _:
                return self.fail(
                    "E0407", span, f"there is one '{name}' for each {of}; say for which", f"write `{name}(...)`"
                )

    def call_rule(self, entry: RuleEntry, arguments: tuple[Term, ...], span: Span) -> Term:
        """The value of a rule for arguments that are of its types."""
        rule = self.rule(entry, span)
        if rule is None or isinstance(rule.type, Unknown):
            return self.error(span)
        return ir.Call(rule.id, arguments, type=rule.type, span=span)
