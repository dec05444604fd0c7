"""Which tiles would lie on one another."""

import numpy as np
import pytest

from vision.overlap import conflicts, taken, unexplained

pytestmark = pytest.mark.needs("cv2")

SQUARE = np.array([[0, 0], [0, 10], [10, 10], [10, 0]], np.float64)


@pytest.mark.parametrize("seed", range(5))
def test_what_is_taken_is_what_conflicts_with_any_of_the_others(seed: int) -> None:
    rng = np.random.default_rng(seed)
    some, others = ([SQUARE * rng.uniform(0.5, 2) + rng.uniform(0, 120, 2) for _ in range(20)] for _ in range(2))
    clash = conflicts([*some, *others], 0.3)[:20, 20:].any(axis=1)
    assert np.array_equal(taken(some, others, 0.3), clash)
    assert clash.any()
    assert not clash.all()


def test_nothing_is_taken_where_nothing_lies() -> None:
    assert not taken([SQUARE], [], 0.3).any()
    assert len(taken([], [SQUARE], 0.3)) == 0
    assert taken([SQUARE], [SQUARE + 3], 0.3).all()
    assert not taken([SQUARE], [SQUARE + 9], 0.3).any()


def test_what_lies_half_on_a_tile_is_half_unexplained() -> None:
    assert unexplained([SQUARE], [SQUARE + [5, 0]]) == pytest.approx([0.5])
    assert unexplained([SQUARE], [SQUARE + [5, 0], SQUARE - [5, 0]]) == pytest.approx([0])
    assert unexplained([SQUARE, SQUARE + 50], [SQUARE]) == pytest.approx([0, 1])
    assert unexplained([SQUARE], []) == pytest.approx([1])
