"""Runs a checked program: decisions, chance, events, views and records.

    from rulesdsl.interpreter import Match, replay

What is listed here is the whole of the public interface; it is loaded when it is first used.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from .host.bots import Bot as Bot
    from .host.bots import GreedyBot as GreedyBot
    from .host.bots import Look as Look
    from .host.bots import RandomBot as RandomBot
    from .host.bots import UnknownBot as UnknownBot
    from .host.bots import bot_named as bot_named
    from .host.decision import ENOUGH as ENOUGH
    from .host.decision import Decision as Decision
    from .host.decision import IllegalChoice as IllegalChoice
    from .host.decision import Kind as Kind
    from .host.decision import Option as Option
    from .host.decision import Refusal as Refusal
    from .host.decision import Sheet as Sheet
    from .host.decision import Whole as Whole
    from .host.match import Match as Match
    from .host.match import replay as replay
    from .host.plain import Plain as Plain
    from .host.record import Answered as Answered
    from .host.record import Record as Record
    from .host.record import RecordError as RecordError
    from .host.report import Outcome as Outcome
    from .host.report import Report as Report
    from .host.report import SeatReport as SeatReport
    from .host.report import Spread as Spread
    from .host.simulation import Each as Each
    from .host.simulation import Progress as Progress
    from .host.simulation import playout as playout
    from .host.simulation import simulate as simulate
    from .host.standing import Points as Points
    from .host.standing import Result as Result
    from .host.standing import Score as Score
    from .host.standing import progress_scale as progress_scale
    from .host.standing import score_scale as score_scale
    from .host.stuck import Searched as Searched
    from .host.stuck import Stuck as Stuck
    from .host.stuck import find_stuck as find_stuck
    from .run.rng import Generator as Generator
    from .scenario.coverage import Coverage as Coverage
    from .scenario.coverage import Sort as Sort
    from .scenario.coverage import Thing as Thing
    from .scenario.coverage import Used as Used
    from .scenario.failure import Failure as Failure
    from .scenario.scenario import Scenario as Scenario
    from .scenario.scenario import run_scenario as run_scenario
    from .state.errors import MatchError as MatchError

_HOMES = {
    "host.bots": ("Bot", "GreedyBot", "Look", "RandomBot", "UnknownBot", "bot_named"),
    "host.decision": ("ENOUGH", "Decision", "IllegalChoice", "Kind", "Option", "Refusal", "Sheet", "Whole"),
    "state.errors": ("MatchError",),
    "scenario.coverage": ("Coverage", "Sort", "Thing", "Used"),
    "scenario.failure": ("Failure",),
    "host.match": ("Match", "replay"),
    "host.plain": ("Plain",),
    "host.record": ("Answered", "Record", "RecordError"),
    "host.report": ("Outcome", "Report", "SeatReport", "Spread"),
    "run.rng": ("Generator",),
    "scenario.scenario": ("Scenario", "run_scenario"),
    "host.simulation": ("Each", "Progress", "playout", "simulate"),
    "host.standing": ("Points", "Result", "Score", "progress_scale", "score_scale"),
    "host.stuck": ("Searched", "Stuck", "find_stuck"),
}
_HOME_OF = {name: home for home, names in _HOMES.items() for name in names}


def __getattr__(name: str) -> object:
    home = _HOME_OF.get(name)
    if home is None:
        raise AttributeError(f"module 'rulesdsl.interpreter' has no attribute '{name}'")
    value = getattr(import_module(f"{__name__}.{home}"), name)
    globals()[name] = value
    return value
