"""Long work that tests wait for, begun before the first test and done beside them by processes that give way.

A test says by `@pytest.mark.ahead(function, *items)` what it waits for, and finds what came of each item in the fixture
`ahead`. The function is a module's own, for it is sent to other processes by its name.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable
from concurrent.futures import Future, ProcessPoolExecutor
from multiprocessing import get_context
from typing import Any

import pytest

Call = tuple[Callable[[Any], Any], Any]  # a function and what it is called with


class Ahead:
    """Calls that are made beside the tests, each once however many tests wait for it."""

    def __init__(self) -> None:
        self._pool: ProcessPoolExecutor | None = None
        self._begun: dict[Call, Future[Any]] = {}

    def begin(self, items: Iterable[pytest.Item]) -> None:
        """Begin all that these tests wait for, in their order."""
        calls = dict.fromkeys(call for item in items for call in calls_of(item))
        if calls:
            self._pool = ProcessPoolExecutor(os.cpu_count(), get_context("spawn"), _gives_way)
            self._begun = {(function, one): self._pool.submit(function, one) for function, one in calls}

    def results(self, item: pytest.Item) -> list[Any]:
        """What came of each item that a test waits for."""
        return [self._begun[call].result() for call in calls_of(item)]

    def end(self) -> None:
        """Let go of what nobody waits for any more."""
        if self._pool:
            self._pool.shutdown(cancel_futures=True)


def calls_of(item: pytest.Item) -> list[Call]:
    """What a test waits for."""
    mark = item.get_closest_marker("ahead")
    return [(mark.args[0], argument) for argument in mark.args[1:]] if mark else []


def _gives_way() -> None:
    """Each process keeps to one processor, and to what the tests leave of it: some of those look at the clock."""
    import cv2

    cv2.setNumThreads(1)
    if hasattr(os, "nice"):
        os.nice(19)
