"""The table's plane from the sheet that lies on it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

import cv2
import numpy as np

from calibration.flatness import sag
from calibration.homography import inverse, mapped
from calibration.lens import Lens, Points, as_matrix
from calibration.plane import Plane, Point
from calibration.sighting import FEWEST_CORNERS, Sighting
from calibration.views import View, misses_px, pose_of, rms

MOST_MISSED_PX = 1.5
REACH_MM = 1500.0  # a table ends sooner, whatever the picture shows of the floor
RIM = 0.03  # of a picture's width and height: so much of its edge is left out of the table that it shows
NOT_FLAT = "The sheet does not lie flat: it bulges by {:.0f} mm. Smooth it, tape it to the table, and look again."
ASTRAY = (
    "The sheet misses a plane by {:.1f} pixels: keep everything still; if that does not help, calibrate the lens anew."
)


@dataclass(frozen=True)
class PlaneFit:
    """A fitted plane and by how many pixels, root mean square, it misses what it was made from; or none, and why."""

    plane: Plane | None
    reason: str = ""
    rms_px: float = 0.0


def plane_from_sheet(sightings: Sequence[Sighting], lens: Lens | None = None) -> PlaneFit:
    """The table on which the sheet lies, from one or more looks at it without anything moving.

    Millimetres begin in the sheet's middle; x runs to the right of the picture there, y toward its lower edge.
    """
    view = middle_view(sightings)
    if len(view.points_mm) < FEWEST_CORNERS:
        return PlaneFit(None, "the sheet is not seen well enough: lay it flat in the middle of the picture")
    to_mm, missed, fault = _with_lens(view, lens) if lens else _without_lens(view)
    if fault or to_mm is None:
        return PlaneFit(None, fault, missed)
    middle_px = mapped(inverse(to_mm), [np.array(sightings[0].target.size_mm) / 2])[0]
    return PlaneFit(framed(Plane(as_matrix(to_mm)), (middle_px[0], middle_px[1])), "", missed)


def middle_view(sightings: Sequence[Sighting]) -> View:
    """The median place of each corner over many looks."""
    places: dict[int, list[Points]] = {}
    for sighting in sightings:
        for number, corner in zip(sighting.numbers.tolist(), sighting.corners_px, strict=True):
            places.setdefault(number, []).append(corner)
    often = sorted(n for n, seen in places.items() if 2 * len(seen) >= len(sightings))
    if not often:
        return View(np.zeros((0, 2)), np.zeros((0, 2)))
    pixels = np.array([np.median(places[number], axis=0) for number in often])
    return View(sightings[0].target.corners_mm()[often], pixels)


def framed(plane: Plane, origin_px: Point) -> Plane:
    """The plane with its millimetres counted from an ideal pixel, x running to the right of the picture there."""
    here, right, down = mapped(plane.to_mm, np.array(origin_px) + [[0, 0], [1, 0], [0, 1]])
    along = (right - here) / np.linalg.norm(right - here)
    across = np.array([-along[1], along[0]])
    across = across if across @ (down - here) > 0 else -across
    turn = np.vstack([along, across])
    moved = np.eye(3)
    moved[:2, :2], moved[:2, 2] = turn, -turn @ here
    return replace(plane, to_mm=as_matrix(moved @ np.array(plane.to_mm)))


def seen_area(plane: Plane, size_px: tuple[int, int], lens: Lens | None = None) -> tuple[Point, ...]:
    """The part of the table that the picture shows, less a rim of it: corners in millimetres, going round."""
    width, height = np.array(size_px) * (1 - 2 * RIM)
    steps = np.linspace(0, 1, 9)[:-1]
    square = np.array([[0, 0], [1, 0], [1, 1], [0, 1], [0, 0]])
    edge = np.concatenate([a + steps[:, None] * (b - a) for a, b in pairwise(square)])
    rim_px = edge * (width, height) + RIM * np.array(size_px)
    middle = plane.to_table([np.array(size_px) / 2], lens)[0]
    out = plane.to_table(rim_px, lens) - middle
    far = np.linalg.norm(out, axis=1)
    reach = np.where(plane.shown_by(rim_px, lens), np.minimum(far, REACH_MM), -REACH_MM)
    kept = middle + out * (reach / np.maximum(far, 1e-9))[:, None]
    return tuple((round(float(x), 1), round(float(y), 1)) for x, y in kept)


def area_around(size_mm: tuple[float, float], middle_mm: Point = (0.0, 0.0)) -> tuple[Point, ...]:
    """A play area of a width and depth around a point, its corners in millimetres, going round."""
    (width, depth), (x, y) = size_mm, middle_mm
    signs = ((-1, -1), (1, -1), (1, 1), (-1, 1))
    return tuple((x + sx * width / 2, y + sy * depth / 2) for sx, sy in signs)


def _with_lens(view: View, lens: Lens) -> tuple[Points | None, float, str]:
    pose = pose_of(view, lens)
    if pose is None:
        return None, 0.0, "the sheet's corners lie on no plane before this camera: lay it flat and look again"
    missed = rms(misses_px(view, pose, lens))
    bulge = sag([view], [pose], lens, lens_known=True)
    if bulge.bent:
        return None, missed, NOT_FLAT.format(bulge.height_mm)
    if missed > MOST_MISSED_PX:
        return None, missed, ASTRAY.format(missed)
    return np.asarray(np.linalg.inv(np.array(lens.matrix) @ pose.to_rays), np.float64), missed, ""


def _without_lens(view: View) -> tuple[Points | None, float, str]:
    to_mm, _ = cv2.findHomography(view.points_px, view.points_mm, 0)
    if to_mm is None:
        return None, 0.0, "the sheet's corners lie on no plane: lay it flat and look again"
    back = mapped(inverse(to_mm), view.points_mm)
    missed = rms(view.points_px - back)
    fault = ASTRAY.format(missed) if missed > 2 * MOST_MISSED_PX else ""
    return np.asarray(to_mm, np.float64), missed, fault
