"""The schemas: they hold themselves to their own standard, and describe every key; structure is reported in words."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from jsonschema import Draft202012Validator

from rulesdsl.diagnostic import Diagnostic, Diagnostics
from rulesdsl.reading.filekind import FileKind
from rulesdsl.reading.read_source import read_source
from rulesdsl.reading.read_yaml import MAX_DEPTH, read_yaml
from rulesdsl.reading.structure import check
from rulesdsl.source import Source

ROOT = Path(__file__).resolve().parent.parent
SCHEMAS = sorted((ROOT / "schema").glob("*.schema.json"))
RULE_FILES = sorted(
    path for folder in ("games", "rulesdsl/std", "tests/cases/ok") for path in (ROOT / folder).rglob("*.yaml")
)


def structure(text: str) -> list[Diagnostic]:
    diagnostics = Diagnostics()
    tree = read_yaml(Source("file.yaml", text), diagnostics)
    assert tree is not None, [one.message for one in diagnostics]
    check(tree, diagnostics)
    return list(diagnostics)


def codes(text: str) -> list[str]:
    return [one.code for one in structure(text)]


def library(body: str) -> str:
    return f"rulesdsl: 1\nlibrary: example\n{body}"


def parts(schema: object, path: str = "") -> Iterator[tuple[str, dict[str, object]]]:
    """Every mapping in a schema, with the way to it."""
    if isinstance(schema, dict):
        yield path, schema
        for key, value in schema.items():
            yield from parts(value, f"{path}/{key}")
    elif isinstance(schema, list):
        for number, value in enumerate(schema):
            yield from parts(value, f"{path}/{number}")


@pytest.mark.parametrize("path", SCHEMAS, ids=lambda path: path.name)
def test_a_schema_is_one(path: Path) -> None:
    schema = json.loads(path.read_text(encoding="utf-8"))
    Draft202012Validator.check_schema(schema)
    assert schema["$id"] == path.name


def test_there_is_a_schema_for_every_kind_of_file() -> None:
    assert {path.name for path in SCHEMAS} == {f"{kind}.schema.json" for kind in FileKind} | {"common.schema.json"}


def test_every_key_has_a_description() -> None:
    common = json.loads((ROOT / "schema" / "common.schema.json").read_text(encoding="utf-8"))["$defs"]

    def described(part: object) -> bool:
        assert isinstance(part, dict)
        if "description" in part:
            return True
        target = str(part.get("$ref", "")).rpartition("#/$defs/")[2]
        return target in common and described(common[target])

    bare = [
        f"{path.name}{place}/{key}"
        for path in SCHEMAS
        for place, part in parts(json.loads(path.read_text(encoding="utf-8")))
        if place.endswith("/properties")
        for key, value in part.items()
        if not described(value)
    ]
    assert bare == []


def test_nothing_allows_unknown_keys_by_accident() -> None:
    # Free keys are names given by the author; they have a shape of their own, or their file says how they are read.
    free = {"rows", "state", "zones", "chance", "play", "expect"}
    open_ = [
        f"{path.name}{place}"
        for path in SCHEMAS
        for place, part in parts(json.loads(path.read_text(encoding="utf-8")))
        if part.get("type") == "object" and "additionalProperties" not in part
        if not place.endswith("/if") and free.isdisjoint(place.split("/"))
    ]
    assert open_ == []


@pytest.mark.parametrize("path", RULE_FILES, ids=lambda path: path.relative_to(ROOT).as_posix())
def test_rule_files_of_the_project_have_their_structure(path: Path) -> None:
    diagnostics = Diagnostics()
    source = read_source(path, path.name, diagnostics)
    assert source is not None
    tree = read_yaml(source, diagnostics)
    assert tree is not None
    check(tree, diagnostics)
    assert [f"{one.span} {one.message}" for one in diagnostics] == []


@pytest.mark.parametrize(
    ("kind", "body"),
    [
        ("game", "players: 2 to 4\nphases: [end match]\nwinners: players\n"),
        ("library", ""),
        ("modifier", "of: tricks\nchanges: {}\n"),
        ("variant", "of: tricks\n"),
        ("settlement", "of: tricks\npairs: []\n"),
        ("cards", "of: card\nrows: []\n"),
        ("test", "of: tricks\nscenarios: []\n"),
    ],
)
def test_the_least_file_of_each_kind(kind: str, body: str) -> None:
    diagnostics = Diagnostics()
    tree = read_yaml(Source("file.yaml", f"rulesdsl: 1\n{kind}: example\n{body}"), diagnostics)
    assert tree is not None
    assert check(tree, diagnostics) == FileKind(kind)
    assert not list(diagnostics)
    for line in body.splitlines():
        missing = body.replace(f"{line}\n", "")
        assert codes(f"rulesdsl: 1\n{kind}: example\n{missing}") == ["E0202"]
    assert codes(f"rulesdsl: 1\n{kind}: example\n{body}surprise: 1\n") == ["E0201"]


def test_the_order_of_keys_means_nothing() -> None:
    assert codes("rules: { limit: 7 }\nlibrary: example\nrulesdsl: 1\n") == []
    assert codes("cards: { card: { copies: 3 } }\nlibrary: example\nrulesdsl: 1\n") == []


def test_a_misspelt_key_gets_a_near_miss() -> None:
    [found] = structure(library("zones:\n  hand: { each: player, sene: owner }\n"))
    assert found.help == "did you mean 'seen'?"
    [found] = structure(library("procedures:\n  tidy:\n    - repeat: shuffle cards\n      tiems: 3\n"))
    assert found.help == "did you mean 'times'?"
    [found] = structure(library("zones:\n  hand: { colour: owner }\n"))
    assert found.help is not None and "shape, seen" in found.help


def test_every_problem_is_reported_once() -> None:
    text = library(
        "zones:\n  a: { seen: me }\n  b: { sen: owner, shape: [stack] }\nstate:\n  c: {}\n"
        "procedures:\n  d:\n    - if: true\n    - phase: 1\n      do: []\n"
    )
    assert codes(text) == ["E0204", "E0201", "E0203", "E0202", "E0202", "E0205"]


@pytest.mark.parametrize(
    "step",
    [
        "shuffle cards",
        "[]",
        "[shuffle cards, shuffle cards]",
        "{ if: true, then: shuffle cards }",
        "{ if: true, then: [], else: { if: false, then: [] } }",
        "{ each: player, where: true, while: true, rounds: 3, do: [] }",
        "{ together: player, do: shuffle cards }",
        "{ repeat: [shuffle cards], until: true, at_most: 3 }",
        "{ phase: a, when: true, do: [] }",
        "{ phase: a, repeat: [], times: 3 }",
        "{ choose: { card: a card from cards }, under: b, where: true, optional: true, then: [], else: [] }",
        "{ decision: a, by: player, either: { stop: {}, go: { choose: { c: yes or no }, do: [] } } }",
        "{ window: a, ask: player, choose: { c: yes or no }, closes: first or true, again: player, do: [] }",
    ],
)
def test_every_form_of_a_step(step: str) -> None:
    assert codes(library(f"procedures:\n  a:\n    do: {step}\n")) == []
    assert codes(library(f"procedures:\n  a:\n    - if: true\n      then: {step}\n")) == []


@pytest.mark.parametrize(
    "body",
    [
        "7",
        "[]",
        "[[1, 2], 3]",
        "{}",
        "{ first: [1 if true, 2] }",
        "{ by: place, one: 1, 2: 2, else: [] }",
        "{ forbid: { a: true }, require: [b: true, { c: true, before: b }], narrow: {}, permit: { d: true } }",
        "{ type: range, value: exactly 3 }",
        "{ cards: 7, last: 3 }",
    ],
)
def test_every_form_of_a_rule(body: str) -> None:
    assert codes(library(f"rules:\n  a(number): {body}\n")) == []
    assert codes(f"rulesdsl: 1\nmodifier: example\nof: b\nchanges:\n  a(number): {body}\n") == []


@pytest.mark.parametrize(
    ("target", "body"),
    [
        ("phase a", "remove"),
        ("phase a", "{ move: after b, when: true, until: true, at_most: 3, together: player, do: [] }"),
        ("before a", "shuffle cards"),
        ("after a/b", "{ do: [], when: true, over: c, before: [d, e], after: f, band: force }"),
        ("instead of a", "{ if: true, then: proceed }"),
        ("decision a", "{ add: { c: yes or no }, where: true }"),
        ("zone a", "{ seen: everyone, over: b }"),
        ("cards a", "{ where: true, band: default }"),
        ("state a", "{ start: [] }"),
        ("option a", "false"),
        ("type a", "{ insert: b, above: c }"),
        ("a(b)", "{ add: 1, when: true }"),
        ("a", "{ value: 3, over: [b] }"),
        ("a", "{ remove: [b] }"),
    ],
)
def test_every_form_of_a_change(target: str, body: str) -> None:
    assert codes(f"rulesdsl: 1\nmodifier: example\nof: b\nchanges:\n  {target}: {body}\n") == []
    if body.startswith("{") and target.split()[0] in ("phase", "decision", "zone", "cards", "state", "type"):
        wrong = body.replace("{", "{ surprise: 1,", 1)
        assert codes(f"rulesdsl: 1\nmodifier: example\nof: b\nchanges:\n  {target}: {wrong}\n") == ["E0201"]


def test_the_deepest_file_that_can_be_read_can_be_judged() -> None:
    depth = (MAX_DEPTH - 4) // 2
    nested = "procedures: { a: [" + "{ repeat: [" * depth + "{ sentence: 1 }" + "], times: 2 }" * depth + "] }"
    assert codes(library(nested)) == ["E0209"]
    lists = "rules: { a: " + "[" * (MAX_DEPTH - 2) + "1" + "]" * (MAX_DEPTH - 2) + " }"
    assert codes(library(lists)) == []


def test_what_was_reported_by_the_reader_is_not_reported_again() -> None:
    assert codes(library("zones:\n  hand:\n  pile: {}\n")) == ["E0158"]
