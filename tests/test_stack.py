"""How modifiers stand to one another: the laws on a little game, and the eighteen rules of Tricky Kids."""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path
from random import Random
from shutil import copytree

import pytest
from test_codes import BLOCK, OF_STACKS, explanation
from typer.testing import CliRunner

import rulesdsl
from project import ROOT
from rulesdsl import Matrix, judged, verdicts
from rulesdsl.cli.app import app
from rulesdsl.variants.findings import Kind

LITTLE = ROOT / "tests" / "cases" / "variants" / "little"


@cache
def little() -> Matrix:
    return verdicts(LITTLE)


@cache
def kids() -> Matrix:
    return verdicts("tricky-kids")


# ── the laws ─────────────────────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize(
    ("first", "second", "kind"),
    [
        # values: equal ones agree, others exclude each other; what is said again is read
        ("bonus-one", "bonus-one-too", "agrees"),
        ("bonus-one", "bonus-two", "exclusive"),
        ("bonus-none", "bonus-one", "reads"),
        ("bonus-none", "bonus-more", "reads"),
        # stages commute, and lie above a value; wraps need an order
        ("bonus-more", "bonus-much-more", "independent"),
        ("bonus-more", "at-most-four", "independent"),
        ("bonus-more", "bonus-twice", "independent"),
        ("bonus-more", "bonus-one", "reads"),
        ("bonus-twice", "bonus-one", "reads"),
        ("bonus-twice", "bonus-squared", "order"),
        ("at-least-nine", "at-most-four", "empty"),
        # a value under a guard is a value; guards that contradict each other never meet
        ("aces-nothing", "kings-much", "independent"),
        ("aces-nothing", "spades-much", "exclusive"),
        ("aces-nothing", "counts-bonus", "exclusive"),
        # reading is direct
        ("counts-bonus", "bonus-one", "reads"),
        ("counts-bonus", "marks-high", "independent"),
        # legality: forbids are and-ed, tiers need an order, narrows may leave nothing and look at what the others leave
        ("no-twos", "no-threes", "independent"),
        ("low-first", "no-twos", "independent"),
        ("low-first", "red-first", "order"),
        ("lowest-only", "highest-only", "empty"),
        ("lowest-only", "no-twos", "reads"),
        # phases: what is gone can't be worked at, how one is run reads what its steps name
        ("no-turns", "counts-turns", "dangling"),
        ("no-turns", "turns-together", "dangling"),
        ("no-turns", "extra-part", "dangling"),
        ("no-turns", "bonus-one", "independent"),
        ("turns-together", "no-twos", "reads"),
        ("turns-together", "bonus-one", "independent"),
        ("turns-together", "turns-of-the-poor", "independent"),
        # steps at one point
        ("counts-turns", "counts-turns-too", "independent"),
        ("counts-turns", "forgets-turns", "order"),
        ("counts-turns", "fines", "independent"),
        ("shows-table", "asks", "order"),
        ("shows-table", "fines", "independent"),
        ("rewards-one", "rewards-two", "exclusive"),
        ("rewards-one", "counts-turns", "independent"),
        ("instead-one", "instead-two", "order"),
        # declarations, key by key
        ("heap", "open-heap", "exclusive"),
        ("open-hands", "start-five", "independent"),
        ("start-five", "start-seven", "exclusive"),
        ("for-three", "for-four", "exclusive"),
        # numbers
        ("marks-high", "marks-three", "empty"),
        ("marks-high", "marks-eight", "independent"),
        ("marks-small", "marks-three", "independent"),
        ("likes-nought", "marks-high", "dead"),
        ("likes-nought", "marks-small", "independent"),
    ],
)
def test_a_pair_gets_the_verdict_of_the_law(first: str, second: str, kind: str) -> None:
    assert little().verdict(first, second).kind == Kind(kind)
    assert little().verdict(second, first).kind == Kind(kind)


def test_what_pairs_leave_can_be_too_little_for_three() -> None:
    """Numbers from 5 to 6 never make 8, though any two of the three rules leave something."""
    found = judged(LITTLE, ["marks-high", "marks-small", "marks-eight"])
    assert [verdict.kind for verdict in found] == [Kind.INDEPENDENT] * 3 + [Kind.EMPTY]
    assert found[-1].findings[0].witness == "each 5 to 6, in all exactly 8"


def test_witnesses_and_lines_that_settle() -> None:
    clash = little().verdict("bonus-one", "bonus-two")
    assert clash.findings[0].witness == "1 against 2"
    assert clash.settling() == ("- of: [bonus-one, bonus-two]", "  changes:", "    bonus: 1    # or: 2")
    order = little().verdict("counts-turns", "forgets-turns")
    assert "the state turns_taken" in order.findings[0].witness
    assert order.settling()[1] == "  order: { after turns: [counts-turns, forgets-turns] }"
    tiers = little().verdict("low-first", "red-first")
    assert tiers.settling() == ("- of: [low-first, red-first]", "  order: { may_give: [low-first, red-first] }")
    places = [
        str(place).rpartition("/")[2] for place in (order.findings[0].first_place, order.findings[0].second_place)
    ]
    assert places == ["counts-turns.yaml:7:3", "forgets-turns.yaml:7:3"]


