"""Races of Bee followed on film as they go at a real table: `python -m benchmarks.races --races 4`.

Dice are thrown beside the board and set down carelessly, claims are said, demonstrations succeed or fail by a wrong
flight, too few, or by waiting too long; hands rest over the board, dice are touched too early, the table is nudged.
What is named counts as right where it happened in the same order, a round as scored where the points are right.
"""

from __future__ import annotations

import argparse
import sys
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import cv2

from benchmarks.courses import common
from benchmarks.held import Take, add_take
from benchmarks.hunts import seen
from benchmarks.log import Log
from benchmarks.scoring import wilson
from pipsight.events import Event, Refused, Wrong
from pipsight.session import Session
from rules.bee.setup import FEWEST, MOST
from rules.games.bee_race import GAME
from training.rough_races import RoughRaces

RATE = 15.0  # frames a second
APART = 2000  # between the seeds of other benchmarks' films and these
MOST_PLAYERS = 5


def followed(race: RoughRaces, take: Take) -> dict[str, int]:
    """How a race was followed: what happened and was named, and what was named and did not happen; rounds that were
    scored right; dice that were moved too early and told of, and alarms while nothing was wrong."""
    session, said, told = Session(GAME, race.start), 0, Counter[str]()
    camera = take.camera(race.seed)
    for number, film in enumerate(race.films()):
        touched, heard = race.touched, Counter[type[Event]]()
        for frame in camera.frames(film):
            heard.update(map(type, seen(session, frame, race.says[said:])))
            said = len(race.says)
        early, alarms = race.touched - touched, heard[Wrong]
        told["touched"] += early
        told["told"] += min(early, alarms)
        told["alarms"] += max(0, alarms - early)
        told["refused"] += heard[Refused]
        told["rounds"] += number > 0  # before the first the board is laid
        told["scored"] += number > 0 and session.follower.state.points == race.race.points
    named = [made.move.partition("@")[0] for made in session.follower.made]
    right = common(named, race.made)
    return {**told, "made": len(race.made), "right": right, "wrong": len(named) - right}


def measured(races: range, take: Take, log: Log) -> Iterator[tuple[RoughRaces, Counter[str]]]:
    """Each race, and how it was followed."""
    for number in races:
        dice = FEWEST + 1 + number % (MOST - FEWEST)
        race = RoughRaces(2 + number % (MOST_PLAYERS - 1), APART + number, dice, take.rate)
        key = f"race {number} {take}"
        told: dict[str, dict[str, int]] | None = log.get(key)
        if told is None:
            told = {"race": followed(race, take)}
            log.add(key, told)
        print(f"\r{number - races.start + 1} of {len(races)} races", end="", file=sys.stderr, flush=True)
        yield race, Counter(told["race"])
    print(file=sys.stderr)


def line(told: Counter[str]) -> str:
    """The counts of some races as text."""
    share = wilson(told["right"], told["made"]) if told["made"] else "none"
    touched = f"dice touched too early told {told['told']} of {told['touched']}, {told['alarms']} false alarms"
    scored = f"rounds scored right {told['scored']} of {told['rounds']}"
    return f"{scored}, moves right {share}, wrong {told['wrong']}, {touched}, refused {told['refused']}"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--races", type=int, default=4)
    parser.add_argument("--first", type=int, default=0, help="the number of the first race")
    add_take(parser, RATE)
    parser.add_argument("--log", type=Path)
    args = parser.parse_args()
    cv2.setNumThreads(1)
    races, everything = range(args.first, args.first + args.races), Counter[str]()
    for race, told in measured(races, Take.of(args), Log(args.log, "races", "pipsight")):
        print(f"{race.players} players, {race.dice} dice: {line(told)}", flush=True)
        everything.update(told)
    print("all: " + line(everything))


if __name__ == "__main__":
    main()
