"""Reading rule files: every hazard of YAML and of the file system, exact places, and quick answers to hostile files."""

from __future__ import annotations

import os
import socket
import tracemalloc
from pathlib import Path

import pytest
import yaml
from hypothesis import given, settings
from hypothesis import strategies as st

from rulesdsl.diagnostic import Diagnostic, Diagnostics
from rulesdsl.reading.read_source import MAX_BYTES, read_source
from rulesdsl.reading.read_yaml import MAX_DEPTH, MAX_KEYS, read_yaml
from rulesdsl.reading.structure import check
from rulesdsl.reading.yamltree import Style, YamlList, YamlMap, YamlNode, YamlScalar
from rulesdsl.source import Source

CASES = Path(__file__).parent / "cases" / "err"
OURS = sorted(path for letter in "012" for path in CASES.glob(f"E0{letter}*.yaml"))
# Codes of this stage; other stages have cases in the same folder.
LATER = ("E0210", "E0212", "E0213", "E0214")
READING = [
    path
    for path in OURS
    if path.name[:5] < "E0110" or ("E0150" <= path.name[:5] < "E0250" and not path.name.startswith(LATER))
]


def read(text: str) -> tuple[YamlMap | None, list[Diagnostic]]:
    diagnostics = Diagnostics()
    return read_yaml(Source("file.yaml", text), diagnostics), list(diagnostics)


def quickly(text: str) -> list[tuple[str, int, int]]:
    """What is wrong with a hostile text; work that grows with its square would keep the suite for many minutes."""
    _, found = read(text)
    return [(one.code, *one.span.position) for one in found]


def only_scalar(text: str) -> YamlScalar:
    tree, found = read(text)
    assert tree is not None and not found
    value = tree.entries[0][1]
    assert isinstance(value, YamlScalar)
    return value


def problems(path: Path) -> list[Diagnostic]:
    diagnostics = Diagnostics()
    source = read_source(path, path.name, diagnostics)
    tree = read_yaml(source, diagnostics) if source else None
    if tree:
        check(tree, diagnostics)
    return list(diagnostics)


