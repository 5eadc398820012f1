"""How people say the names of a program, and what a phrase has to know of a name to stand in for a wording."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from ..syntax.document import WordingDoc
from ..syntax.expr import Parameter, Target, TargetKind


@dataclass(frozen=True, slots=True)
class Wording:
    """A text with holes, and the names of the parameters in their order."""

    text: str
    parameters: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Lexicon:
    """The words for names. What has no wording is said in a form of the language, which needs to know what it is."""

    wordings: Mapping[str, Wording] = field(default_factory=dict)
    """By what `key` makes of a head."""
    conditions: frozenset[str] = frozenset()
    """What is true or false: rules, states, fields, attributes."""
    of_players: frozenset[str] = frozenset()
    """Zones and states that each player has."""
    things: frozenset[str] = frozenset()
    """Zones, states and rules without parameters: `the discard`."""
    zones: Mapping[str, str] = field(default_factory=dict)
    """What lies in each zone: `cards`."""
    kinds: frozenset[str] = frozenset()
    rules: frozenset[str] = frozenset()
    """Rules that a file declares, perhaps under the name of a function of the language."""
    procedures: Mapping[str, tuple[Parameter, ...]] = field(default_factory=dict)
    """The parameters of each procedure."""

    def find(self, name: str, count: int = 0) -> Wording | None:
        """The wording of a name with so many parameters."""
        return self.wordings.get(f"{name}/{count}")

    def of_target(self, target: Target) -> Wording | None:
        """The wording of a place to which steps are attached."""
        return self.wordings.get(target.text)


def key(doc: WordingDoc) -> str:
    """What a wording is found by: its name with the number of parameters, or its target as written."""
    signature = doc.head.signature
    if doc.head.kind is not TargetKind.SLOT or signature is None:
        return doc.head.text
    return f"{doc.of.name}.{signature.name}" if doc.of is not None else f"{signature.name}/{len(signature.parameters)}"
