"""One TOML file a set: its halves stand there as pictures that a person can see."""

from __future__ import annotations

import re
from pathlib import Path
from typing import cast

from calibration.errors import BadFile
from calibration.tileset import CELLS, SHADES, VERSION, Color, HalfLook, Seam, TileSet
from calibration.toml_text import TableOfFile, Value, replace_file, written

AGAIN = "teach the set again"
HIGHEST = range(1, 13)  # no camera tells more pips on a half
TITLE = "A set of dominoes as pipsight learnt it; the pictures show where its pips are, from . to #"
KEYS = ("version", "name", "highest", "made", "length_mm", "width", "face", "back", "pip_radius", "missing", "twice")


def save(path: Path, tiles: TileSet) -> None:
    """Write a set to its file, which appears whole or not at all; an old one stays until then."""
    replace_file(path, as_text(tiles))


def load(path: Path, again: str = AGAIN) -> TileSet:
    """Read a set; BadFile names the line that is wrong, and what to do again."""
    file = TableOfFile.read(path, again)
    if not ("name" in file or "highest" in file):
        raise BadFile(f"{path}: this is no set of dominoes: {again}")
    version = file.whole("version", 1)
    if version != VERSION:
        raise BadFile(f"{path}: version {version} was written by a newer pipsight: update pipsight or {again}")
    highest = file.whole("highest", 1)
    if highest not in HIGHEST:
        raise file.wrong("highest", "highest must be a number from 1 to 12")
    file.only(*KEYS, "seam", *(_title(number) for number in range(highest + 1)))
    halves = tuple(_half(file.table(_title(number)), number) for number in range(highest + 1))
    if not any(half.rows for half in halves):
        raise file.wrong(_title(0), "no number has a picture")
    missing, twice = (_dominoes(file, key, highest) for key in ("missing", "twice"))
    if both := sorted({*missing} & {*twice}):
        raise file.wrong("twice", f"a set that lacks {both[0]} cannot have it twice")
    return TileSet(
        name=file.text("name"),
        highest=highest,
        made=file.moment("made"),
        halves=halves,
        face=_color(file, "face"),
        back=_color(file, "back") if "back" in file else None,
        length_mm=file.number("length_mm", 1) if "length_mm" in file else None,
        width=_between(file, "width", 0.2, 1.0),
        seam=_seam(file.table("seam")),
        pip_radius=_between(file, "pip_radius", 0.0, 0.5),
        missing=missing,
        twice=twice,
        version=version,
    )


def as_text(tiles: TileSet) -> str:
    """The TOML of a set."""
    first: dict[str, Value | None] = {
        "version": tiles.version,
        "name": tiles.name,
        "highest": tiles.highest,
        "made": tiles.made,
        "length_mm": tiles.length_mm,
        "width": tiles.width,
        "face": tiles.face,
        "back": tiles.back,
        "pip_radius": tiles.pip_radius,
        "missing": tiles.missing,
        "twice": tiles.twice,
    }
    seam = tiles.seam
    tables: dict[str, dict[str, Value]] = {
        "seam": {
            "bar_width": seam.bar_width,
            "bar_length": seam.bar_length,
            "spinner": seam.spinner,
            "color": seam.color,
        }
    }
    for half in tiles.halves:
        table: dict[str, Value] = {"pip": half.pip, "spots": half.spots}
        tables[_title(half.pips)] = table | ({"picture": half.rows} if half.rows is not None else {})
    return written(TITLE, {key: value for key, value in first.items() if value is not None}, tables)


def _title(number: int) -> str:
    return f"half_{number}"


def _half(part: TableOfFile, number: int) -> HalfLook:
    part.only("pip", "spots", "picture")
    rows = part.texts("picture") if "picture" in part else None
    if rows is not None and (len(rows) != CELLS or any(len(row) != CELLS or set(row) - set(SHADES) for row in rows)):
        raise part.wrong("picture", f"picture must be {CELLS} rows of {CELLS} letters out of {SHADES}")
    spots = tuple((x, y) for x, y in part.rows("spots", 2))
    return HalfLook(number, _color(part, "pip"), spots, rows)


def _seam(part: TableOfFile) -> Seam:
    part.only("bar_width", "bar_length", "spinner", "color")
    bar_width, bar_length, spinner = (_between(part, key, 0.0, 1.0) for key in ("bar_width", "bar_length", "spinner"))
    return Seam(bar_width, bar_length, spinner, _color(part, "color"))


def _color(part: TableOfFile, key: str) -> Color:
    values = part.numbers(key, 3)
    if any(value % 1 or not 0 <= value <= 255 for value in values):
        raise part.wrong(key, f"{key} must be a colour: red, green and blue, each a whole number from 0 to 255")
    return cast(Color, tuple(int(value) for value in values))


def _between(part: TableOfFile, key: str, least: float, most: float) -> float:
    value = part.number(key)
    if not least <= value <= most:
        raise part.wrong(key, f"{key} must be between {least:g} and {most:g}")
    return value


def _dominoes(file: TableOfFile, key: str, highest: int) -> tuple[str, ...]:
    values = file.texts(key)
    for value in values:
        halves = [int(half, 16) for half in value] if re.fullmatch("[0-9a-f]{2}", value) else [highest + 1]
        if max(halves) > highest or halves[0] < halves[-1]:
            raise file.wrong(key, f"{key} must be dominoes of the set, the higher half first, as 42")
    return values
