"""Invariants of what seats get to see: no view or option tells a secret (X16 X17), events and views agree."""

from __future__ import annotations

from typing import Any

from driving import Cells, Driver, seen, states, told

from rulesdsl.interpreter.run.machine import Machine
from rulesdsl.interpreter.sight.event import Event, Moved, Played, Shown, Shuffled, Swapped
from rulesdsl.interpreter.sight.rebuild import Table, normal
from rulesdsl.interpreter.state.cells import PENDING
from rulesdsl.ir.nodes import PickWriting, Shape

ALL_OPEN = {"giving", "leaving", "replacing"}
"""The little games in which nothing is hidden from anybody."""

TOLD_BY_THE_RULES = {"bloody-legacy": "family"}
"""By game, what of a hidden hand everybody can tell from how its rules make the player act: whether it holds a trap."""


def test_what_a_seat_is_told_gives_its_view(machine: Machine) -> None:
    for seed in range(2):
        driver = Driver(machine, seed)
        tables = [Table() for _ in range(machine.layout.seats)]
        heard = 0
        while True:
            for seat, table in enumerate(tables):
                for line in told(machine, driver.events[heard:], seat):
                    table.hear(line)
                assert normal(table.zones()) == normal(seen(machine, driver.state, seat)["zones"])
            heard = len(driver.events)
            if driver.is_over:
                break
            driver.step()


def test_views_and_events_hold_no_numbers_of_cards(machine: Machine) -> None:
    """Cards are texts or mappings in every list of cards."""

    def look(shown: Any) -> None:
        if isinstance(shown, dict):
            for key, value in shown.items():
                if key in ("cards", "under"):
                    assert all(card is None or isinstance(card, str | dict) for card in value)
                look(value)
        elif isinstance(shown, list):
            for value in shown:
                look(value)

    for driver in states(machine, range(1)):
        if driver.chooser.bounded(8) == 0 or driver.is_over:
            for seat in range(machine.layout.seats):
                look(seen(machine, driver.state, seat))
                look(told(machine, driver.events[-40:], seat))


def renamed(value: Any, names: dict[int, int]) -> Any:
    """A set or row of cards in which cards have changed their names."""
    if isinstance(value, tuple):
        return tuple(names.get(card, card) for card in value)
    bits = value
    for old in names:
        bits &= ~(1 << old)
    for old, new in names.items():
        bits |= (value >> old & 1) << new
    return bits


def exchanged(machine: Machine, state: Cells, kind: str, first: int, second: int) -> Cells:
    """The state in which two cards have changed places, and what everybody knows of the one it knows of the other."""
    layout = machine.layout
    names = {first: second, second: first}
    other = state.copy()
    bases = [layout.at[kind], layout.over[kind]]
    bases += [base for (of, _), base in layout.fields.items() if of == kind]
    for base in bases:
        other[base + first], other[base + second] = state[base + second], state[base + first]
    for zone in layout.zones:
        if zone.kind == kind:
            if zone.shape is Shape.PLAYS:
                other[zone.cell] = tuple((*play[:2], renamed(play[2], names), *play[3:]) for play in state[zone.cell])
            else:
                other[zone.cell] = renamed(state[zone.cell], names)
    for seat in range(layout.seats):
        cell = layout.seen[kind] + seat
        other[cell] = renamed(state[cell], names)
    return other


def hidden_pairs(machine: Machine, driver: Driver, seat: int) -> list[tuple[str, int, int]]:
    """Pairs of cards of which a seat doesn't know where they lie, with nothing under them, in different places."""
    layout, state = machine.layout, driver.state
    pairs = []
    for kind, pack in layout.packs.items():
        at = layout.at[kind]
        known = state[layout.seen[kind] + seat]
        base = layout.zone_count + layout.card_base[kind]
        hosts = {state[at + card] - base for card in range(pack.size)}
        hidden = [card for card in range(pack.size) if not known >> card & 1 and card not in hosts]
        for _ in range(3):
            if len(hidden) > 1:
                first = hidden[driver.chooser.bounded(len(hidden))]
                second = hidden[driver.chooser.bounded(len(hidden))]
                if state[at + first] != state[at + second]:
                    pairs.append((kind, first, second))
    return pairs


def is_answered_in_secret(state: Cells) -> bool:
    """Whether somebody has answered whom others don't know to have done so: that answer may name any card."""
    return any(entry[2] == 1 or entry[3] for entry in state[PENDING])


def test_x16_hidden_cards_do_not_show_in_a_view(name: str, machine: Machine) -> None:
    looked_at = 0
    for driver in states(machine, range(2)):
        if len(driver.answers) > 10 and driver.chooser.bounded(4):
            continue
        for seat in range(machine.layout.seats):
            for kind, first, second in hidden_pairs(machine, driver, seat):
                other = exchanged(machine, driver.state, kind, first, second)
                assert seen(machine, other, seat) == seen(machine, driver.state, seat)
                looked_at += 1
    assert bool(looked_at) == (name not in ALL_OPEN)


