"""How well dominoes are read, on a folder of labelled pictures or on rendered scenes.

python -m benchmarks.reading --photos FOLDER        # FOLDER/labels.json names the pictures and their truth
python -m benchmarks.reading --rendered 500         # seeded scenes of our own
"""

from __future__ import annotations

import argparse
import json
import sys
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks.scoring import Label, LabelledTile, Tally, score
from training.render import random_scene
from training.truth import TrueTile, Truth
from vision.picture import load
from vision.reader import Reader
from vision.scene import Scene
from vision.straighten import Image

HIDDEN = 0.97  # tiles of which less is seen are scored neither as right nor as wrong
READABLE_PX = 36.0


def labelled(folder: Path) -> Iterator[tuple[Label, Image]]:
    """The pictures of FOLDER/labels.json whose labels are sure."""
    for one in json.loads((folder / "labels.json").read_text(encoding="utf-8")):
        path = folder / one["image"]
        if one.get("sure", True) and path.exists():
            yield _label(one), load(path)


def _label(one: dict[str, Any]) -> Label:
    tiles = tuple(LabelledTile(_pair(t["pips"]), tuple(t["a"]), tuple(t["b"])) for t in one.get("tiles") or ())
    optional = [
        o if isinstance(o, list) else o["pips"] for o in (one.get("optional") or []) + (one.get("standing") or [])
    ]
    tags = one.get("conditions", "")
    touching = "touching" if "touching" in tags and "not touching" not in tags else "apart"
    source = f"source {one['image'].split('__')[0]}"
    groups = ("ALL", source, touching, one.get("difficulty", "?")) if tiles else ("NO DOMINOES",)
    return Label(
        one["image"],
        _pair(one["size"]),
        tiles,
        tuple(tuple(p) for p in one.get("face_down_at") or ()),
        tuple(_pair(o) for o in optional),
        tuple(one.get("roi") or ()),
        tuple(tuple(r) for r in one.get("ignore") or ()),
        float(one.get("tile_px") or 0),
        groups,
    )


def _pair(values: Any) -> tuple[int, int]:
    return int(values[0]), int(values[1])


def rendered(count: int, seed: int) -> Iterator[tuple[Label, Image]]:
    """Seeded scenes that no network was trained on."""
    for k in range(count):
        image, truth = random_scene(np.random.default_rng((seed, k)))
        yield label_of(f"rendered {k}", truth), image


def label_of(name: str, truth: Truth) -> Label:
    """A rendered scene's truth as a label; tiles that are hidden or too small to read are left out of the score."""
    clear = [t for t in truth.tiles if t.visible >= HIDDEN and _length(t) >= READABLE_PX]
    fronts = tuple(LabelledTile(t.pips, *_halves(t)) for t in clear if t.face_up)
    backs = tuple(_middle(t) for t in clear if not t.face_up)
    blurred = tuple(_box(t) for t in truth.tiles if t not in clear)
    length = float(np.median([_length(t) for t in clear])) if clear else 0.0
    return Label(
        name,
        truth.size_px,
        fronts,
        backs,
        ignore=blurred,
        tile_px=length,
        groups=("ALL",) if fronts else ("NO DOMINOES",),
    )


def _halves(t: TrueTile) -> tuple[tuple[float, float], tuple[float, float]]:
    c = np.asarray(t.corners_px)
    head, tail = c[:2].mean(axis=0), c[2:].mean(axis=0)
    a, b = 0.75 * head + 0.25 * tail, 0.25 * head + 0.75 * tail
    return (float(a[0]), float(a[1])), (float(b[0]), float(b[1]))


def _middle(t: TrueTile) -> tuple[float, float]:
    m = np.asarray(t.corners_px).mean(axis=0)
    return float(m[0]), float(m[1])


def _box(t: TrueTile) -> tuple[float, ...]:
    c = np.asarray(t.corners_px)
    return (*(float(v) for v in c.min(axis=0)), *(float(v) for v in c.max(axis=0)))


def _length(t: TrueTile) -> float:
    c = np.asarray(t.corners_px)
    return float(np.linalg.norm(c[2:].mean(axis=0) - c[:2].mean(axis=0)))


def measure(pictures: Iterator[tuple[Label, Image]], each: bool) -> dict[str, Tally]:
    """Read every picture and count, by group."""
    reader, tallies = Reader(), defaultdict[str, Tally](Tally)
    for k, (label, image) in enumerate(pictures):
        scene: Scene = reader.read(image)
        n = score(label, scene.tiles)
        for group in label.groups:
            tallies[group].n.update(n)
        if each and not n["exact"]:
            print(f"{label.image:50} right {n['right']}/{n['tiles']} spurious {n['spurious']} silent {n['silent']}")
        print(f"\r{k + 1} pictures", end="", file=sys.stderr, flush=True)
    print(file=sys.stderr)
    return tallies


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--photos", type=Path)
    parser.add_argument("--rendered", type=int, default=0)
    parser.add_argument("--seed", type=int, default=1_000_003)
    parser.add_argument("--each", action="store_true", help="a line for each picture that is not exactly right")
    args = parser.parse_args()
    pictures = labelled(args.photos) if args.photos else rendered(args.rendered or 100, args.seed)
    tallies = measure(pictures, args.each)
    for group in sorted(tallies, key=lambda g: (g != "ALL", g)):
        print(f"\n{group}: " + "\n".join(tallies[group].lines()))


if __name__ == "__main__":
    main()
