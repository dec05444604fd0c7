"""When a hand came to rest: its path slows down into a place, and the moment lies between two frames."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import dist

from vision.scene import Point

GATE = 0.04  # of a tile's length: a hand that goes no farther in the time of a step rests
STIRS = 2.5  # where more than this stirs about its fingertips a hand does not rest yet
BRIEF = 2.5  # gates: a slower hand's last stroke is timed by what stirs
LONGEST_S = 0.035  # where frames are farther apart than that, a step is what it would have been in this time
STEP_S = 0.03  # the time in which steps are measured; at 30 frames a second that from one frame to the next
BRISK = 0.5  # of the quickest of the last steps: as quick as this it is still on its way
SLOWED = 0.25  # of its top speed: as slow as this a hand that takes something along has arrived
LAG_S = 0.006  # half of an exposure: a frame shows what was before its end
SPREAD, SLOW = 0.45, 0.6  # of the time between two frames: how uncertain the moment is, and where the hand came slowly


@dataclass(frozen=True)
class Position:
    """Where a hand is seen in one frame; stir: how much stirs about its fingertips, 1 where nothing does."""

    time_s: float
    at_px: Point
    stir: float = 1.0


@dataclass(frozen=True)
class Rest:
    """A stop on the way: since when, how uncertain that is, and which frame was the first that shows it."""

    since_s: float
    sigma_s: float
    shown_s: float


def rest_of(path: Sequence[Position], length: float) -> Rest | None:
    """The rest that a path, oldest position first, ends in; None while it goes on. length: a tile's, in pixels."""
    first = len(path) - 1
    while first > 0 and _step(path, first) < GATE * length and path[first].stir < STIRS:
        first -= 1
    if first == len(path) - 1 or first == 0:
        return None
    while first > 1 and not _goes_on(path, first, length):
        first -= 1
    return _arrival(path, first, GATE * length)


def first_halt(path: Sequence[Position], length: float) -> Rest | None:
    """When a path first slowed down to a halt, be it but for one frame; None where it is too short to say."""
    if len(path) < 2:
        return None
    speeds = [0.0, *(_speed(path, k) for k in range(1, len(path)))]
    gate = max(SLOWED * max(speeds), min(speeds[1:]), GATE * length / STEP_S)
    first = next(k for k in range(1, len(path)) if speeds[k] <= gate)
    pause = path[first].time_s - path[first - 1].time_s
    return Rest(path[first].time_s - pause / 2, SLOW * pause, path[first].time_s)


def _speed(path: Sequence[Position], k: int) -> float:
    return dist(path[k].at_px, path[k - 1].at_px) / max(path[k].time_s - path[k - 1].time_s, 1e-3)


def _arrival(path: Sequence[Position], first: int, gate: float) -> Rest:
    """When the way was over whose last noticeable step led to a position.

    The last step at full speed is gone on with at that speed up to the place where the hand came to rest.
    """
    goal = path[-1].at_px
    steps = [dist(path[k].at_px, path[k - 1].at_px) for k in range(max(1, first - 2), first + 1)]
    last = first
    while last > 1 and steps and steps[-1] < BRISK * max(steps):
        steps.pop()
        last -= 1
    pause = path[last].time_s - path[last - 1].time_s
    speed = dist(path[last].at_px, path[last - 1].at_px)
    needed = min(1.5, dist(path[last].at_px, goal) / max(speed, 1e-6)) * pause
    if speed * max(1.0, STEP_S / pause) < BRIEF * gate:
        return Rest(_struck(path, first), SLOW * pause, path[first + 1].time_s)
    return Rest(path[last].time_s + needed - LAG_S, SPREAD * pause, path[first + 1].time_s)


def _struck(path: Sequence[Position], first: int) -> float:
    """When a short stroke was over: how much stirred in its last frame tells for how much of it the stroke went on."""
    pause = path[first].time_s - path[first - 1].time_s
    before, last = path[first - 1].stir - 1, path[first].stir - 1
    part = min(1.0, last / before) if before > STIRS - 1 else 0.7
    return path[first - 1].time_s + max(0.1, part) * pause - LAG_S


def _goes_on(path: Sequence[Position], k: int, length: float) -> bool:
    """Whether anything moved in the very last frame before a position, be it for less time than a step."""
    part = min(1.0, (path[k].time_s - path[k - 1].time_s) / STEP_S)
    return path[k].stir >= STIRS or dist(path[k].at_px, path[k - 1].at_px) >= part * GATE * length


def _step(path: Sequence[Position], k: int) -> float:
    """How far the way went in the time of a step before a position."""
    before = k - 1
    while before > 0 and path[k].time_s - path[before].time_s < STEP_S:
        before -= 1
    longer = max(1.0, (path[k].time_s - path[before].time_s) / LONGEST_S)
    return dist(path[k].at_px, path[before].at_px) / longer
