"""A camera on an arm that trembles all the time, and swings for a while where somebody jolts the table."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace

import cv2
import numpy as np

from vision.camera import Frame

KEPT = 0.5  # of a frame's trembling in the next one
JOLTED_S = 2.0  # between two jolts, on average
SWINGS, HERTZ, LASTS_S = 4.0, 5.0, 0.3  # how much farther than it trembles, how often a second, and for how long


def shaken(frames: Iterable[Frame], far_px: float, seed: int) -> Iterator[Frame]:
    """The same frames from a camera that trembles by so many pixels each way (one standard deviation)."""
    rng = np.random.default_rng((seed, 11))
    trembling, swing, jolted_s, next_s = np.zeros(2), np.zeros(2), 0.0, 0.0
    for frame in frames:
        if frame.time_s >= next_s:
            jolted_s, next_s = frame.time_s, frame.time_s + rng.exponential(JOLTED_S)
            swing = rng.normal(0, SWINGS * far_px, 2)
        trembling = KEPT * trembling + (1 - KEPT**2) ** 0.5 * rng.normal(0, far_px, 2)
        since_s = frame.time_s - jolted_s
        by = trembling + swing * np.exp(-since_s / LASTS_S) * np.sin(2 * np.pi * HERTZ * since_s)
        step = np.array([[1, 0, by[0]], [0, 1, by[1]]])
        size = frame.image.shape[1::-1]
        image = cv2.warpAffine(frame.image, step, size, borderMode=cv2.BORDER_REFLECT)
        yield replace(frame, image=np.asarray(image, np.uint8))
