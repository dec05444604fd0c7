"""What the calibration benchmark rests on: exact rays, fair comparisons, runs that go on where they were."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from benchmarks.bare_table import found, scattered
from benchmarks.calibration import results
from benchmarks.drifting import SHIFT_MM, TURN_DEG, nudge
from benchmarks.guided import LENSES, Case, laid_over, lens_of
from benchmarks.log import Log
from calibration.homography import mapped
from calibration.lens import as_matrix
from tests.calibration.test_lens import WIDE
from tests.calibration.test_plane import aslant, seen_through
from training.sheet_video import looking_at_table

pytestmark = pytest.mark.needs("cv2")


@pytest.mark.parametrize("number", range(len(LENSES)))
def test_every_pixels_ray_leads_back_to_it(number: int) -> None:
    eye = Case(number).eye(np.random.default_rng(number))
    pixels = np.random.default_rng(1).uniform((0, 0), eye.size_px, (60, 2))
    assert np.allclose(eye.pixels(eye.rays(pixels) * 500), pixels, atol=1e-6)
    ends = eye.rays([[0, 269.5], [959, 269.5]])
    assert np.degrees(np.arccos(ends[0] @ ends[1])) == pytest.approx(eye.field_deg, abs=3.0)


@pytest.mark.parametrize("tilt", [0.0, 45.0])
def test_the_whole_area_is_in_the_picture(tilt: float) -> None:
    eye = Case(4).eye(np.random.default_rng(4))
    corners = eye.pixels(looking_at_table(eye, tilt).solid([[-300, -200], [300, -200], [300, 200], [-300, 200]]))
    assert (corners > 0).all()
    assert (corners < eye.size_px).all()
    assert corners[0, 1] < corners[3, 1]  # what is nearer is lower in the picture


def test_grids_are_laid_over_each_other_without_hiding_what_is_wrong() -> None:
    grid = np.stack(np.meshgrid(np.arange(5.0), np.arange(4.0)), axis=-1).reshape(-1, 2)
    turned = grid @ np.array([[0.6, 0.8], [-0.8, 0.6]]) + (7, -3)
    assert laid_over(turned, grid, to_scale=True).max() < 1e-9
    assert laid_over(1.1 * turned, grid, to_scale=False).max() < 1e-9
    assert laid_over(1.1 * turned, grid, to_scale=True).max() == pytest.approx(0.25, abs=0.01)
    assert laid_over(grid * (1.1, 1.0), grid, to_scale=False).max() > 0.05


def test_nudges_are_as_large_as_they_say() -> None:
    plane, rng = seen_through(WIDE, *aslant(12.0, 600.0)), np.random.default_rng(1)
    straight = np.array([[500.0, 300.0], [800.0, 500.0]])
    slid = mapped(plane.to_mm, mapped(nudge(0, rng, plane, WIDE), straight)) - mapped(plane.to_mm, straight)
    assert np.allclose(np.linalg.norm(slid, axis=1), SHIFT_MM)
    matrix = np.array(WIDE.matrix)
    turn = np.linalg.inv(matrix) @ nudge(1, rng, plane, WIDE) @ matrix
    assert np.degrees(np.arccos((np.trace(turn) - 1) / 2)) == pytest.approx(TURN_DEG)


def test_scattered_dominoes_do_not_overlap() -> None:
    tiles = scattered(20, (11.0, 6.0), np.random.default_rng(2))
    apart = [np.hypot(a.x - b.x, a.y - b.y) for k, a in enumerate(tiles) for b in tiles[:k]]
    assert min(apart) > 2.24  # the diagonal of a tile


def test_a_stopped_benchmark_goes_on_where_it_was(tmp_path: Path) -> None:
    done: list[int] = []

    def job(number: int) -> dict[str, int]:
        done.append(number)
        return {"number": number}

    jobs = {f"run {k}": lambda k=k: job(k) for k in range(3)}
    path = tmp_path / "log.jsonl"
    first = results(Log(path, "part"), "part", jobs)
    assert [next(first), next(first)] == [{"number": 0}, {"number": 1}]
    assert len(list(results(Log(path, "part"), "part", jobs))) == 3
    assert done == [0, 1, 2]


def test_a_lens_comes_back_from_the_log() -> None:
    kept = {
        "size_px": [1280, 720],
        "matrix": [list(row) for row in WIDE.matrix],
        "distortion": list(WIDE.distortion),
        "model": "fisheye",
        "rms_px": 0.0,
        "deviations": [],
    }
    assert lens_of({"lens": kept}) == WIDE
    assert as_matrix(WIDE.matrix) == WIDE.matrix


def test_the_wizard_finds_a_table_far_aslant_from_its_dominoes_alone() -> None:
    told = found(7)
    assert told["tilt"] == 45
    assert max(told["lens"], told["none"]) < 3.0
    assert max(told["lens shape"], told["none shape"]) < 0.005 * 600
