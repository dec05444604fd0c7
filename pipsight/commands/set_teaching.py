"""Teaching a set at the terminal: pictures from files or a camera, questions on the keyboard; kept at the end."""

from __future__ import annotations

import sys
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import typer

from pipsight.places import require_kept, state_folder, writable

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from calibration.tileset import TileSet
    from pipsight.teaching import Pips, Question
    from rules.domino import Domino
    from vision.reader import Reader
    from vision.straighten import Image


class Terminal:
    """Asks on the terminal; where nobody sits at one, nothing is known.

    drawings: the folder for pictures on which the tile in question is marked.
    """

    def __init__(self, drawings: Path, highest: int) -> None:
        self._drawings, self._highest = drawings, highest

    def which(self, question: Question) -> Pips | None:
        """Return the numbers of a tile, its head first; None if nobody knows."""
        if not sys.stdin.isatty():
            return None
        from vision.lessons import numbered
        from vision.picture import encode

        place = writable(self._drawings) / f"question-{question.number}.jpg"
        place.write_bytes(encode(numbered(question.frame, [replace(question.tile)]), ".jpg"))
        guesses = ", ".join(map(str, question.guesses))
        typer.echo(f"Question {question.number}: which tile is marked on {place}? It looks like {guesses}.")
        return self._typed()

    def _typed(self) -> Pips | None:
        while True:
            words = typer.prompt("The left or upper half first, as 42; nothing if you cannot tell", "")
            if not words:
                return None
            pips = _pips(words)
            if pips and max(pips) <= self._highest:
                return pips
            typer.echo(f"Type two halves from 0 to {self._highest:x}, as 42 (a is 10, b 11, c 12).")

    def lacking(self, dominoes: Sequence[Domino]) -> Sequence[Domino]:
        """Return those that the set really lacks; where nobody sits at the terminal, it lacks none."""
        if not sys.stdin.isatty():
            return ()
        typer.echo(f"Not seen: {', '.join(map(str, dominoes))}.")
        words = typer.prompt("Which of them does your set lack? As 42 55; nothing for none", "")
        typed = {tuple(sorted(pips)) for word in words.split() if (pips := _pips(word))}
        return tuple(domino for domino in dominoes if (domino.low, domino.high) in typed)


def _pips(words: str) -> Pips | None:
    letters = words.replace("-", "").strip().lower()
    if len(letters) != 2 or set(letters) - set("0123456789abcdef"):
        return None
    return int(letters[0], 16), int(letters[1], 16)


def teach_set(
    name: str, pictures: Sequence[str], highest: int, camera: str | None, test: str | None, length_mm: float | None
) -> Iterator[str]:
    """Teach a set and keep it; what there is to say, a sentence each. What was known before stays until the end.

    Raises VisionError where a picture or a camera cannot be used: nothing is kept then.
    """
    from calibration.tileset_file import save
    from pipsight.sets import set_file
    from pipsight.teaching import teach
    from vision.reader import Reader

    place, asks = set_file(name), Terminal(state_folder() / "questions", highest)
    require_kept(place)
    _require_examiner(camera, test)
    reader = Reader()
    taught = teach(_frames(pictures, camera), name, highest, asks, reader, length_mm)
    yield from taught.lines
    save(place, taught.tiles)
    yield f"Kept: {place}"
    yield from _examined(taught.tiles, asks, reader, camera, test)


def _require_examiner(camera: str | None, test: str | None) -> None:
    """Raises VisionError where no fresh picture could be had at the end, before anything is learnt and kept."""
    from vision.camera import open_camera
    from vision.picture import load

    if test:
        load(test)
    elif camera is not None:
        open_camera(camera).close()


def _examined(tiles: TileSet, asks: Terminal, reader: Reader, camera: str | None, test: str | None) -> Iterator[str]:
    """Say how well a set reads a fresh picture. It is kept already, and stays so whoever or whatever goes by now."""
    from pipsight.cli import INTERRUPTED
    from pipsight.teaching import examine
    from vision.errors import VisionError

    try:
        if (fresh := next(_frames([test] if test else [], camera, 1), None)) is not None:
            yield str(examine(fresh, tiles, asks, reader))
    except VisionError as error:
        yield f"It was not examined on a fresh picture: {error}."
    except typer.Abort:
        yield "\nIt was not examined on a fresh picture: that was stopped."
        raise typer.Exit(INTERRUPTED) from None


def _frames(pictures: Sequence[str], camera: str | None, count: int = 2) -> Iterator[Image]:
    """The pictures named, or as many as wanted from a camera, each when somebody says that the tiles lie ready."""
    from vision.picture import load

    yield from map(load, pictures)
    if pictures or camera is None:
        return
    from vision.camera import open_camera

    for number in range(1, count + 1):
        if sys.stdin.isatty():
            typer.prompt(f"Lay tiles out, none on another, for picture {number} of {count}; then press Enter", "")
        with open_camera(camera) as frames:
            frame = next(iter(frames), None)
        if frame is not None:
            yield frame.image
