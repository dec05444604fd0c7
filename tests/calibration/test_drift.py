"""A camera that was nudged: small drifts followed, large ones told, hands and moved tiles taken for neither."""

from __future__ import annotations

from dataclasses import replace
from functools import cache

import cv2
import numpy as np
import pytest

from benchmarks.frames import Camera, Reaching, filmed
from calibration.drift import Drift, DriftWatch, points_to_watch
from calibration.lens import Image, Lens, Points, as_matrix
from calibration.plane import Plane
from calibration.plane_fit import area_around, seen_area
from rules.board import Board
from tests.calibration.test_plane import aslant, seen_through
from training.render import staged
from training.samples import laid, set_of

pytestmark = pytest.mark.needs("cv2")

BOARD = "0|1 2|3\n\n4 5|6 1\n-     -\n2 3|3 5\n"
SIZE = (480, 360)
PX_PER_MM = 2.0  # about that of a webcam over a table
PLANE = Plane(as_matrix(np.diag([1 / PX_PER_MM, 1 / PX_PER_MM, 1.0])), area_around((200.0, 150.0), (120.0, 90.0)))


@cache
def table() -> tuple[Image, Points]:
    """A table with six dominoes, and their corners."""
    tiles = laid(Board.parse(BOARD), np.random.default_rng(1))
    image, truth = staged(tiles, set_of(43), np.random.default_rng(43), *SIZE, half_px=45)
    return image, np.array([tile.corners_px for tile in truth.tiles]).reshape(-1, 2)


def turned(angle_deg: float, dx_px: float, dy_px: float, scale: float = 1.0) -> Points:
    """The affine matrix (2, 3) of a picture turned about its middle, then shifted."""
    warp = np.asarray(cv2.getRotationMatrix2D((SIZE[0] / 2, SIZE[1] / 2), angle_deg, scale), np.float64)
    warp[:, 2] += np.array([dx_px, dy_px])
    return warp


def moved(dx_px: float = 0.0, dy_px: float = 0.0, turn_deg: float = 0.0, scale: float = 1.0) -> Image:
    """The table as a camera sees it that was shifted or turned."""
    warp = turned(turn_deg, dx_px, dy_px, scale)
    return np.asarray(cv2.warpAffine(table()[0], warp, SIZE, borderMode=cv2.BORDER_REFLECT), np.uint8)


def watch() -> DriftWatch:
    return DriftWatch(table()[0], points_to_watch(*table()), PLANE)


def seen(watching: DriftWatch, still: Image, frames: int = 9, start_s: float = 0.0, seed: int = 0) -> list[Drift]:
    """What is said of noisy frames of one still picture, ten a second."""
    film = filmed(still, Camera(drift=0.03), np.random.default_rng(seed))
    return [watching.see(next(film), start_s + k / 10) for k in range(frames)]


def test_a_camera_at_rest_is_quiet() -> None:
    assert {drift.state for drift in seen(watch(), table()[0], 20)} == {"quiet"}


@pytest.mark.parametrize("way", [(4.0, 0.0, 0.0), (0.0, -4.0, 0.0), (0.0, 0.0, 1.0)])
def test_two_millimetres_or_a_degree_are_noticed_within_a_second_and_followed(way: tuple[float, float, float]) -> None:
    watching = watch()
    assert seen(watching, table()[0])[-1].state == "quiet"
    after = seen(watching, moved(*way), start_s=1.0)
    assert after[-1].state == "followed"
    assert "drifted" in after[-1].words
    warp = turned(way[2], way[0], way[1])
    pixels = table()[1] @ warp[:, :2].T + warp[:, 2]
    assert np.abs(watching.plane.to_table(pixels) - PLANE.to_table(table()[1])).max() < 0.3


def test_a_drift_of_a_table_seen_aslant_is_told_by_few_tiles_though_the_picture_reaches_far_beyond_them() -> None:
    lens = Lens(SIZE, ((400.0, 0.0, 239.5), (0.0, 400.0, 179.5), (0.0, 0.0, 1.0)))
    plane = seen_through(lens, *aslant(50.0, 400.0))
    watching = DriftWatch(table()[0], table()[1][:12], replace(plane, area_mm=seen_area(plane, SIZE, lens)), lens)
    assert {drift.state for drift in seen(watching, table()[0], 20)} == {"quiet"}
    assert [drift.state for drift in seen(watching, moved(6.0), 10, 2.0, seed=1)][4:] == ["followed"] * 6


def test_a_camera_of_four_pictures_a_second_is_watched_too() -> None:
    watching = watch()
    frames = [table()[0]] * 5 + [moved(4.0)] * 4 + [moved(40.0)] * 4
    told = [watching.see(frame, k / 4).state for k, frame in enumerate(frames)]
    assert (told[4], told[8], told[12]) == ("quiet", "followed", "moved")


def test_a_large_move_asks_for_a_new_look() -> None:
    watching = watch()
    seen(watching, table()[0])
    after = seen(watching, moved(70.0, 20.0), start_s=1.0)
    assert after[-1].state in ("moved", "covered")
    later = seen(watching, moved(70.0, 20.0), start_s=6.0)
    assert later[-1].state in ("moved", "lost")
    assert "anew" in later[-1].words


def test_a_hand_that_passes_is_no_drift() -> None:
    watching, rng = watch(), np.random.default_rng(3)
    hand, film = Reaching(*SIZE, rng, period=30), Camera(drift=0.05)
    told = []
    for k in range(40):
        frame = next(filmed(hand.over(table()[0], k), film, rng))
        told.append(watching.see(frame, k / 10).state)
    assert set(told) <= {"quiet", "covered"}
    assert told.count("quiet") > 12


def test_a_tile_that_is_moved_is_no_drift() -> None:
    image, corners = table()
    first = corners[:4]
    mask = np.zeros(image.shape[:2], np.uint8)
    cv2.fillPoly(mask, [np.round(1.1 * (first - first.mean(0)) + first.mean(0)).astype(np.int32)], 255)
    shifted = np.roll(image, (3, 5), axis=(0, 1))
    pushed = np.where(np.roll(mask, (3, 5), axis=(0, 1))[..., None] > 0, shifted, image)
    assert {drift.state for drift in seen(watch(), np.asarray(pushed, np.uint8), 12)} == {"quiet"}


def test_few_points_are_never_believed() -> None:
    watching = DriftWatch(table()[0], table()[1][:6], PLANE)
    assert {drift.state for drift in seen(watching, moved(6.0), 5)} == {"covered"}
    assert len(points_to_watch(table()[0], table()[1][:6])) > 20


def test_after_a_new_look_the_drift_counts_from_there() -> None:
    watching = watch()
    seen(watching, moved(4.0), start_s=0.0)
    watching.learn(moved(4.0), table()[1] + (4.0, 0.0))
    assert seen(watching, moved(4.0), start_s=2.0)[-1].shift_mm == pytest.approx(2.0, abs=0.3)
    assert seen(watching, table()[0], start_s=4.0)[-1].state == "quiet"


def test_a_lens_is_used_where_it_is_known() -> None:
    lens = Lens(SIZE, ((420.0, 0.0, 240.0), (0.0, 420.0, 180.0), (0.0, 0.0, 1.0)), (-0.1, 0.02, 0.0, 0.0, 0.0))
    watching = DriftWatch(table()[0], table()[1], PLANE, lens)
    assert seen(watching, table()[0])[-1].state == "quiet"
    assert seen(watching, moved(5.0), start_s=1.0)[-1].shift_mm == pytest.approx(2.5, abs=0.5)
