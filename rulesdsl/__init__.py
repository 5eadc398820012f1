"""A declarative language for card games: rule files in, a checked program out.

`load` gives a game that `rulesdsl.interpreter` runs; `check` tells what is wrong with a file. What is listed here is
the whole of the public interface; it is loaded when it is first used, so that importing the package costs nothing.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from .cardlist import ListedCard as ListedCard
    from .cardlist import cards as cards
    from .diagnostic import Diagnostic as Diagnostic
    from .diagnostic import RuleFileError as RuleFileError
    from .diagnostic import Severity as Severity
    from .diagnostic import did_you_mean as did_you_mean
    from .ir.nodes import Program as Program
    from .loading import load as load
    from .pipeline import check as check
    from .pipeline import read_test as read_test
    from .reading.yamltree import YamlList as YamlList
    from .reading.yamltree import YamlMap as YamlMap
    from .reading.yamltree import YamlNode as YamlNode
    from .reading.yamltree import YamlScalar as YamlScalar
    from .source import Source as Source
    from .source import Span as Span
    from .syntax.document import ScenarioDoc as ScenarioDoc
    from .syntax.document import TestDoc as TestDoc
    from .variants.apply import apply as apply
    from .variants.diff import diff as diff
    from .variants.edits import Edit as Edit
    from .variants.edits import as_noticed as as_noticed
    from .variants.findings import Matrix as Matrix
    from .variants.findings import Verdict as Verdict
    from .variants.positions import Judgement as Judgement
    from .variants.provenance import Effective as Effective
    from .variants.provenance import Link as Link
    from .variants.provenance import Provenance as Provenance
    from .variants.provenance import provenance as provenance
    from .variants.stack import judged as judged
    from .variants.stack import judged_by_play as judged_by_play
    from .variants.stack import verdicts as verdicts
    from .variants.told import told as told

__version__ = "0.1.0"

_HOMES = {
    "cardlist": ("ListedCard", "cards"),
    "diagnostic": ("Diagnostic", "RuleFileError", "Severity", "did_you_mean"),
    "ir.nodes": ("Program",),
    "loading": ("load",),
    "pipeline": ("check", "read_test"),
    "source": ("Source", "Span"),
    "syntax.document": ("ScenarioDoc", "TestDoc"),
    "variants.apply": ("apply",),
    "variants.diff": ("diff",),
    "variants.edits": ("Edit", "as_noticed"),
    "variants.findings": ("Matrix", "Verdict"),
    "variants.positions": ("Judgement",),
    "variants.provenance": ("Effective", "Link", "Provenance", "provenance"),
    "variants.stack": ("judged", "judged_by_play", "verdicts"),
    "variants.told": ("told",),
    "reading.yamltree": ("YamlList", "YamlMap", "YamlNode", "YamlScalar"),
}
_HOME_OF = {name: home for home, names in _HOMES.items() for name in names}


def __getattr__(name: str) -> object:
    home = _HOME_OF.get(name)
    if home is None:
        raise AttributeError(f"module 'rulesdsl' has no attribute '{name}'")
    return getattr(import_module(f"rulesdsl.{home}"), name)
