"""Terms over a member of a small type that, but for a few values worked out beforehand, look at nothing.

`card.suit is led_suit` depends on the card and on one suit; for each suit it holds for a fixed set of cards. A `Keyed`
finds such values (the keys), works the term out for every member once for each combination of keys, and remembers what
was made of it. Filtering a hand is then one lookup and one `&`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from rulesdsl.ir.nodes import Bound, Legal, Term
from rulesdsl.types import NONE, Card, Enum, Face, Ladder, Number, Optional, Seat, SetOf, Team, Type, YesNo, required

from ..state.cells import Closure, State
from ..state.domains import first_of, is_finite
from .analysis import binder_of, children, rebuilt

if TYPE_CHECKING:
    from .terms import Evaluator

MOST_KEYS = 3
MOST_MEMBERS = 512
LARGEST_TABLE = 5000
"""Where members times values of the only key are no more, all is worked out beforehand."""
MOST_REMEMBERED = 4096
"""So many combinations of keys are remembered; then all are forgotten, which costs time and nothing else."""


@dataclass(frozen=True, slots=True)
class Key:
    """A value that a `Keyed` needs: worked out by `worth`, or (None) already in its register."""

    register: int
    of: Type
    worth: Closure | None


class Keyed:
    """A term over one member, ready to be worked out for all members of its type at once."""

    __slots__ = ("_body", "_first", "_member", "_registers", "key", "keys", "size")

    def __init__(self, compiler: Evaluator, body: Closure, member: int, of: Type, keys: list[Key]) -> None:
        self._registers = compiler.registers
        self._body = body
        self._member = compiler.register(member)
        self._first = first_of(of)
        self.size = compiler.layout.size_of(of)
        self.keys = keys
        self.key: Closure = _key(compiler.registers, keys)

    def values(self, S: State) -> list[Any]:
        """The value for every member, the first one first, with the keys as they are."""
        for key in self.keys:
            if key.worth is not None:
                self._registers[key.register] = key.worth(S)
        return self._all()

    def values_for(self, only: Any) -> list[Any]:
        """The same with a given value of the only key."""
        (key,) = self.keys
        self._registers[key.register] = only
        return self._all()

    def _all(self) -> list[Any]:
        R, body, member = self._registers, self._body, self._member
        values = []
        for index in range(self._first, self._first + self.size):
            R[member] = index
            values.append(body([]))
        return values


def _key(registers: list[Any], keys: list[Key]) -> Closure:
    worths = [key.worth or _read(registers, key.register) for key in keys]
    match worths:
        case []:
            return lambda S: 0
        case [only]:
            return only
        case [first, second]:
            return lambda S: (first(S), second(S))
        case _:
            return lambda S: tuple([worth(S) for worth in worths])


def _read(registers: list[Any], register: int) -> Closure:
    return lambda S: registers[register]


class _NotKeyed(Exception):
    """The term looks at something else as well."""


def keyed(compiler: Evaluator, term: Term, member: int, of: Type) -> Keyed | None:
    """The term as a function of the bound `member`, or None if it is not of that kind.

    To be asked before the loop over the members is opened: the keys are worked out outside of it.
    """
    if not compiler.optimise or not is_finite(of) or compiler.layout.size_of(of) > MOST_MEMBERS:
        return None
    found = _static(compiler, term, member)
    if found is None:
        return None
    static, keys = found
    with compiler.apart():
        compiler.bind(member, of)
        body = compiler.compile(static)
    return Keyed(compiler, body, member, of, keys)


def by_value(compiler: Evaluator, term: Term, member: Bound) -> Callable[[State], Mapping[Any, Any]] | None:
    """The term by any value of `member`, for the keys as they are on a state: a table that fills in use.

    None if the term looks at something else as well. To be asked before the loop over the values is opened.
    """
    found = _static(compiler, term, member.id)
    if found is None:
        return None
    static, keys = found
    with compiler.apart():
        register = compiler.bind(member.id, member.type)
        body = compiler.compile(static)
    R = compiler.registers
    made_for: dict[Any, _Filling] = {}
    key = _key(R, keys)

    def table(S: State) -> Mapping[Any, Any]:
        now = key(S)
        known = made_for.get(now)
        if known is None:
            if len(made_for) >= MOST_REMEMBERED:
                made_for.clear()
            values = [each.worth(S) if each.worth else R[each.register] for each in keys]
            known = made_for[now] = _Filling(R, register, body, [each.register for each in keys], values)
        return known

    return table


class _Filling(dict[Any, Any]):
    """What a term is worth by the value of one register, others being fixed; worked out when it is first asked for."""

    def __init__(self, registers: list[Any], register: int, body: Closure, fixed: list[int], values: list[Any]) -> None:
        super().__init__()
        self._registers = registers
        self._register = register
        self._body = body
        self._fixed = list(zip(fixed, values, strict=True))

    def __missing__(self, value: Any) -> Any:
        if len(self) >= MOST_REMEMBERED:
            self.clear()
        R = self._registers
        for register, known in self._fixed:
            R[register] = known
        R[self._register] = value
        worth = self[value] = self._body([])
        return worth


def _static(compiler: Evaluator, term: Term, member: int) -> tuple[Term, list[Key]] | None:
    """The term with all that depends on the state taken out as keys, and these; None if that can't be done."""
    search = _Search(compiler, member)
    try:
        static = search.without_state(term, frozenset({member}))
    except _NotKeyed:
        return None
    facts = compiler.analyst.facts(static)
    replaced = {bound.id for bound, _ in search.keys}
    outside = sorted(facts.free - {member} - replaced)
    if facts.fallible or len(outside) + len(search.keys) > MOST_KEYS:
        return None
    keys = []
    for bound in outside:
        outer = compiler.type_of(bound)
        if outer is None or not _is_small(compiler, outer):
            return None
        keys.append(Key(compiler.register(bound), outer, None))
    keys += [Key(compiler.register(bound), bound.type, compiler.compile(inner)) for bound, inner in search.keys]
    return static, keys


