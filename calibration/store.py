"""One TOML file a camera: what is known of it, kept so that nothing half-written or stale is ever believed."""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import datetime
from pathlib import Path
from typing import cast

import numpy as np

from calibration.errors import BadFile, UnsuitableCalibration
from calibration.lens import Lens, Model, Size, as_matrix, scale_between
from calibration.plane import Plane, Point, Side, Tag
from calibration.toml_text import TableOfFile, Value, replace_file, written

VERSION = 2
AGAIN = "calibrate once more"
OLDER = {1: "it is from before lights were looked for: find them by pipsight hardware place if there are some"}
"""The older versions that can be read as they are, and what a person is told of each."""

FOCAL_LENGTHS = (0.1, 30.0)  # against the width of the picture; no camera is outside
SIDES: tuple[Side, ...] = ("bottom", "left", "top", "right")


@dataclass(frozen=True)
class SeenLight:
    """Where one of the controller's LEDs shines in the picture: its number, its middle, how far its glow reaches."""

    led: int
    at_px: Point
    radius_px: float

    def scaled(self, old_px: Size, new_px: Size) -> SeenLight:
        """The same in pictures of another size; UnsuitableCalibration where their shape changed."""
        across, down = scale_between(old_px, new_px)
        x, y = self.at_px
        return SeenLight(self.led, ((x + 0.5) * across - 0.5, (y + 0.5) * down - 0.5), self.radius_px * across)


@dataclass(frozen=True)
class CameraCalibration:
    """What is known of one camera.

    id: the camera's name. size_px: (width, height) of the pictures all of this holds for.
    made: when. mirrored: whether the camera shows left as right, as a selfie does; its frames are then turned back
    before anything else, and all pixels here are those of frames turned back. lights: the LEDs in its picture.
    migrated: what became of a file of an older version, in a sentence; "" for one of today's.
    """

    id: str
    size_px: Size
    made: datetime
    lens: Lens | None = None
    plane: Plane | None = None
    mirrored: bool = False
    lights: tuple[SeenLight, ...] = ()
    migrated: str = ""

    def of_size(self, size_px: Size) -> CameraCalibration:
        """The same for pictures of another size and the same shape; UnsuitableCalibration for another shape."""
        if size_px == self.size_px:
            return self
        plane = self.plane and self.plane.scaled(self.size_px, size_px)
        lights = tuple(light.scaled(self.size_px, size_px) for light in self.lights)
        return replace(self, size_px=size_px, lens=self.lens and self.lens.scaled(size_px), plane=plane, lights=lights)

    def of_camera(self, camera: str) -> CameraCalibration:
        """The same, if it is that camera's; UnsuitableCalibration otherwise."""
        if camera != self.id:
            raise UnsuitableCalibration(
                f"this calibration is of the camera {self.id}, not of {camera}: calibrate {camera} too"
            )
        return self


def save(path: Path, calibration: CameraCalibration) -> None:
    """Write a calibration to its file, which appears whole or not at all; an old one stays until then."""
    replace_file(path, as_text(calibration))


def load(path: Path, camera: str | None = None, size_px: Size | None = None) -> CameraCalibration:
    """Read a calibration, for a certain camera and size of pictures where these are given.

    One of an older version is read as today's, and `migrated` says so. BadFile names the line that is wrong, or the
    version that cannot be read; UnsuitableCalibration says why it is not that camera's or not of that shape.
    """
    file = TableOfFile.read(path, AGAIN)
    version = file.whole("version", 1)
    migrated = _migration(path, version)
    file.only("version", "id", "size_px", "made", "mirrored", "lens", "plane", *(("lights",) if version > 1 else ()))
    size = _size(file)
    lens = _lens(file.table("lens"), size) if "lens" in file else None
    plane = _plane(file.table("plane")) if "plane" in file else None
    lights = _lights(file.table("lights")) if "lights" in file else ()
    found = CameraCalibration(
        file.text("id"), size, file.moment("made"), lens, plane, file.flag("mirrored"), lights, migrated
    )
    found = found.of_camera(camera) if camera is not None else found
    return found.of_size(size_px) if size_px is not None else found


