"""What is true of every program that is handed out; a violation is a defect of ours, never of a rule file."""

from __future__ import annotations

from collections.abc import Iterator

from ..types import Unknown
from .nodes import Ask, Call, Cell, ErrorTerm, Kind, Legality, Procedure, Proceed, Program, Rule, RunProcedure, Var
from .walk import operations_of, terms_of


class BrokenProgram(AssertionError):
    """A program that breaks an invariant of the IR."""


def verify(program: Program) -> None:
    """Checks a program.

    Raises:
        BrokenProgram: with all that is wrong.
    """
    problems = list(_problems(program))
    if problems:
        raise BrokenProgram("; ".join(problems))


def _problems(program: Program) -> Iterator[str]:
    rules = {rule.id: rule for rule in program.rules}
    variables = {variable.name: variable for variable in program.variables}
    procedures = {procedure.name: procedure for procedure in program.procedures}
    legalities = {legality.id for legality in program.legalities}
    owners: list[Rule | Legality | Procedure | Kind] = [*program.rules, *program.legalities, *program.procedures]
    for owner in (*owners, program.main, *program.kinds):
        name = owner.id if isinstance(owner, Rule | Legality) else owner.name
        for term in terms_of(owner):
            if isinstance(term, ErrorTerm) or isinstance(term.type, Unknown):
                yield f"{name}: a term of unknown type"
            if isinstance(term, Proceed) and not isinstance(owner, Rule):
                yield f"{name}: `proceed` was left over"
            if isinstance(term, Call):
                rule = rules.get(term.rule)
                if rule is None:
                    yield f"{name}: no rule {term.rule}"
                elif len(rule.parameters) != len(term.arguments):
                    yield f"{name}: {term.rule} has {len(rule.parameters)} parameters"
            if isinstance(term, Var) and (
                term.name not in variables or len(variables[term.name].each) != len(term.index)
            ):
                yield f"{name}: the state {term.name} is not kept like that"
    for rule in program.rules:
        if any(isinstance(term, Proceed) for term in terms_of(rule.body)):
            yield f"{rule.id}: `proceed` was left over"
    for procedure in (*program.procedures, program.main):
        yield from _procedure_problems(procedure, procedures, legalities)


def _procedure_problems(procedure: Procedure, procedures: dict[str, Procedure], legalities: set[str]) -> Iterator[str]:
    own = {cell.id for cell in procedure.cells}
    for term in terms_of((procedure.body, procedure.handlers, procedure.state)):
        if isinstance(term, Cell) and term.id not in own:
            yield f"{procedure.name}: no cell {term.id} ({term.name})"
    bodies = (procedure.body, *(handler.body for handler in procedure.handlers))
    for operation in (operation for body in bodies for operation in operations_of(body)):
        if isinstance(operation, RunProcedure):
            called = procedures.get(operation.procedure)
            if called is None:
                yield f"{procedure.name}: no procedure {operation.procedure}"
            elif called.parameters != len(operation.arguments):
                yield f"{procedure.name}: {operation.procedure} takes {called.parameters} arguments"
        if isinstance(operation, Ask):
            for alternative in operation.alternatives:
                if alternative.under is not None and alternative.under.legality not in legalities:
                    yield f"{procedure.name}: no legality {alternative.under.legality}"


__all__ = ["BrokenProgram", "verify"]
