"""What may lie beyond the edge of a picture: a table that is not all on it is not judged as if it were."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from rules.board import Cell
from rules.game import Problem, Verdict

if TYPE_CHECKING:
    from vision.reconstruct import Rebuilt
    from vision.scene import Scene

NEAR = 0.8  # of a tile's length: one that shows more of itself than that is found
CUT = "Dominoes lie at the edge of the picture: show the whole table."
MORE = Problem("More dominoes may lie beyond the edge of the picture.")


def within(verdict: Verdict, rebuilt: Rebuilt, whole: bool) -> Verdict:
    """The verdict as far as what may lie beyond the edge has no say in it.

    A fault holds where it is about what was seen, or about squares with room around them. whole: whether a table that
    seems solved shows that nothing of it is missing.
    """
    if not reaches_edge(rebuilt.scene):
        return verdict
    if verdict.state == "solved" and not whole:
        return replace(verdict, state="undecided", notes=(MORE,))
    sure = tuple(problem for problem in verdict.problems if problem.cells and _on_picture(problem.cells, rebuilt))
    open_ = tuple(problem for problem in verdict.problems if problem not in sure)
    if not open_:
        return verdict
    state = verdict.state if sure else "undecided"
    return replace(verdict, state=state, problems=sure, notes=(MORE, *open_, *verdict.notes))


def reaches_edge(scene: Scene) -> bool:
    """Whether a domino lies so near the edge of the picture that another one beside it may be cut off."""
    wide, high = scene.size_px
    return any(
        min(x, y, wide - x, high - y) < NEAR * tile.length_px for tile in scene.tiles for x, y in tile.corners_px
    )


def _on_picture(cells: tuple[Cell, ...], rebuilt: Rebuilt) -> bool:
    """Whether something was seen on each of these cells, or else all of a domino would be on the picture there."""
    table = rebuilt.table
    standing = (*(one.cell for one in (*table.pawns, *table.tokens)), *(die.cell for die in table.dice))
    seen = {*table.board.owner, *standing}
    wide, high = rebuilt.scene.size_px
    around = {near for cell in cells if cell not in seen for near in (cell, *cell.neighbours())}
    return all(0 < x < wide and 0 < y < high for cell in around for x, y in rebuilt.quad_px(cell))
