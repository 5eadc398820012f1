"""The sections `wording` of all files: laid over one another, and held against the names that there are.

A wording of a game goes over one of its libraries. What is wrong with one is reported; the words themselves are free.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from ..cardtext.lexicon import Lexicon, Wording, key
from ..syntax.document import ProcedureDoc, WordingDoc
from ..syntax.expr import Signature, TargetKind
from ..types import Optional, Type, YesNo
from .anchors import Anchors
from .functions import FUNCTIONS
from .names import Names, nearest
from .powers import bound_in
from .wording import counted, plural

_ATTACHED = (TargetKind.BEFORE, TargetKind.AFTER, TargetKind.INSTEAD, TargetKind.PHASE, TargetKind.DECISION)


def lexicon(sections: Iterable[tuple[WordingDoc, ...]], names: Names, anchors: Anchors) -> Lexicon:
    """The words for the names of a program; `sections` are those of its files, lowest first."""
    heads = _Heads(names, anchors)
    wordings: dict[str, Wording] = {}
    for section in sections:
        own: set[str] = set()
        for doc in section:
            found = key(doc)
            if found in own:
                names.report("E0309", doc.span, f"'{doc.span.text}' has a wording already", "leave one of them out")
            own.add(found)
            if heads.is_right(doc):
                wordings[found] = Wording(doc.text, _parameters(doc))
    return Lexicon(
        wordings,
        conditions=frozenset(_conditions(names)),
        of_players=frozenset(
            [
                *(name for name, zone in names.zones.items() if zone.doc.each is not None),
                *(name for name, state in names.states.items() if state.doc.each),
            ]
        ),
        things=frozenset([*names.zones, *names.states, *_single_rules(names)]),
        zones={name: plural(names.zone_kind(name)) for name in names.zones},
        kinds=frozenset(names.kinds),
        rules=frozenset(names.rules),
        procedures={name: entry.doc.signature.parameters for name, entry in names.procedures.items()},
    )


def _parameters(doc: WordingDoc) -> tuple[str, ...]:
    signature = doc.head.signature
    return tuple(parameter.name for parameter in signature.parameters) if signature is not None else ()


def _single_rules(names: Names) -> Iterator[str]:
    yield from (name for name, rules in names.rules.items() if any(not r.doc.signature.parameters for r in rules))


def _conditions(names: Names) -> Iterator[str]:
    """The names of what is true or false."""

    def is_condition(of: Type) -> bool:
        return isinstance(of.of if isinstance(of, Optional) else of, YesNo)

    for name, entries in names.rules.items():
        if any(entry.rule is not None and is_condition(entry.rule.type) for entry in entries):
            yield name
    for name, state in names.states.items():
        if state.variable is not None and is_condition(state.variable.keeping.type):
            yield name
    for kind in names.kinds.values():
        yield from (own.name for own in kind.doc.fields if own.type.name == "yes_no")
        yield from (own.name for own in kind.doc.printed if own.type is not None and own.type.name == "yes_no")
    for procedure in names.procedures.values():
        for name, cell in procedure.state.items():
            if is_condition(cell.type):
                yield name


def _kept(procedure: ProcedureDoc) -> Iterator[str]:
    """What a procedure knows while it runs."""
    yield from (parameter.name for parameter in procedure.signature.parameters)
    yield from (own.name for own in procedure.state)
    yield from (name for name, _ in bound_in(procedure.do))


class _Heads:
    """The names that may have a wording, each with the numbers of parameters that it may be written with."""

    def __init__(self, names: Names, anchors: Anchors) -> None:
        self.names = names
        self.places = {anchor.removesuffix("()").rpartition("/")[2] for anchor in (*anchors.phases, *anchors.decisions)}
        self.places |= {"match", *names.procedures}
        self.known: dict[str, set[int]] = {}
        self.declared: dict[str, str] = {}
        self.powers = {power for kind in names.powers.values() for power in kind.types}
        self._collect()

    def _collect(self) -> None:
        names = self.names
        for name, rules in names.rules.items():
            for rule in rules:
                self._declared(name, rule.doc.signature)
        for name, procedure in names.procedures.items():
            self._declared(name, procedure.doc.signature)
            for inner in _kept(procedure.doc):
                self._add(inner, 0)
        for name, zone in names.zones.items():
            self._add(name, *((0, 1) if zone.doc.each is not None else (0,)))
        for name, state in names.states.items():
            self._add(name, 0, len(state.doc.each))
        for name, kind in names.kinds.items():
            self._add(name, 0)
            for own in kind.doc.fields:
                self._add(own.name, 0, 1)
            for attribute, _ in kind.doc.every:
                self._add(attribute.name, 1)
            for printed in kind.doc.printed:
                self._add(printed.name, 2 if printed.each is not None else 1)
        for name in (*names.types, *names.members, *names.options, *self.powers):
            self._add(name, 0)
        for name in FUNCTIONS:
            self._add(name, 1, 2)
        for name in ("players", "others"):
            self._add(name, 0)
        for powers in names.powers.values():
            for row in powers.rows:
                for name, _ in (bound for body in row.powers.values() for bound in bound_in(body)):
                    self._add(name, 0)

    def _declared(self, name: str, signature: Signature) -> None:
        self._add(name, len(signature.parameters))
        self.declared[name] = signature.span.text

    def _add(self, name: str, *counts: int) -> None:
        self.known.setdefault(name, set()).update(counts)

    def is_right(self, doc: WordingDoc) -> bool:
        """Whether a head names something, and the text only parameters of it; else it is reported."""
        if not self._names_something(doc):
            return False
        signature = doc.head.signature
        allowed = [*_parameters(doc)]
        if signature is not None and not allowed and signature.name in self.powers:
            allowed = [signature.name]
        if signature is None and doc.head.path[-1] in self.names.procedures:
            allowed = [p.name for p in self.names.procedures[doc.head.path[-1]].doc.signature.parameters]
        wrong = [hole for hole in doc.holes if hole.name not in allowed]
        for hole in wrong:
            help = nearest(hole.name, allowed) or "only the parameters that stand in the head can be named"
            self.names.report("E0342", hole.span, f"`{doc.span.text}` has no parameter '{hole.name}'", help)
        return not wrong

    def _names_something(self, doc: WordingDoc) -> bool:
        signature = doc.head.signature
        if doc.head.kind in _ATTACHED:
            name = doc.head.path[-1]
            return name in self.places or self._unknown(doc, name, sorted(self.places))
        if doc.of is not None and signature is not None:
            return self._is_kept(doc, doc.of.name, signature.name)
        if signature is None:
            self.names.report("E0341", doc.span, "a wording is of a name", f"write `{doc.head.path[-1]}` alone")
            return False
        counts = self.known.get(signature.name)
        if counts is None:
            return self._unknown(doc, signature.name, [*self.known])
        if len(signature.parameters) not in counts:
            given = counted(len(signature.parameters), "parameter")
            declared = self.declared.get(signature.name)
            help = f"it is declared as `{declared}`" if declared else _ways(signature.name, sorted(counts))
            self.names.report("E0341", doc.span, f"this gives '{signature.name}' {given}", help)
            return False
        return True

    def _is_kept(self, doc: WordingDoc, procedure: str, name: str) -> bool:
        """Whether a procedure keeps something of that name while it runs."""
        entry = self.names.procedures.get(procedure)
        if entry is None:
            return self._unknown(doc, procedure, [*self.names.procedures])
        kept = [*_kept(entry.doc)]
        return name in kept or self._unknown(doc, name, kept)

    def _unknown(self, doc: WordingDoc, name: str, known: list[str]) -> bool:
        self.names.report("E0341", doc.span, f"nothing is called '{name}' here", nearest(name, known))
        return False


def _ways(name: str, counts: list[int]) -> str:
    """How a name that is no rule and no procedure may stand in a head."""
    heads = [name if count == 0 else f"{name}({', '.join(_LETTERS[:count])})" for count in counts]
    return f"write {' or '.join(f'`{head}`' for head in heads)}"


_LETTERS = ("card", "member")
