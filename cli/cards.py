"""`rulesdsl explain GAME --cards`: every card that the files of a game list, and what it does; or one of them."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator, Sequence
from shutil import get_terminal_size
from textwrap import wrap

from rulesdsl import ListedCard, Program, cards, did_you_mean

from .console import Ink, Paint, paint_for, tell, visible
from .forms import Pages
from .setting import Setting

_WIDEST = 100
_INDENT = "  "


def list_cards(setting: Setting, *, card: str | None, form: Pages, no_color: bool) -> int:
    """Writes all cards, or those of one name; gives the exit status."""
    program = setting.program()
    everything = cards(program)
    shown = everything if card is None else tuple(one for one in everything if one.is_called(card))
    if card is not None and not shown:
        tell(unknown(program, card))
        return 2
    match form:
        case Pages.JSON:
            print(json.dumps([as_data(one) for one in shown], indent=2, ensure_ascii=False))
        case Pages.MARKDOWN:
            print("\n".join(_markdown(program, shown)))
        case Pages.TEXT:
            print("\n".join(_text(program, shown, paint_for(sys.stdout, no_color=no_color), alone=card is not None)))
    return 0


def unknown(program: Program, card: str) -> str:
    """That there is no such card, and which one may be meant."""
    known = sorted({one.name for one in cards(program)})
    hint = did_you_mean(card, known)
    if not known:
        return f"the cards of {program.title} are not listed in a file, so there is nothing to read on them"
    return f"{program.title} has no card '{card}'" + (f"; {hint}" if hint else "")


def block(card: ListedCard, paint: Paint) -> Iterator[str]:
    """A card as a few lines: its name, what is printed on it, what it does."""
    head = paint(visible(card.name), Ink.BOLD)
    if card.id is not None and card.id != card.name:
        head += f"  {paint(visible(card.id), Ink.FAINT)}"
    if card.copies != 1:
        head += f"  {paint(f'×{card.copies}', Ink.YELLOW)}"
    yield head
    room = min(get_terminal_size().columns, _WIDEST)
    if card.line:
        yield from (paint(line, Ink.CYAN) for line in _wrapped(card.line, room))
    for paragraph in card.text:
        yield from _wrapped(paragraph, room)


def _wrapped(text: str, room: int) -> list[str]:
    return wrap(visible(text), room, initial_indent=_INDENT, subsequent_indent=_INDENT * 2, break_long_words=False)


def _heading(program: Program, shown: Sequence[ListedCard]) -> str:
    title = program.title + "".join(f" + {name}" for name in program.modifiers)
    whole = sum(card.copies for card in shown)
    kinds = "" if whole == len(shown) else f", {len(shown)} different"
    return f"{title}: {whole} {'card' if whole == 1 else 'cards'}{kinds}"


def _text(program: Program, shown: Sequence[ListedCard], paint: Paint, *, alone: bool) -> Iterator[str]:
    if not shown:
        yield f"The cards of {visible(program.title)} are not listed in a file."
    elif not alone:
        yield paint(visible(_heading(program, shown)), Ink.BOLD)
    for number, card in enumerate(shown):
        if number or not alone:
            yield ""
        yield from block(card, paint)


def _markdown(program: Program, shown: Sequence[ListedCard]) -> Iterator[str]:
    yield f"# {_heading(program, shown)}"
    for card in shown:
        yield ""
        yield f"## {card.name}" + (f" (×{card.copies})" if card.copies != 1 else "")
        yield ""
        said = [part for part in (card.id if card.id != card.name else None, card.line or None) if part]
        if said:
            yield f"*{' · '.join(said)}*"
        if said and card.text:
            yield ""
        yield from (f"- {paragraph}" for paragraph in card.text)


def as_data(card: ListedCard) -> dict[str, object]:
    """A card for programs."""
    return {
        "kind": card.kind,
        "id": card.id,
        "name": card.name,
        "copies": card.copies,
        "printed": dict(card.printed),
        "text": list(card.text),
    }
