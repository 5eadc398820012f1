"""`rulesdsl stack`: how the modifiers of a game stand to one another, and whether some of them fit together."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator, Sequence

from rulesdsl import Judgement, Matrix, Program, Verdict, judged_by_play, load, verdicts
from rulesdsl.interpreter import Searched, find_stuck

from .console import Ink, Paint, paint_for, visible
from .forms import Listed
from .render import as_text

_SIGNS = {
    "exclusive": "X",
    "dangling": "D",
    "empty": "E",
    "order": "O",
    "dead": "-",
    "reads": "r",
    "settled": "s",
    "agrees": "=",
    "independent": ".",
}
_INKS = {"X": Ink.RED, "D": Ink.RED, "E": Ink.RED, "O": Ink.YELLOW, "-": Ink.BLUE, "r": Ink.BLUE, "s": Ink.GREEN}


def stack(game: str, modifiers: Sequence[str], *, matches: int, form: Listed, no_color: bool) -> int:
    """Writes the matrix of all pairs, or the verdict on one stack; gives the exit status.

    So many matches are played to find a position without a legal answer.
    """
    paint = paint_for(sys.stdout, no_color=no_color)

    def search(program: Program) -> Searched:
        return find_stuck(program, matches=matches)

    if not modifiers:
        _write_matrix(verdicts(game, search=search if matches else None), form, paint)
        return 0
    judgement = judged_by_play(game, modifiers, search)
    found = judgement.verdicts
    clashes = [verdict for verdict in found if verdict.kind.is_clash]
    if not clashes:
        load(game, modifiers)  # what is wrong with the stack in any other way is reported like all problems of files
    _write_stack(judgement, form, paint)
    return 1 if clashes else 0


# ── the matrix ───────────────────────────────────────────────────────────────────────────────────────────────────


def _write_matrix(matrix: Matrix, form: Listed, paint: Paint) -> None:
    told = [verdict for verdict in _pairs(matrix) if verdict.kind.code or verdict.kind.value == "settled"]
    match form:
        case Listed.JSON:
            pairs = [_as_json(verdict) for verdict in _pairs(matrix)]
            document = {"game": matrix.game, "modifiers": list(matrix.modifiers), "pairs": pairs}
            print(json.dumps(document, indent=2, ensure_ascii=False))
        case Listed.MARKDOWN:
            for line in _markdown(matrix):
                print(line)
            for verdict in told:
                print(f"- **{verdict.kind.value}** {_named(verdict)}: {_why(verdict)}")
                for line in _position(verdict):
                    print(f"  - {line}")
        case Listed.TABLE:
            for line in _table(matrix, paint):
                print(line)
            print()
            for verdict in told:
                sign = _SIGNS[verdict.kind.value]
                print(f"{paint(f'{verdict.kind.value:9}', _INKS[sign])} {_named(verdict)}")
                print(f"          {visible(_why(verdict))}")
                for line in _position(verdict):
                    print(f"            {visible(line)}")
            print(_counted(matrix))


def _pairs(matrix: Matrix) -> Iterator[Verdict]:
    for index, one in enumerate(matrix.modifiers):
        for other in matrix.modifiers[index + 1 :]:
            yield matrix.verdict(one, other)


def _sign(matrix: Matrix, one: str, other: str) -> str:
    return " " if one == other else _SIGNS[matrix.verdict(one, other).kind.value]


def _table(matrix: Matrix, paint: Paint) -> Iterator[str]:
    width = max((len(name) for name in matrix.modifiers), default=0)
    numbers = range(1, len(matrix.modifiers) + 1)
    yield " " * (width + 4) + " ".join(f"{number:2}" for number in numbers)
    for number, one in zip(numbers, matrix.modifiers, strict=True):
        signs = (_sign(matrix, one, other) for other in matrix.modifiers)
        cells = (" " + (paint(sign, _INKS[sign]) if sign in _INKS else sign) for sign in signs)
        yield f"{number:2}  {visible(one):{width}}" + " ".join(cells)


def _markdown(matrix: Matrix) -> Iterator[str]:
    numbers = [str(number) for number in range(1, len(matrix.modifiers) + 1)]
    yield f"| | {' | '.join(numbers)} |"
    yield f"|---{'|---' * len(numbers)}|"
    for number, one in zip(numbers, matrix.modifiers, strict=True):
        signs = (_sign(matrix, one, other).strip() for other in matrix.modifiers)
        yield f"| {number} {one} | {' | '.join(signs)} |"
    yield ""


def _counted(matrix: Matrix) -> str:
    kinds = [verdict.kind.value for verdict in _pairs(matrix)]
    return ", ".join(f"{kinds.count(kind)} {kind} {sign}" for kind, sign in _SIGNS.items() if kind in kinds)


# ── one stack ────────────────────────────────────────────────────────────────────────────────────────────────────


def _write_stack(judgement: Judgement, form: Listed, paint: Paint) -> None:
    found = judgement.verdicts
    if form is Listed.JSON:
        print(json.dumps([_as_json(verdict) for verdict in found], indent=2, ensure_ascii=False))
        return
    for verdict in found:
        if form is Listed.MARKDOWN:
            print(f"- **{verdict.kind.value}** {_named(verdict)}" + (f": {_why(verdict)}" if verdict.findings else ""))
            for line in _position(verdict):
                print(f"  - {line}")
            continue
        print(f"{paint(verdict.kind.value, Ink.BOLD)}: {_named(verdict)}")
        for diagnostic in verdict.diagnostics():
            print(as_text(diagnostic, paint), end="\n\n")
        for line in _position(verdict):
            print(f"    {visible(line)}")
        if verdict.kind.is_clash:
            for line in verdict.settling():
                print(f"    {visible(line)}")
    if judgement.matches:
        print(f"nobody was without a legal answer in {judgement.matches} matches")
    print("they clash" if any(verdict.kind.is_clash for verdict in found) else "they fit")


def _named(verdict: Verdict) -> str:
    return ", ".join(verdict.modifiers) or verdict.title


def _why(verdict: Verdict) -> str:
    """The worst of what was found, in one line."""
    findings = [finding for finding in verdict.open if finding.kind is verdict.kind] or verdict.findings
    told = findings[0].message + (f" ({findings[0].witness})" if findings[0].witness else "")
    return told + (f"; settled at {findings[0].settled_at}" if findings[0].settled_at is not None else "")


def _position(verdict: Verdict) -> Iterator[str]:
    """Where it shows, line by line."""
    for finding in verdict.open:
        if finding.position is not None:
            yield from finding.position.lines()


def _as_json(verdict: Verdict) -> dict[str, object]:
    return {
        "modifiers": list(verdict.modifiers),
        "verdict": verdict.kind.value,
        "code": verdict.kind.code,
        "findings": [
            {
                "verdict": finding.kind.value,
                "slot": finding.slot,
                "message": finding.message,
                "witness": finding.witness or None,
                "position": finding.position.as_data() if finding.position is not None else None,
                "settled": str(finding.settled_at) if finding.settled_at is not None else None,
                "places": [str(place) for place in (finding.first_place, finding.second_place) if place is not None],
            }
            for finding in verdict.findings
        ],
        "settling": list(verdict.settling()),
    }
