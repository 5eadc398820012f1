"""In what sequence the changes of several modifiers lie over one another, and which of them counts.

`before`, `after` and `order` say what works first at one place; `over` and bands say who wins. Both are partial orders;
where they leave it open, names decide, and nothing depends on it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from enum import IntEnum

from ..diagnostic import Diagnostics
from ..ir.nodes import Origin
from ..source import Span
from ..syntax.document import CasesBody, ChangeDoc, ExprBody, Named, OrderDoc, StagesBody
from ..syntax.expr import Choice, Expr, Fallback, Name, Target, TargetKind
from .dependence import names_in

Entry = tuple[ChangeDoc, Origin]

_BANDS = {"default": 0, "normal": 1, "force": 2}


class Level(IntEnum):
    """How high a file lies: what is higher lies over all that is lower."""

    GAME = 0
    MODIFIER = 1
    SETTLEMENT = 2
    VARIANT = 3


@dataclass(slots=True)
class Sequences:
    """What the files of a program say about the order of modifiers."""

    diagnostics: Diagnostics
    levels: dict[str, Level] = field(default_factory=dict)
    orders: list[OrderDoc] = field(default_factory=list)
    overs: list[OrderDoc] = field(default_factory=list)
    _reported: set[tuple[str, ...]] = field(default_factory=set)

    def level(self, origin: Origin) -> Level:
        """How high the file of a change lies."""
        return self.levels.get(origin.name, Level.GAME)

    def of_rule(self, entries: Sequence[Entry]) -> list[Entry]:
        """The changes of a rule, lowest first: on each level those that set it, then those that wrap what is set."""

        def height(entry: Entry) -> tuple[int, bool, int]:
            change, origin = entry
            is_wrap = self.level(origin) in (Level.MODIFIER, Level.SETTLEMENT) and not sets(change.body)
            band = _BANDS.get(change.band.name, 1) if change.band is not None and not is_wrap else 1
            return self.level(origin), is_wrap, band

        return self._sorted(entries, height, self._yields)

    def at_place(self, entries: Sequence[Entry]) -> list[Entry]:
        """What stands at one place, in the sequence in which it works."""

        def height(entry: Entry) -> tuple[int, bool, int]:
            return self.level(entry[1]), False, 0

        return self._sorted(entries, height, self._precedes)

    def decided(self, one: Entry, other: Entry) -> bool:
        """Whether something says how two changes of one thing stand to one another."""
        bands = [change.band.name if change.band is not None else "normal" for change in (one[0], other[0])]
        return self._yields(one, other) or self._yields(other, one) or bands[0] != bands[1]

    # ── who comes first ──────────────────────────────────────────────────────────────────────────────────────────

    def _precedes(self, one: Entry, other: Entry) -> bool:
        (change, origin), (second, beside) = one, other
        return (
            beside.name in _names(change.before)
            or origin.name in _names(second.after)
            or self._listed(self.orders, change.target, origin.name, beside.name)
        )

    def _yields(self, one: Entry, other: Entry) -> bool:
        """Whether the first lies beneath the second."""
        (change, origin), (second, beside) = one, other
        return (
            origin.name in _names(second.over)
            or self._listed(self.overs, change.target, beside.name, origin.name)
            or self._precedes(one, other)
        )

    def _listed(self, lists: Iterable[OrderDoc], target: Target, first: str, second: str) -> bool:
        for order in lists:
            names = [name.name for name in order.modifiers]
            if first in names and second in names and _same_place(order.target, target):
                return names.index(first) < names.index(second)
        return False

    def _sorted(
        self,
        entries: Sequence[Entry],
        height: Callable[[Entry], tuple[int, bool, int]],
        precedes: Callable[[Entry, Entry], bool],
    ) -> list[Entry]:
        left = [entry for _, entry in sorted(enumerate(entries), key=lambda item: (height(item[1]), item[0]))]
        names = {origin.name for _, origin in left}
        if len(names) < 2:
            return left
        done: list[Entry] = []
        while left:
            free = [
                entry
                for entry in left
                if not any(
                    other is not entry
                    and other[1].name != entry[1].name
                    and self.level(other[1]) is self.level(entry[1])
                    and precedes(other, entry)
                    for other in left
                )
            ]
            if not free:
                self._circle(left)
                return [*done, *left]
            done.append(free[0])
            left.remove(free[0])
        return done

    def _circle(self, entries: Sequence[Entry]) -> None:
        names = tuple(sorted({origin.name for _, origin in entries}))
        place = entries[0][0].target
        if (place.text, *names) in self._reported:
            return
        self._reported.add((place.text, *names))
        span: Span = next((name.span for change, _ in entries for name in (*change.before, *change.over)), place.span)
        self.diagnostics.add(
            "E0906",
            span,
            f"at '{place.text}' each of {', '.join(names)} is to come ahead of another of them",
            help="leave out one of the orders",
        )


def _names(named: Iterable[Named]) -> set[str]:
    return {name.name for name in named}


def _same_place(order: Target, target: Target) -> bool:
    if order.kind is not target.kind:
        return False
    if order.kind is TargetKind.SLOT:
        return order.text == target.text
    shorter = min(len(order.path), len(target.path))
    return order.path[-shorter:] == target.path[-shorter:]


def sets(body: object) -> bool:
    """Whether a change of a rule decides alone wherever it decides at all; else it wraps what everybody else gives."""
    match body:
        case ExprBody(value=value):
            return _decides(value)
        case CasesBody(cases=cases):
            return all((case.condition is None or not _asks(case.condition)) and _decides(case.value) for case in cases)
        case StagesBody():
            return False
        case _:
            return not _asks(body)


def _decides(expr: Expr) -> bool:
    match expr:
        case Name(name="proceed"):
            return True
        case Choice():
            return not _asks(expr.condition) and _decides(expr.then) and _decides(expr.otherwise)
        case Fallback():
            return not _asks(expr.first) and _decides(expr.second)
        case _:
            return not _asks(expr)


def _asks(value: object) -> bool:
    return "proceed" in names_in(value)
