"""A tile that the detector passed by is looked for where its neighbours leave room for just one."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.typing import NDArray

from vision.gaps import farther_along, gaps, instead

pytestmark = pytest.mark.needs("cv2")

Quad = NDArray[np.float64]
LYING = np.array([[0, 20], [0, 0], [40, 0], [40, 20]], float)
STANDING = np.array([[0, 0], [20, 0], [20, 41], [0, 41]], float)


def at(col: float, row: float) -> Quad:
    """A tile of 40 by 20 pixels in a block, its place counted in tiles."""
    return LYING + [col * 41, row * 21]


def middles(quads: list[Quad]) -> list[tuple[int, int]]:
    return sorted((round(float(x) / 41 - 0.5), round(float(y) / 21 - 0.5)) for x, y in (q.mean(0) for q in quads))


def test_the_hole_in_a_block_is_a_gap() -> None:
    block = [at(col, row) for col in range(3) for row in range(3) if (col, row) != (1, 1)]
    assert middles(gaps(block, [False] * len(block))) == [(1, 1)]


def test_around_fronts_nothing_is_missing_that_only_one_tells_of() -> None:
    assert gaps([at(0, 0)], [False]) == []
    assert gaps([at(0, 0), at(1, 0), at(0, 1), at(1, 1)], [False] * 4) == []


def test_beside_a_back_another_may_lie_on_each_side() -> None:
    assert middles(gaps([at(1, 1)], [True])) == [(0, 1), (1, 0), (1, 2), (2, 1)]


def test_room_that_a_tile_reaches_into_is_none() -> None:
    row = [at(0, 0), at(2, 0), at(1.4, 0.5)]
    assert gaps(row, [False] * 3) == []


def test_a_tile_turned_end_for_end_tells_the_same_gap() -> None:
    found = gaps([at(0, 0), np.roll(at(2, 0), 2, axis=0)], [False, False])
    assert middles(found) == [(1, 0)]
    assert abs(found[0] - at(1, 0)).max() < 3 or abs(np.roll(found[0], 2, axis=0) - at(1, 0)).max() < 3


def test_a_hole_among_tiles_that_lie_in_other_rows_is_a_gap_though_only_one_tells_of_it() -> None:
    """Two stand at its ends, two lie over it half a tile aside, and only the one below lies just as it would."""
    left, right = STANDING + [-21, 0], STANDING + [41, 0]
    above = [at(-0.5, -1), at(0.5, -1)]
    assert middles(gaps([at(0, 1), left, right, *above], [False] * 5)) == [(0, 0)]
    assert gaps([at(0, 1), left], [False] * 2) == []


def test_what_seems_to_lie_across_a_seam_tells_of_the_next_tile() -> None:
    """Half of it is on the tile that is known, or on the table; a tile that would lie the other way tells of none."""
    assert middles(gaps([at(0, 0)], [False], [at(0.6, 0)])) == [(1, 0)]
    assert gaps([at(0, 0)], [False], [STANDING + [50, -10]]) == []


def test_what_lies_farther_along_lies_on_the_same_line() -> None:
    assert sorted(round(float(quad.mean(axis=0)[0])) for quad in farther_along(at(0, 0))) == [0, 10, 30, 40]
    assert {float(quad.mean(axis=0)[1]) for quad in farther_along(at(0, 0))} == {10.0}


def test_no_tiles_leave_no_gaps() -> None:
    assert gaps([], []) == []


def test_beside_a_tile_that_two_others_push_aside_lies_what_they_leave_without_it() -> None:
    (place,) = instead([STANDING], [at(0, 0), at(0, 1)])
    assert place.mean(axis=0) == pytest.approx([20 + 10.5, 20.5], abs=1)


def test_where_another_tile_stays_nothing_lies_instead() -> None:
    assert instead([STANDING], [at(0, 0), at(0, 1), STANDING + [30, 0]]) == []


def test_who_pushes_nobody_aside_leaves_nothing() -> None:
    assert instead([STANDING], [at(2, 0)]) == []
    assert instead([], [at(0, 0)]) == []
    assert instead([STANDING], []) == []
