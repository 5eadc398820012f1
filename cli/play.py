"""`rulesdsl play`: a match at the terminal, of people with bots or among themselves."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from importlib.resources import files
from pathlib import Path
from typing import Any

from rulesdsl import cards
from rulesdsl.interpreter import Bot, Decision, IllegalChoice, Kind, Match, MatchError, Refusal, bot_named

from .cards import block, unknown
from .console import Ink, Paint, paint_for, tell
from .entry import Several, fitting, is_numbered, pool_of, read_entry
from .numbers import number_text, problem, read_numbers, request
from .results import result_lines, score_line
from .setting import Setting, check_bots, misuse
from .telling import as_it_lies, cards_in, kept_parts, sentences, standing_lines, state_lines, table_lines

HELP = """\
Type an option, its number, or as much of it as tells it from the others; several things, or one after the other, with
commas between them.
  options      what you may choose
  table        what lies where, and how the game stands
  why CARD     the rules that keep you from choosing something
  card NAME    what a card does; also ? NAME
  undo         takes your last choice back
  rules        the rules of this game
  save FILE    writes the match down, to be shown by `rulesdsl replay FILE`
  quit         stops"""


class Quit(Exception):
    """Somebody wants to stop."""


@dataclass(slots=True)
class Session:
    """One match at one terminal. `people` are the seats that are asked; bots sit at the others."""

    match: Match
    setting: Setting
    people: frozenset[int]
    bots: dict[int, Bot]
    paint: Paint
    ask: Callable[[str], str]
    told: dict[int | None, int] = field(default_factory=dict)
    """By player, how many events it has been told."""
    last: int | None = None
    points: str = ""
    """The scores as they were shown last."""
    begun: Mapping[str, Any] = field(default_factory=dict)
    """What everybody saw of the states of the game when the match began."""
    kept: frozenset[str] = frozenset()
    """What is written on cards only because it was chosen for them; one is told of that when it is chosen."""
    hinted: bool = False
    """Whether somebody was told that cards can be read."""
    own_choices: list[int] = field(default_factory=list)
    """How many choices had been made before each one of a person."""

    def run(self) -> None:
        """Plays to the end.

        Raises:
            Quit: if somebody wants to stop.
        """
        match = self.match
        while not match.finished:
            try:
                self._go_on(match.decision)
            except MatchError as error:
                match.break_off(error)
        self._news(self.last if self.people else None)
        print()
        for line in result_lines(match.result, self.paint):
            print(line)

    def _go_on(self, decision: Decision) -> None:
        if decision.player not in self.people:
            self.match.choose_by(self.bots[decision.player])
        elif decision.forced:
            self._take_forced(decision)
        else:
            self._turn(decision)

    # ── a person's turn ──────────────────────────────────────────────────────────────────────────────────────────

    def _take_forced(self, decision: Decision) -> None:
        (whole,) = decision.answers()[:1]
        self._news(decision.player)
        print(self.paint(f"{decision.name}: only {whole} is possible", Ink.FAINT))
        self.match.choose(whole, decision.player)

    def _turn(self, decision: Decision) -> None:
        seat = decision.player
        if len(self.people) > 1 and seat != self.last:
            self._hand_over(seat)
        self._news(seat)
        self.last = seat
        if decision.prefix and len(decision.options) == 1:
            self.match.choose(decision.options[0], seat)  # one thing only is left to be said
            return
        if not decision.prefix:
            print()
            view = self.match.view(seat)
            scores = [score.points for score in self.match.scores]
            for line in table_lines(as_it_lies(view, self.kept), self.paint) + standing_lines(
                view["state"], self.begun, scores
            ):
                print(line)
        self._show_options(decision)
        if not self.hinted and any(row.text for kind in self.match.game.kinds for row in kind.rows):
            self.hinted = True
            print(self.paint("  card NAME tells what a card does", Ink.FAINT))
        while not self._entry(decision):
            pass

    def _hand_over(self, seat: int) -> None:
        if sys.stdout.isatty():
            print("\033[2J\033[H", end="")
        self.ask(f"player {seat}, it is your turn. Press Enter when nobody else looks. ")

    def _news(self, seat: int | None) -> None:
        """What has happened since that player was told last."""
        for line in sentences(self.match.events_for(seat, self.told.get(seat, 0)), self.kept):
            print(self.paint(line, Ink.FAINT) if line.startswith("—") else line)
        self.told[seat] = len(self.match.events)
        points = score_line(self.match.scores)
        if points != self.points:
            self.points = points
            print(points)

    def _show_options(self, decision: Decision) -> None:
        said = " ".join([decision.name, *([decision.act] if decision.act else [])])
        if decision.settled:
            said += f" ({', '.join(f'{part} {text}' for part, text in decision.settled)})"
        if decision.about is not None and decision.sheet is None:
            said += f", {decision.options[0].part} of {decision.about}"
        sheet = decision.sheet
        if sheet is not None:
            print(f"{self.paint(f'player {decision.player}: {said}', Ink.BOLD)}: {request(sheet)}")
            return
        if decision.kind in (Kind.PARTS, Kind.ACTS) and decision.about is None and decision.options[0].part:
            said += f", {decision.options[0].part}"
        pool = pool_of(decision)
        several = " (several: with commas between them)" if isinstance(pool, Several) else ""
        texts = pool.texts if isinstance(pool, Several) else tuple(option.text for option in decision.options)
        numbered = is_numbered(texts)
        shown = [f"{number}) {text}" if numbered else text for number, text in enumerate(texts, 1)]
        print(f"{self.paint(f'player {decision.player}: {said}', Ink.BOLD)}{several}: {', '.join(shown)}")
        if isinstance(pool, Several) and pool.may_be_empty:
            print(self.paint("  or none", Ink.FAINT))

    def _entry(self, decision: Decision) -> bool:
        """Reads one line and does what it says; whether the match stands elsewhere now."""
        line = self.ask("> ").strip()
        command, _, rest = line.partition(" ")
        match command.lower(), rest.strip():
            case ("", _) | ("help" | "?", ""):
                print(HELP)
            case "quit" | "exit", "":
                raise Quit
            case "options", "":
                self._show_options(decision)
            case "table", "":
                view = self.match.view(decision.player)
                print("\n".join(table_lines(as_it_lies(view, self.kept), self.paint) + state_lines(view)))
            case "rules", "":
                print(rules_text(self.match, self.setting.game))
            case "why", wanted if wanted:
                self._explain(decision, wanted)
            case (("card" | "?"), name) if name and cards(self.match.game):
                self._tell_of_card(name)
            case "undo", "":
                return self._undo()
            case "save", name if name:
                save(self.match, Path(name))
            case _:
                return self._choose(decision, line)
        return False

    def _write(self, decision: Decision, numbers: Sequence[Fraction]) -> bool:
        """Writes numbers on the next cards; whether that could be done."""
        seat, made = decision.player, self.match.choices
        for number in numbers:
            now = self.match.decision_of(seat)
            option = None if now is None else now.option(number_text(number))
            if option is None:
                while self.match.choices > made:
                    self.match.undo()
                print(f"With {number_text(number)} the others can't be written any more.")
                return False
            self.match.choose(option, seat)
        self.own_choices.append(made)
        return True

    def _choose(self, decision: Decision, line: str) -> bool:
        sheet = decision.sheet
        numbers = None if sheet is None else read_numbers(line)
        if sheet is not None and numbers is not None:
            wrong = problem(sheet, numbers)
            if wrong is None:
                return self._write(decision, numbers)
            print(self.paint(wrong, Ink.YELLOW))
            return False
        made = self.match.choices
        several = decision.kind in (Kind.PARTS, Kind.ACTS)
        for number, piece in enumerate(line.split(",") if several else [line]):
            now = self.match.decision_of(decision.player)
            if now is None or (number and not now.prefix):
                print(f"'{piece.strip()}' is more than is asked for.")
            elif self._take(now, piece.strip()):
                continue
            while self.match.choices > made:
                self.match.undo()
            return False
        self.own_choices.append(made)
        return True

    def _take(self, decision: Decision, text: str) -> bool:
        """Makes a choice that somebody typed; whether it could be made."""
        entry = read_entry(decision, text, self._seen(decision))
        if isinstance(entry, tuple):
            print(f"Which one: {', '.join(entry)}?")
            return False
        try:
            self.match.choose(entry, decision.player)
        except IllegalChoice as refused:
            if decision.kind in (Kind.PARTS, Kind.ACTS) and all(reason.kind == "reading" for reason in refused.reasons):
                print(f"'{text}' is none of the options.")  # how a whole answer is written is of no help here
            else:
                self._refuse(refused.reasons)
            return False
        return True

    def _seen(self, decision: Decision) -> list[str]:
        return cards_in(self.match.view(decision.player))

    def _explain(self, decision: Decision, wanted: str) -> None:
        called = [card.name for card in cards(self.match.game) if card.is_called(wanted)]
        wanted = called[0] if len(called) == 1 else wanted  # however it is capitalised
        asked = fitting(decision, wanted, self._seen(decision))
        reasons = () if asked is None else decision.why_not(asked)
        if reasons:
            self._refuse(reasons)
        else:
            print(f"Nothing forbids {wanted}.")

    def _tell_of_card(self, name: str) -> None:
        """What is written on a card, whoever has it: everybody may know the cards of the game."""
        game = self.match.game
        found = [card for card in cards(game) if card.is_called(name)]
        for card in found:
            print("\n".join(block(card, self.paint)))
        if not found:
            print(unknown(game, name))

    def _refuse(self, reasons: tuple[Refusal, ...]) -> None:
        for reason in reasons:
            print(self.paint(refusal_text(reason), Ink.YELLOW))

    def _undo(self) -> bool:
        if not self.own_choices:
            print("There is nothing to take back.")
            return False
        before = self.own_choices.pop()
        while self.match.choices > before:
            self.match.undo()
        now = len(self.match.events)
        self.told = {seat: min(told, now) for seat, told in self.told.items()}
        print("Taken back.")
        return True


def refusal_text(reason: Refusal) -> str:
    """Why something is not allowed, for people."""
    place = f"\n  {reason.place}" + (f", of {reason.by}" if reason.by else "") if reason.place else ""
    match reason.kind:
        case "reading":
            return f"{reason.text[:1].upper()}{reason.text[1:]}."
        case "not among picks":
            return f"That is not among what can be picked for {reason.rule}.{place}"
        case "forbid":
            return f"Not allowed by the rule {reason.rule}: {reason.text}{place}"
        case "tier":
            return f"There is something that keeps the rule {reason.rule}, so you must: {reason.text}{place}"
        case _:
            return f"The rule {reason.rule} leaves other choices: {reason.text}{place}"


def rules_text(match: Match, game: str) -> str:
    """The rules of the game: what its folder says of them, else the names of its rules and where they stand."""
    for folder in (Path(game), Path(game).parent, Path(str(files("rulesdsl.games"))) / match.game.name):
        readme = folder / "README.md"
        if (folder / "game.yaml").exists() and readme.exists():
            return readme.read_text(encoding="utf-8")
    rules = [f"  {rule.name} ({rule.origin.span})" for rule in match.game.rules]
    return "\n".join([f"{match.game.title}: its rules are", *rules])


def save(match: Match, file: Path) -> None:
    """Writes the match down."""
    try:
        file.write_text(json.dumps(match.record().as_data(), indent=2, ensure_ascii=False) + "\n", encoding="utf-8")
    except OSError as problem:
        tell(f"{file} can't be written: {problem.strerror}")
        return
    tell(f"saved as {file}")


def _read_line(prompt: str) -> str:
    try:
        return input(prompt)
    except EOFError as end:
        print()
        raise Quit from end


def play(setting: Setting, *, people: frozenset[int] | None, brain: str, record: Path | None, no_color: bool) -> int:
    """Plays a match; gives the exit status. `people` None means everybody."""
    program = setting.program()
    players, seed = setting.table(program)
    seats = frozenset(range(players)) if people is None else people
    if any(seat >= players for seat in seats):
        misuse(f"with {players} players the seats are 0 to {players - 1}")
    check_bots([brain])
    bots = {seat: bot_named(brain, seed + 1 + seat) for seat in range(players) if seat not in seats}
    paint = paint_for(sys.stdout, no_color=no_color)
    print(paint(f"{program.title}, {players} players", Ink.BOLD) + (" (help: ?)" if seats else ""))
    match = Match(program, players=players, seed=seed)
    began = match.view(0)["state"]
    session = Session(match, setting, seats, bots, paint, _read_line, points=score_line(match.scores), begun=began)
    session.kept = kept_parts(program)
    try:
        session.run()
    except Quit:
        print("Stopped.")
    if record is not None:
        save(match, record)
    return 0
