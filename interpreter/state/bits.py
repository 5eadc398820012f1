"""Bit sets as whole numbers: walking, counting off, building."""

from __future__ import annotations

from collections.abc import Iterable


def members(bits: int) -> list[int]:
    """The members of a set, from the lowest on."""
    found = []
    while bits:
        lowest = bits & -bits
        found.append(lowest.bit_length() - 1)
        bits ^= lowest
    return found


def nth(bits: int, number: int) -> int:
    """The member that `number` others precede."""
    for _ in range(number):
        bits &= bits - 1
    return (bits & -bits).bit_length() - 1


def set_of(numbers: Iterable[int]) -> int:
    """The set of the given members."""
    bits = 0
    for number in numbers:
        bits |= 1 << number
    return bits
