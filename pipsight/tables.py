"""The tables of one server by their names."""

from __future__ import annotations

import threading
from contextlib import ExitStack
from typing import TYPE_CHECKING

from pipsight.live_table import LiveTable
from pipsight.trouble import PipsightError

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path

    from pipsight.config import Lights
    from pipsight.sessions import Begun

MOST_TABLES = 8


class NoTable(PipsightError, LookupError):
    """A table that is not there; the text says which are."""


class TooMany(PipsightError, RuntimeError):
    """More tables than one machine can follow."""


class Tables:
    """The tables of one server by their names, "1", "2", ...

    logs: of the last games at tables that were closed.
    """

    def __init__(self) -> None:
        self.logs: list[Path] = []
        self._tables: dict[str, LiveTable] = {}
        self._lock = threading.Lock()

    def __iter__(self) -> Iterator[LiveTable]:
        return iter(list(self._tables.values()))

    def __getitem__(self, name: str) -> LiveTable:
        table = self._tables.get(name)
        if table is None:
            raise NoTable(f"there is no table {name[:20]}: there is {', '.join(self._tables) or 'none'}")
        return table

    def add(
        self, source: str, begun: Begun | None = None, sets: Sequence[str] = (), lights: Lights | None = None
    ) -> LiveTable:
        """One more table, watched through a camera; sets: those that were taught and lie on it.

        lights: how it is given the lights and buttons, before the first frame brings what they show.
        Raises TooMany, UnknownSet, or CameraError where the camera cannot be used.
        """
        with self._lock, ExitStack() as undone:
            if begun:
                undone.callback(begun.close)
            if len(self._tables) >= MOST_TABLES:
                raise TooMany(f"one pipsight follows at most {MOST_TABLES} tables: start another one")
            table = LiveTable(str(len(self._tables) + 1))
            undone.callback(table.close)
            table.know(sets)
            if begun:
                table.play(begun)
            if lights:
                table.light(lights)
            table.watch(source)
            undone.pop_all()
            self._tables[table.name] = table
            return table

    def seat(self, table: LiveTable) -> None:
        """Take in a table that was made elsewhere."""
        with self._lock:
            self._tables[table.name] = table

    def close(self) -> None:
        """Let all cameras and logs go, and the tables with their pictures: FastAPI keeps whatever its routes know."""
        for table in self:
            table.close()
            del self._tables[table.name]
            if table.begun and table.begun.log:
                self.logs.append(table.begun.log.path)
