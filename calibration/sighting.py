"""The sheet and the tags in one frame: which corners are where, and what speaks against believing them."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.homography import mapped
from calibration.lens import Image, Points, as_points
from calibration.target import SHEET, TAG_NUMBERS, Target, board, dictionary
from calibration.views import View

FEWEST_CORNERS = 8
FEWEST_MARKERS = 4
STRAY = 0.5  # of a square: so far a marker may lie from where the others say it is; lenses bend less
BELIEVED = 0.7  # of all markers must lie where the others say
NEARER = 2  # so many times larger the sheet is looked at again where a side of it seems to lack
SMALL_PX = 12.0  # markers whose shorter side is less may be there unseen
SIDES = ("left", "top", "right", "bottom")
SWAPPED = "The sheet has its sides swapped: print pipsight's own sheet (pipsight calibrate target)."
FOREIGN = "The sheet's markers are not where they must be: print pipsight's own sheet (pipsight calibrate target)."


@dataclass(frozen=True, eq=False)
class Sighting:
    """What one frame shows of the sheet and the tags.

    numbers: which corners of the sheet were found, (n,). corners_px: where, (n, 2), to a small part of a pixel.
    fault: a sentence that says why the sheet is not believed, empty if it is; then there are no corners.
    lacks: the sides of the board, as left or top, whose markers do not show though their places lie in the picture.
    blur_px: how wide edges are, as a standard deviation. tags: the corners (4, 2) of each tag, by number.
    """

    size_px: tuple[int, int]
    target: Target
    numbers: NDArray[np.int64]
    corners_px: Points
    fault: str = ""
    lacks: tuple[str, ...] = ()
    blur_px: float = 0.0
    tags: tuple[tuple[int, Points], ...] = ()

    @property
    def found(self) -> bool:
        """Whether there is enough of the sheet to measure by."""
        return len(self.numbers) >= FEWEST_CORNERS

    @property
    def view(self) -> View:
        """The corners on the sheet, in millimetres, and in the picture."""
        return View(self.target.corners_mm()[self.numbers], self.corners_px)

    def moved_px(self, before: Sighting) -> float:
        """How far the sheet moved since another frame, in pixels; infinite where they share no corners."""
        _, ours, theirs = np.intersect1d(self.numbers, before.numbers, return_indices=True)
        if len(ours) < FEWEST_CORNERS:
            return float("inf")
        return float(np.median(np.linalg.norm(self.corners_px[ours] - before.corners_px[theirs], axis=1)))


def find_sheet(frame: Image, target: Target = SHEET) -> Sighting:
    """Look for the sheet and the tags in a frame, (height, width, 3) or (height, width)."""
    grey = frame if frame.ndim == 2 else np.asarray(cv2.cvtColor(frame, cv2.COLOR_BGR2GRAY), np.uint8)
    size = (grey.shape[1], grey.shape[0])
    markers, names, _ = _marker_detector().detectMarkers(grey)
    seen = _by_number(markers, names)
    tags = tuple((number, _fine(grey, seen.pop(number))) for number in TAG_NUMBERS if number in seen)
    nothing = Sighting(size, target, np.zeros(0, np.int64), np.zeros((0, 2)), tags=tags)
    if len(seen) < FEWEST_MARKERS:
        return nothing
    to_px, share = _layout(seen, target)
    if to_px is None or share < BELIEVED:
        swapped = _layout(seen, target.swapped)[1] >= BELIEVED
        return Sighting(size, target, nothing.numbers, nothing.corners_px, SWAPPED if swapped else FOREIGN, tags=tags)
    if _lacking(seen, target, to_px, size):
        seen = _seen_nearer(grey, target, to_px) | seen
    corners, numbers, _, _ = _detector(target).detectBoard(grey, **_as_detected(seen))
    if numbers is None:
        return nothing
    return Sighting(
        size,
        target,
        np.ravel(numbers).astype(np.int64),
        as_points(corners),
        lacks=_lacking(seen, target, to_px, size),
        blur_px=_blur(grey, as_points(corners)),
        tags=tags,
    )


def mirrored(frame: Image, target: Target = SHEET) -> bool:
    """Whether the frame shows the sheet, or the tags, as in a mirror: found only once the frame is turned back."""
    seen, turned = find_sheet(frame, target), find_sheet(turned_back(frame), target)
    return (not seen.found and turned.found) or len(seen.tags) < len(turned.tags) == len(TAG_NUMBERS)


def turned_back(frame: Image) -> Image:
    """The frame of a camera that shows left as right, as the table really is."""
    return np.ascontiguousarray(frame[:, ::-1])


@cache
def _detector(target: Target) -> cv2.aruco.CharucoDetector:
    return cv2.aruco.CharucoDetector(board(target))


@cache
def _marker_detector() -> cv2.aruco.ArucoDetector:
    return cv2.aruco.ArucoDetector(dictionary())


def _by_number(markers: object, names: object) -> dict[int, Points]:
    """The corners (4, 2) of each marker that shows once; one that shows twice tells nothing."""
    if names is None or not isinstance(markers, (list, tuple)):
        return {}
    listed = [int(n) for n in np.ravel(np.asarray(names))]
    found = zip(listed, markers, strict=True)
    return {number: as_points(corners) for number, corners in found if listed.count(number) == 1}


def _as_detected(seen: dict[int, Points]) -> dict[str, Any]:
    """Markers as OpenCV takes them."""
    corners = [corners.astype(np.float32).reshape(1, 4, 2) for corners in seen.values()]
    return {"markerCorners": corners, "markerIds": np.array(list(seen), np.int32).reshape(-1, 1)}


def _seen_nearer(grey: Image, target: Target, to_px: Points) -> dict[int, Points]:
    """The board's markers on an enlarged picture of the sheet: its far side is small where the camera looks aslant."""
    outline = mapped(to_px, target.outline_mm())
    (left, top), (right, bottom) = (np.clip(at, 0, grey.shape[::-1]).astype(int) for at in _box(outline))
    part = grey[top:bottom, left:right]
    if min(part.shape) < 1:
        return {}
    large = cv2.resize(part, None, fx=NEARER, fy=NEARER, interpolation=cv2.INTER_CUBIC)
    markers, names, _ = _marker_detector().detectMarkers(large)
    here = {n: (at + 0.5) / NEARER - 0.5 + (left, top) for n, at in _by_number(markers, names).items()}
    return {number: corners for number, corners in here.items() if number < len(target.markers_mm())}


