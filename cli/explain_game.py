"""`rulesdsl explain GAME`: every rule that is in force, and the chain of files that made it what it is."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator

from rulesdsl import Effective, Link, Program, Provenance, Span, did_you_mean, provenance

from .console import Ink, Paint, paint_for, tell, visible
from .forms import Shown
from .setting import Setting

_WIDEST = 100


def explain_game(setting: Setting, *, rule: str | None, brought: bool, form: Shown, no_color: bool) -> int:
    """Writes where the rules of a game come from; gives the exit status. `brought`: those of libraries as well."""
    program = setting.program()
    found = _chosen(provenance(program), rule, brought=brought)
    if rule is not None and not any((found.rules, found.legalities, found.places)):
        everything = provenance(program)
        names = {_plain(one) for one in (*everything.rules, *everything.legalities, *everything.places)}
        hint = did_you_mean(rule, sorted(names))
        tell(f"{program.title} has no rule, phase or procedure '{rule}'" + (f"; {hint}" if hint else ""))
        return 2
    match form:
        case Shown.JSON:
            print(json.dumps(_as_json(program, found), indent=2, ensure_ascii=False))
        case Shown.TEXT:
            for line in _lines(program, found, paint_for(sys.stdout, no_color=no_color)):
                print(line)
    return 0


def _plain(one: Effective) -> str:
    return one.name.partition("(")[0].rpartition("/")[2]


def _chosen(found: Provenance, rule: str | None, *, brought: bool) -> Provenance:
    def kept(all_of: tuple[Effective, ...]) -> tuple[Effective, ...]:
        if rule is not None:
            return tuple(one for one in all_of if one.is_called(rule))
        return all_of if brought else tuple(one for one in all_of if not one.brought)

    options = found.options if rule is None else ()
    return Provenance(options, kept(found.rules), kept(found.legalities), kept(found.places))


# ── text ─────────────────────────────────────────────────────────────────────────────────────────────────────────


def _lines(program: Program, found: Provenance, paint: Paint) -> Iterator[str]:
    title = program.title + "".join(f" + {name}" for name in program.modifiers)
    yield paint(visible(title), Ink.BOLD)
    for heading, entries in (
        ("options", found.options),
        ("rules", found.rules),
        ("legalities", found.legalities),
        ("phases, procedures and decisions", found.places),
    ):
        if entries:
            yield ""
            yield paint(f"— {heading} —", Ink.FAINT)
        for entry in entries:
            yield from _option(entry, paint) if entry.sort == "option" else _entry(entry, paint)


def _option(entry: Effective, paint: Paint) -> Iterator[str]:
    base = entry.chain[0]
    default = paint(f" (if left out: {visible(base.says)})", Ink.FAINT) if len(entry.chain) > 1 else ""
    place = paint(_where(base), Ink.FAINT)
    yield f"{paint(entry.name, Ink.CYAN)}: {visible(entry.chain[-1].says)}{default}  {place}"


def _entry(entry: Effective, paint: Paint, indent: str = "") -> Iterator[str]:
    sort = "" if entry.sort == "rule" else f"{entry.sort} "
    said = f": {_short(entry.says)}" if entry.says else ""
    yield f"{indent}{sort}{paint(visible(entry.name), Ink.CYAN)}{said}"
    chain = entry.chain[:1] if entry.parts else entry.chain  # each part tells its own
    for number, link in enumerate(chain):
        done = paint(link.operation, *([Ink.YELLOW] if number else []))
        says = f"\n{indent}      {_short(link.says)}" if number and link.says else ""
        yield f"{indent}  {done} by {visible(_where(link))}{says}"
    for part in entry.parts:
        yield from _entry(part, paint, indent + "  ")


def _where(link: Link) -> str:
    return f"{link.by}, {link.place}" if link.place is not None else link.by


def _short(text: str) -> str:
    shown = visible(text)
    return shown if len(shown) <= _WIDEST else shown[: _WIDEST - 4].rstrip() + " ..."


# ── JSON ─────────────────────────────────────────────────────────────────────────────────────────────────────────


def _as_json(program: Program, found: Provenance) -> dict[str, object]:
    return {
        "game": program.name,
        "title": program.title,
        "modifiers": list(program.modifiers),
        "options": [
            {"name": o.name, "value": o.chain[-1].says, "default": o.says, "place": _place(o.place)}
            for o in found.options
        ],
        "rules": [_of(one) for one in found.rules],
        "legalities": [_of(one) for one in found.legalities],
        "places": [_of(one) for one in found.places],
    }


def _of(one: Effective) -> dict[str, object]:
    data: dict[str, object] = {
        "sort": one.sort,
        "name": one.name,
        "says": one.says,
        "place": _place(one.place),
        "chain": [
            {"operation": link.operation, "by": link.by, "place": _place(link.place), "says": link.says}
            for link in one.chain
        ],
    }
    if one.sort == "legality":
        data["conditions"] = [_of(part) for part in one.parts]
    return data


def _place(span: Span | None) -> str | None:
    return str(span) if span is not None else None
