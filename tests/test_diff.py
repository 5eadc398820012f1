"""What differs between two programs: nothing of what means the same, and enough to make the one of the other."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from random import Random

import pytest
import yaml
from typer.testing import CliRunner

import rulesdsl
from project import ROOT
from rulesdsl import Edit, Program, RuleFileError, apply, as_noticed, diff, told
from rulesdsl.cli.app import app
from rulesdsl.interpreter import playout
from rulesdsl.ir.verify import verify
from rulesdsl.variants.alignment import aligned, rebuilt
from rulesdsl.variants.edits import Recoded, mirrored, order, slot
from rulesdsl.variants.mismatch import EditMismatch
from rulesdsl.variants.normal import normal

GAMES = sorted(path.parent.name for path in (ROOT / "games").glob("*/game.yaml"))


@cache
def program(game: str, *modifiers: str) -> Program | None:
    """A game with modifiers; None if they do not go together."""
    try:
        return rulesdsl.load(game, modifiers)
    except RuleFileError:
        return None


def modifiers(game: str) -> list[str]:
    return sorted(path.stem for path in (ROOT / "games" / game / "modifiers").glob("*.yaml"))


def loaded(game: str, *names: str) -> Program:
    found = program(game, *names)
    assert found is not None
    return found


def visible(edits: tuple[Edit, ...]) -> set[str]:
    """The slots that edits write, but for what follows from the others."""
    return {slot(edit) for edit in edits if not isinstance(edit, Recoded)}


def check_pair(a: Program, b: Program) -> None:
    """The laws of every difference."""
    there, back = diff(a, b), diff(b, a)
    made = apply(there, a)
    assert made == normal(b)
    verify(made)
    assert tuple(sorted((mirrored(edit) for edit in there), key=order)) == back
    assert bool(there) == bool(back)


# ── the laws ─────────────────────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize("game", GAMES)
def test_a_game_does_not_differ_from_itself(game: str) -> None:
    one = loaded(game)
    assert diff(one, one) == ()
    assert normal(normal(one)) == normal(one)


@pytest.mark.parametrize(("game", "modifier"), [(game, one) for game in GAMES for one in modifiers(game)])
def test_a_modifier_is_the_difference_it_makes(game: str, modifier: str) -> None:
    base, changed = loaded(game), loaded(game, modifier)
    assert diff(base, changed)
    check_pair(base, changed)


@pytest.mark.parametrize("number", range(12))
def test_stacks_differ_by_edits_that_lead_from_one_to_the_other(number: int) -> None:
    random = Random(number)
    game = random.choice(GAMES)
    stacks: list[Program] = []
    while len(stacks) < 2:
        names = random.sample(modifiers(game), k=random.randint(0, min(3, len(modifiers(game)))))
        found = program(game, *sorted(names))
        if found is not None:
            stacks.append(found)
    check_pair(*stacks)


def test_two_games_differ_by_edits_that_lead_from_one_to_the_other() -> None:
    check_pair(loaded("trappola"), loaded("tricky-traps"))
    check_pair(loaded("tricky-kids"), loaded("trappola"))


def test_the_order_in_which_modifiers_are_named_is_no_difference() -> None:
    one = loaded("tricky-kids", "smalls", "rotten-egg", "heads-up-7-up")
    assert diff(one, loaded("tricky-kids", "heads-up-7-up", "rotten-egg", "smalls")) == ()


@pytest.mark.parametrize("modifier", ["take-backsies", "fractions-are-hard", "i-could-have-won"])
def test_what_was_made_by_edits_plays_like_what_was_loaded(modifier: str) -> None:
    base, changed = loaded("tricky-kids"), loaded("tricky-kids", modifier)
    made = apply(diff(base, changed), base)
    results = [playout(one, players=3, seed=5, rng=Random(7)) for one in (made, changed)]
    assert results[0] == results[1]


# ── what is no difference ────────────────────────────────────────────────────────────────────────────────────────

GAME = """
rulesdsl: 1
game: little
title: Little
players: 2 to 3
uses: [french-cards, deal]

state:
  taken: { each: player, start: 0 }

rules:
  worth(card): pips(card)
  best: highest(players by it.taken)

phases:
  - phase: deal
    do:
      - collect_and_shuffle
      - deal(3)
  - phase: turns
    each: player
    do:
      - decision: give
        choose: { card: a card from hand }
        under: may_give
      - add worth(card) to taken
scores: taken
winners: best
"""
LEGALITY = """
  may_give(card):
    forbid: { ace: card.rank is A and count(hand) > 1 }
    require:
      - low: card.rank < 10
