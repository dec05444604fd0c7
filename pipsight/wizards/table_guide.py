"""The wizard that finds the table: from the sheet, from tags at its corners, or from nothing but the dominoes on it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Literal

import numpy as np

from calibration.advice import advice
from calibration.blend import Blend
from calibration.lens import Image, Lens, Points, Size
from calibration.overlay import draw_guide, draw_plane
from calibration.plane import USUAL_TILE_MM, Plane, Point, Side, Tag
from calibration.plane_fit import area_around, plane_from_sheet, seen_area
from calibration.rectangles import FEWEST, SeenTile, plane_from_tags, plane_from_tiles
from calibration.sheet import TAG_MM
from calibration.sighting import Sighting, find_sheet
from calibration.target import SHEET, TAG_NUMBERS, Target
from pipsight.guide import MIRROR_EVERY, NO_SHEET, Guide, Step, Stillness

if TYPE_CHECKING:
    from vision.camera import Frame

By = Literal["sheet", "tags", "tiles"]
FindTiles = Callable[[Image], list[SeenTile]]

LOOKS = 8  # so many still frames are put together
PATIENCE_S = 20.0  # so long may what was told first be mended
LAY_FLAT = "Lay the sheet flat in the middle of the play area, and take your hands away."
LAY_TAGS = "Lay the four tags at the corners of the play area: {} of 4 are seen."
LAY_TILES = "Spread dominoes over the play area, at least six, flat and not only in one corner."
STEADY = "Keep still: looking."
RESIZED = "The pictures changed from {}x{} to {}x{}: leave the camera as it is to stand, and begin once more."
UNKNOWN_SCALE = "The scale is unknown: give the length of a tile (--tile) to have millimetres."
NO_LENS = "The lens is not calibrated: a bent picture makes the table less exact (pipsight calibrate lens)."


@dataclass(frozen=True)
class TableWish:
    """What is known or wished of the table before it is looked at.

    by: what to find it by. target: the sheet as it was printed, at whose scale the tags were too. tile_mm: the length
    of a tile, if known. area_mm: the play area's width and depth, else what the picture shows, or what lies between the
    tags. seats: where players sit.
    """

    by: By = "sheet"
    target: Target = SHEET
    tile_mm: float | None = None
    area_mm: tuple[float, float] | None = None
    seats: tuple[Side, ...] = ()

    @property
    def tag_mm(self) -> float:
        """The side of a tag."""
        return TAG_MM * self.target.square_mm / SHEET.square_mm


class TableGuide(Guide):
    """Looks until the table is found.

    find_tiles: what is seen of the dominoes in a frame.
    """

    def __init__(
        self,
        wish: TableWish | None = None,
        lens: Lens | None = None,
        find_tiles: FindTiles | None = None,
        mirrored: bool = False,
    ) -> None:
        self._wish, self.lens, self._find_tiles, self.mirrored = wish or TableWish(), lens, find_tiles, mirrored
        self._still = Stillness()
        self._looks: list[Sighting] = []
        self._blend = Blend()
        self._tiles: list[SeenTile] = []
        self._now_s = 0.0
        self._failing_s: float | None = None  # since when what was gathered fits no table
        self._size: Size | None = None
        self._frames = 0
        self._reason = ""
        self.plane: Plane | None = None
        self.advice: tuple[str, ...] = ()

    def see(self, frame: Frame) -> Step:
        """Look at one frame and say what to do next."""
        self._image = image = self._upright(frame)
        self._frames += 1
        size = (image.shape[1], image.shape[0])
        self._size = self._size or size
        if size != self._size:
            return Step("failed", RESIZED.format(*self._size, *size), image)
        self._now_s = frame.time_s
        sighting = find_sheet(image, self._wish.target)
        if turned := self._mirror(image):
            return Step("showing", turned, image, sighting=sighting)
        if self._wish.by == "tiles":
            ready, words = self._by_tiles(image)
        elif self._wish.by == "tags":
            ready, words = self._by_tags(sighting)
        else:
            ready, words = self._by_sheet(sighting, frame.time_s)
        if ready:
            return self._finished(image, sighting)
        if self._failing_s is not None and self._now_s - self._failing_s > PATIENCE_S:
            return Step("failed", self._reason, image, sighting=sighting)
        taken = self._blend.count or len(self._looks)
        return Step("holding" if words == STEADY else "showing", words, image, taken, sighting=sighting)

    def _mirror(self, image: Image) -> str:
        """What to say where the sheet or the tags show in a mirror, which is looked up now and then."""
        return self._turns(image) if self._wish.by != "tiles" and self._frames % MIRROR_EVERY == 1 else ""

    def _by_sheet(self, sighting: Sighting, time_s: float) -> tuple[bool, str]:
        """Gather looks at the sheet while it lies still."""
        if not self._still.see(sighting, time_s):
            self._looks.clear()
            return False, sighting.fault or self._reason or (LAY_FLAT if sighting.found else NO_SHEET + " " + LAY_FLAT)
        if sighting.lacks:
            return False, f"The sheet is covered or cut off at its {' and '.join(sighting.lacks)} side: show all of it."
        self._looks.append(sighting)
        return len(self._looks) >= LOOKS, STEADY

    def _by_tags(self, sighting: Sighting) -> tuple[bool, str]:
        """Gather looks at the four tags; the median over them tells."""
        if len(sighting.tags) < len(TAG_NUMBERS):
            return False, self._reason or LAY_TAGS.format(len(sighting.tags))
        self._looks.append(sighting)
        return len(self._looks) >= LOOKS, STEADY

    def _by_tiles(self, image: Image) -> tuple[bool, str]:
        """Look at the dominoes once nothing moves: many frames together have less noise than one."""
        self._blend.see(image)
        return self._look_at_tiles() if self._blend.count >= LOOKS else (False, self._reason or STEADY)

    def _look_at_tiles(self) -> tuple[bool, str]:
        self._tiles, self._blend = self._find_tiles(self._blend.mean) if self._find_tiles else [], Blend()
        if len(self._tiles) < FEWEST:
            self._reason = LAY_TILES
            return False, LAY_TILES
        return True, STEADY

    def ended(self) -> Step | None:
        """The table as few frames show its dominoes, where a folder has no more of them; else why it was not found."""
        if self.plane or not (self._blend.count or self._reason):
            return None
        if not self._blend.count:
            return Step("failed", self._reason, self._image)
        image = self._blend.mean
        ready, words = self._look_at_tiles()
        return self._finished(image, None) if ready else Step("failed", words, image)

    def _finished(self, image: Image, sighting: Sighting | None) -> Step:
        """Fit the plane to what was gathered; what does not fit is said, and gathered anew."""
        size_px = (image.shape[1], image.shape[0])
        plane, self._reason = self._fitted(size_px)
        found = plane and self._bounded(plane, size_px)
        self._looks.clear()
        if found is None or plane is None:
            self._failing_s = self._now_s if self._failing_s is None else self._failing_s
            return Step("showing", self._reason, image, sighting=sighting)
        self.plane = found
        told = advice(image, self.plane, self.lens, self._wish.tile_mm or USUAL_TILE_MM)
        self.advice = (*told, *(() if self.lens else (NO_LENS,)), *(() if plane.scale_known else (UNKNOWN_SCALE,)))
        return Step("done", "The table is found.", image, sighting=sighting, warnings=self.advice)

    def _fitted(self, size_px: tuple[int, int]) -> tuple[Plane | None, str]:
        wish = self._wish
        if wish.by == "tiles":
            tiles = plane_from_tiles(self._tiles, size_px, self.lens, wish.tile_mm)
            return tiles.plane, tiles.reason
        if wish.by == "tags":
            tags = plane_from_tags(list(self._tags().values()), size_px, wish.tag_mm, self.lens)
            return tags.plane, tags.reason
        sheet = plane_from_sheet(self._looks, self.lens)
        return sheet.plane, sheet.reason

    def _tags(self) -> dict[int, Points]:
        """The median place of each tag's corners."""
        seen = [dict(look.tags) for look in self._looks]
        common = [number for number in TAG_NUMBERS if seen and all(number in tags for tags in seen)]
        return {number: np.median([tags[number] for tags in seen], axis=0) for number in common}

    def _bounded(self, plane: Plane, size_px: tuple[int, int]) -> Plane:
        """The plane with its play area, its seats, and the tags that lie on it."""
        tags = tuple(Tag(number, _four(plane.to_table(at, self.lens))) for number, at in self._tags().items())
        area = area_around(self._wish.area_mm) if self._wish.area_mm else ()
        if not area and self._wish.by == "tags":
            middles = np.array([np.mean(tag.corners_mm, axis=0) for tag in tags])
            around = np.argsort(np.arctan2(*(middles - middles.mean(axis=0)).T[::-1]))
            area = tuple((float(x), float(y)) for x, y in middles[around])
        area = area or seen_area(plane, size_px, self.lens)
        return replace(plane, area_mm=area, seats=self._wish.seats, tags=tags)

    def drawn(self, step: Step, *, written: bool = True) -> Image:
        """The step's frame with what was found, and with the grid of the table once there is one."""
        frame = draw_plane(step.frame, self.plane, self.lens) if self.plane else step.frame
        corners = step.sighting.corners_px if step.sighting else None
        return draw_guide(frame, None, corners, None, (step.words, *step.warnings) if written else ())


def tile_finder() -> FindTiles:
    """What looks closely at the dominoes on a frame; what may be no domino is left out."""
    from vision.corners import sharpened
    from vision.pips import PipReader
    from vision.reader import Reader
    from vision.reading import NO_DOMINO

    reader, pips = Reader(), PipReader()

    def find(frame: Image) -> list[SeenTile]:
        tiles = [tile for tile in reader.read(frame).tiles if tile.why != NO_DOMINO]
        return sharpened(frame, [tile.corners_px for tile in tiles], pips)

    return find


def _four(points: Points) -> tuple[Point, Point, Point, Point]:
    a, b, c, d = ((float(x), float(y)) for x, y in points)
    return a, b, c, d
