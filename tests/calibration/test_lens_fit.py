"""A lens from views: the model that explains them, bad views dropped, a bent sheet noticed, honest deviations."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from calibration.certainty import TableError, information, inverse
from calibration.flatness import sag
from calibration.lens import Lens, Points
from calibration.lens_fit import fit_lens
from calibration.poses import after_view, wanted_pose
from calibration.target import SHEET
from calibration.views import View, misses_px, pose_of, rms
from training.sheet_video import Eye

pytestmark = pytest.mark.needs("cv2")

MIDDLE = np.append(np.array(SHEET.size_mm) / 2, 0.0)


def views(eye: Eye, seed: int, count: int = 9, bulge_mm: float = 0.0, noise_px: float = 0.06) -> list[View]:
    """Views of the sheet from all over the picture, with noise; bulge_mm: how far its middle stands out."""
    rng, corners = np.random.default_rng(seed), SHEET.corners_mm()
    x = 2 * corners[:, 0] / SHEET.size_mm[0] - 1
    body = np.column_stack([corners, -bulge_mm * (1 - x**2)]) - MIDDLE
    found: list[View] = []
    for k in range(count * 20):
        place = np.array([(0.25, 0.5, 0.75)[k % 3], (0.3, 0.5, 0.7)[k // 3 % 3]]) * eye.size_px
        turn = cv2.Rodrigues(np.append(np.radians(rng.uniform(-38, 38, 2)), rng.uniform(-0.3, 0.3)))[0]
        away = rng.uniform(260, 420) * (70 / eye.field_deg) ** 0.7
        solid = body @ turn.T + eye.rays([place])[0] * away
        pixels = eye.pixels(solid)
        inside = ((pixels > 4) & (pixels < np.array(eye.size_px) - 5)).all(axis=1) & (solid[:, 2] > 30)
        if inside.sum() > 20:
            found.append(View(corners[inside], pixels[inside] + rng.normal(0, noise_px, (int(inside.sum()), 2))))
        if len(found) == count:
            break
    return found


def ray_errors_deg(eye: Eye, lens: Lens) -> Points:
    """By how much the lens sends rays astray, once both cameras are turned alike."""
    pixels = np.stack(np.meshgrid(np.linspace(40, 920, 12), np.linspace(40, 500, 8)), axis=-1).reshape(-1, 2)
    ours = np.column_stack([lens.ideal(pixels), np.ones(len(pixels))]) @ np.linalg.inv(np.array(lens.matrix)).T
    ours /= np.linalg.norm(ours, axis=1, keepdims=True)
    theirs = eye.rays(pixels)
    left, _, right = np.linalg.svd(ours.T @ theirs)
    return np.asarray(np.degrees(np.arccos(np.clip((ours @ left @ right * theirs).sum(axis=1), -1, 1))), np.float64)


@pytest.mark.parametrize(("field", "curve"), [(60.0, 0.97), (90.0, 0.75), (120.0, 0.5)])
def test_lenses_from_narrow_to_wide_are_found(field: float, curve: float) -> None:
    eye = Eye((960, 540), field, curve, 0.002, (0.002, -0.002), (5.0, -4.0))
    fit = fit_lens(views(eye, seed=3), eye.size_px)
    assert fit.lens is not None
    assert fit.lens.rms_px < 0.12
    assert np.percentile(ray_errors_deg(eye, fit.lens), 95) < 0.06


def test_a_fisheye_is_taken_for_one() -> None:
    eye = Eye((960, 540), 120.0, 0.05)
    fit = fit_lens(views(eye, 1, 6), eye.size_px)
    assert fit.lens is not None
    assert fit.lens.model == "fisheye"
    assert ray_errors_deg(eye, fit.lens).max() < 0.1


def test_a_view_that_moved_is_dropped() -> None:
    eye = Eye((960, 540), 70.0, 1.0)
    seen = views(eye, seed=5)
    smeared = seen[4].points_px + np.linspace(0, 4, len(seen[4].points_px))[:, None]
    seen[4] = View(seen[4].points_mm, smeared)
    fit = fit_lens(seen, eye.size_px)
    assert fit.dropped == (4,)
    assert len(fit.views) == 8


def test_too_few_views_fail_with_the_reason() -> None:
    fit = fit_lens(views(Eye((960, 540), 70.0, 1.0), 1, 2), (960, 540))
    assert fit.lens is None
    assert "3 good views" in fit.reason


def test_deviations_are_honest() -> None:
    eye = Eye((960, 540), 70.0, 1.0)
    lenses = [fit.lens for seed in range(6) if (fit := fit_lens(views(eye, seed, 6), eye.size_px)).lens]
    off = [(lens.matrix[0][0] - eye.focal_px) / lens.deviations[0] for lens in lenses]
    assert 0.2 < np.sqrt(np.mean(np.square(off))) < 3


def test_the_next_pose_tells_more_than_the_last_one_again() -> None:
    eye = Eye((960, 540), 80.0, 0.9)
    fit = fit_lens(views(eye, 2, 4), eye.size_px)
    assert fit.lens is not None
    known, error = information(fit.lens, fit.views, fit.poses), TableError(fit.lens)
    _, after = wanted_pose(fit.lens, known, error)
    again = after_view(fit.lens, known, error, fit.views[0].points_mm, fit.poses[0])
    assert after < again < error.of(inverse(known))


@pytest.mark.parametrize("bulge", [0.0, 4.0])
def test_a_bent_sheet_is_noticed_without_knowing_the_lens(bulge: float) -> None:
    eye = Eye((960, 540), 70.0, 0.95)
    fit = fit_lens(views(eye, 7, 9, bulge), eye.size_px)
    assert fit.lens is not None
    found = sag(fit.views, fit.poses, fit.lens, lens_known=False)
    assert found.bent == (bulge > 0)
    assert found.height_mm == pytest.approx(bulge, abs=2.0)


def test_a_pose_is_found_again() -> None:
    eye = Eye((960, 540), 70.0, 1.0)
    lens = Lens(eye.size_px, ((eye.focal_px, 0.0, 479.5), (0.0, eye.focal_px, 269.5), (0.0, 0.0, 1.0)), (0.0,) * 5)
    view = views(eye, 4, 1, noise_px=0.0)[0]
    pose = pose_of(view, lens)
    assert pose is not None
    assert rms(misses_px(view, pose, lens)) < 1e-4
    assert pose_of(View(view.points_mm[:3], view.points_px[:3]), lens) is None
