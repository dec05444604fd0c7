"""Looks at one tile that add up."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from vision.following.evidence import ALIKE, MOST, Evidence
from vision.pips import NUMBERS, Look
from vision.straighten import FRAME

pytestmark = pytest.mark.needs("cv2")

CORNERS = FRAME.astype(np.float64)


def sees(head: int, tail: int, chance: float) -> Look:
    """A look that gives these two numbers such a chance, and the others together what is left."""
    chances = np.full((2, NUMBERS), (1 - chance) / (NUMBERS - 1), np.float32)
    for row, number in zip(chances, (head, tail), strict=True):
        row[number] = chance
    return Look(0.9, 0.05, 0.05, CORNERS, chances, chances, np.zeros((0, 3), np.float32))


def after(looks: int, chance: float = 0.8) -> Evidence:
    evidence = Evidence.none()
    for _ in range(looks):
        evidence = evidence.plus(sees(5, 3, chance), CORNERS)
    return evidence


def test_one_look_says_what_it_saw() -> None:
    assert after(1).look().counted[0, 5] == pytest.approx(0.8, abs=0.01)


def test_many_looks_are_surer_than_one_but_never_than_as_many_scenes() -> None:
    sure = [float(after(n).look().counted[0, 5]) for n in (1, 2, 5, 20)]
    assert sure == sorted(sure)
    assert after(20).worth < 1 / ALIKE


@given(st.integers(1, 200))
def test_old_looks_fade_and_memory_is_bounded(looks: int) -> None:
    evidence = after(looks)
    assert evidence.looks <= MOST + 1e-6
    assert evidence.middle == pytest.approx(CORNERS)


def test_a_look_from_the_other_end_counts_the_same() -> None:
    evidence = after(3).plus(sees(3, 5, 0.8), CORNERS, turned=True)
    assert evidence.look().counted == pytest.approx(after(4).look().counted, abs=1e-6)


def test_looks_that_contradict_leave_doubt() -> None:
    evidence = after(4).plus(sees(6, 3, 0.8), CORNERS).plus(sees(6, 3, 0.8), CORNERS)
    both = evidence.look().counted[0]
    assert both[5] + both[6] > 0.95
    assert 0.02 < both[6] < 0.98


def test_looks_at_a_back_tell_little_more_than_one_look_does() -> None:
    """A hole between tiles looks like a back however often somebody looks."""

    def likelier(up: float, down: float) -> float:
        look, evidence = replace(sees(5, 3, 0.8), up=up, down=down, nothing=0.1), Evidence.none()
        for _ in range(20):
            evidence = evidence.plus(look, CORNERS)
        return evidence.tile_log_odds

    assert 0 < likelier(0.0, 0.9) < 0.1 * likelier(0.9, 0.0)
