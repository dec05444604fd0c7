"""What a rendered scene really holds: the label that goes with each picture."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any

Point = tuple[float, float]

WHOLE = 0.97  # a tile of which so much is seen counts as seen whole


@dataclass(frozen=True)
class TrueTile:
    """A tile's face as projected: corners as in TileDetection, numbers, where its pips are, how much of it is seen.

    pip_hidden: whether something lies over one of its pips.
    """

    corners_px: tuple[Point, ...]
    pips: tuple[int, int]
    face_up: bool
    pips_px: tuple[Point, ...]
    visible: float
    pip_hidden: bool = False

    @property
    def clear(self) -> bool:
        """Whether all that is needed to read it is seen."""
        return self.visible >= WHOLE and not self.pip_hidden


@dataclass(frozen=True)
class TrueDie:
    """A die's top face as projected, its number, how much of that face is seen."""

    corners_px: tuple[Point, ...]
    value: int
    visible: float = 1.0

    @property
    def center_px(self) -> Point:
        """The middle of the top face."""
        return _middle(self.corners_px)


@dataclass(frozen=True)
class TruePiece:
    """A pawn or a round token: where it stands, how wide its foot is, its (red, green, blue), how much is seen."""

    kind: str  # "pawn" or "token"
    center_px: Point
    width_px: float
    color: tuple[int, int, int]
    visible: float = 1.0


@dataclass(frozen=True)
class TrueTetromino:
    """A cardboard tetromino lying flat: the corners of each of its four squares, which side is up, how much is seen."""

    squares_px: tuple[tuple[Point, ...], ...]
    light: bool
    visible: float = 1.0


@dataclass(frozen=True)
class Truth:
    """All that lies in one picture; tiles that are not clear are scored by nobody."""

    size_px: tuple[int, int]
    tiles: tuple[TrueTile, ...]
    dice: tuple[TrueDie, ...] = ()
    pieces: tuple[TruePiece, ...] = ()
    tetrominoes: tuple[TrueTetromino, ...] = ()
    decoys: tuple[tuple[Point, ...], ...] = ()  # corners of printed dominoes and of what else only looks like a tile
    squares: tuple[tuple[Point, ...], ...] = ()  # and of two bare squares of a printed board, side by side

    @property
    def lookalikes(self) -> tuple[tuple[Point, ...], ...]:
        """Corners of all that looks like a tile and is none."""
        return self.decoys + self.squares

    def as_json(self) -> dict[str, Any]:
        """In the plain types of JSON."""
        return asdict(self)


def from_json(data: dict[str, Any]) -> Truth:
    """The reverse of as_json."""
    tiles = tuple(
        TrueTile(
            _points(t["corners_px"]),
            (int(t["pips"][0]), int(t["pips"][1])),
            bool(t["face_up"]),
            _points(t["pips_px"]),
            float(t["visible"]),
            bool(t.get("pip_hidden", False)),
        )
        for t in data["tiles"]
    )
    decoys, squares = (tuple(_points(d) for d in data.get(kind, ())) for kind in ("decoys", "squares"))
    size = (int(data["size_px"][0]), int(data["size_px"][1]))
    return Truth(size, tiles, _dice(data), _pieces(data), _tetrominoes(data), decoys, squares)


def _dice(data: dict[str, Any]) -> tuple[TrueDie, ...]:
    return tuple(TrueDie(_points(d["corners_px"]), int(d["value"]), float(d["visible"])) for d in data.get("dice", ()))


def _pieces(data: dict[str, Any]) -> tuple[TruePiece, ...]:
    return tuple(
        TruePiece(
            str(p["kind"]),
            _points([p["center_px"]])[0],
            float(p["width_px"]),
            (int(p["color"][0]), int(p["color"][1]), int(p["color"][2])),
            float(p["visible"]),
        )
        for p in data.get("pieces", ())
    )


def _tetrominoes(data: dict[str, Any]) -> tuple[TrueTetromino, ...]:
    return tuple(
        TrueTetromino(tuple(_points(s) for s in t["squares_px"]), bool(t["light"]), float(t["visible"]))
        for t in data.get("tetrominoes", ())
    )


def _middle(points: tuple[Point, ...]) -> Point:
    return (sum(x for x, _ in points) / len(points), sum(y for _, y in points) / len(points))


def _points(values: Any) -> tuple[Point, ...]:
    return tuple((float(x), float(y)) for x, y in values)
