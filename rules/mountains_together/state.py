"""The table of cooperative Mountains and Valleys: hands, the domino that is passed on, and the map so far."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from functools import cached_property
from random import Random
from typing import TypeAlias

from rules.board import EMPTY, Board
from rules.domino import Domino
from rules.fit import Fit
from rules.game import Seat
from rules.holding import Holding
from rules.laying import Lay
from rules.mountains.state import FULL_SET, TILES, MountainsState
from rules.words import said

HAND_SIZES = {2: 9, 3: 6, 4: 5}


@dataclass(frozen=True)
class Pass:
    """Give a domino to the player on the left: "pass42"; only "pass" for who does not see which one it is."""

    domino: Domino | None = None

    def __str__(self) -> str:
        return f"pass{self.domino or ''}"


TogetherMove: TypeAlias = Pass | Lay


@dataclass(frozen=True)
class TogetherState:
    """One moment of the game.

    hands: by seat. turn: who passes a domino, or lays the one that was passed. passed: that domino, as far as it is
    known; nothing while one has to be passed. board: the map, the top left of its rectangle at (0, 0). fit: leads from
    the table that was read to the map. shown: the seats whose hands were seen on that table. `str` is a text that
    starts the same.
    """

    hands: tuple[Holding, ...]
    board: Board = EMPTY
    turn: Seat = 0
    passed: Holding = Holding()
    fit: Fit = field(default=Fit(), compare=False, repr=False)
    shown: frozenset[Seat] = field(default=frozenset(), compare=False, repr=False)

    @property
    def players(self) -> int:
        """How many play."""
        return len(self.hands)

    @property
    def hand(self) -> Holding:
        """The hand of who is to move."""
        return self.hands[self.turn]

    @property
    def left(self) -> Seat:
        """The seat on the left of who is to move."""
        return (self.turn + 1) % self.players

    @cached_property
    def laid(self) -> frozenset[Domino]:
        """The dominoes of the map."""
        return frozenset(placed.domino for placed in self.board.placed)

    @cached_property
    def seen(self) -> frozenset[Domino]:
        """The dominoes whose place is known."""
        return self.laid.union(self.passed.known, *(hand.known for hand in self.hands))

    @cached_property
    def unseen(self) -> tuple[Domino, ...]:
        """The dominoes that may be in an unknown hand, or not in the game at all."""
        return tuple(domino for domino in FULL_SET if domino not in self.seen)

    @property
    def is_full(self) -> bool:
        """Whether every domino of the map lies."""
        return len(self.board.placed) == TILES

    @property
    def may_come(self) -> tuple[Domino, ...]:
        """Every domino that may still be laid."""
        holdings = (*self.hands, self.passed)
        known = [domino for holding in holdings for domino in holding.known]
        return tuple(sorted((*known, *(self.unseen if any(holding.unknown for holding in holdings) else ()))))

    @property
    def map(self) -> MountainsState:
        """The same map as that of the solitaire, whose dominoes may be any."""
        return MountainsState(self.board, fit=self.fit)

    def with_hand(self, seat: Seat, hand: Holding) -> TogetherState:
        """The same with another hand at a seat."""
        return replace(self, hands=(*self.hands[:seat], hand, *self.hands[seat + 1 :]))

    def __str__(self) -> str:
        lines = [f"player {seat + 1}: {hand}".rstrip() for seat, hand in enumerate(self.hands)]
        lines += [f"passed: {self.passed}"] if len(self.passed) else []
        lines += [f"turn: {self.turn + 1}"]
        return "\n".join([*lines, *(["===", str(self.board)] if self.board.placed else [])])


def hand_said(holding: Holding) -> str:
    """A hand as it is told: "4-6, 1-3 and 5 unknown"."""
    known = ", ".join(map(said, holding.known))
    unknown = f"{holding.unknown} unknown" if holding.unknown else ""
    return " and ".join(filter(None, (known, unknown))) or "empty"


def dealt(players: int, chance: Random) -> TogetherState:
    """Hands drawn by chance, and who begins chosen by lot."""
    size = HAND_SIZES[players]
    drawn = chance.sample(FULL_SET.dominoes, players * size)
    hands = tuple(Holding(tuple(sorted(drawn[seat * size : (seat + 1) * size]))) for seat in range(players))
    return TogetherState(hands, turn=chance.randrange(players))


def hidden(state: TogetherState, seat: Seat) -> TogetherState:
    """What a seat knows: its own hand, and a domino that it has just passed on or was passed."""
    hands = tuple(hand if other == seat else hand.unseen() for other, hand in enumerate(state.hands))
    knows = seat in (state.turn, (state.turn - 1) % state.players)
    return replace(state, hands=hands, passed=state.passed if knows else state.passed.unseen())
