"""A strip of LEDs beside the tiles: its lights change nothing on the table and are no hand, where they are told."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache

import numpy as np
import pytest

from rules.board import Board
from rules.table import Table
from training.course import stage_of
from training.film import Shot, film
from training.truth import Truth
from vision.motion import Backdrop, Polygon
from vision.steady import Steady
from vision.straighten import Image

pytestmark = pytest.mark.needs("cv2")

BEFORE = Table(Board.parse("1|3 2|2\n\n4|6"))
AFTER = Table(Board.parse("1|3 2|2\n\n4|6 0|5"))
SIZE, CLOTH = (480, 270), (90.0, 120.0, 70.0)
LEDS, WIDE_PX, REACH_PX = 8, 3.0, 11.0
COLORS = np.array([(220.0, 40.0, 10.0), (20.0, 30.0, 230.0), (30.0, 200.0, 30.0)])


@dataclass(frozen=True)
class Strip:
    """LEDs in a row beside the tiles, which light up in colors that change from frame to frame; on: in which frames."""

    places_px: tuple[tuple[float, float], ...]
    on: range

    def shining(self, number: int) -> tuple[int, ...]:
        """Which shine in a frame: all that are on, every third one of them dark in turn, as a chase does."""
        return tuple(k for k in range(LEDS) if number in self.on and (number + k) % 3)

    def over(self, image: Image, number: int) -> Image:
        """The frame with its soft glows."""
        y, x = np.mgrid[0 : SIZE[1], 0 : SIZE[0]]
        light = image.astype(np.float64)
        for k in self.shining(number):
            far = np.hypot(x - self.places_px[k][0], y - self.places_px[k][1]) / WIDE_PX
            light += np.exp(-(far**2) / 2)[..., None] * COLORS[(number // 5 + k) % 3]
        return np.clip(light, 0, 255).astype(np.uint8)

    def lit(self, number: int) -> tuple[Polygon, ...]:
        """Where they shine."""
        around = np.linspace(0, 2 * np.pi, 12, endpoint=False)
        return tuple(
            tuple(
                (self.places_px[k][0] + REACH_PX * float(np.cos(a)), self.places_px[k][1] + REACH_PX * float(np.sin(a)))
                for a in around
            )
            for k in self.shining(number)
        )


@cache
def pictures(laying: bool) -> tuple[tuple[Image, ...], Truth]:
    """The frames of a still table, or of a hand that lays a tile there, and what lies there."""
    stage = stage_of([AFTER], 3, SIZE, CLOTH)
    shots = [Shot(BEFORE, hold_s=0.5), Shot(AFTER, hold_s=0.7)] if laying else [Shot(AFTER, hold_s=1.0)]
    return tuple(frame.image for frame in film(stage, shots, 5)), stage.picture(AFTER)[1]


def strip(on: range) -> Strip:
    """A strip along the upper edge of the upper tiles, so near that its glow falls on them."""
    corners = np.concatenate([tile.corners_px for tile in pictures(laying=False)[1].tiles])
    x = np.linspace(corners[:, 0].min(), corners[:, 0].max(), LEDS)
    return Strip(tuple((float(at), float(corners[:, 1].min()) - 6.0) for at in x), on)


def filmed(leds: Strip, laying: bool = False) -> Iterator[tuple[int, Image]]:
    for number, image in enumerate(pictures(laying)[0]):
        yield number, leds.over(image, number)


def numbers(steady: Steady, image: Image, number: int, lit: tuple[Polygon, ...]) -> list[tuple[int, ...]]:
    return sorted(tuple(sorted(t.pips)) for t in steady.see(image, number / 30, lit).tiles)


def test_leds_that_light_up_and_go_out_are_no_change() -> None:
    leds, backdrop, blind = strip(range(8, 20)), Backdrop(), Backdrop()
    noticed = False
    for number, image in filmed(leds):
        movement = backdrop.see(image, leds.lit(number))
        assert not movement.changed.any()
        assert not movement.moving.any()
        noticed |= bool(blind.see(image).changed.any())
    assert noticed


def test_leds_that_shone_from_the_first_frame_on_and_go_out_are_no_change() -> None:
    leds, backdrop = strip(range(10)), Backdrop()
    for number, image in filmed(leds):
        assert not backdrop.see(image, leds.lit(number)).changed.any()


def test_no_tile_is_lost_or_covered_beside_leds() -> None:
    leds, steady = strip(range(8, 24)), Steady()
    for number, image in filmed(leds):
        assert numbers(steady, image, number, leds.lit(number)) == [(0, 5), (1, 3), (2, 2), (4, 6)]
        assert steady.covered == ()
        assert not steady.moving.any()


def test_a_hand_that_lays_a_tile_while_leds_blink_is_seen_and_the_tile_found() -> None:
    leds, steady = strip(range(200)), Steady()
    moving, found = False, list[tuple[int, ...]]()
    for number, image in filmed(leds, laying=True):
        found = numbers(steady, image, number, leds.lit(number))
        assert {(1, 3), (2, 2), (4, 6)} <= set(found)
        moving |= bool(steady.moving.any())
    assert moving
    assert found == [(0, 5), (1, 3), (2, 2), (4, 6)]
