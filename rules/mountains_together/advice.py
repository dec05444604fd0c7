"""Advice for cooperative Mountains and Valleys: which domino to pass, and where to lay the one that was passed."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import islice
from random import Random
from typing import NamedTuple

from rules.board import Board, Cell, Placed, extent
from rules.domino import Domino
from rules.game import Game, IllegalMove
from rules.holding import guessed
from rules.laying import Lay
from rules.mountains.annealing import Place, anneal
from rules.mountains.frames import covering, frames, squares_at
from rules.mountains.heights import SIDE, areas_of, heights_of
from rules.mountains.state import FULL_SET, TILES
from rules.mountains.walking import STEP
from rules.mountains_together.state import Pass, TogetherMove, TogetherState, player
from rules.players import Suggestion
from rules.watch import Watch
from rules.words import count, where

TRIED = 6
DEALS = 8
MOST = 20
TogetherGame = Game[TogetherState, TogetherMove]


class _Look(NamedTuple):
    """A placement at a glance, to be compared: how well it meets its neighbours, then how small the map stays."""

    smooth: int
    compact: int


def glance(board: Board, placed: Placed) -> _Look:
    """How good a placement seems without looking ahead: more is better."""
    smooth = sum(1 if drop <= STEP else -drop for drop in _drops(board, placed))
    rows, cols = extent((*board.owner, *placed.cells))
    return _Look(smooth, -max(rows, cols) * SIDE - rows * cols)


def advise(
    game: TogetherGame, state: TogetherState, watch: Watch, chance: Random
) -> tuple[Suggestion[TogetherMove], ...]:
    """The moves that leave most deals of the unknown hands a map that can be walked over, the best first.

    Each is tried on the same deals, as Long's determinisation (1996) does; each map is looked for by annealing.
    """
    if len(state.passed) and not state.passed.known:
        return ()
    tried = sensible(game, state)
    deals = [deal for deal in (_dealt(state, chance) for _ in range(DEALS)) if deal is not None]
    found = list[Suggestion[TogetherMove]]()
    for number, (move, placed) in enumerate(tried):
        laid = state.board.laid(placed)
        corners, ways = list(frames(laid)), list[bool]()
        for deal in deals:
            if not watch.goes_on(number * len(deals) + len(ways), 0):
                break
            ways.append(_completed(laid, corners, deal, chance))
        if found and len(ways) < len(deals):
            break
        found.append(_told(state, move, placed, ways))
    return tuple(sorted(found, key=lambda suggestion: -suggestion.worth))


def ranked(game: TogetherGame, state: TogetherState) -> Iterator[tuple[TogetherMove, Placed]]:
    """The moves, best at a glance first; each domino that may be passed with its best placement."""
    if len(state.passed):
        yield from ((Lay(placed), placed) for placed in _lays(game, state))
        return
    best = list[tuple[TogetherMove, Placed]]()
    for domino in state.hand.known:
        after = game.play(state, Pass(domino))
        best += [(Pass(domino), placed) for placed in islice(_lays(game, after), 1)]
    yield from sorted(best, key=lambda pair: glance(state.board, pair[1]), reverse=True)


def _lays(game: TogetherGame, state: TogetherState) -> Iterator[Placed]:
    """The legal placements, best at a glance first: most are never asked for."""
    tried = [move.placed for move in game.candidates(state) if isinstance(move, Lay)]
    for placed in sorted(tried, key=lambda placed: glance(state.board, placed), reverse=True):
        try:
            game.play(state, Lay(placed))
        except IllegalMove:
            continue
        yield placed


def sensible(game: TogetherGame, state: TogetherState) -> list[tuple[TogetherMove, Placed]]:
    """The best at a glance; those that make 6 by 6 impossible only where there are no others."""
    every = list(islice(ranked(game, state), MOST))
    fine = (pair for pair in every if _leaves_room(state.board.laid(pair[1])))
    return list(islice(fine, TRIED)) or every[:TRIED]


def _leaves_room(board: Board) -> bool:
    """Whether 6 by 6 is still possible, or done."""
    return any(frames(board))


def _dealt(state: TogetherState, chance: Random) -> tuple[Domino, ...] | None:
    """The dominoes that may be laid after this one, if the unknown hands are so; None where nobody can have those."""
    held = guessed(state.hands, state.laid.union(state.passed.known), FULL_SET.dominoes, chance)
    return tuple(domino for hand in held for domino in hand.known) if held else None


def _completed(board: Board, corners: Sequence[Cell], deal: Sequence[Domino], chance: Random) -> bool:
    """Whether a short search finds a map to walk over, with the dominoes of a deal that are not laid."""
    free = [domino for domino in deal if domino not in {placed.domino for placed in board.placed}]
    lacking = TILES - len(board.placed)
    if not corners or len(free) < lacking:
        return False
    corner = chance.choice(corners)
    heights = heights_of(board.pips, corner)
    if areas_of(heights)[0] > 1:
        return False
    if not lacking:
        return True
    starts = list(_starts(board, corner, chance))
    return anneal(heights, chance.sample(free, lacking), starts, chance, Watch(most_states=0))[0] is not None


def _starts(board: Board, corner: Cell, chance: Random) -> Iterator[list[Place]]:
    """One way at random to cover what is free of the square."""
    ways = covering([cell for cell in squares_at(corner) if cell not in board.owner], chance) or []
    yield [(_square(one, corner), _square(other, corner)) for one, other in ways]


def _square(cell: Cell, corner: Cell) -> int:
    return (cell.row - corner.row) * SIDE + cell.col - corner.col


def _told(state: TogetherState, move: TogetherMove, placed: Placed, ways: Sequence[bool]) -> Suggestion[TogetherMove]:
    worth = sum(ways) / max(1, len(ways))
    return Suggestion(move, _reason(state, move, placed, sum(ways), len(ways)), worth)


def _reason(state: TogetherState, move: TogetherMove, placed: Placed, ways: int, deals: int) -> str:
    if not _leaves_room(state.board.laid(placed)):
        return "Whatever is laid, 6 by 6 becomes impossible: this costs least."
    place = f"{player(state.left)} can lay it at {where(placed.cells)}" if isinstance(move, Pass) else "There it lies"
    if not deals:
        return f"{place}, {_meeting(state.board, placed)}."
    odds = f"in {ways} of {count(deals, 'deal')} of the unknown dominoes a perfect map was soon found after it."
    return f"{place}, {_meeting(state.board, placed)}; {odds}"


def _meeting(board: Board, placed: Placed) -> str:
    """How a placement meets its neighbours."""
    cliffs = [drop for drop in _drops(board, placed) if drop > STEP]
    if not board.placed:
        return "the first of all"
    if not cliffs:
        return "no more than one level from every neighbour"
    return f"with {count(len(cliffs), 'cliff')} of up to {max(cliffs)} levels"


def _drops(board: Board, placed: Placed) -> list[int]:
    """The levels between a placement and each of its neighbours."""
    halves = zip(placed.cells, (placed.head, placed.tail), strict=True)
    return [
        abs(height - board.pips[near]) for cell, height in halves for near in cell.neighbours() if near in board.pips
    ]
