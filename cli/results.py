"""How a match ended, in words and as data."""

from __future__ import annotations

from collections.abc import Sequence

from rulesdsl.interpreter import Points, Result, Score

from .console import Ink, Paint


def result_lines(result: Result, paint: Paint) -> list[str]:
    """Who won, and the scores with what they consist of."""
    if result.end != "finished":
        return [paint(f"The match broke off ({result.end}): {result.why}", Ink.RED)]
    winners = [f"player {seat}" for seat in result.winners]
    match len(winners):
        case 0:
            lines = ["Nobody wins."]
        case 1:
            lines = [f"{winners[0]} wins."]
        case _:
            verb = "share the victory" if result.sides > 1 else "win together"
            lines = [f"{', '.join(winners[:-1])} and {winners[-1]} {verb}."]
    lines[0] = paint(lines[0][0].upper() + lines[0][1:], Ink.BOLD, Ink.GREEN)
    places = {seat: rank for rank, seats in enumerate(result.ranking, 1) for seat in seats}
    for score in sorted(result.scores, key=lambda score: (places[score.seat], score.seat)):
        parts = f" ({', '.join(f'{name} {points}' for name, points in score.parts)})" if score.parts else ""
        lines.append(f"  {places[score.seat]}. player {score.seat}: {score.points}{parts}")
    return lines


def score_line(scores: Sequence[Score]) -> str:
    """The scores as they stand, in one line; nothing for a game without any."""
    return f"scores: {', '.join(f'player {score.seat} {score.points}' for score in scores)}" if scores else ""


def result_data(result: Result) -> dict[str, object]:
    """A result as JSON takes it."""
    return {
        "end": result.end,
        "why": result.why,
        "winners": list(result.winners),
        "ranking": [list(group) for group in result.ranking],
        "scores": [_score_data(score) for score in result.scores],
    }


def _score_data(score: Score) -> dict[str, object]:
    return {
        "seat": score.seat,
        "points": _number(score.points),
        "parts": {name: _number(points) for name, points in score.parts},
    }


def _number(points: Points) -> int | float:
    return points if isinstance(points, int) else float(points)
