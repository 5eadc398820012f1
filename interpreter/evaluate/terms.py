"""Terms made ready to run: every term of a program becomes a function of the state.

`Evaluator` compiles terms to closures. Values of bounds lie in registers, one list for the whole evaluator: a rule
never runs inside itself, so each bound has a register of its own and nothing is passed along. What does not change
inside a loop is worked out when it is first needed there and then kept until the loop ends; what depends on nothing but
one member of a small type is looked up in a table. All of this is only about speed: `optimise=False` does without, and
gives the same values.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, assert_never

from rulesdsl.diagnostic import InternalError
from rulesdsl.ir.nodes import (
    AllOf,
    Attribute,
    Bound,
    Call,
    Cell,
    Coalesce,
    Const,
    ErrorTerm,
    FaceOf,
    Field,
    Filter,
    Fold,
    If,
    InForce,
    Legal,
    Legality,
    LetIn,
    LiesIn,
    MakeSet,
    MakeTuple,
    Map,
    Operation,
    OptionValue,
    PlaceCards,
    PlaceOf,
    PlaceUnder,
    PlayField,
    Prim,
    Proceed,
    Program,
    Rank,
    RowCard,
    RowNumber,
    Rule,
    Running,
    Spread,
    Term,
    Var,
    ZoneCards,
)
from rulesdsl.types import NONE, Play, Type, required

from ..state.cells import Closure, State
from ..state.domains import member_of
from . import loops, made, memo, plays, primitives, rankings, readers, spreads, tables
from .analysis import Analyst, rebuilt
from .fold import Simplifier, nothing_of
from .force import in_force
from .locals import Locals
from .operands import Operand, operand
from .switches import switched
from .watching import Watch

if TYPE_CHECKING:
    from ..state.layout import Layout


@dataclass(slots=True)
class Scope:
    """A loop while it is being compiled: the bounds that change in it, and the registers to clear when it starts."""

    bounds: set[int] = field(default_factory=set)
    kept: list[int] = field(default_factory=list)

    def start(self, registers: list[Any]) -> Callable[[], None]:
        """What clears the registers that hold what stays the same during the loop."""
        kept = tuple(self.kept)

        def clear() -> None:
            for register in kept:
                registers[register] = None

        return clear


class Evaluator:
    """Compiles the terms of a program for one number of seats, rules once each and only when they are needed."""

    def __init__(self, program: Program, layout: Layout, *, optimise: bool = True, watch: Watch | None = None) -> None:
        self.program = program
        self.layout = layout
        self.optimise = optimise
        self.watch = watch
        self.registers: list[Any] = [None]
        self._legal = 0
        rules: dict[str, Rule] = {rule.name: rule for rule in program.rules}
        rules.update({rule.id: rule for rule in program.rules})
        self.analyst = Analyst(rules)
        self._rules = rules
        self._simplifier = Simplifier(rules, self.analyst, self._constant, self._stays, simplify=optimise)
        self._register_of: dict[int, int] = {}
        self._type_of: dict[int, Type] = {}
        self._called: dict[str, tuple[tuple[Bound, ...], Closure]] = {}
        self._called_plays: dict[str, Closure | None] = {}
        self._scopes: list[Scope] = []
        self._frame: Mapping[int, int] = {}

    # ── for the machine ──────────────────────────────────────────────────────────────────────────────────────────

    def term(self, term: Term, frame: Mapping[int, int] | None = None) -> Closure:
        """A term as a function of the state. `frame` says where the cells of the running procedure lie in its frame."""
        with self.framed({} if frame is None else frame):
            return self.compile(self.prepared(term))

    def operand(self, term: Term, frame: Mapping[int, int]) -> Operand:
        """The same as an operand."""
        with self.framed(frame):
            return operand(self, self.prepared(term))

    def marked(self, operation: Operation, frame: Mapping[int, int]) -> Callable[[State], None] | None:
        """What a step does for those who look on, before it is done."""
        return None if self.watch is None else self.watch.step(operation, lambda term: self.term(term, frame))

    def function(
        self, term: Term, parameters: Sequence[Bound], frame: Mapping[int, int] | None = None
    ) -> Callable[..., Any]:
        """A term with open bounds as a function of the state and their values."""
        fresh = [self.fresh(parameter) for parameter in parameters]
        with self.framed({} if frame is None else frame):
            body = self.compile(self.prepared(term, dict(zip((p.id for p in parameters), fresh, strict=True))))
        setters = [plays.setter(self, bound) for bound in fresh]

        def function(state: State, *values: Any) -> Any:
            for setter, value in zip(setters, values, strict=True):
                setter(state, value)
            return body(state)

        return function

    def rule(self, name: str) -> Callable[..., Any]:
        """A rule as a function of the state and its arguments."""
        rule = self.declared_rule(name)
        body = rule.body if self.watch is None else Call(rule.id, rule.parameters, type=rule.type)
        return self.function(body, rule.parameters)

    def declared_rule(self, name: str) -> Rule:
        """The rule of an id, or of a name."""
        try:
            return self._rules[name]
        except KeyError:
            raise InternalError(f"the program has no rule {name}") from None

    def legality(self, name: str) -> Legality:
        """The legality of an id, or of a name."""
        for legality in self.program.legalities:
            if legality.id == name:
                return legality
        for legality in self.program.legalities:
            if legality.name == name:
                return legality
        raise InternalError(f"the program has no legality {name}")

    # ── for decisions: terms over candidates ─────────────────────────────────────────────────────────────────────

    def fresh(self, like: Bound | Cell) -> Bound:
        """A new bound, of the type and name of another or of a cell, with a register of its own."""
        bound = self._simplifier.fresh(like)
        self.bind(bound.id, bound.type)
        return bound

    def prepared(
        self, term: Term, names: Mapping[int, Term | int] | None = None, cells: Mapping[int, Term] | None = None
    ) -> Term:
        """A term in its simplest form, with terms put in for bounds and cells."""
        if isinstance(self._frame, Locals):
            cells = {**self._frame.bounds, **(cells or {})}
        return self._simplifier.term(term, names or {}, cells)

    @contextmanager
    def framed(self, frame: Mapping[int, int]) -> Iterator[None]:
        """All that is compiled inside finds the cells of the running procedure by `frame`."""
        outer = self._frame
        self._frame = frame
        try:
            yield
        finally:
            self._frame = outer

    @contextmanager
    def loop(self, bounds: Iterable[int]) -> Iterator[Scope]:
        """All that is compiled inside runs in a loop that changes `bounds`; the loop begins by `Scope.start`."""
        scope = Scope(set(bounds))
        self._scopes.append(scope)
        try:
            yield scope
        finally:
            self._scopes.pop()

    @contextmanager
    def apart(self) -> Iterator[None]:
        """What is compiled inside may run at any time, in any loop or none."""
        outer = self._scopes
        self._scopes = []
        try:
            yield
        finally:
            self._scopes = outer

    def is_pure(self, term: Term, parts: Sequence[Term]) -> bool:
        """Whether a term looks at the state only through its parts; others stand in their places here."""
        return self.analyst.facts(rebuilt(term, parts)).static

    # ── registers ────────────────────────────────────────────────────────────────────────────────────────────────

    def new_register(self) -> int:
        """A register that nobody else uses."""
        self.registers.append(None)
        return len(self.registers) - 1

    def bind(self, bound: int, of: Type) -> int:
        """The register of a bound; one of a play holds the play itself, all others the value."""
        if bound not in self._register_of:
            self._register_of[bound] = self.new_register()
            self._type_of[bound] = of
        if self._scopes:
            self._scopes[-1].bounds.add(bound)
        return self._register_of[bound]

    def register(self, bound: Bound | int) -> int:
        """The register of a bound that something binds."""
        number = bound if isinstance(bound, int) else bound.id
        try:
            return self._register_of[number]
        except KeyError:
            raise InternalError(f"nothing binds {bound}") from None

    def type_of(self, bound: int) -> Type | None:
        """The type of a bound, as its binder gives it; None if nothing binds it."""
        return self._type_of.get(bound)

    @property
    def legal_register(self) -> int:
        """The register that holds every answer that is left, while narrows are asked."""
        return self._legal

    def offset(self, cell: Cell) -> int:
        """Where a cell lies in the frame of the running procedure."""
        try:
            return self._frame[cell.id]
        except KeyError:
            raise InternalError(f"the cell {cell.name} is not in the frame") from None

    # ── compiling ────────────────────────────────────────────────────────────────────────────────────────────────

    def compile(self, term: Term) -> Closure:
        """A term as a function of the state, inside of what is being compiled."""
        if self.watch is not None:
            return self.watch.term(term, lambda: self.plain(term))
        if isinstance(term, Const):
            value = term.value
            return lambda S: value
        if self.optimise:
            table = tables.tabulated(self, term)
            if table is not None:
                return table
            level = self._level(term)
            if level < len(self._scopes):
                return self._kept(term, level)
        return self.plain(term)

    def first_play(self, ranking: Rank) -> Callable[[State], plays.PlayTuple | None]:
        """The first of the best plays."""
        return rankings.first_ranked_play(self, ranking)

    def plays(self, term: Term) -> Callable[[State], Sequence[plays.PlayTuple]]:
        """The plays themselves that a row of plays consists of."""
        if self.optimise:
            match term:
                case ZoneCards():
                    return plays.contents(self, term)
                case Filter():
                    return loops.filtered_plays(self, term)
                case Rank():
                    return rankings.ranked_plays(self, term)
                case _:
                    pass
        return plays.found(self, term)

    def _level(self, term: Term) -> int:
        """The outermost loop in which a term stays the same; the number of loops if it changes in the innermost."""
        level = len(self._scopes)
        facts = self.analyst.facts(term)
        if facts.size >= 3 or isinstance(term, Call):
            while level and facts.free.isdisjoint(self._scopes[level - 1].bounds):
                level -= 1
        return level

    def _kept(self, term: Term, level: int) -> Closure:
        """A term that is worked out once in a loop, when it is first needed."""
        scopes = self._scopes
        self._scopes = scopes[:level]
        body = self.compile(term)
        self._scopes = scopes
        register = self.new_register()
        scopes[level].kept.append(register)
        R = self.registers

        def kept(S: State) -> Any:
            value = R[register]
            if value is None:
                value = R[register] = body(S)
            return value

        return kept

    def _stays(self, body: Term) -> bool:
        """Whether a rule without parameters is better called, so that all who ask share its last value."""
        return memo.worth_keeping(self, body)

    def _constant(self, term: Term) -> Any:
        """The value of a term that depends on nothing."""
        with self.apart():
            return self.plain(term)([])

    def plain(self, term: Term) -> Closure:
        """A term as a function of the state, worked out anew each time."""
        match term:
            case Const(value=value):
                return lambda S: value
            case OptionValue(name=name):
                setting = self.layout.options[name]
                return lambda S: setting
            case AllOf():
                everything = (1 << self.layout.size_of(member_of(term.type))) - 1
                return lambda S: everything
            case FaceOf(kind=kind, attributes=attributes):
                face = self.layout.packs[kind].face_set(attributes)
                return lambda S: face
            case Bound():
                return plays.bound(self, term)
            case Cell() | Running():
                return plays.checked(self, term, readers.cell(self, term))
            case Var():
                return readers.variable(self, term)
            case Field():
                return readers.card_field(self, term)
            case Attribute():
                return readers.attribute(self, term)
            case PlayField():
                return plays.play_field(self, term)
            case ZoneCards():
                return plays.zone_cards(self, term)
            case PlaceOf() | PlaceUnder():
                return readers.place(self, term)
            case PlaceCards():
                return readers.place_cards(self, term)
            case Call():
                return self._call(term)
            case If():
                return self._if(term)
            case Coalesce():
                return self._coalesce(term)
            case Spread():
                return spreads.spread(self, term)
            case LetIn(id=bound, value=value_term, body=inner):
                bind = self._binding(bound, value_term)
                body = self.compile(inner)

                def let(S: State) -> Any:
                    bind(S)
                    return body(S)

                return let
            case Prim():
                return primitives.primitive(self, term)
            case Filter():
                return loops.filtered(self, term)
            case Map():
                return loops.mapped(self, term)
            case Fold():
                return loops.folded(self, term)
            case Rank():
                return rankings.ranked(self, term)
            case MakeTuple():
                return made.made_tuple(self, term)
            case MakeSet():
                return made.made_set(self, term)
            case Legal():
                register, R = self._legal, self.registers
                return lambda S: R[register]
            case InForce(modifier=modifier):
                return in_force(self, modifier)
            case RowCard():
                card = self.layout.packs[term.kind].card_of_row(term.row, term.copy)
                return lambda S: card
            case RowNumber():
                return readers.row_number(self, term)
            case LiesIn():
                return readers.lies_in(self, term)
            case Proceed() | ErrorTerm():
                raise InternalError(f"a checked program holds no {type(term).__name__}")
            case _:
                assert_never(term)

    # ── choices, names, calls ────────────────────────────────────────────────────────────────────────────────────

    def _if(self, term: If) -> Closure:
        if self.optimise and (switch := switched(self, term)) is not None:
            return switch
        condition, then, otherwise = self.compile(term.condition), self.compile(term.then), self.compile(term.otherwise)
        return lambda S: then(S) if condition(S) else otherwise(S)

    def _coalesce(self, term: Coalesce) -> Closure:
        first, second = self.compile(term.first), self.compile(term.second)
        nothing = nothing_of(term.first.type)

        def coalesced(S: State) -> Any:
            value = first(S)
            return second(S) if value == nothing else value

        return coalesced

    def _binding(self, bound: int, value: Term) -> Callable[[State], Any]:
        """What sets the register of a bound to a value, and answers what it put there."""
        register = self.bind(bound, value.type)
        R = self.registers
        if isinstance(required(value.type), Play):
            play = plays.play_of(self, value)

            def bind_play(S: State) -> Any:
                found = R[register] = play(S)
                return NONE if found is None else found

            return bind_play
        worth = self.compile(value)

        def bind(S: State) -> Any:
            found = R[register] = worth(S)
            return found

        return bind

    def _body(self, name: str) -> tuple[tuple[Bound, ...], Closure]:
        """The parameters of a rule and its body, compiled once."""
        if name not in self._called:
            parameters, term = self._simplifier.rule(name)
            with self.apart(), self.framed({}):
                for parameter in parameters:
                    self.bind(parameter.id, parameter.type)
                body = self.compile(term)
                if not parameters and self.optimise and memo.worth_keeping(self, term):
                    body = memo.kept(memo.cells_of(self, term), body)
                if self.watch is not None:
                    rule = replace(self.declared_rule(name), parameters=parameters)
                    body = self.watch.rule(rule, body, self.compile)
            self._called[name] = (parameters, body)
        return self._called[name]

    def play_of_rule(self, term: Call) -> Closure | None:
        """The play itself that a rule without parameters gives, if its last value is kept."""
        if term.rule not in self._called_plays:
            parameters, body = self._simplifier.rule(term.rule)
            kept = None
            if not parameters and self.optimise and memo.worth_keeping(self, body):
                with self.apart(), self.framed({}):
                    kept = memo.kept(memo.cells_of(self, body), plays.play_of(self, body))
            self._called_plays[term.rule] = kept
        return self._called_plays[term.rule]

    def _call(self, term: Call) -> Closure:
        parameters, body = self._body(term.rule)
        R = self.registers
        worths = [
            plays.play_of(self, argument) if isinstance(required(parameter.type), Play) else self.compile(argument)
            for parameter, argument in zip(parameters, term.arguments, strict=True)
        ]
        registers = [self._register_of[parameter.id] for parameter in parameters]
        match worths:
            case []:
                return body
            case [only]:
                (register,) = registers

                def call_one(S: State) -> Any:
                    R[register] = only(S)
                    return body(S)

                return call_one
            case _:

                def call(S: State) -> Any:
                    # All are worked out before any is set: an argument may call the same rule.
                    values = [worth(S) for worth in worths]
                    for register, value in zip(registers, values, strict=True):
                        R[register] = value
                    return body(S)

                return call
