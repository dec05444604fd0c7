"""Which changed parts of a table tell of which tiles."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from numpy.typing import NDArray

from vision.following.claims import Claims, accounts
from vision.motion import Movement

pytestmark = pytest.mark.needs("cv2")

STILL, LINGERING = 1000, 48  # frames


def part(top: int, left: int, side: int = 6) -> NDArray[np.bool_]:
    mask = np.zeros((30, 40), np.bool_)
    mask[top : top + side, left : left + side] = True
    return mask


def claims(changed: NDArray[np.bool_], *, unlike: bool, since: int = STILL) -> Claims:
    """A table with one tile, of which a part changed so many frames ago."""
    nothing = np.zeros_like(changed)
    calm = np.where(changed, since, STILL).astype(np.int32)
    return Claims(Movement(changed, calm), np.array([unlike]), [part(10, 10)], nothing, nothing, LINGERING)


@pytest.mark.parametrize(("top", "unlike", "told"), [(12, True, True), (12, False, False), (20, True, False)])
def test_a_part_disturbs_the_tiles_that_look_otherwise_in_it(top: int, unlike: bool, told: bool) -> None:
    one = claims(part(top, 12), unlike=unlike)
    (region,) = one.regions
    assert one.disturbs(region) is told


@pytest.mark.parametrize(("top", "since", "told"), [(12, STILL, False), (12, 1, True), (20, 1, False)])
def test_a_look_at_a_tile_waits_while_something_just_changed_upon_it(top: int, since: int, told: bool) -> None:
    assert claims(part(top, 12), unlike=False, since=since).changing(0) is told


@pytest.mark.parametrize(
    ("top", "left", "pieces", "told"), [(12, 12, [], 0), (20, 20, [], 36), (20, 20, [(20, 20)], 0), (20, 34, [], 0)]
)
def test_what_changed_is_strange_that_no_tile_no_piece_and_no_arm_accounts_for(
    top: int, left: int, pieces: list[tuple[int, int]], told: int
) -> None:
    one = claims(part(top, left), unlike=False)
    (region,) = one.regions
    assert one.strange(region, [part(*piece) for piece in pieces]).sum() == told


@pytest.mark.parametrize(("standing", "told"), [([], True), ([part(14, 16, 12)], False)])
def test_a_piece_that_came_to_stand_beside_a_tile_does_not_lie_over_it(
    standing: list[NDArray[np.bool_]], told: bool
) -> None:
    one = replace(claims(part(14, 14, 14), unlike=True), standing=standing)
    assert one.covered(0) is told


@pytest.mark.parametrize(("at", "told"), [((20, 20), True), ((18, 22), True), ((10, 20), False)])
def test_a_tile_accounts_for_what_changed_on_it_and_beside_it(at: tuple[int, int], told: bool) -> None:
    assert accounts(part(*at), part(20, 20)) is told


@pytest.mark.parametrize(("top", "bottom", "told"), [(15, 30, True), (21, 30, False), (14, 29, False)])
def test_an_arm_lies_over_tiles_near_the_border_that_seem_to_account_for_most_of_it(
    top: int, bottom: int, told: bool
) -> None:
    """A tile that is taken from there changes its place and what is around it; what lies inside may be tiles pushed."""
    changed = np.zeros((30, 40), np.bool_)
    changed[top:bottom, 23:27] = True
    nothing, calm = np.zeros_like(changed), np.full(changed.shape, STILL, np.int32)
    one = Claims(Movement(changed, calm), np.array([True]), [part(22, 22)], nothing, nothing, LINGERING)
    (region,) = one.regions
    assert one.foreign(region) is told
