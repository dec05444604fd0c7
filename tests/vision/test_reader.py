"""The shipped networks on rendered tables: what was laid is what is read."""

from __future__ import annotations

from collections import Counter

import cv2
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from benchmarks.following import DARK, HARD
from benchmarks.frames import filmed
from benchmarks.live import whole_board
from benchmarks.pictures import label_of
from benchmarks.scoring import score
from rules.board import Board
from training.render import random_scene, staged
from training.samples import laid, set_of
from vision.reader import Reader
from vision.reconstruct import rebuild
from vision.straighten import Image

pytestmark = pytest.mark.needs("cv2")

READER = Reader()
SQUARE = """\
0|1 2|3

4 5|6 1
-     -
2 3|3 5
"""


def picture(turn_deg: float = 0.0, tilt_deg: float = 8.0, half_px: float = 60.0) -> Image:
    rng = np.random.default_rng(43)
    tiles = laid(Board.parse(SQUARE), np.random.default_rng(1))
    image, _ = staged(tiles, set_of(43), rng, 900, 700, tilt_deg=tilt_deg, turn_deg=turn_deg, half_px=half_px)
    return image


def numbers(image: Image) -> list[tuple[int, ...]]:
    """Every domino read, as pairs without a head."""
    return sorted(tuple(sorted(t.pips)) for t in READER.read(image).tiles if t.face_up)


LAID = sorted(tuple(sorted((p.head, p.tail))) for p in Board.parse(SQUARE).placed)


@settings(max_examples=8)
@given(turn=st.floats(0, 360), tilt=st.floats(0, 30), half_px=st.floats(35, 90))
def test_a_board_is_read_from_any_side(turn: float, tilt: float, half_px: float) -> None:
    assert numbers(picture(turn, tilt, half_px)) == LAID


@pytest.mark.parametrize("quarter", [cv2.ROTATE_90_CLOCKWISE, cv2.ROTATE_180, cv2.ROTATE_90_COUNTERCLOCKWISE])
def test_turning_the_photograph_turns_the_board_and_nothing_else(quarter: int) -> None:
    image = picture()
    turned = np.asarray(cv2.rotate(image, quarter), np.uint8)
    board, other = (rebuild(READER.read(i)).table.board for i in (image, turned))
    assert board in [other.rotated(k) for k in range(4)]
    assert str(board) == SQUARE.rstrip("\n")


@pytest.mark.parametrize("way_deg", range(0, 180, 30))
def test_a_board_is_read_in_the_shadows_of_a_blind(way_deg: int) -> None:
    """Hard edges run across every tile; half of the table has 0.4 of the light."""
    image, way = picture(), np.deg2rad(way_deg)
    y, x = np.mgrid[: image.shape[0], : image.shape[1]]
    slats = np.sin(2 * np.pi * (x * np.cos(way) + y * np.sin(way)) / 130) > 0
    assert numbers(np.where(slats[..., None], image, 0.4 * image).astype(np.uint8)) == LAID


def test_an_empty_table_has_no_dominoes() -> None:
    assert READER.read(np.full((480, 640, 3), 90, np.uint8)).tiles == ()


def test_a_tiny_picture_has_no_dominoes() -> None:
    assert READER.read(np.zeros((1, 1, 3), np.uint8)).tiles == ()


def test_tiles_too_small_to_read_are_said_to_be_and_never_sure() -> None:
    scene = READER.read(picture(half_px=11))
    assert all(t.doubtful for t in scene.tiles)
    assert not scene.tiles or "come nearer" in scene.advice[0]


def test_the_head_is_the_left_or_the_upper_half() -> None:
    for tile in READER.read(picture(turn_deg=33)).tiles:
        (ax, ay), (bx, by) = tile.centers_px
        assert bx > ax if abs(bx - ax) >= abs(by - ay) else by > ay


@pytest.mark.parametrize("seed", range(6))
def test_what_is_wrong_on_hard_scenes_is_doubted(seed: int) -> None:
    """Any set, light and clutter: the reader may fail there, but not in silence."""
    image, truth = random_scene(np.random.default_rng((424242, seed)))
    assert score(label_of("hard", truth), READER.read(image).tiles)["silent"] == 0


def test_in_a_packed_board_two_tiles_side_by_side_are_not_left_to_one_of_them() -> None:
    """Both ways to lay them had been looked at, and the way that was given up kept the second tile from being found."""
    number = 48
    rng = np.random.default_rng((77, number))
    board = laid(whole_board(), rng)
    picture, truth = staged(board, set_of(number), rng, half_px=44.0, turn_deg=float(rng.uniform(0, 360)))
    dim = (picture * rng.uniform(DARK, 1)).astype(np.uint8)
    read = READER.read(next(filmed(dim, HARD, rng))).tiles
    assert Counter(tuple(sorted(t.pips)) for t in read) == Counter(tuple(sorted(t.pips)) for t in truth.tiles)
