"""What games with players and chance have besides: setting up, advice, what is owed, and a board to look at in text."""

from __future__ import annotations

from dataclasses import dataclass
from random import Random
from typing import Any, Generic, Protocol, TypeVar, runtime_checkable

from rules.game import Game, Seat
from rules.watch import Watch

S = TypeVar("S")
S_contra = TypeVar("S_contra", contravariant=True)
S_co = TypeVar("S_co", covariant=True)
M = TypeVar("M")
M_co = TypeVar("M_co", covariant=True)


@dataclass(frozen=True)
class Suggestion(Generic[M_co]):
    """A move that is advised, why in one sentence, and what it is worth to who makes it: more is better.

    worth: in the game's own measure, as points or the chance to win; only moves of one answer can be compared. nudge:
    what a first hint says, where the reason would give the move or its place away. place: what a second hint says,
    where the cells do not tell it, or there are none.
    """

    move: M_co
    reason: str
    worth: float = 0.0
    nudge: str = ""
    place: str = ""


@runtime_checkable
class Seated(Protocol):
    """A state that says how many play."""

    @property
    def players(self) -> int:
        """How many play."""
        ...


@runtime_checkable
class SetsUp(Protocol[S_co]):
    """A game that can be set up for so many players, its dominoes shuffled."""

    @property
    def variants(self) -> tuple[str, ...]:
        """The names of the ways to play it, the usual one first."""
        ...

    def set_up(self, players: int, chance: Random, variant: str = "") -> S_co:
        """The first state, with everything known that chance decided, as `visible` hides it from each seat.

        variant: one of `variants`, "" for the usual one. Raises ValueError, in a sentence, for a number of players or a
        variant that the game does not have. `str` of the state is a text from which the game's `start` sets it up anew.
        """
        ...


@runtime_checkable
class Fills(Protocol[S]):
    """A game with hands that may be unknown, and that can deal them, so that somebody can play without a table."""

    def filled(self, state: S, chance: Random) -> S:
        """The state with each hand known, what nobody knew of it dealt by chance; as it is where no deal fits."""
        ...


@runtime_checkable
class Suggests(Protocol[S_contra, M_co]):
    """A game that gives advice."""

    def suggest(self, state: S_contra, watch: Watch, chance: Random) -> tuple[Suggestion[M_co], ...]:
        """Good moves for whoever is to move, the best first; from no more than that seat can see.

        Whatever is left to the program's luck is drawn by `chance`. Ends in good time when `watch` says so.
        """
        ...


def is_contest(game: Game[Any, Any]) -> bool:
    """Whether several play against each other, so that there is advice, and nobody knows how it will end."""
    return game.info.players[1] > 1 and isinstance(game, Suggests)


@runtime_checkable
class Owes(Protocol[S_contra]):
    """A game that can say what has to be done now."""

    def owed(self, state: S_contra) -> str:
        """What who is to move has to do next, in a sentence: "Draw a domino, for none of yours can be played."."""
        ...


@runtime_checkable
class Tells(Protocol[S_contra]):
    """A game whose states can be shown as lines of text."""

    def told(self, state: S_contra, seat: Seat | None = None) -> str:
        """The table, the hands as that seat sees them (None: all that is known), and the score, to be printed."""
        ...


@runtime_checkable
class Clocked(Protocol[S_contra, M]):
    """A game that runs on the clock: its events carry the time at which they happened, in seconds."""

    def stamped(self, state: S_contra, move: M, time_s: float) -> M:
        """The same event with its time; one that has a time already keeps it."""
        ...

    def due(self, state: S_contra) -> M | None:
        """The event that the clock alone brings next, with its time; None while no time runs."""
        ...

    def since(self, state: S_contra) -> float | None:
        """When the last event happened; None before any has."""
        ...
