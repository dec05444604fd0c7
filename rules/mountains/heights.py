"""The map of Mountains and Valleys as bits of one number, so that thousands of maps a second can be looked at."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from rules.board import Cell

SIDE = 6
SQUARES = SIDE * SIDE
HIGHEST = 6
OPEN = HIGHEST + 1
ALL = (1 << SQUARES) - 1
_BITS = tuple(1 << square for square in range(SQUARES))
_NOT_LAST = ALL & ~sum(1 << row * SIDE + SIDE - 1 for row in range(SIDE))


def heights_of(pips: Mapping[Cell, int], corner: Cell) -> list[int]:
    """The 36 heights of the square whose top left lies at a cell, row by row; OPEN where nothing lies."""
    rows = range(corner.row, corner.row + SIDE)
    return [pips.get(Cell(row, col), OPEN) for row in rows for col in range(corner.col, corner.col + SIDE)]


def areas_of(heights: Sequence[int]) -> tuple[int, int]:
    """Into how many areas that can be walked through a map falls, and the squares of the biggest one as bits.

    One walks over open squares wherever one likes.
    """
    levels = [0] * (OPEN + 1)
    for height, bit in zip(heights, _BITS, strict=True):
        levels[height] |= bit
    free = levels[OPEN]
    # Where one can step to the right and down: to the same level, one lower or higher, or an open square.
    right, down, lower = free, free, 0
    for height in range(HIGHEST + 1):
        here, above = levels[height], levels[height + 1]
        near = lower | here | above | free
        right |= here & near >> 1
        down |= here & near >> SIDE
        lower = here
    return _spread(right & _NOT_LAST, down)


def _spread(right: int, down: int) -> tuple[int, int]:
    left, count, biggest, most = ALL, 0, 0, 0
    while left:
        area, grown = 0, left & -left
        while grown != area:
            area = grown
            # Twice before it is asked whether it grew: asking takes as long as growing.
            grown |= (grown & right) << 1 | grown >> 1 & right | (grown & down) << SIDE | grown >> SIDE & down
            grown |= (grown & right) << 1 | grown >> 1 & right | (grown & down) << SIDE | grown >> SIDE & down
        grown &= ALL
        left &= ~grown
        count += 1
        if grown.bit_count() > most:
            biggest, most = grown, grown.bit_count()
    return count, biggest
