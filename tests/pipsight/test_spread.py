"""Spreading work: in order, by whomever, and ended by whoever stops listening."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from itertools import chain, count
from multiprocessing import active_children
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from pipsight.spread import SpreadError, spread
from tests.pipsight.labour import drawn, fall, inverse

if TYPE_CHECKING:
    from collections.abc import Iterator

ROOT = Path(__file__).resolve().parents[2]


EXPECTED = [(seed, drawn(seed)) for seed in range(23)]


@pytest.fixture(autouse=True)
def nobody_is_left_behind() -> Iterator[None]:
    """Whoever worked for a test is gone after it; others may be at work for other tests."""
    others = set(active_children())
    yield
    assert set(active_children()) <= others


@pytest.mark.parametrize(("workers", "chunk"), [(1, 1), (1, 5), (2, 5)])
def test_results_come_in_order_and_are_the_same_whoever_computes_them(workers: int, chunk: int) -> None:
    assert list(spread(drawn, range(23), workers=workers, chunk=chunk)) == EXPECTED


def test_the_items_may_be_endless() -> None:
    results = spread(drawn, count(), workers=1)
    assert [next(results) for _ in range(3)] == EXPECTED[:3]


@pytest.mark.parametrize("workers", [1, 2])
def test_a_fault_comes_through_at_its_item_and_ends_the_work(workers: int) -> None:
    results = spread(inverse, chain([2, 1, 0], count(1)), workers=workers)
    assert [next(results), next(results)] == [(2, 0.5), (1, 1.0)]
    with pytest.raises(ZeroDivisionError):
        next(results)


def test_a_worker_that_falls_is_told_in_words() -> None:
    with pytest.raises(SpreadError, match="a worker process ended before its time"):
        list(spread(fall, [3, 4], workers=2))


def test_ctrl_c_ends_the_work_at_once_and_leaves_nobody_behind() -> None:
    program = (
        "import os, signal, sys, time\n"
        "signal.signal(signal.SIGINT, signal.default_int_handler)\n"  # a job in the background inherits deafness to it
        "from multiprocessing import active_children\n"
        "from pipsight.spread import spread\n"
        "if __name__ == '__main__':\n"
        "    try:\n"
        "        for item, _ in spread(time.sleep, [0, 0, 600, 600], workers=2):\n"
        "            print(item, flush=True)\n"
        "    except KeyboardInterrupt:\n"
        "        print('ended', len(active_children()), flush=True)\n"
    )
    process = subprocess.Popen(
        [sys.executable, "-c", program],
        cwd=ROOT,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )
    assert process.stdout
    assert [process.stdout.readline() for _ in range(2)] == ["0\n", "0\n"]
    os.killpg(process.pid, signal.SIGINT)
    assert process.communicate(timeout=20) == ("ended 0\n", "")


@pytest.fixture(scope="module")
def scheduler() -> Iterator[str]:
    """The address of a real cluster on this machine: a scheduler, and a worker in a process of its own."""
    from distributed import LocalCluster

    with LocalCluster(n_workers=1, threads_per_worker=2, dashboard_address=None) as cluster:
        yield cluster.scheduler_address


@pytest.mark.needs("distributed")
def test_a_cluster_gives_the_same(scheduler: str) -> None:
    assert list(spread(drawn, range(23), scheduler=scheduler, chunk=2)) == EXPECTED


@pytest.mark.needs("distributed")
def test_a_fault_on_a_cluster_comes_through_and_the_cluster_works_on(scheduler: str) -> None:
    with pytest.raises(ZeroDivisionError):
        list(spread(inverse, [2, 0], scheduler=scheduler))
    results = spread(drawn, count(), scheduler=scheduler)
    assert next(results) == EXPECTED[0]
    results.close()  # type: ignore[attr-defined]
    assert list(spread(inverse, [4], scheduler=scheduler)) == [(4, 0.25)]


@pytest.mark.needs("distributed")
def test_a_scheduler_that_does_not_answer_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("pipsight.spread.CONNECT_S", 0.5)
    with pytest.raises(SpreadError, match=r"no Dask scheduler answers at tcp://127\.0\.0\.1:9"):
        next(spread(drawn, [1], scheduler="tcp://127.0.0.1:9"))


def test_without_its_extra_a_scheduler_is_refused_with_the_remedy(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "distributed", None)
    with pytest.raises(SpreadError, match="needs the extra dask: pip install"):
        next(spread(drawn, [1], scheduler="tcp://127.0.0.1:9"))
