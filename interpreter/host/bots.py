"""Seats that play by themselves: one at random, and one that is greedy as far as it can see.

A bot answers from what its seat knows. The greedy one never looks at the real cards of others: it works on guesses, in
which everything hidden was dealt out anew (`guess.py`).
"""

from __future__ import annotations

from typing import Protocol

from rulesdsl.diagnostic import InternalError

from ..decide.choices import Question
from ..run.machine import Machine
from ..run.rng import Generator
from ..sight.guess import guessed
from ..state.cells import ERROR, STATUS, State
from ..state.errors import MatchError
from .table import Table
from .wording import Answer

NAMES = ("random", "greedy")
"""The bots that `bot_named` knows."""


class Bot(Protocol):
    """Answers for a seat."""

    def answer(self, table: Table, state: State, seat: int) -> Answer:
        """A legal answer to what the seat is asked; the state is left as it is."""
        ...


def bot_named(name: str, seed: int) -> Bot:
    """A bot with chance of its own."""
    match name:
        case "random":
            return RandomBot(seed)
        case "greedy":
            return GreedyBot(seed)
        case _:
            raise InternalError(f"there is no bot {name}")


class RandomBot:
    """Takes any whole answer, each as likely as any other."""

    def __init__(self, seed: int) -> None:
        self._generator = Generator.seeded(seed)

    def answer(self, table: Table, state: State, seat: int) -> Answer:
        """One of the legal answers."""
        question, own = table.machine.question(state, seat)
        return question.sample(own, seat, self._generator.bounded)


MOST_CANDIDATES = 12
"""Of more answers the greedy bot tries so many, drawn at random."""

GUESSES = 4
"""On so many guesses it tries each."""

HORIZON = 60
"""So many decisions it looks ahead at most."""


class GreedyBot:
    """Takes the answer after which its score turns out best, if everybody goes on at random until scores move."""

    def __init__(self, seed: int) -> None:
        self._generator = Generator.seeded(seed)
        self._direction = 0

    def answer(self, table: Table, state: State, seat: int) -> Answer:
        """The best answer on the average of some guesses; among equals one at random."""
        question, own = table.machine.question(state, seat)
        forced = question.complete(own, seat, ())
        if forced is not None:
            return forced
        candidates = self._candidates(question, own, seat)
        worth = [0.0] * len(candidates)
        for _ in range(GUESSES):
            guess = guessed(table.layout, state, seat, self._generator)
            # All candidates meet the same luck, so that they differ by what they are.
            luck = self._generator.next_word()
            for number, candidate in enumerate(candidates):
                worth[number] += self._tried(table, guess.copy(), seat, candidate, Generator.seeded(luck))
        best = max(worth)
        return self._generator.draw([c for c, value in zip(candidates, worth, strict=True) if value == best])

    def _candidates(self, question: Question, own: State, seat: int) -> list[Answer]:
        if question.count(own, seat) <= MOST_CANDIDATES:
            return list(question.answers(own, seat))
        drawn = [question.sample(own, seat, self._generator.bounded) for _ in range(MOST_CANDIDATES)]
        return list(dict.fromkeys(drawn))

    def _tried(self, table: Table, guess: State, seat: int, answer: Answer, luck: Generator) -> float:
        """What an answer is worth on a guess."""
        machine = table.machine.silent()
        before = self._scores(table, guess)
        machine.apply(guess, seat, answer)
        machine.advance(guess)
        for _ in range(HORIZON):
            waiting = machine.pending(guess)
            if not waiting or (waiting[0] == seat and self._scores(table, guess) != before):
                break
            random_step(machine, guess, waiting[0], luck)
        return self._worth(table, guess, seat)

    def _scores(self, table: Table, state: State) -> list[int]:
        try:
            return table.standing.steps(state)
        except MatchError:
            return []  # in the middle of things a game may have no scores yet

    def _worth(self, table: Table, state: State, seat: int) -> float:
        """How far the seat is ahead of the others on the average, or whether it wins if there are no scores."""
        if state[STATUS] == ERROR:
            return 0.0
        scores = self._scores(table, state)
        if len(scores) < 2:
            return float(table.standing.winners(state) >> seat & 1) if table.standing.keeps_scores is False else 0.0
        others = sum(scores) - scores[seat]
        return self._good(table) * (scores[seat] - others / (len(scores) - 1))

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
