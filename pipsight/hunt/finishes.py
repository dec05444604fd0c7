"""The photo finishes of one session: the newest in memory for the page, all of them on the disk beside its log."""

from __future__ import annotations

from collections import OrderedDict
from contextlib import suppress
from secrets import token_hex
from typing import TYPE_CHECKING

from vision.clip import small

if TYPE_CHECKING:
    from pathlib import Path

    from vision.straighten import Image

MOST = 12
WIDTH = 1200


class Finishes:
    """Keeps pictures by their names, "finish-3f09c2-1", "finish-3f09c2-2", ...

    The names of each session are its own: a page shows a picture that it has met under its name once more.
    beside: the session's log, next to which the pictures are written as <log>-finish-3f09c2-1.jpg; None writes nothing.
    """

    def __init__(self, beside: Path | None = None) -> None:
        self._beside = beside
        self._own, self._number = token_hex(3), 0
        self._pictures: OrderedDict[str, bytes] = OrderedDict()

    def keep(self, picture: Image) -> str:
        """Keep a picture and return its name. A disk that is full keeps none, and the game goes on."""
        self._number += 1
        name, data = f"finish-{self._own}-{self._number}", small(picture, WIDTH)
        self._pictures[name] = data
        if len(self._pictures) > MOST:
            self._pictures.popitem(last=False)
        if self._beside:
            with suppress(OSError):
                _written(self._beside, name).write_bytes(data)
        return name

    def get(self, name: str) -> bytes | None:
        """A picture as a JPEG, also one from before the session was taken up again; None where there is none."""
        if name not in self._pictures and self._beside:
            with suppress(OSError):
                return _written(self._beside, name).read_bytes()
        return self._pictures.get(name)


def _written(log: Path, name: str) -> Path:
    """The file of a photo finish."""
    return log.with_name(f"{log.stem}-{name}.jpg")
