"""The renders: the truth is where the picture says, and the same seed gives the same scene."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from rules.board import Board
from training import arrangements
from training.render import random_scene
from training.samples import laid, set_of
from training.sets import back, face, layout, random_style
from training.truth import from_json
from vision.straighten import FRAME

pytestmark = pytest.mark.needs("cv2")


@pytest.mark.parametrize("number", range(13))
@pytest.mark.parametrize("variant", range(4))
def test_every_maker_puts_as_many_pips_as_the_number_says(number: int, variant: int) -> None:
    spots = layout(number, variant, False)
    assert len(set(spots)) == number
    assert all(abs(x) <= 1 and abs(y) <= 1 for x, y in spots)


def test_the_same_seed_gives_the_same_scene() -> None:
    (one, first), (two, second) = (random_scene(np.random.default_rng((7, 3)), 320) for _ in range(2))
    assert (one == two).all()
    assert first == second


def test_the_truth_survives_json() -> None:
    _, truth = random_scene(np.random.default_rng((7, 5)), 320)
    assert from_json(truth.as_json()) == truth


def test_pips_lie_on_their_own_half() -> None:
    """Head pips are nearer to the head's edge, in every scene and from every side."""
    for seed in range(6):
        _, truth = random_scene(np.random.default_rng((8, seed)), 320)
        for tile in truth.tiles:
            if not tile.face_up or tile.visible < 0.9 or not tile.pips_px:
                continue
            warp = cv2.getPerspectiveTransform(np.array(tile.corners_px, np.float32), FRAME)
            pips = np.array([tile.pips_px], np.float32)
            across_bar = cv2.perspectiveTransform(pips, warp)[0, :, 0] - FRAME[:, 0].mean()
            assert (across_bar < 0).sum() == tile.pips[0]
            assert (across_bar > 0).sum() == tile.pips[1]


@pytest.mark.parametrize("rows", range(2, 8))
@pytest.mark.parametrize("cols", [2, 4, 6, 8])
def test_a_packed_rectangle_is_covered_once(rows: int, cols: int) -> None:
    cells = [
        cell
        for r, c, across in arrangements.tiling(np.random.default_rng(rows), rows, cols)
        for cell in ((r, c), (r, c + 1) if across else (r + 1, c))
    ]
    assert sorted(cells) == [(r, c) for r in range(rows) for c in range(cols)]


@pytest.mark.parametrize("kind", sorted(arrangements.KINDS))
def test_no_arrangement_lays_a_number_beyond_the_set(kind: str) -> None:
    tiles = arrangements.KINDS[kind](np.random.default_rng(2), 9, 12, 5.0)
    assert tiles
    assert all(0 <= n <= 9 for t in tiles for n in (t.head, t.tail))


def test_a_front_tells_its_numbers_and_a_back_tells_none() -> None:
    rng = np.random.default_rng(4)
    style = random_style(rng, lambda _: None)
    assert len(face(style, 4, 3, rng).pips_at) == 7
    assert back(style, rng).pips_at == ()


def test_a_board_is_laid_as_it_is_written() -> None:
    one, two = laid(Board.parse("2|5\n\n6 0\n- -\n1 3\n"), np.random.default_rng(0), crooked=0.0)[:2]
    assert (one.head, one.tail, two.head, two.tail) == (2, 5, 6, 1)
    assert set_of(3).highest == 6
