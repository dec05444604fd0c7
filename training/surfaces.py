"""What dominoes lie on: real surfaces (credited in backgrounds/index.json), plain colours, printed cloth."""

from __future__ import annotations

import json
from functools import lru_cache
from pathlib import Path
from zlib import crc32

import cv2
import numpy as np
from numpy.typing import NDArray

from training.lens import Lens

Rng = np.random.Generator
Image = NDArray[np.uint8]

SPLITS = ("tuning", "judging")
LEARNING = "learning"  # hands that networks learn from: as those of the tuning split, and moving in more ways
FOLDER = Path(__file__).parent / "backgrounds"


@lru_cache(maxsize=1)
def _index() -> dict[str, tuple[str, ...]]:
    listed = json.loads((FOLDER / "index.json").read_text(encoding="utf-8"))
    kinds = sorted({str(one["kind"]) for one in listed})
    return {kind: tuple(str(one["file"]) for one in listed if one["kind"] == kind) for kind in kinds}


@lru_cache(maxsize=512)
def picture(name: str) -> Image:
    """A picture of training/backgrounds by its name there, blue, green, red and alpha where it has some."""
    image = cv2.imread(str(FOLDER / name), cv2.IMREAD_UNCHANGED)
    if image is None:
        raise FileNotFoundError(f"the background {name} is missing or damaged: restore training/backgrounds")
    if image.ndim == 2:
        image = cv2.cvtColor(image, cv2.COLOR_GRAY2BGR)
    return np.asarray(image, np.uint8)


def texture(rng: Rng, kinds: tuple[str, ...] = ("surface", "swatch"), split: str = "") -> Image:
    """A surface, at random; split: "tuning" or "judging", which share none, or any.

    Learners see those to tune on.
    """
    names = _index()[kinds[int(rng.integers(0, len(kinds)))]]
    if split:
        names = tuple(name for name in names if SPLITS[crc32(name.encode()) % 2] == split_of(split))
    return picture(names[int(rng.integers(0, len(names)))])[..., :3]


def split_of(split: str) -> str:
    """Which of SPLITS one takes its hands, tones, cloths and tables from."""
    return "tuning" if split == LEARNING else split


def hand(rng: Rng) -> Image:
    """A hand with its arm, blue, green, red, alpha."""
    names = _index()["hand"]
    return picture(names[int(rng.integers(0, len(names)))])


def recolored(image: Image, rng: Rng) -> Image:
    """Another colour and lightness of the same material."""
    hsv = cv2.cvtColor(image, cv2.COLOR_BGR2HSV).astype(np.float32)
    hsv[..., 0] = (hsv[..., 0] + rng.uniform(0, 180)) % 180
    hsv[..., 1] = np.clip(hsv[..., 1] * rng.uniform(0.2, 1.8) + rng.uniform(-20, 60), 0, 255)
    hsv[..., 2] = np.clip(hsv[..., 2] * rng.uniform(0.25, 1.5) + rng.uniform(-30, 50), 0, 255)
    return np.asarray(cv2.cvtColor(hsv.astype(np.uint8), cv2.COLOR_HSV2BGR), np.uint8)


def _laid_flat(image: Image, lens: Lens, rng: Rng, reach: float) -> Image:
    """The texture spread over the table plane, seen through the lens, mirrored where it ends."""
    span = reach * float(rng.uniform(0.5, 2.5))
    corners = np.array([[-span, -span, 0], [span, -span, 0], [span, span, 0], [-span, span, 0]])
    seen = lens.project(corners).astype(np.float32)
    h, w = image.shape[:2]
    flat = np.array([[0, 0], [w, 0], [w, h], [0, h]], np.float32)
    warp = cv2.getPerspectiveTransform(flat, seen)
    return np.asarray(
        cv2.warpPerspective(
            image, warp, (lens.width, lens.height), flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REFLECT
        ),
        np.uint8,
    )


