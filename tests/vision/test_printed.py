"""A printed pattern is no tile: what looks so in many other places, and has no clear numbers, is left out."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

if TYPE_CHECKING:
    from vision.scene import TileDetection

pytestmark = pytest.mark.needs("cv2")

WIDTH, LONG = 44, 88


def checked_cloth() -> np.ndarray:
    """Blue lines on brown, as far apart as a tile is wide, (480, 640, 3)."""
    cloth = np.full((480, 640, 3), (30, 70, 120), np.uint8)
    grain = np.random.default_rng(1).normal(0, 6, (480, 640, 1))
    cloth = np.clip(cloth + grain, 0, 255).astype(np.uint8)
    for at in range(10, 640, WIDTH):
        cloth[:, at : at + 7] = (190, 20, 30)
        cloth[at : at + 7, :] = (190, 20, 30)
    return cloth


def tile_at(left: float, top: float, **known: Any) -> TileDetection:
    """A doubtful tile standing upright at this place."""
    from vision.scene import TileDetection

    corners = ((left, top), (left + WIDTH, top), (left + WIDTH, top + LONG), (left, top + LONG))
    middles = ((left + WIDTH / 2, top + LONG / 4), (left + WIDTH / 2, top + 3 * LONG / 4))
    return replace(TileDetection(corners, middles, (6, 0), 0.5, doubtful=True), **known)


def shrunk(tile: TileDetection, by: float) -> Any:
    return tuple((by * x, by * y) for x, y in tile.corners_px)


def lay(cloth: np.ndarray, left: int, top: int) -> None:
    """A white tile with one pip on the cloth."""
    cloth[top : top + LONG, left : left + WIDTH] = 235
    cloth[top + 16 : top + 26, left + 17 : left + 27] = 20


def kept(cloth: np.ndarray, *tiles: TileDetection) -> list[bool]:
    from vision.printed import not_printed

    left = not_printed(cloth, tiles)
    return [tile in left for tile in tiles]


def test_the_squares_of_a_checked_cloth_are_no_tiles() -> None:
    cloth = checked_cloth()
    assert kept(cloth, tile_at(98, 98), tile_at(230, 142)) == [False, False]
    assert kept(cloth, tile_at(98, 98, face_up=False), tile_at(230, 142)) == [False, False]


def test_a_doubtful_tile_on_a_checked_cloth_is_one() -> None:
    cloth = checked_cloth()
    lay(cloth, 300, 200)
    assert kept(cloth, tile_at(300, 200), tile_at(98, 98)) == [True, False]


def test_sure_numbers_are_believed_on_any_cloth() -> None:
    assert kept(checked_cloth(), tile_at(98, 98, doubtful=False, confidence=0.99)) == [True]


def test_two_tiles_that_were_overlooked_make_no_pattern() -> None:
    cloth = np.full((480, 640, 3), (30, 70, 120), np.uint8)
    for left in (40, 240, 440):
        lay(cloth, left, 60)
    assert kept(cloth, tile_at(40, 60)) == [True]


def test_tiles_face_down_of_which_some_were_overlooked_make_no_pattern() -> None:
    cloth = np.full((480, 640, 3), (30, 70, 120), np.uint8)
    places = [(30 + 60 * col, 20 + 110 * row) for row in range(4) for col in range(7)]
    for left, top in places:
        cloth[top : top + LONG, left : left + WIDTH] = (120, 60, 60)
    found = [tile_at(left, top, face_up=False, doubtful=False) for left, top in places[:-6]]
    assert kept(cloth, *found) == [True] * len(found)


def test_a_plain_table_has_no_pattern() -> None:
    cloth = np.full((480, 640, 3), 250, np.uint8)
    assert kept(cloth, tile_at(40, 60), tile_at(240, 60, face_up=False)) == [True, True]
    assert kept(cloth) == []


def test_a_tile_that_is_doubtful_only_for_its_length_is_believed_on_any_cloth() -> None:
    """All tiles of a large photo taken from far away are: to compare each with the whole table took a minute."""
    assert kept(checked_cloth(), tile_at(98, 98, confidence=0.97)) == [True]


def test_a_large_picture_of_small_tiles_is_compared_at_the_size_of_a_usual_one(monkeypatch: pytest.MonkeyPatch) -> None:
    import cv2

    sizes, resize = list[int](), cv2.resize

    def noted(*args: Any, **how: Any) -> np.ndarray:
        sizes.append(max((small := np.asarray(resize(*args, **how))).shape))
        return small

    monkeypatch.setattr(cv2, "resize", noted)
    tile = tile_at(98, 98)
    kept(np.kron(checked_cloth(), np.ones((6, 6, 1), np.uint8)), replace(tile, corners_px=shrunk(tile, 0.3)))
    assert sizes == [1280]
