"""The same table seen otherwise: the label goes where the tiles go."""

from __future__ import annotations

from dataclasses import replace

import cv2
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from benchmarks.changes import DEGRADED, Change, changed, compressed, degraded, scaled, turned, worse
from benchmarks.pictures import Picture
from benchmarks.scoring import Label, LabelledTile
from vision.straighten import Image

pytestmark = pytest.mark.needs("cv2")

RED, BLUE = (0, 0, 255), (255, 0, 0)
A, B = (120.0, 90.0), (170.0, 110.0)
LABEL = Label(
    "table", (320, 200), (LabelledTile((2, 5), A, B),), backs=(A,), ignore=((100, 80, 190, 120),), tile_px=108
)


def table() -> Image:
    """A grey table with a red dot where the head is and a blue one at the tail."""
    image = np.full((200, 320, 3), 128, np.uint8)
    for (x, y), color in ((A, RED), (B, BLUE)):
        cv2.circle(image, (round(x), round(y)), 9, color, -1)
    return image


def shows(image: Image, at: tuple[float, float], color: tuple[int, int, int]) -> bool:
    return bool(np.abs(image[round(at[1]), round(at[0])].astype(int) - color).max() < 60)


@given(angle=st.floats(0, 360), factor=st.floats(0.4, 2.5))
def test_the_halves_stay_under_their_label(angle: float, factor: float) -> None:
    label, image = scaled(*turned(LABEL, table(), angle), factor)
    (tile,) = label.tiles
    assert label.size == (image.shape[1], image.shape[0])
    assert shows(image, tile.a, RED)
    assert shows(image, tile.b, BLUE)
    assert tile.length_px == pytest.approx(factor * LABEL.tiles[0].length_px)
    assert label.tile_px == pytest.approx(factor * LABEL.tile_px)
    assert label.backs[0] == pytest.approx(tile.a)
    (x0, y0, x1, y1) = label.ignore[0]
    assert x0 < tile.a[0] < x1
    assert y0 < tile.b[1] < y1


def test_a_quarter_turn_is_clockwise() -> None:
    label, image = turned(LABEL, table(), 90)
    assert image.shape[:2] == (320, 200)
    assert label.tiles[0].a == pytest.approx((200 - 1 - A[1], A[0]), abs=1)


@pytest.mark.parametrize("change", DEGRADED, ids=lambda change: change.name)
def test_a_worse_picture_keeps_its_label_and_is_the_same_each_time(change: Change) -> None:
    picture = Picture("table", lambda: (LABEL, table()))
    (label, image), (_, again) = changed(picture, change).take(), changed(picture, change).take()
    assert (image == again).all()
    assert label.tiles[0].pips == (2, 5)
    assert label.size == (image.shape[1], image.shape[0])


def test_each_way_of_worsening_has_its_turn() -> None:
    plain = (Picture(f"{k}", lambda: (LABEL, table())) for k in range(2 * len(DEGRADED)))
    names = [picture.name.partition(", ")[2] for picture in degraded(plain)]
    assert names == 2 * [change.name for change in DEGRADED]


def test_every_picture_is_made_worse_in_every_way() -> None:
    label, _ = zip(*(picture.take() for picture in worse([Picture("table", lambda: (LABEL, table()))])), strict=True)
    assert [one.groups[0] for one in label] == [change.name for change in DEGRADED[1:]]


def test_tiles_too_small_to_be_scored_are_ignored_from_then_on() -> None:
    small = LabelledTile((1, 1), (40.0, 40.0), (59.0, 40.0))
    label = replace(LABEL, tiles=(*LABEL.tiles, small), ignore=())
    shrunk, _ = next(c for c in DEGRADED if c.name == "small").make(label, table(), np.random.default_rng(1))
    assert [t.pips for t in shrunk.tiles] == [(2, 5)]
    assert len(shrunk.ignore) == 1


def test_more_compression_loses_more() -> None:
    lost = [float(np.abs(compressed(table(), quality).astype(int) - table()).mean()) for quality in (95, 50, 5)]
    assert lost == sorted(lost)
    assert lost[0] < lost[2]