"""


def made(folder: Path, text: str, modifier: str | None = None) -> Program:
    """A game of a test, with a modifier of its own."""
    folder.mkdir(exist_ok=True)
    (folder / "modifiers").mkdir(exist_ok=True)
    (folder / "game.yaml").write_text(
        text.replace("  best:", f"{LEGALITY.strip(chr(10))}\n  best:").lstrip(), encoding="utf-8"
    )
    if modifier is None:
        return rulesdsl.load(folder)
    head = "rulesdsl: 1\nmodifier: change\nof: little\ntitle: Change\n\n"
    (folder / "modifiers" / "change.yaml").write_text(head + modifier, encoding="utf-8")
    return rulesdsl.load(folder, ["change"])


def differs(folder: Path, modifier: str) -> set[str]:
    base = made(folder, GAME)
    changed = made(folder, GAME, modifier)
    check_pair(base, changed)
    return visible(diff(base, changed))


def test_formatting_and_the_order_of_keys_are_no_difference(tmp_path: Path) -> None:
    other = GAME.replace(
        "worth(card): pips(card)\n  best: highest(players by it.taken)",
        "best: highest(players by it.taken)\n  worth( card ):   pips(card)   # said otherwise",
    )
    assert other != GAME
    assert diff(made(tmp_path / "a", GAME), made(tmp_path / "b", other)) == ()


def test_what_is_said_again_is_no_difference(tmp_path: Path) -> None:
    assert differs(tmp_path, "changes:\n  worth(card): pips(card)\n") == set()


@pytest.mark.parametrize(
    ("modifier", "slots"),
    [
        ("changes:\n  worth(card): 1\n", {"rule worth(card)"}),
        ("changes:\n  worth(card): 2 * proceed\n", {"rule worth(card)"}),
        ("changes:\n  worth(card): { add: 1 }\n", {"rule worth(card)"}),
        ("changes:\n  may_give(card):\n    forbid: { two: card.rank is 2 }\n", {"legality may_give(card)"}),
        ("changes:\n  may_give(card):\n    permit: { ace: card.suit is hearts }\n", {"legality may_give(card)"}),
        ("changes:\n  phase turns: { when: count(players) is 2 }\n", {"phase turns when"}),
        ("changes:\n  phase turns: { together: player }\n", {"phase turns loop"}),
        ("changes:\n  phase turns: { where: player.taken is 0 }\n", {"phase turns where"}),
        ("changes:\n  phase turns: remove\n", {"phase turns place"}),
        # of two neighbours that change places one is said to have moved, whichever it was
        ("changes:\n  phase turns: { move: before deal }\n", {"phase deal place"}),
        ("changes:\n  after deal: shuffle stock\n", {"after phase deal"}),
        ("changes:\n  before give: announce 1\n", {"before decision turns/give"}),
        ("changes:\n  decision give: { add: { extra: yes or no } }\n", {"decision turns/give part extra"}),
        ("changes:\n  decision give: { where: card.rank is not K }\n", {"decision turns/give where"}),
        ("changes:\n  zone hand: { seen: everyone }\n", {"zone hand seen"}),
        ("changes:\n  state taken: { start: 5 }\n", {"state taken start"}),
        ("changes:\n  winners: players\n", {"rule winners"}),
        ("players: 2\nchanges:\n  worth(card): 1\n", {"game players", "rule worth(card)"}),
        (
            "adds:\n  state:\n    seen: { start: 0, resets: deal }\n"
            "  zones:\n    heap: { seen: nobody }\nchanges:\n  after turns: set seen to 1\n",
            {"state seen", "zone heap", "after phase turns"},
        ),
    ],
)
def test_a_difference_names_the_slots_that_a_file_changes(tmp_path: Path, modifier: str, slots: set[str]) -> None:
    assert differs(tmp_path, modifier) == slots


def slots_of_file(path: Path) -> set[str]:
    """What a modifier's file is about, from its keys: rules and legalities by name, places by path, added things."""
    document = yaml.safe_load(path.read_text(encoding="utf-8"))
    found = {f"option {name}" for name in document.get("options", {})}
    for section, things in document.get("adds", {}).items():
        for name, body in things.items():
            plain = name.partition("(")[0]
            if section == "cards":
                found |= {f"kind {name} field {inner}" for inner in body["fields"]}
            else:
                found.add(f"{ {'rules': 'rule', 'state': 'state', 'zones': 'zone'}[section] } {plain}")
    for key in document["changes"]:
        word, _, rest = key.partition(" ")
        found.add(
            f"{word} {rest}" if word in ("after", "before", "phase", "decision") else f"rule {key.partition('(')[0]}"
        )
    return found


