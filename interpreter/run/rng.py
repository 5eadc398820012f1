"""Where chance comes from: xoshiro256**, seeded through SplitMix64.

The outputs are those of the authors' reference, so that the same seed gives the same match on every machine and in
every version. `Generator` hands out numbers below a bound without bias, shuffles and draws. The order of its draws is
part of what a recorded match relies on: changing it would change every match.

Source: D. Blackman and S. Vigna, "Scrambled linear pseudorandom number generators"; bounds after D. Lemire, "Fast
random integer generation in an interval".
"""

from __future__ import annotations

from collections.abc import Iterator, MutableSequence, Sequence
from typing import Self, TypeVar

from rulesdsl.diagnostic import InternalError

Item = TypeVar("Item")

_WORD = (1 << 64) - 1
_HALF = (1 << 32) - 1

BOUND_LIMIT = 1 << 31
"""Bounds lie below this, so that bound times half a word stays a number that compiled code can hold, too."""

STATE_SIZE = 8
"""How many numbers below 2**32 a saved generator takes."""


def split_mix(seed: int) -> Iterator[int]:
    """The outputs of SplitMix64 from a 64-bit seed, without end."""
    state = seed & _WORD
    while True:
        state = (state + 0x9E3779B97F4A7C15) & _WORD
        mixed = ((state ^ (state >> 30)) * 0xBF58476D1CE4E5B9) & _WORD
        mixed = ((mixed ^ (mixed >> 27)) * 0x94D049BB133111EB) & _WORD
        yield mixed ^ (mixed >> 31)


class Generator:
    """A source of chance whose whole state is four words of 64 bits.

    `next_word` is written out again in `bounded` and `shuffle`: they are where random matches spend their time, and
    a call costs more than the arithmetic.
    """

    __slots__ = ("_a", "_b", "_c", "_d")

    def __init__(self, words: tuple[int, int, int, int]) -> None:
        if not any(words) or any(not 0 <= word <= _WORD for word in words):
            raise InternalError(f"a generator needs four words of 64 bits, not all zero, and got {words}")
        self._a, self._b, self._c, self._d = words

    @classmethod
    def seeded(cls, seed: int) -> Self:
        """The generator of a seed; of a seed beyond 64 bits only the lowest 64 count."""
        outputs = split_mix(seed)
        made = cls.__new__(cls)
        made._a, made._b, made._c, made._d = next(outputs), next(outputs), next(outputs), next(outputs)
        return made

    @classmethod
    def restored(cls, halves: Sequence[int]) -> Self:
        """The generator that `saved` gave these eight numbers."""
        if len(halves) != STATE_SIZE or any(not 0 <= half <= _HALF for half in halves):
            raise InternalError(f"a saved generator is eight numbers below 2**32, not {tuple(halves)}")
        low_a, high_a, low_b, high_b, low_c, high_c, low_d, high_d = halves
        return cls((high_a << 32 | low_a, high_b << 32 | low_b, high_c << 32 | low_c, high_d << 32 | low_d))

    def saved(self) -> tuple[int, ...]:
        """The state as eight numbers below 2**32: of each word the lower half, then the upper one."""
        a, b, c, d = self._a, self._b, self._c, self._d
        return (a & _HALF, a >> 32, b & _HALF, b >> 32, c & _HALF, c >> 32, d & _HALF, d >> 32)

    def copy(self) -> Generator:
        """An independent generator that gives the same outputs from here on."""
        twin = Generator.__new__(Generator)
        twin._a, twin._b, twin._c, twin._d = self._a, self._b, self._c, self._d
        return twin

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Generator):
            return NotImplemented
        return (self._a, self._b, self._c, self._d) == (other._a, other._b, other._c, other._d)

    def __repr__(self) -> str:
        return f"Generator(({self._a}, {self._b}, {self._c}, {self._d}))"

    def next_word(self) -> int:
        """The next output: 64 bits, each value as likely as any other."""
        a, b, c, d = self._a, self._b, self._c, self._d
        scrambled = b * 5 & _WORD
        scrambled = (scrambled << 7 | scrambled >> 57) & _WORD
        c ^= a
        d ^= b
        self._a = a ^ d
        self._c = c ^ (b << 17 & _WORD)
        self._b = b ^ c
        self._d = (d << 45 | d >> 19) & _WORD
        return scrambled * 9 & _WORD

    def bounded(self, bound: int) -> int:
        """A number from 0 to `bound` - 1, each as likely as any other.

        Bounds run from 1 to 2**31 - 1. For 1 nothing is drawn.

        Raises:
            InternalError: for another bound.
        """
        if not 1 < bound < BOUND_LIMIT:
            if bound == 1:
                return 0
            raise InternalError(f"a bound lies between 1 and 2**31 - 1, and {bound} does not")
        while True:
            a, b, c, d = self._a, self._b, self._c, self._d
            scrambled = b * 5 & _WORD
            scrambled = (scrambled << 7 | scrambled >> 57) & _WORD
            c ^= a
            d ^= b
            self._a = a ^ d
            self._c = c ^ (b << 17 & _WORD)
            self._b = b ^ c
            self._d = (d << 45 | d >> 19) & _WORD
            scaled = ((scrambled * 9 & _WORD) >> 32) * bound
            rest = scaled & _HALF
            # Most outputs pass the first comparison and save the division.
            if rest >= bound or rest >= (_HALF + 1 - bound) % bound:
                return scaled >> 32

    def shuffle(self, items: MutableSequence[Item]) -> None:
        """Puts the items into random order, in place: each, from the last on, changes places with one not behind it."""
        size = len(items)
        if size >= BOUND_LIMIT:
            raise InternalError(f"a bound lies between 1 and 2**31 - 1, and {size} does not")
        a, b, c, d = self._a, self._b, self._c, self._d
        word, half = _WORD, _HALF
        for bound in range(size, 1, -1):
            while True:
                scrambled = b * 5
                # What stands above a word here falls away below, where the upper half of the output is taken.
                scrambled = scrambled << 7 | scrambled >> 57 & 127
                c ^= a
                d ^= b
                a ^= d
                shifted = b << 17 & word
                b ^= c
                c ^= shifted
                d = (d << 45 | d >> 19) & word
                scaled = (scrambled * 9 >> 32 & half) * bound
                rest = scaled & half
                if rest >= bound or rest >= (half + 1 - bound) % bound:
                    break
            other = scaled >> 32
            items[bound - 1], items[other] = items[other], items[bound - 1]
        self._a, self._b, self._c, self._d = a, b, c, d

    def draw(self, items: Sequence[Item]) -> Item:
        """One of the items; they are counted in the order in which they are given.

        Raises:
            InternalError: if there is none.
        """
        return items[self.bounded(len(items))]

    def draw_some(self, items: Sequence[Item], count: int) -> list[Item]:
        """`count` different ones of the items, in the order in which they were drawn.

        Raises:
            InternalError: if there are not that many.
        """
        if not 0 <= count <= len(items):
            raise InternalError(f"{count} can't be drawn from {len(items)}")
        pool = list(items)
        size = len(pool)
        bounded = self.bounded
        for index in range(count):
            other = index + bounded(size - index)
            pool[index], pool[other] = pool[other], pool[index]
        return pool[:count]

    def roll(self, low: int, high: int) -> int:
        """A number from `low` to `high`, both included.

        Raises:
            InternalError: if `high` is below `low`.
        """
        return low + self.bounded(high - low + 1)
