"""As how many operations steps count that run through: a net under loops needs no more than that."""

from __future__ import annotations

from rulesdsl.ir.nodes import Ask, Block, Branch, Each, Operation, Phase, Repeat, RunProcedure

from ..state.layout import Layout


class Weights:
    """Weighs blocks of a program. What lies inside of a loop is left to the loop, which counts it turn by turn."""

    def __init__(self, layout: Layout) -> None:
        self._procedures = {procedure.name: procedure for procedure in layout.procedures}
        self._known: dict[str, int] = {}

    def of(self, block: Block) -> int:
        """The most operations that a block can be."""
        return sum(self._operation(operation) for operation in block)

    def _operation(self, operation: Operation) -> int:
        match operation:
            case Each() | Repeat():
                return 1
            case Branch():
                return 1 + max(self.of(operation.then), self.of(operation.otherwise))
            case Ask():
                ways = [*(alternative.body for alternative in operation.alternatives), operation.otherwise]
                return 1 + max(map(self.of, ways)) + sum(self.of(handler.body) for handler in operation.handlers)
            case Phase():
                return 1 + self.of(operation.body) + sum(self.of(handler.body) for handler in operation.handlers)
            case RunProcedure(procedure=name):
                if name not in self._known:
                    procedure = self._procedures[name]
                    blocks = [procedure.body, *(handler.body for handler in procedure.handlers)]
                    self._known[name] = sum(map(self.of, blocks))
                return 1 + self._known[name]
            case _:
                return 1
