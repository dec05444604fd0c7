"""From a look at a tile to its numbers, how sure they are, and what makes them doubtful."""

from __future__ import annotations

from dataclasses import dataclass
from math import prod

import numpy as np
from numpy.typing import NDArray

from vision.pips import Look

Floats = NDArray[np.float32]

SURE = 0.8  # readings below this chance are doubtful: see training.calibrate
SHORTEST_READABLE = 30.0  # pixels of a tile's length under which pips run into each other
SURE_COUNT = 0.8  # a count as certain as this is not overruled in silence
COUNT_WEIGHT, LOOK_WEIGHT = 0.05, 1.1  # how far each of the two readings is believed, see training.calibrate
NO_DOMINO = "it may be no domino"
FLOOR = 2e-4  # the chance left to anything that a look tells: no reading and no single look may exclude it alone


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


def believed(look: Look) -> Floats:
    """(2, 13): the chance of each number for each half, by whoever knows the set where somebody does."""
    return fused(look) if look.known is None else look.known


def read_halves(look: Look, length_px: float, presence: float = 1.0) -> Reading:
    """The reading of one place, length_px long in the picture, where a tile lies with the chance `presence`."""
    facing = max(look.up, look.down) / max(look.up + look.down, 1e-6)
    if look.down > look.up:
        doubt = _first_doubt(((presence, NO_DOMINO), (facing, "it may lie face up")))
        return Reading((0, 0), facing * presence, ((), ()), doubt)
    chances = believed(look)
    head, tail = (int(k) for k in chances.argmax(axis=1))
    read = float(chances[0, head] * chances[1, tail])
    if length_px < SHORTEST_READABLE:
        why = f"it is only {length_px:.0f} pixels long"
    else:
        if look.known is None and _contradicted(look, (head, tail)):
            read *= 0.5
        unsure = (presence, NO_DOMINO), (read, _two_numbers(chances)), (facing, "it may be face down")
        why = _first_doubt(unsure)
    return Reading((head, tail), read * facing * presence, (_plain(chances[0]), _plain(chances[1])), why)


def _contradicted(look: Look, pips: tuple[int, int]) -> bool:
    """Whether counting is all but certain of another number."""
    return any(
        k != n and row[k] > SURE_COUNT for row, n in zip(look.counted, pips, strict=True) for k in [row.argmax()]
    )


def _plain(chances: Floats) -> tuple[float, ...]:
    return tuple(round(float(c), 5) for c in chances)


def _first_doubt(parts: tuple[tuple[float, str], ...]) -> str:
    """The first part's phrase if that is not sure enough by itself, for the others hang on it; if only together they
    are not, that of the least likely; empty if they are."""
    (first, why), together = parts[0], prod(part for part, _ in parts)
    if together >= SURE:
        return ""
    return why if first < SURE else min(parts)[1]


def _two_numbers(chances: Floats) -> str:
    """The two numbers between which the less certain half hangs."""
    worst = int(chances.max(axis=1).argmin())
    first, second = (int(k) for k in chances[worst].argsort()[::-1][:2])
    return f"{first} or {second} at one end"
