"""Short names for what the little games are made of: hands, the stock, dealing."""

from __future__ import annotations

from programs import CARD, CARDS, NUMBER, SEAT, Op, all_of, cell, const, prim, program, zone

from rulesdsl.interpreter.run.relocate import bound_in
from rulesdsl.ir.nodes import Block, Each, MakeTuple, Move, PlaceOf, Program, Shuffle, Term, Var
from rulesdsl.types import Place, Play, Range, RowOf

PLAY = Play("table")
HAND = Place("card", CARDS)


def hand(owner: Term) -> Term:
    """The hand of a seat."""
    return zone("hand", owner)


def hand_of(owner: Term) -> PlaceOf:
    """The hand of a seat, as a place."""
    return PlaceOf("hand", owner, type=HAND)


def stock() -> Term:
    """The stock, bottom first."""
    return zone("stock", of=RowOf(CARD))


STOCK = PlaceOf("stock", type=Place("card", RowOf(CARD)))


def top(count: int) -> Term:
    """The cards on top of the stock."""
    return prim(Op.TOP, stock(), const(count), of=RowOf(CARD))


def number(name: str, *index: Term) -> Var:
    """A state that is a number."""
    return Var(name, index, type=NUMBER)


def deal(count: int) -> Block:
    """Shuffles, and deals so many to each."""
    player = cell(SEAT, "player")
    return (
        Shuffle(STOCK, "stock"),
        Each(player, all_of(SEAT), (Move(top(count), hand_of(player)),)),
    )


def range_of(low: int, high: int) -> MakeTuple:
    """From one number to another."""
    return MakeTuple((const(low), const(high)), type=Range(NUMBER))


def cells_of(block: Block) -> tuple[object, ...]:
    """All cells that a block binds."""
    found = {bound_cell.id: bound_cell for bound_cell in bound_in(block)}
    return tuple(found.values())


def game(main: Block, **more: object) -> Program:
    """A program whose match consists of the operations; the cells of the match are found."""
    return program(main, cells=cells_of(main), **more)  # type: ignore[arg-type]
