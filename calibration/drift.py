"""Whether the camera still stands where it stood: points on the table are looked up in every frame.

Patches round the corners of tiles and tags are followed from the frame they were learnt in (Lucas and Kanade), so that
errors do not add up. What all of them do together is the camera's motion; what few do is a tile or a hand.
"""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass, replace
from typing import Literal

import cv2
import numpy as np
from numpy.typing import ArrayLike, NDArray

from calibration.homography import inverse, mapped
from calibration.lens import Image, Lens, Points, as_matrix, as_points
from calibration.plane import Plane

NOTICED_MM = 0.8  # a drift is told from here on; below it is only followed
FARTHEST_MM, FARTHEST_DEG = 30.0, 4.0  # beyond, other things come into view: look at the table anew
SETTLING_S = 0.35  # so long frames have to tell the same,
FEWEST_FRAMES, SLOWEST_S = 3, 1.0  # and so many of them, which take a slow camera longer
AGREE_MM = 0.5  # how well they have to
FEWEST_POINTS = 10
FEW = 0.1  # of all points, on each side, lie apart from the others
VISIBLE, TOGETHER = 0.3, 0.6  # of all points must be found, and of those must move as one
STRAY_PX = 0.5  # points on the table are followed to a few hundredths; what strays farther moves by itself
LOST_S = 3.0  # so long without enough points, and it is time for a new look
_WINDOW, _LEVELS = (21, 21), 3
_UNLIKE = 24.0  # grey levels by which a patch may differ, its lightness aside

State = Literal["quiet", "followed", "moved", "lost", "covered"]


@dataclass(frozen=True)
class Drift:
    """What one frame says of the camera's place.

    state: quiet; followed (it drifted, and the plane with it); moved (so far that a new look is needed); lost (the
    points are gone for long); covered (too little to see just now). shift_mm: how far the table is off where the
    stored plane has it, at its worst among the points. turn_deg: how far the view turned. plane: where it lies now.
    """

    state: State
    shift_mm: float
    turn_deg: float
    plane: Plane
    words: str = ""


