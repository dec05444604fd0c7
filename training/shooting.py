"""A table with arms over it as a camera films it: tiles that are carried off, shadows, glows, drifting light, noise."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

import cv2
import numpy as np
from numpy.typing import NDArray

from training.arms import Arm
from training.hunted import Hunted
from training.overhead import FINGER_MM, Lamp, Pose, paint_arm, paint_shadows
from training.reaching import Way
from vision.camera import Frame
from vision.straighten import Image

Points = NDArray[np.float64]
Polygon = tuple[tuple[float, float], ...]

MOMENTS = 13  # of one exposure at which an arm's place is asked for
GRAIN_MARGIN = 64
GLOW_REACH = 2.2  # deviations of a glow after which nobody sees it


@dataclass(frozen=True, eq=False)
class Moved:
    """An arm on its way; z of the way is the gap between the fingertip and the tiles' faces, in millimetres.

    elbow_mm: the place on the table that the forearm points to, out of the picture.
    """

    arm: Arm
    way: Way
    elbow_mm: tuple[float, float]

    def pose(self, times_s: Points, face_mm: float) -> Pose:
        """The arm at the moments of one exposure."""
        tips = self.way.at(times_s) + [0.0, 0.0, face_mm + FINGER_MM]
        return Pose(self.arm.sheet, tips, np.array([*self.elbow_mm, 0.0]))


@dataclass(frozen=True, eq=False)
class Carried:
    """A tile that goes where a fingertip goes, from a moment on."""

    place: int
    from_s: float
    way: Way


@dataclass(frozen=True)
class Glow:
    """A light on the table that shines for a time: its middle and size in pixels, its colour, blue, green, red."""

    middle: tuple[float, float]
    size_px: float
    color: tuple[float, float, float]
    from_s: float
    to_s: float

    @property
    def outline(self) -> Polygon:
        """What it lights up, as a polygon."""
        turns = np.linspace(0, 2 * np.pi, 16, endpoint=False)
        ring = np.stack([np.cos(turns), np.sin(turns)], axis=1) * GLOW_REACH * self.size_px + self.middle
        return tuple((float(x), float(y)) for x, y in ring)


@dataclass(frozen=True)
class Light:
    """How all light changes: a slow swing, and a step or a ramp at some moment; as shares, per colour."""

    swing: float = 0.02
    swing_s: float = 2.0
    change: tuple[float, float, float] = (0.0, 0.0, 0.0)
    at_s: float = 0.0
    over_s: float = 0.0

    def gain(self, time_s: float) -> Points:
        """What each colour is multiplied by."""
        done = np.clip((time_s - self.at_s) / max(self.over_s, 1e-3), 0, 1)
        return np.asarray(
            (1 + self.swing * np.sin(2 * np.pi * time_s / self.swing_s)) * (1 + done * np.array(self.change))
        )


@dataclass(frozen=True, eq=False)
class Shooting:
    """Everything that a film shows. arms: the lowest first. exposure_s: each frame sees the time just before its own.

    rolled: the table once the dice lie otherwise, and from when.
    """

    hunted: Hunted
    arms: tuple[Moved, ...]
    carried: tuple[Carried, ...]
    glows: tuple[Glow, ...]
    lamp: Lamp
    light: Light
    exposure_s: float
    noise: float
    seed: int
    rolled: tuple[float, Image] | None = None

    def frames(self, rate: float, seconds: float) -> Iterator[Frame]:
        """The frames, the first at 0 s."""
        rng = np.random.default_rng((self.seed, 5))
        for number in range(round(seconds * rate)):
            yield Frame(self._noisy(self._lit(self._moment(number / rate), number / rate), rng), number / rate)

    def still(self) -> Image:
        """The table before any hand."""
        bare = self._lit(self.hunted.picture.copy(), 0.0)
        return self._noisy(bare, np.random.default_rng((self.seed, 6)))

    def lit(self, time_s: float) -> tuple[Polygon, ...]:
        """Where lights shine in the frame of this time."""
        return tuple(glow.outline for glow in self._shining(time_s))

    def _shining(self, time_s: float) -> Sequence[Glow]:
        return [glow for glow in self.glows if glow.from_s < time_s and glow.to_s > time_s - self.exposure_s]

    def _moment(self, time_s: float) -> Image:
        view = self.hunted.view
        image = self._table(time_s)
        for glow in self._shining(time_s):
            _shine(image, glow)
        times = time_s - self.exposure_s * np.linspace(1, 0, MOMENTS)
        poses = [moved.pose(times, view.face_mm) for moved in self.arms if moved.way.start_s < time_s]
        paint_shadows(image, view, self.lamp, poses)
        for pose in poses:
            paint_arm(image, view, pose)
        return image

    def _table(self, time_s: float) -> Image:
        """The tiles where they lie or are carried to."""
        middle_s = time_s - self.exposure_s / 2
        moving = [one for one in self.carried if one.from_s < middle_s]
        base = self.rolled[1] if self.rolled and time_s >= self.rolled[0] else self.hunted.picture
        image = base.copy()
        bare = self._bare(frozenset(one.place for one in moving))
        for one in moving:
            box, _ = self._lifted[one.place]
            image[box] = bare[box]
        for one in moving:
            _, mask = self._lifted[one.place]
            went = one.way.at([one.from_s, middle_s])
            shift, gap = went[1] - went[0], max(0.0, float(went[1][2]))
            self._put(image, one.place, self.hunted.picture, mask, shift, gap)
        return image

    def _bare(self, places: frozenset[int]) -> Image:
        """The table without some of its tiles."""
        if places not in self._emptied:
            self._emptied[places] = self.hunted.without(places) if places else self.hunted.picture
        return self._emptied[places]

    @cached_property
    def _emptied(self) -> dict[frozenset[int], Image]:
        return {}

    @cached_property
    def _lifted(self) -> dict[int, tuple[tuple[slice, slice], Image]]:
        """For each tile that is carried: where it lay, and its outline."""
        found = {}
        for one in self.carried:
            whole = self.hunted.picture
            quad = np.array(self.hunted.places[one.place])
            grow = 0.5 * float(np.linalg.norm(quad[2] - quad[1]))
            lo = np.maximum(np.floor(quad.min(axis=0) - grow).astype(int), 0)
            hi = np.ceil(quad.max(axis=0) + grow).astype(int)
            box = (slice(lo[1], hi[1]), slice(lo[0], hi[0]))
            mask = np.zeros(whole.shape[:2], np.uint8)
            cv2.fillConvexPoly(mask, cv2.convexHull(self._outline(one.place)), 255, cv2.LINE_AA)
            found[one.place] = (box, mask)
        return found

    def _outline(self, place: int) -> NDArray[np.int32]:
        """A tile's face and sides in the picture."""
        view, quad = self.hunted.view, np.array(self.hunted.places[place])
        foot = view.project(np.column_stack([view.on_face(quad), np.zeros(4)]))
        return np.round(np.concatenate([quad, foot])).astype(np.int32)

    def _put(self, image: Image, place: int, tile: Image, mask: Image, shift: Points, gap: float) -> None:
        """Lay a tile where it was carried."""
        view, quad = self.hunted.view, np.array(self.hunted.places[place])
        at = view.on_face(quad) + shift[:2]
        seen = view.project(np.column_stack([at, np.full(4, view.face_mm + gap)]))
        warp = cv2.getPerspectiveTransform(quad.astype(np.float32), seen.astype(np.float32))
        grow = 0.3 * float(np.linalg.norm(quad[2] - quad[1]))
        lo = np.clip(np.floor(seen.min(axis=0) - grow), 0, image.shape[1::-1]).astype(int)
        hi = np.clip(np.ceil(seen.max(axis=0) + grow), 0, image.shape[1::-1]).astype(int)
        if (hi - lo < 2).any():
            return
        size = (int(hi[0] - lo[0]), int(hi[1] - lo[1]))
        warp = np.array([[1, 0, -lo[0]], [0, 1, -lo[1]], [0, 0, 1]]) @ warp
        cover = cv2.warpPerspective(mask, warp, size)
        part = image[lo[1] : hi[1], lo[0] : hi[0]]
        shade = cv2.GaussianBlur(cover, (0, 0), max(1.5, 0.25 * gap * view.px_per_mm)).astype(np.float32) / 255
        dark = part * (1 - 0.35 * shade[..., None])
        alpha = cover[..., None].astype(np.float32) / 255
        part[:] = (dark * (1 - alpha) + cv2.warpPerspective(tile, warp, size) * alpha).astype(np.uint8)

    def _lit(self, image: Image, time_s: float) -> Image:
        return np.asarray(cv2.transform(image, np.diag(self.light.gain(time_s))), np.uint8)

    def _noisy(self, image: Image, rng: np.random.Generator) -> Image:
        more, less = self._grain
        y, x = rng.integers(0, GRAIN_MARGIN, 2)
        h, w = image.shape[:2]
        image = np.asarray(cv2.add(image, more[y : y + h, x : x + w]), np.uint8)
        return np.asarray(cv2.subtract(image, less[y : y + h, x : x + w]), np.uint8)

    @cached_property
    def _grain(self) -> tuple[Image, Image]:
        """What noise adds and takes; drawn once and shifted from frame to frame."""
        h, w = self.hunted.picture.shape[:2]
        rng = np.random.default_rng((self.seed, 7))
        drawn = rng.standard_normal((h + GRAIN_MARGIN, w + GRAIN_MARGIN, 3), np.float32) * self.noise
        return np.clip(np.round(drawn), 0, 255).astype(np.uint8), np.clip(np.round(-drawn), 0, 255).astype(np.uint8)


def _shine(image: Image, glow: Glow) -> None:
    """Add a light's glow."""
    reach = int(GLOW_REACH * glow.size_px) + 2
    x, y = (round(v) for v in glow.middle)
    x0, y0, x1, y1 = (
        max(0, x - reach),
        max(0, y - reach),
        min(image.shape[1], x + reach),
        min(image.shape[0], y + reach),
    )
    if x1 <= x0 or y1 <= y0:
        return
    rows, cols = np.mgrid[y0:y1, x0:x1]
    far = ((cols - glow.middle[0]) ** 2 + (rows - glow.middle[1]) ** 2) / glow.size_px**2
    light = np.maximum(np.exp(-far / 2) - np.exp(-(GLOW_REACH**2) / 2), 0)
    part = image[y0:y1, x0:x1]
    part[:] = np.minimum(part + light[..., None] * np.array(glow.color), 255).astype(np.uint8)
