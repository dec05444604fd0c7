"""How far a long job is, shown where it does not mix with the answers: on the error stream."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, TypeVar

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from rich.console import Console

T = TypeVar("T")


def followed(names: Sequence[str], work: Callable[[str], T]) -> Iterator[T]:
    """Yield what the work on each name gives, saying on stderr which name is being worked on.

    A terminal gets a bar that is out of the way while a result is printed, anything else a plain line a name; a single
    name needs neither.
    """
    from rich.console import Console

    console = Console(stderr=True)
    if len(names) > 1 and console.is_terminal:
        yield from _with_bar(names, work, console)
        return
    for number, name in enumerate(names, 1):
        if len(names) > 1:
            print(f"{number}/{len(names)} {name}", file=sys.stderr, flush=True)
        yield work(name)


def _with_bar(names: Sequence[str], work: Callable[[str], T], console: Console) -> Iterator[T]:
    from rich.markup import escape
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

    columns = (MofNCompleteColumn(), BarColumn(), TimeRemainingColumn(), TextColumn("{task.description}"))
    with Progress(*columns, console=console, transient=True, redirect_stdout=False) as bar:
        task = bar.add_task("", total=len(names))
        for name in names:
            bar.update(task, description=escape(name))
            bar.start()
            result = work(name)
            bar.advance(task)
            bar.stop()
            yield result


def counted(results: Iterable[T], total: int) -> Iterator[T]:
    """Pass results on as they come, saying on stderr how many of them are there; a single one needs no progress."""
    from rich.console import Console

    console = Console(stderr=True)
    if total > 1 and console.is_terminal:
        yield from _with_count(results, total, console)
        return
    for number, result in enumerate(results, 1):
        if total > 1:
            print(f"{number}/{total}", file=sys.stderr, flush=True)
        yield result


def _with_count(results: Iterable[T], total: int, console: Console) -> Iterator[T]:
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TimeRemainingColumn

    columns = (MofNCompleteColumn(), BarColumn(), TimeRemainingColumn())
    with Progress(*columns, console=console, transient=True, redirect_stdout=False) as bar:
        task = bar.add_task("", total=total)
        for result in results:
            bar.advance(task)
            bar.stop()
            yield result
            bar.start()
