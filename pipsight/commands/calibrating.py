"""The commands `pipsight calibrate ...`: the sheet, the lens, the table, and a set of dominoes."""

from __future__ import annotations

import math
import re
import sys
from contextlib import contextmanager, nullcontext
from enum import Enum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, NoReturn, TypeVar

import typer

from pipsight.commands.naming import sides
from pipsight.sets import SetSize

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence
    from contextlib import AbstractContextManager

    from calibration.lens import Image
    from calibration.target import Target
    from pipsight.guide import Step
    from pipsight.wizards.preview import Preview
    from vision.camera import Camera

T = TypeVar("T")

NOT_DONE = 3
RULER_TOLERANCE = 0.003  # printers and rulers are not better
FEWEST_PX, MOST_PX = 200, 16_384  # of a screen, each way
MOST_LESSONS = 2  # pictures that a set is learnt from: each shows a part of it, or both show all
MOST_MM = 20_000  # of a play area, each way

app = typer.Typer(
    name="calibrate",
    help="Teach pipsight your camera, your table and your dominoes.",
    no_args_is_help=True,
    pretty_exceptions_enable=False,
)


class Paper(Enum):
    """What the sheet is printed on."""

    A4 = "a4"
    LETTER = "letter"


class By(Enum):
    """What the table is found by."""

    SHEET = "sheet"
    TAGS = "tags"
    TILES = "tiles"


def _camera(typed: str | None) -> str | None:
    """A camera, as somebody typed it; one that only a page has is calibrated there."""
    from pipsight.sources import is_page

    if typed is not None and is_page(typed) and not Path(typed).exists():
        raise typer.BadParameter("a page's camera is calibrated on that page: pipsight watch, then Calibrate")
    return typed


Source = Annotated[
    str,
    typer.Option(
        "--camera",
        metavar="N|ADDRESS|VIDEO|FOLDER",
        callback=_camera,
        help="The camera: its number, address, or a file.",
    ),
]


def _name(typed: str | None) -> str | None:
    """The name of a camera, as somebody typed it."""
    if typed is not None and not re.search(r"\w", typed):
        raise typer.BadParameter("a name has letters or digits")
    return typed


Name = Annotated[
    str | None,
    typer.Option(
        "--name", metavar="NAME", callback=_name, help="What to call the camera; else its number, address or file."
    ),
]
Show = Annotated[bool, typer.Option("--show", help="Show on a page of this machine what the camera sees.")]


def _ruler(typed: str) -> float:
    """The length of a ruler in millimetres, as somebody typed it."""
    from calibration.target import RULER_LIMITS_MM

    least, most = RULER_LIMITS_MM
    try:
        length = float(typed.replace(",", "."))  # as half of the world writes it
    except ValueError:
        length = math.nan
    if not least <= length <= most:
        raise typer.BadParameter(f"a ruler is {least:.0f} to {most:.0f} millimetres long, not {typed}")
    return length


Ruler = Annotated[
    float | None,
    typer.Option("--ruler", metavar="MM", parser=_ruler, help="How long the sheet's ruler is, as you measured it."),
]


@app.command()
def target(
    paper: Annotated[Paper, typer.Option("--paper", help="What it is printed on.")] = Paper.A4,
    screen: Annotated[
        str | None, typer.Option("--screen", metavar="WxH", help="For a screen of so many pixels instead of paper.")
    ] = None,
    diagonal: Annotated[
        float | None, typer.Option("--diagonal", metavar="INCHES", min=1, max=1000, help="The screen's diagonal.")
    ] = None,
    out: Annotated[Path, typer.Option("--out", metavar="DIR", help="Where the files go.")] = Path(),
) -> None:
    """Write the sheet to print (PDF, SVG, PNG) with the tags for the table's corners, or a picture for a screen."""
    from pipsight.saving import require_folder, save

    if diagonal and not screen:
        raise typer.BadParameter("it is that of a screen: add --screen, as 1920x1080", param_hint="--diagonal")
    require_folder(out)
    pictures, words = _on_screen(screen, diagonal) if screen else _on_paper(paper.value)
    for name, data in pictures.items():
        save(out / name, data)
        print(f"Written: {out / name}")
    print(words)


@app.command()
def lens(camera: Source = "0", name: Name = None, show: Show = False) -> None:
    """Learn the camera's lens: hold the sheet as the outline asks, until it is known well enough. No key is pressed.

    Exit 0: the lens is known; 3: the frames ended before, or it could not be settled, and what was known before stays.
    """
    from calibration.steadiness import Steadiness
    from pipsight.cameras import camera_file, keep_lens, lens_lines, settled, usable_camera
    from pipsight.guide import LensGuide
    from pipsight.places import require_kept
    from vision.camera import open_camera

    require_kept(camera_file(camera, name))
    guide, steadiness, old = LensGuide(), Steadiness(), usable_camera(camera, name)
    with _left_half_way(), open_camera(camera) as frames:
        last = _followed(guide.steps(settled(frames, _holding(frames), steadiness)), guide.drawn, show)
    if last is None or last.state != "done" or guide.lens is None:
        _unfinished(last)
    notes = tuple(keep_lens(camera, guide, old, name))
    for line in (f"Kept: {camera_file(camera, name)}", *notes, *lens_lines(guide.lens, last), *steadiness.warnings()):
        print(line)


