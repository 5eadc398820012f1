"""How a match stands: scores with their components, who wins, who comes where.

Whether many points are good or bad is not written anywhere but in the game's rule for the winners; `direction` reads it
from there.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import lcm

from rulesdsl.diagnostic import InternalError
from rulesdsl.ir.nodes import Call, Const, Program, Rule, Value
from rulesdsl.types import NONE, Number, Optional, Record, Seat, SetOf, Team, required

from ..evaluate.terms import Evaluator
from ..state.bits import members
from ..state.cells import State
from ..state.layout import Layout

Points = int | Fraction
"""A score as players count it; a fraction only where the game scores in parts of a point."""


@dataclass(frozen=True, slots=True)
class Score:
    """The score of a seat; `parts` are its components, by name, where the game's rule has some."""

    seat: int
    points: Points
    parts: tuple[tuple[str, Points], ...] = ()


@dataclass(frozen=True, slots=True)
class Result:
    """How a match ended: `end` is finished, limit or error, and `why` says what ended it otherwise than by its rules.

    `scores` are by seat (empty where the game keeps none), `winners` are seats, `ranking` holds groups of seats that
    share a rank, the best first. `sides` counts who wins apart from one another: partners are one side.
    """

    end: str
    winners: tuple[int, ...]
    sides: int
    scores: tuple[Score, ...]
    ranking: tuple[tuple[int, ...], ...]
    why: str | None = None


class Standing:
    """Works out scores and winners of one program and number of seats, on any state."""

    def __init__(self, layout: Layout, evaluator: Evaluator) -> None:
        self._layout = layout
        self._evaluator = evaluator
        program = layout.program
        rules = {rule.id: rule for rule in program.rules}
        self._score_rule = None if program.scores is None else rules[program.scores]
        self._by_seat: list[Callable[[State], Value]] = []
        self._summed: tuple[tuple[str, int], ...] = ()
        if self._score_rule is not None:
            self._by_seat = [self._score_of(self._score_rule, seat) for seat in range(layout.seats)]
            self._summed = _scales(self._score_rule)
        self.scale = score_scale(program)
        self.progress_scale = progress_scale(program)
        progress = None if program.progress is None else rules[program.progress]
        self._nearness = [] if progress is None else [self._score_of(progress, seat) for seat in range(layout.seats)]
        self._nearness_scales = () if progress is None else _scales(progress)
        winners = rules[program.winners]
        self._winners = evaluator.term(Call(type=winners.type, rule=winners.id), None)
        self._winners_type = winners.type

    @property
    def keeps_scores(self) -> bool:
        """Whether the game has scores at all."""
        return self._score_rule is not None

    def _score_of(self, rule: Rule, seat: int) -> Callable[[State], Value]:
        arguments = []
        for parameter in rule.parameters:
            match parameter.type:
                case Seat():
                    arguments.append(Const(type=Seat(), value=seat))
                case Team():
                    arguments.append(Const(type=Team(), value=self._layout.seating.team_of[seat]))
                case _:
                    raise InternalError(f"a score is asked of a seat or a team, not of a {parameter.type}")
        return self._evaluator.term(Call(type=rule.type, rule=rule.id, arguments=tuple(arguments)), None)

    def steps(self, state: State) -> list[int]:
        """The scores by seat, in their smallest steps."""
        return [self._total(read(state)) for read in self._by_seat]

    @property
    def keeps_progress(self) -> bool:
        """Whether the game says how near somebody is to winning."""
        return bool(self._nearness)

    def progress(self, state: State) -> list[int]:
        """How near each seat is to winning, in smallest steps; nothing if the game doesn't say."""
        return [_sum(read(state), self._nearness_scales, self.progress_scale) for read in self._nearness]

    def _total(self, value: Value) -> int:
        return _sum(value, self._summed, self.scale)

    def scores(self, state: State) -> tuple[Score, ...]:
        """The scores by seat, as players count them."""
        return tuple([self._score(seat, read(state)) for seat, read in enumerate(self._by_seat)])

    def _score(self, seat: int, value: Value) -> Score:
        parts: list[tuple[str, Points]] = []
        if isinstance(value, tuple):
            for part, (name, scale) in zip(value, self._summed, strict=True):
                assert isinstance(part, int)
                parts.append((name, points(0 if part == NONE else part, scale)))
        return Score(seat, points(self._total(value), self.scale), tuple(parts))

    def winning_sides(self, state: State) -> list[int]:
        """Who would win now: a set of seats for each side."""
        value = self._winners(state)
        of = self._winners_type
        chosen = members(value) if isinstance(value, int) and isinstance(of, SetOf) else _as_list(value)
        inner = required(of.of if isinstance(of, SetOf) else of)
        if isinstance(inner, Team):
            return [self._layout.seating.members[team] for team in chosen]
        return [1 << seat for seat in chosen]

    def winners(self, state: State) -> int:
        """The seats that would win now, as a set."""
        return sum(self.winning_sides(state))

    def direction(self, state: State) -> int:
        """1 if those who would win now have the most points, -1 if they have the fewest, 0 if points can't tell."""
        return _direction(self.steps(state), self.winners(state))

    def result(self, state: State, end: str, why: str | None) -> Result:
        """How the match ended; only one that finished has winners and a ranking."""
        if end != "finished":
            return Result(end, (), 0, (), (), why)
        sides = self.winning_sides(state)
        won = sum(sides)
        values = [read(state) for read in self._by_seat]
        scores = tuple([self._score(seat, value) for seat, value in enumerate(values)])
        ranking = self._ranking([self._total(value) for value in values], won)
        return Result(end, tuple(members(won)), len(sides), scores, ranking, why)

    def _ranking(self, steps: list[int], won: int) -> tuple[tuple[int, ...], ...]:
        """Winners share the first rank; the others follow by points, the better the nearer to the winners'."""
        groups = [tuple(members(won))] if won else []
        rest = [seat for seat in range(self._layout.seats) if not won >> seat & 1]
        if len(rest) < 2 or not steps:
            return (*groups, tuple(rest)) if rest else tuple(groups)
        down = _direction(steps, won) < 0
        for value in sorted({steps[seat] for seat in rest}, reverse=not down):
            groups.append(tuple(seat for seat in rest if steps[seat] == value))
        return tuple(groups)


