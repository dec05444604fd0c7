"""The controller's clock, told in the computer's time."""

from __future__ import annotations

import doctest
from random import Random

import pytest

import hardware.clock
from hardware.clock import ROUND, Clock
from hardware.conversation import FIRST_EVERY_S, FIRST_PINGS, PING_EVERY_S


def trips(clock: Clock, drift: float, began_micros: int = 0, seconds: float = 60, seed: int = 1) -> None:
    """Half-second round trips with a controller whose clock shows `began_micros` at 1000 s and gains `drift`."""
    chance = Random(seed)
    for k in range(int(seconds * 2)):
        there, back = 0.002 + chance.expovariate(300), 0.002 + chance.expovariate(300)
        at = 1000 + k / 2 + there
        micros = (began_micros + round((at - 1000) * (1 + drift) * 1e6)) % ROUND
        clock.add(1000 + k / 2, at + back, micros)


def test_the_example_is_true() -> None:
    assert doctest.testmod(hardware.clock).failed == 0


@pytest.mark.parametrize("drift", [0, 0.001, 0.005, -0.005])
@pytest.mark.parametrize("seed", range(5))
def test_soon_after_the_greeting_a_clock_is_known_however_fast_it_runs(drift: float, seed: int) -> None:
    clock, chance, at_s = Clock(), Random(seed), 0.0
    for k in range(50):
        there_s, back_s = (0.001 + chance.expovariate(1000) for _ in range(2))
        clock.add(1000 + at_s, 1000 + at_s + there_s + back_s, round((at_s + there_s) * (1 + drift) * 1e6))
        at_s += FIRST_EVERY_S if k < FIRST_PINGS else PING_EVERY_S
        for pressed_s in (at_s, at_s - 0.1) if k >= FIRST_PINGS else ():
            told_s = clock.here_s(round(pressed_s * (1 + drift) * 1e6))
            assert told_s == pytest.approx(1000 + pressed_s, abs=0.002 if at_s > 1 else 0.003)


def test_nothing_is_told_before_something_is_known() -> None:
    assert Clock().here_s(5) is None


def test_one_round_trip_is_enough_for_a_time() -> None:
    clock = Clock()
    clock.add(100.0, 100.004, 5_000_000)
    assert clock.here_s(6_000_000) == pytest.approx(101.002)


@pytest.mark.parametrize("drift", [0, 0.005, -0.005, 0.00005])
@pytest.mark.parametrize("seed", range(5))
def test_a_clock_that_runs_too_fast_or_too_slow_is_followed(drift: float, seed: int) -> None:
    clock = Clock()
    trips(clock, drift, seed=seed)
    for ago in (0, 1, 5):
        micros = round((60 - ago) * (1 + drift) * 1e6)
        assert clock.here_s(micros) == pytest.approx(1060 - ago, abs=0.001)


def test_the_clock_may_begin_again_at_zero() -> None:
    clock = Clock()
    trips(clock, 0, began_micros=ROUND - 30_000_000)
    assert clock.here_s(25_000_000) == pytest.approx(1055, abs=0.001)
    assert clock.here_s(ROUND - 5_000_000) == pytest.approx(1025, abs=0.001)


def test_after_the_computer_has_slept_only_new_round_trips_count() -> None:
    clock = Clock()
    trips(clock, 0)
    clock.add(1070.0, 1070.004, 100_000_000)
    assert clock.here_s(101_000_000) == pytest.approx(1071.002)
