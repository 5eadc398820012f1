"""What a card says of itself under the name of a power, put where another of its powers asks for it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields, replace
from typing import Any

from ..syntax.document import Doc, ExprBody
from ..syntax.expr import Call, Expr, Name, Node
from ..syntax.powers import PowerBody


def inlined(powers: Mapping[str, PowerBody]) -> dict[str, PowerBody]:
    """The powers without those that only say what others ask for, which then say it themselves."""
    values = {name: body.value for name, body in powers.items() if isinstance(body, ExprBody)}
    asked: set[str] = set()
    made = {name: _replaced(body, values, asked) for name, body in powers.items()}
    return {name: body for name, body in made.items() if name not in asked}


def _replaced(value: Any, values: Mapping[str, Expr], asked: set[str]) -> Any:
    match value:
        case Call(name=name, arguments=(Name(name="self"),)) if name in values:
            asked.add(name)
            return values[name]
        case tuple():
            return tuple(_replaced(item, values, asked) for item in value)
        case Doc() | Node():
            parts = {part.name: getattr(value, part.name) for part in fields(value) if part.init}
            made = {name: _replaced(part, values, asked) for name, part in parts.items() if name != "span"}
            changed = {name: part for name, part in made.items() if part is not parts[name] and part != parts[name]}
            return replace(value, **changed) if changed else value
        case _:
            return value
