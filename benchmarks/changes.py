"""The same table seen otherwise: turned, nearer or farther, and in worse light; its label changes with it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from functools import partial
from zlib import crc32

import cv2
import numpy as np
from numpy.typing import NDArray

from benchmarks.pictures import READABLE_PX, Picture
from benchmarks.scoring import Label, LabelledTile
from vision.scene import Point
from vision.straighten import Image

Rng = np.random.Generator
Shot = tuple[Label, Image]


@dataclass(frozen=True)
class Change:
    """One way to see a table otherwise: its name, and what it makes of a labelled picture."""

    name: str
    make: Callable[[Label, Image, Rng], Shot]


def turned(label: Label, image: Image, angle_deg: float) -> Shot:
    """Turned clockwise about the middle, on a canvas large enough to hold it all."""
    h, w = image.shape[:2]
    matrix = np.asarray(cv2.getRotationMatrix2D(((w - 1) / 2, (h - 1) / 2), -angle_deg, 1.0), np.float64)
    size = np.ceil(np.abs(matrix[:, :2]) @ [w, h] - 1e-6).astype(int)
    matrix[:, 2] += (size - [w, h]) / 2
    around = tuple(float(v) for v in np.median(image.reshape(-1, 3), axis=0))
    picture = cv2.warpAffine(image, matrix, size.tolist(), flags=cv2.INTER_CUBIC, borderValue=around)
    return _moved(label, matrix, (int(size[0]), int(size[1]))), np.asarray(picture, np.uint8)


def scaled(label: Label, image: Image, factor: float) -> Shot:
    """Larger or smaller by a factor."""
    way = cv2.INTER_AREA if factor < 1 else cv2.INTER_CUBIC
    picture = np.asarray(cv2.resize(image, None, fx=factor, fy=factor, interpolation=way), np.uint8)
    shift = 0.5 * factor - 0.5
    matrix = np.array([[factor, 0, shift], [0, factor, shift]])
    return _moved(label, matrix, (picture.shape[1], picture.shape[0])), picture


def compressed(image: Image, quality: int) -> Image:
    """As a JPEG file of this quality (0 to 100) keeps it."""
    _, data = cv2.imencode(".jpg", image, [cv2.IMWRITE_JPEG_QUALITY, quality])
    return np.asarray(cv2.imdecode(data, cv2.IMREAD_COLOR), np.uint8)


def _moved(label: Label, matrix: NDArray[np.float64], size: tuple[int, int]) -> Label:
    """A label whose points went where an affine (2, 3) matrix takes them; boxes grow to hold what was in them."""

    def at(point: Iterable[float]) -> Point:
        x, y = matrix @ [*point, 1.0]
        return float(x), float(y)

    def box(rect: tuple[float, ...]) -> tuple[float, ...]:
        x0, y0, x1, y1 = rect
        corners = np.array([at(p) for p in ((x0, y0), (x1, y0), (x1, y1), (x0, y1))])
        return (*corners.min(axis=0).tolist(), *corners.max(axis=0).tolist())

    return replace(
        label,
        size=size,
        tiles=tuple(LabelledTile(t.pips, at(t.a), at(t.b)) for t in label.tiles),
        backs=tuple(at(b) for b in label.backs),
        roi=box(label.roi) if label.roi else (),
        ignore=tuple(box(r) for r in label.ignore),
        tile_px=label.tile_px * float(np.sqrt(np.linalg.det(matrix[:, :2]))),
    )


def _as_taken(label: Label, image: Image, rng: Rng) -> Shot:
    return label, image


def _blurred(label: Label, image: Image, rng: Rng) -> Shot:
    sigma = float(rng.uniform(0.008, 0.035)) * (label.tile_px or 80)
    return label, np.asarray(cv2.GaussianBlur(image, (0, 0), sigma), np.uint8)


def _noisy(label: Label, image: Image, rng: Rng) -> Shot:
    grain = float(rng.uniform(10, 45)) * rng.standard_normal(image.shape, np.float32)
    return label, np.clip(image + grain, 0, 255).astype(np.uint8)


def _dark(label: Label, image: Image, rng: Rng) -> Shot:
    """A dark room: little light, and the sensor's own noise in what is left."""
    lit = image * float(rng.uniform(0.06, 0.35)) + float(rng.uniform(1, 4)) * rng.standard_normal(image.shape)
    return label, np.clip(lit, 0, 255).astype(np.uint8)


