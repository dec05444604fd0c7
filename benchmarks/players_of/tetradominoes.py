"""Players of Tetradominoes to measure against one another; each chooses from what its seat sees."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

from rules.game import Game
from rules.tetradominoes.advice import Looking
from rules.tetradominoes.compact import Compact, Laying, place_of
from rules.tetradominoes.state import Act, Cover, Grid, Lay, Move

TetraGame = Game[Grid, Move]


def greedy(game: TetraGame, visible: Grid, moves: Sequence[Move], chance: Random) -> Move:
    """Plays a domino that brings a tetromino at once wherever one does, else any; tetrominoes in the better colour."""
    own = [move for move in moves if isinstance(move, Lay)]
    held = {*visible.shown[visible.turn], *visible.hand.known}
    own = [move for move in own if move.placed.domino in held]
    looking = Looking.of(visible)
    bringing = [move for move in own if _gain(looking, move) > 0]
    if own:
        return chance.choice(bringing or own)
    covers = [move for move in moves if isinstance(move, Cover)]
    if covers:
        best = max(looking.gain((move.piece, move.light, ())) for move in covers)
        return chance.choice([move for move in covers if looking.gain((move.piece, move.light, ())) == best])
    return chance.choice(list(moves))


def by_chance(game: TetraGame, visible: Grid, moves: Sequence[Move], chance: Random) -> Move:
    """Any move, but a tetromino wherever one can be played."""
    return chance.choice([move for move in moves if move is not Act.DONE] or list(moves))


def _gain(looking: Looking, move: Lay) -> float:
    """What the best tetromino after a domino is worth."""
    one, other = map(place_of, move.placed.cells)
    lay = Laying(one, other, move.placed.head, move.placed.tail)
    grid: Compact = looking.grid.with_lay(lay)
    return looking.gain(looking.best_option(grid, lay))
