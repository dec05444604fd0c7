"""An arm over most of a table, a board that was pushed, and another table look much alike at first."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import pytest
from numpy.typing import NDArray

from tests.vision.laying import Eye, Laid, detection
from vision.following.claims import Claims
from vision.following.evidence import Evidence
from vision.following.sighting import Sighting
from vision.following.upheaval import CALM, PATIENT, is_another, lie_over, may_be_pushed, most_changed
from vision.motion import Movement

pytestmark = pytest.mark.needs("cv2")

LONG, LINGERING = 1000, 48  # frames
FEET = [(5, 5), (5, 20), (20, 5), (20, 20)]
Cells = NDArray[np.bool_]
BESIDE_THE_EDGE, INSIDE = (0, 0, 28, 33), (3, 3, 34, 34)


def part(top: int, left: int, low: int, right: int) -> Cells:
    mask = np.zeros((40, 60), np.bool_)
    mask[top:low, left:right] = True
    return mask


def changed(where: tuple[int, int, int, int], gone: Sequence[bool], since: int = LONG) -> Claims:
    """Four tiles, some of which look otherwise, and what changed of the picture so many frames ago."""
    cells = part(*where)
    calm = np.where(cells, since, LONG).astype(np.int32)
    feet = [part(y, x, y + 6, x + 6) for y, x in FEET]
    nothing = np.zeros_like(cells)
    return Claims(Movement(cells, calm), np.array(gone), feet, nothing, nothing, LINGERING)


def tiles(covered: bool = False) -> list[Sighting]:
    one = detection(Laid(0.0, 0.0, 0.0, (3, 4)), Eye(), 0.0, np.random.default_rng(0))
    return [Sighting(one, 0.9, Evidence.none(), 3, covered=covered)] * 4


@pytest.mark.parametrize(
    ("where", "gone", "since", "told"),
    [
        (INSIDE, [True] * 4, LONG, True),
        (INSIDE, [True] * 4, 1, False),  # it still moves
        ((4, 4, 12, 12), [True, False, False, False], LONG, False),
        (BESIDE_THE_EDGE, [True, True, True, False], LONG, False),  # an arm, and a tile beside it
        (BESIDE_THE_EDGE, [True] * 4, LONG, True),  # nobody keeps an arm so long over all of it
        ((0, 0, 40, 30), [False] * 4, LONG, True),
    ],
)
def test_a_camera_was_moved_where_most_looks_otherwise_and_no_arm_is_why(
    where: tuple[int, int, int, int], gone: list[bool], since: int, told: bool
) -> None:
    assert most_changed(changed(where, gone, since), tiles(), moved=0) is told


@pytest.mark.parametrize(("found", "told"), [(6, False), (8, True)])
def test_a_tile_that_was_found_since_the_table_was_pushed_makes_no_arm_of_what_else_changed(
    found: int, told: bool
) -> None:
    known = [*tiles()[:3], replace(tiles()[3], found=found)]
    assert most_changed(changed(BESIDE_THE_EDGE, [True, True, True, False]), known, moved=7) is told


@pytest.mark.parametrize(("where", "calm", "told"), [(BESIDE_THE_EDGE, CALM, True), (INSIDE, CALM, False)])
@pytest.mark.parametrize("late", [False, True])
def test_what_reaches_in_over_much_of_the_table_is_looked_at_once(
    where: tuple[int, int, int, int], calm: int, told: bool, late: bool
) -> None:
    assert may_be_pushed(changed(where, [True] * 4), calm + late) is (told and not late)


@pytest.mark.parametrize(
    ("gone", "covered", "calm", "told"),
    [
        ([True] * 4, True, PATIENT, True),
        ([True, True, True, False], True, PATIENT, False),
        ([True] * 4, False, PATIENT, False),
        ([True] * 4, True, PATIENT - 1, False),
    ],
)
def test_where_no_tile_is_seen_for_long_it_is_another_table(
    gone: list[bool], covered: bool, calm: int, told: bool
) -> None:
    assert is_another(changed(BESIDE_THE_EDGE, gone), tiles(covered), calm) is told


@pytest.mark.parametrize(("left", "beside", "told"), [(20, 0, True), (36, 0, False), (36, 6, True), (50, 6, False)])
def test_hands_between_two_tiles_are_over_the_board_and_those_aside_are_not(left: int, beside: int, told: bool) -> None:
    corners = [np.array([(x, 40), (x + 24, 40), (x + 24, 100), (x, 100)], np.float64) for x in (16, 100)]
    hands = part(12, left, 20, left + 4)
    assert lie_over(hands, corners, 1, beside) is told
