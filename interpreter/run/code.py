"""The table of instructions while it is being made: places to jump to are known by labels first, by number later."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

from rulesdsl.source import Span

Cells = list[Any]
"""A state, as those see it who know what each of its cells holds."""

Effect = Callable[[Cells], None]
"""Changes a state."""

Reader = Callable[[Cells], Any]
"""Works out a value on a state."""

Instruction = Callable[[Cells], int]
"""Does its part and says which instruction is next; below 0 the machine stops."""

Decide = Callable[[Cells], int]
"""A decision that is made at once: writes down what was chosen, and says which alternative it was."""

DECLINED = -1
"""Stands for an alternative where a decision was declined."""


def do_nothing(S: Cells) -> None:
    """The effect that is none."""


class Step(NamedTuple):
    """A sentence: `operands` on the state before it, `carry` does it, `step` both."""

    operands: Reader
    carry: Callable[[Cells, Any], None]
    step: Effect


STOP = -1


class Label:
    """A place in the table. Its number is final once the table is finished."""

    __slots__ = ("pc",)

    def __init__(self) -> None:
        self.pc = STOP


Maker = Callable[[], Instruction]
"""Makes an instruction when every label has its number."""


class Code:
    """Collects instructions in their sequence."""

    def __init__(self) -> None:
        self._makers: list[Maker] = []
        self._labels: list[Label] = []
        self._jumps: dict[int, Label] = {}
        self._shortcuts: dict[int, tuple[Callable[[], Effect], Label]] = {}
        self.spans: list[Span | None] = []

    @property
    def here(self) -> int:
        """The number of the next instruction."""
        return len(self._makers)

    def place(self, label: Label) -> Label:
        """The label stands for what is added next."""
        label.pc = len(self._makers)
        self._labels.append(label)
        return label

    def add(self, maker: Maker, span: Span | None) -> int:
        """Appends an instruction; what goes wrong in it is reported at the span."""
        self._makers.append(maker)
        self.spans.append(span)
        return len(self._makers) - 1

    def jump(self, target: Label) -> None:
        """Goes on elsewhere. Labels that stand before a jump are led to its end, so that it costs nothing."""
        self._jumps[len(self._makers)] = target

        def make() -> Instruction:
            pc = target.pc
            return lambda S: pc

        self.add(make, None)

    def effect(self, effect: Effect, span: Span | None) -> None:
        """Appends a change of the state after which the next instruction follows."""
        after = Label()

        def make() -> Instruction:
            pc = after.pc

            def instruction(S: Cells) -> int:
                effect(S)
                return pc

            return instruction

        self.add(make, span)
        self.place(after)

    def shortcut(self, start: int, make: Callable[[], Effect]) -> None:
        """Who comes to `start` does at once what the instructions from there up to here do; who comes later, doesn't.

        `make` makes that effect when it is first needed.
        """
        if start < len(self._makers):
            self._shortcuts[start] = make, self.place(Label())

    def finish(self) -> list[Instruction]:
        """The table."""
        for label in self._labels:
            seen = set()
            while label.pc in self._jumps and label.pc not in seen:
                seen.add(label.pc)
                label.pc = self._jumps[label.pc].pc
        code = [make() for make in self._makers]
        for start, (make, after) in self._shortcuts.items():
            code[start] = _lazily(code, start, make, after.pc)
        return code


def _lazily(code: list[Instruction], start: int, make: Callable[[], Effect], after: int) -> Instruction:
    def for_the_first_time(S: Cells) -> int:
        effect = make()

        def at_once(S: Cells) -> int:
            effect(S)
            return after

        code[start] = at_once
        return at_once(S)

    return for_the_first_time
