"""Which tiles would lie on one another."""

from itertools import combinations

import numpy as np
import pytest

from vision.overlap import chances, conflicts, likeliest, taken, unexplained

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


@pytest.mark.parametrize("seed", range(20))
def test_the_likeliest_faces_are_those_that_trying_every_set_finds(seed: int) -> None:
    rng = np.random.default_rng(seed)
    log_odds, clash = rng.normal(1, 2, 9), np.triu(rng.random((9, 9)) < 0.35, 1)
    clash |= clash.T
    allowed = [s for n in range(10) for s in combinations(range(9), n) if not clash[np.ix_(s, s)].any()]
    best = max(log_odds[list(s)].sum() for s in allowed)
    found = likeliest(log_odds, clash)
    assert not clash[np.ix_(found, found)].any()
    assert log_odds[found].sum() == pytest.approx(best)


def test_a_row_is_not_pushed_aside_by_the_likeliest_of_its_wrong_tiles() -> None:
    """Three tiles end to end, and two likelier ones across the joints."""
    clash = np.zeros((5, 5), np.bool_)
    for right, wrong in ((0, 3), (1, 3), (1, 4), (2, 4)):
        clash[right, wrong] = clash[wrong, right] = True
    assert likeliest(np.array([2.0, 2.0, 2.0, 2.5, 2.5]), clash).tolist() == [0, 1, 2]


@pytest.mark.parametrize("seed", range(20))
def test_chances_are_what_weighing_every_set_of_faces_gives(seed: int) -> None:
    rng = np.random.default_rng(seed)
    log_odds, clash = rng.normal(1, 2, 9), np.triu(rng.random((9, 9)) < 0.35, 1)
    clash |= clash.T
    allowed = [s for n in range(10) for s in combinations(range(9), n) if not clash[np.ix_(s, s)].any()]
    weights = [float(np.exp(log_odds[list(s)].sum())) for s in allowed]
    for one, told in enumerate(chances(log_odds, clash, range(9))):
        with_it = sum(weight for s, weight in zip(allowed, weights, strict=True) if one in s)
        assert told == pytest.approx(with_it / sum(weights))


def test_of_two_tilings_that_are_as_likely_neither_is_sure() -> None:
    clash = np.zeros((4, 4), np.bool_)
    clash[:2, 2:] = clash[2:, :2] = True
    assert chances(np.full(4, 3.0), clash, range(4)) == pytest.approx([0.5] * 4, abs=0.03)


def test_a_heap_of_rivals_is_weighed_in_no_time() -> None:
    rng = np.random.default_rng(3)
    clash = np.triu(rng.random((200, 200)) < 0.1, 1)
    assert len(chances(rng.normal(0, 2, 200), clash | clash.T, range(60))) == 60
