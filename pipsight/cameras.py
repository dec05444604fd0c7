"""What is known of cameras: where it is kept, how it is kept, and how it is said."""

from __future__ import annotations

import re
import sys
from dataclasses import replace
from datetime import UTC, datetime
from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from calibration.lens import Lens, Size
    from calibration.plane import Plane, Side
    from calibration.steadiness import Steadiness
    from calibration.store import CameraCalibration
    from pipsight.guide import LensGuide, Step
    from pipsight.wizards.table_guide import TableGuide
    from vision.camera import Frame

LONGEST_NAME = 80  # files with longer ones cannot be written everywhere
SETTLED_S = 1.5  # cameras find their exposure and focus sooner
LOOK_ANEW = "The table was found through the lens as it was known before: look at it anew (pipsight calibrate table)."
MAY_BE_ANOTHERS = "{} may be of another camera that is called so: if it is, calibrate this one too"
FILE_ANEW = "The old file could not be used, and is written anew."
NAMED = "pipsight watch takes it for the camera that it knows as {}, and knows this one as {}: leave --name out for it."
SEATS_ANEW = "Players were told to sit at the {} of the picture before: name the seats once more if they still do."
LIGHTS_ANEW = "The lights were found where the camera stood before: look for them anew (pipsight hardware place)."


def camera_file(camera: str, name: str | None = None) -> Path:
    """Where the calibration of a camera is kept."""
    from pipsight.places import data_folder

    return data_folder() / "cameras" / f"{camera_id(camera, name)}.toml"


def camera_id(camera: str, name: str | None = None) -> str:
    """A name for the camera that a file can have, and no other camera: a few letters stand for what it leaves out."""
    whole, called = _names(camera, name)
    plain = _plain(called)
    if plain == whole:
        return plain
    left_out = sha256(whole.encode(errors="surrogateescape")).hexdigest()[:8]
    return f"{plain[: LONGEST_NAME - 9]}-{left_out}"


def _names(camera: str, name: str | None) -> tuple[str, str]:
    """What nothing but this camera has for a name, and what it is called."""
    from pipsight.sources import is_on_disk
    from vision.camera import is_number, known_as

    if name is not None:
        return name, name
    if is_number(camera):
        return f"camera-{camera}", f"camera-{camera}"
    source, address = Path(camera), known_as(camera)
    return (str(source.resolve()), source.stem) if is_on_disk(camera) and source.exists() else (address, address)


def _plain(called: str) -> str:
    return re.sub(r"[^\w.-]+", "-", called)[:LONGEST_NAME].strip("-.") or "camera"


def kept_of(camera: str, name: str | None = None) -> CameraCalibration | None:
    """What is kept of a camera, be it in an older file that other cameras may share.

    Raises BadFile, and UnsuitableCalibration where the file is another camera's.
    """
    from calibration.store import load

    place, own = camera_file(camera, name), camera_id(camera, name)
    shared = _plain(_names(camera, name)[1])
    older = place.with_name(f"{shared}.toml")
    if place.exists() or not older.exists():
        return load(place, own) if place.exists() else None
    found = load(older, shared)
    return replace(found, id=own, migrated="; ".join(filter(None, (found.migrated, MAY_BE_ANOTHERS.format(older)))))


def seats_of(camera: str) -> tuple[Side, ...]:
    """The sides of the picture where players sit, as a camera's table was calibrated; () where none are kept."""
    from calibration.errors import CalibrationError

    try:
        known = kept_of(camera)
    except (CalibrationError, OSError):  # why it is of no use is said where the table is watched
        return ()
    return known.plane.seats if known and known.plane else ()


def known_camera(camera: str, name: str | None = None) -> tuple[Path, CameraCalibration | None]:
    """The camera's file, and what is kept of it; where that is old it is said. Raises what kept_of raises."""
    old = kept_of(camera, name)
    if old and old.migrated:
        print(f"  {old.migrated}.", file=sys.stderr, flush=True)
    return camera_file(camera, name), old


def usable_camera(camera: str, name: str | None = None, size_px: Size | None = None) -> CameraCalibration | None:
    """What is known of a camera that is calibrated anew, in pictures of a size; why it is of no use is said."""
    from calibration.errors import CalibrationError
    from pipsight.trouble import sentence

    try:
        _, old = known_camera(camera, name)
        return old.of_size(size_px) if old and size_px else old
    except CalibrationError as error:
        print(f"  {sentence(str(error))}", file=sys.stderr, flush=True)
        return None


def settled(frames: Iterable[Frame], hold: Callable[[], object] | None, steadiness: Steadiness) -> Iterator[Frame]:
    """The frames as they come; once the camera had time to settle, it is told to keep its settings, and watched.

    hold: tells it; None for a film or a folder: a sheet that jumps from picture to picture looks like another focus.
    """
    began_s: float | None = None
    held = False
    for frame in frames:
        began_s = frame.time_s if began_s is None else began_s
        if hold and not held and frame.time_s - began_s > SETTLED_S:
            hold()
            held = True
        if held:
            steadiness.see(frame.image)
        yield frame


