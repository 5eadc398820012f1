"""Whether the phase that `end PHASE` or `start M for PHASE` names can be running where the step stands (E0308)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import fields

from ..diagnostic import Diagnostics
from ..ir.nodes import (
    Activate,
    Alternative,
    Ask,
    Block,
    EndPhase,
    Handler,
    Node,
    Operation,
    Phase,
    Point,
    Program,
    RunProcedure,
    TermNode,
)
from ..ir.walk import operations_of
from ..source import Span


def check_inside(program: Program, diagnostics: Diagnostics) -> None:
    """Reports every step that names a phase which runs on no way to that step."""
    checker = _InsideChecker(program)
    checker.walk()
    for span, (phase, running) in checker.wrong.items():
        if span not in checker.right:
            diagnostics.add(
                "E0308",
                span,
                f"the phase '{phase}' never runs where this stands",
                help="move the step into that phase"
                + (f", or name one that runs here: {', '.join(sorted(running))}" if running else ""),
            )


class _InsideChecker:
    """Walks the steps from the beginning of a match, with the names of the phases that may be running."""

    def __init__(self, program: Program) -> None:
        self._main = program.main
        self._procedures = {procedure.name: procedure for procedure in program.procedures}
        self._running: dict[str, frozenset[str]] = {}
        """By procedure, what may be running when it is run. One that nothing runs is not in it."""
        self._waiting: list[str] = []
        self.wrong: dict[Span, tuple[str, frozenset[str]]] = {}
        self.right: set[Span] = set()
        """Places at which it runs in another form of the step, or on another way to it."""

    def walk(self) -> None:
        self._block(self._main.body, frozenset())
        while self._waiting:
            name = self._waiting.pop()
            procedure, running = self._procedures[name], self._running[name]
            self._event(procedure.body, procedure.handlers, running, running)

    def _block(self, block: Block, running: frozenset[str]) -> None:
        for operation in block:
            match operation:
                case Phase():
                    self._event(operation.body, operation.handlers, running, running | {operation.name})
                case Ask():
                    inner = tuple(step for alternative in operation.alternatives for step in alternative.body)
                    self._event((*inner, *operation.otherwise), operation.handlers, running, running)
                case Activate(phase=str() as name) | EndPhase(phase=str() as name):
                    if name in running:
                        self.right.add(_place(operation))
                    else:
                        self.wrong[_place(operation)] = name, running
                case RunProcedure(procedure=name) if name in self._procedures:
                    known = self._running.get(name)
                    if known is None or not running <= known:
                        self._running[name] = running if known is None else running | known
                        self._waiting.append(name)
                case _:
                    for inner in _blocks(operation):
                        self._block(inner, running)

    def _event(
        self, body: Block, handlers: tuple[Handler, ...], running: frozenset[str], inside: frozenset[str]
    ) -> None:
        """Something with handlers. It has not begun in an `instead`, and is over in an `after`."""
        for handler in handlers:
            self._block(handler.body, inside if handler.point is Point.BEFORE else running)
            if handler.point is Point.INSTEAD:  # what says `proceed` may stand in a phase of the handler
                inside |= {step.name for step in operations_of(handler.body) if isinstance(step, Phase)}
        self._block(body, inside)


def _blocks(operation: Operation) -> Iterator[Block]:
    """The steps directly inside an operation."""
    for part in fields(operation):
        value = getattr(operation, part.name)
        if isinstance(value, Ask):
            yield (value,)
        elif isinstance(value, tuple):
            for item in value:
                if isinstance(item, Handler | Alternative):
                    yield item.body
                elif isinstance(item, Node) and not isinstance(item, TermNode):
                    yield (item,)  # type: ignore[misc]  # the other nodes in tuples are operations


def _place(operation: Activate | EndPhase) -> Span:
    assert operation.span is not None
    return operation.span
