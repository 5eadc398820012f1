"""What a card changes while it is in play, in words: `+2 to the entry rolls of this card's holder for an item`.

A change says under which conditions it counts. Where such a condition tells who or what a parameter of the changed
rule is, that is put in its place; what is left of the conditions follows with an `if`.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, fields
from typing import assert_never

from ..syntax import expr as e
from ..syntax.document import (
    CasesBody,
    ChangeDoc,
    ComponentsBody,
    DecisionBody,
    DeclarationBody,
    Doc,
    ExprBody,
    LegalityBody,
    PhaseBody,
    RuleBody,
    StagesBody,
    StepsBody,
    TableBody,
)
from ..syntax.expr import Expr, Operator, Parameter, TargetKind
from .english import be, capitalised, is_several, listed, opposite, readable, with_article
from .filling import filled, holes_of
from .lexicon import Wording
from .phrases import PLAYER, Phrases, number_of, parts_of
from .steps import inline

PROCEED = "proceed"
_OPEN = ("a ", "an ", "any ", "another ", "each ", "every ")
_ATTACHED = {TargetKind.BEFORE: "before", TargetKind.AFTER: "after", TargetKind.INSTEAD: "instead of"}


def change(doc: ChangeDoc, phrases: Phrases) -> str:
    """One change as a clause."""
    match doc.body:
        case StepsBody():
            return _attached(doc, doc.body, phrases)
        case LegalityBody():
            return _legality(doc, doc.body, phrases)
        case StagesBody():
            parts = (_stage(doc, stage.name, amount, phrases) for stage, amount in doc.body.stages)
            return ". ".join(capitalised(part) if number else part for number, part in enumerate(parts))
        case ExprBody():
            return _set(doc, doc.body.value, phrases)
        case CasesBody() | TableBody() | ComponentsBody():
            slot = _Slot.of(doc, [], phrases)
            return slot.behind(f"{slot.text} {be(slot.text)}: {body_value(doc.body, slot.inner)}")
        case PhaseBody() | DecisionBody() | DeclarationBody():
            when = f" (if {phrases.condition(doc.when)})" if doc.when is not None else ""
            return f"{' '.join(doc.span.text.split())}{when}"
        case _:
            assert_never(doc.body)


def body_value(body: RuleBody, phrases: Phrases) -> str:
    """What a rule says, as a value."""
    match body:
        case ExprBody():
            return phrases.value(body.value)
        case CasesBody():
            said = [
                phrases.value(case.value)
                + (f" if {phrases.condition(case.condition)}" if case.condition is not None else " otherwise")
                for case in body.cases
            ]
            return "; ".join(said)
        case TableBody():
            by = phrases.value(body.by)
            said = [f"{phrases.value(value)} if {by} is {_member(key.name, phrases)}" for key, value in body.entries]
            return "; ".join([*said, *([f"{phrases.value(body.otherwise)} otherwise"] if body.otherwise else [])])
        case ComponentsBody():
            return listed([f"{phrases.value(value)} for {readable(name.name)}" for name, value in body.entries])
        case LegalityBody() | StagesBody():
            return " ".join(body.span.text.split())
        case _:
            assert_never(body)


def _member(name: str, phrases: Phrases) -> str:
    wording = phrases.lexicon.find(name)
    return wording.text if wording is not None else name


# ── what is changed, and for whom ────────────────────────────────────────────────────────────────────────────────


@dataclass(frozen=True, slots=True)
class _Slot:
    """A rule that is changed, said with what the conditions tell of its parameters; `rest` are the other conditions."""

    text: str
    inner: Phrases
    rest: tuple[str, ...] = field(default=())

    @staticmethod
    def of(doc: ChangeDoc, conditions: Iterable[Expr], phrases: Phrases, *, decider: bool = False) -> _Slot:
        """The rule that a change is about, as it is in the cases for which the conditions hold."""
        signature = doc.target.signature
        assert signature is not None
        parameters = signature.parameters
        wording = phrases.lexicon.find(signature.name, len(parameters))
        wording = wording or _plain(signature.name, parameters, is_act=decider)
        called = dict(zip((p.name for p in parameters), wording.parameters, strict=True))
        named = {own for own, hole in called.items() if hole in holes_of(wording.text)} | (
            {PLAYER} if decider else set()
        )
        types = {p.name: p.type_name for p in parameters} | ({PLAYER: PLAYER} if decider else {})
        all_of = [*conditions, *(parts_of(doc.when, Operator.AND) if doc.when is not None else ())]
        bound, left = _bound(all_of, named, types, phrases)
        again = {own: _again(bound.get(own), types[own]) for own in types}
        inner = phrases.knowing({**again, PROCEED: "what it is otherwise"})
        given = {called[own]: text for own, text in bound.items() if own in called}
        text = filled(wording.text, given)
        if decider:
            who = bound.get(PLAYER, "any player")
            text = f"no {who[4:]} may {text}" if who.startswith("any ") else f"{who} may not {text}"
        return _Slot(text, inner, tuple(inner.condition(condition) for condition in left))

    def behind(self, clause: str) -> str:
        """A clause with the conditions that are left."""
        return clause + (f" if {listed(self.rest)}" if self.rest else "")


def _plain(name: str, parameters: tuple[Parameter, ...], *, is_act: bool) -> Wording:
    """The wording of a rule that has none; `is_act` of one that says what may be done."""
    of = [f"<{parameter.name}>" for parameter in parameters]
    if is_act:
        return Wording(f"choose {listed(of)} for “{readable(name)}”", tuple(p.name for p in parameters))
    if len(of) == 1:
        return Wording(f"the {readable(name)} of {of[0]}", (parameters[0].name,))
    return Wording(f"the {readable(name)}" + (f" of {listed(of)}" if of else ""), tuple(p.name for p in parameters))


def _again(bound: str | None, of: str) -> str:
    """What is said of a parameter the second time."""
    return f"that {readable(of)}" if bound is None or bound.startswith(_OPEN) else bound


def _bound(
    conditions: list[Expr], named: set[str], types: dict[str, str], phrases: Phrases
) -> tuple[dict[str, str], list[Expr]]:
    """What conditions tell of the parameters that the text names, and the conditions that are left."""
    bound: dict[str, str] = {}
    left: list[Expr] = []
    for condition in conditions:
        found = _told(condition, named - bound.keys(), types, phrases)
        if found is None:
            left.append(condition)
        else:
            bound[found[0]] = found[1]
    return bound, [one for one in left if not _told_of_owner(one, named, bound, types, phrases)]


def _told_of_owner(
    condition: Expr, named: set[str], bound: dict[str, str], types: dict[str, str], phrases: Phrases
) -> bool:
    """Puts `whose holder is ...` behind what a parameter is, if a condition says just that of any such thing."""
    about = sorted(set(_names(condition)) & types.keys())
    if len(about) != 1 or about[0] not in named:
        return False
    name = about[0]
    thing = bound.get(name, f"any {readable(types[name])}")
    before, owns, after = phrases.knowing({name: _MARK}).condition(condition).partition(f"{_MARK}'s ")
    if before or not owns or _MARK in after or not _IS.match(after) or not thing.startswith(_OPEN):
        return False
    bound[name] = f"{thing} {'and ' if ' whose ' in thing else ''}whose {after}"
    return True


def _told(condition: Expr, open_: set[str], types: dict[str, str], phrases: Phrases) -> tuple[str, str] | None:
    """The parameter that a condition speaks of, and what it is; None if that can't be said in its place."""
    about = sorted(set(_names(condition)) & types.keys())
    if len(about) != 1 or about[0] not in open_:
        return None
    name = about[0]
    match condition:
        case e.Binary(operator=Operator.IS | Operator.IS_NOT as operator, left=e.Name(name=left), right=right):
            if left == name and not set(_names(right)) & types.keys():
                said = phrases.value(right)
                other = f"any {readable(types[name])} other than "
                return name, said if operator is Operator.IS else other + said
        case _:
            pass
    marked = phrases.knowing({name: _MARK}).condition(condition)
    before, is_, after = marked.partition(f"{_MARK} is ")
    if is_ and not before and _MARK not in after and after.startswith(("a ", "an ")):
        return name, after
    return None