class _Search:
    """Looks for the largest parts of a term that depend on the state but not on the member."""

    def __init__(self, compiler: Evaluator, member: int) -> None:
        self._compiler = compiler
        self._member = member
        self.keys: list[tuple[Bound, Term]] = []

    def without_state(self, term: Term, inside: frozenset[int]) -> Term:
        """The term with such parts replaced by new bounds; `inside` are the bounds that the term itself sets."""
        facts = self._compiler.analyst.facts(term)
        if facts.static:
            return term
        if facts.free.isdisjoint(inside):
            return self._key(term, fallible=facts.fallible)
        parts = children(term)
        if not parts or not self._compiler.is_pure(term, [Bound(-1, "", type=part.type) for part in parts]):
            raise _NotKeyed
        bound = binder_of(term)
        within = inside if bound is None else inside | {bound}
        return rebuilt(term, [self.without_state(part, within) for part in parts])

    def _key(self, term: Term, *, fallible: bool) -> Term:
        # A key is worked out before it is known whether it will be needed.
        if fallible or isinstance(term, Legal) or not _is_small(self._compiler, term.type):
            raise _NotKeyed
        for bound, known in self.keys:
            if known == term:
                return bound
        if len(self.keys) == MOST_KEYS:
            raise _NotKeyed
        bound = self._compiler.fresh(Bound(0, "key", type=term.type))
        self.keys.append((bound, term))
        return bound


def _is_small(compiler: Evaluator, of: Type) -> bool:
    """Whether a value of the type is likely to come again."""
    match of:
        case YesNo() | Seat() | Team() | Enum() | Card() | Face() | Ladder():
            return True
        case Number():
            return of.is_finite and compiler.layout.size_of(of) <= 1000
        case Optional(of=inner):
            return _is_small(compiler, inner)
        case SetOf(of=inner):
            return is_finite(inner) and compiler.layout.size_of(inner) <= 16
        case _:
            return False


def remembered(compiler: Evaluator, source: Keyed, make: Callable[[list[Any]], Any]) -> Recall:
    """What `make` makes of the values of all members, for the keys as they are now."""
    if not source.keys:
        return Recall(make(source.values([])), None)
    if len(source.keys) == 1:
        known = _table(compiler, source, make)
        if known is not None:
            return known
    made_for: dict[Any, Any] = {}
    key, values = source.key, source.values

    def recall(S: State) -> Any:
        now = key(S)
        made = made_for.get(now)
        if made is None:
            if len(made_for) >= MOST_REMEMBERED:
                made_for.clear()
            made = made_for[now] = make(values(S))
        return made

    return Recall(None, recall)


@dataclass(frozen=True, slots=True)
class Recall:
    """What is remembered: always the same (`fixed`), or what `now` finds for the keys."""

    fixed: Any
    now: Closure | None

    @property
    def closure(self) -> Closure:
        """Either of them as a function of the state."""
        fixed = self.fixed
        return (lambda S: fixed) if self.now is None else self.now


def _table(compiler: Evaluator, source: Keyed, make: Callable[[list[Any]], Any]) -> Recall | None:
    """All that can ever be asked for, made at once, where the only key has few values."""
    (key,) = source.keys
    of = required(key.of)
    if not isinstance(of, YesNo | Seat | Team | Enum | Card):
        return None  # what is said of the range of a number is not always the narrowest
    size = compiler.layout.size_of(of)
    if size * source.size > LARGEST_TABLE:
        return None
    values = [*range(size), *([NONE] if isinstance(key.of, Optional) else [])]
    made = {value: make(source.values_for(value)) for value in values}
    worth = key.worth
    if worth is None:
        register, R = key.register, compiler.registers
        return Recall(None, lambda S: made[R[register]])
    return Recall(None, lambda S: made[worth(S)])
