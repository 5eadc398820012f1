"""Conditions on the members of something, as they follow the name of it: `that are traps`, `which must be a trap`."""

from __future__ import annotations

import re

from .english import head_of, plural

_ABOUT = re.compile(r"(?:it|they) (is not|are not|is|are|has|have|can't|can|may|lies|lie|costs) ")
_WHOSE = re.compile(r"(?:its|their) (\w+(?: \w+)?) (is not|are not|is|are) ")
_YOURS = re.compile(r"you are( not)? (?:its|their) (\w+(?: \w+)?)$")
_MORE = re.compile(r" and | or (?:it|its|they|their|there|the|you) ")
"""Where a clause has a second one behind it."""
_PEOPLE = re.compile(r"\b(?:they|their)\b")
_OF_SEVERAL = {"is": "are", "is not": "are not", "has": "have", "lies": "lie", "costs": "cost"}
_MUST = {"is": "must be", "is not": "must not be", "has": "must have", "lies": "must lie"}
_MUST |= {"are": "must be", "are not": "must not be", "have": "must have", "lie": "must lie"}


def of_several(clauses: list[str]) -> str:
    """What is said behind several things that each of the clauses is true of."""
    said = []
    for clause in clauses:
        found = _ABOUT.match(clause)
        has = _WHOSE.match(clause)
        if has is not None and _MORE.search(clause) is None:
            said.append(f"whose {clause[has.start(1) :]}")
            continue
        if found is None or _MORE.search(clause) is not None:
            said.append(f"for {'whom' if _PEOPLE.search(clause) else 'which'} {clause}")
            continue
        who = "who" if clause.startswith("they") else "that"
        verb = _OF_SEVERAL.get(found[1], found[1])
        said.append(f"{who} {verb} {_several(clause[found.end() :])}")
    return " and ".join(said)


def to_choose(clauses: list[str], *, each: bool) -> str:
    """What is said behind something to be chosen that each of the clauses has to be true of."""
    said: list[str] = []
    owners: list[str] = []
    others: list[str] = []
    for clause in clauses:
        found = _ABOUT.match(clause)
        clause = _YOURS.sub(lambda yours: f"its {yours[2]} is{yours[1] or ''} you", clause)
        has = _WHOSE.match(clause)
        if has is not None and each:
            others.append(f"the {has[1]} of each {clause[has.end(1) + 1 :]}")
        elif has is not None and _MORE.search(clause) is None:
            owners.append(f"whose {has[1]} {_MUST[has[2]]} {clause[has.end() :]}")
        elif found is None or found[1] not in _MUST or _MORE.search(clause) is not None:
            others.append(clause)
        else:
            said.append(f"{_MUST[found[1]]} {clause[found.end() :]}")
    people = any(_PEOPLE.search(clause) for clause in clauses)
    who = ("each of whom" if each else "who") if people else ("each of which" if each else "which")
    heads = [*([f"{who} {' and '.join(said)}"] if said else []), *owners]
    parts = [f", {' and '.join(heads)}"] if heads else []
    return "".join([*parts, *([f", such that {' and '.join(others)}"] if others else [])])


def _several(predicate: str) -> str:
    """`traps or places` of `a trap or a place`."""
    return re.sub(r"\b(?:a|an) ([^,]+?)(?=,| or |$)", lambda found: _head_as_several(found[1]), predicate)


def _head_as_several(phrase: str) -> str:
    head = head_of(phrase)
    return plural(head) + phrase[len(head) :]
