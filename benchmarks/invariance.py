"""How many readings change though the table stays: turned by any angle, nearer or farther, compressed.

    python -m benchmarks.invariance --rendered 120
    python -m benchmarks.invariance --photos FOLDER

Counted are labelled tiles that are 45 pixels or longer in both pictures: read otherwise, found no more, or found anew.
With --log FILE each picture's counts are kept as they come, and a run that was stopped goes on from there.
"""

from __future__ import annotations

import argparse
import sys
from collections import Counter
from collections.abc import Iterable
from functools import partial
from pathlib import Path

import cv2
import numpy as np

from benchmarks.changes import Change, Rng, Shot, compressed, scaled, turned
from benchmarks.log import Log
from benchmarks.pictures import Picture, labelled, rendered
from benchmarks.scoring import Label, readings, wilson
from vision.reader import Reader
from vision.straighten import Image

SHORTEST_PX = 45.0
MOST_CHANGED = 0.01


def _anyhow(label: Label, image: Image, rng: Rng) -> Shot:
    return turned(label, image, float(rng.uniform(0, 360)))


def _by(factor: float, label: Label, image: Image, rng: Rng) -> Shot:
    return scaled(label, image, factor)


def _as_jpeg(label: Label, image: Image, rng: Rng) -> Shot:
    return label, compressed(image, 60)


CHANGES = (
    Change("turned by any angle", _anyhow),
    Change("turned by any other angle", _anyhow),
    Change("half as large", partial(_by, 0.5)),
    Change("0.7 times as large", partial(_by, 0.7)),
    Change("1.4 times as large", partial(_by, 1.4)),
    Change("twice as large", partial(_by, 2.0)),
    Change("JPEG quality 60", _as_jpeg),
)


def compare(reader: Reader, shot: Shot, seed: int = 0) -> Counter[str]:
    """For each change by its name the tiles that were compared, and under "... changed" those read otherwise."""
    label, image = shot
    before = readings(label, reader.read(image).tiles)
    counts: Counter[str] = Counter()
    for number, change in enumerate(CHANGES):
        other, picture = change.make(label, image, np.random.default_rng((seed, number)))
        long = [min(a.length_px, b.length_px) >= SHORTEST_PX for a, b in zip(label.tiles, other.tiles, strict=True)]
        if any(long):
            after = readings(other, reader.read(picture).tiles)
            counts[change.name] += sum(long)
            counts[f"{change.name} changed"] += sum(
                a != b for a, b, counted in zip(before, after, long, strict=True) if counted
            )
    return counts


def gathered(pictures: Iterable[Picture], log: Log) -> Counter[str]:
    """The counts over all pictures."""
    reader, total = Reader(), Counter[str]()
    for k, picture in enumerate(pictures):
        known = log.get(picture.key)
        counts = Counter(known["invariance"]) if known else compare(reader, picture.take(), k)
        if not known:
            log.add(picture.key, {"invariance": counts})
        total.update(counts)
        print(f"\r{k + 1} pictures", end="", file=sys.stderr, flush=True)
    print(file=sys.stderr)
    return total


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--photos", type=Path)
    parser.add_argument("--rendered", type=int, default=100)
    parser.add_argument("--seed", type=int, default=3_000_017)
    parser.add_argument("--log", type=Path, help="keep each picture's counts in this file, and go on from it")
    parser.add_argument("--threads", type=int, default=2)
    args = parser.parse_args()
    cv2.setNumThreads(args.threads)
    pictures = labelled(args.photos) if args.photos else rendered(args.rendered, args.seed)
    total = gathered(pictures, Log(args.log, "invariance"))
    print(f"readings that change (aim below {MOST_CHANGED:.0%} each)")
    for name in (change.name for change in CHANGES):
        told = wilson(total[f"{name} changed"], total[name]) if total[name] else "no tile is long enough"
        print(f"  {name:26} {told}")


if __name__ == "__main__":
    main()