def as_text(calibration: CameraCalibration) -> str:
    """The TOML of a calibration."""
    tables: dict[str, dict[str, Value]] = {}
    if lens := calibration.lens:
        tables["lens"] = {
            "model": lens.model,
            "rms_px": lens.rms_px,
            "matrix": lens.matrix,
            "distortion": lens.distortion,
            "deviations": lens.deviations,
        }
    if plane := calibration.plane:
        tables["plane"] = {
            "scale_known": plane.scale_known,
            "to_mm": plane.to_mm,
            "area_mm": plane.area_mm,
            "seats": plane.seats,
            "tags": tuple((float(t.number), *(v for point in t.corners_mm for v in point)) for t in plane.tags),
        }
    if lights := calibration.lights:
        tables["lights"] = {"seen": tuple((float(one.led), *one.at_px, one.radius_px) for one in lights)}
    first: dict[str, Value] = {
        "version": VERSION,
        "id": calibration.id,
        "size_px": calibration.size_px,
        "made": calibration.made,
        "mirrored": calibration.mirrored,
    }
    return written("A camera as pipsight calibrated it: pixels, millimetres on the table", first, tables)


def _migration(path: Path, version: int) -> str:
    """What a person is told of a file of this version; BadFile where it cannot be read."""
    if version == VERSION:
        return ""
    if version not in OLDER:
        raise BadFile(f"{path}: version {version} was written by a newer pipsight: update pipsight or {AGAIN}")
    return f"{path} was written by an older pipsight (version {version}); {OLDER[version]}"


def _size(file: TableOfFile) -> Size:
    width, height = file.numbers("size_px", 2)
    if min(width, height) < 1 or width % 1 or height % 1:
        raise file.wrong("size_px", "size_px must be two whole numbers, the width and the height of the pictures")
    return int(width), int(height)


def _lens(part: TableOfFile, size: Size) -> Lens:
    part.only("model", "rms_px", "matrix", "distortion", "deviations")
    model = cast(Model, part.text("model", "pinhole", "fisheye"))
    matrix = as_matrix(part.rows("matrix", 3, 3))
    (fx, _, cx), (_, fy, cy), last = matrix
    least, most = FOCAL_LENGTHS
    if not (least < fx / size[0] < most and least < fy / size[0] < most and last == (0, 0, 1)):
        raise part.wrong("matrix", "matrix must be that of a camera: [fx, 0, cx], [0, fy, cy], [0, 0, 1]")
    if not (0 < cx < size[0] and 0 < cy < size[1]):
        raise part.wrong("matrix", "matrix has the middle of the lens outside of the picture")
    bends = part.numbers("distortion", *((4,) if model == "fisheye" else (0, 5, 8)))
    return Lens(size, matrix, bends, model, part.number("rms_px", 0), part.numbers("deviations"))


def _plane(part: TableOfFile) -> Plane:
    part.only("scale_known", "to_mm", "area_mm", "seats", "tags")
    to_mm = as_matrix(part.rows("to_mm", 3, 3))
    if abs(np.linalg.det(np.array(to_mm) / (np.abs(to_mm).max() or 1))) < 1e-15:
        raise part.wrong("to_mm", "to_mm must be a homography, which can be turned round")
    area = part.rows("area_mm", 2)
    if 0 < len(area) < 3:
        raise part.wrong("area_mm", "area_mm must have three corners or more")
    return Plane(
        to_mm,
        tuple((x, y) for x, y in area),
        tuple(cast(Side, side) for side in part.texts("seats", *SIDES)),
        part.flag("scale_known"),
        tuple(_tag(row) for row in part.rows("tags", 9)),
    )


def _tag(row: tuple[float, ...]) -> Tag:
    number, ax, ay, bx, by, cx, cy, dx, dy = row
    return Tag(int(number), ((ax, ay), (bx, by), (cx, cy), (dx, dy)))


def _lights(part: TableOfFile) -> tuple[SeenLight, ...]:
    part.only("seen")
    rows = part.rows("seen", 4)
    if any(led % 1 or led < 0 or radius <= 0 for led, _, _, radius in rows):
        raise part.wrong("seen", "seen must have an LED's number, its x and y, and how far it glows, in each list")
    return tuple(SeenLight(int(led), (x, y), radius) for led, x, y, radius in rows)
