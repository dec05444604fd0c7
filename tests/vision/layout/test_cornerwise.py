"""Dominoes laid cornerwise on the squares of a checkered board come back, each on its square."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from calibration.homography import inverse
from rules.board import Cell
from rules.domino import Domino
from rules.table import Spot, Table
from tests.vision.laying import SIZE_PX, Array, Eye, Laid, seen
from vision.reconstruct import rebuild
from vision.scene import PawnDetection

FEW = settings(max_examples=6)
SIDE = 8

# The squares in use, as (row, column), and the dominoes on them.
POSITION = {
    (0, 0): (1, 6), (0, 3): (2, 2), (1, 1): (0, 4), (2, 5): (3, 5), (3, 3): (6, 6), (3, 4): (0, 1), (4, 7): (4, 5),
    (5, 2): (2, 6), (6, 6): (1, 3), (7, 0): (0, 0),
}  # fmt: skip


def on_board(width: float, seed: int, squares: dict[tuple[int, int], tuple[int, int]] | None = None) -> list[Laid]:
    """The dominoes as a hand lays them, on squares so many halves wide."""
    rng = np.random.default_rng(seed)
    tiles = []
    for (row, col), pips in (squares or POSITION).items():
        x, y = (np.array([col, row]) - (SIDE - 1) / 2) * width + rng.uniform(-0.08, 0.08, 2)
        tiles.append(Laid(x, y, 45 + 90 * int(rng.integers(0, 4)) + rng.uniform(-4, 4), pips))
    return tiles


def laid_so(spots: tuple[Spot, ...], squares: dict[tuple[int, int], tuple[int, int]]) -> bool:
    """Whether the spots are these squares, up to a shift and quarter turns."""
    found = {spot.cell: spot.domino for spot in spots}
    wanted = {Cell(*square): Domino.of(*pips) for square, pips in squares.items()}
    turned = ({cell.turned(k): domino for cell, domino in wanted.items()} for k in range(4))
    return any(found == shifted_to_the_corner(one) for one in turned)


def shifted_to_the_corner(spots: dict[Cell, Domino]) -> dict[Cell, Domino]:
    top, left = min(cell.row for cell in spots), min(cell.col for cell in spots)
    return {cell.shifted(-top, -left): domino for cell, domino in spots.items()}


def checkered(eye: Eye, width: float) -> NDArray[np.uint8]:
    """The picture of an 8 x 8 board on a table of one colour, its middle below the camera's look."""
    to_table = inverse(homography(eye))
    down, right = np.mgrid[: SIZE_PX[1], : SIZE_PX[0]]
    points = np.stack([right, down, np.ones_like(right)], -1) @ to_table.T
    square = np.floor(points[..., :2] / points[..., 2:] / width + SIDE / 2)
    inside = ((square >= 0) & (square < SIDE)).all(-1)
    shade = np.where(inside, np.where(square.sum(-1) % 2, 90, 190), 130)
    return np.repeat(shade[..., None], 3, -1).astype(np.uint8)


def homography(eye: Eye) -> Array:
    """From the table to the picture, by four points."""
    table = np.array([[-5, -5], [5, -5], [5, 5], [-5, 5.0]])
    rows = []
    for (x, y), (u, v) in zip(table, eye.sees(table), strict=True):
        rows += [[x, y, 1, 0, 0, 0, -u * x, -u * y], [0, 0, 0, x, y, 1, -v * x, -v * y]]
    return np.append(np.linalg.solve(np.array(rows), eye.sees(table).ravel()), 1.0).reshape(3, 3)


def table_of(tiles: list[Laid], eye: Eye, seed: int = 0) -> Table:
    return rebuild(seen(tiles, eye, 0.4, seed)).table


@FEW
@given(
    width=st.floats(1.9, 2.6),
    turn_deg=st.floats(0, 360),
    tilt_deg=st.floats(0, 35),
    lean_deg=st.floats(0, 360),
    seed=st.integers(0, 99),
)
def test_each_domino_lies_on_its_square(
    width: float, turn_deg: float, tilt_deg: float, lean_deg: float, seed: int
) -> None:
    table = table_of(on_board(width, seed), Eye(turn_deg, tilt_deg, lean_deg, 34), seed)
    assert laid_so(table.spots, POSITION)
    assert (table.board.placed, table.loose, table.chain.tiles) == ((), (), ())


@FEW
@given(turn_deg=st.floats(-30, 30), tilt_deg=st.floats(0, 30), seed=st.integers(0, 99))
def test_the_board_in_the_picture_gives_the_squares_their_names(turn_deg: float, tilt_deg: float, seed: int) -> None:
    inner = {(row + 1, col + 2): pips for (row, col), pips in POSITION.items() if row < 6 and col < 6}
    eye = Eye(turn_deg, tilt_deg, away=34)
    scene = seen(on_board(2.1, seed, inner), eye, 0.3, seed)
    table = rebuild(scene, checkered(eye, 2.1)).table
    assert {(spot.cell.row, spot.cell.col): spot.domino for spot in table.spots} == {
        square: Domino.of(*pips) for square, pips in inner.items()
    }


def test_a_table_without_a_checkered_board_leaves_the_corner_open() -> None:
    scene = seen(on_board(2.1, 0), Eye(away=34))
    blank = np.full((SIZE_PX[1], SIZE_PX[0], 3), 120, np.uint8)
    assert rebuild(scene, blank).table == rebuild(scene).table


@pytest.mark.parametrize("square", [(0, 7), (4, 3), (7, 7)])
def test_pawns_stand_on_squares_too(square: tuple[int, int]) -> None:
    eye = Eye(10, 20, away=34)
    x, y = eye.sees((np.array(square[::-1]) - (SIDE - 1) / 2) * 2.1, -0.4)
    scene = seen(on_board(2.1, 1), eye, 0.3)
    pawns = (PawnDetection((float(x), float(y)), (250, 250, 250), 0.9),)
    table = rebuild(type(scene)(scene.size_px, scene.tiles, pawns=pawns)).table
    assert table.pawns[0].cell == Cell(*square)


def test_face_down_tiles_beside_the_board_are_the_boneyard() -> None:
    pool = [Laid(11, k * 2.3 - 6, 17.0 * k, (0, 0), face_up=False) for k in range(5)]
    table = table_of([*on_board(2.1, 2), *pool], Eye(tilt_deg=15, away=40))
    assert laid_so(table.spots, POSITION)
    assert len(table.face_down) == len(pool)


def test_tiles_thrown_on_a_table_lie_on_no_squares() -> None:
    for seed in range(12):
        rng = np.random.default_rng(seed)
        thrown = [Laid(rng.uniform(-7, 7), rng.uniform(-7, 7), rng.uniform(0, 360), (k, k)) for k in range(6)]
        assert table_of(thrown, Eye(away=30)).spots == ()
