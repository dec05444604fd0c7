"""What was measured before, so that a run that was stopped goes on where it was."""

from __future__ import annotations

import hashlib
import json
from importlib.resources import files
from pathlib import Path
from typing import Any


class Log:
    """One measurement a line of a file, by picture and reader; every line is flushed as it is written.

    part: the name under which one benchmark keeps what it wants to know; others may share the file.
    packages: those that are measured, or that make what is measured; what another state of their code did is not taken
    for this one's.
    """

    def __init__(self, path: Path | None, part: str = "counts", *packages: str) -> None:
        self._path, self._reader = path, "-".join(map(fingerprint, packages or ("vision",)))
        lines = path.read_text(encoding="utf-8").splitlines() if path and path.exists() else []
        told = [json.loads(line) for line in lines]
        self._done = {one["picture"]: one for one in told if one["reader"] == self._reader and part in one}

    def get(self, name: str) -> dict[str, Any] | None:
        """What was told of a picture, if this very reader has read it."""
        return self._done.get(name)

    def add(self, name: str, told: dict[str, Any]) -> None:
        """Keep what is told of a picture."""
        if self._path is None:
            return
        self._path.parent.mkdir(parents=True, exist_ok=True)
        with self._path.open("a", encoding="utf-8") as file:
            file.write(json.dumps({"picture": name, "reader": self._reader, **told}) + "\n")


def fingerprint(package: str = "vision") -> str:
    """A name for this very reader, or another package: its networks, if it has some, and its code."""
    folder = Path(str(files(package)))
    parts = sorted([*folder.glob("models/*.onnx"), *folder.rglob("*.py")])
    return hashlib.sha256(b"".join(part.read_bytes() for part in parts)).hexdigest()[:12]
