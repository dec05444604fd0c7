"""A clip of hands over a table seen otherwise: mirrored, turned, nearer or farther, and in worse light.

Whoever is first stays so; where the places lie and from which side the arms come changes with the picture.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from benchmarks.changes import compressed
from vision.scene import Point
from vision.straighten import Image

Rng = np.random.Generator
Matrix = NDArray[np.float64]

WARM = (0.7, 0.95, 1.15)  # of the blue, the green and the red light


def _stays(size: Point) -> Matrix:
    return np.eye(2, 3)


def _mirrored(size: Point) -> Matrix:
    return np.array([[-1.0, 0, size[0] - 1], [0, 1, 0]])


def _upside_down(size: Point) -> Matrix:
    return np.array([[-1.0, 0, size[0] - 1], [0, -1, size[1] - 1]])


def _to_the_side(size: Point) -> Matrix:
    return np.array([[0, -1.0, size[1] - 1], [1, 0, 0]])


def _scaled(factor: float) -> Callable[[Point], Matrix]:
    shift = 0.5 * factor - 0.5
    return lambda size: np.array([[factor, 0, shift], [0, factor, shift]])


@dataclass(frozen=True)
class Change:
    """One way to see a clip otherwise: its name, where the pixels of a (width, height) go, and what the light does."""

    name: str
    goes: Callable[[Point], Matrix] = _stays
    lit: Callable[[Image, Rng], Image] = lambda image, rng: image

    def picture(self, image: Image, rng: Rng) -> Image:
        """A frame, seen so."""
        if self.goes is not _stays:
            height, width = image.shape[:2]
            matrix = self.goes((width, height))
            size = np.rint(np.abs(matrix[:, :2]) @ [width, height]).astype(int).tolist()
            if abs(np.linalg.det(matrix[:, :2])) < 1:  # what is made smaller is averaged, which warping does not
                image = np.asarray(cv2.resize(image, size, interpolation=cv2.INTER_AREA), np.uint8)
            else:
                image = np.asarray(cv2.warpAffine(image, matrix, size), np.uint8)
        return self.lit(image, rng)

    def point(self, at: Point, size: Point) -> Point:
        """Where a point of a picture of this size, (width, height), is then."""
        x, y = self.goes(size) @ [*at, 1.0]
        return float(x), float(y)

    def side(self, side: str) -> str:
        """From where an arm then comes that came from this side of the picture."""
        ways = {"left": (-1, 0), "right": (1, 0), "top": (0, -1), "bottom": (0, 1)}
        goes = np.sign(self.goes((2.0, 2.0))[:, :2] @ ways[side]).astype(int).tolist()
        return next(name for name, way in ways.items() if list(way) == goes)


def _brighter(image: Image, by: float) -> Image:
    return np.asarray(np.clip(image * by, 0, 255), np.uint8)


def _grainy(image: Image, rng: Rng) -> Image:
    return np.asarray(np.clip(image + rng.normal(0, 3, image.shape), 0, 255), np.uint8)


def _grey(image: Image, rng: Rng) -> Image:
    return np.asarray(cv2.cvtColor(cv2.cvtColor(image, cv2.COLOR_BGR2GRAY), cv2.COLOR_GRAY2BGR), np.uint8)


CHANGES = (
    Change("as it is"),
    Change("mirrored", _mirrored),
    Change("upside down", _upside_down),
    Change("turned to the side", _to_the_side),
    Change("smaller, 0.7", _scaled(0.7)),
    Change("larger, 1.6", _scaled(1.6)),
    Change("darker", lit=lambda image, rng: _brighter(image, 0.6)),
    Change("brighter", lit=lambda image, rng: _brighter(image, 1.35)),
    Change("warm light", lit=lambda image, rng: np.asarray(np.clip(image * np.array(WARM), 0, 255), np.uint8)),
    Change("grey", lit=_grey),
    Change("grainy", lit=_grainy),
    Change("out of focus", lit=lambda image, rng: np.asarray(cv2.GaussianBlur(image, (0, 0), 1.5), np.uint8)),
    Change("JPEG, quality 35", lit=lambda image, rng: compressed(image, 35)),
)
