"""Films that take minutes are watched from the beginning on, on time that no other test wants, and asked about last."""

from __future__ import annotations

import os
from concurrent.futures import Future, ProcessPoolExecutor
from multiprocessing import get_context
from typing import Any

import pytest

LAST = "test_films.py"
WATCHED = pytest.StashKey[dict[str, Future[dict[str, Any]]]]()
WATCHERS = pytest.StashKey[ProcessPoolExecutor]()


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    items.sort(key=lambda item: item.path.name == LAST)


def pytest_collection_finish(session: pytest.Session) -> None:
    slugs = {item.name.partition("[")[2].rstrip("]") for item in session.items if item.path.name == LAST} - {""}
    if not slugs or session.config.getoption("collectonly"):
        return
    from tests.pipsight.test_films import SEEDS, told_of

    pool = session.config.stash[WATCHERS] = ProcessPoolExecutor(os.cpu_count(), get_context("spawn"), _modestly)
    session.config.stash[WATCHED] = {slug: pool.submit(told_of, slug) for slug in SEEDS if slug in slugs}


def _modestly() -> None:
    """Each process keeps to one processor, and lets everything else go first."""
    import cv2

    cv2.setNumThreads(1)
    if hasattr(os, "nice"):
        os.nice(19)


@pytest.fixture
def films(pytestconfig: pytest.Config) -> dict[str, Future[dict[str, Any]]]:
    """What is told of the film of each game that is tested."""
    return pytestconfig.stash[WATCHED]


def pytest_unconfigure(config: pytest.Config) -> None:
    if pool := config.stash.get(WATCHERS, None):
        pool.shutdown(cancel_futures=True)
