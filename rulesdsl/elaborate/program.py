"""The last stage of the front end: from declarations laid over one another to a program.

Takes: the layers of a program (libraries, game, modifiers), lowest first.
Makes: a `Program`, every name resolved, every term typed.
Refuses: whatever does not resolve or fit; all of it is reported in one run.
Afterwards true: if nothing was reported as an error, a machine can run the program.
"""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

from ..diagnostic import Diagnostics
from ..ir import nodes as ir
from ..ir.nodes import Const, Keeping, Origin, Program, Term
from ..ir.walk import terms_of
from ..source import Span
from ..syntax.document import (
    ChangeDoc,
    Declarations,
    GameDoc,
    LegalityBody,
    LibraryDoc,
    ModifierDoc,
    PhaseDoc,
    PlayersDoc,
    RuleDoc,
    StateDoc,
    TeamsDoc,
)
from ..syntax.expr import Expr, Parameter, Signature
from ..types import (
    NONE,
    Card,
    ListOf,
    NoValue,
    Number,
    Optional,
    Play,
    RowOf,
    Seat,
    SetOf,
    Team,
    Type,
    Unknown,
    YesNo,
    optional,
)
from .anchors import AnchorFinder
from .bounds import check_bounds, check_use
from .declare import Declarer, Layer, constant_range
from .lockstep import check_lockstep
from .names import Names, is_finite, nearest
from .scope import Frame, Scope
from .sight import check_sight
from .steps import StepChecker
from .substitute import has_proceed, with_proceed


