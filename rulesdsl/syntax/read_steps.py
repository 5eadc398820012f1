"""Steps: what happens, in order.

Takes: the value of `phases`, `do`, `then`, `else`, `repeat`, of a procedure or of an insert.
Makes: `StepDoc`s. One step stands for a list of one; a text is a sentence; a mapping is told by its key.
Refuses: what `read_scalars` refuses.
"""

from __future__ import annotations

from ..reading.yamltree import YamlList, YamlMap, YamlNode, YamlScalar
from .document import (
    AlternativeDoc,
    Closing,
    DecisionDoc,
    IfDoc,
    LoopDoc,
    LoopKind,
    Named,
    PartDoc,
    PhaseDoc,
    SentenceDoc,
    StepDoc,
    WindowDoc,
)
from .expr import Binder, Expr
from .parse_expr import Start, parse
from .read_scalars import Reading, Tail

STEP_KEYS = frozenset(("phase", "each", "together", "repeat", "if", "decision", "choose", "either", "window"))
"""Each of these makes a mapping a step."""


def read_steps(read: Reading, node: YamlNode | None) -> tuple[StepDoc, ...]:
    """A list of steps, or one step."""
    steps = (_step(read, item) for item in read.items(node))
    return tuple(step for step in steps if step is not None)


def maybe_steps(read: Reading, node: YamlNode | None) -> tuple[StepDoc, ...] | None:
    """The steps, or None where the key isn't there."""
    return None if node is None else read_steps(read, node)


def _step(read: Reading, node: YamlNode) -> StepDoc | None:
    match node:
        case YamlScalar():
            return SentenceDoc(read.sentence(node), span=node.whole)
        case YamlMap() if "phase" in node:
            return _phase(read, node)
        case YamlMap() if "window" in node:
            return _window(read, node)
        case YamlMap() if "decision" in node or "choose" in node or "either" in node:
            return _decision(read, node)
        case YamlMap() if "if" in node:
            return IfDoc(
                read.required_expr(node.get("if"), node),
                read_steps(read, node.get("then")),
                read_steps(read, node.get("else")),
                span=node.whole,
            )
        case YamlMap() if (loop := _loop(read, node)) is not None:
            return loop
        case YamlMap() | YamlList():
            read.odd(node)
            return None


# ── loops and phases ─────────────────────────────────────────────────────────────────────────────────────────────


def loop_kind(node: YamlMap) -> LoopKind | None:
    """Which loop a mapping is, by its key."""
    return next((kind for kind in LoopKind if kind in node), None)


def _loop(read: Reading, node: YamlMap) -> LoopDoc | None:
    kind = loop_kind(node)
    if kind is None:
        return None
    repeat = kind is LoopKind.REPEAT
    return LoopDoc(
        kind,
        read_steps(read, node.get("repeat" if repeat else "do")),
        None if repeat else read.binder(node.get(kind)),
        where=read.maybe_expr(node.get("where")),
        while_=read.maybe_expr(node.get("while")),
        until=read.maybe_expr(node.get("until")),
        rounds=read.maybe_value(node.get("rounds")),
        times=read.maybe_expr(node.get("times")),
        at_most=read.maybe_value(node.get("at_most")),
        span=node.whole,
    )


def _phase(read: Reading, node: YamlMap) -> PhaseDoc:
    loop = _loop(read, node)
    return PhaseDoc(
        read.required_name(node.get("phase"), node),
        read.maybe_expr(node.get("when")),
        loop,
        () if loop is not None else read_steps(read, node.get("do")),
        span=node.whole,
    )


# ── decisions ────────────────────────────────────────────────────────────────────────────────────────────────────


def read_parts(read: Reading, node: YamlNode | None) -> tuple[PartDoc, ...]:
    """What a decision asks for, part by part; the one mapping whose order is kept, and a list of such will do."""
    return tuple(
        PartDoc(key.text, read.pick(value), span=key.whole.to(value.whole))
        for mapping in read.maps(node)
        for key, value in mapping.entries
    )


def read_alternatives(read: Reading, node: YamlNode | None) -> tuple[AlternativeDoc, ...]:
    """The kinds of acts under `either`."""
    found = []
    for key, value in read.entries(node):
        mapping = read.mapping(value)
        if mapping is not None:
            found.append(
                AlternativeDoc(
                    Named(key.text, key.whole),
                    read_parts(read, mapping.get("choose")),
                    read.maybe_expr(mapping.get("under")),
                    read.maybe_expr(mapping.get("where")),
                    read_steps(read, mapping.get("do")),
                    span=key.whole.to(mapping.whole),
                )
            )
    return tuple(found)


def _decision(read: Reading, node: YamlMap) -> DecisionDoc:
    return DecisionDoc(
        read.named(node.get("decision")),
        by=read.maybe_expr(node.get("by")),
        choose=read_parts(read, node.get("choose")),
        either=read_alternatives(read, node.get("either")),
        under=read.maybe_expr(node.get("under")),
        where=read.maybe_expr(node.get("where")),
        optional=read.is_true(node.get("optional")),
        then=maybe_steps(read, node.get("then")),
        otherwise=maybe_steps(read, node.get("else")),
        span=node.whole,
    )


# ── windows ──────────────────────────────────────────────────────────────────────────────────────────────────────


def _window(read: Reading, node: YamlMap) -> WindowDoc | None:
    ask = read.binder(node.get("ask"))
    closes, closes_if = _closing(read, node)
    rest = WindowDoc(
        read.required_name(node.get("window"), node),
        ask if ask is not None else Binder("", span=node.whole),
        closes,
        closes_if,
        where=read.maybe_expr(node.get("where")),
        choose=read_parts(read, node.get("choose")),
        under=read.maybe_expr(node.get("under")),
        again=read.maybe_expr(node.get("again")),
        at_most=read.maybe_value(node.get("at_most")),
        do=read_steps(read, node.get("do")),
        span=node.whole,
    )
    return None if ask is None else rest


def _closing(read: Reading, node: YamlMap) -> tuple[Closing, Expr | None]:
    """`all pass or CONDITION`: the way, and the condition after the word `or`."""
    scalar = read.scalar(node.get("closes"))
    if scalar is None:
        read.odd(node)
        return Closing.FIRST, None
    for closing in Closing:
        if scalar.text == closing:
            return closing, None
        opening = f"{closing} or "
        if scalar.text.startswith(opening):
            return closing, parse(Start.EXPRESSION, Tail(scalar, len(opening)), read.diagnostics)
    read.odd(scalar)
    return Closing.FIRST, None
