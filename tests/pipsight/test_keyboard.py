"""Single keys at a terminal: each is told as one, also those that a terminal writes as several characters."""

from __future__ import annotations

import os
import queue
import sys
import threading
from collections import deque
from types import SimpleNamespace
from typing import TYPE_CHECKING

import pytest

from pipsight.keyboard import Keyboard, _windows_key

if TYPE_CHECKING:
    from collections.abc import Iterator

pytestmark = pytest.mark.skipif(os.name == "nt", reason="Windows has no ptys")


@pytest.fixture
def terminal(monkeypatch: pytest.MonkeyPatch) -> Iterator[int]:
    """What somebody types into the terminal that is the program's input."""
    ours, theirs = os.openpty()
    with os.fdopen(theirs, encoding="utf-8") as screen:
        monkeypatch.setattr("sys.stdin", screen)
        yield ours
        for thread in threading.enumerate():
            if thread.name == "keyboard":
                thread.join()  # it still looks at the terminal for a moment
    os.close(ours)


def typed(terminal: int, *keys: bytes) -> list[str]:
    """What is told of these keys."""
    told: queue.SimpleQueue[str] = queue.SimpleQueue()
    with Keyboard(lambda key, at_s: told.put(key)):
        for key in keys:
            os.write(terminal, key)
        return [told.get(timeout=5) for _ in keys]


def test_each_key_is_told_at_once(terminal: int) -> None:
    assert typed(terminal, b"1", b" ", b"q") == ["1", " ", "q"]


@pytest.mark.parametrize(
    "key",
    ["\x1b[A", "\x1bOP", "\x1b[15~", "\x1b[1;5C", "\x1b[[A", "\x1b\x1b[A", "\x1bq", "\x1b\n", "\x1b[200~"],
    ids=["arrow", "F1", "F5", "ctrl", "F1 without a desktop", "Alt and arrow", "Alt and q", "Alt and Enter", "paste"],
)
def test_a_key_of_several_characters_is_one_key(terminal: int, key: str) -> None:
    assert typed(terminal, key.encode(), b"2") == [key, "2"]


def test_escape_alone_is_a_key_too(terminal: int) -> None:
    assert typed(terminal, b"\x1b") == ["\x1b"]


def test_a_key_of_two_characters_on_windows_is_one_key(monkeypatch: pytest.MonkeyPatch) -> None:
    codes = deque("\xe0H\0qq")  # an arrow, Alt and F10, q
    monkeypatch.setitem(sys.modules, "msvcrt", SimpleNamespace(kbhit=lambda: bool(codes), getwch=codes.popleft))
    assert [_windows_key() for _ in range(3)] == ["\xe0H", "\0q", "q"]
