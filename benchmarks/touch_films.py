"""Rendered films as the referee's real eyes see them, each watched once and remembered in a log."""

from __future__ import annotations

import sys
import time
from collections.abc import Iterator, Sequence

import cv2

from benchmarks.log import Log
from benchmarks.touch_scoring import Watched
from pipsight.hunt.first import is_due
from pipsight.spread import spread
from rules.cobra_paw.state import SIDES
from training.grabs import GrabFilm, quiet, random_grabs
from vision.hands.touch import TouchWatch
from vision.hands.touches import Contact, side_of

RATES = (30.0, 60.0)
MOST = max(SIDES)  # players, where nobody says how many
QUIET_S = 20.0  # one quiet film

Job = tuple[str, str, int]  # what kind of film, of which split, its number


def watched(film: GrabFilm) -> Watched:
    """What the eyes make of a film, frame by frame."""
    watch = TouchWatch(film.still, film.places, seats=SIDES[film.players or MOST])
    contacts: list[Contact] = []
    spent, count, judged_s = 0.0, 0, None
    height, width = film.still.shape[:2]
    for frame in film.frames():
        lit = film.lit(frame.time_s)
        began = time.process_time()
        contacts += watch.see(frame, lit, (film.target,))  # while nobody touches anything something is hunted, too
        spent, count = spent + time.process_time() - began, count + 1
        if judged_s is None and due(film.target, contacts, watch.pending, frame.time_s, (width, height)):
            judged_s = frame.time_s
    return Watched(
        film.rate,
        film.players,
        film.target,
        (width, height),
        film.seconds,
        film.grabs,
        tuple(contacts),
        1e3 * spent / count,
        judged_s,
    )


def due(
    target: int, contacts: Sequence[Contact], pending: Sequence[Contact], now_s: float, size_px: tuple[int, int]
) -> bool:
    """Whether the referee would tell who was first on the target."""
    told, waiting = ([one for one in some if one.place == target] for some in (contacts, pending))
    return is_due(told, waiting, now_s, lambda one: side_of(one.entry_px, size_px))


def watch(job: Job) -> Watched:
    """One film by its kind and number; odd ones have twice as many frames a second."""
    cv2.setNumThreads(1)
    kind, split, number = job
    rate = RATES[number % 2]
    return watched(quiet(number, rate, QUIET_S, split) if kind == "quiet" else random_grabs(number, rate, split))


def films(kind: str, split: str, count: int, log: Log, workers: int) -> Iterator[Watched]:
    """So many films; those that these very eyes have seen are taken from the log."""
    jobs = [(kind, split, number) for number in range(count)]
    names = {job: f"{job[0]} {job[1]} {job[2]}" for job in jobs}
    known = {job: told["watched"] for job in jobs if (told := log.get(names[job]))}
    fresh = spread(watch, [job for job in jobs if job not in known], workers=workers)
    for number, job in enumerate(jobs, 1):
        if job in known:
            film = Watched.of(known[job])
        else:
            _, film = next(fresh)
            log.add(names[job], {"watched": film.as_json()})
        print(f"\r{kind}: {number} of {count} films", end="", file=sys.stderr, flush=True)
        yield film
    print(file=sys.stderr)
