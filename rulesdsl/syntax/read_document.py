"""A rule file as a document: the last step before names are looked up.

Takes: a YAML tree that has passed its schema, and the kind of the file.
Makes: the document of that kind, every scalar in it parsed.
Refuses: texts without a reading (E011x), numbers out of bounds (E0250).
Afterwards true: what was reported stands in the document as an `ErrorExpr`, or is left out.
"""

from __future__ import annotations

import re
from dataclasses import replace
from typing import assert_never

from ..diagnostic import Diagnostics
from ..reading.filekind import FileKind
from ..reading.yamltree import YamlList, YamlMap, YamlNode, YamlScalar
from .document import (
    AnyDoc,
    CardsDoc,
    Declarations,
    ExprBody,
    GameDoc,
    LibraryDoc,
    ModifierDoc,
    Named,
    PairDoc,
    PlayersDoc,
    ProcedureDoc,
    RuleBody,
    SettlementDoc,
    TeamsDoc,
    TestDoc,
    VariantDoc,
)
from .expr import ErrorExpr, Signature
from .parse_expr import Start, parse
from .read_changes import read_changes, read_orders
from .read_declarations import read_kinds, read_options, read_states, read_types, read_zones
from .read_rules import read_rule_body, read_rules
from .read_scalars import Reading
from .read_scenarios import MOST_SEATS, read_scenarios, read_settings
from .read_steps import STEP_KEYS, read_steps
from .read_wording import read_wording

DEEPEST_RUN = 64
_PLAYERS = re.compile(r"([0-9]{1,9})(?: to ([0-9]{1,9}))?")


def read_document(tree: YamlMap, kind: FileKind, diagnostics: Diagnostics) -> AnyDoc:
    """The document that a file stands for."""
    read = Reading(diagnostics)
    name, title = read.required_name(tree.get(kind.value), tree), read.text(tree.get("title"))
    match kind:
        case FileKind.GAME:
            return GameDoc(
                name=name,
                title=title,
                uses=read.names(tree.get("uses")),
                declares=_declarations(read, tree),
                players=_players(read, tree.get("players")) or PlayersDoc(1, 1, span=tree.whole),
                teams=_teams(read, tree.get("teams")),
                phases=read_steps(read, tree.get("phases")),
                scores=_maybe_rule(read, tree.get("scores")),
                progress=_maybe_rule(read, tree.get("progress")),
                winners=_maybe_rule(read, tree.get("winners")) or ExprBody(_error(tree), span=tree.whole),
                span=tree.whole,
            )
        case FileKind.LIBRARY:
            return LibraryDoc(
                name=name,
                title=title,
                uses=read.names(tree.get("uses")),
                declares=_declarations(read, tree),
                span=tree.whole,
            )
        case FileKind.MODIFIER:
            return _modifier(read, tree, name, title)
        case FileKind.VARIANT:
            return VariantDoc(
                name=name,
                title=title,
                of=read.required_name(tree.get("of"), tree),
                with_=read.names(tree.get("with")),
                options=read_settings(read, tree.get("options")),
                changes=read_changes(read, tree.get("changes")),
                order=read_orders(read, tree.get("order")),
                over=read_orders(read, tree.get("over")),
                span=tree.whole,
            )
        case FileKind.SETTLEMENT:
            return SettlementDoc(
                name=name,
                title=title,
                of=read.required_name(tree.get("of"), tree),
                pairs=tuple(_pair(read, pair) for pair in read.maps(tree.get("pairs"))),
                span=tree.whole,
            )
        case FileKind.CARDS:
            return CardsDoc(
                name=name,
                title=title,
                of=read.required_name(tree.get("of"), tree),
                adds_to=read.named(tree.get("adds_to")),
                rows=read.items(tree.get("rows")),
                span=tree.whole,
            )
        case FileKind.TEST:
            return TestDoc(
                name=name,
                title=title,
                of=read.required_name(tree.get("of"), tree),
                scenarios=read_scenarios(read, tree.get("scenarios")),
                span=tree.whole,
            )
        case _:
            assert_never(kind)


