"""A match as a host plays it: who is asked, what they may answer, what happened, how it ends.

    match = Match(game, players=4, seed=7)
    while not match.finished:
        decision = match.decision
        match.choose(decision.options[0])
    print(match.result)

Everything can be taken back (`undo`), copied, and written down (`record`) to be played again (`replay`).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from rulesdsl.ir.nodes import Option as ProgramOption
from rulesdsl.ir.nodes import Program
from rulesdsl.types import YesNo

from ..run.rng import Generator
from ..scenario.scripting import alike_cards, scripted_outcomes
from ..sight.event import Event
from ..state.cells import GENERATOR, RUNNING, STATUS, State
from ..state.errors import MatchError
from .bots import Bot
from .decision import Decision, IllegalChoice, Option, Refusal, Whole
from .plain import Plain, shown
from .record import Answered, Record, RecordError
from .standing import Result, Score
from .table import Chooser, below, known_program, table_for
from .wording import Answer

Choice = Option | Whole | Plain
"""What a host may answer: an option, its text, a whole answer, or one as people write it."""


@dataclass(frozen=True, slots=True)
class _Moment:
    """The match before a choice: all cells, how many events there had been, and what was chosen by whom.

    `answer` is None where the choice was one step of an answer; `atom` is that step then.
    """

    state: tuple[Any, ...]
    events: int
    player: int
    answer: Answer | None
    atom: Any = None


class Match:
    """One match. A `Match` made from a program and a seed is always the same one."""

    def __init__(
        self,
        game: Program,
        *,
        players: int | None = None,
        seed: int = 0,
        chance: Mapping[str, Plain] | None = None,
    ) -> None:
        seats = game.players[0] if players is None else players
        if not game.players[0] <= seats <= game.players[1]:
            low, high = game.players
            raise ValueError(f"{game.name} is for {low} to {high} players, not for {seats}")
        self.seed = seed
        self.chance: Mapping[str, Plain] = dict(chance or {})
        table = table_for(game, seats)
        if self.chance:
            table = table.scripted(scripted_outcomes(table, self.chance), alike_cards(table))
        self._table = table
        self._state: State = table.machine.start(seed)
        self._past: list[_Moment] = []
        self._events: list[Event] = []
        self._advance()

    def _advance(self) -> None:
        machine = self._table.machine
        machine.advance(self._state)
        self._events.extend(machine.take_events())

    # ── how it stands ────────────────────────────────────────────────────────────────────────────────────────────

    @property
    def game(self) -> Program:
        """The program that is played."""
        return self._table.program

    @property
    def players(self) -> int:
        """How many play."""
        return self._table.seats

    @property
    def finished(self) -> bool:
        """Whether the match is over, in whatever way."""
        return bool(self._state[STATUS] != RUNNING)

    @property
    def result(self) -> Result:
        """How the match ended; of one that still runs, that it does."""
        return self._table.result(self._state)

    @property
    def scores(self) -> tuple[Score, ...]:
        """The scores as they stand; nothing while they can't be worked out, and in a game without any."""
        try:
            return self._table.standing.scores(self._state)
        except MatchError:
            return ()

    @property
    def pending(self) -> tuple[Decision, ...]:
        """What is being decided: one decision, or those of all who decide at once and have not answered yet."""
        return tuple(self._decision(seat) for seat in self._table.machine.pending(self._state))

    @property
    def decision(self) -> Decision:
        """The first pending decision.

        Raises:
            LookupError: if the match is over.
        """
        waiting = self._table.machine.pending(self._state)
        if not waiting:
            raise LookupError("the match is over: nobody has to decide anything")
        return self._decision(waiting[0])

    @property
    def unanswered(self) -> Decision | None:
        """The decision that broke the match off because no answer to it is legal; None if nothing of the kind did."""
        found = self._table.machine.unanswered(self._state)
        if found is None:
            return None
        question, seat = found
        return Decision(self._table, question, self._state.copy(), seat, ())

    def decision_of(self, player: int) -> Decision | None:
        """What a player has to decide now, if anything."""
        return self._decision(player) if player in self._table.machine.pending(self._state) else None

    def _decision(self, seat: int) -> Decision:
        machine = self._table.machine
        question, own = machine.question(self._state, seat)
        return Decision(self._table, question, own.copy(), seat, machine.prefix(self._state, seat))

    # ── choosing ─────────────────────────────────────────────────────────────────────────────────────────────────

    def choose(self, choice: Choice, player: int | None = None) -> None:
        """Answers for a player (the first one that is asked, if none is named) and goes on.

        Raises:
            IllegalChoice: if it is not allowed; nothing has changed then.
            LookupError: if that player is not asked anything.
        """
        decision = self.decision if player is None else self.decision_of(player)
        if decision is None:
            raise LookupError(f"player {player} is not asked anything")
        if isinstance(choice, str):
            option = decision.option(choice)
            if option is not None:
                choice = option
        if isinstance(choice, Option):
            self._step(decision, choice)
            return
        found = decision.read(choice)
        if isinstance(found, tuple):
            raise IllegalChoice(str(choice) if isinstance(choice, Whole) else shown(choice), found)
        self._answer(decision.player, found.answer)

    def _step(self, decision: Decision, option: Option) -> None:
        if option not in decision.options:
            refused = Refusal(decision.name, "reading", "this is not offered now", None, None)
            raise IllegalChoice(option.text, (refused,))
        if option.answer is not None:
            self._answer(decision.player, option.answer)
            return
        machine = self._table.machine
        self._remember(decision.player, None, option.atom)
        machine.extend(self._state, decision.player, option.atom)
        self._advance()

    def _answer(self, seat: int, answer: Answer) -> None:
        self._remember(seat, answer)
        self._table.machine.apply(self._state, seat, answer)
        self._advance()

    def _remember(self, seat: int, answer: Answer | None, atom: Any = None) -> None:
        self._past.append(_Moment(tuple(self._state), len(self._events), seat, answer, atom))

    def choose_random(self, rng: Chooser) -> None:
        """Answers for the first player that is asked, each whole answer as likely as any other.

        Where the answers can't be worked out, the match ends with that error.
        """
        machine = self._table.machine
        seat = machine.pending(self._state)[0]
        question, own = machine.question(self._state, seat)
        try:
            answer = question.sample(own, seat, below(rng))
        except MatchError as error:
            self.break_off(error)
            return
        self._answer(seat, answer)

    def break_off(self, error: MatchError) -> None:
        """Ends the match with an error, for a host that was told of it by a decision."""
        self._table.machine.fail(self._state, error)
        self._events.extend(self._table.machine.take_events())

    def choose_by(self, bot: Bot, player: int | None = None) -> Whole:
        """Lets a bot answer for a player (the first one that is asked, if none is named), and says what it chose."""
        decision = self.decision if player is None else self.decision_of(player)
        if decision is None:
            raise LookupError(f"player {player} is not asked anything")
        whole = decision.whole(bot.answer(self._table, self._state, decision.player))
        self._answer(decision.player, whole.answer)
        return whole

    def why_not(self, answer: Plain, player: int | None = None) -> tuple[Refusal, ...]:
        """The rules that forbid an answer; nothing, if it is allowed.

        Raises:
            LookupError: if that player is not asked anything.
        """
        decision = self.decision if player is None else self.decision_of(player)
        if decision is None:
            raise LookupError(f"player {player} is not asked anything")
        return decision.why_not(answer)

    # ── what players get to see ──────────────────────────────────────────────────────────────────────────────────

    def text_of(self, card: str) -> tuple[str, ...]:
        """What a card that a file lists does, in words: a line for each of its powers; by its id or its name.

        Raises:
            KeyError: if no file lists such a card.
        """
        rows = self.game.rows_called(card)
        if not rows:
            raise KeyError(card)
        return rows[0].text

    def view(self, player: int) -> dict[str, Any]:
        """Exactly what a player knows, for JSON."""
        asked = self._table.machine.asked(self._state)
        return self._table.view(self._state, player, None if asked is None else asked.name)

    @property
    def events(self) -> tuple[Event, ...]:
        """What has happened. An event holds everything; `events_for` gives what one player is told."""
        return tuple(self._events)

    def events_for(self, player: int | None, since: int = 0) -> list[dict[str, Any]]:
        """What a player was told, for JSON, from the event of a number on; without a player, everything."""
        table = self._table
        told = (table.told_all(e) if player is None else table.told(e, player) for e in self._events[since:])
        return [event for event in told if event]

    # ── copying, taking back, writing down ───────────────────────────────────────────────────────────────────────

    def copy(self, seed: int | None = None) -> Match:
        """An independent match at the same point. With a seed, chance goes another way from here: a search that kept
        the match's own chance would foresee.
        """
        twin = Match.__new__(Match)
        twin.seed, twin.chance, twin._table = self.seed, self.chance, self._table
        twin._state, twin._past, twin._events = self._state.copy(), self._past.copy(), self._events.copy()
        if seed is not None:
            words = twin._state[GENERATOR]
            assert isinstance(words, tuple)
            saved = Generator.seeded(seed).saved()
            twin._state[GENERATOR] = (*saved, *words[len(saved) :])
        return twin

    def undo(self) -> None:
        """Takes the last choice back.

        Raises:
            LookupError: if there was none.
        """
        if not self._past:
            raise LookupError("there is nothing to take back")
        moment = self._past.pop()
        self._state = list(moment.state)
        del self._events[moment.events :]

    @property
    def choices(self) -> int:
        """How many choices were made; so many can be taken back."""
        return len(self._past)

    def digest(self) -> str:
        """A short text that differs for states that differ in anything that matters."""
        return self._digest_of(self._state)

    def _digest_of(self, state: State) -> str:
        machine = self._table.machine
        asked = machine.asked(state)
        waiting = [] if asked is None else [(asked.path, seat) for seat in machine.pending(state)]
        return self._table.describer.digest(state, waiting)

    def record(self) -> Record:
        """The match written down."""
        game = self.game
        return Record(
            game=game.name,
            program=self._table.hash,
            files=tuple((stamp.name, stamp.digest) for stamp in game.files),
            options=tuple((option.name, self._option_text(option)) for option in game.options),
            modifiers=game.modifiers,
            players=self.players,
            seed=self.seed,
            chance=self.chance,
            answers=tuple(self._answers()),
        )

    def _option_text(self, option: ProgramOption) -> str:
        """The setting as a rule file and `load` take it."""
        if isinstance(option.type, YesNo):
            return "true" if option.value else "false"
        return self._table.namer.text(option.type, option.value)

    def _answers(self) -> Iterator[Answered]:
        machine, wording = self._table.machine, self._table.wording
        states = [list(moment.state) for moment in self._past] + [self._state]
        for moment, state, after in zip(self._past, states, states[1:], strict=False):
            question, own = machine.question(state, moment.player)
            answer = moment.answer
            if answer is None:
                prefix = (*machine.prefix(state, moment.player), moment.atom)
                answer = question.complete(own, moment.player, prefix)
                if answer is None:
                    continue
            text = wording.answer(question.ask, answer, own, exact=True)
            yield Answered(moment.player, question.ask.path, text, self._digest_of(after))

    def __eq__(self, other: object) -> bool:
        """Whether the same game was played the same way to the same point."""
        return self.record() == other.record() if isinstance(other, Match) else NotImplemented

    __hash__ = None  # type: ignore[assignment]  # a match changes


