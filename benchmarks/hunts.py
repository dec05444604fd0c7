"""Whole games of Cobra Paw followed on film, as they go at a real table: `python -m benchmarks.hunts --games 6`.

Dice are thrown among the dominoes, hands push dominoes aside, wrong ones are touched, the double blank is claimed where
the target is gone, and where it is not; the table is nudged, shadows pass. A name is what the referee last said of a
touch: the photo finish may overturn a verdict. Where no finger was seen, the domino before a player tells who was
first: that names nobody, but afterwards it is known who has what.
"""

from __future__ import annotations

import argparse
import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import cv2
import numpy as np

from benchmarks.courses import common
from benchmarks.held import Take, add_take
from benchmarks.log import Log
from benchmarks.scoring import wilson
from pipsight.asking import Move
from pipsight.events import Event, Foul, Moved, TakenBack, WasFirst, Wrong
from pipsight.session import Session
from rules.cobra_paw.state import SIDES, Hunt
from rules.games.cobra_paw import GAME
from training.hunt_course import Told
from training.rough_hunts import RoughHunts
from vision.camera import Frame

RATE = 30.0  # frames a second, as a camera gives them
CLEAR = 2  # frames between two fingers: who was first is clear
APART = 1000  # between the seeds of other benchmarks' films and these


@dataclass
class Heard:
    """What was said in one hunt. first: who, and when."""

    first: list[tuple[int, float]] = field(default_factory=list)
    overturned: int = 0
    rolls: list[str] = field(default_factory=list)
    fouls: list[int | None] = field(default_factory=list)
    alarms: int = 0
    _taken_back: bool = False

    def tell(self, event: Event, time_s: float) -> None:
        """One event after the other."""
        if isinstance(event, WasFirst):
            if self._taken_back and self.first:
                self.first.pop()
                self.overturned += 1
            self.first.append((event.seat, time_s))
        elif isinstance(event, Moved) and event.move.startswith("roll"):
            self.rolls.append(event.move)
        elif isinstance(event, Foul):
            self.fouls.append(event.seat)
        elif isinstance(event, Wrong):
            self.alarms += 1
        self._taken_back = isinstance(event, TakenBack)


def counted(told: Told, heard: Heard, knows: bool, rate: float = RATE) -> dict[str, Any]:
    """What became of one hunt at so many frames a second.

    knows: whether the program knows afterwards who has which domino.
    """
    first = [*told.claims[:1], *told.seats[:1]]
    close = len(told.contacts_s) > 1 and told.contacts_s[1] - told.contacts_s[0] < CLEAR / rate
    due = told.claims[:1] if close else first
    named = [seat for seat, _ in heard.first]
    fouls = Counter(heard.fouls)
    fouled = sum((fouls & Counter(told.fouls)).values())
    return {
        "hunts": 1,
        "known": int(knows),
        "touches": len(due),
        "right": common(named, due),
        "close": int(close),
        "wrong": len(named) - common(named, first),
        "overturned": heard.overturned,
        "rolled": int(heard.rolls == [f"roll({max(told.dice)}-{min(told.dice)})"]),
        "fouls": len(told.fouls),
        "fouls told": fouled,
        "false fouls": len(heard.fouls) - fouled,
        "alarms": heard.alarms,
        "late_s": [at_s - told.contacts_s[0] for seat, at_s in heard.first[-1:] if told.seats[:1] == (seat,)],
    }


def followed(course: RoughHunts, take: Take) -> Iterator[dict[str, Any]]:
    """How a game was followed, hunt by hunt."""
    session, said, camera = Session(GAME, course.state), 0, take.camera(course.seed)
    for film in course.films():
        heard = Heard()
        for frame in camera.frames(film):
            for event in seen(session, frame, course.says[said:]):
                heard.tell(event, frame.time_s)
            said = len(course.says)
        yield counted(course.told[-1], heard, _knows(session.follower.state, course.state), course.rate)


def seen(session: Session, frame: Frame, words: Sequence[str]) -> Iterator[Event]:
    """What is told of a frame, and of what players said just before it."""
    for word in words:
        yield from session.do(Move(word))
    yield from session.see(frame, live=True)


def _knows(state: Hunt, truth: Hunt) -> bool:
    """Whether everybody has in a state what they have in truth."""
    return [set(held.known) for held in state.taken] == [set(held.known) for held in truth.taken]


def measured(games: range, hunts: int, take: Take, log: Log) -> Iterator[tuple[int, list[dict[str, Any]]]]:
    """Each game's players, and what became of its hunts."""
    for number in games:
        players = min(SIDES) + number % len(SIDES)
        key = f"hunts {number} {hunts} {take}"
        told: dict[str, Any] | None = log.get(key)
        if told is None:
            course = RoughHunts(players, APART + number, take.rate, hunts)
            told = {"hunts": list(followed(course, take))}
            log.add(key, told)
        print(f"\r{number - games.start + 1} of {len(games)} games", end="", file=sys.stderr, flush=True)
        yield players, told["hunts"]
    print(file=sys.stderr)


def lines(hunts: Sequence[dict[str, Any]]) -> Iterator[str]:
    """The counts of some hunts as text."""
    n = Counter[str]()
    for hunt in hunts:
        n.update({name: value for name, value in hunt.items() if name != "late_s"})
    late_ms = [1000 * seconds for hunt in hunts for seconds in hunt["late_s"]]
    known = wilson(n["known"], n["hunts"])
    yield f"{n['hunts']} hunts, the dice read in {n['rolled']}, who has what is known after {known}"
    right = wilson(n["right"], n["touches"]) if n["touches"] else "none"
    yield f"  who was first named {right}, {n['close']} closer than two frames, wrong {n['wrong']}"
    yield f"  overturned by the photo finish {n['overturned']}"
    yield f"  fouls told {n['fouls told']} of {n['fouls']}, false ones {n['false fouls']}, false alarms {n['alarms']}"
    if late_ms:
        yield "  from the finger to the name in frame time: median {:.0f} ms, 95th percentile {:.0f}".format(
            *np.percentile(late_ms, (50, 95))
        )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--games", type=int, default=6, help="of two, three, four players in turn")
    parser.add_argument("--first", type=int, default=0, help="the number of the first game")
    parser.add_argument("--hunts", type=int, default=99, help="of each game, at most")
    add_take(parser, RATE)
    parser.add_argument("--log", type=Path)
    args = parser.parse_args()
    cv2.setNumThreads(1)
    games, everything = range(args.first, args.first + args.games), list[dict[str, Any]]()
    log = Log(args.log, "hunts", "pipsight")
    for number, (players, hunts) in zip(games, measured(games, args.hunts, Take.of(args), log), strict=True):
        print(f"game {number}, {players} players: " + "\n".join(lines(hunts)), flush=True)
        everything += hunts
    print("all: " + "\n".join(lines(everything)))


if __name__ == "__main__":
    main()
