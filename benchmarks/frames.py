"""Frames of one rendered table as a camera would send them: noise, lamps that drift, compression, a hand."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from training.surfaces import hand
from vision.straighten import Image

Rng = np.random.Generator
Floats = NDArray[np.float32]

GRAINS = 6  # pictures of noise that are drawn once and then shifted: drawing one a frame would outlast the reading


@dataclass(frozen=True)
class Camera:
    """What a camera and its lamps add to a still picture.

    noise: deviation in grey levels. flicker: deviation of the light from frame to frame, and drift: how far it swings
    slowly, both as shares. jpeg: quality, 100 for none.
    """

    noise: float = 4.0
    flicker: float = 0.01
    drift: float = 0.1
    jpeg: int = 100


def filmed(still: Image, camera: Camera, rng: Rng) -> Iterator[Image]:
    """Endless frames of one still picture."""
    noise = grains(still.shape, camera, rng)
    k = 0
    while True:
        yield taken(still, camera, noise, rng, k)
        k += 1


def grains(shape: tuple[int, ...], camera: Camera, rng: Rng) -> list[Floats]:
    """The pictures of noise that frames of this shape are made with."""
    return [rng.normal(0, camera.noise, shape).astype(np.float32) for _ in range(GRAINS)]


def taken(still: Image, camera: Camera, noise: list[Floats], rng: Rng, k: int) -> Image:
    """Frame k of a still picture."""
    light = 1 + camera.drift * np.sin(k / 40) + rng.normal(0, camera.flicker)
    grain = noise[int(rng.integers(len(noise)))]
    rolled = np.roll(grain, tuple(int(v) for v in rng.integers(0, grain.shape[:2])), axis=(0, 1))
    seen = np.asarray(np.clip(still * np.float32(light) + rolled, 0, 255), np.uint8)
    if camera.jpeg >= 100:
        return seen
    _, data = cv2.imencode(".jpg", seen, [cv2.IMWRITE_JPEG_QUALITY, camera.jpeg])
    return np.asarray(cv2.imdecode(data, cv2.IMREAD_COLOR), np.uint8)


class Reaching:
    """A hand that comes in from the lower edge, stays a moment, and goes, again and again."""

    def __init__(self, width: int, height: int, rng: Rng, period: int = 60) -> None:
        self._cut, self._size, self._period = hand(rng), (width, height), period
        self._x = rng.uniform(0.3, 0.7, 64) * width
        self._reach = rng.uniform(0.35, 0.7, 64) * height

    def over(self, still: Image, k: int) -> Image:
        """Frame k of the still picture with the hand over it: away, coming, resting or going."""
        turn, phase = divmod(k, self._period)
        inside = float(np.clip(1.6 * np.sin(2 * np.pi * phase / self._period), 0, 1))
        if inside == 0:
            return still
        scale = 0.5 * self._size[1] / self._cut.shape[1]
        x = float(self._x[turn % 64]) + 12 * np.sin(k / 3) - scale * self._cut.shape[1] / 2
        warp = np.array([[scale, 0, x], [0, scale, self._size[1] - inside * float(self._reach[turn % 64])]])
        seen = cv2.warpAffine(self._cut, warp, self._size)
        cover = seen[..., 3:].astype(np.float32) / 255
        return np.asarray(still + cover * (seen[..., :3].astype(np.float32) - still), np.uint8)
