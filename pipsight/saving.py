"""Pictures written whole or not at all, and never over one another or over what they were made from."""

from __future__ import annotations

import os
import tempfile
from contextlib import suppress
from typing import TYPE_CHECKING

from pipsight.trouble import UnusableOutput

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

LOSSLESS = frozenset({".png", ".bmp", ".tif", ".tiff"})
OF_FILES = LOSSLESS | {".jpg", ".jpeg", ".webp", ".pdf", ".svg", ".txt", ".json"}
"""The endings by which whoever names a file is told that a folder is meant."""


class Album:
    """A folder that drawn pictures go into, each under a name of its own.

    originals: the pictures that are read; none of them is ever written over. Raises UnusableOutput at once where the
    folder cannot be made or written into, so that no work is done in vain.
    """

    def __init__(self, folder: Path, originals: Iterable[Path] = ()) -> None:
        self._folder = folder
        self._taken = {_same(path) for path in originals}
        require_folder(folder)

    def place(self, picture: Path, word: str) -> Path:
        """Return where to write what was drawn on a picture: "table.jpg" and "read" give "table.read.jpg".

        Pictures of one name from several folders become "table.read.jpg", "table.read-2.jpg" and so on.
        """
        suffix = ".png" if picture.suffix.lower() in LOSSLESS else ".jpg"
        path, number = self._folder / f"{picture.stem}.{word}{suffix}", 2
        while _same(path) in self._taken:
            path, number = self._folder / f"{picture.stem}.{word}-{number}{suffix}", number + 1
        self._taken.add(_same(path))
        return path


def require_folder(folder: Path) -> None:
    """Make the folder that --out names. Raises UnusableOutput where it cannot be made, or a file seems to be meant."""
    if folder.suffix.lower() in OF_FILES and not folder.exists():
        raise UnusableOutput(f"--out {folder} is called as a file is: several may be written, so name a folder")
    if folder.exists() and not folder.is_dir():
        raise UnusableOutput(f"--out {folder} is a file, not a folder")
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=folder):
            pass
    except OSError as error:
        raise UnusableOutput(f"--out {folder} cannot be written into: {error.strerror}") from error


def place_for(out: Path, picture: Path, word: str) -> Path:
    """Return where one drawn picture goes: out is a file that ends like a picture, else a folder.

    Raises UnusableOutput where that is the picture itself or cannot be written.
    """
    from vision.picture import SUFFIXES

    if out.is_dir() or not out.suffix:
        return Album(out, [picture]).place(picture, word)
    if out.suffix.lower() not in SUFFIXES:
        raise UnusableOutput(f"--out {out} is neither a folder nor a name that ends in .jpg or .png")
    if _same(out) == _same(picture):
        raise UnusableOutput(f"--out {out} is the picture itself: choose another name")
    Album(out.parent)
    return out


def save(path: Path, data: bytes) -> None:
    """Write a file in one step: whatever happens, it is there whole or as it was before.

    Raises UnusableOutput, also for a device or a pipe: a file would take its place.
    """
    if path.exists() and not path.is_file():
        raise UnusableOutput(f"{path} cannot be written: it is {'a folder' if path.is_dir() else 'no ordinary file'}")
    draft = path.with_name(f".{path.name}.{os.getpid()}.part")
    try:
        draft.write_bytes(data)
        draft.replace(path)
    except OSError as error:
        raise UnusableOutput(f"{path} cannot be written: {error.strerror}") from error
    finally:
        with suppress(OSError):  # where the folder went there is none
            draft.unlink(missing_ok=True)


def _same(path: Path) -> str:
    """Return what two paths to one file share, also where capitals do not count."""
    return str(path.resolve()).casefold()
