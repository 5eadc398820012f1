"""`rulesdsl diff`: what differs between two games, as edits of rules, phases and decisions."""

from __future__ import annotations

import json
import sys

from rulesdsl import Edit, Program, Span, as_noticed, diff, load, told

from .console import Ink, Paint, paint_for, visible
from .forms import Shown
from .setting import misuse


def compare(first: str, second: str, *, form: Shown, no_color: bool) -> int:
    """Writes how the second game differs from the first; gives the exit status."""
    edits = diff(_program(first), _program(second))
    seen = [edit for edit in edits if not _is_consequence(edit)]
    match form:
        case Shown.JSON:
            print(json.dumps([_as_json(edit) for edit in edits], indent=2, ensure_ascii=False))
        case Shown.TEXT:
            paint = paint_for(sys.stdout, no_color=no_color)
            for edit in seen:
                print(_as_text(edit, paint))
            if len(edits) > len(seen):
                print(paint(f"and {len(edits) - len(seen)} that follow from these", Ink.FAINT))
            print(_summary(seen) if edits else "no difference")
    return 1 if edits else 0


def _program(text: str) -> Program:
    """A game, or a game with modifiers: `NAME+MODIFIER+MODIFIER`."""
    game, *modifiers = text.split("+")
    if not game or not all(modifiers):
        misuse(f"'{text}' should name a game, and after each '+' a modifier, as in 'tricky-traps+teams'")
    return load(game, modifiers=modifiers)


def _is_consequence(edit: Edit) -> bool:
    return type(edit).__name__ == "Recoded"


def _as_text(edit: Edit, paint: Paint) -> str:
    old, new = _place(edit.old_place), _place(edit.new_place)
    places = " → ".join(place for place in (old, new) if place is not None)
    line = f"{paint(f'{edit.area.value:9}', Ink.CYAN)} {visible(told(edit))}"
    return line + (f"\n          {paint(visible(places), Ink.FAINT)}" if places else "")


def _as_json(edit: Edit) -> dict[str, object]:
    return {
        "edit": type(as_noticed(edit)).__name__,
        "area": edit.area.value,
        "what": told(edit),
        "old": _place(edit.old_place),
        "new": _place(edit.new_place),
        "consequence": _is_consequence(edit),
    }


def _summary(edits: list[Edit]) -> str:
    many = len(edits)
    areas = sorted({edit.area.value for edit in edits})
    return f"{many} difference{'s' if many != 1 else ''}: {', '.join(areas)}"


def _place(span: Span | None) -> str | None:
    return str(span) if span is not None else None
