"""A table found from nothing but the dominoes on it, as the wizard finds their corners."""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from typing import Any

import numpy as np

from benchmarks.guided import laid_over
from calibration.lens import Lens
from calibration.rectangles import RectangleFit, plane_from_tiles
from pipsight.table_guide import FindTiles, tile_finder
from training.arrangements import Arrangement, Lying
from training.lens import Lens as TrueLens
from training.lens import looking_down
from training.look import Look
from training.render import render
from training.samples import set_of
from training.solids import tile_box

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
    image, _ = render(Look(camera, style), scattered(count, (11.5, 7.4), rng), rng)
    seen, uncertain = finder()(image)
    lens, length = lens_of(camera), 2 * tile_box(style, 0, 0, 0).along * TILE_MM / 2
    told: dict[str, Any] = {"tilt": tilt, "laid": count, "found": len(seen)}
    fits = {name: plane_from_tiles(seen, known, length, uncertain) for name, known in (("lens", lens), ("none", None))}
    for name, fit in fits.items():
        used = lens if name == "lens" else None
        told[name] = error_mm(fit, camera, used, style.thickness, to_scale=True)
        told[f"{name} shape"] = error_mm(fit, camera, used, style.thickness, to_scale=False)
    return told


def error_mm(fit: RectangleFit, camera: TrueLens, lens: Lens | None, thickness: float, *, to_scale: bool) -> float:
    """What 95% of the play area's points keep below, at the height of the tiles' faces; infinite without a plane."""
    if fit.plane is None:
        return float("inf")
    across, down = (np.linspace(-0.5, 0.5, n) * side for n, side in zip((25, 17), AREA_HALVES, strict=True))
    true = np.stack(np.meshgrid(across, down), axis=-1).reshape(-1, 2)
    pixels = camera.project(np.column_stack([true, np.full(len(true), thickness)]))
    there = fit.plane.to_table(pixels, lens)
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
