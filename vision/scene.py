"""What the camera saw, in pixels: the one neutral type between whatever detects and everything after it."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from heapq import nsmallest
from math import dist, isfinite

MOST_OTHERS = 3  # more than a person would look through

Point = tuple[float, float]
Likelihoods = tuple[tuple[float, ...], tuple[float, ...]]


@dataclass(frozen=True)
class Alternative:
    """Another reading of a whole tile: its two numbers, in the order of the tile's own, and its chance, 0 to 1."""

    pips: tuple[int, int]
    chance: float


@dataclass(frozen=True)
class TileDetection:
    """One tile on the table and what its two halves say.

    corners_px: four (x, y) going round; the first two bound the head's short edge, the last two the tail's.
    centers_px: the middle of the head half and of the tail half, in the order of `pips`.
    pips: the best reading of each half, 0 to 12; (0, 0) where the tile lies face down.
    confidence: the chance, 0 to 1, that the whole reading is right.
    likelihoods: for each half the chance of 0, 1, ... 12 pips as seen; empty where the tile lies face down.
    why: a phrase that says what makes the reading doubtful or why it was changed, empty if nothing does.
    changed_from: the reading before the dominoes that lie elsewhere were thought of, the same where it was taken for a
    back; None where that changed nothing.
    weighed: the next likeliest readings once those were thought of; None where they never were.
    of_set: the taught set that it belongs to by its looks, empty where none was taught.
    """

    corners_px: tuple[Point, Point, Point, Point]
    centers_px: tuple[Point, Point]
    pips: tuple[int, int]
    confidence: float
    doubtful: bool = False
    face_up: bool = True
    likelihoods: Likelihoods = ((), ())
    why: str = ""
    changed_from: tuple[int, int] | None = None
    weighed: tuple[Alternative, ...] | None = None
    of_set: str = ""

    @property
    def length_px(self) -> float:
        """How long it is, as twice the way between the middles of its halves tells.

        Seen aslant it is not quite as long as that from end to end, as vision.quads.length_of measures it.
        """
        return 2 * dist(*self.centers_px)

    @property
    def middle_px(self) -> Point:
        """The middle between its halves."""
        (a, b), (c, d) = self.centers_px
        return ((a + c) / 2, (b + d) / 2)

    @property
    def alternatives(self) -> tuple[Alternative, ...]:
        """The next likeliest readings of the whole tile with their chances, best first, at most three."""
        if self.weighed is not None:
            return self.weighed
        head, tail = self.likelihoods
        return likeliest(
            Alternative((a, b), one * other)
            for a, one in enumerate(head)
            for b, other in enumerate(tail)
            if (a, b) != self.pips
        )

    @property
    def others(self) -> tuple[tuple[int, int], ...]:
        """The next likeliest readings of the whole tile, best first, at most three."""
        return tuple(other.pips for other in self.alternatives)


def likeliest(readings: Iterable[Alternative]) -> tuple[Alternative, ...]:
    """The likeliest of many readings, best first, at most three; impossible ones are left out."""
    possible = (one for one in readings if isfinite(one.chance) and one.chance > 0)
    return tuple(nsmallest(MOST_OTHERS, possible, key=lambda one: -one.chance))


@dataclass(frozen=True)
class DieDetection:
    """One six-sided die: the middle of its top face, the number there, and how long its edges are."""

    center_px: Point
    value: int
    confidence: float
    doubtful: bool = False
    edge_px: float = 0.0


@dataclass(frozen=True)
class PawnDetection:
    """One pawn or round token: where it stands, its colour as (red, green, blue), 0 to 255, how wide its foot is."""

    center_px: Point
    color: tuple[int, int, int]
    confidence: float
    width_px: float = 0.0


@dataclass(frozen=True)
class HandDetection:
    """A human hand or arm over the table, as a polygon in pixels.

    number: the same hand has the same number from frame to frame. entry_px: where its arm comes into the picture.
    tips_px: the fingertips, the one that reaches farthest first.
    """

    outline_px: tuple[Point, ...]
    confidence: float
    number: int = 0
    entry_px: Point = (0.0, 0.0)
    tips_px: tuple[Point, ...] = ()


@dataclass(frozen=True)
class TetrominoDetection:
    """One cardboard tetromino lying on the board: the middles of its four squares, and whether its light side is up."""

    centers_px: tuple[Point, ...]
    light: bool
    confidence: float


@dataclass(frozen=True)
class Faint:
    """Something that may be a piece, too unsure to be told of; a game that expects one there may take it up.

    kind: "die", "pawn", "token" or "tetromino". chance: that it is one at all, 0 to 1.
    """

    kind: str
    chance: float
    piece: DieDetection | PawnDetection | TetrominoDetection


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
    faint: tuple[Faint, ...] = ()
    time_s: float = 0.0
    advice: tuple[str, ...] = field(default=())
