"""The solutions of a grid as boards."""

from __future__ import annotations

from dataclasses import dataclass

from rules.board import EMPTY, Board
from rules.dominosa.candidates import Candidates
from rules.dominosa.cover import covers
from rules.dominosa.places import Places
from rules.grid import Grid
from rules.watch import Watch


@dataclass(frozen=True)
class Found:
    """The solutions that a search found, how often it had to choose, and whether it came to its end."""

    boards: tuple[Board, ...]
    nodes: int
    complete: bool


def search(grid: Grid, laid: Board = EMPTY, most: int = 2, watch: Watch | None = None) -> Found:
    """The first solutions that keep the dominoes which lie there; two of them show that there is not just one."""
    places = Places.of(grid)
    found = covers(places, most, Candidates.of(places, laid).open, watch)
    return Found(tuple(map(places.board, found.solutions)), found.nodes, found.complete)


def solutions(grid: Grid, laid: Board = EMPTY, most: int = 2) -> tuple[Board, ...]:
    """The first solutions of a grid, as boards."""
    return search(grid, laid, most).boards


def is_unique(grid: Grid) -> bool:
    """Whether a grid has one solution and no other: proved, however long it takes."""
    return covers(Places.of(grid)).unique
