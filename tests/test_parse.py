"""What scalars and whole files are read as: the cases under `cases/expr`, the shapes of trees, spans, limits."""

from __future__ import annotations

from dataclasses import dataclass, fields, is_dataclass
from pathlib import Path
from textwrap import dedent, indent
from typing import NamedTuple

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rulesdsl.diagnostic import Diagnostics, InternalError
from rulesdsl.reading.filekind import FileKind
from rulesdsl.reading.read_yaml import read_yaml
from rulesdsl.reading.structure import check
from rulesdsl.source import Source, Span
from rulesdsl.syntax import document as d
from rulesdsl.syntax import expr as e
from rulesdsl.syntax.expr import RESERVED
from rulesdsl.syntax.parse_expr import MAX_DEPTH, Start, parse
from rulesdsl.syntax.read_document import read_document

CASES = Path(__file__).parent / "cases" / "expr"


@dataclass(frozen=True)
class Whole:
    """A text that is a file of its own."""

    text: str

    def span(self, start: int, end: int) -> Span:
        """Where a stretch of it stands."""
        return Span(Source("text", self.text), start, end)


class Chunk(NamedTuple):
    """One case: how a text is read, and with what result."""

    place: str
    start: Start
    text: str
    error: tuple[str, int] | None


def chunks() -> list[Chunk]:
    found = []
    for path in sorted(CASES.glob("*.txt")):
        line = 1
        for chunk in path.read_text(encoding="utf-8").split("---\n"):
            first, *rest = chunk.rstrip("\n").split("\n")
            start, _, text = first.partition(": ")
            error = None
            if rest:
                code, column = rest[0].removeprefix("error: ").split()
                error = code, int(column)
            found.append(Chunk(f"{path.name}:{line}", Start(start), text, error))
            line += chunk.count("\n") + 1
    return found


@pytest.mark.parametrize("chunk", chunks(), ids=lambda chunk: chunk.place)
def test_chunk(chunk: Chunk) -> None:
    diagnostics = Diagnostics()
    node = parse(chunk.start, Whole(chunk.text), diagnostics)
    found = [(one.code, one.span.position.column) for one in diagnostics]
    assert found == ([] if chunk.error is None else [chunk.error])
    assert isinstance(node, e.ErrorExpr) == bool(found)


def test_every_start_symbol_has_cases() -> None:
    assert {chunk.start for chunk in chunks() if chunk.error is None} == set(Start)


def read(text: str, start: Start = Start.EXPRESSION) -> object:
    diagnostics = Diagnostics()
    node = parse(start, Whole(text), diagnostics)
    assert not list(diagnostics)
    return node


NOWHERE = Whole("").span(0, 0)


def name(text: str) -> e.Name:
    return e.Name(text, span=NOWHERE)


def number(text: str) -> e.NumberLiteral:
    return e.NumberLiteral(text, span=NOWHERE)


def call(function: str, *arguments: e.Expr) -> e.Call:
    return e.Call(function, arguments, span=NOWHERE, name_span=NOWHERE)


def binary(left: e.Expr, operator: str, right: e.Expr) -> e.Binary:
    return e.Binary(e.Operator(operator), left, right, span=NOWHERE)


# ── trees ────────────────────────────────────────────────────────────────────────────────────────────────────────


def test_a_dot_is_a_call() -> None:
    assert read("x.f(y)") == read("f(x, y)") == call("f", name("x"), name("y"))
    assert read("x.f") == call("f", name("x"))
    dotted = read("x.f(y)")
    assert isinstance(dotted, e.Call) and dotted.dotted and dotted.name_span.text == "f"


