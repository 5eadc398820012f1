"""Which names an expression sees, and which values are known to be there.

A `Scope` is a chain of bindings; it never changes, every binder makes a longer one. Its `Frame` hands out the ids of
bounds and, in procedures, the cells.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, fields, replace

from ..ir.nodes import Bound, Cell, Term
from ..syntax.expr import Expr, Name, Node
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
        """The scope with more names. What was known of another thing of such a name is known no longer."""
        certain = tuple(expr for expr in self.certain if not self._mentions(expr, names))
        return replace(self, names={**self.names, **names}, certain=certain)

    def bind_name(self, name: str, term: Term) -> Scope:
        """The scope with one more name."""
        return self.bind(**{name: term})

    def in_common(self, ways: Sequence[Scope]) -> Scope:
        """The scope with what all of several ways from it have bound, each in the same cell."""
        first, *others = ways
        common = {
            name: term
            for name, term in first.names.items()
            if self.names.get(name) != term and all(other.names.get(name) == term for other in others)
        }
        return self.bind(**common)

    def knowing(self, *certain: Expr) -> Scope:
        """The scope in which these expressions are not none."""
        return replace(self, certain=(*self.certain, *certain)) if certain else self

    def later(self, settable: set[int]) -> Scope:
        """The scope after steps that may have changed anything: what is bound stays, what is read may be gone."""
        kept = tuple(expr for expr in self.certain if self._is_fixed(expr, settable))
        return replace(self, certain=kept) if len(kept) < len(self.certain) else self

    def _mentions(self, expr: Expr, names: dict[str, Term]) -> bool:
        found = set(_names_in(expr))
        if not found.isdisjoint(names):
            return True
        # A bare name of what each player or team has depends on who acts.
        return not {"player", "team"}.isdisjoint(names) and not found <= self.names.keys()

    def _is_fixed(self, expr: Expr, settable: set[int]) -> bool:
        bound = self.names.get(expr.name) if isinstance(expr, Name) else None
        return bound is not None and not (isinstance(bound, Cell) and bound.id in settable)

    def player(self) -> Term | None:
        """The acting player: whoever binds the name; in a procedure, failing that, the caller's."""
        bound = self.names.get("player")
        if bound is not None or self.frame.cells is None:
            return bound
        if self.frame.acting is None and self.frame.name != "match":
            self.frame.acting = Cell(-1, "player", type=Seat())
        return self.frame.acting


def _names_in(value: object) -> Iterator[str]:
    """Every bare name in an expression."""
    if isinstance(value, Name):
        yield value.name
    elif isinstance(value, Node):
        for part in fields(value):
            if part.name != "span":
                yield from _names_in(getattr(value, part.name))
    elif isinstance(value, tuple):
        for item in value:
            yield from _names_in(item)
