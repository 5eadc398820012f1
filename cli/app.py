"""The `rulesdsl` command: what can be asked for, and with which exit status it ends.

Commands import what they need only when they run, so that `--help` and `--version` stay quick. Exit statuses: 0 fine,
1 findings (problems, failed tests), 2 wrong usage or nothing matched, 3 an error of ours, 130 interrupted.
"""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated

import typer

from .forms import Listed, Pages, Problems, Shown

app = typer.Typer(
    name="rulesdsl",
    help="Checks, plays, tests and measures card games that are written down as rule files.",
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)


Game = Annotated[
    str, typer.Argument(metavar="GAME", help="A shipped game's name, a folder, or a game or variant file.")
]
With = Annotated[
    list[str] | None, typer.Option("--with", metavar="MODIFIER", help="Plays with a modifier; may be repeated.")
]
Set = Annotated[
    list[str] | None,
    typer.Option("--set", metavar="OPTION=VALUE", help="Sets an option of the game; may be repeated."),
]
Players = Annotated[int | None, typer.Option("--players", min=1, help="How many play; as few as possible if left out.")]
Seed = Annotated[int | None, typer.Option("--seed", min=0, help="Where chance begins; the same seed, the same deal.")]
_BOTS = "How bots choose: random, or greedy; greedy:candidates=6,guesses=1,horizon=4 looks less far and is quicker."
Color = Annotated[bool, typer.Option("--no-color", help="Never colours anything; NO_COLOR does the same.")]


def _version(wanted: bool) -> None:
    if wanted:
        from importlib.metadata import version

        print(f"rulesdsl {version('rulesdsl')}")
        raise typer.Exit


@app.callback()
def rulesdsl(
    version: Annotated[
        bool, typer.Option("--version", callback=_version, is_eager=True, help="Says which version this is.")
    ] = False,
) -> None:
    """Checks, plays, tests and measures card games that are written down as rule files."""


@app.command()
def validate(
    paths: Annotated[list[Path], typer.Argument(metavar="PATH...", help="Rule files, or folders of them.")],
    form: Annotated[Problems, typer.Option("--format", help="How problems are written.")] = Problems.TEXT,
    no_color: Color = False,
) -> None:
    """Checks rule files and reports every problem with its place and what to write instead."""
    from .validate import validate as run

    raise typer.Exit(run(paths, form=form, no_color=no_color))


@app.command()
def play(
    game: Game,
    modifiers: With = None,
    options: Set = None,
    players: Players = None,
    seed: Seed = None,
    seats: Annotated[
        list[int] | None, typer.Option("--seat", min=0, help="A seat that a person plays (0 if left out); repeatable.")
    ] = None,
    hot_seat: Annotated[bool, typer.Option("--hot-seat", help="People at one terminal play all seats.")] = False,
    bots: Annotated[bool, typer.Option("--bots", help="Bots play all seats.")] = False,
    bot: Annotated[str, typer.Option("--bot", metavar="BOT", help=_BOTS)] = "greedy",
    record: Annotated[Path | None, typer.Option("--record", help="Keeps a record of the match in a file.")] = None,
    no_color: Color = False,
) -> None:
    """Plays a game in the terminal, against bots or each other."""
    from .play import play as run
    from .setting import Setting

    setting = Setting(game, modifiers or [], options or [], players, seed)
    people = None if hot_seat else frozenset() if bots else frozenset(seats or [0])
    raise typer.Exit(run(setting, people=people, brain=bot, record=record, no_color=no_color))


@app.command()
def replay(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="A recorded match.")],
    game: Annotated[str | None, typer.Option("--game", help="The game, if its name in the record won't do.")] = None,
    modifiers: Annotated[
        list[str] | None,
        typer.Option("--with", metavar="FILE", help="Where a modifier of it lies; repeatable."),
    ] = None,
    to: Annotated[int | None, typer.Option("--to", min=0, help="Stops after so many answers.")] = None,
    form: Annotated[Shown, typer.Option("--format", help="How it is shown.")] = Shown.TEXT,
    no_color: Color = False,
) -> None:
    """Plays a recorded match again and checks that it comes out the same."""
    from .replay import replay as run

    raise typer.Exit(run(file, game=game, modifiers=modifiers or [], to=to, form=form, no_color=no_color))


@app.command()
def simulate(
    game: Game,
    modifiers: With = None,
    options: Set = None,
    players: Players = None,
    seed: Seed = None,
    games: Annotated[int, typer.Option("--games", "-n", min=1, help="How many matches.")] = 100,
    bot: Annotated[
        list[str] | None, typer.Option("--bot", metavar="BOT", help=f"{_BOTS} One for all seats, or one for each.")
    ] = None,
    workers: Annotated[int, typer.Option("--workers", min=1, help="How many processes share the work.")] = 1,
    csv: Annotated[
        Path | None, typer.Option("--csv", metavar="FILE", help="Also writes a line for each match to a file.")
    ] = None,
    form: Annotated[Shown, typer.Option("--format", help="How the report is written.")] = Shown.TEXT,
    no_color: Color = False,
) -> None:
    """Plays many matches and reports who wins, the scores and how long it takes."""
    from .setting import Setting
    from .simulate import simulate as run

    setting = Setting(game, modifiers or [], options or [], players, seed)
    brains = tuple(bot or ["random"])
    raise typer.Exit(run(setting, games=games, brains=brains, workers=workers, csv=csv, form=form, no_color=no_color))


