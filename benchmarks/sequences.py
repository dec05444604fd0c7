"""Whether what was laid between two photographs of one table is named, by the eyes that watch a live table.

    python -m benchmarks.sequences --photos FOLDER

Photographs whose label has a `sequence` (its id, and a step) show one table while a game goes on. Each is looked at for
some frames, as if it stood before the camera, and the dominoes that came and went since the one before are told.
"""

from __future__ import annotations

import argparse
import json
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from itertools import pairwise
from pathlib import Path

from benchmarks.pictures import Picture, labelled
from benchmarks.scoring import Label
from vision.scene import Scene
from vision.steady import Steady

FRAMES = 40  # of each photograph: what changed has settled by then, and was looked at more than once
Dominoes = Counter[tuple[int, ...]]


def sequences(folder: Path) -> dict[str, list[Picture]]:
    """The photographs of each sequence, in their order."""
    told = {one["image"]: one.get("sequence") for one in json.loads((folder / "labels.json").read_text("utf-8"))}
    found = defaultdict[str, list[tuple[int, Picture]]](list)
    for picture in labelled(folder):
        if sequence := told[Path(picture.name).name]:
            found[sequence["id"]].append((sequence["step"], picture))
    return {name: [picture for _, picture in sorted(steps, key=lambda step: step[0])] for name, steps in found.items()}


def followed(pictures: Sequence[Picture]) -> Iterator[tuple[Dominoes, Dominoes]]:
    """The dominoes that lie on each photograph, and those that were read on it."""
    steady, seen = Steady(), 0
    for picture in pictures:
        label, image = picture.take()
        for _ in range(FRAMES):
            scene = steady.see(image, seen / 30)
            seen += 1
        yield Counter(_named(*tile.pips) for tile in label.tiles), read(scene, label)


def read(scene: Scene, label: Label) -> Dominoes:
    """What was read within the part of the picture that is the table."""
    left, top, right, low = label.roi or (0, 0, *label.size)
    middles = [((a + c) / 2, (b + d) / 2) for (a, b), (c, d) in (tile.centers_px for tile in scene.tiles)]
    within = [left <= x <= right and top <= y <= low for x, y in middles]
    tiles = zip(scene.tiles, within, strict=True)
    return Counter(_named(*tile.pips) for tile, inside in tiles if inside and tile.face_up)


def _named(one: int, other: int) -> tuple[int, ...]:
    return tuple(sorted((one, other)))


def _said(dominoes: Dominoes) -> str:
    return " ".join(f"{low}-{high}" for low, high in sorted(dominoes.elements())) or "none"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--photos", type=Path, required=True)
    args = parser.parse_args()
    right = 0
    found = sequences(args.photos)
    for name, pictures in found.items():
        exact = True
        for (lay, was), (lies, is_read) in pairwise(followed(pictures)):
            fits = (is_read - was, was - is_read) == (lies - lay, lay - lies)
            exact = exact and fits
            told = f"{len(lies - lay)} laid" if fits else f"laid {_said(lies - lay)}; named {_said(is_read - was)}"
            print(f"  {name}: {told}; gone {_said(was - is_read)}{'' if fits else '  WRONG'}", flush=True)
        right += exact
        print(f"{name}: {'all named' if exact else 'not all right'}", flush=True)
    print(f"{right} of {len(found)} sequences")


if __name__ == "__main__":
    main()
