"""Whether a decision asks for something that its decider can't see.

If it did, the list of options would tell a secret. The proof is by declarations: a zone that everyone or its owner
sees, where the owner is the one who decides; what is shown by a step somewhere is left to the machine.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator
from dataclasses import fields, replace

from ..diagnostic import Diagnostics
from ..ir.nodes import (
    Ask,
    Bound,
    Call,
    Legality,
    LetIn,
    LiesIn,
    Op,
    Pick,
    PlaceOf,
    Prim,
    Program,
    Rule,
    Show,
    Sight,
    Spread,
    Term,
    TermNode,
    Zone,
    ZoneCards,
)
from ..ir.walk import children, operations_of, terms_of
from ..source import Span
from ..types import required

IsDecider = Callable[[Term], bool]


def check_sight(program: Program, diagnostics: Diagnostics) -> None:
    """Reports every decision whose options depend on what its decider can't see (E0701)."""
    _SightChecker(program, diagnostics).check()


class _SightChecker:
    def __init__(self, program: Program, diagnostics: Diagnostics) -> None:
        self._program = program
        self._diagnostics = diagnostics
        self._zones: dict[str, Zone] = {zone.name: zone for zone in program.zones}
        self._rules: dict[str, Rule] = {rule.id: rule for rule in program.rules}
        self._legalities: dict[str, Legality] = {legality.id: legality for legality in program.legalities}

    def check(self) -> None:
        blocks = [procedure.body for procedure in (*self._program.procedures, self._program.main)]
        blocks += [h.body for procedure in self._program.procedures for h in procedure.handlers]
        operations = [operation for block in blocks for operation in operations_of(block)]
        shown = {
            t.zone for o in operations if isinstance(o, Show) for t in terms_of(o.cards) if isinstance(t, ZoneCards)
        }
        for operation in operations:
            if isinstance(operation, Ask):
                self._ask(operation, shown)

    def _ask(self, ask: Ask, shown: set[str]) -> None:
        by = replace(ask.by, type=required(ask.by.type))

        def decides(term: Term) -> bool:
            return term == ask.by or replace(term, type=required(term.type)) == by

        for alternative in ask.alternatives:
            for part in alternative.parts:
                for term in _terms_of_pick(part.pick):
                    self._report(self._hidden(term, decides), term.span or ask.span, ask, shown)
            if alternative.where is not None:
                self._report(self._hidden(alternative.where, decides), alternative.where.span or ask.span, ask, shown)
            if alternative.under is not None:
                legality = self._legalities[alternative.under.legality]
                own = {
                    parameter.id
                    for parameter, argument in zip(legality.parameters, alternative.under.arguments, strict=True)
                    if decides(argument)
                }
                for condition in (*legality.forbids, *legality.tiers, *legality.narrows):
                    for term in (condition.term, *condition.permits):
                        self._report(self._hidden(term, _is_one_of(own)), condition.origin.span, ask, shown)

    def _report(self, found: Iterator[ZoneCards | PlaceOf], span: Span | None, ask: Ask, shown: set[str]) -> None:
        for zone in found:
            where = zone.span or span or ask.span
            if zone.zone not in shown and where is not None:
                self._diagnostics.add(
                    "E0701",
                    where,
                    f"the decision '{ask.name}' depends on '{zone.zone}', which its decider can't see",
                    help="let the zone be `seen:` by who decides, or decide by something that is known",
                )

    def _hidden(self, term: Term, decides: IsDecider) -> Iterator[ZoneCards | PlaceOf]:
        """The zones that a term looks into, itself or through rules, and that the decider can't see."""
        waiting = [(term, decides)]
        asked: set[tuple[str, frozenset[int]]] = set()
        while waiting:
            term, decides = waiting.pop()
            match term:
                case Prim(op=Op.COUNT | Op.IS_EMPTY, arguments=(ZoneCards() as cards,)):
                    if not _sees(self._zones[cards.zone].count_seen, cards.owner, decides):
                        yield cards
                    continue
                case ZoneCards():
                    if not _sees(self._zones[term.zone].seen, term.owner, decides):
                        yield term
                    continue
                case LiesIn():
                    seen = {Sight.EVERYONE}
                    hidden = (z for z in term.zones if z in self._zones and self._zones[z].seen not in seen)
                    yield from (ZoneCards(zone, None, type=term.type, span=term.span) for zone in hidden)
                case Call() if term.rule in self._rules:
                    rule = self._rules[term.rule]
                    pairs = zip(rule.parameters, term.arguments, strict=True)
                    own = frozenset(parameter.id for parameter, argument in pairs if decides(argument))
                    if (rule.id, own) not in asked:
                        asked.add((rule.id, own))
                        waiting.append((rule.body, _is_one_of(own)))
                case Spread() | LetIn() if decides(term.value):
                    waiting += [(term.value, decides), (term.body, _or_bound(decides, term.id))]
                    continue
                case _:
                    pass
            waiting.extend((child, decides) for child in children(term))


def _sees(sight: Sight, owner: Term | None, decides: IsDecider) -> bool:
    match sight:
        case Sight.EVERYONE:
            return True
        case Sight.OWNER:
            return owner is not None and decides(owner)
        case Sight.OTHERS:
            return owner is not None and not decides(owner)
        case Sight.NOBODY:
            return False


def _or_bound(decides: IsDecider, id: int) -> IsDecider:
    return lambda term: decides(term) or (isinstance(term, Bound) and term.id == id)


def _is_one_of(ids: Collection[int]) -> IsDecider:
    return lambda term: isinstance(term, Bound) and term.id in ids


def _terms_of_pick(pick: Pick) -> Iterator[Term]:
    for f in fields(pick):
        value = getattr(pick, f.name)
        if isinstance(value, TermNode):
            yield value  # type: ignore[misc]
