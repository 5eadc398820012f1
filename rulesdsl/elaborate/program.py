"""The last stage of the front end: from declarations laid over one another to a program.

Takes: the layers of a program (libraries, game, modifiers), lowest first.
Makes: a `Program`, every name resolved, every term typed.
Refuses: whatever does not resolve or fit; all of it is reported in one run.
Afterwards true: if nothing was reported as an error, a machine can run the program.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace

from ..diagnostic import Diagnostics
from ..ir import nodes as ir
from ..ir.nodes import Const, Keeping, Origin, Program, Term
from ..ir.walk import operations_of
from ..source import Span
from ..syntax.document import (
    ChangeDoc,
    Declarations,
    GameDoc,
    LegalityBody,
    LibraryDoc,
    ModifierDoc,
    OrderDoc,
    PhaseDoc,
    PlayersDoc,
    RuleDoc,
    StateDoc,
    TeamsDoc,
)
from ..syntax.expr import Binary, Operator, Parameter, Signature
from ..syntax.powers import CardList
from ..types import (
    NONE,
    ListOf,
    Number,
    Record,
    RowOf,
    Seat,
    SetOf,
    Team,
    Type,
    Unknown,
    YesNo,
    optional,
    required,
)
from .activation import (
    Beside,
    Settled,
    asks_for_modifiers,
    guard_on,
    refuse_shapes,
    settled,
    under,
    with_guarded_events,
)
from .anchors import AnchorFinder, changed_places
from .betweens import check_betweens
from .bounds import check_bounds, check_use
from .cardtexts import with_texts
from .declare import Layer, Overlay, Setting
from .dependence import circles, names_in, reached, used_first
from .inside import check_inside
from .lasting import lasting
from .lockstep import check_lockstep
from .moving import moved
from .names import Names, RuleEntry, is_finite, nearest
from .powers import powers_of
from .reserved import refuse_reserved
from .rulecards import declare_modifiers, declare_rules
from .running import check_running
from .scope import Frame, Scope
from .sequence import Level
from .sight import check_sight
from .table import TableChecker, holds_plays
from .unready import refuse_unready
from .wording import a, counted
from .wordings import lexicon

_OF_EACH = ("scores", "progress")
"""What is asked of each player, though nobody writes so."""


class ProgramChecker(TableChecker):
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
            if entry.working:
                self.names.report(
                    "E0420",
                    doc.span,
                    f"the start of the state '{name}' asks for that state itself",
                    "begin with a constant",
                )
                return ir.Variable(Keeping(name, Unknown(), 0), (), entry.origin)
            entry.working = True
            of, start = self.kept(doc, Scope(Frame(name)))
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
        if not self.is_settled(of, doc.start.span):
            return Unknown(), self.error(doc.start.span)
        return of, replace(start, type=of)

    def _blank(self, of: Type, doc: StateDoc) -> tuple[Type, Term]:
        if holds_plays(of):
            self.names.report(
                "E0408", doc.span, "a play can't be kept: it ends when its cards leave", "keep its player or its card"
            )
        match of:
            case Number() | YesNo() | SetOf():
                return of, Const(0, type=of)
            case ListOf() | RowOf():
                return of, Const((), type=of)
            case _:
                wide = optional(of)
                return wide, Const(NONE, type=wide)

    def _constant(self, term: Term, doc: StateDoc) -> ir.Value:
        match term:
            case Const():
                return term.value
            case ir.OptionValue():
                return self.names.options[term.name].value
            case ir.Call(arguments=()):
                bodies = [entry.rule.body for entry in self._entries() if entry.rule and entry.rule.id == term.rule]
                return self._constant(bodies[0], doc) if bodies else 0
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

    def _entries(self) -> Iterator[RuleEntry]:
        for entries in self.names.rules.values():
            yield from entries

    def settable(self, scope: Scope) -> set[int]:
        """The ids of the cells that are states of the running procedure."""
        entry = self.names.procedures.get(scope.frame.name)
        return {cell.id for cell in entry.state.values()} if entry is not None else set()

    def phase_names(self) -> list[str]:
        """The names of all phases of the game."""
        return ["match", *(path.rpartition("/")[2] for path in self.anchors.phases)]

    # ── the program ──────────────────────────────────────────────────────────────────────────────────────────────

    def program(
        self, game: GameDoc, modifiers: tuple[ModifierDoc, ...], players: PlayersDoc, teams: TeamsDoc | None
    ) -> Program:
        """Everything worked out, by name: the order of keys in a file means nothing."""
        self._printed_types: dict[str, dict[str, Type]] = {}
        self.anchors = AnchorFinder(self.names).find(game.phases)
        self._rules_first()
        kinds = tuple(self._kind(name) for name in sorted(self.names.kinds))
        zones = tuple(zone for name in sorted(self.names.zones) if (zone := self._zone(name)) is not None)
        self.check_starts()
        variables = tuple(self.variable(name) for name in sorted(self.names.states))
        self._procedures_first()
        main = self._main(game)
        made = (self.procedure(self.names.procedures[name]) for name in sorted(self.names.procedures))
        procedures = tuple(procedure for procedure in made if procedure is not None)
        entries = sorted(self._entries(), key=lambda entry: entry.id)
        self._circles(procedures)
        winners = self._rule_id("winners")
        scores = self._rule_id("scores")
        progress = self._results(game)
        return Program(
            name=game.name.name,
            title=game.title or game.name.name,
            players=(players.low, players.high),
            teams=ir.Teams(teams.name, teams.opposite, teams.seats) if teams is not None else None,
            options=tuple(self.names.options[name] for name in sorted(self.names.options)),
            types=tuple(self.names.types[name] for name in sorted(self.names.types)),
            kinds=kinds,
            zones=zones,
            variables=variables,
            rules=tuple(entry.rule for entry in entries if entry.rule is not None),
            legalities=tuple(entry.legality for entry in entries if entry.legality is not None),
            procedures=procedures,
            main=main,
            scores=scores,
            winners=winners or "winners",
            progress=progress,
            texts=tuple(self.names.texts),
            modifiers=tuple(modifier.name.name for modifier in modifiers),
            switchable=self.names.switchable,
            changed_places=changed_places(self.anchors),
        )

    def _rule_id(self, name: str) -> str | None:
        entries = self.names.rules.get(name)
        return entries[0].id if entries else None

    def _results(self, game: GameDoc) -> str | None:
        """What a match comes to has to be of a type that a result can be; gives the rule that tells of progress."""
        progress = None
        numbers = "a number, or components that are numbers"
        for name, body, fits, wanted in (
            ("winners", game.winners, _is_of_winners, "players or teams"),
            ("scores", game.scores, _is_of_points, numbers),
            ("progress", game.progress, _is_of_points, numbers),
        ):
            for entry in self.names.rules.get(name, ()) if body is not None else ():
                if entry.doc.body is not body:
                    continue  # a rule of that name for something else
                if name == "progress":
                    progress = entry.id
                if entry.rule is None or not fits(entry.rule.type):
                    found = "a legality" if entry.rule is None else a(entry.rule.type)
                    message = f"`{name}` should be {wanted}, but this is {found}"
                    self.names.report("E0401", entry.doc.body.span, message, f"give {wanted}")
        return progress

    def _rules_first(self) -> None:
        """Works out all rules, used or not, each after those that it uses."""
        uses = {
            name: names_in(*((entry.doc, *(change for change, _ in entry.changes)) for entry in entries))
            for name, entries in sorted(self.names.rules.items())
        }
        for name in used_first(uses):
            for entry in self.names.rules[name]:
                if isinstance(entry.doc.body, LegalityBody):
                    self.legality(entry.doc.signature.name, entry.doc.span)
                else:
                    self.rule(entry, entry.doc.span)

    def _procedures_first(self) -> None:
        """Works out all procedures, each after those that it runs."""
        attached: dict[str, list[ChangeDoc]] = {}
        for anchor, handlers in self.anchors.handlers.items():
            attached.setdefault(anchor.split("/")[0], []).extend(change for _, change, _ in handlers)
        uses = {
            name: names_in(entry.doc, *attached.get(f"{name}()", ()))
            for name, entry in sorted(self.names.procedures.items())
        }
        for name in used_first(uses):
            self.procedure(self.names.procedures[name])

    def _circles(self, procedures: tuple[ir.Procedure, ...]) -> None:
        """Every circle of procedures needs one in it that says how deep it may go."""
        uses: dict[str, set[str]] = {}
        for procedure in procedures:
            if self.names.procedures[procedure.name].doc.depth is None:
                blocks = (procedure.body, *(handler.body for handler in procedure.handlers))
                operations = (operation for block in blocks for operation in operations_of(block))
                uses[procedure.name] = {o.procedure for o in operations if isinstance(o, ir.RunProcedure)}
        while found := circles(uses):
            span, name = min(((self.names.procedures[name].doc.span, name) for name in found), key=lambda s: s[0].start)
            self.names.report(
                "E0521",
                span,
                f"'{name}' may run itself" + (", through others" if name not in uses[name] else ""),
                "give it `depth: NUMBER`, at most 64",
            )
            del uses[name]

    def _main(self, game: GameDoc) -> ir.Procedure:
        frame = Frame("match", cells=[])
        scope = Scope(frame)
        steps = game.phases
        if not any(isinstance(step, PhaseDoc) and step.name.name == "match" for step in steps):
            whole = PhaseDoc(replace(game.name, name="match"), do=steps, span=game.span)
            steps = (whole,)
        body, _ = self.block(steps, scope, "match")
        return ir.Procedure("match", tuple(frame.cells or ()), 0, body, origin=Origin(game.name.name, game.span))


def elaborate(
    game: GameDoc,
    libraries: tuple[LibraryDoc, ...],
    modifiers: tuple[ModifierDoc, ...],
    settings: Mapping[str, Setting],
    diagnostics: Diagnostics,
    *,
    own: ModifierDoc | None = None,
    card_files: Mapping[tuple[str, str], CardList] | None = None,
    beside: Beside | None = None,
    orders: tuple[OrderDoc, ...] = (),
    overs: tuple[OrderDoc, ...] = (),
) -> Program:
    """The program of a game with its libraries and modifiers; usable only if no error was reported.

    `own` are the changes of a variant: they lie over all modifiers, and settle what is between them. `card_files` are
    files of cards, by the rule file that names each and the name it gives. `beside` are the modifiers that can come
    into force during the match, and how all of them fit together; `orders` and `overs` are what a variant says of that.
    """
    names = Names(diagnostics)
    names.card_files = card_files or {}
    players, teams = _seats(game, modifiers, names)
    names.has_teams = teams is not None
    names.modifiers = {modifier.name.name for modifier in modifiers}
    beside = beside or Beside()
    static = names.modifiers
    dynamic = refuse_shapes((m for m in beside.modifiers if m.name.name not in static), diagnostics)
    has_modifiers = bool(beside.modifiers) or asks_for_modifiers((game, *libraries, *modifiers))
    if has_modifiers:
        declare_modifiers(names, beside.modifiers)
    uses = {library.name.name: [name.name for name in library.uses] for library in libraries}
    layers = [
        Layer(library.name.name, library.declares, is_library=True, on=reached(uses, library.name.name))
        for library in libraries
    ]
    layers.append(Layer(game.name.name, _with_results(game)))
    layers.extend(
        Layer(m.name.name, m.adds, tuple(_of_seats(_guarded(change, m)) for change in m.changes), is_modifier=True)
        for m in modifiers
    )
    layers.extend(_comes_and_goes(m) for m in dynamic)
    names.powers = powers_of(((layer.declares, layer.changes) for layer in layers), names.card_files)
    if own is not None:
        names.powers = powers_of(
            [*((layer.declares, layer.changes) for layer in layers), (own.adds, own.changes)], names.card_files
        )
    cards = tuple(lasting(names.powers.values()))
    layers.extend(cards)
    entries = settled(beside.settlement, static, {modifier.name.name for modifier in dynamic})
    layers.extend(_of_settlement(entry) for entry in entries)
    names.sequences.levels = {layer.name: Level.MODIFIER for layer in layers if layer.is_modifier}
    names.sequences.levels |= {layer.name: Level.MODIFIER for layer in cards}
    names.sequences.levels |= {entry.name: Level.SETTLEMENT for entry in entries}
    names.sequences.orders = [*orders, *(order for entry in entries for order in entry.pair.order)]
    names.sequences.overs = [*overs]
    if own is not None:
        names.sequences.levels[own.name.name] = Level.VARIANT
        layers.append(Layer(own.name.name, own.adds, tuple(_of_seats(change) for change in own.changes)))
    refuse_reserved((layer.declares for layer in layers), names)
    refuse_unready(game, libraries, (*modifiers, *dynamic, *((own,) if own is not None else ())), names)
    Overlay(names, settings).declare(tuple(layers))
    if has_modifiers:
        declare_rules(names, beside)
    changes = (change for layer in layers for change in layer.changes)
    game = replace(game, phases=moved(game.phases, changes, names))
    checker = ProgramChecker(names)
    program = checker.program(game, modifiers, players, teams)
    words = lexicon((layer.declares.wording for layer in layers), names, checker.anchors)
    if not modifiers and own is None and not diagnostics.errors:
        check_use(names, game, diagnostics)
    if not diagnostics.errors:
        check_bounds(program, game, diagnostics)
        check_lockstep(program, diagnostics)
        check_betweens(program, diagnostics)
        check_inside(program, diagnostics)
        check_sight(program, diagnostics)
        check_running(program, diagnostics)
    if not diagnostics.errors:
        program = with_texts(program, names.powers, words)
    return replace(program, libraries=tuple(library.name.name for library in libraries))


def _seats(game: GameDoc, modifiers: tuple[ModifierDoc, ...], names: Names) -> tuple[PlayersDoc, TeamsDoc | None]:
    """How many play, and in which teams: what the game says, or the one modifier that says something else."""
    players, teams = game.players, game.teams
    for modifier in modifiers:
        rivals = [(modifier.players, players, game.players), (modifier.teams, teams, game.teams)]
        for new, now, first in rivals:
            if new is not None and now is not None and now is not first and new != now:
                names.report(
                    "E0910",
                    new.span,
                    f"'{modifier.name.name}' and another modifier want different players or teams",
                    "leave out one of the two modifiers",
                )
        players, teams = modifier.players or players, modifier.teams or teams
    if teams is not None and teams.seats:
        seated = sorted(seat for team in teams.seats for seat in team)
        if seated != list(range(players.high)) or players.low != players.high:
            names.report(
                "E0213",
                teams.span,
                f"these teams do not hold each of the {counted(players.high, 'seat')} once",
                "number the seats from 0, and let `players:` be just as many",
            )
    return players, teams


def _with_results(game: GameDoc) -> Declarations:
    """The declarations of a game with `winners` and the like among its rules, where modifiers find them."""
    rules = [*game.declares.rules]
    for name, body in (("winners", game.winners), ("scores", game.scores), ("progress", game.progress)):
        if body is not None:
            rules.append(RuleDoc(_result_signature(name, body.span), body, span=body.span))
    return replace(game.declares, rules=tuple(rules))


def _result_signature(name: str, span: Span) -> Signature:
    parameters = (Parameter("player", "player", span=span),) if name in _OF_EACH else ()
    return Signature(name, parameters, span=span)


def _guarded(change: ChangeDoc, modifier: ModifierDoc) -> ChangeDoc:
    """A change under the guard of its whole modifier as well."""
    if modifier.when is None or change.when is None:
        return change if modifier.when is None else replace(change, when=modifier.when)
    both = Binary(Operator.AND, modifier.when, change.when, span=change.when.span)
    return replace(change, when=both)


def _comes_and_goes(modifier: ModifierDoc) -> Layer:
    """A modifier whose changes count only while it is in force."""
    guard = guard_on([modifier.name.name], modifier.name.span)
    changes = tuple(_of_seats(under(_guarded(change, modifier), guard)) for change in modifier.changes)
    adds = with_guarded_events(modifier.adds, guard)
    return Layer(modifier.name.name, adds, changes, is_modifier=True, guard=guard)


def _of_settlement(entry: Settled) -> Layer:
    """What a settlement says for some modifiers: it counts while all of them are in force."""
    changes = tuple(_of_seats(under(change, entry.guard)) for change in entry.pair.changes)
    adds = entry.pair.adds or Declarations(span=entry.pair.span)
    return Layer(entry.name, with_guarded_events(adds, entry.guard), changes, is_modifier=True, guard=entry.guard)


def _of_seats(change: ChangeDoc) -> ChangeDoc:
    """`scores` and `progress` are asked of every player; nobody writes the parameter."""
    signature = change.target.signature
    if signature is None or signature.name not in _OF_EACH or signature.parameters:
        return change
    own = _result_signature(signature.name, signature.span)
    return replace(change, target=replace(change.target, signature=own))


def _is_of_winners(of: Type) -> bool:
    of = required(of)
    return isinstance(required(of.of) if isinstance(of, SetOf | ListOf | RowOf) else of, Seat | Team | Unknown)


def _is_of_points(of: Type) -> bool:
    of = required(of)
    parts = [part for _, part in of.fields] if isinstance(of, Record) else [of]
    return all(isinstance(required(part), Number | Unknown) for part in parts)
