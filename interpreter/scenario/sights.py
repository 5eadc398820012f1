"""Whether something seen, as views and events show it, is what somebody wrote down."""

from __future__ import annotations

from typing import Any

from ..host.plain import Plain, as_list, shown


def differs(plain: Plain, seen: Any) -> str | None:
    """How something written differs from what is seen; None if it does not.

    A mapping says only what it names; a list of cards is compared without order, with `?` for a card that is hidden.
    """
    if isinstance(plain, dict):
        if not isinstance(seen, dict):
            return f"it is {as_text(seen)}"
        for key, inner in plain.items():
            if key not in seen:
                return f"there is no '{key}' in {as_text(seen)}"
            problem = differs(inner, seen[key])
            if problem is not None:
                return f"{key}: {problem}"
        return None
    if isinstance(seen, dict) and "cards" in seen:
        hidden = seen.get("hidden") or 0
        cards = [as_text(card) for card in seen["cards"] if card is not None]
        texts = sorted(cards + ["?"] * hidden)
        expected = sorted(shown(item) for item in (as_list(plain) if plain != "none" else []))
        return None if texts == expected else f"it is [{', '.join(texts)}]"
    if isinstance(plain, list):
        if not isinstance(seen, list) or len(seen) != len(plain):
            return f"it is {as_text(seen)}"
        for inner, item in zip(plain, seen, strict=True):
            if differs(inner, item) is not None:
                return f"it is {as_text(seen)}"
        return None
    return None if shown(plain) == as_text(seen) else f"it is {as_text(seen)}"


def as_text(seen: Any) -> str:
    """What a view shows, in one line."""
    match seen:
        case None:
            return "none"
        case bool():
            return "true" if seen else "false"
        case list():
            return f"[{', '.join(as_text(item) for item in seen)}]"
        case dict() if "card" in seen and "fields" in seen and "under" not in seen:
            return " ".join([as_text(seen["card"]), *(as_text(value) for value in seen["fields"].values())])
        case dict():
            return f"{{ {', '.join(f'{key}: {as_text(value)}' for key, value in seen.items())} }}"
        case _:
            return str(seen)