def _box(points: Points) -> tuple[Points, Points]:
    return points.min(axis=0), points.max(axis=0) + 1


def _layout(seen: dict[int, Points], target: Target) -> tuple[Points | None, float]:
    """The homography from millimetres to pixels that most markers agree on, and their share."""
    places = target.markers_mm()
    own = [number for number in seen if number < len(places)]
    if len(own) < FEWEST_MARKERS:
        return None, 0.0
    known = np.concatenate([places[number] for number in own])
    pixels = np.concatenate([seen[number] for number in own])
    to_mm, _ = cv2.findHomography(pixels, known, cv2.RANSAC, STRAY * target.square_mm)
    if to_mm is None or abs(np.linalg.det(to_mm)) < 1e-12:
        return None, 0.0
    off = np.linalg.norm(mapped(to_mm, pixels) - known, axis=1).reshape(-1, 4).max(axis=1)
    right = np.count_nonzero(off < STRAY * target.square_mm) / len(seen)
    return np.asarray(np.linalg.inv(to_mm), np.float64), float(right)


def _lacking(seen: dict[int, Points], target: Target, to_px: Points, size: tuple[int, int]) -> tuple[str, ...]:
    """The sides of the board of which no marker shows, though all of them would be seen well within the picture."""
    middles = target.markers_mm().mean(axis=1)
    width, height = target.size_mm
    rims = (middles[:, 0], middles[:, 1], width - middles[:, 0], height - middles[:, 1])
    pixels = mapped(to_px, middles)
    within = np.asarray(((pixels > 0.04 * np.array(size)) & (pixels < 0.96 * np.array(size))).all(axis=1))
    large = _shorter_sides(mapped(to_px, target.markers_mm())) >= SMALL_PX
    shown = np.isin(np.arange(len(middles)), list(seen))
    rows = [rim < target.square_mm for rim in rims]
    return tuple(
        side for side, row in zip(SIDES, rows, strict=True) if (within & large)[row].all() and not shown[row].any()
    )


def _shorter_sides(quads: Points) -> NDArray[np.float64]:
    """The shortest side of each of (n, 4, 2) squares in pixels, (n,)."""
    return np.asarray(np.linalg.norm(quads - np.roll(quads, 1, axis=1), axis=2).min(axis=1))


def _fine(grey: Image, corners: Points) -> Points:
    """The corners of a tag to a part of a pixel."""
    reach = int(np.clip(np.linalg.norm(corners[1] - corners[0]) / 8, 2, 8))
    rough = corners.astype(np.float32).reshape(-1, 1, 2)
    criteria = (cv2.TERM_CRITERIA_COUNT | cv2.TERM_CRITERIA_EPS, 40, 0.005)
    return as_points(cv2.cornerSubPix(grey, rough, (reach, reach), (-1, -1), criteria))


def _blur(grey: Image, corners: Points) -> float:
    """How wide the sheet's edges are: from how steep they are against how far black is from white."""
    if not len(corners):
        return 0.0
    (left, top), (right, bottom) = (np.clip(f(corners, 0), 0, None).astype(int) for f in (np.min, np.max))
    part = grey[top : bottom + 1, left : right + 1].astype(np.float32)
    if min(part.shape) < 8:
        return 0.0
    slope = cv2.magnitude(cv2.Sobel(part, cv2.CV_32F, 1, 0) / 8, cv2.Sobel(part, cv2.CV_32F, 0, 1) / 8)
    dark, light = np.percentile(part[::2, ::2], (5, 95))
    steep = float(np.percentile(slope[::2, ::2], 98))
    return float((light - dark) / max(steep * np.sqrt(2 * np.pi), 1e-6))
