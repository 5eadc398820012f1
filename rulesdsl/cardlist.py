"""All cards that the files of a game list, as people read them: what is printed on each, and what it does."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction

from .ir.nodes import CardRow, Kind, PrintedAttribute, Program, Value
from .types import NONE, Enum, ListOf, Number, Optional, RowOf, SetOf, Text, Type, YesNo

Plain = int | float | bool | str | None | list["Plain"] | dict[str, "Plain"]
"""What JSON has."""


@dataclass(frozen=True, slots=True)
class ListedCard:
    """A card of a file. `line` is what is printed on it in short, `text` says what it does, a line for each power."""

    kind: str
    id: str | None
    name: str
    copies: int
    printed: Mapping[str, Plain]
    line: str
    text: tuple[str, ...]

    def is_called(self, text: str) -> bool:
        """Whether somebody who writes this means the card."""
        wanted = text.strip().casefold()
        return wanted in (self.name.casefold(), (self.id or self.name).casefold())


def cards(program: Program) -> tuple[ListedCard, ...]:
    """The cards that files list, in the order of the files; cards that are made of types are not among them."""
    return tuple(_listed(program, kind, row, number) for kind in program.kinds for number, row in enumerate(kind.rows))


def _listed(program: Program, kind: Kind, row: CardRow, number: int) -> ListedCard:
    values = dict(row.values)
    printed = {own.name: _printed(program, own, values[own.name]) for own in kind.printed if own.name in values}
    there = [own for own in kind.printed if printed.get(own.name) is not None]
    said = [_said(own, printed[own.name]) for own in sorted(there, key=lambda own: not _speaks_for_itself(own))]
    name = row.name or row.id or f"{kind.name} {number + 1}"
    return ListedCard(kind.name, row.id, name, row.copies, printed, " · ".join(said), row.text)


def _speaks_for_itself(own: PrintedAttribute) -> bool:
    """Whether an attribute is a member of a type of its own name, as in `class: class`."""
    of = own.type.of if isinstance(own.type, Optional) else own.type
    return isinstance(of, Enum) and of.name == own.name


def _said(own: PrintedAttribute, value: Plain) -> str:
    """An attribute in short."""
    if _speaks_for_itself(own):
        return plain_text(value)
    return own.name.replace("_", " ") if value is True else f"{own.name.replace('_', ' ')} {plain_text(value)}"


def plain_text(value: Plain) -> str:
    """A value in words."""
    match value:
        case None:
            return "none"
        case bool():
            return "yes" if value else "no"
        case list():
            return ", ".join(plain_text(item) for item in value) or "nothing"
        case dict():
            return ", ".join(f"{name} {plain_text(item)}" for name, item in value.items())
        case _:
            return str(value)


def _printed(program: Program, own: PrintedAttribute, value: Value) -> Plain:
    if isinstance(own.each, Enum) and isinstance(value, tuple):
        return {name: _plain(program, own.type, part) for name, part in zip(own.each.members, value, strict=True)}
    return _plain(program, own.type, value)


def _plain(program: Program, of: Type, value: Value) -> Plain:
    if value == NONE:
        return None
    match of, value:
        case Optional(of=inner), _:
            return _plain(program, inner, value)
        case YesNo(), int():
            return bool(value)
        case Number(scale=scale), int():
            number = Fraction(value, scale)
            return int(number) if number.denominator == 1 else float(number)
        case Enum(members=names), int():
            return names[value]
        case Text(), int():
            return program.texts[value]
        case SetOf(of=inner), int():
            return [_plain(program, inner, index) for index in range(value.bit_length()) if value >> index & 1]
        case ((ListOf(of=inner) | RowOf(of=inner)), tuple()):
            return [_plain(program, inner, item) for item in value]
        case _:
            return str(value)
