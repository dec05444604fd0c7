"""A course of play as tables: what a game's states look like on one real table, whose pieces stay until they are moved.

A state may count its cells from whatever lies first; the table does not move for that.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

from rules.table import Table


def steadied(tables: Iterable[Table]) -> list[Table]:
    """The tables, each shifted by whole cells so that as much as possible lies where it lay before."""
    steady: list[Table] = []
    for table in tables:
        steady.append(_shifted_to(steady[-1], table) if steady else table)
    return steady


def _shifted_to(before: Table, table: Table) -> Table:
    known = {(p.domino, p.way): p.cell for p in before.board.placed}
    shifts = Counter(
        (old.row - p.cell.row, old.col - p.cell.col)
        for p in table.board.placed
        if (old := known.get((p.domino, p.way))) is not None
    )
    if not shifts:
        return table
    (rows, cols), _ = max(shifts.items(), key=lambda item: (item[1], item[0] == (0, 0)))
    return table.moved(lambda cell: cell.shifted(rows, cols)) if (rows, cols) != (0, 0) else table
