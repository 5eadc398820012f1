"""The types of the language, and what a value of each is while a match runs.

Values are whole numbers and tuples of them, nothing else, so that a state can be copied, saved and compiled:

| type                        | value                                                                    |
| --------------------------- | ------------------------------------------------------------------------ |
| `YesNo`                     | 0 or 1                                                                   |
| `Number`                    | count of its smallest step (`scale` of them make 1)                      |
| `Seat`, `Team`              | index, clockwise from 0                                                  |
| `Enum`, `Ladder`            | index of the member, in the order of the declaration                     |
| `Card`                      | index of the card within its kind                                        |
| `Face`                      | bit set of the cards of the kind that show it                            |
| `Play`                      | its stamp, counted up from 0 within the match and the zone               |
| `Text`                      | index into the texts of the program                                      |
| `Place`                     | index of the zone; from `zones` upwards the place under a card           |
| `Record`                    | tuple of the fields                                                      |
| `Range`                     | pair (low, high), both included                                          |
| `SetOf(finite type)`        | bit set: an int                                                          |
| `RowOf(type)`               | tuple without doubles, in an order of its own (stacks, rows, plays)      |
| `ListOf(type)`              | tuple, doubles kept                                                      |
| `Optional(T)`               | that of T, or `NONE`                                                     |
"""

from __future__ import annotations

from dataclasses import dataclass, field
from fractions import Fraction

NONE = -(1 << 61)
"""The value `none`: one number that no index and no number of the language can be."""

LARGEST = 10**15
"""Numbers lie between minus and plus this, in their smallest steps."""


@dataclass(frozen=True, slots=True)
class YesNo:
    """`true` or `false`."""

    def __str__(self) -> str:
        return "yes or no"


@dataclass(frozen=True, slots=True)
class Number:
    """A whole number, or a multiple of `1 / scale`. Bounds, where known, are in whole units and included."""

    scale: int = 1
    low: Fraction | None = None
    high: Fraction | None = None
    step: str = field(default="", compare=False, repr=False)
    """The rule that its declaration names for the steps, if one does."""

    def __str__(self) -> str:
        return "number" if self.scale == 1 else f"number step 1/{self.scale}"

    @property
    def is_finite(self) -> bool:
        """Whether its values can be listed."""
        return self.low is not None and self.high is not None and self.high - self.low <= 10_000


@dataclass(frozen=True, slots=True)
class Text:
    """A text that stands in a rule file."""

    def __str__(self) -> str:
        return "text"


@dataclass(frozen=True, slots=True)
class Seat:
    """A player."""

    def __str__(self) -> str:
        return "player"


@dataclass(frozen=True, slots=True)
class Team:
    """A team: the set of its players."""

    def __str__(self) -> str:
        return "team"


@dataclass(frozen=True, slots=True)
class Enum:
    """Named members; `ordered` ones compare, those of a `cycle` have a `next` that goes round."""

    name: str
    members: tuple[str, ...]
    ordered: bool = False
    cycle: bool = False

    def __str__(self) -> str:
        return self.name


@dataclass(frozen=True, slots=True)
class Ladder:
    """Rungs: every combination of the fields, ordered by the first field, then the next."""

    name: str
    fields: tuple[tuple[str, Type], ...]

    def __str__(self) -> str:
        return self.name


@dataclass(frozen=True, slots=True)
class Record:
    """Named fields kept together. `summed`: components of a score, their sum where one number is wanted."""

    name: str
    fields: tuple[tuple[str, Type], ...]
    summed: bool = False

    def __str__(self) -> str:
        return self.name


@dataclass(frozen=True, slots=True)
class Card:
    """A card of a kind: an identity, whatever its face shows."""

    kind: str

    def __str__(self) -> str:
        return self.kind


@dataclass(frozen=True, slots=True)
class Face:
    """What is printed on cards of a kind; a card `is` a face when it shows it."""

    kind: str

    def __str__(self) -> str:
        return f"face of a {self.kind}"


@dataclass(frozen=True, slots=True)
class Play:
    """A play that lies in a zone of shape `plays`."""

    zone: str

    def __str__(self) -> str:
        return "play"


@dataclass(frozen=True, slots=True)
class Place:
    """Where cards can be moved to: a zone, or under a card. Read as a value it is the cards there."""

    kind: str
    of: Type
    """The type of the cards there: a `SetOf` or a `RowOf`."""

    def __str__(self) -> str:
        return "place"


@dataclass(frozen=True, slots=True)
class Range:
    """From a lowest to a highest number."""

    of: Number

    def __str__(self) -> str:
        return "range"


@dataclass(frozen=True, slots=True)
class SetOf:
    """A set of a finite type, without order: walked by index."""

    of: Type

    def __str__(self) -> str:
        return f"set of {self.of}"


@dataclass(frozen=True, slots=True)
class RowOf:
    """A set in an order of its own."""

    of: Type

    def __str__(self) -> str:
        return f"set of {self.of}"


@dataclass(frozen=True, slots=True)
class ListOf:
    """Values in order, doubles kept."""

    of: Type

    def __str__(self) -> str:
        return f"list of {self.of}"


@dataclass(frozen=True, slots=True)
class Optional:
    """A value or `none`. Never nested, never around a set, a row or a list: their `none` is the empty one."""

    of: Type

    def __str__(self) -> str:
        return f"optional {self.of}"


@dataclass(frozen=True, slots=True)
class NoValue:
    """The type of the word `none` alone."""

    def __str__(self) -> str:
        return "none"


@dataclass(frozen=True, slots=True)
class Unknown:
    """The type of what was already reported; fits everything, so that one mistake is reported once."""

    def __str__(self) -> str:
        return "unknown"


Type = (
    YesNo
    | Number
    | Text
    | Seat
    | Team
    | Enum
    | Ladder
    | Record
    | Card
    | Face
    | Play
    | Place
    | Range
    | SetOf
    | RowOf
    | ListOf
    | Optional
    | NoValue
    | Unknown
)


def optional(of: Type) -> Type:
    """The type with `none` added; sets, rows, lists and what is optional already stay as they are."""
    match of:
        case Optional() | SetOf() | RowOf() | ListOf() | NoValue() | Unknown() | Place():
            return of
        case _:
            return Optional(of)


def required(of: Type) -> Type:
    """The type without `none`."""
    return of.of if isinstance(of, Optional) else of
