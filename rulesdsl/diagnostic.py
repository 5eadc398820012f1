"""What is wrong with a rule file, as data.

A `Diagnostic` carries a stable code, the place, a plain sentence and what to write instead. Every stage adds to one
`Diagnostics` and keeps going, so that all problems of a file are reported at once.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from difflib import get_close_matches
from enum import StrEnum

from .source import Span


class Severity(StrEnum):
    """How bad it is."""

    ERROR = "error"
    WARNING = "warning"
    NOTE = "note"


_BY_LETTER = {"E": Severity.ERROR, "W": Severity.WARNING, "N": Severity.NOTE}


@dataclass(frozen=True, slots=True)
class Label:
    """A second place that belongs to a diagnostic, with what it has to do with it."""

    span: Span
    text: str


@dataclass(frozen=True, slots=True)
class Diagnostic:
    """One problem: `code` says which kind (its letter how bad), `span` where, `help` what to write instead."""

    code: str
    span: Span
    message: str
    help: str | None = None
    labels: tuple[Label, ...] = ()

    @property
    def severity(self) -> Severity:
        """Error, warning or note, as the first letter of the code says."""
        return _BY_LETTER[self.code[0]]


class Diagnostics:
    """Collects the problems that the stages find. Saying the same thing twice is saying it once."""

    def __init__(self) -> None:
        self._found: dict[Diagnostic, None] = {}

    def add(
        self, code: str, span: Span, message: str, *, help: str | None = None, labels: Iterable[Label] = ()
    ) -> None:
        """Reports one problem."""
        self._found.setdefault(Diagnostic(code, span, message, help, tuple(labels)))

    def extend(self, others: Iterable[Diagnostic]) -> None:
        """Takes over problems found elsewhere."""
        for diagnostic in others:
            self._found.setdefault(diagnostic)

    def __iter__(self) -> Iterator[Diagnostic]:
        return iter(sorted(self._found, key=lambda d: (d.span.source.name, d.span.start, d.code, d.message)))

    def __len__(self) -> int:
        return len(self._found)

    @property
    def errors(self) -> list[Diagnostic]:
        """Only those that keep a file from being used, in the order of the text."""
        return [diagnostic for diagnostic in self if diagnostic.severity is Severity.ERROR]


def did_you_mean(name: str, known: Iterable[str]) -> str | None:
    """A help line that names the nearest of the known names, or None if nothing is near."""
    candidates = {candidate.lower(): candidate for candidate in known}
    near = get_close_matches(name.lower(), candidates, n=1, cutoff=0.6)
    return f"did you mean '{candidates[near[0]]}'?" if near else None


class RuleFileError(Exception):
    """Rule files that can't be used; `diagnostics` holds everything that was found, errors and warnings.

    Raised by `rulesdsl.load`; never by the stages themselves.
    """

    def __init__(self, diagnostics: Iterable[Diagnostic]) -> None:
        self.diagnostics = tuple(diagnostics)
        errors = [d for d in self.diagnostics if d.severity is Severity.ERROR]
        first = errors[0]
        more = f" (and {len(errors) - 1} more)" if len(errors) > 1 else ""
        super().__init__(f"{first.span}: {first.code}: {first.message}{more}")


class InternalError(Exception):
    """A broken invariant of ours: a defect of rulesdsl, never of a rule file."""
