"""Bloody Legacy written by hand from its rulings, to be played beside the rule file.

It knows nothing of the language. Whoever drives it says what chance decides and what the players choose.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterator, Sequence
from dataclasses import dataclass, field

SKULLS = {"One Skull": 1, "Two Skulls": 2, "Three Skulls": 3}
DEADLY = ("Deadly Trap", "The Insane Gardener")
SLIPPERY, FLIP = "Slippery Trap", "Flip Trap"
TRAPS = (*SKULLS, *DEADLY, SLIPPERY, FLIP)
LEFT, RIGHT, NEGATE = "Pass Left", "Pass Right", "Negate"
EITHER = ("Pass Either Way", "After You Lord", "After You Lady")

Answer = tuple[int, ...]
"""A card, with its victim or side if it needs one; nothing for taking the trap."""
Chance = Callable[[str, Sequence[int]], tuple[int, ...]]
"""What is decided, among what: an arrangement (the top last), a card, a seat, a number of skulls."""


@dataclass(frozen=True)
class Asked:
    """A decision: whose it is, and what may be answered, in kinds of cards."""

    name: str
    seat: int
    options: frozenset[tuple[str | int, ...]]


@dataclass
class Game:
    """A match; `kinds` has the kind of every card by its number."""

    players: int
    kinds: Sequence[str]
    chance: Chance
    lives: list[int] = field(default_factory=list)
    inside: list[bool] = field(default_factory=list)
    hands: list[set[int]] = field(default_factory=list)
    fronts: list[dict[int, int]] = field(default_factory=list)
    deck: list[int] = field(default_factory=list)
    discard: set[int] = field(default_factory=set)
    pending: set[int] = field(default_factory=set)
    box: int = 0
    rounds: int = 0
    redeals: int = 0

    def play(self) -> Generator[Asked, Answer, None]:
        """The whole match."""
        self.lives = [3] * self.players
        (self.box,) = self.chance("box", range(self.players))
        while sum(life > 0 for life in self.lives) > 1:
            self.rounds += 1
            yield from self._round()
            self.box = self.inside.index(True)

    def _round(self) -> Generator[Asked, Answer, None]:
        self.inside = [life > 0 for life in self.lives]
        self.hands = [set() for _ in range(self.players)]
        self.fronts = [{} for _ in range(self.players)]
        self.discard, self.deck = set(), list(range(len(self.kinds)))
        self._deal()
        passes, active = 0, self.box
        while sum(self.inside) > 1:
            self.box = self._beside(active, 1)
            traps = [card for card in self.hands[active] if self.kinds[card] in TRAPS]
            if traps:
                passes = 0
                yield from self._attack(active, traps)
            else:
                passes += 1
            for seat in self._round_from(active):
                if self.inside[seat] and not self.hands[seat]:
                    self._out(seat)
            if not self.inside[self.box]:
                self.box = self._beside(self.box, 1)
            if sum(self.inside) > 1 and passes == sum(self.inside):
                self._redeal()
                passes = 0
            active = self.box

    def _round_from(self, seat: int) -> Iterator[int]:
        return ((seat + step) % self.players for step in range(self.players))

    def _beside(self, seat: int, step: int) -> int:
        """The next player on a side who is in."""
        other = (seat + step) % self.players
        while not self.inside[other]:
            other = (other + step) % self.players
        return other

    # ── cards ────────────────────────────────────────────────────────────────────────────────────────────────────

    def _deal(self) -> None:
        self.deck = list(self.chance("deck", self.deck))
        for dealt in range(3):
            for seat in self._round_from(self.box):
                slippery = sum(self.kinds[card] == SLIPPERY for card in self.fronts[seat])
                if self.inside[seat] and dealt < 3 - slippery:
                    self._draw(seat)

    def _draw(self, seat: int) -> None:
        if not self.deck:
            self.deck = list(self.chance("deck", sorted(self.discard)))
            self.discard = set()
        self.hands[seat].add(self.deck.pop())

    def _redeal(self) -> None:
        self.redeals += 1
        self.deck += [*self.discard, *set().union(*self.hands)]
        self.discard, self.hands = set(), [set() for _ in range(self.players)]
        self._deal()

    # ── a trap ───────────────────────────────────────────────────────────────────────────────────────────────────

    def _attack(self, active: int, traps: list[int]) -> Generator[Asked, Answer, None]:
        others = [seat for seat in range(self.players) if self.inside[seat] and seat != active]
        attacks = frozenset((self.kinds[trap], victim) for trap in traps for victim in others)
        trap, target = yield Asked("attack", active, attacks)
        self.hands[active].remove(trap)
        self.pending = {trap}
        self._draw(active)
        while self.pending:
            answers = self._answers(target)
            answer: Answer = ()
            if answers:
                answer = yield Asked("react", target, answers)
            if not answer:
                self._land(trap, target)
                continue
            trick = answer[0]
            self.hands[target].remove(trick)
            self.discard.add(trick)
            kind, before = self.kinds[trick], target
            if kind == NEGATE:
                self.discard.add(trap)
                self.pending = set()
            else:
                target = answer[1] if kind in EITHER else self._beside(target, 1 if kind == LEFT else -1)
            self._draw(before)

    def _answers(self, seat: int) -> frozenset[tuple[str | int, ...]]:
        options: set[tuple[str | int, ...]] = set()
        for card in self.hands[seat]:
            kind = self.kinds[card]
            if kind in EITHER:
                options |= {(kind, self._beside(seat, 1)), (kind, self._beside(seat, -1))}
            elif kind not in TRAPS:
                options.add((kind,))
        return frozenset(options | {()}) if options else frozenset()

    def _land(self, trap: int, victim: int) -> None:
        kind = self.kinds[trap]
        self.pending = set()
        front = self.fronts[victim]
        front[trap] = SKULLS.get(kind, 0)
        if kind == FLIP:
            (front[trap],) = self.chance("damage", (2, 4))
        if kind == SLIPPERY and self.hands[victim]:
            (lost,) = self.chance("lost", sorted(self.hands[victim]))
            self.hands[victim].remove(lost)
            self.discard.add(lost)
        if kind in DEADLY or sum(front.values()) >= 5:
            self._out(victim)

    def _out(self, seat: int) -> None:
        self.lives[seat] -= 1
        self.inside[seat] = False
        self.discard |= self.hands[seat] | set(self.fronts[seat])
        self.hands[seat], self.fronts[seat] = set(), {}
