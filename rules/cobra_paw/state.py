"""A game of Cobra Paw: dominoes face up and taken, the dice, who claimed what, and everything that can happen."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TypeAlias

from rules.domino import Domino, DominoSet
from rules.game import Seat
from rules.holding import Holding
from rules.table import Place, TableSide
from rules.two_dice import Dice, Roll

FULL_SET = DominoSet(6)
BLANK = Domino(0, 0)
GOAL = 6
SIDES: dict[int, tuple[TableSide, ...]] = {
    2: ("bottom", "top"),
    3: ("bottom", "left", "right"),
    4: ("bottom", "left", "top", "right"),
}


@dataclass(frozen=True)
class Touch:
    """A player puts a finger on a domino; `str` is "2:53", with what is known besides "2:53(covered)@12.345".

    time_s: when, in seconds; None where nobody measured it. covered: whether the hand hides the numbers.
    """

    seat: Seat
    domino: Domino
    time_s: float | None = None
    covered: bool = False

    def __str__(self) -> str:
        at = "" if self.time_s is None else f"@{self.time_s:.3f}"
        return f"{self.seat + 1}:{self.domino}{'(covered)' if self.covered else ''}{at}"


@dataclass(frozen=True)
class GiveUp:
    """Nobody finds the target after the double blank was claimed."""

    def __str__(self) -> str:
        return "none"


@dataclass(frozen=True)
class Take:
    """A player takes a domino as a reward. `str` is "2+53"."""

    seat: Seat
    domino: Domino

    def __str__(self) -> str:
        return f"{self.seat + 1}+{self.domino}"


Move: TypeAlias = Roll | Touch | GiveUp | Take


@dataclass(frozen=True)
class Hunt:
    """Everything that is known of a game.

    face_up: the dominoes in the middle, lowest first. taken: before each player. dice: as they lie, None before the
    first roll. hunting: whether they still stand for a target. roller: who rolls next, or rolled. claimed: who has a
    finger on the double blank. owed: who may still take a domino as a reward. before: how many each one had when the
    hunt began. tied: who took the sixth at the same time. since_s: when the last touch was. where: where each domino in
    the middle lies, as far as somebody looked. seated: the side of the table at which each player sits, where it is not
    the usual one. `str` is the text that the game's `start` reads.
    """

    taken: tuple[Holding, ...]
    face_up: tuple[Domino, ...] = FULL_SET.dominoes
    dice: Dice | None = None
    hunting: bool = False
    roller: Seat = 0
    claimed: Seat | None = None
    owed: tuple[Seat, ...] = ()
    before: tuple[int, ...] = ()
    tied: tuple[Seat, ...] = ()
    since_s: float | None = None
    where: tuple[tuple[Domino, Place], ...] = field(default=(), compare=False)
    seated: tuple[TableSide, ...] = ()

    @property
    def players(self) -> int:
        """How many play."""
        return len(self.taken)

    @property
    def sides(self) -> tuple[TableSide, ...]:
        """The side of the table at which each player sits."""
        return self.seated or SIDES[self.players]

    @property
    def target(self) -> Domino | None:
        """The domino that the dice show, while it is hunted."""
        return Domino.of(*self.dice) if self.dice and self.hunting else None

    @property
    def counts(self) -> tuple[int, ...]:
        """How many dominoes each player has."""
        return tuple(map(len, self.taken))

    @property
    def rewards(self) -> tuple[Domino, ...]:
        """The dominoes that may be taken as a reward: all in the middle but the double blank."""
        return tuple(domino for domino in self.face_up if domino != BLANK)

    @property
    def winner(self) -> Seat | None:
        """Who took the sixth domino alone, or after a tie the next one alone; None while nobody has."""
        if self.owed or self.hunting:
            return None
        reached = self.reached
        return reached[0] if len(reached) == 1 else None

    @property
    def over(self) -> bool:
        """Whether somebody has won, or nothing is left to take."""
        return not self.owed and not self.hunting and (self.winner is not None or not self.rewards)

    @property
    def reached(self) -> tuple[Seat, ...]:
        """Who came to six in the hunt that has just ended; after a tie, who of the tied took another domino."""
        seats = self.tied or range(self.players)
        counts, before = self.counts, self.before or (0,) * self.players
        return tuple(seat for seat in seats if counts[seat] >= GOAL and counts[seat] > before[seat])

    def __str__(self) -> str:
        from rules.cobra_paw.text import written

        return written(self)
