"""Guards: which of them can hold together, for the checker of stacks and for loading, which have to say the same."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from random import Random
from textwrap import indent

import pytest

import rulesdsl
from project import ROOT
from rulesdsl import RuleFileError, judged
from rulesdsl.interpreter import Match
from rulesdsl.variants.findings import Kind

LITTLE = ROOT / "tests" / "cases" / "variants" / "little"


def modifiers(folder: Path, *changes: str, when: Sequence[str] = ()) -> list[str]:
    """Files of modifiers with such changes, each under its guard if there are some."""
    files = []
    for number, (change, guard) in enumerate(zip(changes, when or [""] * len(changes), strict=True)):
        path = folder / f"change-{number}.yaml"
        head = f"rulesdsl: 1\nmodifier: change-{number}\nof: little\ntitle: Change\n" + (
            f"when: {guard}\n" if guard else ""
        )
        path.write_text(f"{head}changes:\n{indent(change, '  ')}\n", encoding="utf-8")
        files.append(str(path))
    return files


def kind_of(files: list[str]) -> Kind:
    """The verdict on two modifiers; those that fit can be loaded, and those that exclude each other can't."""
    [verdict] = judged(LITTLE, files)
    loads = True
    try:
        rulesdsl.load(LITTLE, files)
    except RuleFileError:
        loads = False
    assert loads == (verdict.kind is not Kind.EXCLUSIVE)
    return verdict.kind


INDEPENDENT, EXCLUSIVE, AGREES = Kind.INDEPENDENT, Kind.EXCLUSIVE, Kind.AGREES


@pytest.mark.parametrize(
    ("one", "other", "kind"),
    [
        # members of a type
        ("card.rank is A", "card.rank in [K, Q]", INDEPENDENT),
        ("card.rank is K", "card.rank in [K, Q]", EXCLUSIVE),
        ("card.suit is hearts", "card.suit is not hearts", INDEPENDENT),
        ("card.suit is hearts", "card.suit is not spades", EXCLUSIVE),
        ("card.suit in [hearts, diamonds]", "card.suit in [clubs, spades]", INDEPENDENT),
        ("card.suit in [hearts, diamonds]", "card.suit in [spades, hearts]", EXCLUSIVE),
        ("card.suit not in [hearts, clubs]", "card.suit is hearts", INDEPENDENT),
        ("card.suit not in [hearts, clubs]", "card.suit not in [spades, diamonds]", INDEPENDENT),
        ("card.suit not in [hearts, clubs]", "card.suit not in [spades]", EXCLUSIVE),
        # members in an order
        ("card.rank < 5", "card.rank >= 10", INDEPENDENT),
        ("card.rank < 5", "card.rank >= 5", INDEPENDENT),
        ("card.rank < 8", "card.rank > 5", EXCLUSIVE),
        ("5 > card.rank", "card.rank is 5", INDEPENDENT),
        ("card.rank <= 5", "card.rank is 5", EXCLUSIVE),
        # numbers
        ("card.mark < 5", "card.mark >= 5", INDEPENDENT),
        ("card.mark > 4", "card.mark < 5", INDEPENDENT),
        ("card.mark > 3", "card.mark < 5", EXCLUSIVE),
        ("card.mark > 3 and card.mark is not 4", "card.mark < 5", INDEPENDENT),
        ("card.mark in (1 to 3)", "card.mark in (4 to 9)", INDEPENDENT),
        ("card.mark in (1 to 4)", "card.mark in (4 to 9)", EXCLUSIVE),
        ("card.mark in [1, 2]", "card.mark > 2", INDEPENDENT),
        ("card.mark in [1, 3]", "card.mark > 2", EXCLUSIVE),
        ("count(hand(first(players))) < 2", "count(hand(first(players))) > 5", INDEPENDENT),
        # two things against one another
        ("fines < turns_taken", "fines >= turns_taken", INDEPENDENT),
        ("fines < turns_taken", "turns_taken < fines", INDEPENDENT),
        ("fines <= turns_taken", "turns_taken <= fines", EXCLUSIVE),
        ("fines < turns_taken", "fines < bonus", EXCLUSIVE),
        # faces
        ("card is Q of spades", "card is K of spades", INDEPENDENT),
        ("card is Q of spades", "card is not Q of spades", INDEPENDENT),
        ("card is Q of spades", "card.mark is 3", EXCLUSIVE),
        # options, and whatever else is true or false
        ("long", "card.rank is A", INDEPENDENT),
        ("not long", "card.rank is A", EXCLUSIVE),
        ("card in table", "card not in table", INDEPENDENT),
        ("card in table", "card in stock", EXCLUSIVE),
        # several conditions
        ("card.rank is A or card.rank is K", "card.rank is Q", INDEPENDENT),
        ("card.rank is A or card.rank is K", "card.rank is K", EXCLUSIVE),
        ("card.rank is A and card.mark is 2", "card.suit is spades and card.mark is 3", INDEPENDENT),
        ("not (card.rank is A or card.mark > 3)", "card.mark > 3", INDEPENDENT),
        ("not (card.rank is A and card.mark > 3)", "card.mark > 3", EXCLUSIVE),
    ],
)
def test_guards_that_can_not_hold_together_never_meet(one: str, other: str, kind: Kind, tmp_path: Path) -> None:
    for first, second in ((one, other), (other, one)):
        changes = [f"worth(card): {value} if {guard} else proceed" for value, guard in ((1, first), (2, second))]
        assert kind_of(modifiers(tmp_path, *changes)) is kind


