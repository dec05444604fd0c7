"""Guided runs on rendered cameras: somebody with a hand that shakes follows the guide, then lays the sheet down."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any

import numpy as np

from calibration.lens import Lens, Points, as_matrix
from calibration.plane import Plane
from pipsight.guide import LensGuide
from pipsight.wizards.table_guide import TableGuide
from training.sheet_holder import Holder
from training.sheet_video import Eye, Pose, Stage, laid, looking_at_table, page_pose
from vision.camera import Frame

RATE = 8.0  # frames a second that are looked at; a live guide sees more of them
EXPOSURE_S = 0.008
LONGEST_S = 55.0  # the table takes the rest of a minute
TILTS_DEG = (0.0, 22.0, 45.0)
AREA_MM = (600.0, 400.0)
LENSES = ((60.0, 0.97), (70.0, 0.9), (80.0, 0.95), (90.0, 0.75), (105.0, 0.6), (120.0, 0.45), (120.0, 0.85))
"""How wide a camera sees from left to right, in degrees, and its curve: 1 for straight lines, less for a fisheye."""


@dataclass(frozen=True)
class Case:
    """One simulated camera and person."""

    number: int
    size_px: tuple[int, int] = (960, 540)

    @property
    def name(self) -> str:
        """What the run is kept under."""
        return f"{self.number} at {self.size_px[0]}x{self.size_px[1]}"

    def eye(self, rng: np.random.Generator) -> Eye:
        """The camera: the lenses in turn, each with flaws of its own that grow with its width."""
        field, curve = LENSES[self.number % len(LENSES)]
        flaw = (field / 60) ** 2
        return Eye(
            self.size_px,
            field,
            curve,
            float(rng.uniform(-0.003, 0.003) * flaw),
            (float(rng.uniform(-0.003, 0.003)), float(rng.uniform(-0.003, 0.003))),
            (float(rng.uniform(-0.01, 0.01) * self.size_px[0]), float(rng.uniform(-0.01, 0.01) * self.size_px[0])),
        )


def lens_run(case: Case) -> dict[str, Any]:
    """What came of a guided run: the camera, the seconds it took, the views, the lens, and the error it promised."""
    rng = np.random.default_rng((17, case.number))
    eye = case.eye(rng)
    guide, seconds = guided(eye, rng)
    lens = asdict(guide.lens) if guide.lens else None
    told = {"field": eye.field_deg, "curve": eye.curve, "seconds": seconds, "views": len(guide.views)}
    return told | {"lens": lens, "promised": guide.error_mm, "coverage": guide.coverage.share}


def table_run(case: Case, tilt_deg: float, told: dict[str, Any]) -> dict[str, float]:
    """How exact the table is that is found through a lens from a guided run, by a camera so far aslant."""
    eye = case.eye(np.random.default_rng((17, case.number)))
    return found_table(eye, tilt_deg, lens_of(told), np.random.default_rng((23, case.number, round(tilt_deg))))


def lens_of(told: dict[str, Any]) -> Lens:
    """A lens as it was kept."""
    kept = told["lens"]
    size = (int(kept["size_px"][0]), int(kept["size_px"][1]))
    numbers = (tuple(kept["distortion"]), kept["model"], kept["rms_px"], tuple(kept["deviations"]))
    return Lens(size, as_matrix(kept["matrix"]), *numbers)


def guided(eye: Eye, rng: np.random.Generator) -> tuple[LensGuide, float]:
    """The lens guide after somebody followed it, and how long that took.

    Frames in which the sheet is on its way, too blurred to be taken, are left out to save time.
    """
    table = looking_at_table(eye, 15.0)
    stage, holder = Stage(eye, table, rng), Holder(eye, laid(table, 0, 0), rng)
    guide, time_s = LensGuide(), 0.0
    while time_s < LONGEST_S:
        poses = [page_pose(holder.squares(time_s + late)) for late in (0.0, EXPOSURE_S)]
        step = guide.see(Frame(stage.frame(*poses), time_s))
        if step.over:
            break
        if step.outline_px is not None:
            holder.ask(step.outline_px, time_s)
        time_s = max(time_s + 1 / RATE, holder.there_s - 1 / RATE)
    return guide, time_s


def found_table(eye: Eye, tilt_deg: float, lens: Lens, rng: np.random.Generator) -> dict[str, float]:
    """How exact the table is that the guide finds from the sheet lying about its middle."""
    table = looking_at_table(eye, tilt_deg, AREA_MM)
    (x, y), angle = rng.uniform(-25, 25, 2), float(rng.uniform(-12, 12))
    squares = laid(table, float(x), float(y), angle)
    stage, page = Stage(eye, table, rng), page_pose(squares)
    guide, time_s = TableGuide(lens=lens), 0.0
    while guide.plane is None and time_s < 5:
        guide.see(Frame(stage.frame(page), time_s))
        time_s += 1 / RATE
    if guide.plane is None:
        return {"tilt": tilt_deg, "error": float("inf"), "most": float("inf"), "seconds": time_s}
    missed = table_errors_mm(eye, table, guide.plane, lens)
    return {
        "tilt": tilt_deg,
        "error": float(np.percentile(missed, 95)),
        "most": float(missed.max()),
        "seconds": time_s,
    }


def table_errors_mm(eye: Eye, table: Pose, plane: Plane, lens: Lens | None) -> Points:
    """How far points all over the play area are from where the plane has them, (n,), in millimetres.

    Which point and direction count as zero is free, so the two grids are laid over each other as they fit best.
    """
    across, down = (np.linspace(-0.5, 0.5, n) * side for n, side in zip((25, 17), AREA_MM, strict=True))
    true = np.stack(np.meshgrid(across, down), axis=-1).reshape(-1, 2)
    found = plane.to_table(eye.pixels(table.solid(true)), lens)
    return laid_over(found, true, to_scale=True)


def laid_over(found: Points, true: Points, *, to_scale: bool) -> Points:
    """The distances (n,) between points (n, 2) and the true ones, once turned and shifted to fit best (Procrustes)."""
    ours, theirs = found - found.mean(axis=0), true - true.mean(axis=0)
    left, sizes, right = np.linalg.svd(ours.T @ theirs)
    scale = 1.0 if to_scale else float(sizes.sum() / (ours**2).sum())
    return np.asarray(np.linalg.norm(scale * ours @ left @ right - theirs, axis=1), np.float64)
