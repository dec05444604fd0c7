"""Hands on film: they lie over what changes under them, or carry it through the air; a film's parts last as told."""

from __future__ import annotations

from functools import cache

import cv2
import numpy as np
import pytest

from rules.board import Board, Cell, Placed
from rules.table import Table
from training.film import RATE, Shot, Taking, ends, film
from training.handling import Carry
from training.lens import looking_down
from training.samples import set_of
from training.stage import Stage
from vision.straighten import Image

pytestmark = pytest.mark.needs("cv2")

STAYS, TAKEN, LAID, TURNED = (
    Placed.on(Cell(row, col), Cell(row, col + 1), *pips)
    for row, col, pips in ((0, 0, (1, 2)), (1, 0, (3, 4)), (1, 2, (3, 4)), (1, 0, (4, 3)))
)
ALONE, FIRST, THEN = Table(Board((STAYS,))), Table(Board((STAYS, TAKEN))), Table(Board((STAYS, LAID)))
STILL = Taking(noise=0.0, drift=0.0, exposes=0.0, balances=0.0)
DIFFERENT = 20


@cache
def stage() -> Stage:
    return Stage(looking_down(480, 360, 40.0, tilt_deg=0, turn_deg=0), set_of(5), (2.0, 1.0), bare=(60.0, 90.0, 60.0))


def filmed(*shots: Shot) -> list[Image]:
    return [frame.image for frame in film(stage(), shots, 3, STILL)]


def differs(one: Image, other: Image) -> np.ndarray:
    return np.asarray(cv2.absdiff(one, other).max(axis=2) > DIFFERENT)


def places() -> tuple[np.ndarray, np.ndarray]:
    """Where the 3-4 lies at first, and then."""
    before, between, after = (stage().picture(table)[0] for table in (FIRST, ALONE, THEN))
    return differs(before, between), differs(between, after)


def test_a_hand_lies_over_what_changes_while_it_changes() -> None:
    before, *_, after = frames = filmed(Shot(FIRST, 0.1), Shot(THEN, 0.1))
    changed = differs(before, after)
    assert min(max(differs(one, still)[changed].mean() for one in frames) for still in (before, after)) > 0.5


@pytest.mark.parametrize("hesitates", [False, True])
def test_a_carried_domino_is_in_the_air_between_its_places(hesitates: bool) -> None:
    before, *frames, after = filmed(Shot(FIRST, 0.1), Shot(THEN, 0.1, carried=True, hesitates=hesitates))
    here, there = places()
    shows = [(not differs(one, before)[here].any(), not differs(one, after)[there].any()) for one in frames]
    assert shows[0] == (True, False)
    assert shows[-1] == (False, True)
    assert shows.count((False, False)) > RATE  # under the hand, or in the air: more than a second
    assert (True, True) not in shows


def test_what_is_turned_over_where_it_lies_is_not_carried() -> None:
    tables = FIRST, ALONE, Table(Board((STAYS, TURNED)))
    before, between, after = (stage().picture(table)[0] for table in tables)
    assert not Carry.possible(stage(), before, between, after)


@pytest.mark.parametrize("tables", [(FIRST, THEN), (FIRST, ALONE), (ALONE, FIRST)])
def test_a_film_lasts_as_long_as_its_shots_tell(tables: tuple[Table, Table]) -> None:
    for carried, hesitates in ((False, False), (True, False), (True, True)):
        shots = [Shot(tables[0], 0.2), Shot(tables[1], 0.3, carried=carried, hesitates=hesitates)]
        assert len(filmed(*shots)) / RATE == pytest.approx(ends(shots)[-1])


def test_a_camera_makes_up_for_a_shadow_by_and_by() -> None:
    shots = [Shot(FIRST, 0.1), Shot(FIRST, 1.5, hand=False, shadow=True)]
    plain, exposed = (
        [frame.image.mean() for frame in film(stage(), shots, 3, Taking(noise=0.0, drift=0.0, exposes=share))]
        for share in (0.0, 0.8)
    )
    assert exposed[0] == plain[0]
    assert min(plain) + 1 < min(exposed) < plain[0]
    assert max(exposed) > plain[0]  # the shadow leaves sooner than the camera notices
