"""From a table to the layout of a sliding puzzle: which way round it lies, what cannot be, what has changed."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator
from dataclasses import replace
from functools import partial

from rules.board import Board, Cell, Placed, areas, corner, extent
from rules.certainty import Sight, face_down, off_the_cells, part
from rules.domino import Domino, DominoSet
from rules.fit import Fit
from rules.game import NOTHING, Problem, UnreadableTable
from rules.laying import objections
from rules.sliding.layout import LONGEST, Layout, Tile
from rules.table import Table
from rules.words import count, listing, said, where

FULL_SET = DominoSet(6)


def read_layout(table: Table, before: Layout | None) -> Layout:
    """What lies on the table, with the dominoes that still waited before and are not there yet.

    Raises UnreadableTable for tiles off the cells, face down among the others, there twice or not in the problem; at a
    first look also for tiles that are not in one group.
    """
    sight = part(replace(table, doubts=()))
    problems = (*off_the_cells(sight), *face_down(sight, rectangle(sight.covered)))
    problems += (*strangers(sight.sure, before), *too_long(sight.sure))
    if before is None:
        problems += (*splits(sight.sure.owner), *([] if sight.sure.placed else [NOTHING]))
    if problems:
        raise UnreadableTable(problems)
    fit = fit_to(before, table.board) if before else home(table.board.owner)
    lying = table.board.moved(fit.apply)
    present = {placed.domino for placed in lying.placed}
    waiting = [tile for tile in before.waiting if tile.domino not in present] if before else ()
    return Layout.of(lying, waiting, fit)


def fit_to(before: Layout, board: Board) -> Fit:
    """The turn under which most dominoes lie the way they did, for none turns as it slides, and then the shift under
    which most lie where they did: that tells how doubles lie, which are the same from both sides."""
    known = dict(zip(before.tiles, _heads(before), strict=True))
    best, most = Fit(), (-1, 0)
    for turn in ((before.fit.turn + turns) % 4 for turns in range(4)):
        turned = board.moved(partial(Cell.turned, turns=turn))
        alike = [placed for placed in turned.placed if Tile.of(placed) in known]
        ways = Counter(_way(placed.cell, known[Tile.of(placed)]) for placed in alike)
        shift, there = ways.most_common(1)[0] if ways else (_way(turned.top_left, before.origin), 0)
        if (len(alike), there) > most:
            best, most = Fit(turn, *shift), (len(alike), there)
    return best


def home(cells: Collection[Cell], turn: int = 0) -> Fit:
    """The fit that takes the top left of some cells to (0, 0), after quarter turns."""
    first = corner([cell.turned(turn) for cell in cells])
    return Fit(turn, -first.row, -first.col)


def allowed(before: Layout | None) -> frozenset[Domino]:
    """The dominoes that may lie on the table."""
    if before is None:
        return frozenset(FULL_SET)
    return before.dominoes | {tile.domino for tile in before.waiting}


def strangers(board: Board, before: Layout | None) -> Iterator[Problem]:
    """A sentence for each domino that is there twice, or that is not in the problem."""
    supply = "this problem" if before else f"the {FULL_SET.name} set"
    for number, placed in enumerate(board.placed):
        yield from objections(placed, Board(board.placed[:number]), allowed(before), supply)


def splits(cells: Collection[Cell]) -> tuple[Problem, ...]:
    """A sentence where cells are not all in one group."""
    parts = areas(cells, lambda one, other: True)
    if len(parts) < 2:
        return ()
    cut = tuple(cell for area in parts[1:] for cell in area)
    return (Problem(f"The dominoes lie in {len(parts)} groups: {where(cut)} must touch the others.", cut),)


def too_long(board: Board) -> tuple[Problem, ...]:
    """A sentence where the dominoes reach further than any group of them can."""
    rows, cols = board.size
    if max(rows, cols) <= LONGEST:
        return ()
    return (Problem(f"The dominoes reach over {rows} by {cols} squares: they cannot be in one group."),)


def turned_tiles(sight: Sight, before: Layout) -> Iterator[Problem]:
    """A sentence for each domino that lies another way than it did: a slide turns none."""
    ways = {tile.domino: tile for tile in before.tiles}
    for placed in sight.sure.placed:
        if ways.get(placed.domino, Tile.of(placed)) != Tile.of(placed):
            yield _turned(placed)


def missing(sight: Sight, needed: Collection[Domino]) -> tuple[Problem, ...]:
    """One sentence for the dominoes that lie nowhere, unless tiles that were not read may be they."""
    present = {placed.domino for placed in sight.sure.placed} | set(sight.astray)
    lacking = [said(domino) for domino in sorted(needed) if domino not in present]
    if not lacking or sight.unread >= len(lacking):
        return ()
    if sight.unread:
        return (Problem(f"At least {len(lacking) - sight.unread} of these must be missing: {listing(lacking)}."),)
    return (Problem(f"The {listing(lacking)} {'is' if len(lacking) == 1 else 'are'} missing."),)


def changes(before: Layout, seen: Layout) -> Iterator[Problem]:
    """What differs between two layouts, domino by domino; the cells are those of `seen`."""
    places = dict(zip(before.tiles, _heads(before), strict=True))
    ways = {tile.domino: tile for tile in before.tiles}
    for placed in seen.board.placed:
        tile, cell = Tile.of(placed), placed.cell.shifted(seen.origin.row, seen.origin.col)
        if placed.domino in ways and tile not in places:
            yield _turned(placed)
        elif tile in places and cell != places[tile]:
            yield _elsewhere(placed, *_way(places[tile], cell))
    lying = {tile.domino: before.cells(i) for i, tile in enumerate(before.tiles)}
    down, right = _way(seen.origin, before.origin)
    for domino in sorted(before.dominoes - seen.dominoes):
        cells = tuple(cell.shifted(down, right) for cell in lying[domino])
        yield Problem(f"The {said(domino)} is missing at {where(cells)}.", cells)
    for domino in sorted(seen.dominoes - before.dominoes):
        yield Problem(f"The {said(domino)} is new.")


def rectangle(cells: Collection[Cell]) -> frozenset[Cell]:
    """Every cell of the smallest rectangle around some cells."""
    first, (rows, cols) = corner(cells), extent(cells)
    return frozenset(first.shifted(row, col) for row in range(rows) for col in range(cols))


def _elsewhere(placed: Placed, rows: int, cols: int) -> Problem:
    ways = [(rows, "down", "up"), (cols, "right", "left")]
    far = listing([f"{count(abs(by), 'space')} {more if by > 0 else less}" for by, more, less in ways if by])
    text = f"The {placed.head}-{placed.tail} lies {far} from where it lay; no legal slides lead there"
    return Problem(f"{text}.", placed.cells)


def _turned(placed: Placed) -> Problem:
    return Problem(f"The {said(placed.domino)} was turned round at {where(placed.cells)}.", placed.cells)


def _heads(layout: Layout) -> list[Cell]:
    """Where each tile's head lies, as the start counted."""
    return [layout.cells(i)[0].shifted(layout.origin.row, layout.origin.col) for i in range(len(layout.tiles))]


def _way(start: Cell, end: Cell) -> tuple[int, int]:
    return end.row - start.row, end.col - start.col
