"""What the parser tripped over, said so that the author of a rule file can put it right.

Takes: an error of the parser with its place in the text.
Makes: one diagnostic: what was found, what could stand there, and for frequent slips what to write instead.
"""

from __future__ import annotations

import re
from collections.abc import Set
from typing import TYPE_CHECKING

from ..diagnostic import Diagnostics, did_you_mean
from ..source import Embedded
from .expected import expected

if TYPE_CHECKING:
    from lark.exceptions import UnexpectedInput

    from .parse_expr import Start

_FOREIGN = {
    "===": "is",
    "!==": "is not",
    "==": "is",
    "!=": "is not",
    "<>": "is not",
    "=<": "<=",
    "=>": ">=",
    "&&": "and",
    "||": "or",
    "//": "div",
    "+=": "+",
    "-=": "-",
    "=": "is",
    "!": "not",
    "&": "and",
    "|": "or",
    "/": "div",
    "%": "mod",
}
"""Operators of other languages, longest first, and what they are here."""

_QUOTES = "'‘’“”„`"
_SIGNS = {"≤": "<=", "≥": ">=", "≠": "is not", "×": "*", "·": "*", "–": "-", "—": "-", "−": "-"}

_VERBS = "move play swap shuffle show set add let roll draw start stop announce end do".split()

_WORD = re.compile(r"[A-Za-z][A-Za-z0-9_]*(?:-[A-Za-z][A-Za-z0-9_]*)*")


def report(
    problem: UnexpectedInput, accepts: Set[str], start: Start, scalar: Embedded, diagnostics: Diagnostics
) -> None:
    """Adds the diagnostic for an error of the parser; `accepts` are the terminals that could have come."""
    from lark.exceptions import UnexpectedCharacters, UnexpectedToken

    match problem:
        case UnexpectedToken() if problem.token.type == "$END":
            _too_early(accepts, start, scalar, diagnostics)
        case UnexpectedToken():
            _wrong_word(str(problem.token), problem.token.start_pos or 0, accepts, start, scalar, diagnostics)
        case UnexpectedCharacters():
            _wrong_character(problem.pos_in_stream or 0, start, scalar, diagnostics)
        case _:
            diagnostics.add("E0110", scalar.span(0, len(scalar.text)), "this is not understood")


def _too_early(accepts: Set[str], start: Start, scalar: Embedded, diagnostics: Diagnostics) -> None:
    text = scalar.text
    end = len(text.rstrip())
    if end == 0:
        diagnostics.add("E0112", scalar.span(0, len(text)), f"nothing stands here; {expected(accepts)} is expected")
        return
    opened = _open_bracket(text)
    help_: str | None
    if opened is not None:
        help_ = f"the `{text[opened]}` in column {opened + 1} of this text is never closed"
    elif "ELSE" in accepts and "IF" not in accepts:
        help_ = "a choice has two sides: `A if C else B`"
    else:
        help_ = _sentence_help(text, start, accepts)
    diagnostics.add(
        "E0112",
        scalar.span(end, end),
        f"this ends too early; after `{_last_word(text[:end])}` {expected(accepts)} is expected",
        help=help_,
    )


def _wrong_word(
    word: str, offset: int, accepts: Set[str], start: Start, scalar: Embedded, diagnostics: Diagnostics
) -> None:
    from .expr import RESERVED

    text = scalar.text
    span = scalar.span(offset, offset + len(word))
    before = text[:offset].rstrip()
    if text[max(offset - 1, 0) : offset + 1] == "<>":
        _foreign("<>", offset - 1, start, scalar, diagnostics)
        return
    if word == "/" or text.startswith(("+=", "-="), offset):
        operator = next(sign for sign in _FOREIGN if text.startswith(sign, offset))
        _foreign(operator, offset, start, scalar, diagnostics)
        return
    if word in RESERVED and "NAME" in accepts and _stands_as_name(word, text, offset, accepts):
        diagnostics.add(
            "E0113",
            span,
            f"`{word}` is a word of the language and can't be a name",
            help="choose another name",
        )
        return
    diagnostics.add(
        "E0110",
        span,
        f"`{word}` can't stand here; {expected(accepts)} is expected",
        help=_help(word, before, text, start, accepts),
    )


def _stands_as_name(word: str, text: str, offset: int, accepts: Set[str]) -> bool:
    """Whether a reserved word was meant as a name, rather than an operator with nothing before it."""
    if "LPAR" not in accepts:
        return True
    after = text[offset + len(word) :].lstrip()
    return after[:1] in ("", ")", "]", ",", ".", "<", ">", "+", "*")


