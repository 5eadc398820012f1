"""From the parser's tree to the nodes of `expr.py`.

Takes: a tree of the parser, and the scalar that it was read from.
Makes: nodes, every one with its span in the rule file.
Refuses: nothing; what the grammar lets through has a node.
Afterwards true: no node is deeper than the tree was, and the tree is walked without recursion.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, cast

from ..diagnostic import InternalError
from ..source import Embedded, Span
from . import expr as e

if TYPE_CHECKING:
    from lark import Token, Tree

Parsed = e.Expr | e.Case | e.Signature | e.Target | e.Sentence | e.Pick | e.Binder | e.TypeExpr | e.CardText
"""What a whole scalar can be."""


class Locator:
    """Answers where a stretch of a scalar stands in the file, quickly where the scalar stands there as it is."""

    def __init__(self, scalar: Embedded) -> None:
        self._scalar = scalar
        whole = scalar.span(0, len(scalar.text))
        self._start = whole.start if whole.text == scalar.text else None
        self._source = whole.source

    def __call__(self, start: int, end: int) -> Span:
        """Where the stretch from `start` to `end` stands."""
        if self._start is None:
            return self._scalar.span(start, end)
        return Span(self._source, self._start + start, self._start + end)


class Parts:
    """The children of one tree, already built, and where the tree stands."""

    __slots__ = ("_locate", "_parts", "span")

    def __init__(self, parts: list[object], span: Span, locate: Locator) -> None:
        self._parts = parts
        self.span = span
        self._locate = locate

    def __len__(self) -> int:
        return len(self._parts)

    def expr(self, index: int) -> e.Expr:
        """The child that is an expression."""
        return cast(e.Expr, self._parts[index])

    def maybe(self, index: int) -> e.Expr | None:
        """The child that is an expression or was left out."""
        return cast("e.Expr | None", self._parts[index])

    def amount(self, index: int) -> e.Amount:
        """The child that is an amount."""
        return cast(e.Amount, self._parts[index])

    def word(self, index: int) -> str:
        """The text of the child that is a token."""
        return str(self._parts[index])

    def words(self) -> tuple[str, ...]:
        """The texts of all children that were not left out."""
        return tuple(str(part) for part in self._parts if part is not None)

    def word_span(self, index: int) -> Span:
        """Where the child that is a token stands."""
        token = cast("Token", self._parts[index])
        return self._locate(token.start_pos or 0, token.end_pos or 0)

    def exprs(self, start: int = 0) -> tuple[e.Expr, ...]:
        """All children from `start` on, as expressions."""
        return tuple(cast(e.Expr, part) for part in self._parts[start:] if part is not None)

    def raw(self, index: int) -> object:
        """A child of several possible kinds."""
        return self._parts[index]


class Comprehension:
    """The inside of the brackets of `each_of` or `ranked`, until the function's name is known."""

    __slots__ = ("binder", "body", "keys", "source", "span")

    def __init__(
        self, span: Span, source: e.Expr, *, body: e.Expr | None = None, binder: str = "", keys: tuple[e.Expr, ...] = ()
    ) -> None:
        self.span = span
        self.source = source
        self.body = body
        self.binder = binder
        self.keys = keys


def build(tree: Tree[Token], scalar: Embedded) -> Parsed:
    """The node for a whole scalar."""
    locate = Locator(scalar)
    done: list[object] = []
    for current in _children_first(tree):
        count = sum(map(_is_tree, current.children))
        built = iter(done[len(done) - count :])
        children = [next(built) if _is_tree(child) else child for child in current.children]
        del done[len(done) - count :]
        span = locate(current.meta.start_pos, current.meta.end_pos)
        done.append(_BUILDERS[current.data](Parts(children, span, locate)))
    return cast(Parsed, done[0])


def _children_first(tree: Tree[Token]) -> Iterator[Tree[Token]]:
    work = [(tree, False)]
    while work:
        current, ready = work.pop()
        if ready:
            yield current
        else:
            work.append((current, True))
            work.extend((cast("Tree[Token]", child), False) for child in reversed(current.children) if _is_tree(child))


def _is_tree(child: object) -> bool:
    return child is not None and not isinstance(child, str)