@app.command()
def test(
    paths: Annotated[list[Path], typer.Argument(metavar="PATH...", help="Scenario files, or folders that hold some.")],
    only: Annotated[str | None, typer.Option("--only", metavar="TEXT", help="Those with this in their name.")] = None,
    coverage: Annotated[
        bool, typer.Option("--coverage", help="Say which powers of cards, rules and conditions they made use of.")
    ] = False,
    unused_fails: Annotated[
        bool, typer.Option("--unused-fails", help="The same; and end with 1 if there is one they made no use of.")
    ] = False,
    junit: Annotated[
        Path | None, typer.Option("--junit", metavar="FILE", help="Also write the results as JUnit XML.")
    ] = None,
    form: Annotated[Shown, typer.Option("--format", help="How results are written.")] = Shown.TEXT,
    no_color: Color = False,
) -> None:
    """Runs scenarios (*.test.yaml): given positions, choices, and what should come of them."""
    from .test import test as run

    watched = None
    if coverage or unused_fails:
        from rulesdsl.interpreter import Coverage

        watched = Coverage()
    status = run(
        paths, only=only, form=form, no_color=no_color, junit=junit, coverage=watched, unused_fails=unused_fails
    )
    raise typer.Exit(status)


@app.command()
def diff(
    first: Annotated[str, typer.Argument(metavar="A", help="A game or variant, with modifiers as GAME+MODIFIER+...")],
    second: Annotated[str, typer.Argument(metavar="B", help="What it is compared with, in the same form.")],
    form: Annotated[Shown, typer.Option("--format", help="How differences are written.")] = Shown.TEXT,
    no_color: Color = False,
) -> None:
    """Says in which rules, phases and decisions two games differ; 1 if they do."""
    from .diff import compare

    raise typer.Exit(compare(first, second, form=form, no_color=no_color))


@app.command()
def stack(
    game: Game,
    modifiers: Annotated[
        list[str] | None, typer.Argument(metavar="MODIFIER...", help="A stack to judge; all pairs if left out.")
    ] = None,
    matches: Annotated[
        int, typer.Option("--matches", min=0, help="So many are played to find a position without a legal answer.")
    ] = 200,
    form: Annotated[Listed, typer.Option("--format", help="How it is written.")] = Listed.TABLE,
    no_color: Color = False,
) -> None:
    """Says how modifiers of a game stand to one another; for a stack of some, 1 if they clash."""
    from .stack import stack as run

    raise typer.Exit(run(game, modifiers or [], matches=matches, form=form, no_color=no_color))


@app.command()
def explain(
    what: Annotated[
        str, typer.Argument(metavar="CODE|GAME", help="The code of a problem, such as E0301, or a game or variant.")
    ],
    modifiers: With = None,
    options: Set = None,
    rule: Annotated[
        str | None, typer.Option("--rule", metavar="NAME", help="One rule, phase or procedure only.")
    ] = None,
    brought: Annotated[bool, typer.Option("--all", help="What libraries bring as well, changed or not.")] = False,
    cards: Annotated[bool, typer.Option("--cards", help="Every card that a file lists, and what it does.")] = False,
    card: Annotated[str | None, typer.Option("--card", metavar="NAME", help="One card, and what it does.")] = None,
    form: Annotated[Pages, typer.Option("--format", help="How it is written; markdown is for cards.")] = Pages.TEXT,
    no_color: Color = False,
) -> None:
    """Explains the code of a problem; or tells of all rules of a game which files made them, or of all its cards."""
    from .explain import Wanted
    from .explain import explain as run
    from .setting import Setting

    setting = Setting(what, modifiers or [], options or [], None, None)
    raise typer.Exit(run(setting, Wanted(rule, brought, cards, card), form=form, no_color=no_color))


def main() -> None:
    """Runs the command line; what nobody foresaw ends with status 3 and a word on what to report."""
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="replace")  # a terminal that can't show a letter is no reason to stop
    try:
        app()
    except Exception as error:
        raise SystemExit(_report(error)) from error


def _report(error: Exception) -> int:
    """Says what went wrong: problems of rule files as such, everything else as a defect of ours."""
    from rulesdsl import RuleFileError

    from .console import paint_for, tell

    if isinstance(error, RuleFileError):
        from .render import as_text

        paint = paint_for(sys.stderr)
        for diagnostic in error.diagnostics:
            tell(as_text(diagnostic, paint) + "\n")
        return 1
    import traceback

    traceback.print_exception(error)
    tell("\nThis is an error of rulesdsl, not of yours. Please report the lines above and the command you gave.")
    return 3
