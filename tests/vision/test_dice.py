"""Which dominoes are none, but a die."""

from __future__ import annotations

import pytest

from vision.dice import not_dice
from vision.scene import DieDetection, TileDetection

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