class DriftWatch:
    """Watches the points of a table, given in a frame in which the stored plane is right.

    frame: (height, width, 3). points_px: (n, 2), corners of tiles, tags or anything that lies still.
    """

    def __init__(self, frame: Image, points_px: ArrayLike, plane: Plane, lens: Lens | None = None) -> None:
        self._lens, self._stored = lens, plane
        self._plane = plane
        self._recent: deque[tuple[float, Points]] = deque()
        self._seen_s: float | None = None
        self.learn(frame, points_px)

    @property
    def plane(self) -> Plane:
        """The table as it lies now, small drifts followed."""
        return self._plane

    def learn(self, frame: Image, points_px: ArrayLike) -> None:
        """Watch other points from now on, in a frame in which the plane as it is followed is right."""
        self._first = _grey(frame)
        self._points = as_points(points_px).astype(np.float32)
        self._ideal = self._straight(self._points)
        self._learnt = self._plane
        self._places_mm = _places(mapped(self._plane.to_mm, self._ideal))
        self._guess = self._points.copy()
        self._recent.clear()

    def see(self, frame: Image, time_s: float) -> Drift:
        """Look for the points in a frame."""
        if self._seen_s is None:
            self._seen_s = time_s
        motion = self._motion(_grey(frame))
        if motion is None:
            lost = time_s - self._seen_s > LOST_S
            words = "The table is covered, or the camera was turned away: look at the table anew." if lost else ""
            return Drift("lost" if lost else "covered", 0.0, 0.0, self._plane, words)
        self._seen_s = time_s
        self._recent.append((time_s, motion))
        self._forget(time_s)
        return self._judged(time_s)

    def _forget(self, time_s: float) -> None:
        """Keep what the last frames said, be they few."""
        while self._recent[0][0] < time_s - (SETTLING_S if len(self._recent) > FEWEST_FRAMES else SLOWEST_S) - 1e-6:
            self._recent.popleft()

    def _judged(self, time_s: float) -> Drift:
        """What the last frames say together."""
        offsets = np.array([self._offsets(motion) for _, motion in self._recent])
        settled = time_s - self._recent[0][0] >= 0.8 * SETTLING_S and len(offsets) >= FEWEST_FRAMES
        middle = np.median(offsets, axis=0)
        steady = float(np.linalg.norm(offsets - middle, axis=2).max()) < AGREE_MM
        now = self._moved_plane(np.mean([motion / motion[2, 2] for _, motion in self._recent], axis=0))
        shift, turn = self._against_stored(now)
        if not (settled and steady):
            return Drift("quiet" if shift < NOTICED_MM else "covered", shift, turn, self._plane)
        if shift > FARTHEST_MM or turn > FARTHEST_DEG:
            words = f"The camera was moved by about {shift:.0f} mm: look at the table anew (pipsight calibrate table)."
            return Drift("moved", shift, turn, self._plane, words)
        self._plane = now
        if shift < NOTICED_MM:
            return Drift("quiet", shift, turn, now)
        return Drift("followed", shift, turn, now, f"The camera drifted by {shift:.1f} mm; that is allowed for.")

    def _motion(self, grey: Image) -> Points | None:
        """3x3, from ideal pixels of the learnt frame to those of this one, if enough points say the same."""
        if len(self._points) < FEWEST_POINTS:
            return None
        found, kept = self._followed(grey)
        if kept.sum() < max(FEWEST_POINTS, VISIBLE * len(kept)):
            return None
        old, new = self._ideal[kept], self._straight(found[kept])
        motion, agreed = cv2.findHomography(old, new, cv2.RANSAC, STRAY_PX, maxIters=500, confidence=0.999)
        if motion is None or agreed.sum() < max(FEWEST_POINTS, TOGETHER * kept.sum()):
            return None
        inside = agreed.ravel().astype(bool)
        if not _spread_out(old[inside], self._ideal):
            return None
        self._guess = np.where(kept[:, None], found, self._guess).astype(np.float32)
        return np.asarray(motion, np.float64)

    def _followed(self, grey: Image) -> tuple[NDArray[np.float32], NDArray[np.bool_]]:
        """Where the points are now, and which were surely found: looked for back again, they are where they were."""
        usual = cv2.OPTFLOW_USE_INITIAL_FLOW
        there, good, unlike = cv2.calcOpticalFlowPyrLK(
            self._first, grey, self._points, self._guess.copy(), flags=usual, winSize=_WINDOW, maxLevel=_LEVELS
        )
        back, _, _ = cv2.calcOpticalFlowPyrLK(
            grey, self._first, there, self._points.copy(), flags=usual, winSize=_WINDOW, maxLevel=_LEVELS
        )
        off = np.linalg.norm(back - self._points, axis=1)
        kept = (good.ravel() > 0) & (off < STRAY_PX) & (unlike.ravel() < _UNLIKE)
        return np.asarray(there, np.float32), np.asarray(kept, np.bool_)

    def _straight(self, points_px: ArrayLike) -> Points:
        return self._lens.ideal(points_px) if self._lens else as_points(points_px)

    def _ideal_places(self, plane: Plane) -> Points:
        """Where the points lie in ideal pixels, by their places."""
        return mapped(inverse(plane.to_mm), self._places_mm)

    def _moved_plane(self, motion: Points) -> Plane:
        """The learnt plane after the camera's motion."""
        return replace(self._learnt, to_mm=as_matrix(np.array(self._learnt.to_mm) @ np.linalg.inv(motion)))

    def _offsets(self, motion: Points) -> Points:
        """How far the places went, in millimetres of the learnt plane."""
        moved = mapped(motion, self._ideal_places(self._learnt))
        return np.asarray(mapped(self._learnt.to_mm, moved) - self._places_mm, np.float64)

    def _against_stored(self, now: Plane) -> tuple[float, float]:
        """How far the table is off the stored plane, in millimetres, and how far the view turned, in degrees."""
        pixels = self._ideal_places(now)
        off = mapped(self._stored.to_mm, pixels) - self._places_mm
        focal = self._lens.matrix[0][0] if self._lens else float(max(self._first.shape))
        travelled = np.median(np.linalg.norm(pixels - self._ideal_places(self._stored), axis=1))
        return float(np.linalg.norm(off, axis=1).max()), float(np.degrees(np.arctan(travelled / focal)))


def points_to_watch(frame: Image, corners_px: ArrayLike, most: int = 160) -> Points:
    """The points of a frame worth watching: the given corners (n, 2), and with few of them what else is distinct.

    What else there is may be the pattern of a cloth or the edge of a tray; a hand in the frame must be away.
    """
    given = as_points(corners_px)[:most]
    if len(given) >= most // 2:
        return given
    grey = _grey(frame)
    more = cv2.goodFeaturesToTrack(grey, most - len(given), 0.02, min(grey.shape) / 30, blockSize=7)
    return given if more is None else np.concatenate([given, as_points(more)])


def _places(points_mm: Points) -> Points:
    """(5, 2): the corners and the middle of where most points lie: there it is known how far the table is off.

    Farther away, as at the far end of a table seen aslant, a few hundredths of a pixel would be a drift.
    """
    if not len(points_mm):
        return np.zeros((5, 2))
    (left, top), (right, bottom) = np.quantile(points_mm, (FEW, 1 - FEW), axis=0)
    middle = ((left + right) / 2, (top + bottom) / 2)
    return np.array([(left, top), (right, top), (right, bottom), (left, bottom), middle])


def _spread_out(points: Points, among: Points) -> bool:
    """Whether points reach over enough of where all of them are: those of a corner alone would tell too little."""
    return bool((np.ptp(points, axis=0) > 0.4 * np.ptp(among, axis=0)).all())


def _grey(frame: Image) -> Image:
    return frame if frame.ndim == 2 else np.asarray(cv2.cvtColor(frame, cv2.COLOR_BGR2GRAY), np.uint8)
