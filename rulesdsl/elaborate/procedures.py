"""Procedures: what they are given and keep, what they do, and runs of them."""

from __future__ import annotations

from ..ir import nodes as ir
from ..ir.nodes import Block, Cell, Term
from ..source import Span
from ..syntax.expr import Expr
from ..types import Seat, Type
from .names import ProcedureEntry, nearest
from .scope import Frame, Scope
from .steps import StepChecker
from .wording import counted

_VERBS = ("add", "announce", "do", "draw", "end", "let", "move", "play", "roll", "set", "show", "shuffle", "swap")
MOST_RUNNING = 20


class ProcedureChecker(StepChecker):
    """Works out procedures, each when somebody first runs it."""

    _running: int = 0

    def procedure(self, entry: ProcedureEntry) -> ir.Procedure | None:
        """The procedure, worked out if it was not yet; None while it is being worked out."""
        if entry.procedure is None and not entry.working:
            if self._running > MOST_RUNNING:
                self.names.report(
                    "E0521",
                    entry.doc.span,
                    f"this belongs to a circle of more than {MOST_RUNNING} procedures that run one another",
                    "make the circle smaller",
                )
                return None
            entry.working = True
            self._running += 1
            there = [other for other in self.names.procedures.values() if other.procedure is not None]
            entry.procedure = self._procedure(entry)
            if entry.is_recursive and entry.procedure.acting and not entry.takes_player:
                # Runs of it inside of itself were made without the acting player: once more, with.
                entry.takes_player = True
                for other in self.names.procedures.values():
                    other.procedure = other.procedure if other in there else None
                entry.procedure = self._procedure(entry)
            self._running -= 1
            entry.working = False
        return entry.procedure

    def _procedure(self, entry: ProcedureEntry) -> ir.Procedure:
        signature = entry.doc.signature
        frame = Frame(signature.name, cells=[])
        self.different_parameters(signature.parameters)
        scope, state = self._opened(entry, frame)
        entry.state = {own.name: cell for own in entry.doc.state if isinstance(cell := scope.names[own.name], Cell)}
        anchor = f"{signature.name}()"
        handlers = self.handlers(anchor, ir.Point.BEFORE, scope) + self.handlers(anchor, ir.Point.INSTEAD, scope)
        body, after = self.block(entry.doc.do, scope, anchor)
        handlers += self.handlers(anchor, ir.Point.AFTER, after)
        depth = entry.doc.depth or 1
        cells = frame.cells or []
        acting = frame.acting is not None or entry.takes_player
        if acting:
            cells = [frame.acting or Cell(-1, "player", type=Seat()), *cells]
        return ir.Procedure(
            signature.name,
            tuple(cells),
            len(signature.parameters) + acting,
            body,
            acting,
            depth,
            tuple(state),
            tuple(self.anchors.resets.get(anchor, ())),
            handlers,
            entry.origin,
        )

    def _opened(self, entry: ProcedureEntry, frame: Frame) -> tuple[Scope, list[tuple[int, Term]]]:
        """The names with which a procedure begins, and what its states begin with."""
        parameters = entry.doc.signature.parameters
        typed = zip(parameters, self._types_of(entry), strict=True)
        scope = Scope(frame, {one.name: frame.cell(one.name, of) for one, of in typed})
        state: list[tuple[int, Term]] = []
        for own in entry.doc.state:
            if any(own.name == one.name for one in parameters):
                self.names.report(
                    "E0309", own.span, f"there is a parameter '{own.name}' already", "give the state another name"
                )
            of, start = self.kept(own, scope)
            cell = frame.cell(own.name, of)
            state.append((cell.id, start))
            scope = scope.bind_name(own.name, cell)
        return scope, state

    def cells_of(self, entry: ProcedureEntry) -> dict[str, Cell]:
        """The parameters and states of a procedure, by name."""
        scope, _ = self._opened(entry, Frame(entry.doc.signature.name, cells=[]))
        return {name: cell for name, cell in scope.names.items() if isinstance(cell, Cell)}

    def _types_of(self, entry: ProcedureEntry) -> tuple[Type, ...]:
        if entry.given is not None:
            return entry.given
        return tuple(self.parameter_type(parameter) for parameter in entry.doc.signature.parameters)

    def run(self, name: str, arguments: tuple[Expr, ...], scope: Scope, span: Span) -> Block:
        """A procedure as a step."""
        if name == "proceed":
            if "proceed" not in scope.frame.places:
                self.names.report(
                    "E0538",
                    span,
                    "`proceed` runs what is replaced, and nothing is replaced here",
                    "it is a step under `instead of NAME:`",
                )
                return ()
            return (ir.ProceedStep(tuple(self.expression(a, scope) for a in arguments), span=span),)
        entry = self.names.procedures.get(name)
        if entry is None:
            known = [*self.names.procedures, *_VERBS]
            help = f"'{name}' is a rule: it gives a value, and does nothing" if name in self.names.rules else None
            self.names.report("E0317", span, f"there is no procedure '{name}'", help or nearest(name, known))
            return ()
        procedure = self.procedure(entry)
        parameters = entry.doc.signature.parameters
        if len(arguments) != len(parameters):
            head = entry.doc.signature.span.text
            self.names.report(
                "E0407",
                span,
                f"'{name}' takes {counted(len(parameters), 'argument')}, but this gives it {len(arguments)}",
                f"it is declared as `{head}`",
            )
            return ()
        terms = [
            self.wanted(argument, scope, of, f"'{parameter.name}' of '{name}'", none_is_error=True)
            for argument, parameter, of in zip(arguments, parameters, self._types_of(entry), strict=True)
        ]
        if procedure is None:
            entry.is_recursive = True
        acting = procedure.acting if procedure is not None else entry.takes_player
        if acting:
            player = scope.player()
            if player is None:
                self.names.report(
                    "E0305",
                    span,
                    f"'{name}' is done by a player, and no player is bound here",
                    "put it under `each: player`, or pass the player as an argument",
                )
                return ()
            terms.insert(0, player)
        return (ir.RunProcedure(name, tuple(terms), span=span),)
