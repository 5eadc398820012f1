"""A program as text: one stable form for golden files, hashes and bug reports.

Two programs have the same dump exactly if they are equal; spans and origins take no part in either.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from dataclasses import fields, is_dataclass
from enum import Enum

from .nodes import Program


def dump(value: object) -> str:
    """The text of a program, or of any part of one."""
    return "\n".join(_lines(value, ""))


def program_hash(program: Program) -> str:
    """A short name for what a program means: 16 hexadecimal digits of the SHA-256 of its dump."""
    return hashlib.sha256(dump(program).encode()).hexdigest()[:16]


def _lines(value: object, indent: str) -> Iterator[str]:
    if is_dataclass(value) and not isinstance(value, type):
        shown = [(f.name, getattr(value, f.name)) for f in fields(value) if f.compare]
        short = [f"{name}={_short(item)}" for name, item in shown if _is_short(item)]
        yield f"{indent}{type(value).__name__}({', '.join(short)})"
        for name, item in shown:
            if not _is_short(item):
                yield f"{indent}  {name}:"
                yield from _lines(item, indent + "    ")
    elif isinstance(value, tuple):
        for item in value:
            yield from _lines(item, indent)
    else:
        yield f"{indent}{_short(value)}"


def _is_short(value: object) -> bool:
    if isinstance(value, tuple):
        return not any(is_dataclass(item) or isinstance(item, tuple) for item in value)
    return not is_dataclass(value) or not fields(value)


def _short(value: object) -> str:
    if isinstance(value, Enum):
        return str(value.value)
    if is_dataclass(value) and not isinstance(value, type):
        return type(value).__name__
    if isinstance(value, tuple):
        return f"({', '.join(_short(item) for item in value)})"
    return repr(value)
