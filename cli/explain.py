"""`rulesdsl explain`: a diagnostic code, with a wrong and a right example; or a game by its rules or cards."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from importlib.resources import files

from rulesdsl import RuleFileError, did_you_mean

from .console import tell
from .forms import Pages, Shown
from .setting import Setting, misuse

_CODE = re.compile(r"[EWN]\d+")


@dataclass(frozen=True, slots=True)
class Wanted:
    """What is to be told of a game: its rules, or its cards."""

    rule: str | None = None
    brought: bool = False
    cards: bool = False
    card: str | None = None


def explain(setting: Setting, wanted: Wanted, *, form: Pages, no_color: bool) -> int:
    """Writes the explanation of a code, or of the rules or cards of a game; gives the exit status."""
    code = setting.game.strip().upper()
    if not _CODE.fullmatch(code):
        return _game(setting, wanted, form=form, no_color=no_color)
    if setting.modifiers or setting.options or wanted != Wanted() or form is not Pages.TEXT:
        misuse(f"{code} is the code of a problem: modifiers, options, rules and cards belong to a game")
    known = explained()
    if code in known:
        print((files("rulesdsl") / "explain" / f"{code}.md").read_text(encoding="utf-8"), end="")
        return 0
    hint = did_you_mean(code, known)
    tell(f"there is no code {code}" + (f"; {hint}" if hint else ""))
    return 2


def _game(setting: Setting, wanted: Wanted, *, form: Pages, no_color: bool) -> int:
    from .cards import list_cards
    from .explain_game import explain_game

    if wanted.cards or wanted.card is not None:
        if wanted.rule is not None or wanted.brought:
            misuse("`--cards` and `--card` tell of cards, `--rule` and `--all` of rules: ask for one of the two")
        return _of_game(setting, lambda: list_cards(setting, card=wanted.card, form=form, no_color=no_color))
    if form is Pages.MARKDOWN:
        misuse("only cards are written as markdown: add `--cards`")
    shown = Shown(form.value)
    return _of_game(
        setting,
        lambda: explain_game(setting, rule=wanted.rule, brought=wanted.brought, form=shown, no_color=no_color),
    )


def _of_game(setting: Setting, tells: Callable[[], int]) -> int:
    try:
        return tells()
    except RuleFileError as error:
        first = error.diagnostics[0]
        if first.code != "E0315" or first.span.source.text:
            raise
        # No file says this name: it may have been meant as either.
        tell(f"'{setting.game}' is neither a code, such as {explained()[0]}, nor a game; {first.help}")
        return 2


def explained() -> list[str]:
    """All codes that can be explained."""
    folder = files("rulesdsl") / "explain"
    return sorted(entry.name.removesuffix(".md") for entry in folder.iterdir() if entry.name.endswith(".md"))
