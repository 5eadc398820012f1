"""Where the outcomes of chance come from: the generator of the match, or a list that somebody wrote.

Everything that chance decides goes through one function, `outcome`, so that the order of the draws is the order of the
steps. What has one possible outcome draws nothing.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from enum import Enum
from typing import NamedTuple, Protocol

from rulesdsl.ir.nodes import Value

from ..state.bits import members
from ..state.cells import GENERATOR
from ..state.errors import MatchError
from .code import Cells
from .rng import BOUND_LIMIT, STATE_SIZE, Generator


class Sort(Enum):
    """What is asked of chance, and what an outcome looks like."""

    ORDER = "order"
    """An arrangement of all of `among`: a tuple of them."""
    ONE = "one"
    """One of `among`."""
    SOME = "some"
    """`number` different ones of `among`: a tuple of them."""
    NUMBER = "number"
    """A number from the first of `among` to the second, both included."""


class Request(NamedTuple):
    """One question to chance; `name` is how the rule file calls what is decided."""

    name: str
    sort: Sort
    among: tuple[Value, ...]
    number: int = 1


class Chance(Protocol):
    """A source of outcomes. All it remembers is kept in the state, so that a copied match goes its own way."""

    def start(self, seed: int) -> tuple[int, ...]:
        """What the cell for the generator holds at the beginning."""
        ...

    def outcome(self, S: Cells, request: Request) -> Value:
        """What chance decides."""
        ...


class Seeded:
    """Draws from the generator whose state is a part of the match."""

    def __init__(self) -> None:
        self._generator = Generator.seeded(0)
        self._saved: tuple[int, ...] = self._generator.saved()

    def start(self, seed: int) -> tuple[int, ...]:
        """The generator of a seed, saved."""
        # Most likely it is asked next, and then it need not be restored.
        self._generator = Generator.seeded(seed)
        self._saved = self._generator.saved()
        return self._saved

    def outcome(self, S: Cells, request: Request) -> Value:
        """Draws, and puts the generator back into the state."""
        among = request.among
        match request.sort:
            case Sort.ONE:
                if len(among) == 1:
                    return among[0]
                drawn: Value = self._restored(S).draw(among)
            case Sort.NUMBER:
                low, high = among
                assert isinstance(low, int)
                assert isinstance(high, int)
                if low == high:
                    return low
                if high - low + 1 >= BOUND_LIMIT:
                    raise MatchError(f"a roll can't have {high - low + 1} outcomes")
                drawn = self._restored(S).roll(low, high)
            case Sort.ORDER:
                if len(among) < 2:
                    return among
                items = list(among)
                self._restored(S).shuffle(items)
                drawn = tuple(items)
            case Sort.SOME:
                if request.number <= 0:
                    return ()
                if request.number >= len(among):
                    return among
                drawn = tuple(self._restored(S).draw_some(among, request.number))
        saved = self._generator.saved()
        if len(S[GENERATOR]) > STATE_SIZE:
            saved += S[GENERATOR][STATE_SIZE:]
        S[GENERATOR] = self._saved = saved
        return drawn

    def _restored(self, S: Cells) -> Generator:
        if S[GENERATOR] is not self._saved:
            self._generator = Generator.restored(S[GENERATOR][:STATE_SIZE])
        return self._generator


class Scripted:
    """Gives written outcomes, in order, by the name of what is decided; a name without any left draws from a seed.

    Of an arrangement (`ORDER`) the outcome may be the beginning or the end that matters: what it leaves out keeps its
    order in front of it. How many outcomes were used is kept behind the generator's numbers. Of what looks alike any
    one is meant: `alike` has, by name and value, the set of those that nobody could tell from it.
    """

    def __init__(
        self, outcomes: Mapping[str, Sequence[Value]], alike: Mapping[str, Sequence[int]] | None = None
    ) -> None:
        self._outcomes = {name: tuple(given) for name, given in outcomes.items()}
        self._alike = alike or {}
        self._position = {name: STATE_SIZE + index for index, name in enumerate(self._outcomes)}
        self._otherwise = Seeded()

    def start(self, seed: int) -> tuple[int, ...]:
        """The generator of a seed, and that nothing was used yet."""
        return self._otherwise.start(seed) + (0,) * len(self._outcomes)

    def outcome(self, S: Cells, request: Request) -> Value:
        """The next outcome of that name.

        Raises:
            MatchError: if that can't come about here.
        """
        position = self._position.get(request.name)
        if position is None or S[GENERATOR][position] >= len(self._outcomes[request.name]):
            return self._otherwise.outcome(S, request)
        used = S[GENERATOR]
        given = self._outcomes[request.name][used[position]]
        S[GENERATOR] = (*used[:position], used[position] + 1, *used[position + 1 :])
        return self._fitted(request, self._there(request, given))

    def _there(self, request: Request, given: Value) -> Value:
        """The outcome with what is there in place of what looks like it and is elsewhere."""
        alike = self._alike.get(request.name)
        if alike is None:
            return given
        left = list(request.among)
        found: list[Value] = []
        for value in given if isinstance(given, tuple) else (given,):
            likes = members(alike[value]) if isinstance(value, int) else []
            chosen = value if value in left else next((like for like in likes if like in left), value)
            if chosen in left:
                left.remove(chosen)
            found.append(chosen)
        return tuple(found) if isinstance(given, tuple) else found[0]

    def _fitted(self, request: Request, given: Value) -> Value:
        among = request.among
        match request.sort:
            case Sort.ONE:
                if given in among:
                    return given
            case Sort.NUMBER:
                low, high = among
                if isinstance(given, int) and isinstance(low, int) and isinstance(high, int) and low <= given <= high:
                    return given
            case Sort.ORDER:
                if isinstance(given, tuple) and len(set(given)) == len(given) and set(given) <= set(among):
                    return tuple(member for member in among if member not in given) + given
            case Sort.SOME:
                wanted = min(max(request.number, 0), len(among))
                if isinstance(given, tuple) and len(set(given)) == len(given) == wanted and set(given) <= set(among):
                    return given
        raise MatchError(f"the outcome written for `{request.name}` can't come about here")
