"""The log of a session: what was seen and played, one line of JSON after the other, each on disk as it happens.

A program that was killed loses at most the line it was writing; the game goes on from the rest.
"""

from __future__ import annotations

import errno
import json
import os
from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING, Any

from pipsight.places import resuming
from pipsight.trouble import PipsightError
from rules.saved import BadSave, loads

if TYPE_CHECKING:
    from io import FileIO
    from pathlib import Path

FORMAT = 1
LONGEST_LINE = 1 << 20
LARGEST_LOG = 1 << 26  # bytes; an evening takes less than a hundredth
LONGEST_S = 1e9  # no session lasts longer
LOCKED_AT = 1 << 30  # where Windows locks a byte, which nobody could read then: no log is so long


class BadLog(PipsightError, ValueError):
    """A log that cannot be used; the text names the file, the line and what is wrong."""


class FullDisk(PipsightError, OSError):
    """The log could not be written; the text says what to do."""


class InUse(PipsightError, RuntimeError):
    """A log that another program is writing; the text names it."""


class Log:
    """Writes one session's log, alone; a line is flushed to the disk before `write` returns. Raises FullDisk, InUse.

    >>> with Log.begin(folder, "unmatched", start="...") as log:  # doctest: +SKIP
    ...     log.write({"event": "moved", "move": "24R"})
    """

    def __init__(self, path: Path) -> None:
        self.path, self._bare = path, False
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            self._file = path.open("ab", buffering=0)  # nothing waits that a full disk would keep from being closed
            if not _is_alone(self._file):
                self._file.close()
                raise InUse(f"the game {path} is being played by another pipsight: end that one first")
            _mend(path)
        except OSError as error:
            raise FullDisk(f"the log {path} cannot be written: {error.strerror}") from error

    @classmethod
    def begin(cls, folder: Path, slug: str, **facts: Any) -> Log:
        """A new log in a folder, named for the time and the game; the facts stand in its first line."""
        stamp = datetime.now().astimezone()
        log = cls(_new(folder, f"{stamp:%Y-%m-%d-%H%M%S}-{slug}"))
        try:
            log.write({"log": FORMAT, "game": slug, "began": stamp.isoformat(timespec="seconds"), **facts})
        except FullDisk:
            log._bare = True
            log.close()
            raise
        log._bare = True
        return log

    def write(self, entry: dict[str, Any]) -> None:
        """Append one line. Raises FullDisk where the disk takes no more; the game need not end for that."""
        line = json.dumps(entry, ensure_ascii=False).encode() + b"\n"
        try:
            while line:  # a disk that is nearly full takes a part of it, and says only at the rest that it is full
                line = line[self._file.write(line) :]
            self._bare = False
            os.fsync(self._file.fileno())
        except OSError as error:
            raise FullDisk(f"the log {self.path} cannot be written: {error.strerror}") from error

    def close(self) -> None:
        """Let the file go; doing so twice is no harm. Nothing stays of a session in which nothing happened."""
        self._file.close()
        if self._bare:
            with suppress(OSError):  # a folder that went, or takes no change any more, keeps nobody from leaving
                self.path.unlink()
        self._bare = False

    def __enter__(self) -> Log:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


def _new(folder: Path, name: str) -> Path:
    """A file of its own for a log; it is made at once: nobody else takes it. Raises FullDisk."""
    path, number = folder / f"{name}.jsonl", 1
    try:
        folder.mkdir(parents=True, exist_ok=True)
        while True:
            with suppress(FileExistsError):
                path.touch(exist_ok=False)
                return path
            number += 1
            path = folder / f"{name}-{number}.jsonl"
    except OSError as error:
        raise FullDisk(f"the log {path} cannot be written: {error.strerror}") from error


def is_in_use(path: Path) -> bool:
    """Whether another program is writing that log."""
    try:
        with path.open("ab", buffering=0) as file:
            return not _is_alone(file)
    except OSError:  # it cannot be written at all, which is said where it is to go on
        return False


def _is_alone(file: FileIO) -> bool:
    """Whether nobody else writes a file, nor will until it is closed; where files have no locks nobody knows."""
    try:
        if os.name == "nt":
            import msvcrt

            file.seek(LOCKED_AT)
            msvcrt.locking(file.fileno(), msvcrt.LK_NBLCK, 1)  # type: ignore[attr-defined, unused-ignore]
        else:
            import fcntl

            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError as error:
        return error.errno not in (errno.EACCES, errno.EAGAIN, errno.EDEADLK)
    return True


def _mend(path: Path) -> None:
    """Cut off a last line that was not finished when the program was killed."""
    if not path.is_file():
        return
    data = path.read_bytes()
    if data and not data.endswith(b"\n"):
        with path.open("r+b") as file:
            file.truncate(data.rfind(b"\n") + 1)


@dataclass(frozen=True)
class Recorded:
    """A log that was read: its first line, and the entries after it."""

    facts: dict[str, Any]
    entries: tuple[dict[str, Any], ...]

    @property
    def slug(self) -> str:
        """The game that was played, "" if none was chosen."""
        return str(self.facts.get("game", ""))


def read_log(path: Path) -> Recorded:
    """Read a log; a last line that was cut off is left out. Raises BadLog with the line that is wrong."""
    try:
        with path.open("rb") as file:
            data = file.read(LARGEST_LOG + 1)
    except OSError as error:
        raise BadLog(f"{path} cannot be read: {error.strerror}") from None
    if len(data) > LARGEST_LOG:
        raise BadLog(f"{path} is no log of a session: it is too large")
    if _is_saved_game(data):
        raise BadLog(f"{path} is a saved game, no log of a session: {resuming(path)} goes on with it")
    entries = [_entry(path, number, line) for number, line in enumerate(data.split(b"\n")[:-1], 1)]
    if not entries or entries[0].get("log") is None:
        raise BadLog(f"{path} is no log of a session: its first line should say so")
    if entries[0]["log"] != FORMAT:
        raise BadLog(f"{path} is a log of format {entries[0]['log']}; this pipsight reads format {FORMAT}")
    return Recorded(entries[0], tuple(entries[1:]))


def _is_saved_game(data: bytes) -> bool:
    try:
        return bool(loads(data.decode("utf-8")))
    except (BadSave, UnicodeDecodeError):
        return False


def _entry(path: Path, number: int, line: bytes) -> dict[str, Any]:
    try:
        entry = json.loads(line[:LONGEST_LINE])
    except (ValueError, RecursionError):
        raise BadLog(f"{path}, line {number}: this is no JSON") from None
    if not isinstance(entry, dict) or not _is_sound(entry):
        raise BadLog(f"{path}, line {number}: this is no entry of a log")
    return entry


def _is_sound(entry: dict[str, Any]) -> bool:
    """Whether what every entry may say is of the right kind: its time, what happened, its sentence, its faults."""
    time_s, faults = entry.get("time_s", 0), entry.get("faults", [])
    return (
        isinstance(time_s, int | float)
        and 0 <= time_s <= LONGEST_S
        and all(isinstance(entry.get(word, ""), str) for word in ("event", "text"))
        and isinstance(faults, list)
        and all(isinstance(fault, dict) for fault in faults)
    )
