"""What scenarios made use of, as a table for people and as data."""

from __future__ import annotations

from collections.abc import Iterator

from rulesdsl.interpreter import Coverage, Sort, Used

from .console import Ink, Paint, visible

_PLURALS = {Sort.POWER: "powers", Sort.RULE: "rules", Sort.CONDITION: "conditions"}


def coverage_lines(coverage: Coverage, paint: Paint) -> Iterator[str]:
    """How often each power was used; of all else only what never was; and the sums."""
    used = coverage.used
    powers = [entry for entry in used if entry.thing.sort is Sort.POWER]
    yield from _table("powers of cards, and in how many scenarios they were used", powers, paint)
    never = [entry for entry in used if entry.thing.sort is not Sort.POWER and not entry.scenarios]
    yield from _table("never used", never, paint)
    sums = []
    for sort, name in _PLURALS.items():
        of_sort = [entry for entry in used if entry.thing.sort is sort]
        if of_sort:
            sums.append(f"{sum(entry.scenarios > 0 for entry in of_sort)} of {len(of_sort)} {name}")
    yield f"used: {', '.join(sums) if sums else 'nothing'}"


def _table(heading: str, entries: list[Used], paint: Paint) -> Iterator[str]:
    if not entries:
        return
    yield paint(f"{heading}:", Ink.BOLD)
    of_width = max(len(entry.thing.of) for entry in entries)
    width = max(len(str(entry.thing)) for entry in entries)
    for entry in entries:
        thing = entry.thing
        number = f"{entry.scenarios:>5}" if entry.scenarios else paint("never", Ink.RED)
        sort = "" if thing.sort is Sort.POWER else f"{thing.sort:<9}  "
        name = f"{sort}{visible(thing.of).ljust(of_width)}  {visible(str(thing)).ljust(width)}"
        yield f"  {number}  {name}  {paint(visible(thing.place), Ink.FAINT)}"
        if entry.scenarios:
            for place in entry.left:
                yield paint(f"         not come to: {visible(place)}", Ink.YELLOW)
    yield ""


def coverage_data(coverage: Coverage) -> list[dict[str, object]]:
    """Everything there is to be used, as JSON takes it."""
    return [
        {
            "sort": entry.thing.sort.value,
            "of": entry.thing.of,
            "name": entry.thing.name,
            "about": entry.thing.about,
            "place": entry.thing.place,
            "scenarios": entry.scenarios,
            "left": list(entry.left),
        }
        for entry in coverage.used
    ]