class ProgramChecker(StepChecker):
    """Works out a whole program; the classes above it each do one part."""

    def __init__(self, names: Names) -> None:
        super().__init__()
        self.names = names

    # ── what the classes above ask for ───────────────────────────────────────────────────────────────────────────

    def variable(self, name: str) -> ir.Variable:
        """A declared state."""
        entry = self.names.states[name]
        if entry.variable is None:
            doc = entry.doc
            scope = Scope(Frame(name))
            of, start = self.kept(doc, scope)
            each: list[Type] = []
            for dimension in doc.each:
                found = self.names.named_type(dimension.name)
                if found is None or not is_finite(found):
                    self.names.report(
                        "E0310",
                        dimension.span,
                        f"there is no type '{dimension.name}' to keep one for each of",
                        nearest(dimension.name, self.names.type_names()),
                    )
                elif isinstance(found, Team) and not self.names.has_teams:
                    self.names.report("E0318", dimension.span, "this game has no teams", "declare `teams:`")
                else:
                    each.append(found)
            value = self._constant(start, doc)
            entry.variable = ir.Variable(Keeping(name, of, value, doc.at_most or 200), tuple(each), entry.origin)
        return entry.variable

    def kept(self, doc: StateDoc, scope: Scope) -> tuple[Type, Term]:
        """The type of a state and what it begins with."""
        declared = self.type_of(doc.type) if doc.type is not None else None
        if doc.start is None:
            of = declared if declared is not None else Number()
            return self._blank(of, doc)
        start = self.expression(doc.start, scope, declared)
        if declared is not None:
            return declared, self.wanted(doc.start, scope, declared, f"'{doc.name}'")
        of = Number(start.type.scale) if isinstance(start.type, Number) else start.type
        if isinstance(of, NoValue):
            self.names.report("E0424", doc.start.span, "`none` alone does not say what is kept", "add `type:`")
            return Unknown(), self.error(doc.start.span)
        return of, replace(start, type=of)

    def _blank(self, of: Type, doc: StateDoc) -> tuple[Type, Term]:
        match of:
            case Number() | YesNo() | SetOf():
                return of, Const(0, type=of)
            case ListOf() | RowOf():
                return of, Const((), type=of)
            case Play():
                self.names.report(
                    "E0408",
                    doc.span,
                    "a play can't be kept: it ends when its cards leave",
                    "keep its player or its card",
                )
                return of, Const(NONE, type=of)
            case _:
                wide = optional(of)
                return wide, Const(NONE, type=wide)

    def _constant(self, term: Term, doc: StateDoc) -> ir.Value:
        match term:
            case Const():
                return term.value
            case ir.Prim(op=ir.Op.NEGATE, arguments=(Const(value=int() as value),)):
                return -value
            case ir.Prim(op=ir.Op.SINGLETON, arguments=(Const(value=int() as value),)):
                return 0 if value == NONE else 1 << value
            case ir.MakeTuple() | ir.MakeSet() if all(isinstance(part, Const) for part in term.parts):
                values = tuple(part.value for part in term.parts if isinstance(part, Const))
                if isinstance(term, ir.MakeSet):
                    return sum({1 << value for value in values if isinstance(value, int)})
                return values
            case _:
                if not isinstance(term.type, Unknown) and doc.start is not None:
                    self.names.report(
                        "E0423", doc.start.span, "a state begins with a constant", "set it in a step at the beginning"
                    )
                return 0

    def settable(self, scope: Scope) -> set[int]:
        """The ids of the cells that are states of the running procedure."""
        entry = self.names.procedures.get(scope.frame.name)
        return {cell.id for cell in entry.state.values()} if entry is not None else set()

    def phase_names(self) -> list[str]:
        """The names of all phases of the game."""
        return ["match", *(path.rpartition("/")[2] for path in self.anchors.phases)]

    def printed(self, kind: str) -> dict[str, Type]:
        """The printed attributes of a kind."""
        if kind not in self._printed_types:
            doc = self.names.kinds[kind].doc
            found: dict[str, Type] = {}
            for name, domain in doc.every:
                if domain is not None:
                    bounds = constant_range(domain)
                    found[name.name] = Number(1, Fraction(bounds[0]), Fraction(bounds[1])) if bounds else Number()
                    if bounds is None:
                        self.names.report(
                            "E0426",
                            domain.span,
                            "the numbers on cards are a range of plain numbers",
                            "write `10 to 59`",
                        )
                    continue
                of = self.names.types.get(name.name)
                if of is None:
                    self.names.report(
                        "E0310",
                        name.span,
                        f"there is no type '{name.name}'",
                        nearest(name.name, list(self.names.types)),
                    )
                    of = Unknown()
                found[name.name] = of
            for printed in doc.printed:
                found[printed.name] = self.type_of(printed.type) if printed.type is not None else Number()
            self._printed_types[kind] = found
        return self._printed_types[kind]

    def printed_each(self, kind: str, name: str) -> Type | None:
        """Of what type an attribute needs a member beside the card, if it does."""
        for printed in self.names.kinds[kind].doc.printed:
            if printed.name == name and printed.each is not None:
                return self.names.types.get(printed.each.name)
        return None

    def field_types(self, kind: str) -> dict[str, Type]:
        """The fields written on cards of a kind."""
        return {own.name: self._blank_type(self.type_of(own.type)) for own in self.names.kinds[kind].doc.fields}

    def play_field_types(self, zone: str) -> dict[str, Type]:
        """The fields of plays in a zone."""
        kind = self.names.zone_kind(zone)
        fields = {own.name: self._blank_type(self.type_of(own.type)) for own in self.names.zones[zone].doc.fields}
        return {"player": Seat(), "cards": SetOf(Card(kind)), **fields}

    def _blank_type(self, of: Type) -> Type:
        return of if isinstance(of, Number | YesNo | SetOf | ListOf | RowOf) else optional(of)

    # ── the program ──────────────────────────────────────────────────────────────────────────────────────────────

    def program(
        self, game: GameDoc, modifiers: tuple[ModifierDoc, ...], players: PlayersDoc, teams: TeamsDoc | None
    ) -> Program:
        """Everything worked out, in the order of the files."""
        self._printed_types: dict[str, dict[str, Type]] = {}
        self.anchors = AnchorFinder(self.names).find(game.phases)
        kinds = tuple(self._kind(name) for name in self.names.kinds)
        zones = tuple(zone for name in self.names.zones if (zone := self._zone(name)) is not None)
        variables = tuple(self.variable(name) for name in self.names.states)
        main = self._main(game)
        procedures = tuple(p for entry in self.names.procedures.values() if (p := self.procedure(entry)) is not None)
        self._finish_rules()
        winners = self._rule_id("winners")
        scores = self._rule_id("scores")
        return Program(
            name=game.name.name,
            title=game.title or game.name.name,
            players=(players.low, players.high),
            teams=ir.Teams(teams.name, teams.opposite, teams.seats) if teams is not None else None,
            options=tuple(self.names.options.values()),
            types=tuple(self.names.types.values()),
            kinds=kinds,
            zones=zones,
            variables=variables,
            rules=tuple(
                entry.rule for entries in self.names.rules.values() for entry in entries if entry.rule is not None
            ),
            legalities=tuple(
                entry.legality
                for entries in self.names.rules.values()
                for entry in entries
                if entry.legality is not None
            ),
            procedures=procedures,
            main=main,
            scores=scores,
            winners=winners or "winners",
            texts=tuple(self.names.texts),
            modifiers=tuple(modifier.name.name for modifier in modifiers),
        )

    def _rule_id(self, name: str) -> str | None:
        entries = self.names.rules.get(name)
        return entries[0].id if entries else None

    def _finish_rules(self) -> None:
        """Rules that nothing uses are checked as well."""
        for entries in list(self.names.rules.values()):
            for entry in entries:
                if isinstance(entry.doc.body, LegalityBody):
                    self.legality(entry.doc.signature.name, entry.doc.span)
                else:
                    self.rule(entry, entry.doc.span)

    def _main(self, game: GameDoc) -> ir.Procedure:
        frame = Frame("match", cells=[])
        scope = Scope(frame)
        steps = game.phases
        if not any(isinstance(step, PhaseDoc) and step.name.name == "match" for step in steps):
            whole = PhaseDoc(replace(game.name, name="match"), do=steps, span=game.span)
            steps = (whole,)
        body, _ = self.block(steps, scope, "match")
        return ir.Procedure("match", tuple(frame.cells or ()), 0, body, origin=Origin(game.name.name, game.span))

    # ── kinds and zones ──────────────────────────────────────────────────────────────────────────────────────────

    def _kind(self, name: str) -> ir.Kind:
        entry = self.names.kinds[name]
        doc = entry.doc
        if doc.every_modifier:
            self.names.report(
                "E0540", doc.span, "cards made from modifiers are not there yet", "list the modifiers with `--with`"
            )
        printed = tuple(
            ir.PrintedAttribute(attribute, of, self.printed_each(name, attribute))
            for attribute, of in self.printed(name).items()
        )
        frame = Frame(name)
        copies = self.wanted(doc.copies, Scope(frame), Number(), "`copies`") if doc.copies is not None else None
        generator = None
        if doc.every:
            domains = tuple((attribute.name, self._domain(name, attribute.name)) for attribute, _ in doc.every)
            bound = frame.bound("it", Card(name))
            where: Term | None = None
            for expr, _ in entry.wheres:
                scope = Scope(frame, {"it": bound}, proceed=YesNo())
                where = self._over_where(expr, scope, where)
            if where is not None:
                self._only_printed(where, doc.where.span if doc.where is not None else doc.span)
            generator = ir.Generator(domains, copies, bound.id, where)
        fields = tuple(self._field(own.name, self.field_types(name)[own.name], own.at_most) for own in doc.fields)
        return ir.Kind(name, printed, generator, (), fields, entry.origin)

    def _over_where(self, expr: Expr, scope: Scope, beneath: Term | None) -> Term:
        given = self.condition(expr, scope, "`where`")
        if has_proceed(given):
            return with_proceed(given, beneath if beneath is not None else Const(1, type=YesNo()))
        return given

    def _only_printed(self, where: Term, span: Span) -> None:
        for term in terms_of(where):
            if isinstance(term, ir.Var | ir.ZoneCards | ir.Field):
                self.names.report(
                    "E0427",
                    term.span or span,
                    "which cards there are is settled before the match; this changes during it",
                    "use what is printed, options and the number of players",
                )

    def _domain(self, kind: str, attribute: str) -> tuple[int, ...]:
        of = self.printed(kind)[attribute]
        if isinstance(of, Number) and of.low is not None and of.high is not None:
            return tuple(range(int(of.low), int(of.high) + 1))
        members = getattr(of, "members", ())
        return tuple(range(len(members)))

    def _field(self, name: str, of: Type, at_most: int | None) -> Keeping:
        start: ir.Value = NONE if isinstance(of, Optional) else () if isinstance(of, ListOf | RowOf) else 0
        return Keeping(name, of, start, at_most or 200)

    def _zone(self, name: str) -> ir.Zone | None:
        entry = self.names.zones[name]
        doc = entry.doc
        kind = self.names.zone_kind(name)
        if kind not in self.names.kinds:
            span = doc.of.span if doc.of is not None else doc.span
            message = f"there is no kind of card '{kind}'" if self.names.kinds else "the game declares no cards"
            self.names.report("E0316", span, message, nearest(kind, list(self.names.kinds)))
            return None
        if self.names.owned(name) is ir.Owned.TEAM and not self.names.has_teams:
            self.names.report("E0318", doc.span, "this game has no teams", "declare `teams:`")
        sight = ir.Sight(doc.seen.name) if doc.seen is not None else ir.Sight.EVERYONE
        count = ir.Sight(doc.count_seen.name) if doc.count_seen is not None else ir.Sight.EVERYONE
        types = self.play_field_types(name)
        fields = tuple(self._field(own.name, types[own.name], own.at_most) for own in doc.fields)
        return ir.Zone(
            name,
            kind,
            self.names.owned(name),
            self.names.shape(name),
            sight,
            count,
            bool(doc.start_all),
            bool(doc.active),
            fields,
            entry.origin,
        )


