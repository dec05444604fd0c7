"""How well dominoes are read, on a folder of labelled pictures or on rendered scenes.

    python -m benchmarks.reading --photos FOLDER        # FOLDER/labels.json names the pictures and their truth
    python -m benchmarks.reading --rendered 500         # seeded scenes of our own
    python -m benchmarks.reading --rendered 200 --holding lookalikes    # beside things with dots that are none
    python -m benchmarks.reading --rendered 200 --holding upon --seen aslant    # pieces upon dominoes, as from a chair
    python -m benchmarks.reading --photos FOLDER --worse    # the same in bad light, out of focus, from farther away

With --log FILE each picture's counts are kept as they come, and a run that was stopped goes on from there.
"""

from __future__ import annotations

import argparse
import sys
from collections import Counter, defaultdict
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from benchmarks.changes import worse
from benchmarks.log import Log
from benchmarks.pictures import Picture, labelled, rendered
from benchmarks.scoring import Tally, score
from training.scenes import HOLDING, SEEN
from vision.reader import Reader


def measure(pictures: Iterator[Picture], each: bool, log: Log) -> dict[str, Tally]:
    """Read every picture and count, by group."""
    reader, tallies = Reader(), defaultdict[str, Tally](Tally)
    for k, picture in enumerate(pictures):
        known = log.get(picture.key) or _read(reader, picture, log)
        groups, n = known["groups"], Counter(known["counts"])
        for group in groups:
            tallies[group].n.update(n)
        if each and not n["exact"]:
            told = f"right {n['right']}/{n['tiles']} spurious {n['spurious']} silent {n['silent']}"
            print(f"{Path(picture.name).name:50} {told}")
        print(f"\r{k + 1} pictures", end="", file=sys.stderr, flush=True)
    print(file=sys.stderr)
    return tallies


def _read(reader: Reader, picture: Picture, log: Log) -> dict[str, Any]:
    label, image = picture.take()
    scene = reader.read(image)
    told = {"groups": label.groups, "counts": score(label, scene.tiles, scene.dice)}
    log.add(picture.key, told)
    return told


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--photos", type=Path)
    parser.add_argument("--rendered", type=int, default=0)
    parser.add_argument("--seed", type=int, default=1_000_003)
    parser.add_argument("--holding", choices=HOLDING, help="only rendered scenes in which there are some")
    parser.add_argument("--seen", choices=SEEN, help="rendered scenes by a camera that zooms in, or aslant")
    parser.add_argument("--worse", action="store_true", help="every picture made worse in every way, counted by way")
    parser.add_argument("--each", action="store_true", help="a line for each picture that is not exactly right")
    parser.add_argument("--log", type=Path, help="keep each picture's counts in this file, and go on from it")
    args = parser.parse_args()
    scenes = rendered(args.rendered or 100, args.seed, args.holding, args.seen)
    pictures = labelled(args.photos) if args.photos else scenes
    tallies = measure(worse(pictures) if args.worse else pictures, args.each, Log(args.log))
    for group in sorted(tallies, key=lambda g: (g != "ALL", g)):
        print(f"\n{group}: " + "\n".join(tallies[group].lines()))


if __name__ == "__main__":
    main()
