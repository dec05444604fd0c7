"""A photo finish: the frames around each touch side by side, with the finger marked, for people who doubt a verdict."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import cv2
import numpy as np

if TYPE_CHECKING:
    from collections.abc import Sequence

    from vision.camera import Frame
    from vision.scene import Point
    from vision.straighten import Image

AROUND = (-2, -1, 0, 1, 2)  # frames before and after the touch
SIDE = 240  # pixels of one part of the picture
RISE = 26  # pixels of a line of text
INK, PAPER, MARK = (20, 20, 20), (245, 245, 245), (0, 0, 255)


@dataclass(frozen=True)
class Mark:
    """One touch: whose it is, in words, where the fingertip was in pixels, and when, in seconds of the frames' time."""

    label: str
    at_px: Point
    time_s: float


def photo_finish(frames: Sequence[Frame], marks: Sequence[Mark], reach_px: float) -> Image:
    """One row of frames for each touch, the earliest on top; every part shows so many pixels around the finger.

    frames: those still remembered, oldest first; a row is filled up with grey where there are none.
    """
    rows = [_row(frames, mark, reach_px) for mark in sorted(marks, key=lambda mark: mark.time_s)]
    return np.concatenate(rows) if rows else np.full((RISE, SIDE, 3), PAPER, np.uint8)


def _row(frames: Sequence[Frame], mark: Mark, reach_px: float) -> Image:
    parts = []
    at = min(range(len(frames)), key=lambda k: abs(frames[k].time_s - mark.time_s), default=0)
    for step in AROUND:
        shown = 0 <= at + step < len(frames)
        parts.append(_part(frames[at + step], mark, reach_px) if shown else np.full((SIDE, SIDE, 3), 128, np.uint8))
    row = np.concatenate(parts, axis=1)
    title = np.full((RISE, row.shape[1], 3), PAPER, np.uint8)
    cv2.putText(title, mark.label, (6, RISE - 8), cv2.FONT_HERSHEY_SIMPLEX, 0.55, INK, 1, cv2.LINE_AA)
    return np.concatenate([title, row])


def _part(frame: Frame, mark: Mark, reach_px: float) -> Image:
    """What one frame shows around the finger, larger or smaller, with a ring around it and the time to the touch."""
    scale = SIDE / (2 * reach_px)
    (x, y), half = mark.at_px, SIDE / 2
    move = np.array([[scale, 0, half - scale * x], [0, scale, half - scale * y]])
    part = cv2.warpAffine(frame.image, move, (SIDE, SIDE), borderMode=cv2.BORDER_REPLICATE)
    cv2.circle(part, (SIDE // 2, SIDE // 2), SIDE // 12, MARK, 2, cv2.LINE_AA)
    away = f"{(frame.time_s - mark.time_s) * 1000:+.0f} ms"
    for ink, thick in ((PAPER, 3), (INK, 1)):
        cv2.putText(part, away, (6, SIDE - 8), cv2.FONT_HERSHEY_SIMPLEX, 0.5, ink, thick, cv2.LINE_AA)
    return np.asarray(part, np.uint8)
