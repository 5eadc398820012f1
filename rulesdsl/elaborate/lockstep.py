"""Whether the steps under `together` can be done by all at once.

What a seat sets, moves or draws there must be its own, or two seats would touch one thing in one step (E0536); what
has an order of its own, a window, an `end`, another `together`, has no place there (E0537).
"""

from __future__ import annotations

from ..diagnostic import Diagnostics
from ..ir.nodes import (
    Ask,
    Assign,
    Block,
    Branch,
    Cell,
    DrawRandom,
    Each,
    EndPhase,
    Move,
    Operation,
    Phase,
    PlaceOf,
    Procedure,
    Program,
    Repeat,
    Roll,
    RollOne,
    RunProcedure,
    Shuffle,
    Swap,
    Term,
    Together,
    Var,
    Window,
    ZoneCards,
)
from ..ir.walk import operations_of, terms_of


def check_lockstep(program: Program, diagnostics: Diagnostics) -> None:
    """Reports what can't be done together."""
    _LockstepChecker(program, diagnostics).check()


class _LockstepChecker:
    def __init__(self, program: Program, diagnostics: Diagnostics) -> None:
        self._diagnostics = diagnostics
        self._procedures: dict[str, Procedure] = {procedure.name: procedure for procedure in program.procedures}
        self._main = program.main
        self._waiting: list[tuple[Block, frozenset[int], bool]] = []
        self._run_with: set[tuple[str, frozenset[int], bool]] = set()

    def check(self) -> None:
        for procedure in (*self._procedures.values(), self._main):
            for block in (procedure.body, *(handler.body for handler in procedure.handlers)):
                for operation in operations_of(block):
                    if isinstance(operation, Together):
                        self._waiting.append((operation.body, frozenset([operation.cell.id]), False))
        while self._waiting:
            self._block(*self._waiting.pop())

    def _block(self, block: Block, own: frozenset[int], in_loop: bool) -> None:
        for operation in block:
            self._operation(operation, own, in_loop)

    def _operation(self, operation: Operation, own: frozenset[int], in_loop: bool) -> None:
        match operation:
            case Window() | EndPhase() | Together():
                what = {Window: "a window", EndPhase: "`end`", Together: "another `together`"}[type(operation)]
                self._add("E0537", operation, f"{what} can't stand under `together`", "write `each:` instead")
            case Ask() | Roll() | RollOne() | DrawRandom() | Shuffle() if in_loop:
                what = "decides" if isinstance(operation, Ask) else "draws by chance"
                self._add(
                    "E0537",
                    operation,
                    f"a loop under `together` is one step for each player; this {what} in it",
                    "write `each:` instead",
                )
            case Ask():
                for alternative in operation.alternatives:
                    self._block(alternative.body, own, in_loop)
                self._block(operation.otherwise, own, in_loop)
            case Branch():
                self._block(operation.then, own, in_loop)
                self._block(operation.otherwise, own, in_loop)
            case Each() | Repeat():
                self._block(operation.body, own, True)
            case Phase():
                self._block(operation.body, own, in_loop)
            case RunProcedure():
                self._run(operation, own, in_loop)
            case Move():
                self._zones(operation, operation.cards, own)
            case Swap():
                self._zones(operation, operation.left, own)
                self._zones(operation, operation.right, own)
            case Shuffle():
                self._zones(operation, operation.place, own)
            case DrawRandom() | RollOne():
                self._zones(operation, operation.source, own)
                self._target(operation, operation.target, own)
            case Roll() | Assign():
                self._target(operation, operation.target, own)
            case _:
                pass

    def _run(self, operation: RunProcedure, own: frozenset[int], in_loop: bool) -> None:
        procedure = self._procedures.get(operation.procedure)
        if procedure is None:
            return
        passed = frozenset(
            cell.id
            for cell, argument in zip(procedure.cells, operation.arguments, strict=False)
            if isinstance(argument, Cell) and argument.id in own
        )
        if (procedure.name, passed, in_loop) not in self._run_with:
            self._run_with.add((procedure.name, passed, in_loop))
            self._waiting.append((procedure.body, passed, in_loop))

    def _zones(self, operation: Operation, cards: Term, own: frozenset[int]) -> None:
        """A zone from which cards are taken has to be the seat's own."""
        for term in terms_of(cards):
            if isinstance(term, ZoneCards | PlaceOf) and not _is_own(term.owner, own):
                self._add(
                    "E0536",
                    operation,
                    f"all players take from '{term.zone}' in one step, so all would get the same",
                    "write `each:` instead of `together:`",
                )

    def _target(self, operation: Operation, target: Term, own: frozenset[int]) -> None:
        if isinstance(target, Var) and not any(_is_own(index, own) for index in target.index):
            self._add(
                "E0536",
                operation,
                f"all players set '{target.name}' in one step, so only one of them would count",
                "keep it `each: player`, use `add`, or write `each:` instead of `together:`",
            )

    def _add(self, code: str, operation: Operation, message: str, help: str) -> None:
        if operation.span is not None:
            self._diagnostics.add(code, operation.span, message, help=help)


def _is_own(owner: Term | None, own: frozenset[int]) -> bool:
    return isinstance(owner, Cell) and owner.id in own
