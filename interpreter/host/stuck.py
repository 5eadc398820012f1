"""Looking for a position in which somebody has to answer and no answer is legal.

Matches are played from their beginning, so that what is found can come about, and can be played again from its record.
Every second one is steered: of a few answers the one is taken after which the next decision leaves least. The same
program always gives the same answer, since the effort is bounded by matches and decisions, never by time.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice

from rulesdsl.ir.nodes import Ask, Call, Program, Var, ZoneCards
from rulesdsl.ir.walk import terms_of

from ..run.machine import Machine
from ..run.rng import Generator
from ..sight.faces import Json
from ..state.cells import State
from ..state.errors import MatchError
from .decision import Refusal, Whole
from .match import Match
from .record import Record
from .table import table_for
from .wording import Answer

MATCHES = 200
"""So many matches are played, unless one is stuck before."""

DECISIONS = 20_000
"""So many decisions are made in all of them together."""

TRIES = 3
"""So many answers a steered match compares."""

MOST_TOLD = 12
"""Of so many answers a position tells why they are refused."""


@dataclass(frozen=True, slots=True)
class Stuck:
    """A position without a legal answer.

    `ask` is what `seat` has to decide; `zones` and `states` are what the decision goes by, as that seat knows them;
    `refused` are the answers that could be thought of, each with what speaks against it; `unwritable` tells which
    numbers there is no way to write. The record leads to it.
    """

    ask: Ask
    seat: int
    zones: tuple[tuple[str, tuple[str, ...]], ...]
    states: tuple[tuple[str, Json], ...]
    refused: tuple[tuple[str, tuple[Refusal, ...]], ...]
    unwritable: tuple[str, ...]
    record: Record

    def lines(self) -> tuple[str, ...]:
        """The position in words."""
        record = self.record
        count = len(record.answers)
        way = "before anybody answers" if not count else f"after {count} answer{'s' if count > 1 else ''}"
        told = [
            f"player {self.seat} has no answer to {self.ask.path}: {record.players} players, seed {record.seed}, {way}"
        ]
        told += [f"{name}: {', '.join(cards)}" for name, cards in self.zones]
        told += [f"{name}: {_text(value)}" for name, value in self.states]
        told += [f"no way to write {text}" for text in self.unwritable]
        for answer, refusals in self.refused:
            told.append(f"{answer}: refused by {', '.join(dict.fromkeys(_told(refusal) for refusal in refusals))}")
        if not self.refused and not self.unwritable:
            told.append("there is nothing to choose from")
        return tuple(told)

    def as_data(self) -> dict[str, object]:
        """The position for JSON, with the record that leads to it."""
        return {
            "seat": self.seat,
            "decision": self.ask.path,
            "players": self.record.players,
            "seed": self.record.seed,
            "zones": {name: list(cards) for name, cards in self.zones},
            "state": dict(self.states),
            "refused": {
                answer: [{"rule": r.rule, "kind": r.kind, "place": r.place, "by": r.by} for r in refusals]
                for answer, refusals in self.refused
            },
            "unwritable": list(self.unwritable),
            "record": self.record.as_data(),
        }


@dataclass(frozen=True, slots=True)
class Searched:
    """What a search came to: a position, if there was one in so many matches."""

    position: Stuck | None
    matches: int


def find_stuck(program: Program, *, matches: int = MATCHES, decisions: int = DECISIONS) -> Searched:
    """Plays matches until somebody has no legal answer; every number of players has its turn."""
    low, high = program.players
    numbers = range(low, high + 1)
    left = decisions
    for number in range(matches):
        if left <= 0:
            return Searched(None, number)
        players = numbers[number % len(numbers)]
        path = _Path(program, players, number, steered=bool(number // len(numbers) % 2))
        if path.play(left):
            return Searched(_position(program, players, number, path.answers), number + 1)
        left -= path.decisions
    return Searched(None, matches)


class _Path:
    """One match, played by chance, and what was answered in it."""

    def __init__(self, program: Program, players: int, seed: int, *, steered: bool) -> None:
        self._machine: Machine = table_for(program, players).machine.silent()
        self._state: State = self._machine.start(seed)
        self._generator = Generator.seeded(~seed)
        self._steered = steered
        self.answers: list[tuple[int, Answer]] = []
        self.decisions = 0

    def play(self, most: int) -> bool:
        """Plays to the end, or until so many decisions were made; whether somebody had no legal answer."""
        machine = self._machine
        machine.advance(self._state)
        while self.decisions < most and (waiting := machine.pending(self._state)):
            seat = waiting[0]
            try:
                found = self._sampled(seat)
            except MatchError:
                return False  # too many answers to go through: how that is reported is the match's own affair
            answer, self._state = (
                self._least(seat, found) if len(found) > 1 else (found[0], self._after(seat, found[0]))
            )
            self.answers.append((seat, answer))
        return machine.unanswered(self._state) is not None

    def _sampled(self, seat: int) -> list[Answer]:
        question, own = self._machine.question(self._state, seat)
        draws = TRIES if self._steered else 1
        return list(dict.fromkeys(question.sample(own, seat, self._generator.bounded) for _ in range(draws)))

    def _after(self, seat: int, answer: Answer) -> State:
        """The next decision, or the end, on a state of its own."""
        self.decisions += 1
        after = self._state.copy()
        self._machine.apply(after, seat, answer)
        self._machine.advance(after)
        return after

    def _least(self, seat: int, answers: list[Answer]) -> tuple[Answer, State]:
        """Of some answers the one after which fewest are legal."""
        tried = [(answer, self._after(seat, answer)) for answer in answers]
        return min(tried, key=lambda one: self._freedom(one[1]))

    def _freedom(self, state: State) -> float:
        """How many answers the next decision leaves; the end of a match is no way to go on."""
        waiting = self._machine.pending(state)
        if not waiting:
            return -1 if self._machine.unanswered(state) is not None else float("inf")
        question, own = self._machine.question(state, waiting[0])
        try:
            return question.count(own, waiting[0])
        except MatchError:
            return float("inf")  # too many to be compared


# ── what is told of a position ───────────────────────────────────────────────────────────────────────────────────


def _position(program: Program, players: int, seed: int, answers: list[tuple[int, Answer]]) -> Stuck:
    """The end of a match that was played, with all that is known of it."""
    match = Match(program, players=players, seed=seed)
    for seat, answer in answers:
        match.choose(Whole("", answer), seat)
    decision = match.unanswered
    assert decision is not None, "the same answers lead to the same place"
    view = match.view(decision.player)
    names = _named(program, decision.ask)
    refused = [(str(whole), refusals) for whole, refusals in islice(decision.refused(), MOST_TOLD)]
    return Stuck(
        ask=decision.ask,
        seat=decision.player,
        zones=tuple(_zones(view["zones"], names)),
        states=tuple((name, value) for name, value in view["state"].items() if name in names),
        refused=tuple(refused),
        unwritable=decision.unwritable(),
        record=match.record(),
    )


def _named(program: Program, ask: Ask) -> frozenset[str]:
    """The zones and states that a decision goes by, through the rules it uses."""
    rules = {rule.id: rule.body for rule in program.rules}
    legalities = {legality.id: legality for legality in program.legalities}
    found: set[str] = set()
    seen: set[str] = set()
    waiting: list[object] = [(one.parts, one.under, one.where) for one in ask.alternatives]
    waiting += [legalities[one.under.legality] for one in ask.alternatives if one.under is not None]
    while waiting:
        for term in terms_of(waiting.pop()):
            match term:
                case Var():
                    found.add(term.name)
                case ZoneCards():
                    found.add(term.zone)
                case Call() if term.rule not in seen and term.rule in rules:
                    seen.add(term.rule)
                    waiting.append(rules[term.rule])
                case _:
                    pass
    return frozenset(found)


def _zones(zones: Sequence[Mapping[str, Json]], names: frozenset[str]) -> Iterator[tuple[str, tuple[str, ...]]]:
    """The zones a decision goes by in which the seat knows some card."""
    for zone in zones:
        plays = zone.get("plays")
        held = (
            zone.get("cards", []) if not isinstance(plays, list) else [p["cards"] for p in plays if isinstance(p, dict)]
        )
        name = str(zone["zone"])
        assert isinstance(held, list)
        cards = tuple(_text(card) for card in held if card is not None)
        if name.partition(" ")[0] in names and cards:
            hidden = zone.get("hidden") or 0
            yield name, (*cards, *([f"{hidden} hidden"] if hidden else []))


def _text(value: Json) -> str:
    """A value of a view in one line."""
    match value:
        case None:
            return "none"
        case bool():
            return "yes" if value else "no"
        case list():
            return ", ".join(_text(item) for item in value)
        case {"card": card, **rest}:
            fields = rest.get("fields")
            written = [_text(item) for item in fields.values()] if isinstance(fields, dict) else []
            return " ".join([_text(card), *written])
        case dict():
            return ", ".join(f"{name} {_text(item)}" for name, item in value.items())
        case _:
            return str(value)


def _told(refusal: Refusal) -> str:
    """A reason against an answer, with where it stands."""
    return f"`{refusal.rule}`" + (f" ({refusal.place})" if refusal.place else "")
