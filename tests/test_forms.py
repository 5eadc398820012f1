"""Places that guarded changes make into something else: how many forms of them there are, and which one counts."""

from __future__ import annotations

from itertools import product
from pathlib import Path
from textwrap import indent

import pytest

import rulesdsl
from rulesdsl import Program, RuleFileError
from rulesdsl.interpreter import Match
from rulesdsl.ir.nodes import Ask, Phase
from rulesdsl.ir.walk import operations_of

GAME = """\
rulesdsl: 1
game: forms
title: Forms
players: 2
uses: [french-cards, deal]

options:
  mode: [plain, m1, m2, m3, m4, m5, m6, m7, m8, m9, m10, m11, m12]

state:
  result: { start: 0 }
  other: { start: 0 }
  said: { start: 0 }

phases:
  - phase: work
    do: add 1 to result
  - phase: more
    each: player
    do: add 1 to other
  - phase: talk
    do:
      - decision: say
        by: first(players)
        choose: { word: a number from 0 to 9 }
      - set said to word

winners: players
"""


def game(folder: Path, *changes: str) -> tuple[Path, list[str]]:
    """The game, and modifiers of which the first is in force in mode m1, the second in m2, and so on."""
    (folder / "modifiers").mkdir(exist_ok=True)
    (folder / "game.yaml").write_text(GAME, encoding="utf-8")
    names = []
    for number, change in enumerate(changes, 1):
        names.append(f"m-{number:02}")
        head = f"rulesdsl: 1\nmodifier: m-{number:02}\nof: forms\ntitle: M{number}\nwhen: mode is m{number}\n"
        path = folder / "modifiers" / f"m-{number:02}.yaml"
        path.write_text(f"{head}changes:\n{indent(change, '  ')}\n", encoding="utf-8")
    return folder, names


def forms(program: Program, name: str) -> int:
    found = operations_of((*program.main.body, *(step for one in program.procedures for step in one.body)))
    return sum(isinstance(one, Phase | Ask) and one.name == name for one in found)


def played(folder: Path, names: list[str], mode: str) -> Match:
    """A match up to the decision."""
    return Match(rulesdsl.load(folder, names, {"mode": mode}))


def test_twelve_that_give_the_same_part_make_thirteen_forms(tmp_path: Path) -> None:
    folder, names = game(tmp_path, *(f"phase work: {{ do: set result to {n} }}" for n in range(1, 13)))
    assert forms(rulesdsl.load(folder, names), "work") == 13
    for mode, result in (("plain", 1), ("m1", 1), ("m2", 2), ("m7", 7), ("m12", 12)):
        assert played(folder, names, mode).view(0)["state"]["result"] == result


def test_other_parts_multiply(tmp_path: Path) -> None:
    """Three ways to loop and the game's own, with three lists of steps and the game's own."""
    loops = [
        "phase more: { together: player }",
        "phase more: { each: x in (1 to 3) }",
        "phase more:\n  each: x in [7]",
    ]
    steps = [f"phase more: {{ do: add {n} to other }}" for n in (10, 20, 30)]
    folder, names = game(tmp_path, *loops, *steps)
    assert forms(rulesdsl.load(folder, names), "more") == 16
    for mode, other in (("plain", 2), ("m1", 2), ("m2", 3), ("m3", 1), ("m4", 20), ("m5", 40), ("m6", 60)):
        assert played(folder, names, mode).view(0)["state"]["other"] == other


def test_a_change_of_two_parts_shows_where_a_later_one_gives_one_of_them(tmp_path: Path) -> None:
    both = ["phase more:\n  each: x in (1 to 3)\n  do: add 5 to other", "phase more: { do: add 7 to other }"]
    folder, names = game(tmp_path, *both)
    for name, guard in zip(names, ("mode is not plain", "mode in [m2, m3]"), strict=True):
        path = folder / "modifiers" / f"{name}.yaml"
        text = path.read_text(encoding="utf-8")
        path.write_text(text.replace(f"mode is m{int(name[-2:])}", guard), encoding="utf-8")
    for mode, other in (("plain", 2), ("m1", 15), ("m2", 21)):
        assert played(folder, names, mode).view(0)["state"]["other"] == other


def test_conditions_need_no_forms(tmp_path: Path) -> None:
    folder, names = game(tmp_path, *(f"decision say: {{ where: word > {number % 9} }}" for number in range(1, 13)))
    assert forms(rulesdsl.load(folder, names), "say") == 1
    for mode, least in (("plain", 0), ("m1", 2), ("m5", 6), ("m12", 4)):
        options = [option.text for option in played(folder, names, mode).decision.options]
        assert options == [str(n) for n in range(least, 10)]


def test_repeating_needs_one_form_in_common(tmp_path: Path) -> None:
    changes = [f"phase work: {{ until: result >= {number}, at_most: 20 }}" for number in range(1, 13)]
    folder, names = game(tmp_path, *changes)
    assert forms(rulesdsl.load(folder, names), "work") == 2
    for mode, result in (("plain", 1), ("m1", 1), ("m4", 4), ("m12", 12)):
        assert played(folder, names, mode).view(0)["state"]["result"] == result


def test_the_net_of_each_is_its_own(tmp_path: Path) -> None:
    folder, names = game(tmp_path, *(f"phase work: {{ until: false, at_most: {number} }}" for number in (3, 5)))
    for mode, turns in (("m1", 3), ("m2", 5)):
        match = played(folder, names, mode)
        assert (match.result.end, match.view(0)["state"]["result"]) == ("limit", turns)


@pytest.mark.parametrize("number", [6, 7])
def test_there_are_at_most_64_forms(number: int, tmp_path: Path) -> None:
    """Each part may be there or not: 2 to the power of how many there are."""
    folder, names = game(tmp_path, *(f"decision say: {{ add: {{ p{n}: yes or no }} }}" for n in range(number)))
    if number == 6:
        assert forms(rulesdsl.load(folder, names), "say") == 64
        return
    with pytest.raises(RuleFileError) as refused:
        rulesdsl.load(folder, names)
    assert [one.code for one in refused.value.diagnostics] == ["E0922"]


def test_every_combination_of_parts_is_asked_for(tmp_path: Path) -> None:
    folder, names = game(tmp_path, *(f"decision say: {{ add: {{ p{n}: yes or no }} }}" for n in range(2)))
    guards = ("mode in [m1, m3]", "mode in [m2, m3]")
    for number, (name, guard) in enumerate(zip(names, guards, strict=True), 1):
        path = folder / "modifiers" / f"{name}.yaml"
        path.write_text(path.read_text(encoding="utf-8").replace(f"mode is m{number}", guard), encoding="utf-8")
    for mode, (first, second) in zip(("plain", "m2", "m1", "m3"), product((0, 1), repeat=2), strict=True):
        assert played(folder, names, mode).decision.count == 10 * 2**first * 2**second
