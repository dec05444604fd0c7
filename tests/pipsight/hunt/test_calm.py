"""The table without hands is taken anew after a nudge; what only looks like a hand is the table."""

from __future__ import annotations

from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

import cv2
import numpy as np
import pytest

from pipsight.referee import Referee
from tests.pipsight.hunting import Hunting
from vision.camera import Frame
from vision.scene import Scene, TileDetection

if TYPE_CHECKING:
    from collections.abc import Iterable

    from vision.straighten import Image

pytestmark = pytest.mark.needs("cv2")


def planks(*, pushed: int = 0, arm: bool = False) -> Image:
    """A table, pushed so many pixels, perhaps with something like an arm over it."""
    grain = np.random.default_rng(1).integers(60, 200, (270, 24, 3)).astype(np.uint8)
    table = cv2.GaussianBlur(cv2.resize(grain, (480, 270), interpolation=cv2.INTER_NEAREST), (5, 5), 0)
    if arm:
        cv2.rectangle(table, (300, 150), (340, 270), (90, 120, 180), -1)
    return np.asarray(np.roll(table, pushed, axis=1), np.uint8)


def resting(frames: Iterable[tuple[float, Image, bool]]) -> list[tuple[float, bool]]:
    """Since when a table is known as calm, and whether hands are seen, after each frame: its time, and what stirs.

    A look knows what stirred in the frame before.
    """
    referee, told = Referee(Hunting().follower), []
    corners = ((200.0, 100.0), (230.0, 100.0), (230.0, 160.0), (200.0, 160.0))
    scene = Scene((480, 270), (TileDetection(corners, ((215.0, 115.0), (215.0, 145.0)), (5, 3), 1.0),))
    stirred = False
    for time_s, image, stirs in frames:
        look: Any = SimpleNamespace(scene=scene, covered=(), still_s=time_s, moving=stirred, busy=stirred)
        referee.see(Frame(image, time_s), look)
        stirred = stirs
        assert referee._calm
        told.append((referee._calm.since_s, bool(referee.hands)))
    return told


def test_hands_are_told_from_the_table_as_it_lies_after_a_nudge() -> None:
    before, after = planks(), planks(pushed=9)
    told = resting([(0.4, before, False), (0.5, after, True), *((k / 10, after, False) for k in range(6, 12))])
    assert [since_s for since_s, _ in told] == [0.4] * 5 + [0.9] * 3


def test_what_looks_like_a_hand_and_never_stirs_is_the_table() -> None:
    told = resting([(0.4, planks(), False), *((k / 10, planks(arm=True), k == 5) for k in range(5, 50))])
    assert [seen for _, seen in told] == [False, *[True] * 11, *[False] * 34]
    assert told[-1][0] == 1.6


def test_a_hand_that_comes_after_a_long_rest_is_no_part_of_the_table() -> None:
    told = resting([*((k / 10, planks(), False) for k in range(4, 40)), (4.0, planks(arm=True), True)])
    assert told[-1] == (0.4, True)


def test_pictures_of_another_size_are_another_table_once_it_is_read_in_them() -> None:
    referee = Referee(Hunting().follower)
    large, small = planks(), np.asarray(cv2.resize(planks(arm=True), (320, 180)), np.uint8)
    corners = ((200.0, 100.0), (230.0, 100.0), (230.0, 160.0), (200.0, 160.0))
    tile = TileDetection(corners, ((215.0, 115.0), (215.0, 145.0)), (5, 3), 1.0)
    known: list[tuple[int, int] | None] = []
    for time_s, image, size in ((0.4, large, (480, 270)), (0.5, small, (480, 270)), (0.9, small, (320, 180))):
        look: Any = SimpleNamespace(scene=Scene(size, (tile,)), covered=(), still_s=0.4, moving=False, busy=False)
        assert referee.see(Frame(image, time_s), look) == []
        known.append(referee._calm.scene.size_px if referee._calm else None)
    assert known == [(480, 270), None, (320, 180)]
