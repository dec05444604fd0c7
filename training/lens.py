"""A pinhole camera with a little radial distortion, looking down at the table plane."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import ArrayLike, NDArray

Rng = np.random.Generator
Points = NDArray[np.float64]

CHAIR_DEG = (25.0, 57.0)  # how far from straight down a camera looks that stands as high as the eyes of who sits there


@dataclass(frozen=True)
class Lens:
    """Projects table points (halves; z up) to pixels.

    rotation is 3x3 from table to camera, distance_z the camera's distance from the point it looks at.
    """

    width: int
    height: int
    focal_px: float
    rotation: Points
    distance: float
    shift_px: tuple[float, float]
    radial: float

    def project(self, points: ArrayLike) -> Points:
        """(n, 3) table points to (n, 2) pixels."""
        camera = np.asarray(points, float).reshape(-1, 3) @ self.rotation.T
        depth = np.maximum(self.distance + camera[:, 2], 0.05 * self.distance)
        xy = camera[:, :2] / depth[:, None]
        spread = self.focal_px / max(self.width, self.height)
        bend = 1 + self.radial * (xy**2).sum(1, keepdims=True) * spread**2
        middle = np.array([self.width / 2 + self.shift_px[0], self.height / 2 + self.shift_px[1]])
        return np.asarray(xy * bend * self.focal_px + middle)

    def depth(self, points: ArrayLike) -> Points:
        """How far each table point is from the camera, for painting the far ones first."""
        camera = np.asarray(points, float).reshape(-1, 3) @ self.rotation.T
        return np.asarray(self.distance + camera[:, 2])


def looking_down(
    width: int,
    height: int,
    half_px: float,
    tilt_deg: float,
    turn_deg: float,
    field_deg: float = 60.0,
    shift_px: tuple[float, float] = (0.0, 0.0),
    radial: float = 0.0,
) -> Lens:
    """A camera in which a half lying in the middle of the picture is half_px long."""
    focal = 0.5 * max(width, height) / np.tan(np.deg2rad(field_deg) / 2)
    turn, tilt = np.deg2rad(turn_deg), -np.deg2rad(tilt_deg)  # the far side is the upper one
    spin = np.array([[np.cos(turn), -np.sin(turn), 0], [np.sin(turn), np.cos(turn), 0], [0, 0, 1]])
    # Pixels grow down and the camera looks along its own z; table z points up, towards the camera.
    lean = np.array([[1, 0, 0], [0, np.cos(tilt), np.sin(tilt)], [0, -np.sin(tilt), np.cos(tilt)]])
    facing = np.diag([1.0, 1.0, -1.0])
    return Lens(width, height, float(focal), facing @ lean @ spin, float(focal / half_px), shift_px, radial)


def random_lens(rng: Rng, width: int, height: int, half_px: float) -> Lens:
    """Mostly from above, sometimes from a chair."""
    tilt = abs(rng.normal(0, 7)) if rng.random() < 0.6 else rng.uniform(8, 55)
    return looking_down(
        width,
        height,
        half_px,
        float(min(tilt, 58)),
        float(rng.uniform(0, 360)),
        float(rng.uniform(40, 85)),
        (float(rng.normal(0, width * 0.08)), float(rng.normal(0, height * 0.08))),
        float(rng.normal(0, 0.05)),
    )


def leaning(lens: Lens, rng: Rng) -> Lens:
    """A camera as near to the table that sees it as from a chair."""
    size, half_px = (lens.width, lens.height), lens.focal_px / lens.distance
    return looking_down(
        *size, half_px, float(rng.uniform(*CHAIR_DEG)), float(rng.uniform(0, 360)), float(rng.uniform(40, 75))
    )


def zoomed(lens: Lens, times: float) -> Lens:
    """The same camera so many times farther away, which zooms in, or whose picture is cropped: hardly a side shows."""
    return replace(lens, focal_px=lens.focal_px * times, distance=lens.distance * times)
