"""Video of the calibration sheet before a camera whose lens is known exactly: every pixel's ray is cast into the scene.

The lens is of no family that calibration fits: r = f tan(m a) / m for a ray at angle a, where m = 1 is a pinhole,
m = 1/2 a stereographic and m near 0 an equidistant lens; then a wave along the radius and a lens set aslant.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

import cv2
import numpy as np
from numpy.typing import ArrayLike, NDArray

from calibration.sheet import MARGIN_MM, PX_PER_MM, png, sheet
from calibration.target import SHEET
from training.surfaces import texture

Rng = np.random.Generator
Points = NDArray[np.float64]
Field = NDArray[np.float32]
Image = NDArray[np.uint8]
Box = tuple[slice, slice]

FINER = 2  # samples a pixel and axis, each of four texels: as fine as the sheet's own picture
SHRUNK = 3  # the sheet is sampled from its picture at a third of its printed resolution
TEXELS = PX_PER_MM / SHRUNK  # a millimetre
ROOM = 0.47  # of the picture's size: so far from its middle the area may reach
TABLE_TEXELS = 1.2
BLOCK = 4  # pixels; the sizes of pictures are multiples of it
SKIN = 160.0


@dataclass(frozen=True, eq=False)
class Pose:
    """Where a plane lies before the camera: turn (3, 3) and shift (3,) in millimetres, from the plane (z = 0)."""

    turn: Points
    shift: Points

    @property
    def homography(self) -> Points:
        """3x3, from the plane's millimetres to rays."""
        return np.column_stack([self.turn[:, 0], self.turn[:, 1], self.shift])

    def solid(self, points_mm: ArrayLike) -> Points:
        """Points (n, 2) of the plane as the camera has them, (n, 3)."""
        flat = np.asarray(points_mm, np.float64).reshape(-1, 2)
        return np.column_stack([flat, np.zeros(len(flat))]) @ self.turn.T + self.shift

    def flat(self, rays: Points) -> Points:
        """Where rays (n, 3) meet the plane, in its millimetres, (n, 2)."""
        met = rays @ np.linalg.inv(self.homography).T
        return np.asarray(met[:, :2] / met[:, 2:], np.float64)


@dataclass(frozen=True)
class Eye:
    """A camera with an exactly known lens.

    size_px: (width, height). field_deg: how wide it sees from its left edge to its right. curve: m, see above.
    wave: how far the radius is off at its end, as a share. aslant: how far the lens is set aslant, in radians.
    """

    size_px: tuple[int, int] = (1280, 720)
    field_deg: float = 70.0
    curve: float = 0.95
    wave: float = 0.0
    aslant: tuple[float, float] = (0.0, 0.0)
    off_px: tuple[float, float] = (0.0, 0.0)

    @property
    def focal_px(self) -> float:
        """The focal length, such that the picture is as wide as field_deg says."""
        half = np.radians(self.field_deg) / 2
        return float(self.size_px[0] / 2 * self.curve / np.tan(self.curve * half))

    def rays(self, points_px: ArrayLike) -> Points:
        """The ray (n, 3) that each pixel (n, 2) sees; z points into the scene."""
        points = np.asarray(points_px, np.float64).reshape(-1, 2)
        middle = (np.array(self.size_px) - 1) / 2 + self.off_px
        across = (points - middle) / self.focal_px
        # a sensor that is not square to the lens sees one side a little larger
        across = across / (1 + across @ np.array(self.aslant))[:, None]
        radius = np.linalg.norm(across, axis=1)
        edge = self.size_px[0] / 2 / self.focal_px
        waved = radius * (1 + self.wave * np.sin(np.pi * radius / edge))
        angle = np.arctan(self.curve * waved) / self.curve
        ways = across / np.maximum(radius, 1e-12)[:, None]
        return np.column_stack([ways * np.sin(angle)[:, None], np.cos(angle)])

    def pixels(self, points: ArrayLike, steps: int = 12) -> Points:
        """The pixels (n, 2) that see points (n, 3), by Newton's method on the rays."""
        solid = np.asarray(points, np.float64).reshape(-1, 3)
        angle = np.arctan2(np.hypot(solid[:, 0], solid[:, 1]), solid[:, 2])
        radius = self.focal_px * np.tan(self.curve * np.minimum(angle, 1.4)) / self.curve
        ways = solid[:, :2] / np.maximum(np.hypot(solid[:, 0], solid[:, 1]), 1e-12)[:, None]
        found = (np.array(self.size_px) - 1) / 2 + self.off_px + radius[:, None] * ways
        wanted = solid / np.linalg.norm(solid, axis=1, keepdims=True)
        for _ in range(steps):
            off = self.rays(found) - wanted
            by = [(self.rays(found + step) - self.rays(found - step)) for step in ((0.5, 0.0), (0.0, 0.5))]
            slope = np.stack(by, axis=-1)
            square = np.einsum("nki,nkj->nij", slope, slope) + 1e-18 * np.eye(2)
            found = found - np.linalg.solve(square, np.einsum("nki,nk->ni", slope, off)[..., None])[..., 0]
        return found

    def met(self, plane: Pose, box: Box) -> Field:
        """Where on a plane, in its millimetres, the FINER x FINER samples of each pixel of a box see, (h, w, 2).

        Rays are cast for the middle of every block of pixels; between those the places change evenly.
        """
        rows, columns = box
        x, y = (np.arange(s.start, s.stop, BLOCK) + (BLOCK - 1) / 2 for s in (columns, rows))
        grid = np.stack(np.meshgrid(x, y), axis=-1)
        rays = self.rays(grid) @ np.linalg.inv(plane.homography).T
        with np.errstate(divide="ignore", invalid="ignore"):
            places = np.where(rays[:, 2:] > 0, rays[:, :2] / rays[:, 2:], 1e6)
        coarse = np.clip(places, -1e6, 1e6).astype(np.float32).reshape(*grid.shape)
        finer = BLOCK * FINER
        return np.asarray(cv2.resize(coarse, None, fx=finer, fy=finer, interpolation=cv2.INTER_LINEAR), np.float32)


