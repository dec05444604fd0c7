"""The table from the dominoes that lie on it, and from tags, without any sheet."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from benchmarks.guided import laid_over
from calibration.lens import Lens, Points
from calibration.plane import Plane
from calibration.rectangles import SeenTile, plane_from_tags, plane_from_tiles
from tests.calibration.test_lens import STRAIGHT
from tests.calibration.test_plane import aslant, seen_through

pytestmark = pytest.mark.needs("cv2")

AREA = np.stack(np.meshgrid(np.linspace(-250, 250, 9), np.linspace(-160, 160, 7)), axis=-1).reshape(-1, 2)


SIZE = STRAIGHT.size_px
CORNERS = np.array([[-12, -24], [12, -24], [12, 24], [-12, 24]], np.float64)  # of a tile, in millimetres
FIVE = np.array([[-6, -6], [6, -6], [0, 0], [-6, 6], [6, 6]], np.float64)
PIPS = np.concatenate([FIVE - (0, 12), FIVE + (0, 12)])  # of a double five


def scattered(plane: Plane, seed: int, count: int, noise_px: float, form_mm: Points = CORNERS) -> Points:
    """Points (count, n, 2) of things of one form lying anyhow on a table, in pixels."""
    rng = np.random.default_rng(seed)
    laid = laid_anyhow(rng, count, form_mm)
    pixels = plane.to_picture(laid.reshape(-1, 2), STRAIGHT).reshape(laid.shape)
    return pixels + rng.normal(0, noise_px, pixels.shape)


def laid_anyhow(rng: np.random.Generator, count: int, form_mm: Points) -> Points:
    """The points of a form (n, 2) wherever it lies, (count, n, 2), in millimetres."""
    middles, angles = rng.uniform((-230, -150), (230, 150), (count, 2)), rng.uniform(0, 2 * np.pi, count)
    turns = np.moveaxis(np.array([[np.cos(angles), -np.sin(angles)], [np.sin(angles), np.cos(angles)]]), -1, 0)
    return np.asarray(np.einsum("nij,kj->nki", turns, form_mm) + middles[:, None])


def tiles(corners: Points) -> list[SeenTile]:
    """Tiles of which only the corners are seen."""
    return [SeenTile.of_corners(quad) for quad in corners]


def seen_too_near(plane: Plane, seed: int, count: int, by_mm: float) -> list[SeenTile]:
    """Thick tiles of whose near sides so many millimetres of height are taken for the face; their pips are seen."""
    rng, lower = np.random.default_rng(seed), plane.raised(-by_mm, STRAIGHT)
    laid = laid_anyhow(rng, count, np.concatenate([CORNERS, PIPS]))
    found = []
    for points in laid:
        top, foot = (where.to_picture(points, STRAIGHT) for where in (plane, lower))
        # What is seen of a tile is its face and its foot; the hull of both has up to six corners, its four are told by
        # the four lines of its sides.
        corners = _quad_around(np.concatenate([top[:4], foot[:4]]), top[:4])
        noise = rng.normal(0, 1.0, (len(points), 2))
        found.append(SeenTile(corners + noise[:4], np.full(4, 1.0), top[4:] + noise[4:] / 5))
    return found


def _quad_around(points: Points, face: Points) -> Points:
    """The smallest four-sided figure with a face's directions around points."""
    middle, lines = face.mean(axis=0), []
    for a, b in zip(face, np.roll(face, -1, axis=0), strict=True):
        normal = np.array([b[1] - a[1], a[0] - b[0]])
        normal *= np.sign(normal @ (a - middle))
        lines.append((*normal, -float((points @ normal).max())))
    crossings = [np.cross(lines[k - 1], lines[k]) for k in range(4)]
    return np.array([crossing[:2] / crossing[2] for crossing in crossings])


def table(tilt: float) -> Plane:
    return seen_through(STRAIGHT, *aslant(tilt, 560.0))


def errors(found: Plane | None, truth: Plane, lens: Lens | None, *, to_scale: bool) -> float:
    assert found is not None
    pixels = truth.to_picture(AREA, STRAIGHT)
    return float(np.percentile(laid_over(found.to_table(pixels, lens), AREA, to_scale=to_scale), 95))


@pytest.mark.parametrize("tilt", [0.0, 25.0, 45.0])
def test_dominoes_alone_give_millimetres_once_their_length_is_known(tilt: float) -> None:
    fit = plane_from_tiles(tiles(scattered(table(tilt), 1, 24, 0.5)), SIZE, STRAIGHT, 48.0)
    assert errors(fit.plane, table(tilt), STRAIGHT, to_scale=True) < 2.5
    assert fit.plane is not None
    assert fit.plane.scale_known
    assert fit.plane.viewpoint(STRAIGHT).tilt_deg == pytest.approx(tilt, abs=1.5)


