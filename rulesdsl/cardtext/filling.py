"""Wordings with something put into their holes."""

from __future__ import annotations

import re
from collections.abc import Mapping

from ..syntax.read_wording import HOLE
from .english import singular, verb, whose

_WHOSE = re.compile(r"'s\b")
_NEXT_WORD = re.compile(r" ([a-z']+)")
_BEGINS_CLAUSE = re.compile(r"(?:^|[,;:] |\b(?:and|or|if|when|while|then|that) )$")
_AMONG = re.compile(r"among $")
_INSIDE = re.compile(r"the \w+ (?=in )")
"""`the items among the cards in your hand` are `the items in your hand`."""
_ONE_OF = re.compile(r"\bone of $")
_EVERY = re.compile(r"\b(?:each|every) $", re.IGNORECASE)
_ARTICLE = re.compile(r"^(?:a|an|any) ")
_NO_VERBS = frozenset(["always", "as", "its", "this", "towards", "unless", "others", "cards"])


def filled(text: str, given: Mapping[str, str]) -> str:
    """The text with a phrase in each hole; what is not given is what the text says for that, or the hole's name."""
    made = ""
    at = 0
    for hole in HOLE.finditer(text):
        made += text[at : hole.start()]
        at = hole.end()
        phrase = given.get(hole[1]) or hole[2] or f"any {hole[1]}"
        among = _AMONG.search(made)
        inside = _INSIDE.match(phrase)
        if among is not None and inside is not None:
            made, phrase = made[: among.start()], phrase[inside.end() :]
        if _ONE_OF.search(made) and phrase.startswith("all "):
            phrase = f"the {phrase.removeprefix('all ')}"
        if _EVERY.search(made):
            phrase = _ARTICLE.sub("", phrase)
        owner = _WHOSE.match(text, at)
        following = _NEXT_WORD.match(text, at)
        if owner is not None:
            made += whose(phrase)
            at = owner.end()
        elif following is not None and phrase == "1":
            made += f"1 {singular(following[1])}"
            at = following.end()
        elif following is not None and following[1] not in _NO_VERBS and _BEGINS_CLAUSE.search(made):
            made += f"{phrase} {verb(following[1], phrase)}"
            at = following.end()
        else:
            made += phrase
    return made + text[at:]


def holes_of(text: str) -> frozenset[str]:
    """The parameters that a text names."""
    return frozenset(hole[1] for hole in HOLE.finditer(text))