def test_clashes_and_idle_answer_for_sets() -> None:
    assert little().clashes("bonus-one", ["fines", "bonus-two"])
    assert not little().clashes("counts-turns", ["forgets-turns", "fines"])  # only an order is missing
    assert little().idle("likes-nought", ["fines", "marks-high"])
    assert not little().idle("likes-nought", ["fines"])
    assert not little().idle("marks-high", ["likes-nought"])  # the other one of the two has no effect


# ── the eighteen rules ───────────────────────────────────────────────────────────────────────────────────────────

RULES = dict(
    zip(
        (f"R{number:02}" for number in range(1, 19)),
        "double-dutch sharing-is-caring youre-it at-my-old-school peek-a-boo take-backsies heads-up-7-up "
        "fractions-are-hard i-could-have-won stop-showing-off smalls rotten-egg rich-kids your-other-right "
        "ring-around-the-rosie pass-it-on simple-addition yoink".split(),
        strict=True,
    )
)


def pairs(text: str) -> set[frozenset[str]]:
    """Pairs as the notes on the game write them, `R02-R03 R02-R04`."""
    return {frozenset(RULES[number] for number in pair.split("-")) for pair in text.split()}


CONFLICTS = pairs("R02-R03 R02-R04 R02-R12 R03-R04 R09-R17 R10-R13 R10-R17 R13-R17 R14-R16")
IN_ORDER = pairs(
    "R01-R05 R01-R06 R01-R17 R02-R09 R05-R06 R05-R11 R05-R17 R06-R11 R06-R17 R07-R09 "
    "R09-R10 R09-R13 R09-R14 R09-R16 R10-R14 R10-R16 R10-R18 R11-R12 R11-R17 R12-R17"
)
WITHOUT_EFFECT = pairs("R07-R15 R12-R14 R12-R16")
OF_WORDS = pairs("R02-R09 R11-R12")
"""Questions about what a word means; the texts answer them, and no slot is shared."""


def found(*kinds: Kind) -> set[frozenset[str]]:
    rules = set(RULES.values())
    return {pair for pair, verdict in kids().pairs.items() if verdict.unsettled in kinds and pair <= rules}


def test_the_conflicts_are_found_and_no_other() -> None:
    assert found(Kind.EXCLUSIVE, Kind.DANGLING, Kind.EMPTY) == CONFLICTS


def test_the_rules_without_effect_are_found_and_no_other() -> None:
    assert found(Kind.DEAD) == WITHOUT_EFFECT


def test_what_needs_an_order_or_a_scope_is_found_and_nothing_else() -> None:
    assert found(Kind.ORDER, Kind.READS) == IN_ORDER - OF_WORDS


def test_stacks_without_a_clash_can_be_loaded() -> None:
    fitting = sorted(tuple(sorted(pair)) for pair, verdict in kids().pairs.items() if not verdict.kind.is_clash)
    for names in Random(3).sample(fitting, k=12):
        assert rulesdsl.load("tricky-kids", names).modifiers == names


@pytest.mark.parametrize("game", ["trappola", "tricky-traps"])
def test_the_modifiers_of_other_games_do_not_meet(game: str) -> None:
    assert {verdict.kind for verdict in verdicts(game).pairs.values()} == {Kind.INDEPENDENT}


# ── explanations ─────────────────────────────────────────────────────────────────────────────────────────────────


def kinds_in(code: str, kind: str, folder: Path) -> set[str | None]:
    """The codes of the verdict on the two modifiers of an example."""
    paths = []
    for is_kind, name, text in BLOCK.findall(explanation(code)):
        if is_kind == kind:
            paths.append(folder / (name or "example.yaml"))
            paths[-1].parent.mkdir(exist_ok=True)
            paths[-1].write_text(text, encoding="utf-8")
    game = "trappola" if "of: trappola" in explanation(code) else "tricky-kids"
    (verdict,) = judged(game, [str(path) for path in paths])
    return {finding.kind.code for finding in verdict.findings}


@pytest.mark.parametrize("code", sorted(OF_STACKS))
def test_the_wrong_example_gives_the_verdict(code: str, tmp_path: Path) -> None:
    assert kinds_in(code, "wrong", tmp_path) == {code}


@pytest.mark.parametrize("code", sorted(OF_STACKS))
def test_the_right_example_gives_none(code: str, tmp_path: Path) -> None:
    assert kinds_in(code, "right", tmp_path) <= {None}


