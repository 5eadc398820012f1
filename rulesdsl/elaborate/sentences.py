"""Sentences: one step with an effect each."""

from __future__ import annotations

from abc import abstractmethod
from dataclasses import replace
from typing import assert_never

from ..ir import nodes as ir
from ..ir.nodes import Block, Cell, Term
from ..source import Span
from ..syntax import expr as syntax
from ..syntax.document import StateDoc
from ..syntax.expr import Expr, Name, Onto, Sentence
from ..types import (
    Card,
    Enum,
    ListOf,
    Number,
    Place,
    Play,
    Range,
    RowOf,
    Seat,
    SetOf,
    Type,
    Unknown,
    required,
)
from .activation import TYPE
from .fit import as_sequence, cards_of, fit, fits, members_of
from .names import is_finite, nearest
from .performing import PowerChecker
from .scope import Scope
from .wording import a

_NAME_CARDS = "name a card, a zone, or a set such as `top(ZONE, 3)`"
_OF_KIND = "move them to a zone of their own kind"


class SentenceChecker(PowerChecker):
    """Turns sentences into operations."""

    @abstractmethod
    def run(self, name: str, arguments: tuple[Expr, ...], scope: Scope, span: Span) -> Block:
        """A procedure as a step."""

    @abstractmethod
    def new_cell(self, scope: Scope, name: str, of: Type) -> Cell:
        """A cell for a name."""

    @abstractmethod
    def kept(self, doc: StateDoc, scope: Scope) -> tuple[Type, Term]:
        """The type of a state and what it begins with."""

    @abstractmethod
    def phase_names(self) -> list[str]:
        """The names of all phases of the game."""

    def sentence(self, sentence: Sentence, scope: Scope) -> tuple[Block, Scope]:
        """The operations of a sentence (none after a report), and the scope after it."""
        match sentence:
            case syntax.Let():
                return self._let(sentence, scope)
            case syntax.RollNumber() | syntax.RollOne() | syntax.Draw():
                return self._chance(sentence, scope)
            case _:
                return self._effect(sentence, scope), scope

    def _effect(self, sentence: Sentence, scope: Scope) -> Block:
        span = sentence.span
        match sentence:
            case syntax.Move():
                return self._move(sentence, scope)
            case syntax.PlayCards():
                return self._play(sentence, scope)
            case syntax.Swap():
                left, right = self._side(sentence.left, scope), self._side(sentence.right, scope)
                return (ir.Swap(left, right, span=span),) if left is not None and right is not None else ()
            case syntax.Shuffle():
                place = self.place(sentence.place, scope)
                if place is None:
                    return ()
                name = place.zone if isinstance(place, ir.PlaceOf) else sentence.place.span.text
                return (ir.Shuffle(place, name, span=span),)
            case syntax.Show():
                cards = self.cards(sentence.what, scope)
                everyone = isinstance(sentence.seats, Name) and sentence.seats.name == "everyone"
                seats: Term = (
                    ir.AllOf(type=SetOf(Seat()), span=sentence.seats.span)
                    if everyone
                    else self.wanted(sentence.seats, scope, SetOf(Seat()), "`show ... to`")
                )
                return (ir.Show(cards, seats, span=span),) if cards is not None else ()
            case syntax.SetTo():
                target = self.target(sentence.target, scope)
                if target is None:
                    self.expression(sentence.value, scope)
                    return ()
                value = self.wanted(sentence.value, scope, target.type, "what is set", none_is_error=True)
                return (ir.Assign(target, value, span=span),)
            case syntax.AddTo():
                return self._add(sentence, scope)
            case syntax.Announce():
                value = self.expression(sentence.value, scope)
                return (ir.Announce(value, sentence.value.span.text, span=span),)
            case syntax.End():
                return self._end_phase(sentence)
            case syntax.Run():
                return self.run(sentence.name, sentence.arguments, scope, span)
            case syntax.Start():
                modifier = self._modifier(sentence.modifier, scope)
                known = self.phase_names()
                if sentence.phase in known:
                    return (ir.Activate(modifier, sentence.phase, span=span),)
                message = f"there is no phase '{sentence.phase}' for which it could be in force"
                self.names.report("E0602", span, message, nearest(sentence.phase, known))
                return ()
            case syntax.Stop():
                return (ir.Deactivate(self._modifier(sentence.modifier, scope), span=span),)
            case syntax.Perform():
                performed = self.performed(sentence.power, scope)
                return () if performed is None else self.run(*performed, scope, span)
            case syntax.ErrorExpr():
                return ()
            case syntax.Let() | syntax.RollNumber() | syntax.RollOne() | syntax.Draw():
                return self.sentence(sentence, scope)[0]
            case _:
                assert_never(sentence)

    # ── cards and places ─────────────────────────────────────────────────────────────────────────────────────────

    def cards(self, expr: Expr, scope: Scope) -> Term | None:
        """The cards that an expression names, as a set or row; None after a report."""
        term = self.expression(expr, scope)
        if isinstance(term.type, Unknown):
            return None
        if isinstance(term.type, Place):
            term = cards_of(term)
        of = required(term.type)
        if isinstance(of, RowOf | ListOf | SetOf) and isinstance(of.of, Play):
            zone = of.of.zone
            kind = self.names.zone_kind(zone)
            bound = scope.frame.bound("play", of.of)
            held = ir.PlayField(zone, "cards", bound, type=SetOf(Card(kind)), span=expr.span)
            return ir.Fold(ir.Quantifier.UNITE, term, bound.id, held, type=SetOf(Card(kind)), span=expr.span)
        if isinstance(of, Play):
            kind = self.names.zone_kind(of.zone)
            return ir.PlayField(of.zone, "cards", term, type=SetOf(Card(kind)), span=expr.span)
        sequence = as_sequence(term)
        if sequence is None and isinstance(of, Card):
            sequence = fit(term, SetOf(of))
        if (
            sequence is None
            or not isinstance(sequence.type, SetOf | RowOf | ListOf)
            or not isinstance(sequence.type.of, Card)
        ):
            self.names.report("E0401", expr.span, f"cards are wanted here, but this is {a(term.type)}", _NAME_CARDS)
            return None
        if isinstance(sequence.type, ListOf):
            return fit(sequence, RowOf(sequence.type.of))
        return sequence

    def place(self, expr: Expr, scope: Scope) -> Term | None:
        """A zone, or the place under a card; None after a report."""
        term = self.expression(expr, scope)
        if isinstance(term.type, Unknown):
            return None
        if not isinstance(term.type, Place):
            zones = list(self.names.zones)
            self.names.report(
                "E0418",
                expr.span,
                f"cards go to a zone, but this is {a(term.type)}",
                f"the zones are {', '.join(zones)}" if zones else None,
            )
            return None
        return term

    def _move(self, sentence: syntax.Move, scope: Scope) -> Block:
        cards = self.cards(sentence.what, scope)
        if sentence.onto is Onto.UNDER:
            card = self.expression(sentence.place, scope)
            kind = required(card.type)
            if not isinstance(kind, Card):
                if not isinstance(kind, Unknown):
                    self.names.report(
                        "E0418",
                        sentence.place.span,
                        f"cards go under a card, but this is {a(kind)}",
                        "name a single card",
                    )
                return ()
            place: Term | None = ir.PlaceUnder(
                kind.kind, replace(card, type=kind), type=Place(kind.kind, SetOf(kind)), span=sentence.span
            )
        else:
            place = self.place(sentence.place, scope)
        if cards is None or place is None or not self._of_one_kind(cards, place, sentence.span):
            return ()
        if isinstance(place.type, Place) and isinstance(place.type.of, RowOf) and isinstance(place.type.of.of, Play):
            self.names.report(
                "E0504", sentence.span, "cards come into this zone as plays", "write `play CARDS to ZONE`"
            )
            return ()
        end = ir.End.BOTTOM if sentence.onto is Onto.BOTTOM else ir.End.TOP
        return (ir.Move(cards, place, end, span=sentence.span),)

    def _of_one_kind(self, cards: Term, place: Term, span: Span) -> bool:
        assert (
            isinstance(cards.type, SetOf | RowOf) and isinstance(cards.type.of, Card) and isinstance(place.type, Place)
        )
        if cards.type.of.kind == place.type.kind:
            return True
        self.names.report(
            "E0502",
            span,
            f"these are cards of the kind '{cards.type.of}', the zone holds '{place.type.kind}'",
            _OF_KIND,
        )
        return False

    def _play(self, sentence: syntax.PlayCards, scope: Scope) -> Block:
        cards = self.cards(sentence.what, scope)
        place = self.place(sentence.place, scope)
        player = scope.player()
        if player is None:
            self.names.report(
                "E0305",
                sentence.span,
                "a play is somebody's, and no player is bound here",
                "put it under `each: player`",
            )
            return ()
        if cards is None or place is None or not self._of_one_kind(cards, place, sentence.span):
            return ()
        if not isinstance(place, ir.PlaceOf) or self.names.shape(place.zone) is not ir.Shape.PLAYS:
            self.names.report(
                "E0504",
                sentence.place.span,
                "this zone holds no plays",
                "declare it with `shape: plays`, or write `move`",
            )
            return ()
        types = self.play_field_types(place.zone)
        fields: list[tuple[str, Term]] = []
        for name, expr in sentence.fields:
            if name not in types or name in ("player", "cards"):
                self.names.report(
                    "E0303", expr.span, f"a play in '{place.zone}' has no field '{name}'", nearest(name, list(types))
                )
                continue
            fields.append((name, self.wanted(expr, scope, types[name], f"'{name}'", none_is_error=True)))
        return (ir.MakePlay(cards, place.zone, place.owner, player, tuple(fields), span=sentence.span),)

    def _side(self, expr: Expr, scope: Scope) -> Term | None:
        term = self.expression(expr, scope)
        return term if isinstance(term.type, Place) else self.cards(expr, scope)

    # ── what is set ──────────────────────────────────────────────────────────────────────────────────────────────

    def target(self, expr: Expr, scope: Scope) -> ir.Target | None:
        """What `set` and `add` write to; None after a report."""
        # A place that is known not to be none can be set to none all the same.
        term = self.expression(expr, replace(scope, certain=tuple(known for known in scope.certain if known != expr)))
        match term:
            case ir.Var() | ir.Field() | ir.Running():
                return term
            case ir.PlayField() if term.name not in ("player", "cards"):
                return term
            case ir.Cell() if term.id in self.settable(scope):
                return term
            case ir.Cell() | ir.Bound():
                name = term.name
                self.names.report(
                    "E0306",
                    expr.span,
                    f"'{name}' is bound here and can't be set",
                    f"a state of that name is `player.{name}`"
                    if name in self.names.states
                    else "declare a state and set that",
                )
            case ir.Spread(body=ir.Var() as body) if len(body.index) == 1:
                return replace(body, index=(replace(term.value, type=required(term.value.type)),), span=expr.span)
            case ir.Spread(body=ir.PlayField() as body) if body.name not in ("player", "cards"):
                return replace(body, play=replace(term.value, type=required(term.value.type)), span=expr.span)
            case ir.Spread(body=ir.Field() as body):
                return replace(body, card=replace(term.value, type=required(term.value.type)), span=expr.span)
            case _ if not isinstance(term.type, Unknown):
                self.names.report(
                    "E0501",
                    expr.span,
                    "this is worked out from other things, so it can't be set",
                    "set the state or field it comes from",
                )
        return None

    @abstractmethod
    def settable(self, scope: Scope) -> set[int]:
        """The ids of the cells that are states of the running procedure."""

    def _add(self, sentence: syntax.AddTo, scope: Scope) -> Block:
        target = self.target(sentence.target, scope)
        if target is None:
            self.expression(sentence.value, scope)
            return ()
        of = target.type
        match of:
            case Number():
                value = self.wanted(sentence.value, scope, Number(of.scale), "what is added", none_is_error=True)
            case SetOf():
                value = self.wanted(sentence.value, scope, of, "what is added", none_is_error=True)
            case ListOf() | RowOf():
                value = self.wanted(sentence.value, scope, of, "what is added", none_is_error=True)
            case Unknown():
                return ()
            case _:
                self.names.report(
                    "E0401",
                    sentence.target.span,
                    f"nothing can be added to {a(of)}",
                    "numbers, sets and lists can be added to; else write `set`",
                )
                return ()
        return (ir.Increase(target, value, span=sentence.span),)

    def _let(self, sentence: syntax.Let, scope: Scope) -> tuple[Block, Scope]:
        value = self.expression(sentence.value, scope)
        if isinstance(value.type, Place):
            value = cards_of(value)
        if not self.is_settled(value.type, sentence.value.span):
            return (), scope.bind_name(sentence.name, self.error(sentence.value.span))
        cell = self.new_cell(scope, sentence.name, value.type)
        return (ir.Assign(cell, value, span=sentence.span),), scope.bind_name(sentence.name, cell)

    def _chance(self, sentence: syntax.RollNumber | syntax.RollOne | syntax.Draw, scope: Scope) -> tuple[Block, Scope]:
        span, name = sentence.span, sentence.name
        match sentence:
            case syntax.RollNumber():
                low = self.wanted(sentence.low, scope, Number(), "`from`", none_is_error=True)
                high = self.wanted(sentence.high, scope, Number(), "`to`", none_is_error=True)
                target, scope = self._named(name, Number(), scope, span)
                return (ir.Roll(name, target, low, high, span=span),) if target is not None else (), scope
            case syntax.RollOne() | syntax.Draw():
                term = self.expression(sentence.source, scope)
                if isinstance(term.type, Range):
                    term = ir.Prim(ir.Op.RANGE_ROW, (term,), type=RowOf(Number(term.type.of.scale)), span=term.span)
                if isinstance(term.type, Unknown):
                    return (), scope.bind_name(name, self.error(span))
                source = members_of(term)
                if source is None:
                    self.names.report(
                        "E0403", sentence.source.span, f"there is nothing to draw from: this is {a(term.type)}", None
                    )
                    return (), scope.bind_name(name, self.error(span))
                assert isinstance(source.type, SetOf | RowOf | ListOf)
                of = source.type.of
                if isinstance(sentence, syntax.RollOne):
                    target, scope = self._named(name, of, scope, span)
                    return (ir.RollOne(name, target, source, span=span),) if target is not None else (), scope
                if sentence.count is None:
                    target, scope = self._named(name, of, scope, span)
                    return (ir.DrawRandom(name, target, source, span=span),) if target is not None else (), scope
                count = self.wanted(sentence.count, scope, Number(), "how many are drawn", none_is_error=True)
                target, scope = self._named(name, SetOf(of) if is_finite(of) else RowOf(of), scope, span)
                return (ir.DrawRandom(name, target, source, count, span=span),) if target is not None else (), scope

    def _named(self, name: str, of: Type, scope: Scope, span: Span) -> tuple[ir.Target | None, Scope]:
        """The state of a name, or else a new cell."""
        own = scope.names.get(name)
        if isinstance(own, Cell) and own.id in self.settable(scope):
            return own, scope
        if name in self.names.states and name not in scope.names:
            term = self.expression(Name(name, span=span), scope)
            if not isinstance(term, ir.Var):
                return None, scope
            if not fits(of, term.type):
                self.names.report(
                    "E0401", span, f"the state '{name}' is {a(term.type)}, but what is drawn is {a(of)}", None
                )
                return None, scope
            return term, scope
        cell = self.new_cell(scope, name, of)
        return cell, scope.bind_name(name, cell)

    def _modifier(self, expr: Expr, scope: Scope) -> Term:
        """A modifier, or that of a rule card."""
        of = self.names.types.get(TYPE, Unknown())
        match expr:
            case Name(name=name) if isinstance(of, Enum) and name in of.members and name not in scope.names:
                return ir.Const(of.members.index(name), type=of, span=expr.span)
            case _:
                term = self.expression(expr, scope, of)
        card = required(term.type)
        if isinstance(card, Card) and self.printed(card.kind).get(TYPE) == of:
            return ir.Attribute(card.kind, TYPE, replace(term, type=card), type=of, span=expr.span)
        return self.fitted(term, expr, of, "what is in force", none_is_error=True)

    def _end_phase(self, sentence: syntax.End) -> Block:
        if sentence.phase == "match":
            return (ir.EndPhase(None, span=sentence.span),)
        known = self.phase_names()
        if sentence.phase not in known:
            self.names.report(
                "E0602", sentence.span, f"there is no phase '{sentence.phase}' to end", nearest(sentence.phase, known)
            )
            return ()
        return (ir.EndPhase(sentence.phase, span=sentence.span),)
