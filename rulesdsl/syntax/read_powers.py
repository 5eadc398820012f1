"""The powers in the rows of a card file.

Takes: the rows as YAML, and what the kind of the cards says its powers are.
Makes: a `CardList`; the type of a power decides how its value is read.
Refuses: what `read_scalars` refuses.
Afterwards true: whatever a row holds under the name of a power is a document; the values that are printed stay YAML.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from ..diagnostic import Diagnostics
from ..reading.yamltree import YamlMap, YamlNode, YamlScalar
from .document import CardsDoc, LegalityBody, Named, StagesBody, StepsBody
from .expr import TypeExpr, TypeForm
from .powers import CHANGES, PARTS, STEPS, CardList, ChangesBody, PartsBody, PowerBody, Powers
from .read_changes import read_changes
from .read_rules import read_rule_body
from .read_scalars import Reading
from .read_steps import read_parts, read_steps

SHAPES = {STEPS: "steps", PARTS: "kept_parts", CHANGES: "changes"}
"""What the value of a power has to look like, by its type; all others are bodies of rules."""


def shape_of(type_: TypeExpr) -> str:
    """The name of the shape that a power of a type has."""
    return SHAPES.get(type_.name, "rule_body") if type_.form is TypeForm.PLAIN else "rule_body"


def values_of_powers(document: CardsDoc, powers: Mapping[str, TypeExpr]) -> Iterator[tuple[YamlScalar, YamlNode, str]]:
    """Each entry of a power in a file, and the name of its shape."""
    for row in document.rows:
        for key, value in row.entries if isinstance(row, YamlMap) else ():
            if key.text in powers:
                yield key, value, shape_of(powers[key.text])


def read_powers(document: CardsDoc, powers: Mapping[str, TypeExpr], diagnostics: Diagnostics) -> CardList:
    """A file of cards with the powers of its rows."""
    read = Reading(diagnostics)
    return CardList(document, tuple(_powers(read, row, powers) for row in document.rows))


def _powers(read: Reading, row: YamlNode, powers: Mapping[str, TypeExpr]) -> Powers:
    found: list[tuple[Named, PowerBody]] = []
    for key, value in row.entries if isinstance(row, YamlMap) else ():
        if key.text in powers:
            body = _body(read, value, shape_of(powers[key.text]))
            if body is not None:
                found.append((Named(key.text, key.whole), body))
    return tuple(found)


def _body(read: Reading, node: YamlNode, shape: str) -> PowerBody | None:
    match shape:
        case "steps":
            return StepsBody(read_steps(read, node), span=node.whole)
        case "changes":
            return ChangesBody(read_changes(read, node), span=node.whole)
        case "kept_parts":
            return _parts(read, node)
        case _:
            body = read_rule_body(read, node)
            if isinstance(body, LegalityBody | StagesBody):
                read.odd(node)
                return None
            return body


def _parts(read: Reading, node: YamlNode) -> PartsBody | None:
    mapping = read.mapping(node)
    if mapping is None:
        return None
    picked = YamlMap(tuple(entry for entry in mapping.entries if entry[0].text != "where"), mapping.whole)
    return PartsBody(read_parts(read, picked), read.maybe_expr(mapping.get("where")), span=node.whole)
