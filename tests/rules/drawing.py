"""Boards as pictures in text, and boards that hypothesis makes up."""

from textwrap import dedent
from typing import Any

from hypothesis import strategies as st

from rules.board import EMPTY, Board, Cell, Placed
from rules.domino import HIGHEST_PIPS
from rules.engine import replay
from rules.game import Draws, Game
from rules.puzzles import Published
from rules.table import Doubt, Table


def picture(text: str) -> str:
    """A drawing in a test, without the first line break and the margin."""
    return dedent(text.removeprefix("\n")).rstrip()


def board(text: str) -> Board:
    """The board that a drawing in a test shows."""
    return Board.parse(picture(text))


def read_as(lying: Board, cell: Cell, pips: str) -> Board:
    """The board on which the tile at a cell reads something else."""
    tile = lying.owner[cell]
    other = Placed(tile.cell, tile.way, int(pips[0], 16), int(pips[1], 16))
    return lying.without([tile]).laid(other)


def doubted(lying: Board, *cells: Cell) -> tuple[Doubt, ...]:
    """A doubt about the tile at each of these cells."""
    return tuple(Doubt(lying.owner[cell].cells, str(lying.owner[cell]), ("00",), 0.5) for cell in cells)


def solved(puzzle: Published, played: Game[Any, Any], start: Any) -> Table:
    """The table at the end of a published problem."""
    if not puzzle.moves:
        return Table(Board.parse(puzzle.solution))
    return lying(played, replay(played, start, puzzle.moves)[0])


def lying(played: Game[Any, Any], state: Any) -> Table:
    """The table on which a state lies."""
    return played.diagram(state).table if isinstance(played, Draws) else Table(state.board)


def turned(table: Table, turns: int) -> Table:
    """The table as it is seen from another side, the top left of its board at row 2, column 3."""
    around = table.moved(lambda cell: cell.turned(turns))
    first = around.board.top_left
    return around.moved(lambda cell: cell.shifted(2 - first.row, 3 - first.col))


@st.composite
def boards(draw: st.DrawFn, most: int = 12, width: int = 8, highest: int = HIGHEST_PIPS) -> Board:
    """Some dominoes on a small table, none upon another, not always in one group."""
    lying = EMPTY
    spots = st.tuples(st.builds(Cell, st.integers(0, width), st.integers(0, width)), st.integers(0, 1))
    pips = st.integers(0, highest)
    for cell, turned in draw(st.lists(spots, max_size=most)):
        other = cell.neighbours()[turned]
        if not lying.owner.keys() & {cell, other}:
            lying = lying.laid(Placed.on(cell, other, draw(pips), draw(pips)))
    return lying