_IS = re.compile(r"\w+(?: \w+)? (?:is|are) (?!.* (?:and|or) )")
_MARK = "\N{BULLET}"


def _names(value: object) -> Iterator[str]:
    """The names that stand alone in an expression."""
    match value:
        case e.Name(name=name):
            yield name
        case tuple():
            for item in value:
                yield from _names(item)
        case e.Node() | Doc():
            for part in fields(value):
                if part.name not in ("span", "name_span"):
                    yield from _names(getattr(value, part.name))
        case _:
            pass


# ── rules ────────────────────────────────────────────────────────────────────────────────────────────────────────


def _stage(doc: ChangeDoc, operation: str, amount: Expr, phrases: Phrases) -> str:
    """`add`, `multiply` and so on: by how much, to what, and when."""
    conditions: list[Expr] = []
    if isinstance(amount, e.Choice) and _is_nothing(amount.otherwise, operation):
        conditions, amount = [*parts_of(amount.condition, Operator.AND)], amount.then
    slot = _Slot.of(doc, conditions, phrases)
    number = number_of(amount)
    said = slot.inner.value(amount)
    match operation:
        case "add" if number is not None:
            clause = f"{'+' if number >= 0 else '-'}{abs(number)} to {slot.text}"
        case "add" if isinstance(amount, e.Name | e.Items) and is_several(slot.text):
            clause = f"{said} {be(said)} among {slot.text}"
        case "add":
            clause = f"add {said} to {slot.text}"
        case "remove":
            clause = f"{slot.text} {'do' if is_several(slot.text) else 'does'} not include {said}"
        case "multiply":
            clause = f"{slot.text} {be(slot.text)} multiplied by {said}"
        case "at_least" | "at_most":
            clause = f"{slot.text} {be(slot.text)} {readable(operation)} {said}"
        case _:
            clause = f"{readable(operation)} {said}: {slot.text}"
    return slot.behind(clause)


