"""The normal form of a program: two that mean the same are equal, whoever wrote which part of them, and when.

Who changed what is left out; cells are numbered by their name and type, bounds by the order in which they stand. A
program in normal form runs like the one that it was made of.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, fields, is_dataclass, replace
from functools import cache
from typing import Any, TypeVar

from ..ir.nodes import (
    Bound,
    Cell,
    Condition,
    Each,
    Filter,
    Fold,
    Generator,
    Handler,
    Keeping,
    Kind,
    Legality,
    LetIn,
    Map,
    Origin,
    Part,
    Phase,
    PickWriting,
    Procedure,
    Program,
    Rank,
    Rule,
    Running,
    Spread,
    Together,
    Window,
)
from ..types import Number, Seat, Type

T = TypeVar("T")

ACTING = -1
"""The id of the cell that holds the acting seat of a procedure."""

_NO_PARTS = frozenset(["span", "type", "origin"])
_GONE_THROUGH = frozenset(["source", "value", "cards"])
"""The parts of binders that stand outside of what they bind."""


def normal(program: Program) -> Program:
    """The normal form of a program."""
    everything = (*program.procedures, program.main)
    numbers = {procedure.name: _cell_numbers(procedure) for procedure in everything}
    procedures = tuple(_procedure(procedure, numbers) for procedure in program.procedures)
    return replace(
        program,
        kinds=tuple(_kind(kind) for kind in program.kinds),
        zones=tuple(replace(zone, fields=_by_name(zone.fields)) for zone in program.zones),
        rules=tuple(_rule(rule) for rule in program.rules),
        legalities=tuple(_legality(legality) for legality in program.legalities),
        procedures=procedures,
        main=_procedure(program.main, numbers),
        modifiers=(),
        files=(),
    )


def tidy(procedure: Procedure) -> Procedure:
    """A procedure with normal cells of which some came or went: its list of cells and its bounds made anew."""
    own = procedure.cells[: procedure.parameters]
    parts = (procedure.body, procedure.handlers, procedure.state)
    used = {node.id for node in nodes_in(parts) if isinstance(node, Cell)} | {number for number, _ in procedure.state}
    # What came may ask for the acting player, whom the procedure did not take so far.
    known = {ACTING: Cell(ACTING, "player", type=Seat())}
    known |= {cell.id: cell for cell in (*_binding_cells(parts), *procedure.cells)}
    rest = [known[number] for number in used - {cell.id for cell in own}]
    rest.sort(key=lambda cell: (cell.name, type_key(cell.type), cell.id))
    return numbered(replace(procedure, cells=(*own, *rest)))


def _binding_cells(value: object) -> Iterator[Cell]:
    """The cells where they get their values: with the types that they are kept in."""
    for node in nodes_in(value):
        found = getattr(node, "target", None) if not isinstance(node, Each | Together | Window | Part) else node.cell
        if isinstance(found, Cell):
            yield found


# ── declarations ─────────────────────────────────────────────────────────────────────────────────────────────────


def _kind(kind: Kind) -> Kind:
    return numbered(replace(kind, fields=_by_name(kind.fields)))


def _by_name(fields: tuple[Keeping, ...]) -> tuple[Keeping, ...]:
    return tuple(sorted(fields, key=lambda field: field.name))


def _rule(rule: Rule) -> Rule:
    return numbered(replace(rule, base=rule.body, changes=()))


def _legality(legality: Legality) -> Legality:
    def blank(conditions: tuple[Condition, ...]) -> tuple[Condition, ...]:
        return tuple(replace(condition, origin=nobody(condition.origin)) for condition in conditions)

    return numbered(
        replace(
            legality,
            forbids=tuple(sorted(blank(legality.forbids), key=lambda condition: condition.name)),
            tiers=blank(legality.tiers),
            narrows=tuple(sorted(blank(legality.narrows), key=lambda condition: condition.name)),
        )
    )


def nobody(origin: Origin) -> Origin:
    """The place alone: who wrote something is no part of what it means."""
    return Origin("", origin.span)


def _procedure(procedure: Procedure, numbers: dict[str, dict[int, int]]) -> Procedure:
    own = numbers[procedure.name]

    def change(value: object) -> object:
        match value:
            case Cell():
                return replace(value, id=own[value.id])
            case Running():
                return replace(value, id=numbers[value.procedure][value.id])
            case Handler():
                return replace(value, origin=nobody(value.origin))
            case Phase() | Procedure():
                return replace(value, resets=sorted_resets(value.resets))
            case _:
                return value

    changed = mapped(replace(procedure, state=()), change)
    state = tuple(sorted((own[number], mapped(term, change)) for number, term in procedure.state))
    return tidy(replace(changed, state=state))


def sorted_resets(names: Iterable[str]) -> tuple[str, ...]:
    """What goes back to its start, in an order that does not depend on where it was declared."""
    return tuple(sorted(names))


def _cell_numbers(procedure: Procedure) -> dict[int, int]:
    """For every cell a number that the other cells of the procedure do not influence."""
    seen: dict[tuple[str, str], int] = {}
    numbers: dict[int, int] = {}
    for cell in procedure.cells:
        if cell.id == ACTING:
            numbers[ACTING] = ACTING
            continue
        key = (cell.name, type_key(cell.type))
        seen[key] = seen.get(key, -1) + 1
        digest = hashlib.sha256(repr(key).encode()).digest()
        numbers[cell.id] = int.from_bytes(digest[:5], "big") * 256 + seen[key]
    return numbers


def type_key(of: Type) -> str:
    """A type by its names: the same while members come and go, and steps get finer."""
    if isinstance(of, Number):
        return "Number"
    parts = [type_key(getattr(of, f.name)) for f in fields(of) if f.name == "of"]
    return type(of).__name__ + (f"({parts[0]})" if parts else f" {of}")


# ── walking ──────────────────────────────────────────────────────────────────────────────────────────────────────


def parts_of(value: object) -> Iterator[tuple[str, Any]]:
    """The fields of a node that belong to what it means."""
    cls: Any = type(value)
    for name in _names_of(cls):
        yield name, getattr(value, name)


@cache
def _names_of(cls: Any) -> tuple[str, ...]:
    return tuple(f.name for f in fields(cls) if f.name not in _NO_PARTS)


def is_node(value: object) -> bool:
    """Whether a value is a piece of a program."""
    cls: Any = type(value)
    return _is_node_class(cls)


@cache
def _is_node_class(cls: Any) -> bool:
    return is_dataclass(cls)


def nodes_in(value: object) -> Iterator[object]:
    """All pieces of a program inside a value, itself included."""
    if isinstance(value, tuple):
        for item in value:
            yield from nodes_in(item)
    elif is_node(value):
        yield value
        for _, part in parts_of(value):
            yield from nodes_in(part)


def mapped(value: T, change: Any) -> T:
    """The value with every node changed, innermost first."""
    if isinstance(value, tuple):
        items = tuple(mapped(item, change) for item in value)
        same = all(new is old for new, old in zip(items, value, strict=True))
        return value if same else items  # type: ignore[return-value]
    if not is_node(value):
        return value
    new = {name: mapped(part, change) for name, part in parts_of(value) if isinstance(part, tuple) or is_node(part)}
    new = {name: part for name, part in new.items() if part is not getattr(value, name)}
    return change(replace(value, **new) if new else value)  # type: ignore[type-var, no-any-return]


@dataclass(slots=True)
class _Numbering:
    """Gives bounds their numbers, in the order in which they are met."""

    names: dict[int, int] = field(default_factory=dict)
    next: int = 0

    def new(self) -> int:
        self.next += 1
        return self.next - 1

    def go(self, value: Any) -> Any:
        if isinstance(value, tuple):
            return tuple(self.go(item) for item in value)
        if not is_node(value):
            return value
        changed: dict[str, Any] = {}
        bound: int | None = None
        match value:
            case Bound():
                return replace(value, id=self.names.get(value.id, value.id))
            case Rule() | Legality():
                for parameter in value.parameters:
                    self.names[parameter.id] = self.new()
            case Filter() | Map() | Fold() | Rank() | Spread() | LetIn():
                bound, changed["id"] = value.id, self.new()
            case Generator() if value.where is not None:
                bound, changed["id"] = value.id, self.new()
            case PickWriting():
                bound, changed["card"] = value.card, self.new()
            case _:
                pass
        number = changed.get("id", changed.get("card"))
        before = self.names.get(bound) if bound is not None else None
        for name, part in parts_of(value):
            # What is gone through does not see the member; in it a name may mean something else.
            if bound is not None and number is not None and name not in _GONE_THROUGH:
                self.names[bound] = number
            if isinstance(part, tuple) or is_node(part):
                changed[name] = changed["body"] if name == "base" else self.go(part)
            if bound is not None and before is not None:
                self.names[bound] = before
        return replace(value, **changed)


def numbered(value: T) -> T:
    """An owner of bounds with these numbered in the order in which they stand."""
    return _Numbering().go(value)  # type: ignore[no-any-return]
