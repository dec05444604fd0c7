"""Pictures in, readings out: what was seen on each, how long it took, and the line that programs read."""

from __future__ import annotations

import json
import time
from collections import Counter
from contextlib import suppress
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

from pipsight.calling import table_call
from pipsight.sets import taught_set
from pipsight.trouble import NothingToRead, in_words
from rules.domino import Domino
from rules.words import said

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    import numpy as np
    from numpy.typing import NDArray

    from vision.scene import DieDetection, PawnDetection, Point, Scene, TetrominoDetection, TileDetection


class Sees(Protocol):
    """Whatever turns a frame into a scene."""

    def read(self, frame: NDArray[np.uint8]) -> Scene:
        """Return what a BGR frame shows."""
        ...


@dataclass(frozen=True, eq=False)
class Reading:
    """What one picture shows.

    image: its path exactly as given. frame: the BGR picture. ms: milliseconds from the file to the scene, without the
    time that loading the model takes. notes: what lies there twice or lacks, where the set is known.
    """

    image: str
    frame: NDArray[np.uint8]
    scene: Scene
    ms: float
    notes: tuple[str, ...] = ()


@dataclass(frozen=True)
class Failure:
    """A picture that could not be read, and why, in a sentence."""

    image: str
    error: str


class PictureReader:
    """Reads pictures one after the other: `PictureReader().read("table.jpg")`; the model is loaded with the first.

    highest: the highest number of the one set that all dominoes are from, each there once; None where nobody knows.
    taught: the names of the taught sets that lie there; each of their dominoes is there once.
    """

    def __init__(self, highest: int | None = None, taught: Sequence[str] = ()) -> None:
        self._highest, self._sets = highest, tuple(map(taught_set, dict.fromkeys(taught)))

    @cached_property
    def _eye(self) -> Sees:
        from vision.reader import Reader

        return Reader(self._sets)

    def read(self, image: str) -> Reading:
        """Return what a picture file shows. Raises VisionError for a file that is no sound picture."""
        from vision.picture import load

        began = time.perf_counter()
        frame = load(image)
        loaded = time.perf_counter()
        eye = self._eye
        ready = time.perf_counter()
        scene = self._known(eye.read(frame))
        ms = 1000 * (loaded - began + time.perf_counter() - ready)
        return Reading(image, frame, scene, ms, (*table_call(scene, self._sets), *self._twice(scene)))

    def _known(self, scene: Scene) -> Scene:
        """Return the scene with each domino that is known to be there read once, and nothing read beneath pieces."""
        from vision.beneath import beneath_told

        scene = beneath_told(scene)
        if self._sets:
            from vision.taught import each_once

            return each_once(scene, self._sets)
        if self._highest is not None:
            from vision.assignment import assign

            return assign(scene, self._highest)
        return scene

    def _twice(self, scene: Scene) -> Iterator[str]:
        """What lies there more than once, though all dominoes are from one set."""
        if self._highest is None:
            return
        lying = Counter(Domino.of(*tile.pips) for tile in scene.tiles if tile.face_up)
        for domino, number in sorted(lying.items()):
            if number > 1:
                often = "twice" if number == 2 else f"{number} times"
                yield f"The {said(domino)} lies there {often}, and a set has it once."

    def attempt(self, image: str) -> Reading | Failure:
        """Return what a picture file shows, or why it cannot be read: one bad picture must not stop the others."""
        from vision.errors import VisionError

        try:
            _require_pictures(image)
            return self.read(image)
        except (NothingToRead, VisionError, OSError, MemoryError) as error:
            return Failure(image, in_words(error) or str(error))


def pictures_meant(paths: Iterable[str]) -> list[str]:
    """Return the pictures that are meant: each as given, and for a folder those that lie in it.

    A folder without pictures stands for itself: that it has none is told in its turn, after the pictures before it.
    """
    return [image for path in paths for image in (_in_folder(path) or [path])]


def _in_folder(path: str) -> list[str]:
    """The pictures of a folder; none of what is no folder, or may not be looked into."""
    from vision.picture import pictures_in

    with suppress(OSError):
        return [str(one) for one in pictures_in(path)] if path and Path(path).is_dir() else []
    return []


def _require_pictures(path: str) -> None:
    """Raises NothingToRead for a folder without pictures."""
    from vision.picture import pictures_in

    if path and Path(path).is_dir() and not pictures_in(path):
        raise NothingToRead(f"the folder {path} holds no pictures (.jpg, .png, .webp, .bmp, .tif)")


def json_line(result: Reading | Failure) -> str:
    """Return a result as one line of JSON, pixels as (x, y) in the upright picture."""
    if isinstance(result, Failure):
        return json.dumps({"image": result.image, "error": result.error, "tiles": []})
    scene = result.scene
    return json.dumps(
        {
            "image": result.image,
            "size_px": list(scene.size_px),
            "ms": round(result.ms, 1),
            "advice": list(scene.advice),
            **({"notes": list(result.notes)} if result.notes else {}),
            "tiles": [_tile(tile) for tile in scene.tiles],
            "dice": [_die(die) for die in scene.dice],
            "pawns": [_pawn(pawn) for pawn in scene.pawns],
            "tokens": [_pawn(token) for token in scene.tokens],
            "tetrominoes": [_tetromino(tetromino) for tetromino in scene.tetrominoes],
        }
    )


def _tile(tile: TileDetection) -> dict[str, Any]:
    return {
        "pips": [int(pips) for pips in tile.pips],
        "centers_px": [_point(point) for point in tile.centers_px],
        "corners_px": [_point(point) for point in tile.corners_px],
        "confidence": round(float(tile.confidence), 4),
        "doubtful": bool(tile.doubtful),
        **({"why": tile.why} if tile.why else {}),
        "face_up": bool(tile.face_up),
        "others": [{"pips": list(other.pips), "chance": round(other.chance, 5)} for other in tile.alternatives],
        **({"changed_from": list(tile.changed_from)} if tile.changed_from else {}),
        **({"set": tile.of_set} if tile.of_set else {}),
    }


def _die(die: DieDetection) -> dict[str, Any]:
    return {
        "value": int(die.value),
        "center_px": _point(die.center_px),
        "confidence": round(float(die.confidence), 4),
        "doubtful": bool(die.doubtful),
    }


def _pawn(pawn: PawnDetection) -> dict[str, Any]:
    return {
        "center_px": _point(pawn.center_px),
        "color": list(pawn.color),
        "confidence": round(float(pawn.confidence), 4),
    }


def _tetromino(tetromino: TetrominoDetection) -> dict[str, Any]:
    return {
        "centers_px": [_point(center) for center in tetromino.centers_px],
        "light": bool(tetromino.light),
        "confidence": round(float(tetromino.confidence), 4),
    }


def _point(point: Point) -> list[float]:
    return [round(float(point[0]), 1), round(float(point[1]), 1)]
