"""Whole matches against models in plain Python that were written from the rules of the little games."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import pytest
from programs import NUMBER, ORIGIN, SEAT, YES_NO, Op, all_of, cell, const, prim, procedure, variable
from small_games import giving, leaving, passing, reacting, replacing, taking, writing
from small_pieces import game, number

from rulesdsl.interpreter.run.entering import UnknownAnchor
from rulesdsl.interpreter.run.machine import Machine
from rulesdsl.interpreter.run.rng import Generator
from rulesdsl.interpreter.state.cells import ERROR, FINISHED, LIMIT, PC, STATUS
from rulesdsl.ir.nodes import (
    Alternative,
    Ask,
    Assign,
    Block,
    Branch,
    Const,
    Each,
    EndPhase,
    Handler,
    Increase,
    Part,
    Phase,
    PickNumber,
    PickYesNo,
    Point,
    Program,
    Repeat,
    RuleFileStamp,
    RunProcedure,
)
from rulesdsl.source import Source, Span
from rulesdsl.types import NONE, Optional

State = list[Any]
Answer = tuple[Any, ...]


class Played:
    """A match played at random: `answers` are (decision, seat, answer), `hands` are the hands before the first one."""

    def __init__(self, program: Program, seats: int, seed: int) -> None:
        self.machine = Machine(program, seats, observe=False)
        self.state = self.machine.start(seed)
        self.machine.advance(self.state)
        self.first = self.state.copy()
        self.answers: list[tuple[str, int, Answer]] = []
        chooser = Generator.seeded(seed)
        while self.machine.pending(self.state):
            seat = chooser.draw(self.machine.pending(self.state))
            question, own = self.machine.question(self.state, seat)
            answer = question.sample(own, seat, chooser.bounded)
            self.answers.append((question.ask.name, seat, answer))
            self.machine.apply(self.state, seat, answer)
            self.machine.advance(self.state)
        assert self.state[STATUS] == FINISHED, self.machine.why(self.state)

    def value(self, name: str) -> Any:
        """A state; one that each seat has as a list."""
        info = self.machine.layout.variables[name]
        values = self.state[info.base : info.base + info.size]
        return values if info.declaration.each else values[0]

    def zone(self, state: State, name: str, owner: int = 0) -> list[int]:
        """The cards of a zone of shape set."""
        bits = state[self.machine.layout.zone_of(name, owner).cell]
        return [card for card in range(36) if bits >> card & 1]


def suit(card: int) -> int:
    """Of the 36 cards, suit by suit, nine ranks each."""
    return card // 9


@pytest.mark.parametrize("seats", [2, 3, 5])
def test_taking(seats: int) -> None:
    for seed in range(5):
        match = Played(taking(), seats, seed)
        hands = [match.zone(match.first, "hand", seat) for seat in range(seats)]
        leader = match.first[match.machine.layout.variables["leader"].base]
        taken = [0] * seats
        answers = iter(match.answers)
        for _ in range(4):
            played: list[tuple[int, int]] = []
            for step in range(seats):
                name, seat, answer = next(answers)
                assert seat == (leader + step) % seats
                assert name == ("follow" if played else "lead")
                card = answer[1][0]
                if played and any(suit(held) == suit(played[0][0]) for held in hands[seat]):
                    assert suit(card) == suit(played[0][0])
                hands[seat].remove(card)
                played.append((card, seat))
            leader = max((card, seat) for card, seat in played if suit(card) == suit(played[0][0]))[1]
            taken[leader] += 1
        assert match.value("taken") == taken
        assert match.value("rounds") == 4
        assert all(not hand for hand in hands)
        won = [len(match.zone(match.state, "won", seat)) for seat in range(seats)]
        assert won == [count * seats for count in taken]


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_passing(seats: int) -> None:
    for seed in range(8):
        match = Played(passing(), seats, seed)
        hands = [set(match.zone(match.first, "hand", seat)) for seat in range(seats)]
        given = {seat: answer for name, seat, answer in match.answers if name == "pass"}
        kept = {seat: answer for name, seat, answer in match.answers if name == "keep"}
        chosen = {
            seat: {card for card in range(36) if given[seat][1][0] >> card & 1} if seat in given else set()
            for seat in range(seats)
        }
        evens = [seat for seat in range(seats) if len(chosen[seat]) % 2 == 0]
        odds = [seat for seat in range(seats) if len(chosen[seat]) % 2 == 1]
        before = [set(hand) for hand in hands]
        for seat in evens:
            hands[seat] -= chosen[seat]
        for seat in evens:
            hands[(seat + 1) % seats] |= chosen[seat]
        held_then = [set(hand) for hand in hands]
        for seat in odds:
            hands[seat] -= chosen[seat]
        for seat in odds:
            hands[(seat - 1) % seats] |= chosen[seat]
        assert before
        assert set(kept) <= set(odds)
        count = [len(hands[seat]) for seat in range(seats)]
        for seat in odds:
            assert held_then[seat] or seat not in kept
            count[seat] += 100 if kept.get(seat) else 10
        assert match.value("evens") == len(evens)
        assert [set(match.zone(match.state, "hand", seat)) for seat in range(seats)] == hands
        assert match.value("count") == count


def test_writing() -> None:
    for seed in range(5):
        match = Played(writing(), 2, seed)
        hands = [match.zone(match.first, "hand", seat) for seat in range(2)]
        marks: dict[int, int] = {}
        for name, seat, answer in match.answers:
            if name == "write":
                assert sum(answer[1][0]) in (5, 6)
                marks |= dict(zip(hands[seat], answer[1][0], strict=True))
                assert match.value("written")[seat] == sum(answer[1][0])
            else:
                assert match.value("shown")[seat] == marks[answer[1][0]]


def test_leaving_a_phase() -> None:
    for seed in range(12):
        match = Played(leaving(), 2, seed)
        gone = [answer[1][0] for _, _, answer in match.answers]
        assert gone == [0] * (len(gone) - 1) + [1] or (gone == [0] * 40)
        left_early = gone[-1]
        assert match.value("steps") == 2 * len(gone), "the modifier doubles every step"
        assert match.value("stayed") == match.value("after_step") == len(gone) - left_early
        assert (match.value("before_walk"), match.value("after_walk")) == (1, 1)
        assert match.value("left_over") == 0, "what was started for the phase has stopped"


def test_standing_in_for_a_procedure() -> None:
    for seed in range(8):
        match = Played(replacing(), 3, seed)
        expected = dict.fromkeys(("paid", "cut", "refused", "before", "after"), 0)
        for _, _, answer in match.answers:
            amount = answer[1][0]
            if amount > 5:
                amount = 5
                expected["cut"] += 1
            if amount % 2:
                expected["refused"] += 1
            else:
                expected["paid"] += amount
                expected["before"] += 1
                expected["after"] += 1
        assert {name: match.value(name) for name in expected} == expected


def test_windows_ask_again_after_every_answer() -> None:
    for seats in (2, 3, 4):
        for seed in range(8):
            match = Played(reacting(), seats, seed)
            model = Reacting(match, seats)
            for seat in range(seats):
                model.react(seat)
            assert next(model.answers, None) is None
            assert match.value("replies") == model.replies


class Reacting:
    """The rules of `reacting` as a recursive function: who is asked, in which order."""

    def __init__(self, match: Played, seats: int) -> None:
        self.answers: Iterator[tuple[str, int, Answer]] = iter(match.answers)
        self.hands = [set(match.zone(match.first, "hand", seat)) for seat in range(seats)]
        self.seats = seats
        self.replies = self.deep = 0

    def react(self, player: int) -> None:
        """The procedure of that name."""
        if self.deep >= 2:
            return
        self.deep += 1
        first = (player + 1) % self.seats
        turn, passes = first, 0
        while passes < self.seats:
            seat, turn = turn, (turn + 1) % self.seats
            low = {card for card in self.hands[seat] if card % 9 < 3}
            answer: Answer = ()
            if self.replies < 6 and low:
                _, asked, answer = next(self.answers)
                assert asked == seat
            if not answer:
                passes += 1
                continue
            assert answer[1][0] in low
            self.hands[seat].remove(answer[1][0])
            self.replies += 1
            self.react(seat)
            turn, passes = first, 0
        self.deep -= 1


def test_seats_act_together_in_procedures_and_phases() -> None:
    for seed in range(8):
        match = Played(giving(), 3, seed)
        chosen = {seat: answer[1][0] for _, seat, answer in match.answers}
        given = [min(chosen[seat], 2) for seat in range(3)]
        assert match.value("named") == [chosen[seat] for seat in range(3)]
        assert match.value("given") == [4 * amount for amount in given]
        assert match.value("cut") == [2 * (chosen[seat] > 2) for seat in range(3)]
        assert match.value("before") == [1, 0, 0]
        kept = [10 * chosen[seat] for seat in range(3)]
        assert match.value("after") == kept, "the state of a run begins before anything stands in for it"
        assert match.value("noted") == [kept[seat] + given[seat] for seat in range(3)]
        assert match.value("many") == [11 * (chosen[seat] > 1) for seat in range(3)]
        assert match.value("fresh") == 3, "reset when the procedure began"


# ── limits and errors ────────────────────────────────────────────────────────────────────────────────────────────────


def ended(steps: Block, **more: Any) -> tuple[Machine, State]:
    """A match without decisions, to its end."""
    machine = Machine(game(steps, **more), 2)
    state = machine.start()
    machine.advance(state)
    return machine, state


def test_a_net_ends_the_match_when_one_more_turn_would_begin() -> None:
    counted = (Increase(number("turns"), const(1)),)
    kept = (variable("turns", NUMBER),)
    three = prim(Op.GREATER_EQUAL, number("turns"), const(3))
    machine, state = ended((Repeat(counted, until=three, at_most=const(3)),), variables=kept)
    assert state[STATUS] == FINISHED
    machine, state = ended((Repeat(counted, until=three, at_most=const(2)),), variables=kept)
    assert state[STATUS] == LIMIT
    assert machine.why(state) is not None


def test_a_million_steps_are_too_many() -> None:
    nothing = Increase(number("turns"), const(1))
    loop = Repeat((Repeat((nothing,), times=const(100_000)),), times=const(100_000))
    _, state = ended((loop,), variables=(variable("turns", NUMBER),))
    assert state[STATUS] == LIMIT


def test_a_procedure_may_run_inside_itself_so_often() -> None:
    again = procedure("again", (Increase(number("turns"), const(1)), RunProcedure("again")), depth=5)
    machine, state = ended((RunProcedure("again"),), procedures=(again,), variables=(variable("turns", NUMBER),))
    assert state[STATUS] == LIMIT
    assert state[machine.layout.variables["turns"].base] == 5


def test_an_error_names_its_place() -> None:
    source = Source("rules.yaml", "set who to nobody")

    step = Assign(replace(number("who"), type=SEAT), Const(NONE, type=Optional(SEAT)), span=Span(source, 4, 7))
    program = replace(game((step,), variables=(variable("who", SEAT),)), files=(RuleFileStamp("rules.yaml", ""),))
    machine = Machine(program, 2)
    state = machine.start()
    machine.advance(state)
    why = machine.why(state)
    assert state[STATUS] == ERROR
    assert why is not None
    assert why.message == "`who` needs a value, and there is none"
    assert str(why.span) == "rules.yaml:1:5"


def test_a_decision_without_an_answer_is_an_error() -> None:
    nothing = PickNumber(const(3), const(2))
    chosen = cell(NUMBER, "chosen")

    def match(*, has_else: bool) -> int:
        ask = Ask("pick", "pick", const(0, SEAT), (Alternative(None, (Part(chosen, nothing),)),), has_else=has_else)
        status: int = ended((ask,))[1][STATUS]
        return status

    assert match(has_else=False) == ERROR
    assert match(has_else=True) == FINISHED


# ── decisions ────────────────────────────────────────────────────────────────────────────────────────────────────────


def deciding() -> Program:
    """Raise by a number, fold, or decline; handlers count what happens around it."""
    amount = cell(NUMBER, "amount")
    seat = cell(SEAT, "player")

    def handler(point: Point, name: str) -> Handler:
        return Handler(point, (Increase(number(name), const(1)),), ORIGIN)

    ask = Ask(
        "act",
        "act",
        seat,
        (
            Alternative(
                "raise",
                (Part(amount, PickNumber(const(1), const(3))),),
                body=(Increase(number("pot"), amount),),
            ),
            Alternative("fold", (), body=(Increase(number("folds"), const(1)),)),
        ),
        optional=True,
        otherwise=(Increase(number("passes"), const(1)),),
        handlers=(handler(Point.BEFORE, "before"), handler(Point.AFTER, "after")),
    )
    names = ("pot", "folds", "passes", "before", "after")
    return game((Each(seat, all_of(SEAT), (ask,)),), variables=tuple(variable(name, NUMBER) for name in names))


@pytest.mark.parametrize(
    ("answers", "expected"),
    [
        (((0, (3,)), (1, ())), {"pot": 3, "folds": 1, "passes": 0, "before": 2, "after": 2}),
        (((), (0, (1,))), {"pot": 1, "folds": 0, "passes": 1, "before": 2, "after": 1}),
    ],
)
def test_alternatives_lead_to_their_own_steps(answers: tuple[Answer, ...], expected: dict[str, int]) -> None:
    machine = Machine(deciding(), 2)
    state = machine.start()
    for seat, answer in enumerate(answers):
        machine.advance(state)
        assert machine.pending(state) == [seat]
        machine.apply(state, seat, answer)
    machine.advance(state)
    variables = machine.layout.variables
    assert {name: state[variables[name].base] for name in expected} == expected


def test_an_answer_can_be_given_step_by_step() -> None:
    machine = Machine(deciding(), 2)
    state = machine.start()
    machine.advance(state)
    machine.extend(state, 0, 0)
    assert machine.prefix(state, 0) == (0,)
    machine.advance(state)
    assert machine.pending(state) == [0]
    machine.extend(state, 0, 2)
    machine.advance(state)
    assert machine.pending(state) == [1]
    assert state[machine.layout.variables["pot"].base] == 2


# ── starting in the middle ───────────────────────────────────────────────────────────────────────────────────────────


def test_a_match_starts_at_a_phase() -> None:
    machine = Machine(taking(), 3)
    layout = machine.layout
    state = machine.blank()
    table = layout.zone_of("table").index
    state[layout.variables["leader"].base] = 1
    machine.put(state, "card", (30,), layout.zone_of("hand", 2).index)
    for seat, card in ((1, 4), (2, 8), (0, 20)):
        machine.put_play(state, table, seat, (card,), ())
    machine.enter(state, "take")
    machine.advance(state)
    assert state[layout.zone_of("won", 2).cell] == 1 << 4 | 1 << 8 | 1 << 20
    assert state[layout.variables["leader"].base] == 2
    assert state[layout.variables["rounds"].base] == 1, "handlers of the phase work"
    assert machine.pending(state) == [2], "and the enclosing loop takes its next turn"


def test_a_match_starts_at_a_procedure_or_a_decision() -> None:
    machine = Machine(taking(), 3)
    layout = machine.layout
    for path in ("play_card", "lead"):
        state = machine.blank()
        state[layout.variables["leader"].base] = 2
        for seat in range(3):
            machine.put(state, "card", (seat, 10 + seat), layout.zone_of("hand", seat).index)
        machine.enter(state, path)
        machine.advance(state)
        assert machine.pending(state) == [2]
        assert machine.asked(state) is not None
        machine.apply(state, 2, (0, (12,)))
        machine.advance(state)
        assert machine.pending(state) == [0]
        question, own = machine.question(state, 0)
        assert list(question.answers(own, 0)) == [(0, (10,))], "who can follow must"


def test_only_what_can_be_reached_is_an_anchor() -> None:
    unused = procedure("unused", (Phase("deep", "deep", ()),))
    machine = Machine(game((Phase("only", "only", ()),), procedures=(unused,)), 2)
    machine.enter(machine.blank(), "only")
    for path in ("deep", "unused", "nothing"):
        with pytest.raises(UnknownAnchor):
            machine.enter(machine.blank(), path)


def test_the_end_of_the_match_drops_everything() -> None:
    steps = (
        Phase("one", "one", (EndPhase(None),), handlers=()),
        Increase(number("turns"), const(1)),
    )
    machine, state = ended(steps, variables=(variable("turns", NUMBER),))
    assert state[STATUS] == FINISHED
    assert state[machine.layout.variables["turns"].base] == 0
    assert len(state) == machine.layout.stack


def test_all_machines_of_a_program_have_the_same_places() -> None:
    for make, seats in ((taking, 2), (passing, 3), (reacting, 3), (leaving, 2), (writing, 2)):
        machine = Machine(make(), seats)
        machine.silent().playout(machine.start(), Generator.seeded(1).bounded)
        for seed in range(3):
            state = machine.start(seed)
            machine.advance(state)
            silent = machine.silent().start(seed)
            machine.silent().advance(silent)
            assert silent[PC] == state[PC]


def test_a_branch_may_leave_things_out() -> None:
    go = cell(YES_NO, "go")
    ask = Ask("go", "go", const(0, SEAT), (Alternative(None, (Part(go, PickYesNo()),)),))
    steps = (ask, Branch(go, (Increase(number("yes"), const(1)),), (Increase(number("no"), const(1)),)))
    machine = Machine(game(steps, variables=(variable("yes", NUMBER), variable("no", NUMBER))), 2)
    for answer in (0, 1):
        state = machine.start()
        machine.advance(state)
        machine.apply(state, 0, (0, (answer,)))
        machine.advance(state)
        variables = machine.layout.variables
        assert (state[variables["yes"].base], state[variables["no"].base]) == (answer, 1 - answer)
