"""How people say the names of a file.

Takes: the section `wording`. Its keys are a name, one with its parameters, `procedure.name`, or `instead of name`.
Makes: `WordingDoc`s, with the holes of their texts found.
Refuses: heads without a reading (E011x).
Afterwards true: whether there are such names, and such parameters, is not known yet.
"""

from __future__ import annotations

import re

from ..reading.yamltree import YamlNode, YamlScalar
from .document import Named, WordingDoc
from .expr import Signature, Target, TargetKind
from .read_scalars import Reading, Tail

_DOTTED = re.compile(r"([A-Za-z][\w-]*)\.([A-Za-z][\w-]*)")
HOLE = re.compile(r"<\s*([A-Za-z][\w-]*)\s*(?:\|\s*([^<>]*?)\s*)?>")
"""A parameter in a text, perhaps with what is said where it is left open."""


def read_wording(read: Reading, node: YamlNode | None) -> tuple[WordingDoc, ...]:
    """The section `wording`."""
    found = []
    for key, value in read.entries(node):
        text = read.scalar(value)
        head, of = _head(read, key)
        if head is not None and text is not None:
            holes = tuple(Named(hole[1], text.span(*hole.span(1))) for hole in HOLE.finditer(text.text))
            found.append(WordingDoc(head, text.text, of, holes, span=key.whole))
    return tuple(found)


def _head(read: Reading, key: YamlScalar) -> tuple[Target | None, Named | None]:
    dotted = _DOTTED.fullmatch(key.text)
    if dotted is None:
        return read.target(key), None
    name = Tail(key, dotted.start(2))
    span = name.span(0, len(name.text))
    head = Target(TargetKind.SLOT, (), Signature(name.text, span=span), span=span)
    return head, Named(dotted[1], key.span(*dotted.span(1)))
