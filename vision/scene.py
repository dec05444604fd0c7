"""What the camera saw, in pixels: the one neutral type between whatever detects and everything after it."""

from __future__ import annotations

from dataclasses import dataclass, field

Point = tuple[float, float]
Likelihoods = tuple[tuple[float, ...], tuple[float, ...]]


@dataclass(frozen=True)
class TileDetection:
    """One tile on the table and what its two halves say.

    corners_px: four (x, y) going round; the first two bound the head's short edge, the last two the tail's.
    centers_px: the middle of the head half and of the tail half, in the order of `pips`.
    pips: the best reading of each half, 0 to 12; (0, 0) where the tile lies face down.
    confidence: the chance, 0 to 1, that the whole reading is right.
    likelihoods: for each half the chance of 0, 1, ... 12 pips; empty where the tile lies face down.
    why: a phrase that says what makes the reading doubtful, empty if nothing does.
    """

    corners_px: tuple[Point, Point, Point, Point]
    centers_px: tuple[Point, Point]
    pips: tuple[int, int]
    confidence: float
    doubtful: bool = False
    face_up: bool = True
    likelihoods: Likelihoods = ((), ())
    why: str = ""


@dataclass(frozen=True)
class DieDetection:
    """One six-sided die and the number on its top face."""

    center_px: Point
    value: int
    confidence: float
    doubtful: bool = False


@dataclass(frozen=True)
class PawnDetection:
    """One pawn or round token: where it stands and its colour as (red, green, blue), 0 to 255."""

    center_px: Point
    color: tuple[int, int, int]
    confidence: float


@dataclass(frozen=True)
class HandDetection:
    """A human hand or arm over the table, as a polygon in pixels."""

    outline_px: tuple[Point, ...]
    confidence: float


@dataclass(frozen=True)
class TetrominoDetection:
    """One cardboard tetromino lying on the board: the middles of its four squares, and whether its light side is up."""

    centers_px: tuple[Point, ...]
    light: bool
    confidence: float


@dataclass(frozen=True)
class Scene:
    """Everything that one frame shows; an empty scene is an ordinary answer.

    size_px: (width, height) of the frame after EXIF rotation. time_s: when it was taken, 0 for a single picture.
    advice: sentences for the person behind the camera (nearer, sharper, more light), most urgent first.
    """

    size_px: tuple[int, int]
    tiles: tuple[TileDetection, ...] = ()
    dice: tuple[DieDetection, ...] = ()
    pawns: tuple[PawnDetection, ...] = ()
    tokens: tuple[PawnDetection, ...] = ()
    tetrominoes: tuple[TetrominoDetection, ...] = ()
    hands: tuple[HandDetection, ...] = ()
    time_s: float = 0.0
    advice: tuple[str, ...] = field(default=())
