"""A whole new read forgets nothing of the tiles that lie as they lay."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from tests.vision.laying import Eye, Laid, detection
from vision.blanks import MAY_BE_BLANK
from vision.following.evidence import Evidence
from vision.following.resighting import instead, moved, pushed, resighted, without_backs
from vision.following.sighting import Sighting
from vision.pips import NUMBERS, Look
from vision.scene import TileDetection

pytestmark = pytest.mark.needs("cv2")

EYE = Eye()
NOWHERE = np.zeros(2)
PLACES = [(-3.0, 0.0), (0.0, 0.0), (3.0, 0.0), (0.0, 3.0)]


def tile(x: float, y: float, pips: tuple[int, int], face_up: bool = True) -> TileDetection:
    return detection(Laid(x, y, 0.0, pips, face_up=face_up), EYE, 0.0, np.random.default_rng(0))


def known(one: TileDetection, looks: int = 5) -> Sighting:
    """A tile that was looked at so often."""
    chances = np.full((2, NUMBERS), 1 / NUMBERS, np.float32)
    corners = np.array(one.corners_px)
    look, evidence = Look(0.9, 0.05, 0.05, corners, chances, chances, np.zeros((0, 3), np.float32)), Evidence.none()
    for _ in range(looks):
        evidence = evidence.plus(look, corners)
    return Sighting(one, 0.9, evidence, 3)


def new(one: TileDetection) -> Sighting:
    return Sighting(one, 0.9, Evidence.none(), 9)


TILES = [tile(x, y, pips) for (x, y), pips in zip(PLACES, [(1, 2), (6, 6), (0, 5), (3, 4)], strict=True)]


def test_earlier_looks_still_count_where_a_tile_lies_as_it_lay() -> None:
    found, missing = resighted([known(one) for one in TILES], [new(one) for one in TILES], NOWHERE)
    assert not missing
    assert [(one.evidence.looks, one.seen) for one in found] == [(5, 9)] * 4


@pytest.mark.parametrize("face_up", [True, False])
def test_a_nudged_table_keeps_them_too_where_the_tiles_went(face_up: bool) -> None:
    before = [replace(one, face_up=face_up) for one in TILES]
    after = [moved(new(one), np.array([14.0, -9.0])) for one in before]
    push = pushed(before, [one.tile for one in after])
    assert push == pytest.approx([14, -9])
    found, missing = resighted([known(one) for one in before], after, push)
    assert not missing
    for one, there in zip(found, after, strict=True):
        assert one.evidence.looks == 5
        assert one.corners == pytest.approx(there.corners)
        assert one.evidence.middle == pytest.approx(there.corners)


def test_another_reading_begins_anew() -> None:
    other = replace(TILES[1], pips=(6, 5))
    found, missing = resighted([known(TILES[1])], [new(other)], NOWHERE)
    assert (found[0].tile.pips, found[0].evidence.looks) == ((6, 5), 0)
    assert not missing


def test_a_tile_that_was_not_seen_is_looked_for_where_it_must_lie_now() -> None:
    push = np.array([20.0, 10.0])
    seen = [moved(new(one), push) for one in TILES[:3]]
    _, (missing,) = resighted([known(one) for one in TILES], seen, push)
    assert missing.tile.pips == (3, 4)
    assert missing.corners == pytest.approx(np.array(TILES[3].corners_px) + push)


@pytest.mark.parametrize(("doubtful", "winner"), [(True, (6, 6)), (False, (2, 2))])
def test_a_doubtful_tile_across_its_place_gives_way_and_a_sure_one_does_not(
    doubtful: bool, winner: tuple[int, int]
) -> None:
    across = replace(tile(0.4, 0.2, (2, 2)), doubtful=doubtful)
    found, missing = resighted([known(TILES[1])], [new(across)], NOWHERE)
    assert [one.tile.pips for one in instead(found, missing)] == [winner]


def test_a_tile_keeps_its_number_under_a_piece_though_a_new_read_makes_one_up_for_it() -> None:
    misread = replace(TILES[1], pips=(6, 4))
    found, missing = resighted([known(TILES[1])], [replace(new(misread), bare=False)], NOWHERE)
    assert not missing
    assert found[0].tile.pips == (6, 6)
    assert found[0].bare
    found, _ = resighted([known(TILES[1])], [new(misread)], NOWHERE)
    assert found[0].tile.pips == (6, 4)


def test_where_none_lies_face_down_a_back_is_only_that_of_a_tile_that_was_turned_over() -> None:
    turned, elsewhere = replace(TILES[1], face_up=False), tile(0.0, -3.0, (0, 0), face_up=False)
    assert without_backs([TILES[0], turned, elsewhere], [known(one) for one in TILES]) == [TILES[0], turned]


def test_where_none_lies_face_down_what_may_be_the_double_blank_is_no_back() -> None:
    blank = replace(tile(0.0, -3.0, (0, 0), face_up=False), why=MAY_BE_BLANK)
    assert without_backs([TILES[0], blank], [known(TILES[0])]) == [TILES[0], blank]
