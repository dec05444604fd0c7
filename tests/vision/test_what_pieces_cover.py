"""What pieces hide, and what may be one upon a tile."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from vision.pieces import Pieces, covers, with_stirred
from vision.scene import DieDetection, Faint, PawnDetection, TetrominoDetection, TileDetection

pytestmark = pytest.mark.needs("cv2")

STANDING = PawnDetection((300.0, 200.0), (20, 40, 200), 0.7, 40.0)


def test_cardboard_covers_its_squares_alone() -> None:
    bar = TetrominoDetection(((20, 20), (60, 20), (100, 20), (140, 20)), True, 0.9)
    assert [square.mean(axis=0).tolist() for square in covers(bar)] == [[20, 20], [60, 20], [100, 20], [140, 20]]
    assert {tuple(np.ptp(square, axis=0)) for square in covers(bar)} == {(40.0, 40.0)}


def test_what_may_be_a_die_is_likelier_upon_a_tile_that_looks_otherwise() -> None:
    tile = TileDetection(
        corners_px=((280, 160), (280, 240), (440, 240), (440, 160)),
        centers_px=((320, 200), (400, 200)),
        pips=(2, 3),
        likelihoods=((), ()),
        confidence=0.9,
    )
    upon, beside = (Faint("die", 0.3, DieDetection((x, 200.0), 2, 0.3, edge_px=30.0)) for x in (330.0, 500.0))
    pawn = Faint("pawn", 0.3, STANDING)
    told = with_stirred(Pieces(faint=(upon, beside, pawn)), [tile])
    assert [(die.center_px, die.doubtful) for die in told.dice] == [((330.0, 200.0), True)]
    assert told.faint == (beside, pawn)
    assert with_stirred(Pieces(faint=(upon,)), []) == Pieces(faint=(upon,))
    (hardly,) = with_stirred(Pieces(faint=(replace(upon, chance=0.05),)), [tile]).faint
    assert 0.05 < hardly.chance < 0.2  # which alone makes no die
