"""Holds what a scenario expects against how a match stands."""

from __future__ import annotations

from collections import Counter
from collections.abc import Generator, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from rulesdsl.ir.nodes import Owned, Rule, Shape, Value
from rulesdsl.types import NONE, Record, Seat, SetOf, Team, Type, required

from ..host.decision import Decision, Refusal
from ..host.plain import DECLINE, Plain, as_list, shown, words_of
from ..host.table import Table
from ..host.wording import WordingError
from ..sight.event import Event
from ..state.bits import members
from ..state.cells import State
from ..state.domains import first_of, size_of
from ..state.errors import MatchError
from ..state.layout import VariableInfo, ZoneInfo
from .coverage import Coverage
from .failure import MISREAD, NOT_MET, UNKNOWN, Failure
from .placing import CARD, UNDER
from .sights import differs

Path = tuple[str | int, ...]


@dataclass(frozen=True, slots=True)
class Situation:
    """What can be looked at: a state, what is being decided, what happened, whether it is over, what broke it."""

    state: State
    decisions: Sequence[Decision]
    events: Sequence[Event]
    finished: bool
    broken: str | None


class Checker:
    """Checks expectations one by one."""

    def __init__(self, table: Table, situation: Situation, coverage: Coverage | None = None) -> None:
        self._table = table
        self._coverage = coverage
        self._layout = table.layout
        self._at = situation
        self._state = situation.state

    def check(self, name: str, plain: Plain) -> list[Failure]:
        """What does not hold of one expectation."""
        path = ("expect", name)
        try:
            return list(self._checked(name, path, plain))
        except WordingError as problem:
            return [Failure(path, str(problem), MISREAD)]
        except MatchError as problem:
            return [Failure(path, f"this can't be worked out here: {problem.message}")]

    def _checked(self, name: str, path: Path, plain: Plain) -> Iterator[Failure]:
        match name:
            case "decision":
                yield from self._decision(path, plain)
            case "player":
                yield from self._player(path, plain)
            case "options" | "lacks" | "legal" | "illegal":
                yield from self._answers(name, path, plain)
            case "state":
                yield from self._states(path, plain)
            case "zones":
                yield from self._zones(path, plain)
            case "values":
                yield from self._values(path, plain)
            case "scores" | "result":
                yield from self._scores(path, plain)
            case "winners":
                yield from self._winners(path, plain)
            case "events":
                yield from self._events(path, plain)
            case "sees":
                yield from self._sees(path, plain)
            case "finished":
                if shown(plain) != ("true" if self._at.finished else "false"):
                    yield Failure(path, "the match is over" if self._at.finished else "the match is not over")

    # ── decisions ────────────────────────────────────────────────────────────────────────────────────────────────

    def _decision(self, path: Path, plain: Plain) -> Iterator[Failure]:
        decisions = self._at.decisions
        if plain == "none":
            if decisions:
                yield Failure(path, f"`{decisions[0].name}` is to be decided")
        elif not decisions:
            yield Failure(path, "nothing is to be decided" + (f": {self._at.broken}" if self._at.broken else ""))
        elif decisions[0].name != plain and decisions[0].ask.path != plain:
            yield Failure(path, f"`{decisions[0].name}` is to be decided")

    def _player(self, path: Path, plain: Plain) -> Iterator[Failure]:
        expected = sorted(shown(item) for item in as_list(plain))
        asked = sorted(str(decision.player) for decision in self._at.decisions)
        first = asked[:1] if isinstance(plain, str) else asked  # of several, one may name the first alone
        if expected not in (asked, first):
            yield Failure(path, f"player {' and '.join(asked)} is asked" if asked else "nobody is asked anything")

    def _answers(self, name: str, path: Path, plain: Plain) -> Iterator[Failure]:
        if not self._at.decisions:
            broken = f": {self._at.broken}" if self._at.broken else ""
            yield Failure(path, f"nothing is to be decided{broken}")
            return
        decision = self._at.decisions[0]
        if name == "illegal":
            yield from self._illegal(decision, path, plain)
            return
        if name == "legal":
            for number, item in enumerate(as_list(plain)):
                found = decision.read(item)
                if isinstance(found, tuple):
                    reasons = "; ".join(str(reason) for reason in found)
                    yield Failure((*path, number), f"{shown(item)} is refused: {reasons}")
            return
        offered = {shown(whole.plain) for whole in decision.answers()}
        expected = {self._canonical(decision, item): number for number, item in enumerate(as_list(plain))}
        for text, number in expected.items():
            if (text in offered) is (name == "lacks"):
                said = "is an option" if name == "lacks" else "is no option"
                yield Failure((*path, number), f"{text} {said}; the options are {_some(sorted(offered))}")
            elif name == "lacks" and self._coverage is not None:
                self._refused(decision.why_not(as_list(plain)[number]))
        if name == "options" and (more := sorted(offered - expected.keys())):
            yield Failure(path, f"there are further options: {_some(more)}")

    def _refused(self, reasons: Sequence[Refusal]) -> None:
        """Conditions have refused something, for those who want to know which of them ever do."""
        if self._coverage is not None:
            for reason in reasons:
                self._coverage.refused(reason.rule, reason.place)

    def _canonical(self, decision: Decision, plain: Plain) -> str:
        """Something written in the form in which the options are shown."""
        if plain == DECLINE:
            return DECLINE
        state, wording = self._state, self._table.wording
        texts = [
            shown(wording.answer(decision.ask, answer, state))
            for answer in wording.read_answer(decision.ask, plain, state, decision.player)
        ]
        return texts[0] if texts else shown(plain)

    def _illegal(self, decision: Decision, path: Path, plain: Plain) -> Iterator[Failure]:
        expected: list[tuple[Path, Plain, str | None]]
        if isinstance(plain, dict):
            expected = [((*path, answer), answer, shown(rule)) for answer, rule in plain.items()]
        else:
            expected = [_refused((*path, number), answer) for number, answer in enumerate(as_list(plain))]
        for here, answer, rule in expected:
            reasons = decision.why_not(answer)
            names = [reason.rule for reason in reasons]
            unread = [reason for reason in reasons if reason.kind == "reading"]
            self._refused(reasons)
            if not reasons:
                yield Failure(here, f"{shown(answer)} is allowed")
            elif unread:
                yield Failure(here, unread[0].text, MISREAD)
            elif rule is not None and rule not in names:
                yield Failure(here, f"{shown(answer)} is refused by {', '.join(names)}, not by {rule}")

    # ── states and values ────────────────────────────────────────────────────────────────────────────────────────

    def _states(self, path: Path, plain: Plain) -> Iterator[Failure]:
        for name, inner in _mapping(plain).items():
            info = self._layout.variables.get(name)
            if info is None:
                known = ", ".join(sorted(self._layout.variables))
                yield Failure((*path, name), f"there is no state '{name}'", UNKNOWN, f"there are {known}")
            else:
                yield from self._dimension(info, 0, info.base, (*path, name), inner)

    def _dimension(self, info: VariableInfo, depth: int, base: int, path: Path, plain: Plain) -> Iterator[Failure]:
        each = info.declaration.each
        if depth == len(each):
            yield from self._same(info.declaration.keeping.type, self._state[base], path, plain)
            return
        for member, here, inner in self._by_member(each[depth], info.sizes[depth], path, plain):
            yield from self._dimension(info, depth + 1, base + member * info.strides[depth], here, inner)

    def _by_member(self, of: Type, size: int, path: Path, plain: Plain) -> list[tuple[int, Path, Plain]]:
        """What is written for each member: a list by seat, or a mapping for some."""
        if isinstance(plain, list) and isinstance(of, Seat | Team):
            if len(plain) != size:
                raise WordingError(f"{shown(plain)} should have one entry for each of the {size}")
            return [(number, (*path, number), inner) for number, inner in enumerate(plain)]
        found = []
        for key, inner in _mapping(plain).items():
            value = self._table.namer.value(of, words_of(key))
            if not isinstance(value, int) or not first_of(of) <= value < first_of(of) + size:
                raise WordingError(f"'{key}' is not a {of}")
            found.append((value - first_of(of), (*path, key), inner))
        return found

    def _same(self, of: Type, value: Value, path: Path, plain: Plain) -> Iterator[Failure]:
        """Whether a value is what is written; cards compare by what they show."""
        wording, state = self._table.wording, self._state
        now = wording.value(of, value, state)
        record = required(of)
        if isinstance(record, Record) and isinstance(plain, dict) and isinstance(value, tuple):
            yield from self._same_record(record, value, path, plain)
            return
        if isinstance(plain, str) and isinstance(now, list):
            plain = [] if plain == "none" else [plain]
        if _unordered(of, now) == _unordered(of, plain):
            return
        readings = list(wording.read(of, plain, state)) if plain != "none" else [NONE]
        texts = [_unordered(of, wording.value(of, reading, state)) for reading in readings]
        if _unordered(of, now) not in texts:
            yield Failure(path, f"it is {shown(now)}", NOT_MET)

    def _same_record(
        self, of: Record, value: tuple[Value, ...], path: Path, plain: dict[str, Plain]
    ) -> Iterator[Failure]:
        """Whether the parts that are named are what is written."""
        parts = {name: (part, inner) for (name, part), inner in zip(of.fields, value, strict=True)}
        for name, inner in plain.items():
            if name in parts:
                yield from self._same(*parts[name], (*path, name), inner)
            else:
                yield Failure((*path, name), f"there is no part '{name}'", UNKNOWN, f"there are {', '.join(parts)}")

    def _values(self, path: Path, plain: Plain) -> Iterator[Failure]:
        for text, inner in _mapping(plain).items():
            here = (*path, text)
            name, arguments = _called(text)
            rules = [rule for rule in self._table.program.rules if rule.name == name]
            fitting = [rule for rule in rules if self._fits(rule, arguments, inner)]
            if not fitting:
                known = ", ".join(sorted({rule.name for rule in self._table.program.rules}))
                said = f"there is no rule '{name}'" if not rules else f"'{name}' can't be asked like that"
                yield Failure(here, said, UNKNOWN, f"there are {known}" if not rules else None)
                continue
            yield from self._value(fitting[0], arguments, here, inner)

    def _fits(self, rule: Rule, arguments: Sequence[str], plain: Plain) -> bool:
        """Whether a rule can be worked out: with the arguments given, or for every seat or team."""
        if len(rule.parameters) != len(arguments):
            first = rule.parameters[0].type if len(rule.parameters) == 1 else None
            return not arguments and isinstance(first, Seat | Team)
        try:
            for parameter, text in zip(rule.parameters, arguments, strict=True):
                next(self._table.wording.read(parameter.type, text, self._state), None)
        except WordingError:
            return False
        return True

    def _value(self, rule: Rule, arguments: Sequence[str], path: Path, plain: Plain) -> Iterator[Failure]:
        function = self._table.machine.evaluator.rule(rule.id)
        read = self._table.wording.read
        if len(arguments) == len(rule.parameters):
            given = [next(read(p.type, text, self._state)) for p, text in zip(rule.parameters, arguments, strict=True)]
            yield from self._same(rule.type, function(self._state, *given), path, plain)
            return
        of = rule.parameters[0].type
        size = size_of(of, self._layout.seats, self._layout.seating.teams, self._layout.packs)
        for member, here, inner in self._by_member(of, size, path, plain):
            yield from self._same(rule.type, function(self._state, member), here, inner)

    # ── zones ────────────────────────────────────────────────────────────────────────────────────────────────────

    def _zones(self, path: Path, plain: Plain) -> Iterator[Failure]:
        for name, inner in _mapping(plain).items():
            here = (*path, name)
            if name not in self._layout.first_zone:
                known = ", ".join(sorted(self._layout.first_zone))
                yield Failure(here, f"there is no zone '{name}'", UNKNOWN, f"there are {known}")
                continue
            owners = [zone for zone in self._layout.zones if zone.name == name]
            if owners[0].each is Owned.ONCE:
                yield from self._zone(owners[0], here, inner)
                continue
            of = Seat() if owners[0].each is Owned.PLAYER else Team()
            for owner, there, cards in self._by_member(of, len(owners), here, inner):
                yield from self._zone(owners[owner], there, cards)

    def _zone(self, zone: ZoneInfo, path: Path, plain: Plain) -> Iterator[Failure]:
        wanted = [] if plain == "none" else as_list(plain)
        now = list(self._lying(zone))
        if zone.shape is Shape.PLAYS:
            texts = [shown(self._play(zone.kind, play)) for play in now]
            expected = [shown(item) for item in wanted]
            if texts != expected:
                yield Failure(path, f"there are {_some(texts) or 'no plays'}")
            return
        order = yield from self._lie_there(zone.kind, now, wanted, path)
        if order is not None and zone.shape is not Shape.SET and not self._same_row(zone.kind, order, now):
            text = self._table.wording.card
            yield Failure(path, f"the order is {', '.join(text(zone.kind, card, self._state) for card in now)}")

    def _lie_there(
        self, kind: str, lying: Sequence[int], wanted: Sequence[Plain], path: Path
    ) -> Generator[Failure, None, list[int] | None]:
        """Whether just these cards lie at a place; if so, the cards in the order in which they are written."""
        left = list(lying)
        order: list[int] = []
        missing: list[str] = []
        for item in wanted:
            more = item if isinstance(item, dict) and CARD in item else {}
            fitting = self._table.wording.read_cards(kind, more.get(CARD, item), self._state, -1)
            found = next((card for card in left if card in fitting), None)
            if found is None:
                missing.append(shown(item))
                continue
            order.append(found)
            left.remove(found)
            for key in more.keys() - {CARD}:
                yield from self._of_card(kind, found, key, more[key], (*path, key))
        if not missing and not left:
            return order
        problems = [f"{_some(missing)} is not there"] if missing else []
        text = self._table.wording.card
        problems += [f"{_some([text(kind, card, self._state) for card in left])} is there as well"] if left else []
        yield Failure(path, " and ".join(problems))
        return None

    def _of_card(self, kind: str, card: int, key: str, plain: Plain, path: Path) -> Iterator[Failure]:
        """Whether something is written on a card, or lies under it."""
        state, layout = self._state, self._layout
        known = {keeping.name: keeping.type for keeping in layout.packs[kind].kind.fields}
        if key == UNDER:
            place = layout.zone_count + layout.card_base[kind] + card
            lying = [one for one in range(layout.packs[kind].size) if state[layout.at[kind] + one] == place]
            yield from self._lie_there(kind, lying, [] if plain == "none" else as_list(plain), path)
        elif key in known:
            yield from self._same(known[key], state[layout.fields[kind, key] + card], path, plain)
        else:
            yield Failure(
                path, f"nothing can be written on a {kind} as '{key}'", UNKNOWN, f"there are {', '.join(sorted(known))}"
            )

    def _same_row(self, kind: str, left: Sequence[int], right: Sequence[Any]) -> bool:
        text = self._table.wording.card
        return [text(kind, card, self._state) for card in left] == [text(kind, card, self._state) for card in right]

    def _lying(self, zone: ZoneInfo) -> Iterator[Any]:
        """What lies in a zone, in the order in which it is written: a stack from the top."""
        held = self._state[zone.cell]
        if isinstance(held, int):
            return iter(members(held))
        return reversed(held) if zone.shape is Shape.STACK else iter(held)

    def _play(self, kind: str, play: Any) -> Plain:
        _, seat, cards, *_ = play
        texts = [self._table.wording.card(kind, card, self._state) for card in members(cards)]
        return {str(seat): " + ".join(texts)}

    # ── results ──────────────────────────────────────────────────────────────────────────────────────────────────

    def _scores(self, path: Path, plain: Plain) -> Iterator[Failure]:
        scores = self._table.standing.scores(self._state)
        if not scores:
            yield Failure(path, "this game keeps no scores")
            return
        for seat, here, inner in self._by_member(Seat(), self._layout.seats, path, plain):
            score = scores[seat]
            if not isinstance(inner, dict):
                if shown(inner) != str(score.points):
                    yield Failure(here, f"it is {score.points}")
                continue
            parts = {name: str(value) for name, value in score.parts}
            for name, value in inner.items():
                if name not in parts:
                    known = ", ".join(parts) or "none"
                    yield Failure((*here, name), f"there is no component '{name}'", UNKNOWN, f"there are {known}")
                elif shown(value) != parts[name]:
                    yield Failure((*here, name), f"it is {parts[name]}")

    def _winners(self, path: Path, plain: Plain) -> Iterator[Failure]:
        winners = {str(seat) for seat in members(self._table.standing.winners(self._state))}
        expected = {shown(item) for item in as_list(plain)} - {"none"}
        if winners != expected:
            yield Failure(path, f"{', '.join(sorted(winners)) or 'nobody'} would win")

    # ── what happened, and what is seen ──────────────────────────────────────────────────────────────────────────

    def _events(self, path: Path, plain: Plain) -> Iterator[Failure]:
        """Whether the expected events came about in that order; others may lie between them."""
        told = [self._table.told_all(event) for event in self._at.events]
        at = 0
        for number, item in enumerate(as_list(plain)):
            found = next((index for index in range(at, len(told)) if not differs(item, told[index])), None)
            if found is None:
                yield Failure((*path, number), f"{shown(item)} did not happen" + (" after that" if number else ""))
                return
            at = found + 1

    def _sees(self, path: Path, plain: Plain) -> Iterator[Failure]:
        for seat, here, inner in self._by_member(Seat(), self._layout.seats, path, plain):
            asked = next((decision.name for decision in self._at.decisions), None)
            view = self._table.view(self._state, seat, asked)
            for key, value in _mapping(inner).items():
                zones = [zone for zone in view["zones"] if zone["zone"] == key or zone["zone"] == f"{key} {seat}"]
                found = zones[0] if zones else view["state"].get(key, view.get(key))
                if not zones and key not in view["state"] and key not in view:
                    yield Failure((*here, key), f"a view shows no '{key}'", UNKNOWN)
                elif problem := differs(value, found):
                    yield Failure((*here, key), problem)


