"""From rule files to programs: small dumps written by hand, and what holds of every program."""

from __future__ import annotations

import re
import shutil
from dataclasses import replace
from pathlib import Path
from random import Random

import pytest
import yaml

from project import ROOT
from rulesdsl import load
from rulesdsl.ir.dump import dump, program_hash
from rulesdsl.ir.nodes import Call, Cell, Const, ErrorTerm, Prim, Proceed, Program, Rule, RunProcedure, Var
from rulesdsl.ir.nodes import Op as Op
from rulesdsl.ir.verify import BrokenProgram, verify
from rulesdsl.types import Number, Unknown

CASES = Path(__file__).parent / "cases"
SMALL = sorted(path for path in (CASES / "ir").glob("*.yaml") if not path.name.endswith(".modifier.yaml"))
ALONE = [path for path in (CASES / "ok").glob("*.yaml") if not path.name.endswith(".test.yaml")]
GAMES = sorted([*ALONE, *(ROOT / "games").glob("*/game.yaml")])


def sections(path: Path) -> dict[str, str]:
    """The parts of a program that a file of expectations names, with their dumps."""
    parts = re.split(
        r"^((?:rule|legality|procedure|handlers) \S.*|main)\n", path.read_text(encoding="utf-8"), flags=re.MULTILINE
    )
    return {head: text.rstrip("\n") for head, text in zip(parts[1::2], parts[2::2], strict=True)}


def part(program: Program, head: str) -> object:
    what, _, name = head.partition(" ")
    match what:
        case "rule":
            return next(rule.body for rule in program.rules if rule.id == name)
        case "legality":
            return next(legality for legality in program.legalities if legality.name == name)
        case "procedure":
            return next(procedure.body for procedure in program.procedures if procedure.name == name)
        case "handlers":
            return next(procedure.handlers for procedure in program.procedures if procedure.name == name)
        case _:
            return program.main.body


@pytest.mark.parametrize("path", SMALL, ids=lambda path: path.stem)
def test_parts_of_small_programs(path: Path) -> None:
    modifier = path.with_suffix(".modifier.yaml")
    program = load(path, [str(modifier)] if modifier.exists() else [])
    expected = sections(path.with_suffix(".ir"))
    assert {head: dump(part(program, head)) for head in expected} == expected


# ── a file means the same however it is written ──────────────────────────────────────────────────────────────────


IN_ORDER = frozenset(["choose", "add", "either", "fields", "ladder", "every"])
"""Keys whose mapping has an order: parts are asked one after the other, records are made and rungs ordered by it."""


def shuffled(value: object, random: Random) -> object:
    """The same mappings with their keys in another order; lists and what has an order of its own stay as they are."""
    if isinstance(value, dict):
        keys = random.sample(list(value), len(value))
        return {key: value[key] if key in IN_ORDER else shuffled(value[key], random) for key in keys}
    if isinstance(value, list):
        return [shuffled(item, random) for item in value]
    return value


def other_order(tree: dict[str, object], random: Random) -> object:
    """A rule file with its keys in another order; the components of a score are shown in theirs."""
    rules = tree.get("rules")
    components = {
        name: body
        for name, body in (rules.items() if isinstance(rules, dict) else ())
        if isinstance(body, dict)
        and not body.keys() & {"by", "first", "value", "forbid", "require", "narrow", "permit"}
    }
    mixed = shuffled(tree, random)
    assert isinstance(mixed, dict)
    if components:
        mixed["rules"] = {name: components.get(name, body) for name, body in mixed["rules"].items()}
    return mixed


def copied(path: Path, folder: Path) -> Path:
    """A copy of a game in another folder, with the files of cards and the modifiers beside it."""
    for beside in path.parent.glob("*.yaml"):
        shutil.copy(beside, folder)
    if (path.parent / "modifiers").is_dir():
        shutil.copytree(path.parent / "modifiers", folder / "modifiers")
    return folder / path.name


class Texts(yaml.SafeLoader):
    """Reads every scalar as a text, as rule files are read."""


Texts.yaml_implicit_resolvers = {}


