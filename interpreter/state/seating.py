"""Who sits where: neighbours, opposite seats, and the teams.

Seats count clockwise from 0, and the game goes clockwise: the left neighbour is the next in turn.
"""

from __future__ import annotations

from rulesdsl.diagnostic import InternalError
from rulesdsl.ir.nodes import Teams

from .bits import set_of


class Seating:
    """The seats of a match as tables by seat. Without teams every seat is one of its own."""

    def __init__(self, teams: Teams | None, seats: int) -> None:
        self.seats = seats
        groups: list[tuple[int, ...]]
        if teams is None:
            groups = [(seat,) for seat in range(seats)]
        elif teams.opposite:
            half = seats // 2 if seats % 2 == 0 else seats
            groups = [tuple(range(first, seats, half)) for first in range(half)]
        else:
            groups = list(teams.seats)
        if sorted(seat for group in groups for seat in group) != list(range(seats)):
            raise InternalError(f"{seats} seats can't be divided into the teams {groups}")
        self.teams = len(groups)
        self.members: tuple[int, ...] = tuple(set_of(group) for group in groups)
        """By team, its seats as a set."""
        self.team_of: tuple[int, ...] = tuple(
            next(index for index, group in enumerate(groups) if seat in group) for seat in range(seats)
        )
        self.left: tuple[int, ...] = tuple((seat + 1) % seats for seat in range(seats))
        self.right: tuple[int, ...] = tuple((seat - 1) % seats for seat in range(seats))
        self.across: tuple[int, ...] = tuple((seat + seats // 2) % seats for seat in range(seats))
        self.clockwise: tuple[tuple[int, ...], ...] = tuple(
            tuple((seat + step) % seats for step in range(seats)) for seat in range(seats)
        )
        self.anticlockwise: tuple[tuple[int, ...], ...] = tuple(
            tuple((seat - step) % seats for step in range(seats)) for seat in range(seats)
        )
        self.partner: tuple[int, ...] = tuple(
            next(other for other in (*row[1:], row[0]) if self.team_of[other] == self.team_of[row[0]])
            for row in self.clockwise
        )
        """By seat, the next one clockwise of its team; who is alone in it, itself."""
