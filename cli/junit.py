"""Results of scenarios in the XML that most build servers read from test runners."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import groupby
from xml.etree import ElementTree


@dataclass(frozen=True, slots=True)
class Case:
    """One scenario: where it stands, how long it took, and what is to be said of it."""

    file: str
    name: str
    line: int
    seconds: float
    failed: bool
    told: str


def junit_xml(cases: Sequence[Case]) -> str:
    """The document: a suite for each file, in the order of the cases."""
    root = ElementTree.Element("testsuites", _sums(cases))
    for file, group in groupby(cases, key=lambda case: case.file):
        inside = list(group)
        suite = ElementTree.SubElement(root, "testsuite", {"name": file, **_sums(inside)})
        for case in inside:
            given = {"classname": file, "name": _allowed(case.name), "file": file, "line": str(case.line)}
            entry = ElementTree.SubElement(suite, "testcase", {**given, "time": f"{case.seconds:.3f}"})
            if case.failed:
                first = case.told.split("\n", 1)[0]
                ElementTree.SubElement(entry, "failure", {"message": _allowed(first)}).text = _allowed(case.told)
            elif case.told:
                ElementTree.SubElement(entry, "system-out").text = _allowed(case.told)
    ElementTree.indent(root)
    return ElementTree.tostring(root, encoding="unicode", xml_declaration=True) + "\n"


def _sums(cases: Sequence[Case]) -> dict[str, str]:
    failures = sum(case.failed for case in cases)
    seconds = sum(case.seconds for case in cases)
    return {"tests": str(len(cases)), "failures": str(failures), "errors": "0", "time": f"{seconds:.3f}"}


def _allowed(text: str) -> str:
    """The text without what XML has no way to write."""
    return "".join(character if character.isprintable() or character in "\n\t" else "?" for character in text)
