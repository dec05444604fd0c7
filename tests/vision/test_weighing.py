"""Which of what may be touches is told: pure counting over chances, frame by frame."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rules.table import TableSide
from vision.landing import LAG, LAGS, Landing
from vision.weighing import Touch, Weighing

pytestmark = pytest.mark.needs("cv2")

PAUSE_S = 1 / 30
CONTACT_S = 1.0


def landing(chance: float, ago: float) -> Landing:
    """A touch of this chance, so many frames ago."""
    lags = np.zeros(LAGS + 1, np.float32)
    at = ago / LAG - 0.5
    low = int(np.clip(np.floor(at), 0, LAGS - 2))
    lags[low], lags[low + 1] = chance * (1 - (at - low)), chance * (at - low)
    lags[LAGS] = 1 - chance
    return Landing.of(lags)


def told(
    chances: dict[TableSide, tuple[float, float]], frames: int = 14, sought: tuple[int, ...] = (3,)
) -> list[tuple[Touch, float]]:
    """What is told, and how long after CONTACT_S, of hands with a chance each and how much later they touched."""
    weighing, found = Weighing(), []
    for frame in range(frames):
        now_s = CONTACT_S + (frame + 0.5) * PAUSE_S
        seen: dict[TableSide, Landing] = {}
        for side, (chance, later_s) in chances.items():
            ago = (now_s - CONTACT_S - later_s) / PAUSE_S
            seen[side] = landing(chance if 0.25 < ago < LAGS * LAG - 0.25 else 0.0, max(0.25, min(ago, 7.7)))
        found += [(touch, now_s - CONTACT_S) for touch in weighing.see({3: seen}, now_s, PAUSE_S, sought)]
    return found


@given(ago=st.floats(0.3, 7.6), chance=st.floats(0.05, 1))
@settings(max_examples=50, deadline=None, derandomize=True)
def test_a_landing_says_when_it_was(ago: float, chance: float) -> None:
    seen = landing(chance, ago)
    assert seen.chance == pytest.approx(chance, abs=1e-4)
    assert seen.ago == pytest.approx(ago, abs=1e-3)
    assert seen.spread <= LAG / 2 + 1e-6


def test_a_sure_touch_is_told_once_and_early() -> None:
    [(touch, after_s)] = told({"left": (0.99, 0.0)})
    assert (touch.place, touch.side, touch.contested) == (3, "left", False)
    assert touch.time_s == pytest.approx(CONTACT_S, abs=0.002)
    assert after_s < 0.12


def test_a_likely_touch_is_told_once_it_can_be_no_feint_that_leaves_at_once() -> None:
    [(touch, after_s)] = told({"top": (0.9, 0.0)})
    assert not touch.contested
    assert not touch.faint
    assert 0.15 < after_s < 0.2


def test_a_touch_that_may_be_none_is_faint_where_nobody_reaches_for() -> None:
    assert not told({"top": (0.85, 0.0)})[0][0].faint
    assert told({"top": (0.85, 0.0)}, sought=())[0][0].faint


def test_a_touch_counts_by_the_frame_that_showed_it_best() -> None:
    weighing = Weighing()
    for frame, chance in enumerate((0.3, 0.6, 0.9, 0.8, 0.5, 0.3), 1):
        now_s = CONTACT_S + (frame + 0.5) * PAUSE_S
        for touch in weighing.see({3: {"left": landing(chance, frame + 0.5)}}, now_s, PAUSE_S, (3,)):
            assert not touch.faint
            assert touch.time_s == pytest.approx(CONTACT_S, abs=0.003)
            return
    pytest.fail("it was never told")


def test_what_is_hardly_a_touch_is_not_told() -> None:
    assert told({"top": (0.6, 0.0)}) == []


def test_a_later_hand_casts_no_doubt_on_the_first() -> None:
    found = [touch for touch, _ in told({"left": (0.99, 0.0), "top": (0.99, 0.09)})]
    assert [(touch.side, touch.contested) for touch in found] == [("left", False), ("top", False)]


def test_a_hand_that_may_have_been_first_and_was_never_seen_to_be_takes_the_name_away() -> None:
    found = [touch for touch, _ in told({"left": (0.4, 0.0), "top": (0.99, 0.06)})]
    assert [(touch.side, touch.contested) for touch in found] == [("top", True)]


def test_what_is_not_sure_yet_is_pending() -> None:
    weighing = Weighing()
    assert weighing.see({3: {"left": landing(0.9, 2.0)}}, CONTACT_S, PAUSE_S, (3,)) == ()
    assert [(touch.place, touch.side) for touch in weighing.pending] == [(3, "left")]


def test_the_same_hand_may_touch_again_later() -> None:
    weighing = Weighing()
    times = [CONTACT_S, CONTACT_S + 0.1, CONTACT_S + 0.8]
    found = [weighing.see({3: {"left": landing(0.99, 4.0)}}, now_s, PAUSE_S) for now_s in times]
    assert [len(touches) for touches in found] == [1, 0, 1]
