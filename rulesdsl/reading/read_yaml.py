"""From the text of a rule file to a tree in which everything knows its place.

Takes a `Source`, makes a `YamlMap`. Refuses what YAML allows and a rule file does not: guesses, tags, merges, bombs.
Afterwards true: keys are unique texts, the tree has at most 40 floors and 20,000 keys, aliases counted as often as
they stand.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING, NoReturn, Protocol

from ..diagnostic import Diagnostics, Label
from ..source import Source, Span
from .read_source import MAX_BYTES, too_large
from .yamlcuts import Entry, is_cut, is_missing, mend_entries, mend_items
from .yamlerrors import Around, Complaint, report_complaint, report_directive
from .yamltabs import report_tabs
from .yamltraps import check_trap
from .yamltree import Style, YamlList, YamlMap, YamlNode, YamlScalar

if TYPE_CHECKING:
    from yaml import CollectionStartEvent, Event, ScalarEvent

MAX_DEPTH = 40
MAX_ALIASES = 50
MAX_KEYS = 20_000
MAX_NODES = 200_000

_UNREADABLE = re.compile("[^\t\n\r\x20-\x7e\xa0-\u2027\u202a-\ud7ff\ue000-\ufefe\uff00-\ufffd\U00010000-\U0010ffff]")
_LONE_RETURN = re.compile(r"\r(?!\n)")
_DIRECTIVE = re.compile(r"(?:[ ]*(?:#[^\n]*)?\r?\n)*(%)")
_PROPERTIES = re.compile(r"(?:[&!][^\s,\[\]{}]*|\#[^\n]*|\s)*")
_PROPERTY = re.compile(r"[^\s,\[\]{}]*")


class _Stop(Exception):
    """Nothing more can be read; the problem has been reported."""


def read_yaml(source: Source, diagnostics: Diagnostics) -> YamlMap | None:
    """The tree of a rule file; None if it can't be read, and then at least one problem has been reported."""
    top = Span(source, 0, 0)
    if len(source.text) > MAX_BYTES:
        too_large(source.name, diagnostics)
        return None
    if not _is_text(source, diagnostics):
        return None
    reader = _Reader(source, diagnostics)
    try:
        tree = reader.read()
    except _Stop:
        return None
    if tree is None:
        diagnostics.add("E0154", top, "this file is empty", help="begin with `rulesdsl: 1` and, say, `game: my-game`")
        return None
    if not isinstance(tree, YamlMap):
        kind = "a list" if isinstance(tree, YamlList) else "a text"
        diagnostics.add(
            "E0155",
            Span(source, tree.whole.start, min(tree.whole.start + 1, tree.whole.end)),
            f"this file holds {kind}, where a rule file has keys",
            help="begin with `rulesdsl: 1` and, say, `game: my-game`",
        )
        return None
    return tree


def _is_text(source: Source, diagnostics: Diagnostics) -> bool:
    """Whether every character is one that all programs read alike, and the file has no directive."""
    text = source.text
    if odd := _UNREADABLE.search(text) or _LONE_RETURN.search(text):
        diagnostics.add(
            "E0173",
            Span(source, odd.start(), odd.end()),
            f"the character U+{ord(odd.group()):04X} can't stand in a rule file",
            help="remove it; in double quotes it can be written as an escape",
        )
        return False
    if directive := _DIRECTIVE.match(text):
        report_directive(Span(source, directive.start(1), directive.end(1)), diagnostics)
        return False
    return True


class _Marked(Protocol):
    """A mark of either parser of PyYAML."""

    @property
    def index(self) -> int: ...


def _index(mark: _Marked | None) -> int:
    return 0 if mark is None else mark.index


