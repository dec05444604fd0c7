"""A camera above a table in millimetres, and what arms over the table look like to it: their pictures and shadows.

An arm is a flat sheet that rises from the fingertip to the elbow: higher parts are larger, displaced away from the
picture's middle, and their shadows lie farther from them and are softer. Motion blur is the mean of many moments.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import cv2
import numpy as np
from numpy.typing import ArrayLike, NDArray

from training.lens import Lens
from vision.straighten import Image

Points = NDArray[np.float64]
Floats = NDArray[np.float32]
Region = tuple[slice, slice]

SHARP_PX = 1.2  # a smaller motion during one exposure is none
COARSE_PX = 7.0  # a larger one is painted at half the size: its blur is wider than that
MOMENTS = 12  # at most, of one exposure
FINGER_MM = 6.0  # from a fingertip's skin below to the middle of the finger
SHADE_BY = 2  # shadows are painted at this part of the picture's size
NEAR_MM = 110.0  # of the arm: the fingers and the palm, whose shadow is sharper than the rest


@dataclass(frozen=True, eq=False)
class View:
    """A lens that looks at a table measured in millimetres from the middle of the picture.

    half_mm: the side of one half of a tile. face_mm: how high the tiles' faces are above the table.
    """

    lens: Lens
    half_mm: float
    face_mm: float

    def project(self, points_mm: ArrayLike) -> Points:
        """(n, 3) places above the table, z from the table, to (n, 2) pixels."""
        return self.lens.project(np.asarray(points_mm, float).reshape(-1, 3) / self.half_mm)

    def on_face(self, points_px: ArrayLike) -> Points:
        """(n, 2) pixels to the (n, 2) places in millimetres on the height of the tiles' faces."""
        square = np.array([[-400.0, -400], [400, -400], [400, 400], [-400, 400]])
        seen = self.project(np.column_stack([square, np.full(4, self.face_mm)]))
        back = cv2.getPerspectiveTransform(seen.astype(np.float32), square.astype(np.float32))
        points = np.asarray(points_px, np.float64).reshape(-1, 1, 2)
        return np.asarray(cv2.perspectiveTransform(points, back)[:, 0], np.float64)

    @property
    def px_per_mm(self) -> float:
        """How large a millimetre on the table is in the picture's middle."""
        return self.lens.focal_px / self.lens.distance / self.half_mm


@dataclass(frozen=True)
class Lamp:
    """Where the light comes from: how far a shadow lies from what throws it, for each millimetre of its height.

    soft: how wide its edge is for each millimetre of height. dark: the share of the light that is missing in it.
    under: how dark it is right below a hand that rests, whatever the lamp, for want of light from all around.
    """

    throw: tuple[float, float]
    soft: float
    dark: float
    under: float


@dataclass(frozen=True, eq=False)
class Sheet:
    """A picture of an arm, fingers up, blue, green, red, alpha, multiplied by its alpha, and what is where in it.

    scale: pixels a millimetre. tip: the fingertip that is led, in pixels. pitch: how the arm rises, as an angle in
    radians. ghost: only its shadow is seen, for it passes outside of what the camera sees.
    """

    picture: Image
    scale: float
    tip: tuple[float, float]
    pitch: float
    ghost: bool = False

    def corners(self, tip_mm: Points, toward_mm: Points) -> Points:
        """(4, 3) places of the picture's corners where its fingertip is at one place and the elbow toward another."""
        height, width = self.picture.shape[:2]
        flat = np.array([[0, 0], [width, 0], [width, height], [0, height]], float)
        return self.place(flat, tip_mm, toward_mm)

    @cached_property
    def near_and_far(self) -> Image:
        """The picture's alpha in two parts that add up to it: fingers and palm, and the rest."""
        rows = (np.arange(self.picture.shape[0]) - self.tip[1]) / self.scale
        far = np.clip((rows - NEAR_MM / 2) / NEAR_MM, 0, 1)[:, None]
        alpha = self.picture[..., 3]
        # three channels, though two are used: OpenCV warps three or four far quicker than two
        return np.stack([alpha * (1 - far), alpha * far, alpha], axis=2).astype(np.uint8)

    def place(self, points: Points, tip_mm: Points, toward_mm: Points) -> Points:
        """(n, 2) pixels of the sheet to (n, 3) places over the table."""
        way = toward_mm[:2] - tip_mm[:2]
        way = way / np.hypot(*way)
        across, along = ((points - np.asarray(self.tip)) / self.scale).T
        flat = along * np.cos(self.pitch)
        x = tip_mm[0] + flat * way[0] + across * way[1]
        y = tip_mm[1] + flat * way[1] - across * way[0]
        return np.column_stack([x, y, tip_mm[2] + along * np.sin(self.pitch)])


