"""The texts of cards: what they say, and that nothing of what a card does is missing from them.

Expected sentences were written from the rows of the card files, by people who read them.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import fields, replace
from pathlib import Path
from typing import Any

import pytest

from project import ROOT
from rulesdsl import load
from rulesdsl.cardtext.cardtext import text_of
from rulesdsl.cardtext.english import be, listed, opposite, owned, plural, singular, verb, whose
from rulesdsl.cardtext.filling import filled
from rulesdsl.cardtext.lexicon import Lexicon
from rulesdsl.diagnostic import Diagnostics
from rulesdsl.elaborate import program as program_module
from rulesdsl.elaborate.cardtexts import with_texts
from rulesdsl.elaborate.powers import KindPowers, Row
from rulesdsl.ir.dump import program_hash
from rulesdsl.ir.nodes import Program
from rulesdsl.pipeline import build
from rulesdsl.reader import Reader
from rulesdsl.syntax.document import (
    ChangeDoc,
    DecisionBody,
    DeclarationBody,
    Declarations,
    Doc,
    GameDoc,
    LegalityBody,
    LibraryDoc,
    ModifierDoc,
    PhaseBody,
    StagesBody,
    StepsBody,
    VariantDoc,
)
from rulesdsl.syntax.expr import Binary, Node, Not, NumberLiteral, Operator, TypeExpr, TypeForm
from rulesdsl.syntax.powers import ChangesBody, PowerBody

WIZARDS = ROOT / "tests" / "cases" / "ok" / "powers" / "game.yaml"
GAMES = sorted(
    path
    for folder in ("games", "tests/cases/ok")
    for path in (ROOT / folder).glob("*/game.yaml")
    if "powers:" in path.read_text(encoding="utf-8")
)
RULE_FILES = sorted(
    path
    for pattern in ("games/*/*.yaml", "games/*/*/*.yaml", "rulesdsl/std/*.yaml", "tests/cases/ok/**/*.yaml")
    for path in ROOT.glob(pattern)
    if not path.name.endswith(".test.yaml")
)
OTHER = {
    Operator.AND: Operator.OR,
    Operator.OR: Operator.AND,
    Operator.IS: Operator.IS_NOT,
    Operator.IS_NOT: Operator.IS,
}
OTHER |= {Operator.LESS: Operator.LESS_EQUAL, Operator.LESS_EQUAL: Operator.LESS, Operator.IN: Operator.NOT_IN}
OTHER |= {Operator.GREATER: Operator.GREATER_EQUAL, Operator.GREATER_EQUAL: Operator.GREATER}
OTHER |= {Operator.NOT_IN: Operator.IN, Operator.PLUS: Operator.MINUS, Operator.MINUS: Operator.PLUS}
OTHER |= {Operator.TIMES: Operator.DIV, Operator.DIV: Operator.MOD, Operator.MOD: Operator.TIMES}


def texts(path: Path | str) -> dict[str, tuple[str, ...]]:
    """The texts of all cards of a game that a file lists, by name."""
    return {row.name or row.id or "": row.text for kind in load(path).kinds for row in kind.rows}


# ── what the texts say ───────────────────────────────────────────────────────────────────────────────────────────


def test_the_texts_of_a_small_game() -> None:
    assert texts(WIZARDS) == {
        "Spark": ("When you cast it, choose another player as the target.", "Then take 2 from the target's mana."),
        "Steal": (
            "When you cast it, choose as the loot 1 or 2 spells from the other players' tables, such that the number "
            "of the different ones among the loot's owner is the number of the loot.",
            "Then for each of the loot: move that spell to this card's owner's table.",
        ),
        "Well": (
            "It is worth 1 plus (your mana divided by 5, rounded down).",
            "While it lies before you: +1 to what this card's owner gains in a turn.",
        ),
        "Wall": (
            "It is worth 3.",
            "While it lies before you: no player other than this card's owner may cast a fire spell. When this card's "
            "owner has cast a spell, if this card is not “used”: from now on this card is “used”.",
        ),
        "Hush": ("You may answer a spell with it if the number of all players is more than 1.",),
    }


def test_without_wordings_every_name_is_said_as_it_is_written(tmp_path: Path) -> None:
    game, _, _ = WIZARDS.read_text(encoding="utf-8").partition("\nwording:")
    (tmp_path / "game.yaml").write_text(game, encoding="utf-8")
    (tmp_path / "spells.yaml").write_text(
        """\
rulesdsl: 1
cards: spells
of: spell
rows:
  - name: All
    element: fire
    cost: 1
    aims:
      target: a player from players
      number: a number from 1 to 3
      sure: yes or no
    works:
      - if: sure and (count(target.hand) > number or not any(hand))
        then:
          - fade(self)
          - move top(book, 2) to bottom of grave
        else: set self.used to false
      - repeat:
          - draw 2 lost at random from hand where it.element in [fire, water]
          - move lost to under self
        until: count(hand) <= 3
        at_most: 9
      - decision: gift
        by: target
        optional: true
        choose: { gift: a spell from hand }
        then: swap gift with first(player.hand)
        else: add 2 to player.mana
      - roll luck from 1 to 6
      - each: guest from left(target)
        do: add luck - 3 to guest.mana
    lasts:
      income(player): { at_most: 4, multiply: 2 if player is target else 1 }
      value(player): proceed + 1
      instead of fade:
        - proceed
        - end game
