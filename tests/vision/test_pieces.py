"""Dice, pawns, tokens and tetrominoes stand where they were put: on the board, beside it or far from it."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rules.board import Board, Cell
from rules.table import Table
from tests.vision.laying import Eye, laid, seen
from vision.reconstruct import rebuild
from vision.scene import DieDetection, PawnDetection, Point, Scene, TetrominoDetection

FEW = settings(max_examples=6)
TILE_HEIGHT, DIE = 0.4, 0.6
RED, BLACK = (200, 30, 30), (20, 20, 20)

BOARD = Board.parse("""\
6|4 0 1|1 2
    -     -
2 5 3 4|4 0
- -
1 6 3|5 2|6

0|0 1|5 6|6""")
MIDDLE = np.array([2.5, 1.5])  # of the board, as (column, row)


def table_point(cell: Cell, eye: Eye, height: float = 0.0) -> Point:
    """Where the picture shows the middle of a cell, so high above the tiles."""
    x, y = eye.sees(np.array([cell.col, cell.row]) - MIDDLE, height)
    return float(x), float(y)


def die_on(cell: Cell, eye: Eye, foot: float = 0.0) -> DieDetection:
    """A die whose foot is so high above the tiles."""
    center = np.array([cell.col, cell.row]) - MIDDLE
    x, y = eye.sees(center, foot + DIE)
    corners = eye.sees(center + DIE / 2 * np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]]), foot + DIE)
    edge = float(np.linalg.norm(np.roll(corners, -1, 0) - corners, axis=1).mean())
    return DieDetection((float(x), float(y)), 5, 0.9, edge_px=edge)


def tetromino(cells: list[Cell], eye: Eye, light: bool = True, turned_deg: float = 0.0) -> TetrominoDetection:
    """A tetromino over these cells, turned about its own middle."""
    points = np.array([[cell.col, cell.row] for cell in cells], float) - MIDDLE
    a = np.deg2rad(turned_deg)
    turn = np.array([[np.cos(a), -np.sin(a)], [np.sin(a), np.cos(a)]])
    points = (points - points.mean(0)) @ turn.T + points.mean(0)
    return TetrominoDetection(tuple((float(x), float(y)) for x, y in eye.sees(points)), light, 0.9)


def board_scene(eye: Eye) -> Scene:
    """The board as it lies, its middle below the camera's look; no tile is told backwards by the camera's turn."""
    tiles = laid(BOARD)
    column, row = np.mean([[cell.col, cell.row] for cell in BOARD.owner], 0) - MIDDLE
    return seen([replace(tile, x=tile.x + column, y=tile.y + row) for tile in tiles], eye, 0.3)


def upright(table: Table) -> int:
    """The quarter turns by which the camera saw the board turned, be it without the tiles that something hides."""
    return next(turns for turns in range(4) if {*table.board.placed} <= {*BOARD.rotated(turns).placed})


def seen_at(cell: Cell, table: Table) -> Cell:
    """Where a cell of the board comes to lie in a table that the camera saw turned."""
    turns = upright(table)
    first = BOARD.moved(lambda one: one.turned(turns)).top_left
    return cell.turned(turns).shifted(-first.row, -first.col)


cameras = st.builds(
    Eye, turn_deg=st.floats(0, 360), tilt_deg=st.floats(0, 35), lean_deg=st.floats(0, 360), away=st.floats(18, 32)
)


@FEW
@given(eye=cameras)
def test_pieces_stand_on_their_cells_whatever_the_camera(eye: Eye) -> None:
    on, beside, far = Cell(2, 3), Cell(1, -1), Cell(9, 9)
    scene = replace(
        board_scene(eye),
        dice=(die_on(on, eye), die_on(beside, eye, -TILE_HEIGHT), die_on(far, eye, -TILE_HEIGHT)),
        pawns=(
            PawnDetection(table_point(on, eye), RED, 0.9),
            PawnDetection(table_point(beside, eye, -TILE_HEIGHT), BLACK, 0.9),
            PawnDetection(table_point(far, eye, -TILE_HEIGHT), BLACK, 0.9),
        ),
        tokens=(PawnDetection(table_point(Cell(0, 0), eye), RED, 0.9),),
    )
    table = rebuild(scene).table
    assert [die.cell for die in table.dice] == [seen_at(on, table), seen_at(beside, table), None]
    assert [pawn.cell for pawn in table.pawns] == [seen_at(on, table), seen_at(beside, table), None]
    assert [pawn.color_name for pawn in table.pawns] == ["red", "black", "black"]
    assert [token.cell for token in table.tokens] == [seen_at(Cell(0, 0), table)]


@FEW
@given(eye=cameras)
def test_a_die_hides_the_tile_below_and_still_stands_on_its_cells(eye: Eye) -> None:
    scene = board_scene(eye)
    hidden = replace(scene, tiles=tuple(tile for tile in scene.tiles if sorted(tile.pips) != [4, 4]))
    table = rebuild(replace(hidden, dice=(die_on(Cell(1, 3), eye),))).table
    assert table.dice[0].cell == seen_at(Cell(1, 3), table)
    assert table.dice[0].cell not in table.board.owner


@FEW
@given(eye=cameras, light=st.booleans())
def test_a_tetromino_covers_its_four_cells_seen_or_not(eye: Eye, light: bool) -> None:
    cells = [Cell(1, 2), Cell(2, 2), Cell(2, 3), Cell(1, 3)]
    scene = board_scene(eye)
    left = tuple(tile for tile in scene.tiles if sorted(tile.pips) not in ([3, 5], [4, 4]))
    table = rebuild(replace(scene, tiles=left, tetrominoes=(tetromino(cells, eye, light),))).table
    (piece,) = table.tetrominoes
    assert piece.cells == tuple(sorted(seen_at(cell, table) for cell in cells))
    assert piece.light is light
    assert table.doubts == ()


@FEW
@given(eye=cameras)
def test_a_tetromino_laid_askew_is_doubted_in_a_sentence(eye: Eye) -> None:
    askew = tetromino([Cell(1, 1), Cell(1, 2), Cell(1, 3), Cell(1, 4)], eye, light=False, turned_deg=40)
    table = rebuild(replace(board_scene(eye), tetrominoes=(askew,))).table
    assert table.tetrominoes == ()
    (doubt,) = table.doubts
    assert doubt.reading == "dark tetromino"
    assert doubt.sentence.startswith("The dark tetromino near row")
    assert doubt.where


def test_a_tetromino_that_only_adjoins_another_one_is_on_the_board_too() -> None:
    eye = Eye()
    near = tetromino([Cell(4, 0), Cell(5, 0), Cell(6, 0), Cell(7, 0)], eye)
    beyond = tetromino([Cell(7, 1), Cell(7, 2), Cell(8, 2), Cell(8, 3)], eye, light=False)
    for pieces in ((near, beyond), (beyond, near)):
        table = rebuild(replace(board_scene(eye), tetrominoes=pieces)).table
        assert {piece.light for piece in table.tetrominoes} == {True, False}
    assert rebuild(replace(board_scene(eye), tetrominoes=(beyond,))).table.tetrominoes == ()


def test_a_tetromino_laid_aside_is_in_no_place() -> None:
    eye = Eye()
    aside = tetromino([Cell(9, 9), Cell(9, 10), Cell(9, 11), Cell(9, 12)], eye)
    table = rebuild(replace(board_scene(eye), tetrominoes=(aside,))).table
    assert table.tetrominoes == ()
    assert table.doubts == ()


def test_pieces_without_a_board_are_loose() -> None:
    scene = Scene((640, 480), dice=(DieDetection((5, 5), 3, 0.9),), pawns=(PawnDetection((9, 9), RED, 0.9),))
    table = rebuild(scene).table
    assert (table.dice[0].cell, table.pawns[0].cell) == (None, None)


@pytest.mark.parametrize("bad", [float("nan"), float("inf"), -1e30])
def test_pieces_in_impossible_places_break_nothing(bad: float) -> None:
    eye = Eye()
    corners = ((bad, 0.0), (0.0, bad), (bad, bad), (1.0, 1.0))
    scene = replace(
        board_scene(eye),
        dice=(DieDetection((bad, 1.0), 3, 0.9, edge_px=bad),),
        pawns=(PawnDetection((1.0, bad), RED, 0.9),),
        tetrominoes=(TetrominoDetection(corners, True, bad),),
    )
    assert rebuild(scene).table.board == BOARD
