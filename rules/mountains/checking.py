"""What is wrong with a map of Mountains and Valleys, for any reading of the tiles that were not read surely."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import replace
from functools import partial

from rules.board import Board, Cell, Placed, areas, corner, extent
from rules.certainty import Sight, face_down, gaps, off_the_cells, part
from rules.domino import Domino
from rules.fit import Fit
from rules.game import NOTHING, Problem
from rules.laying import objections
from rules.mountains.heights import SIDE
from rules.mountains.state import FULL_SET, TILES
from rules.mountains.walking import Map, can_be_walked
from rules.table import Side, Table
from rules.words import count, listing, said, where

ORIGIN = Cell(0, 0)


def home(board: Board, turn: int = 0) -> Fit:
    """The shift that brings the top left of the square to (0, 0), after quarter turns: of the 6 by 6 squares, the one
    that holds most."""
    board = board.moved(partial(Cell.turned, turns=turn))
    best = corner(board.owner)
    if max(board.size) > SIDE:
        rows, cols = ({cell.row for cell in board.owner}, {cell.col for cell in board.owner})
        corners = [Cell(row, col) for row in sorted(rows) for col in sorted(cols)]
        best = max(corners, key=lambda first: sum(within(cell, first) for cell in board.owner))
    return Fit(turn, -best.row, -best.col)


def within(cell: Cell, first: Cell = ORIGIN) -> bool:
    return 0 <= cell.row - first.row < SIDE and 0 <= cell.col - first.col < SIDE


def rectangle(sight: Sight) -> tuple[Cell, ...]:
    """The rectangle around the face-up tiles in the 6 by 6 square that starts at (0, 0)."""
    face_up = [cell for cells in (sight.sure.owner, *sight.wild) for cell in cells if within(cell)]
    rows, cols = extent([ORIGIN, *face_up])
    return tuple(Cell(row, col) for row in range(rows) for col in range(cols))


def room(rows: int, cols: int) -> list[Cell]:
    """Every cell that a 6 by 6 square around a rectangle at (0, 0) could cover."""
    return [Cell(row, col) for row in range(rows - SIDE, SIDE) for col in range(cols - SIDE, SIDE)]


def other_game(table: Table) -> Iterator[Problem]:
    """What no table of this game has: dominoes on one square each, or more of them face up than make a map."""
    if table.spots:
        cells = tuple(spot.cell for spot in table.spots)
        lie = count(len(cells), "domino lies", "dominoes lie")
        yield Problem(f"{lie} on one square each: here a domino covers two.", cells)
    face_up = len(table.board.placed) + len(part(table).astray)
    if face_up > TILES:
        yield Problem(f"{face_up} dominoes lie face up, and {TILES} make a map of {SIDE} by {SIDE}.")


def on_the_map(sight: Sight) -> Sight:
    """Without the tiles that wait beside the map: nothing that hangs together with them lies in its square."""
    tiles = (*(placed.cells for placed in sight.sure.placed), *sight.wild)
    parts = areas({cell for cells in tiles for cell in cells}, lambda one, other: True)
    apart = {cell for cells in parts if not any(map(within, cells)) for cell in cells}
    waiting = [placed for placed in sight.sure.placed if placed.cell in apart]
    wild = tuple(cells for cells in sight.wild if apart.isdisjoint(cells))
    return replace(sight, sure=sight.sure.without(waiting), wild=wild)


def hanging_out(sight: Sight) -> Iterator[Problem]:
    """What touches the map and lies outside its square, as a line of play does that is longer than a map."""
    out = [placed for placed in on_the_map(sight).sure.placed if not all(map(within, placed.cells))]
    cells = tuple(cell for placed in out for cell in placed.cells)
    if len(out) == 1:
        text = f"The {said(out[0].domino)} at {where(cells)} lies outside the 6 by 6 square of the map that it touches"
        yield Problem(f"{text}: lay it inside, or apart.", cells)
    elif out:
        text = f"{len(out)} dominoes at {where(cells)} lie outside the 6 by 6 square of the map that they touch"
        yield Problem(f"{text}: lay them inside, or apart.", cells)


def lying_across(table: Table) -> Iterator[Problem]:
    """Dominoes across an end of the map, half a square off it, as doubles lie in a line of play."""
    tiles, on_cells = table.chain.tiles, {placed.domino for placed in table.board.placed}
    across = set()
    for joint in table.chain.joints:
        one, other = tiles[joint.tile].domino, tiles[joint.other].domino
        if {Side.LEFT, Side.RIGHT}.isdisjoint((joint.side, joint.other_side)) or (one in on_cells) == (
            other in on_cells
        ):
            continue
        across.add(other if one in on_cells else one)
    if across:
        names = listing([f"the {said(domino)}" for domino in sorted(across)])
        lies = "lies" if len(across) == 1 else "lie"
        text = f"{names[0].upper()}{names[1:]} {lies} across, half a square off the map"
        yield Problem(f"{text}: a domino lies on two of its squares, or apart.")


def map_objections(placed: Placed, board: Board, deal: Collection[Domino]) -> Iterator[Problem]:
    """Every rule that forbids this domino beside those that lie there."""
    supply = f"the {FULL_SET.name} set" if len(deal) == len(FULL_SET) else "the deal"
    return objections(placed, board, deal, supply)


def map_faults(sight: Sight, deal: Collection[Domino]) -> Iterator[Problem]:
    """Whatever is wrong for any reading of the unsure tiles: what laying the sure ones meets, the square, the walks."""
    if not sight.sure.placed and not sight.wild:
        yield NOTHING
        return
    sight = on_the_map(sight)
    placed = sight.sure.placed
    laying = [fault for at, tile in enumerate(placed) for fault in map_objections(tile, Board(placed[:at]), deal)]
    shape = list(_shape_faults(sight))
    walking = list(_walking_faults(sight))
    yield from (*laying, *shape, *walking)
    if not (laying or shape or walking):
        yield from _hopeless(sight, frozenset(deal).difference(tile.domino for tile in placed))


def _shape_faults(sight: Sight) -> Iterator[Problem]:
    """What keeps the dominoes from filling 6 by 6 squares, no more and no less."""
    squares = rectangle(sight)
    for cells in (*(placed.cells for placed in sight.sure.placed), *sight.wild):
        if not all(map(within, cells)):
            yield Problem(f"The tile at {where(cells)} lies outside the 6 by 6 square.", cells)
    if len(squares) < SIDE * SIDE:
        rows, cols = extent(squares)
        yield Problem(f"The map is {rows} by {cols} squares, not {SIDE} by {SIDE}.")
    yield from face_down(sight, squares)
    empty = gaps(sight, squares)
    yield from empty
    if empty or len(squares) < SIDE * SIDE:
        yield from off_the_cells(sight)


def _map(sight: Sight) -> Map:
    """The sure heights; whatever is not known, or may still be laid around a smaller map, is open."""
    heights = {cell: height for cell, height in sight.sure.pips.items() if within(cell)}
    return Map(heights, frozenset(room(*extent(rectangle(sight)))).difference(heights))


def _walking_faults(sight: Sight) -> Iterator[Problem]:
    """The areas that cannot be reached from the biggest one, the cliffs around them, and the penalty."""
    known = _map(sight)
    for area in known.areas()[1:]:
        yield Problem(f"{count(len(area), 'square')} cannot be reached from the rest: {where(area)}.", area)
    for one, other in known.cliffs():
        text = f"A cliff of {known.drop(one, other)} levels parts {where([one])} from {where([other])}"
        yield Problem(f"{text}: {known.heights[one]} beside {known.heights[other]}.", (one, other))
    if penalty := known.penalty():
        least = "at least " if known.open else ""
        yield Problem(f"Played together, this map costs a penalty of {least}{penalty}.")


def _hopeless(sight: Sight, left: frozenset[Domino]) -> Iterator[Problem]:
    """Where the map is complete, but nothing that the unsure tiles may read makes it one to walk over."""
    tiles = [(head, tail) for head, tail in (*sight.wild, *sight.unsure_backs) if within(head) and within(tail)]
    if tiles and not can_be_walked(_map(sight), tiles, left):
        cells = tuple(cell for tile in tiles for cell in tile)
        yield Problem(f"Whatever may be read at {where(cells)}, not every square can be walked to.", cells)
