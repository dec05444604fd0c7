"""A domino wholly under cardboard lies there still."""

from __future__ import annotations

import numpy as np
import pytest

from tests.vision.laying import Eye, Laid, cardboard_upon, detection
from vision.following.evidence import Evidence
from vision.following.sighting import Sighting
from vision.following.vanished import Vanished
from vision.scene import Scene

pytestmark = pytest.mark.needs("cv2")


def lost(x: float, pips: tuple[int, int] = (2, 3)) -> Sighting:
    """A domino that a hand is believed to have taken away."""
    tile = detection(Laid(x, 0.0, 0.0, pips), Eye(), 0.0, np.random.default_rng(0))
    return Sighting(tile, 0.9, Evidence.none(), 3, covered=True, empty=3)


def test_a_domino_comes_back_with_the_cardboard_upon_it() -> None:
    one, vanished = lost(0.0), Vanished()
    vanished.add([one])
    assert not vanished.come_back(Scene((960, 540)), [])
    (back,) = vanished.come_back(cardboard_upon(one.tile), [])
    assert back.tile == one.tile
    assert not back.covered
    assert not back.empty
    assert not vanished.tiles


def test_one_that_lies_elsewhere_now_does_not() -> None:
    one, vanished = lost(0.0), Vanished()
    vanished.add([one])
    assert not vanished.come_back(cardboard_upon(one.tile), [lost(5.0)])
    assert not vanished.tiles


def test_nor_one_in_whose_place_another_lies() -> None:
    one, vanished = lost(0.0), Vanished()
    vanished.add([one])
    assert not vanished.come_back(cardboard_upon(one.tile), [lost(0.5, pips=(4, 4))])
