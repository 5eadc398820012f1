"""Verdicts with the position that shows them: somebody is asked, and no answer is legal.

Who plays is not known here: a search is handed in, which takes a program and comes back with a position or without.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import combinations
from pathlib import Path
from typing import Protocol

from ..diagnostic import RuleFileError
from ..ir.nodes import Ask, PickWriting, Program
from ..loading import load
from .findings import Finding, Kind, Matrix, Position, Verdict

MOST_GUILTY = 2
"""Groups of so many modifiers are tried to find out who leads to a position; if none does, it is the whole stack."""


class Searched(Protocol):
    """What a search came to: a position, or so many matches without one."""

    @property
    def position(self) -> Position | None:
        """Where somebody has no legal answer."""

    @property
    def matches(self) -> int:
        """How many matches were played."""


Search = Callable[[Program], Searched]
"""Plays a program for a while, and tells whether somebody came to have no legal answer."""


@dataclass(frozen=True, slots=True)
class Judgement:
    """The verdicts on a stack, and in how many of its matches nobody was left without an answer.

    `matches` is None where the stack could not be played, or where somebody was.
    """

    verdicts: tuple[Verdict, ...]
    matches: int | None = None


@dataclass(frozen=True, slots=True)
class Proving:
    """Plays stacks of a game. `files` are by name of a modifier what it is loaded by."""

    game: str | Path
    files: Mapping[str, str]
    search: Search
    _done: dict[tuple[str, ...], Searched | None] = field(default_factory=dict)

    def stack(self, verdicts: tuple[Verdict, ...]) -> Judgement:
        """The verdicts on all of the modifiers, with the positions that are found.

        A position that no verdict foresees is a finding of its own, about as few of the modifiers as lead to one.
        """
        names = tuple(self.files)
        whole = self._played(names)
        if whole is None or whole.position is None:
            matches = None if whole is None else whole.matches
            return Judgement(tuple(self.proved(verdict) for verdict in verdicts), matches)
        guilty, position = self._fewest(names, whole.position)
        told = _with_position(verdicts, guilty, position)
        return Judgement(tuple(self.proved(verdict) for verdict in told))

    def matrix(self, matrix: Matrix) -> Matrix:
        """A matrix in which what leaves no answer shows a position, where one is found."""
        return replace(matrix, pairs={names: self.proved(verdict) for names, verdict in matrix.pairs.items()})

    def proved(self, verdict: Verdict) -> Verdict:
        """A verdict whose findings about answers have been looked for in matches of just its modifiers."""
        findings = tuple(self._proved(verdict, finding) for finding in verdict.findings)
        return replace(verdict, findings=findings)

    def _proved(self, verdict: Verdict, finding: Finding) -> Finding:
        is_about_answers = finding.slot.startswith(("legality ", "field ", "decision "))
        if finding.kind is not Kind.EMPTY or not is_about_answers or finding.position is not None:
            return finding
        found = self._played(verdict.modifiers) if finding.settled_at is None else None
        if found is None:
            return finding
        if found.position is not None and finding.slot in _slots(found.position.ask):
            guilty, position = self._fewest(verdict.modifiers, found.position)
            said = "" if guilty == verdict.modifiers else f"{Verdict(guilty).title} would do"
        else:
            said, position = f"no match of {found.matches} came to such a position", None
        witness = "; ".join(text for text in (finding.witness, said) if text)
        return replace(finding, witness=witness, position=position)

    def _fewest(self, names: tuple[str, ...], position: Position) -> tuple[tuple[str, ...], Position]:
        """The first of the smallest groups with which somebody is left without an answer, and where."""
        for size in range(min(len(names), MOST_GUILTY + 1)):
            for group in combinations(names, size):
                found = self._played(group)
                if found is not None and found.position is not None:
                    return group, found.position
        return names, position

    def _played(self, names: tuple[str, ...]) -> Searched | None:
        """What a search comes to; None for a stack that can't be put together, which is told in other ways."""
        if names not in self._done:
            try:
                # The name of a variant stands for its own changes, which are there whenever it is loaded.
                program = load(self.game, [self.files[name] for name in names if name in self.files])
            except RuleFileError:
                self._done[names] = None
            else:
                self._done[names] = self.search(program)
        return self._done[names]


def _with_position(verdicts: Sequence[Verdict], guilty: tuple[str, ...], position: Position) -> list[Verdict]:
    """The verdicts with a position: at the finding that foresaw it, else at a new one."""
    told = list(verdicts)
    at = next((at for at, verdict in enumerate(told) if set(verdict.modifiers) == set(guilty)), None)
    if at is None:
        at = len(told)
        told.append(Verdict(guilty))
    slots = set(_slots(position.ask))
    foreseen = [
        finding.kind is Kind.EMPTY and finding.settled_at is None and finding.slot in slots
        for finding in told[at].findings
    ]
    findings = [
        replace(finding, position=position) if is_it else finding
        for finding, is_it in zip(told[at].findings, foreseen, strict=True)
    ]
    if not any(foreseen):
        ask = position.ask
        message = f"somebody can be left without a legal answer to '{ask.name}'"
        findings.insert(0, Finding(Kind.EMPTY, f"decision {ask.path}", message, "", ask.span, position=position))
    told[at] = replace(told[at], findings=tuple(findings))
    return told


def _slots(ask: Ask) -> Iterator[str]:
    """The slots that say which answers a decision has."""
    yield f"decision {ask.path}"
    for alternative in ask.alternatives:
        if alternative.under is not None:
            yield f"legality {alternative.under.legality}"
        for part in alternative.parts:
            if isinstance(part.pick, PickWriting):
                yield f"field {part.pick.kind}.{part.pick.field}"