def test_x17_hidden_cards_do_not_show_in_the_options(machine: Machine) -> None:
    for driver in states(machine, range(3)):
        for seat in machine.pending(driver.state):
            for kind, first, second in hidden_pairs(machine, driver, seat):
                if is_answered_in_secret(driver.state):
                    continue
                other = exchanged(machine, driver.state, kind, first, second)
                assert machine.pending(other) == machine.pending(driver.state)
                question, own = machine.question(driver.state, seat)
                same, theirs = machine.question(other, seat)
                assert same.options(theirs, seat, ()) == question.options(own, seat, ())
                assert same.is_forced(theirs, seat) == question.is_forced(own, seat)


def test_x16_play_goes_on_alike_until_a_difference_is_seen(name: str, machine: Machine) -> None:
    told_of = TOLD_BY_THE_RULES.get(name.partition(" ")[0])
    for driver in states(machine, range(2)):
        is_long = len(driver.answers) > 10 and driver.chooser.bounded(8)
        if driver.is_over or is_long or is_answered_in_secret(driver.state):
            continue
        for seat in range(machine.layout.seats):
            for kind, first, second in hidden_pairs(machine, driver, seat):
                pack = machine.layout.packs[kind]
                if told_of is not None and pack.attribute(told_of)[first] != pack.attribute(told_of)[second]:
                    continue
                if not may_hold(machine, driver.state, 1 << first | 1 << second):
                    play_on(machine, driver, seat, (kind, first, second))


def play_on(machine: Machine, driver: Driver, seat: int, pair: tuple[str, int, int]) -> None:
    """The same choices on both states; what the seat is told is the same as long as it sees neither card."""
    kind, first, second = pair
    names = {first: second, second: first}
    either = 1 << first | 1 << second
    here, there = driver.state.copy(), exchanged(machine, driver.state, kind, first, second)
    machine.take_events()
    for _ in range(12):
        waiting = machine.pending(here)
        if not waiting or waiting != machine.pending(there):
            return
        who = waiting[0]
        question, own = machine.question(here, who)
        other_question, other_own = machine.question(there, who)
        answer = question.sample(own, who, driver.chooser.bounded)
        if is_writing(question):
            # What is written goes to the cards in their order, which an exchange changes.
            return
        twin = answer if who == seat else translated(question, answer, kind, names)
        if not other_question.check(other_own, who, twin):
            return
        machine.apply(here, who, answer)
        machine.advance(here)
        events = machine.take_events()
        machine.apply(there, who, twin)
        machine.advance(there)
        other_events = machine.take_events()
        if any(recognised(event, seat) & either for event in (*events, *other_events)):
            return
        shuffles = any(isinstance(event, Shuffled) for event in events)
        # One side may have to wait for an answer where the other one had nothing to choose.
        pairs = list(zip(told(machine, upto(events), seat), told(machine, upto(other_events), seat), strict=False))
        assert [left for left, _ in pairs] == [right for _, right in pairs]
        if shuffles:
            return
        # Where one of the two has come further, there is more to be seen.
        if len(events) == len(other_events) and is_same_moment(machine, here, there):
            assert seen(machine, here, seat) == seen(machine, there, seat)
        elif len(events) != len(other_events):
            return


def is_same_moment(machine: Machine, here: Cells, there: Cells) -> bool:
    """Whether the same decision of the same seats is open in both."""
    return machine.pending(here) == machine.pending(there) and machine.asked(here) is machine.asked(there)


def upto(events: list[Event]) -> list[Event]:
    """Events up to the first shuffle: what comes out of it may differ in any card."""
    number = next((number for number, event in enumerate(events) if isinstance(event, Shuffled)), len(events))
    return events[: number + 1]


def recognised(event: Event, seat: int) -> int:
    """The cards of which the seat learns in an event, or that it loses sight of."""
    match event:
        case Moved():
            batches = [event.batch]
        case Played():
            batches = list(event.batches)
        case Swapped():
            batches = [event.left, event.right]
        case Shown():
            return event.known[seat]
        case _:
            return 0
    cards = 0
    for batch in batches:
        cards |= batch.shown[seat] | batch.lost[seat]
    return cards


def may_hold(machine: Machine, state: Cells, cards: int) -> bool:
    """Whether some cell of the stack may name one of the cards: a step in progress has taken it up."""

    def names_one(value: Any) -> bool:
        if isinstance(value, tuple):
            return any(names_one(part) for part in value)
        return bool(value > 0 and (value & cards or cards >> min(value, 4000) & 1))

    return any(names_one(value) for value in state[machine.layout.stack :] if isinstance(value, tuple))


def is_writing(question: Any) -> bool:
    """Whether something is written onto cards."""
    return any(isinstance(part.pick, PickWriting) for each in question.ask.alternatives for part in each.parts)


def translated(question: Any, answer: tuple[Any, ...], kind: str, names: dict[int, int]) -> tuple[Any, ...]:
    """The answer with the cards that lie where the chosen ones lay."""
    if not answer:
        return answer
    parts = []
    for part, value in zip(question.ask.alternatives[answer[0]].parts, answer[1], strict=True):
        of = str(part.cell.type)
        if of == kind:
            value = names.get(value, value)
        elif of == f"set of {kind}":
            value = renamed(value, names)
        parts.append(value)
    return (answer[0], tuple(parts))
