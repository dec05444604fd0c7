"""A camera on an arm that trembles all the time, and swings for a while where somebody jolts the table.

It turns about its axis by as much as it tilts, which moves the sides of the picture a little less than all of it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace

import cv2
import numpy as np

from vision.camera import Frame

LENGTH = 0.8  # of the lens, in widths of the picture
KEPT = 0.5  # of a frame's trembling in the next one
JOLTED_S = 2.0  # between two jolts, on average
SWINGS, HERTZ, LASTS_S = 4.0, 5.0, 0.3  # how much farther than it trembles, how often a second, and for how long


def shaken(frames: Iterable[Frame], far_px: float, seed: int) -> Iterator[Frame]:
    """The same frames from a camera that trembles by so many pixels each way (one standard deviation)."""
    rng = np.random.default_rng((seed, 11))
    trembling, swing, jolted_s, next_s = np.zeros(3), np.zeros(3), 0.0, 0.0
    for frame in frames:
        if frame.time_s >= next_s:
            jolted_s, next_s = frame.time_s, frame.time_s + rng.exponential(JOLTED_S)
            swing = rng.normal(0, SWINGS * far_px, 3)
        trembling = KEPT * trembling + (1 - KEPT**2) ** 0.5 * rng.normal(0, far_px, 3)
        since_s = frame.time_s - jolted_s
        by = trembling + swing * np.exp(-since_s / LASTS_S) * np.sin(2 * np.pi * HERTZ * since_s)
        size = frame.image.shape[1::-1]
        step = cv2.getRotationMatrix2D((size[0] / 2, size[1] / 2), np.degrees(by[2] / LENGTH / size[0]), 1.0)
        step[:, 2] += by[:2]
        image = cv2.warpAffine(frame.image, step, size, borderMode=cv2.BORDER_REFLECT)
        yield replace(frame, image=np.asarray(image, np.uint8))