@dataclass(frozen=True)
class Shot:
    """What a camera adds: noise in grey levels, blur in pixels, the quality of its JPEG, light as a share."""

    noise: float = 3.0
    blur_px: float = 0.7
    jpeg: int = 90
    light: float = 1.0


class Stage:
    """A table before a camera, and a sheet that is moved over it or lies on it; the frames are grey, as (h, w, 3)."""

    def __init__(self, eye: Eye, table: Pose, rng: Rng, shot: Shot | None = None, page: Field | None = None) -> None:
        self.eye, self.table, self._rng, self.shot = eye, table, rng, shot or Shot()
        self._page = held_page() if page is None else page
        width, height = eye.size_px
        self._shade = _shading(eye.size_px, rng)
        self._empty = self._softened(
            self._table_top(np.asarray(cv2.cvtColor(texture(rng), cv2.COLOR_BGR2GRAY), np.uint8)) * self._shade
        )
        self._grains = rng.normal(0, self.shot.noise, (4, height, width)).astype(np.float32)
        self._shown: tuple[tuple[Pose, ...], Field] = ((), self._empty)

    def frame(self, *poses: Pose) -> Image:
        """A frame with the paper where it is during the exposure, at evenly spaced moments; without any, the table."""
        if poses != self._shown[0]:
            self._shown = (poses, self._scene(poses))
        scene = self._shown[1]
        grain = self._grains[int(self._rng.integers(len(self._grains)))]
        shift = tuple(int(v) for v in self._rng.integers(0, grain.shape))
        seen = np.clip(scene * self.shot.light + np.roll(grain, shift, axis=(0, 1)), 0, 255).astype(np.uint8)
        if self.shot.jpeg < 100:
            _, data = cv2.imencode(".jpg", seen, [cv2.IMWRITE_JPEG_QUALITY, self.shot.jpeg])
            seen = np.asarray(cv2.imdecode(data, cv2.IMREAD_GRAYSCALE), np.uint8)
        return np.asarray(cv2.cvtColor(seen, cv2.COLOR_GRAY2BGR), np.uint8)

    def _scene(self, poses: tuple[Pose, ...]) -> Field:
        """What the camera sees, before it adds anything of its own."""
        scene, box = self._empty.copy(), self._box(poses) if poses else None
        if box is not None:
            scene[box] = self._with_sheet(box, poses)
        return scene

    def _softened(self, scene: Field) -> Field:
        return np.asarray(cv2.GaussianBlur(scene, (0, 0), self.shot.blur_px), np.float32)

    def _with_sheet(self, box: Box, poses: tuple[Pose, ...]) -> Field:
        """The part of the scene that a box holds, with the sheet in it."""
        layers = [_sampled(self.eye.met(pose, box), self._page) for pose in poses]
        layer = layers[0] if len(layers) == 1 else np.mean(layers, axis=0)
        facing = abs(float(poses[0].turn[2, 2]))
        paper, cover = layer[..., 0] * (0.7 + 0.3 * facing) * self._shade[box], layer[..., 1]
        cover, paper = self._softened(cover), self._softened(paper)
        return np.asarray(self._empty[box] * (1 - cover) + paper, np.float32)

    def _box(self, poses: tuple[Pose, ...]) -> Box | None:
        """The rows and columns of the frame where the sheet may be seen, in whole blocks."""
        height, width = self._page.shape[:2]
        edge = np.linspace(0, 1, 5)
        rim = [*((e, s) for e in edge for s in (0, 1)), *((s, e) for e in edge for s in (0, 1))]
        corners = np.array(rim) * (width / TEXELS, height / TEXELS)
        points = np.concatenate([self.eye.pixels(pose.solid(corners), 3) for pose in poses])
        low, high = np.floor(points.min(axis=0) / BLOCK) - 2, np.ceil(points.max(axis=0) / BLOCK) + 2
        left, top = (np.clip(low, 0, np.array(self.eye.size_px) // BLOCK) * BLOCK).astype(int)
        right, bottom = (np.clip(high, 0, np.array(self.eye.size_px) // BLOCK) * BLOCK).astype(int)
        return (slice(top, bottom), slice(left, right)) if right - left > 4 and bottom - top > 4 else None

    def _table_top(self, surface: Image) -> Field:
        """The table without anything on it."""
        width, height = self.eye.size_px
        places = self.eye.met(self.table, (slice(0, height), slice(0, width)))
        across, down = cv2.split(np.clip(places * TABLE_TEXELS, -3e4, 3e4))
        finer = cv2.remap(surface, across, down, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REFLECT)
        return np.asarray(cv2.resize(finer, (width, height), interpolation=cv2.INTER_AREA), np.float32)


def _shading(size_px: tuple[int, int], rng: Rng) -> Field:
    """Light from one side, and a lens that is darker towards its rim."""
    x, y = np.meshgrid(np.linspace(-1, 1, size_px[0]), np.linspace(-1, 1, size_px[1]))
    way = rng.uniform(0, 2 * np.pi)
    slope = 1 + 0.15 * (x * np.cos(way) + y * np.sin(way))
    return np.asarray(slope * (0.9 - 0.12 * (x**2 + y**2)), np.float32)


def _sampled(places: Field, page: Field) -> Field:
    """The sheet at places (h, w, 2) in its millimetres: how light it is times how much it covers, and that."""
    across, down = cv2.split(np.clip(places * TEXELS - 0.5, -1e4, 1e4))
    seen = cv2.remap(page, across, down, cv2.INTER_LINEAR, borderMode=cv2.BORDER_CONSTANT, borderValue=(0, 0))
    return np.asarray(cv2.resize(seen, None, fx=1 / FINER, fy=1 / FINER, interpolation=cv2.INTER_AREA), np.float32)


def page_of(printed: Image) -> Field:
    """A printed sheet (h, w) as a stage takes it: ink and paper as a camera sees them, 0 to 255, and 1 where it is."""
    small = cv2.resize(printed, None, fx=1 / SHRUNK, fy=1 / SHRUNK, interpolation=cv2.INTER_AREA).astype(np.float32)
    return np.ascontiguousarray(np.dstack([25 + small * 0.86, np.ones_like(small)]), np.float32)


@cache
def held_page() -> Field:
    """The printed sheet with a thumb at either side, (h, w, 2); its origin is the paper's corner, x right, y down."""
    printed = cv2.imdecode(np.frombuffer(png(sheet("a4")), np.uint8), cv2.IMREAD_GRAYSCALE)
    page = page_of(np.asarray(printed, np.uint8))
    height, width = page.shape[:2]
    for x in (0, width):
        cv2.ellipse(
            page, (x, int(0.9 * height)), (int(0.05 * width), int(0.03 * width)), 0, 0, 360, (SKIN, 1.0, 0.0, 0.0), -1
        )
    return page


def page_pose(squares: Pose) -> Pose:
    """Where the paper lies when its squares, whose origin is their own outer corner, lie so."""
    return Pose(squares.turn, squares.shift - squares.turn @ np.array([MARGIN_MM, MARGIN_MM, 0.0]))


def laid(table: Pose, x_mm: float, y_mm: float, angle_deg: float = 0.0) -> Pose:
    """Where the squares are when the sheet lies on the table, their middle at a point, turned by an angle."""
    angle = np.radians(angle_deg)
    turned = np.array([[np.cos(angle), -np.sin(angle), 0], [np.sin(angle), np.cos(angle), 0], [0, 0, 1]])
    turn, middle = table.turn @ turned, np.append(np.array(SHEET.size_mm) / 2, 0)
    return Pose(turn, table.turn @ np.array([x_mm, y_mm, 0.0]) + table.shift - turn @ middle)


def looking_at_table(eye: Eye, tilt_deg: float, area_mm: tuple[float, float] = (600.0, 400.0)) -> Pose:
    """The table as seen by a camera that tilts so far from straight down and just sees all of the area.

    The table's origin is the middle of the area, x runs right and y toward the lower edge of the picture.
    """
    tilt = np.radians(tilt_deg)
    turn = np.array([[1, 0, 0], [0, np.cos(tilt), np.sin(tilt)], [0, -np.sin(tilt), np.cos(tilt)]])
    rim = np.array([(x, y) for x in (-0.5, 0, 0.5) for y in (-0.5, 0, 0.5)]) * area_mm
    middle, room = (np.array(eye.size_px) - 1) / 2, np.array(eye.size_px) * ROOM
    for distance in np.geomspace(150, 3000, 60):
        for along in (-0.05, 0.0, -0.1, -0.16, -0.22):
            pose = Pose(turn, np.array([0.0, along * distance, distance]))
            solid = pose.solid(rim)
            if (solid[:, 2] > 60).all() and (abs(eye.pixels(solid, 4) - middle) < room).all():
                return pose
    raise ValueError("this camera cannot see the whole area at this tilt")
