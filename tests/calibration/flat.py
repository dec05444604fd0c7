"""Tiles of an odd set as flat pictures, straightened without a camera: what the tests of teaching learn from."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import UTC, datetime

import cv2
import numpy as np

from calibration.learn_set import Known, Lesson, learn
from calibration.tileset import TileSet
from rules.domino import Domino
from training.odd_faces import OddSet
from training.odd_sets import odd_sets
from vision.straighten import HEIGHT, WIDTH, Image
from vision.taught import seam, squares

MADE = datetime(2026, 1, 31, 20, 15, tzinfo=UTC)
SETS = {odd.name: odd for odd in odd_sets()}


def patch(odd: OddSet, head: int, tail: int, seed: int = 0) -> Image:
    """One tile as vision.straighten cuts it out, on a grey table."""
    rng = np.random.default_rng((seed, head, tail))
    shown = odd.face(odd.style, head, tail, rng).image
    laid = np.full((HEIGHT, WIDTH, 3), 120, np.uint8)
    laid[8:72, 16:144] = cv2.resize(shown, (128, 64), interpolation=cv2.INTER_AREA)
    return laid


def lesson(odd: OddSet, domino: Domino, picture: int = 0, light: float = 1.0) -> Lesson:
    """What one tile teaches; light: how bright its picture is."""
    tile = np.clip(light * patch(odd, domino.high, domino.low), 0, 255).astype(np.uint8)
    return Lesson(picture, (domino.high, domino.low), squares(tile), seam(tile))


def learnt(odd: OddSet, dominoes: Iterable[Domino] | None = None) -> TileSet:
    """The set as its flat tiles teach it, the second half of them on a darker picture."""
    tiles = tuple(odd.dominoes if dominoes is None else dominoes)
    half = len(tiles) // 2
    lessons = [lesson(odd, d, int(k >= half), 0.7 if k >= half else 1.0) for k, d in enumerate(tiles)]
    return learn(lessons, Known(odd.name, odd.style.highest, MADE, 48.0))
