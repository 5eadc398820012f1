"""Scenarios: how a match stands, what is played, what is expected.

Takes: the value of `scenarios`.
Makes: `ScenarioDoc`s. Cards, values and expectations stay YAML, for only a program says how they are read.
Refuses: numbers out of bounds (E0250).
"""

from __future__ import annotations

from ..reading.yamltree import YamlMap, YamlNode, YamlScalar
from .document import AnswerDoc, Named, ScenarioDoc
from .expr import Target, TargetKind
from .read_scalars import Reading

MOST_SEATS = 12
LARGEST_SEED = 2**63 - 1


def read_scenarios(read: Reading, node: YamlNode | None) -> tuple[ScenarioDoc, ...]:
    """The section `scenarios`."""
    return tuple(_scenario(read, item) for item in read.maps(node))


def _scenario(read: Reading, node: YamlMap) -> ScenarioDoc:
    return ScenarioDoc(
        name=read.required_name(node.get("name"), node),
        with_=read.names(node.get("with")),
        options=read_settings(read, node.get("options")),
        players=read.number(node.get("players"), 1, MOST_SEATS),
        seed=read.number(node.get("seed"), 0, LARGEST_SEED),
        start=_anchor(read, node.get("start")),
        turn_of=read.number(node.get("turn_of"), 0, MOST_SEATS - 1),
        state=node.get("state"),
        zones=node.get("zones"),
        chance=node.get("chance"),
        play=_answers(read, node.get("play")),
        expect=node.get("expect"),
        span=node.whole,
    )


def read_settings(read: Reading, node: YamlNode | None) -> tuple[tuple[Named, Named], ...]:
    """Options and what they are set to."""
    found = []
    for key, value in read.entries(node):
        chosen = read.named(value)
        if chosen is not None:
            found.append((Named(key.text, key.whole), chosen))
    return tuple(found)


def _anchor(read: Reading, node: YamlNode | None) -> Target | None:
    """Where the match begins: the path of a phase, procedure or decision, or one of the longer targets."""
    scalar = read.scalar(node)
    if scalar is None:
        return None
    if " " in scalar.text:
        return read.target(scalar)
    return Target(TargetKind.PHASE, tuple(scalar.text.split("/")), span=scalar.whole)


def _answers(read: Reading, node: YamlNode | None) -> tuple[AnswerDoc, ...]:
    found = []
    for item in read.maps(node):
        for key, answer in item.entries:
            seat = _seat(read, key)
            if seat is not None:
                found.append(AnswerDoc(seat=seat, answer=answer, span=key.whole.to(answer.whole)))
    return tuple(found)


def _seat(read: Reading, key: YamlScalar) -> int | None:
    return read.digits(key, 0, MOST_SEATS - 1)
