"""Bounds of the reference's section 12 that are known before the match, and what a file declares and never uses."""

from __future__ import annotations

from math import prod

from ..diagnostic import Diagnostics
from ..ir.nodes import Const, Generator, Program, Term
from ..ir.walk import every_term
from ..syntax.document import GameDoc
from ..syntax.powers import CHANGES
from .names import Names

MOST_CARDS = 2_000
MOST_SEATS = 12
MOST_ZONES = 500
LARGEST_TERM = 2_000


def check_bounds(program: Program, game: GameDoc, diagnostics: Diagnostics) -> None:
    """Reports more cards, seats or zones than a match may have, and expressions that are too large."""
    if program.players[1] > MOST_SEATS:
        diagnostics.add(
            "E0210",
            game.players.span,
            f"{program.players[1]} players are more than the {MOST_SEATS} that can sit at a table",
        )
    zones = sum(1 if zone.each == "once" else program.players[1] for zone in program.zones)
    if zones > MOST_ZONES:
        diagnostics.add(
            "E0210",
            game.span,
            f"with {program.players[1]} players there are {zones} zones; at most {MOST_ZONES} are allowed",
        )
    for kind in program.kinds:
        generator = kind.generator
        if kind.origin is None:
            continue
        if generator is not None and generator.copies is not None and not isinstance(generator.copies, Const):
            diagnostics.add(
                "E0214",
                generator.copies.span or kind.origin.span,
                "the number of copies is worked out, so nobody can tell how many cards there are",
                help="write a plain number",
            )
            continue
        made = sum(row.copies for row in kind.rows) + (_made_by(generator) if generator is not None else 0)
        if made > MOST_CARDS:
            diagnostics.add(
                "E0210",
                kind.origin.span,
                f"these are {made} cards; a match has at most {MOST_CARDS}",
                help="check the ranges under `every:`, and the copies of rows",
            )
    for rule in program.rules:
        if _is_larger(rule.body, LARGEST_TERM):
            diagnostics.add(
                "E0421",
                rule.origin.span,
                f"the rule '{rule.name}' is too large",
                help="give its parts names of their own",
            )


def _made_by(generator: Generator) -> int:
    """How many cards a generator can make."""
    copies = generator.copies
    number = copies.value if isinstance(copies, Const) and isinstance(copies.value, int) else 1
    return prod(len(values) for _, values in generator.domains) * max(number, 1)


def _is_larger(term: Term, bound: int) -> bool:
    return any(count > bound for count, _ in enumerate(every_term(term), start=1))


def check_use(names: Names, game: GameDoc, diagnostics: Diagnostics) -> None:
    """Warns of zones and states of the game's own file that nothing uses, and of a game without a title."""
    own = game.name.name
    if game.title is None:
        diagnostics.add(
            "W0201", game.name.span, "the game has no title", help="add `title:`, the name people know it by"
        )
    for name, zone in names.zones.items():
        if zone.origin.name == own and not zone.used and not zone.doc.start_all:
            diagnostics.add("W0501", zone.origin.span, f"nothing uses the zone '{name}'", help="leave it out")
    used = names.used_powers
    for kind, entry in names.kinds.items():
        for power, _ in entry.doc.powers if entry.origin.name == own else ():
            if (kind, power.name) not in used and not names.powers[kind].is_form(power.name, CHANGES):
                diagnostics.add(
                    "W0503",
                    power.span,
                    f"nothing runs the power '{power.name}', or asks for it",
                    help=f"write `do CARD.{power.name}` where it works, or leave it out",
                )
    for name, state in names.states.items():
        if state.origin.name == own and not state.read:
            diagnostics.add("W0502", state.origin.span, f"the state '{name}' is never used", help="leave it out")
