"""Runs a checked program: decisions, chance, events, views and records.

    from rulesdsl.interpreter import Match, replay

What is listed here is the whole of the public interface; it is loaded when it is first used.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from .bots import Bot as Bot
    from .bots import GreedyBot as GreedyBot
    from .bots import RandomBot as RandomBot
    from .bots import bot_named as bot_named
    from .decision import ENOUGH as ENOUGH
    from .decision import Decision as Decision
    from .decision import IllegalChoice as IllegalChoice
    from .decision import Kind as Kind
    from .decision import Option as Option
    from .decision import Refusal as Refusal
    from .decision import Whole as Whole
    from .errors import MatchError as MatchError
    from .failure import Failure as Failure
    from .match import Match as Match
    from .match import replay as replay
    from .plain import Plain as Plain
    from .record import Answered as Answered
    from .record import Record as Record
    from .record import RecordError as RecordError
    from .report import Report as Report
    from .report import SeatReport as SeatReport
    from .report import Spread as Spread
    from .rng import Generator as Generator
    from .scenario import Scenario as Scenario
    from .scenario import run_scenario as run_scenario
    from .simulation import Progress as Progress
    from .simulation import playout as playout
    from .simulation import simulate as simulate
    from .standing import Points as Points
    from .standing import Result as Result
    from .standing import Score as Score

_HOMES = {
    "bots": ("Bot", "GreedyBot", "RandomBot", "bot_named"),
    "decision": ("ENOUGH", "Decision", "IllegalChoice", "Kind", "Option", "Refusal", "Whole"),
    "errors": ("MatchError",),
    "failure": ("Failure",),
    "match": ("Match", "replay"),
    "plain": ("Plain",),
    "record": ("Answered", "Record", "RecordError"),
    "report": ("Report", "SeatReport", "Spread"),
    "rng": ("Generator",),
    "scenario": ("Scenario", "run_scenario"),
    "simulation": ("Progress", "playout", "simulate"),
    "standing": ("Points", "Result", "Score"),
}
_HOME_OF = {name: home for home, names in _HOMES.items() for name in names}


def __getattr__(name: str) -> object:
    home = _HOME_OF.get(name)
    if home is None:
        raise AttributeError(f"module 'rulesdsl.interpreter' has no attribute '{name}'")
    value = getattr(import_module(f"{__name__}.{home}"), name)
    globals()[name] = value
    return value