@pytest.mark.parametrize("lens", [STRAIGHT, None], ids=("lens", "no lens"))
@pytest.mark.parametrize("tilt", [30.0, 45.0])
def test_near_sides_taken_for_the_face_do_not_bend_a_table_whose_pips_are_seen(tilt: float, lens: Lens | None) -> None:
    seen = seen_too_near(table(tilt), 7, 20, 2.0)
    fit = plane_from_tiles(seen, SIZE, lens, 48.0)
    blind = plane_from_tiles(tiles(np.array([tile.corners_px for tile in seen])), SIZE, lens, 48.0)
    with_pips, without = (errors(one.plane, table(tilt), lens, to_scale=False) for one in (fit, blind))
    assert with_pips < min(1.5, without)
    assert errors(fit.plane, table(tilt), lens, to_scale=True) < 2.5


def test_pips_that_lie_in_no_rows_of_three_are_left_out() -> None:
    twelve = np.array([[x, y] for x in (-8, -2.7, 2.7, 8) for y in (-18, -12, -6)], np.float64)
    laid = scattered(table(30.0), 6, 20, 0.2, np.concatenate([CORNERS, twelve, FIVE + (0, 12)]))
    seen = [SeenTile(points[:4], np.full(4, 0.3), points[4:]) for points in laid]
    fit = plane_from_tiles(seen, SIZE, STRAIGHT, 48.0)
    assert errors(fit.plane, table(30.0), STRAIGHT, to_scale=True) < 1.5


def test_a_corner_that_is_hardly_seen_counts_for_little() -> None:
    seen, rng = scattered(table(30.0), 5, 20, 0.3), np.random.default_rng(5)
    seen[:, 0] += rng.normal(0, 9, (20, 2))
    none = np.zeros((0, 2))
    told = [SeenTile(quad, np.array([9.0, 0.3, 0.3, 0.3]), none) for quad in seen]
    aware, unaware = (plane_from_tiles(known, SIZE, STRAIGHT, 48.0).plane for known in (told, tiles(seen)))
    with_doubt, without = (errors(one, table(30.0), STRAIGHT, to_scale=True) for one in (aware, unaware))
    assert with_doubt < min(1.5, without / 2)


@pytest.mark.parametrize("lens", [STRAIGHT, None], ids=("lens", "no lens"))
def test_without_the_length_the_shape_holds_and_the_scale_is_marked_unknown(lens: Lens | None) -> None:
    fit = plane_from_tiles(tiles(scattered(table(25.0), 2, 24, 0.4)), SIZE, lens)
    assert fit.plane is not None
    assert not fit.plane.scale_known
    assert errors(fit.plane, table(25.0), lens, to_scale=False) < 0.005 * 600


def test_a_tile_seen_wrongly_does_not_bend_the_table() -> None:
    seen = scattered(table(25.0), 3, 20, 0.3)
    seen[4, 1:3] += 9.0
    fit = plane_from_tiles(tiles(seen), SIZE, STRAIGHT, 48.0)
    assert errors(fit.plane, table(25.0), STRAIGHT, to_scale=True) < 2.5


def test_what_is_no_tile_is_left_out() -> None:
    others = scattered(table(40.0), 4, 3, 0.3, CORNERS * (1.3, 0.8))
    real = tiles(scattered(table(40.0), 3, 20, 0.3))
    misled, alone = (plane_from_tiles(seen, SIZE, STRAIGHT, 48.0).plane for seen in ([*real, *tiles(others)], real))
    with_others, without = (errors(one, table(40.0), STRAIGHT, to_scale=True) for one in (misled, alone))
    assert with_others == pytest.approx(without, abs=0.05)


def test_longer_tiles_than_two_to_one_are_seen_to_be_so() -> None:
    longer = CORNERS * (1, 50 / 48)
    fit = plane_from_tiles(tiles(scattered(table(15.0), 4, 24, 0.3, longer)), SIZE, STRAIGHT, 50.0)
    assert fit.shape == pytest.approx(50 / 24, abs=0.02)


def test_few_tiles_are_refused_with_the_reason() -> None:
    fit = plane_from_tiles(tiles(scattered(table(15.0), 1, 2, 0.3)), SIZE, STRAIGHT)
    assert fit.plane is None
    assert "3 tiles or tags are needed" in fit.reason


@pytest.mark.parametrize("lens", [STRAIGHT, None], ids=("lens", "no lens"))
@pytest.mark.parametrize("tilt", [0.0, 30.0])
def test_four_tags_give_the_table(tilt: float, lens: Lens | None) -> None:
    form = 40.0 * np.array([[-0.5, -0.5], [0.5, -0.5], [0.5, 0.5], [-0.5, 0.5]])
    corners = np.array([form + middle for middle in ((-240, -150), (240, -150), (240, 150), (-240, 150))])
    noise = np.random.default_rng(1).normal(0, 0.05, corners.shape)
    seen = table(tilt).to_picture(corners.reshape(-1, 2), STRAIGHT).reshape(-1, 4, 2) + noise
    fit = plane_from_tags(seen, SIZE, 40.0, lens)
    assert errors(fit.plane, table(tilt), lens, to_scale=True) < 3.0
    assert cv2.contourArea(fit.plane.to_table(seen[0], lens).astype(np.float32)) == pytest.approx(1600, rel=0.02)  # type: ignore[union-attr]
