"""Whether a map can still be completed: what speaks for sure against it, and which single changes keep one solved."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import combinations, count

from rules.board import Board, Cell, Placed
from rules.domino import Domino
from rules.game import Problem
from rules.mountains.frames import frames
from rules.mountains.heights import OPEN, SIDE, SQUARES, areas_of, heights_of
from rules.mountains.walking import Map
from rules.words import where

TRIED_FROM = 9
PATIENCE = 3_000
Half = tuple[int, int]


def why_hopeless(board: Board, left: Sequence[Domino]) -> Problem | None:
    """Why no map of 6 by 6 squares that can be walked over can come of a board, None where nothing is proved.

    left: the dominoes that may still be laid; it may be more than are needed. The last resort, from TRIED_FROM dominoes
    on, is to try everything, which gives up after PATIENCE tries and then proves nothing.
    """
    gap = missing_height(board, left)
    if gap is not None:
        lower, higher = gap - 1, gap + 1
        return Problem(f"No domino has a {gap}, and nobody can step from {lower} or less to {higher} or more.")
    corners = list(frames(board)) if board.placed else [Cell(0, 0)]
    if not corners:
        return Problem("The squares that are free can no longer be covered to make 6 by 6.", tuple(sorted(board.owner)))
    drafts = [heights_of(board.pips, corner) for corner in corners]
    if all(areas_of(heights)[0] > 1 for heights in drafts):
        return _cut_off(board, corners[0])
    tries = count()
    if len(board.placed) < TRIED_FROM:
        return None
    if not any(_completes(heights, tuple(left), tries) for heights in drafts):
        return Problem("Whatever is laid on the free squares, not every square can be walked to.")
    return None


def missing_height(board: Board, left: Sequence[Domino]) -> int | None:
    """The height that nothing shows although lower and higher squares are there for sure: such a map falls apart."""
    laid = set(board.pips.values())
    shown = {half for domino in left for half in (domino.high, domino.low)}
    sure = laid | shown if len(board.placed) + len(left) <= SQUARES // 2 else laid
    for height in range(1, max(sure, default=0)):
        if height not in laid | shown and min(sure) < height:
            return height
    return None


def _cut_off(board: Board, corner: Cell) -> Problem:
    """The smallest area that nothing can be joined to any more."""
    squares = {corner.shifted(row, col) for row in range(SIDE) for col in range(SIDE)}
    known = Map(board.pips, frozenset(squares - board.owner.keys()))
    area = known.areas()[-1]
    return Problem(f"{where(area)} can no longer be reached from the rest.".capitalize(), area)


def _completes(heights: list[int], left: tuple[Domino, ...], tries: Iterator[int]) -> bool:
    """Whether different dominoes on the open squares can make a map to walk over; True when the tries run out."""
    if areas_of(heights)[0] > 1:
        return False
    if OPEN not in heights:
        return True
    square = heights.index(OPEN)
    beside = [square + 1] if square % SIDE < SIDE - 1 else []
    for other in (*beside, square + SIDE):
        if other >= SQUARES or heights[other] != OPEN:
            continue
        for number, domino in enumerate(left):
            for one, two in {(domino.low, domino.high), (domino.high, domino.low)}:
                if next(tries) >= PATIENCE:
                    return True
                laid = list(heights)
                laid[square], laid[other] = one, two
                if _completes(laid, left[:number] + left[number + 1 :], tries):
                    return True
    return False


def turns_that_keep(board: Board) -> tuple[Placed, ...]:
    """The dominoes of a solved map that can be turned end for end, and it is solved still; doubles left out."""
    heights, corner = heights_of(board.pips, board.top_left), board.top_left
    single = [placed for placed in board.placed if placed.head != placed.tail]
    return tuple(placed for placed in single if _walks(heights, corner, [(placed, (placed.tail, placed.head))]))


def swaps_that_keep(board: Board) -> tuple[tuple[Placed, Placed], ...]:
    """The two dominoes of a solved map that can change places, head where the head was, and it is solved still."""
    heights, corner = heights_of(board.pips, board.top_left), board.top_left
    return tuple(
        (one, other)
        for one, other in combinations(board.placed, 2)
        if _walks(heights, corner, [(one, (other.head, other.tail)), (other, (one.head, one.tail))])
    )


def _walks(heights: Sequence[int], corner: Cell, changes: Sequence[tuple[Placed, Half]]) -> bool:
    changed = list(heights)
    for placed, halves in changes:
        for cell, half in zip(placed.cells, halves, strict=True):
            changed[(cell.row - corner.row) * SIDE + cell.col - corner.col] = half
    return areas_of(changed)[0] == 1
