"""Every rule that is in force, and the chain of files that made it what it is; and refusals that name the modifier."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from project import ROOT
from rulesdsl import Effective, load, provenance
from rulesdsl.cli.app import app
from rulesdsl.interpreter import IllegalChoice, Match, Plain

RUNNER = CliRunner()
KIDS = "games/tricky-kids"


def run(*arguments: str, stdin: str = "") -> tuple[int, str, str]:
    result = RUNNER.invoke(app, list(arguments), input=stdin, env={"NO_COLOR": "1", "COLUMNS": "120"})
    if result.exception is not None and not isinstance(result.exception, SystemExit):
        raise result.exception
    return result.exit_code, result.stdout, result.stderr


def explained(*arguments: str) -> dict[str, Any]:
    status, out, _ = run("explain", *arguments, "--format", "json")
    assert status == 0
    data: dict[str, Any] = json.loads(out)
    return data


def place(file: str, text: str) -> str:
    """Where a text stands in a file of the repository, as line and column."""
    for number, line in enumerate((ROOT / file).read_text(encoding="utf-8").splitlines(), 1):
        if text in line:
            return f"{file}:{number}:{line.index(text) + 1}"
    raise AssertionError(f"{file} does not say {text}")


def named(entries: list[dict[str, Any]], name: str) -> dict[str, Any]:
    (found,) = (entry for entry in entries if entry["name"] == name)
    return found


def chain(entry: dict[str, Any]) -> list[tuple[str, str, str]]:
    return [(link["operation"], link["by"], link["place"]) for link in entry["chain"]]


def test_the_chain_of_a_rule_goes_from_the_game_to_the_modifier() -> None:
    data = explained("tricky-kids", "--with", "smalls", "--with", "rotten-egg")
    assert data["modifiers"] == ["rotten-egg", "smalls"]
    takers = named(data["rules"], "takers")
    assert takers["says"] == "top(trick where not cancelled(it))"
    egg = f"{KIDS}/modifiers/rotten-egg.yaml"
    assert chain(takers) == [
        ("base", "tricky-kids", place(f"{KIDS}/game.yaml", "takers:")),
        ("set under a guard", "rotten-egg", place(egg, "takers:")),
    ]
    assert chain(named(data["rules"], "rotten(play)")) == [("added", "rotten-egg", place(egg, "rotten(play):"))]
    assert chain(named(data["rules"], "led_suit")) == [
        ("base", "tricky-kids", place(f"{KIDS}/game.yaml", "led_suit:")),
    ]


def test_conditions_of_a_legality_have_chains_of_their_own() -> None:
    data = explained("tricky-kids", "--with", "smalls", "--with", "peek-a-boo", "--rule", "may_play")
    (legality,) = data["legalities"]
    assert not data["rules"] and not data["places"]
    peek = f"{KIDS}/modifiers/peek-a-boo.yaml"
    assert chain(named(legality["conditions"], "follow_suit")) == [
        ("base", "tricky-kids", place(f"{KIDS}/game.yaml", "follow_suit:")),
        ("permit", "peek-a-boo", place(peek, "follow_suit:")),
    ]
    assert chain(named(legality["conditions"], "as_announced")) == [
        ("require", "peek-a-boo", place(peek, "as_announced:"))
    ]
    smallest = named(legality["conditions"], "smallest")
    assert chain(smallest) == [("narrow", "smalls", place(f"{KIDS}/modifiers/smalls.yaml", "smallest:"))]
    assert [link["by"] for link in legality["chain"]] == ["tricky-kids", "peek-a-boo", "peek-a-boo", "smalls"]


def test_phases_procedures_and_decisions_have_theirs() -> None:
    modifiers = ("simple-addition", "peek-a-boo", "double-dutch", "yoink")
    data = explained("tricky-kids", *(word for one in modifiers for word in ("--with", one)))
    done = {entry["name"]: [(link["operation"], link["by"]) for link in entry["chain"]] for entry in data["places"]}
    assert done == {
        "rounds/discard": [("base", "tricky-kids"), ("remove", "simple-addition")],
        "rounds/write/write": [("base", "tricky-kids"), ("add", "double-dutch")],
        "rounds/audit": [("base", "tricky-kids"), ("after", "yoink")],
        "play_trick/plays": [
            ("base", "tricky-kids"),
            ("set together", "peek-a-boo"),
            ("before", "peek-a-boo"),
        ],
        "play_cards": [("base", "tricky-kids"), ("after", "simple-addition")],
    }


def every(found: tuple[Effective, ...]) -> list[Effective]:
    return [one for entry in found for one in (entry, *entry.parts)]


@pytest.mark.parametrize("path", sorted((ROOT / KIDS / "modifiers").glob("*.yaml")), ids=lambda path: path.stem)
def test_what_a_modifier_does_is_told_with_its_file(path: Path) -> None:
    found = provenance(load("tricky-kids", [path.stem]))
    links = [link for one in every((*found.rules, *found.legalities, *found.places)) for link in one.chain]
    mine = [link for link in links if link.by == path.stem]
    assert mine
    assert all(link.place is not None and link.place.source.name.endswith(path.name) for link in mine)


def test_rule_cards_count_while_they_are_in_force() -> None:
    data = explained("tricky-kids", "--set", "mode=tricky", "--rule", "hand_total")
    operations = {link["by"]: link["operation"] for link in data["rules"][0]["chain"]}
    assert operations["tricky-kids"] == "base"
    assert operations["rich-kids"] == "set while in force"


def test_stages_lie_over_what_is_set(tmp_path: Path) -> None:
    file = tmp_path / "more.yaml"
    file.write_text("rulesdsl: 1\nmodifier: more\nof: trappola\nchanges:\n  last_trick: { add: 2 }\n")
    data = explained("trappola", "--with", str(file), "--rule", "last_trick")
    assert chain(data["rules"][0])[-1] == ("add", "more", f"{file}:5:3")
    assert data["rules"][0]["chain"][-1]["says"] == "2"


def test_a_variant_is_told_as_what_it_is(tmp_path: Path) -> None:
    file = tmp_path / "evening.yaml"
    file.write_text("rulesdsl: 1\nvariant: evening\nof: trappola\nchanges:\n  last_trick: 0\n")
    data = explained(str(file), "--rule", "last_trick")
    assert chain(data["rules"][0])[1:] == [("set", "evening", f"{file}:5:3")]


def test_what_a_settlement_says_is_told_as_well() -> None:
    data = explained("tricky-kids", "--with", "smalls", "--with", "simple-addition")
    by = "tricky-kids (smalls with simple-addition)"
    smallest = named(named(data["legalities"], "may_play(cards, suit)")["conditions"], "smallest")
    assert [(link["operation"], link["by"]) for link in smallest["chain"]] == [("narrow", "smalls"), ("set", by)]
    (added,) = named(data["rules"], "completes(player, card, cards)")["chain"]
    settlement = f"{KIDS}/settlement.yaml"
    assert (added["operation"], added["by"]) == ("added", by)
    assert added["place"] == place(settlement, "completes(player, card, cards):")


def test_text_has_title_options_and_places() -> None:
    status, out, _ = run("explain", "tricky-kids", "--with", "smalls", "--set", "final_tie=random")
    assert status == 0
    assert out.startswith("Tricky Kids + smalls\n")
    assert "final_tie: random (if left out: share)" in out
    assert f"narrow by smalls, {place(f'{KIDS}/modifiers/smalls.yaml', 'smallest:')}" in out
    assert "\x1b" not in out


def test_libraries_are_left_out_unless_they_are_changed_or_asked_for() -> None:
    assert "led_suit" not in run("explain", "trappola")[1]
    assert "led_suit" in run("explain", "trappola", "--all")[1]
    assert "led_suit" in run("explain", "trappola", "--rule", "led_suit")[1]


def test_wrong_usage_says_what_there_is() -> None:
    status, out, err = run("explain", "tricky-kids", "--rule", "takres")
    assert (status, out) == (2, "")
    assert "takers" in err
    status, out, err = run("explain", "E0104", "--with", "smalls")
    assert (status, out) == (2, "")
    assert "E0104" in err


# ── refusals ─────────────────────────────────────────────────────────────────────────────────────────────────────


def leading_match() -> Match:
    """Player 0 leads and holds a stuffie 0, a controller 0 and higher numbers."""
    match = Match(load("tricky-kids", ["smalls"], {"starter": "seat_0"}), players=2, seed=3)
    while match.decision.name == "discard":
        match.choose(match.decision.options[0])
    while match.decision.name == "write":
        seat = match.decision.player
        for number in ("0", "0", "3", "3", "3", "6", "6"):
            decision = match.decision_of(seat)
            if decision is None or decision.name != "write":
                break
            option = decision.option(number)
            assert option is not None
            match.choose(option, seat)
    assert (match.decision.name, match.decision.player) == ("play", 0)
    return match


def test_what_a_modifier_forbids_is_refused_in_its_name() -> None:
    match = leading_match()
    where = place(f"{KIDS}/modifiers/smalls.yaml", "smallest:")
    high = next(name for name in held(match) if name.endswith(" 6"))
    whole: Plain = {"cards": [high], "suit": high.split()[0]}
    for answer in (whole, high):
        (reason,) = match.why_not(answer, 0)
        assert (reason.rule, reason.by, reason.place) == ("smallest", "smalls", where)
        assert reason.text == "sum(cards.rank) is min(sum(o.cards.rank) for o in legal)"
        with pytest.raises(IllegalChoice) as refused:
            match.choose(answer, 0)
        assert refused.value.reasons == (reason,)


def held(match: Match) -> list[str]:
    return [whole_text(card) for zone in match.view(0)["zones"] if zone["zone"] == "hand 0" for card in zone["cards"]]


def whole_text(card: dict[str, Any]) -> str:
    return " ".join([card["card"], *(str(written) for written in card["fields"].values())])


def test_a_begun_answer_that_can_be_completed_is_only_incomplete() -> None:
    match = leading_match()
    low = next(name for name in held(match) if name.endswith(" 0"))
    (reason,) = match.why_not(low, 0)
    assert reason.kind == "reading"


def test_why_names_the_modifier_while_one_plays() -> None:
    entries = "1,2\n0 0 3 3 3 6 6\nwhy ball 6\nwhy stuffie 0\nquit\n"
    setting = ("--with", "smalls", "--seed", "3", "--players", "2", "--set", "starter=seat_0")
    status, out, err = run("play", "tricky-kids", *setting, stdin=entries)
    assert status == 0, err
    assert "The rule smallest leaves other choices" in out
    assert f"{place(f'{KIDS}/modifiers/smalls.yaml', 'smallest:')}, of smalls" in out
    assert "Nothing forbids stuffie 0." in out
