"""Fingers that come to rest: on paths without pictures."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from vision.hands.approach import Position, Rest, rest_of

pytestmark = pytest.mark.needs("cv2")

TILE = 60.0
RATES = st.sampled_from([30.0, 60.0])


def path(rate: float, contact_s: float, speed: float, until_s: float, noise: float = 0.3) -> list[Position]:
    """A finger that comes at a speed in tiles a second and stops dead on a place."""
    rng = np.random.default_rng(int(1e6 * contact_s))
    times = np.arange(0.0, until_s, 1 / rate)
    places = np.minimum(0.0, (times - contact_s) * speed * TILE)
    return [
        Position(float(t), (float(x), float(y)))
        for t, x, y in zip(times, places, rng.normal(0, noise, len(times)), strict=True)
    ]


def rest_at(positions: list[Position]) -> Rest:
    rest = rest_of(positions, TILE)
    assert rest is not None
    return rest


@given(rate=RATES, contact_s=st.floats(0.4, 0.6), speed=st.floats(6, 40))
@settings(max_examples=40, deadline=None, derandomize=True)
def test_a_strike_is_timed_between_frames(rate: float, contact_s: float, speed: float) -> None:
    rest = rest_at(path(rate, contact_s, speed, 0.8))
    assert abs(rest.since_s - contact_s) < 0.6 / rate
    assert rest.shown_s >= contact_s
    assert 0 < rest.sigma_s < 1 / rate


@given(rate=RATES, speed=st.floats(6, 40))
@settings(max_examples=20, deadline=None, derandomize=True)
def test_a_sweep_over_tiles_never_rests(rate: float, speed: float) -> None:
    positions = path(rate, 9.0, speed, 0.8)
    assert all(rest_of(positions[:k], TILE) is None for k in range(1, len(positions)))


@given(rate=RATES, waits_s=st.floats(0.1, 0.2))
@settings(max_examples=20, deadline=None, derandomize=True)
def test_after_a_feint_only_the_strike_counts(rate: float, waits_s: float) -> None:
    feint = path(rate, 0.4, 12, 0.4 + waits_s)
    strike = [
        Position(s.time_s + feint[-1].time_s + 1 / rate, (s.at_px[0] + 0.2 * TILE, 20.0))
        for s in path(rate, 0.1, 12, 0.4)
    ]
    assert rest_at(feint + strike).since_s > 0.4 + waits_s
