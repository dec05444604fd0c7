"""The commands `pipsight sets ...`: the sets that were taught are listed, shown, shared and forgotten."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from pipsight.sets import BadSetName, all_sets, set_file, taught_set
from pipsight.trouble import UnusableOutput

if TYPE_CHECKING:
    from collections.abc import Iterator

    from calibration.tileset import HalfLook, TileSet

app = typer.Typer(
    name="sets",
    help="The sets of dominoes that you taught: pipsight calibrate set NAME teaches one.",
    no_args_is_help=True,
    pretty_exceptions_enable=False,
)

Name = Annotated[str, typer.Argument(metavar="NAME", help="The name of a taught set.")]


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
    from rules.words import said_reading

    length = f"{one.length_mm:g} mm long" if one.length_mm else "of unknown length"
    yield f"{one.name}: double-{one.highest}, taught {one.made:%Y-%m-%d %H:%M}"
    yield f"  tiles {length}, {one.width:.2f} lengths wide, face {_hex(one.face)}" + (
        f", back {_hex(one.back)}" if one.back else ", back not seen"
    )
    seam = one.seam
    bar = f"bar {seam.bar_length:g} by {seam.bar_width:g} halves" if seam.bar_length else "no bar"
    spinner = f"spinner of radius {seam.spinner:g}" if seam.spinner else "no spinner"
    yield f"  {bar}, {spinner}, pips of radius {one.pip_radius:g}"
    yield from (f"  lacks {said_reading(domino)}" for domino in one.missing)
    yield from (f"  has {said_reading(domino)} twice" for domino in one.twice)


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
