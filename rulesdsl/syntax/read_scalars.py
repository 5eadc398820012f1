"""The small pieces that every reader needs: expressions, names, numbers, lists and mappings out of a YAML tree.

Takes: nodes of a tree that passed its schema.
Makes: parsed scalars, names with their places, entries and items.
Refuses: texts without a reading (E011x), numbers out of bounds (E0250).
Afterwards true: a node of a shape that its place doesn't have was reported before; here it is left out.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

from ..diagnostic import Diagnostics, InternalError
from ..reading.yamltree import YamlList, YamlMap, YamlNode, YamlScalar
from ..source import Span
from .document import Named
from .expr import Binder, ErrorExpr, Expr, Items, Pick, Sentence, Target, TypeExpr
from .parse_expr import Start, parse

LARGEST_NUMBER = 10**15
_NUMBER = re.compile(r"-?[0-9]{1,19}")
_RANGE_WORD = re.compile(r"\bto\b")
_RANGE_START = re.compile(r"[-(0-9]|(exactly|at) ")

ExpressionStart = Literal[Start.EXPRESSION, Start.VALUE]


@dataclass(frozen=True, slots=True)
class Tail:
    """A scalar from some character on."""

    scalar: YamlScalar
    skipped: int

    @property
    def text(self) -> str:
        """What is left of it."""
        return self.scalar.text[self.skipped :]

    def span(self, start: int, end: int) -> Span:
        """Where a stretch of what is left stands in the file."""
        return self.scalar.span(start + self.skipped, end + self.skipped)


@dataclass(frozen=True, slots=True)
class Reading:
    """One run over a file, with the problems that it finds."""

    diagnostics: Diagnostics

    # ── shapes ───────────────────────────────────────────────────────────────────────────────────────────────────

    def odd(self, node: YamlNode) -> None:
        """For a node that its place doesn't allow: the schema has reported it, or has a hole."""
        if not self.diagnostics.errors:
            raise InternalError(f"{node.whole}: the schema let through what the reader doesn't know")

    def scalar(self, node: YamlNode | None) -> YamlScalar | None:
        """A single text, where there is one."""
        if node is None or isinstance(node, YamlScalar):
            return node
        self.odd(node)
        return None

    def items(self, node: YamlNode | None) -> tuple[YamlNode, ...]:
        """What a list holds; one thing alone is a list of one."""
        if node is None:
            return ()
        return node.items if isinstance(node, YamlList) else (node,)

    def maps(self, node: YamlNode | None) -> Iterator[YamlMap]:
        """The mappings in a list."""
        for item in self.items(node):
            if isinstance(item, YamlMap):
                yield item
            else:
                self.odd(item)

    def mapping(self, node: YamlNode | None) -> YamlMap | None:
        """A mapping, where there is one."""
        if node is None or isinstance(node, YamlMap):
            return node
        self.odd(node)
        return None

    def entries(self, node: YamlNode | None) -> tuple[tuple[YamlScalar, YamlNode], ...]:
        """Keys and values of a mapping; none where there is no mapping."""
        found = self.mapping(node)
        return found.entries if found is not None else ()

    # ── names, yes and no, numbers ───────────────────────────────────────────────────────────────────────────────

    def named(self, node: YamlNode | None) -> Named | None:
        """A name, or None where nothing is written."""
        found = self.scalar(node)
        return Named(found.text, found.whole) if found is not None and found.text else None

    def required_name(self, node: YamlNode | None, within: YamlMap) -> Named:
        """A name that the schema asks for."""
        found = self.named(node)
        if found is None:
            self.odd(within)
            return Named("", within.whole)
        return found

    def names(self, node: YamlNode | None) -> tuple[Named, ...]:
        """A list of names, or one name."""
        return tuple(name for item in self.items(node) if (name := self.named(item)) is not None)

    def text(self, node: YamlNode | None) -> str | None:
        """Free text."""
        found = self.scalar(node)
        return None if found is None else found.text

    def is_true(self, node: YamlNode | None) -> bool:
        """Whether `true` is written."""
        return self.text(node) == "true"

    def number(self, node: YamlNode | None, low: int = -LARGEST_NUMBER, high: int = LARGEST_NUMBER) -> int | None:
        """A whole number as digits, between two bounds."""
        found = self.scalar(node)
        return None if found is None else self.digits(found, low, high)

    def digits(self, scalar: YamlScalar, low: int = -LARGEST_NUMBER, high: int = LARGEST_NUMBER) -> int | None:
        """The whole number that a text is; one out of bounds is reported and taken for the nearest that is not."""
        if _NUMBER.fullmatch(scalar.text) is None:
            self.odd(scalar)
            return None
        value = int(scalar.text)
        if not low <= value <= high:
            self.diagnostics.add(
                "E0250", scalar.whole, f"{value} is out of bounds here", help=f"write a number from {low} to {high}"
            )
        return min(max(value, low), high)

    # ── parsed scalars ───────────────────────────────────────────────────────────────────────────────────────────

    def expr(self, node: YamlNode, start: ExpressionStart = Start.EXPRESSION) -> Expr:
        """An expression; a YAML list is a list of expressions."""
        match node:
            case YamlScalar():
                return parse(start, node, self.diagnostics)
            case YamlList():
                return Items(tuple(self.expr(item) for item in node), span=node.whole)
            case _:
                self.odd(node)
                return ErrorExpr(span=node.whole)

    def value(self, node: YamlNode) -> Expr:
        """An expression or a range."""
        return self.expr(node, Start.VALUE)

    def maybe_expr(self, node: YamlNode | None) -> Expr | None:
        """An expression, where there is one."""
        return None if node is None else self.expr(node)

    def maybe_value(self, node: YamlNode | None) -> Expr | None:
        """An expression or a range, where there is one."""
        return None if node is None else self.value(node)

    def required_expr(self, node: YamlNode | None, within: YamlMap, start: ExpressionStart = Start.EXPRESSION) -> Expr:
        """An expression that the schema asks for."""
        if node is None:
            self.odd(within)
            return ErrorExpr(span=within.whole)
        return self.expr(node, start)

    def conditions(self, node: YamlNode | None) -> tuple[tuple[Named, Expr], ...]:
        """A mapping of names to expressions."""
        return tuple((Named(key.text, key.whole), self.expr(value)) for key, value in self.entries(node))

    def sentence(self, scalar: YamlScalar) -> Sentence:
        """One step with an effect."""
        return parse(Start.SENTENCE, scalar, self.diagnostics)

    def pick(self, node: YamlNode) -> Pick:
        """What a decision asks for."""
        found = self.scalar(node)
        return ErrorExpr(span=node.whole) if found is None else parse(Start.PICK, found, self.diagnostics)

    def binder(self, node: YamlNode | None) -> Binder | None:
        """Who or what a loop runs over; None where it was reported."""
        found = self.scalar(node)
        parsed = None if found is None else parse(Start.BINDER, found, self.diagnostics)
        return parsed if isinstance(parsed, Binder) else None

    def type(self, node: YamlNode | None) -> TypeExpr | None:
        """A type; None where it was reported."""
        found = self.scalar(node)
        parsed = None if found is None else parse(Start.TYPE, found, self.diagnostics)
        return parsed if isinstance(parsed, TypeExpr) else None

    def type_or_range(self, node: YamlNode) -> TypeExpr | Expr:
        """The values of a field: those of a type, or a range of numbers."""
        found = self.scalar(node)
        if found is None:
            return ErrorExpr(span=node.whole)
        if _RANGE_START.match(found.text) or _RANGE_WORD.search(found.text):
            return self.value(found)
        return parse(Start.TYPE, found, self.diagnostics)

    def target(self, node: YamlNode | None) -> Target | None:
        """What something is attached to; None where it was reported."""
        found = self.scalar(node)
        parsed = None if found is None else parse(Start.TARGET, found, self.diagnostics)
        return parsed if isinstance(parsed, Target) else None
