"""What may be touches, weighed: pure counting over the chances that two kinds of eyes give, frame by frame."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rules.table import TableSide
from vision.hands.landing import LAG, LAGS, Landing
from vision.hands.touches import Contact
from vision.hands.weighing import (
    ALONE,
    ASIDE,
    BELIEVED,
    HEARD_S,
    LANDING_WEIGHT,
    OFFSET,
    TAKEN,
    UPON_WEIGHT,
    Key,
    Touch,
    Weighing,
)
from vision.odds import log_odds

pytestmark = pytest.mark.needs("cv2")

PAUSE_S = 1 / 30
CONTACT_S = 1.0
PLACE = 3


def landing(chance: float, ago: float, upon: float | None = None) -> Landing:
    """A touch of this chance, so many frames ago, whose hand is as likely still on the tile, or so likely."""
    lags = np.zeros(LAGS + 1, np.float32)
    at = ago / LAG - 0.5
    low = int(np.clip(np.floor(at), 0, LAGS - 2))
    lags[low], lags[low + 1] = chance * (1 - (at - low)), chance * (at - low)
    lags[LAGS] = 1 - chance
    return Landing.of(lags, chance if upon is None else upon)


def rest(time_s: float, chance: float = 1.0, halted_s: float | None = None) -> Contact:
    """A finger that the slow eyes saw at rest; halted_s: when its hand first came to a halt there."""
    seen_s = time_s + 0.28
    return Contact(5, (0.0, 300.0), PLACE, time_s, 0.012, (640, 360), seen_s, chance, halted_s=halted_s)


def told(
    chances: Mapping[TableSide, tuple[float, float]],
    rests: Mapping[Key, tuple[float, Contact]] | None = None,
    sought: tuple[int, ...] = (PLACE,),
) -> list[tuple[Touch, float]]:
    """What is told, and how long after CONTACT_S.

    chances: of hands, with how much later than CONTACT_S each touched. rests: what the slow eyes tell, and when.
    """
    weighing, found = Weighing(), []
    for frame in range(16):
        now_s = CONTACT_S + (frame + 0.5) * PAUSE_S
        seen: dict[TableSide, Landing] = {}
        for side, (chance, later_s) in chances.items():
            ago = (now_s - CONTACT_S - later_s) / PAUSE_S
            lately = 0.25 < ago < LAGS * LAG - 0.25
            seen[side] = landing(chance if lately else 0.0, max(0.25, min(ago, 7.7)), chance if ago > 0.25 else 0.0)
        heard = {key: one for key, (at_s, one) in (rests or {}).items() if 0 <= now_s - at_s < PAUSE_S}
        found += [(touch, now_s - CONTACT_S) for touch in weighing.see({PLACE: seen}, heard, now_s, PAUSE_S, sought)]
    return found


@given(ago=st.floats(0.3, 7.6), chance=st.floats(0.05, 1))
@settings(max_examples=50, deadline=None, derandomize=True)
def test_a_landing_says_when_it_was(ago: float, chance: float) -> None:
    seen = landing(chance, ago)
    assert seen.chance == pytest.approx(chance, abs=1e-4)
    assert seen.ago == pytest.approx(ago, abs=1e-3)
    assert seen.spread <= LAG / 2 + 1e-6


def test_a_sure_touch_is_told_once_and_early() -> None:
    [(touch, after_s)] = told({"left": (0.999, 0.0)})
    assert (touch.place, touch.side) == (PLACE, "left")
    assert touch.chance > 0.95
    assert touch.time_s == pytest.approx(CONTACT_S, abs=0.002)
    assert after_s < 0.12


def test_a_likely_touch_is_told_once_the_network_can_learn_no_more() -> None:
    [(touch, after_s)] = told({"top": (0.9, 0.0)})
    assert 0.6 < touch.chance < 0.95
    assert 0.2 < after_s < 0.24


def test_what_is_hardly_a_touch_is_a_rumour_once_the_slow_eyes_could_have_spoken() -> None:
    [(touch, after_s)] = told({"top": (0.4, 0.0)})
    assert touch.chance < 0.5
    assert HEARD_S < after_s < HEARD_S + 2 * PAUSE_S
    assert told({"top": (0.04, 0.0)}) == []


def test_a_finger_that_rests_makes_a_touch_likelier() -> None:
    [(alone, _)] = told({"left": (0.58, 0.0)})
    [(both, _)] = told({"left": (0.58, 0.0)}, {(PLACE, "left"): (CONTACT_S + 0.27, rest(CONTACT_S + 0.03))})
    assert alone.chance < 0.5 < both.chance
    assert both.rest is not None


@pytest.mark.parametrize(("chance", "seen_s"), [(0.4, CONTACT_S), (0.1, CONTACT_S + 0.02)])
def test_fingers_that_grasp_rest_late_and_have_touched_when_the_hand_came_to_a_halt(
    chance: float, seen_s: float
) -> None:
    late = rest(CONTACT_S + 0.3, halted_s=CONTACT_S + 0.02)
    *_, (touch, _) = told({"left": (chance, 0.0)}, {(PLACE, "left"): (CONTACT_S + 0.45, late)}, sought=())
    assert touch.chance == pytest.approx(BELIEVED)
    assert touch.time_s == pytest.approx(seen_s, abs=0.005)


def test_what_rests_on_longer_is_the_touch_that_was_told_and_no_rumour_since() -> None:
    weighing, found = Weighing(), list[Touch]()
    for frame in range(36):
        now_s = CONTACT_S + (frame + 0.5) * PAUSE_S
        ago = (now_s - CONTACT_S - 0.2) / PAUSE_S
        rumour: dict[TableSide, Landing] = {
            "left": landing(0.3 if 0.3 < ago < 7.6 else 0.0, min(max(ago, 0.3), 7.6), upon=0.1)
        }
        heard = {8: rest(CONTACT_S), 30: rest(CONTACT_S + 0.7, halted_s=CONTACT_S + 0.1)}
        rested: dict[Key, Contact] = {(PLACE, "left"): heard[frame]} if frame in heard else {}
        found += weighing.see({PLACE: rumour}, rested, now_s, PAUSE_S)
    assert [one.chance > 0.5 for one in found] == [True]


def test_a_touch_that_only_the_slow_eyes_saw_is_hardly_likely_where_all_reach() -> None:
    [(touch, _)] = told({}, {(PLACE, "left"): (CONTACT_S + 0.27, rest(CONTACT_S))})
    assert touch.chance == pytest.approx(ALONE)
    assert touch.time_s == CONTACT_S


def test_where_nobody_hunts_the_slow_eyes_alone_are_believed() -> None:
    slow: dict[Key, tuple[float, Contact]] = {(PLACE, "left"): (CONTACT_S + 0.27, rest(CONTACT_S))}
    [(touch, _)] = told({}, slow, sought=())
    assert touch.chance == pytest.approx(BELIEVED)
    assert told({}, slow, sought=(9,)) == []


def test_one_of_two_who_may_have_taken_a_tile_is_as_likely_as_the_other() -> None:
    slow: dict[Key, tuple[float, Contact]] = {(PLACE, "left"): (CONTACT_S + 0.27, rest(CONTACT_S, 0.5))}
    assert told({}, slow) == []
    halves = [
        told({}, {key: (at_s, replace(one, chance=chance)) for key, (at_s, one) in slow.items()}, sought=())
        for chance in (1.0, 0.5)
    ]
    assert [len(found) for found in halves] == [1, 0]


def test_a_touch_is_told_anew_as_more_is_seen_of_it() -> None:
    """A hand that comes near is likely to have touched; that it then leaves, or stays, tells more."""
    for stays, rises in ((0.999, True), (0.001, False)):
        weighing, found = Weighing(), list[Touch]()
        for frame in range(1, 18):
            seen = landing(0.75 if frame < 8 else 0.0, min(frame, 7.7), 0.75 if frame < 8 else stays)
            found += weighing.see({PLACE: {"left": seen}}, {}, CONTACT_S + frame * PAUSE_S, PAUSE_S, (PLACE,))
        first, *_, last = found
        assert {touch.number for touch in found} == {first.number}
        assert 0.6 < first.chance < 0.95
        assert last.chance > 0.97 if rises else last.chance < 0.5


def test_a_tile_beside_the_hunt_is_touched_only_if_that_is_all_but_sure() -> None:
    needed = (log_odds(ASIDE) - OFFSET) / (LANDING_WEIGHT + UPON_WEIGHT)
    just_below, just_above = (float(1 / (1 + np.exp(-(needed + by)))) for by in (-0.1, 0.1))
    assert told({"top": (just_below, 0.0)}, sought=(9,)) == []
    [(touch, _)] = told({"top": (just_above, 0.0)}, sought=(9,))
    assert touch.chance > ASIDE


def test_hands_from_two_sides_are_weighed_apart() -> None:
    found = [touch for touch, _ in told({"left": (0.999, 0.0), "top": (0.999, 0.09)})]
    assert [touch.side for touch in found] == ["left", "top"]
    assert found[1].time_s - found[0].time_s == pytest.approx(0.09, abs=0.01)


def test_the_moment_is_that_of_the_frame_that_showed_it_best_and_the_chance_that_of_the_last_ones() -> None:
    weighing = Weighing()
    for frame, chance in enumerate((0.3, 0.6, 0.95, 0.8, 0.8, 0.8, 0.8), 1):
        now_s = CONTACT_S + (frame + 0.5) * PAUSE_S
        for touch in weighing.see({PLACE: {"left": landing(chance, frame + 0.5)}}, {}, now_s, PAUSE_S, (PLACE,)):
            assert touch.time_s == pytest.approx(CONTACT_S, abs=0.003)
            assert touch.evidence[0] == pytest.approx(np.log(0.85 / 0.15), abs=0.01)
            return
    pytest.fail("it was never told")


def test_what_is_not_settled_yet_is_pending_and_known() -> None:
    weighing = Weighing()
    assert weighing.see({PLACE: {"left": landing(0.9, 2.0)}}, {}, CONTACT_S, PAUSE_S, (PLACE,)) == ()
    assert [(touch.place, touch.side) for touch in weighing.pending] == [(PLACE, "left")]
    assert weighing.knows((PLACE, "left"), CONTACT_S)
    assert not weighing.knows((PLACE, "top"), CONTACT_S)


def test_the_same_hand_may_touch_again_later() -> None:
    weighing = Weighing()
    times = [CONTACT_S, CONTACT_S + 0.1, CONTACT_S + 0.8]
    found = [weighing.see({PLACE: {"left": landing(0.999, 4.0)}}, {}, now_s, PAUSE_S, (PLACE,)) for now_s in times]
    assert [len(touches) for touches in found] == [1, 0, 1]


def test_a_touch_that_was_hardly_seen_is_likely_once_the_hand_stays_on_the_tile() -> None:
    weighing, found = Weighing(), list[Touch]()
    for frame in range(1, 20):
        seen = landing(0.02 if frame < 8 else 0.0, min(frame, 7.7), 0.3 if frame < 12 else 0.999)
        now_s = CONTACT_S + frame * PAUSE_S
        found += weighing.see({PLACE: {"left": seen, "top": landing(0.0, 1.0)}}, {}, now_s, PAUSE_S, (PLACE,))
    assert [(touch.side, touch.chance > 0.5) for touch in found][-1:] == [("left", True)]
    assert found[-1].time_s == pytest.approx(CONTACT_S, abs=0.02)


@pytest.mark.parametrize(("leaves_s", "touched"), [(0.2, False), (0.4, True)])
def test_a_hand_that_leaves_soon_only_feinted_and_one_that_leaves_later_had_touched(
    leaves_s: float, *, touched: bool
) -> None:
    weighing, found = Weighing(), list[Touch]()
    for frame in range(1, 18):
        upon = 0.9 if frame * PAUSE_S < leaves_s else 0.001
        seen = landing(0.75 if frame < 8 else 0.0, min(frame, 7.7), upon)
        found += weighing.see({PLACE: {"left": seen}}, {}, CONTACT_S + frame * PAUSE_S, PAUSE_S, (PLACE,))
    assert bool(found and found[-1].chance > 0.5) == touched


def test_who_takes_the_tile_touched_it_however_little_was_seen_of_that() -> None:
    weighing = Weighing()
    assert weighing.see({PLACE: {"left": landing(0.2, 2.0)}}, {}, CONTACT_S, PAUSE_S, (PLACE,)) == ()
    assert weighing.suspected(PLACE) == ("left",)
    weighing.takes((PLACE, "left"))
    [touch] = weighing.see({}, {}, CONTACT_S + 0.3, PAUSE_S, (PLACE,))
    assert (touch.side, touch.chance, touch.taken) == ("left", TAKEN, True)
    assert touch.time_s == pytest.approx(CONTACT_S - 2 * PAUSE_S)


def test_a_rumour_is_told_anew_once_its_hand_takes_the_tile() -> None:
    weighing = Weighing()
    weighing.see({PLACE: {"left": landing(0.4, 2.0)}}, {}, CONTACT_S, PAUSE_S, (PLACE,))
    [rumour] = weighing.see({}, {}, CONTACT_S + 0.4, PAUSE_S, (PLACE,))
    weighing.takes((PLACE, "left"))
    [touch] = weighing.see({}, {}, CONTACT_S + 0.45, PAUSE_S, (PLACE,))
    assert (rumour.taken, touch.taken) == (False, True)
    assert rumour.time_s == touch.time_s


def test_who_was_never_seen_near_it_takes_nothing() -> None:
    weighing = Weighing()
    weighing.takes((PLACE, "top"))
    assert weighing.see({}, {}, CONTACT_S, PAUSE_S, (PLACE,)) == ()
