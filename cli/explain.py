"""`rulesdsl explain`: a diagnostic code at length, with a wrong and a right example."""

from __future__ import annotations

import re
from importlib.resources import files

from rulesdsl import did_you_mean

from .console import tell

_CODE = re.compile(r"[EWN]\d{4}")


def explain(code: str) -> int:
    """Writes the explanation of a code; gives the exit status."""
    wanted = code.strip().upper()
    known = explained()
    if wanted in known:
        print((files("rulesdsl") / "explain" / f"{wanted}.md").read_text(encoding="utf-8"), end="")
        return 0
    if not _CODE.fullmatch(wanted):
        tell(f"'{code}' is not a code: codes are a letter and four digits, such as {known[0]}")
    else:
        hint = did_you_mean(wanted, known)
        tell(f"there is no code {wanted}" + (f"; {hint}" if hint else ""))
    return 2


def explained() -> list[str]:
    """All codes that can be explained."""
    folder = files("rulesdsl") / "explain"
    return sorted(entry.name.removesuffix(".md") for entry in folder.iterdir() if entry.name.endswith(".md"))
