"""Cards that a file lists: each row gives what is printed on one card, and how many there are of it.

A row names every attribute that the kind prints, and besides `copies`, `id` and `name`, unless the kind prints
something under one of these words itself.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping
from fractions import Fraction

from ..ir.nodes import CardRow, Value
from ..reading.yamltree import YamlList, YamlMap, YamlNode, YamlScalar
from ..syntax.document import CardsDoc
from ..types import NONE, Enum, ListOf, Number, Optional, RowOf, SetOf, Text, Type, Unknown, YesNo
from .names import Names, nearest
from .wording import a

_OWN = ("copies", "id", "name")
_NUMERAL = re.compile(r"-?[0-9]{1,15}(\.[0-9]{1,6})?")
_WORDS = {"true": 1, "false": 0}


class RowReader:
    """Reads the rows of one file; `printed` are the attributes with their types, `each` the types of members."""

    def __init__(
        self, names: Names, kind: str, printed: Mapping[str, Type], each: Mapping[str, Type], powers: Collection[str]
    ) -> None:
        self.names = names
        self.kind = kind
        self.printed = printed
        self.each = each
        self.powers = powers
        self._ids: set[str] = set()

    def rows(self, document: CardsDoc) -> tuple[CardRow, ...]:
        """All rows that are right; what is wrong with the others is reported."""
        if document.of.name != self.kind:
            self.names.report(
                "E0328",
                document.of.span,
                f"these cards are of the kind '{document.of.name}', and the game takes them for '{self.kind}'",
                f"write `of: {self.kind}`, or name another file in the game",
            )
            return ()
        found: list[CardRow] = []
        for node in document.rows:
            assert isinstance(node, YamlMap)
            found.append(self._row(node, self._ids))
        return tuple(found)

    def _row(self, node: YamlMap, ids: set[str]) -> CardRow:
        own = {word: self._own(node, word) for word in _OWN if word not in self.printed}
        values: list[tuple[str, Value]] = []
        for key, _ in node.entries:
            if key.text not in self.printed and key.text not in own and key.text not in self.powers:
                known = [*self.printed, *self.powers, *own]
                self.names.report(
                    "E0431",
                    key.whole,
                    f"nothing is printed on a {self.kind} under '{key.text}'",
                    nearest(key.text, known),
                )
        for name, of in self.printed.items():
            given = node.get(name)
            if given is not None:
                value = self._of_each(given, self.each[name], of) if name in self.each else self._value(given, of)
                values.append((name, 0 if value is None else value))
            elif isinstance(of, Optional) and name not in self.each:
                values.append((name, NONE))
            else:
                self.names.report(
                    "E0432", node.whole, f"this row does not say what '{name}' is", f"add `{name}:`, {_form(of)}"
                )
        identity = own.get("id")
        if identity is not None and identity in ids:
            self.names.report(
                "E0309", node.whole, f"there is a card with the id '{identity}' already", "give each its own"
            )
        ids.update([identity] if identity is not None else ())
        return CardRow(identity, own.get("name"), tuple(values), int(own.get("copies") or 1))

    def _own(self, node: YamlMap, word: str) -> str | None:
        given = node.get(word)
        if given is None or isinstance(given, YamlScalar):
            return None if given is None else given.text
        self.names.report("E0433", given.whole, f"the {word} of a card is one text", "write it without brackets")
        return None

    # ── values ───────────────────────────────────────────────────────────────────────────────────────────────────

    def _of_each(self, node: YamlNode, members: Type, of: Type) -> Value | None:
        """One value for each member of a type."""
        assert isinstance(members, Enum)
        names = list(members.members)
        if not isinstance(node, YamlMap):
            self.names.report(
                "E0433", node.whole, f"this needs a value for each {members}", f"write `{{ {names[0]}: 1, ... }}`"
            )
            return None
        for key, _ in node.entries:
            if key.text not in names:
                self.names.report(
                    "E0431", key.whole, f"'{key.text}' is no member of {members}", nearest(key.text, names)
                )
        values: list[int] = []
        for name in names:
            given = node.get(name)
            value = None if given is None else self._value(given, of)
            if given is None:
                self.names.report(
                    "E0432", node.whole, f"nothing is said for '{name}'", f"add `{name}: 0` or another value"
                )
            values.append(value if isinstance(value, int) else 0)
        return tuple(values)

    def _value(self, node: YamlNode, of: Type) -> Value | None:
        match of:
            case Unknown():
                return None
            case Optional():
                if isinstance(node, YamlScalar) and node.text == "none":
                    return NONE
                return self._value(node, of.of)
            case SetOf() | ListOf() | RowOf():
                items = node.items if isinstance(node, YamlList) else (node,)
                values = [value for item in items if isinstance(value := self._value(item, of.of), int)]
                return sum({1 << value for value in values}) if isinstance(of, SetOf) else tuple(values)
            case _:
                pass
        value = self._single(node.text, of) if isinstance(node, YamlScalar) else None
        if value is None:
            shown = f"'{node.text}' is" if isinstance(node, YamlScalar) else "this is"
            self.names.report("E0433", node.whole, f"{shown} not {a(of)}", _form(of))
        return value

    def _single(self, text: str, of: Type) -> int | None:
        match of:
            case YesNo():
                return _WORDS.get(text)
            case Enum():
                return of.members.index(text) if text in of.members else None
            case Text():
                return self.names.text(text)
            case Number() if _NUMERAL.fullmatch(text):
                number = Fraction(text)
                low, high = of.low, of.high
                steps = number * of.scale
                fits = (low is None or number >= low) and (high is None or number <= high)
                return int(steps) if steps.denominator == 1 and fits else None
            case _:
                return None


def _form(of: Type) -> str:
    """How a value of a type is written."""
    match of:
        case Optional():
            return f"{_form(of.of)}, or `none`"
        case YesNo():
            return "`true` or `false`"
        case Enum(members=members) if len(members) <= 8:
            return f"one of {', '.join(members)}"
        case SetOf() | ListOf() | RowOf():
            return f"a list, `[..., ...]`, each {_form(of.of)}"
        case Number(low=Fraction() as low, high=Fraction() as high):
            return f"a number from {low} to {high}"
        case _:
            return f"{a(of)}"
