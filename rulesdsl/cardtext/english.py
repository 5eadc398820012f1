"""What English needs of phrases that are put together: articles, plurals, whose, agreement, lists."""

from __future__ import annotations

import re
from collections.abc import Sequence

YOU = "you"
THIS = "this card"

_NOT_OF_SEVERAL = ("ss", "us", "is", "'s")
_BEHIND_NOUNS = (
    "of in on under over at from to with by for that who which whose where than beside between among behind without"
)
_END_OF_NOUN = re.compile(rf" (?:{_BEHIND_NOUNS.replace(' ', '|')})\b|,")
_SEVERAL = re.compile(r"(?:all|both|several|those|these|the other|other|any other) ")
_POSSESSIVES = {YOU: "your", "it": "its", "they": "their", "each": "each one's"}


def readable(name: str) -> str:
    """A name of a rule file as words: `hand_limit` is "hand limit"."""
    return name.replace("_", " ").replace("-", " ")


def plural(word: str) -> str:
    """`card` is `cards`, `entry` is `entries`; of several words the last changes."""
    if word.endswith("s") and not word.endswith("ss"):
        return word
    if word.endswith(("ss", "sh", "ch", "x")):
        return word + "es"
    if word.endswith("y") and word[-2:-1] not in tuple("aeiou"):
        return word[:-1] + "ies"
    return word + "s"


def singular(word: str) -> str:
    """`cards` is `card`."""
    if word.endswith("ies") and len(word) > 4:
        return word[:-3] + "y"
    return word[:-1] if word.endswith("s") and not word.endswith(_NOT_OF_SEVERAL) else word


def with_article(phrase: str) -> str:
    """`a card`, `an item`."""
    return f"{'an' if phrase[:1].lower() in tuple('aeiou') else 'a'} {phrase}"


def without_the(phrase: str) -> str:
    """`owner of it` of `the owner of it`."""
    return phrase.removeprefix("the ")


def head_of(phrase: str) -> str:
    """The noun itself: `the items` of `the items in your realm that can be taken`."""
    found = _END_OF_NOUN.search(phrase)
    return phrase if found is None else phrase[: found.start()]


def is_several(phrase: str) -> bool:
    """Whether a phrase speaks of several things, as far as its form tells."""
    if phrase == "they" or _SEVERAL.match(phrase):
        return True
    head = head_of(phrase)
    if head.startswith(("a ", "an ", "another ", "each ", "every ", "any ", "one ", "1 ", "who")):
        return False
    return head.endswith("s") and not head.endswith(_NOT_OF_SEVERAL)


def whose(phrase: str) -> str:
    """`your`, `its`, `that player's`, `the other players'`."""
    if phrase in _POSSESSIVES:
        return _POSSESSIVES[phrase]
    return f"{phrase}'" if is_several(phrase) else f"{phrase}'s"


def can_own(phrase: str) -> bool:
    """Whether a phrase is short enough to stand in front of what it has."""
    return len(phrase.split()) <= 4 and head_of(phrase) == phrase


def owned(owner: str, thing: str) -> str:
    """`your hand`, `that player's hand`, `the hand of the player whose turn it is`."""
    if owner == "all players":
        return f"all {plural(thing)}"
    shown = plural(thing) if is_several(owner) and owner != "they" else thing
    return f"{whose(owner)} {shown}" if can_own(owner) else f"the {shown} of {owner}"


def there_are(phrase: str, *, none: bool = False) -> str:
    """That several things are there at all, or that they are not: `there are items in your realm`."""
    no = "no " if none else ""
    if not is_several(phrase):
        return f"there is {'nothing' if none else 'something'} in {phrase}"
    return f"there are {no}{without_the(phrase.removeprefix('all '))}"


def be(subject: str) -> str:
    """`is` or `are`, as the subject wants it."""
    return "are" if subject == YOU or is_several(subject) else "is"


def verb(word: str, subject: str) -> str:
    """A verb of the third person as it stands behind a subject: `draws`, and `draw` behind `you`."""
    if subject != YOU and not is_several(subject):
        return word
    irregular = {"is": "are", "has": "have", "does": "do", "goes": "go", "was": "were", "isn't": "aren't"}
    if word in irregular:
        return irregular[word]
    if word.endswith(("sses", "shes", "ches", "xes")):
        return word[:-2]
    if word.endswith("ies"):
        return word[:-3] + "y"
    return word[:-1] if word.endswith("s") and not word.endswith("ss") else word


def listed(items: Sequence[str], last: str = "and") -> str:
    """`a`, `a and b`, `a, b and c`."""
    if len(items) < 2:
        return items[0] if items else "nothing"
    comma = "," if any(", " in item or f" {last} " in item for item in items) else ""
    return f"{', '.join(items[:-1])}{comma} {last} {items[-1]}"


def opposite(clause: str) -> str:
    """A clause with the other truth value."""
    for word in ("is", "are", "can", "may", "has to"):
        before, found, after = clause.partition(f" {word} ")
        if found and " that " not in before and " if " not in before and "(" not in before:
            if after.startswith("not "):
                return f"{before} {word} {after.removeprefix('not ')}"
            if word != "has to":
                return f"{before} {word} not {after}"
    for word, other in ((" can't ", " can "), (" isn't ", " is "), ("there is no ", "there is a ")):
        if word in clause:
            return clause.replace(word, other, 1)
    return f"it is not so that {clause}"


def capitalised(text: str) -> str:
    """The text with a great letter in front."""
    return text[:1].upper() + text[1:]


def sentence(clause: str) -> str:
    """A clause as a sentence of its own."""
    return capitalised(clause) + ("" if clause.endswith((".", "!", "?")) else ".")
