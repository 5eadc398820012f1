"""`rulesdsl test`: runs scenarios and says which expectations did not hold, each with its line."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from time import perf_counter

from rulesdsl import (
    Diagnostic,
    Program,
    RuleFileError,
    ScenarioDoc,
    Severity,
    Span,
    YamlList,
    YamlMap,
    YamlNode,
    YamlScalar,
    load,
    read_test,
)
from rulesdsl.interpreter import Coverage, Failure, Plain, Scenario, run_scenario

from .console import Ink, Paint, paint_for, tell
from .coverage import coverage_data, coverage_lines
from .junit import Case, junit_xml
from .render import as_json, as_text
from .validate import rule_files

_ENDING = ".test.yaml"


@dataclass(frozen=True, slots=True)
class Tried:
    """One scenario that was run, with what did not hold."""

    file: Path
    name: str
    span: Span
    problems: tuple[Diagnostic, ...]
    seconds: float = 0.0

    @property
    def failed(self) -> bool:
        """Whether something did not hold."""
        return any(problem.severity is Severity.ERROR for problem in self.problems)


def test(
    paths: Sequence[Path],
    *,
    only: str | None,
    form: str,
    no_color: bool,
    junit: Path | None = None,
    coverage: Coverage | None = None,
    unused_fails: bool = False,
) -> int:
    """Runs all scenarios that the paths name; gives the exit status. With `coverage` it says what they made use of."""
    files = list(dict.fromkeys(test_files(paths)))
    if not files:
        tell(f"no scenario files (*{_ENDING}) in {', '.join(str(path) for path in paths)}")
        return 2
    _loaded.cache_clear()  # files may have changed since they were read last
    tried = [trial for file in files for trial in trials_of(file, only, coverage)]
    if not tried:
        tell(f"no scenario has '{only}' in its name" if only else "no scenario in these files")
        return 2
    failed = [trial for trial in tried if trial.failed]
    if junit is not None and not _write_junit(tried, junit):
        return 2
    if form == "json":
        print(_as_json(tried, coverage))
    else:
        paint = paint_for(sys.stdout, no_color=no_color)
        _write(tried, paint)
        if coverage is not None:
            print("\n" + "\n".join(coverage_lines(coverage, paint)))
    passed = len(tried) - len(failed)
    tell(f"{passed} passed" + (f", {len(failed)} failed" if failed else "") + f", in {len(files)} files")
    unused = coverage is not None and unused_fails and bool(coverage.unused)
    return 1 if failed or unused else 0


def test_files(paths: Iterable[Path]) -> Iterator[Path]:
    """The scenario files among what the paths name; a file that is named outright is taken as it is."""
    for path in paths:
        for file in rule_files(path):
            if file == path or file.name.endswith(_ENDING):
                yield file


def trials_of(file: Path, only: str | None, coverage: Coverage | None = None) -> Iterator[Tried]:
    """Runs the scenarios of a file, all or those with a text in their name."""
    doc, diagnostics = read_test(file)
    problems = tuple(diagnostics)
    if doc is None:
        yield Tried(file, file.name, problems[0].span, problems)
        return
    if any(problem.severity is Severity.ERROR for problem in problems):
        yield Tried(file, file.name, doc.span, problems)
    game = game_of(file, doc.of.name)
    for scenario in doc.scenarios:
        if only is None or only.lower() in scenario.name.name.lower():
            begin = perf_counter()
            found = tuple(_try(file, game, scenario, coverage))
            yield Tried(file, scenario.name.name, scenario.name.span, found, perf_counter() - begin)


def game_of(file: Path, name: str) -> str:
    """Where the game or variant of a scenario file is: in its folder or the one above, else among the shipped games."""
    for folder in _folders_of(file):
        for variant in (folder / "variants" / f"{name}.yaml", folder / f"{name}.yaml"):
            if variant.exists():
                return str(variant)
        if (folder / "game.yaml").exists():
            return str(folder)
    return name


def modifier_of(file: Path, name: str) -> str:
    """Where a modifier of a scenario file is, if it lies beside it and not only with the game."""
    for folder in _folders_of(file):
        for path in (folder / "modifiers" / f"{name}.yaml", folder / f"{name}.yaml"):
            if path.exists():
                return str(path)
    return name


def _folders_of(file: Path) -> tuple[Path, ...]:
    return (file.resolve().parent, *file.resolve().parents[1:2])


def _try(file: Path, game: str, scenario: ScenarioDoc, coverage: Coverage | None) -> list[Diagnostic]:
    settings = tuple((name.name, value.name) for name, value in scenario.options)
    program = _loaded(game, tuple(modifier_of(file, name.name) for name in scenario.with_), settings)
    if isinstance(program, RuleFileError):
        return list(program.diagnostics)
    return [_diagnostic(failure, scenario) for failure in run_scenario(program, as_scenario(scenario), coverage)]


@lru_cache(maxsize=64)
def _loaded(game: str, modifiers: tuple[str, ...], settings: tuple[tuple[str, str], ...]) -> Program | RuleFileError:
    """A game as scenarios want it, or what is wrong with it; most scenarios of a file want the same one."""
    try:
        return load(game, modifiers=modifiers, options=dict(settings))
    except RuleFileError as error:
        return error


def as_scenario(doc: ScenarioDoc) -> Scenario:
    """A scenario of a file in the plain form in which the interpreter takes it."""
    return Scenario(
        name=doc.name.name,
        players=doc.players,
        seed=doc.seed,
        start=None if doc.start is None else doc.start.text.removeprefix("phase "),
        state=_mapping(doc.state),
        zones=_mapping(doc.zones),
        chance=_mapping(doc.chance),
        play=tuple((answer.seat, plain(answer.answer)) for answer in doc.play),
        expect=_mapping(doc.expect),
    )


def plain(node: YamlNode) -> Plain:
    """YAML as texts, lists and mappings."""
    match node:
        case YamlScalar():
            return node.text
        case YamlList():
            return [plain(item) for item in node.items]
        case YamlMap():
            return {key.text: plain(value) for key, value in node.entries}


def _mapping(node: YamlNode | None) -> dict[str, Plain]:
    return {key.text: plain(value) for key, value in node.entries} if isinstance(node, YamlMap) else {}


def _diagnostic(failure: Failure, doc: ScenarioDoc) -> Diagnostic:
    """A failed expectation at the place in the file that says it."""
    return Diagnostic(failure.code, place_of(failure.path, doc), failure.message, failure.help)


def place_of(path: Sequence[str | int], doc: ScenarioDoc) -> Span:
    """The place of something in a scenario: as deep as the path leads."""
    if not path:
        return doc.name.span
    first, *rest = path
    if first == "play":
        index = rest[0] if rest else 0
        return doc.play[index].span if isinstance(index, int) else doc.span
    sections = {"state": doc.state, "zones": doc.zones, "chance": doc.chance, "expect": doc.expect}
    node = sections.get(str(first))
    if node is None:
        return doc.start.span if first == "start" and doc.start is not None else doc.name.span
    return _inner_place(node, rest)


def _inner_place(node: YamlNode, path: Sequence[str | int]) -> Span:
    place = node.whole
    for step in path:
        match node:
            case YamlMap():
                key = node.key(str(step))
                inner = node.get(str(step))
                if key is None or inner is None:
                    return place
                place = key.whole if step == path[-1] and not isinstance(inner, YamlScalar) else inner.whole
                node = inner
            case YamlList():
                if not isinstance(step, int) or not 0 <= step < len(node.items):
                    return place
                node = node.items[step]
                place = node.whole
            case YamlScalar():
                return place
    return place


def _write(tried: Sequence[Tried], paint: Paint) -> None:
    for trial in tried:
        mark = paint("FAILED", Ink.RED, Ink.BOLD) if trial.failed else paint("passed", Ink.GREEN)
        print(f"{mark} {trial.file}: {trial.name}")
        for problem in trial.problems:
            print(as_text(problem, paint), end="\n\n")


def _as_json(tried: Sequence[Tried], coverage: Coverage | None) -> str:
    """The scenarios as a list; with what they made use of beside it, if that was asked for."""
    scenarios = [
        {
            "file": str(trial.file),
            "scenario": trial.name,
            "line": trial.span.position.line,
            "passed": not trial.failed,
            "problems": json.loads(as_json(trial.problems)),
        }
        for trial in tried
    ]
    found = scenarios if coverage is None else {"scenarios": scenarios, "coverage": coverage_data(coverage)}
    return json.dumps(found, indent=2, ensure_ascii=False)


def _write_junit(tried: Sequence[Tried], file: Path) -> bool:
    """The results for tools that show those of many test runners; whether the file could be written."""
    cases = [
        Case(str(trial.file), trial.name, trial.span.position.line, trial.seconds, trial.failed, _told(trial))
        for trial in tried
    ]
    try:
        file.write_text(junit_xml(cases), encoding="utf-8")
    except OSError as problem:
        tell(f"{file} can't be written: {problem.strerror}")
        return False
    return True


def _told(trial: Tried) -> str:
    return "\n\n".join(as_text(problem, Paint(on=False)) for problem in trial.problems)
