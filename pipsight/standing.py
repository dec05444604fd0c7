"""The camera over a table: held still where it shakes and, as it was calibrated, where LEDs shine in its pictures, and
whether it was moved.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from calibration.drift import DriftWatch, points_to_watch
from calibration.errors import CalibrationError
from calibration.sighting import turned_back
from pipsight.cameras import kept_of
from pipsight.events import Calibration
from pipsight.trouble import in_words
from vision.scene import Scene
from vision.stabiliser import Stabiliser

if TYPE_CHECKING:
    from calibration.drift import Drift
    from calibration.lens import Points
    from calibration.plane import Plane
    from calibration.store import CameraCalibration
    from hardware.feedback import Glow
    from pipsight.events import Event
    from vision.camera import Frame
    from vision.motion import Polygon

GLOW_MM = 12.0  # how far an LED lights the table about it
CORNERS = 12  # of the polygon that stands for a circle
EVERY_S = 0.1  # so often the camera's place is looked up
SETTLED_S = 0.5  # a table that has lain still so long is learnt
TOLD_MM = 2.0  # by so much more a followed drift is told once more


class Standing:
    """One camera and what is known of it; without a calibration it only holds its frames still.

    >>> standing = Standing.of("0")
    >>> standing.see(frame, scene)  # doctest: +SKIP
    """

    def __init__(self, known: CameraCalibration | None = None, reason: str = "") -> None:
        self._known, self._reason = known, reason
        self._stabiliser = Stabiliser()
        self._fitted: CameraCalibration | None = None
        self._size = (0, 0)
        self._watch: DriftWatch | None = None
        self._watched = self._seen = Scene((0, 0))  # what lay there when points were learnt, and what does now
        self._seen_s = self._next_s = 0.0
        self._state, self._told_mm = "quiet", 0.0

    @classmethod
    def of(cls, source: str) -> Standing:
        """What is kept of a camera, by the name it is watched by."""
        try:
            known = kept_of(source)
        except (CalibrationError, OSError) as error:
            return cls(None, f"The camera's calibration is not used: {in_words(error)}.")
        return cls(known, f"{known.migrated}." if known and known.migrated else "")

    def upright(self, frame: Frame) -> Frame:
        """The frame as it is used: turned back where the camera shows left as right."""
        if not (self._known and self._known.mirrored):
            return frame
        return replace(frame, image=turned_back(frame.image))

    def held(self, frame: Frame) -> Frame:
        """The frame as a table is followed in it: upright, and as if a camera that shakes stood still."""
        return self._stabiliser.held(self.upright(frame))

    def see(self, frame: Frame, scene: Scene, *, calm: bool = True) -> list[Event]:
        """Look whether the camera still stands where it stood, now and then; scene: what lies on the table.

        calm: whether nothing moves over the table.
        """
        events = self._fit((frame.image.shape[1], frame.image.shape[0]))
        plane = self._fitted.plane if self._fitted else None
        if scene is not self._seen:
            self._seen, self._seen_s = scene, frame.time_s
        if plane is None or frame.time_s < self._next_s:
            return events
        self._next_s = frame.time_s + EVERY_S
        drift = self._watch.see(frame.image, frame.time_s) if self._watch else None
        events += self._judged(drift) if drift else []
        settled = calm and len(scene.tiles) > 0 and frame.time_s - self._seen_s >= SETTLED_S
        if settled and scene is not self._watched and (drift is None or self._may_learn(drift)):
            self._learn(frame, scene, plane)
        return events

    def _may_learn(self, drift: Drift) -> bool:
        """Whether the camera surely stands where it is thought to: its own motion must not be taken for the tiles'."""
        return drift.state in ("quiet", "followed") or (drift.state == "lost" and self._laid_anew())

    def _laid_anew(self) -> bool:
        """Whether other tiles lie there than those whose points were learnt."""
        return _dominoes(self._seen) != _dominoes(self._watched)

    def _fit(self, size_px: tuple[int, int]) -> list[Event]:
        """Take the calibration for pictures of this size; what keeps it from being used is told once."""
        if size_px == self._size:
            return []
        self._size, self._fitted, self._watch = size_px, None, None
        reason, self._reason = self._reason, ""
        try:
            self._fitted = self._known.of_size(size_px) if self._known else None
        except CalibrationError as error:
            reason = f"The camera's calibration is not used: {error}."
        return [Calibration(reason, "read" if self._fitted else "unusable")] if reason else []

    def _learn(self, frame: Frame, scene: Scene, plane: Plane) -> None:
        """Watch the tiles as they lie now; the camera is taken to stand where it was last seen to stand."""
        assert self._fitted
        corners = np.array([tile.corners_px for tile in scene.tiles], np.float64).reshape(-1, 2)
        points = points_to_watch(frame.image, corners)
        if self._watch is None:
            self._watch = DriftWatch(frame.image, points, plane, self._fitted.lens)
        else:
            self._watch.learn(frame.image, points)
        self._watched = scene

    def _judged(self, drift: Drift) -> list[Event]:
        """What is worth telling: another state, or a drift that went on."""
        if drift.state == "lost" and self._laid_anew():
            return []
        went_on = drift.state == "followed" and drift.shift_mm > self._told_mm + TOLD_MM
        if drift.state == "covered" or (drift.state == self._state and not went_on):
            return []
        before, self._state, self._told_mm = self._state, drift.state, drift.shift_mm
        words = drift.words or ("The camera stands where it stood." if before != "quiet" else "")
        return [Calibration(words, drift.state, round(drift.shift_mm, 1), round(drift.turn_deg, 2))] if words else []

    def lit_px(self, glow: Glow) -> tuple[Polygon, ...]:
        """Where LEDs that shine light the picture: by their places on the table, else as they were found in it."""
        fitted = self._fitted
        if fitted is None or not glow.leds:
            return ()
        if glow.places_mm and fitted.plane:
            plane = self._watch.plane if self._watch else fitted.plane
            rings = [_ring(place, GLOW_MM) for place in glow.places_mm]
            return tuple(_points(plane.to_picture(ring, fitted.lens)) for ring in rings)
        shining = set(glow.leds)
        return tuple(_points(_ring(seen.at_px, seen.radius_px)) for seen in fitted.lights if seen.led in shining)


def _dominoes(scene: Scene) -> list[tuple[int, ...]]:
    return sorted(tuple(sorted(tile.pips)) for tile in scene.tiles)


def _ring(middle: tuple[float, float], radius: float) -> Points:
    """The corners (n, 2) of what stands for a circle."""
    angles = np.arange(CORNERS) * 2 * np.pi / CORNERS
    return np.asarray(np.column_stack([np.cos(angles), np.sin(angles)]) * radius + np.array(middle), np.float64)


def _points(ring: Points) -> Polygon:
    return tuple((float(x), float(y)) for x, y in ring)
