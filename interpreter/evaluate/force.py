"""Whether a modifier is in force: a step has started it, or a card that stands for it lies in an active zone.

Nothing about it is stored but where the cards lie and what was started.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from rulesdsl.ir.nodes import Kind

from ..state.cells import STARTED, Closure, State

if TYPE_CHECKING:
    from ..state.layout import Layout
    from .terms import Evaluator


def in_force(compiler: Evaluator, modifier: str) -> Closure:
    """The question, as a function of the state."""
    number = compiler.program.switchable.index(modifier)
    active = frozenset(zone.index for zone in compiler.layout.zones if zone.active)
    places = [place for kind in compiler.program.kinds for place in _places(compiler.layout, kind, number)]
    if not places or not active:
        return lambda S: S[STARTED] >> number & 1
    if len(places) == 1:
        (place,) = places
        return lambda S: S[STARTED] >> number & 1 or S[place] in active

    def by_any(S: State) -> bool | int:
        return S[STARTED] >> number & 1 or any(S[place] in active for place in places)

    return by_any


def _places(layout: Layout, kind: Kind, number: int) -> list[int]:
    """The cells that say where the cards of a modifier lie."""
    if not kind.modifiers:
        return []
    printed = layout.packs[kind.name].attribute(MODIFIER)
    base = layout.at[kind.name]
    return [base + card for card, value in enumerate(printed) if value == number]


MODIFIER = "modifier"
"""Under which a card has the modifier that it stands for."""
