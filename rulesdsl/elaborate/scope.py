"""Which names an expression sees, and which values are known to be there.

A `Scope` is a chain of bindings; it never changes, every binder makes a longer one. Its `Frame` hands out the ids of
bounds and, in procedures, the cells.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace

from ..ir.nodes import Bound, Cell, Term
from ..syntax.expr import Expr
from ..types import Seat, Type


@dataclass(slots=True)
class Frame:
    """The rule or procedure that is being worked out.

    `cells` is None in a rule. `acting` is set when a name needs a player whom nothing binds: a procedure then takes
    the acting seat of its caller.
    """

    name: str
    cells: list[Cell] | None = None
    acting: Cell | None = None
    bounds: int = 0
    places: list[str] = field(default_factory=list)
    """Names of the phases around the present step, outermost first."""

    def bound(self, name: str, of: Type) -> Bound:
        """A new bound."""
        self.bounds += 1
        return Bound(self.bounds - 1, name, type=of)

    def cell(self, name: str, of: Type) -> Cell:
        """A new cell of the procedure."""
        assert self.cells is not None
        cell = Cell(len(self.cells), name, type=of)
        self.cells.append(cell)
        return cell


@dataclass(frozen=True, slots=True)
class Scope:
    """The names bound here and further out."""

    frame: Frame
    names: dict[str, Term] = field(default_factory=dict)
    certain: tuple[Expr, ...] = ()
    """Expressions that a test around them has shown not to be none."""
    proceed: Type | None = None
    """In a change: the type of what everybody else gives."""
    legal: dict[str, tuple[int, Type]] | None = None
    """In a narrow: the parts, as fields of the members of `legal`."""

    def bind(self, **names: Term) -> Scope:
        """The scope with more names."""
        return replace(self, names={**self.names, **names})

    def bind_name(self, name: str, term: Term) -> Scope:
        """The scope with one more name."""
        return replace(self, names={**self.names, name: term})

    def knowing(self, *certain: Expr) -> Scope:
        """The scope in which these expressions are not none."""
        return replace(self, certain=(*self.certain, *certain)) if certain else self

    def player(self) -> Term | None:
        """The acting player: whoever binds the name; in a procedure, failing that, the caller's."""
        bound = self.names.get("player")
        if bound is not None or self.frame.cells is None:
            return bound
        if self.frame.acting is None and self.frame.name != "match":
            self.frame.acting = Cell(-1, "player", type=Seat())
        return self.frame.acting
