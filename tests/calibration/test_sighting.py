"""The sheet in a frame: exact corners, and what speaks against believing them."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from calibration.sighting import find_sheet, mirrored, turned_back
from calibration.target import SHEET, board
from tests.calibration.staging import EYE, TABLE, covered_page, frame, lying, near
from training.sheet_video import Eye, Shot, Stage, laid, looking_at_table, page_of, page_pose

pytestmark = pytest.mark.needs("cv2")


@pytest.mark.parametrize("angle", [0.0, 100.0, 215.0])
def test_corners_are_found_to_a_fraction_of_a_pixel(angle: float) -> None:
    squares = lying(20.0, 5.0, angle)
    seen = find_sheet(frame(squares))
    truth = EYE.pixels(squares.solid(SHEET.corners_mm()[seen.numbers]))
    assert len(seen.numbers) >= 30
    assert np.linalg.norm(seen.corners_px - truth, axis=1).max() < 0.5
    assert np.abs((seen.corners_px - truth).mean(axis=0)).max() < 0.05
    assert seen.found
    assert (seen.fault, seen.lacks) == ("", ())


def test_an_empty_table_shows_no_sheet() -> None:
    seen = find_sheet(frame())
    assert not seen.found
    assert not mirrored(frame())


def test_a_mirrored_sheet_is_noticed_and_turned_back() -> None:
    mirror = turned_back(frame(lying()))
    assert not find_sheet(mirror).found
    assert mirrored(mirror)
    assert not mirrored(frame(lying()))


def test_a_sheet_with_swapped_sides_is_noticed_and_not_believed() -> None:
    other = board(SHEET.swapped).generateImage((9 * 300, 7 * 300))
    paper = cv2.copyMakeBorder(other, 144, 144, 144, 144, cv2.BORDER_CONSTANT, value=(255,))
    seen = find_sheet(
        Stage(EYE, TABLE, np.random.default_rng(4), page=page_of(np.asarray(paper, np.uint8))).frame(page_pose(lying()))
    )
    assert "sides swapped" in seen.fault
    assert not seen.found


def test_somebody_elses_markers_are_not_believed() -> None:
    shuffled = board(SHEET).generateImage((2100, 2700))
    rows = [shuffled[k * 300 : (k + 1) * 300] for k in (4, 7, 2, 3, 8, 5, 0, 1, 6)]
    paper = cv2.copyMakeBorder(np.concatenate(rows), 144, 144, 144, 144, cv2.BORDER_CONSTANT, value=(255,))
    seen = find_sheet(
        Stage(EYE, TABLE, np.random.default_rng(4), page=page_of(np.asarray(paper, np.uint8))).frame(page_pose(lying()))
    )
    assert "not where they must be" in seen.fault
    assert not seen.found


def test_a_sheet_that_lacks_a_side_is_noticed() -> None:
    cut = covered_page(0.0, 0.66, 1.0, 1.0).frame(page_pose(lying()))
    assert find_sheet(cut).lacks == ("bottom",)


def test_the_far_side_of_a_sheet_seen_aslant_is_small_but_not_covered() -> None:
    eye = Eye((960, 540), 105.0, 0.6)
    table = looking_at_table(eye, 45.0, (600.0, 400.0))
    aslant = Stage(eye, table, np.random.default_rng(6))
    seen = find_sheet(aslant.frame(page_pose(laid(table, 10.0, -20.0, 8.0))))
    assert seen.lacks == ()
    assert len(seen.numbers) >= 30


def test_blur_is_told_by_the_edges() -> None:
    sharp, soft = (find_sheet(frame(near(), Shot(blur_px=blur))).blur_px for blur in (0.5, 1.5))
    assert sharp < 1.2
    assert soft > 1.2 * sharp


def test_how_far_the_sheet_moved_is_told() -> None:
    before, after = find_sheet(frame(lying())), find_sheet(frame(lying(4.0, 0.0)))
    assert before.moved_px(before) == 0
    assert 2 < after.moved_px(before) < 6
    assert find_sheet(frame()).moved_px(before) == float("inf")
