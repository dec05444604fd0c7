"""The log of a session: what was seen and played, one line of JSON after the other, each on disk as it happens.

A program that was killed loses at most the line it was writing; the game goes on from the rest.
"""

from __future__ import annotations

import json
import os
from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING, Any

from pipsight.places import resuming
from pipsight.trouble import PipsightError
from rules.saved import BadSave, loads

if TYPE_CHECKING:
    from pathlib import Path

FORMAT = 1
LONGEST_LINE = 1 << 20
LARGEST_LOG = 1 << 26  # bytes; an evening takes less than a hundredth
LONGEST_S = 1e9  # no session lasts longer


class BadLog(PipsightError, ValueError):
    """A log that cannot be used; the text names the file, the line and what is wrong."""


class FullDisk(PipsightError, OSError):
    """The log could not be written; the text says what to do."""


class Log:
    """Writes one session's log; a line is flushed to the disk before `write` returns.

    >>> with Log.begin(folder, "unmatched", start="...") as log:  # doctest: +SKIP
    ...     log.write({"event": "moved", "move": "24R"})
    """

    def __init__(self, path: Path) -> None:
        self.path, self._bare = path, False
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            _mend(path)
            self._file = path.open("ab", buffering=0)  # nothing waits that a full disk would keep from being closed
        except OSError as error:
            raise FullDisk(f"the log {path} cannot be written: {error.strerror}") from error

    @classmethod
    def begin(cls, folder: Path, slug: str, **facts: Any) -> Log:
        """A new log in a folder, named for the time and the game; the facts stand in its first line."""
        stamp = datetime.now().astimezone()
        name = f"{stamp:%Y-%m-%d-%H%M%S}-{slug}"
        paths = (folder / f"{name}{extra}.jsonl" for extra in ("", *(f"-{k}" for k in range(2, 1000))))
        log = cls(next(path for path in paths if not path.exists()))
        log.write({"log": FORMAT, "game": slug, "began": stamp.isoformat(timespec="seconds"), **facts})
        log._bare = True
        return log

    def write(self, entry: dict[str, Any]) -> None:
        """Append one line. Raises FullDisk where the disk takes no more; the game need not end for that."""
        try:
            self._file.write(json.dumps(entry, ensure_ascii=False).encode() + b"\n")
            self._bare = False
            os.fsync(self._file.fileno())
        except OSError as error:
            raise FullDisk(f"the log {self.path} cannot be written: {error.strerror}") from error

    def close(self) -> None:
        """Let the file go; doing so twice is no harm. Nothing stays of a session in which nothing happened."""
        self._file.close()
        if self._bare:
            self.path.unlink(missing_ok=True)
        self._bare = False

    def __enter__(self) -> Log:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


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
