"""The table that a hunt of Cobra Paw begins with: the dominoes in the middle, face up, two dice beside them."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass, replace
from functools import cached_property

import cv2
import numpy as np
from numpy.typing import NDArray

from rules.board import Cell
from rules.domino import DominoSet
from rules.table import Die, LooseTile, Table
from training.lens import looking_down
from training.overhead import View
from training.samples import set_of
from training.sets import random_style
from training.stage import PITCH, Stage
from training.surfaces import texture
from training.truth import Truth
from vision.straighten import Image

Rng = np.random.Generator
Points = NDArray[np.float64]
Quad = tuple[tuple[float, float], ...]

SIZE = (1280, 720)
TILE_PX = (45.0, 90.0)  # how long tiles are in the picture
TILE_MM = (42.0, 56.0)
TILT_DEG = 12.0
ROOM = 0.62  # of the picture's height and width, for the tiles


@dataclass(frozen=True, eq=False)
class Hunted:
    """A still table: the stage that shows it, all that lies there, and which tile is hunted."""

    stage: Stage
    table: Table
    target: int
    half_mm: float

    @cached_property
    def view(self) -> View:
        """The camera, in millimetres."""
        return View(self.stage.lens, self.half_mm, self.stage.style.thickness * self.half_mm)

    @cached_property
    def picture(self) -> Image:
        """The table without hands or noise."""
        return softened(self._shown[0])

    @cached_property
    def places(self) -> tuple[Quad, ...]:
        """The four corners of each tile's face in pixels."""
        return tuple(tile.corners_px for tile in self._shown[1].tiles)

    @cached_property
    def middles_mm(self) -> Points:
        """(n, 2) the middles of the tiles' faces."""
        return self.view.on_face(np.array(self.places).mean(axis=1))

    def without(self, places: Collection[int]) -> Image:
        """The table after some tiles were taken."""
        rest = tuple(tile for k, tile in enumerate(self.table.loose) if k not in places)
        return softened(self.stage.picture(replace(self.table, loose=rest))[0])

    def rolled(self, dice: tuple[int, int], at: tuple[Cell, Cell]) -> Image:
        """The table after the dice were thrown."""
        thrown = tuple(Die(value, cell) for value, cell in zip(dice, at, strict=True))
        return softened(self.stage.picture(replace(self.table, dice=thrown))[0])

    @cached_property
    def _shown(self) -> tuple[Image, Truth]:
        return self.stage.picture(self.table)


def softened(image: Image) -> Image:
    """As a lens shows it: no edge is sharper than a pixel."""
    return np.asarray(cv2.GaussianBlur(image, (0, 0), 0.6), np.uint8)


def random_hunted(rng: Rng, split: str) -> Hunted:
    """Eight to 28 dominoes of a double-six set, spread loosely, turned anyhow, or packed in rows."""
    half_px = float(rng.uniform(*TILE_PX)) / 2
    laid, half_px = _laid(rng, half_px)
    lens = looking_down(*SIZE, half_px, float(abs(rng.normal(0, TILT_DEG / 2))), float(rng.uniform(-6, 6)), _field(rng))
    style = set_of(int(rng.integers(2**31))) if rng.random() < 0.7 else replace(random_style(rng, _grain), highest=6)
    ground = int(rng.integers(2**31))
    stage = Stage(lens, style, ground=ground, split=split)
    return Hunted(stage, laid, int(rng.integers(len(laid.loose))), float(rng.uniform(*TILE_MM)) / 2)


def _field(rng: Rng) -> float:
    """How wide the camera sees, in degrees."""
    return float(rng.uniform(48, 76))


def _grain(rng: Rng) -> Image | None:
    return texture(rng) if rng.random() < 0.3 else None


def _laid(rng: Rng, half_px: float) -> tuple[Table, float]:
    """A table of tiles and two dice, and how large it is shown so that all of it leaves room for hands."""
    every = DominoSet(6).dominoes
    dominoes = [every[k] for k in rng.permutation(len(every))]
    count = 28 if rng.random() < 0.6 else int(rng.integers(8, 28))
    spots = _rows(rng, count) if rng.random() < 0.35 else _loose(rng, count)
    reach = abs(spots[:, :2]).max(axis=0) + 1
    half_px = min(half_px, *(ROOM * np.array(SIZE) / 2 / reach))
    tiles = tuple(
        LooseTile(one.high, one.low, float(x), float(y), float(turn))
        for one, (x, y, turn) in zip(dominoes, spots, strict=False)
    )
    return Table(loose=tiles, dice=_dice(rng, float(reach[0]))), float(half_px)


def _dice(rng: Rng, edge: float) -> tuple[Die, ...]:
    """Two dice to the left or the right of the tiles."""
    col = round((edge + 1.2) / PITCH) if rng.random() < 0.5 else -round((edge + 2.2) / PITCH)
    row = int(rng.integers(-3, 2))
    return tuple(Die(int(rng.integers(1, 7)), Cell(row + 2 * k, col + int(rng.integers(0, 2)))) for k in range(2))


def _loose(rng: Rng, count: int) -> Points:
    """Tiles spread over a table, (count, 3): x and y in halves from the middle, and the turn in degrees."""
    apart = float(rng.uniform(2.4, 3.1))
    rows = 4 if count > 18 else 3
    cols = -(-count // rows)
    at = np.array([(c - (cols - 1) / 2, r - (rows - 1) / 2) for r in range(rows) for c in range(cols)]) * apart
    at = at[rng.permutation(len(at))[:count]] + rng.uniform(-0.5, 0.5, (count, 2)) * (apart - 2.3)
    return np.column_stack([at, rng.uniform(0, 360, count)])


def _rows(rng: Rng, count: int) -> Points:
    """Tiles packed in rows, side by side or end to end, the whole a little turned."""
    cols = int(rng.integers(4, 8))
    rows = -(-count // cols)
    step = np.array([2.0, 1.0]) + rng.uniform(0.04, 0.35)
    at = np.array([(c - (cols - 1) / 2, r - (rows - 1) / 2) for r in range(rows) for c in range(cols)])[:count] * step
    turn = float(rng.normal(0, 12)) + 180 * int(rng.integers(2))
    a = np.radians(turn)
    spun = at @ np.array([[np.cos(a), np.sin(a)], [-np.sin(a), np.cos(a)]])
    return np.column_stack([spun + rng.normal(0, 0.015, spun.shape), turn + rng.normal(0, 1.5, count)])
