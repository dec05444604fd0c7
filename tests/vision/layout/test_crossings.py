"""A checkered board is found in the picture by itself, with nothing on it and with its corners hidden."""

from __future__ import annotations

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from rules.board import Cell
from rules.table import Piece, Table
from tests.vision.laying import SIZE_PX, Eye
from tests.vision.layout.test_cornerwise import checkered
from training.course import random_course, stage_of
from vision.layout.crossings import find_board, outline
from vision.scene import PawnDetection, Scene

pytestmark = pytest.mark.needs("cv2")

Image = NDArray[np.uint8]
EYES = [Eye(), Eye(turn_deg=12, tilt_deg=25), Eye(turn_deg=-30, tilt_deg=35)]


def same_board(board: NDArray[np.float64], image: Image) -> bool:
    """Whether the squares of the board have the colours of the picture."""
    size = 8 * 16
    flat = cv2.warpPerspective(image, np.linalg.inv(board @ np.diag([1 / 16, 1 / 16, 1])), (size, size))
    middles = flat[8::16, 8::16, 0].astype(int)
    signs = np.where(np.add.outer(np.arange(8), np.arange(8)) % 2, -1, 1)
    return abs(int((np.sign(middles - 140) * signs).sum())) == 64


@pytest.mark.parametrize("eye", EYES)
def test_an_empty_board_is_found_whatever_the_camera(eye: Eye) -> None:
    image = checkered(eye, 1.75)
    board = find_board(image)
    assert board is not None
    assert same_board(board, image)


def test_its_first_row_is_the_upper_one() -> None:
    board = find_board(checkered(Eye(turn_deg=20, tilt_deg=20), 1.75))
    assert board is not None
    (_, top), (right, _), (_, low), (left, _) = outline(board)
    assert top < low
    assert left < right


def test_things_that_hide_a_third_of_it_do_not_matter() -> None:
    image = checkered(Eye(tilt_deg=15), 1.75)
    board = find_board(image)
    assert board is not None
    hidden, chance = image.copy(), np.random.default_rng(3)
    least, most = outline(board).min(0), outline(board).max(0)
    for _ in range(14):
        x, y = (int(v) for v in chance.uniform(least, most))
        cv2.circle(hidden, (x, y), 22, (60, 60, 200), -1)
    again = find_board(hidden)
    assert again is not None
    assert np.abs(outline(again) - outline(board)).max() < 3


def test_a_board_woven_in_tartan_is_seen_from_afar() -> None:
    """Its own lines cross as well, and close by they hang together with those of its frame."""
    course = random_course("domineering", 22, 12)
    stage = stage_of(course.tables, 22)
    board = find_board(stage.picture(course.tables[0])[0])
    assert board is not None
    corners = np.array([[357, 117], [893, 96], [962, 636], [346, 670]])
    assert np.abs(outline(board) - corners).max() < 12


def test_a_larger_board_and_a_bare_table_are_none() -> None:
    assert find_board(np.full((*SIZE_PX[::-1], 3), 130, np.uint8)) is None
    squares = np.add.outer(np.arange(720) // 60, np.arange(1280) // 60) % 2
    assert find_board(np.repeat((80 + 100 * squares)[..., None], 3, 2).astype(np.uint8)) is None


def test_pieces_stand_on_its_squares_before_any_domino_lies_there() -> None:
    from vision.reconstruct import rebuild

    cells = (Cell(0, 0), Cell(3, 4), Cell(4, 3), Cell(7, 7))
    colors = ((245, 245, 245), (20, 20, 20), (20, 20, 20), (245, 245, 245))
    table = Table(pawns=tuple(Piece(color, cell, 0, 0) for color, cell in zip(colors, cells, strict=True)))
    stage = stage_of([table], 1, squares=8)
    image, truth = stage.picture(table)
    pawns = tuple(PawnDetection(p.center_px, p.color, 0.9, p.width_px) for p in truth.pieces)
    board = find_board(image)
    assert board is not None
    rebuilt = rebuild(Scene(truth.size_px, pawns=pawns), image, board)
    assert sorted(pawn.cell for pawn in rebuilt.table.pawns if pawn.cell) == list(cells)
