"""What the detector proposes on rendered scenes: the readers learn from these very places, right ones and wrong ones.

python -m training.candidates SCENES
"""

from __future__ import annotations

import argparse
import json
import os
import sys
from collections.abc import Iterable
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from pathlib import Path

import cv2
import numpy as np

from training.scenes import candidates_of, load
from vision import peaks
from vision.detector import Detector

THRESHOLD = 0.15  # lower than in use, so that the reader meets places it will seldom be asked about


def _look_at_shard(listing: Path) -> None:
    """Write the candidates of one shard beside its truth, at once or not at all."""
    cv2.setNumThreads(1)
    detector, lines = Detector(THRESHOLD), []
    shards = sorted(listing.parent.glob("shard*.jsonl"))
    at = shards.index(listing)
    for scene in load(listing.parent, slice(at, at + 1)):
        found = detector.find(scene.image())
        dice = peaks.distinct(tuple(s for s in found.pieces if s.kind == "die"))
        lines.append(json.dumps({"tiles": _corners(peaks.one_a_tile(found.tiles)), "dice": _corners(dice)}))
    draft = listing.with_suffix(".draft-candidates")
    draft.write_text("\n".join(lines) + "\n", encoding="utf-8")
    draft.replace(candidates_of(listing))


def _corners(places: Iterable[peaks.Candidate | peaks.Spot]) -> list[list[list[float]]]:
    return [np.round(place.corners, 1).tolist() for place in places]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("scenes", type=Path)
    parser.add_argument("--workers", type=int, default=os.cpu_count() or 1)
    args = parser.parse_args()
    todo = [p for p in sorted(args.scenes.glob("shard*.jsonl")) if not candidates_of(p).exists()]
    with ProcessPoolExecutor(args.workers, mp_context=get_context("spawn")) as pool:
        for k, _ in enumerate(pool.map(_look_at_shard, todo)):
            print(f"\r{k + 1} of {len(todo)} shards", end="", file=sys.stderr, flush=True)
    print(file=sys.stderr)


if __name__ == "__main__":
    main()
