"""Steps in words: every sentence by the wording of what it runs, and who decides what in between."""

from __future__ import annotations

from typing import assert_never

from ..source import Source, Span
from ..syntax import expr as e
from ..syntax.document import (
    AlternativeDoc,
    Closing,
    DecisionDoc,
    IfDoc,
    LoopDoc,
    LoopKind,
    PhaseDoc,
    SentenceDoc,
    StepDoc,
    WindowDoc,
)
from ..syntax.expr import Binder, Onto, Sentence
from .english import YOU, be, listed, readable, verb
from .filling import filled
from .phrases import PLAYER, Phrases, as_some, number_of
from .picks import chosen

Steps = tuple[StepDoc, ...]
_CLOSINGS = {
    Closing.ALL_PASS: "until all have passed in succession",
    Closing.ONCE_EACH: "once each",
    Closing.FIRST: "until somebody does",
}


_NO = e.YesNoLiteral(False, span=Span(Source("", ""), 0, 0))


def clauses(steps: Steps, phrases: Phrases) -> list[str]:
    """Each step as a clause that tells what to do; later ones know what earlier ones bound."""
    said: list[str] = []
    for number, step in enumerate(steps):
        clause, bound = _step(step, phrases, is_last=number == len(steps) - 1)
        said.append(clause)
        phrases = phrases.knowing(bound)
    return said


def inline(steps: Steps, phrases: Phrases) -> str:
    """Steps as one clause, to stand inside of another one."""
    said = clauses(steps, phrases)
    if not said:
        return "nothing happens"
    if len(said) == 1:
        return said[0]
    return ", then ".join(f"({one})" if _has_parts(one) else one for one in said)


def _has_parts(clause: str) -> bool:
    return clause.startswith(("if ", "for each ", "repeat ")) or ", then " in clause or "; " in clause


def _step(step: StepDoc, phrases: Phrases, *, is_last: bool) -> tuple[str, dict[str, str]]:
    """A step, and the names that are bound after it."""
    match step:
        case SentenceDoc():
            return _sentence(step.sentence, phrases), bound_by(step.sentence, phrases)
        case IfDoc():
            said = f"if {phrases.condition(step.condition)}, {inline(step.then, phrases)}"
            return said + (f"; otherwise, {inline(step.otherwise, phrases)}" if step.otherwise else ""), {}
        case LoopDoc():
            return _loop(step, phrases), {}
        case PhaseDoc():
            when = f" (if {phrases.condition(step.when)})" if step.when is not None else ""
            inner = _loop(step.loop, phrases) if step.loop is not None else inline(step.do, phrases)
            return f"{readable(step.name.name)}{when}: {inner}", {}
        case DecisionDoc():
            return _decision(step, phrases, is_last=is_last)
        case WindowDoc():
            return _window(step, phrases), {}
        case _:
            assert_never(step)


# ── sentences ────────────────────────────────────────────────────────────────────────────────────────────────────


