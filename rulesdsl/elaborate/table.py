"""The cards and the places where they lie: kinds with what is printed and written on them, zones with who sees them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from fractions import Fraction

from ..ir import nodes as ir
from ..ir.nodes import Const, Keeping, Op, Shape, Sight, Term
from ..ir.walk import terms_of
from ..source import Span
from ..syntax.document import FieldDoc
from ..syntax.expr import Expr, NumberLiteral
from ..types import NONE, Card, Enum, ListOf, Number, Optional, Play, RowOf, Seat, SetOf, Type, Unknown, YesNo, optional
from .activation import TYPE
from .cardrows import RowReader
from .names import KindEntry, nearest
from .procedures import ProcedureChecker
from .scope import Frame, Scope
from .substitute import has_proceed, with_proceed
from .typedecls import constant_range
from .writtenpowers import written_powers

MOST_CARDS = 2_000

_MOVING = (ir.Var, ir.ZoneCards, ir.PlaceOf, ir.PlaceCards, ir.Field, ir.PlayField)
_OF_PLACES = (Op.HOLDER, Op.OWNER, Op.PLACE_OF_CARD, Op.UNDER, Op.OVER)


class TableChecker(ProcedureChecker):
    """Works out kinds of cards and zones."""

    _printed_types: dict[str, dict[str, Type]]

    # ── what is on cards ─────────────────────────────────────────────────────────────────────────────────────────

    def printed(self, kind: str) -> dict[str, Type]:
        """The printed attributes of a kind."""
        if kind not in self.names.kinds:
            return {}
        if kind not in self._printed_types:
            doc = self.names.kinds[kind].doc
            found: dict[str, Type] = {}
            if doc.every_modifier:
                found[TYPE] = self.names.types.get(TYPE, Unknown())
            for name, domain in doc.every:
                if domain is not None:
                    bounds = constant_range(domain)
                    found[name.name] = Number(1, Fraction(bounds[0]), Fraction(bounds[1])) if bounds else Number()
                    if bounds is None:
                        self.names.report(
                            "E0426",
                            domain.span,
                            "the numbers on cards have to be a range of whole numbers, as they are written",
                            "write `10 to 59`",
                        )
                    continue
                of = self.names.types.get(name.name)
                if of is None:
                    self.names.report(
                        "E0310",
                        name.span,
                        f"there is no type '{name.name}'",
                        nearest(name.name, list(self.names.types)) or "declare it under `types:`, with its members",
                    )
                    of = Unknown()
                elif not isinstance(of, Enum):
                    self.names.report(
                        "E0429",
                        name.span,
                        f"'{name.name}' has no members to make one card of each",
                        "name a type with members, or give a range: `{ number: 10 to 59 }`",
                    )
                found[name.name] = of
            for printed in doc.printed:
                if printed.name in found:
                    self.names.report(
                        "E0309", printed.span, f"'{printed.name}' is on these cards already", "leave one of them out"
                    )
                    continue
                found[printed.name] = self.type_of(printed.type) if printed.type is not None else Number()
            self._printed_types[kind] = found
        return self._printed_types[kind]

    def printed_each(self, kind: str, name: str) -> Type | None:
        """Of what type an attribute needs a member beside the card, if it does."""
        entry = self.names.kinds.get(kind)
        for printed in entry.doc.printed if entry is not None else ():
            if printed.name == name and printed.each is not None:
                return self.names.types.get(printed.each.name)
        return None

    def field_types(self, kind: str) -> dict[str, Type]:
        """The fields written on cards of a kind."""
        entry = self.names.kinds.get(kind)
        if entry is None:  # a zone names a kind that is not there, and that was reported
            return {}
        return {own.name: self.field_type(own) for own in entry.doc.fields}

    def play_field_types(self, zone: str) -> dict[str, Type]:
        """The fields of plays in a zone."""
        kind = self.names.zone_kind(zone)
        fields = {own.name: self.field_type(own) for own in self.names.zones[zone].doc.fields}
        return {"player": Seat(), "cards": SetOf(Card(kind)), **fields}

    # ── kinds and zones ──────────────────────────────────────────────────────────────────────────────────────────

    def _kind(self, name: str) -> ir.Kind:
        entry = self.names.kinds[name]
        doc = entry.doc
        self._sources(entry)
        printed = tuple(
            ir.PrintedAttribute(attribute, of, self.printed_each(name, attribute))
            for attribute, of in self.printed(name).items()
        )
        for zone in doc.in_play:
            own = [other for other in sorted(self.names.zones) if self.names.zone_kind(other) == name]
            if zone.name not in own:
                message = f"there is no zone '{zone.name}' in which cards of the kind '{name}' could lie"
                self.names.report("E0301", zone.span, message, nearest(zone.name, own))
        for power, type_ in doc.powers:
            if self.names.powers[name].is_value(power.name):
                self.type_of(type_)
        frame = Frame(name)
        copies = self.wanted(doc.copies, Scope(frame), Number(), "`copies`") if doc.copies is not None else None
        generator = None
        self._settled(copies, doc.span)
        if doc.every or doc.every_modifier:
            attributes = [TYPE] if doc.every_modifier else [attribute.name for attribute, _ in doc.every]
            domains = tuple((attribute, self._domain(name, attribute)) for attribute in attributes)
            bound = frame.bound("it", Card(name))
            where: Term | None = None
            for expr, _ in entry.wheres:
                scope = Scope(frame, {"it": bound}, proceed=YesNo())
                where = self._over_where(expr, scope, where)
            self._settled(where, doc.span)
            generator = ir.Generator(domains, copies, bound.id, where)
        fields = tuple(self._field(own, self.field_types(name)[own.name]) for own in doc.fields)
        return ir.Kind(
            name, printed, generator, self._rows(entry), fields, bool(doc.powers), doc.every_modifier, entry.origin
        )

    def _rows(self, entry: KindEntry) -> tuple[ir.CardRow, ...]:
        """The cards that a file lists, if the kind names one."""
        doc = entry.doc
        powers = self.names.powers[doc.name]
        each = {own.name: of for own in doc.printed if (of := self.printed_each(doc.name, own.name)) is not None}
        reader = RowReader(self.names, doc.name, self.printed(doc.name), each, powers.types)
        # A file that could not be read is not there, and that was reported.
        lists = (self.names.card_files[key] for key in powers.files if key in self.names.card_files)
        rows = [row for cards in lists for row in reader.rows(cards.document)]
        if len(rows) != len(powers.rows):
            return tuple(rows)  # a file is about cards of another kind
        return tuple(
            replace(row, copies=row.copies * powers.copies, powers=written_powers(own.powers))
            for row, own in zip(rows, powers.rows, strict=True)
        )

    def _over_where(self, expr: Expr, scope: Scope, beneath: Term | None) -> Term:
        given = self.condition(expr, scope, "`where`")
        if has_proceed(given):
            return with_proceed(given, beneath if beneath is not None else Const(1, type=YesNo()))
        return given

    def _sources(self, entry: KindEntry) -> None:
        """Whether something says which cards there are, and what is printed on each."""
        doc = entry.doc
        if doc.every_modifier:
            return
        if doc.file is not None and not doc.every:
            for expr, _ in entry.wheres:
                self.names.report(
                    "E0434",
                    expr.span,
                    "`where` is for cards that `every:` makes, and these are listed in a file",
                    "leave out the rows that are not wanted",
                )
            if doc.copies is not None and not isinstance(doc.copies, NumberLiteral):
                self.names.report(
                    "E0214",
                    doc.copies.span,
                    "the number of copies of listed cards is worked out, so nobody can tell how many there are",
                    "write a plain number",
                )
        elif not doc.every:
            self.names.report(
                "E0428",
                doc.span,
                f"nothing says which cards of the kind '{doc.name}' there are",
                "add `every:` with types or a range of numbers, or a `file:` that lists them",
            )
            return
        if doc.file is None and not doc.more:
            for power, _ in doc.powers:
                self.names.report(
                    "E0437",
                    power.span,
                    f"no card can have the power '{power.name}', since no file lists the cards of this kind",
                    "list them in a `file:`, where each row says what its card can do",
                )
        for printed in doc.printed if doc.every else ():
            self.names.report(
                "E0430",
                printed.span,
                f"nothing says what '{printed.name}' is on each of these cards",
                f"make it a rule, `{printed.name}({doc.name})`, or name it under `every:`",
            )
        on_face = set(self.printed(doc.name))
        for own in doc.fields:
            if own.name in on_face:
                self.names.report(
                    "E0309", own.span, f"'{own.name}' is printed on these cards already", "give the field another name"
                )

    def _settled(self, term: Term | None, span: Span) -> None:
        """Which cards there are is asked before the match, when nothing lies anywhere yet."""
        for found in self._with_rules(term, set()) if term is not None else ():
            if isinstance(found, _MOVING) or (isinstance(found, ir.Prim) and found.op in _OF_PLACES):
                self.names.report(
                    "E0427",
                    (term.span if term is not None else None) or span,
                    "which cards there are is settled before the match, but this changes during it",
                    "use what is printed, options and the number of players",
                )
                return

    def _with_rules(self, term: Term, seen: set[str]) -> Iterator[Term]:
        for found in terms_of(term):
            yield found
            if isinstance(found, ir.Call) and found.rule not in seen:
                seen.add(found.rule)
                for entry in (entry for entries in self.names.rules.values() for entry in entries):
                    if entry.id == found.rule and entry.rule is not None:
                        yield from self._with_rules(entry.rule.body, seen)

    def _domain(self, kind: str, attribute: str) -> tuple[int, ...]:
        of = self.printed(kind)[attribute]
        match of:
            case Enum():
                return tuple(range(len(of.members)))
            case Number(low=Fraction() as low, high=Fraction() as high):
                return tuple(range(int(low), min(int(high), int(low) + MOST_CARDS) + 1))  # more is reported (E0210)
            case _:
                return ()

    def _field(self, doc: FieldDoc, of: Type) -> Keeping:
        start: ir.Value = NONE if isinstance(of, Optional) else () if isinstance(of, ListOf | RowOf) else 0
        return Keeping(doc.name, of, start, doc.at_most or 200, doc.is_part, doc.span)

    def _zone(self, name: str) -> ir.Zone | None:
        entry = self.names.zones[name]
        doc = entry.doc
        kind = self.names.zone_kind(name)
        if kind not in self.names.kinds:
            span = doc.of.span if doc.of is not None else doc.span
            message = f"there is no kind of cards '{kind}'" if self.names.kinds else "the game declares no cards"
            help = nearest(kind, list(self.names.kinds)) or "declare the kind under `cards:`"
            self.names.report("E0316", span, message, help)
            return None
        self._owned(name)
        if doc.of is None and len(self.names.kinds) > 1 and "card" not in self.names.kinds:
            kinds = ", ".join(self.names.kinds)
            self.names.report("E0326", doc.span, f"'{name}' does not say which cards lie there", f"add `of:` ({kinds})")
        if self.names.shape(name) is not Shape.PLAYS:
            for own in doc.fields:
                self.names.report(
                    "E0505",
                    own.span,
                    f"'{own.name}' would be written on plays, and '{name}' holds none",
                    "add `shape: plays`, or declare the field under `cards:`",
                )
        elif doc.start_all:
            self.names.report(
                "E0506", doc.span, f"cards can't begin in '{name}', which holds plays", "let them begin elsewhere"
            )
        if doc.active and not self.names.kinds[kind].doc.every_modifier:
            self.names.report(
                "E0507",
                doc.span,
                f"'{name}' is active, but what lies there stands for no modifier",
                f"leave `active` out, or let the kind '{kind}' have `every: modifier`",
            )
        sight = Sight(doc.seen.name) if doc.seen is not None else Sight.EVERYONE
        count = Sight(doc.count_seen.name) if doc.count_seen is not None else Sight.EVERYONE
        types = self.play_field_types(name)
        fields = tuple(self._field(own, types[own.name]) for own in doc.fields)
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

    def _owned(self, name: str) -> None:
        """Whether the owners of a zone, and those who see it as owners, are there."""
        doc = self.names.zones[name].doc
        if doc.each is None:
            for key, sight in (("seen", doc.seen), ("count_seen", doc.count_seen)):
                if sight is not None and sight.name in (Sight.OWNER, Sight.OTHERS):
                    self.names.report(
                        "E0702",
                        sight.span,
                        f"'{name}' is nobody's, so `{key}: {sight.name}` means nobody in particular",
                        "add `each: player`, or write `everyone` or `nobody`",
                    )
            return
        if doc.each.name == "team" and not self.names.has_teams:
            self.names.report("E0318", doc.each.span, "this game has no teams", "declare `teams:`")
        if doc.each.name not in ("player", "team"):
            known = self.names.named_type(doc.each.name) is not None
            self.names.report(
                "E0540" if known else "E0310",
                doc.each.span,
                f"a zone for each {doc.each.name} is not there yet" if known else f"there is no type '{doc.each.name}'",
                "zones are there once, or for `each: player` or `each: team`",
            )

    def check_starts(self) -> None:
        """Whether the cards of every kind have one place to begin in."""
        broken = any(self.names.zone_kind(name) not in self.names.kinds for name in self.names.zones)
        for kind, entry in self.names.kinds.items():
            zones = [name for name in self.names.zones if self.names.zone_kind(name) == kind]
            if not broken and all(self.names.shape(name) is Shape.PLAYS for name in zones):
                self.names.report(
                    "E0503", entry.doc.span, f"there is no zone where cards of the kind '{kind}' can lie", "declare one"
                )
            starts = [name for name in zones if self.names.zones[name].doc.start_all]
            begin = [name for name in zones if self.names.shape(name) is not Shape.PLAYS]
            if not broken and not starts and len(begin) > 1:
                self.names.report(
                    "E0506",
                    entry.doc.span,
                    f"nothing says where the cards of the kind '{kind}' begin",
                    f"add `start: all` to one of the zones {', '.join(sorted(begin))}",
                )
            for name in starts:
                doc = self.names.zones[name].doc
                if doc.each is not None:
                    message = f"all cards would begin in '{name}', and there is one for each {doc.each.name}"
                    self.names.report("E0506", doc.span, message, "let them begin in a zone that is there once")
                if name != starts[0]:
                    message = f"all cards of the kind '{kind}' begin in '{starts[0]}' already"
                    self.names.report("E0506", doc.span, message, "leave `start: all` out in one of the two")

    def field_type(self, own: FieldDoc) -> Type:
        """The type of what is written on a card or with a play: blank at first."""
        of = self.type_of(own.type)
        if holds_plays(of):
            self.names.report(
                "E0408", own.span, "a play can't be kept: it ends when its cards leave", "keep its player or its card"
            )
        return of if isinstance(of, Number | YesNo | SetOf | ListOf | RowOf) else optional(of)


def holds_plays(of: Type) -> bool:
    """Whether a value of a type is a play, or has one in it."""
    return isinstance(of, Play) or (isinstance(of, Optional | SetOf | RowOf | ListOf) and holds_plays(of.of))
