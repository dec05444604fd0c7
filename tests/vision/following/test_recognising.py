"""A look at a tile's place tells whether the tile is gone, unless the tile was never seen well."""

from __future__ import annotations

import numpy as np
import pytest

from tests.vision.laying import Eye, Laid, detection
from vision.following.evidence import Evidence
from vision.following.recognising import is_gone
from vision.following.sighting import Sighting
from vision.pips import NUMBERS, Look

pytestmark = pytest.mark.needs("cv2")

CLEAR, FAINT = 0.05, 0.4  # how likely there seems to be none


def sees(back: Sighting, nothing: float) -> tuple[Look, np.ndarray, bool]:
    """A look at a tile face down."""
    chances = np.full((2, NUMBERS), 1 / NUMBERS, np.float32)
    look = Look(0.01, 0.99 - nothing, nothing, back.corners, chances, chances, np.zeros((0, 3), np.float32))
    return look, back.corners, False


def back(nothing: float, looks: int = 4) -> Sighting:
    """A tile face down that was looked at so often."""
    tile = detection(Laid(0, 0, 0.0, (0, 0), face_up=False), Eye(), 0.0, np.random.default_rng(0))
    one = Sighting(tile, 0.99, Evidence.none(), 3)
    evidence = Evidence.none()
    for _ in range(looks):
        look, corners, _ = sees(one, nothing)
        evidence = evidence.plus(look, corners)
    return Sighting(tile, 0.99, evidence, 3)


@pytest.mark.parametrize(
    ("before", "now", "untouched", "gone"),
    [
        (FAINT, 0.6, True, False),  # a dark back on a dark table, missed as it may always be
        (FAINT, 0.6, False, True),  # the place looks otherwise: it was lifted
        (FAINT, 0.97, True, True),  # it never was as faint as that
        (CLEAR, 0.6, True, True),
        (CLEAR, 0.3, False, False),
    ],
)
def test_a_tile_that_was_always_faint_is_not_gone_for_a_look_that_misses_it_where_nothing_changed(
    before: float, now: float, untouched: bool, gone: bool
) -> None:
    one = back(before)
    assert is_gone(sees(one, now), one, untouched=untouched) == gone


def test_what_was_never_looked_at_again_may_be_gone() -> None:
    one = back(FAINT, looks=0)
    assert is_gone(sees(one, 0.6), one, untouched=True)