def _squeezed(label: Label, image: Image, rng: Rng) -> Shot:
    return label, compressed(image, int(rng.integers(10, 50)))


def _small(label: Label, image: Image, rng: Rng) -> Shot:
    """Seen from farther away, down to the shortest tiles that are scored."""
    least = min(1.0, READABLE_PX / (label.tile_px or READABLE_PX))
    less, picture = scaled(label, image, float(rng.uniform(least, 1)))
    short = [t for t in less.tiles if t.length_px < READABLE_PX]
    ignored = tuple(_around(t) for t in short)
    return replace(less, tiles=tuple(t for t in less.tiles if t not in short), ignore=less.ignore + ignored), picture


def _shaded(label: Label, image: Image, rng: Rng) -> Shot:
    """Half of it in the shadow of something near by, whose edge is a pixel wide."""
    height, width = image.shape[:2]
    way, at = rng.uniform(0, 2 * np.pi), rng.uniform(0.35, 0.65, 2) * (width, height)
    y, x = np.mgrid[0:height, 0:width].astype(np.float32)
    inside = (x - at[0]) * np.cos(way) + (y - at[1]) * np.sin(way) > 0
    return label, np.asarray(np.where(inside[..., None], image * float(rng.uniform(0.25, 0.6)), image), np.uint8)


def _burnt(label: Label, image: Image, rng: Rng) -> Shot:
    """Too much light: all that is light is white."""
    return label, np.asarray(cv2.convertScaleAbs(image, alpha=float(rng.uniform(1.5, 2.5))), np.uint8)


def _in_motion(label: Label, image: Image, rng: Rng) -> Shot:
    """The camera was not held still."""
    reach = max(1.5, float(rng.uniform(0.03, 0.12)) * (label.tile_px or 80))
    side = 2 * int(np.ceil(reach / 2)) + 1
    kernel, way = np.zeros((side, side), np.float32), rng.uniform(0, np.pi)
    for part in np.linspace(-0.5, 0.5, 4 * side):
        x, y = side // 2 + part * reach * np.array([np.cos(way), np.sin(way)])
        kernel[round(y), round(x)] = 1
    return label, np.asarray(cv2.filter2D(image, -1, kernel / kernel.sum()), np.uint8)


def _around(tile: LabelledTile) -> tuple[float, ...]:
    points, reach = np.array([tile.a, tile.b]), tile.length_px / 2
    return (*(points.min(axis=0) - reach).tolist(), *(points.max(axis=0) + reach).tolist())


DEGRADED = tuple(
    Change(*one)
    for one in (
        ("as taken", _as_taken),
        ("blurred", _blurred),
        ("noisy", _noisy),
        ("dark", _dark),
        ("compressed", _squeezed),
        ("small", _small),
        ("half in shadow", _shaded),
        ("too much light", _burnt),
        ("in motion", _in_motion),
    )
)


def worse(pictures: Iterable[Picture]) -> Iterator[Picture]:
    """Each picture made worse in every way, to be counted by what was done to it."""
    for picture in pictures:
        for change in DEGRADED[1:]:
            yield changed(picture, change)


def degraded(pictures: Iterable[Picture]) -> Iterator[Picture]:
    """Each picture made worse in one way after the other, the first one not at all; how much is drawn by its name."""
    for k, picture in enumerate(pictures):
        yield changed(picture, DEGRADED[k % len(DEGRADED)])


def changed(picture: Picture, change: Change) -> Picture:
    """A picture seen otherwise; what is left to chance is drawn by its name."""
    return Picture(f"{picture.name}, {change.name}", partial(_take, picture, change), picture.state)


def _take(picture: Picture, change: Change) -> Shot:
    label, image = change.make(*picture.take(), np.random.default_rng(crc32(picture.name.encode())))
    return replace(label, groups=(change.name, *label.groups)), image
