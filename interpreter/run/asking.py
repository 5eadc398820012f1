"""Decisions and windows as instructions: one that asks, one that takes the answers, and where to go on after each.

`asks` looks who is asked. Who can only do nothing is not; then, or when all have answered, `takes` writes down what was
chosen and goes to the steps of that alternative, or to those for a decision that was declined.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

from rulesdsl.ir.nodes import Alternative, Ask, PickMembers, PickOrder, PickWriting
from rulesdsl.types import NONE

from ..decide.choices import Question
from ..decide.parts import Luck
from ..evaluate.locals import Locals
from ..sight.event import Answered
from ..state.cells import FP, PC, PENDING, STEPS
from ..state.errors import MatchError
from ..state.limits import count_operations
from .assembly import AnchorSort, AskPoint, Item
from .code import DECLINED, STOP, Cells, Instruction, Label
from .drawing import SOON, Drawing
from .frames import Frame
from .pending import ANSWERED, OPEN, UNASKED
from .walking import as_set, kind_of, walker

if TYPE_CHECKING:
    from .assemble import Assembler

Answer = tuple[Any, ...]

Record = Callable[[Cells, int, Answer], int]
"""Writes down what a seat answered; says which alternative it was."""


_NOTHING = (0, ())


class Asking:
    """Assembles decisions. With `luck` they are made at once, where nobody is to be asked."""

    def __init__(self, assembler: Assembler, luck: Luck | None) -> None:
        self._assembler = assembler
        self._luck = luck
        self.drawing = None if luck is None else Drawing(assembler, self, luck)
        self.points: list[tuple[Label, AskPoint]] = []

    # ── one seat ───────────────────────────────────────────────────────────────────────────────────────────────────

    def ask(self, ask: Ask, frame: Frame) -> None:
        """A decision of one seat, and what follows it."""
        end = Label()
        targets = self.decide(ask, frame)
        for alternative, label in zip(ask.alternatives, targets, strict=False):
            self._assembler.code.place(label)
            self._assembler.block(alternative.body, frame)
            self._assembler.code.jump(end)
        self._assembler.code.place(targets[DECLINED])
        self._assembler.block(ask.otherwise, frame)
        self._assembler.code.place(end)

    def decide(self, ask: Ask, frame: Frame) -> tuple[Label, ...]:
        """The event of deciding. The labels stand for what follows each alternative, the last for declining."""
        assembler = self._assembler
        targets = tuple(Label() for _ in range(len(ask.alternatives) + 1))
        assembler.anchor(AnchorSort.DECISION, ask.name, ask.path, frame)
        if not ask.handlers:
            self._asks(ask, frame, targets)
            return targets
        outcome = frame.keep(DECLINED)
        answered, made = Label(), Label()

        def core(before: list[Item], after: list[Item]) -> None:
            assembler.block(before, frame)
            self._asks(ask, frame, (*[answered for _ in ask.alternatives], made), outcome)
            assembler.code.place(answered)
            assembler.block(after, frame)
            assembler.code.place(made)

        def forget(S: Cells) -> None:
            S[S[FP] + outcome] = DECLINED

        assembler.code.effect(forget, ask.span)
        assembler.events.event(ask.name, ask.handlers, frame, core)

        def make() -> Instruction:
            places = tuple(label.pc for label in targets)
            return lambda S: places[S[S[FP] + outcome]]

        assembler.code.add(make, ask.span)
        return targets

    def _asks(self, ask: Ask, frame: Frame, targets: tuple[Label, ...], outcome: int | None = None) -> None:
        """The two instructions: one asks, one takes the answer, keeps which alternative it was, and goes on."""
        assembler = self._assembler
        by = assembler.term(ask.by, frame)
        question = Question(ask, frame.offsets, assembler.evaluator)
        record = self.recorder(ask, frame, sealed=False)
        without_asking = question.null
        taking = Label()
        span = ask.span
        self.points.append((taking, AskPoint(ask, question, by, None)))

        def whose(S: Cells) -> int:
            seat: int = by(S)
            if seat == NONE:
                raise MatchError(f"nobody is there to decide `{ask.name}`", span)
            return seat

        def make_asking() -> Instruction:
            takes = taking.pc

            def asks(S: Cells) -> int:
                seat = whose(S)
                given = without_asking(S, seat)
                if given is not None:
                    S[PENDING] = ((seat, 0, UNASKED, given),)
                    return takes
                S[PENDING] = ((seat, 0, OPEN, ()),)
                S[PC] = takes
                return STOP

            return asks

        def make_taking() -> Instruction:
            places = tuple(label.pc for label in targets)

            def takes(S: Cells) -> int:
                seat, _, state, answer = S[PENDING][0]
                S[PENDING] = ()
                if state == ANSWERED:
                    S[STEPS] = 0
                else:
                    count_operations(S, 1, span)
                chosen = record(S, seat, answer)
                if outcome is not None:
                    S[S[FP] + outcome] = chosen
                return places[chosen]

            return takes

        def make_drawing() -> Instruction:
            places = tuple(label.pc for label in targets)
            assert self.drawing is not None
            decide = self.drawing.decide(ask, frame)

            def draws(S: Cells) -> int:
                chosen = decide(S)
                if outcome is not None:
                    S[S[FP] + outcome] = chosen
                return places[chosen]

            return draws

        assembler.code.add(make_asking if self.drawing is None else make_drawing, span)
        assembler.code.place(taking)
        assembler.code.add(make_taking, span)

    # ── what all decisions share ───────────────────────────────────────────────────────────────────────────────────

    @property
    def is_drawing(self) -> bool:
        """Whether decisions are made at once, at random."""
        return self.drawing is not None

    def decider(self, ask: Ask, question: Question) -> Callable[[Cells, int], Answer]:
        """Draws one of the whole answers, each as likely as any other."""
        luck = self._luck
        assert luck is not None
        random_answer, null = question.random_answer, question.null
        nothing = does_nothing(ask)
        span = ask.span

        def decide(S: Cells, seat: int) -> Answer:
            answer = random_answer(S, seat, luck.below)
            if nothing(answer) and (S[STEPS] < SOON or null(S, seat) is not None):
                S[STEPS] += 1
                if S[STEPS] > SOON:
                    count_operations(S, 0, span)
            else:
                S[STEPS] = 0
            return answer

        return decide

    def recorder(self, ask: Ask, frame: Frame, *, sealed: bool) -> Record:
        """Writes down an answer: its parts into their cells, what is written onto the cards."""
        writers = [self._writer(alternative, frame) for alternative in ask.alternatives]
        notes = self._assembler.notes
        if notes is None:

            def record(S: Cells, seat: int, answer: Answer) -> int:
                if not answer:
                    return DECLINED
                chosen: int = answer[0]
                writers[chosen](S, answer[1])
                return chosen

            return record
        emit = notes.emit
        nothing = does_nothing(ask)
        known = self._known(ask)

        def record_and_note(S: Cells, seat: int, answer: Answer) -> int:
            emit(Answered(ask, seat, answer, nothing(answer), sealed, known(S, answer)))
            if not answer:
                return DECLINED
            chosen: int = answer[0]
            writers[chosen](S, answer[1])
            return chosen

        return record_and_note

    def _writer(self, alternative: Alternative, frame: Frame) -> Callable[[Cells, tuple[Any, ...]], None]:
        writings = [
            (number, self._writing(part.pick, frame.offsets))
            for number, part in enumerate(alternative.parts)
            if isinstance(part.pick, PickWriting)
        ]
        if isinstance(frame.offsets, Locals):
            R = self._assembler.evaluator.registers
            registers = [frame.offsets.registers[part.cell.id] for part in alternative.parts]

            def write_locals(S: Cells, parts: tuple[Any, ...]) -> None:
                for register, value in zip(registers, parts, strict=True):
                    R[register] = value
                for number, put in writings:
                    put(S, parts[number])

            return write_locals
        offsets = [frame.offsets[part.cell.id] for part in alternative.parts]
        if len(offsets) == 1 and not writings:
            only = offsets[0]

            def write_one(S: Cells, parts: tuple[Any, ...]) -> None:
                S[S[FP] + only] = parts[0]

            return write_one

        def write(S: Cells, parts: tuple[Any, ...]) -> None:
            base = S[FP]
            for offset, value in zip(offsets, parts, strict=True):
                S[base + offset] = value
            for number, put in writings:
                put(S, parts[number])

        return write

    def _writing(self, pick: PickWriting, frame: Mapping[int, int]) -> Callable[[Cells, tuple[Any, ...]], None]:
        """Puts written values onto the cards, one for each in their order; none where a card was not chosen."""
        assembler = self._assembler
        cards = assembler.evaluator.term(pick.cards, frame)
        walk = walker(pick.cards.type)
        base = assembler.layout.fields[pick.kind, pick.field]
        notes = assembler.notes

        def put(S: Cells, values: tuple[Any, ...]) -> None:
            for card, value in zip(walk(cards(S)), values, strict=True):
                if value == NONE:
                    continue
                if notes is not None and S[base + card] != value:
                    notes.written(S, pick.kind, card, pick.field, value)
                S[base + card] = value

        return put

    def _known(self, ask: Ask) -> Callable[[Cells, Answer], tuple[tuple[int, ...], ...]]:
        """By seat and part, which of the chosen cards the seat may know; for parts that are no cards, nothing."""
        notes = self._assembler.notes
        assert notes is not None
        seats = range(self._assembler.layout.seats)
        readers = [
            [
                (kind_of(part.cell.type), as_set(part.cell.type))
                if not isinstance(part.pick, PickWriting)
                else (None, as_set(part.cell.type))
                for part in alternative.parts
            ]
            for alternative in ask.alternatives
        ]

        without_cards = [
            tuple((0,) * len(parts) for _ in seats) if all(kind is None for kind, _ in parts) else None
            for parts in readers
        ]

        def known(S: Cells, answer: Answer) -> tuple[tuple[int, ...], ...]:
            if not answer:
                return tuple(() for _ in seats)
            nothing = without_cards[answer[0]]
            if nothing is not None:
                return nothing
            parts = list(zip(readers[answer[0]], answer[1], strict=True))
            return tuple(
                tuple(
                    0 if kind is None else notes.knowledge.knows(S, kind, seat) & to_set(value)
                    for (kind, to_set), value in parts
                )
                for seat in seats
            )

        return known


def does_nothing(ask: Ask) -> Callable[[Answer], bool]:
    """Whether an answer declines, or chooses nothing at all. Nobody may tell it from not being asked."""
    can_be_empty = [
        bool(alternative.parts) and all(_can_be_empty(part.pick) for part in alternative.parts)
        for alternative in ask.alternatives
    ]

    def nothing(answer: Answer) -> bool:
        return not answer or (can_be_empty[answer[0]] and all(value in _NOTHING for value in answer[1]))

    return nothing


def _can_be_empty(pick: object) -> bool:
    match pick:
        case PickMembers():
            return not pick.single
        case PickOrder() | PickWriting():
            return True
        case _:
            return False
