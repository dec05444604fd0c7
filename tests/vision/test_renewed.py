"""Pieces from one look to the next: a passing shadow takes none away."""

from __future__ import annotations

from dataclasses import replace

import pytest

from vision.pieces import Pieces, renewed
from vision.scene import Faint, PawnDetection, Scene, TileDetection

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
