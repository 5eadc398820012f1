"""What is printed on cards is changed like any rule: by stages, under guards, and by several modifiers."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from rulesdsl import Program, RuleFileError, apply, diff, judged, load, told
from rulesdsl.ir.nodes import Change
from rulesdsl.variants.normal import normal

BODIES = {
    "doubled": "changes:\n  worth(token, suit): { multiply: 2 }\n",
    "one-more": "changes:\n  worth(token, suit): { add: 1 }\n",
    "three": "changes:\n  worth(token, suit): 3\n",
    "four": "changes:\n  worth(token, suit): 4\n",
    "guarded": "when: number_audit is honor\nchanges:\n  worth(token, suit): 5\n",
}


@pytest.fixture
def loaded(tmp_path: Path) -> Callable[..., Program]:
    def made(*names: str) -> Program:
        paths = [tmp_path / f"{name}.yaml" for name in names]
        for path in paths:
            head = f"rulesdsl: 1\nmodifier: {path.stem}\nof: tricky-kids\ntitle: {path.stem}\n"
            path.write_text(head + BODIES[path.stem], encoding="utf-8")
        return load("tricky-kids", modifiers=[str(path) for path in paths])

    return made


def changes(program: Program) -> list[Change]:
    (rule,) = (rule for rule in program.rules if rule.name == "worth")
    return list(rule.changes)


def test_stages_are_changes(loaded: Callable[..., Program]) -> None:
    found = {(change.operation, change.origin.name) for change in changes(loaded("doubled", "one-more"))}
    assert found == {("multiply", "doubled"), ("add", "one-more")}
    assert loaded("doubled", "one-more") == loaded("one-more", "doubled")


def test_a_guard_stays_with_its_change(loaded: Callable[..., Program]) -> None:
    assert "honor" in str(changes(loaded("guarded"))[0].term)


def test_two_values_exclude_one_another(loaded: Callable[..., Program]) -> None:
    with pytest.raises(RuleFileError) as raised:
        loaded("three", "four")
    assert [problem.code for problem in raised.value.diagnostics] == ["E0910"]


def test_the_steps_that_ask_for_it_do_not_differ(loaded: Callable[..., Program]) -> None:
    base, changed = load("tricky-kids"), loaded("doubled")
    edits = diff(base, changed)
    assert [type(edit).__name__ for edit in edits] == ["Declared", "Recoded"]
    assert told(edits[0]) == "rule worth(token): something multiplied"
    assert normal(apply(edits, base)) == normal(changed)


@pytest.mark.parametrize(
    ("names", "verdict"),
    [
        (("three", "four"), "exclusive"),
        (("three", "doubled"), "reads"),
        (("one-more", "doubled"), "independent"),
    ],
)
def test_they_are_judged_by_the_law_of_rules(
    names: tuple[str, str], verdict: str, loaded: Callable[..., Program], tmp_path: Path
) -> None:
    for name in names:
        loaded(name)
    (found,) = judged("tricky-kids", [str(tmp_path / f"{name}.yaml") for name in names])
    assert found.kind.value == verdict
