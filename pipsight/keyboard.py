"""Single keys and lines as they are typed, with their times, at a terminal or through a pipe."""

from __future__ import annotations

import contextlib
import os
import re
import sys
import threading
import time
from typing import TYPE_CHECKING, Self

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from types import TracebackType

    Pressed = Callable[[str, float], None]

LOOKED_EVERY_S = 0.05
_ESCAPE = "\x1b"
_WHOLE = re.compile(r"\x1b+(?:\[\[.|\[[0-?]*[ -/]*[@-Z\\-~]|O.|[^\x1b\[O])", re.DOTALL)
"""An arrow, a function key or Alt with another key, as terminals write them."""
_WINDOWS_BEFORE = "\0\xe0"  # come before the code of such a key there
ENDED = ""
"""What is told as a key where nothing more will come."""


def line_is_there(seconds: float) -> bool:
    """Whether a line can be read at once, or within so many seconds; true where nobody can tell, as on Windows."""
    if os.name == "nt" or not _is_terminal():
        return True
    import select

    return bool(select.select([sys.stdin], [], [], seconds)[0])


class Keyboard:
    """Tells of every key as it is pressed, from a thread of its own, until it is closed.

    pressed: called with the key and the time, by time.monotonic; with ENDED when the input has ended. A key that is
    several characters, as an arrow is, comes as one. Keys are not shown and need no Enter.

    >>> with Keyboard(lambda key, at_s: print(key)):  # doctest: +SKIP
    ...     time.sleep(10)
    """

    def __init__(self, pressed: Pressed) -> None:
        self._pressed, self._closed = pressed, threading.Event()
        self._raw = contextlib.ExitStack()
        self._thread = threading.Thread(target=self._run, name="keyboard", daemon=True)

    def __enter__(self) -> Self:
        self._raw.enter_context(_single_keys())
        self._thread.start()
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self.close()

    def close(self) -> None:
        """Leave the terminal as it was. May be called twice."""
        self._closed.set()
        self._raw.close()

    def _run(self) -> None:
        while not self._closed.is_set():
            key = _key()
            if key is not None:
                self._pressed(key, time.monotonic())
            if key == ENDED:
                return


def _is_terminal() -> bool:
    return sys.stdin is not None and sys.stdin.isatty()


@contextlib.contextmanager
def _single_keys() -> Iterator[None]:
    """Let the terminal hand over each key at once; ctrl-C still interrupts."""
    if os.name == "nt" or not _is_terminal():
        yield
        return
    import termios
    import tty

    number = sys.stdin.fileno()
    before = termios.tcgetattr(number)
    try:
        tty.setcbreak(number)  # here, for an interrupt may come before the next line
        yield
    finally:
        termios.tcsetattr(number, termios.TCSADRAIN, before)


def _key() -> str | None:
    """The next key, ENDED where no more will come, None after a short while without one."""
    if os.name == "nt" and _is_terminal():
        return _windows_key()
    if _is_terminal():
        return _terminal_key()
    return sys.stdin.read(1) if sys.stdin else ENDED


def _terminal_key() -> str | None:
    """One character, or all that a key writes which begins with Escape: they come at once."""
    key = _character()
    while key and key.startswith(_ESCAPE) and not _WHOLE.fullmatch(key):
        more = _character()
        if not more:
            break
        key += more
    return key


def _character() -> str | None:
    import select

    if not select.select([sys.stdin], [], [], LOOKED_EVERY_S)[0]:
        return None
    return os.read(sys.stdin.fileno(), 1).decode(errors="replace")


def _windows_key() -> str | None:
    import msvcrt

    if not msvcrt.kbhit():  # type: ignore[attr-defined, unused-ignore]
        time.sleep(LOOKED_EVERY_S / 5)
        return None
    key = str(msvcrt.getwch())  # type: ignore[attr-defined, unused-ignore]
    if key in _WINDOWS_BEFORE and msvcrt.kbhit():  # type: ignore[attr-defined, unused-ignore]
        key += str(msvcrt.getwch())  # type: ignore[attr-defined, unused-ignore]
    return key
