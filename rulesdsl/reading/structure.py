"""Whether a rule file has the sections and keys that its kind has, each with a value of the right shape.

Takes the YAML tree of a file; the JSON Schemas in schema/ say what is allowed. Refuses unknown and missing keys and
values of the wrong shape, each at its place. Afterwards true: the readers of syntax/ find what they expect.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping
from functools import cache
from importlib.resources import files
from typing import TYPE_CHECKING, NamedTuple, assert_never

from ..diagnostic import Diagnostics, did_you_mean
from .filekind import FileKind
from .misfit import Misfit, report_misfit
from .yamltree import YamlList, YamlMap, YamlNode, YamlScalar

if TYPE_CHECKING:
    from jsonschema import ValidationError
    from jsonschema.protocols import Validator
    from referencing.jsonschema import SchemaRegistry

__all__ = ["FileKind", "check", "check_entry"]

LANGUAGE_VERSION = "1"

# Parts of a file that can hold themselves. They are validated one by one, from a list of what is to do: validation in
# one go would need a call stack as deep as the file.
_NESTED = ("common.schema.json#/$defs/step", "common.schema.json#/$defs/expression")

Plain = str | list["Plain"] | dict[str, "Plain"]


def check(tree: YamlMap, diagnostics: Diagnostics) -> FileKind | None:
    """The kind of a file, all problems of its structure reported; None if it can't be judged at all."""
    version = tree.get("rulesdsl")
    if version is not None and not (isinstance(version, YamlScalar) and version.text == LANGUAGE_VERSION):
        diagnostics.add(
            "E0206",
            version.whole,
            f"this file is written for another version of the language; this program reads version {LANGUAGE_VERSION}",
            help=f"write `rulesdsl: {LANGUAGE_VERSION}`, or use the program that the file was written for",
        )
        return None
    kind = _kind(tree, diagnostics)
    if kind is not None:
        others = set(FileKind) - {kind, FileKind.CARDS}
        rest = YamlMap(tuple(entry for entry in tree.entries if entry[0].text not in others), tree.whole)
        for misfit in _Pieces(rest).misfits({"$ref": f"{kind.value}.schema.json"}):
            report_misfit(misfit, diagnostics)
    return kind


def check_entry(key: YamlScalar, node: YamlNode, part: str, diagnostics: Diagnostics) -> None:
    """Reports what is wrong with the structure of one entry of a mapping, whose shape is one that the schemas name."""
    schema = {"properties": {key.text: {"$ref": f"common.schema.json#/$defs/{part}"}}}
    for misfit in _Pieces(YamlMap(((key, node),), key.whole.to(node.whole))).misfits(schema):
        report_misfit(misfit, diagnostics)


def _kind(tree: YamlMap, diagnostics: Diagnostics) -> FileKind | None:
    """What kind a file is, by the one key that names it; `cards` is also a section of games."""
    found = [key for key, _ in tree.entries if key.text in set(FileKind)]
    others = [key for key in found if key.text != FileKind.CARDS]
    if others or not isinstance(tree.get(FileKind.CARDS), YamlScalar):
        found = others
    if not found:
        first = tree.entries[0][0]
        kinds = ", ".join(f"`{kind}:`" for kind in FileKind)
        near = [(key, did_you_mean(key.text, FileKind)) for key, _ in tree.entries if key.text != "title"]
        misspelt = next(((key, hint) for key, hint in near if hint and key.text not in set(FileKind)), None)
        place, hint = misspelt if misspelt else (first, f"it has one of the keys {kinds}, with its name")
        diagnostics.add("E0200", place.whole, "this file does not say what kind of rule file it is", help=hint)
        return None
    for second in found[1:]:
        diagnostics.add(
            "E0207",
            second.whole,
            f"this file is a {found[0].text} already, and can't be a {second.text} as well",
            help="make two files of it",
        )
    return FileKind(found[0].text)


@cache
def _schemas() -> SchemaRegistry:
    from referencing.jsonschema import DRAFT202012, EMPTY_REGISTRY

    registry = EMPTY_REGISTRY
    for entry in sorted(files("rulesdsl.schema").iterdir(), key=lambda entry: entry.name):
        if entry.name.endswith(".schema.json"):
            schema = json.loads(entry.read_text(encoding="utf-8"))
            registry = registry.with_resource(entry.name, DRAFT202012.create_resource(schema))
    return registry.crawl()


class _Place(NamedTuple):
    """A list or mapping, with the nearest key above it; `in_list` if it is an item of what that key holds."""

    node: YamlNode
    key: YamlScalar | None
    in_list: bool


class _Pieces:
    """A file in pieces: the file itself, and each step and list of values in it, validated one after the other."""

    def __init__(self, tree: YamlMap) -> None:
        self.nodes: dict[int, _Place] = {}
        self.root = self.plain(tree, None, in_list=False)
        self.to_do: list[tuple[Plain, Mapping[str, object]]] = []
        self.known: set[tuple[int, str]] = set()
        self.current: Plain = self.root

    def plain(self, node: YamlNode, key: YamlScalar | None, *, in_list: bool) -> Plain:
        """A node as a validator wants it; where each list and mapping came from is kept."""
        result: Plain
        match node:
            case YamlScalar(text=text):
                return text
            case YamlList(items=items):
                result = [self.plain(item, key, in_list=True) for item in items]
            case YamlMap(entries=entries):
                result = {name.text: self.plain(value, name, in_list=False) for name, value in entries}
            case _:
                assert_never(node)
        self.nodes[id(result)] = _Place(node, key, in_list)
        return result

    def misfits(self, schema: Mapping[str, object]) -> Iterator[Misfit]:
        """Whatever in the file doesn't fit the schema."""
        validator = self.validator_type()
        self.to_do.append((self.root, schema))
        while self.to_do:
            self.current, schema = self.to_do.pop()
            for error in validator(schema, registry=_schemas()).iter_errors(self.current):
                yield self.misfit(error)

    def validator_type(self) -> type[Validator]:
        from jsonschema import Draft202012Validator
        from jsonschema.validators import extend

        follow = Draft202012Validator.VALIDATORS["$ref"]

        def reference(
            validator: Validator, target: str, instance: Plain, schema: Mapping[str, object]
        ) -> Iterator[ValidationError]:
            nested = next((name for name in _NESTED if name.endswith(target)), None)
            if nested is None or isinstance(instance, str) or instance is self.current:
                yield from follow(validator, target, instance, schema) or ()
            elif (id(instance), nested) not in self.known:
                self.known.add((id(instance), nested))
                self.to_do.append((instance, {"$ref": nested}))

        extended: Callable[..., type[Validator]] = extend
        return extended(Draft202012Validator, {"$ref": reference})

    def misfit(self, error: ValidationError) -> Misfit:
        node, key, in_list = self.nodes[id(self.current)]
        for step in error.absolute_path:
            if isinstance(node, YamlList) and isinstance(step, int):
                node, in_list = node.items[step], True
            elif isinstance(node, YamlMap) and isinstance(step, str):
                key, in_list = node.key(step), False
                node = node.get(step) or node
        asked = error.instance
        about_key = isinstance(node, YamlMap) and isinstance(asked, str)
        return Misfit(
            node=node,
            key=node.key(asked) if isinstance(node, YamlMap) and isinstance(asked, str) else key,
            in_list=in_list,
            about_key=about_key,
            law=str(error.validator),
            allowed=error.validator_value,
            schema=error.schema if isinstance(error.schema, Mapping) else {},
        )
