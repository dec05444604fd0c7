"""From a look at a tile to its numbers, how sure they are, and what makes them doubtful."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from vision.pips import Look

Floats = NDArray[np.float32]

SURE = 0.9  # readings below this chance are doubtful; chosen by benchmarks/reading.py on rendered scenes
SHORTEST_READABLE = 30.0  # pixels of a tile's length under which pips run into each other
COUNT_WEIGHT, LOOK_WEIGHT = 0.5, 0.7  # how far each of the two readings is believed, fitted on rendered scenes
FLOOR = 2e-4  # the chance left to any number: neither reading alone may exclude one


@dataclass(frozen=True)
class Reading:
    """Both numbers of a tile with their chances; `why` is empty where nothing is doubtful."""

    pips: tuple[int, int]
    confidence: float
    likelihoods: tuple[tuple[float, ...], tuple[float, ...]]
    why: str


def fused(look: Look) -> Floats:
    """(2, 13): the chance of each number for each half, from counting and from recognising together."""
    logs = COUNT_WEIGHT * np.log(look.counted + FLOOR) + LOOK_WEIGHT * np.log(look.recognised + FLOOR)
    power = np.exp(logs - logs.max(axis=1, keepdims=True))
    return np.asarray(power / power.sum(axis=1, keepdims=True), np.float32)


def read_halves(look: Look, length_px: float) -> Reading:
    """The reading of one tile that is length_px long in the picture."""
    shown = max(look.up, look.down)
    if look.down > look.up:
        why = "" if look.down >= SURE else "it may lie face up"
        return Reading((0, 0), look.down, ((), ()), why)
    chances = fused(look)
    head, tail = (int(k) for k in chances.argmax(axis=1))
    confidence = float(chances[0, head] * chances[1, tail] * shown)
    why = _why(look, chances, confidence, length_px)
    return Reading((head, tail), confidence, (_plain(chances[0]), _plain(chances[1])), why)


def _plain(chances: Floats) -> tuple[float, ...]:
    return tuple(round(float(c), 5) for c in chances)


def _why(look: Look, chances: Floats, confidence: float, length_px: float) -> str:
    """A phrase that says what to doubt, and how a person may mend it."""
    if length_px < SHORTEST_READABLE:
        return f"it is only {length_px:.0f} pixels long"
    if confidence >= SURE:
        return ""
    if look.up < SURE:
        return "it may be face down" if look.down > look.nothing else "it is half hidden or no domino"
    worst = int(chances.max(axis=1).argmin())
    first, second = (int(k) for k in chances[worst].argsort()[::-1][:2])
    return f"{first} or {second} at one end"
