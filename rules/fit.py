"""Laying what the camera saw upon a printed grid: the quarter turn and the shift under which they agree best."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Mapping
from dataclasses import dataclass

from rules.board import Board, Cell, corner, extent


@dataclass(frozen=True)
class Fit:
    """Quarter turns clockwise about (0, 0), then a shift: from the cells of the table to those of a grid."""

    turn: int = 0
    rows: int = 0
    cols: int = 0

    def apply(self, cell: Cell) -> Cell:
        """The grid's cell for a cell of the table."""
        return cell.turned(self.turn).shifted(self.rows, self.cols)

    def undo(self, cell: Cell) -> Cell:
        """The table's cell for a cell of the grid."""
        return cell.shifted(-self.rows, -self.cols).turned(-self.turn)


def best_fits(sure: Board, seen: Board, grid: Mapping[Cell, int], turn: int = 0) -> tuple[Fit, ...]:
    """Every turn and shift under which the sure tiles agree best with the grid, the likeliest first.

    seen: unsure tiles too; they speak where the sure ones leave a tie, as does `turn`, which was right before. A cell
    that agrees counts for a fit, a covered cell outside the grid against it.
    """
    covered = seen.owner
    agreeing = _votes(sure.pips, grid)
    agreeing.update(dict.fromkeys(_inside(covered, grid), 0))
    best, likeliest = -len(covered), list[Fit]()
    for fit, votes in agreeing.most_common():
        if votes < best:
            break
        score = votes - sum(fit.apply(cell) not in grid for cell in covered)
        likeliest = [*likeliest, fit] if score == best else [fit] if score > best else likeliest
        best = max(best, score)

    def rank(fit: Fit) -> tuple[int, bool, int, int, int]:
        agreeing = sum(grid.get(fit.apply(cell)) == number for cell, number in seen.pips.items())
        return -agreeing, fit.turn != turn, fit.turn, fit.rows, fit.cols

    return tuple(sorted(likeliest, key=rank))


def _votes(pips: Mapping[Cell, int], grid: Mapping[Cell, int]) -> Counter[Fit]:
    """How many cells agree under each fit that lets at least one agree."""
    places: dict[int, list[Cell]] = {}
    for cell, number in grid.items():
        places.setdefault(number, []).append(cell)
    shifts: Counter[tuple[int, int, int]] = Counter()
    for turn in range(4):
        for cell, number in pips.items():
            turned = cell.turned(turn)
            shifts.update((turn, at.row - turned.row, at.col - turned.col) for at in places.get(number, ()))
    return Counter({Fit(*shift): agreeing for shift, agreeing in shifts.items()})


def _inside(covered: Collection[Cell], grid: Mapping[Cell, int]) -> list[Fit]:
    """Every fit that puts all cells inside the grid; where none does, both top left corners together, in each turn."""
    fits = []
    (height, width), start = extent(grid), corner(grid)
    for turn in range(4):
        turned = [cell.turned(turn) for cell in covered]
        (rows, cols), first = extent(turned), corner(turned)
        down, right = start.row - first.row, start.col - first.col
        fits += [
            Fit(turn, down + row, right + col)
            for row in range(max(1, height - rows + 1))
            for col in range(max(1, width - cols + 1))
        ]
    return fits
