"""What sentences do: each as a function that works out its operands and one that carries them out.

Apart from the cells of frames, all that changes in a match is changed from here. A sentence is split in two because
seats that act together all work out what they do before anything is done; `step` does both at once.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, assert_never

from rulesdsl.diagnostic import InternalError
from rulesdsl.ir.nodes import (
    Announce,
    Assign,
    DrawRandom,
    End,
    Increase,
    MakePlay,
    Move,
    Roll,
    RollOne,
    Show,
    Shuffle,
    Swap,
    Target,
    Term,
)
from rulesdsl.source import Span
from rulesdsl.types import NONE, Number, Place, SetOf, required

from ..evaluate.terms import Evaluator
from ..sight.event import Announced, Became
from ..sight.notes import Notes
from ..state.cells import Closure
from ..state.domains import first_of
from ..state.errors import MatchError
from ..state.layout import Layout
from . import unseen
from .chance import Chance, Request, Sort
from .code import Cells, Effect, Step, do_nothing
from .draws import Draws
from .moves import Mover
from .storing import add_member, add_number, add_set, set_in_frame, set_to
from .targets import Targets, guard, members_at
from .walking import as_set, grower, is_single, kind_of, walker

Sentence = Move | MakePlay | Swap | Shuffle | Show | Assign | Increase | Roll | RollOne | DrawRandom | Announce


class Effects:
    """Makes steps from the sentences of a program."""

    def __init__(self, layout: Layout, evaluator: Evaluator, chance: Callable[[], Chance], notes: Notes | None) -> None:
        self._layout = layout
        self._evaluator = evaluator
        self._chance = chance
        self._notes = notes
        self._targets = Targets(layout, evaluator, notes)
        self._draws = Draws(layout, evaluator, self._targets, chance, notes)
        self._movers = {kind.name: Mover(layout, kind.name, notes) for kind in layout.program.kinds}

    def step(self, sentence: Sentence, frame: Mapping[int, int]) -> Step:
        """A sentence, made ready to run in a frame."""
        match sentence:
            case Move():
                return self._move(sentence, frame)
            case MakePlay():
                return self._play(sentence, frame)
            case Swap():
                return self._swap(sentence, frame)
            case Shuffle():
                return self._shuffle(sentence, frame)
            case Show():
                return self._show(sentence, frame)
            case Assign():
                return self._assign(sentence, frame)
            case Increase():
                return self._increase(sentence, frame)
            case Roll() | RollOne() | DrawRandom():
                return self._draws.step(sentence, frame)
            case Announce():
                return self._announce(sentence, frame)
            case _:
                assert_never(sentence)

    def mover(self, kind: str) -> Mover:
        """What moves the cards of a kind."""
        return self._movers[kind]

    def reset(self, name: str) -> Effect:
        """A state, or what is written on all cards, goes back to what it holds at the start."""
        info = self._layout.variables.get(name)
        if info is None:
            return self._wipe(name)
        base, size, start = info.base, info.size, info.declaration.keeping.start
        notes = self._notes
        if notes is not None:

            def noted(S: Cells) -> None:
                for within in range(size):
                    if S[base + within] != start:
                        S[base + within] = start
                        notes.emit(Became(name, members_at(info, within), start))

            return noted

        def reset(S: Cells) -> None:
            S[base : base + size] = [start] * size

        return reset

    def _wipe(self, name: str) -> Effect:
        wiped = [
            (kind.name, keeping.name, self._layout.fields[kind.name, keeping.name], keeping.start)
            for kind in self._layout.program.kinds
            for keeping in kind.fields
            if name in (keeping.name, f"{kind.name}.{keeping.name}")
        ]
        if not wiped:
            raise InternalError(f"there is no state `{name}` to reset")
        notes = self._notes

        def wipe(S: Cells) -> None:
            for kind, field, base, start in wiped:
                for card in range(self._layout.packs[kind].size):
                    if S[base + card] != start:
                        if notes is not None:
                            notes.written(S, kind, card, field, start)
                        S[base + card] = start

        return wipe

    def store(self, target: Target, frame: Mapping[int, int], span: Span | None) -> Callable[[Cells, Any], None]:
        """Sets a target to a value that is known to fit."""
        place = self._targets.place(target, frame, span)
        address, store = place.address, place.store
        return lambda S, value: store(S, address(S), value)

    # ── cards ──────────────────────────────────────────────────────────────────────────────────────────────────────

    def _move(self, sentence: Move, frame: Mapping[int, int]) -> Step:
        kind = kind_of(sentence.cards.type)
        if kind is None:
            return _nothing()
        mover = self._movers[kind]
        walk = walker(sentence.cards.type)
        cards = self._evaluator.term(sentence.cards, frame)
        place = self._evaluator.term(sentence.place, frame)
        at_bottom = sentence.end is End.BOTTOM
        span = sentence.span

        def operands(S: Cells) -> Any:
            there = place(S)
            if there == NONE:
                raise MatchError("cards can't be moved to nobody's place", span)
            return walk(cards(S)), there

        def carry(S: Cells, worked_out: tuple[Sequence[int], int]) -> None:
            mover.move(S, worked_out[0], worked_out[1], at_bottom=at_bottom, span=span)

        if self._notes is None:
            quick = unseen.move(self._layout, self._evaluator, mover, sentence, frame, at_bottom=at_bottom)
            if quick is not None:
                return Step(operands, carry, quick)

        def step(S: Cells) -> None:
            moving = walk(cards(S))
            there = place(S)
            if there == NONE:
                raise MatchError("cards can't be moved to nobody's place", span)
            mover.move(S, moving, there, at_bottom=at_bottom, span=span)

        return Step(operands, carry, step)

    def _play(self, sentence: MakePlay, frame: Mapping[int, int]) -> Step:
        kind = kind_of(sentence.cards.type)
        if kind is None:
            return _nothing()
        term = self._evaluator.term
        mover = self._movers[kind]
        walk = walker(sentence.cards.type)
        cards = term(sentence.cards, frame)
        zone = self._layout.first_zone[sentence.zone]
        owner = None if sentence.owner is None else term(sentence.owner, frame)
        player = term(sentence.player, frame)
        given = {name: term(value, frame) for name, value in sentence.fields}
        declared = self._layout.zones[zone].declaration.fields
        fields = tuple(given.get(keeping.name, _constant(keeping.start)) for keeping in declared)
        span = sentence.span

        def operands(S: Cells) -> Any:
            where = zone
            if owner is not None:
                whose = owner(S)
                if whose == NONE:
                    raise MatchError("cards can't be played to nobody's place", span)
                where += whose
            return walk(cards(S)), where, player(S), tuple([field(S) for field in fields])

        def carry(S: Cells, worked_out: tuple[Sequence[int], int, int, tuple[Any, ...]]) -> None:
            mover.play(S, *worked_out)

        if self._notes is None:
            quick = unseen.play(self._layout, self._evaluator, mover, sentence, frame)
            if quick is not None:
                return Step(operands, carry, quick)
        return Step(operands, carry, lambda S: mover.play(S, *operands(S)))

    def _swap(self, sentence: Swap, frame: Mapping[int, int]) -> Step:
        kind = kind_of(sentence.left.type) or kind_of(sentence.right.type)
        if kind is None:
            return _nothing()
        mover = self._movers[kind]
        left, right = self._side(sentence.left, mover, frame), self._side(sentence.right, mover, frame)

        def operands(S: Cells) -> Any:
            return left(S), right(S)

        def carry(S: Cells, worked_out: tuple[tuple[Sequence[int], int], tuple[Sequence[int], int]]) -> None:
            (cards, here), (others, there) = worked_out
            if NONE not in (here, there):
                mover.swap(S, cards, others, (here, there))

        return Step(operands, carry, lambda S: carry(S, operands(S)))

    def _side(self, term: Term, mover: Mover, frame: Mapping[int, int]) -> Callable[[Cells], tuple[Sequence[int], int]]:
        """One side of a swap: cards, and where they lie. Cards that aren't there lie nowhere."""
        value = self._evaluator.term(term, frame)
        span = term.span
        if isinstance(term.type, Place):

            def of_place(S: Cells) -> tuple[Sequence[int], int]:
                place = value(S)
                if place == NONE:
                    raise MatchError("nobody's place can't be swapped", span)
                return mover.lying(S, place), place

            return of_place
        walk = walker(term.type)

        def of_cards(S: Cells) -> tuple[Sequence[int], int]:
            cards = walk(value(S))
            return cards, mover.place_of(S, cards, span) if cards else NONE

        return of_cards

    def _shuffle(self, sentence: Shuffle, frame: Mapping[int, int]) -> Step:
        of = sentence.place.type
        kind = of.kind if isinstance(of, Place) else kind_of(of)
        if kind is None:
            return _nothing()
        mover = self._movers[kind]
        place = self._evaluator.term(sentence.place, frame)
        name = sentence.name
        chance = self._chance
        span = sentence.span
        # A set has no order that could be drawn.
        ordered = not isinstance(of.of if isinstance(of, Place) else of, SetOf)

        def operands(S: Cells) -> Any:
            where = place(S)
            if where == NONE:
                raise MatchError("nobody's place can't be shuffled", span)
            lying = tuple(mover.lying(S, where))
            return chance().outcome(S, Request(name, Sort.ORDER, lying)) if ordered else lying, where

        def carry(S: Cells, worked_out: tuple[tuple[int, ...], int]) -> None:
            mover.arrange(S, *worked_out)

        return Step(operands, carry, lambda S: carry(S, operands(S)))

    def _show(self, sentence: Show, frame: Mapping[int, int]) -> Step:
        kind = kind_of(sentence.cards.type)
        if kind is None or self._notes is None:
            return _nothing()
        notes = self._notes
        walk = walker(sentence.cards.type)
        cards = self._evaluator.term(sentence.cards, frame)
        seats = self._evaluator.term(sentence.seats, frame)
        to_set = as_set(sentence.seats.type)
        at = self._layout.at[kind]

        def operands(S: Cells) -> Any:
            return walk(cards(S)), to_set(seats(S))

        def carry(S: Cells, worked_out: tuple[Sequence[int], int]) -> None:
            shown, to_whom = worked_out
            places: dict[int, list[int]] = {}
            for card in shown:
                places.setdefault(S[at + card], []).append(card)
            for place, there in places.items():
                notes.shown(S, kind, there, place, to_whom)

        return Step(operands, carry, lambda S: carry(S, operands(S)))

    # ── values ─────────────────────────────────────────────────────────────────────────────────────────────────────

    def _assign(self, sentence: Assign, frame: Mapping[int, int]) -> Step:
        place = self._targets.place(sentence.target, frame, sentence.span)
        value = self._evaluator.term(sentence.value, frame)
        refuse = guard(place, sentence.value.type, sentence.span, sentence.value)
        address, store = place.address, place.store

        def operands(S: Cells) -> Any:
            where = address(S)
            what = value(S)
            if refuse is not None:
                refuse(what)
            return where, what

        def carry(S: Cells, worked_out: tuple[int, Any]) -> None:
            store(S, *worked_out)

        if place.frame_offset is not None:
            return Step(operands, carry, set_in_frame(place.frame_offset, value, refuse))
        if place.register is not None and refuse is None:
            R, register = self._evaluator.registers, place.register

            def keep(S: Cells) -> None:
                R[register] = value(S)

            return Step(operands, carry, keep)
        if not place.is_bare:
            return Step(operands, carry, lambda S: store(S, *operands(S)))

        return Step(operands, carry, set_to(place, self._evaluator.operand(sentence.value, frame), refuse))

    def _increase(self, sentence: Increase, frame: Mapping[int, int]) -> Step:
        place = self._targets.place(sentence.target, frame, sentence.span)
        value = self._evaluator.term(sentence.value, frame)
        # A sum may lie outside of the range that both of its parts keep to.
        sum_of = Number() if isinstance(required(place.keeps), Number) else place.keeps
        refuse = guard(place, sum_of, sentence.span)
        grow = grower(place.keeps, sentence.value.type, sentence.span)
        address, load, store = place.address, place.load, place.store

        def operands(S: Cells) -> Any:
            return address(S), value(S)

        def carry(S: Cells, worked_out: tuple[int, Any]) -> None:
            where, more = worked_out
            grown = grow(load(S, where), more)
            if refuse is not None:
                refuse(grown)
            store(S, where, grown)

        def step(S: Cells) -> None:
            carry(S, (address(S), value(S)))

        if place.is_bare and refuse is not None and place.limits is not None:
            if isinstance(sentence.value.type, Number) and isinstance(place.keeps, Number):
                more = self._evaluator.operand(sentence.value, frame)
                return Step(operands, carry, add_number(place, more, place.limits, carry))
        given = required(sentence.value.type)
        if place.is_bare and refuse is None and isinstance(place.keeps, SetOf) and isinstance(given, SetOf):
            return Step(operands, carry, add_set(place, value))
        if place.is_bare and refuse is None and isinstance(place.keeps, SetOf) and is_single(given):
            return Step(operands, carry, add_member(place, value, first_of(place.keeps.of)))
        return Step(operands, carry, step)

    def _announce(self, sentence: Announce, frame: Mapping[int, int]) -> Step:
        if self._notes is None:
            return _nothing()
        emit = self._notes.emit
        value = self._evaluator.term(sentence.value, frame)
        label, of = sentence.label, sentence.value.type

        def carry(S: Cells, what: Any) -> None:
            emit(Announced(label, of, what))

        return Step(value, carry, lambda S: carry(S, value(S)))


def _constant(value: Any) -> Closure:
    return lambda S: value


def _nothing() -> Step:
    return Step(lambda S: None, lambda S, worked_out: None, do_nothing)
