"""The sets of dominoes that were taught, by their names: where each is kept."""

from __future__ import annotations

import re
from dataclasses import replace
from enum import Enum
from typing import TYPE_CHECKING

from pipsight.trouble import PipsightError, in_words, sentence

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from calibration.tileset import TileSet


TAUGHT_ANEW = "What was taught under this name before is replaced by it."


class SetSize(Enum):
    """The highest number of a set."""

    SIX = "6"
    NINE = "9"
    TWELVE = "12"


class UnknownSet(PipsightError, LookupError):
    """No set of that name was taught."""


class BadSetName(PipsightError, ValueError):
    """A file cannot have that name."""


def folder() -> Path:
    """Return where sets are kept; it need not exist yet."""
    from pipsight.places import data_folder

    return data_folder() / "sets"


def set_file(name: str) -> Path:
    """Return the file of a set. Raises BadSetName for a name that no file can have everywhere."""
    if not re.fullmatch(r"[\w-][\w. -]{0,60}", name) or name.endswith((" ", ".")):
        raise BadSetName(f"{name!r} cannot name a set: take letters, digits and dashes")
    return folder() / f"{name}.toml"


def keep_set(tiles: TileSet) -> tuple[str, ...]:
    """Keep a set that was taught just now; say so where another one was called by its name. Raises BadSetName."""
    from calibration.tileset_file import save

    place = set_file(tiles.name)
    before = place.exists()
    save(place, tiles)
    return (TAUGHT_ANEW,) * before


def taught_set(name: str) -> TileSet:
    """Return a set that was taught, called as its file is. Raises UnknownSet, and BadFile for a file that cannot be."""
    from calibration.tileset_file import load
    from pipsight.places import as_typed

    place = set_file(name)
    if not place.exists():
        known, command = ", ".join(taught_names()) or "none yet", f"pipsight calibrate set {as_typed(name)}"
        raise UnknownSet(f"no set {name} was taught (there are: {known}): {command} teaches it")
    return replace(load(place), name=name)


def taught_names() -> list[str]:
    """Return the names of all sets that were taught."""
    return sorted(path.stem for path in folder().glob("*.toml"))


def all_sets() -> Iterator[tuple[str, TileSet | str]]:
    """Return each set that was taught with its name; where its file cannot be used, why, in a sentence."""
    from calibration.errors import CalibrationError

    for name in taught_names():
        try:
            yield name, taught_set(name)
        except (CalibrationError, PipsightError, OSError) as error:
            yield name, sentence(in_words(error) or name)
