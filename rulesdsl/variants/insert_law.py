"""The merge law of steps at one point: what two modifiers put before, after or instead of the same thing."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from ..ir.guards import exclude
from ..ir.nodes import Block, Phase, RunProcedure
from .edits import Edit, HandlerChanged, PlaceChanged
from .findings import Finding, Kind
from .guards import sides_of
from .meaning import Reader
from .normal import nodes_in
from .reads import Modifier
from .touches import Toucher


def meet_at(point: str, first: Modifier, second: Modifier, readers: tuple[Reader, Reader]) -> Iterator[Finding]:
    """How the steps of two modifiers at one point stand to one another."""
    for ours in first.inserts[point]:
        for theirs in second.inserts[point]:
            yield from _Meeting(point, first, second, ours, theirs, readers).findings()


class _Meeting:
    def __init__(
        self,
        point: str,
        first: Modifier,
        second: Modifier,
        ours: Edit,
        theirs: Edit,
        readers: tuple[Reader, Reader],
    ) -> None:
        self.point, self.first, self.second, self.readers = point, first, second, readers
        self.edits = ours, theirs
        self.steps = _steps(ours, first), _steps(theirs, second)

    def findings(self) -> Iterator[Finding]:
        meanings = [reader.term(steps) for reader, steps in zip(self.readers, self.steps, strict=True)]
        if meanings[0] == meanings[1]:
            yield self._finding(Kind.AGREES, f"both do the same {_shown(self.point)}")
            return
        if self._never_meet():
            return
        if self.point.startswith("instead"):
            yield self._order("each stands instead of it", ())
            return
        rivals = list(self._rivals())
        if rivals:
            yield from rivals
            return
        touched = [Toucher(m.program).of(s) for m, s in zip((self.first, self.second), self.steps, strict=True)]
        shared = touched[0].meets(touched[1])
        if shared:
            yield self._order("both change or need", shared)

    def _never_meet(self) -> bool:
        """Whether the guards exclude each other, and stay so: neither of the two changes what a guard looks at."""
        guards = [edit.new.guard for edit in self.edits if isinstance(edit, HandlerChanged) and edit.new is not None]
        if len(guards) < 2 or guards[0] is None or guards[1] is None or self.point.startswith("instead"):
            return False
        modifiers = self.first, self.second
        if not exclude([(guards[0], True)], [(guards[1], True)], sides_of(modifiers)):
            return False
        asked = [Toucher(m.program).of(guard).reads for m, guard in zip(modifiers, guards, strict=True)]
        done = [Toucher(m.program).of(steps) for m, steps in zip(modifiers, self.steps, strict=True)]
        return not any((touched.writes | touched.adds) & (asked[0] | asked[1]) for touched in done)

    def _rivals(self) -> Iterator[Finding]:
        """Two that run one procedure in different ways, or bring phases of one name, exclude each other."""
        runs = [{step.procedure: step for step in steps if isinstance(step, RunProcedure)} for steps in self.steps]
        for name in sorted(runs[0].keys() & runs[1].keys()):
            calls = runs[0][name], runs[1][name]
            if self.readers[0].term(calls[0]) != self.readers[1].term(calls[1]):
                texts = [call.span.text for call in calls if call.span is not None]
                witness = " against ".join(texts)
                yield self._finding(
                    Kind.EXCLUSIVE, f"both run '{name}' {_shown(self.point)}, each in its own way", witness
                )
        phases = [{node.name: node for node in nodes_in(steps) if isinstance(node, Phase)} for steps in self.steps]
        for name in sorted(phases[0].keys() & phases[1].keys()):
            if self.readers[0].term(phases[0][name]) != self.readers[1].term(phases[1][name]):
                yield self._finding(Kind.EXCLUSIVE, f"both bring a phase '{name}' {_shown(self.point)}")

    def _order(self, why: str, shared: Sequence[str]) -> Finding:
        settled = (f"order: {{ {_shown(self.point)}: [{self.first.name}, {self.second.name}] }}",)
        return self._finding(
            Kind.ORDER,
            f"both do something {_shown(self.point)}, and nothing says which comes first",
            f"{why} {', '.join(shared)}".strip(),
            settled,
        )

    def _finding(self, kind: Kind, message: str, witness: str = "", settled: tuple[str, ...] = ()) -> Finding:
        places = self.edits[0].new_place, self.edits[1].new_place
        return Finding(kind, self.point, message, witness, *places, settled)


def _steps(edit: Edit, modifier: Modifier) -> Block:
    """The steps that come to stand at a point: those of a handler, or the phase that was moved there."""
    match edit:
        case HandlerChanged():
            assert edit.new is not None
            return edit.new.body
        case PlaceChanged():
            if edit.new is not None:
                return (edit.new,)
            path = edit.place.partition(" ")[2]
            nodes = nodes_in((modifier.program.main, modifier.program.procedures))
            return tuple(node for node in nodes if isinstance(node, Phase) and node.path == path)[:1]
        case _:
            return ()


def _shown(point: str) -> str:
    """A point as one writes it: `after write`."""
    words = point.replace("()", "").split(" ")
    return f"{'instead of' if words[0] == 'instead' else words[0]} {words[-1].rpartition('/')[2]}"
