"""What differs between two programs, as a list of edits.

Takes: two programs.
Makes: the edits that turn the one into the other, by names that stay when other things come and go.
Afterwards true: no edits exactly if both mean the same; `apply` of the edits to the first gives the second.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import TypeVar

from ..ir.nodes import Attribute, Kind, Legality, Procedure, Program, Rule, Variable, Zone
from ..types import Card, Enum, Ladder, Record
from .apply import patched
from .areas import Side, located
from .contents import declarations, settings
from .diff_places import diff_places
from .diff_rules import diff_legality, diff_rule
from .edits import (
    Declaration,
    Declared,
    Edit,
    GameChanged,
    KeyChanged,
    Recoded,
    RuleSet,
    RuleStaged,
    RuleWrapped,
    order,
)
from .meaning import Meaning, Reader
from .normal import normal
from .skeleton import Places

D = TypeVar("D", bound=Declaration)


def diff(a: Program, b: Program) -> tuple[Edit, ...]:
    """The edits that turn `a` into `b`."""
    old, new = normal(a), normal(b)
    edits = sorted(_Comparison(old, new, _plainly_set(a, b)).edits(), key=order)
    edits = [*edits, *sorted(_recoded(edits, old, new), key=order)]
    sides = Side(a), Side(b)
    return tuple(located(edit, *sides) for edit in edits)


def _plainly_set(a: Program, b: Program) -> frozenset[str]:
    """The rules that differ by changes which give a value of their own, so that nothing lies around the other side."""
    rules = {rule.id: rule for rule in a.rules}
    found = set()
    for rule in b.rules:
        other = rules.get(rule.id)
        changes = [
            {(c.operation, c.origin.span.source.name, c.origin.span.start) for c in one.changes}
            for one in (rule, other)
            if one
        ]
        more = [one for one in changes[0] ^ changes[-1] if one[0] != "again"] if other is not None else []
        if more and all(operation == "set" for operation, *_ in more):
            found.add(rule.id)
    return frozenset(found)


def _recoded(edits: Sequence[Edit], old: Program, new: Program) -> Iterator[Edit]:
    """What the edits leave in the numbers of the first program, though it is kept in others in the second."""
    if not edits and old == new:
        return
    made = patched(edits, old)
    for what in ("option", "kind", "zone", "state", "rule", "legality", "procedure"):
        before, after = declarations(old, what), declarations(new, what)
        for name, found in declarations(made, what).items():
            if name in before and found != after[name]:
                yield Recoded(what, name, before[name], after[name])
    if made.main != new.main:
        yield Recoded("procedure", "match", old.main, new.main)
    if made.texts != new.texts:
        yield Recoded("texts", "", old.texts, new.texts)


class _Comparison:
    """Two normal programs, and how each is read."""

    def __init__(self, old: Program, new: Program, plainly_set: frozenset[str]) -> None:
        self.old, self.new, self.plainly_set = old, new, plainly_set
        self.readers = Reader.of(old), Reader.of(new)

    def edits(self) -> Iterator[Edit]:
        for key, (before, after) in settings(self.old, self.new).items():
            if before != after:
                yield GameChanged(key, before, after)
        for what in ("option", "type", "kind", "zone", "state", "rule", "legality", "procedure"):
            before, after = declarations(self.old, what), declarations(self.new, what)
            for name in sorted({*before, *after}):
                yield from self._declared(what, name, before.get(name), after.get(name))
        shared = {p.name for p in self.old.procedures} & {p.name for p in self.new.procedures}
        roots = [
            Places.of([*(p for p in program.procedures if p.name in shared and self._comparable(p.name)), program.main])
            for program in (self.old, self.new)
        ]
        yield from diff_places(roots[0], roots[1], self.readers)

    def _comparable(self, procedure: str) -> bool:
        """Whether two procedures of a name take the same; else one of them goes, and the other comes."""
        heads = []
        for program, reader in zip((self.old, self.new), self.readers, strict=True):
            found = declarations(program, "procedure")[procedure]
            assert isinstance(found, Procedure)
            heads.append((reader.term(found.cells[found.acting : found.parameters]), reader.term(found.state)))
        return heads[0] == heads[1]

    def _declared(self, what: str, name: str, old: Declaration | None, new: Declaration | None) -> Iterator[Edit]:
        if old is None or new is None:
            yield Declared(what, name, old, new, of_printed=self._of_printed(old, new))
            return
        match old, new:
            case Rule(), Rule():
                yield from diff_rule(old, new, self.readers, plainly=name in self.plainly_set)
            case Procedure(), Procedure():
                if not self._comparable(name):
                    yield Declared(what, name, old, None)
                    yield Declared(what, name, None, new)
                elif old.depth != new.depth:
                    yield KeyChanged(what, name, "depth", old.depth, new.depth)
            case ((Kind() | Variable() | Zone()), (Kind() | Variable() | Zone())):
                yield from self._keys(what, old, new)
            case Legality(), Legality():
                yield from diff_legality(old, new, self.readers)
            case ((Enum() | Ladder() | Record()), (Enum() | Ladder() | Record())):
                if self.readers[0].whole_type(old) != self.readers[1].whole_type(new):
                    yield KeyChanged(what, name, "members", old, new)
            case _:
                if self.readers[0].term(old) != self.readers[1].term(new):
                    yield KeyChanged(what, name, "value", old, new)

    def _of_printed(
        self, old: Declaration | None, new: Declaration | None
    ) -> RuleSet | RuleWrapped | RuleStaged | None:
        """What a rule that only one side has makes of what is printed on cards, if that is what it is about."""
        rule, program, reader = (new, self.old, self.readers[1]) if old is None else (old, self.new, self.readers[0])
        if not isinstance(rule, Rule) or not rule.parameters or not isinstance(rule.parameters[0].type, Card):
            return None
        kind = rule.parameters[0].type.kind
        printed = {one.name: one for found in program.kinds if found.name == kind for one in found.printed}
        if rule.name not in printed:
            return None
        index = rule.parameters[1] if len(rule.parameters) > 1 else None
        face = Attribute(kind, rule.name, rule.parameters[0], index, type=printed[rule.name].type)
        bare = replace(rule, type=face.type, body=face, base=face)
        sides = (bare, rule) if old is None else (rule, bare)
        edits = diff_rule(*sides, (reader, reader), plainly=False)
        return next((one for one in edits if isinstance(one, RuleSet | RuleWrapped | RuleStaged)), None)

    def _keys(self, what: str, old: Kind | Variable | Zone, new: Kind | Variable | Zone) -> Iterator[Edit]:
        before, after = (_keys_of(one, reader) for one, reader in zip((old, new), self.readers, strict=True))
        for key in sorted({*before, *after}):
            one, other = before.get(key), after.get(key)
            if (one and one[0]) != (other and other[0]):
                yield KeyChanged(what, old.name, key, one and one[1], other and other[1])


def _keys_of(one: Kind | Variable | Zone, reader: Reader) -> dict[str, tuple[Meaning, object]]:
    """The keys of a declaration, each with what it means and what stands there."""
    found: dict[str, tuple[Meaning, object]] = {}
    match one:
        case Kind():
            whole = replace(one, generator=None, rows=(), fields=())
            found["printed"] = reader.term(whole), one.printed
            found["every"] = reader.generator(one), one.generator
            found["rows"] = tuple(reader.row(one, row) for row in one.rows), one.rows
        case Variable():
            keeping = one.keeping
            found["type"] = reader.declared(keeping.type), keeping.type
            found["start"] = reader.value(keeping.start, keeping.type), keeping.start
            found["at_most"] = keeping.at_most, keeping.at_most
            found["each"] = tuple(reader.declared(of) for of in one.each), one.each
        case Zone():
            for key in ("kind", "each", "shape", "seen", "count_seen", "start_all", "active"):
                found[key] = getattr(one, key), getattr(one, key)
    if isinstance(one, Kind | Zone):
        for field in one.fields:
            found[f"field {field.name}"] = reader.term(field), field
    return found
