"""Thinking that may take long, in a thread of its own: neither a table nor the end of the program waits for it."""

from __future__ import annotations

import threading
from concurrent.futures import Future, wait
from typing import TYPE_CHECKING, TypeVar

if TYPE_CHECKING:
    from collections.abc import Callable

T = TypeVar("T")

LOOKED_EVERY_S = 0.1


def thought(work: Callable[[], T], given_up: threading.Event) -> T | None:
    """What comes of some work, None once it is given up: then nobody waits for it, and it ends with the program.

    A server waits for its own threads as it ends, and so for whatever they do; the work is done in another one.
    """
    found: Future[T] = Future()

    def think() -> None:
        try:
            found.set_result(work())
        except BaseException as error:  # noqa: BLE001 - whoever waits raises it
            found.set_exception(error)

    threading.Thread(target=think, name="thinking", daemon=True).start()
    while not given_up.is_set():
        if wait([found], LOOKED_EVERY_S).done:
            return found.result()
    return None