def _wrong_character(offset: int, start: Start, scalar: Embedded, diagnostics: Diagnostics) -> None:
    text = scalar.text
    operator = next((sign for sign in _FOREIGN if text.startswith(sign, offset)), None)
    if operator is not None:
        _foreign(operator, offset, start, scalar, diagnostics)
        return
    character = text[offset]
    message, help_or_none = f"`{character}` has no meaning here", None
    length = 1
    if character == '"':
        message, help_or_none = "this text is never closed", 'a text ends with `"`, on the same line'
        length = len(text.rstrip()) - offset
    elif character in _QUOTES:
        help_or_none = 'texts stand in straight double quotes: "like this"; a name needs no quotes'
    elif character in "?:":
        help_or_none = "a choice is written `A if C else B`"
    elif character in "{}":
        help_or_none = "lists are written `[a, b]`; mappings are a matter of YAML, outside of expressions"
    elif character == ";":
        help_or_none = "one sentence a line: make it two items of the list"
    elif character in _SIGNS:
        help_or_none = f"write `{_SIGNS[character]}`"
    elif character.isdigit() and (glued := re.match(r"[0-9.]+[A-Za-z_]\w*", text[offset:])):
        message = f"`{glued.group()}` is neither a number nor a name"
        help_or_none, length = "put a space after the number; a name begins with a letter", len(glued.group())
    elif character == "_" or character.isalpha():
        message = f"`{character}` can't stand in a name here"
        help_or_none = "names are made of the letters a to z, digits and `_`, and begin with a letter"
    diagnostics.add("E0115", scalar.span(offset, offset + length), message, help=help_or_none)


def _foreign(operator: str, offset: int, start: Start, scalar: Embedded, diagnostics: Diagnostics) -> None:
    help_ = f"write `{_FOREIGN[operator]}`"
    if start == "sentence" and operator.endswith("="):
        name = scalar.text[:offset].rstrip(" :+-") or "X"
        help_ = (
            f"write `set {name} to ...` to change it; `is` compares"
            if operator == "="
            else f"write `add ... to {name}`"
        )
    diagnostics.add(
        "E0111",
        scalar.span(offset, offset + len(operator)),
        f"`{operator}` is no operator of this language",
        help=help_,
    )


def _help(word: str, before: str, text: str, start: Start, accepts: Set[str]) -> str | None:
    """What to do about a slip that is often made."""
    if word == "if" and before.endswith("else"):
        return "a value comes before each `if`: `A if C else B if D else E`"
    if word == "if" and not before:
        return "the value comes first: `A if C else B`"
    if word == "then":
        return "a choice is written `A if C else B`"
    if word in ("than", "equals", "equal", "greater", "less", "more", "fewer"):
        return "comparisons are `is`, `is not`, `<`, `<=`, `>` and `>=`"
    if word in ("in", "of") and start == "pick" and "FROM" in accepts:
        return "write `from`: `a card from hand where ...`"
    if word == "in" and start == "pick":
        return "say how many, and write `from`: `a card from hand where ...`"
    if word == ")" and before.endswith("(") and "NAME" in accepts:
        return "nothing stands between these brackets; leave them out"
    if word == "." and re.search(r"[0-9]$", before):
        return "a number has digits on both sides of its point"
    return _sentence_help(text, start, accepts)


def _sentence_help(text: str, start: Start, accepts: Set[str]) -> str | None:
    """For a step that begins with an unknown verb, or with a value."""
    first = _WORD.match(text.lstrip())
    if start != "sentence" or first is None or first.group() in _VERBS or "LPAR" not in accepts:
        return None
    return did_you_mean(first.group(), _VERBS) or (
        "a step begins with a verb, such as `move`, or is the name of a procedure with its arguments in brackets"
    )


def _open_bracket(text: str) -> int | None:
    """Where the innermost bracket stands that is never closed."""
    opened: list[int] = []
    quoted = False
    for offset, character in enumerate(text):
        if character == '"':
            quoted = not quoted
        elif not quoted and character in "([":
            opened.append(offset)
        elif not quoted and character in ")]" and opened:
            opened.pop()
    return opened[-1] if opened else None


def _last_word(text: str) -> str:
    words = _WORD.findall(text)
    return words[-1] if words and text.endswith(words[-1]) else text[-1]
