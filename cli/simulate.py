"""`rulesdsl simulate`: many matches between bots, and what they came to."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from csv import writer
from fractions import Fraction
from pathlib import Path

from rulesdsl import Program
from rulesdsl.interpreter import Each, Outcome, Progress, Report, SeatReport, Spread, progress_scale, score_scale
from rulesdsl.interpreter import simulate as run

from .console import Ink, Paint, paint_for
from .setting import Setting, check_bots, misuse


def simulate(
    setting: Setting,
    *,
    games: int,
    brains: Sequence[str],
    workers: int,
    form: str,
    no_color: bool,
    csv: Path | None = None,
) -> int:
    """Plays the matches and writes the report; gives the exit status. `csv` gets a line for each match."""
    check_bots(brains)
    program = setting.program()
    players, seed = setting.table(program)
    if len(brains) not in (1, players):
        misuse(f"give --bot once for all seats, or once for each of the {players}")
    seats = tuple(brains) if len(brains) == players else tuple(brains) * players
    with _lines(csv, program, players) as each, _progress(games) as progress:
        report = run(
            program,
            players=players,
            games=games,
            seed=seed,
            bots=seats,
            workers=workers,
            progress=progress,
            each=each,
        )
    if form == "json":
        print(json.dumps({"game": program.name, "players": players, "seed": seed, **as_data(report)}, indent=2))
    else:
        print(as_table(report, program.title, paint_for(sys.stdout, no_color=no_color)))
    return 0 if not report.broken else 1


@contextmanager
def _lines(file: Path | None, program: Program, players: int) -> Iterator[Each | None]:
    """Writes a line for each match: how it ended, who won, what everybody had; amounts as exact fractions."""
    if file is None:
        yield None
        return
    try:
        stream = file.open("w", encoding="utf-8", newline="")
    except OSError as problem:
        misuse(f"{file} can't be written: {problem.strerror}")
    with stream:
        lines = writer(stream)
        amounts = [name for name, there in (("score", program.scores), ("progress", program.progress)) if there]
        by_seat = [f"{name} {seat}" for name in amounts for seat in range(players)]
        lines.writerow(["match", "seed", "end", "decisions", "winners", *by_seat, "why"])
        scales = {"score": score_scale(program), "progress": progress_scale(program)}

        def line(number: int, seed: int, outcome: Outcome) -> None:
            found = {"score": outcome.scores, "progress": outcome.progress}
            cells = [_exact(found[name], seat, scales[name]) for name in amounts for seat in range(players)]
            won = " ".join(str(seat) for seat in outcome.winners)
            lines.writerow([number, seed, outcome.end, outcome.decisions, won, *cells, outcome.message or ""])

        yield line


def _exact(steps: tuple[int, ...] | None, seat: int, scale: int) -> str:
    return "" if steps is None else str(Fraction(steps[seat], scale))


@contextmanager
def _progress(games: int) -> Iterator[Progress | None]:
    """A bar on standard error while the matches are played, if that is a terminal."""
    if not sys.stderr.isatty():
        yield None
        return
    from rich.console import Console
    from rich.progress import Progress as Bar

    with Bar(console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task("playing", total=games)
        yield lambda done: bar.update(task, completed=done)


def as_data(report: Report) -> dict[str, object]:
    """The report as JSON takes it; scores in points."""
    return {
        "matches": report.matches,
        "ends": dict(report.ends),
        "seats": [_seat(seat, report) for seat in report.seats],
        "decisions": _spread(report.length, 1),
        "broken": [{"match": number, "message": message} for number, message in report.broken],
    }


def _seat(seat: SeatReport, report: Report) -> dict[str, object]:
    return {
        "seat": seat.seat,
        "wins": seat.wins,
        "wins_alone": seat.alone,
        "win_share": float(seat.shares) / seat.matches if seat.matches else None,
        "win_share_interval": list(seat.interval),
        "score": _spread(seat.scores, report.scale) if seat.scores else None,
        "progress": _spread(seat.progress, report.progress_scale) if seat.progress else None,
    }


def _spread(spread: Spread, scale: int) -> dict[str, object]:
    low, high = spread.interval
    return {
        "mean": spread.mean / scale,
        "deviation": spread.deviation / scale,
        "interval": [low / scale, high / scale],
        "least": None if spread.least is None else spread.least / scale,
        "most": None if spread.most is None else spread.most / scale,
    }


def as_table(report: Report, title: str, paint: Paint) -> str:
    """The report for people: a line for each seat. Without scores it tells of progress."""
    by_progress = all(seat.scores is None for seat in report.seats) and any(seat.progress for seat in report.seats)
    scale = report.progress_scale if by_progress else report.scale
    amount = "progress" if by_progress else "score"
    rows: list[tuple[str, ...]] = [("", "won", "share", "95 %", amount, "spread", "95 %", "least", "most")]
    for seat in report.seats:
        low, high = seat.interval
        share = float(seat.shares) / seat.matches if seat.matches else 0.0
        first = [f"player {seat.seat}", str(seat.wins), f"{share:.1%}", f"{low:.1%} to {high:.1%}"]
        rows.append((*first, *_score_cells(seat.progress if by_progress else seat.scores, scale)))
    widths = [max(len(row[column]) for row in rows) for column in range(len(rows[0]))]
    lines = [paint(f"{title}: {report.matches} matches", Ink.BOLD), ""]
    for number, row in enumerate(rows):
        cells = [row[0].ljust(widths[0]), *(cell.rjust(width) for cell, width in zip(row[1:], widths[1:], strict=True))]
        lines.append(paint("  ".join(cells).rstrip(), *([Ink.FAINT] if number == 0 else [])))
    length = report.length
    if length.count:
        lines += ["", f"{length.mean:.1f} decisions a match ({length.least} to {length.most})"]
    unfinished = [f"{count} ended with {end}" for end, count in report.ends if count and end != "finished"]
    if unfinished:
        lines += ["", paint(", ".join(unfinished), Ink.RED)]
        lines += [f"  match {number}: {message}" for number, message in report.broken]
    return "\n".join(lines)


def _score_cells(scores: Spread | None, scale: int) -> tuple[str, ...]:
    if scores is None or scores.least is None or scores.most is None:
        return ("-",) * 5
    low, high = scores.interval
    return (
        f"{scores.mean / scale:.2f}",
        f"{scores.deviation / scale:.2f}",
        f"{low / scale:.2f} to {high / scale:.2f}",
        f"{scores.least / scale:g}",
        f"{scores.most / scale:g}",
    )
