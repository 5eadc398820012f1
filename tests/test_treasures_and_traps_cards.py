"""Each of the 100 cards: entered, refused by the die, stopped, defeated, taken, exchanged; none is without effect."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from fractions import Fraction
from functools import cache
from typing import Any

import pytest
import yaml

import rulesdsl
from project import ROOT
from rulesdsl.interpreter.host.table import Table
from rulesdsl.interpreter.run.machine import Machine
from rulesdsl.interpreter.scenario.placing import Setup

ROWS = yaml.safe_load((ROOT / "games/treasures-and-traps/cards.yaml").read_text(encoding="utf-8"))["rows"]
BY_ID = {row["id"]: row for row in ROWS}
ALL = sorted(BY_ID)
ENTERED = [card for card in ALL if BY_ID[card]["class"] != "surprise"]
SURPRISES = [card for card in ALL if BY_ID[card]["class"] == "surprise"]
LASTING = [card for card in ALL if BY_ID[card]["exit"] > 0]
ITEMS = [card for card in LASTING if BY_ID[card]["class"] == "item"]
TREASURES = [card for card in ITEMS if BY_ID[card]["subtype"] in ("bronze", "silver", "gold")]
ATTACHED = {"T057": "T001", "T058": "T001", "T078": "T077"}
"""What goes on a host, and a host for it."""


@cache
def table(rolls: tuple[int, ...] = ()) -> Table:
    """Three players, and what the die will show."""
    if not rolls:
        return Table(Machine(rulesdsl.load("treasures-and-traps"), 3))
    return table().scripted({"natural": rolls})


class Play:
    """A turn of player 0 in a position; of what is asked besides actions and answers the first answer is taken."""

    def __init__(self, zones: dict[str, Any], rolls: Iterable[int], **state: Any) -> None:
        self.table = table(tuple(rolls))
        self.machine = self.table.machine
        self.state = self.machine.blank(0)
        setup = Setup(self.table, self.state)
        setup.place({"hand": [[], [], []], "realm": [[], [], []], **zones})
        setup.write({"on_turn": "0", "place_in_order": "0", "played_before": ["true"] * 3, **state})
        assert not setup.failures, setup.failures
        self.machine.knowledge.settle(self.state)
        self.machine.enter(self.state, "turn")
        self.machine.advance(self.state)
        self.ids = [str(self.machine.layout.packs["card"].printed(card).id) for card in range(100)]

    def asked(self) -> tuple[str, int] | None:
        """What is to be decided, and by whom."""
        asked = self.machine.asked(self.state)
        return None if asked is None else (asked.name, self.machine.pending(self.state)[0])

    def answers(self) -> list[Any]:
        """All answers, as they are written."""
        _, seat = self.asked() or ("", 0)
        question, own = self.machine.question(self.state, seat)
        return [self.table.wording.answer(question.ask, answer, own) for answer in question.answers(own, seat)]

    def answer(self, number: int) -> None:
        """Gives one of the answers."""
        _, seat = self.asked() or ("", 0)
        question, own = self.machine.question(self.state, seat)
        self.machine.apply(self.state, seat, list(question.answers(own, seat))[number])
        self.machine.advance(self.state)

    def act(self, kind: str, card: str) -> None:
        """Enters or exits a card, in the first way there is."""
        self.answer(next(number for number, one in enumerate(self.answers()) if _is(one, kind, card)))

    def can(self, kind: str, card: str) -> bool:
        """Whether a card can be entered or exited."""
        return any(_is(one, kind, card) for one in self.answers())

    def finish(self, *surprises: str) -> None:
        """Goes on to the next action; these surprises are played as soon as they can be, everything else is passed."""
        left = list(surprises)
        while (asked := self.asked()) is not None and asked[0] != "action":
            answers = self.answers()
            if asked[0] in ("before_roll", "after_roll"):
                wanted = [number for number, one in enumerate(answers) if _text(one) in left]
                if wanted:
                    left.remove(_text(answers[wanted[0]]))
                self.answer(wanted[0] if wanted else len(answers) - 1)
            else:
                self.answer(0)
        assert not left

    def place(self, card: str) -> str:
        """Where a card lies."""
        layout = self.machine.layout
        at: int = self.state[layout.at["card"] + self.ids.index(card)]
        if at >= layout.zone_count:
            return f"under {self.ids[at - layout.zone_count - layout.card_base['card']]}"
        zone = layout.zones[at]
        return zone.name if zone.owner < 0 else f"{zone.name} {zone.owner}"


def _is(answer: Any, kind: str, card: str) -> bool:
    if not isinstance(answer, dict) or kind not in answer:
        return False
    inner = answer[kind]
    return _text(inner["card"] if isinstance(inner, dict) else inner) == card


def _text(answer: Any) -> str:
    """A card without what is written on it, as its id; anything else as it is."""
    text = str(answer)
    named = [row for row in ROWS if f"{text} ".startswith(f"{row['name']} ")]
    return str(max(named, key=lambda row: len(row["name"]))["id"]) if named else text


def spare(card: str) -> str:
    """A card to hold that is not this one."""
    return "T003" if card != "T003" else "T004"


def entering(card: str, rolls: Iterable[int], hand: Iterable[str] = ()) -> Play:
    """A position in which a card can be entered, whatever it is; player 2 has `hand`."""
    own, first, second = (
        [other for other in realm if other != card]
        for realm in (["T002", "T073"], ["T001", "T009", "T043", "T060", "T077"], ["T016", "T097"])
    )
    zones = {
        "hand": [[card], [spare(card)], [*hand]],
        "realm": [own, first, second],
        "discard": ["T005" if card != "T005" else "T006"],
        "wild": [{"card": "T033" if card != "T033" else "T034", "under": {"card": "T056", "origin": "1"}}],
    }
    if card == "T056":
        del zones["wild"]
    play = Play(zones, rolls)
    play.act("enter", card)
    return play


# ── the cards ────────────────────────────────────────────────────────────────────────────────────────────────────


def test_there_are_100_different_cards() -> None:  # V1
    assert len(ROWS) == len({row["name"] for row in ROWS}) == 100
    assert Counter(row["class"] for row in ROWS) == {
        "item": 39,
        "creature": 21,
        "place": 14,
        "trap": 9,
        "event": 7,
        "surprise": 6,
        "companion": 4,
    }
    subtypes = {"bronze": 7, "silver": 7, "gold": 7, "potion": 5, "scroll": 6, "magic": 7, "door": 3}
    assert Counter(row["subtype"] for row in ROWS if "subtype" in row) == subtypes
    assert Counter(row["goes"] for row in ROWS) == {"own": 51, "opponent": 11, "wild": 35, "host": 3}
    assert Counter(row["enter"] for row in ROWS) == {2: 6, 3: 45, 4: 32, 5: 16, 6: 1}
    assert Counter(row["exit"] for row in ROWS) == {0: 21, 3: 16, 4: 40, 5: 22, 6: 1}


@pytest.mark.parametrize("card", ENTERED)
def test_it_enters(card: str) -> None:
    play = entering(card, [6])
    play.finish()
    where = {"own": ["realm 0"], "opponent": ["realm 1", "realm 2"], "wild": ["wild"], "host": ["realm 0", "realm 1"]}
    assert play.place(card) in where[BY_ID[card]["goes"]]


@pytest.mark.parametrize("card", ENTERED)
def test_the_die_refuses_it(card: str) -> None:
    play = entering(card, [1])
    play.finish()
    assert play.place(card) == "discard"


@pytest.mark.parametrize("card", ENTERED)
def test_a_squall_stops_it(card: str) -> None:
    play = entering(card, [4, 6], ["T091"])
    play.finish("T091")
    assert play.place(card) == "hand 0"
    assert play.place("T091") == "wild"


def surprised(card: str, rolls: Iterable[int], *surprises: str, hand: Iterable[str] = ()) -> Play:
    """Player 1 answers with a surprise: an entry of an item, a creature or, if there has to be one, a surprise."""
    entry = "T024" if card == "T094" else "T015"
    zones = {
        "hand": [[entry, "T003"], [card], [*hand]],
        "realm": [["T002"], ["T001"], ["T009", "T010"]],
    }
    play = Play(zones, rolls)
    play.act("enter", entry)
    play.finish(*surprises)
    return play


@pytest.mark.parametrize("card", SURPRISES)
def test_a_surprise_enters_and_goes_with_the_turn(card: str) -> None:
    if card == "T096":
        play = surprised(card, [4, 4, 6], "T091", card, hand=["T091"])
    else:
        play = surprised(card, [5, 6], card)
    assert play.place(card) == "wild"
    assert not play.can("exit", card)


@pytest.mark.parametrize("card", SURPRISES)
def test_the_die_refuses_a_surprise(card: str) -> None:
    if card == "T096":
        play = surprised(card, [1, 4, 6], "T091", card, hand=["T091"])
    else:
        play = surprised(card, [1, 6], card)
    assert play.place(card) == "discard"


@pytest.mark.parametrize("card", SURPRISES)
def test_a_surprise_is_no_action(card: str) -> None:
    play = Play({"hand": [[card], [], []]}, [])
    assert not play.can("enter", card)
    assert play.can("replace", card)


@pytest.mark.parametrize("card", [card for card in SURPRISES if card != "T096"])
def test_a_surprise_is_countered(card: str) -> None:
    play = surprised(card, [6, 6, 6], card, "T096", hand=["T096"])
    assert play.place(card) == "discard"
    assert play.place("T096") == "wild"


def lying(card: str) -> dict[str, Any]:
    """A position in which a card is in play: in the realm of player 1, or in the wild."""
    row = BY_ID[card]
    host = ATTACHED.get(card)
    there: Any = {"card": card, "onto": host} if host else card
    if row["class"] == "creature":
        there = {"card": card, "under": {"card": "T056", "origin": "1"}}
    realm = [there, *([host] if host else [])] if row["goes"] != "wild" else []
    return {
        "hand": [[spare(card)], [], []],
        "realm": [[], realm, []],
        "wild": [there] if row["goes"] == "wild" else [],
    }


@pytest.mark.parametrize("card", LASTING)
def test_it_is_defeated(card: str) -> None:
    play = Play(lying(card), [6])
    play.act("exit", card)
    play.finish()
    assert play.place(card) == ("realm 0" if card == "T079" else "discard")
    if BY_ID[card]["class"] == "creature":
        assert play.place("T056") == "realm 0"


@pytest.mark.parametrize("card", LASTING)
def test_it_withstands_a_1(card: str) -> None:
    zones = lying(card)
    before = "wild" if BY_ID[card]["goes"] == "wild" else "realm 1"
    play = Play(zones, [1])
    play.act("exit", card)
    play.finish()
    assert play.place(card) == before


@pytest.mark.parametrize("card", [card for card in ALL if BY_ID[card]["exit"] == 0])
def test_what_goes_by_itself_is_not_to_be_defeated(card: str) -> None:
    play = Play(lying(card), [])
    assert not play.can("exit", card)


@pytest.mark.parametrize("card", ITEMS)
def test_it_is_exchanged(card: str) -> None:
    play = Play({**lying(card), "hand": [["T051", spare(card)], [], []]} | _with_own(card), [6])
    wanted = next(
        number
        for number, one in enumerate(play.answers())
        if _is(one, "enter", "T051") and _text(one["enter"]["theirs"]) == card
    )
    play.answer(wanted)
    play.finish()
    assert play.place(card) == "realm 0"


def _with_own(card: str) -> dict[str, Any]:
    """Two items of player 0 besides, so that what is attached finds a host."""
    own = [other for other in ("T007", "T006", "T005") if other != card][:2]
    zones = lying(card)
    return {"realm": [own, *zones["realm"][1:]]}


@pytest.mark.parametrize("card", ITEMS)
def test_it_is_taken_and_won(card: str) -> None:
    zones = lying(card)
    play = Play({**zones, **_with_own(card), "hand": [["T022", spare(card)], [], []]}, [6, 6])
    wanted = next(
        number
        for number, one in enumerate(play.answers())
        if _is(one, "enter", "T022") and [_text(prey) for prey in one["enter"]["prey"]] == [card]
    )
    play.answer(wanted)
    play.finish()
    assert play.place(card) == "under T022"
    play.act("exit", "T022")
    play.finish()
    assert play.place(card) == "realm 0"


@pytest.mark.parametrize("card", TREASURES)
def test_it_is_stolen(card: str) -> None:
    play = Play({**lying(card), "hand": [["T059", spare(card)], [], []]}, [6])
    play.act("enter", "T059")
    play.finish()
    assert play.place(card) == "realm 0"


# ── no effect without a test ─────────────────────────────────────────────────────────────────────────────────────


def test_every_power_that_does_something_is_used_by_a_test() -> None:
    """Entering every card runs what happens then; the rest is named here, with the scenario that shows it."""
    program = table().program
    powers = {procedure.name for procedure in program.procedures if " of " in procedure.name}
    kinds = {name.partition(" of ")[0] for name in powers}
    assert kinds == {"when_entered", "when_defeated", "reacts", "helps"}
    text = "".join(
        path.read_text(encoding="utf-8") for path in (ROOT / "games/treasures-and-traps/tests").glob("*.yaml")
    )
    for card in (row for row in ROWS if {"when_defeated", "reacts", "helps"} & row.keys()):
        assert f": {card['id']}\n" in text, f"nobody uses {card['name']}"


TELLING: list[tuple[Any, ...]] = [
    *(("roll_bonus", kind, player, card) for kind in range(2) for player in range(3) for card in range(100)),
    *(("cannot_be", deed, card) for deed in range(3) for card in range(100)),
    *(("subtype", card) for card in range(100)),
    *((rule, player) for rule in ("hand_limit", "actions_per_turn", "blockers", "has_won") for player in range(3)),
]
"""What one can ask of a position."""
BY_HANDLERS = {"T070", "T079"}
"""Cards that change what happens and not what is; scenarios show them."""


def told(play: Play) -> list[Any]:
    """All that can be asked of a position."""
    rules = {(rule.name, len(rule.parameters)): rule for rule in play.machine.program.rules}
    functions = {name: play.machine.evaluator.rule(rules[name].id) for name in {(t[0], len(t) - 1) for t in TELLING}}
    return [functions[ask[0], len(ask) - 1](play.state, *ask[1:]) for ask in TELLING]


@pytest.mark.parametrize("card", [row["id"] for row in ROWS if "while_in_play" in row and row["id"] not in BY_HANDLERS])
def test_every_lasting_power_changes_something(card: str) -> None:
    zones = lying(card)
    realm = [*zones["realm"][1], "T002", "T003", "T004"]  # three alike, for the one card that counts them
    wild = [*zones["wild"], *([{"card": "T025", "under": "T005"}] if card != "T025" else [])]
    there = {**zones, "hand": [[], [], []], "realm": [[], realm, []], "wild": wild}
    if card == "T058":
        there["realm"] = [[], ["T001", {"card": card, "onto": "T001", "metal": "gold"}], []]
    with_it = told(Play(there, []))

    def without(entries: list[Any]) -> list[Any]:
        return [
            entry for entry in entries if card not in (entry, entry.get("card") if isinstance(entry, dict) else None)
        ]

    absent = {**there, "realm": [without(entries) for entries in there["realm"]], "wild": without(there["wild"])}
    assert with_it != told(Play(absent, []))


# ── experience ───────────────────────────────────────────────────────────────────────────────────────────────────


def test_how_many_attempts_it_takes_on_the_average() -> None:  # V11
    expected, reached = Fraction(0), Fraction(1)
    for attempts in range(1, 7):
        expected += attempts * reached * succeeding(attempts)
        reached *= 1 - succeeding(attempts)
    assert reached == 0
    assert expected == Fraction(899, 324)


def succeeding(attempt: int) -> Fraction:
    """How likely it is that the Dragon is defeated at this attempt, all before having failed."""
    wins = 0
    for pips in range(1, 7):
        play = Play(lying("T022"), [pips], streak_card=["T022", "none", "none"], streak=[str(attempt - 1), "0", "0"])
        play.act("exit", "T022")
        play.finish()
        wins += play.place("T022") == "discard"
    return Fraction(wins, 6)