class _Frame:
    """A collection that is being read. `size` counts what is in it and `height` its floors, aliases followed."""

    __slots__ = ("anchor", "end", "entries", "flow", "height", "is_map", "items", "key", "keys", "size", "start")

    def __init__(self, start: int, *, is_map: bool, flow: bool, anchor: str | None) -> None:
        self.start = start
        self.end = start
        self.is_map = is_map
        self.flow = flow
        self.anchor = anchor
        self.items: list[YamlNode] = []
        self.entries: list[Entry] = []
        self.keys: dict[str, YamlScalar] = {}
        self.key: YamlNode | None = None
        self.size = 1
        self.height = 1


class _Anchored:
    """What an anchor stands for, with its size and its floors; no node as long as it is still open."""

    __slots__ = ("height", "node", "size")

    def __init__(self, node: YamlNode | None, size: int, height: int) -> None:
        self.node = node
        self.size = size
        self.height = height


class _Reader:
    """One pass over the events of the YAML parser, with the open collections on a stack."""

    def __init__(self, source: Source, diagnostics: Diagnostics) -> None:
        self.source = source
        self.diagnostics = diagnostics
        self.frames: list[_Frame] = []
        self.anchors: dict[str, _Anchored] = {}
        self.aliases = self.repeated = self.keys = self.nodes = 0
        self.root: YamlNode | None = None
        self.last_flow_text: Span | None = None
        self.may_hold_tabs: list[tuple[int, int]] = []

    def span(self, start: int, end: int) -> Span:
        return Span(self.source, start, end)

    # ── events ───────────────────────────────────────────────────────────────────────────────────────────────────

    def read(self) -> YamlNode | None:
        import yaml

        documents = 0
        for event in self.events():
            start, end = _index(event.start_mark), _index(event.end_mark)
            if isinstance(event, yaml.ScalarEvent):
                self.scalar(event)
            elif isinstance(event, yaml.CollectionStartEvent):
                self.open(event, is_map=isinstance(event, yaml.MappingStartEvent))
            elif isinstance(event, yaml.CollectionEndEvent):
                self.close(end)
            elif isinstance(event, yaml.AliasEvent):
                self.alias(event.anchor or "", self.span(start, end))
            elif isinstance(event, yaml.DocumentStartEvent):
                documents += 1
                if documents > 1:
                    self.diagnostics.add(
                        "E0153",
                        self.span(start, end),
                        "a second document begins here; a rule file has one",
                        help="put it in a file of its own",
                    )
                    break
        report_tabs(self.source, self.may_hold_tabs, self.diagnostics)
        return self.root

    def events(self) -> Iterator[Event]:
        import yaml

        try:
            yield from yaml.parse(self.source.text, Loader=getattr(yaml, "CSafeLoader", yaml.SafeLoader))
        except yaml.MarkedYAMLError as error:
            at = _index(error.problem_mark)
            since = _index(error.context_mark) if error.context_mark else None
            complaint = Complaint(str(error.problem), at, str(error.context or ""), since)
            if "nesting depth" in complaint.problem:
                self.too_deep(self.deep_place())
            cut = next((piece.whole for piece in self.flow_texts() if is_cut(piece)), None)
            report_complaint(complaint, Around(self.last_flow_text, cut), self.source, self.diagnostics)
            raise _Stop from error

    def flow_texts(self) -> Iterator[YamlNode]:
        """The values in the innermost open flow collection."""
        if self.frames and self.frames[-1].flow:
            yield from self.frames[-1].items
            yield from (value for _, value in self.frames[-1].entries)

    def deep_place(self) -> Span:
        """Where the file becomes too deep, if the C parser gave up before it had told how it got there."""
        import yaml

        depth = 0
        for event in yaml.parse(self.source.text, Loader=yaml.SafeLoader):
            if isinstance(event, yaml.CollectionStartEvent):
                depth += 1
                if depth > MAX_DEPTH:
                    return self.span(_index(event.start_mark), _index(event.start_mark) + 1)
            elif isinstance(event, yaml.CollectionEndEvent):
                depth -= 1
        return self.span(0, 0)

    def too_deep(self, place: Span) -> NoReturn:
        self.diagnostics.add(
            "E0102",
            place,
            f"more than {MAX_DEPTH} lists and mappings stand inside one another",
            help="name the inner parts as rules or procedures",
        )
        raise _Stop

    # ── nodes ────────────────────────────────────────────────────────────────────────────────────────────────────

    def scalar(self, event: ScalarEvent) -> None:
        start, end = _index(event.start_mark), _index(event.end_mark)
        start = self.skip_properties(start, end, event.anchor, event.tag)
        style = event.style or ""
        if style == ">":
            self.diagnostics.add(
                "E0109",
                self.span(start, start + 1),
                "a text that begins with `>` loses its line breaks",
                help="write it on one line, or begin it with `|`",
            )
        if style in ("|", ">"):
            end = self.block_end(start, end)
        whole = self.span(start, end)
        node = YamlScalar(event.value, whole, Style.LITERAL if style == ">" else Style(style))
        if style:
            self.may_hold_tabs.append((start, end))
        elif self.frames and self.frames[-1].flow:
            self.last_flow_text = whole
        if event.anchor:
            self.anchors[event.anchor] = _Anchored(node, 1, 0)
        self.add(node, end, 1, 0)

    def block_end(self, start: int, end: int) -> int:
        """Where the last line of a block ends that has anything on it."""
        text = self.source.text
        written = start + len(text[start:end].rstrip(" \r\n"))
        line_end = text.find("\n", written, end)
        return end if line_end < 0 else line_end - (text[line_end - 1] == "\r")

    def open(self, event: CollectionStartEvent, *, is_map: bool) -> None:
        start = _index(event.start_mark)
        if len(self.frames) >= MAX_DEPTH:
            self.too_deep(self.span(start, start + 1))
        start = self.skip_properties(start, len(self.source.text), event.anchor, event.tag)
        if event.anchor:
            self.anchors[event.anchor] = _Anchored(None, 1, 0)
        self.frames.append(_Frame(start, is_map=is_map, flow=bool(event.flow_style), anchor=event.anchor))
        self.last_flow_text = None

    def close(self, end: int) -> None:
        frame = self.frames.pop()
        if frame.flow:
            frame.end = end
            entries, frame.entries = mend_entries(frame.entries, self.diagnostics), []
            for key, value in entries:
                self.enter(frame, key, value)
            frame.items = mend_items(frame.items, self.diagnostics)
            for item in frame.items:
                self.check_value(item, item.whole)
        whole = self.span(frame.start, frame.end)
        node = YamlMap(tuple(frame.entries), whole) if frame.is_map else YamlList(tuple(frame.items), whole)
        if frame.anchor:
            self.anchors[frame.anchor] = _Anchored(node, frame.size, frame.height)
        self.last_flow_text = None
        self.add(node, frame.end, frame.size, frame.height)

    def alias(self, name: str, place: Span) -> None:
        self.aliases += 1
        target = self.anchors.get(name)
        if target is None:
            self.diagnostics.add(
                "E0160",
                place,
                f"`*{name}` repeats what is marked `&{name}`, and nothing above is",
                help='if it is a text, put it in quotes: "..."',
            )
            raise _Stop
        if target.node is None:
            self.diagnostics.add(
                "E0159", place, f"`*{name}` stands inside of what it repeats", help="write the text out instead"
            )
            raise _Stop
        self.repeated += target.size
        if self.aliases > MAX_ALIASES or self.repeated > MAX_KEYS:
            self.diagnostics.add(
                "E0103",
                place,
                f"a file may repeat marked parts {MAX_ALIASES} times, and {MAX_KEYS:,} entries by that in all",
                help="name what is repeated as a rule or a procedure",
            )
            raise _Stop
        if len(self.frames) + target.height > MAX_DEPTH:
            self.too_deep(place)
        self.add(target.node, place.end, target.size, target.height)

    def skip_properties(self, start: int, end: int, anchor: str | None, tag: str | None) -> int:
        """Where a node begins after its anchor and its tag; a tag is refused."""
        if anchor is None and tag is None:
            return start
        found = _PROPERTIES.match(self.source.text, start, end)
        after = found.end() if found else start
        if tag is not None:
            sign = self.source.text.find("!", start)
            stop = _PROPERTY.match(self.source.text, sign)
            self.diagnostics.add(
                "E0150",
                self.span(sign, stop.end() if stop else sign + 1),
                "a rule file holds no tags (words that begin with `!`)",
                help='remove it; if it is a text, put it in quotes: "..."',
            )
        return after

    def add(self, node: YamlNode, end: int, size: int, height: int) -> None:
        """Puts a node where it belongs: at the top, into a list, as a key or as the value of the last key."""
        self.nodes += 1
        if self.nodes > MAX_NODES:
            self.too_much(node.whole)
        if not self.frames:
            if not is_missing(node):
                self.root = node
            return
        frame = self.frames[-1]
        frame.end = max(frame.end, end)
        frame.size += size
        frame.height = max(frame.height, height + 1)
        if not frame.is_map:
            frame.items.append(node)
            if not frame.flow:
                self.check_value(node, self.span(frame.start, frame.start + 1))
        elif frame.key is None:
            self.keys += 1
            if self.keys > MAX_KEYS:
                self.too_much(node.whole)
            frame.key = node
        else:
            key, frame.key = frame.key, None
            if not isinstance(key, YamlScalar):
                if not (frame.entries and is_cut(frame.entries[-1][1])):  # else it is a piece of a cut text
                    self.no_key(key)
            elif frame.flow:
                frame.entries.append((key, node))
            else:
                self.enter(frame, key, node)

    def too_much(self, place: Span) -> NoReturn:
        self.diagnostics.add(
            "E0104",
            place,
            f"a file may hold {MAX_KEYS:,} keys and {MAX_NODES:,} entries, and here are more",
            help="split the file, or let one rule say what many keys say",
        )
        raise _Stop

    def no_key(self, key: YamlNode) -> None:
        kind = "a list" if isinstance(key, YamlList) else "a mapping"
        self.diagnostics.add("E0156", key.whole, f"{kind} can't be a key", help="a key is a name or a short text")

    # ── what YAML allows and a rule file does not ────────────────────────────────────────────────────────────────

    def enter(self, frame: _Frame, key: YamlScalar, value: YamlNode) -> None:
        """Adds an entry to a mapping if its key is a good one and new there."""
        if is_missing(key):
            self.diagnostics.add(
                "E0156", key.whole.to(value.whole), "no key stands before this colon", help="write a name before it"
            )
            return
        if key.style is Style.PLAIN and key.text == "<<":
            self.diagnostics.add(
                "E0152", key.whole, "a rule file merges no mappings with `<<`", help="write the keys out"
            )
            return
        check_trap(key, True, self.diagnostics)
        first = frame.keys.setdefault(key.text, key)
        if first is not key:
            self.diagnostics.add(
                "E0105",
                key.whole,
                f"the key `{key.text}` is here a second time",
                help="keep one of the two, or put both values together under one key",
                labels=[Label(first.whole, "it stands here already")],
            )
            return
        self.check_value(value, key.whole)
        frame.entries.append((key, value))

    def check_value(self, value: YamlNode, place: Span) -> None:
        """Reports an empty or treacherous value; `place` is shown for one that is not there."""
        if not isinstance(value, YamlScalar):
            return
        if not is_missing(value):
            check_trap(value, False, self.diagnostics)
            return
        glued = ":" in place.text
        self.diagnostics.add(
            "E0158",
            place,
            "nothing stands after this",
            help="put a space after the colon" if glued else "write a value, or `[]` for an empty list",
        )
