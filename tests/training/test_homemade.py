"""Sets as people make them: as many pips as the number says, apart from one another, on their own half."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest

from training.homemade import APART, homemade
from training.odd_faces import OddSet
from training.odd_sets import odd_sets
from training.render import HOMEMADE, random_scene
from training.sets import random_style

pytestmark = pytest.mark.needs("cv2")


def made(seed: int) -> OddSet:
    rng = np.random.default_rng(seed)
    return homemade(random_style(rng, lambda _: None), rng)


SETS = [made(seed) for seed in range(30)]


def test_every_half_has_as_many_pips_as_its_number_says() -> None:
    for one in SETS:
        for number in range(one.style.highest + 1):
            assert len(set(one.spots(number))) == number
            assert len(one.face(one.style, number, 0, np.random.default_rng(1)).pips_at) == number


def test_pips_elsewhere_lie_on_their_half_and_do_not_touch() -> None:
    for one in (one for one in SETS if one.layouts):
        for number in range(2, one.style.highest + 1):
            spots = np.array(one.spots(number)) * one.style.spread
            assert abs(spots).max() + one.style.pip_radius < 0.5
            assert min(np.hypot(*(a - b)) for a, b in combinations(spots, 2)) > 2 * one.style.pip_radius


def test_pips_of_another_colour_can_be_told_from_their_tile() -> None:
    for seed, one in enumerate(SETS):
        maker = random_style(np.random.default_rng(seed), lambda _: None)
        if one.style.pip_colors != maker.pip_colors:
            assert np.linalg.norm(np.subtract(one.style.pip_colors[1], one.style.base)) >= APART


def test_some_have_their_own_pips_some_their_own_layouts_and_some_both() -> None:
    kinds = {(one.outline is not None, bool(one.layouts)) for one in SETS}
    assert kinds == {(True, False), (False, True), (True, True)}


def test_none_has_an_outline_by_which_teaching_is_measured() -> None:
    strange = {odd.outline for odd in odd_sets()} - {None}
    assert not strange & {one.outline for one in SETS}


def test_a_scene_may_be_asked_to_hold_one() -> None:
    one, truth = random_scene(np.random.default_rng((5, 2)), 320, holding=HOMEMADE)
    two, again = random_scene(np.random.default_rng((5, 2)), 320, holding=HOMEMADE)
    assert (one == two).all()
    assert truth == again
    assert truth.tiles
    assert all(len(t.pips_px) == sum(t.pips) for t in truth.tiles if t.face_up)
