"""The table from the dominoes that lie on it, and from tags, without any sheet."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from benchmarks.guided import laid_over
from calibration.lens import Lens, Points
from calibration.plane import Plane
from calibration.rectangles import plane_from_tags, plane_from_tiles
from tests.calibration.test_lens import STRAIGHT
from tests.calibration.test_plane import aslant, seen_through

pytestmark = pytest.mark.needs("cv2")

AREA = np.stack(np.meshgrid(np.linspace(-250, 250, 9), np.linspace(-160, 160, 7)), axis=-1).reshape(-1, 2)


def scattered(
    plane: Plane, seed: int, count: int, noise_px: float, length: float = 48.0, width: float = 24.0
) -> Points:
    """The corners of rectangles lying anyhow on a table, (n, 4, 2), in pixels."""
    rng = np.random.default_rng(seed)
    form = np.array([[-width, -length], [width, -length], [width, length], [-width, length]]) / 2
    middles, angles = rng.uniform((-230, -150), (230, 150), (count, 2)), rng.uniform(0, 2 * np.pi, count)
    turns = np.moveaxis(np.array([[np.cos(angles), -np.sin(angles)], [np.sin(angles), np.cos(angles)]]), -1, 0)
    corners = np.einsum("nij,kj->nki", turns, form) + middles[:, None]
    pixels = plane.to_picture(corners.reshape(-1, 2), STRAIGHT).reshape(-1, 4, 2)
    return pixels + rng.normal(0, noise_px, pixels.shape)


def table(tilt: float) -> Plane:
    return seen_through(STRAIGHT, *aslant(tilt, 560.0))


def errors(found: Plane | None, truth: Plane, lens: Lens | None, *, to_scale: bool) -> float:
    assert found is not None
    pixels = truth.to_picture(AREA, STRAIGHT)
    return float(np.percentile(laid_over(found.to_table(pixels, lens), AREA, to_scale=to_scale), 95))


@pytest.mark.parametrize("tilt", [0.0, 25.0, 45.0])
def test_dominoes_alone_give_millimetres_once_their_length_is_known(tilt: float) -> None:
    fit = plane_from_tiles(scattered(table(tilt), 1, 24, 0.5), STRAIGHT, 48.0)
    assert errors(fit.plane, table(tilt), STRAIGHT, to_scale=True) < 2.5
    assert fit.plane is not None
    assert fit.plane.scale_known
    assert fit.plane.viewpoint(STRAIGHT).tilt_deg == pytest.approx(tilt, abs=1.5)


def test_a_corner_that_is_hardly_seen_counts_for_little() -> None:
    seen, rng = scattered(table(30.0), 5, 20, 0.3), np.random.default_rng(5)
    seen[:, 0] += rng.normal(0, 9, (20, 2))
    uncertain = np.full((20, 4), 0.3)
    uncertain[:, 0] = 9.0
    aware, unaware = (plane_from_tiles(seen, STRAIGHT, 48.0, known).plane for known in (uncertain, None))
    assert errors(aware, table(30.0), STRAIGHT, to_scale=True) < 2.0
    assert errors(unaware, table(30.0), STRAIGHT, to_scale=True) > 3.0


@pytest.mark.parametrize("lens", [STRAIGHT, None], ids=("lens", "no lens"))
def test_without_the_length_the_shape_holds_and_the_scale_is_marked_unknown(lens: Lens | None) -> None:
    fit = plane_from_tiles(scattered(table(25.0), 2, 24, 0.4), lens)
    assert fit.plane is not None
    assert not fit.plane.scale_known
    assert errors(fit.plane, table(25.0), lens, to_scale=False) < 0.005 * 600


def test_a_tile_seen_wrongly_does_not_bend_the_table() -> None:
    seen = scattered(table(25.0), 3, 20, 0.3)
    seen[4, 1:3] += 9.0
    fit = plane_from_tiles(seen, STRAIGHT, 48.0)
    assert errors(fit.plane, table(25.0), STRAIGHT, to_scale=True) < 2.5


def test_longer_tiles_than_two_to_one_are_seen_to_be_so() -> None:
    fit = plane_from_tiles(scattered(table(15.0), 4, 24, 0.3, 50.0, 24.0), STRAIGHT, 50.0)
    assert fit.shape == pytest.approx(50 / 24, abs=0.02)


def test_few_tiles_are_refused_with_the_reason() -> None:
    fit = plane_from_tiles(scattered(table(15.0), 1, 2, 0.3), STRAIGHT)
    assert fit.plane is None
    assert "3 tiles or tags are needed" in fit.reason


@pytest.mark.parametrize("tilt", [0.0, 30.0])
def test_four_tags_give_the_table(tilt: float) -> None:
    form = 40.0 * np.array([[-0.5, -0.5], [0.5, -0.5], [0.5, 0.5], [-0.5, 0.5]])
    corners = np.array([form + middle for middle in ((-240, -150), (240, -150), (240, 150), (-240, 150))])
    noise = np.random.default_rng(1).normal(0, 0.05, corners.shape)
    seen = table(tilt).to_picture(corners.reshape(-1, 2), STRAIGHT).reshape(-1, 4, 2) + noise
    fit = plane_from_tags(seen, 40.0, STRAIGHT)
    assert errors(fit.plane, table(tilt), STRAIGHT, to_scale=True) < 3.0
    assert cv2.contourArea(fit.plane.to_table(seen[0], STRAIGHT).astype(np.float32)) == pytest.approx(1600, rel=0.02)  # type: ignore[union-attr]
