"""Light on the table and what a camera makes of it: shade, sun edges, glare, blur, noise, compression."""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

Rng = np.random.Generator
Image = NDArray[np.uint8]
Field = NDArray[np.float32]

HARD = 0.6  # pixels of blur at the edge of a shadow that falls from near by


def _grid(shape: tuple[int, int]) -> tuple[Field, Field]:
    y, x = np.mgrid[0 : shape[0], 0 : shape[1]].astype(np.float32)
    return x / shape[1], y / shape[0]


def illumination(shape: tuple[int, int], rng: Rng) -> Field:
    """How bright each pixel's light is, around 1: a slope, a lamp, a vignette, and hard sun edges now and then."""
    small = (max(2, shape[0] // 4), max(2, shape[1] // 4))
    x, y = _grid(small)
    way = rng.uniform(0, 2 * np.pi)
    light = 1 + rng.uniform(0, 0.5) * ((x - 0.5) * np.cos(way) + (y - 0.5) * np.sin(way))
    if rng.random() < 0.4:
        cx, cy = rng.uniform(0, 1, 2)
        light += rng.uniform(0, 0.5) * np.exp(-((x - cx) ** 2 + (y - cy) ** 2) / rng.uniform(0.03, 0.4))
    light *= 1 - rng.uniform(0, 0.35) * ((x - 0.5) ** 2 + (y - 0.5) ** 2) * 2
    sun = _sun(small, shape, rng) if rng.random() < 0.25 else 1.0
    return np.asarray(_resized(light.astype(np.float32), shape) * sun, np.float32)


def _sun(small: tuple[int, int], shape: tuple[int, int], rng: Rng) -> Field:
    """A patch of sun, or of shadow, with straight edges: soft ones are drawn small, hard ones are a pixel wide."""
    corners = rng.uniform(-0.3, 1.3, (int(rng.integers(3, 6)), 2))
    blur = float(rng.choice([HARD, 2, 8]))
    size = shape if blur == HARD else small
    mask = np.zeros(size, np.float32)
    cv2.fillPoly(mask, [cv2.convexHull((corners * size[::-1]).astype(np.int32))], 1.0)
    mask = _resized(np.asarray(cv2.GaussianBlur(mask, (0, 0), blur), np.float32), shape)
    inside, outside = (
        (1.0, float(rng.uniform(0.3, 0.75))) if rng.random() < 0.5 else (float(rng.uniform(0.3, 0.8)), 1.0)
    )
    return np.asarray(outside + (inside - outside) * mask, np.float32)


def _resized(field: Field, shape: tuple[int, int]) -> Field:
    return np.asarray(cv2.resize(field, shape[::-1], interpolation=cv2.INTER_LINEAR), np.float32)


def glare(shape: tuple[int, int], rng: Rng, strength: float) -> Field:
    """What glossy faces add: a soft or a hard-edged window of light, 0 to about 200."""
    small = (max(2, shape[0] // 4), max(2, shape[1] // 4))
    field = np.zeros(small, np.float32)
    for _ in range(int(rng.integers(1, 4))):
        x, y = (int(v) for v in rng.uniform(0, 1, 2) * small[::-1])
        axes = tuple(int(v) for v in rng.uniform(4, max(small) / 3, 2))
        cv2.ellipse(field, (x, y), axes, float(rng.uniform(0, 180)), 0, 360, float(rng.uniform(40, 230)), -1)
    field = np.asarray(cv2.GaussianBlur(field, (0, 0), float(rng.choice([2, 8, 20]))), np.float32)
    return np.asarray(cv2.resize(field, shape[::-1]) * strength, np.float32)


def photographed(image: Field, rng: Rng, grain: Rng | None = None) -> Image:
    """The picture a camera takes of the lit scene `image` (0 to 255 and above).

    grain: where noise comes from; several pictures by one camera differ in nothing else.
    """
    grain = grain or rng
    exposure = float(np.exp(rng.normal(0, 0.22)))
    if rng.random() < 0.1:
        exposure *= float(rng.uniform(0.15, 0.5))
    balance = np.exp(rng.normal(0, 0.09, 3)).astype(np.float32)
    lit = np.minimum(np.clip(image * exposure * balance / 255, 0, None), 1.0).astype(np.float32)
    curved = cv2.pow(lit, float(np.exp(rng.normal(0, 0.2))))
    out = _softened(np.asarray(curved, np.float32), rng)
    noise = float(rng.choice([0.003, 0.01, 0.025]) * rng.random() * 2)
    out += noise * grain.standard_normal(out.shape, np.float32)
    if rng.random() < 0.3:
        coarse = grain.normal(0, noise * 1.5, (out.shape[0] // 2 + 1, out.shape[1] // 2 + 1, 3)).astype(np.float32)
        out += cv2.resize(coarse, out.shape[1::-1])
    picture = np.clip(out * 255, 0, 255).astype(np.uint8)
    if rng.random() < 0.06:
        gray = cv2.cvtColor(picture, cv2.COLOR_BGR2GRAY)
        picture = np.asarray(cv2.cvtColor(gray, cv2.COLOR_GRAY2BGR), np.uint8)
    return _compressed(picture, rng)


def _softened(image: Field, rng: Rng) -> Field:
    """Defocus, motion, a sensor of fewer pixels, and the sharpening that cameras answer with."""
    h, w = image.shape[:2]
    kind = rng.choice(["sharp", "defocus", "motion", "coarse", "sharpened"], p=[0.34, 0.25, 0.08, 0.18, 0.15])
    if kind == "defocus":
        image = np.asarray(cv2.GaussianBlur(image, (0, 0), float(rng.uniform(0.4, 2.0))), np.float32)
    elif kind == "motion":
        n = int(rng.integers(3, 8))
        kernel = np.zeros((n, n), np.float32)
        way = rng.uniform(0, np.pi)
        c = (n - 1) / 2
        tip = (int(round(c + c * np.cos(way))), int(round(c + c * np.sin(way))))
        cv2.line(kernel, (int(2 * c) - tip[0], int(2 * c) - tip[1]), tip, 1.0)
        image = np.asarray(cv2.filter2D(image, -1, kernel / kernel.sum()), np.float32)
    elif kind == "coarse":
        s = float(rng.uniform(0.45, 0.9))
        small = cv2.resize(image, None, fx=s, fy=s, interpolation=cv2.INTER_AREA)
        image = np.asarray(cv2.resize(small, (w, h), interpolation=cv2.INTER_CUBIC), np.float32)
    elif kind == "sharpened":
        soft = cv2.GaussianBlur(image, (0, 0), 1.2)
        image = np.clip(image + float(rng.uniform(0.3, 1.5)) * (image - soft), 0, 1)
    return np.asarray(image, np.float32)


def _compressed(picture: Image, rng: Rng) -> Image:
    ok, data = cv2.imencode(".jpg", picture, [cv2.IMWRITE_JPEG_QUALITY, int(rng.integers(45, 98))])
    if not ok:
        raise RuntimeError("OpenCV could not write a JPEG")
    return np.asarray(cv2.imdecode(data, cv2.IMREAD_COLOR), np.uint8)
