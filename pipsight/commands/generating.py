"""What `pipsight generate` does: problems are made up and printed, or kept in a folder."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pipsight.making import CannotGenerate, MadeUp, Order, generated, orders
from pipsight.progress import counted
from pipsight.saving import Album, save
from rules.words import count

if TYPE_CHECKING:
    from pathlib import Path

SUFFIXES = {"text": "txt", "json": "json", "svg": "svg", "png": "png"}


def deliver(
    slug: str,
    difficulty: str | None,
    seed: int,
    wanted: int,
    form: str,
    out: Path | None = None,
    scheduler: str | None = None,
    limit_s: float | None = None,
) -> list[str]:
    """Make up problems and print each as it comes, or write it into a folder; return the names of those that failed.

    Raises CannotGenerate, SpreadError, UnusableOutput.
    """
    if out is None and form in ("svg", "png"):
        raise CannotGenerate(f"a picture as {form} needs a folder: add --out DIR")
    folder = Folder(out, form) if out else None
    all_orders = orders(slug, difficulty, seed, wanted, limit_s)
    lacking = [order for order in all_orders if folder is None or folder.lacks(order)]
    if len(lacking) < wanted:
        print(f"{count(wanted - len(lacking), 'problem is', 'problems are')} there already.")
    missed = []
    for order, problem in counted(generated(lacking, scheduler), len(lacking)):
        if problem is None:
            missed.append(order.name)
        elif folder:
            print(f"{folder.keep(problem)}: {problem.summary}.", flush=True)
        else:
            print(problem.json if form == "json" else problem.printed, flush=True)
    return missed


class Folder:
    """A folder with one file a problem and one for its solution; what is there already is not made again.

    Raises UnusableOutput where the folder cannot be written into.
    """

    def __init__(self, folder: Path, form: str) -> None:
        Album(folder)
        self._folder, self._form = folder, form

    def problem(self, order: Order) -> Path:
        """Where a problem lies."""
        return self._folder / f"{order.name}.{SUFFIXES[self._form]}"

    def solution(self, order: Order) -> Path:
        """Where its solution lies."""
        return self._folder / f"{order.name}.solution.txt"

    def lacks(self, order: Order) -> bool:
        """Whether a problem or its solution is not there yet."""
        return not (self.problem(order).exists() and self.solution(order).exists())

    def keep(self, problem: MadeUp) -> Path:
        """Write a problem and its solution, each in one step."""
        save(self.solution(problem.order), f"{', '.join(problem.moves)}\n".encode())
        save(self.problem(problem.order), problem.written(self._form))
        return self.problem(problem.order)
