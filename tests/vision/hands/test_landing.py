"""What the quick eyes make of a tile: seen in a mirror, too, a hand from the left is one from the right."""

from itertools import pairwise

import cv2
import numpy as np
import pytest

from rules.table import TableSide
from vision.hands.landing import MEMORY, Landing, LandingEyes, Landings, Watched
from vision.straighten import Image

pytestmark = pytest.mark.needs("cv2", "onnxruntime")

WIDTH, LENGTH = 400, 50.0
CORNERS = np.array([[175.0, 140], [175, 165], [225, 165], [225, 140]])
FROM_THE_LEFT = [-160, -120, -80, -50, -30, -15, -5, 0, 0, 0, 0, 0]  # where the fingertip is, frame by frame


def table(finger_x: int | None) -> Image:
    """A white tile on green cloth, and a finger that reaches for it from the left."""
    picture = np.full((300, WIDTH, 3), (60, 110, 40), np.uint8)
    cv2.rectangle(picture, (175, 140), (225, 165), (240, 240, 240), -1)
    if finger_x is not None:
        cv2.line(picture, (-60, 190), (200 + finger_x, 152), (130, 160, 210), 18, cv2.LINE_AA)
    return picture


def watched(side: TableSide, mirrored: bool, twice: tuple[int, ...], eyes: LandingEyes) -> list[Landing]:
    """What is seen of that reach, or of the same one in a mirror."""

    def shown(finger_x: int | None) -> Image:
        picture = table(finger_x)
        return np.ascontiguousarray(picture[:, ::-1]) if mirrored else picture

    tile = Watched(np.array([WIDTH, 0]) + CORNERS * [-1, 1] if mirrored else CORNERS, LENGTH, shown(None))
    landings, frames, seen = Landings(eyes), [shown(None), *map(shown, FROM_THE_LEFT)], []
    for before, now in pairwise(frames):
        ((told,),) = [list(one.values()) for one in landings.see([tile], now, before, [[side]], twice)]
        seen.append(told)
    assert {len(memory) for memory in tile.memory.values()} == {MEMORY}
    return seen


def test_what_is_looked_at_in_a_mirror_too_is_judged_alike_on_both_hands() -> None:
    eyes = LandingEyes()
    left, right = watched("left", False, (0,), eyes), watched("right", True, (0,), eyes)
    assert max(one.chance for one in left) > 0.2
    for one, other in zip(left, right, strict=True):
        assert one.chance == pytest.approx(other.chance, abs=0.02)
        assert one.upon == pytest.approx(other.upon, abs=0.04)


def test_both_looks_together_are_between_what_each_says_alone() -> None:
    eyes = LandingEyes()
    here, there, both = (
        watched("left", False, (), eyes), watched("right", True, (), eyes), watched("left", False, (0,), eyes)
    )  # fmt: skip
    for one, other, mean in zip(here, there, both, strict=True):
        low, high = sorted((one.upon, other.upon))
        assert low - 0.02 <= mean.upon <= high + 0.02
