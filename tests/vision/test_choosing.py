"""Which of some faces lie there."""

from itertools import combinations

import numpy as np
import pytest

from vision.choosing import chances, likeliest

pytestmark = pytest.mark.needs("cv2")


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
