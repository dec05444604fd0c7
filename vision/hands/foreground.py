"""What lies over a known still table: a hand of any colour does, a shadow and a change of light do not.

A pixel's colour is compared with the still table's after the light's slow field is taken off: what is left over beside
the best darker shade of the table's own colour tells a thing from a shadow (Horprasert, Harwood and Davis 1999). Where
colours are alike, the table's grain decides: a shadow keeps it, a hand hides it.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import cast

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.motion import shrink
from vision.scene import Point
from vision.straighten import Image

Floats = NDArray[np.float32]
Bytes = NDArray[np.uint8]
Mask = NDArray[np.bool_]
Window = tuple[slice, slice]

CELL = 4  # pixels of the mask a cell, by which the light is fitted and changes are looked for
COARSE = (32, 18)  # places at which the light's field is fitted
FLOOR = (
    24.0  # grey levels added to all light, so that colours in the dark do not count for more than those in the light
)
FIT_ROUNDS, FIT_WIDTH = 3, 0.05
CHANGED, CHANGED_PART = 4.0, 0.02  # grey levels, and share of the light, by which a cell looks otherwise
AROUND = 2  # cells about a changed one that are looked at
SIGMAS, LEAST = 5.0, 8.0  # a colour is another one beyond so many deviations of the noise, and so many grey levels
TINT = 0.1  # how far the colour of a shadow turns away from the table's own, in radians
BRIGHTER, DEEPEST = 1.12, 0.33  # shades of the table's own colour between these are shadows
NEIGHBOURS = 9  # pixels of the mask: the neighbourhood in which the table's grain is looked for
GRAINY = 1.0  # deviations of the noise that slopes must have to count as grain
HIDDEN, WEAK = 0.45, 0.3  # grain less alike than the one and weaker than the other part of it is hidden
KEPT, SAME = 0.9, 0.3  # grain so much alike, and colours nearer than so many radians: the table itself, in a shadow
LIT, LIT_SAME = 1.06, 0.15  # as much more light makes a lit place, and so near to the table in that light is the table
LIT_CELLS, LIT_TOLD = 15, 0.03  # cells around whose grain tells of such light, and the part of them that has to
LIFT = np.full(4, FLOOR)
SPECK = np.ones((3, 3), np.uint8)


class Foreground:
    """Tells which pixels of a frame show something that lies over the still table.

    scale: how many pixels of a frame one pixel of the masks is wide. size: (width, height) of the masks. seen: the
    last frame in that size. light: the logarithm of how much more light it has, in places and colours (576, 3).

    >>> mask = Foreground(still).of(frame.image)  # doctest: +SKIP
    """

    def __init__(self, still: Image) -> None:
        self.scale = shrink(still)
        self.size = (still.shape[1] // self.scale, still.shape[0] // self.scale)
        table = _lifted(self._shrunk(still))
        self._length = np.asarray(np.sqrt(_total(table * table)), np.float32)
        self._way = np.asarray(table / self._length[..., None], np.float32)
        self._slopes = _slopes(self._length)
        self._grain = _common(self._slopes, self._slopes)
        self._cells = self._in_cells(table)
        self._covered = np.zeros(COARSE[::-1], np.bool_)
        self._noise = 2.0
        self.light = np.zeros((len(BASIS), 3), np.float32)
        self.seen = self._shrunk(still)

    def of(self, image: Image, lit: Sequence[Sequence[Point]] = ()) -> Bytes:
        """A mask, 255 where something lies over the table; lit: polygons in pixels where lamps of our own shine."""
        frame = self.seen = self._shrunk(image)
        cells = self._in_cells(_lifted(frame))
        gain = self._light(cells)
        mask = np.zeros(frame.shape[:2], np.uint8)
        relit = cells * gain
        for window in self._changed(relit):
            mask[window] = self._differs(window, frame, gain, relit)
        for polygon in lit:
            cv2.fillPoly(mask, [np.asarray(polygon, np.float32).round().astype(np.int32) // self.scale], (0,))
        self._covered = np.asarray(cv2.resize(mask, COARSE, interpolation=cv2.INTER_AREA) > 25, np.bool_)
        return mask

    def _shrunk(self, image: Image) -> Image:
        width, height = (side * self.scale for side in self.size)
        if self.scale == 1:  # as much noise is averaged out as where frames are made smaller
            return np.asarray(cv2.GaussianBlur(image, (3, 3), 0), np.uint8)
        return np.asarray(cv2.resize(image[:height, :width], self.size, interpolation=cv2.INTER_AREA), np.uint8)

    def _in_cells(self, lifted: Floats) -> Floats:
        size = (max(1, self.size[0] // CELL), max(1, self.size[1] // CELL))
        return np.asarray(cv2.resize(lifted, size, interpolation=cv2.INTER_AREA), np.float32)

    def _light(self, cells: Floats) -> Floats:
        """The gain, cell by cell and colour by colour, that brings the light back to the still table's."""
        few = cv2.resize(self._cells, COARSE, interpolation=cv2.INTER_AREA)
        apart = np.log(few / cv2.resize(cells, COARSE, interpolation=cv2.INTER_AREA)).reshape(-1, 3).astype(np.float64)
        seen = ~self._covered.ravel() if not self._covered.all() else np.ones(len(apart), np.bool_)
        field = np.zeros((BASIS.shape[1], 3))
        field[0] = np.median(apart[seen], axis=0)
        for _ in range(FIT_ROUNDS):
            off = abs(apart - BASIS @ field).max(axis=1)
            weighted = BASIS * (seen / (1 + (off / FIT_WIDTH) ** 2) ** 2)[:, None]
            field = np.linalg.solve(weighted.T @ BASIS + 1e-2 * np.eye(len(field)), weighted.T @ apart)
        self.light = np.asarray(BASIS @ -field, np.float32)
        gain = np.exp(-self.light).reshape(*COARSE[::-1], 3)
        return np.asarray(cv2.resize(gain, cells.shape[1::-1], interpolation=cv2.INTER_LINEAR), np.float32)

    def _changed(self, cells: Floats) -> Iterator[Window]:
        """Windows of the mask that hold every cell that looks otherwise, each with some more around."""
        apart = cv2.absdiff(cells, self._cells)
        changed = (apart > CHANGED + CHANGED_PART * self._cells).any(axis=2)
        side = 2 * AROUND + 1
        grown = cv2.dilate(np.asarray(changed, np.uint8), np.ones((side, side), np.uint8))
        count, _, boxes, _ = cv2.connectedComponentsWithStats(grown)
        height, width = self._length.shape
        for x, y, w, h, area in boxes[1:count].tolist():
            if area > (side + 1) ** 2:
                down = slice(y * CELL, height if y + h == grown.shape[0] else (y + h) * CELL)
                yield down, slice(x * CELL, width if x + w == grown.shape[1] else (x + w) * CELL)

    def _differs(self, window: Window, picture: Image, gain: Floats, cells: Floats) -> Bytes:
        """What of a window shows something else than the table, in whatever light."""
        length = self._length[window]
        frame = self._relit(window, picture, gain)
        least = max(LEAST, SIGMAS * self._noise)
        along = _total(cv2.multiply(frame, self._way[window]))
        aside = _total(cv2.multiply(frame, frame)) - along * along
        shade = along / length
        other = aside > np.maximum(least, TINT * along) ** 2
        other |= ((shade > BRIGHTER) | (shade < DEEPEST)) & (abs(along - length) > 1.5 * least)
        hidden, kept = self._grain_of(window, along)
        changed = (abs(along - length) > 0.5 * least) | (aside > (0.5 * least) ** 2)
        table = kept & (shade < 1.05) & (aside < (SAME * along) ** 2)
        over = np.asarray((other & ~table) | (hidden & changed), np.bool_)
        bright = over & (shade > LIT)
        if bright.any():
            over &= ~self._lights_up(window, frame, kept & (aside < (SAME * along) ** 2), cells, bright)
        return np.asarray(cv2.morphologyEx(over.astype(np.uint8) * 255, cv2.MORPH_OPEN, SPECK), np.uint8)

    def _lights_up(self, window: Window, frame: Floats, kept: Mask, cells: Floats, bright: Mask) -> Mask:
        """Which bright pixels are the table in more light than it had, as a shadow leaves it: its grain is kept around.

        frame, cells: in the still table's light but for what changed from place to place.
        """
        rows, cols = window
        here = slice(rows.start // CELL, -(-rows.stop // CELL)), slice(cols.start // CELL, -(-cols.stop // CELL))
        now, then = np.float32(-FLOOR) + cells[here], np.float32(-FLOOR) + self._cells[here]
        told = np.asarray(cv2.resize(kept * np.float32(1), now.shape[1::-1], interpolation=cv2.INTER_AREA), np.float32)
        light = _around(now * told[..., None]) / np.maximum(_around(then * told[..., None]), 1e-3)
        light[(_around(told) <= LIT_TOLD) | (light.mean(axis=2) <= LIT)] = 0  # nothing tells of light, or it is no more
        y, x = np.nonzero(bright)
        bare = self._way[window][y, x] * self._length[window][y, x, None] - FLOOR
        last_row, last_col = light.shape[0] - 1, light.shape[1] - 1  # pixels beyond the last whole cell are as that one
        table = bare * light[np.minimum(y // CELL, last_row), np.minimum(x // CELL, last_col)] + FLOOR
        lit = np.zeros_like(bright)
        lit[y, x] = ((frame[y, x] - table) ** 2).sum(axis=1) < LIT_SAME**2 * (table * table).sum(axis=1)
        return lit

    def _relit(self, window: Window, picture: Image, gain: Floats) -> Floats:
        """A window of a frame in the still table's light."""
        rows, cols = window
        cells = gain[rows.start // CELL : -(-rows.stop // CELL), cols.start // CELL : -(-cols.stop // CELL)]
        frame = _lifted(picture[window])
        light = cv2.resize(cells, frame.shape[1::-1], interpolation=cv2.INTER_LINEAR)
        return cast(Floats, cv2.multiply(frame, light, dst=frame))

    def _grain_of(self, window: Window, along: Floats) -> tuple[Mask, Mask]:
        """Where the table's grain is hidden, and where it can still be seen."""
        slopes, grain = _slopes(along), self._grain[window]
        shared, own = _common(slopes, self._slopes[window]), _common(slopes, slopes)
        alike = shared * abs(shared) / (grain * own + 1e-3)
        grainy = grain > (GRAINY * self._noise) ** 2
        return grainy & (alike < HIDDEN**2) & (shared < WEAK * grain), grainy & (alike > KEPT**2)


def _lifted(picture: Image) -> Floats:
    return np.asarray(cv2.add(picture, LIFT, dtype=cv2.CV_32F), np.float32)


def _total(colors: Floats | cv2.typing.MatLike) -> Floats:
    """The sum of the colours, pixel by pixel."""
    return cast(Floats, cv2.transform(colors, np.ones((1, colors.shape[2]), np.float32)))


def _slopes(light: Floats) -> Floats:
    """(rows, cols, 2): how the light rises to the right and downwards, in grey levels a pixel."""
    ways = [cv2.Sobel(light, cv2.CV_32F, right, 1 - right, scale=0.125) for right in (1, 0)]
    return cast(Floats, cv2.merge(ways))


def _common(one: Floats, other: Floats) -> Floats:
    """How much slopes have in common, on average over each pixel's neighbourhood."""
    return cast(Floats, cv2.blur(_total(cv2.multiply(one, other)), (NEIGHBOURS, NEIGHBOURS)))


def _around(cells: Floats) -> Floats:
    """The mean around each cell."""
    return cast(Floats, cv2.blur(cells, (LIT_CELLS, LIT_CELLS)))


def _quadratic() -> NDArray[np.float64]:
    """(places, 6): 1, x, y and their products, x and y from -1 to 1, row by row."""
    cols, rows = COARSE
    x = np.tile((np.arange(cols) + 0.5) / cols * 2 - 1, rows)
    y = np.repeat((np.arange(rows) + 0.5) / rows * 2 - 1, cols)
    return np.stack([np.ones_like(x), x, y, x * x, x * y, y * y], axis=1)


BASIS = _quadratic()