def test_what_binds_tighter() -> None:
    assert read("a + b * c") == binary(name("a"), "+", binary(name("b"), "*", name("c")))
    assert read("a - b - c") == binary(binary(name("a"), "-", name("b")), "-", name("c"))
    assert read("not a is b and c") == binary(e.Not(binary(name("a"), "is", name("b")), span=NOWHERE), "and", name("c"))
    assert read("a or b and c") == binary(name("a"), "or", binary(name("b"), "and", name("c")))
    assert read("-x.f") == e.Negative(call("f", name("x")), span=NOWHERE)
    assert read("s where a or b") == e.Where(name("s"), binary(name("a"), "or", name("b")), span=NOWHERE)
    assert read("a if b else c else d") == e.Choice(
        name("b"), name("a"), e.Fallback(name("c"), name("d"), span=NOWHERE), span=NOWHERE
    )


def test_two_words_make_one_operator() -> None:
    assert read("a is not b") == binary(name("a"), "is not", name("b"))
    assert read("a not in b") == binary(name("a"), "not in", name("b"))


def test_comprehensions() -> None:
    assert read("sum(c.points for c in hand)") == e.EachOf(
        "sum", call("points", name("c")), "c", name("hand"), span=NOWHERE, name_span=NOWHERE
    )
    assert read("highest(s by a then b)") == e.Ranked(
        "highest", name("s"), (name("a"), name("b")), span=NOWHERE, name_span=NOWHERE
    )


def test_ranges() -> None:
    three, five = number("3"), number("5")
    assert read("(3 to 5)") == read("3 to 5", Start.VALUE) == e.RangeLiteral(three, five, span=NOWHERE)
    assert read("exactly 3", Start.VALUE) == e.RangeLiteral(three, three, span=NOWHERE)
    assert read("at least 3", Start.VALUE) == e.RangeLiteral(three, None, span=NOWHERE)
    assert read("at most 5", Start.VALUE) == e.RangeLiteral(None, five, span=NOWHERE)


def test_where_cards_go() -> None:
    for text, onto in (("hand", e.Onto.TOP), ("bottom of hand", e.Onto.BOTTOM), ("under hand", e.Onto.UNDER)):
        assert read(f"move x to {text}", Start.SENTENCE) == e.Move(name("x"), onto, name("hand"), span=NOWHERE)


def test_a_count_is_the_same_low_and_high() -> None:
    counted = read("3 cards from hand", Start.PICK)
    assert isinstance(counted, e.PickFrom)
    assert counted.amount.low is counted.amount.high
    assert counted.amount.low == number("3")


def test_cards_as_people_write_them() -> None:
    assert read("Q of spades", Start.CARD) == e.CardText((("Q", "spades"),), of=True, span=NOWHERE)
    assert read("ball 9 + ball 10 as ball", Start.CARD) == e.CardText(
        (("ball", "9"), ("ball", "10")), played_as="ball", span=NOWHERE
    )


# ── spans ────────────────────────────────────────────────────────────────────────────────────────────────────────


def spans(node: object) -> list[str]:
    """The texts of all nodes, outermost first."""
    if isinstance(node, tuple):
        return [text for item in node for text in spans(item)]
    if not is_dataclass(node) or not isinstance(node, e.Node):
        return []
    inner = [getattr(node, field.name) for field in fields(node) if field.name not in ("span", "name_span")]
    return [node.span.text, *(text for item in inner for text in spans(item))]


def test_spans_cover_what_belongs_to_a_node() -> None:
    assert spans(read(" (a + b) * f(c, 2) ")) == ["(a + b) * f(c, 2)", "a + b", "a", "b", "f(c, 2)", "c", "2"]
    assert spans(read("move top(x, 1) to y.z", Start.SENTENCE)) == [
        "move top(x, 1) to y.z",
        "top(x, 1)",
        "x",
        "1",
        "y.z",
        "y",
    ]
    assert spans(read("yes or no", Start.PICK)) == ["yes or no"]


def test_equal_texts_have_spans_of_their_own() -> None:
    first, second = Whole("a + b"), Whole("a + b")
    diagnostics = Diagnostics()
    nodes = [parse(Start.EXPRESSION, text, diagnostics) for text in (first, second)]
    assert nodes[0] == nodes[1]
    assert nodes[0].span.source is not nodes[1].span.source


