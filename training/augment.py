"""Changes of colour and sharpness that leave the numbers what they are."""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

Rng = np.random.Generator
Image = NDArray[np.uint8]


def recolored(image: Image, rng: Rng) -> Image:
    """Other channels, gains and gamma; now and then grey or a negative."""
    if rng.random() < 0.2:
        image = image[..., rng.permutation(3)]
    if rng.random() < 0.08:
        image = np.repeat(image.mean(axis=2, keepdims=True), 3, axis=2).astype(np.uint8)
    if rng.random() < 0.08:
        image = 255 - image
    levels = np.arange(256, dtype=np.float32) / 255
    tables = [
        np.clip(levels ** np.exp(rng.normal(0, 0.25)) * np.exp(rng.normal(0, 0.12)) + rng.normal(0, 0.03), 0, 1)
        for _ in range(3)
    ]
    shared = levels ** np.exp(rng.normal(0, 0.2))
    lut = np.stack([np.interp(shared, levels, t) for t in tables], axis=-1)
    return np.asarray(cv2.LUT(np.ascontiguousarray(image), (lut * 255).astype(np.uint8)[None]), np.uint8)


def roughened(image: Image, rng: Rng) -> Image:
    """A little more blur, noise or compression, in half of the pictures."""
    kind = rng.random()
    if kind < 0.15:
        return np.asarray(cv2.GaussianBlur(image, (0, 0), float(rng.uniform(0.4, 1.4))), np.uint8)
    if kind < 0.3:
        noisy = image + rng.normal(0, rng.uniform(2, 12), image.shape)
        return np.clip(noisy, 0, 255).astype(np.uint8)
    if kind < 0.4:
        _, data = cv2.imencode(".jpg", image, [cv2.IMWRITE_JPEG_QUALITY, int(rng.integers(35, 90))])
        return np.asarray(cv2.imdecode(data, cv2.IMREAD_COLOR), np.uint8)
    return image