def keep_lens(camera: str, guide: LensGuide, old: CameraCalibration | None, name: str | None = None) -> Iterator[str]:
    """Keep the lens that a guide has found in place of what was known, and say what has to be looked at anew."""
    assert guide.lens
    yield from _kept(camera, name, guide.lens.size_px, guide.lens, None, guide.mirrored, old)
    if old and old.plane:
        yield LOOK_ANEW


def keep_table(
    camera: str, guide: TableGuide, size_px: Size, old: CameraCalibration | None, name: str | None = None
) -> Iterator[str]:
    """Keep the table that a guide has found, with the lens it was found through, in place of what was known.

    Says what has to be looked at anew.
    """
    yield from _kept(camera, name, size_px, guide.lens, guide.plane, guide.mirrored, old)


def _kept(
    camera: str,
    name: str | None,
    size_px: Size,
    lens: Lens | None,
    plane: Plane | None,
    mirrored: bool,
    old: CameraCalibration | None,
) -> Iterator[str]:
    from calibration.store import CameraCalibration, save
    from rules.words import listing

    place, made = camera_file(camera, name), datetime.now(UTC).replace(microsecond=0)
    if old is None and place.exists():
        yield FILE_ANEW
    save(place, CameraCalibration(camera_id(camera, name), size_px, made, lens, plane, mirrored))
    if (called := camera_id(camera, name)) != (own := camera_id(camera)):
        yield NAMED.format(called, own)
    if old and old.plane and old.plane.seats and not (plane and plane.seats):
        yield SEATS_ANEW.format(listing(list(old.plane.seats)))
    if old and old.lights:
        yield LIGHTS_ANEW


def known_lines(camera: str) -> Iterator[str]:
    """Say what is known of a camera; where its file cannot be used, why: whoever reads that may calibrate it anew."""
    from calibration.errors import CalibrationError
    from pipsight.trouble import in_words, sentence

    try:
        known = kept_of(camera)
    except (CalibrationError, OSError) as error:
        yield sentence(in_words(error) or camera)
        return
    if known is None:
        yield "Nothing is known of this camera yet."
        return
    width, height = known.size_px
    lens = known.lens
    yield f"The lens is known, to {lens.rms_px:.2f} pixels." if lens else "The lens is not known."
    yield "The table is known." if known.plane else "The table is not known."
    yield f"Calibrated {known.made:%Y-%m-%d %H:%M} for pictures of {width}x{height}."
    if known.migrated:
        yield f"{known.migrated}."


def lens_lines(lens: Lens, step: Step) -> Iterator[str]:
    """Say how well a lens is known."""
    (fx, _, cx), (_, fy, cy), _ = lens.matrix
    spread = (*lens.deviations[:4], 0.0, 0.0, 0.0, 0.0)
    bend = "fisheye" if lens.model == "fisheye" else f"pinhole with {len(lens.distortion)} coefficients of distortion"
    yield f"The lens is known: {bend}, {lens.size_px[0]}x{lens.size_px[1]}."
    yield f"  focal length {fx:.1f} ± {spread[0]:.1f}, {fy:.1f} ± {spread[1]:.1f} pixels"
    yield f"  middle {cx:.1f} ± {spread[2]:.1f}, {cy:.1f} ± {spread[3]:.1f} pixels"
    yield f"  {step.views} views over {step.coverage:.0%} of the picture, missed by {lens.rms_px:.2f} pixels"
    yield f"  adds at most about {step.error_mm:.2f} mm to errors on the table"


def plane_lines(plane: Plane, lens: Lens | None, size_px: Size, tile_mm: float | None = None) -> Iterator[str]:
    """Say how the table lies in pictures of a size; tile_mm: the length of a tile, None where nobody told it."""
    from calibration.advice import tile_px
    from calibration.plane import USUAL_TILE_MM
    from rules.words import listing

    unit = "mm" if plane.scale_known else f"units (of a tile {USUAL_TILE_MM:.0f} long)"
    sizes = [max(axis) - min(axis) for axis in zip(*plane.area_mm, strict=True)]
    yield f"The table is known: the play area is {sizes[0]:.0f} by {sizes[1]:.0f} {unit}."
    if lens:
        at = plane.viewpoint(lens)
        yield f"  the camera is {at.height_mm:.0f} {unit} above it and looks {at.tilt_deg:.0f} degrees aslant"
    length = tile_mm or USUAL_TILE_MM
    tile = f"a tile of {length:g} mm" if plane.scale_known else "a tile"
    yield f"  {tile} is {tile_px(plane, lens, size_px, length):.0f} pixels long where it looks shortest"
    if plane.tags:
        yield f"  tags lie on it: {', '.join(str(tag.number) for tag in plane.tags)}"
    if plane.seats:
        yield f"  players sit at the {listing(list(plane.seats))} of the picture"