@pytest.mark.parametrize(
    ("one", "other", "kind"),
    [
        # the other way round, and one case after the other
        ("worth(card): proceed if card.rank is A else 7", "worth(card): 3 if card.rank is A else proceed", INDEPENDENT),
        (
            "worth(card):\n  first:\n    - 9 if card.rank is A\n    - 8 if card.rank is K\n    - proceed",
            "worth(card): 3 if card.rank is Q else proceed",
            INDEPENDENT,
        ),
        (
            "worth(card):\n  first:\n    - proceed if card.rank is A\n    - 8",
            "worth(card): 3 if card.rank is A and card.mark is 1 else proceed",
            INDEPENDENT,
        ),
        # what both give is the same wherever both answer
        ("worth(card): 0 if card.rank is A else proceed", "worth(card): 0 if card.suit is spades else proceed", AGREES),
        # a value under a guard is a value against one without
        ("worth(card): 1 if card.rank is A else proceed", "worth(card): 2", EXCLUSIVE),
        # the long form of a guard
        ("bonus: { value: 4, when: fines > 3 }", "bonus: { value: 5, when: fines < 3 }", INDEPENDENT),
        ("bonus: { value: 4, when: fines > 3 }", "bonus: { value: 5, when: fines < 5 }", EXCLUSIVE),
        # two that only add
        ("bonus: proceed + 1", "bonus: proceed + 2", INDEPENDENT),
    ],
)
def test_bodies_are_taken_apart_into_cases(one: str, other: str, kind: Kind, tmp_path: Path) -> None:
    assert kind_of(modifiers(tmp_path, one, other)) is kind
    assert kind_of(modifiers(tmp_path, other, one)) is kind


