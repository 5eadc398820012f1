"""A state that one seat could believe to be in: what it can't know is dealt out anew.

All cards whose place the seat isn't sure of change places among themselves at random, sealed answers of others are
taken back, what is written on unknown cards is blank, and chance begins afresh. So nothing that is worked out on a
guess can tell what the seat doesn't know.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from rulesdsl.ir.nodes import Shape, Value
from rulesdsl.types import Card, SetOf, Type, required

from ..run.pending import ANSWERED, OPEN, SEAT
from ..run.pending import STATE as ENTRY_STATE
from ..run.rng import Generator
from ..state.bits import members, set_of
from ..state.cells import FP, FRAME_HEAD, GENERATOR, PENDING, State
from ..state.layout import Layout

Renaming = Callable[[int], int]


def guessed(layout: Layout, state: State, seat: int, generator: Generator) -> State:
    """One of the states that the seat can't tell from the real one, as far as cards go."""
    guess = state.copy()
    for kind in layout.packs:
        known = state[layout.seen[kind] + seat]
        assert isinstance(known, int)
        hidden = _slots(layout, state, kind, layout.packs[kind].all & ~known)
        drawn = sorted(hidden)
        generator.shuffle(drawn)
        _redeal(layout, state, guess, kind, dict(zip(hidden, drawn, strict=True)), seat)
    guess[PENDING] = tuple(_unsealed(entry, seat) for entry in _entries(state))
    saved = Generator.seeded(generator.next_word()).saved()
    words = state[GENERATOR]
    assert isinstance(words, tuple)
    guess[GENERATOR] = (*saved, *words[len(saved) :])
    return guess


def _entries(state: State) -> tuple[Any, ...]:
    entries = state[PENDING]
    assert isinstance(entries, tuple)
    return entries


def _unsealed(entry: tuple[Any, ...], seat: int) -> Value:
    """What another seat has answered to a decision that is still open is not known: it may answer again."""
    if entry[SEAT] == seat or entry[ENTRY_STATE] not in (ANSWERED, OPEN):
        return entry
    return (entry[0], entry[1], OPEN, ())


def _slots(layout: Layout, state: State, kind: str, hidden: int) -> list[int]:
    """The hidden cards in the order of the places where they lie, which does not depend on which card lies where."""
    at = layout.at[kind]
    order: dict[int, tuple[int, ...]] = {}
    for zone in layout.zones:
        held = state[zone.cell]
        if zone.kind == kind and zone.shape in (Shape.STACK, Shape.ROW) and isinstance(held, tuple):
            order.update({card: (position,) for position, card in enumerate(held) if isinstance(card, int)})

    def place(card: int) -> tuple[object, ...]:
        lies = state[at + card]
        assert isinstance(lies, int)
        return (lies, order.get(card, ()), card)

    return sorted(members(hidden), key=place)


def _redeal(layout: Layout, state: State, guess: State, kind: str, other: dict[int, int], seat: int) -> None:
    """Every hidden card gives its part to another: whatever named the one names the other."""
    if not other:
        return
    at, over, base = layout.at[kind], layout.over[kind], layout.card_base[kind] + layout.zone_count

    def renamed(card: int) -> int:
        return other.get(card, card)

    def renamed_set(cards: int) -> int:
        return set_of(renamed(card) for card in members(cards))

    for card, new in other.items():
        guess[at + new] = state[at + card]
        guess[over + new] = state[over + card]
        for keeping in layout.packs[kind].kind.fields:
            guess[layout.fields[kind, keeping.name] + new] = keeping.start
    for several, first in layout.at.items():  # what lies under a card that was renamed
        for card in range(layout.packs[several].size):
            above = guess[first + card]
            if isinstance(above, int) and above - base in other:
                guess[first + card] = base + renamed(above - base)
                guess[layout.over[several] + card] = renamed(above - base)
    for zone in layout.zones:
        if zone.kind == kind:
            guess[zone.cell] = _renamed_zone(state[zone.cell], zone.shape, renamed, renamed_set)
    for watcher in range(layout.seats):
        if watcher != seat:
            known = state[layout.seen[kind] + watcher]
            assert isinstance(known, int)
            guess[layout.seen[kind] + watcher] = renamed_set(known)
    frame = guess[FP]
    while isinstance(frame, int) and frame >= layout.stack:
        _rename_frame(layout, guess, frame, kind, renamed, renamed_set)
        frame = guess[frame + 2]


def _renamed_zone(held: Value, shape: Shape, renamed: Renaming, renamed_set: Renaming) -> Value:
    match shape:
        case Shape.SET:
            assert isinstance(held, int)
            return renamed_set(held)
        case Shape.STACK | Shape.ROW:
            assert isinstance(held, tuple)
            return tuple(renamed(card) for card in held if isinstance(card, int))
        case Shape.PLAYS:
            assert isinstance(held, tuple)
            return tuple(
                (*play[:2], renamed_set(play[2]), *play[3:])
                for play in held
                if isinstance(play, tuple) and isinstance(play[2], int)
            )


def _rename_frame(
    layout: Layout, guess: State, frame: int, kind: str, renamed: Renaming, renamed_set: Renaming
) -> None:
    number = guess[frame]
    assert isinstance(number, int)
    for offset, cell in enumerate(layout.procedures[number].cells, FRAME_HEAD):
        value = guess[frame + offset]
        if not isinstance(value, int) or value < 0:
            continue
        if _is_card(cell.type, kind):
            guess[frame + offset] = renamed(value)
        elif isinstance(cell.type, SetOf) and _is_card(cell.type.of, kind):
            guess[frame + offset] = renamed_set(value)


def _is_card(of: Type, kind: str) -> bool:
    return required(of) == Card(kind)
