"""A domino that must or may lie there is found in its place, and only if it is one of those that are awaited."""

from __future__ import annotations

from pathlib import Path

import cv2
import numpy as np
import pytest

from vision.awaited import MAY, MOST, MUST, Awaited, found_there
from vision.picture import load
from vision.pips import PipReader
from vision.reader import Reader
from vision.scene import TileDetection
from vision.straighten import Image

pytestmark = pytest.mark.needs("cv2")

SAMPLES = Path(__file__).parents[2] / "sample_images"


@pytest.fixture(scope="module")
def picture() -> Image:
    """Dominoes on a table."""
    return load(str(SAMPLES / "all_fives.jpg"))


@pytest.fixture(scope="module")
def tiles(picture: Image) -> tuple[TileDetection, ...]:
    """Some that are read without a doubt."""
    return tuple(tile for tile in Reader().read(picture).tiles if tile.face_up and not tile.doubtful)[:MOST]


def awaited(tile: TileDetection, by: tuple[float, float] = (0, 0), raised: int = 0) -> Awaited:
    """A domino awaited so far beside a tile, with its numbers or others."""
    head, tail = tile.pips
    return Awaited(np.array(tile.corners_px) + by, (((head + raised) % 7, tail),))


@pytest.mark.parametrize("by", [(0, 0), (3, -3), (-3, 2)])
def test_each_is_found_in_its_place_though_that_is_told_but_nearly(
    picture: Image, tiles: tuple[TileDetection, ...], by: tuple[float, float]
) -> None:
    found = found_there(picture, [awaited(tile, by) for tile in tiles], PipReader())
    assert [sorted(tile.pips) for tile in found] == [sorted(tile.pips) for tile in tiles]


def test_another_domino_is_not_the_one_that_is_awaited(picture: Image, tiles: tuple[TileDetection, ...]) -> None:
    assert found_there(picture, [awaited(tile, raised=1) for tile in tiles], PipReader()) == []


def test_any_of_those_that_may_lie_in_a_place_is_found_there(picture: Image, tiles: tuple[TileDetection, ...]) -> None:
    played = [awaited(tile, raised=1).pips + awaited(tile).pips for tile in tiles]
    places = [Awaited(np.array(tile.corners_px), pips, MAY) for tile, pips in zip(tiles, played, strict=True)]
    assert [tile.pips for tile in found_there(picture, places, PipReader())] == [tile.pips for tile in tiles]


def test_a_back_is_found_where_one_is_awaited_and_no_front_is() -> None:
    picture = load(str(SAMPLES / "finder.jpg"))
    read = [tile for tile in Reader().read(picture).tiles if not tile.doubtful]
    backs, fronts = ([tile for tile in read if tile.face_up is up][:MOST] for up in (False, True))
    assert backs
    assert fronts
    places = [Awaited(np.array(tile.corners_px) + 2, ()) for tile in (*backs, *fronts)]
    assert [tile.face_up for tile in found_there(picture, places[:MOST], PipReader())] == [False] * len(backs)
    assert found_there(picture, places[len(backs) :], PipReader()) == []


def test_nor_is_the_bare_table(picture: Image, tiles: tuple[TileDetection, ...]) -> None:
    bare = np.full_like(picture, np.median(picture[:20], axis=(0, 1)).astype(np.uint8))
    assert found_there(bare, [awaited(tile) for tile in tiles], PipReader()) == []


@pytest.mark.parametrize("other", [0, 5])
def test_on_a_table_as_white_as_itself_nobody_guesses_on_which_side_of_its_pips_a_blank_lies(other: int) -> None:
    """Not even where only one of the two would be the awaited one: somebody may have laid another."""
    picture, side, x, y = np.full((480, 640, 3), 250, np.uint8), 60, 290, 210
    for pip in (-1, 0, 1):
        cv2.circle(picture, (x + 30 + 17 * pip, y + 30 + 17 * pip), 7, (20, 20, 20), cv2.FILLED, cv2.LINE_AA)

    def blank_on(left: int, pips: tuple[int, int]) -> Awaited:
        corners = [[left, y + side], [left, y], [left + 2 * side, y], [left + 2 * side, y + side]]
        return Awaited(np.array(corners, float), (pips,), MUST)

    left, right, rival = blank_on(x - side, (0, 3)), blank_on(x, (3, 0)), blank_on(x, (3, other))
    reader = PipReader()
    assert [[tile.pips for tile in found_there(picture, [one], reader)] for one in (left, right)] == [
        [(0, 3)],
        [(3, 0)],
    ]
    assert found_there(picture, [left, rival], reader) == []