""",
        encoding="utf-8",
    )
    assert texts(tmp_path / "game.yaml") == {
        "All": (
            "Aims: choose a player as the target, as the number a number from 1 to 3 and yes or no for “sure”.",
            "Works: if “sure” is true and (the number of the spells in the target's hand is more than the number or "
            "there are no spells in your hand), fade (this card), then put the top 2 spells of the book "
            "at the bottom of the grave; otherwise, from now on this card is not “used”. "
            "Repeat, until the number of the spells in your hand is at most 3, at most 9 times: choose as the lost at "
            "random 2 of the spells in your hand whose element is fire or water, then put the lost under this card. "
            "The target may choose as the gift a spell from the target's hand, then the gift and the first of the "
            "spells in your hand change places; otherwise, add 2 to your mana. "
            "Roll a number from 1 to 6 for the luck. "
            "For each guest in turn, beginning with the player to the left of the target: add the luck minus 3 to that "
            "guest's mana.",
            "Lasts: the income of any player is at most 4. The income of the target is multiplied by 2. "
            "+1 to the value of any player. Instead of “fade”: let it happen, then end the game.",
        )
    }


def test_a_game_has_the_last_word_on_what_a_library_says(tmp_path: Path) -> None:
    library = "rulesdsl: 1\nlibrary: gifts\nprocedures:\n  bless(player): []\n  curse(player): []\n"
    library += "wording:\n  bless(player): <player> is blessed\n  curse(player): <player> is cursed\n"
    game = WIZARDS.read_text(encoding="utf-8").replace("players: 2 to 4\n", "players: 2 to 4\nuses: [gifts]\n")
    game = game.replace("  thing: that spell\n", "")
    (tmp_path / "libraries").mkdir()
    (tmp_path / "libraries" / "gifts.yaml").write_text(library, encoding="utf-8")
    (tmp_path / "game.yaml").write_text(f"{game}  curse(guest): a shadow falls on <guest>\n", encoding="utf-8")
    rows = "rulesdsl: 1\ncards: spells\nof: spell\nrows:\n"
    rows += "  - { name: A, element: fire, cost: 1, works: bless(player) }\n"
    rows += "  - { name: B, element: fire, cost: 1, works: curse(player) }\n"
    (tmp_path / "spells.yaml").write_text(rows, encoding="utf-8")
    assert texts(tmp_path / "game.yaml") == {"A": ("Then you are blessed.",), "B": ("Then a shadow falls on you.",)}


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("Bogwater Gong", ()),
        (
            "Dragon",
            (
                "When you declare this card, choose as the prey 1 or 2 of the items in all realms that can be taken.",
                "When it enters, put the prey under this card.",
            ),
        ),
        (
            "Sootwing",
            (
                "When you declare this card, choose another player, and as the prey 1 of the items in the other "
                "players' realms that can be taken, which must be a treasure and whose holder must be that player.",
                "When it enters, put the prey under this card.",
            ),
        ),
        (
            "Luck Potion",
            (
                "After a roll, you may use this card if you are the player who rolls.",
                "If you use it, add 2 to the roll.",
            ),
        ),
        ("Brooch", ("While it is in play: +2 to every entry roll of this card's holder for an item.",)),
        ("Castle", ("While it is in play: an item whose holder is this card's holder can't be taken.",)),
        ("Loose Cobblestone", ("Before a roll, you may answer with this card.", "If it enters, add -3 to the roll.")),
    ],
)
def test_cards_of_treasures_and_traps(name: str, text: tuple[str, ...]) -> None:
    assert texts("treasures-and-traps")[name] == text


# ── that they say all of it ──────────────────────────────────────────────────────────────────────────────────────


@pytest.fixture(scope="module", params=GAMES, ids=lambda path: path.parent.name)
def told(request: pytest.FixtureRequest) -> tuple[Mapping[str, KindPowers], Lexicon]:
    """The powers of all cards of a game, and the words for them."""
    found: list[tuple[Mapping[str, KindPowers], Lexicon]] = []

    def spy(program: Program, powers: Mapping[str, KindPowers], words: Lexicon) -> Program:
        found.append((powers, words))
        return with_texts(program, powers, words)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(program_module, "with_texts", spy)
        build(str(request.param), (), {})
    return found[-1]


def less(value: Any) -> Iterator[Any]:
    """Everything that can be made of a power by taking one item out of one list in it, or by changing one thing."""
    match value:
        case tuple():
            for index, item in enumerate(value):
                if isinstance(item, Doc | tuple):
                    yield value[:index] + value[index + 1 :]
                yield from ((*value[:index], other, *value[index + 1 :]) for other in less(item))
        case Doc() | Node():
            if isinstance(value, NumberLiteral):
                yield replace(value, text=value.text + "1")
            if isinstance(value, Not):
                yield value.operand
            if isinstance(value, Binary):
                yield replace(value, operator=OTHER[value.operator])
            for part in fields(value):
                if part.name not in ("span", "name_span"):
                    yield from (replace(value, **{part.name: other}) for other in less(getattr(value, part.name)))
        case _:
            pass


def with_one_thing_changed(row: Row) -> Iterator[dict[str, PowerBody]]:
    for name, body in row.powers.items():
        yield {other: same for other, same in row.powers.items() if other != name}
        for changed in less(body):
            yield {**row.powers, name: changed}


def test_whatever_is_taken_from_a_card_is_missing_in_its_text(told: tuple[Mapping[str, KindPowers], Lexicon]) -> None:
    powers, words = told
    tried = 0
    for kind in powers.values():
        for row in kind.rows:
            text = text_of(row.powers, kind.types, words)
            for changed in with_one_thing_changed(row):
                tried += 1
                assert text_of(changed, kind.types, words) != text, (row.label, changed)
    assert tried > 10


def bodies(path: Path) -> Iterator[tuple[PowerBody, str]]:
    """What the procedures, rules and changes of a file say, as if it stood on cards, with a type for it."""
    document = Reader(Diagnostics()).read(path)
    declares = Declarations(span=document.span) if document is not None else None
    changes: tuple[ChangeDoc, ...] = ()
    match document:
        case LibraryDoc():
            declares, changes = document.declares, document.declares.events
        case ModifierDoc():
            declares, changes = document.adds, document.changes
        case VariantDoc():
            changes = document.changes
        case _:
            pass
    assert declares is not None
    if isinstance(document, GameDoc):
        yield StepsBody(document.phases, span=document.span), "steps"
    yield from ((StepsBody(procedure.do, span=procedure.span), "steps") for procedure in declares.procedures)
    for rule in declares.rules:
        if not isinstance(rule.body, LegalityBody | StagesBody):
            yield rule.body, "number"
            yield rule.body, "yes_no"
    for change in changes:
        if not isinstance(
            change.body, PhaseBody | DecisionBody | DeclarationBody
        ):  # these are shown as they are written
            yield ChangesBody((change,), span=change.span), "changes"


@pytest.mark.parametrize("path", RULE_FILES, ids=lambda path: path.relative_to(ROOT).as_posix())
def test_whatever_a_file_says_can_be_put_in_words(path: Path) -> None:
    """As well as rows of cards, with nothing known of any name."""
    for body, word in bodies(path):
        types = {"power": TypeExpr(TypeForm.PLAIN, word, span=body.span)}
        text = text_of({"power": body}, types, Lexicon())
        assert text and all(line.endswith(".") for line in text)
        for changed in less(body):
            assert text_of({"power": changed}, types, Lexicon()) != text, changed


def test_cards_that_read_alike_do_alike(told: tuple[Mapping[str, KindPowers], Lexicon]) -> None:
    powers, words = told
    for kind in powers.values():
        known: dict[tuple[str, ...], Row] = {}
        for row in kind.rows:
            other = known.setdefault(text_of(row.powers, kind.types, words), row)
            assert other.powers == row.powers, (row.label, other.label)


def test_a_text_is_no_part_of_what_a_program_means() -> None:
    program = load(WIZARDS)
    bare = replace(
        program,
        kinds=tuple(replace(k, rows=tuple(replace(row, text=()) for row in k.rows)) for k in program.kinds),
    )
    assert bare == program and program_hash(bare) == program_hash(program)


# ── English ──────────────────────────────────────────────────────────────────────────────────────────────────────


def test_words_take_their_forms() -> None:
    assert [plural(word) for word in ("card", "entry", "class", "box", "toy")] == [
        "cards",
        "entries",
        "classes",
        "boxes",
        "toys",
    ]
    assert [singular(word) for word in ("cards", "entries", "class")] == ["card", "entry", "class"]
    assert [whose(word) for word in ("you", "it", "that player", "the other players")] == [
        "your",
        "its",
        "that player's",
        "the other players'",
    ]
    assert [be(word) for word in ("you", "the items in your hand", "the class of the cards")] == ["are", "are", "is"]
    assert [verb(word, "you") for word in ("draws", "has", "passes", "tries")] == ["draw", "have", "pass", "try"]
    assert verb("draws", "that player") == "draws"
    assert listed(["a"]) == "a" and listed(["a", "b", "c"], "or") == "a, b or c"
    assert owned("you", "hand") == "your hand"
    assert owned("the player to your left", "hand") == "the hand of the player to your left"
    assert opposite("it is red") == "it is not red" and opposite("it can't be red") == "it can be red"


def test_a_hole_is_filled_as_the_sentence_needs_it() -> None:
    wording = "<player> draws <number> cards from <player>'s deck for <card | any card>"
    assert filled(wording, {"player": "you", "number": "1"}) == "you draw 1 card from your deck for any card"
    assert (
        filled(wording, {"player": "that player", "number": "2", "card": "it"})
        == "that player draws 2 cards from that player's deck for it"
    )
