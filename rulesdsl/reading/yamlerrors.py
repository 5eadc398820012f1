"""What a YAML parser's complaint means for the author of a rule file.

The two parsers of PyYAML (in C and in Python) word the same complaint differently; both are known here, and the place
is moved to where the author has to look.
"""

from __future__ import annotations

from dataclasses import dataclass

from ..diagnostic import Diagnostics, Label
from ..source import Source, Span

QUOTE_IT = 'put the whole text in quotes: "..."'
BLOCK_FORM = "use no { } and no [ ] around it: start a new line for every key, and for every item of a list"


@dataclass(frozen=True, slots=True)
class Complaint:
    """An error of the parser: its words, where it noticed, and where what it was reading began (if it says so)."""

    problem: str
    at: int
    context: str
    since: int | None


@dataclass(frozen=True, slots=True)
class Around:
    """What the reader knew at the time: the last text in a flow collection, and one whose bracket is open."""

    last_flow_text: Span | None
    cut: Span | None


def report_complaint(complaint: Complaint, around: Around, source: Source, diagnostics: Diagnostics) -> None:
    """Reports what a parser couldn't read."""
    problem, text = complaint.problem, source.text
    at = min(complaint.at, len(text))
    here = Span(source, at, min(at + 1, len(text)))
    since = here if complaint.since is None else Span(source, complaint.since, min(complaint.since + 1, len(text)))

    if "tab character" in problem or text[at : at + 1] == "\t":
        report_tab(here, diagnostics)
    elif "mapping values are not allowed" in problem:
        diagnostics.add(
            "E0100",
            here,
            "YAML takes this `:` for the end of a key, and no key can stand here",
            help=f"is the line indented too far? If the colon belongs to a text, {QUOTE_IT}",
        )
    elif "cannot start any token" in problem:
        diagnostics.add("E0100", here, f"no text can begin with `{text[at : at + 1]}` in YAML", help=QUOTE_IT)
    elif "alphabetic or numeric" in problem:
        sign = text[since.start : since.start + 1]
        diagnostics.add("E0100", since, f"no text can begin with `{sign}` in YAML", help=QUOTE_IT)
    elif "quoted scalar" in complaint.context or "double-quoted" in complaint.context:
        _quoted(problem, here, since, diagnostics)
    elif "block scalar" in complaint.context:
        diagnostics.add(
            "E0100",
            here,
            f"after `{text[since.start : since.start + 1]}` nothing may follow on the line",
            help="begin the text on the next line, indented",
        )
    elif "could not find expected ':'" in problem:
        line = source.line(since.position.line)
        end = source.text.find("\n", since.start)
        diagnostics.add(
            "E0100",
            Span(source, since.start, len(text) if end < 0 else end).to(since),
            "this line is neither a key with a colon nor an item of a list",
            help=f"write `{line.strip().split(' ')[0]}: ...`, or indent the line if it belongs to the text above",
        )
    elif "flow mapping" in complaint.context or "flow sequence" in complaint.context:
        _flow(complaint, around, here, since, diagnostics)
    elif "entries are not allowed" in problem:
        diagnostics.add("E0100", here, "a list can't begin on the line of its key", help="begin it on the next line")
    elif "mapping keys are not allowed" in problem:
        diagnostics.add("E0100", here, "no text can begin with `? ` in YAML", help=QUOTE_IT)
    elif "tag" in problem:
        diagnostics.add("E0150", here, "a rule file holds no tags", help=f"remove it; if it is a text, {QUOTE_IT}")
    elif "incompatible YAML document" in problem or "directive" in complaint.context or "directive" in problem:
        report_directive(here, diagnostics)
    elif "block mapping" in complaint.context or "block collection" in complaint.context:
        _block(complaint, source, here, diagnostics)
    elif "document start" in problem:
        diagnostics.add(
            "E0100", here, "this does not belong to what stands above it", help="check the indentation of the lines"
        )
    else:
        diagnostics.add("E0100", here, "YAML can't read this", help="check the punctuation and the indentation here")


def report_tab(place: Span, diagnostics: Diagnostics) -> None:
    """Says that a tab stands where only spaces may."""
    diagnostics.add("E0157", place, "a tab stands here", help="use spaces; in YAML tabs may stand in quoted texts only")


