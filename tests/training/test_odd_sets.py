"""Sets outside of what training renders: as many pips as the numbers say, and tables that hold each domino once."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pytest

from rules.domino import Domino
from training.odd_faces import OddSet
from training.odd_sets import CROSS, DIAMOND, HEART, STAR, STROKE, TRIANGLE, odd_sets
from training.odd_tables import fresh_table, laid_out

pytestmark = pytest.mark.needs("cv2")

SETS = odd_sets()


@pytest.mark.parametrize("odd", SETS, ids=lambda odd: odd.name)
def test_every_half_has_as_many_pips_as_its_number_says(odd: OddSet) -> None:
    for number in range(odd.style.highest + 1):
        spots = odd.spots(number)
        assert len(set(spots)) == number
        reach = odd.style.spread * np.abs(np.array(spots)).max(initial=0.0)
        assert reach + odd.style.pip_radius < 0.55


def test_ten_sets_of_three_sizes_and_every_shape() -> None:
    assert len({odd.name for odd in SETS}) == 10
    assert {odd.style.highest for odd in SETS} == {6, 9, 12}
    assert {odd.outline for odd in SETS} == {STAR, HEART, TRIANGLE, CROSS, STROKE, DIAMOND, None}


def test_a_tail_is_the_head_turned_or_mirrored() -> None:
    for odd in SETS:
        at = odd.face(odd.style, 2, 2, np.random.default_rng(1)).pips_at
        head, tail = np.array(at[:2]) + [0.5, 0], np.array(at[2:]) - [0.5, 0]
        assert np.allclose(tail, head * ([-1, 1] if odd.mirrored else [-1, -1]))


def test_a_set_laid_out_shows_each_domino_once() -> None:
    odd, lost = SETS[0], Domino(4, 2)
    tiles = [t for _, truth in laid_out(odd, 3, missing=(lost,)) for t in truth.tiles]
    assert Counter(Domino.of(*t.pips) for t in tiles) == Counter(d for d in odd.dominoes if d != lost)


def test_a_fresh_table_has_no_domino_twice_and_is_the_same_for_each_seed() -> None:
    (one, truth), (two, again) = (fresh_table(SETS[1], 3, 1) for _ in range(2))
    assert (one == two).all()
    assert truth == again
    assert max(Counter(Domino.of(*t.pips) for t in truth.tiles).values()) == 1
