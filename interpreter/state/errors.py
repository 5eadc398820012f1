"""The one exception of a running match: something a rule file asks for can't be done."""

from __future__ import annotations

from rulesdsl.source import Span


class MatchError(Exception):
    """A match that can't go on, with the place in the rule file that asked for it.

    The machine turns it into the result `error`; nobody else catches it to steer by.
    """

    def __init__(self, message: str, span: Span | None = None) -> None:
        super().__init__(message)
        self.message = message
        self.span = span


class NoAnswer(MatchError):
    """Somebody is asked, no answer is legal, and the decision does not say what happens then."""