@pytest.mark.parametrize("path", READING, ids=lambda path: path.stem)
def test_case(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    found = problems(path)
    shown = [f"{one.code} {one.span.position.line}:{one.span.position.column}" for one in found]
    assert shown == path.with_suffix(".out").read_text(encoding="utf-8").splitlines()
    assert all(one.help for one in found)
    monkeypatch.delattr(yaml, "CSafeLoader", raising=False)  # as in a browser, where there is no parser in C
    again = problems(path)
    assert [(one.code, one.message, one.span.position) for one in again] == [
        (one.code, one.message, one.span.position) for one in found
    ]


# ── files ────────────────────────────────────────────────────────────────────────────────────────────────────────


def read_file(path: Path) -> tuple[Source | None, list[str]]:
    diagnostics = Diagnostics()
    source = read_source(path, "shown.yaml", diagnostics)
    return source, [f"{one.code} {one.span}" for one in diagnostics]


def test_a_missing_file(tmp_path: Path) -> None:
    assert read_file(tmp_path / "none.yaml") == (None, ["E0170 shown.yaml:1:1"])
    (tmp_path / "file").write_text("")
    assert read_file(tmp_path / "file" / "none.yaml") == (None, ["E0170 shown.yaml:1:1"])
    assert read_file(Path("a\0b")) == (None, ["E0170 shown.yaml:1:1"])


def test_a_folder_and_a_device(tmp_path: Path) -> None:
    assert read_file(tmp_path) == (None, ["E0171 shown.yaml:1:1"])
    assert read_file(Path("/dev/zero")) == (None, ["E0171 shown.yaml:1:1"])
    os.mkfifo(tmp_path / "pipe")
    assert read_file(tmp_path / "pipe") == (None, ["E0171 shown.yaml:1:1"])


def test_a_file_that_the_system_keeps_back(tmp_path: Path) -> None:
    (tmp_path / "circle").symlink_to(tmp_path / "circle")
    assert read_file(tmp_path / "circle") == (None, ["E0172 shown.yaml:1:1"])
    assert read_file(tmp_path / ("x" * 5000)) == (None, ["E0172 shown.yaml:1:1"])


def test_a_file_without_permission(tmp_path: Path) -> None:
    path = tmp_path / "secret.yaml"
    path.write_text("rulesdsl: 1\n")
    path.chmod(0)
    me = os.geteuid()
    try:
        if me == 0:
            os.seteuid(65534)  # the superuser may read everything
        assert read_file(path) == (None, ["E0172 shown.yaml:1:1"])
    finally:
        os.seteuid(me)


def test_a_file_of_50_mb_is_not_read(tmp_path: Path) -> None:
    path = tmp_path / "large.yaml"
    with path.open("wb") as stream:
        stream.truncate(50_000_000)
    tracemalloc.start()
    assert read_file(path) == (None, ["E0101 shown.yaml:1:1"])
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert peak < 1_000_000


def test_the_limit_itself_is_allowed(tmp_path: Path) -> None:
    path = tmp_path / "full.yaml"
    path.write_bytes(b"#" * MAX_BYTES)
    source, found = read_file(path)
    assert source is not None and len(source.text) == MAX_BYTES and not found
    path.write_bytes(b"#" * (MAX_BYTES + 1))
    assert read_file(path) == (None, ["E0101 shown.yaml:1:1"])


def test_binary_files(tmp_path: Path) -> None:
    path = tmp_path / "binary.yaml"
    path.write_bytes(b"a: 1\nbc\x00\xff")
    assert read_file(path) == (None, ["E0173 shown.yaml:2:3"])
    path.write_bytes("a: é\nb: ".encode() + b"\xe9")
    assert read_file(path) == (None, ["E0174 shown.yaml:2:4"])
    path.write_bytes("a: 1".encode("utf-16"))
    assert read_file(path) == (None, ["E0174 shown.yaml:1:1"])


def test_a_byte_order_mark_counts_for_nothing(tmp_path: Path) -> None:
    path = tmp_path / "marked.yaml"
    path.write_bytes(b"\xef\xbb\xbfa: 1\n")
    source, found = read_file(path)
    assert source is not None and source.text == "a: 1\n" and not found


def test_sockets_are_no_files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)  # the name of a socket has to be short
    with socket.socket(socket.AF_UNIX) as server:
        server.bind("s")
        assert read_file(Path("s")) == (None, ["E0171 shown.yaml:1:1"])


