"""The photo finishes of one session: the newest in memory for the page, all of them on the disk beside its log."""

from __future__ import annotations

from collections import OrderedDict
from contextlib import suppress
from typing import TYPE_CHECKING

from vision.clip import small

if TYPE_CHECKING:
    from pathlib import Path

    from vision.straighten import Image

MOST = 12
WIDTH = 1200


class Finishes:
    """Keeps pictures by their names, "finish-1", "finish-2", ...

    beside: the session's log, next to which the pictures are written as <log>-finish-1.jpg; None writes nothing.
    """

    def __init__(self, beside: Path | None = None) -> None:
        self._beside = beside
        self._number = max((_number(path.stem) for path in self._written("*")), default=0)
        self._pictures: OrderedDict[str, bytes] = OrderedDict()

    def keep(self, picture: Image) -> str:
        """Keep a picture and return its name. A disk that is full keeps none, and the game goes on."""
        self._number += 1
        name, data = f"finish-{self._number}", small(picture, WIDTH)
        self._pictures[name] = data
        if len(self._pictures) > MOST:
            self._pictures.popitem(last=False)
        if self._beside:
            with suppress(OSError):
                self._beside.with_name(f"{self._beside.stem}-{name}.jpg").write_bytes(data)
        return name

    def get(self, name: str) -> bytes | None:
        """A picture as a JPEG, also one from before the session was taken up again; None where there is none."""
        if name in self._pictures:
            return self._pictures[name]
        with suppress(OSError):
            return next((path.read_bytes() for path in self._written(str(_number(name)))), None)
        return None

    def _written(self, number: str) -> list[Path]:
        """The files of this session's photo finishes."""
        return [*self._beside.parent.glob(f"{self._beside.stem}-finish-{number}.jpg")] if self._beside else []


def _number(name: str) -> int:
    digits = name.rpartition("-")[2]
    return int(digits) if digits.isdecimal() else 0
