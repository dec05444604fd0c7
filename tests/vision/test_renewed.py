"""Pieces from one look to the next: a passing shadow takes none away."""

from __future__ import annotations

from dataclasses import replace

import pytest

from vision.pieces import Pieces, renewed
from vision.scene import Faint, PawnDetection, Scene

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
