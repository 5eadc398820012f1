"""Which powers a row has and where they are written: kept in the program for those who ask what cards can do."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import fields

from ..ir.nodes import PowerForm, WrittenPower
from ..source import Span
from ..syntax.document import Doc, StepsBody
from ..syntax.expr import Node
from ..syntax.powers import ChangesBody, PartsBody, PowerBody


def written_powers(powers: Mapping[str, PowerBody]) -> tuple[WrittenPower, ...]:
    """The powers of a row, part by part and change by change."""
    return tuple(written for name, body in powers.items() for written in _written(name, body))


def _written(name: str, body: PowerBody) -> Iterator[WrittenPower]:
    match body:
        case StepsBody():
            yield WrittenPower(name, PowerForm.STEPS, "", tuple(_spans(body)))
        case PartsBody():
            for part in body.parts:
                yield WrittenPower(name, PowerForm.PARTS, part.name, (part.pick.span,))
        case ChangesBody():
            for change in body.changes:
                # What stands under `when` is asked whether the change works or not.
                yield WrittenPower(name, PowerForm.CHANGES, change.target.text, tuple(_spans(change.body)))
        case _:
            yield WrittenPower(name, PowerForm.VALUE, "", tuple(_spans(body)))


def _spans(value: object) -> Iterator[Span]:
    """The places of expressions and sentences, each as a whole."""
    match value:
        case Node():
            yield value.span
        case tuple():
            for item in value:
                yield from _spans(item)
        case Doc():
            for part in fields(value):
                if part.name != "span":
                    yield from _spans(getattr(value, part.name))
        case _:
            return
