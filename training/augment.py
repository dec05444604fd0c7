"""Changes of colour and sharpness that leave the numbers what they are."""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.straighten import FRAME

Rng = np.random.Generator
Image = NDArray[np.uint8]
Floats = NDArray[np.floating]

NOTHING: Floats = np.zeros((0, 2))

SHADED = 0.2  # of the pictures have the edge of a shadow across them
THROUGH = 0.5  # of those with small things that an edge would seldom meet
DARKEST, LIGHTEST = 0.2, 0.8  # what is left of the grey levels in a shadow
NEAR = 6.0  # pixels by which it passes by their middle
SHARPEST, SOFTEST = 0.3, 8.0  # pixels over which a shadow's edge fades
BURNT, BRIGHTEST = 0.1, 2.5  # of the pictures are taken with too much light, by such a factor at most
SMEARED = 0.12  # of the pictures are of a tile that the camera saw out of focus or in motion
FARTHEST, LONGEST = 3.0, 13  # pixels of such a blur, and of such a motion
WORN, FAINTEST = 0.15, 0.2  # of the tiles have worn pips, and what is left at least of how they stand out
PAINTED, AS_LIGHT = 0.2, 0.5  # of the pictures have quite other colours, and of those all are about as light
DARK, LIGHT = 70.0, 185.0  # grey levels between which their middles lie
LUMA = np.array([0.114, 0.587, 0.299])  # what blue, green and red add to how light a colour is (ITU-R BT.601)
WIDER, RIM = 41, 8  # pixels: more than twice as wide as pips are, and over which what is worn fades to a tile's edge


def shaded(image: Image, rng: Rng, small: Floats = NOTHING) -> Image:
    """In one picture of five the edge of a shadow, or all of a narrow one, across what is shown.

    On photographs with a hard edge drawn over them the tiles across it were lost, though their numbers were plain.
    small: the middles (n, 2) of small things, in pixels; where there are some one picture of two has an edge, through
    one of them.
    """
    if rng.random() > (THROUGH if len(small) else SHADED):
        return image
    height, width = image.shape[:2]
    y, x = np.mgrid[0:height, 0:width].astype(np.float32)
    way, bend = rng.uniform(0, 2 * np.pi), rng.normal(0, 0.3) / max(height, width)
    if len(small):
        at = small[int(rng.integers(len(small)))] + rng.normal(0, NEAR, 2)
    else:
        at = np.array([width, height]) * rng.uniform(0.15, 0.85, 2)
    x, y = x - float(at[0]), y - float(at[1])
    inside = x * np.cos(way) + y * np.sin(way) + bend * (y * np.cos(way) - x * np.sin(way)) ** 2
    if rng.random() < 0.3:
        inside = np.minimum(inside, min(height, width) * rng.uniform(0.1, 0.7) - inside)
    soft = float(np.exp(rng.uniform(np.log(SHARPEST), np.log(SOFTEST))))
    dark = float(rng.uniform(DARKEST, LIGHTEST)) * np.exp(rng.normal(0, 0.06, 3))
    shade = (1 / (1 + np.exp(-np.clip(inside / soft, -30, 30))))[..., None]
    light = 1 / dark.mean() if rng.random() < 0.25 else 1.0  # the picture as the shadow has it, and a patch of sun
    return np.clip(image * light * (1 - shade * (1 - dark)), 0, 255).astype(np.uint8)


def burnt(image: Image, rng: Rng) -> Image:
    """Some pictures with too much light, in which what is light is all white and has no edges left."""
    if rng.random() > BURNT:
        return image
    return np.asarray(cv2.convertScaleAbs(image, alpha=float(rng.uniform(1.2, BRIGHTEST))), np.uint8)


def smeared(image: Image, rng: Rng) -> Image:
    """In some pictures a blur as wide as pips are: near tiles are large in the picture, and so is their blur."""
    kind = rng.random()
    if kind > SMEARED:
        return image
    if kind > SMEARED / 2:
        return np.asarray(cv2.GaussianBlur(image, (0, 0), float(rng.uniform(1, FARTHEST))), np.uint8)
    kernel = np.zeros((LONGEST, LONGEST), np.float32)
    middle, way = LONGEST // 2, rng.uniform(0, np.pi)
    reach = rng.uniform(1.5, middle) * np.array([np.cos(way), np.sin(way)])
    ends = [tuple(np.round(16 * (middle + sign * reach)).astype(int).tolist()) for sign in (-1, 1)]
    cv2.line(kernel, ends[0], ends[1], 1.0, 1, cv2.LINE_AA, 4)
    return np.asarray(cv2.filter2D(image, -1, kernel / kernel.sum()), np.uint8)


def worn(tile: Image, rng: Rng) -> Image:
    """Some straightened tiles whose pips and bar are worn, as those of old sets: they hardly stand out any more."""
    if rng.random() > WORN:
        return tile
    height, width = tile.shape[:2]
    y, x = np.mgrid[0:height, 0:width].astype(np.float32)
    (left, top), (right, bottom) = FRAME[0], FRAME[2]
    inside = np.minimum(np.minimum(x - left, right - x), np.minimum(y - top, bottom - y))
    gone = np.clip(inside / RIM, 0, 1)[..., None] * (1 - float(rng.uniform(FAINTEST, 1.0)))
    return np.asarray(tile + gone * (cv2.medianBlur(tile, WIDER).astype(np.float32) - tile), np.uint8)


def recolored(image: Image, rng: Rng) -> Image:
    """Other channels, gains and gamma; now and then quite other colours, grey or a negative."""
    if rng.random() < 0.2:
        image = image[..., rng.permutation(3)]
    if rng.random() < PAINTED:
        image = _painted(image, rng)
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


def _painted(image: Image, rng: Rng) -> Image:
    """Each channel with more or less of its contrast, some of them the other way round.

    Pips as light as their tile are plain to the eye by their colour; a reader that seldom met any took them for blanks.
    """
    left = rng.uniform(-1, 1, 3)
    if rng.random() < AS_LIGHT:
        left -= LUMA * (LUMA @ left) / (LUMA @ LUMA)
    left /= abs(left).max()
    other = rng.uniform(DARK, LIGHT, 3) + left * (image - image.mean(axis=(0, 1)))
    return np.clip(other, 0, 255).astype(np.uint8)


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
