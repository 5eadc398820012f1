"""What a scalar of a rule file says: its text in, nodes of `expr.py` out.

Takes: a text inside a file, and the start symbol that belongs to its place.
Makes: nodes with spans in the file; `ErrorExpr` where the text was not understood.
Refuses: what the grammar (`expr.lark`) has no reading for (E0110 to E0116).
Afterwards true: no expression is deeper than `MAX_DEPTH`, so later stages may recurse.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import suppress
from enum import StrEnum
from functools import cache, lru_cache
from importlib.resources import files
from typing import TYPE_CHECKING, Literal, overload

from ..diagnostic import Diagnostics
from ..source import Embedded
from . import expr as e
from .build_nodes import Parsed, build, depth, trees
from .expr import RESERVED

if TYPE_CHECKING:
    from lark import Lark, Token, Tree
    from lark.exceptions import UnexpectedInput

MAX_LENGTH = 2_000
MAX_BRACKETS = 64
MAX_DEPTH = 100


class Start(StrEnum):
    """What a scalar is expected to be; the place in the file decides it."""

    EXPRESSION = "expression"
    VALUE = "value"
    CASE = "case"
    SIGNATURE = "signature"
    TARGET = "target"
    SENTENCE = "sentence"
    PICK = "pick"
    BINDER = "binder"
    TYPE = "type"
    CARD = "card"


@overload
def parse(start: Literal[Start.EXPRESSION, Start.VALUE], scalar: Embedded, diagnostics: Diagnostics) -> e.Expr: ...
@overload
def parse(start: Literal[Start.CASE], scalar: Embedded, diagnostics: Diagnostics) -> e.Case | e.ErrorExpr: ...
@overload
def parse(start: Literal[Start.SIGNATURE], scalar: Embedded, diagnostics: Diagnostics) -> e.Signature | e.ErrorExpr: ...
@overload
def parse(start: Literal[Start.TARGET], scalar: Embedded, diagnostics: Diagnostics) -> e.Target | e.ErrorExpr: ...
@overload
def parse(start: Literal[Start.SENTENCE], scalar: Embedded, diagnostics: Diagnostics) -> e.Sentence: ...
@overload
def parse(start: Literal[Start.PICK], scalar: Embedded, diagnostics: Diagnostics) -> e.Pick: ...
@overload
def parse(start: Literal[Start.BINDER], scalar: Embedded, diagnostics: Diagnostics) -> e.Binder | e.ErrorExpr: ...
@overload
def parse(start: Literal[Start.TYPE], scalar: Embedded, diagnostics: Diagnostics) -> e.TypeExpr | e.ErrorExpr: ...
@overload
def parse(start: Literal[Start.CARD], scalar: Embedded, diagnostics: Diagnostics) -> e.CardText | e.ErrorExpr: ...
@overload
def parse(start: Start, scalar: Embedded, diagnostics: Diagnostics) -> Parsed: ...
def parse(start: Start, scalar: Embedded, diagnostics: Diagnostics) -> Parsed:
    """The node that a text stands for; what is wrong with it is reported, once."""
    tree = _understood(start, scalar, diagnostics)
    if tree is None:
        return e.ErrorExpr(span=scalar.span(0, len(scalar.text)))
    return build(tree, scalar)


def _understood(start: Start, scalar: Embedded, diagnostics: Diagnostics) -> Tree[Token] | None:
    """The parser's tree, or None after reporting why there is none."""
    from lark.exceptions import UnexpectedInput

    from .syntax_errors import report

    text = scalar.text
    if not _is_small(scalar, diagnostics):
        return None
    try:
        tree = _tree(start, text)
    except UnexpectedInput as problem:
        report(problem, _accepted(start, text, problem), start, scalar, diagnostics)
        return None
    if depth(tree) > MAX_DEPTH:
        diagnostics.add(
            "E0114",
            scalar.span(0, len(text)),
            f"this is nested too deep: more than {MAX_DEPTH} levels",
            help="give a part of it a name, as a rule of its own",
        )
        return None
    misplaced = list(_misplaced(tree))
    for function, inside in misplaced:
        diagnostics.add(
            "E0116",
            scalar.span(inside.meta.start_pos, inside.meta.end_pos),
            f"`{function}` can't be given a `for` or `by` here",
            help="these belong to functions in front of brackets: `sum(c.points for c in hand)`, `highest(S by K)`",
        )
    return None if misplaced else tree


def _is_small(scalar: Embedded, diagnostics: Diagnostics) -> bool:
    text = scalar.text
    if len(text) > MAX_LENGTH:
        diagnostics.add(
            "E0114",
            scalar.span(MAX_LENGTH, MAX_LENGTH + 1),
            f"this text is too long: {len(text)} characters, where {MAX_LENGTH} are allowed",
            help="give parts of it names, as rules of their own",
        )
        return False
    level = 0
    for offset, character in enumerate(text):
        if character in "([":
            level += 1
        elif character in ")]":
            level -= 1
        if level > MAX_BRACKETS:
            diagnostics.add(
                "E0114",
                scalar.span(offset, offset + 1),
                f"more than {MAX_BRACKETS} brackets are open here",
                help="give a part of it a name, as a rule of its own",
            )
            return False
    return True


def _misplaced(tree: Tree[Token]) -> Iterator[tuple[str, Tree[Token]]]:
    """Comprehensions after a dot or in a step, with what they were given to."""
    for node in trees(tree):
        if node.data in ("of_with", "run") and len(node.children) > 1:
            *_, name, inside = node.children
            if inside is not None and not isinstance(inside, str) and inside.data in ("each_of", "ranked"):
                yield f".{name}" if node.data == "of_with" else str(name), inside


@lru_cache(maxsize=4096)
def _tree(start: Start, text: str) -> Tree[Token]:
    """Trees know offsets only, so equal texts share one."""
    return _parser().parse(text, start=start.value)


def _accepted(start: Start, text: str, problem: UnexpectedInput) -> frozenset[str]:
    """The terminals that could come where the parser stopped, as it stood before it looked at what came instead."""
    from lark.exceptions import UnexpectedInput, UnexpectedToken

    seen: list[Token] = []
    with suppress(UnexpectedInput):  # it is `problem`, which the caller is about to report
        seen.extend(_parser().parse_interactive(text, start=start.value).iter_parse())
    if isinstance(problem, UnexpectedToken) and problem.token.type != "$END":
        seen = [token for token in seen if (token.start_pos or 0) < (problem.token.start_pos or 0)]
    again = _parser().parse_interactive("", start=start.value)
    for token in seen:
        again.feed_token(token)
    accepts: Callable[[], set[str]] = again.accepts
    return frozenset(accepts())


class _WholeWords:
    """Lets the lexer see whole words everywhere, so that `inhand` is never taken for `in hand`."""

    always_accept = ("NAME", *(word.upper() for word in sorted(RESERVED)))

    def process(self, stream: Iterator[Token]) -> Iterator[Token]:
        """Leaves the tokens as they are."""
        return stream


@cache
def _parser() -> Lark:
    """One parser for all start symbols, made when the first scalar is read."""
    from lark import Lark

    return Lark(
        files(__package__).joinpath("expr.lark").read_text(encoding="utf-8"),
        parser="lalr",
        start=[start.value for start in Start],
        propagate_positions=True,
        maybe_placeholders=True,
        postlex=_WholeWords(),
    )
