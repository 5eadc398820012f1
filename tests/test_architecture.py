"""Who may import whom. The table below is the architecture; a change to it is a decision, not a repair."""

from __future__ import annotations

import ast
from collections.abc import Collection, Iterator
from graphlib import CycleError, TopologicalSorter

import pytest

from project import ROOT, Module, modules

# Module or package → what it may import of ours, besides its own package. A name with `.*` stands for a package and
# all that is in it, a bare name for that one module. The longest entry that fits a module holds.
MAY_IMPORT: dict[str, set[str]] = {
    # the ground
    "rulesdsl.source": set(),
    "rulesdsl.types": set(),
    "rulesdsl.diagnostic": {"rulesdsl.source"},
    # text to documents
    "rulesdsl.reading": {"rulesdsl.source", "rulesdsl.diagnostic"},
    "rulesdsl.syntax": {
        "rulesdsl.source",
        "rulesdsl.diagnostic",
        "rulesdsl.reading.yamltree",
        "rulesdsl.reading.filekind",
    },
    "rulesdsl.cardtext": {
        "rulesdsl.source",
        "rulesdsl.diagnostic",
        "rulesdsl.syntax.document",
        "rulesdsl.syntax.expr",
        "rulesdsl.syntax.powers",
        "rulesdsl.syntax.read_wording",
    },
    # documents to a program
    "rulesdsl.ir": {"rulesdsl.source", "rulesdsl.types"},
    "rulesdsl.elaborate": {
        "rulesdsl.source",
        "rulesdsl.diagnostic",
        "rulesdsl.types",
        "rulesdsl.reading.yamltree",
        "rulesdsl.syntax.document",
        "rulesdsl.syntax.expr",
        "rulesdsl.syntax.powers",
        "rulesdsl.cardtext.*",
        "rulesdsl.ir.*",
    },
    # programs beside one another
    "rulesdsl.variants": {"rulesdsl.source", "rulesdsl.diagnostic", "rulesdsl.types", "rulesdsl.ir.*"},
    "rulesdsl.variants.settle": {
        "rulesdsl.variants.*",
        "rulesdsl.source",
        "rulesdsl.ir.nodes",
        "rulesdsl.syntax.document",
        "rulesdsl.syntax.expr",
    },
    "rulesdsl.variants.positions": {
        "rulesdsl.variants.*",
        "rulesdsl.diagnostic",
        "rulesdsl.ir.nodes",
        "rulesdsl.loading",
    },
    "rulesdsl.variants.stack": {
        "rulesdsl.variants.*",
        "rulesdsl.catalog",
        "rulesdsl.loading",
        "rulesdsl.ir.nodes",
        "rulesdsl.types",
        "rulesdsl.pipeline",
        "rulesdsl.syntax.document",
    },
    "rulesdsl.catalog": set(),
    "rulesdsl.cardlist": {"rulesdsl.ir.nodes", "rulesdsl.types"},
    "rulesdsl.loading": {"rulesdsl.catalog", "rulesdsl.ir.nodes", "rulesdsl.pipeline"},
    "rulesdsl.reader": {
        "rulesdsl.source",
        "rulesdsl.diagnostic",
        "rulesdsl.reading.*",
        "rulesdsl.syntax.*",
        "rulesdsl.ir.nodes",
        "rulesdsl.catalog",
    },
    "rulesdsl.cardfiles": {
        "rulesdsl.reader",
        "rulesdsl.reading.structure",
        "rulesdsl.syntax.*",
        "rulesdsl.catalog",
    },
    "rulesdsl.pipeline": {
        "rulesdsl.reader",
        "rulesdsl.cardfiles",
        "rulesdsl.source",
        "rulesdsl.diagnostic",
        "rulesdsl.reading.*",
        "rulesdsl.syntax.*",
        "rulesdsl.elaborate.*",
        "rulesdsl.ir.*",
        "rulesdsl.catalog",
        "rulesdsl.apart",
        "rulesdsl.variants.settle",
    },
    "rulesdsl.apart": {
        "rulesdsl.diagnostic",
        "rulesdsl.elaborate",
        "rulesdsl.ir.nodes",
        "rulesdsl.syntax.document",
        "rulesdsl.syntax.powers",
        "rulesdsl.variants.*",
    },
    "rulesdsl": {
        "rulesdsl.cardlist",
        "rulesdsl.loading",
        "rulesdsl.pipeline",
        "rulesdsl.source",
        "rulesdsl.diagnostic",
        "rulesdsl.ir.nodes",
        "rulesdsl.syntax.document",
        "rulesdsl.reading.yamltree",
        "rulesdsl.variants.*",
    },
    # the waist is behind us
    "rulesdsl.interpreter": {"rulesdsl.ir.*", "rulesdsl.types", "rulesdsl.diagnostic", "rulesdsl.source"},
    "rulesdsl.cli": {"rulesdsl", "rulesdsl.interpreter"},
    "rulesdsl.__main__": {"rulesdsl.cli.app"},
    # data only
    "rulesdsl.games": set(),
    "rulesdsl.schema": set(),
}


def entry(name: str) -> str | None:
    """The entry of the table that holds for a module; the façade `rulesdsl` stands for itself alone."""
    parts = name.split(".")
    candidates = [".".join(parts[:length]) for length in range(len(parts), 1, -1)] or [name]
    return next((candidate for candidate in candidates if candidate in MAY_IMPORT), None)


