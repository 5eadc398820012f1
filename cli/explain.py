"""`rulesdsl explain`: a diagnostic code at length, with a wrong and a right example; or a game, rule by rule."""

from __future__ import annotations

import re
from importlib.resources import files

from rulesdsl import RuleFileError, did_you_mean

from .console import tell
from .forms import Shown
from .setting import Setting, misuse

_CODE = re.compile(r"[EWN]\d+")


def explain(setting: Setting, *, rule: str | None, brought: bool, form: Shown, no_color: bool) -> int:
    """Writes the explanation of a code, or of the rules of a game; gives the exit status."""
    wanted = setting.game.strip().upper()
    if not _CODE.fullmatch(wanted):
        return _game(setting, rule=rule, brought=brought, form=form, no_color=no_color)
    if setting.modifiers or setting.options or rule is not None or brought or form is not Shown.TEXT:
        misuse(f"{wanted} is the code of a problem: modifiers, options and rules belong to a game")
    known = explained()
    if wanted in known:
        print((files("rulesdsl") / "explain" / f"{wanted}.md").read_text(encoding="utf-8"), end="")
        return 0
    hint = did_you_mean(wanted, known)
    tell(f"there is no code {wanted}" + (f"; {hint}" if hint else ""))
    return 2


def _game(setting: Setting, *, rule: str | None, brought: bool, form: Shown, no_color: bool) -> int:
    from .explain_game import explain_game

    try:
        return explain_game(setting, rule=rule, brought=brought, form=form, no_color=no_color)
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
