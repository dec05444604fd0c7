"""Which dominoes are none, but dice or cardboard."""

from __future__ import annotations

import pytest

from tests.vision.test_tetrominoes import EDGE, T, domino
from vision.mistaken import not_cardboard, not_dice
from vision.scene import DieDetection, TetrominoDetection, TileDetection

pytestmark = pytest.mark.needs("cv2")


@pytest.mark.parametrize(
    ("length", "doubtful", "kept"),
    [(1.4, False, False), (2.2, False, True), (2.2, True, False), (3.0, True, True)],
    ids=("a die and its side", "a sure tile", "two dice", "a tile with a die on it"),
)
def test_a_die_with_its_side_is_no_domino_and_a_domino_under_a_die_is_one(
    length: float, doubtful: bool, kept: bool
) -> None:
    far, high = 25 * length, 25.0
    corners = ((-far, -high), (-far, high), (far, high), (far, -high))
    tile = TileDetection(corners, ((-far / 2, 0.0), (far / 2, 0.0)), (5, 6), 0.9, doubtful)
    die = DieDetection((5.0, 2.0), 5, 0.9, edge_px=50.0)
    assert (not_dice([tile], [die]) == (tile,)) == kept


@pytest.mark.parametrize(("length", "kept"), [(2.1, False), (3.0, True)], ids=("two dice", "two dice on a domino"))
def test_two_dice_side_by_side_are_no_domino_however_sure_it_looks(length: float, kept: bool) -> None:
    far, high = 25 * length, 25.0
    corners = ((-far, -high), (-far, high), (far, high), (far, -high))
    tile = TileDetection(corners, ((-far / 2, 0.0), (far / 2, 0.0)), (2, 5), 0.99)
    dice = [DieDetection((x, 1.0), value, 0.9, edge_px=50.0) for x, value in ((-far / 2, 2), (far / 2, 5))]
    assert (not_dice([tile], dice) == (tile,)) == kept


def test_what_looks_like_a_back_or_a_double_blank_is_cardboard_where_a_game_has_some() -> None:
    piece = TetrominoDetection(tuple((300 + EDGE * x, 300 + EDGE * y) for x, y in T), light=True, confidence=0.6)
    back, blank, read = domino((0, 0), (0, 0), face_up=False), domino((1, 0), (0, 0)), domino((1, 0), (0, 3))
    beside = domino((2, 0), (0, 0))
    tiles = (back, blank, read, beside)
    assert not_cardboard(tiles, [piece]) == tiles
    assert not_cardboard(tiles, [piece], expected=True) == (read, beside)
