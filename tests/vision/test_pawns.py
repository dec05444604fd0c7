"""Pawns and tokens on a picture: what is as small as a pip is one, and a head is no second pawn."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from vision.pawns import find_round
from vision.peaks import Spot
from vision.pieces import middle
from vision.scene import DieDetection, Point, TileDetection

pytestmark = pytest.mark.needs("cv2")


@pytest.mark.parametrize(("width", "there"), [(12.0, False), (24.0, True)])
def test_what_is_as_small_as_a_pip_on_a_tile_or_a_die_is_no_token(width: float, there: bool) -> None:
    tile = TileDetection(((0, 0), (0, 50), (100, 50), (100, 0)), ((25, 25), (75, 25)), (1, 0), 0.9)
    die, frame = DieDetection((200.0, 25.0), 1, 0.9, edge_px=44.0), np.zeros((60, 240, 3), np.uint8)
    spots = [Spot("token", at, width, 0.0, (0.0, 0.0), 0.6) for at in ((25.0, 25.0), (200.0, 25.0))]
    assert len(find_round(frame, spots, [tile], [die])) == 2 * there
    assert len(find_round(frame, spots)) == 2


def test_the_head_of_a_pawn_that_is_seen_aslant_is_no_second_pawn() -> None:
    head, foot, neighbour = pawn((44.0, 36.0), 20.0, 0.7), pawn((50.0, 60.0), 30.0, 0.6), pawn((80.0, 60.0), 29.0, 0.8)
    frame = np.zeros((100, 120, 3), np.uint8)
    seen = find_round(frame, [head, neighbour, foot])
    assert [middle(one.piece) for one in seen] == [neighbour.center, foot.center]
    assert len(find_round(frame, [head, replace(foot, score=0.2)])) == 2  # a shadow may be around a pawn
    frame[:48] = (30, 40, 200)
    assert len(find_round(frame, [head, neighbour, foot])) == 3


def test_what_is_seen_around_a_pawn_is_no_second_one_and_does_not_take_its_place() -> None:
    surer, around = pawn((48.0, 58.0), 20.0, 0.75), pawn((45.0, 55.0), 31.0, 0.51)
    frame = np.zeros((100, 120, 3), np.uint8)
    assert [middle(one.piece) for one in find_round(frame, [surer, around])] == [surer.center]
    foot, head = replace(around, score=0.75), replace(surer, score=0.51)
    assert [middle(one.piece) for one in find_round(frame, [foot, head])] == [foot.center]


def pawn(center: Point, width: float, score: float) -> Spot:
    return Spot("pawn", center, width, 0.0, (0.0, 0.0), score)
