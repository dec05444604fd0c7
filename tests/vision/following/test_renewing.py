"""Pieces from one look to the next: a passing shadow takes none away."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from vision.following.renewing import missed, renewed, with_more
from vision.pieces import Pieces
from vision.scene import Faint, PawnDetection, Scene, TetrominoDetection, TileDetection

pytestmark = pytest.mark.needs("cv2")


STANDING = PawnDetection((300.0, 200.0), (20, 40, 200), 0.7, 40.0)
AROUND_IT = (250.0, 150.0, 350.0, 250.0)


@pytest.mark.parametrize(("chance", "stays"), [(0.35, True), (0.05, False)])
def test_a_pawn_in_a_passing_shadow_stays_while_it_is_faintly_seen(chance: float, stays: bool) -> None:
    before = Scene((640, 480), pawns=(STANDING,))
    dim = Faint("pawn", chance, replace(STANDING, center_px=(303.0, 201.0), confidence=chance))
    after = renewed(before, AROUND_IT, Pieces(faint=(dim,)))
    assert after.pawns == ((STANDING,) if stays else ())


def test_a_pawn_that_went_elsewhere_is_not_kept_where_it_stood() -> None:
    there = replace(STANDING, center_px=(340.0, 240.0))
    before = Scene((640, 480), pawns=(STANDING,))
    assert renewed(before, AROUND_IT, Pieces(pawns=(there,))).pawns == (there,)


@pytest.mark.parametrize("chance", [0.9, 0.4])
def test_a_pawn_at_the_rim_of_what_is_looked_at_stays_though_it_is_seen_a_pixel_farther_out(chance: float) -> None:
    box = (100.0, 100.0, 281.0, 300.0)
    seen = replace(STANDING, center_px=(302.0, 200.0))
    if chance > 0.5:
        assert renewed(Scene((640, 480), pawns=(STANDING,)), box, Pieces(pawns=(seen,))).pawns == (seen,)
    else:
        before, after = Faint("pawn", chance, STANDING), Faint("pawn", chance, seen)
        assert renewed(Scene((640, 480), faint=(before,)), box, Pieces(faint=(after,))).faint == (after,)


def test_where_something_may_hide_a_piece_it_stays_unless_the_tile_that_it_stood_on_is_seen() -> None:
    there = replace(STANDING, center_px=(500.0, 200.0))
    on_tile, beside = STANDING, replace(STANDING, center_px=(260.0, 240.0))
    before, box = Scene((640, 480), pawns=(beside, on_tile)), (240.0, 140.0, 560.0, 260.0)
    tile = TileDetection(
        corners_px=((280, 160), (280, 240), (440, 240), (440, 160)),
        centers_px=((320, 200), (400, 200)),
        pips=(2, 3),
        likelihoods=((), ()),
        confidence=0.9,
    )
    assert renewed(before, box, Pieces(pawns=(there,)), []).pawns == (beside, on_tile, there)
    assert renewed(before, box, Pieces(pawns=(there,)), [tile]).pawns == (beside, there)
    assert renewed(before, box, Pieces(pawns=(there,)), [replace(tile, doubtful=True)]).pawns == (
        beside,
        on_tile,
        there,
    )
    assert renewed(before, box, Pieces(pawns=(there,))).pawns == (there,)


@pytest.mark.parametrize("chance", [0.9, 0.4])
def test_cardboard_that_was_not_seen_stays_where_something_else_speaks_for_it(chance: float) -> None:
    square = TetrominoDetection(((280, 180), (320, 180), (280, 220), (320, 220)), True, chance)
    told = chance > 0.5
    before = Scene(
        (640, 480), tetrominoes=(square,) if told else (), faint=() if told else (Faint("tetromino", chance, square),)
    )
    assert renewed(before, AROUND_IT, Pieces(), stays=lambda one: one == square) == before
    after = renewed(before, AROUND_IT, Pieces())
    assert not after.tetrominoes
    assert not after.faint


def test_what_a_whole_new_look_missed_is_sought_where_it_stood_and_stays_if_it_is_seen_faintly() -> None:
    before, now = Scene((640, 480), pawns=(STANDING,)), Scene((640, 480))
    sought = with_more(now, missed(before, now, np.zeros(2)))
    assert sought == before
    faint = Faint("pawn", 0.4, STANDING)
    assert renewed(sought, AROUND_IT, Pieces(faint=(faint,))).pawns == (STANDING,)
    assert renewed(sought, AROUND_IT, Pieces()).pawns == ()


def test_what_went_with_a_pushed_table_was_not_missed_nor_what_stayed() -> None:
    before = Scene((640, 480), pawns=(STANDING,))
    for x, y, sought in ((360.0, 240.0, False), (300.0, 200.0, False), (500.0, 200.0, True)):
        now = Scene((640, 480), pawns=(replace(STANDING, center_px=(x, y)),))
        assert bool(missed(before, now, np.array([62.0, 37.0])).pawns) == sought
