"""What the parts of the checker ask of one another: every part is a class on top of the one before."""

from __future__ import annotations

from abc import abstractmethod

from ..ir import nodes as ir
from ..ir.nodes import (
    Term,
)
from ..source import Span
from ..syntax.expr import Call, Expr, TypeExpr
from ..types import (
    Type,
)
from .names import Names, ProcedureEntry, RuleEntry
from .scope import Scope


class Checker:
    """The names of the program, reporting, and the questions that only a class further up can answer."""

    names: Names
    nested: int = 0
    """How many expressions are being worked out, one inside of the other."""

    def fail(self, code: str, span: Span, message: str, help: str | None = None) -> Term:
        """Reports, and gives what stands for the mistake."""
        self.names.report(code, span, message, help)
        return self.error(span)

    # ── answered further up ──────────────────────────────────────────────────────────────────────────────────────

    @abstractmethod
    def expression(self, expr: Expr, scope: Scope, want: Type | None = None) -> Term:
        """The term an expression stands for."""

    @abstractmethod
    def wanted(self, expr: Expr, scope: Scope, want: Type, what: str, *, none_is_error: bool = False) -> Term:
        """A term of the wanted type."""

    @abstractmethod
    def fitted(self, term: Term, expr: Expr, want: Type, what: str, *, none_is_error: bool = False) -> Term:
        """The term of an expression as one of the wanted type."""

    @abstractmethod
    def condition(self, expr: Expr, scope: Scope, what: str = "a condition") -> Term:
        """A term that is true or false."""

    @abstractmethod
    def power_value(self, expr: Call, card: Term, scope: Scope) -> Term | None:
        """What a power of a card is worth; None if its kind has no such power."""

    @abstractmethod
    def error(self, span: Span) -> Term:
        """What stands for something that was reported."""

    @abstractmethod
    def forced(self, term: Term, of: Type) -> Term:
        """The term as one of a type that it is known to fit."""

    @abstractmethod
    def rule(self, entry: RuleEntry, span: Span) -> ir.Rule | None:
        """The rule, worked out if it was not yet; None (after a report) if it turns in a circle or is a legality."""

    @abstractmethod
    def parameter_types(self, entry: RuleEntry) -> tuple[Type, ...]:
        """The types of a rule's parameters."""

    @abstractmethod
    def type_of(self, expr: TypeExpr, scope: Scope | None = None) -> Type:
        """The type that a text stands for."""

    @abstractmethod
    def variable(self, name: str) -> ir.Variable:
        """A declared state."""

    @abstractmethod
    def cells_of(self, entry: ProcedureEntry) -> dict[str, ir.Cell]:
        """The parameters and states of a procedure, by name."""

    @abstractmethod
    def printed(self, kind: str) -> dict[str, Type]:
        """The printed attributes of a kind."""

    @abstractmethod
    def printed_each(self, kind: str, name: str) -> Type | None:
        """Of what type an attribute needs a member beside the card, if it does."""

    @abstractmethod
    def field_types(self, kind: str) -> dict[str, Type]:
        """The fields written on cards of a kind."""

    @abstractmethod
    def play_field_types(self, zone: str) -> dict[str, Type]:
        """The fields of plays in a zone."""