def _direction(steps: list[int], winners: int) -> int:
    inside = [score for seat, score in enumerate(steps) if winners >> seat & 1]
    outside = [score for seat, score in enumerate(steps) if not winners >> seat & 1]
    if not inside or not outside:
        return 0
    if min(inside) > max(outside):
        return 1
    return -1 if max(inside) < min(outside) else 0


def _as_list(value: Value) -> list[int]:
    """Members of a row or list; a single value stands for itself, none for nobody."""
    if isinstance(value, int):
        return [] if value == NONE else [value]
    return [item for item in value if isinstance(item, int)]


def points(steps: int, scale: int) -> Points:
    """A number of smallest steps as players count it."""
    if scale == 1:
        return steps
    exact = Fraction(steps, scale)
    return exact.numerator if exact.denominator == 1 else exact


def _scale(of: object) -> int:
    if isinstance(of, Optional):
        of = of.of
    return of.scale if isinstance(of, Number) else 1


def _sum(value: Value, parts: Sequence[tuple[str, int]], scale: int) -> int:
    """A score in its smallest steps, from its components if it has some."""
    if isinstance(value, int):
        return 0 if value == NONE else value
    total = 0
    for part, (_, own) in zip(value, parts, strict=True):
        assert isinstance(part, int)
        total += 0 if part == NONE else part * (scale // own)
    return total


def _scales(rule: Rule) -> tuple[tuple[str, int], ...]:
    """The components of a score, each with how many of its steps make one."""
    of = required(rule.type)
    return tuple((name, _scale(part)) for name, part in of.fields) if isinstance(of, Record) else ()


def score_scale(program: Program) -> int:
    """How many smallest steps of a score make one point."""
    return _rule_scale(program, program.scores)


def progress_scale(program: Program) -> int:
    """The same for what the game calls progress."""
    return _rule_scale(program, program.progress)


def _rule_scale(program: Program, name: str | None) -> int:
    rule = next((rule for rule in program.rules if rule.id == name), None)
    if rule is None:
        return 1
    of = required(rule.type)
    if isinstance(of, Record):
        return lcm(*(_scale(part) for _, part in of.fields))
    return _scale(of)