@dataclass(frozen=True, eq=False)
class Pose:
    """An arm at the moments of one exposure: (n, 3) places of its fingertip, z from the table, and of its elbow."""

    sheet: Sheet
    tips_mm: Points
    elbow_mm: Points

    @property
    def middle(self) -> Points:
        """Where the fingertip is in the middle of the exposure."""
        return self.tips_mm[len(self.tips_mm) // 2]


def paint_shadows(image: Image, view: View, lamp: Lamp, poses: Sequence[Pose]) -> None:
    """Darken the table where arms keep the light away."""
    size = (image.shape[1] // SHADE_BY, image.shape[0] // SHADE_BY)
    light = np.ones(size[::-1], np.float32)
    touched: list[tuple[int, int, int, int]] = []
    for pose in poses:
        touched += _shade(light, view, lamp, pose)
    if not touched:
        return
    boxes = np.array(touched)
    x0, y0 = boxes[:, :2].min(axis=0) * SHADE_BY
    x1, y1 = boxes[:, 2:].max(axis=0) * SHADE_BY
    part = image[y0:y1, x0:x1]
    small = (light[y0 // SHADE_BY : y1 // SHADE_BY, x0 // SHADE_BY : x1 // SHADE_BY] * 255).astype(np.uint8)
    wide = cv2.cvtColor(cv2.resize(small, part.shape[1::-1]), cv2.COLOR_GRAY2BGR)
    part[:] = cv2.multiply(part, wide, scale=1 / 255)


def _shade(light: Floats, view: View, lamp: Lamp, pose: Pose) -> list[tuple[int, int, int, int]]:
    """One arm's shadow: sharp by the fingertip where it rests, soft by the elbow; and the dark under the hand."""
    sheet, found = pose.sheet, []
    corners = sheet.corners(pose.middle, pose.elbow_mm)
    gap = max(0.0, float(pose.middle[2]) - view.face_mm - FINGER_MM)
    by = view.px_per_mm / SHADE_BY
    for throw, dark, soft_mm in (
        (np.array(lamp.throw), lamp.dark, 1.0 + lamp.soft * (gap + FINGER_MM)),
        (np.zeros(2), 0.0 if sheet.ghost else lamp.under / (1 + gap / 20), 4.0 + 0.5 * gap),
    ):
        if dark < 0.02:
            continue
        above = corners[:, 2:] - view.face_mm
        fallen = np.column_stack([corners[:, :2] + throw * above, np.full(4, view.face_mm)])
        sigma = (max(0.6, soft_mm * by), max(0.8, (soft_mm + (lamp.soft if throw.any() else 0.5) * 55) * by))
        box = _warped_box(view.project(fallen) / SHADE_BY, light.shape, 2.5 * sigma[1])
        if box is None:
            continue
        x0, y0, x1, y1 = box
        warp = homography(sheet, view.project(fallen) / SHADE_BY - [x0, y0])
        seen = cv2.warpPerspective(sheet.near_and_far, warp, (x1 - x0, y1 - y0))
        near, far = (_blurred(np.asarray(cv2.extractChannel(seen, k), np.uint8), sigma[k]) for k in range(2))
        light[y0:y1, x0:x1] *= 1 - np.minimum(near.astype(np.float32) + far, 255) * np.float32(dark / 255)
        found.append(box)
    return found


def _blurred(mask: Image, sigma: float) -> Image:
    """Blurred by a bell of this width; a wide one by two boxes, which cost the same however wide they are."""
    if sigma < 2.5:
        return np.asarray(cv2.GaussianBlur(mask, (0, 0), sigma), np.uint8)
    side = 2 * round(sigma * 1.2) + 1
    return np.asarray(cv2.blur(cv2.blur(mask, (side, side)), (side, side)), np.uint8)


def homography(sheet: Sheet, seen: Points) -> Points:
    """From a sheet's pixels to a picture in which its corners are seen at these places (4, 2)."""
    height, width = sheet.picture.shape[:2]
    flat = np.array([[0, 0], [width, 0], [width, height], [0, height]], np.float32)
    return np.asarray(cv2.getPerspectiveTransform(flat, seen.astype(np.float32)))


def _warped_box(seen: Points, shape: Sequence[int], margin: float = 1.0) -> tuple[int, int, int, int] | None:
    """The box around points that lies in a picture; None where nothing of it does."""
    lo = np.floor(seen.min(axis=0) - margin).astype(int)
    hi = np.ceil(seen.max(axis=0) + margin).astype(int) + 1
    x0, y0 = max(0, int(lo[0])), max(0, int(lo[1]))
    x1, y1 = min(shape[1], int(hi[0])), min(shape[0], int(hi[1]))
    return (x0, y0, x1, y1) if x1 - x0 > 1 and y1 - y0 > 1 else None


def paint_arm(image: Image, view: View, pose: Pose) -> None:
    """Paint an arm as one exposure sees it."""
    if pose.sheet.ghost:
        return
    tips = view.project(pose.tips_mm)
    moved = float(np.abs(np.diff(tips, axis=0)).sum(axis=0).max()) if len(tips) > 1 else 0.0
    by = 2 if moved > COARSE_PX else 1
    count = 1 if moved < SHARP_PX else int(min(MOMENTS, np.ceil(moved / by / 1.5) + 1))
    chosen = pose.tips_mm[np.linspace(0, len(tips) - 1, count).round().astype(int)] if count > 1 else [pose.middle]
    shift = (by - 1) / 2  # the middle of a large pixel lies between those of the small ones
    quads = [(view.project(pose.sheet.corners(tip, pose.elbow_mm)) - shift) / by for tip in chosen]
    shape = (image.shape[0] // by, image.shape[1] // by)
    box = _warped_box(np.concatenate(quads), shape)
    if box is None:
        return
    x0, y0, x1, y1 = box
    seen = _mean([_seen(pose.sheet, quad - [x0, y0], (x1 - x0, y1 - y0)) for quad in quads])
    part = image[y0 * by : y1 * by, x0 * by : x1 * by]
    _lay_over(part, seen if by == 1 else np.asarray(cv2.resize(seen, part.shape[1::-1]), np.uint8))


def _seen(sheet: Sheet, quad: Points, size: tuple[int, int]) -> Image:
    return np.asarray(cv2.warpPerspective(sheet.picture, homography(sheet, quad), size), np.uint8)


def _mean(pictures: Sequence[Image]) -> Image:
    if len(pictures) == 1:
        return pictures[0]
    total = pictures[0].astype(np.uint16)
    for picture in pictures[1:]:
        total = np.asarray(cv2.add(total, picture, dtype=cv2.CV_16U), np.uint16)
    return np.asarray(cv2.convertScaleAbs(total, alpha=1 / len(pictures)), np.uint8)


def _lay_over(part: Image, seen: Image) -> None:
    """Lay a picture that is multiplied by its alpha over another."""
    through = cv2.cvtColor(cv2.bitwise_not(cv2.extractChannel(seen, 3)), cv2.COLOR_GRAY2BGR)
    part[:] = cv2.add(cv2.multiply(part, through, scale=1 / 255), cv2.cvtColor(seen, cv2.COLOR_BGRA2BGR))