def trees(tree: Tree[Token]) -> Iterator[Tree[Token]]:
    """A tree and all trees in it, parents first."""
    work = [tree]
    while work:
        current = work.pop()
        yield current
        work.extend(cast("Tree[Token]", child) for child in current.children if _is_tree(child))


def depth(tree: Tree[Token]) -> int:
    """How many levels a tree has."""
    deepest = 0
    work = [(tree, 1)]
    while work:
        current, level = work.pop()
        deepest = max(deepest, level)
        work.extend((cast("Tree[Token]", child), level + 1) for child in current.children if _is_tree(child))
    return deepest


# ── expressions ──────────────────────────────────────────────────────────────────────────────────────────────────


def _binary(operator: e.Operator) -> Callable[[Parts], e.Binary]:
    return lambda p: e.Binary(operator, p.expr(0), p.expr(1), span=p.span)


def _call(p: Parts) -> e.Expr:
    inside = p.raw(1)
    name, where = p.word(0), p.word_span(0)
    if isinstance(inside, Comprehension):
        if inside.body is None:
            return e.Ranked(name, inside.source, inside.keys, span=p.span, name_span=where)
        return e.EachOf(name, inside.body, inside.binder, inside.source, span=p.span, name_span=where)
    return e.Call(name, _arguments(inside), span=p.span, name_span=where)


def _arguments(inside: object) -> tuple[e.Expr, ...]:
    match inside:
        case None:
            return ()
        case tuple():
            return inside
        case _:
            raise InternalError(f"arguments of an unexpected kind: {inside!r}")


def _dotted_call(p: Parts) -> e.Call:
    arguments = (p.expr(0), *_arguments(p.raw(2)))
    return e.Call(p.word(1), arguments, dotted=True, span=p.span, name_span=p.word_span(1))


# ── signatures, targets, sentences ───────────────────────────────────────────────────────────────────────────────


def _signature(p: Parts) -> e.Signature:
    parameters = tuple(cast(e.Parameter, p.raw(index)) for index in range(1, len(p)) if p.raw(index) is not None)
    return e.Signature(p.word(0), parameters, span=p.span)


def _anchored(kind: e.TargetKind) -> Callable[[Parts], e.Target]:
    return lambda p: e.Target(kind, cast("tuple[str, ...]", p.raw(0)), span=p.span)


def _named(kind: e.TargetKind) -> Callable[[Parts], e.Target]:
    return lambda p: e.Target(kind, (p.word(0),), span=p.span)


def _typed(form: e.TypeForm) -> Callable[[Parts], e.TypeExpr]:
    return lambda p: e.TypeExpr(form, p.word(0), span=p.span)


def _place(onto: e.Onto) -> Callable[[Parts], tuple[e.Onto, e.Expr]]:
    return lambda p: (onto, p.expr(0))


def _move(p: Parts) -> e.Move:
    onto, place = cast("tuple[e.Onto, e.Expr]", p.raw(1))
    return e.Move(p.expr(0), onto, place, span=p.span)


def _play(p: Parts) -> e.PlayCards:
    fields = cast("tuple[tuple[str, e.Expr], ...]", p.raw(2) or ())
    return e.PlayCards(p.expr(0), p.expr(1), fields, span=p.span)


def _fields(p: Parts) -> tuple[tuple[str, e.Expr], ...]:
    return tuple((p.word(index), p.expr(index + 1)) for index in range(0, len(p), 2))


def _run(p: Parts) -> e.Run:
    return e.Run(p.word(0), _arguments(p.raw(1)) if len(p) > 1 else (), span=p.span)


# ── decisions, loops, cards ──────────────────────────────────────────────────────────────────────────────────────


def _pick_writing(p: Parts) -> e.PickWriting:
    return e.PickWriting(p.word(0), p.amount(1), p.word(2), p.expr(3), p.maybe(4), span=p.span)


def _card_face(p: Parts) -> e.CardText:
    return e.CardText(((p.word(0), p.word(1)),), of=True, span=p.span)


def _played_as(p: Parts) -> e.CardText:
    *words, name = p.words()
    return e.CardText((tuple(words),), played_as=name, span=p.span)


