"""Fits how far the referee's two kinds of eyes are believed, on films of hunts that the network was not trained on.

    python -m training.calibrate_touches --films 240

Prints weights as those in vision/hands/weighing.py, and how often what they make likely was a touch: on the films
of the tuning split, for the others are there to judge by.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from itertools import pairwise
from typing import NamedTuple

import cv2
import numpy as np
from numpy.typing import NDArray

from pipsight.spread import spread
from rules.cobra_paw.state import SIDES
from training.calibrate import logistic
from training.grabs import GrabFilm, random_grabs
from vision.hands import weighing
from vision.hands.touch import TouchWatch
from vision.hands.weighing import Touch
from vision.odds import log_odds

Floats = NDArray[np.float64]
Choice = Mapping[str, float]  # of constants of vision.hands.weighing

NAMES = ("LANDING_WEIGHT", "UPON_WEIGHT", "REST_WEIGHT", "OFFSET")
RATES = (30.0, 60.0)
SPLIT = "tuning"
FIRST = 500_000  # films from this number on, which nobody else looks at
SAME_S = 0.12  # a touch that is seen so near the true one is that one
NEVER = 2.0  # a chance that nothing has
EVERYTHING = {"SURE": NEVER, "SOON": NEVER, "RUMOUR": 0.0}  # is told once the slow eyes have spoken
LEVELS = (0.0, 0.1, 0.3, 0.5, 0.7, 0.9, 0.97, 1.0)


class Case(NamedTuple):
    """What may have been a touch of the target: its evidence as of Touch, and whether it was one.

    seen: whether the network saw anything of it.
    """

    evidence: tuple[float, float, float, float]
    touched: bool
    seen: bool


def cases(number: int) -> list[Case]:
    """What both kinds of eyes see of one film, by the time that both have spoken."""
    cv2.setNumThreads(1)
    film = random_grabs(FIRST + number, RATES[number % 2], SPLIT)
    watch = TouchWatch(film.still, [film.places[film.target]], seats=SIDES[film.players])
    with believed(EVERYTHING):
        told = [one for frame in film.frames() for one in watch.weighed(frame, film.lit(frame.time_s), (0,))]
    once = {(one.side, one.time_s): one for one in told}  # who takes a tile is told anew
    return [case for one in once.values() if (case := _case(one, film))]


@contextmanager
def believed(choice: Choice) -> Iterator[None]:
    """While this lasts these constants of vision.hands.weighing are others."""
    before = {name: getattr(weighing, name) for name in choice}
    try:
        for name, value in choice.items():
            setattr(weighing, name, value)
        yield
    finally:
        for name, value in before.items():
            setattr(weighing, name, value)


def _case(touch: Touch, film: GrabFilm) -> Case | None:
    """None where it does not matter: further fingers of a hand, and what a hand does after its touch."""
    if any(film.target in grab.also for grab in film.grabs if grab.side == touch.side):
        return None
    times = [
        grab.contact_s
        for grab in film.grabs
        if grab.place == film.target and grab.side == touch.side and grab.contact_s is not None
    ]
    touched = any(abs(touch.time_s - time_s) < SAME_S for time_s in times)
    if not touched and any(touch.time_s > time_s for time_s in times):
        return None
    return Case(touch.evidence, touched, max(touch.evidence[:2]) > log_odds(0.0))


def lines(found: Sequence[Case]) -> Iterator[str]:
    """The constants, and what they make of the films."""
    seen = [case for case in found if case.seen]
    x, y = np.array([case.evidence for case in seen]), np.array([case.touched for case in seen], float)
    weights = logistic(x, y)
    yield f"{', '.join(NAMES)} = {', '.join(f'{w}' for w in weights)}"
    chances = 1 / (1 + np.exp(-x @ np.array(weights)))
    for least, most in pairwise(LEVELS):
        inside = (chances >= least) & (chances < most)
        yield f"  {least:.2f} to {most:.2f}: {int(y[inside].sum())} of {int(inside.sum())} were touches"
    alone = [case.touched for case in found if not case.seen and case.evidence[2] > 0]
    yield f"  seen by the slow eyes alone: {sum(alone)} of {len(alone)} were touches"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--films", type=int, default=240)
    parser.add_argument("--workers", type=int, default=2, help="processes at a time")
    args = parser.parse_args()
    found = list[Case]()
    for number, (_, some) in enumerate(spread(cases, list(range(args.films)), workers=args.workers), 1):
        found += some
        print(f"\r{number} of {args.films} films", end="", file=sys.stderr, flush=True)
    print(file=sys.stderr)
    print("\n".join(lines(found)))


if __name__ == "__main__":
    main()
