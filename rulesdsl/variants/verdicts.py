"""How two modifiers stand to one another: the merge laws of the slots, applied to what each of them writes and reads.

Nothing here knows a game or a modifier by its name; everything comes from the programs that the modifiers make.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import cached_property
from itertools import combinations, product

from ..ir.guards import Way, exclude, ways
from ..ir.nodes import Attribute, Const, If, Proceed, Term, TermNode
from ..types import YesNo
from .edits import (
    Declared,
    Edit,
    GameChanged,
    HandlerChanged,
    KeyChanged,
    PartChanged,
    PlaceChanged,
    PlaceKeyChanged,
    StepsChanged,
    slot,
)
from .feasible import dead_comparisons, dead_orders, empty_numbers
from .findings import Finding, Kind, Matrix, Verdict
from .guards import Sided, sides_of
from .insert_law import meet_at
from .legality_law import meet_in_legality
from .meaning import Reader
from .reads import Modifier
from .rule_law import meet_in_rule


def verdict(first: Modifier, second: Modifier) -> Verdict:
    """The verdict on a pair."""
    findings = dict.fromkeys(_Pair(first, second).findings())
    ordered = sorted(findings, key=lambda finding: (list(Kind).index(finding.kind), finding.slot))
    return Verdict((first.name, second.name), tuple(ordered))


def matrix(game: str, modifiers: Sequence[Modifier]) -> Matrix:
    """The verdicts on all pairs."""
    pairs = {frozenset([a.name, b.name]): verdict(a, b) for a, b in combinations(modifiers, 2)}
    return Matrix(game, tuple(modifier.name for modifier in modifiers), pairs)


def group_verdict(modifiers: Sequence[Modifier]) -> Verdict:
    """What can only be said of all of them together: whether their numbers leave something."""
    return Verdict(tuple(modifier.name for modifier in modifiers), tuple(empty_numbers(modifiers)))


class _Pair:
    def __init__(self, first: Modifier, second: Modifier) -> None:
        self.first, self.second = first, second

    @cached_property
    def readers(self) -> tuple[Reader, Reader]:
        return Reader.of(self.first.program), Reader.of(self.second.program)

    def findings(self) -> Iterator[Finding]:
        yield from self._shared_slots()
        yield from self._inserts()
        yield from self._dangling(self.first, self.second)
        yield from self._dangling(self.second, self.first)
        yield from self._reads(self.first, self.second)
        yield from self._reads(self.second, self.first)
        for one, other in ((self.first, self.second), (self.second, self.first)):
            yield from dead_orders(one, other)
            yield from dead_comparisons(one, other)
        yield from empty_numbers((self.first, self.second))

    # ── slots that both write ────────────────────────────────────────────────────────────────────────────────────

    def _shared_slots(self) -> Iterator[Finding]:
        for name in sorted(self.first.writes.keys() & self.second.writes.keys()):
            ours, theirs = self.first.writes[name], self.second.writes[name]
            if name.startswith("rule ") and (not isinstance(ours[0], Declared) or self._is_of_printed(name)):
                yield from meet_in_rule(name.removeprefix("rule "), self.first, self.second)
            elif name.startswith("legality ") and not isinstance(ours[0], Declared):
                yield from meet_in_legality(name, ours, theirs, self.readers, (self.first, self.second))
            elif any(isinstance(edit, HandlerChanged) for edit in (*ours, *theirs)):
                continue  # steps at one point: judged with all others that stand there
            else:
                finding = self._as_values(name, ours, theirs)
                if finding is not None:
                    yield finding

    def _is_of_printed(self, name: str) -> bool:
        """Whether a rule is there only because both change what is printed on cards."""
        rules = (modifier.rules.get(name.removeprefix("rule ")) for modifier in (self.first, self.second))
        return all(rule is not None and isinstance(rule.base, Attribute) for rule in rules)

    def _as_values(self, name: str, ours: Sequence[Edit], theirs: Sequence[Edit]) -> Finding | None:
        """Two values for one thing: equal ones agree, and under guards that exclude each other they never meet."""
        values = [
            [self._value(edit, reader) for edit in edits]
            for edits, reader in zip((ours, theirs), self.readers, strict=True)
        ]
        places = ours[0].new_place or ours[0].old_place, theirs[0].new_place or theirs[0].old_place
        cases = [
            (edit.old, edit.new) for edits in (ours, theirs) for edit in edits if isinstance(edit, PlaceKeyChanged)
        ]
        if len(cases) == 2 and self._never_meet(*cases):
            return None
        if values[0] == values[1]:
            return Finding(Kind.AGREES, name, f"both give '{name}' the same", "", *places)
        return Finding(Kind.EXCLUSIVE, name, f"they want different things of '{name}'", "", *places)

    def _never_meet(self, ours: tuple[object, object], theirs: tuple[object, object]) -> bool:
        """Whether conditions of a phase or decision are other ones in cases that exclude each other."""
        sides = sides_of((self.first, self.second))
        found = [_cases(*edit, side) for edit, side in zip((ours, theirs), sides, strict=True)]
        if found[0] is None or found[1] is None:
            return False
        return all(exclude(one.literals, other.literals, sides) for one, other in product(found[0], found[1]))

    def _value(self, edit: Edit, reader: Reader) -> object:
        match edit:
            case PlaceChanged():
                return edit.moved, edit.new_beside, reader.term(edit.new)
            case KeyChanged() | Declared() | GameChanged() | PlaceKeyChanged() | StepsChanged() | PartChanged():
                new: object = edit.new
                return reader.term(getattr(new, "body", new), getattr(new, "parameters", ()))
            case _:
                return slot(edit), getattr(edit, "new", None)

    # ── steps at one point ───────────────────────────────────────────────────────────────────────────────────────

    def _inserts(self) -> Iterator[Finding]:
        for point in sorted(self.first.inserts.keys() & self.second.inserts.keys()):
            yield from meet_at(point, self.first, self.second, self.readers)

    # ── what one takes away ──────────────────────────────────────────────────────────────────────────────────────

    def _dangling(self, remover: Modifier, needer: Modifier) -> Iterator[Finding]:
        for key in sorted(remover.cut_off & needer.needed.keys()):
            edit = needer.needed[key]
            yield Finding(
                Kind.DANGLING,
                slot(edit),
                f"'{needer.name}' works at the {key.replace('()', '')}, to which nobody comes beside '{remover.name}'",
                "",
                remover.first_place(),
                edit.new_place,
            )

    # ── what one reads and the other writes ──────────────────────────────────────────────────────────────────────

    def _reads(self, reading: Modifier, writing: Modifier) -> Iterator[Finding]:
        for name in sorted(reading.reads.keys() & writing.writes.keys()):
            edit = writing.writes[name][0]
            yield Finding(
                Kind.READS,
                name,
                f"'{reading.name}' goes by '{name}', which '{writing.name}' changes",
                "",
                edit.new_place or edit.old_place,
                reading.reads[name],
                ("fits: as written",),
            )


def _cases(old: object, new: object, side: Sided) -> list[Way] | None:
    """The cases in which a condition is no longer what it was; None for what is no condition."""
    if not isinstance(new, TermNode) or not isinstance(new.type, YesNo):
        return None
    before = side.key(old if isinstance(old, TermNode) else Const(1, type=YesNo()))  # type: ignore[arg-type]

    def beneath(term: Term) -> Term:
        match term:
            case If():
                return replace(term, then=beneath(term.then), otherwise=beneath(term.otherwise))
            case _:
                return Proceed(type=term.type) if side.key(term) == before else term

    return list(ways(beneath(new)))  # type: ignore[arg-type]  # every class of terms is one of the union
