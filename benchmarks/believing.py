"""How many first players are named by how far the words of the referee's eyes are believed.

    python -m benchmarks.believing build/believing --films 90

Watches films of hunts once, remembers in a folder what was seen, and judges them by each of some choices of the
weights in vision/hands/weighing.py, so that one can be taken which names many rightly and few wrongly. The films are
of the manner that networks learn from, with numbers that none of them learnt from. What is there already stays.
"""

from __future__ import annotations

import argparse
import pickle
import sys
from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import product
from pathlib import Path

import cv2

from benchmarks.log import EYES, fingerprint
from benchmarks.touch_films import RATES, due
from benchmarks.touch_scoring import Watched, clear
from pipsight.spread import spread
from rules.cobra_paw.state import SIDES
from rules.table import TableSide
from training.calibrate_touches import Choice, believed
from training.grabs import GrabFilm, random_grabs
from training.surfaces import LEARNING, SPLITS
from vision.hands.touch import TouchWatch
from vision.hands.touches import Contact, side_of
from vision.hands.weighing import Key, Seen, Touch, Weighing
from vision.scene import Point

FIRST = 700_000  # films from this number on
WEIGHTS, OFFSETS = (0.5, 0.6, 0.8, 1.0), (-1.2, -0.9, -0.5, -0.2)


@dataclass(frozen=True, eq=False)
class Evidence:
    """What both kinds of eyes tell of one frame, as of Weighing.see, and whose hands take tiles away by then.

    hovering: fingers that rest over a place and may yet leave it.
    """

    seen: Seen
    rested: Mapping[Key, Contact]
    now_s: float
    pause_s: float
    sought: tuple[int, ...]
    takers: tuple[Key, ...]
    hovering: tuple[Contact, ...]


@dataclass(frozen=True, eq=False)
class Account:
    """All that the eyes tell of one film, and its truth: a film that nobody has judged yet."""

    truth: Watched
    frames: tuple[Evidence, ...]


class _Noting(Weighing):
    """Weighs, and notes what there is to weigh."""

    def __init__(self) -> None:
        super().__init__()
        self.takers: list[Key] = []
        self.heard: tuple[Seen, Mapping[Key, Contact], float, float, tuple[int, ...]]

    def see(
        self,
        seen: Seen,
        rested: Mapping[Key, Contact],
        now_s: float,
        pause_s: float,
        sought: Collection[int] = (),
    ) -> tuple[Touch, ...]:
        self.heard = seen, rested, now_s, pause_s, tuple(sought)
        return super().see(seen, rested, now_s, pause_s, sought)

    def takes(self, key: Key) -> None:
        self.takers.append(key)
        super().takes(key)


def account_of(film: GrabFilm) -> Account:
    """What the eyes tell of a film, frame by frame."""
    noting = _Noting()
    watch = TouchWatch(film.still, film.places, seats=SIDES[film.players], weighing=noting)
    frames = []
    for frame in film.frames():
        noting.takers = []
        watch.see(frame, film.lit(frame.time_s), (film.target,))
        frames.append(Evidence(*noting.heard, tuple(noting.takers), tuple(watch.hovering)))
    height, width = film.still.shape[:2]
    truth = Watched(film.rate, film.players, film.target, (width, height), film.seconds, film.grabs, (), 0.0, None)
    return Account(truth, tuple(frames))


def heard(job: tuple[str, int]) -> Account:
    """One film by its split and number; odd ones have twice as many frames a second."""
    cv2.setNumThreads(1)
    split, number = job
    return account_of(random_grabs(FIRST + number, RATES[number % 2], split))


def judged(told: Account) -> Watched:
    """The film as the referee judges it who believes the words as vision.hands.weighing says just now."""
    weighs, size, target = Weighing(), told.truth.size_px, told.truth.target
    contacts: list[Contact] = []
    for one in told.frames:
        for key in one.takers:
            weighs.takes(key)
        touches = weighs.see(one.seen, one.rested, one.now_s, one.pause_s, one.sought)
        contacts += [_contact(touch, size, one.now_s) for touch in touches]
        pending = [_contact(touch, size, one.now_s) for touch in weighs.pending]
        unknown = (c for c in one.hovering if not weighs.knows((c.place, side_of(c.entry_px, size)), c.time_s))
        if due(target, contacts, [*pending, *unknown], one.now_s, size):
            return replace(told.truth, contacts=tuple(contacts), judged_s=one.now_s)
    return replace(told.truth, contacts=tuple(contacts))


def _contact(touch: Touch, size_px: tuple[int, int], now_s: float) -> Contact:
    """A touch as that of some hand of its side: whose it is nobody asks here."""
    width, height = size_px
    edges: dict[TableSide, Point] = {
        "bottom": (width / 2, height - 1.0), "top": (width / 2, 0.0), "left": (0.0, height / 2),
        "right": (width - 1.0, height / 2),
    }  # fmt: skip
    edge = edges[touch.side]
    told = touch.time_s, touch.sigma_s, edge, now_s, touch.chance, touch.taken
    return Contact(-1 - [*edges].index(touch.side), edge, touch.place, *told, number=touch.number)


def choices() -> Iterator[Choice]:
    """Those that are compared: both words of the network believed alike, and how much is needed besides."""
    yield {}
    for weight, offset in product(WEIGHTS, OFFSETS):
        yield {"LANDING_WEIGHT": weight, "UPON_WEIGHT": weight, "OFFSET": offset}


def line(told: Sequence[Account], choice: Choice) -> str:
    """How many first players are named so."""
    with believed(choice):
        films = [judged(one) for one in told]
    every, apart = (Counter(film.verdict for film in some) for some in (films, filter(clear, films)))
    words = ", ".join(f"{name} {value}" for name, value in choice.items()) or "as it is"
    return f"{words}: {_counted(every)}; the gap clear: {_counted(apart)}"


def _counted(verdicts: Counter[str]) -> str:
    return ", ".join(f"{verdicts[word]} {word}" for word in ("right", "wrong", "too close", "nobody"))


def remembered(folder: Path, split: str, films: int, workers: int) -> Iterator[Account]:
    """The films of a folder; those that are not there yet are watched first."""
    folder.mkdir(parents=True, exist_ok=True)
    eyes = fingerprint(*EYES)  # what others saw, or saw of other films, has other names
    paths = [folder / f"{split}{number:04}.{eyes}.pickle" for number in range(films)]
    todo = [(split, number) for number, path in enumerate(paths) if not path.exists()]
    for done, ((_, number), one) in enumerate(spread(heard, todo, workers=workers), 1):
        draft = paths[number].with_suffix(".draft")
        draft.write_bytes(pickle.dumps(one))
        draft.replace(paths[number])
        print(f"\r{done} of {len(todo)} films", end="", file=sys.stderr, flush=True)
    print(file=sys.stderr)
    for path in paths:
        yield pickle.loads(path.read_bytes())


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path, help="remembers what was seen of each film")
    parser.add_argument("--films", type=int, default=90)
    parser.add_argument("--split", choices=(*SPLITS, LEARNING), default=LEARNING)
    parser.add_argument("--workers", type=int, default=2, help="processes at a time")
    args = parser.parse_args()
    told = list(remembered(args.folder, args.split, args.films, args.workers))
    for choice in choices():
        print(line(told, choice), flush=True)


if __name__ == "__main__":
    main()
