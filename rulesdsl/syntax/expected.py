"""What could stand at a place of a text, in words that people know."""

from __future__ import annotations

from collections.abc import Set

_VALUE = frozenset("NAME NUMBER TEXT TRUE FALSE NONE LPAR LSQB MINUS NOT".split())
_OPERATORS = frozenset("ORDER IS IN NOT PLUS MINUS STAR DIV MOD AND OR IF ELSE WHERE DOT OF LPAR".split())
_SIGNS = {
    "LPAR": "(",
    "RPAR": ")",
    "LSQB": "[",
    "RSQB": "]",
    "COMMA": ",",
    "DOT": ".",
    "PLUS": "+",
    "MINUS": "-",
    "STAR": "*",
    "SLASH": "/",
    "WHOLE": "number",
    "SEQUENCE": "order",
}
_MOST = 6


def expected(accepts: Set[str]) -> str:
    """The alternatives as a phrase: "a name, a number or `(`"."""
    left = set(accepts)
    phrases: list[str] = []
    if {"NAME", "NUMBER", "LPAR"} <= left:
        phrases += ["a name", "a number", "`(`"]
        left -= _VALUE
    elif "PLUS" in left:
        phrases.append("an operator")
        left -= _OPERATORS if "IF" in left else _OPERATORS - {"ELSE"}
    if "NAME" in left:
        phrases.append("a name")
    if "NUMBER" in left:
        phrases.append("a number")
    if "TEXT" in left:
        phrases.append("a text in double quotes")
    if "ORDER" in left:
        phrases.append("`<`, `<=`, `>` or `>=`")
    ends = "$END" in left
    words = [
        f"`{_SIGNS.get(name, name.lower())}`" for name in sorted(left - {"NAME", "NUMBER", "TEXT", "ORDER", "$END"})
    ]
    phrases += words if len(words) <= _MOST else [*words[:_MOST], "another word"]
    if ends:
        phrases.append("the end")
    if not phrases:
        return "nothing more"
    *rest, last = phrases
    return f"{', '.join(rest)} or {last}" if rest else last
