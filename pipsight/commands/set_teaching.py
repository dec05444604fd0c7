"""Teaching a set at the terminal: pictures from files or a camera, questions on the keyboard; kept at the end."""

from __future__ import annotations

import sys
from contextlib import nullcontext
from dataclasses import replace
from itertools import count, islice
from pathlib import Path
from typing import TYPE_CHECKING

import typer

from pipsight.places import require_kept, state_folder, writable

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from contextlib import AbstractContextManager

    from calibration.tileset import TileSet
    from pipsight.teaching import Pips, Question
    from rules.domino import Domino
    from vision.camera import Camera
    from vision.reader import Reader
    from vision.straighten import Image

PICTURES = 2  # of a set that a camera takes to learn from; the next one is the fresh one


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
        guesses = ", ".join(str(domino) for domino in question.guesses if domino.high <= self._highest)
        like = f" It looks like {guesses}." * bool(guesses)
        typer.echo(f"Question {question.number}: which tile is marked on {place}?{like}")
        return self._typed()

    def _typed(self) -> Pips | None:
        while True:
            words = typer.prompt(
                "The left or upper half first, as 42; nothing if you cannot tell", "", show_default=False
            )
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
        unseen = {(domino.low, domino.high): domino for domino in dominoes}
        while True:
            words = typer.prompt("Which of them does your set lack? As 42 55; nothing for none", "", show_default=False)
            typed = [_pips(word) for word in words.replace(",", " ").split()]
            lacks = {unseen.get((min(pips), max(pips))) if pips else None for pips in typed}
            if None not in lacks:
                return tuple(domino for domino in dominoes if domino in lacks)
            typer.echo("Type some of those that were not seen, as 42 55.")


def _pips(words: str) -> Pips | None:
    letters = words.strip().lower().translate(dict.fromkeys(map(ord, "-| ")))
    if len(letters) != 2 or set(letters) - set("0123456789abcdef"):
        return None
    return int(letters[0], 16), int(letters[1], 16)


def teach_set(
    name: str, pictures: Sequence[str], highest: int, camera: str | None, test: str | None, length_mm: float | None
) -> Iterator[str]:
    """Teach a set and keep it; what there is to say, a sentence each. What was known before stays until the end.

    Raises VisionError where a picture or a camera cannot be used: nothing is kept then.
    """
    from pipsight.sets import keep_set, set_file
    from pipsight.teaching import teach
    from vision.picture import load
    from vision.reader import Reader

    place, asks = set_file(name), Terminal(state_folder() / "questions", highest)
    require_kept(place)
    if test:
        load(test)  # no fresh picture could be had at the end: that is said before anything is learnt and kept
    with _camera(None if pictures and test else camera) as frames:
        taken = _taken(frames, camera or "", 0 if pictures else PICTURES)
        reader = Reader()
        lesson = map(load, pictures) if pictures else islice(taken, PICTURES)
        taught = teach(lesson, name, highest, asks, reader, length_mm)
        yield from taught.lines
        anew = keep_set(taught.tiles)
        yield from (f"Kept: {place}", *anew)
        yield from _examined(taught.tiles, asks, reader, map(load, [test]) if test else taken)


def _examined(tiles: TileSet, asks: Terminal, reader: Reader, fresh: Iterator[Image]) -> Iterator[str]:
    """Say how well a set reads a fresh picture. It is kept already, and stays so whoever or whatever goes by now."""
    from pipsight.cli import INTERRUPTED
    from pipsight.teaching import examine
    from vision.errors import VisionError

    try:
        if (picture := next(fresh, None)) is not None:
            yield str(examine(picture, tiles, asks, reader))
    except VisionError as error:
        yield f"It was not examined on a fresh picture: {error}."
    except (typer.Abort, KeyboardInterrupt):
        yield "\nIt was not examined on a fresh picture: that was stopped."
        raise typer.Exit(INTERRUPTED) from None


def _camera(source: str | None) -> AbstractContextManager[Camera | None]:
    """The camera, open; nothing where none is wanted. Raises VisionError."""
    from vision.camera import open_camera

    return nullcontext() if source is None else open_camera(source)


def _taken(frames: Camera | None, source: str, lessons: int) -> Iterator[Image]:
    """The pictures that a camera takes of a set, each once somebody says that the tiles lie ready, and after a while.

    lessons: how many of them are learnt from. A folder's and a film's come one after the other.
    """
    from pipsight.cameras import SETTLED_S
    from pipsight.standing import Standing
    from vision.camera import HELD_S

    if frames is None:
        return
    standing, stream, last = Standing.of(source), iter(frames), None
    next_s = SETTLED_S if frames.live else 0.0
    for number in count(1):
        _lay_out(f"picture {number} of {lessons}" if number <= lessons else "a fresh picture")
        frame = next((one for one in stream if one.time_s >= next_s and one.image is not last), None)
        if frame is None:
            return
        last, next_s = frame.image, frame.time_s + HELD_S
        yield standing.upright(frame).image


def _lay_out(what: str) -> None:
    """Wait until somebody at the terminal says that the tiles lie there."""
    if sys.stdin.isatty():
        typer.prompt(f"Lay tiles out, none on another, for {what}; then press Enter", "", show_default=False)
