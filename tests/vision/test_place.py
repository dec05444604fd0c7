"""How likely a tile lies at a place, and how far is believed what is told of one."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from vision.pips import Look
from vision.place import Place
from vision.straighten import FRAME
from vision.tiles import tile_at

pytestmark = pytest.mark.needs("cv2")

LYING = np.array([[0, 40], [0, 0], [80, 0], [80, 40]], float)
CLEAR = np.full((2, 13), 1e-4, np.float32) + np.eye(13, dtype=np.float32)[[2, 5]]


def front(nothing: float = 0.01) -> Place:
    """A two-five among others, all but certainly."""
    look = Look(1 - nothing, 0.0, nothing, FRAME.astype(np.float64), CLEAR, CLEAR, np.zeros((0, 3), np.float32))
    return Place(LYING, look, 0.7, unlike=0.02, odd=0.05, lies=4.0, others=6)


def test_a_clear_tile_is_believed() -> None:
    assert tile_at(front()).confidence > 0.95
    assert not tile_at(front()).doubtful


def test_the_likelier_it_is_that_a_tile_lies_there_the_more_is_believed_what_is_told_of_it() -> None:
    told = [front(nothing).trust for nothing in (0.01, 0.1, 0.3, 0.6)]
    assert sorted(told, reverse=True) == told


def test_what_may_lie_there_instead_makes_it_doubtful() -> None:
    rivalled = tile_at(replace(front(), against=8.0))
    assert rivalled.doubtful
    assert rivalled.why == "it may be no domino"


def test_a_tile_that_lies_alone_is_believed_less_and_not_yet_doubted() -> None:
    told = [tile_at(replace(front(), others=others)) for others in (0, 1, 3, 27)]
    assert sorted(told, key=lambda tile: tile.confidence) == told
    assert not told[0].doubtful


def test_what_stands_out_less_than_the_other_tiles_may_be_printed() -> None:
    told = [tile_at(replace(front(), flatter=less)).confidence for less in (0.0, -4.0, -12.0)]
    assert sorted(told, reverse=True) == told
    assert tile_at(replace(front(), flatter=-12.0)).doubtful


def test_a_tile_that_is_seen_large_is_believed_more_than_a_small_one() -> None:
    assert front().trust > replace(front(), quad=LYING / 2).trust


def test_nothing_is_believed_beyond_measure_or_below() -> None:
    corners = (LYING, LYING * 0, LYING * 1e4)
    for quad in corners:
        for nothing in (0.0, 1.0):
            assert 0 <= replace(front(nothing), quad=quad).trust <= 1