# ── limits ───────────────────────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize(
    ("text", "column"),
    [
        ("-" * 1_900 + "x", 1),
        ("not " * 490 + "x", 1),
        ("x" + ".f" * 900, 1),
        ("x" + " + x" * 400, 1),
        ("(" * 65 + "x" + ")" * 65, 65),
        ("x" * 2_001, 2_001),
    ],
    ids=["minus", "not", "dots", "sums", "brackets", "length"],
)
def test_too_much_of_it(text: str, column: int) -> None:
    diagnostics = Diagnostics()
    assert isinstance(parse(Start.EXPRESSION, Whole(text), diagnostics), e.ErrorExpr)
    assert [(one.code, one.span.position.column) for one in diagnostics] == [("E0114", column)]


def test_just_not_too_deep() -> None:
    assert read("-" * (MAX_DEPTH - 1) + "x")
    assert read("(" * 64 + "x" + ")" * 64) == name("x")


# ── whatever comes ───────────────────────────────────────────────────────────────────────────────────────────────

WORDS = sorted(RESERVED) + "move to set x f 3 1.5 ( ) [ ] , . + - * < = == / ' \" “ a card from at least é".split()


@settings(max_examples=150, deadline=None)
@given(st.sampled_from(sorted(Start)), st.lists(st.sampled_from(WORDS), max_size=8), st.sampled_from(["", " "]))
def test_every_text_is_read_or_reported_once(start: Start, words: list[str], between: str) -> None:
    text = between.join(words)
    diagnostics = Diagnostics()
    node = parse(start, Whole(text), diagnostics)
    assert isinstance(node, e.ErrorExpr) == bool(len(diagnostics))
    for diagnostic in diagnostics:
        assert 0 <= diagnostic.span.start <= diagnostic.span.end <= len(text)
        assert diagnostic.code in {f"E011{digit}" for digit in range(7)}
        assert diagnostic.message[:1] != "" and "`" * 2 not in diagnostic.message


def test_the_grammar_has_no_conflicts() -> None:
    """In strict mode the parser generator refuses a grammar with two readings of anything."""
    pytest.importorskip("interegular")
    from importlib.resources import files

    from lark import Lark

    grammar = files("rulesdsl.syntax").joinpath("expr.lark").read_text(encoding="utf-8")
    Lark(grammar, parser="lalr", start=[start.value for start in Start], strict=True)


# ── files ────────────────────────────────────────────────────────────────────────────────────────────────────────

HERE = Path(__file__).parent
LATER = ("E0113-member",)  # found where names are declared, not where texts are parsed
ERRORS = sorted(
    path
    for pattern in ("E011*", "E025*")
    for path in (HERE / "cases" / "err").glob(f"{pattern}.yaml")
    if path.stem not in LATER
)
SHIPPED = sorted(path for folder in ("rulesdsl/std", "games") for path in (HERE.parent / folder).rglob("*.yaml"))


def document(text: str, diagnostics: Diagnostics, title: str = "file.yaml") -> d.AnyDoc:
    tree = read_yaml(Source(title, text), diagnostics)
    assert tree is not None, list(diagnostics)
    kind = check(tree, diagnostics)
    assert kind is not None, list(diagnostics)
    return read_document(tree, kind, diagnostics)


def rules_of(text: str) -> dict[str, d.RuleBody]:
    """The bodies of some rules, by name."""
    diagnostics = Diagnostics()
    doc = document("rulesdsl: 1\nlibrary: l\nrules:\n" + indent(dedent(text), "  "), diagnostics)
    assert not list(diagnostics) and isinstance(doc, d.LibraryDoc)
    return {rule.signature.name: rule.body for rule in doc.declares.rules}


def steps_of(text: str) -> tuple[d.StepDoc, ...]:
    """The steps of a procedure."""
    diagnostics = Diagnostics()
    doc = document("rulesdsl: 1\nlibrary: l\nprocedures:\n  p:\n" + indent(dedent(text), "    "), diagnostics)
    assert not list(diagnostics) and isinstance(doc, d.LibraryDoc)
    return doc.declares.procedures[0].do


