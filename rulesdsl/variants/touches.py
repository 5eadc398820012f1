"""What some steps touch: zones, states and fields, what they let people know, and whether somebody decides in them.

Two lists of steps that stand at one point may run in either order if they touch different things, and if none of them
shows what could be of use in a decision of the other.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from ..ir.nodes import (
    Ask,
    Assign,
    Bound,
    Call,
    Cell,
    DrawRandom,
    Each,
    Field,
    Fold,
    Increase,
    MakePlay,
    Move,
    Op,
    PickWriting,
    PlaceOf,
    PlayField,
    Prim,
    Program,
    Quantifier,
    Roll,
    RollOne,
    RunProcedure,
    Show,
    Shuffle,
    Sight,
    Swap,
    Term,
    Together,
    Var,
    ZoneCards,
)
from ..ir.walk import terms_of
from .normal import nodes_in

_ORDERED = frozenset([Op.FIRST, Op.LAST, Op.TOP, Op.BOTTOM])

Thing = tuple[str, str]
"""What is touched: `zone` or `order` of a zone, `state` or `field`, and its name."""


@dataclass(slots=True)
class Touches:
    """What some steps read and change."""

    reads: set[Thing] = field(default_factory=set)
    writes: set[Thing] = field(default_factory=set)
    adds: set[Thing] = field(default_factory=set)
    """What is only added to, so that the sequence does not matter."""
    shows: bool = False
    decides: bool = False

    def meets(self, other: Touches) -> list[str]:
        """Why the order of the two matters; nothing if it does not."""
        own, others = self.writes | self.adds, other.writes | other.adds
        shared = (own & others) - (self.adds & other.adds - self.writes - other.writes)
        shared |= (own & other.reads) | (others & self.reads)
        found = sorted({_named(thing) for thing in shared})
        if (self.shows and other.decides) or (other.shows and self.decides):
            found.append("what one of them shows, and a decision in the other")
        return found


def _named(thing: Thing) -> str:
    what, name = thing
    return {"zone": f"the cards in {name}", "order": f"the order of {name}"}.get(what, f"the {what} {name}")


class Toucher:
    """Works out what steps of a program touch, through the procedures and rules they use."""

    def __init__(self, program: Program) -> None:
        self._rules = {rule.id: rule for rule in program.rules}
        self._procedures = {procedure.name: procedure for procedure in program.procedures}
        self._zones = {zone.name: zone for zone in program.zones}

    def of(self, steps: object) -> Touches:
        """What some steps touch."""
        touches = Touches()
        self._walk(steps, touches, set())
        return touches

    def _walk(self, steps: object, touches: Touches, seen: set[str]) -> None:
        for node in nodes_in(steps):
            match node:
                case Move():
                    self._moves(node.cards, node.place, touches)
                case MakePlay():
                    self._moves(node.cards, None, touches)
                    touches.writes.add(("zone", node.zone))
                    touches.shows |= self._is_seen(node.zone)
                case Swap():
                    self._moves(node.left, node.left, touches)
                    self._moves(node.right, node.right, touches)
                case Shuffle():
                    for zone in _zones_in(node.place):
                        touches.writes.add(("order", zone))
                        touches.shows |= self._is_seen(zone)
                case Show():
                    touches.shows = True
                case Assign() | Roll() | RollOne() | DrawRandom():
                    touches.writes.update(_target(node.target))
                    touches.shows |= not isinstance(node, Assign)
                case Increase():
                    touches.adds.update(_target(node.target))
                case Ask():
                    touches.decides = True
                case PickWriting():
                    touches.writes.add(("field", f"{node.kind}.{node.field}"))
                case RunProcedure():
                    if node.procedure not in seen:
                        seen.add(node.procedure)
                        procedure = self._procedures[node.procedure]
                        self._walk((procedure.body, procedure.handlers), touches, seen)
                case Var() | Field() | PlayField() | ZoneCards() | Call():
                    self._reads(node, touches, seen)
                case _:
                    pass
        touches.reads |= {("order", zone) for zone in _ordered_zones(steps)}
        touches.reads -= {thing for thing in touches.adds if thing not in self._read_by_values(steps)}

    def _read_by_values(self, steps: object) -> set[Thing]:
        """What is read by more than the steps that add to it."""
        inner = Touches()
        for node in nodes_in(steps):
            value = node.value if isinstance(node, Increase) else None
            if value is not None:
                for term in terms_of(value):
                    self._reads(term, inner, set())
            elif isinstance(node, Var | Call) and not self._is_target(node, steps):
                self._reads(node, inner, set())
        return inner.reads

    def _is_target(self, node: Term, steps: object) -> bool:
        return any(isinstance(other, Increase) and other.target is node for other in nodes_in(steps))

    def _reads(self, node: object, touches: Touches, seen: set[str]) -> None:
        match node:
            case Var():
                touches.reads.add(("state", node.name))
            case Field():
                touches.reads.add(("field", f"{node.kind}.{node.name}"))
            case PlayField() if node.name not in ("cards", "player"):
                touches.reads.add(("field", f"{node.zone}.{node.name}"))
            case PlayField():
                touches.reads.add(("zone", node.zone))
            case ZoneCards():
                touches.reads.add(("zone", node.zone))
            case Call() if node.rule not in seen and node.rule in self._rules:
                seen.add(node.rule)
                body = self._rules[node.rule].body
                for term in terms_of(body):
                    self._reads(term, touches, seen)
                touches.reads |= {("order", zone) for zone in _ordered_zones(body)}
            case _:
                pass

    def _moves(self, cards: Term, place: Term | None, touches: Touches) -> None:
        for zone in (*_zones_in(cards), *(_zones_in(place) if place is not None else ())):
            touches.writes.add(("zone", zone))
            touches.writes.add(("order", zone))
        touches.shows |= any(self._is_seen(zone) for zone in (_zones_in(place) if place is not None else ()))

    def _is_seen(self, zone: str) -> bool:
        return zone in self._zones and self._zones[zone].seen is not Sight.NOBODY


def order_readers(program: Program, zone: str) -> int:
    """How many pieces of a program depend on the order in which cards lie in a zone."""
    pieces = (tuple(rule.body for rule in program.rules), program.legalities, program.procedures, program.main)
    return sum(1 for found in _ordered_zones(pieces) if found == zone)


def _target(target: Term) -> Iterator[Thing]:
    match target:
        case Var():
            yield "state", target.name
        case Field():
            yield "field", f"{target.kind}.{target.name}"
        case PlayField():
            yield "field", f"{target.zone}.{target.name}"
        case _:
            return


def _zones_in(term: Term) -> Iterator[str]:
    for inner in terms_of(term):
        if isinstance(inner, ZoneCards | PlaceOf):
            yield inner.zone


def _ordered_zones(value: object) -> Iterator[str]:
    """The zones whose order some pieces depend on."""
    for node in nodes_in(value):
        match node:
            case Prim(op=op, arguments=(source, *_)) if op in _ORDERED:
                yield from _rows(source)
            case Each() | Together():
                yield from _rows(node.source)
            case Fold(quantifier=Quantifier.FIRST):
                yield from _rows(node.source)
            case _:
                pass


def _rows(source: Term) -> Iterator[str]:
    """The zone that a sequence walks, through filters."""
    match source:
        case ZoneCards():
            yield source.zone
        case Bound() | Cell():
            return
        case _:
            inner = getattr(source, "source", None)
            if inner is not None:
                yield from _rows(inner)
