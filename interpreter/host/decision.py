"""What a seat is asked, as a host sees it: the options step by step, and whole answers to check or draw."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum
from fractions import Fraction
from typing import Any

from rulesdsl.ir.nodes import Ask, Part, Pick, PickMembers, PickNumber, PickOrder, PickWriting, PickYesNo
from rulesdsl.types import Card, Number, Seat, Type

from ..decide.choices import DECLINE as NO_ANSWER
from ..decide.choices import STOP, Question, Reason
from ..decide.writing import Blanks
from ..state.cells import State
from ..state.domains import member_of
from .plain import DECLINE, Plain, shown
from .table import Chooser, Table, below
from .wording import Answer, WordingError

ENOUGH = "enough"
"""How one says that no more members are picked."""


class Kind(StrEnum):
    """What sort of thing is decided."""

    CARD = "card"
    CARDS = "cards"
    PLAYER = "player"
    CHOICE = "choice"
    SEVERAL = "several"
    NUMBER = "number"
    YES_NO = "yes or no"
    ORDER = "order"
    WRITING = "writing"
    PARTS = "parts"
    ACTS = "acts"


@dataclass(frozen=True, slots=True)
class Option:
    """One step of an answer: `text` for people, `part` the name of what it says, `atom` what the machine takes.

    The first step may name one of several acts; `part` is then empty. Where there is no choice, the only option is the
    whole answer.
    """

    text: str
    part: str
    atom: Any
    answer: Answer | None = None

    def __str__(self) -> str:
        return self.text


@dataclass(frozen=True, slots=True)
class Sheet:
    """Cards on each of which a number is to be written, and what they are to make; `written` is there already."""

    cards: tuple[str, ...]
    domains: tuple[Sequence[int], ...]
    scale: int
    least: Fraction
    most: Fraction
    written: tuple[Fraction, ...]

    def allows(self, card: int, number: Fraction) -> bool:
        """Whether a number may stand on a card, whatever stands on the others."""
        steps = number * self.scale
        return steps.denominator == 1 and steps.numerator in self.domains[card]


@dataclass(frozen=True, slots=True)
class Whole:
    """A whole answer: `plain` as people write it, `answer` what the machine takes."""

    plain: Plain
    answer: Answer

    def __str__(self) -> str:
        return shown(self.plain)


@dataclass(frozen=True, slots=True)
class Refusal:
    """One reason against an answer: the rule's name and kind, what it says, where, and who wrote it.

    A text that can't be read at all has the kind `reading` and no place.
    """

    rule: str
    kind: str
    text: str
    place: str | None
    by: str | None

    def __str__(self) -> str:
        where = f" ({self.place})" if self.place else ""
        said = f": {self.text}" if self.text else ""
        return f"{self.rule}{said}{where}"


class IllegalChoice(Exception):
    """An answer that is not allowed; `reasons` says by which rules. The match is as it was."""

    def __init__(self, answer: str, reasons: tuple[Refusal, ...]) -> None:
        self.answer = answer
        self.reasons = reasons
        super().__init__(f"'{answer}' is not allowed: {'; '.join(str(reason) for reason in reasons)}")


class Decision:
    """One seat's decision, on the state as it was when this was asked for."""

    __slots__ = ("_options", "_question", "_state", "_table", "ask", "player", "prefix")

    def __init__(self, table: Table, question: Question, state: State, player: int, prefix: tuple[Any, ...]) -> None:
        self._table = table
        self._question = question
        self._state = state
        self._options: tuple[Option, ...] | None = None
        self.ask: Ask = question.ask
        self.player = player
        self.prefix = prefix
        """What was already chosen, step by step."""

    @property
    def name(self) -> str:
        """The decision's name in the rule file."""
        return self.ask.name

    @property
    def kind(self) -> Kind:
        """What sort of thing is decided."""
        alternatives = self.ask.alternatives
        if len(self._question.acts) > 1 or alternatives[0].name is not None:
            return Kind.ACTS
        parts = alternatives[0].parts
        return kind_of(parts[0].pick) if len(parts) == len(alternatives) == 1 else Kind.PARTS

    @property
    def optional(self) -> bool:
        """Whether it may be declined."""
        return self.ask.optional

    # ── step by step ─────────────────────────────────────────────────────────────────────────────────────────────

    @property
    def options(self) -> tuple[Option, ...]:
        """What the next step can be, in canonical order; of cards that look alike only one."""
        if self._options is None:
            atoms = self._question.options(self._state, self.player, self.prefix)
            place = self._question.asked_part(self._state, self.player, self.prefix)
            self._options = tuple(self._option(atom, place) for atom in atoms) or self._only()
        return self._options

    def _only(self) -> tuple[Option, ...]:
        answer = self._question.complete(self._state, self.player, self.prefix)
        return () if answer is None else (Option(str(self.whole(answer)), "", None, answer),)

    def _option(self, atom: Any, place: tuple[int, int] | None) -> Option:
        if atom == NO_ANSWER:
            return Option(DECLINE, "", atom)
        if place is None:
            name = self.ask.alternatives[atom].name
            return Option(name or "do it", "", atom)
        number, at = place
        part = self.ask.alternatives[number].parts[at]
        if atom == STOP:
            return Option(ENOUGH, part.cell.name, atom)
        of = part.cell.type if _is_single(part.pick) else member_of(part.cell.type)
        return Option(shown(self._table.wording.value(of, atom, self._state)), part.cell.name, atom)

    @property
    def act(self) -> str | None:
        """Which of several acts the next step belongs to, once that is clear."""
        found = self._question.settled(self._state, self.player, self.prefix)
        return None if found is None else self.ask.alternatives[found[0]].name

    @property
    def settled(self) -> tuple[tuple[str, str], ...]:
        """What the answer says already, chosen or as the one thing possible: the names of parts and their texts."""
        found = self._question.settled(self._state, self.player, self.prefix)
        if found is None:
            return ()
        number, values = found
        parts = self.ask.alternatives[number].parts[: len(values)]
        wording = self._table.wording
        return tuple(
            (part.cell.name, shown(wording.value(part.cell.type, value, self._state)))
            for part, value in zip(parts, values, strict=True)
        )

    @property
    def sheet(self) -> Sheet | None:
        """What is to be written, where numbers on each of some cards make a sum."""
        found = self._question.blanks(self._state, self.player, self.prefix)
        place = self._question.asked_part(self._state, self.player, self.prefix)
        if found is None or place is None:
            return None
        blanks, written = found
        number = member_of(self.ask.alternatives[place[0]].parts[place[1]].cell.type)
        if blanks.picks is not None or blanks.total is None or not isinstance(number, Number):
            return None
        return Sheet(
            cards=tuple(self._looks(card, blanks) for card in blanks.cards),
            domains=tuple(blanks.domains),
            scale=number.scale,
            least=Fraction(blanks.total[0], number.scale),
            most=Fraction(blanks.total[1], number.scale),
            written=tuple(Fraction(atom, number.scale) for atom in written),
        )

    @property
    def about(self) -> str | None:
        """The card on which the next step writes something."""
        found = self._question.blanks(self._state, self.player, self.prefix)
        if found is None:
            return None
        blanks, written = found
        return self._looks(blanks.cards[len(written)], blanks)

    def _looks(self, card: int, blanks: Blanks) -> str:
        return self._table.wording.card(blanks.kind, card, self._state)

    def option(self, text: str) -> Option | None:
        """The option of a text, if there is one."""
        wanted = text.strip().lower()
        return next((option for option in self.options if option.text.lower() == wanted), None)

    # ── whole answers ────────────────────────────────────────────────────────────────────────────────────────────

    @property
    def count(self) -> int:
        """How many whole answers there are, cards that look alike counted each for itself."""
        return self._question.count(self._state, self.player)

    @property
    def forced(self) -> bool:
        """Whether only one answer is possible."""
        return self._question.is_forced(self._state, self.player)

    def answers(self) -> list[Whole]:
        """All whole answers in canonical order, cards that look alike once.

        Raises:
            MatchError: if there are more than 20,000.
        """
        found: dict[str, Whole] = {}
        for answer in self._question.answers(self._state, self.player):
            whole = self.whole(answer)
            found.setdefault(shown(self._table.wording.answer(self.ask, answer, self._state, exact=True)), whole)
        return list(found.values())

    def whole(self, answer: Answer) -> Whole:
        """An answer of the machine as people write it."""
        return Whole(self._table.wording.answer(self.ask, answer, self._state), answer)

    def sample(self, rng: Chooser) -> Whole:
        """A whole answer, each as likely as any other."""
        return self.whole(self.sampled(rng))

    def sampled(self, rng: Chooser) -> Answer:
        """A whole answer as the machine takes it."""
        return self._question.sample(self._state, self.player, below(rng))

    def check(self, answer: Plain | Whole) -> bool:
        """Whether a whole answer is allowed."""
        return not isinstance(self.read(answer), tuple)

    def why_not(self, answer: Plain | Whole) -> tuple[Refusal, ...]:
        """What speaks against a whole answer; nothing, if it is allowed."""
        found = self.read(answer)
        return found if isinstance(found, tuple) else ()

    def refused(self) -> Iterator[tuple[Whole, tuple[Refusal, ...]]]:
        """Answers that the picks allow and rules do not, each with what speaks against it."""
        for answer, reasons in self._question.refused(self._state, self.player):
            yield self.whole(answer), tuple(refusal(reason) for reason in reasons)

    def unwritable(self) -> tuple[str, ...]:
        """What is asked to be written where there is no way of doing it: on how many cards, what, and to what sum."""
        return tuple(
            self._demand(self.ask.alternatives[number].parts[at], blanks)
            for number, at, blanks in self._question.unwritable(self._state, self.player)
        )

    def _demand(self, part: Part, blanks: Blanks) -> str:
        of = member_of(part.cell.type)
        text = self._table.namer.text
        values = dict.fromkeys(self._domain_text(of, domain) for domain in blanks.domains)
        told = [f"{part.cell.name} on {len(blanks.cards)} cards", f"each {' or '.join(values)}"]
        if blanks.picks is not None:
            told.insert(1, f"{blanks.picks} of them")
        if blanks.total is not None:
            least, most = (text(of, bound) for bound in blanks.total)
            told.append(f"in all {least}" if least == most else f"in all {least} to {most}")
        return ", ".join(told)

    def _domain_text(self, of: Type, domain: Sequence[int]) -> str:
        text = self._table.namer.text
        if not domain:
            return "none at all"
        if isinstance(domain, range) and len(domain) > 1:
            steps = f" in steps of {text(of, domain.step)}" if domain.step > 1 else ""
            return f"{text(of, domain[0])} to {text(of, domain[-1])}{steps}"
        return "one of " + ", ".join(text(of, value) for value in domain)

    def read(self, answer: Plain | Whole) -> Whole | tuple[Refusal, ...]:
        """The answer that something written means, or what speaks against it."""
        if isinstance(answer, Whole):
            return answer if self._allows(answer.answer) else self._refusals(answer.answer)
        likeliest: Answer | None = None
        try:
            for reading in self._table.wording.read_answer(self.ask, answer, self._state, self.player):
                if self._allows(reading):
                    return Whole(answer, reading)
                if likeliest is None:
                    likeliest = reading
        except WordingError as problem:
            return self._begun(answer) or (Refusal(self.name, "reading", str(problem), None, None),)
        if likeliest is None:
            return (Refusal(self.name, "reading", f"there are not that many cards: {shown(answer)}", None, None),)
        return self._refusals(likeliest)

    def _begun(self, answer: Plain) -> tuple[Refusal, ...]:
        """What speaks against the first part alone, whatever the others may be; nothing if it can be completed."""
        for number, first in self._table.wording.read_first_part(self.ask, answer, self._state, self.player):
            reasons = self._question.why_not_begun(self._state, self.player, number, first)
            return tuple(refusal(reason) for reason in reasons)
        return ()

    def _allows(self, answer: Answer) -> bool:
        return self._question.check(self._state, self.player, answer)

    def _refusals(self, answer: Answer) -> tuple[Refusal, ...]:
        reasons = self._question.why_not(self._state, self.player, answer)
        return tuple(refusal(reason) for reason in reasons)


def refusal(reason: Reason) -> Refusal:
    """A reason as a host shows it."""
    origin = reason.origin
    if origin is None:
        return Refusal(reason.name, reason.kind.value, "", None, None)
    said = " ".join(origin.span.text.split()).removeprefix(f"{reason.name}:").strip()
    return Refusal(reason.name, reason.kind.value, said, str(origin.span), origin.name)


def _is_single(pick: Pick) -> bool:
    match pick:
        case PickMembers(single=single):
            return single
        case PickNumber() | PickYesNo():
            return True
        case PickOrder() | PickWriting():
            return False


def kind_of(pick: Pick) -> Kind:
    """What sort of thing a part says."""
    match pick:
        case PickMembers(source=source, single=single):
            of = member_of(source.type)
            if isinstance(of, Card):
                return Kind.CARD if single else Kind.CARDS
            if single:
                return Kind.PLAYER if isinstance(of, Seat) else Kind.CHOICE
            return Kind.SEVERAL
        case PickNumber():
            return Kind.NUMBER
        case PickYesNo():
            return Kind.YES_NO
        case PickOrder():
            return Kind.ORDER
        case PickWriting():
            return Kind.WRITING
