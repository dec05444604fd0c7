"""A table found from nothing but the dominoes on it, as the wizard finds their corners."""

from __future__ import annotations

from collections.abc import Iterator
from copy import deepcopy
from dataclasses import replace
from functools import cache
from typing import Any

import numpy as np

from benchmarks.guided import laid_over
from calibration.lens import Lens
from calibration.plane import Plane
from calibration.rectangles import SeenTile
from pipsight.wizards.table_guide import LOOKS, FindTiles, TableGuide, TableWish, tile_finder
from training.arrangements import Arrangement, Lying
from training.lens import Lens as TrueLens
from training.lens import looking_down
from training.light import photographed
from training.look import Look
from training.render import lit
from training.samples import set_of
from training.solids import tile_box
from vision.camera import Frame
from vision.straighten import Image

SIZE = (1280, 720)
TILE_MM = 48.0
HALF_PX, FIELD_DEG = 38.0, 70.0
AREA_HALVES = (25.0, 16.7)  # 60 by 40 cm
COUNTS, TILTS_DEG = (12, 20, 28), (0.0, 15.0, 30.0, 45.0)

Rng = np.random.Generator


@cache
def finder() -> FindTiles:
    """What finds tiles as the wizard does, loaded once."""
    return tile_finder()


def found(number: int) -> dict[str, Any]:
    """How exact the table is that the dominoes of one rendered scene give: with a known lens, and without one."""
    rng = np.random.default_rng((29, number))
    tilt, count = TILTS_DEG[number % 4], COUNTS[number // 4 % 3]
    camera = looking_down(*SIZE, HALF_PX, tilt, float(rng.uniform(-20, 20)), FIELD_DEG)
    style = replace(set_of(number + 500), aspect=1.0)
    frames = list(filmed(Look(camera, style), scattered(count, (11.5, 7.4), rng), rng))
    lens, length = lens_of(camera), 2 * tile_box(style, 0, 0, 0).along * TILE_MM / 2
    told: dict[str, Any] = {"tilt": tilt, "laid": count}
    seen: dict[bytes, list[SeenTile]] = {}  # both wizards look at the same picture

    def find(image: Image) -> list[SeenTile]:
        key = image.tobytes()
        if key not in seen:
            seen[key] = finder()(image)
        return seen[key]

    for name, known in (("lens", lens), ("none", None)):
        guide = TableGuide(TableWish(by="tiles", tile_mm=length), known, find)
        *_, last = guide.steps(frames)
        plane = guide.plane if last.state == "done" else None
        told[name] = error_mm(plane, camera, known, style.thickness, to_scale=True)
        told[f"{name} shape"] = error_mm(plane, camera, known, style.thickness, to_scale=False)
    return told


def filmed(look: Look, laid: Arrangement, rng: Rng) -> Iterator[Frame]:
    """As many frames of a still table as the wizard wants, each with a noise of its own."""
    scene, _ = lit(look, laid, rng)
    grain = rng.spawn(1)[0]
    for number in range(LOOKS):
        yield Frame(photographed(scene, deepcopy(rng), grain), number / 30)


def error_mm(plane: Plane | None, camera: TrueLens, lens: Lens | None, thickness: float, *, to_scale: bool) -> float:
    """What 95% of the play area's points keep below, at the height of the tiles' faces; infinite without a plane."""
    if plane is None:
        return float("inf")
    across, down = (np.linspace(-0.5, 0.5, n) * side for n, side in zip((25, 17), AREA_HALVES, strict=True))
    true = np.stack(np.meshgrid(across, down), axis=-1).reshape(-1, 2)
    pixels = camera.project(np.column_stack([true, np.full(len(true), thickness)]))
    there = plane.to_table(pixels, lens)
    return float(np.percentile(laid_over(there, true * TILE_MM / 2, to_scale=to_scale), 95))


def scattered(count: int, reach: tuple[float, float], rng: Rng) -> Arrangement:
    """Dominoes lying anyhow and apart, within so many halves of the middle."""
    tiles: list[Lying] = []
    while len(tiles) < count:
        x, y = (float(v) for v in rng.uniform(-np.array(reach), reach))
        if all(np.hypot(x - t.x, y - t.y) > 2.3 for t in tiles):
            head, tail = (int(v) for v in rng.integers(0, 7, 2))
            tiles.append(Lying(x, y, float(rng.uniform(0, 360)), head, tail))
    return tuple(tiles)


def lens_of(camera: TrueLens) -> Lens:
    """The rendering camera's lens as calibration has it; it has straight lines."""
    focal, middle = camera.focal_px, (camera.width / 2, camera.height / 2)
    matrix = ((focal, 0.0, middle[0]), (0.0, focal, middle[1]), (0.0, 0.0, 1.0))
    return Lens((camera.width, camera.height), matrix, (0.0,) * 5)
