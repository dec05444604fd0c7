"""The sets that were taught: where they are kept, and the commands `pipsight sets ...`."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass
from enum import Enum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from pipsight.trouble import PipsightError, UnusableOutput, in_words, sentence

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from calibration.tileset import HalfLook, TileSet
    from vision.scene import Scene

NEARLY_ALL = 3  # dominoes that may lack where the whole set is meant to lie on the table

app = typer.Typer(
    name="sets",
    help="The sets of dominoes that you taught: pipsight calibrate set NAME teaches one.",
    no_args_is_help=True,
    pretty_exceptions_enable=False,
)

Name = Annotated[str, typer.Argument(metavar="NAME", help="The name of a taught set.")]


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


def taught_set(name: str) -> TileSet:
    """Return a set that was taught. Raises UnknownSet, and BadFile for a file that is not as it must be."""
    from calibration.tileset_file import load

    place = set_file(name)
    if not place.exists():
        known = ", ".join(taught_names()) or "none yet"
        raise UnknownSet(f"no set {name} was taught (there are: {known}): pipsight calibrate set {name} teaches it")
    return load(place)


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


@dataclass(frozen=True)
class Call:
    """Which dominoes of a taught set lack, and which lie there twice, as "42"."""

    of_set: str
    lacks: tuple[str, ...]
    twice: tuple[str, ...]

    @property
    def lines(self) -> Iterator[str]:
        """The same, a sentence each."""
        yield from (f"{_said(domino)} of {self.of_set} lies here twice." for domino in self.twice)
        yield from (f"Your set {self.of_set} lacks {_said(domino)}." for domino in self.lacks)


def called(scene: Scene, one: TileSet) -> Call:
    """Call the roll of a taught set: what lacks is told where nearly all of it lies there."""
    from rules.domino import Domino, DominoSet

    surely = [t for t in scene.tiles if t.of_set == one.name and t.face_up and not t.doubtful]
    often = Counter(str(Domino.of(*tile.pips)) for tile in surely)
    lacking = [str(d) for d in DominoSet(one.highest) if str(d) not in often]
    unsure = sum(t.of_set == one.name for t in scene.tiles) - len(surely)
    all_there = bool(often) and not unsure and len(lacking) <= NEARLY_ALL
    twice = tuple(domino for domino in sorted(often) if often[domino] > 1)
    return Call(one.name, tuple(lacking) if all_there else (), twice)


def roll(one: TileSet) -> Call:
    """Say what was known to lack from a set, and to be there twice, when it was taught."""
    return Call(one.name, one.missing, one.twice)


def table_call(scene: Scene, sets: Sequence[TileSet]) -> Iterator[str]:
    """Say which dominoes of taught sets lie on the table twice, and which lack where nearly all lie there."""
    for one in sets:
        yield from called(scene, one).lines


def _said(domino: str) -> str:
    from rules.words import pair

    return pair(*(int(half, 16) for half in domino))


@app.command("list")
def list_sets() -> None:
    """List the sets that were taught.

    Exit 0: all were listed; 4: the files of some cannot be used, each is named on stderr.
    """
    from pipsight.cli import BAD_INPUT, complain

    there = list(all_sets())
    for name, one in there:
        if isinstance(one, str):
            complain(one)
        else:
            print(f"{name}: double-{one.highest}, taught {one.made:%Y-%m-%d}, {len(one.known)} numbers seen")
    if not there:
        print("No set was taught yet: pipsight calibrate set NAME teaches one.")
    if any(isinstance(one, str) for _, one in there):
        raise typer.Exit(BAD_INPUT)


@app.command()
def show(name: Name) -> None:
    """Show what is known of a set, with the picture of each number."""
    one = taught_set(name)
    for line in (*facts(one), *pictures(one)):
        print(line)


def facts(one: TileSet) -> Iterator[str]:
    """Say in lines what a set is like."""
    length = f"{one.length_mm:g} mm long" if one.length_mm else "of unknown length"
    yield f"{one.name}: double-{one.highest}, taught {one.made:%Y-%m-%d %H:%M}"
    yield f"  tiles {length}, {one.width:.2f} lengths wide, face {_hex(one.face)}" + (
        f", back {_hex(one.back)}" if one.back else ", back not seen"
    )
    seam = one.seam
    bar = f"bar {seam.bar_length:g} by {seam.bar_width:g} halves" if seam.bar_length else "no bar"
    spinner = f"spinner of radius {seam.spinner:g}" if seam.spinner else "no spinner"
    yield f"  {bar}, {spinner}, pips of radius {one.pip_radius:g}"
    yield from (f"  lacks {_said(domino)}" for domino in one.missing)
    yield from (f"  has {_said(domino)} twice" for domino in one.twice)


def pictures(one: TileSet) -> Iterator[str]:
    """Draw each number of a set in letters, four beside each other."""
    seen = [half for half in one.halves if half.rows is not None]
    for k in range(0, len(seen), 4):
        row = seen[k : k + 4]
        yield ""
        yield "  ".join(f"{half.pips} {_hex(half.pip)}".ljust(len(_rows(half)[0])) for half in row)
        yield from ("  ".join(parts) for parts in zip(*(_rows(half) for half in row), strict=True))


def _rows(half: HalfLook) -> tuple[str, ...]:
    return half.rows or ()


def _hex(color: tuple[int, int, int]) -> str:
    return "#" + "".join(f"{part:02x}" for part in color)


@app.command()
def export(name: Name, file: Annotated[Path, typer.Argument(metavar="FILE", help="Where to write it.")]) -> None:
    """Write a set to a file, to share it; over an older one, but over nothing else."""
    from calibration.errors import CalibrationError
    from calibration.tileset_file import as_text, load
    from pipsight.saving import save

    if file.is_file():
        try:
            load(file)
        except CalibrationError:
            raise UnusableOutput(f"{file} is there already, and is no set: choose another name") from None
    save(file, as_text(taught_set(name)).encode())
    print(f"Written: {file}")


@app.command("import")
def import_set(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="A set that somebody exported.")],
    name: Annotated[str | None, typer.Option("--name", help="What to call it here; else as it was called.")] = None,
    replace_old: Annotated[bool, typer.Option("--replace", help="Forget a set of this name.")] = False,
) -> None:
    """Take in a set that somebody exported."""
    from dataclasses import replace

    from calibration.tileset_file import load, save

    one = load(file, "name a file that pipsight sets export wrote")
    one = replace(one, name=name or one.name)
    place = set_file(one.name)
    if place.exists() and not replace_old:
        raise BadSetName(f"there is a set {one.name} already: give another --name, or --replace it")
    save(place, one)
    print(f"Kept: {place}")


@app.command()
def forget(name: Name) -> None:
    """Forget a set that was taught."""
    place = set_file(name)
    if not place.exists():
        taught_set(name)
    place.unlink()
    print(f"Forgotten: {name}")
