"""How what lights up a table ends: which signals end it, and what is left of that afterwards."""

from __future__ import annotations

import os
import signal
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

import pytest

from pipsight.leaving import interrupted_where_closed, told_where_closed

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

pytestmark = pytest.mark.skipif(os.name == "nt", reason="Windows has no such signals")


@contextmanager
def handled(number: int, handler: Any) -> Iterator[None]:
    """Let a signal be handled so for a while."""
    before = signal.signal(number, handler)
    try:
        yield
    finally:
        signal.signal(number, before)


@pytest.mark.parametrize("name", ["SIGHUP", "SIGTERM"])
def test_what_is_to_outlive_its_window_does(name: str) -> None:
    number = getattr(signal, name)
    with handled(number, signal.SIG_IGN):
        with interrupted_where_closed():
            os.kill(os.getpid(), number)
        assert signal.getsignal(number) is signal.SIG_IGN


@pytest.mark.parametrize("name", ["SIGHUP", "SIGTERM"])
def test_a_window_that_is_closed_and_a_kill_end_it_and_are_as_before_afterwards(name: str) -> None:
    number = getattr(signal, name)
    with handled(number, signal.SIG_DFL):
        with pytest.raises(KeyboardInterrupt), interrupted_where_closed():
            os.kill(os.getpid(), number)
        assert signal.getsignal(number) is signal.SIG_DFL


def test_a_window_that_says_twice_that_it_is_closed_does_not_end_what_ends() -> None:
    ended = list[int]()

    def end() -> None:
        with interrupted_where_closed():
            try:
                os.kill(os.getpid(), signal.SIGHUP)
            finally:
                for number in (signal.SIGHUP, signal.SIGTERM):
                    os.kill(os.getpid(), number)
                    ended.append(number)

    with handled(signal.SIGHUP, signal.SIG_DFL), pytest.raises(KeyboardInterrupt):
        end()
    assert ended == [signal.SIGHUP, signal.SIGTERM]


def test_what_ends_in_its_own_way_is_told_of_a_closed_window_and_interrupted_only_then() -> None:
    came = list[str]()

    def run() -> None:
        with interrupted_where_closed():
            try:
                with told_where_closed(lambda *_: came.append("told")):
                    os.kill(os.getpid(), signal.SIGHUP)
                    os.kill(os.getpid(), signal.SIGHUP)
                    came.append("ended")
            finally:
                os.kill(os.getpid(), signal.SIGHUP)
                came.append("left")

    with handled(signal.SIGHUP, signal.SIG_DFL), pytest.raises(KeyboardInterrupt):
        run()
    assert came == ["told", "told", "ended", "left"]


@pytest.mark.parametrize("handler", [signal.SIG_IGN, signal.SIG_DFL])
def test_a_closed_window_that_nobody_heeds_is_not_told_of(handler: signal.Handlers) -> None:
    with handled(signal.SIGHUP, handler):
        with told_where_closed(lambda *_: None):
            assert signal.getsignal(signal.SIGHUP) is handler
        assert signal.getsignal(signal.SIGHUP) is handler


def test_what_a_program_around_it_did_with_a_signal_is_not_known_and_not_put_back(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    put: Callable[..., Any] = signal.signal

    def unknown(number: int, handler: Any) -> None:
        put(number, handler)

    with handled(signal.SIGHUP, signal.SIG_DFL), handled(signal.SIGTERM, signal.SIG_DFL):
        monkeypatch.setattr(signal, "signal", unknown)
        with interrupted_where_closed():
            pass
        monkeypatch.undo()
