"""The types that files declare: members, orders, records, ladders, and members that a modifier puts in between."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from fractions import Fraction

from ..diagnostic import InternalError
from ..syntax.document import ChangeDoc, DeclarationBody, Named, TypeDoc, TypeKind
from ..syntax.expr import Expr, NumberLiteral, RangeLiteral, TypeExpr, TypeForm
from ..types import Enum, Ladder, ListOf, Number, Range, Record, SetOf, Type, Unknown, optional
from .names import WORDS_FOR_TYPES, Names, is_finite, nearest
from .wording import several

STEPPED = (TypeForm.STEP, TypeForm.OPTIONAL_STEP)
_WITH_FIELDS = (TypeKind.FIELDS, TypeKind.LADDER)


class TypeOverlay:
    """Fills the types of a `Names`."""

    def __init__(self, names: Names) -> None:
        self.names = names
        self._docs: dict[str, TypeDoc] = {}
        self._working: set[str] = set()
        self._gaps: dict[tuple[str, str], Named] = {}

    def declare(self, docs: Iterable[TypeDoc], inserts: Iterable[ChangeDoc]) -> None:
        """Takes in all types; of two with one name the later one counts."""
        for doc in docs:
            if doc.name in WORDS_FOR_TYPES or doc.name == "play" or doc.name in self.names.kinds:
                what = "a kind of cards" if doc.name in self.names.kinds else "a type of the language"
                self.names.report("E0309", doc.span, f"'{doc.name}' is {what} already", "give the type another name")
            self._docs[doc.name] = doc
        for doc in self._docs.values():
            if doc.kind not in _WITH_FIELDS:
                self._enum(doc)
        for change in inserts:
            self._insert(change)
        for of in self.names.types.values():
            if isinstance(of, Enum):
                self.names.add_enum(of)
        for doc in self._docs.values():
            if doc.kind in _WITH_FIELDS:
                self._with_fields(doc)

    # ── members ──────────────────────────────────────────────────────────────────────────────────────────────────

    def _enum(self, doc: TypeDoc) -> None:
        members = tuple(dict.fromkeys(member.name for member in doc.members))
        seen: set[str] = set()
        for member in doc.members:
            if member.name in seen:
                self._said_twice(member, doc.name)
            seen.add(member.name)
        ordered = doc.kind is TypeKind.LOW_TO_HIGH
        self.names.types[doc.name] = Enum(doc.name, members, ordered, doc.kind is TypeKind.CYCLE)

    def _said_twice(self, member: Named, name: str) -> None:
        self.names.report("E0309", member.span, f"'{member.name}' is a member of '{name}' already", "leave it out")

    def _insert(self, change: ChangeDoc) -> None:
        name = change.target.path[-1]
        enum = self.names.types.get(name)
        body = change.body
        assert isinstance(body, DeclarationBody)
        if body.insert is None or body.above is None:
            return  # a key that is missing was reported
        if not isinstance(enum, Enum):
            known = [known for known, of in self.names.types.items() if isinstance(of, Enum)]
            message = f"there is no type '{name}' with members to insert into"
            self.names.report("E0901", change.target.span, message, nearest(name, known))
            return
        if body.insert.name in enum.members:
            self._said_twice(body.insert, name)
            return
        if body.above.name not in enum.members:
            message = f"there is no '{body.above.name}' in '{name}' to stand above"
            self.names.report("E0904", body.above.span, message, nearest(body.above.name, list(enum.members)))
            return
        rival = self._gaps.setdefault((name, body.above.name), body.insert)
        if rival is not body.insert:
            self.names.report(
                "E0911",
                body.insert.span,
                f"'{rival.name}' is put right above '{body.above.name}' as well, and nothing says which is the higher",
                "leave out one of the two modifiers",
            )
            return
        at = enum.members.index(body.above.name) + 1
        self.names.types[name] = replace(enum, members=(*enum.members[:at], body.insert.name, *enum.members[at:]))

    # ── fields ───────────────────────────────────────────────────────────────────────────────────────────────────

    def _with_fields(self, doc: TypeDoc) -> None:
        if doc.name in self.names.types:
            return
        self._working.add(doc.name)
        fields = tuple((name.name, self._field(text)) for name, text in doc.fields)
        self._working.discard(doc.name)
        made = Record(doc.name, fields) if doc.kind is TypeKind.FIELDS else Ladder(doc.name, fields)
        self.names.types[doc.name] = made

    def _field(self, text: TypeExpr | Expr) -> Type:
        if not isinstance(text, TypeExpr):
            bounds = constant_range(text)
            if bounds is None:
                self.names.report(
                    "E0426", text.span, "a field is of a type, or a range of whole numbers", "write `1 to 7`"
                )
                return Unknown()
            return Number(1, Fraction(bounds[0]), Fraction(bounds[1]))
        if text.name in self._working:
            self.names.report(
                "E0420",
                text.span,
                f"'{text.name}' would hold itself, directly or through others",
                "keep a number or a member that leads to it",
            )
            return Unknown()
        doc = self._docs.get(text.name)
        if doc is not None and doc.kind in _WITH_FIELDS:
            self._with_fields(doc)
        return written_type(text, self.names)


def written_type(expr: TypeExpr, names: Names) -> Type:
    """The type that a text stands for, unless its step is a rule; what is wrong with it is reported."""
    if expr.form in STEPPED:
        stepped = _stepped(expr, names)
        return optional(stepped) if expr.form is TypeForm.OPTIONAL_STEP else stepped
    of = Range(Number()) if expr.name == "range" else names.named_type(expr.name)
    if of is None:
        names.report("E0310", expr.span, f"there is no type '{expr.name}'", nearest(expr.name, names.type_names()))
        return Unknown()
    match expr.form:
        case TypeForm.PLAIN:
            return of
        case TypeForm.OPTIONAL:
            return optional(of)
        case TypeForm.SET:
            if is_finite(of):
                return SetOf(of)
            message = f"there is no set of {several(of)}, since they can't be listed"
            names.report("E0415", expr.span, message, "write `list of`")
            return ListOf(of)
        case TypeForm.LIST:
            return ListOf(of)
        case TypeForm.STEP | TypeForm.OPTIONAL_STEP:
            raise InternalError("the types with a step were dealt with")


def _stepped(expr: TypeExpr, names: Names) -> Type:
    step = Fraction(expr.name) if expr.name[0].isdigit() else Fraction(0)
    of = number_in_steps(step)
    if of is None:
        message = f"'{expr.name}' is no step: a whole number of steps has to make 1"
        names.report("E0422", expr.span, message, "write 1, 0.5, 0.25, 0.1 ...")
        return Number()
    return of


def number_in_steps(step: Fraction) -> Number | None:
    """The numbers that are multiples of a step; None if no whole number of steps makes 1."""
    return Number(step.denominator) if step.numerator == 1 else None


def constant_range(expr: object) -> tuple[int, int] | None:
    """The bounds of a range of plain numbers."""
    match expr:
        case RangeLiteral(low=NumberLiteral(value=low), high=NumberLiteral(value=high)):
            whole = low.denominator == high.denominator == 1
            return (int(low), int(high)) if whole and low <= high else None
        case NumberLiteral(value=value):
            return (int(value), int(value)) if value.denominator == 1 else None
        case _:
            return None
