"""What is printed for people: a reading as a table, a board and a sentence, a verdict as sentences."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from rich.console import Console
from rich.markup import escape
from rich.table import Table

from pipsight.commands.checking import Checked
from rules.words import count, pair, turning, where
from vision.inventory import piece_lines

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pipsight.commands.checking import Judged
    from pipsight.commands.reading import Reading
    from rules.board import Cell
    from rules.game import Verdict
    from vision.reconstruct import Rebuilt
    from vision.scene import Scene, TileDetection

    Cells = tuple[Cell, Cell] | None

WIDTH_IN_FILES = 120
NOTHING_SEEN = (
    "If there are dominoes, show them larger and sharper: come nearer, hold the camera still, give more light."
)


def show_reading(reading: Reading) -> None:
    """Print what a picture shows: the tiles, the board they make, advice for the person behind the camera."""
    from vision.reconstruct import rebuild

    console = Console(highlight=False)
    console.width = console.width if console.is_terminal else WIDTH_IN_FILES
    rebuilt = rebuild(reading.scene, reading.frame)
    if reading.scene.tiles:
        console.print(reading_table(reading.scene, rebuilt))
    if len(rebuilt.table.board.placed) > 1:
        console.print(f"\n{rebuilt.table.board}\n", markup=False)
    for sentence in (summary(reading), *reading.notes, *advice(reading.scene)):
        console.print(sentence, markup=False, soft_wrap=True)


def show_verdict(judged: Judged) -> None:
    """Print whether a puzzle is solved, every fault, and advice where its picture did not show enough."""
    for sentence in (*verdict_lines(judged.verdict, judged.title), *_advised(judged)):
        print(sentence)


def _advised(judged: Judged) -> tuple[str, ...]:
    return advice(judged.reading.scene) if isinstance(judged, Checked) else ()


def advice(scene: Scene) -> tuple[str, ...]:
    """Return what the person behind the camera may change, also where nothing was found at all."""
    return scene.advice or (() if scene.tiles else (NOTHING_SEEN,))


def reading_table(scene: Scene, rebuilt: Rebuilt) -> Table:
    """Return one row a tile: the domino, its cells, the middle of the tile in pixels, its angle, and how sure it is.

    A domino is told left to right, or from the top down where it stands upright; the angle counts clockwise from level.
    """
    table = Table(
        "domino", "lies on", "middle", "angle", "reading", header_style="bold", box=None, padding=(0, 2, 0, 0)
    )
    tiles = zip(scene.tiles, rebuilt.cells, strict=True)
    for tile, cells in sorted(tiles, key=lambda row: _reading_order(*row)):
        pips, angle = _as_read(tile)
        x, y = (sum(axis) / 2 for axis in zip(*tile.centers_px, strict=True))
        table.add_row(
            pair(*pips) if tile.face_up else "back",
            where(cells) if cells and rebuilt.table.board.owner.keys() >= set(cells) else "",
            f"{x:.0f}, {y:.0f}",
            f"{angle:.0f}°",
            _sureness(tile),
        )
    return table


def _reading_order(tile: TileDetection, cells: Cells) -> tuple[bool, tuple[float, ...]]:
    """Order tiles by their cells, those on no cells after them from the top of the picture down."""
    if cells:
        first = min(cells)
        return False, (first.row, first.col)
    return True, (tile.centers_px[0][1], tile.centers_px[0][0])


def _as_read(tile: TileDetection) -> tuple[tuple[int, int], float]:
    """Return the numbers as a person says them, and the angle in degrees, above -45 and up to 135."""
    (x, y), (to_x, to_y) = tile.centers_px
    angle = math.degrees(math.atan2(to_y - y, to_x - x))
    if -45 < angle <= 135:
        return tile.pips, angle
    return (tile.pips[1], tile.pips[0]), angle - 180 if angle > 0 else angle + 180


def _sureness(tile: TileDetection) -> str:
    why = f": {escape(tile.why)}" if tile.why else ""
    if tile.doubtful:
        return f"[yellow]doubtful[/]{why}"
    return f"[green]sure[/]{why}" if tile.face_up else "face down"


def summary(reading: Reading) -> str:
    """Return what a picture shows, in one sentence."""
    up = [tile for tile in reading.scene.tiles if tile.face_up]
    down, doubted = len(reading.scene.tiles) - len(up), sum(tile.doubtful for tile in up)
    parts = [count(len(up), "domino", "dominoes") + (f", {doubted} of them doubtful" if doubted else "")] if up else []
    parts += [f"{down} face down"] if down else []
    parts += piece_lines(reading.scene)
    return f"{reading.image}: {'; '.join(parts) or 'no dominoes found'} ({reading.ms:.0f} ms)."


def verdict_lines(verdict: Verdict, title: str) -> Iterator[str]:
    """Yield the verdict's sentence, then one for each fault and each doubt."""
    if verdict.state == "solved":
        yield f"{title}: solved."
    elif verdict.state == "unsolved":
        yield f"{title}: not solved, {count(len(verdict.problems), 'fault')}."
    elif verdict.doubts:
        yield f"{title}: undecided, {count(len(verdict.doubts), 'reading')} must be made sure first."
    else:
        yield f"{title}: undecided."
    yield from (f"  - {problem.text}" for problem in verdict.problems)
    yield from (f"  ? {note.text}" for note in verdict.notes)
    if verdict.turn and any(told.cells for told in (*verdict.problems, *verdict.notes)):
        yield turning(verdict.turn)