def changes_of(text: str) -> list[d.ChangeDoc]:
    """What a modifier changes."""
    diagnostics = Diagnostics()
    doc = document("rulesdsl: 1\nmodifier: m\nof: g\nchanges:\n" + indent(dedent(text), "  "), diagnostics)
    assert not list(diagnostics) and isinstance(doc, d.ModifierDoc)
    return list(doc.changes)


@pytest.mark.parametrize("path", ERRORS, ids=lambda path: path.stem)
def test_what_is_wrong_with_a_file(path: Path) -> None:
    diagnostics = Diagnostics()
    document(path.read_text(encoding="utf-8"), diagnostics, path.name)
    found = [f"{one.code} {one.span.position.line}:{one.span.position.column}" for one in diagnostics]
    assert found == path.with_suffix(".out").read_text(encoding="utf-8").splitlines()


@pytest.mark.parametrize("path", SHIPPED, ids=lambda path: path.relative_to(HERE.parent).as_posix())
def test_shipped_files_read_silently(path: Path) -> None:
    diagnostics = Diagnostics()
    document(path.read_text(encoding="utf-8"), diagnostics, path.name)
    assert not list(diagnostics)


EXPLAINED = sorted(
    path for pattern in ("E011*", "E025*") for path in (HERE.parent / "rulesdsl" / "explain").glob(f"{pattern}.md")
)


