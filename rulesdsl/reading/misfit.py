"""What a schema refuses, in a sentence for the author of the file."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from ..diagnostic import Diagnostics, InternalError, did_you_mean
from ..source import Span
from .yamlcuts import is_missing
from .yamltree import YamlList, YamlMap, YamlNode, YamlScalar

_STEPS = ("phase", "each", "together", "repeat", "if", "decision", "window")
_BODIES = ("first", "by", "forbid", "require", "narrow", "permit", "add", "multiply", "at_least", "at_most", "remove")
_SHAPES = {"array": "a list", "object": "a mapping", "string": "a text"}


@dataclass(frozen=True, slots=True)
class Misfit:
    """A place in a file, and the law of the schema that it breaks.

    `key` is the nearest key above `node` (which is then an item of a list if `in_list`), or the key in question itself
    if the misfit is `about_key`. `law` is a keyword of JSON Schema with its value `allowed`; `schema` holds it.
    """

    node: YamlNode
    key: YamlScalar | None
    in_list: bool
    about_key: bool
    law: str
    allowed: object
    schema: Mapping[str, object]

    @property
    def subject(self) -> str:
        """What the sentence is about."""
        if self.key is None:
            return "this file"
        return f"this item of `{self.key.text}`" if self.in_list else f"`{self.key.text}`"

    @property
    def said(self) -> str | None:
        """The schema's own sentence, if it has one."""
        sentence = self.schema.get("errorMessage")
        return sentence if isinstance(sentence, str) else None


def report_misfit(misfit: Misfit, diagnostics: Diagnostics) -> None:
    """Reports what does not fit, unless nothing is there at all: then that has been reported."""
    if is_missing(misfit.node):
        return
    match misfit.law:
        case "not" if misfit.allowed is True:
            _out_of_place(misfit, diagnostics)
        case "additionalProperties":
            _unknown_keys(misfit, diagnostics)
        case "required":
            _missing_keys(misfit, diagnostics)
        case "anyOf":
            _missing_choice(misfit, diagnostics)
        case "type":
            _wrong_shape(misfit, _strings(misfit.allowed), diagnostics)
        case "enum":
            _not_one_of(misfit, diagnostics)
        case "pattern":
            _wrong_form(misfit, diagnostics)
        case "not":
            _wrong_mixture(misfit, diagnostics)
        case "minProperties" | "maxProperties" | "minItems" | "minLength":
            _wrong_number(misfit, diagnostics)
        case _:
            raise InternalError(f"the schemas use `{misfit.law}`, and nothing says how to report it")


# ── keys ─────────────────────────────────────────────────────────────────────────────────────────────────────────


def _unknown_keys(misfit: Misfit, diagnostics: Diagnostics) -> None:
    node = _mapping(misfit.node)
    known = _keys_of(misfit.schema, "properties")
    patterns = _keys_of(misfit.schema, "patternProperties")
    present = {key.text for key, _ in node.entries}
    for key, value in node.entries:
        if is_missing(value) or key.text in known or any(re.search(pattern, key.text) for pattern in patterns):
            continue
        rival = next((word for word in _STEPS if word in present and word != key.text), None)
        if key.text in _STEPS and rival:
            diagnostics.add(
                "E0208",
                key.whole,
                f"`{rival}` and `{key.text}` are two kinds of step, and one mapping is one step",
                help="begin a new step with `- `, or put the one under the `do` of the other",
            )
            continue
        free = [name for name in known if name not in present]
        hint = did_you_mean(key.text, free) or f"here can stand: {', '.join(free or known)}"
        diagnostics.add("E0201", key.whole, f"there is no key `{key.text}` here", help=hint)


def _out_of_place(misfit: Misfit, diagnostics: Diagnostics) -> None:
    place = misfit.key.whole if misfit.key else misfit.node.whole
    diagnostics.add(
        "E0201",
        place,
        f"{misfit.subject} can't stand here",
        help="guards and orders belong to `changes`, not to new things",
    )


def _missing_keys(misfit: Misfit, diagnostics: Diagnostics) -> None:
    node = _mapping(misfit.node)
    for name in _strings(misfit.allowed):
        if name not in node:
            hint = f"add a line `{name}: ...`"
            if name == "rulesdsl":
                hint = "begin the file with `rulesdsl: 1`"
            diagnostics.add("E0202", _head(misfit), f"{misfit.subject} lacks the key `{name}`", help=hint)


def _missing_choice(misfit: Misfit, diagnostics: Diagnostics) -> None:
    choices = [f"`{name}`" for choice in _items(misfit.allowed) for name in _strings(_get(choice, "required"))]
    diagnostics.add("E0202", _head(misfit), f"{misfit.subject} needs {_either(choices)}", help="add one of these keys")