@pytest.mark.parametrize("path", GAMES, ids=lambda path: path.relative_to(ROOT).as_posix())
@pytest.mark.parametrize("seed", [1, 2])
def test_the_order_of_keys_means_nothing(path: Path, seed: int, tmp_path: Path) -> None:
    tree = yaml.load(path.read_text(encoding="utf-8"), Texts)
    file = copied(path, tmp_path)
    other = yaml.safe_dump(other_order(tree, Random(seed)), sort_keys=False, allow_unicode=True, width=10_000)
    file.write_text(other, encoding="utf-8")
    first, second = load(path), load(file)
    assert dump(first) == dump(second) and first == second


@pytest.mark.parametrize("path", GAMES, ids=lambda path: path.relative_to(ROOT).as_posix())
def test_the_hash_is_of_what_a_file_means(path: Path, tmp_path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    file = copied(path, tmp_path)
    file.write_text(
        "# a comment\n\n" + re.sub(r"  #.*", "", text).replace("\n", "   \n") + "\n\n# ä\n", encoding="utf-8"
    )
    first, second = load(path), load(file)
    assert program_hash(first) == program_hash(second) and first == second
    assert [rule.origin.span.start for rule in first.rules] != [rule.origin.span.start for rule in second.rules]
    assert program_hash(first) == program_hash(load(path))


def test_the_hash_tells_programs_apart(tmp_path: Path) -> None:
    text = (CASES / "ir" / "arithmetic.yaml").read_text(encoding="utf-8")
    hashes = set()
    for old, new in (("", ""), ("2 * number", "3 * number"), ("players: 2", "players: 3"), ("double", "twice")):
        file = tmp_path / "game.yaml"
        file.write_text(text.replace(old, new) if old else text, encoding="utf-8")
        hashes.add(program_hash(load(file)))
    assert len(hashes) == 4


# ── what is true of every program ────────────────────────────────────────────────────────────────────────────────


@pytest.fixture(scope="module")
def program() -> Program:
    return load(CASES / "ir" / "steps.yaml")


def with_rule(program: Program, rule: Rule) -> Program:
    return replace(program, rules=(*program.rules, rule))


def test_programs_are_whole() -> None:
    for path in (*GAMES, *SMALL):
        verify(load(path))


def test_broken_rules_are_found(program: Program) -> None:
    [winners] = program.rules
    number = Number()

    def broken(body: object) -> Program:
        assert isinstance(body, Const | Call | ErrorTerm | Proceed | Var | Prim)
        return with_rule(program, replace(winners, id="broken", name="broken", body=body, base=body))

    verify(broken(Const(1, type=number)))
    for body, message in (
        (ErrorTerm(type=number), "a term of unknown type"),
        (Const(1, type=Unknown()), "a term of unknown type"),
        (Proceed(type=number), "`proceed` was left over"),
        (Prim(Op.NEGATE, (Proceed(type=number),), type=number), "`proceed` was left over"),
        (Call("nobody", (), type=number), "no rule nobody"),
        (Call("winners", (Const(1, type=number),), type=number), "winners has 0 parameters"),
        (Var("pot", (), type=number), "the state pot is not kept like that"),
    ):
        with pytest.raises(BrokenProgram, match=re.escape(f"broken: {message}")):
            verify(broken(body))


def test_broken_steps_are_found(program: Program) -> None:
    count_up, take = program.procedures
    assert count_up.name == "count_up"

    def steps(*body: RunProcedure) -> Program:
        return replace(program, procedures=(replace(count_up, body=body), take))

    three = Const(3, type=Number())
    verify(steps(RunProcedure("count_up", (three,))))
    for step, message in (
        (RunProcedure("nobody"), "no procedure nobody"),
        (RunProcedure("count_up", (three, three)), "count_up takes 1 arguments"),
        (RunProcedure("count_up", (Cell(7, "number", type=Number()),)), "no cell 7 (number)"),
    ):
        with pytest.raises(BrokenProgram, match=re.escape(f"count_up: {message}")):
            verify(steps(step))


def test_all_that_is_broken_is_said_at_once(program: Program) -> None:
    [winners] = program.rules
    body = Call("nobody", (Var("pot", (), type=Number()),), type=Number())
    with pytest.raises(BrokenProgram) as found:
        verify(with_rule(program, replace(winners, id="broken", body=body, base=Const(1, type=Number()))))
    assert str(found.value).count(";") == 1
