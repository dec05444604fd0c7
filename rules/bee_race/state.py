"""A race of Bee as it stands: the board, the bees, the round, what was claimed, who demonstrates, and the points."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from enum import Enum
from functools import cached_property

from rules.bee.setup import FEWEST, MOST
from rules.bee.state import Bee, BeeState, start_spaces
from rules.bee_race.moves import LONGEST_CLAIM, Claim
from rules.board import EMPTY, Board
from rules.domino import DominoSet
from rules.fit import Fit
from rules.game import Seat
from rules.words import count

TIMER_S = 60.0
HESITATION_S = 10.0
MOST_PLAYERS = 6
AT_FIRST = 2
"""The dice that are rolled before the first queen."""


class Phase(Enum):
    """What happens now.

    SETTING_UP: the dominoes are laid out. ROLLING: a die is rolled. SOLVING: everybody thinks and claims. FLYING:
    somebody demonstrates. RETURNING: a demonstration failed, and the dice go back for the next. SETTLED: the round is
    over.
    """

    SETTING_UP = "setting up"
    ROLLING = "rolling"
    SOLVING = "solving"
    FLYING = "flying"
    RETURNING = "returning"
    SETTLED = "settled"


@dataclass(frozen=True)
class Race:
    """Everything that is known of a race.

    points: by seat. dice: how many there are, and the highest number of the dominoes. rounds: how many were agreed.
    round: the number of this one, from 1. series: a die more for each new board, up to six. together: no race, but all
    help the one who flies. bees: the dice on the board. queen: this round's, None before she is rolled. queen_s: when
    she came. claims: each player's best, in the order in which they were said. failed: whose demonstration failed.
    flown: the flights of the demonstration so far. scored: who won the round that is over. deadline_s: when the timer
    ends, or the patience with who demonstrates. since_s: when the last thing happened. boards: how many were laid.
    luck: what shuffles the dominoes, None where people do. `str` is the text that the game's `start` reads.
    """

    points: tuple[int, ...]
    dice: int = FEWEST
    rounds: int = 1
    round: int = 1
    series: bool = False
    together: bool = False
    phase: Phase = Phase.SETTING_UP
    board: Board = field(default=EMPTY, hash=False)
    bees: tuple[Bee, ...] = ()
    queen: int | None = None
    queen_s: float | None = None
    claims: tuple[Claim, ...] = ()
    failed: tuple[Seat, ...] = ()
    flown: int = 0
    scored: tuple[Seat, ...] = ()
    deadline_s: float | None = None
    since_s: float | None = None
    timer_s: float = TIMER_S
    hesitation_s: float = HESITATION_S
    boards: int = 0
    luck: int | None = None
    fit: Fit = field(default=Fit(), compare=False, repr=False)

    @property
    def players(self) -> int:
        """How many play."""
        return len(self.points)

    @property
    def alone(self) -> bool:
        """Whether nobody is there to be quicker: one player, or all together."""
        return self.together or self.players == 1

    @property
    def used(self) -> DominoSet:
        """The dominoes of the board: all up to the number of dice."""
        return DominoSet(self.dice)

    @cached_property
    def spaces(self) -> tuple[Bee, ...]:
        """The starting spaces of the board, each as a die that stands there."""
        return tuple(Bee(number, cell) for number, cell in sorted(start_spaces(self.board).items()))

    @property
    def empty(self) -> tuple[int, ...]:
        """The numbers of the starting spaces whose die is not on the board."""
        there = {bee.number for bee in self.bees}
        return tuple(space.number for space in self.spaces if space.number not in there)

    @property
    def home(self) -> tuple[Bee, ...]:
        """The dice of the board on their starting spaces."""
        there = {bee.number for bee in self.bees}
        return tuple(space for space in self.spaces if space.number in there)

    @cached_property
    def swarm(self) -> BeeState | None:
        """The puzzle as it stands; None while there is no queen."""
        return None if self.queen is None else BeeState(self.board, self.bees, self.queen, self.fit)

    @property
    def puzzle(self) -> BeeState | None:
        """The puzzle of the round from its beginning; None while there is no queen."""
        return None if self.queen is None else BeeState(self.board, self.home, self.queen, self.fit)

    @property
    def ranked(self) -> tuple[Claim, ...]:
        """The claimed solutions, the best first: fewest moves, then fewest points, then who said it first."""
        return tuple(sorted((one for one in self.claims if one.moves is not None), key=self._rank))

    def _rank(self, claim: Claim) -> tuple[int, int]:
        return claim.moves or 0, self.points[claim.seat]

    @property
    def impossible(self) -> Claim | None:
        """Who says that there is no solution."""
        return next((claim for claim in self.claims if claim.moves is None), None)

    @property
    def shown(self) -> Claim | None:
        """The claim that is to be demonstrated: the best one whose demonstration has not failed."""
        return next((claim for claim in self.ranked if claim.seat not in self.failed), None)

    @property
    def left(self) -> int:
        """How many flights of what was claimed are left; as many as anybody can claim where nothing was."""
        return self.shown.moves - self.flown if self.shown and self.shown.moves else LONGEST_CLAIM

    @property
    def flier(self) -> Seat:
        """Who demonstrates; of those who play together another one each round."""
        return self.shown.seat if self.shown else (self.round - 1) % self.players

    @property
    def returns(self) -> bool:
        """Whether the dice are to go back to their starting spaces, for the next demonstration or round."""
        return self.phase is Phase.RETURNING or (self.phase is Phase.SETTLED and not self.over)

    @property
    def over(self) -> bool:
        """Whether the agreed rounds are played, and in a race one player leads; a tie is played on."""
        played = self.phase is Phase.SETTLED and self.round >= self.rounds
        return played and (self.alone or self.points.count(max(self.points)) == 1)

    @property
    def used_up(self) -> bool:
        """Whether the round that is over was the last of its board, and a new one is laid for the next."""
        return self.phase is Phase.SETTLED and not self.over and not self.empty

    def claim_of(self, seat: Seat) -> Claim | None:
        """What that player claims."""
        return next((claim for claim in self.claims if claim.seat == seat), None)

    def grown(self) -> Race:
        """With the dice of the next board: in a series one more, up to six."""
        return replace(self, dice=min(self.dice + 1, MOST)) if self.series else self

    def __str__(self) -> str:
        from rules.bee_race.text import written

        return written(self)


def said(claim: Claim) -> str:
    """What was claimed: "5 moves"."""
    return "impossible" if claim.moves is None else count(claim.moves, "move")
