"""Sentences that leave something to chance: the outcome is kept, and told to those who may know it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, assert_never

from rulesdsl.ir.nodes import DrawRandom, Roll, RollOne
from rulesdsl.types import NONE, SetOf, Type

from ..evaluate.terms import Evaluator
from ..sight.event import Drawn
from ..sight.notes import Notes
from ..state.bits import set_of
from ..state.domains import first_of
from ..state.errors import MatchError
from ..state.layout import Layout
from .chance import Chance, Request, Sort
from .code import Cells, Reader, Step
from .targets import Targets, guard
from .walking import as_set, kind_of, member_type, walker


class Draws:
    """Makes steps from rolls and draws."""

    def __init__(
        self,
        layout: Layout,
        evaluator: Evaluator,
        targets: Targets,
        chance: Callable[[], Chance],
        notes: Notes | None,
    ) -> None:
        self._layout = layout
        self._evaluator = evaluator
        self._targets = targets
        self._chance = chance
        self._notes = notes

    def step(self, sentence: Roll | RollOne | DrawRandom, frame: Mapping[int, int]) -> Step:
        """A roll or a draw, made ready to run in a frame."""
        match sentence:
            case Roll():
                return self._roll(sentence, frame)
            case RollOne():
                return self._roll_one(sentence, frame)
            case DrawRandom():
                return self._draw(sentence, frame)
            case _:
                assert_never(sentence)

    def _roll(self, sentence: Roll, frame: Mapping[int, int]) -> Step:
        low, high = self._evaluator.term(sentence.low, frame), self._evaluator.term(sentence.high, frame)
        chance, name, span = self._chance, sentence.name, sentence.span

        def outcome(S: Cells) -> Any:
            lowest, highest = low(S), high(S)
            if NONE in (lowest, highest) or lowest > highest:
                raise MatchError(f"there is nothing to roll for `{name}`", span)
            return chance().outcome(S, Request(name, Sort.NUMBER, (lowest, highest)))

        return self._decided(sentence, sentence.low.type, outcome, frame)

    def _roll_one(self, sentence: RollOne, frame: Mapping[int, int]) -> Step:
        source = self._evaluator.term(sentence.source, frame)
        walk = walker(sentence.source.type)
        chance, name, span = self._chance, sentence.name, sentence.span

        def outcome(S: Cells) -> Any:
            among = tuple(walk(source(S)))
            if not among:
                raise MatchError(f"there is nothing to roll for `{name}`", span)
            return chance().outcome(S, Request(name, Sort.ONE, among))

        return self._decided(sentence, member_type(sentence.source.type), outcome, frame)

    def _draw(self, sentence: DrawRandom, frame: Mapping[int, int]) -> Step:
        of = sentence.source.type
        source = self._evaluator.term(sentence.source, frame)
        walk = walker(of)
        chance, name, span = self._chance, sentence.name, sentence.span
        if sentence.count is None:

            def one(S: Cells) -> Any:
                among = tuple(walk(source(S)))
                if not among:
                    raise MatchError(f"there is nothing to draw `{name}` from", span)
                return chance().outcome(S, Request(name, Sort.ONE, among))

            return self._decided(sentence, member_type(of), one, frame)
        count = self._evaluator.term(sentence.count, frame)
        first = first_of(of.of) if isinstance(of, SetOf) else 0
        as_bits = isinstance(sentence.target.type, SetOf)

        def some(S: Cells) -> Any:
            among = tuple(walk(source(S)))
            number = count(S)
            if number == NONE:
                raise MatchError(f"it is not said how many `{name}` are drawn", span)
            drawn: Any = chance().outcome(S, Request(name, Sort.SOME, among, number))
            if as_bits:
                return set_of(member - first for member in drawn)
            return tuple(member for member in among if member in drawn)

        return self._decided(sentence, sentence.target.type, some, frame)

    def _decided(
        self, sentence: Roll | RollOne | DrawRandom, of: Type, outcome: Reader, frame: Mapping[int, int]
    ) -> Step:
        """What chance decided goes to the target; it is told to those who may know it."""
        place = self._targets.place(sentence.target, frame, sentence.span)
        refuse = guard(place, of, sentence.span)
        address, store, name, notes = place.address, place.store, sentence.name, self._notes
        kind = kind_of(of)
        to_set = as_set(of)

        def operands(S: Cells) -> Any:
            decided = outcome(S)
            if refuse is not None:
                refuse(decided)
            return address(S), decided

        def carry(S: Cells, worked_out: tuple[int, Any]) -> None:
            where, decided = worked_out
            if notes is not None:
                seats = range(self._layout.seats)
                known = (
                    ()
                    if kind is None
                    else tuple(notes.knowledge.knows(S, kind, seat) & to_set(decided) for seat in seats)
                )
                notes.emit(Drawn(name, of, decided, known))
            store(S, where, decided)

        return Step(operands, carry, lambda S: carry(S, operands(S)))
