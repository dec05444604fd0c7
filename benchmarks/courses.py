"""Whole courses of play followed on film, game by game: `python -m benchmarks.courses --films 5`.

Each film has hands that carry what they move through the air, lay it somewhat beside its place and push it there, and
hesitate in every third move; a takeback, a nudge of the table, a passing shadow and two moves against the rules. A move
that is named and was not made counts as wrong, one that was made and not named as missed. What no table can show, as
dominoes that are drawn and put back, the players say, as the page asks them to; it counts for nothing.
"""

from __future__ import annotations

import argparse
import sys
from collections import Counter, deque
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import islice, pairwise
from pathlib import Path
from random import Random
from types import MappingProxyType
from typing import Any

import cv2

from benchmarks.held import Take, add_take
from benchmarks.log import Log
from benchmarks.scoring import wilson
from pipsight.asking import Move
from pipsight.events import Began, Wrong
from pipsight.session import Session
from rules.engine import explain
from rules.game import CHANCE, Draws
from rules.games import game, slugs
from rules.players import Clocked
from rules.table import Table
from training.course import Course, random_course, slip, stage_of
from training.film import Shot, ends, film, unhurried
from training.handling import COMING_S, GRASPS_S

MOVES, SLIPS = 12, 2
TAKEN_BACK = 3  # the move that is taken back and made again, where it can be
HESITATES = 3  # one in so many moves
RATE = 30.0  # frames a second, as a camera gives them
LEFT_S = 2.0  # how long the table is left as it is after the last move
APART = 1000  # between the seeds of two games' films: each film has a course, a set and a table of its own
WRONG_S = 3.2  # how long a move against the rules lies before it is put back


@dataclass(frozen=True)
class Script:
    """A course as it is filmed. slips: which shots show something against the rules, to be put back in the next.

    words: what the players say at the end of which shots.
    """

    shots: tuple[Shot, ...]
    slips: tuple[int, ...] = ()
    words: tuple[tuple[int, str], ...] = ()


def shots_of(
    tables: Sequence[Table],
    back: int = TAKEN_BACK,
    slips: Mapping[int, Table] = MappingProxyType({}),
    words: Mapping[int, str] = MappingProxyType({}),
) -> Script:
    """One move is taken back and made again, the table is nudged, a shadow passes.

    back: the number of that move. slips: what was laid against the rules after so many moves, and stays until somebody
    says so. words: which moves are said, by how many were made with them.
    """
    shots = [Shot(table) for table in tables[: back + 1]]
    if len(tables) > back:
        before, after = tables[back - 1 : back + 1]
        shots += [Shot(before), Shot(before, hand=False, nudged=(0.08, 0.05)), Shot(after, shadow=True)]
    said = [(shots[-1], words[number]) for number in range(back + 1) if number in words]
    wrong = list[Shot]()
    for number, table in enumerate(tables[back + 1 :], back + 1):
        shots.append(Shot(table))
        if number in words:
            said.append((shots[-1], words[number]))
        if number in slips:
            wrong.append(Shot(slips[number], WRONG_S))
            shots += [wrong[-1], Shot(table)]
    shots.append(Shot(tables[-1], LEFT_S, hand=False))
    filmed = tuple(unhurried(shots))
    told = {id(shot): k for k, shot in enumerate(filmed)}
    said_at = tuple((told[id(shot)], word) for shot, word in said)
    wrong_at = tuple(told[id(shot)] for shot in wrong)
    carried = (replace(shot, carried=True, hesitates=k % HESITATES == 1) for k, shot in enumerate(filmed))
    return Script(tuple(carried), wrong_at, said_at)


def unseen(course: Course) -> dict[int, str]:
    """The moves that no table shows, not even a later one, by how many were made with them."""
    rules, tables = game(course.slug), course.tables
    changes = [number for number, (one, other) in enumerate(pairwise(tables), 1) if one != other]
    told: dict[int, str] = {}
    for last, number in pairwise([0, *changes]):
        if number - last == 1:
            continue
        meant = explain(rules, course.states[last], course.states[number])
        if not (meant.moves and meant.legal):
            told |= {k: course.words[k - 1] for k in range(last + 1, number)}
    return told


def taken_back(course: Course) -> int:
    """The number of the move that is taken back: the first from the third on after which nothing is left to chance.

    Where another roll follows, dice that show what they showed before have been rolled again.
    """
    rules = game(course.slug)
    late = range(TAKEN_BACK, len(course.states))
    return next((number for number in late if rules.to_move(course.states[number]) is not CHANCE), TAKEN_BACK)


def slips_of(course: Course, seed: int) -> dict[int, Table]:
    """Two moves against the rules, or as many as the course has room for."""
    chance = Random(seed)
    tried = ((number, slip(course, number, chance)) for number in range(taken_back(course) + 1, len(course.words)))
    return dict(islice(((number, table) for number, table in tried if table), SLIPS))


