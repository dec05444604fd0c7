"""Marks on a picture: they lie where the tiles lie, in the colour of what they say, and change nothing else."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from rules.board import Cell
from rules.game import Problem, Verdict
from vision.overlay import BACK, DOUBT, FAULT, SURE, draw_faults, draw_reading
from vision.reconstruct import rebuild
from vision.scene import Scene, TileDetection

if TYPE_CHECKING:
    from numpy.typing import NDArray

pytestmark = pytest.mark.needs("cv2")

HALF = 40.0


def tile(
    x: float, y: float, turn_deg: float = 0, *, doubtful: bool = False, face_up: bool = True, half: float = HALF
) -> TileDetection:
    """A 2-4 whose middle lies at (x, y), its tail turned clockwise from the right."""
    along = (half * math.cos(math.radians(turn_deg)), half * math.sin(math.radians(turn_deg)))
    across = (-along[1] / 2, along[0] / 2)

    def at(far: float, wide: float) -> tuple[float, float]:
        return (x + far * along[0] + wide * across[0], y + far * along[1] + wide * across[1])

    corners = (at(-1, -1), at(-1, 1), at(1, 1), at(1, -1))
    return TileDetection(corners, (at(-0.5, 0), at(0.5, 0)), (2, 4), 0.9, doubtful, face_up)


def table(value: int, width: int = 400, height: int = 300) -> NDArray[np.uint8]:
    return np.full((height, width, 3), value, np.uint8)


def shows(picture: NDArray[np.uint8], color: tuple[int, int, int]) -> bool:
    """Whether a colour is to be seen, a little off for the smoothing of the lines."""
    return bool((np.abs(picture.astype(int) - color).max(axis=2) < 12).any())


@pytest.mark.parametrize("background", [0, 128, 255])
@pytest.mark.parametrize(
    ("seen", "color"),
    [
        (tile(200, 150), SURE),
        (tile(200, 150, doubtful=True), DOUBT),
        (tile(200, 150, face_up=False), BACK),
        (tile(200, 150, doubtful=True, face_up=False), DOUBT),
    ],
)
def test_a_tile_is_outlined_in_the_colour_of_how_sure_it_is(
    seen: TileDetection, color: tuple[int, int, int], background: int
) -> None:
    drawn = draw_reading(table(background), Scene((400, 300), (seen,)))
    around = drawn[120:180, 150:250]
    assert shows(around, color)
    assert not any(shows(around, other) for other in {SURE, DOUBT, BACK, FAULT} - {color})


def test_the_picture_keeps_its_pixels_and_grows_only_below() -> None:
    frame = table(200)
    drawn = draw_reading(frame, Scene((400, 300), (tile(200, 150),)))
    assert (frame == 200).all()
    assert drawn.shape[0] > 300
    assert drawn.shape[1] == 400
    changed = np.argwhere((drawn[:300] != 200).any(axis=2))
    assert changed.min(axis=0).tolist() >= [120, 150]
    assert changed.max(axis=0).tolist() <= [185, 250]


def test_a_double_blank_that_was_taken_for_a_back_is_marked_on_both_halves() -> None:
    plain = replace(tile(200, 150), pips=(0, 0))
    turned = replace(plain, changed_from=(0, 0), why="no other domino is the double blank, so this is it")
    as_read, changed = (draw_reading(table(200), Scene((400, 300), (t,)))[:300] for t in (plain, turned))
    (left, top), (right, bottom) = np.min(plain.corners_px, axis=0), np.max(plain.corners_px, axis=0)
    halves = np.array_split((as_read != changed).any(axis=2)[int(top) : int(bottom), int(left) : int(right)], 2, axis=1)
    assert all(half.any() for half in halves)


def test_what_the_set_changed_is_marked_on_its_half_and_explained_below() -> None:
    plain = tile(200, 150)
    mended = replace(plain, changed_from=(plain.pips[0], 6 - plain.pips[1]), why="6-1 lies elsewhere")
    as_read, changed = (draw_reading(table(200), Scene((400, 300), (t,))) for t in (plain, mended))
    assert changed.shape[0] > as_read.shape[0]
    differ = np.argwhere((as_read[:300] != changed[:300]).any(axis=2))
    assert len(differ) > 0
    assert (
        abs(differ.mean(axis=0)[::-1] - plain.centers_px[1]).max()
        < abs(differ.mean(axis=0)[::-1] - plain.centers_px[0]).max()
    )


def test_a_picture_without_dominoes_says_so_below_only() -> None:
    drawn = draw_reading(table(90), Scene((400, 300)))
    assert (drawn[:300] == 90).all()
    assert drawn[300:].max() > 200


def test_a_fault_is_red_on_its_cells_and_nowhere_else() -> None:
    scene = Scene((400, 300), tuple(tile(140 + 80 * k, 130 + 40 * row) for k in range(2) for row in range(2)))
    verdict = Verdict("unsolved", (Problem("The 2-4 lies twice.", (Cell(0, 0), Cell(0, 1))),))
    drawn = draw_faults(table(255), scene, rebuild(scene), verdict)
    assert shows(drawn[110:150, 100:180], FAULT)
    assert not shows(drawn[160:190, 190:260], FAULT)
    assert shows(drawn[160:190, 190:260], SURE)


@pytest.mark.parametrize(("state", "color"), [("solved", SURE), ("undecided", DOUBT), ("unsolved", FAULT)])
def test_the_verdict_stands_below_in_its_colour(state: str, color: tuple[int, int, int]) -> None:
    scene = Scene((400, 300))
    verdict = Verdict(state, notes=(Problem("Turned by a quarter."),))  # type: ignore[arg-type]
    assert shows(draw_faults(table(0), scene, rebuild(scene), verdict)[300:], color)


def test_a_long_sentence_takes_more_lines_than_a_short_one() -> None:
    scene = Scene((400, 300))
    short, long = (
        draw_faults(table(0), scene, rebuild(scene), Verdict("unsolved", (Problem(text),)))
        for text in ("Short.", "A cliff parts row 1, column 1 from row 2, column 1, and so on. " * 4)
    )
    assert long.shape[0] > short.shape[0]


@given(
    x=st.floats(-500, 900),
    y=st.floats(-500, 900),
    turn=st.floats(0, 360),
    half=st.floats(0.5, 400),
    face_up=st.booleans(),
    doubtful=st.booleans(),
)
def test_tiles_may_lie_anywhere_even_off_the_picture(
    x: float, y: float, turn: float, half: float, face_up: bool, doubtful: bool
) -> None:
    scene = Scene((120, 90), (tile(x, y, turn, half=half, face_up=face_up, doubtful=doubtful),))
    verdict = Verdict("unsolved", (Problem("Somewhere.", (Cell(0, 0), Cell(-40, 99))),))
    assert draw_reading(table(10, 120, 90), scene).shape[1] == 120
    assert draw_faults(table(10, 120, 90), scene, rebuild(scene), verdict).shape[1] == 120