# ── the command ──────────────────────────────────────────────────────────────────────────────────────────────────


def run(*arguments: str) -> tuple[int, str]:
    result = CliRunner().invoke(app, ["stack", *arguments])
    return result.exit_code, result.output


def test_the_command_writes_the_matrix() -> None:
    code, output = run("tricky-traps")
    assert code == 0
    assert "1 independent ." in output


def test_the_command_writes_markdown_and_json() -> None:
    code, output = run("tricky-traps", "--format", "markdown")
    assert code == 0 and output.startswith("| | 1 | 2 |")
    code, output = run(str(LITTLE), "bonus-one", "bonus-two", "--format", "json")
    assert code == 1
    (verdict,) = json.loads(output)
    assert (verdict["verdict"], verdict["code"]) == ("exclusive", "E0910")
    assert verdict["findings"][0]["slot"] == "rule bonus"


def test_the_command_judges_a_stack() -> None:
    code, output = run(str(LITTLE), "bonus-one", "fines")
    assert (code, output.splitlines()[-1]) == (0, "they fit")
    code, output = run(str(LITTLE), "bonus-one", "bonus-two", "fines")
    assert (code, output.splitlines()[-1]) == (1, "they clash")
    assert "- of: [bonus-one, bonus-two]" in output


# ── variants ─────────────────────────────────────────────────────────────────────────────────────────────────────


def variant(folder: Path, text: str) -> Path:
    """A variant of the little game, in a folder of its own."""
    path = folder / "mine.yaml"
    path.write_text(f"rulesdsl: 1\nvariant: mine\nof: little\ntitle: Mine\n{text}", encoding="utf-8")
    return path


@pytest.fixture
def beside(tmp_path: Path) -> Path:
    copytree(LITTLE, tmp_path / "little")
    return tmp_path / "little"


@pytest.mark.parametrize(
    ("text", "names", "kind"),
    [
        # a value that the variant gives itself stands over both
        ("changes: { bonus: 7 }\n", ["bonus-one", "bonus-two"], "settled"),
        ("changes: { bonus: 7 }\n", ["bonus-twice", "bonus-squared"], "settled"),
        ("changes: { bonus: 7 }\n", ["counts-bonus", "bonus-one"], "settled"),
        # one that asks for what lies beneath, or holds at times only, leaves the question open
        ("changes: { bonus: proceed + 1 }\n", ["bonus-one", "bonus-two"], "exclusive"),
        ("changes:\n  bonus: { value: 7, when: fines > 3 }\n", ["bonus-one", "bonus-two"], "exclusive"),
        ("changes: { high: 7 }\n", ["bonus-one", "bonus-two"], "exclusive"),
        # who wins, and who comes first
        ("over: { bonus: [bonus-one, bonus-two] }\n", ["bonus-one", "bonus-two"], "settled"),
        ("over: { bonus: [bonus-one, bonus-twice] }\n", ["bonus-one", "bonus-two"], "exclusive"),
        ("order: { bonus: [bonus-twice, bonus-squared] }\n", ["bonus-twice", "bonus-squared"], "settled"),
        ("order: { after turns: [counts-turns, forgets-turns] }\n", ["counts-turns", "forgets-turns"], "settled"),
        ("order: { after turns: [counts-turns, fines] }\n", ["counts-turns", "forgets-turns"], "order"),
        # keys of a declaration
        ("changes:\n  state taken: { start: 9 }\n", ["start-five", "start-seven"], "settled"),
    ],
)
def test_what_a_variant_says_itself_settles_its_stack(text: str, names: list[str], kind: str, beside: Path) -> None:
    path = variant(beside, text)
    [verdict] = judged(path, names)
    assert (verdict.kind, verdicts(path, names).verdict(*names).kind) == (Kind(kind), Kind(kind))
    assert judged(LITTLE, names)[0].kind is not Kind.SETTLED
    if kind == "settled":
        assert set(names) <= set(rulesdsl.load(path, names).modifiers)


@pytest.mark.parametrize(
    ("text", "name", "kind"),
    [
        ("changes:\n  phase turns: remove\n", "counts-turns", "dangling"),
        ("changes: { target: exactly 3 }\n", "marks-high", "empty"),
        ("changes: { low: 5 }\n", "likes-nought", "dead"),
    ],
)
def test_what_a_variant_leaves_nothing_of_is_told(text: str, name: str, kind: str, beside: Path) -> None:
    path = variant(beside, text)
    [verdict] = judged(path, [name])
    assert (verdict.kind, verdict.modifiers) == (Kind(kind), ("mine", name))
    assert judged(variant(beside, "changes: { bonus: 7 }\n"), [name, "bonus-one"])[0].kind is Kind.INDEPENDENT
