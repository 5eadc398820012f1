"""Reading rule files: from a path to a document, each file once.

path ──read_source──▶ Source ──read_yaml──▶ YamlMap ──check──▶ its kind ──read_document──▶ a document
"""

from __future__ import annotations

import hashlib
from dataclasses import dataclass, field
from pathlib import Path

from . import catalog
from .diagnostic import Diagnostics
from .ir.nodes import RuleFileStamp
from .reading.read_source import read_source
from .reading.read_yaml import read_yaml
from .reading.structure import check as check_structure
from .source import Source, Span
from .syntax.document import AnyDoc
from .syntax.expr import TypeExpr
from .syntax.powers import CardList
from .syntax.read_document import read_document


@dataclass(slots=True)
class Reader:
    """Reads files for one program, each once, and remembers what they were."""

    diagnostics: Diagnostics
    stamps: list[RuleFileStamp] = field(default_factory=list)
    places: dict[str, Path] = field(default_factory=dict)
    """Where each file lies that has been read, by the name it has in messages."""
    failed: bool = False
    card_lists: dict[str, tuple[dict[str, TypeExpr], CardList]] = field(default_factory=dict)
    """The files of cards whose powers were read, by name, and as which powers."""
    _known: dict[Path, AnyDoc | None] = field(default_factory=dict)

    def read(self, path: Path) -> AnyDoc | None:
        """A file as a document; None if it can't be understood as one."""
        if path not in self._known:
            self._known[path] = self._read_file(path)
        return self._known[path]

    def _read_file(self, path: Path) -> AnyDoc | None:
        name = catalog.shown_name(path)
        self.places[name] = path
        source = read_source(path, name, self.diagnostics)
        document = None if source is None else self._read(source)
        if source is not None:
            digest = hashlib.sha256(source.text.encode()).hexdigest()
            self.stamps.append(RuleFileStamp(catalog.stamped_name(path), digest))
        self.failed = self.failed or document is None
        return document

    def _read(self, source: Source) -> AnyDoc | None:
        tree = read_yaml(source, self.diagnostics)
        kind = check_structure(tree, self.diagnostics) if tree is not None else None
        if tree is None or kind is None:
            return None
        broken = [d.span for d in self.diagnostics.errors if d.span.source is source]
        self.failed = self.failed or bool(broken)
        said_inside = Diagnostics()
        said_inside.extend(self.diagnostics)
        document = read_document(tree, kind, said_inside)
        # What is wrong inside of something that is wrong as a whole was said by the stage before.
        self.diagnostics.extend(d for d in said_inside if not any(_overlap(d.span, span) for span in broken))
        return document


def _overlap(first: Span, second: Span) -> bool:
    """Whether two places touch; a value that is missing begins behind the colon of its key."""
    return first.source is second.source and first.start <= second.end + 1 and second.start <= first.end + 1