def _plain(lens: Lens, rng: Rng) -> Image:
    level = float(rng.choice([rng.uniform(0, 40), rng.uniform(40, 200), rng.uniform(190, 250)]))
    color = np.clip(level + rng.normal(0, 25, 3) * rng.random(), 0, 255)
    image = np.empty((lens.height, lens.width, 3), np.float32)
    image[:] = color
    coarse = rng.normal(0, rng.uniform(0, 8), (12, 12)).astype(np.float32)
    image += cv2.resize(coarse, (lens.width, lens.height), interpolation=cv2.INTER_CUBIC)[..., None]
    return np.clip(image, 0, 255).astype(np.uint8)


def _printed(image: Image, rng: Rng) -> Image:
    """Dots, stripes, grids and letters printed on the surface: none of them is a pip or a tile."""
    kind = rng.choice(["dots", "lines", "grid", "text"])
    ink = tuple(float(v) for v in rng.integers(0, 256, 3))
    h, w = image.shape[:2]
    step = int(rng.integers(14, 90))
    out = image.copy()
    if kind == "dots":
        r = max(1, int(step * rng.uniform(0.08, 0.35)))
        for y in range(int(rng.integers(0, step)), h, step):
            for x in range((y // step % 2) * step // 2, w, step):
                cv2.circle(out, (x, y), r, ink, -1, cv2.LINE_AA)
    elif kind in ("lines", "grid"):
        thick = int(rng.integers(1, 6))
        for k in range(int(rng.integers(0, step)), max(h, w), step):
            cv2.line(out, (k, 0), (k, h), ink, thick)
            if kind == "grid":
                cv2.line(out, (0, k), (w, k), ink, thick)
    else:
        for _ in range(int(rng.integers(2, 30))):
            word = "".join(chr(int(c)) for c in rng.integers(33, 126, int(rng.integers(1, 12))))
            at = (int(rng.integers(-40, w)), int(rng.integers(0, h)))
            cv2.putText(
                out,
                word,
                at,
                int(rng.integers(0, 8)),
                float(rng.uniform(0.4, 2.5)),
                ink,
                int(rng.integers(1, 5)),
                cv2.LINE_AA,
            )
    return out


def drawn_table(lens: Lens, rng: Rng) -> Image:
    """An empty table without any picture of a real one: plain, or with something printed on it."""
    image = _plain(lens, rng)
    return _printed(image, rng) if rng.random() < 0.5 else image


def table(lens: Lens, rng: Rng, reach: float, split: str = "") -> Image:
    """An empty table under the lens; reach is about how far, in halves, the view extends; split as of `texture`."""
    kind = rng.choice(["surface", "tabletop", "plain", "recolored"], p=[0.34, 0.16, 0.24, 0.26])
    if kind == "plain":
        image = _plain(lens, rng)
    elif kind == "tabletop":
        whole = texture(rng, ("tabletop",), split)
        image = np.asarray(cv2.resize(whole, (lens.width, lens.height), interpolation=cv2.INTER_AREA), np.uint8)
    else:
        image = texture(rng, split=split)
        if rng.random() < 0.15:
            image = _printed(np.asarray(cv2.resize(image, (640, 640)), np.uint8), rng)
        image = _laid_flat(recolored(image, rng) if kind == "recolored" else image, lens, rng, reach)
    if rng.random() < 0.1:
        image = _printed(image, rng)
    if rng.random() < 0.2:  # the table ends, and a floor or another cloth begins
        other = _laid_flat(texture(rng, split=split), lens, rng, reach)
        at, way = rng.uniform(0.05, 0.95, 2) * (lens.width, lens.height), rng.uniform(0, 2 * np.pi)
        y, x = np.mgrid[0 : lens.height, 0 : lens.width]
        beyond = (x - at[0]) * np.cos(way) + (y - at[1]) * np.sin(way) > 0
        image = np.where(beyond[..., None], other, image)
    return np.asarray(image, np.uint8)