def replay(record: Record | Mapping[str, object], game: Program | None = None, to: int | None = None) -> Match:
    """Plays a recorded match again, all of it or the first `to` answers, and checks every step.

    A record that was made in this process knows its game; for others `game` is needed.

    Raises:
        RecordError: if the record is of another format, game or rules, or does not come out the same.
    """
    read = record if isinstance(record, Record) else Record.from_data(record)
    program = game or known_program(read.program)
    if program is None:
        raise RecordError(f"which game is this? load '{read.game}' and pass it on")
    read.check_game(program)
    match = Match(program, players=read.players, seed=read.seed, chance=read.chance)
    for number, answered in enumerate(read.answers[:to], 1):
        decision = match.decision_of(answered.seat)
        if decision is None or decision.ask.path != answered.decision:
            raise RecordError(f"answer {number}: player {answered.seat} is not asked for `{answered.decision}` here")
        try:
            found = decision.read(answered.answer)
            if isinstance(found, tuple):
                raise IllegalChoice(shown(answered.answer), found)
            match.choose(found, answered.seat)
        except IllegalChoice as refused:
            raise RecordError(f"answer {number}: {refused}") from refused
        if match.digest() != answered.digest:
            raise RecordError(f"answer {number} led to another state than it did when the match was recorded")
    return match
