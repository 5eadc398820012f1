"""Seats that play by themselves: one at random, and one that is greedy as far as it can see.

A bot answers from what its seat knows. The greedy one never looks at the real cards of others: it works on guesses, in
which everything hidden was dealt out anew (`guess.py`).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

from ..decide.choices import Question
from ..run.machine import Machine
from ..run.rng import Generator
from ..sight.guess import guessed
from ..state.cells import ERROR, FINISHED, STATUS, State
from ..state.errors import MatchError
from .table import Table
from .wording import Answer


class Bot(Protocol):
    """Answers for a seat."""

    def answer(self, table: Table, state: State, seat: int) -> Answer:
        """A legal answer to what the seat is asked; the state is left as it is."""
        ...


class UnknownBot(ValueError):
    """There is no bot of this name, or it can't be set so."""


@dataclass(frozen=True, slots=True)
class Look:
    """How far the greedy bot looks: at so many answers (drawn at random, if there are more), on so many guesses each.

    It looks `horizon` decisions ahead at most.
    """

    candidates: int = 12
    guesses: int = 4
    horizon: int = 60


_LEAST = {"candidates": 2, "guesses": 1, "horizon": 0}


def bot_named(name: str, seed: int) -> Bot:
    """A bot with chance of its own: `random`, `greedy`, or `greedy:horizon=5,guesses=1` with other values of `Look`.

    Raises:
        UnknownBot: if there is no such bot.
    """
    sort, colon, settings = name.partition(":")
    match sort:
        case "random" if not colon:
            return RandomBot(seed)
        case "greedy":
            return GreedyBot(seed, _look(name, settings) if colon else Look())
        case _:
            raise UnknownBot(f"there is no bot '{name}', only `random` and `greedy`")


def _look(name: str, settings: str) -> Look:
    given: dict[str, int] = {}
    for setting in settings.split(","):
        key, _, value = setting.partition("=")
        if key not in _LEAST or not (value.isascii() and value.isdecimal()) or int(value) < _LEAST[key]:
            known = ", ".join(f"{key}={least} or more" for key, least in _LEAST.items())
            raise UnknownBot(f"'{setting}' of the bot '{name}' should be one of {known}")
        given[key] = int(value)
    return Look(**given)


class RandomBot:
    """Takes any whole answer, each as likely as any other."""

    def __init__(self, seed: int) -> None:
        self._generator = Generator.seeded(seed)

    def answer(self, table: Table, state: State, seat: int) -> Answer:
        """One of the legal answers."""
        question, own = table.machine.question(state, seat)
        return question.sample(own, seat, self._generator.bounded)


MOST_LISTED = 500
"""So many answers are listed to draw some of them; of more, each is drawn by itself."""

WON = 1_000_000
"""What it is worth to have won where a game has no scores, and costs to have lost: more than any progress."""


class GreedyBot:
    """Takes the answer after which its score turns out best, if everybody goes on at random until scores move.

    In a game without scores it goes by what the game calls progress, and if there is nothing of the sort by who wins.
    """

    def __init__(self, seed: int, look: Look | None = None) -> None:
        self._generator = Generator.seeded(seed)
        self._look = Look() if look is None else look
        self._direction = 0

    def answer(self, table: Table, state: State, seat: int) -> Answer:
        """The best answer on the average of some guesses; among equals one at random."""
        question, own = table.machine.question(state, seat)
        forced = question.complete(own, seat, ())
        if forced is not None:
            return forced
        candidates = self._candidates(question, own, seat)
        if len(candidates) == 1:
            return candidates[0]
        worth = [0.0] * len(candidates)
        for _ in range(self._look.guesses):
            guess = guessed(table.layout, state, seat, self._generator)
            # All candidates meet the same luck, so that they differ by what they are.
            luck = self._generator.next_word()
            for number, candidate in enumerate(candidates):
                worth[number] += self._tried(table, guess.copy(), seat, candidate, Generator.seeded(luck))
        best = max(worth)
        return self._generator.draw([c for c, value in zip(candidates, worth, strict=True) if value == best])

    def _candidates(self, question: Question, own: State, seat: int) -> list[Answer]:
        most = self._look.candidates
        if question.count(own, seat) > MOST_LISTED:
            drawn = [question.sample(own, seat, self._generator.bounded) for _ in range(most)]
            return list(dict.fromkeys(drawn))
        answers = list(question.answers(own, seat))
        if len(answers) > most:
            self._generator.shuffle(answers)
        return answers[:most]

    def _tried(self, table: Table, guess: State, seat: int, answer: Answer, luck: Generator) -> float:
        """What an answer is worth on a guess."""
        machine = table.machine.silent()
        before = self._points(table, guess)
        machine.apply(guess, seat, answer)
        machine.advance(guess)
        for _ in range(self._look.horizon):
            waiting = machine.pending(guess)
            if not waiting or (waiting[0] == seat and self._points(table, guess) != before):
                break
            random_step(machine, guess, waiting[0], luck)
        return self._worth(table, guess, seat)

    def _points(self, table: Table, state: State) -> list[int]:
        """What the seats have: scores, or progress in a game without them."""
        standing = table.standing
        try:
            return standing.steps(state) if standing.keeps_scores else standing.progress(state)
        except MatchError:
            return []  # in the middle of things a game may have no scores yet

    def _worth(self, table: Table, state: State, seat: int) -> float:
        """How far the seat is ahead of its opponents on the average; without scores it is best to have won."""
        standing = table.standing
        if state[STATUS] == ERROR:
            return 0.0
        if state[STATUS] == FINISHED and not standing.keeps_scores:
            return WON if standing.winners(state) >> seat & 1 else -WON
        points = self._points(table, state)
        side = table.layout.seating.members[table.layout.seating.team_of[seat]]
        others = [number for number in range(len(points)) if not side >> number & 1]
        if not others:
            return 0.0
        ahead = points[seat] - sum(points[other] for other in others) / len(others)
        return ahead * self._good(table) if standing.keeps_scores else ahead

    def _good(self, table: Table) -> int:
        """Whether points are good (1) or bad (-1) to have, seen from how random matches end."""
        machine = table.machine.silent()
        tries = 0
        while self._direction == 0 and tries < 10:
            end = machine.start(tries)
            machine.playout(end, Generator.seeded(tries).bounded)
            if end[STATUS] != ERROR:
                self._direction = table.standing.direction(end)
            tries += 1
        self._direction = self._direction or 1
        return self._direction


def random_step(machine: Machine, state: State, seat: int, generator: Generator) -> None:
    """A seat answers at random, and the match goes on to the next decision, or ends if that can't be worked out."""
    question, own = machine.question(state, seat)
    try:
        answer = question.random_answer(own, seat, generator.bounded)
    except MatchError as error:
        machine.fail(state, error)
        return
    machine.apply(state, seat, answer)
    machine.advance(state)
