"""What a page asks of a wizard: which one to begin and with what, and what the person replies on the way."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, TypeAlias, cast, get_args

from calibration.plane import Side
from calibration.target import RULER_LIMITS_MM, SHEET
from pipsight.asking import BadAsk
from pipsight.sets import SetSize
from pipsight.wizards.table_guide import By, TableWish
from rules.domino import HIGHEST_PIPS, Domino

LIMITS_MM = 1.0, 5000.0
LONGEST_NAME = 61


@dataclass(frozen=True)
class LensWish:
    """Find the lens."""


@dataclass(frozen=True)
class SetWish:
    """Learn a set. highest: its highest number. length_mm: of a tile, None where nobody measured it."""

    name: str
    highest: int = 6
    length_mm: float | None = None


@dataclass(frozen=True)
class Take:
    """Take the picture as it is now."""


@dataclass(frozen=True)
class Enough:
    """No more pictures."""


@dataclass(frozen=True)
class Answer:
    """The numbers of the tile that was asked for, its first half first; None where nobody can tell."""

    pips: tuple[int, int] | None


@dataclass(frozen=True)
class Lacking:
    """Those of the unseen dominoes that the set really lacks."""

    dominoes: tuple[Domino, ...]


Wish: TypeAlias = LensWish | TableWish | SetWish
Reply: TypeAlias = Take | Enough | Answer | Lacking


def wished(message: Any) -> Wish:
    """What {"ask": "begin", "what": "table", ...} wishes. Raises BadAsk."""
    match message:
        case {"ask": "begin", "what": "lens"}:
            return LensWish()
        case {"ask": "begin", "what": "table", **rest}:
            return _table(rest)
        case {"ask": "begin", "what": "set", "name": str(name), **rest} if 0 < len(name) <= LONGEST_NAME:
            return SetWish(name, _highest(rest.get("highest", 6)), _length(rest, "length_mm"))
    raise BadAsk("a wizard is begun by begin and by what it is to find: lens, table, or set with a name")


def replied(message: Any) -> Reply:
    """What {"ask": "answer", "pips": [4, 2]} replies. Raises BadAsk."""
    match message:
        case {"ask": "take"}:
            return Take()
        case {"ask": "enough"}:
            return Enough()
        case {"ask": "answer", "pips": None}:
            return Answer(None)
        case {"ask": "answer", "pips": [head, tail]}:
            return Answer((_whole(head, HIGHEST_PIPS, "pips"), _whole(tail, HIGHEST_PIPS, "pips")))
        case {"ask": "lacking", "dominoes": [*words]} if len(words) < 200:
            return Lacking(tuple(map(_domino, words)))
    raise BadAsk("a wizard takes take, enough, answer, lacking, picture and stop")


def _table(rest: dict[Any, Any]) -> TableWish:
    by = rest.get("by", "sheet")
    if by not in get_args(By):
        raise BadAsk(f"by is one of {', '.join(get_args(By))}")
    ruler, area, seats = _length(rest, "ruler_mm", RULER_LIMITS_MM), rest.get("area_mm"), rest.get("seats", [])
    if not isinstance(seats, list) or not set(map(str, seats)) <= set(get_args(Side)):
        raise BadAsk(f"seats are some of {', '.join(get_args(Side))}")
    return TableWish(
        by=by,
        target=SHEET.measured(ruler) if ruler else SHEET,
        tile_mm=_length(rest, "tile_mm"),
        area_mm=_area(area) if area is not None else None,
        seats=tuple(cast(Side, side) for side in get_args(Side) if side in seats),
    )


def _area(value: Any) -> tuple[float, float]:
    match value:
        case [width, depth]:
            sides = _length({"area_mm": width}, "area_mm"), _length({"area_mm": depth}, "area_mm")
            if sides[0] and sides[1]:
                return sides[0], sides[1]
    raise BadAsk("area_mm is a width and a depth, in millimetres")


def _length(rest: dict[Any, Any], name: str, limits_mm: tuple[float, float] = LIMITS_MM) -> float | None:
    value, (least, most) = rest.get(name), limits_mm
    if value is None:
        return None
    if isinstance(value, bool) or not isinstance(value, int | float) or not least <= value <= most:
        raise BadAsk(f"{name} is a number of millimetres from {least:.0f} to {most:.0f}")
    return float(value)


def _highest(value: Any) -> int:
    if not isinstance(value, int) or str(value) not in (size.value for size in SetSize):
        raise BadAsk("highest is 6, 9 or 12")
    return value


def _whole(value: Any, most: int, name: str) -> int:
    if isinstance(value, bool) or not isinstance(value, int) or not 0 <= value <= most:
        raise BadAsk(f"{name} is a whole number from 0 to {most}")
    return value


def _domino(word: Any) -> Domino:
    if not isinstance(word, str) or len(word) != 2 or set(word) - set("0123456789abcdef"):
        raise BadAsk('dominoes are pairs of numbers as "42"')
    return Domino.of(int(word[0], 16), int(word[1], 16))
