"""Long work spread over the cores of this machine, or over the machines of a Dask cluster."""

from __future__ import annotations

import os
import signal
from collections import deque
from concurrent.futures import CancelledError, Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from functools import partial
from itertools import islice
from multiprocessing import active_children, get_context
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar

from pipsight.trouble import PipsightError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

T = TypeVar("T")
R = TypeVar("R")

AHEAD = 4
"""How many bundles wait for each worker: enough that none is idle, few enough that items may be endless."""

CONNECT_S = 30


class SpreadError(PipsightError, OSError):
    """Work that could not be spread; the text says what to do."""


class _Crew(NamedTuple):
    """Who does the work: `submit` gives a future of a call, `room` says how many may wait."""

    submit: Callable[..., Any]
    room: int


def spread(
    function: Callable[[T], R],
    items: Iterable[T],
    *,
    scheduler: str | None = None,
    workers: int | None = None,
    chunk: int = 1,
) -> Iterator[tuple[T, R]]:
    """Each item with what the function gives for it, in the items' order, whoever computes it.

    The work is done by processes on all cores, or on as many as `workers` says (1: in this process). scheduler: the
    address of a Dask scheduler, "tcp://host:8786", whose workers have this very pipsight installed. chunk: how many
    items go to a worker together, for work of milliseconds. function: a module's own, for it is sent by its name.

    Whoever stops listening, by ctrl-C too, ends the work. Raises SpreadError where there is nobody to do it; what the
    function raises comes through at its item.
    """
    bundles = _bundles(items, chunk)
    call = partial(_each, function)
    crew = _cluster(scheduler) if scheduler else _processes(workers or os.cpu_count() or 1)
    waiting: deque[tuple[tuple[T, ...], Any]] = deque()
    with crew as (submit, room):
        for bundle in bundles:
            waiting.append((bundle, submit(call, bundle)))
            if len(waiting) >= room:
                yield from _done(*waiting.popleft())
        while waiting:
            yield from _done(*waiting.popleft())


def _bundles(items: Iterable[T], size: int) -> Iterator[tuple[T, ...]]:
    source = iter(items)
    while bundle := tuple(islice(source, size)):
        yield bundle


def _each(function: Callable[[T], R], bundle: tuple[T, ...]) -> tuple[R, ...]:
    return tuple(map(function, bundle))


def _done(bundle: tuple[T, ...], future: Any) -> Iterator[tuple[T, R]]:
    return zip(bundle, future.result(), strict=True)


class _Now(NamedTuple):
    """A call that is made when its result is asked for."""

    result: Callable[[], Any]


@contextmanager
def _processes(workers: int) -> Iterator[_Crew]:
    if workers == 1:
        yield _Crew(lambda call, bundle: _Now(partial(call, bundle)), 1)
        return
    others = set(active_children())
    pool = ProcessPoolExecutor(workers, get_context("spawn"), _leave_interrupts)
    try:
        yield _Crew(partial(_submit, pool), AHEAD * workers)
    except BaseException as error:
        _dismiss(set(active_children()) - others)
        pool.shutdown(cancel_futures=True)
        _dismiss(set(active_children()) - others)
        if isinstance(error, BrokenProcessPool):
            raise SpreadError("a worker process ended before its time: is there enough memory?") from error
        raise
    finally:
        pool.shutdown()


def _submit(pool: ProcessPoolExecutor, call: Callable[..., Any], bundle: tuple[Any, ...]) -> Future[Any]:
    """Hand work to the pool, which may start a process for it; ctrl-C waits meanwhile, and the process never hears it.

    A process inherits which signals are blocked, so that it is deaf from its first moment; _leave_interrupts, which
    comes after its imports, is what serves where signals cannot be blocked.
    """
    if not hasattr(signal, "pthread_sigmask"):
        return pool.submit(call, bundle)
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        return pool.submit(call, bundle)
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def _leave_interrupts() -> None:
    """Ctrl-C reaches every process of a terminal; the first one alone answers it, and ends the others."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)


def _dismiss(children: set[Any]) -> None:
    for child in children:
        child.terminate()
    for child in children:
        child.join()


@contextmanager
def _cluster(address: str) -> Iterator[_Crew]:
    try:
        from distributed import Client, KilledWorker
    except ModuleNotFoundError as lacking:
        raise SpreadError("a Dask scheduler needs the extra dask: pip install 'pipsight[dask]'") from lacking
    try:
        client = Client(address, timeout=CONNECT_S)
    except (OSError, ValueError) as error:
        raise SpreadError(f"no Dask scheduler answers at {address}") from error
    with client:
        cores = sum(client.ncores().values())
        if not cores:
            raise SpreadError(f"the Dask scheduler at {address} has no workers")
        try:
            yield _Crew(partial(client.submit, pure=False), AHEAD * cores)
        except (KilledWorker, CancelledError) as error:
            raise SpreadError(f"the Dask cluster at {address} lost its work: is there enough memory?") from error