# ── hostile texts ────────────────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize("opening", ["[", "{a: ", "[{a: ", "- ", "? "])
def test_nesting_ten_thousand_deep(opening: str) -> None:
    [(code, line, column)] = quickly(opening * 10_000)
    floors = opening.count("[") + opening.count("{") + opening.count("-") + opening.count("?")
    assert (code, line) == ("E0102", 1)
    assert column == len(opening) * (MAX_DEPTH // floors) + 1


def test_nesting_by_indentation() -> None:
    text = "".join(f"{' ' * depth}a:\n" for depth in range(1300))
    assert quickly(text) == [("E0102", MAX_DEPTH + 1, MAX_DEPTH + 1)]


def test_nesting_at_the_limit() -> None:
    assert quickly("a: " + "[" * (MAX_DEPTH - 1) + "x" + "]" * (MAX_DEPTH - 1)) == []
    assert quickly("a: " + "[" * MAX_DEPTH + "x" + "]" * MAX_DEPTH) == [("E0102", 1, 3 + MAX_DEPTH)]


def test_nesting_through_aliases() -> None:
    lines = [f"a{floor}: &a{floor} [*a{floor - 1}]" for floor in range(1, 45)]
    assert quickly("\n".join(["a0: &a0 [x]", *lines])) == [("E0102", MAX_DEPTH, len("a39: &a39 [") + 1)]


def test_a_bomb_of_aliases() -> None:
    lines = [f"a{floor}: &a{floor} [{', '.join([f'*a{floor - 1}'] * 9)}]" for floor in range(1, 9)]
    [(code, line, _)] = quickly("\n".join(["a0: &a0 [x, x, x, x, x, x, x, x, x]", *lines]))
    assert code == "E0103" and line <= 6


def test_too_many_keys_and_entries() -> None:
    keys = "\n".join(f"k{number}: 1" for number in range(MAX_KEYS + 1))
    assert quickly(keys) == [("E0104", MAX_KEYS + 1, 1)]
    assert quickly(keys.rpartition("\n")[0]) == []
    assert [code for code, _, _ in quickly(f"a: [{'b,' * 400_000}]")] == ["E0104"]


@pytest.mark.parametrize(
    "text",
    [
        "a: x" + " " * 900_000 + "y",
        'a: "x' + "\n" * 900_000 + 'y"',
        "a: |\n  x\n" + "\n" * 900_000 + "  y",
        "a: 1 #" + "\tb" * 400_000,
        "a: [" + '"b"\t,' * 150_000 + "]",
        "a: [" + "(b, " * 190_000 + "]",
        "a: [" + "b(c, d), " * 60_000 + "]",
        "#" * 900_000,
        "%" * 900_000,
        "a: " + "'" * 900_000,
        "a: " + "&b " * 200_000,
        "\n" * 900_000,
        "a: " + "x " * 400_000 + ": y",
    ],
    ids=lambda text: repr(text[:12]),
)
def test_long_runs_take_no_time(text: str) -> None:
    quickly(text)


def test_many_problems_are_all_found() -> None:
    _, found = read("a: yes\nb: 010\na: 3\nc: !x 4\nd: [e, no]\n")
    assert [one.code for one in found] == ["E0106", "E0108", "E0105", "E0150", "E0106"]


# ── trees ────────────────────────────────────────────────────────────────────────────────────────────────────────


def test_places_after_other_alphabets_tabs_and_line_ends() -> None:
    text = '"é\U0001f600\t": "ß" # ü\r\nñ: [\U0001f0a1, b]\r\n'
    tree, found = read(text)
    assert tree is not None and not found
    (first, _), (second, items) = tree.entries
    assert first.text == "é\U0001f600\t" and first.whole.position == (1, 1)
    assert second.whole.position == (2, 1)
    assert isinstance(items, YamlList)
    assert [item.whole.position for item in items] == [(2, 5), (2, 8)]
    assert items.whole.text == "[\U0001f0a1, b]"


def test_block_collections_end_with_their_last_value() -> None:
    tree, _ = read("a:\n  - b\n  - c: d\n\n# e\n\nf: |\n  g\n\n\nh: 1\n")
    assert tree is not None
    assert [value.whole.text for _, value in tree.entries] == ["- b\n  - c: d", "|\n  g", "1"]
    assert tree.get("f") == YamlScalar("g\n", tree.whole)


def test_anchors_are_no_part_of_a_value() -> None:
    tree, found = read("a: &x 7\nb: &y\n  c: 8\nd: *x\n")
    assert tree is not None and not found
    values = [value for _, value in tree.entries]
    assert [value.whole.text for value in values] == ["7", "c: 8", "7"]


def test_a_cut_text_is_put_together_again() -> None:
    tree, found = read("a: { b: f(1, 2, 3), c: 4 }\nd: [x, g(5, 6)]\ne: [0: h(7, 8)]\n")
    assert [one.code for one in found] == ["E0107"] * 3
    lines = ["b: f(1, 2, 3)", "- g(5, 6)", "0: h(7, 8)"]
    assert [one.help is not None and line in one.help for one, line in zip(found, lines, strict=True)] == [True] * 3
    plain, _ = read('a: { b: "f(1, 2, 3)", c: 4 }\nd: [x, "g(5, 6)"]\ne: [0: "h(7, 8)"]\n')
    assert tree == plain


def test_brackets_that_nothing_cuts_stay() -> None:
    assert read("a: { b: f(1), c: '(', d: (2 }\ne: [\"f(\", x]\n")[1] == []


# ── characters of scalars in the file ────────────────────────────────────────────────────────────────────────────


def test_places_in_every_style() -> None:
    plain = only_scalar("k: one\n  two\n\n  three\n")
    assert plain.text == "one two\nthree"
    assert plain.span(4, 7).position == (2, 3) and plain.span(8, 13).text == "three"
    single = only_scalar("k: 'it''s here'\n")
    assert single.span(2, 3).text == "''" and single.span(5, 9).text == "here"
    double = only_scalar('k: "\\x41\\u00e9\\t \\\n   b"\n')
    assert double.text == "Aé\t b"
    assert [double.span(at, at + 1).text for at in range(5)] == ["\\x41", "\\u00e9", "\\t", " ", "b"]
    assert double.span(4, 5).position == (2, 4)
    block = only_scalar("k: |\n\n    one\n      two\n")
    assert block.text == "\none\n  two\n" and block.span(7, 10).position == (4, 7)


def test_the_end_of_a_text_is_after_its_last_character() -> None:
    for written in ("one two", "'one two'", '"one two"', '"one tw\\x6f"'):
        scalar = only_scalar(f"k: {written}\n")
        end = scalar.span(7, 7)
        assert end.start == end.end == scalar.whole.end - (0 if scalar.style is Style.PLAIN else 1)
    empty = only_scalar("k: ''\n")
    assert empty.span(0, 0).position == (1, 5)


WORDS = st.text(alphabet="abé\U0001f0a1(),'\"\\ :#-", min_size=1, max_size=8)
LINES = st.lists(WORDS, min_size=1, max_size=4)
BREAKS = st.sampled_from(["\n", "\r\n"])


def aligned(scalar: YamlScalar) -> None:
    """Every ordinary character of the text stands in the file where its span says, and the spans go forward."""
    if not scalar.text.strip():
        return  # nothing in it that anybody could point at
    at = scalar.whole.start
    for index, character in enumerate(scalar.text):
        span = scalar.span(index, index + 1)
        assert span.start >= at
        # The line breaks that end a block stand behind it.
        assert span.end <= scalar.whole.end or character == "\n"
        at = span.end
        if character not in " \n":
            shown = span.text
            assert shown[0] == character or shown[0] == "\\"


@settings(max_examples=300, deadline=None)
@given(LINES, BREAKS, st.integers(1, 4))
def test_places_in_blocks(lines: list[str], line_break: str, indent: int) -> None:
    lines = [line.strip() or "x" for line in lines]
    body = line_break.join(" " * indent + line for line in lines)
    scalar = only_scalar(f"k: |{line_break}{body}{line_break}z: 1{line_break}")
    assert scalar.text == "\n".join(lines) + "\n"
    for number, line in enumerate(lines):
        start = sum(len(before) + 1 for before in lines[:number])
        for column, character in enumerate(line):
            span = scalar.span(start + column, start + column + 1)
            assert span.position == (number + 2, indent + column + 1) and span.text == character


@settings(max_examples=300, deadline=None)
@given(LINES, BREAKS, st.booleans())
def test_places_in_quotes(lines: list[str], line_break: str, double: bool) -> None:
    quote = '"' if double else "'"
    escape = {'"': '\\"', "\\": "\\\\"} if double else {"'": "''"}
    written = [[escape.get(character, character) for character in line.strip() or "x"] for line in lines]
    body = f"{line_break}  ".join("".join(line) for line in written)
    scalar = only_scalar(f"k: {quote}{body}{quote}{line_break}")
    assert scalar.text == " ".join(line.strip() or "x" for line in lines)
    index = 0
    for number, line in enumerate(written):
        column = 5 if number == 0 else 3
        for piece in line:
            span = scalar.span(index, index + 1)
            assert (span.position, span.text) == ((number + 1, column), piece)
            index, column = index + 1, column + len(piece)
        index += 1


@settings(max_examples=300, deadline=None)
@given(
    st.text(alphabet="ab\"'\\ \n\té\U0001f600", max_size=20),
    st.sampled_from(["'", '"', "|", None]),
    st.integers(10, 30),
)
def test_places_in_what_another_program_writes(text: str, style: str | None, width: int) -> None:
    written = yaml.dump({"k": text}, default_style=style, allow_unicode=True, width=width)
    tree, _ = read(written)
    if tree is None:
        return
    node: YamlNode | None = tree.get("k")
    assert isinstance(node, YamlScalar) and node.text == text
    aligned(node)


@settings(max_examples=200, deadline=None)
@given(st.text(alphabet="ab:{}[](),-\"'|>&*!%@#?\n \t~", max_size=40))
def test_any_text_is_read_or_refused(text: str) -> None:
    tree, found = read(text)
    assert tree is not None or found
    for one in found:
        assert one.span.position and one.help