def report_directive(place: Span, diagnostics: Diagnostics) -> None:
    """Says that a `%` line stands at the top."""
    diagnostics.add("E0151", place, "a rule file has no directives (lines that begin with `%`)", help="remove the line")


def report_cut(place: Span, pieces: list[str], diagnostics: Diagnostics, key: str | None, joined: str | None) -> None:
    """Says that YAML ended a text at a comma or bracket, into which pieces, and how to write it."""
    shown = " and ".join(f"`{piece}`" for piece in pieces)
    advice = BLOCK_FORM
    if joined is not None:
        line = f"{key}: {joined}" if key is not None else f"- {joined}"
        advice = f"{BLOCK_FORM}\n  {line}"
    diagnostics.add("E0107", place, f"YAML cuts this text in pieces, {shown}", help=advice)


def _quoted(problem: str, here: Span, since: Span, diagnostics: Diagnostics) -> None:
    if "end of stream" in problem or "document separator" in problem:
        diagnostics.add("E0100", since, "these quotes are never closed", help="add the closing quotation mark")
    else:
        source = here.source
        backslash = source.text.rfind("\\", since.start, here.end)
        diagnostics.add(
            "E0100",
            Span(source, backslash, here.end) if backslash >= 0 else here,
            "in double quotes a `\\` begins an escape, and there is none like this",
            help="write `\\\\` for the sign itself, or use single quotes",
        )


def _flow(complaint: Complaint, around: Around, here: Span, since: Span, diagnostics: Diagnostics) -> None:
    source, text, at = here.source, here.source.text, here.start
    last = around.last_flow_text
    before = text[since.start : at].rstrip()
    ends = " }" if text.startswith("{", since.start) else " "
    if around.cut is not None:
        report_cut(around.cut.to(here), [around.cut.text, _rest(source, around.cut.end, ends)], diagnostics, None, None)
    elif last is not None and text[at : at + 1] in ("[", "{") and not text[last.end : at].strip():
        report_cut(last.to(here), [last.text, _rest(source, last.end, ends)], diagnostics, None, None)
    elif before.endswith(("]", "}")) and text[at : at + 1] not in (":", "", "]", "}"):
        start = max(before.rfind("["), before.rfind("{"), 0) + since.start
        place = Span(source, start, here.end)
        report_cut(place, [text[start : since.start + len(before)], _rest(source, at, ends)], diagnostics, None, None)
    else:
        sign = text[since.start : since.start + 1]
        closing = {"{": "}", "[": "]"}.get(sign, "}")
        diagnostics.add(
            "E0100",
            here,
            f"the `{sign}` of line {since.position.line} is still open here",
            help=f"close it with `{closing}`, or put a comma between two entries",
            labels=[Label(since, "opened here")],
        )


def _rest(source: Source, start: int, ends: str) -> str:
    """What follows on the line, up to the end of the flow collection as the author sees it."""
    line_end = source.text.find("\n", start)
    rest = source.text[start : len(source.text) if line_end < 0 else line_end].strip(" ,\r").rstrip(ends)
    return rest if len(rest) <= 40 else rest[:37] + "..."


def _block(complaint: Complaint, source: Source, here: Span, diagnostics: Diagnostics) -> None:
    before = source.text[max(0, here.start - 500) : here.start]
    on_line = before.rpartition("\n")[2].strip()
    if on_line.endswith(('"', "'")):
        diagnostics.add(
            "E0100",
            here,
            "a value ends at its closing quotation mark, and nothing may follow",
            help="put the quotes around the whole text, or leave them out",
        )
    elif on_line.endswith(("]", "}")):
        diagnostics.add(
            "E0100",
            here,
            f"a value that begins with a bracket ends at `{on_line[-1]}`, and nothing may follow",
            help="put the whole text in round brackets, or in quotes",
        )
    elif source.text.startswith(":", here.start):
        diagnostics.add("E0156", here, "no key stands before this colon", help="write a name before it")
    elif "collection" in complaint.context:
        diagnostics.add(
            "E0100",
            here,
            "this line stands among the items of a list and is none",
            help="begin it with `- ` or indent it",
        )
    elif source.text.startswith("- ", here.start):
        diagnostics.add(
            "E0100", here, "an item of a list stands among keys", help="give the list a key of its own, or indent it"
        )
    else:
        diagnostics.add(
            "E0100",
            here,
            "the indentation of this line fits none of the lines above",
            help="keys of one mapping begin in the same column",
        )
