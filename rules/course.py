"""The course of a game: who decides next, from what, between which moves; and whole games between players."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from random import Random
from typing import Generic, Protocol, TypeAlias, TypeVar, runtime_checkable

from rules.game import CHANCE, Game, IllegalMove, Mover, Problem, Seat
from rules.search import plays

S = TypeVar("S")
M = TypeVar("M")
S_contra = TypeVar("S_contra", contravariant=True)
M_contra = TypeVar("M_contra", contravariant=True)

Player: TypeAlias = Callable[[Game[S, M], S, Sequence[M], Random], M]
"""Chooses one of the moves from what its seat can see; what it leaves to luck is drawn by the chance it is given."""


@runtime_checkable
class Whispers(Protocol[S_contra, M_contra]):
    """A game in which not everybody sees what a move is."""

    def heard(self, state: S_contra, move: M_contra, seat: Seat) -> str:
        """A move in a sentence, as far as that seat sees it."""
        ...


def heard(game: Game[S, M], state: S, move: M, seat: Seat) -> str:
    """A move that was made, as far as a seat sees it: as all are told it, unless the game has secrets."""
    return game.heard(state, move, seat) if isinstance(game, Whispers) else announced(game, state, move)


@runtime_checkable
class Reveals(Protocol[S_contra, M_contra]):
    """A game in which a move tells, once it is made, what nobody may know before."""

    def revealed(self, state: S_contra, move: M_contra) -> str:
        """What a move brings to light, in sentences; "" where it brings nothing. Raises IllegalMove."""
        ...


def announced(game: Game[S, M], state: S, move: M) -> str:
    """A move that was made, in sentences: as `describe` says it beforehand, and what it brought to light."""
    said = game.describe(state, move)
    brought = game.revealed(state, move) if isinstance(game, Reveals) else ""
    return f"{said} {brought}" if brought else said


@runtime_checkable
class Warns(Protocol[S_contra, M_contra]):
    """A game in which an allowed move may spoil the end."""

    def warning(self, state: S_contra, move: M_contra) -> Problem | None:
        """What a move makes impossible that was possible before, None where nothing is proved. Raises IllegalMove."""
        ...


def warned(game: Game[S, M], state: S, move: M) -> Problem | None:
    """What to tell everybody about a legal move that spoils the end, from no more than who makes it can see."""
    if not isinstance(game, Warns):
        return None
    who = game.to_move(state)
    problem: Problem | None = game.warning(state if isinstance(who, Mover) else game.visible(state, who), move)
    return problem


@dataclass(frozen=True)
class Decision(Generic[S, M]):
    """What is to be decided in a state that is not over.

    who: the seat; CHANCE where nobody decides, and ANYONE where several may. seen: what that seat knows, or the state
    itself.
    """

    game: Game[S, M]
    who: Seat | Mover
    seen: S

    @cached_property
    def moves(self) -> tuple[M, ...]:
        """All that is legal for who decides."""
        if self.game.to_move(self.seen) is CHANCE:
            return tuple(move for move, _ in self.game.chances(self.seen))
        return tuple(move for move, _ in plays(self.game, self.seen))


def decision(game: Game[S, M], state: S) -> Decision[S, M]:
    """Who decides what: a player whose next domino comes from the shuffle decides nothing, though its name is on it."""
    who = game.to_move(state)
    if isinstance(who, Mover):
        return Decision(game, who, state)
    seen = game.visible(state, who)
    return Decision(game, CHANCE, state) if game.to_move(seen) is CHANCE else Decision(game, who, seen)


def drawn(game: Game[S, M], state: S, moves: Sequence[M], chance: Random) -> M:
    """What chance does: by its probabilities; where the shuffle has decided already, the one move there is."""
    if game.to_move(state) is not CHANCE:
        return chance.choice(moves)
    found, weights = zip(*game.chances(state), strict=True)
    move: M = chance.choices(found, weights)[0]
    return move


def playout(
    game: Game[S, M], state: S, players: Sequence[Player[S, M]], chance: Random, most: int = 100_000
) -> Iterator[tuple[M, S]]:
    """Each move of a game to its end, with the state after it: `players` by seat, chance by its probabilities.

    Where anyone may move, one of the players is drawn by lot to choose. Raises ValueError where nothing is legal
    although the game is not over, and after more than `most` moves.
    """
    for _ in range(most):
        if game.outcome(state):
            return
        at = decision(game, state)
        if at.who is CHANCE:
            move = drawn(game, state, _some(at), chance)
        else:
            player = players[chance.randrange(len(players)) if isinstance(at.who, Mover) else at.who]
            move = any_legal(game, at.seen, chance) if player is by_chance else player(game, at.seen, _some(at), chance)
        state = game.play(state, move)
        yield move, state
    raise ValueError(f"the game is not over after {most} moves:\n{state}")


def _some(at: Decision[S, M]) -> tuple[M, ...]:
    """The moves there are. Raises ValueError where there are none."""
    if not at.moves:
        raise ValueError(f"nobody can move, and the game is not over:\n{at.seen}")
    return at.moves


def any_legal(game: Game[S, M], state: S, chance: Random) -> M:
    """Any legal move, each as likely as the others; most are never tried. Raises ValueError where there is none."""
    moves = list(game.candidates(state))
    chance.shuffle(moves)
    for move in moves:
        try:
            game.play(state, move)
        except IllegalMove:
            continue
        return move
    raise ValueError(f"nobody can move, and the game is not over:\n{state}")


def by_chance(game: Game[S, M], seen: S, moves: Sequence[M], chance: Random) -> M:
    """A player who makes any legal move; in a playout the others are not even looked for."""
    return chance.choice(moves)
