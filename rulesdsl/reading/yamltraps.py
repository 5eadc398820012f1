"""Texts that YAML, an editor or another program would take for something else than their author meant."""

from __future__ import annotations

import re
from collections.abc import Callable

from ..diagnostic import Diagnostics
from .yamltree import Style, YamlScalar

_WORDS = {
    word
    for lower in ("y", "yes", "n", "no", "on", "off", "null")
    for word in (lower, lower.capitalize(), lower.upper())
} | {"~"}
_MEANT = {"y": "true", "yes": "true", "on": "true", "n": "false", "no": "false", "off": "false"}


def _octal(text: str) -> str:
    return str(int(text.lower().replace("0o", ""), 8))


def _leading_zero(text: str) -> str:
    return re.sub(r"^([-+]?)0+(?=[0-9])", r"\1", text)


_NUMBERS: tuple[tuple[re.Pattern[str], str, Callable[[str], str] | None], ...] = (
    (re.compile(r"[-+]?0[oO][0-7]+"), "is a number to the base 8 for some programs and a text for others", _octal),
    (re.compile(r"[-+]?0[xX][0-9A-Fa-f]+"), "is a number to the base 16", lambda text: str(int(text, 16))),
    (re.compile(r"[-+]?0[bB][01]+"), "is a number to the base 2", lambda text: str(int(text, 2))),
    (
        re.compile(r"[-+]?0[0-9]+"),
        "begins with a zero, and some programs then count to the base 8",
        _leading_zero,
    ),
    (
        re.compile(r"[-+]?[0-9][0-9_]*_[0-9_]*(\.[0-9_]*)?"),
        "is a number for some programs and a text for others",
        lambda text: text.replace("_", ""),
    ),
    (re.compile(r"[-+]?[0-9]+(:[0-5]?[0-9])+(\.[0-9]*)?"), "is a time of day for some programs", None),
    (re.compile(r"[-+]?[0-9]+(\.[0-9]*)?[eE][-+]?[0-9]+"), "is a number in scientific notation", None),
    (re.compile(r"[-+]?\.(inf|Inf|INF)|\.(nan|NaN|NAN)"), "is no number that a game can count with", None),
)
_ANY_NUMBER = re.compile("|".join(f"(?:{pattern.pattern})" for pattern, _, _ in _NUMBERS))


def check_trap(scalar: YamlScalar, is_key: bool, diagnostics: Diagnostics) -> None:
    """Reports a key or an unquoted value that is read in different ways."""
    text = scalar.text
    if scalar.style is not Style.PLAIN:
        return
    if text in _WORDS:
        meant = _MEANT.get(text.lower())
        if is_key:
            advice = f'choose another name, or put it in quotes: "{text}"'
        elif meant:
            advice = f'write `{meant}` for yes or no, or put the text in quotes: "{text}"'
        else:
            advice = f'write `none` for nothing, or put the text in quotes: "{text}"'
        kind = "yes or no" if meant else "nothing at all"
        diagnostics.add("E0106", scalar.whole, f"YAML takes `{text}` for {kind} and not for a text", help=advice)
    elif len(text) <= 100 and _ANY_NUMBER.fullmatch(text):
        why, spell = next((why, spell) for pattern, why, spell in _NUMBERS if pattern.fullmatch(text))
        quoted = f'put it in quotes if it is a text: "{text}"'
        diagnostics.add(
            "E0108",
            scalar.whole,
            f"`{text}` {why}",
            help=f"write {spell(text)}, or {quoted}" if spell else quoted,
        )


def unclosed(text: str) -> int:
    """How many round brackets are still open at the end of a text; below zero if it closes more than it opens."""
    outside_quotes = re.sub(r'"[^"\n]*"', "", text)
    return outside_quotes.count("(") - outside_quotes.count(")")