def elaborate(
    game: GameDoc,
    libraries: tuple[LibraryDoc, ...],
    modifiers: tuple[ModifierDoc, ...],
    settings: dict[str, str],
    diagnostics: Diagnostics,
) -> Program:
    """The program of a game with its libraries and modifiers; usable only if no error was reported."""
    names = Names(diagnostics)
    players = next((m.players for m in reversed(modifiers) if m.players is not None), game.players)
    teams = next((m.teams for m in reversed(modifiers) if m.teams is not None), game.teams)
    names.has_teams = teams is not None
    layers = [Layer(library.name.name, library.declares, is_library=True) for library in libraries]
    layers.append(Layer(game.name.name, _with_results(game)))
    layers.extend(
        Layer(m.name.name, m.adds, tuple(_of_seats(change) for change in m.changes), is_modifier=True)
        for m in modifiers
    )
    Declarer(names, settings).declare(tuple(layers))
    program = ProgramChecker(names).program(game, modifiers, players, teams)
    check_use(names, game, diagnostics)
    if not diagnostics.errors:
        check_bounds(program, game, diagnostics)
        check_lockstep(program, diagnostics)
        check_sight(program, diagnostics)
    return program


def _with_results(game: GameDoc) -> Declarations:
    """The declarations of a game with `winners` and `scores` among its rules, where modifiers find them."""
    rules = [*game.declares.rules]
    for name, body in (("winners", game.winners), ("scores", game.scores)):
        if body is not None:
            rules.append(RuleDoc(_result_signature(name, body.span), body, span=body.span))
    return replace(game.declares, rules=tuple(rules))


def _result_signature(name: str, span: Span) -> Signature:
    parameters = (Parameter("player", "player", span=span),) if name == "scores" else ()
    return Signature(name, parameters, span=span)


def _of_seats(change: ChangeDoc) -> ChangeDoc:
    """`scores` is asked of every player; nobody writes the parameter."""
    signature = change.target.signature
    if signature is None or signature.name != "scores" or signature.parameters:
        return change
    return replace(change, target=replace(change.target, signature=_result_signature("scores", signature.span)))
