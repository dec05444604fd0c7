"""A camera over a table of dominoes that is nudged, or is not though hands pass: what the drift watch says."""

from __future__ import annotations

from functools import cache
from typing import Any

import cv2
import numpy as np

from benchmarks.bare_table import lens_of, scattered
from benchmarks.frames import Camera, Reaching, grains, taken
from calibration.drift import DriftWatch, points_to_watch
from calibration.lens import Image, Lens, Points, as_matrix
from calibration.plane import Plane
from calibration.plane_fit import area_around
from training.lens import looking_down
from training.look import Look
from training.render import render
from training.samples import set_of

SIZE = (640, 360)
RATE = 10.0  # frames a second
TILE_MM = 48.0
HALF_PX, TILT_DEG = 20.0, 12.0  # tiles are 40 pixels long: 0.83 pixels a millimetre
SHIFT_MM, TURN_DEG = 2.0, 0.5
BEFORE, AFTER = 12, 10  # frames: the nudge must be noticed within a second
CAMERA = Camera(noise=3.0, flicker=0.005, drift=0.05)
QUIET_RUN = 500  # frames in one run without a nudge


@cache
def table(seed: int) -> tuple[Image, Points, Plane, Lens]:
    """Twenty dominoes on a table, their corners, and where the table lies."""
    rng = np.random.default_rng((41, seed))
    camera = looking_down(*SIZE, HALF_PX, TILT_DEG, 0.0)
    image, truth = render(Look(camera, set_of(seed + 100)), scattered(20, (11.0, 6.0), rng), rng)
    lens = lens_of(camera)
    shift = np.array([0.0, 0.0, camera.distance * TILE_MM / 2])
    to_px = np.array(lens.matrix) @ np.column_stack([camera.rotation[:, :2], shift])
    plane = Plane(as_matrix(np.linalg.inv(to_px)), area_around((500.0, 280.0)))
    return image, np.array([t.corners_px for t in truth.tiles]).reshape(-1, 2), plane, lens


def nudged(number: int) -> dict[str, Any]:
    """One trial: a nudge of 2 mm over the table, or a turn of half a degree, some way; was it noticed in time?"""
    rng = np.random.default_rng((43, number))
    image, corners, plane, lens = table(number % 5)
    watch = DriftWatch(image, points_to_watch(image, corners), plane, lens)
    way = nudge(number, rng, plane, lens)
    after = cv2.warpPerspective(image, way, SIZE, flags=cv2.INTER_CUBIC, borderMode=cv2.BORDER_REFLECT)
    noise = grains(image.shape, CAMERA, rng)
    hand = Reaching(*SIZE, rng, period=60)
    told = []
    for k in range(BEFORE + AFTER):
        still = image if k < BEFORE else np.asarray(after, np.uint8)
        frame = hand.over(still, k) if number % 4 == 3 else still
        told.append(watch.see(taken(frame, CAMERA, noise, rng, k), k / RATE))
    noticed = [k for k, drift in enumerate(told) if drift.words]
    late = min((k - BEFORE + 1 for k in noticed if k >= BEFORE), default=None)
    return {"early": sum(k < BEFORE for k in noticed), "seconds": late and late / RATE, "shift": told[-1].shift_mm}


def quiet(number: int) -> dict[str, Any]:
    """Frames of a camera that stays where it is while hands pass: how many say that it moved."""
    rng = np.random.default_rng((47, number))
    image, corners, plane, lens = table(number % 5)
    watch = DriftWatch(image, points_to_watch(image, corners), plane, lens)
    noise, hand = grains(image.shape, CAMERA, rng), Reaching(*SIZE, rng, period=60)
    told = [watch.see(taken(hand.over(image, k), CAMERA, noise, rng, k), k / RATE) for k in range(QUIET_RUN)]
    states = [drift.state for drift in told]
    return {"frames": len(told), "alarms": sum(bool(drift.words) for drift in told), "covered": states.count("covered")}


def nudge(number: int, rng: np.random.Generator, plane: Plane, lens: Lens) -> Points:
    """The motion of the picture: the camera slid over the table, or turned about an axis of its own."""
    matrix, angle = np.array(lens.matrix), rng.uniform(0, 2 * np.pi)
    if number % 2:
        axis = rng.normal(size=3)
        turn = cv2.Rodrigues(np.radians(TURN_DEG) * axis / np.linalg.norm(axis))[0]
        return np.asarray(matrix @ turn @ np.linalg.inv(matrix), np.float64)
    slide = np.eye(3)
    slide[:2, 2] = SHIFT_MM * np.array([np.cos(angle), np.sin(angle)])
    to_mm = np.array(plane.to_mm)
    return np.asarray(np.linalg.inv(to_mm) @ slide @ to_mm, np.float64)
