"""Runs a program: to the next decision or to the end, on a state that is nothing but a list of cells.

A machine holds no match. It may run any number of them in turn; each is a state, and a copy of the list is a copy of
the match. A machine that observes keeps what the seats know and hands out events; one that doesn't is for simulations,
takes the same steps and is much faster.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cached_property
from typing import NamedTuple

from rulesdsl.diagnostic import InternalError
from rulesdsl.ir.nodes import Ask, Program, Value
from rulesdsl.source import Source, Span
from rulesdsl.types import NONE

from ..decide.choices import Question
from ..decide.parts import Luck
from ..evaluate.program_nodes import sources_of
from ..evaluate.terms import Evaluator
from ..evaluate.watching import Watch
from ..sight.event import Began, Ended, Event
from ..sight.knowledge import Knowledge
from ..sight.notes import Notes
from ..state.cells import ERROR, FINISHED, FP, GENERATOR, LIMIT, PC, PENDING, RUNNING, STATUS, WHY
from ..state.errors import MatchError, NoAnswer
from ..state.layout import Layout
from ..state.limits import LimitReached
from . import entering
from .asking import Answer
from .assemble import Assembler
from .assembly import AskPoint, Assembly, Trace
from .chance import Chance, Seeded
from .code import Cells, Instruction
from .frames import push
from .moves import Mover
from .pending import ANSWERED, OPEN, SEAT, STATE, is_open, open_entry, replace_entry


class Reason(NamedTuple):
    """Why a match ended otherwise than by its rules, and at what place of a rule file."""

    message: str
    span: Span | None


class Machine:
    """One program for one number of seats, ready to run."""

    def __init__(
        self,
        program: Program,
        seats: int,
        *,
        chance: Chance | None = None,
        observe: bool = True,
        optimise: bool = True,
        trace: Trace | None = None,
        watch: Watch | None = None,
        like: Machine | None = None,
    ) -> None:
        self.program = program
        self.layout: Layout = Layout(program, seats) if like is None else like.layout
        self.evaluator: Evaluator = (
            Evaluator(program, self.layout, optimise=optimise and watch is None, watch=watch)
            if like is None
            else like.evaluator
        )
        self.knowledge = Knowledge(self.layout)
        self.chance: Chance = Seeded() if chance is None else chance
        self.events: list[Event] = []
        """What has happened since they were taken last; only an observing machine adds to it."""
        self._observe = observe
        self._silent: Machine | None = None
        self._trace = trace
        self._notes = Notes(self.layout, self.knowledge, self._emit) if observe else None
        self._assembly = self._assembled(self._notes, None)
        self._drawing: list[Instruction] | None = None
        self._luck = Luck()
        self._movers = {kind.name: Mover(self.layout, kind.name, None) for kind in program.kinds}

    def _assembled(self, notes: Notes | None, luck: Luck | None) -> Assembly:
        return Assembler(self.layout, self.evaluator, lambda: self.chance, notes, luck, self._trace).assemble()

    def _emit(self, event: Event) -> None:
        self.events.append(event)

    def silent(self) -> Machine:
        """A machine for the same states that observes nothing; what it plays must not be observed afterwards."""
        if not self._observe:
            return self
        if self._silent is None:
            seats = self.layout.seats
            self._silent = Machine(self.program, seats, chance=self.chance, observe=False, like=self)
        return self._silent

    # ── beginning ──────────────────────────────────────────────────────────────────────────────────────────────────

    def blank(self, seed: int = 0) -> Cells:
        """A state in which nothing has happened, to be set up and entered somewhere."""
        S: Cells = self.layout.initial()
        S[GENERATOR] = self.chance.start(seed)
        return S

    def start(self, seed: int = 0) -> Cells:
        """A match before its first step."""
        S = self.blank(seed)
        push(S, self._assembly.frames[0].blank, self._assembly.end, ())
        S[PC] = self._assembly.begin
        self._began(S)
        return S

    def put(self, S: Cells, kind: str, cards: tuple[int, ...], place: int) -> None:
        """Sets up a match: cards lie at a place, at the end of it if it has an order."""
        self._movers[kind].move(S, cards, place, at_bottom=False, span=None)

    def put_play(self, S: Cells, zone: int, player: int, cards: tuple[int, ...], fields: tuple[Value, ...]) -> None:
        """Sets up a match: cards lie in a zone as a play of a seat."""
        self._movers[self.layout.zones[zone].kind].play(S, cards, zone, player, fields)

    def enter(self, S: Cells, path: str) -> None:
        """A match that was set up stands at a phase, a procedure or a decision; seats know what they see.

        Raises:
            UnknownAnchor: if no such place can be reached.
            MatchError: if a value that is needed to get there is missing.
        """
        entering.enter(self._assembly, S, self.layout.stack, path)
        self.knowledge.settle(S)
        self._began(S)

    @property
    def anchors(self) -> list[str]:
        """The names and paths that `enter` knows."""
        return entering.names(self._assembly)

    def _began(self, S: Cells) -> None:
        if self._observe:
            self._emit(Began(tuple(S[: self.layout.stack])))

    # ── going on ───────────────────────────────────────────────────────────────────────────────────────────────────

    def advance(self, S: Cells) -> None:
        """Goes on to the next decision or the end; does nothing while somebody has to answer."""
        if S[STATUS] == RUNNING and not is_open(S):
            self._run(S, self._assembly.code)

    def playout(self, S: Cells, below: Callable[[int], int]) -> None:
        """Plays to the end. Every decision is drawn among the whole answers, each as likely as any other.

        `below` gives a number from 0 on below the given one.
        """
        for entry in S[PENDING]:
            if entry[STATE] == OPEN:
                question, seen = self.question(S, entry[SEAT])
                self.apply(S, entry[SEAT], question.sample(seen, entry[SEAT], below))
        if self._drawing is None:
            self._drawing = self._assembled(self._notes, self._luck).code
        if S[STATUS] == RUNNING:
            self._luck.below = below
            self._run(S, self._drawing)

    def _run(self, S: Cells, code: list[Instruction]) -> None:
        pc: int = S[PC]
        try:
            while pc >= 0:
                pc = code[pc](S)
        except LimitReached as reached:
            self._stop(S, LIMIT, pc, reached)
        except MatchError as error:
            self._stop(S, ERROR, pc, error)
        if S[STATUS] == FINISHED:
            del S[self.layout.stack :]
            S[FP] = 0
        if self._observe and S[STATUS] != RUNNING:
            why = self.why(S)
            self._emit(Ended(S[STATUS], "" if why is None else why.message))

    @cached_property
    def _files(self) -> dict[str, Source]:
        """The rule files that can be at fault, by name, in the order of their names."""
        return dict(sorted(sources_of(self.program).items()))

    def _stop(self, S: Cells, status: int, pc: int, error: MatchError) -> None:
        """The match breaks off. Texts are kept as numbers, like everything in a state."""
        span = error.span or self._assembly.spans[pc]
        place = (-1, 0, 0)
        if span is not None:
            place = (list(self._files).index(span.source.name), span.start, span.end)
        S[PC] = pc
        S[PENDING] = ()
        S[STATUS] = status
        S[WHY] = (*place, *map(ord, error.message))

    def why(self, S: Cells) -> Reason | None:
        """What broke a match off, if something did."""
        if S[STATUS] not in (LIMIT, ERROR):
            return None
        number, start, end, *letters = S[WHY]
        span = None
        if number >= 0:
            span = Span(list(self._files.values())[number], start, end)
        return Reason("".join(map(chr, letters)), span)

    def unanswered(self, S: Cells) -> tuple[Question, int] | None:
        """What was asked of whom when the match broke off for want of a legal answer; the state is as for that seat.

        None if it did not break off, or for another reason.
        """
        # The instruction that asks stands before the one that takes the answers.
        point = self._assembly.points.get(S[PC] + 1) if S[STATUS] == ERROR else None
        if point is None or (seat := point.by(S)) == NONE:
            return None
        try:
            point.question.null(S, seat)
        except NoAnswer:
            return point.question, seat
        except MatchError:
            return None  # what can't be worked out is no lack of answers
        return None

    # ── decisions ──────────────────────────────────────────────────────────────────────────────────────────────────

    def pending(self, S: Cells) -> list[int]:
        """The seats that are asked and have not answered, in the order of those who act together."""
        return [entry[SEAT] for entry in S[PENDING] if entry[STATE] == OPEN]

    def asked(self, S: Cells) -> Ask | None:
        """The decision that is open."""
        return self._point(S).ask if is_open(S) else None

    def _point(self, S: Cells) -> AskPoint:
        return self._assembly.points[S[PC]]

    def question(self, S: Cells, seat: int) -> tuple[Question, Cells]:
        """What a seat is asked, and the state as it is for that seat; the question is to be put on that."""
        entry = open_entry(S, seat)
        if entry is None:
            raise InternalError(f"seat {seat} is not asked anything")
        point = self._point(S)
        if point.copies is None:
            return point.question, S
        own = S.copy()
        point.copies.load(own, entry.member)
        return point.question, own

    def prefix(self, S: Cells, seat: int) -> Answer:
        """What a seat has chosen so far of its answer."""
        entry = open_entry(S, seat)
        return () if entry is None else entry.data

    def extend(self, S: Cells, seat: int, atom: Value) -> None:
        """A seat chooses one step of its answer; with the last one it has answered."""
        question, own = self.question(S, seat)
        prefix = (*self.prefix(S, seat), atom)
        answer = question.complete(own, seat, prefix)
        if answer is None:
            replace_entry(S, seat, OPEN, prefix)
        else:
            replace_entry(S, seat, ANSWERED, answer)

    def fail(self, S: Cells, error: MatchError) -> None:
        """What a seat is asked can't be worked out: the match breaks off."""
        self._stop(S, ERROR, S[PC], error)
        if self._observe:
            self._emit(Ended(ERROR, error.message))

    def apply(self, S: Cells, seat: int, answer: Answer) -> None:
        """A seat answers. Whether it may answer so is the caller's to know; the match goes on by `advance`."""
        if open_entry(S, seat) is None:
            raise InternalError(f"seat {seat} is not asked anything")
        replace_entry(S, seat, ANSWERED, answer)

    def take_events(self) -> list[Event]:
        """What has happened since the last time."""
        taken, self.events = self.events, []
        return taken
