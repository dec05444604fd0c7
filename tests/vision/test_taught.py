"""Taught sets on single pictures: none of them tells the light of another."""

from __future__ import annotations

import numpy as np
import pytest

from tests.calibration.flat import SETS, learnt
from training.arrangements import Lying
from training.render import staged
from vision.reader import Reader
from vision.straighten import Image

pytestmark = pytest.mark.needs("cv2")

MANY, FEW = ((3, 1), (6, 2), (5, 4), (2, 2), (4, 0), (6, 5)), ((4, 1), (0, 5), (3, 3))
DIM = 0.2


def pictured(pips: tuple[tuple[int, int], ...], light: float = 1.0) -> Image:
    """Some tiles of a strange set, three below each other."""
    laid = tuple(Lying(2.6 * (k // 3), 1.6 * (k % 3 - 1), 0.0, head, tail) for k, (head, tail) in enumerate(pips))
    odd = SETS["polygons"]
    image = staged(laid, odd.style, np.random.default_rng(4), 640, 400, tilt_deg=4, half_px=62, front=odd.face)[0]
    return np.clip(image * light, 0, 255).astype(np.uint8)


def test_a_picture_reads_the_same_whatever_was_read_before() -> None:
    taught, few = learnt(SETS["polygons"]), pictured(FEW, DIM)
    one_after_the_other = Reader([taught])
    assert len(one_after_the_other.read(pictured(MANY)).tiles) == len(MANY)
    later = one_after_the_other.read(few)
    assert later == Reader([taught]).read(few)
    assert {tuple(sorted(tile.pips)) for tile in later.tiles} == {tuple(sorted(pips)) for pips in FEW}
