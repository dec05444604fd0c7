"""What one browser has still to hear: every event, but only the newest view and the newest picture.

A browser that is slow gets fewer views and pictures; the table waits for nobody.
"""

from __future__ import annotations

import asyncio
import json
from collections import deque
from contextlib import suppress
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

MOST_EVENTS = 5000  # a browser that is so far behind has gone


class Behind(Exception):
    """A browser takes nothing any more."""


class Mailbox:
    """An `audience.Listener` for one browser; filled from any thread, emptied in the loop that it was made in."""

    def __init__(self) -> None:
        self._loop = asyncio.get_running_loop()
        self._news = asyncio.Event()
        self._events: deque[str] = deque()
        self._view: dict[str, Any] | None = None
        self._newest = self._sent = 0
        self._wanted = False

    def told(self, event: dict[str, Any]) -> None:
        """Leave an event; for who is too far behind already none is kept."""
        if len(self._events) <= MOST_EVENTS:  # one more than that, and nobody waits for the rest
            self._events.append(json.dumps(event, ensure_ascii=False))
        self._wake()

    def shown(self, view: dict[str, Any]) -> None:
        """Leave a view in the place of the last one."""
        self._view = view
        self._wake()

    def pictured(self, number: int) -> None:
        """Say that there is a newer picture."""
        self._newest = number
        if self._wanted:
            self._wake()

    def want_picture(self) -> None:
        """Ask for the next picture; one is given for each time of asking."""
        self._wanted = True
        self._wake()

    def sent_picture(self, number: int) -> None:
        """Say which picture was given."""
        self._sent = number

    def _wake(self) -> None:
        with suppress(RuntimeError):  # the loop may have ended before the camera's thread did
            self._loop.call_soon_threadsafe(self._news.set)

    async def news(self) -> AsyncIterator[str | None]:
        """What there is to send, in its order: events and views as text, None for "the newest picture now".

        Raises Behind where too much was left.
        """
        while True:
            await self._news.wait()
            self._news.clear()
            if len(self._events) > MOST_EVENTS:
                raise Behind
            while self._events:
                yield self._events.popleft()
            if self._view is not None:
                view, self._view = self._view, None
                yield json.dumps(view, ensure_ascii=False)
            if self._wanted and self._newest != self._sent:
                self._wanted = False
                yield None
