"""A fingertip is seen, or lies under somebody else's arm."""

from __future__ import annotations

import numpy as np
import pytest

from training.arms import Arm
from training.grabs import random_grabs
from training.lens import looking_down
from training.overhead import Sheet, View
from training.reaching import Way, held
from training.shooting import Moved
from training.sight import in_sight

pytestmark = pytest.mark.needs("cv2")

VIEW = View(looking_down(640, 360, 30.0, 0.0, 0.0), 24.0, 8.0)
WIDE_MM = 160.0


def arm(x: float, wide_mm: float = 16.0, *, ghost: bool = False) -> Moved:
    """A finger or an arm, so wide, from below whose tip rests at a place."""
    picture = np.full((400, round(wide_mm), 4), 255, np.uint8)
    sheet = Sheet(picture, 1.0, (wide_mm / 2, 0.0), 0.0, ghost)
    return Moved(Arm(sheet, (), "point", "bare"), Way(0.0, held([x, 0.0, 0.0], 2.0)), (x, 500.0))


def test_a_finger_alone_is_seen() -> None:
    assert in_sight(VIEW, arm(0.0), [], 1.0) == 1.0


def test_a_finger_under_an_arm_is_not() -> None:
    assert in_sight(VIEW, arm(0.0), [arm(0.0, WIDE_MM)], 1.0) == 0.0


def test_an_arm_beside_it_covers_nothing_and_one_over_half_of_it_covers_half() -> None:
    assert in_sight(VIEW, arm(0.0), [arm(100.0, WIDE_MM)], 1.0) == 1.0
    assert in_sight(VIEW, arm(0.0), [arm(80.0, WIDE_MM)], 1.0) == pytest.approx(0.5, abs=0.12)


def test_a_shadow_hides_nothing() -> None:
    assert in_sight(VIEW, arm(0.0), [arm(0.0, WIDE_MM, ghost=True)], 1.0) == 1.0


def test_films_tell_whose_fingertip_was_hidden() -> None:
    told = [grab.sight for seed in range(3) for grab in random_grabs(seed, 30.0, "tuning").grabs if grab.contact_s]
    assert all(0 <= sight <= 1 for sight in told)
    assert 1.0 in told
