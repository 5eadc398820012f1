"""The words for what the language has of its own: functions, operators, rankings."""

from __future__ import annotations

from ..syntax.expr import Operator

FUNCTIONS = {
    "count": "the number of <a>",
    "sum": "the sum of <a>",
    "min": "the least of <a>",
    "max": "the greatest of <a>",
    "only": "the only one of <a>",
    "first": "the first of <a>",
    "last": "the last of <a>",
    "set": "<a>",
    "list": "<a>",
    "distinct": "the different ones among <a>",
    "left": "the player to the left of <a>",
    "right": "the player to the right of <a>",
    "across": "the player opposite <a>",
    "partner": "the partner of <a>",
    "team": "the team of <a>",
    "clockwise": "all players clockwise from <a>",
    "anticlockwise": "all players anticlockwise from <a>",
    "holder": "<a>'s holder",
    "owner": "the owner of <a>",
    "under": "the cards under <a>",
    "over": "the card that lies on <a>",
    "face": "the face of <a>",
    "place": "the place of <a> in its order",
    "next": "what comes after <a>",
    "most": "the highest number of <a>",
    "least": "the lowest number of <a>",
}
"""How the functions of the language are said, unless a game has another wording."""

ARITHMETIC = {
    Operator.PLUS: "plus",
    Operator.MINUS: "minus",
    Operator.TIMES: "times",
    Operator.MOD: "left over by",
}
COMPARISONS = {
    Operator.LESS: "less than",
    Operator.LESS_EQUAL: "at most",
    Operator.GREATER: "more than",
    Operator.GREATER_EQUAL: "at least",
}
CONTRARY = {
    Operator.LESS: Operator.GREATER_EQUAL,
    Operator.LESS_EQUAL: Operator.GREATER,
    Operator.GREATER: Operator.LESS_EQUAL,
    Operator.GREATER_EQUAL: Operator.LESS,
    Operator.IS: Operator.IS_NOT,
    Operator.IS_NOT: Operator.IS,
    Operator.IN: Operator.NOT_IN,
    Operator.NOT_IN: Operator.IN,
}
RANKINGS = {
    "highest": ("highest", ""),
    "lowest": ("lowest", ""),
    "unique_highest": ("highest", " (those that are level count for nothing)"),
}
