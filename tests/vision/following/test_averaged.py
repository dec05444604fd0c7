"""Frames of a still table under a noisy camera, averaged; what moves is left out."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.typing import NDArray

from benchmarks.frames import Camera, filmed
from vision.following.averaged import ENOUGH, Averaged
from vision.straighten import Image

pytestmark = pytest.mark.needs("cv2")

WIDTH, HEIGHT = 320, 240
STILL = np.full((HEIGHT, WIDTH, 3), 90, np.uint8)
STILL[80:160, 100:220] = 60


def cells(moving: tuple[slice, slice] | None = None) -> NDArray[np.bool_]:
    """Where something moves, in cells of four pixels."""
    mask = np.zeros((HEIGHT // 4, WIDTH // 4), np.bool_)
    if moving:
        mask[moving] = True
    return mask


def frames(noise: float, count: int) -> list[Image]:
    made = filmed(STILL, Camera(noise, flicker=0.0, drift=0.0), np.random.default_rng(3))
    return [next(made) for _ in range(count)]


def test_what_a_good_camera_shows_is_not_averaged() -> None:
    averaged = Averaged()
    for frame in frames(3.0, 20):
        averaged.see(frame, cells())
        assert not averaged.due


def test_noise_averages_out_and_the_mean_is_due_once_it_is_clear_and_again_when_it_is_clearer() -> None:
    averaged, taken = Averaged(), dict[int, Image]()
    for k, frame in enumerate(frames(14.0, 60)):
        averaged.see(frame, cells())
        if averaged.due:
            taken[k] = averaged.taken(frame)
    assert list(taken) == [ENOUGH[0], ENOUGH[1]]  # whether it is noisy the second frame tells
    first, second = (np.std(mean.astype(float) - STILL) for mean in taken.values())
    assert second < 0.6 * first < 0.6 * 6


def test_where_something_moves_the_last_frame_shows() -> None:
    averaged, hand = Averaged(), (slice(0, 6), slice(0, 6))
    for k, frame in enumerate(frames(14.0, 20)):
        frame[:24, :24] = 10 * k
        averaged.see(frame, cells(hand))
    assert averaged.due
    mean = averaged.taken(frame)
    assert averaged.clear is mean
    averaged.see(frame, cells(hand))
    assert averaged.clear is None  # who looks again looks at what lies there now
    assert (mean[:24, :24] == frame[:24, :24]).all()
    assert np.std(mean[30:].astype(float) - STILL[30:]) < 6


def test_when_a_hand_comes_the_mean_begins_anew() -> None:
    averaged = Averaged()
    for k, frame in enumerate(frames(14.0, 20)):
        averaged.see(frame, cells((slice(0, 30), slice(0, 30)) if k == 12 else None))
    assert not averaged.due


def test_where_the_camera_drifts_nothing_of_before_is_in_the_mean_and_it_is_read_once_it_is_clear_again() -> None:
    averaged, due = Averaged(), list[int]()
    for k, frame in enumerate(frames(14.0, 100)):
        drifted = k > 2 * ENOUGH[0]
        averaged.see(np.roll(frame, 40 * drifted, axis=1), cells())
        if k == 2 * ENOUGH[0]:
            averaged.drifts()
            assert averaged.clear is None
        if averaged.due:
            due.append(k)
            mean = averaged.taken(frame)
    assert due == [ENOUGH[0], 2 * ENOUGH[0] + ENOUGH[1]]
    assert np.std(mean.astype(float) - np.roll(STILL, 40, axis=1)) < 4
