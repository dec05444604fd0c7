"""A lens from views of the sheet: a pinhole, a strongly bent pinhole or a fisheye, whichever explains them best."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

import cv2
import numpy as np

from calibration.certainty import spread_of
from calibration.lens import Lens, Model, Points, Size, as_matrix
from calibration.views import Pose, View, misses_px, pose_of, rms, solid

FEWEST_VIEWS = 3
FEWEST_FOR_BENT = 7  # the rational model has more unknowns than fewer views can settle, and takes its time
BAD_VIEW, BAD_VIEW_PX = 2.5, 0.35  # a view that misses by so many times the usual, and by so many pixels, is dropped
_TERMINATION = (cv2.TERM_CRITERIA_COUNT | cv2.TERM_CRITERIA_EPS, 100, 1e-9)


@dataclass(frozen=True, eq=False)
class LensFit:
    """A fitted lens and where the sheet lay in each view; or no lens, and why.

    dropped: the numbers of views that do not agree with the others: the sheet moved, was bent, or was misread.
    """

    lens: Lens | None
    reason: str = ""
    views: tuple[View, ...] = ()
    poses: tuple[Pose, ...] = ()
    dropped: tuple[int, ...] = ()


def fit_lens(views: Sequence[View], size_px: Size) -> LensFit:
    """The lens that explains views of the sheet best, for pictures of (width, height).

    Three models are fitted (Zhang's method, as OpenCV has it): a pinhole with five coefficients of distortion, one with
    the rational model's eight, and a fisheye with four. The one with the least Bayesian information criterion is kept.
    """
    kept, dropped = list(range(len(views))), []
    while True:
        if len(kept) < FEWEST_VIEWS:
            return LensFit(None, f"{FEWEST_VIEWS} good views of the sheet are needed, and {len(kept)} are there")
        lens = _best([views[k] for k in kept], size_px)
        if lens is None:
            return LensFit(None, "the views do not agree on any lens: keep the sheet flat and still, and start again")
        poses = [pose_of(views[k], lens) for k in kept]
        worst = _worst([views[k] for k in kept], poses, lens)
        if worst is None:
            break
        dropped.append(kept.pop(worst))
    found = tuple(pose for pose in poses if pose is not None)
    chosen = tuple(views[k] for k in kept)
    return LensFit(_with_spread(lens, chosen, found), "", chosen, found, tuple(dropped))


def _best(views: Sequence[View], size_px: Size) -> Lens | None:
    known = [(_badness(lens, views), lens) for lens in _candidates(views, size_px) if _sane(lens)]
    return min(known, key=lambda one: one[0])[1] if known else None


def _candidates(views: Sequence[View], size_px: Size) -> Iterator[Lens]:
    seen = [v.points_px.astype(np.float32) for v in views]
    known = [solid(v.points_mm).astype(np.float32) for v in views]
    models = (0, cv2.CALIB_RATIONAL_MODEL) if len(views) >= FEWEST_FOR_BENT else (0,)
    for flags in models:
        try:
            missed, matrix, bends, *_ = cv2.calibrateCamera(known, seen, size_px, None, None, flags=flags)
        except cv2.error:
            continue
        count = 8 if flags else 5
        yield Lens(size_px, as_matrix(matrix), tuple(float(b) for b in np.ravel(bends)[:count]), "pinhole", missed)
    fisheye = _fisheye(views, size_px)
    if fisheye:
        yield fisheye


def _fisheye(views: Sequence[View], size_px: Size) -> Lens | None:
    width, height = size_px
    guess = np.array([[width / 2.2, 0, (width - 1) / 2], [0, width / 2.2, (height - 1) / 2], [0, 0, 1]])
    known = [solid(v.points_mm)[None] for v in views]
    seen = [v.points_px[None] for v in views]
    flags = cv2.CALIB_RECOMPUTE_EXTRINSIC | cv2.CALIB_FIX_SKEW | cv2.CALIB_USE_INTRINSIC_GUESS
    try:
        missed, matrix, bends, *_ = cv2.fisheye.calibrate(
            known, seen, size_px, guess, np.zeros(4), flags=flags, criteria=_TERMINATION
        )
    except cv2.error:
        return None
    return Lens(size_px, as_matrix(matrix), tuple(float(b) for b in np.ravel(bends)), "fisheye", missed)


def _sane(lens: Lens) -> bool:
    """Whether a lens is one: its middle in the picture, and straightened pixels in the order of the seen ones."""
    width, height = lens.size_px
    (fx, _, cx), (_, fy, cy), _ = lens.matrix
    numbers = np.array([fx, fy, cx, cy, *lens.distortion])
    if not np.isfinite(numbers).all() or not (0.5 < fx / fy < 2 and 0 < cx < width and 0 < cy < height):
        return False
    rim = np.linspace(0, 1, 24)[:, None] * (
        np.array([[0, 0], [width, 0], [width, height], [0, height]])[:, None] - (cx, cy)
    )
    straight = lens.ideal(rim.reshape(-1, 2) + (cx, cy)).reshape(4, 24, 2) - (cx, cy)
    reach = np.linalg.norm(straight, axis=2)
    return bool(np.isfinite(reach).all() and (np.diff(reach, axis=1) > 0).all())


def _badness(lens: Lens, views: Sequence[View]) -> float:
    """The Bayesian information criterion: how badly the views fit, and how many numbers were spent on it."""
    poses = [pose_of(view, lens) for view in views]
    if any(pose is None for pose in poses):
        return float("inf")
    misses = np.concatenate([misses_px(v, p, lens) for v, p in zip(views, poses, strict=True) if p is not None])
    count = misses.size
    return count * float(np.log((misses**2).mean() + 1e-6)) + (4 + len(lens.distortion)) * float(np.log(count))


def _worst(views: Sequence[View], poses: Sequence[Pose | None], lens: Lens) -> int | None:
    """The number of the view that agrees least with the others, if it must be dropped."""
    missed = np.array([rms(misses_px(v, p, lens)) if p else np.inf for v, p in zip(views, poses, strict=True)])
    worst = int(missed.argmax())
    return worst if missed[worst] > max(BAD_VIEW * float(np.median(missed)), BAD_VIEW_PX) else None


def _with_spread(lens: Lens, views: Sequence[View], poses: Sequence[Pose]) -> Lens:
    """The lens with what it misses, and with the standard deviations of its numbers."""
    missed = rms(np.concatenate([misses_px(v, p, lens) for v, p in zip(views, poses, strict=True)]))
    told = replace(lens, rms_px=missed)
    spread: Points = spread_of(told, views, poses)
    return replace(told, deviations=tuple(float(s) for s in np.sqrt(np.diag(spread))))


__all__ = ["LensFit", "Model", "fit_lens"]
