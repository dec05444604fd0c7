"""How what lights up a table ends: dark and silent, whoever or whatever ends it."""

from __future__ import annotations

import signal
import threading
from contextlib import contextmanager
from typing import TYPE_CHECKING

from hardware.protocol import Off

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from types import FrameType

    from hardware.link import Link

LEAVING_S = 1.0  # to let the lights go dark; a port that hangs is left behind


@contextmanager
def interrupted_where_closed() -> Iterator[None]:
    """Let a window that is closed and a kill end what runs as ctrl-C does, so that no light stays on, no move is lost.

    What is to outlive its window, as by nohup, does.
    """
    here = threading.current_thread() is threading.main_thread()  # no other one may say what signals do
    numbers = [getattr(signal, name) for name in ("SIGHUP", "SIGTERM") if here and hasattr(signal, name)]
    heeded = [number for number in numbers if signal.getsignal(number) is not signal.SIG_IGN]

    def end(*_: object) -> None:
        for number in heeded:  # a window that is closed says so twice, and the second time must not end what ends
            signal.signal(number, signal.SIG_IGN)
        raise KeyboardInterrupt

    before = {number: signal.signal(number, end) for number in heeded}
    try:
        yield
    finally:
        for number, handler in before.items():
            if handler is not None:  # else it was another program's around this one, and cannot be put back
                signal.signal(number, handler)


@contextmanager
def told_where_closed(told: Callable[[int, FrameType | None], object]) -> Iterator[None]:
    """Tell what runs of a window that is closed, and let it end in its own way; it is interrupted only then.

    That is for a window whose end is heeded at all, by interrupted_where_closed.
    """
    number = getattr(signal, "SIGHUP", None)
    here = number is not None and threading.current_thread() is threading.main_thread()
    before = signal.getsignal(number) if number is not None else None
    if number is None or not here or not callable(before):
        yield
        return
    closed = threading.Event()

    def tell(number: int, frame: FrameType | None) -> None:
        closed.set()
        told(number, frame)

    signal.signal(number, tell)
    try:
        yield
    finally:
        signal.signal(number, before)
    if closed.is_set():
        signal.raise_signal(number)


@contextmanager
def left_dark(link: Link) -> Iterator[None]:
    """Turn all lights and sounds off in the end, however that comes."""
    with interrupted_where_closed():
        try:
            yield
        finally:
            darken(link)


def darken(link: Link) -> None:
    """Turn all lights and sounds off, and wait a moment until the controller has done so."""
    link.send(Off())
    link.flush(LEAVING_S)