def _modifier(read: Reading, tree: YamlMap, name: Named, title: str | None) -> ModifierDoc:
    adds = read.mapping(tree.get("adds"))
    added = Declarations(span=tree.whole) if adds is None else _declarations(read, adds)
    return ModifierDoc(
        name=name,
        title=title,
        of=read.required_name(tree.get("of"), tree),
        kind=read.named(tree.get("kind")),
        players=_players(read, tree.get("players")),
        teams=_teams(read, tree.get("teams")),
        uses=read.names(tree.get("uses")),
        when=read.maybe_expr(tree.get("when")),
        adds=_with_options(read, added, tree.get("options")),
        changes=read_changes(read, tree.get("changes")),
        span=tree.whole,
    )


def _with_options(read: Reading, added: Declarations, node: YamlNode | None) -> Declarations:
    """Options of a modifier stand beside `adds`, and belong to it."""
    return added if node is None else replace(added, options=(*added.options, *read_options(read, node)))


def _pair(read: Reading, node: YamlMap) -> PairDoc:
    adds = read.mapping(node.get("adds"))
    return PairDoc(
        of=read.names(node.get("of")),
        as_written=read.text(node.get("fits")) == "as written",
        order=read_orders(read, node.get("order")),
        changes=read_changes(read, node.get("changes")),
        adds=None if adds is None else _declarations(read, adds),
        note=read.text(node.get("note")),
        span=node.whole,
    )


# ── declarations ─────────────────────────────────────────────────────────────────────────────────────────────────


def _declarations(read: Reading, node: YamlMap) -> Declarations:
    return Declarations(
        options=read_options(read, node.get("options")),
        types=read_types(read, node.get("types")),
        cards=read_kinds(read, node.get("cards")),
        zones=read_zones(read, node.get("zones")),
        state=read_states(read, node.get("state")),
        rules=read_rules(read, node.get("rules")),
        procedures=_procedures(read, node.get("procedures")),
        events=read_changes(read, node.get("events")),
        wording=read_wording(read, node.get("wording")),
        span=node.whole,
    )


def _procedures(read: Reading, node: YamlNode | None) -> tuple[ProcedureDoc, ...]:
    found = []
    for key, value in read.entries(node):
        signature = parse(Start.SIGNATURE, key, read.diagnostics)
        long = value if isinstance(value, YamlMap) and not any(k.text in STEP_KEYS for k, _ in value.entries) else None
        steps = read_steps(read, value if long is None else long.get("do"))
        depth = None if long is None else read.number(long.get("depth"), 1, DEEPEST_RUN)
        state = () if long is None else read_states(read, long.get("state"))
        if isinstance(signature, Signature):
            found.append(ProcedureDoc(signature, steps, depth, state, span=key.whole.to(value.whole)))
    return tuple(found)


def _maybe_rule(read: Reading, node: YamlNode | None) -> RuleBody | None:
    return None if node is None else read_rule_body(read, node)


def _error(node: YamlNode) -> ErrorExpr:
    return ErrorExpr(span=node.whole)


# ── players and teams ────────────────────────────────────────────────────────────────────────────────────────────


def _players(read: Reading, node: YamlNode | None) -> PlayersDoc | None:
    """`4` or `2 to 6`."""
    scalar = read.scalar(node)
    if scalar is None:
        return None
    found = _PLAYERS.fullmatch(scalar.text.strip())
    if found is None:
        read.odd(scalar)
        return None
    low = int(found[1])
    high = int(found[2] or found[1])
    if not 1 <= low <= high <= MOST_SEATS:
        read.diagnostics.add(
            "E0250",
            scalar.whole,
            f"{scalar.text} is no number of players",
            help=f"there are 1 to {MOST_SEATS} players, the smaller number first",
        )
        return None
    return PlayersDoc(low, high, span=scalar.whole)


def _teams(read: Reading, node: YamlNode | None) -> TeamsDoc | None:
    for key, value in read.entries(node):
        span = key.whole.to(value.whole)
        match value:
            case YamlScalar():
                return TeamsDoc(key.text, opposite=True, span=span)
            case YamlList():
                return TeamsDoc(key.text, seats=tuple(_seats(read, team) for team in value), span=span)
            case YamlMap():
                read.odd(value)
    return None


def _seats(read: Reading, node: YamlNode) -> tuple[int, ...]:
    seats = (read.number(seat, 0, MOST_SEATS - 1) for seat in read.items(node))
    return tuple(seat for seat in seats if seat is not None)
