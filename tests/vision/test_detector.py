"""Which levels of a picture are looked at."""

import numpy as np
import pytest

from training.render import random_scene
from vision.detector import LIKELY, Detector

pytestmark = pytest.mark.needs("cv2")


def test_a_heap_of_small_tiles_is_not_taken_for_a_few_large_ones() -> None:
    """From far away some heaps look like one large tile; the finest level shows what lies there."""
    heap, truth = random_scene(np.random.default_rng((1_000_003, 32)))
    longest = max(float(np.ptp(np.array(tile.corners_px), axis=0).max()) for tile in truth.tiles)
    likely = [c for c in Detector().tiles(heap) if c.score > LIKELY and 2 * np.hypot(*c.along) < 1.3 * longest]
    assert len(truth.tiles) > 10
    assert len(likely) > len(truth.tiles) / 2
