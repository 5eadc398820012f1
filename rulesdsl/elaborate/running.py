"""Whether a procedure is sure to be running where something names what it keeps (`attempt.extra`), E0308.

A line is safe if nobody comes to it from the start of the match without running that procedure first. What a line asks
for through rules counts like what it says itself.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from ..diagnostic import Diagnostics
from ..ir.nodes import Ask, Call, Operation, Procedure, Program, Running, RunProcedure, Term
from ..ir.walk import operations_of, terms_of
from ..source import Span

Need = tuple[str, Span | None]
"""The name of a procedure, and where it is needed."""


def check_running(program: Program, diagnostics: Diagnostics) -> None:
    """Reports every line that names what a procedure keeps and can be reached while it does not run."""
    needs = _needs_of_rules(program)
    if not any(needs.values()) and not any(_needs_of(p, {}) for p in (*program.procedures, program.main)):
        return
    procedures = {procedure.name: procedure for procedure in program.procedures}
    found = [(procedure, set(_needs_of(procedure, needs))) for procedure in (*procedures.values(), program.main)]
    for wanted in sorted({name for _, inner in found for name, _ in inner}):
        without = _reached(program.main, procedures, wanted)
        for procedure, inner in found:
            if procedure.name in without:
                _report(wanted, (span for name, span in inner if name == wanted), diagnostics)
    for rule in program.rules:
        if rule.id in (program.winners, program.scores):
            for name in needs[rule.id]:
                _report(name, [rule.origin.span], diagnostics)


def _report(name: str, spans: Iterable[Span | None], diagnostics: Diagnostics) -> None:
    for span in spans:
        if span is not None:
            diagnostics.add(
                "E0308",
                span,
                f"this needs '{name}' to be running, and one can come here without it",
                help=f"write it into '{name}', or into what only '{name}' runs; or pass the value as an argument",
            )


def _needs_of_rules(program: Program) -> dict[str, set[str]]:
    """Of every rule and legality, the procedures that have to be running, its own rules' needs with them."""
    terms: dict[str, list[Term]] = {rule.id: list(terms_of(rule.body)) for rule in program.rules}
    for legality in program.legalities:
        parts = (legality.forbids, legality.tiers, legality.narrows)
        terms[legality.id] = list(terms_of(parts))
    needs = {id: {t.procedure for t in inner if isinstance(t, Running)} for id, inner in terms.items()}
    calls = {id: {t.rule for t in inner if isinstance(t, Call)} & terms.keys() for id, inner in terms.items()}
    grown = True
    while grown:
        grown = False
        for id, called in calls.items():
            more = needs[id].union(*(needs[other] for other in called))
            grown = grown or more != needs[id]
            needs[id] = more
    return needs


def _needs_of(procedure: Procedure, needs: dict[str, set[str]]) -> Iterator[Need]:
    """What the steps of a procedure, and what is attached to it, need to be running."""
    for operation in _operations(procedure):
        for alternative in operation.alternatives if isinstance(operation, Ask) else ():
            if alternative.under is not None:
                for name in needs.get(alternative.under.legality, ()):
                    yield name, operation.span
    for term in terms_of((procedure.body, procedure.handlers)):
        match term:
            case Running():
                yield term.procedure, term.span
            case Call():
                for name in needs.get(term.rule, ()):
                    yield name, term.span
            case _:
                pass


def _operations(procedure: Procedure) -> Iterator[Operation]:
    yield from operations_of(procedure.body)
    for handler in procedure.handlers:
        yield from operations_of(handler.body)


def _reached(main: Procedure, procedures: dict[str, Procedure], without: str) -> set[str]:
    """The procedures that can be run while one of them never is."""
    found, waiting = {main.name}, [main]
    while waiting:
        for operation in _operations(waiting.pop()):
            if isinstance(operation, RunProcedure):
                name = operation.procedure
                if name != without and name not in found and name in procedures:
                    found.add(name)
                    waiting.append(procedures[name])
    return found
