"""Scenes on disk: pictures and one line of truth each, rendered over all cores, resumable.

python -m training.scenes FOLDER --count 8000 --seed 1
python -m training.scenes FOLDER --count 3000 --seed 2 --holding tetrominoes     only scenes with some
python -m training.scenes FOLDER --count 2000 --seed 3 --without touching         to see what touching tiles teach
python -m training.scenes FOLDER --count 1000 --seed 4 --seen afar                by a camera that zooms in
python -m training.scenes FOLDER --count 1200 --seed 5 --holding lookalikes      beside things with dots
"""

from __future__ import annotations

import argparse
import json
import os
import sys
from collections.abc import Callable, Iterator
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, field
from functools import partial
from multiprocessing import get_context
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from training.look import WITHOUT
from training.render import AFAR, ASLANT, HOMEMADE, LOOKALIKES, STRAIGHTENED, random_scene
from training.truth import Truth, from_json

SHARD = 25
HOLDING = ("dice", "pawns", "tokens", "tetrominoes", "sheets", "board", "upon", HOMEMADE, LOOKALIKES)
SEEN = (AFAR, ASLANT, STRAIGHTENED)

Draw = Callable[[np.random.Generator], tuple[NDArray[np.uint8], Truth]]
NOWHERE = np.zeros((0, 4, 2), np.float32)


@dataclass(frozen=True)
class Scene:
    """One rendered picture, still compressed, its truth, and what a detector proposed there, corners (n, 4, 2) each."""

    jpeg: bytes
    truth: Truth
    proposed: NDArray[np.float32] = field(default_factory=lambda: NOWHERE)
    proposed_dice: NDArray[np.float32] = field(default_factory=lambda: NOWHERE)

    def image(self, halved: bool = False) -> NDArray[np.uint8]:
        """The picture, or one of half its size, which is quicker to unpack."""
        how = cv2.IMREAD_REDUCED_COLOR_2 if halved else cv2.IMREAD_COLOR
        return np.asarray(cv2.imdecode(np.frombuffer(self.jpeg, np.uint8), how), np.uint8)


def _render_shard(folder: Path, seed: int, shard: int, draw: Draw) -> None:
    """Write one shard; its truth last and at once, so that a cut-off shard is rendered again."""
    cv2.setNumThreads(1)
    lines = []
    for k in range(shard * SHARD, (shard + 1) * SHARD):
        image, truth = draw(np.random.default_rng((seed, k)))
        cv2.imwrite(str(folder / f"{k:06}.jpg"), image, [cv2.IMWRITE_JPEG_QUALITY, 95])
        lines.append(json.dumps({"image": f"{k:06}.jpg", **truth.as_json()}))
    draft = folder / f"shard{shard:05}.draft"
    draft.write_text("\n".join(lines) + "\n", encoding="utf-8")
    draft.replace(folder / f"shard{shard:05}.jsonl")


def make(
    folder: Path,
    count: int,
    seed: int,
    workers: int,
    first: int = 0,
    holding: str | None = None,
    without: str | None = None,
    seen: str | None = None,
) -> None:
    """Render `count` scenes into the folder, numbered from `first`; those already there stay.

    holding, without, seen: as of render.random_scene.
    """
    draw = partial(random_scene, holding=holding, without=without, seen=seen)
    folder.mkdir(parents=True, exist_ok=True)
    shards = [
        s for s in range(first // SHARD, -(-(first + count) // SHARD)) if not (folder / f"shard{s:05}.jsonl").exists()
    ]
    # Spawned, not forked: a fork of a process in which OpenCV's threads have run may wait for them for ever.
    with ProcessPoolExecutor(workers, mp_context=get_context("spawn")) as pool:
        jobs = [pool.submit(_render_shard, folder, seed, s, draw) for s in shards]
        for k, job in enumerate(jobs):
            job.result()
            print(f"\r{(k + 1) * SHARD} of {len(jobs) * SHARD} scenes", end="", file=sys.stderr, flush=True)
    print(file=sys.stderr)


def load(folder: Path, shards: slice = slice(None)) -> Iterator[Scene]:
    """The scenes of the shards that are complete, with what training.candidates has put beside them."""
    for listing in sorted(folder.glob("shard*.jsonl"))[shards]:
        lines = listing.read_text(encoding="utf-8").splitlines()
        beside = candidates_of(listing)
        proposed = beside.read_text(encoding="utf-8").splitlines() if beside.exists() else ["{}"] * len(lines)
        for line, places in zip(lines, proposed, strict=True):
            data, quads = json.loads(line), json.loads(places)
            tiles, dice = (np.asarray(quads.get(k, ()), np.float32).reshape(-1, 4, 2) for k in ("tiles", "dice"))
            yield Scene((folder / data["image"]).read_bytes(), from_json(data), tiles, dice)


def candidates_of(listing: Path) -> Path:
    """Where training.candidates keeps what the detector proposed on a shard's scenes."""
    return listing.with_name(listing.stem.replace("shard", "candidates") + ".json")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--count", type=int, default=8000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--workers", type=int, default=os.cpu_count() or 1)
    parser.add_argument("--holding", choices=HOLDING, help="only scenes in which there are some")
    parser.add_argument("--without", choices=WITHOUT, help="no scenes with this")
    parser.add_argument("--seen", choices=SEEN, help="by a camera that zooms in, or aslant, or that made straight")
    parser.add_argument("--first", type=int, default=0, help="the number of the first scene")
    args = parser.parse_args()
    make(args.folder, args.count, args.seed, args.workers, args.first, args.holding, args.without, args.seen)


if __name__ == "__main__":
    main()
