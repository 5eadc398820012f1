"""The texts of the cards of a program, made of what their rows can do."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from ..cardtext.cardtext import text_of
from ..cardtext.lexicon import Lexicon
from ..ir.nodes import Kind, Program
from .powers import KindPowers


def with_texts(program: Program, powers: Mapping[str, KindPowers], words: Lexicon) -> Program:
    """The program with a text on each card that a file lists and that can do something."""
    return replace(program, kinds=tuple(_with_texts(kind, powers[kind.name], words) for kind in program.kinds))


def _with_texts(kind: Kind, powers: KindPowers, words: Lexicon) -> Kind:
    if not powers.types:
        return kind
    pairs = zip(kind.rows, powers.rows, strict=True)
    return replace(kind, rows=tuple(replace(row, text=text_of(own.powers, powers.types, words)) for row, own in pairs))