def followed(course: Course, seed: int, take: Take, *, aslant: bool = False) -> dict[str, int]:
    """How a course was followed on film: moves that were made and named, missed, and named without having been made;
    moves against the rules that were told of, and alarms while nothing was wrong.

    Moves that lead to the same are one: nobody sees which of two dominoes collected the other. aslant: as of stage_of.
    """
    tables = course.tables
    script = shots_of(tables, taken_back(course), slips_of(course, seed), unseen(course))
    at = [0.0, *ends(script.shots, take.rate)]
    words = deque((at[k + 1], word) for k, word in script.words)
    session, begun, faults = Session(game(course.slug), course.states[0]), False, list[float]()
    stage = stage_of([shot.table for shot in script.shots], seed, aslant=aslant)
    for frame in take.camera(seed).frames(film(stage, script.shots, seed, rate=take.rate)):
        while words and frame.time_s >= words[0][0]:
            session.do(Move(words.popleft()[1]))
        for event in session.see(frame, live=True):
            begun = begun or isinstance(event, Began)
            if isinstance(event, Wrong):
                faults.append(frame.time_s)
    named, made = session.follower.states[1:], course.states[1:]
    seen = [state for state, (one, other) in zip(made, pairwise(tables), strict=True) if one != other]
    right = common(named, seen)
    hidden = [state for state in named if state in made and state not in seen]
    told = [{k for k in script.slips if at[k] < fault <= at[k + 1] + COMING_S + GRASPS_S} for fault in faults]
    return {
        "begun": int(begun),
        "made": len(seen),
        "right": right,
        "wrong": len(named) - right - len(hidden),
        "slips": len(script.slips),
        "told": len(set[int]().union(*told)),
        "alarms": told.count(set()),
    }


def common(one: Sequence[Any], other: Sequence[Any]) -> int:
    """The length of the longest common subsequence."""
    best = [0] * (len(other) + 1)
    for state in one:
        before = 0
        for k, meant in enumerate(other, 1):
            before, best[k] = best[k], max(best[k], best[k - 1], before + 1 if state == meant else 0)
    return best[-1]


def measured(
    names: Sequence[str], films: range, moves: int, take: Take, log: Log, *, aslant: bool = False
) -> Iterator[tuple[str, Counter[str]]]:
    """What became of each film, game by game."""
    for slug in names:
        total = Counter[str]()
        for number in films:
            seed = APART * (1 + slugs().index(slug)) + number
            key = f"{slug} {seed} {moves} {take}{' aslant' if aslant else ''}"
            told: dict[str, Any] | None = log.get(key)
            if told is None:
                told = {"course": followed(random_course(slug, seed, moves), seed, take, aslant=aslant)}
                log.add(key, told)
            total.update(told["course"])
            print(f"\r{slug}: {number - films.start + 1} of {len(films)} films", end="", file=sys.stderr, flush=True)
        yield slug, total
    print(file=sys.stderr)


def line(name: str, told: Counter[str], films: int) -> str:
    """The counts of one game, or of all, as text."""
    share = wilson(told["right"], told["made"]) if told["made"] else "none"
    slips = f"moves against the rules told {told['told']} of {told['slips']}, {told['alarms']} false alarms"
    return f"{name}: begun {told['begun']}/{films}, moves right {share}, wrong {told['wrong']}, {slips}"


def shows_its_moves(slug: str) -> bool:
    """Whether a film can tell what was played: nobody sees a claim on the table."""
    return isinstance(game(slug), Draws) and not isinstance(game(slug), Clocked)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--films", type=int, default=5, help="of each game")
    parser.add_argument("--first", type=int, default=0, help="the number of each game's first film")
    parser.add_argument("--moves", type=int, default=MOVES)
    add_take(parser, RATE)
    parser.add_argument("--aslant", action="store_true", help="by a camera beside the table, 35 to 50 degrees aslant")
    parser.add_argument("--only", default="", help="the games, parted by commas")
    parser.add_argument("--log", type=Path)
    args = parser.parse_args()
    cv2.setNumThreads(1)
    shown = [slug for slug in slugs() if shows_its_moves(slug)]
    names = args.only.split(",") if args.only else shown
    if unknown := sorted({*names} - {*shown}):
        parser.error(f"no film shows {', '.join(unknown)}; there are {', '.join(shown)}")
    films, all_games = range(args.first, args.first + args.films), Counter[str]()
    log = Log(args.log, "course", "pipsight")
    for slug, told in measured(names, films, args.moves, Take.of(args), log, aslant=args.aslant):
        print(line(slug, told, args.films), flush=True)
        all_games.update(told)
    print(line("all", all_games, args.films * len(names)))


if __name__ == "__main__":
    main()
