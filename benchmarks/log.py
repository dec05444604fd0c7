"""What was measured before, so that a run that was stopped goes on where it was."""

from __future__ import annotations

import hashlib
import json
from functools import cache
from importlib.resources import files
from os import SEEK_END
from pathlib import Path
from typing import Any

EYES = ("rules", "calibration", "vision", "training", "benchmarks")  # what reads pictures, draws them, and counts
PLAY = ("rules", "benchmarks")  # what plays and solves


class Log:
    """One measurement a line of a file, by picture and reader; every line is flushed as it is written.

    part: the name under which one benchmark keeps what it wants to know; others may share the file.
    packages: those that are measured beside EYES; what another state of their code did is not taken for this one's.
    """

    def __init__(self, path: Path | None, part: str = "counts", *packages: str) -> None:
        self._path, self._reader = path, fingerprint(*EYES, *packages)
        self._done = {one["picture"]: one for one in kept(path) if one["reader"] == self._reader and part in one}

    def get(self, name: str) -> dict[str, Any] | None:
        """What was told of a picture, if this very reader has read it."""
        return self._done.get(name)

    def add(self, name: str, told: dict[str, Any]) -> None:
        """Keep what is told of a picture."""
        keep(self._path, {"picture": name, "reader": self._reader, **told})


def kept(path: Path | None) -> list[dict[str, Any]]:
    """The lines of a log, if there is one; what was cut off as it was written is passed over."""
    told = []
    for line in path.read_text(encoding="utf-8").splitlines() if path and path.exists() else ():
        try:
            told.append(json.loads(line))
        except json.JSONDecodeError:
            continue
    return told


def keep(path: Path | None, told: dict[str, Any]) -> None:
    """Add a line to a log, if there is one: a line of its own, also where the last one was cut off."""
    if path is None:
        return
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("ab+") as file:
        if file.tell():
            file.seek(-1, SEEK_END)
        cut_off = file.read() not in (b"", b"\n")
        file.write(b"\n" * cut_off + json.dumps(told).encode() + b"\n")


@cache
def fingerprint(*packages: str) -> str:
    """A name for this very state of some packages: their code, their networks and their problems."""
    folders = [Path(str(files(package))) for package in packages]
    parts = [part for folder in folders for kind in ("*.py", "*.onnx", "*.toml") for part in sorted(folder.rglob(kind))]
    return hashlib.sha256(b"".join(part.read_bytes() for part in parts)).hexdigest()[:12]