@app.command()
def table(
    camera: Source = "0",
    name: Name = None,
    by: Annotated[By, typer.Option("--by", help="What lies on the table.")] = By.SHEET,
    ruler: Ruler = None,
    tile: Annotated[
        float | None, typer.Option("--tile", metavar="MM", min=5, max=1000, help="The length of a tile.")
    ] = None,
    area: Annotated[str | None, typer.Option("--area", metavar="WxD", help="The play area in millimetres.")] = None,
    seats: Annotated[
        str, typer.Option("--seats", metavar="bottom,top,...", help="The sides of the picture where players sit.")
    ] = "",
    show: Show = False,
) -> None:
    """Find the table: from the sheet lying on it, from the four tags at its corners, or from its dominoes alone.

    Exit 0: the table is known; 3: the frames ended before it was, and what was known before stays.
    """
    from pipsight.cameras import camera_file, keep_table, plane_lines, usable_camera
    from pipsight.places import require_kept
    from pipsight.wizards.table_guide import TableGuide, TableWish, tile_finder
    from vision.camera import open_camera

    if ruler is not None and by is By.TILES:
        raise typer.BadParameter("dominoes are measured by --tile: leave it out", param_hint="--ruler")
    require_kept(camera_file(camera, name))
    with _left_half_way():
        target = _measured(ruler, by is By.SHEET)
    wish = TableWish(
        by=by.value,
        target=target,
        tile_mm=tile,
        area_mm=_area(area) if area else None,
        seats=sides(seats),
    )
    with _left_half_way(), open_camera(camera) as frames:
        stream = iter(frames)
        first = next(stream, None)
        if first is None:
            _unfinished(None)
        size = (first.image.shape[1], first.image.shape[0])
        old = usable_camera(camera, name, size)
        finder = tile_finder() if by is By.TILES else None
        guide = TableGuide(wish, old.lens if old else None, finder, bool(old and old.mirrored))
        last = _followed(guide.steps(_with(first, stream)), guide.drawn, show)
    if last is None or last.state != "done" or guide.plane is None:
        _unfinished(last)
    notes = tuple(keep_table(camera, guide, size, old, name))
    told = (*notes, *plane_lines(guide.plane, guide.lens, size, tile), *guide.advice)
    for line in (f"Kept: {camera_file(camera, name)}", *told):
        print(line)


@app.command("set")
def set_(
    name: Annotated[str, typer.Argument(metavar="NAME", help="What to call the set.")],
    pictures: Annotated[
        list[str] | None, typer.Argument(metavar="[PICTURE...]", help="One or two pictures of all its tiles, face up.")
    ] = None,
    highest: Annotated[SetSize, typer.Option("--highest", help="Its highest number.")] = SetSize.SIX,
    camera: Annotated[
        str | None,
        typer.Option(
            "--camera", metavar="N|ADDRESS|VIDEO|FOLDER", callback=_camera, help="Take the pictures with a camera."
        ),
    ] = None,
    test: Annotated[
        str | None, typer.Option("--test", metavar="PICTURE", help="A fresh picture of the set to be examined on.")
    ] = None,
    length: Annotated[
        float | None, typer.Option("--length", metavar="MM", min=5, max=1000, help="The length of a tile.")
    ] = None,
) -> None:
    """Learn a set from one or two pictures of its tiles in any order; asks only for those that it cannot tell.

    Exit 0: the set is known and kept; 4: bad input, and what was known before stays.
    """
    from pipsight.commands.set_teaching import teach_set

    if not pictures and camera is None:
        raise typer.BadParameter("name one or two pictures, or a --camera", param_hint="PICTURE")
    _require_lessons(pictures or ())
    with _left_half_way():
        for line in teach_set(name, pictures or (), int(highest.value), camera, test, length):
            print(line, flush=True)


def _require_lessons(pictures: Sequence[str]) -> None:
    """Raises BadParameter for pictures by which tiles would seem to be there twice that the set has once."""
    if len(pictures) > MOST_LESSONS:
        told = f"a set is learnt from one or two pictures, not {len(pictures)}: a further one may be its --test"
        raise typer.BadParameter(told, param_hint="PICTURE")
    if len({Path(picture).resolve() for picture in pictures}) < len(pictures):
        raise typer.BadParameter(f"{pictures[0]} is named twice: name it once", param_hint="PICTURE")


def _followed(steps: Iterator[Step], drawn: Callable[[Step], Image], show: bool) -> Step | None:
    """Say on stderr what each step says, once; the last step."""
    from pipsight.guide import progress
    from pipsight.wizards.preview import Preview

    last, told = None, ""
    page: AbstractContextManager[Preview | None] = Preview() if show else nullcontext()
    with page as preview:
        if preview:
            print(f"Look at {preview.address}", file=sys.stderr, flush=True)
        for step in steps:
            last = step
            words = f"{step.words} ({progress(step)})" if step.state == "taken" else step.words
            if words != told:
                told = words
                print(f"  {words}", file=sys.stderr, flush=True)
            if preview:
                preview.show(_jpeg(drawn(step)))
    return last


