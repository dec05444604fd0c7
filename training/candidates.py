"""What the detector proposes on rendered scenes: the reader learns from these very places, right ones and wrong ones.

python -m training.candidates SCENES
"""

from __future__ import annotations

import argparse
import json
import os
import sys
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from pathlib import Path

import cv2
import numpy as np

from training.scenes import candidates_of, load
from vision.detector import Detector
from vision.places import distinct

THRESHOLD = 0.15  # lower than in use, so that the reader meets places it will seldom be asked about


def _look_at_shard(listing: Path) -> None:
    """Write the candidates of one shard beside its truth, at once or not at all."""
    cv2.setNumThreads(1)
    detector, lines = Detector(THRESHOLD), []
    shards = sorted(listing.parent.glob("shard*.jsonl"))
    at = shards.index(listing)
    for scene in load(listing.parent, slice(at, at + 1)):
        quads = [np.round(c.corners, 1).tolist() for c in distinct(detector.find(scene.image()).tiles)]
        lines.append(json.dumps(quads))
    draft = listing.with_suffix(".draft-candidates")
    draft.write_text("\n".join(lines) + "\n", encoding="utf-8")
    draft.replace(candidates_of(listing))


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