def _called(text: str) -> tuple[str, list[str]]:
    """A rule as it is asked for: `points(Q of spades)`, or its name alone."""
    name, bracket, rest = text.partition("(")
    return name.strip(), [piece.strip() for piece in rest.rstrip(") ").split(",")] if bracket else []


def _refused(path: Path, plain: Plain) -> tuple[Path, Plain, str | None]:
    """An answer that is refused, and by which rule if it is said: `{ choice: ANSWER, by: RULE }`."""
    if isinstance(plain, dict) and set(plain) == {"choice", "by"}:
        return (*path, "choice"), plain["choice"], shown(plain["by"])
    return path, plain, None


def _mapping(plain: Plain) -> Mapping[str, Plain]:
    if not isinstance(plain, dict):
        raise WordingError(f"{shown(plain)} should be a mapping")
    return plain


def _unordered(of: Type, plain: Plain) -> object:
    """A value's text for comparing: of a set the order means nothing."""
    is_set = isinstance(required(of), SetOf)
    if isinstance(plain, list):
        texts = [shown(item) for item in plain]
        return Counter(texts) if is_set else texts
    return Counter([plain]) if is_set and isinstance(plain, str) else shown(plain)


_MOST_SHOWN = 20


def _some(texts: Sequence[str]) -> str:
    more = len(texts) - _MOST_SHOWN
    return ", ".join(texts[:_MOST_SHOWN]) + (f" and {more} more" if more > 0 else "")
