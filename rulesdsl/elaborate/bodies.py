"""What a rule says, in each of the forms a file may give it: an expression, cases, a table, components."""

from __future__ import annotations

from ..ir.nodes import Const, If, LetIn, MakeTuple, Op, Prim, Term
from ..source import Span
from ..syntax.document import CasesBody, ComponentsBody, ExprBody, TableBody
from ..types import Enum, ListOf, Number, Optional, Record, RowOf, SetOf, Type, Unknown, YesNo, required
from .expressions import ExpressionChecker
from .fit import fit
from .names import nearest
from .operators import certain_if, certain_unless
from .scope import Scope
from .wording import a

MOST_LINES = 150

ValueBody = ExprBody | CasesBody | TableBody | ComponentsBody


class BodyChecker(ExpressionChecker):
    """Turns the body of a rule into one term."""

    def body(self, doc: ValueBody, scope: Scope, want: Type | None) -> Term:
        """The term of a body; it is of the wanted type if there is one."""
        match doc:
            case ExprBody():
                declared = self.type_of(doc.type, scope) if doc.type is not None else want
                if declared is not None and want is None:
                    return self.wanted(doc.value, scope, declared, "the rule")
                return self._plain(self.expression(doc.value, scope, declared))
            case CasesBody():
                return self._cases(doc, scope, want)
            case TableBody():
                return self._table(doc, scope, want)
            case ComponentsBody():
                return self._components(doc, scope)

    def _too_long(self, doc: CasesBody | TableBody) -> Term:
        message = f"this has more than {MOST_LINES} lines"
        return self.fail("E0421", doc.span, message, "give a part of it a name, as a rule of its own")

    def _plain(self, term: Term) -> Term:
        """A rule gives numbers without the bounds of one text."""
        if isinstance(term, Const) and isinstance(term.type, Number):
            return Const(term.value, type=Number(term.type.scale), span=term.span)
        return term

    def _cases(self, doc: CasesBody, scope: Scope, want: Type | None) -> Term:
        if len(doc.cases) > MOST_LINES:
            return self._too_long(doc)
        result: Term | None = None
        terms: list[tuple[Term | None, Term]] = []
        inner = scope
        for index, case in enumerate(doc.cases):
            last = index == len(doc.cases) - 1
            if case.condition is None and not last:
                self.names.report(
                    "E0413",
                    case.span,
                    "the lines below this one are never reached",
                    "give this line a condition: `VALUE if CONDITION`",
                )
            if last and case.condition is not None:
                self.names.report(
                    "E0414",
                    case.span,
                    "nothing is said for the case that no line holds",
                    "let the last line have no condition",
                )
            condition = self.condition(case.condition, inner) if case.condition is not None else None
            known = inner.knowing(*certain_if(case.condition)) if case.condition is not None else inner
            hint = want if want is not None else (required(terms[0][1].type) if terms else None)
            terms.append((condition, self.expression(case.value, known, hint)))
            if case.condition is not None:
                inner = inner.knowing(*certain_unless(case.condition))
        for condition, value in reversed(terms):
            if result is None or condition is None:
                result = value
            else:
                result = self.branches(condition, value, result, doc.span)
        return self._plain(result) if result is not None else self.error(doc.span)

    def _table(self, doc: TableBody, scope: Scope, want: Type | None) -> Term:
        if len(doc.entries) > MOST_LINES:
            return self._too_long(doc)
        by = self.expression(doc.by, scope)
        of = required(by.type)
        if isinstance(of, Unknown):
            return self.error(doc.span)
        if not isinstance(of, Enum | Number | YesNo):
            return self.fail(
                "E0401",
                doc.by.span,
                f"a table needs a member of a type or a number to go by, but this is {a(of)}",
                "name something that has a line for each of its values",
            )
        bound = scope.frame.bound("by", by.type)
        rows: list[tuple[int, Term]] = []
        seen: dict[int, str] = {}
        # The order of keys means nothing: bound names are numbered, and the first line gives a hint to the others.
        for key, value in sorted(doc.entries, key=lambda entry: entry[0].name):
            index = self._key(key.name, key.span, of)
            hint = want if want is not None else (required(rows[0][1].type) if rows else None)
            term = self.expression(value, scope, hint)
            if index is not None:
                if index in seen:
                    self.names.report(
                        "E0309", key.span, f"'{seen[index]}' is in this table already", "leave one of them out"
                    )
                seen[index] = key.name
                rows.append((index, term))
        otherwise = (
            self.expression(doc.otherwise, scope, want or (required(rows[0][1].type) if rows else None))
            if doc.otherwise
            else None
        )
        if otherwise is None:
            match of:
                case Enum():
                    missing = [member for index, member in enumerate(of.members) if index not in seen]
                case YesNo():
                    missing = [word for index, word in enumerate(("false", "true")) if index not in seen]
                case Number():
                    missing = ["other numbers"]
            if missing:
                return self.fail(
                    "E0411", doc.span, f"the table says nothing for {', '.join(missing)}", "add the line, or `else:`"
                )
            if isinstance(by.type, Optional):
                return self.fail(
                    "E0406", doc.by.span, "this may be none, and the table has no line for it", "add `else:`"
                )
            if not rows:
                return self.error(doc.span)
            rows.sort(key=lambda row: row[0])
            otherwise = rows.pop()[1]
        result = otherwise
        for index, row in sorted(rows, key=lambda row: row[0], reverse=True):
            test = Prim(Op.SAME, (bound, Const(index, type=of)), type=YesNo(), span=doc.span)
            result = self.branches(test, row, result, doc.span)
        if not isinstance(result, If):
            return self._plain(result)
        return LetIn(bound.id, by, result, type=result.type, span=doc.span)

    def _key(self, name: str, span: Span, of: Type) -> int | None:
        if isinstance(of, Enum):
            if name in of.members:
                return of.members.index(name)
            self.names.report("E0410", span, f"'{name}' is no member of {of}", nearest(name, list(of.members)))
            return None
        if isinstance(of, YesNo) and name in ("true", "false"):
            return int(name == "true")
        if isinstance(of, Number) and name.isascii() and name.isdigit():
            return int(name) * of.scale
        self.names.report(
            "E0410",
            span,
            f"'{name}' is no line for {a(of)}",
            "write a number" if isinstance(of, Number) else "write true or false",
        )
        return None

    def _components(self, doc: ComponentsBody, scope: Scope) -> Term:
        parts: list[Term] = []
        fields: list[tuple[str, Type]] = []
        for key, value in doc.entries:
            term = self.wanted(value, scope, Number(), f"the component '{key.name}'")
            of = term.type if isinstance(term.type, Number) else Number()
            fields.append((key.name, Number(of.scale)))
            parts.append(term)
        return MakeTuple(tuple(parts), type=Record("components", tuple(fields), summed=True), span=doc.span)

    # ── stages ───────────────────────────────────────────────────────────────────────────────────────────────────

    def stage(self, operation: str, value: Term, beneath: Term, scope: Scope, span: Span) -> Term:
        """`add`, `multiply`, `at_least`, `at_most`, `remove`, put over what lies beneath."""
        below = required(beneath.type)
        if isinstance(below, Record) and below.summed and operation in ("add", "multiply"):
            return self.fail(
                "E0902",
                span,
                "components can't be added to as a whole",
                "change one of them, or wrap it with `proceed`",
            )
        match operation, below:
            case (("add" | "multiply"), Number()):
                op = Op.ADD if operation == "add" else Op.MULTIPLY
                fitted = fit(value, below)
                if fitted is None:
                    return self.fail("E0401", span, f"`{operation}` needs a number, but this is {a(value.type)}", None)
                return Prim(op, (beneath, fitted), type=below, span=span)
            case (("at_least" | "at_most"), Number()):
                fitted = fit(value, below)
                if fitted is None:
                    return self.fail("E0401", span, f"`{operation}` needs a number, but this is {a(value.type)}", None)
                pair = MakeTuple((beneath, fitted), type=ListOf(below), span=span)
                return Prim(Op.MAX if operation == "at_least" else Op.MIN, (pair,), type=below, span=span)
            case (("add" | "remove"), (SetOf() | RowOf() | ListOf())):
                fitted = fit(value, below)
                if fitted is None:
                    return self.fail(
                        "E0401", span, f"`{operation}` needs {a(below)}, but this is {a(value.type)}", None
                    )
                if isinstance(below, SetOf):
                    op = Op.UNION if operation == "add" else Op.MINUS
                else:
                    op = Op.APPEND if operation == "add" else Op.ROW_MINUS
                return Prim(op, (beneath, fitted), type=below, span=span)
            case _:
                return self.fail(
                    "E0902",
                    span,
                    f"`{operation}` is not for {a(below)}",
                    "numbers have add, multiply, at_least, at_most; sets add, remove",
                )
