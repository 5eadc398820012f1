"""Names that the grammar never reads as names, found where they are declared and not where they are missed."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from ..source import Span
from ..syntax.document import Declarations
from ..syntax.expr import RESERVED
from .names import Names


def refuse_reserved(declares: Iterable[Declarations], names: Names) -> None:
    """Reports every declared name that is a word of the language (E0113)."""
    for one in declares:
        for name, span in _declared(one):
            if name in RESERVED:
                message = f"`{name}` is a word of the language, so nothing can be called '{name}'"
                names.report("E0113", span, message, "choose another name")


def _declared(declares: Declarations) -> Iterator[tuple[str, Span]]:
    for option in declares.options:
        yield option.name, option.span
        yield from ((member.name, member.span) for member in option.members)
    for of in declares.types:
        yield of.name, of.span
        yield from ((member.name, member.span) for member in of.members)
        yield from ((field.name, field.span) for field, _ in of.fields)
    for kind in declares.cards:
        yield kind.name, kind.span
        yield from ((own.name, own.span) for own in kind.fields)
        yield from ((own.name, own.span) for own in kind.printed)
    for zone in declares.zones:
        yield zone.name, zone.span
        yield from ((own.name, own.span) for own in zone.fields)
    for state in declares.state:
        yield state.name, state.span
