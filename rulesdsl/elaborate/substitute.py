"""Putting one term in the place of another: what `proceed` stands for, once it is known who is beneath."""

from __future__ import annotations

from ..ir.nodes import Proceed, Term
from ..ir.walk import children, rewrite
from .fit import fit


def has_proceed(term: Term) -> bool:
    """Whether a change asks for what everybody else gives."""
    return isinstance(term, Proceed) or any(has_proceed(child) for child in children(term))


def with_proceed(term: Term, beneath: Term) -> Term:
    """The term with `proceed` replaced by what lies beneath."""

    def replaced(node: Term) -> Term:
        if isinstance(node, Proceed):
            fitted = fit(beneath, node.type)
            return fitted if fitted is not None else beneath
        return node

    return rewrite(term, replaced)
