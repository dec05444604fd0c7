"""Fingers that come to rest on tiles: what the network is shown and says, and a rendered film."""

from __future__ import annotations

import cv2
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pipsight.first import first_of
from training.grabs import random_grabs
from training.touches import moment_of
from vision.camera import Frame
from vision.contact import SIDE, SPAN, Spot, Surface
from vision.scene import HandDetection
from vision.straighten import Image
from vision.touch import TouchWatch, side_of
from vision.visit import Visit

pytestmark = pytest.mark.needs("cv2")

WAYS = st.floats(0, 2 * np.pi)
TILE = ((80.0, 60.0), (80.0, 90.0), (140.0, 90.0), (140.0, 60.0))
MIDDLE, LENGTH = (110.0, 75.0), 60.0
HAND = HandDetection(((100.0, 0.0), (120.0, 0.0), (110.0, 75.0)), 1.0, 1, (110.0, 0.0), ((110.0, 75.0),))


def table() -> Image:
    """A white tile on a dark table."""
    image = np.full((150, 220, 3), 40, np.uint8)
    cv2.fillConvexPoly(image, np.array(TILE, np.int32), (230, 230, 230))
    return image


def spot(way: float) -> Spot:
    """The tile as an arm from this direction comes to it."""
    return Spot(MIDDLE, TILE, LENGTH, (float(np.cos(way)), float(np.sin(way))))


@given(way=WAYS)
@settings(max_examples=20, deadline=None, derandomize=True)
def test_the_arm_comes_in_from_below(way: float) -> None:
    image = np.zeros((150, 220, 3), np.uint8)
    x, y = (round(at + 0.6 * LENGTH * toward) for at, toward in zip(MIDDLE, spot(way).toward, strict=True))
    cv2.circle(image, (x, y), 5, (255, 255, 255), -1)
    rows, cols = np.nonzero(spot(way).patch(image)[..., 0] > 100)
    assert abs(cols.mean() - (SIDE - 1) / 2) < 1
    assert rows.mean() - (SIDE - 1) / 2 == pytest.approx(0.6 * SIDE / SPAN, abs=1)


@given(way=WAYS)
@settings(max_examples=20, deadline=None, derandomize=True)
def test_the_tile_is_where_its_face_says(way: float) -> None:
    white = spot(way).patch(table())[..., 0] > 135
    assert (white != (spot(way).face > 127)).mean() < 0.02


def test_what_did_not_change_is_not_shown_and_shadows_are_darker_than_hands_are_red() -> None:
    still = spot(0.3).patch(table())
    surface = Surface(still, spot(0.3).face)
    assert not surface.apart(still).any()
    shadow = surface.apart(still // 2)
    assert shadow[..., 0].max() < 0
    hand = surface.apart(np.full_like(still, (90, 120, 190)))
    assert hand[..., 1].min() > 0.2


@given(rate=st.sampled_from([30.0, 60.0]), contact_s=st.floats(0.4, 0.6))
@settings(max_examples=30, deadline=None, derandomize=True)
def test_a_moment_between_frames_comes_back_from_what_the_network_is_taught(rate: float, contact_s: float) -> None:
    visit, stride = Visit(HAND, spot(0.0), table(), ()), round(rate / 30)
    for number in range(round((contact_s + 5 / 30) * rate) + 1):
        visit.sees(Frame(table(), number / rate))
        told = moment_of((number / rate - contact_s) * 30)
        if told is not None:
            visit.hears(told, stride)
    verdict = visit.verdict(5)
    assert verdict is not None
    assert verdict.surety > 0.9
    assert verdict.time_s == pytest.approx(contact_s, abs=0.004)
    assert 0.004 < verdict.sigma_s < 0.03


@pytest.mark.parametrize(
    ("entry", "side"), [((300, 0), "top"), ((0, 200), "left"), ((639, 90), "right"), ((9, 359), "bottom")]
)
def test_the_side_is_where_the_arm_comes_in(entry: tuple[float, float], side: str) -> None:
    assert side_of(entry, (640, 360)) == side


@pytest.mark.parametrize("seed", [1, 4])
def test_the_first_touch_of_a_rendered_hunt_is_named(seed: int) -> None:
    film = random_grabs(seed, 30.0, "tuning")
    watch = TouchWatch(film.still, film.places)
    height, width = film.still.shape[:2]
    told = [contact for frame in film.frames() for contact in watch.see(frame, film.lit(frame.time_s))]
    touching = [grab for grab in film.grabs if grab.place == film.target and grab.contact_s is not None]
    first = first_of([one for one in told if one.place == film.target])
    earliest = min(first.close or told, key=lambda one: one.time_s) if first.contact is None else first.contact
    assert side_of(earliest.entry_px, (width, height)) == touching[0].side
    assert earliest.time_s == pytest.approx(touching[0].contact_s, abs=0.04)
    assert 0.15 < earliest.confirmed_s - earliest.time_s < 0.4