def _sentence(sentence: Sentence, phrases: Phrases) -> str:
    value, place = phrases.value, phrases.place
    match sentence:
        case e.Move(onto=Onto.TOP):
            return f"move {value(sentence.what)} to {place(sentence.place)}"
        case e.Move(onto=Onto.BOTTOM):
            return f"put {value(sentence.what)} at the bottom of {place(sentence.place)}"
        case e.Move():
            return f"put {value(sentence.what)} under {value(sentence.place)}"
        case e.PlayCards():
            fields = [f"{readable(name)} {value(given)}" for name, given in sentence.fields]
            said = f" as {listed(fields)}" if fields else ""
            return f"play {value(sentence.what)} to {place(sentence.place)}{said}"
        case e.Swap():
            return f"{place(sentence.left)} and {place(sentence.right)} change places"
        case e.Shuffle():
            return f"shuffle {place(sentence.place)}"
        case e.Show():
            return f"show {value(sentence.what)} to {value(sentence.seats)}"
        case e.SetTo():
            return _set(sentence, phrases)
        case e.AddTo():
            number = number_of(sentence.value)
            if number is not None and number < 0:
                return f"take {-number} from {value(sentence.target)}"
            return f"add {value(sentence.value)} to {value(sentence.target)}"
        case e.Let():
            return f"let {called(sentence.name, phrases)} be {value(sentence.value)}"
        case e.RollNumber():
            low, high = value(sentence.low), value(sentence.high)
            return f"roll a number from {low} to {high} for {called(sentence.name, phrases)}"
        case e.RollOne():
            return f"roll one of {value(sentence.source)} for {called(sentence.name, phrases)}"
        case e.Draw():
            amount = "one" if sentence.count is None else value(sentence.count)
            name = called(sentence.name, phrases)
            drawn = f"at random {amount} of {as_some(value(sentence.source))}"
            return f"choose as {name} {drawn}" if name.startswith("the ") else f"choose {drawn}"
        case e.Start():
            return f"{value(sentence.modifier)} comes into force until {_place(sentence.phase, phrases)} ends"
        case e.Stop():
            return f"{value(sentence.modifier)} is in force no longer"
        case e.Announce():
            return f"announce {value(sentence.value)}"
        case e.End():
            return f"end {_place(sentence.phase, phrases)}"
        case e.Perform():
            return f"do what {value(sentence.power)} says"
        case e.Run():
            return _run(sentence, phrases)
        case e.ErrorExpr():
            return sentence.span.text
        case _:
            assert_never(sentence)


def _set(sentence: e.SetTo, phrases: Phrases) -> str:
    target, given = sentence.target, sentence.value
    if isinstance(target, e.Name | e.Call) and target.name in phrases.lexicon.conditions:
        claim = phrases.condition(e.Not(target, span=target.span) if given == _NO else target)
        said = f"from now on {claim}"
        return said if isinstance(given, e.YesNoLiteral) else f"{said} exactly when {phrases.condition(given)}"
    what, now = phrases.value(target), phrases.value(given)
    if now == YOU:
        return f"you are now {what}"
    return f"{what} {be(what)} now {now}"


def _run(sentence: e.Run, phrases: Phrases) -> str:
    given = [phrases.value(argument) for argument in sentence.arguments]
    wording = phrases.lexicon.find(sentence.name, len(given))
    if sentence.name == "proceed":
        return "let it happen" + (f" with {listed(given)}" if given else "")
    if wording is None:
        return readable(sentence.name) + (f" ({', '.join(given)})" if given else "")
    return filled(wording.text, dict(zip(wording.parameters, given, strict=True)))


def _place(name: str, phrases: Phrases) -> str:
    wording = phrases.lexicon.wordings.get(f"phase {name}")
    return wording.text if wording is not None else f"the {readable(name)}"


def called(name: str, phrases: Phrases) -> str:
    """What something that is bound here is called."""
    wording = phrases.lexicon.find(name)
    return wording.text if wording is not None else f"the {readable(name)}"


def bound_by(sentence: Sentence, phrases: Phrases) -> dict[str, str]:
    """The names that a sentence binds."""
    match sentence:
        case e.Let() | e.RollNumber() | e.RollOne() | e.Draw():
            return {sentence.name: called(sentence.name, phrases)}
        case _:
            return {}


# ── loops ────────────────────────────────────────────────────────────────────────────────────────────────────────


def _loop(step: LoopDoc, phrases: Phrases) -> str:
    extent: list[str] = []
    if step.binder is None:
        begins, inner = "repeat", phrases
    else:
        begins, inner = _around(step.binder, phrases)
        begins = f"at the same time, {begins}" if step.kind is LoopKind.TOGETHER else begins
    if step.where is not None:
        extent.append(f"if {inner.condition(step.where)}")
    if step.while_ is not None:
        extent.append(f"as long as {inner.condition(step.while_)}")
    if step.until is not None:
        extent.append(f"until {inner.condition(step.until)}")
    if step.times is not None:
        extent.append(f"{phrases.value(step.times)} times")
    if step.rounds is not None:
        extent.append(f"for {phrases.value(step.rounds)} rounds")
    if step.at_most is not None:
        extent.append(f"at most {phrases.value(step.at_most)} times")
    said = "".join(f", {one}" for one in extent)
    return f"{begins}{said}: {inline(step.body, inner)}"


