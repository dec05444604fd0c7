"""Which of the places where tiles may lie hold one."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from vision.odds import log_odds
from vision.pips import Look
from vision.place import Place
from vision.settling import settled
from vision.straighten import FRAME

pytestmark = pytest.mark.needs("cv2")

ACROSS = np.array([[0, 0], [0, 10], [20, 10], [20, 0]], np.float64)  # a tile of 20 by 10 pixels


def place(x: float, chance: float) -> Place:
    """A place that begins at x in a row of tiles, and holds one with that chance."""
    even = np.full((2, 13), 1 / 13, np.float32)
    look = Look(0.5, 0.0, 0.5, FRAME.astype(np.float64), even, even, np.zeros((0, 3), np.float32))
    seen = Place(ACROSS + [x, 0], look, 0.5)
    return replace(seen, taught=log_odds(chance) - log_odds(seen.presence))


def begins(places: list[Place]) -> list[float]:
    """Where those begin that hold a tile."""
    return sorted(float(one.quad[0, 0]) for one in settled(places))


def test_of_two_places_that_share_a_half_the_likelier_holds_a_tile() -> None:
    assert begins([place(0, 0.9), place(10, 0.8)]) == [0]
    assert begins([place(0, 0.8), place(10, 0.9)]) == [10]


@pytest.mark.parametrize("sure", [0.97, 0.999, 0.999999])
def test_two_likely_tiles_are_not_pushed_aside_by_halves_of_both_that_look_surely_like_one(sure: float) -> None:
    assert begins([place(0, 0.9), place(20, 0.9), place(10, sure)]) == [0, 20]


def test_a_sure_tile_stays_where_two_are_barely_likely() -> None:
    assert begins([place(0, 0.6), place(20, 0.6), place(10, 0.99)]) == [10]