def _jpeg(picture: Image) -> bytes:
    from vision.picture import encode

    return encode(picture, ".jpg")


@contextmanager
def _left_half_way() -> Iterator[None]:
    """Say that nothing changed where somebody leaves before the end, by ctrl-C or by ending the input."""
    from pipsight.cli import INTERRUPTED, complain

    try:
        yield
    except (typer.Abort, KeyboardInterrupt):
        print(file=sys.stderr)  # the question's own line, or that of ^C, ends here
        complain("stopped, and what was known before is kept")
        raise typer.Exit(INTERRUPTED) from None


def _unfinished(last: Step | None) -> NoReturn:
    from pipsight.cli import complain

    why = last.words if last else "the camera gave no picture"
    if last and not last.over:
        why = f"the pictures ended too soon. {last.words}"
    complain(f"not done, and what was known before is kept: {why}")
    raise typer.Exit(NOT_DONE)


def _on_paper(paper: str) -> tuple[dict[str, bytes], str]:
    from calibration import sheet
    from calibration.target import SHEET

    pictures: dict[str, bytes] = {}
    for name, page in (("sheet", sheet.sheet(paper)), ("tags", sheet.tag_sheet(paper))):
        whole = f"pipsight-{name}-{paper}"
        pictures |= {
            f"{whole}.pdf": sheet.pdf(page),
            f"{whole}.svg": sheet.svg(page).encode(),
            f"{whole}.png": sheet.png(page),
        }
    return pictures, f"Print at 100%, then measure the ruler: it should be {SHEET.ruler_mm:.0f} mm long."


def _on_screen(screen: str, diagonal: float | None) -> tuple[dict[str, bytes], str]:
    from calibration import sheet
    from vision.picture import encode

    width, height = (int(side) for side in _pair(screen, "--screen"))
    if not FEWEST_PX <= min(width, height) <= max(width, height) <= MOST_PX:
        told = f"a screen has {FEWEST_PX} to {MOST_PX} pixels each way, not {screen}"
        raise typer.BadParameter(told, param_hint="--screen")
    mm_per_px = diagonal * 25.4 / (width**2 + height**2) ** 0.5 if diagonal else None
    picture, shown = sheet.screen((width, height), mm_per_px)
    if mm_per_px is None:
        words = "Show it pixel for pixel, and measure the line beside the squares: calibrate table --ruler MM"
    else:
        length = f"{shown.ruler_mm:.1f}"
        words = f"Show it pixel for pixel; its line is {length} mm long: calibrate table --ruler {length}"
    return {f"pipsight-sheet-{width}x{height}.png": encode(picture, ".png")}, words


def _measured(ruler: float | None, ask: bool) -> Target:
    """The sheet as it really is; somebody at a terminal is asked for the length of its ruler."""
    from calibration.sheet import TAG_MM
    from calibration.target import SHEET

    if ruler is None and ask and sys.stdin.isatty():
        ruler = typer.prompt("How long is the ruler on the sheet, in millimetres?", SHEET.ruler_mm, value_proc=_ruler)
    if ruler is None:
        return SHEET
    share = ruler / SHEET.ruler_mm
    if abs(share - 1) > RULER_TOLERANCE:
        sizes = f"its squares count as {ruler / 8:.2f} mm, its tags as {TAG_MM * share:.2f} mm"
        print(f"The sheet is at {share:.0%} of its size; {sizes}.", file=sys.stderr)
    return SHEET.measured(ruler)


def _pair(text: str, option: str) -> tuple[float, float]:
    """Two numbers as 600x400."""
    found = re.fullmatch(r"(\d{1,9}(?:\.\d+)?)[xX](\d{1,9}(?:\.\d+)?)", text.strip())
    if not found or not (float(found[1]) and float(found[2])):
        raise typer.BadParameter("give two numbers as 600x400", param_hint=option)
    return float(found[1]), float(found[2])


def _area(text: str) -> tuple[float, float]:
    """The play area in millimetres."""
    area = _pair(text, "--area")
    if max(area) > MOST_MM:
        raise typer.BadParameter(f"a table has at most {MOST_MM} mm each way, not {text}", param_hint="--area")
    return area


def _holding(camera: Camera) -> Callable[[], None] | None:
    """What tells a camera to keep its settings, and says what it answers; None where there is nothing to tell."""
    from vision.camera import LiveCamera

    if not isinstance(camera, LiveCamera):
        return None

    def hold() -> None:
        print(f"  The driver says it keeps: {', '.join(camera.hold()) or 'nothing'}.", file=sys.stderr, flush=True)

    return hold


def _with(first: T, rest: Iterator[T]) -> Iterator[T]:
    yield first
    yield from rest
