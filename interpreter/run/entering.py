"""Starts a match in the middle: at a phase, a procedure or a decision, named as handlers name it.

What encloses the place is brought into its first turn, on the state as it is: loops take their first member, procedures
are called from where the program calls them first, with the arguments worked out there. Nothing that the enclosing
things do when they begin is done.
"""

from __future__ import annotations

from ..state.cells import FP, PC, PENDING, STATUS, STEPS
from .assembly import Anchor, AnchorSort, Assembly, CallSite
from .code import Cells
from .frames import push

_SEQUENCE = (AnchorSort.PHASE, AnchorSort.PROCEDURE, AnchorSort.DECISION)


class UnknownAnchor(Exception):
    """No phase, procedure or decision of a program has that name, or nothing leads to it."""


def names(assembly: Assembly) -> list[str]:
    """All names and paths at which a match can be started."""
    return sorted({name for anchor in assembly.anchors for name in (anchor.name, anchor.path)})


def find(assembly: Assembly, path: str, S: Cells | None = None) -> Anchor:
    """The place of a name or path. A phase goes before a procedure, a procedure before a decision.

    If it stands in several forms, and a state is given, it is the form for the modifiers in force.

    Raises:
        UnknownAnchor: if there is none.
    """
    reached = _callers(assembly, S)
    reachable = [anchor for anchor in assembly.anchors if anchor.procedure == 0 or anchor.procedure in reached]
    by_path = [anchor for anchor in reachable if anchor.path == path]
    by_name = [anchor for anchor in reachable if anchor.name == path]
    by_end = [anchor for anchor in reachable if anchor.path.endswith(f"/{path}")]
    for fitting in (by_path, by_name, by_end):
        for sort in _SEQUENCE:
            of_sort = [anchor for anchor in fitting if anchor.sort is sort]
            for anchor in (*(anchor for anchor in of_sort if _is_meant(anchor, S)), *of_sort):
                return anchor
    raise UnknownAnchor(f"no phase, procedure or decision is called `{path}`")


def enter(assembly: Assembly, S: Cells, stack: int, path: str) -> None:
    """The machine stands at an anchor; what lay on the stack is gone."""
    anchor = find(assembly, path, S)
    reached = _callers(assembly, S)
    sites: list[CallSite] = []
    procedure = anchor.procedure
    while procedure:
        sites.insert(0, reached[procedure])
        procedure = reached[procedure].caller
    del S[stack:]
    S[FP] = S[STEPS] = S[STATUS] = 0
    S[PENDING] = ()
    push(S, assembly.frames[0].blank, assembly.end, ())
    for site in sites:
        for opens in site.opens:
            opens(S)
        push(S, assembly.frames[site.callee].blank, site.back.pc, tuple([term(S) for term in site.arguments]))
        start = assembly.starts[site.callee]
        if start is not None:
            start(S)
    for opens in anchor.opens:
        opens(S)
    S[PC] = anchor.label.pc


def _is_meant(place: Anchor | CallSite, S: Cells | None) -> bool:
    return S is None or all(form(S) for form in place.forms)


def _callers(assembly: Assembly, S: Cells | None = None) -> dict[int, CallSite]:
    """By procedure that can be reached, the first place that calls it on the shortest way from the match."""
    reached: dict[int, CallSite] = {}
    known = {0}
    while True:
        found: dict[int, CallSite] = {}
        for site in sorted(assembly.sites, key=lambda site: not _is_meant(site, S)):
            if site.caller in known and site.callee not in known:
                found.setdefault(site.callee, site)
        if not found:
            return reached
        reached |= found
        known |= set(found)
