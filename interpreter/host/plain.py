"""Answers, values and expectations as people write them: texts, lists and mappings of texts."""

from __future__ import annotations

Plain = str | list["Plain"] | dict[str, "Plain"]
"""What a person writes in a scenario, a record holds, and a host may hand in: nothing but texts at the leaves."""

DECLINE = "decline"
"""How declining is written."""


def as_list(plain: Plain) -> list[Plain]:
    """A list as it is; anything else as a list of one."""
    return plain if isinstance(plain, list) else [plain]


def shown(plain: Plain) -> str:
    """In one line, for messages."""
    match plain:
        case str():
            return plain
        case list():
            return f"[{', '.join(shown(item) for item in plain)}]"
        case dict():
            return f"{{ {', '.join(f'{key}: {shown(value)}' for key, value in plain.items())} }}"


def words_of(text: str) -> tuple[str, ...]:
    """The words of a text; whatever stands between them is one blank."""
    return tuple(text.split())
