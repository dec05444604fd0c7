"""What has not moved lies where it lay, however little there is to tell the grid by."""

from __future__ import annotations

from dataclasses import replace

import pytest

from rules.domino import Domino
from tests.vision.laying import Eye, Laid, seen
from vision.layout.recalled import recalled
from vision.reconstruct import rebuild

pytestmark = pytest.mark.needs("cv2")

EYE = Eye(turn_deg=4.0, tilt_deg=15.0)
FIRST = Laid(0.0, 0.0, 90.0, (3, 6))
HALF_A_CELL_OFF = Laid(4.4, 2.45, 90.0, (1, 1))


def test_a_far_tile_on_no_cell_does_not_take_the_first_one_off_the_board() -> None:
    alone = rebuild(seen([FIRST], EYE))
    both = seen([FIRST, HALF_A_CELL_OFF], EYE)
    assert not rebuild(both).table.board.placed
    after = rebuild(both, before=alone).table
    assert after.board == alone.table.board
    assert [loose.domino for loose in after.loose] == [Domino(1, 1)]


def test_a_tile_that_was_moved_is_forgotten() -> None:
    before = rebuild(seen([FIRST], EYE))
    moved = seen([replace(FIRST, y=FIRST.y + 0.3)], EYE)
    assert not recalled(moved, before.scene, before.cells)


def test_a_tile_read_the_other_way_round_keeps_its_cells() -> None:
    before = rebuild(seen([FIRST], EYE))
    (tile,) = before.scene.tiles
    turned = replace(before.scene, tiles=(replace(tile, centers_px=tile.centers_px[::-1], pips=tile.pips[::-1]),))
    (there,), (here,) = before.cells, recalled(turned, before.scene, before.cells).values()
    assert there is not None
    assert [(cell.col, cell.row) for cell in there[::-1]] == list(here.cells)
