"""Pictures with their truth: labelled photographs from a folder, and rendered scenes from a seed."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Any

import cv2
import numpy as np

from benchmarks.scoring import Label, LabelledDie, LabelledTile
from training.render import random_scene
from training.truth import TrueTile, Truth
from vision.picture import load
from vision.quads import length_of
from vision.scene import Point
from vision.straighten import Image

READABLE_PX = 36.0
CLEAR_DIE = 0.9  # and dice of whose top face less is seen
LONG_PX = 45.0  # from this length on tiles are to be read well
DIM = 50.0  # levels of grey between light and dark, on the tiles of a scene that is too dark or too faint for most


@dataclass(frozen=True)
class Picture:
    """A picture to be measured: its name, and how to get its label and its pixels when its turn comes.

    state: tells it from another picture, or another label, that had the name before.
    """

    name: str
    take: Callable[[], tuple[Label, Image]]
    state: str = ""

    @property
    def key(self) -> str:
        """Under which a log keeps what was told of it."""
        return f"{self.name} {self.state}"


def labelled(folder: Path) -> Iterator[Picture]:
    """The pictures of FOLDER/labels.json whose labels are sure."""
    for one in json.loads((folder / "labels.json").read_text(encoding="utf-8")):
        path = folder / one["image"]
        if one.get("sure", True) and path.exists():
            yield Picture(str(path.resolve()), partial(_photograph, one, path), _state(one, path))


def _state(one: dict[str, Any], path: Path) -> str:
    return hashlib.sha256(json.dumps(one).encode() + path.read_bytes()).hexdigest()[:12]


def _photograph(one: dict[str, Any], path: Path) -> tuple[Label, Image]:
    return _label(one), load(path)


def _label(one: dict[str, Any]) -> Label:
    tiles = tuple(LabelledTile(_pair(t["pips"]), tuple(t["a"]), tuple(t["b"])) for t in one.get("tiles") or ())
    optional = [
        o if isinstance(o, list) else o["pips"] for o in (one.get("optional") or []) + (one.get("standing") or [])
    ]
    tags = one.get("conditions", "")
    touching = "touching" if "touching" in tags and "not touching" not in tags else "apart"
    source = f"source {one['image'].split('__')[0]}"
    dice = tuple(LabelledDie(int(d["value"]), tuple(d["c"])) for d in one.get("dice_at") or ())
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
        groups + (("DICE",) if dice else ()),
        dice,
    )


def _pair(values: Any) -> tuple[int, int]:
    return int(values[0]), int(values[1])


def rendered(count: int, seed: int, holding: str | None = None, seen: str | None = None) -> Iterator[Picture]:
    """Seeded scenes that no network was trained on; holding, seen: as of training.render.random_scene."""
    for k in range(count):
        name = f"rendered {seed} {seen + ' ' if seen else ''}{holding or ''}{k}"
        yield Picture(name, partial(_scene, seed, k, holding, seen))


def _scene(seed: int, k: int, holding: str | None, seen: str | None) -> tuple[Label, Image]:
    image, truth = random_scene(np.random.default_rng((seed, k)), holding=holding, seen=seen)
    label = label_of(f"rendered {k}", truth)
    return (replace(label, groups=("ALL", _kind(label, truth, image))) if label.tiles else label), image


def _kind(label: Label, truth: Truth, image: Image) -> str:
    """Whether a scene's tiles are large or small, and whether there is light to see them by."""
    on_tiles = np.zeros(image.shape[:2], np.uint8)
    for tile in truth.tiles:
        cv2.fillConvexPoly(on_tiles, np.round(tile.corners_px).astype(np.int32), (1,))
    dark, light = np.percentile(cv2.cvtColor(image, cv2.COLOR_BGR2GRAY)[on_tiles > 0], (5, 90))
    size = f"tiles of {LONG_PX:.0f} px or more" if label.tile_px >= LONG_PX else "smaller tiles"
    return f"{size}, {'dim' if light - dark < DIM else 'in light'}"


def label_of(name: str, truth: Truth) -> Label:
    """A rendered scene's truth as a label; tiles that are hidden or too small to read are left out of the score."""
    clear = [t for t in truth.tiles if t.clear and _length(t) >= READABLE_PX]
    fronts = tuple(LabelledTile(t.pips, *_halves(t)) for t in clear if t.face_up)
    backs = tuple(_middle(t) for t in clear if not t.face_up)
    dice = [d for d in truth.dice if d.visible >= CLEAR_DIE and _edge(d.corners_px) >= READABLE_PX / 4]
    blurred = tuple(_box(t.corners_px) for t in truth.tiles if t not in clear)
    blurred += tuple(_box(d.corners_px) for d in truth.dice if d not in dice)
    length = float(np.median([_length(t) for t in clear])) if clear else 0.0
    return Label(
        name,
        truth.size_px,
        fronts,
        backs,
        ignore=blurred,
        tile_px=length,
        groups=("ALL",) if fronts else ("NO DOMINOES",),
        dice=tuple(LabelledDie(d.value, d.center_px) for d in dice),
    )


def _halves(t: TrueTile) -> tuple[tuple[float, float], tuple[float, float]]:
    c = np.asarray(t.corners_px)
    head, tail = c[:2].mean(axis=0), c[2:].mean(axis=0)
    a, b = 0.75 * head + 0.25 * tail, 0.25 * head + 0.75 * tail
    return (float(a[0]), float(a[1])), (float(b[0]), float(b[1]))


def _middle(t: TrueTile) -> tuple[float, float]:
    m = np.asarray(t.corners_px).mean(axis=0)
    return float(m[0]), float(m[1])


def _edge(corners_px: tuple[Point, ...]) -> float:
    c = np.asarray(corners_px)
    return float(np.linalg.norm((c[2] + c[3] - c[0] - c[1]) / 2))


def _box(corners_px: tuple[Point, ...]) -> tuple[float, ...]:
    c = np.asarray(corners_px)
    return (*(float(v) for v in c.min(axis=0)), *(float(v) for v in c.max(axis=0)))


def _length(t: TrueTile) -> float:
    return length_of(np.asarray(t.corners_px))