@pytest.mark.parametrize(
    ("change", "when", "kind"),
    [
        # steps at one point
        (["after turns: set fines to 1", "after turns: set fines to 2"], ["bonus > 3", "bonus <= 3"], INDEPENDENT),
        (["after turns: set fines to 1", "after turns: set fines to 2"], ["bonus > 3", "bonus > 4"], Kind.ORDER),
        # the first makes the guard of the second true
        (["after turns: set fines to 1", "after turns: set fines to 2"], ["fines > 3", "fines <= 3"], Kind.ORDER),
        # tiers and narrows
        (
            [
                "may_give(card):\n  require:\n    - low: card.rank < 8",
                "may_give(card):\n  require:\n    - ace: card.rank is A",
            ],
            ["fines > 3", "fines < 3"],
            INDEPENDENT,
        ),
        (
            [
                "may_give(card):\n  require:\n    - low: card.rank < 8",
                "may_give(card):\n  require:\n    - ace: card.rank is A",
            ],
            ["fines > 3", "fines > 4"],
            Kind.ORDER,
        ),
        (
            ["may_give(card):\n  narrow: { low: card.rank < 8 }", "may_give(card):\n  narrow: { ace: card.rank is A }"],
            ["fines > 3", "fines < 3"],
            INDEPENDENT,
        ),
        (
            ["may_give(card):\n  narrow: { low: card.rank < 8 }", "may_give(card):\n  narrow: { ace: card.rank is A }"],
            ["fines > 3", "turns_taken > 3"],
            Kind.EMPTY,
        ),
        # conditions of a phase
        (
            ["phase turns: { where: player.taken < 10 }", "phase turns: { where: player.taken < 20 }"],
            ["fines > 3", "fines <= 3"],
            INDEPENDENT,
        ),
        (
            ["phase turns: { where: player.taken < 10 }", "phase turns: { where: player.taken < 20 }"],
            ["fines > 3", "fines <= 4"],
            EXCLUSIVE,
        ),
    ],
)
def test_guards_keep_everything_else_apart_as_well(
    change: list[str], when: list[str], kind: Kind, tmp_path: Path
) -> None:
    files = modifiers(tmp_path, *change, when=when)
    [verdict] = judged(LITTLE, files)
    assert verdict.kind is kind
    if kind is INDEPENDENT:
        assert len(rulesdsl.load(LITTLE, files).modifiers) == 2


def test_each_holds_where_its_guard_does(tmp_path: Path) -> None:
    """What is loaded is what the two say, whoever is named first."""
    changes = ["worth(card): 0 if card.rank is A else proceed", "worth(card): 50 if card.rank in [K, Q] else proceed"]
    files = modifiers(tmp_path, *changes)
    for order in (files, files[::-1]):
        match = Match(rulesdsl.load(LITTLE, order), seed=3)
        random, given = Random(1), []
        while not match.finished:
            match.choose_random(random)
        table = next(zone for zone in match.view(0)["zones"] if zone["zone"] == "table")
        given = [(card["card"] if isinstance(card, dict) else card).partition(" ")[0] for card in table["cards"]]
        worth = {"A": 0, "K": 50, "Q": 50, "J": 11}
        expected = [worth[rank] if rank in worth else int(rank) for rank in given]
        assert match.view(0)["state"]["taken"] == expected


@pytest.mark.parametrize("seed", range(20))
def test_guards_on_numbers_exclude_each_other_if_no_number_meets_both(seed: int, tmp_path: Path) -> None:
    """Against trying all numbers."""
    random = Random(seed)
    signs = {
        "<": int.__lt__,
        "<=": int.__le__,
        ">": int.__gt__,
        ">=": int.__ge__,
        "is": int.__eq__,
        "is not": int.__ne__,
    }

    def guard() -> list[tuple[str, int]]:
        return [(random.choice(list(signs)), random.randint(0, 5)) for _ in range(random.randint(1, 3))]

    first, second = guard(), guard()
    meet = any(all(signs[sign](n, limit) for sign, limit in (*first, *second)) for n in range(-3, 9))
    texts = [" and ".join(f"card.mark {sign} {limit}" for sign, limit in guards) for guards in (first, second)]
    changes = [f"worth(card): {number} if {text} else proceed" for number, text in enumerate(texts)]
    assert kind_of(modifiers(tmp_path, *changes)) is (EXCLUSIVE if meet else INDEPENDENT)