def imported(module: Module, tree: ast.AST, known: Collection[str]) -> Iterator[tuple[int, str]]:
    """The line and the full name of every module of ours that a file imports, wherever in the file it does so."""
    package = module.name.split(".") if module.is_package else module.name.split(".")[:-1]
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from ((node.lineno, alias.name) for alias in node.names if alias.name.split(".")[0] == "rulesdsl")
        elif isinstance(node, ast.ImportFrom):
            base = package[: len(package) - node.level + 1] if node.level else []
            source = ".".join([*base, *([node.module] if node.module else [])])
            if source.split(".")[0] == "rulesdsl":
                for alias in node.names:
                    inner = f"{source}.{alias.name}"
                    yield node.lineno, inner if inner in known else source


def complaints(module: Module, tree: ast.AST, known: Collection[str]) -> list[str]:
    """Every import of a file that the table does not allow."""
    key = entry(module.name)
    if key is None:
        return [f"{module.place}:1: {module.name} needs a line in MAY_IMPORT"]
    allowed = MAY_IMPORT[key]
    found = []
    for line, name in imported(module, tree, known):
        own = name == key or (key != "rulesdsl" and name.startswith(key + "."))
        above = [name, *(name[:index] + ".*" for index, letter in enumerate(name) if letter == "."), name + ".*"]
        if not own and allowed.isdisjoint(above):
            found.append(f"{module.place}:{line}: {key} must not import {name}")
    return found


def names() -> set[str]:
    return {module.name for module in modules()}


@pytest.mark.parametrize("module", modules(), ids=lambda module: module.name)
def test_modules_import_what_the_table_allows(module: Module) -> None:
    assert not complaints(module, module.tree(), names())


def test_the_interpreter_takes_one_name_of_the_diagnostics() -> None:
    """A match knows broken invariants of ours, never problems of rule files."""
    for module in modules():
        if module.folder == "interpreter":
            for node in ast.walk(module.tree()):
                if isinstance(node, ast.ImportFrom) and node.module == "rulesdsl.diagnostic":
                    assert [alias.name for alias in node.names] == ["InternalError"], module.place


def test_folders_are_left_by_absolute_imports_only() -> None:
    """Type checkers and drawings of the imports lose the way otherwise."""
    for module in modules():
        inside = len(module.path.relative_to(ROOT).parts) - 1
        for node in ast.walk(module.tree()):
            if isinstance(node, ast.ImportFrom):
                assert node.level <= inside, f"{module.place}:{node.lineno}: write the full name"


def test_nobody_uses_the_short_names_of_the_folders() -> None:
    """`interpreter.x` beside `rulesdsl.interpreter.x` would load every module twice."""
    for module in modules():
        for node in ast.walk(module.tree()):
            name = node.module if isinstance(node, ast.ImportFrom) and not node.level else None
            names = [name] if name else [alias.name for alias in node.names] if isinstance(node, ast.Import) else []
            assert not {n.split(".")[0] for n in names} & {"interpreter", "cli", "games", "schema"}, module.place


def test_there_is_no_circle() -> None:
    """Imports inside functions are put off on purpose and don't count."""
    graph: dict[str, set[str]] = {}
    for module in modules():
        graph[module.name] = {
            name
            for statement in module.tree().body
            if isinstance(statement, ast.Import | ast.ImportFrom)
            for _, name in imported(module, statement, names())
        } - {module.name}
    try:
        TopologicalSorter(graph).prepare()
    except CycleError as error:
        pytest.fail(f"circle of imports: {' -> '.join(error.args[1])}")


@pytest.mark.parametrize(
    ("name", "text", "expected"),
    [
        (
            "rulesdsl.interpreter.engine",
            "from rulesdsl.cli import play",
            "rulesdsl.interpreter must not import rulesdsl.cli",
        ),
        ("rulesdsl.interpreter.engine", "import rulesdsl", "rulesdsl.interpreter must not import rulesdsl"),
        ("rulesdsl.interpreter.engine", "def f():\n from ..syntax import expr", "must not import rulesdsl.syntax.expr"),
        (
            "rulesdsl.cli.play",
            "from rulesdsl.interpreter.run.rng import Generator",
            "must not import rulesdsl.interpreter.run.rng",
        ),
        ("rulesdsl.cli.play", "from rulesdsl import pipeline", "must not import rulesdsl.pipeline"),
        ("rulesdsl.ir.nodes", "from ..diagnostic import Label", "rulesdsl.ir must not import rulesdsl.diagnostic"),
        ("rulesdsl.novelty", "", "rulesdsl.novelty needs a line in MAY_IMPORT"),
        ("rulesdsl.interpreter.engine", "from rulesdsl.ir.nodes import Program\nfrom .rng import Generator", None),
        ("rulesdsl.interpreter.engine", "from rulesdsl.ir import nodes\nfrom . import rng\nimport random", None),
        ("rulesdsl.cli.play", "import rulesdsl\nfrom rulesdsl.interpreter import Match\nfrom .app import main", None),
    ],
)
def test_the_test_sees_what_it_should(name: str, text: str, expected: str | None) -> None:
    known = {"rulesdsl.syntax.expr", "rulesdsl.pipeline", "rulesdsl.ir.nodes", "rulesdsl.interpreter.run.rng"}
    found = complaints(Module(name, modules()[0].path, is_package=False), ast.parse(text), known)
    if expected is None:
        assert not found
    else:
        assert len(found) == 1
        assert expected in found[0]
