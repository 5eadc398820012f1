"""Many matches between bots, shared out among processes, summed up in one report.

Match number i of a series has a seed of its own that only the series' seed and i decide, and reports are summed in the
order of the numbers. So a report is the same with any number of workers.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass

from rulesdsl.ir.nodes import Program

from ..run.rng import Generator, split_mix
from ..state.cells import State
from ..state.errors import MatchError
from .bots import Bot, bot_named, random_step
from .report import Outcome, Report, report
from .standing import Result, progress_scale, score_scale
from .table import Chooser, Table, below, table_for

Progress = Callable[[int], object]
"""Told how many matches are done, from time to time."""

Each = Callable[[int, int, Outcome], object]
"""Told of every match in turn: its number, the seed it was played with, and how it ended."""

_BATCHES = 8
"""How many batches each worker gets: enough to even out their pace, few enough to cost nothing."""


@dataclass(frozen=True, slots=True)
class Series:
    """Matches to be played: all of one game with one set of bots."""

    program: Program
    players: int
    seed: int
    bots: tuple[str, ...]


def simulate(
    program: Program,
    *,
    players: int,
    games: int,
    seed: int = 0,
    bots: Sequence[str] = ("random",),
    workers: int = 1,
    progress: Progress | None = None,
    each: Each | None = None,
) -> Report:
    """Plays `games` matches; `bots` names one bot for all seats or one for each."""
    brains = tuple(bots) if len(bots) > 1 else tuple(bots) * players
    series = Series(program, players, seed, brains)
    outcomes: list[Outcome] = []
    for batch in _played(series, games, workers):
        if each is not None:
            for number, outcome in enumerate(batch, len(outcomes)):
                each(number, next(seeds(seed, [number])), outcome)
        outcomes.extend(batch)
        if progress is not None:
            progress(len(outcomes))
    return report(outcomes, players, score_scale(program), progress_scale(program))


def _played(series: Series, games: int, workers: int) -> Iterator[Sequence[Outcome]]:
    """The outcomes of all matches, in order, batch by batch."""
    size = max(1, -(-games // (workers * _BATCHES)))
    batches = [range(first, min(first + size, games)) for first in range(0, games, size)]
    if workers == 1:
        for batch in batches:
            yield _play_batch(series, batch)
        return
    # Only who asks for several processes pays for the module that starts them.
    from concurrent.futures import ProcessPoolExecutor
    from multiprocessing import get_context

    # A fresh interpreter for each worker: a copy of this process could hold locks of threads that it does not have.
    with ProcessPoolExecutor(workers, get_context("spawn"), _begin, (series,)) as pool:
        yield from pool.map(_play_batch_of_worker, batches)


_SERIES: list[Series] = []
"""In a worker: what it plays. The program is sent once, not with every batch."""


def _begin(series: Series) -> None:
    _SERIES.append(series)


def _play_batch_of_worker(numbers: range) -> Sequence[Outcome]:
    return _play_batch(_SERIES[-1], numbers)


def _play_batch(series: Series, numbers: Iterable[int]) -> Sequence[Outcome]:
    return [play_match(series, seed) for seed in seeds(series.seed, numbers)]


def seeds(seed: int, numbers: Iterable[int]) -> Iterator[int]:
    """The seeds of matches by their numbers within a series."""
    for number in numbers:
        yield next(split_mix(seed * 0x9E3779B97F4A7C15 + number * 0xD1B54A32D192ED03))


def playout(program: Program, *, players: int | None = None, seed: int = 0, rng: Chooser) -> Result:
    """One match in which everybody answers at random and nobody looks: the quickest way to an end.

    Every whole answer is as likely as any other. Nothing is noted down, so there is nothing to see, undo or record.
    """
    table = table_for(program, program.players[0] if players is None else players)
    machine = table.machine.silent()
    state = machine.start(seed)
    machine.playout(state, below(rng))
    return table.result(state)


def play_match(series: Series, seed: int) -> Outcome:
    """One match of a series, and how it ended."""
    table = table_for(series.program, series.players)
    luck = split_mix(~seed)
    if all(name == "random" for name in series.bots):
        state, decisions = _at_random(table, seed, Generator.seeded(next(luck)))
    else:
        bots = [bot_named(name, next(luck)) for name in series.bots]
        state, decisions = _by_bots(table, seed, bots)
    return _outcome(table, state, decisions)


def _at_random(table: Table, seed: int, generator: Generator) -> tuple[State, int]:
    """The end of a match in which everybody plays at random: nobody looks, so nothing is noted down."""
    machine = table.machine.silent()
    state = machine.start(seed)
    machine.advance(state)
    decisions = 0
    while waiting := machine.pending(state):
        random_step(machine, state, waiting[0], generator)
        decisions += 1
    return state, decisions


def _by_bots(table: Table, seed: int, bots: Sequence[Bot]) -> tuple[State, int]:
    machine = table.machine
    state = machine.start(seed)
    machine.advance(state)
    decisions = 0
    while waiting := machine.pending(state):
        seat = waiting[0]
        try:
            machine.apply(state, seat, bots[seat].answer(table, state, seat))
        except MatchError as error:
            machine.fail(state, error)
        machine.advance(state)
        machine.take_events()
        decisions += 1
    return state, decisions


def _outcome(table: Table, state: State, decisions: int) -> Outcome:
    result = table.result(state)
    if result.end != "finished":
        return Outcome(result.end, (), 0, None, decisions, result.why)
    standing = table.standing
    scores = tuple(standing.steps(state)) if standing.keeps_scores else None
    progress = tuple(standing.progress(state)) if standing.keeps_progress else None
    return Outcome(result.end, result.winners, result.sides, scores, decisions, progress=progress)