def _around(binder: Binder, phrases: Phrases) -> tuple[str, Phrases]:
    """`for each player in turn`, and how the one whose turn it is, is called."""
    name = readable(binder.name)
    begins = f"for each {name}"
    if binder.source is not None:
        begins = f"for each of {as_some(phrases.value(binder.source))}"
    if binder.start is not None:
        begins += f" in turn, beginning with {phrases.value(binder.start)}"
    wording = phrases.lexicon.find(binder.name)
    return begins, phrases.knowing({binder.name: wording.text if wording is not None else f"that {name}"})


# ── decisions ────────────────────────────────────────────────────────────────────────────────────────────────────


def _decision(step: DecisionDoc, phrases: Phrases, *, is_last: bool) -> tuple[str, dict[str, str]]:
    who = phrases.value(step.by) if step.by is not None else phrases.names.get(PLAYER, YOU)
    inner = phrases.knowing({PLAYER: who})
    if step.either:
        ways = [_way(way, inner, phrases) for way in step.either]
        said = f"{_asks(who, step)} {'; or '.join(ways)}"
        names: dict[str, str] = {}
    else:
        parts = chosen(step.choose, inner)
        names = parts.names
        said = f"{_asks(who, step)} {parts.text}{_bounds(step, inner.knowing(names))}"
    if step.then:
        said += f", then {inline(step.then, phrases.knowing(names))}"
    if step.otherwise:
        said += f"; otherwise, {inline(step.otherwise, phrases)}"
    elif step.otherwise is None and step.optional and not is_last and step.then is None:
        said += " (if not, the rest is left out)"
    return said, names if step.then is None else {}


def _asks(who: str, step: DecisionDoc) -> str:
    """Who chooses; a decision with an `else` is passed over if there is nothing to choose."""
    if step.optional:
        return f"{who} may choose"
    if step.otherwise is not None:
        return "if possible, choose" if who == YOU else f"if possible, {who} {verb('chooses', who)}"
    return "choose" if who == YOU else f"{who} {verb('chooses', who)}"


def _bounds(step: DecisionDoc | AlternativeDoc, phrases: Phrases) -> str:
    under = f", as far as {phrases.value(step.under)} allows" if step.under is not None else ""
    return under + (f", such that {phrases.condition(step.where)}" if step.where is not None else "")


def _way(way: AlternativeDoc, deciding: Phrases, phrases: Phrases) -> str:
    """One kind of act: asked of who decides, and done for the acting player."""
    parts = chosen(way.choose, deciding)
    inner = deciding.knowing(parts.names)
    name = f"{readable(way.name.name)}: " if way.name is not None else ""
    does = f", then {inline(way.do, phrases.knowing(parts.names))}" if way.do else ""
    return f"({name}{parts.text if way.choose else 'this'}{_bounds(way, inner)}{does})"


def _window(step: WindowDoc, phrases: Phrases) -> str:
    begins, inner = _around(step.ask, phrases)
    who = inner.names[step.ask.name]
    if step.where is not None:
        begins += f", if {inner.condition(step.where)}"
    parts = chosen(step.choose, inner.knowing({PLAYER: who}))
    behind = inner.knowing(parts.names)
    under = f", as far as {behind.value(step.under)} allows" if step.under is not None else ""
    closes = _CLOSINGS[step.closes] + (f" or {phrases.condition(step.closes_if)}" if step.closes_if is not None else "")
    again = f", after each answer again from {behind.value(step.again)}" if step.again is not None else ""
    most = f", at most {phrases.value(step.at_most)} times" if step.at_most is not None else ""
    return f"{begins} ({closes}{again}{most}): {who} may choose {parts.text}{under}, then {inline(step.do, behind)}"
