"""Fingers at rest on drawn tiles: who stays has touched, who soon leaves has not."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from vision.camera import Frame
from vision.hands.rest_watch import RestWatch
from vision.hands.touches import Contact

pytestmark = pytest.mark.needs("cv2")

Image = NDArray[np.uint8]
Point = tuple[float, float]
Arm = tuple[Point, Callable[[float], Point]]  # where it comes in, and where its fingertip is at a moment

RATE, LONG_S = 30.0, 1.6
TILE = ((600.0, 300.0), (680.0, 300.0), (680.0, 340.0), (600.0, 340.0))
ON_IT = (640.0, 318.0)
SKINS = ((120, 150, 215), (60, 80, 130))
BELOW, ABOVE = (640.0, 719.0), (660.0, 0.0)


def table() -> Image:
    """A green cloth with one white tile on it."""
    grain = np.random.default_rng(1).normal(0, 6, (720, 1280, 1))
    cloth = np.clip(np.array([80.0, 125.0, 80.0]) + grain, 0, 255).astype(np.uint8)
    cv2.rectangle(cloth, (600, 300), (680, 340), (235, 235, 235), -1)
    return cloth


def told(*arms: Arm) -> list[Contact]:
    """What the eyes tell of arms over the table."""
    cloth, rng = table(), np.random.default_rng(2)
    watch = RestWatch(cloth, [TILE])
    contacts: list[Contact] = []
    for time_s in np.arange(0.0, LONG_S, 1 / RATE):
        image = cloth.copy()
        for (entry, tip), skin in zip(arms, SKINS, strict=False):
            end = np.rint(tip(time_s)).astype(int).tolist()
            way = np.rint(entry).astype(int).tolist()
            cv2.line(image, way, (np.array(end) + 0.25 * (np.array(way) - end)).astype(int).tolist(), skin, 60)
            cv2.line(image, way, end, skin, 22)
        noisy = np.clip(image + rng.normal(0, 1.5, image.shape), 0, 255).astype(np.uint8)
        contacts += watch.see(Frame(noisy, float(time_s)))
    return contacts


def way(*points: tuple[float, Point]) -> Callable[[float], Point]:
    """A fingertip's way through places at their times."""
    times: Sequence[float] = [time_s for time_s, _ in points]

    def at(time_s: float) -> Point:
        x, y = (float(np.interp(time_s, times, [point[k] for _, point in points])) for k in (0, 1))
        return x, y

    return at


def test_a_finger_that_stays_has_touched() -> None:
    (contact,) = told((BELOW, way((0.3, (640, 760)), (0.6, ON_IT), (2, ON_IT))))
    assert contact.time_s == pytest.approx(0.6, abs=0.04)
    assert contact.chance == 1


def test_a_finger_that_soon_leaves_without_the_tile_has_not() -> None:
    assert told((BELOW, way((0.3, (640, 760)), (0.6, ON_IT), (0.72, ON_IT), (1.0, (640, 760))))) == []


def test_a_hand_that_only_flies_over_touches_nothing() -> None:
    flies = way((0.68, (660, -80)), (0.8, (650, 290)), (0.92, (660, -80)))
    touches = way((0.5, (640, 760)), (0.8, ON_IT), (2, ON_IT))
    assert [one.entry_px[1] > 600 for one in told((BELOW, touches), (ABOVE, flies))] == [True]


def test_a_thumb_over_a_tile_touches_nothing_while_the_fingers_rest_beyond() -> None:
    beyond = way((0.3, (700, 760)), (0.6, (720, 130)), (2, (720, 130)))
    thumb = way((0.3, (615, 760)), (0.6, (615, 318)), (2, (615, 318)))
    assert told((BELOW, beyond), (BELOW, thumb)) == []


def test_a_thumb_that_a_hand_at_rest_stretches_out_touches_then_and_not_when_the_hand_came() -> None:
    hand = way((0.3, (740, 760)), (0.6, (740, 300)), (2, (740, 300)))
    thumb = way((0.9, (740, 420)), (0.91, (660, 320)), (2, (660, 320)))
    (contact,) = told((BELOW, hand), ((740, 420), thumb))
    assert contact.time_s == pytest.approx(0.91, abs=0.04)


@pytest.mark.parametrize("takes", [True, False])
def test_fingers_that_stir_have_touched_what_their_hand_then_moves_along(takes: bool) -> None:
    cloth, bare, rng = table(), table(), np.random.default_rng(2)
    bare[295:345, 595:685] = bare[395:445, 595:685]
    tip = way((0.3, (640, 760)), (0.6, ON_IT), (0.8, ON_IT), (1.0, (640, 160)), (2, (640, 160)))
    watch, contacts = RestWatch(cloth, [TILE]), list[Contact]()
    for number in range(45):
        time_s = number / RATE
        x, y = np.rint(tip(time_s)).astype(int).tolist()
        lifted = takes and y < ON_IT[1] - 2
        image = (bare if lifted else cloth).copy()
        if lifted:
            cv2.rectangle(image, (x - 40, y - 18), (x + 40, y + 22), (235, 235, 235), -1)
        cv2.line(image, (640, 719), (x, y + 80), SKINS[0], 60)
        cv2.line(image, (640, 719), (x, y), SKINS[0], 22)
        if number % 2:  # the shadow of fingers that work
            image[y - 40 : y - 20, x - 60 : x + 60] = image[y - 40 : y - 20, x - 60 : x + 60] * 0.6
        noisy = np.clip(image + rng.normal(0, 1.5, image.shape), 0, 255).astype(np.uint8)
        contacts += watch.see(Frame(noisy, time_s))
    assert [one.place for one in contacts] == [0] * takes
    assert all(one.time_s == pytest.approx(0.6, abs=0.04) for one in contacts)
