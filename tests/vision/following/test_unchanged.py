"""What seems to be a tile where a table was seen without one and has not changed since."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from vision.following.sighting import sighted
from vision.following.unchanged import Unchanged
from vision.motion import Mask
from vision.reading import NO_DOMINO
from vision.scene import TileDetection

pytestmark = pytest.mark.needs("cv2")

SHAPE = (90, 160)
TILE = TileDetection(((10, 30), (10, 10), (50, 10), (50, 30)), ((20, 20), (40, 20)), (0, 0), 0.9, face_up=False)


def place(row: int, col: int) -> Mask:
    """The cells of a tile that lies there."""
    mask = np.zeros(SHAPE, np.bool_)
    mask[row : row + 10, col : col + 20] = True
    return mask


def test_where_a_full_read_found_no_tile_nothing_is_there_until_something_changes() -> None:
    table = Unchanged()
    assert not table.there(place(40, 60))
    table.read([place(10, 10)], SHAPE)
    assert table.there(place(40, 60))
    assert not table.there(place(10, 10))
    assert not table.there(place(40, 60), changing=place(40, 60))
    table.changed(place(42, 60))
    assert not table.there(place(40, 60))
    assert table.there(place(60, 100))


def test_a_camera_that_was_moved_sees_another_table() -> None:
    table = Unchanged()
    table.read([], SHAPE)
    table.forget()
    assert not table.there(place(40, 60))
    table.changed(place(40, 60))


def test_what_appeared_where_nothing_came_is_told_as_perhaps_none_unless_its_numbers_are_clear() -> None:
    back = replace(sighted(TILE, 3), appeared=True)
    assert (back.told.doubtful, back.told.why) == (True, NO_DOMINO)
    front = replace(back, tile=replace(TILE, face_up=True, pips=(2, 5), confidence=0.98))
    assert front.told.why == NO_DOMINO  # letters on a box are as clear
    assert not replace(front, tile=replace(front.tile, confidence=0.999)).told.doubtful
    unsure = replace(back, tile=replace(TILE, face_up=True, pips=(2, 5), doubtful=True, why="2 or 6 at one end"))
    assert unsure.told.why == NO_DOMINO
    assert not sighted(TILE, 3).told.doubtful
