"""From steps to operations.

A list of steps is worked out in order: what one binds, the next ones see. A decision without `then` takes the rest of
its list as what follows its answer. What every branch of an `if` binds with one type is bound after it.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import assert_never

from ..ir import nodes as ir
from ..ir.nodes import Block, Cell, Operation, Term
from ..syntax import document as doc
from ..syntax.document import (
    ChangeDoc,
    DecisionDoc,
    IfDoc,
    LoopDoc,
    LoopKind,
    PhaseDoc,
    SentenceDoc,
    StepDoc,
    StepsBody,
    WindowDoc,
)
from ..syntax.expr import Binder, Expr, Let, Not, NumberLiteral
from ..types import ListOf, Number, Range, RowOf, Seat, SetOf, Type, Unknown, YesNo
from .anchors import Anchors, decision_name, phase_path
from .decisions import DecisionChecker
from .fit import fit, members_of
from .forms import MOST_FORMS, Form, forms_of, forms_of_decision, in_forms
from .keptparts import in_ways
from .names import nearest
from .operators import certain_if, certain_unless
from .phaseloops import changed_loop
from .scope import Scope
from .substitute import with_proceed
from .wording import a, several

MOST_TURNS = 100_000


class StepChecker(DecisionChecker):
    """Turns steps into operations."""

    anchors: Anchors

    def block(self, steps: tuple[StepDoc, ...], scope: Scope, path: str) -> tuple[Block, Scope]:
        """The operations of a list of steps, and the scope after it."""
        operations: list[Operation] = []
        for index, step in enumerate(steps):
            if isinstance(step, DecisionDoc) and step.then is None and not step.either:
                rest = steps[index + 1 :]
                operation, scope = self._decision(step, scope, path, rest)
                operations.extend(operation)
                break
            found, scope = self._step(step, scope, path)
            operations.extend(found)
            if not all(isinstance(operation, ir.Announce) for operation in found) and not _only_binds(step):
                scope = scope.later(self.settable(scope))
        return tuple(operations), scope

    def _step(self, step: StepDoc, scope: Scope, path: str) -> tuple[Block, Scope]:
        match step:
            case SentenceDoc():
                return self.sentence(step.sentence, scope)
            case IfDoc():
                return self._if(step, scope, path)
            case LoopDoc():
                operation, _ = self._loop(step, scope, path)
                return operation, scope
            case PhaseDoc():
                return self._phase(step, scope, path)
            case DecisionDoc():
                return self._decision(step, scope, path, ())
            case WindowDoc():
                return self._window(step, scope, path), scope
            case _:
                assert_never(step)

    def _if(self, step: IfDoc, scope: Scope, path: str) -> tuple[Block, Scope]:
        condition = self.condition(step.condition, scope, "`if`")
        then, after_then = self.block(step.then, scope.knowing(*certain_if(step.condition)), path)
        otherwise, after_else = self.block(step.otherwise, scope.knowing(*certain_unless(step.condition)), path)
        common = {
            name: term
            for name, term in after_then.names.items()
            if scope.names.get(name) != term
            and after_else.names.get(name) == term
            and after_else.names[name].type == term.type
        }
        return (ir.Branch(condition, then, otherwise, span=step.span),), scope.bind(**common)

    # ── loops ────────────────────────────────────────────────────────────────────────────────────────────────────

    def _loop(self, loop: LoopDoc, scope: Scope, path: str) -> tuple[Block, Scope]:
        scope = scope.later(self.settable(scope))  # its own steps may change what was known before
        if loop.kind is LoopKind.REPEAT:
            return self._repeat(loop, scope, path)
        bound = self.binder(loop.binder, scope) if loop.binder is not None else None
        if loop.binder is None or bound is None:
            unknown = scope if loop.binder is None else scope.bind_name(loop.binder.name, self.error(loop.binder.span))
            self.block(loop.body, unknown, path)
            return (), scope
        cell, source, start = bound
        inner = scope.bind_name(loop.binder.name, cell)
        where = self.condition(loop.where, inner, "`where`") if loop.where is not None else None
        if loop.kind is LoopKind.TOGETHER:
            body, after = self.block(loop.body, inner, path)
            operation: Operation = ir.Together(cell, source, body, start, where, span=loop.span)
            return (operation,), after
        while_ = self.condition(loop.while_, inner, "`while`") if loop.while_ is not None else None
        rounds = self._amount(loop.rounds, scope, "`rounds`") if loop.rounds is not None else None
        body, after = self.block(loop.body, inner, path)
        operation = ir.Each(cell, source, body, start, where, while_, rounds, span=loop.span)
        return (operation,), after

    def binder(self, binder: Binder, scope: Scope) -> tuple[Cell, Term, Term | None] | None:
        """The cell, the members and the first of them; None after a report."""
        if binder.source is None:
            of = self.names.named_type(binder.name)
            if of is None and binder.start is not None:
                of = Seat()  # only players sit in a round, so only of them can one be the first
            if of is None:
                known = self.names.type_names()
                self.names.report(
                    "E0310",
                    binder.span,
                    f"'{binder.name}' is no type, so nothing says what to go over",
                    nearest(binder.name, known) or f"write `{binder.name} in SET`",
                )
                return None
            source: Term | None = ir.AllOf(type=SetOf(of), span=binder.span)
        else:
            term = self.expression(binder.source, scope)
            if isinstance(term.type, Range):
                term = ir.Prim(ir.Op.RANGE_ROW, (term,), type=RowOf(Number(term.type.of.scale)), span=term.span)
            if isinstance(term.type, Unknown):
                return None
            source = members_of(term)
            if source is None:
                self.names.report(
                    "E0403",
                    binder.source.span,
                    f"a loop needs a set, a list or a zone, but this is {a(term.type)}",
                    None,
                )
                return None
        assert source is not None and isinstance(source.type, SetOf | RowOf | ListOf)
        of = source.type.of
        start = None
        if binder.start is not None:
            if isinstance(of, Seat):
                start = self.wanted(binder.start, scope, of, "`from`", none_is_error=True)
            else:
                self.names.report(
                    "E0419",
                    binder.start.span,
                    f"`from` is the player to begin with, but this goes over {several(of)}",
                    "leave `from` out",
                )
        return self.new_cell(scope, binder.name, of), source, start

    def new_cell(self, scope: Scope, name: str, of: Type) -> Cell:
        """A cell for a name: one that had the same name and type before, if that one isn't in use here."""
        frame = scope.frame
        assert frame.cells is not None
        in_use = {term.id for term in scope.names.values() if isinstance(term, Cell)}
        for cell in frame.cells:
            if cell.name == name and cell.type == of and cell.id not in in_use:
                return cell
        return frame.cell(name, of)

    def _amount(self, expr: Expr, scope: Scope, what: str) -> Term:
        term = self.expression(expr, scope, Number())
        if isinstance(term.type, Range) and isinstance(term, ir.MakeTuple):
            return term.parts[1]
        fitted = fit(term, Number())
        return fitted if fitted is not None else self.wanted(expr, scope, Number(), what)

    def _repeat(self, loop: LoopDoc, scope: Scope, path: str) -> tuple[Block, Scope]:
        if loop.at_most is None and loop.times is None:
            self.names.report(
                "E0520",
                loop.span,
                "nothing bounds this loop",
                "add `at_most: NUMBER`, a net that play never reaches, or `times:`",
            )
        for bound in (loop.at_most, loop.times):
            if isinstance(bound, NumberLiteral) and bound.value > MOST_TURNS:
                self.names.report(
                    "E0520", bound.span, f"a loop can go round at most {MOST_TURNS} times", "write a smaller number"
                )
        while_ = self.condition(loop.while_, scope, "`while`") if loop.while_ is not None else None
        times = self._amount(loop.times, scope, "`times`") if loop.times is not None else None
        at_most = self._amount(loop.at_most, scope, "`at_most`") if loop.at_most is not None else None
        body, after = self.block(loop.body, scope, path)
        until = self.condition(loop.until, after, "`until`") if loop.until is not None else None
        return (ir.Repeat(body, until, while_, times, at_most, span=loop.span),), after

    # ── phases ───────────────────────────────────────────────────────────────────────────────────────────────────

    def _phase(self, phase: PhaseDoc, scope: Scope, path: str) -> tuple[Block, Scope]:
        name = phase.name.name
        path = phase_path(path, name)
        changes = [change for change, _ in self.anchors.changes.get(path, [])]
        if any(isinstance(c.body, doc.PhaseBody) and c.body.remove and c.when is None for c in changes):
            return (), scope
        forms = forms_of(phase, changes)
        block = self._in_forms(forms, changes, path, scope, lambda chosen: self._phase_as(phase, chosen, scope, path))
        return block, scope

    def _in_forms(
        self,
        forms: Sequence[Form],
        changes: list[ChangeDoc],
        path: str,
        scope: Scope,
        made: Callable[[list[ChangeDoc]], Block],
    ) -> Block:
        """A place in all its forms, as many as are bearable."""
        if not forms:
            return made(changes)

        def counted(chosen: list[ChangeDoc]) -> Block:
            number = self.anchors.forms[path] = self.anchors.forms.get(path, 0) + 1
            if number == MOST_FORMS + 1:
                self.names.report(
                    "E0922",
                    forms[0].span,
                    f"the guards on what changes '{path}' make more than {MOST_FORMS} forms of it",
                    "let fewer modifiers change its parts or steps, or change a rule or a condition that it asks",
                )
            return made(chosen) if number <= MOST_FORMS else ()

        return in_forms(forms, changes, counted, lambda guard: self.condition(guard, scope, "`when`"))

    def _phase_as(self, phase: PhaseDoc, changes: list[ChangeDoc], scope: Scope, path: str) -> Block:
        """A phase in one of its forms."""
        name = phase.name.name
        when = self.condition(phase.when, scope, "`when`") if phase.when is not None else None
        for change in changes:
            if isinstance(change.body, doc.PhaseBody) and change.body.when is not None:
                when = self._condition_over(change, change.body.when, scope, when)
        for change in changes:
            if isinstance(change.body, doc.PhaseBody) and change.body.remove and change.when is not None:
                stays = self.condition(Not(change.when, span=change.when.span), scope, "`when`")
                both = when is not None and ir.Prim(ir.Op.AND, (stays, when), type=YesNo(), span=change.span)
                when = both or stays
        loop, do = changed_loop(phase, changes, self.names)
        scope.frame.places.append(name)
        scope = scope.later(self.settable(scope))
        handlers = self.handlers(path, ir.Point.BEFORE, scope) + self.handlers(path, ir.Point.INSTEAD, scope)
        if loop is not None:
            body, after = self._loop(loop, scope, path)
        else:
            body, after = self.block(do, scope, path)
        handlers += self.handlers(path, ir.Point.AFTER, after)
        scope.frame.places.pop()
        resets = tuple(self.anchors.resets.get(path, ()))
        return (ir.Phase(name, path, body, when, resets, handlers, span=phase.span),)

    def _condition_over(self, change: ChangeDoc, expr: Expr, scope: Scope, beneath: Term | None) -> Term:
        """A condition of a change; `proceed` in it is what the game says, or true."""
        given = self.condition(expr, replace(scope, proceed=YesNo()), "the condition")
        beneath = beneath if beneath is not None else ir.Const(1, type=YesNo())
        given = with_proceed(given, beneath)
        if change.when is None:
            return given
        return ir.If(self.condition(change.when, scope, "`when`"), given, beneath, type=YesNo(), span=change.span)

    def handlers(self, anchor: str, point: ir.Point, scope: Scope) -> tuple[ir.Handler, ...]:
        """What is attached at one point of a phase, procedure or decision."""
        found: list[ir.Handler] = []
        for at, change, origin in self.anchors.handlers.get(anchor, []):
            if at is not point or not isinstance(change.body, StepsBody):
                continue
            guard = self.condition(change.when, scope, "`when`") if change.when is not None else None
            inside = replace(scope, proceed=None)
            inside.frame.places.append("proceed" if point is ir.Point.INSTEAD else "")
            body, _ = self.block(change.body.steps, inside, f"{anchor}/{point}")
            inside.frame.places.pop()
            found.append(ir.Handler(point, body, ir.Origin(origin.name, change.target.span), guard))
        return tuple(found)

    # ── decisions and windows ────────────────────────────────────────────────────────────────────────────────────

    def _decision(self, step: DecisionDoc, scope: Scope, path: str, rest: tuple[StepDoc, ...]) -> tuple[Block, Scope]:
        name = decision_name(step, path)
        step = in_ways(step, rest, self.names, self._kept_parts())
        own = f"{path}/{name}"
        before = self.handlers(own, ir.Point.BEFORE, scope) + self.handlers(own, ir.Point.INSTEAD, scope)
        by, deciding = self.decider(step, scope)
        scope = scope.later(self.settable(scope))
        changes = [change for change, _ in self.anchors.changes.get(own, [])]
        found: list[Scope] = []
        forms = forms_of_decision(changes)
        shaping = [change.body for form in forms for change in form.changes]

        def made(chosen: list[ChangeDoc]) -> Block:
            # What a part would be called is known in the other forms too: steps that ask for it stand under the guard.
            others = [body for body in shaping if not any(body is change.body for change in chosen)]
            names = {part.name for body in others if isinstance(body, doc.DecisionBody) for part in body.add}
            known = {name: cell for after in found for name, cell in after.names.items() if name in names}
            operation, after = self._decision_as(step, chosen, scope.bind(**known), deciding, by, before, path, rest)
            found.append(after)
            return operation

        block = self._in_forms(forms, changes, own, scope, made)
        return block, scope.in_common(found) if len(found) > 1 else found[0]

    def _decision_as(
        self,
        step: DecisionDoc,
        changes: list[ChangeDoc],
        scope: Scope,
        deciding: Scope,
        by: Term,
        before: tuple[ir.Handler, ...],
        path: str,
        rest: tuple[StepDoc, ...],
    ) -> tuple[Block, Scope]:
        """A decision in one of its forms."""
        name = decision_name(step, path)
        own = f"{path}/{name}"
        after = scope
        if step.either:
            for change in changes:
                self._not_there(change)
            alternatives, after = self._alternatives(step, scope, deciding, path)
        else:
            alternative, answered = self.alternative(step, deciding, scope, changes)
            if step.then is not None:
                body, _ = self.block(step.then, answered, path)
            else:
                body, after = self.block(rest, answered, path)
            alternatives = (replace(alternative, body=body),)
        otherwise, _ = self.block(step.otherwise or (), scope, path)
        handlers = before + self.handlers(own, ir.Point.AFTER, after)
        ask = ir.Ask(
            name, own, by, alternatives, step.optional, step.otherwise is not None, otherwise, handlers, span=step.span
        )
        return (ask,), after

    def _alternatives(
        self, step: DecisionDoc, scope: Scope, deciding: Scope, path: str
    ) -> tuple[tuple[ir.Alternative, ...], Scope]:
        found: list[ir.Alternative] = []
        scopes: list[Scope] = []
        for alternative in step.either:
            as_decision = DecisionDoc(
                alternative.name,
                None,
                alternative.choose,
                (),
                alternative.under,
                alternative.where,
                span=alternative.span,
            )
            made, answered = self.alternative(as_decision, deciding, scope, [])
            body, after = self.block(alternative.do, answered, path)
            act = alternative.name.name if alternative.name is not None else None
            found.append(replace(made, name=act, body=body, way=alternative.way))
            scopes.append(after)
        return tuple(found), scope.in_common(scopes)

    def _window(self, step: WindowDoc, scope: Scope, path: str) -> Block:
        bound = self.binder(step.ask, scope)
        if bound is None:
            self.block(step.do, scope.bind_name(step.ask.name, self.error(step.ask.span)), path)
            return ()
        cell, source, start = bound
        own = f"{path}/{step.name.name}"
        scope = scope.later(self.settable(scope))
        inner = scope.bind_name(step.ask.name, cell)
        attached = [change for _, change, _ in self.anchors.handlers.get(own, [])]
        for change in (*attached, *(change for change, _ in self.anchors.changes.get(own, []))):
            self._not_there(change)
        decision = DecisionDoc(step.name, None, step.choose, (), step.under, None, True, span=step.span)
        decision = in_ways(decision, step.do, self.names, self._kept_parts())
        deciding = inner.bind(player=cell)
        if decision.either:
            alternatives, answered = self._alternatives(decision, inner, deciding, own)
        else:
            alternative, answered = self.alternative(decision, deciding, inner, [])
            body, _ = self.block(step.do, answered, own)
            alternatives = (replace(alternative, body=body),)
        ask = ir.Ask(step.name.name, own, cell, alternatives, optional=True, span=step.span)
        if start is None:
            start = ir.Prim(ir.Op.FIRST, (source,), type=Seat(), span=step.span)
        closes_if = self.condition(step.closes_if, scope, "`closes`") if step.closes_if is not None else None
        where = self.condition(step.where, inner, "`where`") if step.where is not None else None
        again = (
            self.wanted(step.again, answered, Seat(), "`again`", none_is_error=True) if step.again is not None else None
        )
        at_most = self._amount(step.at_most, scope, "`at_most`") if step.at_most is not None else None
        closing = ir.Closing(step.closes.value)
        return (ir.Window(step.name.name, cell, start, ask, closing, closes_if, where, again, at_most, span=step.span),)

    def _kept_parts(self) -> dict[str, dict[str, Type]]:
        """What is written on cards, of every kind that may ask for parts."""
        return {kind: self.field_types(kind) for kind in self.names.powers}

    def _not_there(self, change: ChangeDoc) -> None:
        self.names.report(
            "E0540",
            change.target.span,
            "changing a window, or a decision that has alternatives, is not there yet",
            "change the procedure that it stands in",
        )


def _only_binds(step: StepDoc) -> bool:
    return isinstance(step, SentenceDoc) and isinstance(step.sentence, Let)
