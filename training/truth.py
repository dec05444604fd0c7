"""What a rendered scene really holds: the label that goes with each picture."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any

Point = tuple[float, float]


@dataclass(frozen=True)
class TrueTile:
    """A tile's face as projected: corners as in TileDetection, numbers, where its pips are, how much of it is seen."""

    corners_px: tuple[Point, ...]
    pips: tuple[int, int]
    face_up: bool
    pips_px: tuple[Point, ...]
    visible: float


@dataclass(frozen=True)
class TrueDie:
    center_px: Point
    value: int


@dataclass(frozen=True)
class Truth:
    """All that lies in one picture; hidden tiles (visible under 0.97, or a pip covered) are scored by nobody."""

    size_px: tuple[int, int]
    tiles: tuple[TrueTile, ...]
    dice: tuple[TrueDie, ...] = ()
    decoys: tuple[tuple[Point, ...], ...] = ()  # corners of places that look like tiles and are none

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
        )
        for t in data["tiles"]
    )
    dice = tuple(TrueDie(_points([d["center_px"]])[0], int(d["value"])) for d in data.get("dice", ()))
    decoys = tuple(_points(d) for d in data.get("decoys", ()))
    return Truth((int(data["size_px"][0]), int(data["size_px"][1])), tiles, dice, decoys)


def _points(values: Any) -> tuple[Point, ...]:
    return tuple((float(x), float(y)) for x, y in values)