def slot_in_short(name: str) -> str:
    """A slot as the keys of a file say it: without the path, the parameters and the part."""
    word, rest = name.split(" ", 1)
    if word in ("after", "before"):
        return f"{word} {rest.split(' ', 1)[1].replace('()', '').rpartition('/')[2]}"
    if word in ("phase", "decision"):
        return f"{word} {rest.split(' ')[0].rpartition('/')[2]}"
    if word in ("rule", "legality"):
        return f"rule {rest.partition('(')[0]}"
    return f"option {rest.split(' ')[0]}" if word == "option" else name


SAID_AGAIN = {"i-could-have-won": {"rule hand_total"}, "simple-addition": {"rule suits_of"}}
"""What a file says just as the game does: no difference."""


@pytest.mark.parametrize("modifier", modifiers("tricky-kids"))
def test_a_rule_of_tricky_kids_differs_by_the_slots_of_its_file(modifier: str) -> None:
    found = {slot_in_short(name) for name in visible(diff(loaded("tricky-kids"), loaded("tricky-kids", modifier)))}
    written = slots_of_file(ROOT / "games" / "tricky-kids" / "modifiers" / f"{modifier}.yaml")
    assert found == written - SAID_AGAIN.get(modifier, set())


def test_an_edit_does_not_fit_every_program() -> None:
    edits = diff(loaded("tricky-kids"), loaded("tricky-kids", "smalls"))
    with pytest.raises(EditMismatch):
        apply(edits, loaded("trappola"))


# ── lists ────────────────────────────────────────────────────────────────────────────────────────────────────────


def test_lists_that_kept_their_order_are_aligned() -> None:
    found = aligned("abcd", "bxdy")
    assert found is not None
    assert (found.gone, found.come) == ((0, 2), (1, 3))
    assert "".join(rebuilt("abcd", found.gone, [(1, "x"), (3, "y")])) == "bxdy"


def test_lists_in_another_order_are_aligned_only_by_what_may_move() -> None:
    assert aligned("abc", "cab") is None
    found = aligned("abc", "cab", movable=frozenset("c"))
    assert found is not None
    assert found.moved == ((2, 0),)


# ── the command ──────────────────────────────────────────────────────────────────────────────────────────────────


def test_the_command_tells_what_differs() -> None:
    result = CliRunner().invoke(app, ["diff", "tricky-kids", "tricky-kids+rich-kids"])
    assert result.exit_code == 1
    assert "rule hand_total: set from exactly 21 to exactly 42" in result.output
    assert "modifiers/rich-kids.yaml:8:3" in result.output
    assert "legality" in result.output


def test_the_command_says_when_nothing_differs() -> None:
    result = CliRunner().invoke(app, ["diff", "tricky-kids", "tricky-kids"])
    assert (result.exit_code, result.output.strip()) == (0, "no difference")


def test_the_command_gives_json() -> None:
    result = CliRunner().invoke(app, ["diff", "tricky-traps+teams", "tricky-traps", "--format", "json"])
    assert result.exit_code == 1
    assert '"what": "players: 4 becomes 2 to 5"' in result.output


def test_the_command_wants_names() -> None:
    assert CliRunner().invoke(app, ["diff", "tricky-kids+", "tricky-kids"]).exit_code == 2


# ── what is printed on cards ─────────────────────────────────────────────────────────────────────────────────────

LITTLE = ROOT / "tests" / "cases" / "variants" / "little"


@pytest.mark.parametrize(
    ("body", "said", "back_again", "edit"),
    [
        ("spades if card.rank is J else proceed", "set under a guard", "no longer set under a guard", "RuleWrapped"),
        ("hearts", "set", "set", "RuleSet"),
    ],
)
def test_what_is_printed_is_changed_and_not_added(
    body: str, said: str, back_again: str, edit: str, tmp_path: Path
) -> None:
    """The suit of a card is there all the time, whether or not anybody changes it."""
    file = tmp_path / "suits.yaml"
    head = "rulesdsl: 1\nmodifier: suits\nof: little\ntitle: Suits\nchanges:\n"
    file.write_text(f"{head}  suit(card): {body}\n", encoding="utf-8")
    base, changed = rulesdsl.load(LITTLE), rulesdsl.load(LITTLE, [str(file)])
    found = next(one for one in diff(base, changed) if not isinstance(one, Recoded))
    assert told(found) == f"rule suit(card): {said}"
    assert type(as_noticed(found)).__name__ == edit
    back = next(one for one in diff(changed, base) if not isinstance(one, Recoded))
    assert told(back) == told(mirrored(found)) == f"rule suit(card): {back_again}"
    assert apply(diff(base, changed), base) == normal(changed)
