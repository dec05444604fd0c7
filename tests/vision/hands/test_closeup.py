"""Close-ups of tiles: what they show, and how they look to the player of each side."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rules.table import TableSide
from vision.hands.closeup import SIZE, Closeups, View, face, turned, turned_points
from vision.layout.seats import SIDES

pytestmark = pytest.mark.needs("cv2")

SIDE = st.sampled_from(SIDES)


@given(side=SIDE, x=st.integers(0, SIZE - 1), y=st.integers(0, SIZE - 1))
@settings(max_examples=40, deadline=None, derandomize=True)
def test_points_turn_with_the_picture(side: TableSide, x: int, y: int) -> None:
    picture = np.zeros((SIZE, SIZE), np.uint8)
    picture[y, x] = 255
    (row, col), *_ = np.argwhere(turned(picture, side))
    assert turned_points([(x, y)], side).tolist() == [[col, row]]


@pytest.mark.parametrize(
    ("side", "edge"), [("bottom", (54, 107)), ("left", (0, 54)), ("top", (54, 0)), ("right", (107, 54))]
)
def test_the_players_side_lies_below(side: TableSide, edge: tuple[int, int]) -> None:
    assert turned_points([edge], side)[0, 1] == SIZE - 1


@given(side=SIDE, x=st.floats(100, 1100), y=st.floats(100, 600))
@settings(max_examples=40, deadline=None, derandomize=True)
def test_whereabouts_add_up_to_the_picture(side: TableSide, x: float, y: float) -> None:
    left, right, near, far = View((x, y), 60.0).whereabouts(side, (1280, 720))
    wide, deep = (1280, 720) if side in ("bottom", "top") else (720, 1280)
    assert left + right == pytest.approx(wide / 600)
    assert near + far == pytest.approx(deep / 600)
    assert near == pytest.approx({"bottom": 720 - y, "top": y, "left": x, "right": 1280 - x}[side] / 600)


@pytest.mark.parametrize("middle", [(200.0, 150.0), (4.0, 6.0), (396.0, 299.0)])
def test_a_closeup_has_the_tile_in_its_middle_also_by_the_edge(middle: tuple[float, float]) -> None:
    frame = np.zeros((300, 400, 3), np.uint8)
    x, y = int(middle[0]), int(middle[1])
    frame[max(0, y - 5) : y + 5, max(0, x - 5) : x + 5] = 255
    view = View(middle, 40.0)
    picture = view.see(frame)
    assert picture.shape == (SIZE, SIZE, 3)
    assert picture[SIZE // 2, SIZE // 2].min() > 200
    assert picture[SIZE // 2, SIZE // 4].max() < 50 or x < 10
    assert view.onto([middle])[0] == pytest.approx([SIZE / 2, SIZE / 2], abs=1.0)


def test_what_the_network_sees_is_measured_by_the_still_tables_light() -> None:
    still = np.full((SIZE, SIZE, 3), 100, np.uint8)
    closeups = Closeups(still, face([(30, 30), (75, 30), (75, 60), (30, 60)]))
    told = closeups.of(still, still // 2)
    assert told.shape == (8, SIZE, SIZE)
    assert told[:3].mean() == pytest.approx(0.0, abs=1e-6)  # half as light now
    assert told[3].mean() == pytest.approx(0.5, abs=1e-6)  # as light as the table a frame before
    assert closeups.of(still // 2, still)[3].mean() == pytest.approx(0.0, abs=1e-6)
    assert told[7].max() == 1.0
    assert 0.1 < told[7].mean() < 0.15
    assert (closeups.of(still, still) == closeups.calm).all()
