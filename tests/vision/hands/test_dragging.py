"""A tile that is pulled away, seen in front of the fingers that pull it: on a rendered table with drawn hands."""

from __future__ import annotations

from functools import cache

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from rules.table import TableSide
from training.grabs import GrabFilm, random_grabs
from vision.hands.dragging import WAYS, Drag
from vision.hands.touches import usual_length
from vision.layout.seats import SIDES

pytestmark = pytest.mark.needs("cv2")

Image = NDArray[np.uint8]

SKIN = (120, 150, 200)
STEPS = (0.0, 0.1, 0.3, 0.6, 0.9, 1.2, 1.5)  # tiles' lengths that it was pulled so far, frame by frame


@cache
def film() -> GrabFilm:
    return random_grabs(8, 30.0, "tuning")


@cache
def bare() -> Image:
    """The table without the tile."""
    return film().shooting.hunted.without((film().target,))


def length() -> float:
    return usual_length(film().places)


def corners() -> NDArray[np.float64]:
    return np.array(film().places[film().target])


def drag() -> Drag:
    return Drag(film().still, corners(), length(), SIDES)


def under_a_hand(side: TableSide, tile_at: float, hand_at: float) -> Image:
    """The table with the tile so far from its place, and a hand that covers the half of it toward its player."""
    image, quad, way = film().still.copy(), corners(), np.array(WAYS[side], float)
    shift, mask = way * tile_at * length(), np.zeros(image.shape[:2], np.uint8)
    cv2.fillConvexPoly(mask, np.round(quad).astype(np.int32), (255,))
    if tile_at:
        image = bare().copy()
        move = np.array([[1, 0, shift[0]], [0, 1, shift[1]]])
        moved = [cv2.warpAffine(one, move, mask.shape[::-1]) for one in (film().still, mask)]
        image[moved[1] > 0] = moved[0][moved[1] > 0]
    tip = quad.mean(axis=0) + way * hand_at * length()
    wrist, across = tip + way * 4 * length(), np.array([-way[1], way[0]]) * 0.45 * length()
    hand = np.round([tip - across, tip + across, wrist + across, wrist - across]).astype(np.int32)
    cv2.fillConvexPoly(image, hand, SKIN)
    return image


def told(drag: Drag, frames: list[Image]) -> list[TableSide]:
    return [side for frame in frames if (side := drag.see(frame, SIDES)) is not None]


@pytest.mark.parametrize("side", SIDES)
def test_who_pulls_a_tile_away_takes_it(side: TableSide) -> None:
    assert told(drag(), [under_a_hand(side, at, at) for at in STEPS]) == [side]


@pytest.mark.parametrize("side", SIDES)
def test_a_hand_that_leaves_without_the_tile_takes_nothing(side: TableSide) -> None:
    assert told(drag(), [under_a_hand(side, 0.0, at) for at in STEPS]) == []


@pytest.mark.parametrize("side", SIDES)
def test_in_dim_and_warm_light_it_is_seen_as_well(side: TableSide) -> None:
    frames = [(under_a_hand(side, at, at) * np.array([0.4, 0.5, 0.7])).astype(np.uint8) for at in STEPS]
    assert told(drag(), frames) == [side]


def test_a_tile_that_was_hardly_pushed_was_not_taken() -> None:
    assert told(drag(), [under_a_hand("left", 0.1, at) for at in STEPS]) == []


def test_of_a_rendered_hunt_it_names_who_took_the_tile() -> None:
    seen = told(drag(), [frame.image for frame in film().frames()])
    [first, *_] = [grab for grab in film().grabs if grab.place == film().target]
    assert seen == [first.side]
