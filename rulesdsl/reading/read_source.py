"""From a file on disk to text, or a plain sentence about why not."""

from __future__ import annotations

import os
import stat
from pathlib import Path

from ..diagnostic import Diagnostics
from ..source import Source, Span

MAX_BYTES = 1_000_000
_BOM = b"\xef\xbb\xbf"
_WIDE_BOMS = (b"\xff\xfe", b"\xfe\xff")


def read_source(path: Path, name: str, diagnostics: Diagnostics) -> Source | None:
    """The text of a rule file, which `name` stands for in diagnostics; None once a problem was reported."""
    nowhere = Span(Source(name, ""), 0, 0)
    data = _read_bytes(path, nowhere, diagnostics)
    if data is None:
        return None
    if data.startswith(_WIDE_BOMS):
        diagnostics.add("E0174", nowhere, "this file is UTF-16, not UTF-8", help="save it with the encoding UTF-8")
        return None
    data = data.removeprefix(_BOM)
    binary = data.find(b"\0")
    if binary >= 0:
        diagnostics.add(
            "E0173",
            _end_of(name, data[:binary]),
            "this is a binary file, not text",
            help="a rule file is plain text in YAML",
        )
        return None
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError as error:
        diagnostics.add(
            "E0174",
            _end_of(name, data[: error.start]),
            f"the byte 0x{data[error.start]:02X} here is no UTF-8 text",
            help="save the file with the encoding UTF-8",
        )
        return None
    return Source(name, text)


def too_large(name: str, diagnostics: Diagnostics) -> None:
    """Says that a file is beyond the limit."""
    diagnostics.add(
        "E0101",
        Span(Source(name, ""), 0, 0),
        "this file is larger than 1 MB",
        help="split it: a game can use libraries, and rows of cards can stand in files of their own",
    )


def _read_bytes(path: Path, nowhere: Span, diagnostics: Diagnostics) -> bytes | None:
    try:
        found = os.stat(path)
        if stat.S_ISDIR(found.st_mode):
            diagnostics.add("E0171", nowhere, "this is a folder, not a rule file", help="name a file that lies in it")
            return None
        if not stat.S_ISREG(found.st_mode):
            diagnostics.add("E0171", nowhere, "this is a device or a pipe, not a rule file", help="name a plain file")
            return None
        if found.st_size > MAX_BYTES:
            too_large(nowhere.source.name, diagnostics)
            return None
        with path.open("rb") as stream:
            data = stream.read(MAX_BYTES + 1)
    except (FileNotFoundError, NotADirectoryError, ValueError):  # ValueError: a NUL in the path
        diagnostics.add("E0170", nowhere, "there is no such file", help="check its name, and the folder you are in")
        return None
    except OSError as error:
        reason = (error.strerror or type(error).__name__).lower()
        diagnostics.add(
            "E0172", nowhere, f"this file can't be read: {reason}", help="check the permissions of file and folder"
        )
        return None
    if len(data) > MAX_BYTES:  # it has grown since it was measured
        too_large(nowhere.source.name, diagnostics)
        return None
    return data


def _end_of(name: str, before: bytes) -> Span:
    """The place that follows some bytes of a file."""
    source = Source(name, before.decode("utf-8", errors="replace"))
    return Span(source, len(source.text), len(source.text))
