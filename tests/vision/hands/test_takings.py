"""Tiles that are gone once no hand is over them: on drawn masks."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.typing import NDArray

from vision.hands.approach import Position, first_halt
from vision.hands.takings import MOST, Takings

pytestmark = pytest.mark.needs("cv2")

PLACE = ((10.0, 10.0), (39.0, 10.0), (39.0, 24.0), (10.0, 24.0))
SIZE = (80, 50)
STEP_S = 1 / 30

Bytes = NDArray[np.uint8]


def mask(*boxes: tuple[int, int, int, int]) -> Bytes:
    """255 within some boxes (left, top, right, bottom)."""
    drawn = np.zeros(SIZE[::-1], np.uint8)
    for left, top, right, bottom in boxes:
        drawn[top : bottom + 1, left : right + 1] = 255
    return drawn


NOTHING, TILE, HAND = mask(), mask((10, 10, 39, 24)), mask((5, 5, 60, 40))
BARE, UNDER_A_HAND, GONE = (NOTHING, NOTHING), (HAND, HAND), (TILE, NOTHING)


def told(*frames: tuple[Bytes, Bytes], hands: tuple[int, ...] = (1,)) -> list[tuple[int, ...]]:
    """Who was over the tile, each time that it turns out to be gone; hands are over it wherever one is seen at all."""
    takings, found = Takings([PLACE], SIZE), []
    for number, (over, arms) in enumerate(frames):
        if arms.any():
            for hand in hands:
                takings.visited(0, hand, (0.0, 25.0), Position(number * STEP_S, (0.0, 0.0)))
        found += [tuple(visit.hand for visit in visits) for _, visits in takings.see(over, arms, number * STEP_S)]
    return found


def test_who_was_over_a_tile_that_is_gone_took_it() -> None:
    assert told(BARE, UNDER_A_HAND, GONE, GONE, GONE) == [(1,)]
    assert told(BARE, UNDER_A_HAND, GONE, GONE, GONE, hands=(2, 3)) == [(2, 3)]


def test_it_is_said_but_once() -> None:
    assert told(BARE, UNDER_A_HAND, *[GONE] * 9, UNDER_A_HAND, *[GONE] * 9) == [(1,)]


def test_a_tile_that_still_lies_there_was_not_taken() -> None:
    assert told(BARE, UNDER_A_HAND, BARE, BARE) == []


def test_who_left_before_the_tile_was_seen_again_did_not_take_it() -> None:
    takings = Takings([PLACE], SIZE)
    takings.visited(0, 7, (0.0, 25.0), Position(0.0, (0.0, 0.0)))
    assert list(takings.see(*BARE, 0.1)) == []
    assert [list(takings.see(*GONE, at)) for at in (0.2, 0.3, 0.4)] == [[], [], [(0, ())]]


def test_a_visit_lasts_while_the_hand_is_there_though_the_tile_is_still_seen_to_lie_beneath_it() -> None:
    takings = Takings([PLACE], SIZE)
    for number in range(4):
        takings.visited(0, 7, (0.0, 25.0), Position(number * STEP_S, (0.0, 0.0)))
        assert list(takings.see(*BARE, number * STEP_S)) == []
    visit = takings.visit(0, 7)
    assert visit is not None
    assert [position.time_s for position in visit.path] == [number * STEP_S for number in range(4)]
    for at_s in (0.2, 0.3):
        assert list(takings.see(*BARE, at_s)) == []
    assert takings.visit(0, 7) is None


def test_a_hand_that_lies_there_for_an_hour_fills_no_memory() -> None:
    takings = Takings([PLACE], SIZE)
    for number in range(2 * MOST):
        takings.visited(0, 7, (0.0, 25.0), Position(number * STEP_S, (0.0, 0.0)))
    assert len(takings._visits[0][7].path) == MOST


def test_nothing_is_said_under_a_hand_or_while_something_moves_there() -> None:
    half, other = mask((10, 10, 24, 24)), mask((25, 10, 39, 24))
    assert told(BARE, *[UNDER_A_HAND] * 20) == []
    assert told(BARE, *[(half, NOTHING), (other, NOTHING)] * 6) == []


def test_what_never_lay_there_cannot_be_gone() -> None:
    assert told(UNDER_A_HAND, *[GONE] * 9) == []


def test_a_hand_that_takes_something_along_first_comes_to_a_halt() -> None:
    ways = [0, 40, 78, 110, 112, 113, 120, 90, 50, 10]
    halt = first_halt([Position(k * STEP_S, (float(x), 0.0)) for k, x in enumerate(ways)], 60.0)
    assert halt is not None
    assert halt.since_s == pytest.approx(3.5 * STEP_S)
    assert first_halt([Position(0.0, (0.0, 0.0))], 60.0) is None