def _wrong_mixture(misfit: Misfit, diagnostics: Diagnostics) -> None:
    node = _mapping(misfit.node)
    rivals = _strings(_get(misfit.allowed, "required"))
    if not rivals:
        hints = (did_you_mean(key.text, _STEPS) for key, _ in node.entries)
        hint = next((hint for hint in hints if hint), "write it as a sentence, or begin with one of these words")
        diagnostics.add("E0209", _head(misfit, inside=True), f"this {misfit.said}", help=hint)
        return
    last = [key for key, _ in node.entries if key.text in rivals][-1]
    diagnostics.add("E0208", last.whole, misfit.said or f"{_either(rivals)}, not both", help="remove one of the two")


# ── values ───────────────────────────────────────────────────────────────────────────────────────────────────────


def _wrong_shape(misfit: Misfit, types: Sequence[str], diagnostics: Diagnostics) -> None:
    wanted = [shape for name, shape in _SHAPES.items() if name in types] or ["a text"]
    found = {YamlScalar: "a text", YamlList: "a list", YamlMap: "a mapping"}[type(misfit.node)]
    hint = None
    if misfit.key is not None and not misfit.in_list and isinstance(misfit.node, YamlMap):
        hint = did_you_mean(misfit.key.text, _BODIES)
    if hint is None and found == "a list" and "a mapping" in wanted:
        hint = "leave out the `- ` in front of the keys"
    elif hint is None and found == "a mapping" and "a list" in wanted:
        hint = "begin each item with `- `"
    elif hint is None:
        hint = f"write {_either(wanted)}"
    diagnostics.add(
        "E0203", _first_line(misfit.node), f"{misfit.subject} needs {_either(wanted)}, and this is {found}", help=hint
    )


def _not_one_of(misfit: Misfit, diagnostics: Diagnostics) -> None:
    choices = list(dict.fromkeys(choice for choice in _items(misfit.allowed) if isinstance(choice, str)))
    if not isinstance(misfit.node, YamlScalar):
        _wrong_shape(misfit, ["string"], diagnostics)
        return
    shown = _either([f"`{choice}`" for choice in choices])
    diagnostics.add(
        "E0204",
        misfit.node.whole,
        f"{misfit.subject} can be {shown}, and not `{misfit.node.text}`",
        help=did_you_mean(misfit.node.text, choices) or f"write {shown}",
    )


def _wrong_form(misfit: Misfit, diagnostics: Diagnostics) -> None:
    scalar = misfit.key if misfit.about_key else misfit.node
    if not isinstance(scalar, YamlScalar):
        raise InternalError("a pattern was held against something that is no text")
    sentence, _, hint = (misfit.said or "has another form than is needed here").partition(": ")
    diagnostics.add("E0205", scalar.whole, f"`{scalar.text}` {sentence}", help=hint or "write it as it is needed here")


def _wrong_number(misfit: Misfit, diagnostics: Diagnostics) -> None:
    sentence, _, hint = (misfit.said or "").partition("; ")
    if not sentence:
        sentence = "needs two entries or more" if misfit.allowed == 2 else "is empty"
    diagnostics.add("E0211", _head(misfit), f"{misfit.subject} {sentence}", help=hint or "add what is missing")


# ── places and words ─────────────────────────────────────────────────────────────────────────────────────────────


def _head(misfit: Misfit, *, inside: bool = False) -> Span:
    """Where a mapping or list is announced: its key, else its first key, else its first line."""
    if misfit.key is not None and not misfit.in_list and not inside:
        return misfit.key.whole
    if isinstance(misfit.node, YamlMap) and misfit.node.entries:
        return misfit.node.entries[0][0].whole
    return _first_line(misfit.node)


def _first_line(node: YamlNode) -> Span:
    whole = node.whole
    line_end = whole.source.text.find("\n", whole.start, whole.end)
    return whole if line_end < 0 else Span(whole.source, whole.start, line_end)


def _mapping(node: YamlNode) -> YamlMap:
    if not isinstance(node, YamlMap):
        raise InternalError("a law for mappings was broken by something else")
    return node


def _items(value: object) -> Iterable[object]:
    return value if isinstance(value, list) else [value]


def _strings(value: object) -> list[str]:
    return [item for item in _items(value) if isinstance(item, str)]


def _get(value: object, key: str) -> object:
    return value.get(key) if isinstance(value, Mapping) else None


def _keys_of(schema: Mapping[str, object], law: str) -> list[str]:
    keys = schema.get(law)
    return [str(key) for key in keys] if isinstance(keys, Mapping) else []


def _either(words: Sequence[str]) -> str:
    return words[0] if len(words) == 1 else f"{', '.join(words[:-1])} or {words[-1]}"