def _is_nothing(expr: Expr, operation: str) -> bool:
    """Whether a stage with this value does nothing."""
    match expr:
        case e.NumberLiteral():
            return expr.value == (1 if operation == "multiply" else 0) and operation in ("add", "multiply")
        case e.NoneLiteral():
            return True
        case e.Items(items=()):
            return True
        case _:
            return False


def _set(doc: ChangeDoc, value: Expr, phrases: Phrases) -> str:
    """Another value for a rule, perhaps only under a condition."""
    signature = doc.target.signature
    assert signature is not None
    is_claim = signature.name in phrases.lexicon.conditions
    match value:
        case e.Choice(condition=condition, then=then, otherwise=e.Name(name="proceed")):
            slot = _Slot.of(doc, parts_of(condition, Operator.AND), phrases)
            return slot.behind(_becomes(slot, then, is_claim=is_claim))
        case e.Binary(operator=Operator.OR, left=e.Name(name="proceed"), right=more) if is_claim:
            slot = _Slot.of(doc, [], phrases)
            return slot.behind(f"{slot.text} also if {slot.inner.condition(more)}")
        case e.Binary(operator=Operator.AND, left=e.Name(name="proceed"), right=more) if is_claim:
            slot = _Slot.of(doc, [], phrases)
            return slot.behind(f"{slot.text} only if also {slot.inner.condition(more)}")
        case e.Binary(operator=Operator.PLUS, left=e.Name(name="proceed"), right=more):
            slot = _Slot.of(doc, [], phrases)
            return slot.behind(f"+{slot.inner.value(more)} to {slot.text}")
        case _:
            slot = _Slot.of(doc, [], phrases)
            return slot.behind(_becomes(slot, value, is_claim=is_claim))


def _becomes(slot: _Slot, value: Expr, *, is_claim: bool) -> str:
    if is_claim:
        if isinstance(value, e.YesNoLiteral):
            return slot.text if value.value else opposite(slot.text)
        return f"{slot.text} exactly when {slot.inner.condition(value)}"
    return f"{slot.text} {be(slot.text)} {slot.inner.value(value)}"


def _legality(doc: ChangeDoc, body: LegalityBody, phrases: Phrases) -> str:
    """What is forbidden, what must be done if one can, and which exceptions there are."""
    said: list[str] = []
    for _, condition in body.forbid:
        slot = _Slot.of(doc, parts_of(condition, Operator.AND), phrases, decider=True)
        said.append(slot.behind(slot.text))
    slot = _Slot.of(doc, [], phrases, decider=True)
    allowed = slot.text.replace("no player may ", "a player may ", 1).replace(" may not ", " may ", 1)
    for tier in body.require:
        said.append(slot.behind(f"if it can be so that {slot.inner.condition(tier.condition)}, {allowed} only so"))
    for _, condition in body.narrow:
        said.append(slot.behind(f"{allowed} only such that {slot.inner.condition(condition)}"))
    for name, condition in body.permit:
        what = f"the rule “{readable(name.name)}” does not keep one from it"
        said.append(slot.behind(f"{allowed}, and {what}, when {slot.inner.condition(condition)}"))
    return ". ".join(capitalised(one) if number else one for number, one in enumerate(said)) or slot.text


# ── places ───────────────────────────────────────────────────────────────────────────────────────────────────────


def _attached(doc: ChangeDoc, body: StepsBody, phrases: Phrases) -> str:
    """Steps before, after or instead of something."""
    name = doc.target.path[-1]
    wording = phrases.lexicon.of_target(doc.target)
    parameters = phrases.lexicon.procedures.get(name, ())
    conditions = [*parts_of(doc.when, Operator.AND)] if doc.when is not None else []
    if wording is not None:
        types = {p.name: p.type_name for p in parameters}
        bound, conditions = _bound(conditions, set(holes_of(wording.text)), types, phrases)
        begins = filled(wording.text, {p.name: with_article(readable(p.type_name)) for p in parameters} | bound)
        given = {p.name: _again(bound.get(p.name), p.type_name) for p in parameters}
    else:
        given = {p.name: f"that {readable(p.name)}" for p in parameters}
        event = phrases.lexicon.find(name, len(phrases.lexicon.procedures.get(name, ())))
        shown = f"“{readable(name)}”" if event is None else f"“{_of_any(event, phrases, name)}”"
        begins = f"{_ATTACHED.get(doc.target.kind, '')} {shown}"
    inner = phrases.knowing(given)
    when = f", if {listed([inner.condition(condition) for condition in conditions])}" if conditions else ""
    return f"{begins}{when}: {inline(body.steps, inner)}"


def _of_any(wording: Wording, phrases: Phrases, name: str) -> str:
    parameters = phrases.lexicon.procedures.get(name, ())
    given = {hole: with_article(readable(p.name)) for hole, p in zip(wording.parameters, parameters, strict=True)}
    return filled(wording.text, given)
