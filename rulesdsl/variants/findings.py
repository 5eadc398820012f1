"""What is said about modifiers that are stacked: findings with their places, verdicts, the matrix of pairs."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Protocol

from ..diagnostic import Diagnostic, Label
from ..ir.nodes import Ask
from ..source import Source, Span


class Kind(StrEnum):
    """How two modifiers stand to one another, worst first."""

    EXCLUSIVE = "exclusive"
    DANGLING = "dangling"
    EMPTY = "empty"
    ORDER = "order"
    DEAD = "dead"
    READS = "reads"
    SETTLED = "settled"
    """Not found, but made of what was found: by a settlement."""
    AGREES = "agrees"
    INDEPENDENT = "independent"

    @property
    def code(self) -> str | None:
        """The code of the diagnostic; None where nothing is to be said."""
        return _CODES.get(self)

    @property
    def is_clash(self) -> bool:
        """Whether the two can't be in force together as they are."""
        return self in (Kind.EXCLUSIVE, Kind.DANGLING, Kind.EMPTY, Kind.ORDER)


_CODES = {
    Kind.EXCLUSIVE: "E0910",
    Kind.ORDER: "E0911",
    Kind.DANGLING: "E0912",
    Kind.EMPTY: "E0913",
    Kind.DEAD: "W0914",
    Kind.READS: "N0915",
}


class Position(Protocol):
    """A position to which matches can come, and that shows what was found."""

    @property
    def ask(self) -> Ask:
        """What somebody has to decide there."""

    def lines(self) -> tuple[str, ...]:
        """The position in words."""

    def as_data(self) -> dict[str, object]:
        """The position for JSON, with how one gets there."""


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing about two modifiers: the slot where they meet, and what is the matter there.

    `witness` is what shows it: the values, the numbers, the cards. `settled` are lines that would settle it, as they
    stand under `pairs` of a settlement; none where nothing but leaving one of the two out would.
    """

    kind: Kind
    slot: str
    message: str
    witness: str = ""
    first_place: Span | None = field(default=None, compare=False)
    second_place: Span | None = field(default=None, compare=False)
    settled: tuple[str, ...] = ()
    about: str = ""
    """Of the two the one that has no effect, where it is that."""
    settled_at: Span | None = field(default=None, compare=False)
    """Where a settlement says what becomes of it."""
    goes_by: tuple[str, ...] = field(default=(), compare=False)
    """Other slots that have to do with it: what is said of these may settle it."""
    position: Position | None = field(default=None, compare=False)
    """Where in a match it shows, if that was looked for and found."""


@dataclass(frozen=True, slots=True)
class Verdict:
    """How two modifiers stand to one another; or what is the matter with some other number of them, perhaps none."""

    modifiers: tuple[str, ...]
    findings: tuple[Finding, ...] = ()

    @property
    def kind(self) -> Kind:
        """The worst of what was found and is not settled."""
        kinds = [finding.kind if finding.settled_at is None else Kind.SETTLED for finding in self.findings]
        return min(kinds, key=list(Kind).index, default=Kind.INDEPENDENT)

    @property
    def title(self) -> str:
        """Whom it is about."""
        return " and ".join(self.modifiers) or "the game alone"

    @property
    def unsettled(self) -> Kind:
        """The worst of what was found, as if nothing were settled."""
        kinds = [finding.kind for finding in self.findings]
        return min(kinds, key=list(Kind).index, default=Kind.INDEPENDENT)

    @property
    def open(self) -> tuple[Finding, ...]:
        """What was found and is not settled."""
        return tuple(finding for finding in self.findings if finding.settled_at is None)

    def settling(self) -> tuple[str, ...]:
        """The lines that would settle the worst of it, under `pairs` of a settlement."""
        lines = tuple(line for finding in self.open if finding.kind is self.kind for line in finding.settled)
        lines = tuple(dict.fromkeys(lines))
        return (f"- of: [{', '.join(self.modifiers)}]", *(f"  {line}" for line in lines)) if lines else ()

    def diagnostics(self) -> Iterator[Diagnostic]:
        """What was found, as it is shown for rule files."""
        for finding in self.open:
            code = finding.kind.code
            if code is None:
                continue
            places = [place for place in (finding.first_place, finding.second_place) if place is not None]
            span = places[-1] if places else Span(Source(self.title, ""), 0, 0)
            labels = [Label(place, "the other one") for place in places[:-1]]
            message = f"{self.title}: {finding.message}"
            message += f" ({finding.witness})" if finding.witness else ""
            yield Diagnostic(code, span, message, _help(self, finding), tuple(labels))


def _help(verdict: Verdict, finding: Finding) -> str:
    if finding.settled:
        return f"to settle it: `{finding.settled[-1].strip()}`"
    return (
        "leave out one of them" if len(verdict.modifiers) > 1 else "give the decision an `else`, or let more be legal"
    )


@dataclass(frozen=True, slots=True)
class Matrix:
    """The verdicts on all pairs of a game's modifiers."""

    game: str
    modifiers: tuple[str, ...]
    pairs: Mapping[frozenset[str], Verdict]

    def verdict(self, first: str, second: str) -> Verdict:
        """The verdict on a pair; a modifier agrees with itself."""
        if first == second:
            return Verdict((first, second), (Finding(Kind.AGREES, "", "the same modifier"),))
        return self.pairs[frozenset([first, second])]

    def clashes(self, modifier: str, others: Iterable[str]) -> bool:
        """Whether a modifier can't be in force beside one of the others; an order that is missing is no clash here."""
        kinds = (Kind.EXCLUSIVE, Kind.DANGLING, Kind.EMPTY)
        return any(self.verdict(modifier, other).kind in kinds for other in others if other != modifier)

    def idle(self, modifier: str, others: Iterable[str]) -> bool:
        """Whether a modifier has no effect beside one of the others."""
        found = (finding for other in others if other != modifier for finding in self.verdict(modifier, other).open)
        return any(finding.kind is Kind.DEAD and finding.about == modifier for finding in found)