def _pair(p: Parts) -> e.CardText:
    name = p.raw(2)
    cards = (cast("tuple[str, ...]", p.raw(0)), cast("tuple[str, ...]", p.raw(1)))
    return e.CardText(cards, played_as=None if name is None else str(name), span=p.span)


_BUILDERS: dict[str, Callable[[Parts], object]] = {
    # expressions
    "choice": lambda p: e.Choice(p.expr(1), p.expr(0), p.expr(2), span=p.span),
    "fallback": lambda p: e.Fallback(p.expr(0), p.expr(1), span=p.span),
    "where": lambda p: e.Where(p.expr(0), p.expr(1), span=p.span),
    "either": _binary(e.Operator.OR),
    "both": _binary(e.Operator.AND),
    "opposite": lambda p: e.Not(p.expr(0), span=p.span),
    "compare": lambda p: e.Binary(e.Operator(p.word(1)), p.expr(0), p.expr(2), span=p.span),
    "same": _binary(e.Operator.IS),
    "differs": _binary(e.Operator.IS_NOT),
    "member": _binary(e.Operator.IN),
    "outside": _binary(e.Operator.NOT_IN),
    "plus": _binary(e.Operator.PLUS),
    "minus": _binary(e.Operator.MINUS),
    "times": _binary(e.Operator.TIMES),
    "quotient": _binary(e.Operator.DIV),
    "remainder": _binary(e.Operator.MOD),
    "negative": lambda p: e.Negative(p.expr(0), span=p.span),
    "of": lambda p: e.Call(p.word(1), (p.expr(0),), dotted=True, span=p.span, name_span=p.word_span(1)),
    "of_with": _dotted_call,
    "name": lambda p: e.Name(p.word(0), span=p.span),
    "number": lambda p: e.NumberLiteral(p.word(0), span=p.span),
    "text": lambda p: e.TextLiteral(p.word(0)[1:-1], span=p.span),
    "true": lambda p: e.YesNoLiteral(True, span=p.span),
    "false": lambda p: e.YesNoLiteral(False, span=p.span),
    "none": lambda p: e.NoneLiteral(span=p.span),
    "face": lambda p: e.FaceLiteral(p.word(0), p.word(1), span=p.span),
    "call": _call,
    "span": lambda p: e.RangeLiteral(p.expr(0), p.expr(1), span=p.span),
    "items": lambda p: e.Items(p.exprs(), span=p.span),
    "arguments": lambda p: p.exprs(),
    "each_of": lambda p: Comprehension(p.span, p.expr(2), body=p.expr(0), binder=p.word(1)),
    "ranked": lambda p: Comprehension(p.span, p.expr(0), keys=cast("tuple[e.Expr, ...]", p.raw(1))),
    "keys": lambda p: p.exprs(),
    # values, cases
    "range": lambda p: e.RangeLiteral(p.expr(0), p.expr(1), span=p.span),
    "exactly": lambda p: e.RangeLiteral(p.expr(0), p.expr(0), span=p.span),
    "at_least": lambda p: e.RangeLiteral(p.expr(0), None, span=p.span),
    "at_most": lambda p: e.RangeLiteral(None, p.expr(0), span=p.span),
    "when": lambda p: e.Case(p.expr(0), p.expr(1), span=p.span),
    "otherwise": lambda p: e.Case(p.expr(0), None, span=p.span),
    # signatures, targets, types
    "signature": _signature,
    "typed": lambda p: e.Parameter(p.word(0), p.word(0), span=p.span),
    "titled": lambda p: e.Parameter(p.word(0), p.word(1), span=p.span),
    "slot": lambda p: e.Target(e.TargetKind.SLOT, (), cast(e.Signature, p.raw(0)), span=p.span),
    "phase": _anchored(e.TargetKind.PHASE),
    "before": _anchored(e.TargetKind.BEFORE),
    "after": _anchored(e.TargetKind.AFTER),
    "instead": _anchored(e.TargetKind.INSTEAD),
    "decision": _anchored(e.TargetKind.DECISION),
    "zone": _named(e.TargetKind.ZONE),
    "state": _named(e.TargetKind.STATE),
    "option": _named(e.TargetKind.OPTION),
    "type_of": _named(e.TargetKind.TYPE),
    "cards_of": _named(e.TargetKind.CARDS),
    "anchor": lambda p: p.words(),
    "plain": _typed(e.TypeForm.PLAIN),
    "whole": lambda p: e.TypeExpr(e.TypeForm.PLAIN, "number", span=p.span),
    "optional": _typed(e.TypeForm.OPTIONAL),
    "set_of": _typed(e.TypeForm.SET),
    "list_of": _typed(e.TypeForm.LIST),
    "stepped": _typed(e.TypeForm.STEP),
    "maybe_whole": lambda p: e.TypeExpr(e.TypeForm.OPTIONAL, "number", span=p.span),
    "maybe_stepped": _typed(e.TypeForm.OPTIONAL_STEP),
    # sentences
    "move": _move,
    "onto": _place(e.Onto.TOP),
    "below": _place(e.Onto.BOTTOM),
    "under": _place(e.Onto.UNDER),
    "play": _play,
    "fields": _fields,
    "swap": lambda p: e.Swap(p.expr(0), p.expr(1), span=p.span),
    "shuffle": lambda p: e.Shuffle(p.expr(0), span=p.span),
    "show": lambda p: e.Show(p.expr(0), p.expr(1), span=p.span),
    "set": lambda p: e.SetTo(p.expr(0), p.expr(1), span=p.span),
    "add": lambda p: e.AddTo(p.expr(0), p.expr(1), span=p.span),
    "let": lambda p: e.Let(p.word(0), p.expr(1), span=p.span),
    "roll_number": lambda p: e.RollNumber(p.word(0), p.expr(1), p.expr(2), span=p.span),
    "roll_one": lambda p: e.RollOne(p.word(0), p.expr(1), span=p.span),
    "draw_random": lambda p: e.Draw(p.maybe(0), p.word(1), p.expr(2), span=p.span),
    "start": lambda p: e.Start(p.expr(0), p.word(1), span=p.span),
    "stop": lambda p: e.Stop(p.expr(0), span=p.span),
    "announce": lambda p: e.Announce(p.expr(0), span=p.span),
    "end": lambda p: e.End(p.word(0), span=p.span),
    "perform": lambda p: e.Perform(p.expr(0), span=p.span),
    "run": _run,
    # decisions and loops
    "pick_from": lambda p: e.PickFrom(p.amount(0), p.word(1), p.expr(2), span=p.span),
    "pick_one": lambda p: e.PickOne(p.expr(0), span=p.span),
    "pick_number": lambda p: e.PickNumber(p.expr(0), p.expr(1), span=p.span),
    "pick_answer": lambda p: e.PickAnswer(span=p.span),
    "pick_order": lambda p: e.PickOrder(p.expr(0), span=p.span),
    "pick_parts": lambda p: e.PickParts(p.expr(0), p.maybe(1), span=p.span),
    "pick_other_parts": lambda p: e.PickParts(p.expr(0), p.maybe(1), other=True, span=p.span),
    "pick_writing": _pick_writing,
    "single": lambda p: e.Amount(None, None, single=True, span=p.span),
    "every": lambda p: e.Amount(None, None, every=True, span=p.span),
    "free": lambda p: e.Amount(None, None, span=p.span),
    "counted": lambda p: e.Amount(p.expr(0), p.expr(0), span=p.span),
    "between": lambda p: e.Amount(p.expr(0), p.expr(1), span=p.span),
    "up_to": lambda p: e.Amount(None, p.expr(0), span=p.span),
    "all_of": lambda p: e.Binder(p.word(0), span=p.span),
    "among": lambda p: e.Binder(p.word(0), p.expr(1), span=p.span),
    "around": lambda p: e.Binder(p.word(0), None, p.expr(1), span=p.span),
    "around_in": lambda p: e.Binder(p.word(0), p.expr(1), p.expr(2), span=p.span),
    # cards in scenarios
    "words": lambda p: e.CardText((p.words(),), span=p.span),
    "card_face": _card_face,
    "played_as": _played_as,
    "pair": _pair,
    "side": lambda p: p.words(),
}
