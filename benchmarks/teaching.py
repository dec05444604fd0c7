"""What teaching a set brings: rendered odd sets, each taught by two pictures, read before and after on fresh tables.

    python -m benchmarks.teaching --log build/teaching.jsonl

Also what a set brings that keeps its layouts and colours but no pictures. With --log a run that was stopped goes on
where it was.
"""

from __future__ import annotations

import argparse
import math
import sys
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import cv2

from benchmarks.log import Log
from benchmarks.pictures import label_of
from benchmarks.scoring import Label, score, wilson
from calibration.tileset import TileSet, drawn
from pipsight.teaching import Question, Taught, teach
from rules.domino import Domino
from training.odd_faces import OddSet
from training.odd_sets import odd_sets
from training.odd_tables import fresh_table, laid_out
from vision.lessons import Shown
from vision.reader import Reader
from vision.scene import Scene
from vision.taught import each_once

SEEDS = 20_261  # of the first set's tables; each further set has the next one
WAYS = ("before", "after", "layouts")


class Truthful:
    """Answers what it is asked by the truth of the pictures."""

    def __init__(self, labels: Sequence[Label]) -> None:
        self._labels = labels

    def which(self, question: Question) -> tuple[int, int] | None:
        """The numbers of the labelled tile that lies there, head first."""
        (ax, ay), (bx, by) = question.tile.centers_px
        middle = ((ax + bx) / 2, (ay + by) / 2)
        for tile in self._labels[question.picture].tiles:
            if math.dist(middle, ((tile.a[0] + tile.b[0]) / 2, (tile.a[1] + tile.b[1]) / 2)) < tile.length_px / 4:
                turned = math.dist((ax, ay), tile.a) > math.dist((ax, ay), tile.b)
                return (tile.pips[1], tile.pips[0]) if turned else tile.pips
        return None

    def lacking(self, dominoes: Sequence[Domino]) -> Sequence[Domino]:
        """Those that are on no picture."""
        there = {Domino.of(*tile.pips) for label in self._labels for tile in label.tiles}
        return tuple(d for d in dominoes if d not in there)


def taught_by(odd: OddSet, seed: int, reader: Reader) -> tuple[Taught, Counter[str]]:
    """A set taught by two pictures, and how many of their tiles were named rightly."""
    shots = list(laid_out(odd, seed))
    labels = [label_of(odd.name, truth) for _, truth in shots]
    taught = teach((image for image, _ in shots), odd.name, odd.style.highest, Truthful(labels), reader)
    counts = Counter[str]()
    for label, named in zip(labels, taught.named, strict=True):
        counts += score(label, named)
    return taught, counts


def measure(odd: OddSet, seed: int, tables: int, reader: Reader) -> dict[str, Any]:
    """The counts of one set: its teaching, and its fresh tables read each of the WAYS."""
    taught, naming = taught_by(odd, seed, reader)
    told = {way: Counter[str]() for way in WAYS}
    ways: dict[str, tuple[TileSet, ...]] = {"before": (), "after": (taught.tiles,), "layouts": (plain(taught.tiles),)}
    for number in range(tables):
        image, truth = fresh_table(odd, seed, number)
        label, shot = label_of(odd.name, truth), Shown(reader, image, 0)
        for way, sets in ways.items():
            told[way] += score(label, _read(shot, sets).tiles)
        print(f"\r{odd.name}: table {number + 1} of {tables}  ", end="", file=sys.stderr, flush=True)
    return {"questions": taught.questions, "naming": naming, **told}


def _read(shot: Shown, sets: tuple[TileSet, ...]) -> Scene:
    return each_once(shot.scene(sets), sets)


def plain(tiles: TileSet) -> TileSet:
    """The set as its layouts and colours alone tell it."""
    halves = tuple(half if half.rows is None else drawn(half, tiles.pip_radius) for half in tiles.halves)
    return replace(tiles, halves=halves)


def lines(name: str, told: dict[str, Any]) -> list[str]:
    """The figures of one set, or of all."""
    naming = told["naming"]
    found = [f"{name}: named {naming['right']}/{naming['tiles']} by two pictures, asked {told['questions']}"]
    for way in WAYS:
        n = told[way]
        wrong = f"spurious {n['spurious']}  silent {n['silent']}"
        found.append(f"  {way:8} right {wilson(n['right'], n['tiles'])}  found {n['found']}  {wrong}")
    return found


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--tables", type=int, default=6, help="fresh tables for each set")
    parser.add_argument(
        "--only", nargs="+", choices=[odd.name for odd in odd_sets()], help="the names of the sets to measure"
    )
    parser.add_argument("--log", type=Path, help="keep each set's counts in this file, and go on from it")
    args = parser.parse_args()
    cv2.setNumThreads(1)
    reader, log = Reader(), Log(args.log, "naming", "pipsight")
    total: dict[str, Any] = {"questions": 0, "naming": Counter(), **{way: Counter() for way in WAYS}}
    for number, odd in enumerate(odd_sets()):
        if args.only and odd.name not in args.only:
            continue
        key = f"{odd.name} {SEEDS + number} {args.tables}"
        told = log.get(key)
        if told is None:
            told = measure(odd, SEEDS + number, args.tables, reader)
            log.add(key, told)
        told = {part: Counter(counts) if isinstance(counts, dict) else counts for part, counts in told.items()}
        print("\n".join(lines(odd.name, told)), flush=True)
        total["questions"] += told["questions"]
        for part in ("naming", *WAYS):
            total[part] += told[part]
    print("\n".join(lines("all", total)))


if __name__ == "__main__":
    main()
