"""The map of Mountains and Valleys as bits of one number, so that thousands of maps a second can be looked at."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from rules.board import Cell

SIDE = 6
SQUARES = SIDE * SIDE
HIGHEST = 6
OPEN = HIGHEST + 1
ALL = (1 << SQUARES) - 1
BITS = tuple(1 << square for square in range(SQUARES))
_NOT_LAST = ALL & ~sum(1 << row * SIDE + SIDE - 1 for row in range(SIDE))
_NOT_LOWEST = ALL >> SIDE


def heights_of(pips: Mapping[Cell, int], corner: Cell) -> list[int]:
    """The 36 heights of the square whose top left lies at a cell, row by row; OPEN where nothing lies."""
    rows = range(corner.row, corner.row + SIDE)
    return [pips.get(Cell(row, col), OPEN) for row in rows for col in range(corner.col, corner.col + SIDE)]


def areas_of(heights: Sequence[int]) -> tuple[int, int]:
    """Into how many areas that can be walked through a map falls, and the squares of the biggest one as bits.

    One walks over open squares wherever one likes.
    """
    return areas_at(levels_of(heights))


def levels_of(heights: Sequence[int]) -> list[int]:
    """For each height, and for OPEN, its squares as bits."""
    levels = [0] * (OPEN + 1)
    for height, bit in zip(heights, BITS, strict=True):
        levels[height] |= bit
    return levels


def areas_at(levels: Sequence[int]) -> tuple[int, int]:
    """The same for a map that is given by its levels."""
    free = levels[OPEN]
    # Where one can step to the right and down: to the same level, one lower or higher, or an open square.
    right, down, lower, here = free, free, 0, levels[0]
    for above in levels[1:]:
        near = lower | here | above | free
        right |= here & near >> 1
        down |= here & near >> SIDE
        lower, here = here, above
    return _spread(right & _NOT_LAST, down & _NOT_LOWEST)


def _spread(right: int, down: int) -> tuple[int, int]:
    left, count, biggest, most = ALL, 0, 0, 0
    while left:
        area, grown = 0, left & -left
        while grown != area:
            area = grown
            # Twice before it is asked whether it grew: asking takes as long as growing.
            grown |= (grown & right) << 1 | grown >> 1 & right
            grown |= (grown & down) << SIDE | grown >> SIDE & down
            grown |= (grown & right) << 1 | grown >> 1 & right
            grown |= (grown & down) << SIDE | grown >> SIDE & down
        left &= ~grown
        count += 1
        size = grown.bit_count()
        if size > most:
            biggest, most = grown, size
    return count, biggest