@pytest.mark.parametrize("path", EXPLAINED, ids=lambda path: path.stem)
def test_explanations_show_what_they_say(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    for word, codes in (("wrong", {path.stem}), ("right", set())):
        example = text.partition(f"```yaml {word}\n")[2].partition("```")[0]
        diagnostics = Diagnostics()
        document(example, diagnostics)
        assert {one.code for one in diagnostics} == codes


def test_every_code_has_a_case_and_an_explanation() -> None:
    codes = {path.stem for path in EXPLAINED}
    assert codes == {path.stem[:5] for path in ERRORS}
    assert codes == {*(f"E011{digit}" for digit in range(7)), "E0250"}


def test_bodies_are_told_apart() -> None:
    bodies = rules_of(
        """
        a: 1 to 2
        b: { type: range, value: at least 0 }
        c: { first: [1 if x, 2] }
        d: { by: x, left: 1, 10: 2, else: 3 }
        e: { cards: 1, last: 2 }
        f: {}
        g:
          forbid: { one: x }
          require: [{ two: z, before: three }]
        h: [only(cards).shape]
        """
    )
    table, legality, long = bodies["d"], bodies["g"], bodies["b"]
    assert isinstance(bodies["a"], d.ExprBody) and isinstance(bodies["a"].value, e.RangeLiteral)
    assert isinstance(long, d.ExprBody) and long.type == e.TypeExpr(e.TypeForm.PLAIN, "range", span=NOWHERE)
    assert isinstance(bodies["c"], d.CasesBody) and len(bodies["c"].cases) == 2
    assert isinstance(table, d.TableBody) and [key.name for key, _ in table.entries] == ["left", "10"]
    assert table.otherwise == number("3")
    assert isinstance(bodies["e"], d.ComponentsBody) and len(bodies["e"].entries) == 2
    assert isinstance(bodies["f"], d.LegalityBody) and bodies["f"].forbid == ()
    assert isinstance(legality, d.LegalityBody) and legality.forbid[0][0].name == "one"
    assert legality.require[0].name == "two" and legality.require[0].before == d.Named("three", NOWHERE)
    assert isinstance(bodies["h"], d.ExprBody) and isinstance(bodies["h"].value, e.Items)


def test_steps_are_told_by_their_key() -> None:
    phase, again, choice, decision, window, sentence = steps_of(
        """
        - phase: a
          when: x
          each: player from box
          rounds: at most 90
          while: not z
          do: [f, g]
        - repeat: f
          until: x
          at_most: 7
        - if: x
          then: f
        - decision: b
          choose: { one: a card from hand, two: yes or no }
          optional: true
          else: []
        - window: c
          ask: helper from left(player)
          choose: { card: a card from helper.hand }
          closes: all pass or x > 1
          do: f
        - f(1)
        """
    )
    assert isinstance(phase, d.PhaseDoc) and phase.loop is not None and phase.when == name("x") and phase.do == ()
    assert phase.loop.kind is d.LoopKind.EACH and len(phase.loop.body) == 2
    assert phase.loop.rounds == e.RangeLiteral(None, number("90"), span=NOWHERE)
    assert isinstance(again, d.LoopDoc) and again.kind is d.LoopKind.REPEAT and again.at_most == number("7")
    assert isinstance(choice, d.IfDoc) and len(choice.then) == 1 and choice.otherwise == ()
    assert isinstance(decision, d.DecisionDoc) and [part.name for part in decision.choose] == ["one", "two"]
    assert decision.optional and decision.then is None and decision.otherwise == ()
    assert isinstance(window, d.WindowDoc) and window.closes is d.Closing.ALL_PASS
    assert window.closes_if is not None and window.closes_if.span.text == "x > 1"
    assert isinstance(sentence, d.SentenceDoc)


def test_the_target_decides_how_a_change_is_read() -> None:
    changes = changes_of(
        """
        phase a: remove
        phase b: { when: x, together: player from leader, over: other }
        after d: shuffle row
        after e: { if: x, then: f }
        after f: { do: [f, g], when: x }
        decision g: { add: { h: yes or no }, where: x }
        zone i: { seen: everyone }
        type j: { insert: k, above: l }
        m(card): { add: 1, when: x, before: [one, two], band: force }
        p: { value: 3, when: x }
        cards card: { where: proceed and x }
        option q: { number: 3 }
        """
    )
    bodies = [change.body for change in changes]
    removed, moved = bodies[:2]
    assert isinstance(removed, d.PhaseBody) and removed.remove
    assert isinstance(moved, d.PhaseBody) and moved.when == name("x") and moved.loop is d.LoopKind.TOGETHER
    assert changes[1].when is None and [other.name for other in changes[1].over] == ["other"]
    assert [len(body.steps) for body in bodies[2:5] if isinstance(body, d.StepsBody)] == [1, 1, 2]
    assert changes[3].when is None and changes[4].when == name("x")
    assert isinstance(bodies[5], d.DecisionBody) and bodies[5].where == name("x")
    assert isinstance(bodies[6], d.DeclarationBody) and isinstance(bodies[6].declaration, d.ZoneDoc)
    assert isinstance(bodies[7], d.DeclarationBody) and bodies[7].above == d.Named("l", NOWHERE)
    assert isinstance(bodies[8], d.StagesBody) and changes[8].when == name("x")
    assert [other.name for other in changes[8].before] == ["one", "two"]
    assert isinstance(bodies[9], d.ExprBody) and bodies[9].type is None and changes[9].when == name("x")
    assert isinstance(bodies[10], d.DeclarationBody) and isinstance(bodies[10].declaration, d.KindDoc)
    assert isinstance(bodies[11], d.DeclarationBody) and isinstance(bodies[11].declaration, d.OptionDoc)


def test_an_odd_shape_is_ours_unless_it_was_reported() -> None:
    tree = read_yaml(Source("file.yaml", "rulesdsl: 1\nlibrary: l\nzones: [a, b]\n"), Diagnostics())
    assert tree is not None
    with pytest.raises(InternalError):
        read_document(tree, FileKind.LIBRARY, Diagnostics())
    diagnostics = Diagnostics()
    diagnostics.add("E0203", NOWHERE, "reported before")
    doc = read_document(tree, FileKind.LIBRARY, diagnostics)
    assert isinstance(doc, d.LibraryDoc) and doc.declares.zones == ()
