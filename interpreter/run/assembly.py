"""What an assembled program is: its instructions, and what one must know to begin, to ask and to explain."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from enum import Enum

from rulesdsl.ir.nodes import Ask, Operation, Point, Term
from rulesdsl.source import Span

from ..decide.choices import Question
from ..state.cells import FP, Closure
from .code import Cells, Effect, Instruction, Label
from .frames import Frame

Trace = Callable[[str, Point | None, int, bool], None]
"""Told what begins and ends: the event, the point (None for the event itself), the number of the handler, whether it
begins."""


@dataclass(frozen=True, slots=True)
class Copies:
    """Where seats that act together keep their own copies of cells: `cell` holds them all, `offsets` say of what."""

    cell: int
    offsets: Sequence[int]

    def load(self, S: Cells, member: int) -> None:
        """Puts the cells of one of them into the frame."""
        base = S[FP]
        for offset, value in zip(self.offsets, S[base + self.cell][member], strict=True):
            S[base + offset] = value

    def save(self, S: Cells, member: int) -> None:
        """Takes the cells of one of them from the frame."""
        base = S[FP]
        copies = S[base + self.cell]
        mine = tuple([S[base + offset] for offset in self.offsets])
        S[base + self.cell] = (*copies[:member], mine, *copies[member + 1 :])


@dataclass(frozen=True, slots=True)
class AskPoint:
    """A decision, at the instruction that takes its answers."""

    ask: Ask
    question: Question
    by: Closure
    """Whom it asks, in the frame as it is."""
    copies: Copies | None


class AnchorSort(Enum):
    """What can be started at."""

    PHASE = "phase"
    PROCEDURE = "procedure"
    DECISION = "decision"


@dataclass(frozen=True, slots=True)
class Anchor:
    """A place where a match can be started; `opens` bring what encloses it in its procedure into its first turn."""

    sort: AnchorSort
    name: str
    path: str
    procedure: int
    label: Label
    opens: tuple[Effect, ...]
    forms: tuple[Closure, ...] = ()
    """What has to hold of the modifiers in force, if the place stands in several forms."""


@dataclass(frozen=True, slots=True)
class CallSite:
    """Where a procedure is called: `caller` runs, and goes on at `back`."""

    caller: int
    callee: int
    back: Label
    arguments: tuple[Closure, ...]
    opens: tuple[Effect, ...]
    forms: tuple[Closure, ...] = ()


@dataclass(frozen=True, slots=True)
class Assembly:
    """A program as instructions, and what one must know to begin, to ask and to explain."""

    code: list[Instruction]
    spans: list[Span | None]
    frames: tuple[Frame, ...]
    starts: tuple[Effect | None, ...]
    """By procedure, what gives its own state its first values."""
    begin: int
    end: int
    points: dict[int, AskPoint]
    """By the instruction that takes the answers, what is asked there."""
    anchors: tuple[Anchor, ...]
    sites: tuple[CallSite, ...]


@dataclass(frozen=True, slots=True)
class Inserted:
    """An effect of the machine itself among the operations of a block."""

    effect: Effect


@dataclass(frozen=True, slots=True)
class Guarded:
    """Items that come about only where a condition holds."""

    condition: Term
    items: tuple[Operation | Inserted, ...]


Item = Operation | Inserted | Guarded
